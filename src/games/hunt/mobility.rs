//! Incremental mobility of the tigers, the main term of the reference evaluation.
//!
//! Searches with the reference evaluation spend most of their time here.

use super::board::{Board, Points, Triples};
use super::position::{Move, Position, points_of};
use crate::bits::iter_ones;

/// Number of moves that the tigers have, whichever side is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mobility {
    /// Steps to adjacent empty points.
    pub(crate) steps: u32,
    /// Jumps over goats.
    pub(crate) captures: u32,
}

impl Mobility {
    /// No move at all.
    pub(crate) const NONE: Self = Self {
        steps: 0,
        captures: 0,
    };
}

/// The sets from which the mobility of a position is computed.
///
/// A triple is a capture if a goat is in the middle, a tiger at one end, and the other end is empty. Among triples
/// with exactly one tiger at the ends, the other end is empty if the number of goats at the ends is even. A capture
/// is therefore in `prey` and `hunting` but not in `guarded`, and each moved piece toggles the triples of two points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MobilityState<'a> {
    board: &'static Board,
    position: &'a Position,
    empty: Points,
    /// Triples with a goat in the middle.
    prey: Triples,
    /// Triples with exactly one tiger at the ends.
    hunting: Triples,
    /// Triples with exactly one goat at the ends.
    guarded: Triples,
    steps: u32,
}

impl<'a> MobilityState<'a> {
    /// Computes the state of `position`.
    #[inline(always)]
    pub(crate) fn new(board: &'static Board, position: &'a Position) -> Self {
        let empty = position.empty(board);
        Self {
            board,
            position,
            empty,
            prey: board.middles.of(position.goats),
            hunting: board.ends.of(position.tigers),
            guarded: board.ends.of(position.goats),
            steps: steps(board, position.tigers, empty),
        }
    }

    /// Returns the state after a tiger's step or capture `m`, which leads to position `after`.
    #[inline(always)]
    pub(crate) fn played<'b>(&self, m: Move, after: &'b Position) -> MobilityState<'b> {
        let board = self.board;
        let (from, to) = (m.from(), m.to());
        let (prey, guarded) = self.goats_after_tiger_move(from, to);
        let empty = after.empty(board);
        MobilityState {
            board,
            position: after,
            empty,
            prey,
            hunting: self.hunting_after_tiger_move(from, to),
            guarded,
            steps: steps(board, after.tigers, empty),
        }
    }

    /// Returns the board of the position.
    #[inline(always)]
    pub(crate) fn board(&self) -> &'static Board {
        self.board
    }

    /// Returns the tigers' mobility.
    #[inline(always)]
    pub(crate) fn mobility(&self) -> Mobility {
        Mobility {
            steps: self.steps,
            captures: self.captures().count_ones(),
        }
    }

    /// Returns the triples in which a tiger can capture.
    #[inline(always)]
    pub(crate) fn captures(&self) -> Triples {
        self.prey & self.hunting & !self.guarded
    }

    /// Returns the captures that would arise from a goat on any one of the points `placed`.
    #[inline(always)]
    pub(crate) fn captures_over(&self, placed: Points) -> Triples {
        self.board.middles.of(placed) & self.hunting & !self.guarded
    }

    /// Returns the points where the tiger on `from` lands after a capture.
    #[inline(always)]
    pub(crate) fn landings(&self, from: usize) -> Points {
        let captures = self.captures() & self.board.ends.at(from);
        landings(self.board, captures, self.position.tigers)
    }

    /// Returns the tigers' moves, captures first.
    #[inline(always)]
    pub(crate) fn tiger_moves(&self) -> impl Iterator<Item = Move> {
        let board = self.board;
        let tigers = self.position.tigers;
        let jumps = iter_ones(self.captures()).map(move |triple| {
            let (from, to) = board.triples[triple].jump(tigers);
            Move::go(from, to)
        });
        let empty = self.empty;
        let steps = points_of(tigers).flat_map(move |from| {
            points_of(board.steps[from] & empty).map(move |to| Move::go(from, to))
        });
        jumps.chain(steps)
    }

    /// Returns the mobility after a goat is placed on the empty `point`.
    #[inline(always)]
    pub(crate) fn after_placement(&self, point: usize) -> Mobility {
        let board = self.board;
        let prey = self.prey ^ board.middles.at(point);
        let guarded = self.guarded ^ board.ends.at(point);
        Mobility {
            steps: self.steps - (board.steps[point] & self.position.tigers).count_ones(),
            captures: (prey & self.hunting & !guarded).count_ones(),
        }
    }

    /// Returns the mobility after a goat's step.
    #[inline(always)]
    pub(crate) fn after_goat_step(&self, from: usize, to: usize) -> Mobility {
        let board = self.board;
        let prey = self.prey ^ board.middles.at(from) ^ board.middles.at(to);
        let guarded = self.guarded ^ board.ends.at(from) ^ board.ends.at(to);
        let tigers = self.position.tigers;
        Mobility {
            steps: self.steps + (board.steps[from] & tigers).count_ones()
                - (board.steps[to] & tigers).count_ones(),
            captures: (prey & self.hunting & !guarded).count_ones(),
        }
    }

    /// Returns the mobility after a tiger's step or capture.
    #[inline(always)]
    pub(crate) fn after_tiger_move(&self, from: usize, to: usize) -> Mobility {
        let steps = &self.board.steps;
        let captured = self.board.between(from, to);
        let empty = self.empty ^ (1 << from | 1 << to) | captured;
        // The other tigers gain `from` and the captured goat's point, and lose `to`.
        let others = self.position.tigers ^ 1 << from;
        let gained = (steps[from] & others).count_ones();
        let lost = (steps[to] & others).count_ones();
        let freed = if captured == 0 {
            0
        } else {
            (steps[captured.trailing_zeros() as usize] & others).count_ones()
        };
        let own = (steps[from] & self.empty).count_ones();
        Mobility {
            steps: self.steps - own + gained + freed - lost + (steps[to] & empty).count_ones(),
            captures: self.captures_after_tiger_move(from, to).count_ones(),
        }
    }

    /// Returns the tigers' captures after a tiger's step or capture.
    #[inline(always)]
    pub(crate) fn captures_after_tiger_move(&self, from: usize, to: usize) -> Triples {
        let (prey, guarded) = self.goats_after_tiger_move(from, to);
        prey & self.hunting_after_tiger_move(from, to) & !guarded
    }

    #[inline(always)]
    fn hunting_after_tiger_move(&self, from: usize, to: usize) -> Triples {
        self.hunting ^ self.board.ends.at(from) ^ self.board.ends.at(to)
    }

    /// Returns `prey` and `guarded` after a tiger's step or capture.
    #[inline(always)]
    fn goats_after_tiger_move(&self, from: usize, to: usize) -> (Triples, Triples) {
        let board = self.board;
        let captured = board.between(from, to);
        if captured == 0 {
            return (self.prey, self.guarded);
        }
        let point = captured.trailing_zeros() as usize;
        (
            self.prey ^ board.middles.at(point),
            self.guarded ^ board.ends.at(point),
        )
    }

    /// Returns the mobility after a legal move.
    #[inline(always)]
    pub(crate) fn after(&self, m: Move) -> Mobility {
        let (from, to) = (m.from(), m.to());
        if self.position.tigers_to_move {
            self.after_tiger_move(from, to)
        } else if from == to {
            self.after_placement(to)
        } else {
            self.after_goat_step(from, to)
        }
    }
}

