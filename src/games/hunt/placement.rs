//! Pieces that are put on the board, one at a time or several at once, and moves under the symmetries of a board.

use super::board::{Board, MAX_SETS, Points, choose};
use super::position::{Move, points_of};

impl Board {
    /// Appends the ways to put so many pieces on points of a set, in the order of their names.
    pub fn placements(&self, free: Points, pieces: u32, out: &mut Vec<Move>) {
        match pieces {
            0 => {}
            1 => out.extend(points_of(free).map(Move::place)),
            _ if free.count_ones() < pieces => {
                // Fewer places than pieces: as many as there is room for.
                self.placements(free, free.count_ones(), out);
            }
            _ => {
                let points: Vec<usize> = points_of(free).collect();
                self.extend_placement(&points, 0, pieces, out);
            }
        }
    }

    fn extend_placement(&self, points: &[usize], chosen: Points, pieces: u32, out: &mut Vec<Move>) {
        if pieces == 0 {
            out.extend(self.place_set(chosen));
            return;
        }
        for (index, &point) in points.iter().enumerate() {
            self.extend_placement(&points[index + 1..], chosen | 1 << point, pieces - 1, out);
        }
    }

    /// The move that puts pieces on all points of a set, by the place of the set among those of its size in the
    /// combinatorial number system, smaller sets first.
    ///
    /// None for sets that have no number, as nobody can place so many at once.
    pub fn place_set(&self, set: Points) -> Option<Move> {
        let size = u64::from(set.count_ones());
        if size < 2 {
            return (size == 1).then(|| Move::place(set.trailing_zeros() as usize));
        }
        let smaller: u64 = (2..size).map(|size| choose(self.points as u64, size)).sum();
        let ranked = points_of(set)
            .zip(1..)
            .map(|(point, taken)| choose(point as u64, taken));
        let number = ranked.fold(smaller, u64::saturating_add);
        (number < MAX_SETS).then(|| Move::place_set(number as u32))
    }

    /// The set of points that pieces are put on by the move of this number.
    pub fn placed_set(&self, number: u32) -> Points {
        let mut rest = u64::from(number);
        let mut size = 2;
        while size < self.points as u64 && rest >= choose(self.points as u64, size) {
            rest -= choose(self.points as u64, size);
            size += 1;
        }
        let mut set = 0;
        let mut end = self.points as u64;
        while size > 0 {
            let point = (0..end)
                .rev()
                .find(|&point| choose(point, size) <= rest)
                .unwrap_or(0);
            rest -= choose(point, size).min(rest);
            set |= 1 << point;
            end = point;
            size -= 1;
        }
        set
    }

    /// The image of a move, by the images of all points.
    #[inline]
    pub fn turned(&self, m: Move, images: &[u8]) -> Move {
        if m.is_special() {
            return self.turned_set(m, images);
        }
        Move::go(images[m.from()] as usize, images[m.to()] as usize)
    }

    #[cold]
    fn turned_set(&self, m: Move, images: &[u8]) -> Move {
        let turned = |number| {
            let set = points_of(self.placed_set(number));
            self.place_set(set.fold(0, |set: Points, point| set | 1 << images[point]))
        };
        m.set_placed().and_then(turned).unwrap_or(m)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::ALL;
    use super::*;

    #[test]
    fn a_set_of_pieces_placed_at_once_has_a_number_that_leads_back() {
        for board in ALL.iter().filter(|board| board.points < 26) {
            let mut moves = Vec::new();
            for pieces in 2..=3 {
                board.placements(board.all(), pieces, &mut moves);
            }
            let sets: Vec<Points> = moves
                .iter()
                .map(|m| board.placed_set(m.set_placed().unwrap()))
                .collect();
            let again: Vec<Move> = sets
                .iter()
                .map(|&set| board.place_set(set).unwrap())
                .collect();
            assert_eq!(moves, again);
            let different: std::collections::HashSet<Points> = sets.into_iter().collect();
            assert_eq!(different.len(), moves.len());
        }
    }
}
