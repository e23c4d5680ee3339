//! Drops of one or more pieces per turn, and images of moves under the symmetries of a board.
//!
//! A move has 16 bits, too few for a set of points. So a multi-drop, which places several pieces in one turn, is stored
//! as the number of its point set.

use super::board::{Board, MAX_MULTI_DROPS, Points, binomial};
use super::position::{Move, points_of};

impl Board {
    /// Appends the drops of `pieces` pieces on points of `free`, in lexicographic order of the points. If `free` has
    /// fewer than `pieces` points, the only drop fills all of them.
    pub(super) fn push_placements(&self, free: Points, pieces: u32, out: &mut Vec<Move>) {
        match pieces {
            0 => {}
            1 => out.extend(points_of(free).map(Move::place)),
            _ if free.count_ones() < pieces => {
                self.push_placements(free, free.count_ones(), out);
            }
            _ => {
                let points: Vec<usize> = points_of(free).collect();
                self.push_multi_drops(&points, 0, pieces, out);
            }
        }
    }

    fn push_multi_drops(&self, points: &[usize], chosen: Points, pieces: u32, out: &mut Vec<Move>) {
        if pieces == 0 {
            out.extend(self.multi_drop(chosen));
            return;
        }
        for (index, &point) in points.iter().enumerate() {
            self.push_multi_drops(&points[index + 1..], chosen | 1 << point, pieces - 1, out);
        }
    }

    /// Returns the move that drops a piece on each point of `set`.
    ///
    /// Sets of 2 or more points are ordered by size, and sets of equal size by their rank in the combinatorial number
    /// system: points `a < b < c` have rank C(a, 1) + C(b, 2) + C(c, 3). The number of a multi-drop is the index of
    /// its set in this order. Returns `None` for the empty set, and for numbers from [`MAX_MULTI_DROPS`] on, which no
    /// legal multi-drop has.
    pub(super) fn multi_drop(&self, set: Points) -> Option<Move> {
        let size = u64::from(set.count_ones());
        if size < 2 {
            return (size == 1).then(|| Move::place(set.trailing_zeros() as usize));
        }
        let smaller_sets: u64 = (2..size)
            .map(|size| binomial(self.points as u64, size))
            .sum();
        let rank_terms = points_of(set)
            .zip(1..)
            .map(|(point, taken)| binomial(point as u64, taken));
        let number = rank_terms.fold(smaller_sets, u64::saturating_add);
        (number < MAX_MULTI_DROPS).then(|| Move::numbered(number as u32))
    }

    /// Returns the points of the multi-drop numbered `number`, the inverse of [`Self::multi_drop`].
    pub(super) fn multi_drop_points(&self, number: u32) -> Points {
        let mut rank = u64::from(number);
        let mut size = 2;
        while size < self.points as u64 && rank >= binomial(self.points as u64, size) {
            rank -= binomial(self.points as u64, size);
            size += 1;
        }
        let mut set = 0;
        let mut end = self.points as u64;
        while size > 0 {
            let point = (0..end)
                .rev()
                .find(|&point| binomial(point, size) <= rank)
                .unwrap_or(0);
            rank -= binomial(point, size).min(rank);
            set |= 1 << point;
            end = point;
            size -= 1;
        }
        set
    }

    /// Returns the image of a move; `images[i]` is the image of point `i`. The image of a chain is another chain, because
    /// a chain's number depends on the position. It is unknown here, and searches use images only to order moves.
    #[inline]
    pub(super) fn move_image(&self, m: Move, images: &[u8]) -> Move {
        if m.is_special() {
            return self.multi_drop_image(m, images);
        }
        Move::go(images[m.from()] as usize, images[m.to()] as usize)
    }

    #[cold]
    fn multi_drop_image(&self, m: Move, images: &[u8]) -> Move {
        let image = |number| {
            let set = points_of(self.multi_drop_points(number));
            self.multi_drop(set.fold(0, |set: Points, point| set | 1 << images[point]))
        };
        m.multi_drop_number().and_then(image).unwrap_or(m)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::ALL;
    use super::*;

    #[test]
    fn multi_drop_numbers_round_trip() {
        for board in ALL.iter().filter(|board| board.points < 26) {
            let mut moves = Vec::new();
            for pieces in 2..=3 {
                board.push_placements(board.all(), pieces, &mut moves);
            }
            let sets: Vec<Points> = moves
                .iter()
                .map(|m| board.multi_drop_points(m.multi_drop_number().unwrap()))
                .collect();
            let again: Vec<Move> = sets
                .iter()
                .map(|&set| board.multi_drop(set).unwrap())
                .collect();
            assert_eq!(moves, again);
            let different: std::collections::HashSet<Points> = sets.into_iter().collect();
            assert_eq!(different.len(), moves.len());
        }
    }
}