/// Returns the captures of `position`, whichever side is to move.
#[inline(always)]
pub(crate) fn captures(board: &Board, position: &Position) -> Triples {
    let prey = board.middles.of(position.goats) & board.ends.of(position.tigers);
    prey & !board.ends.of(position.goats)
}

/// Returns the points where the given captures end.
#[inline(always)]
pub(crate) fn landings(board: &Board, captures: Triples, tigers: Points) -> Points {
    iter_ones(captures).fold(0, |landings, triple| {
        let (_, to) = board.triples[triple].jump(tigers);
        landings | 1 << to
    })
}

#[inline(always)]
fn steps(board: &Board, tigers: Points, empty: Points) -> u32 {
    points_of(tigers)
        .map(|from| (board.steps[from] & empty).count_ones())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::Hunt;
    use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
    use crate::random::Random;
    use crate::rules::{Game, Rules};

    /// Counts steps and jumps one by one.
    fn counted(board: &Board, position: &Position) -> Mobility {
        let empty = position.empty(board);
        let mut mobility = Mobility::NONE;
        for from in points_of(position.tigers) {
            mobility.steps += (board.steps[from] & empty).count_ones();
            let lands = |&to: &usize| board.between(from, to) & position.goats != 0;
            mobility.captures += points_of(empty).filter(lands).count() as u32;
        }
        mobility
    }

    #[test]
    fn incremental_mobility_equals_recomputed_mobility() {
        for board in [&*AADU_PULI, &*BAGH_CHAL] {
            let game = Hunt::new(board);
            let mut random = Random::new(1);
            for _ in 0..200 {
                let mut position = game.start();
                while game.outcome(&position).is_none() && random.u32(..100) > 0 {
                    let state = MobilityState::new(board, &position);
                    assert_eq!(state.mobility(), counted(board, &position));
                    let mut moves = Vec::new();
                    game.moves(&position, &mut moves);
                    for &m in &moves {
                        let after = counted(board, &game.play(&position, m));
                        assert_eq!(state.after(m), after, "{position:?} {m:?}");
                        if position.tigers_to_move {
                            let after = game.play(&position, m);
                            let sets = |of: MobilityState<'_>| {
                                (of.empty, of.prey, of.hunting, of.guarded, of.steps)
                            };
                            let played = state.played(m, &after);
                            assert_eq!(sets(played), sets(MobilityState::new(board, &after)));
                        }
                    }
                    position = game.play(&position, moves[random.index(moves.len())]);
                }
            }
        }
    }
}
