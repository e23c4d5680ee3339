//! The tigers' mobility, the main term of the reference evaluation, and its incremental update.
//!
//! Mobility is the number of steps and the number of captures of the tigers. [`MobilityState`] computes it for a
//! position and, without playing the move, for the position after a move. Searches with the reference evaluation
//! spend most of their time here.

use super::board::{Board, Points, Triples};
use super::position::{Move, Position, points_of};
use crate::bits::iter_ones;

/// Numbers of the tigers' moves, whichever side is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mobility {
    /// Steps to adjacent empty points.
    pub(crate) steps: u32,
    /// Jumps over goats.
    pub(crate) captures: u32,
}

impl Mobility {
    /// The mobility of tigers that cannot move.
    pub(crate) const NONE: Self = Self {
        steps: 0,
        captures: 0,
    };
}

/// A position with three sets of triples, from which the tigers' captures are computed.
///
/// A triple is three consecutive points of a line. A tiger can capture in a triple if it is on one end, a goat is in
/// the middle and the other end is empty. So the captures are the triples in `goat_in_middle` and `one_tiger_at_ends`
/// but not in `one_goat_at_ends`.
///
/// Each set of triples is an XOR over the points of the pieces, so two equal pieces at both ends of a triple cancel
/// out. When a piece moves, only the triples of its origin and its target change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MobilityState<'a> {
    board: &'static Board,
    position: &'a Position,
    empty: Points,
    /// Triples with a goat in the middle.
    goat_in_middle: Triples,
    /// Triples with exactly one tiger at the ends.
    one_tiger_at_ends: Triples,
    /// Triples with exactly one goat at the ends.
    one_goat_at_ends: Triples,
    /// Number of the tigers' steps.
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
            goat_in_middle: board.middles.of(position.goats),
            one_tiger_at_ends: board.ends.of(position.tigers),
            one_goat_at_ends: board.ends.of(position.goats),
            steps: steps(board, position.tigers, empty),
        }
    }

    /// Returns the state after a tiger's step or capture `m`, which leads to position `after`.
    #[inline(always)]
    pub(crate) fn played<'b>(&self, m: Move, after: &'b Position) -> MobilityState<'b> {
        let board = self.board;
        let (from, to) = (m.from(), m.to());
        let (goat_in_middle, one_goat_at_ends) = self.goat_sets_after_tiger_move(from, to);
        let empty = after.empty(board);
        MobilityState {
            board,
            position: after,
            empty,
            goat_in_middle,
            one_tiger_at_ends: self.tiger_set_after_tiger_move(from, to),
            one_goat_at_ends,
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
        self.goat_in_middle & self.one_tiger_at_ends & !self.one_goat_at_ends
    }

    /// Returns the triples in which a tiger could capture a goat placed on one of the points `placed`.
    #[inline(always)]
    pub(crate) fn captures_over(&self, placed: Points) -> Triples {
        self.board.middles.of(placed) & self.one_tiger_at_ends & !self.one_goat_at_ends
    }

    /// Returns the points where the tiger on `from` can land after a capture.
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
        let goat_in_middle = self.goat_in_middle ^ board.middles.at(point);
        let one_goat_at_ends = self.one_goat_at_ends ^ board.ends.at(point);
        Mobility {
            steps: self.steps - (board.steps[point] & self.position.tigers).count_ones(),
            captures: (goat_in_middle & self.one_tiger_at_ends & !one_goat_at_ends).count_ones(),
        }
    }

    /// Returns the mobility after a goat's step.
    #[inline(always)]
    pub(crate) fn after_goat_step(&self, from: usize, to: usize) -> Mobility {
        let board = self.board;
        let goat_in_middle = self.goat_in_middle ^ board.middles.at(from) ^ board.middles.at(to);
        let one_goat_at_ends = self.one_goat_at_ends ^ board.ends.at(from) ^ board.ends.at(to);
        let tigers = self.position.tigers;
        Mobility {
            steps: self.steps + (board.steps[from] & tigers).count_ones()
                - (board.steps[to] & tigers).count_ones(),
            captures: (goat_in_middle & self.one_tiger_at_ends & !one_goat_at_ends).count_ones(),
        }
    }

    /// Returns the mobility after a tiger's step or capture.
    #[inline(always)]
    pub(crate) fn after_tiger_move(&self, from: usize, to: usize) -> Mobility {
        let steps = &self.board.steps;
        let captured = self.board.between(from, to);
        let empty = self.empty ^ (1 << from | 1 << to) | captured;
        // After the move, the other tigers can step to `from` and to the captured goat's point, but not to
        // `to`.
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
        let (goat_in_middle, one_goat_at_ends) = self.goat_sets_after_tiger_move(from, to);
        goat_in_middle & self.tiger_set_after_tiger_move(from, to) & !one_goat_at_ends
    }

    #[inline(always)]
    fn tiger_set_after_tiger_move(&self, from: usize, to: usize) -> Triples {
        self.one_tiger_at_ends ^ self.board.ends.at(from) ^ self.board.ends.at(to)
    }

    /// Returns `goat_in_middle` and `one_goat_at_ends` after a tiger's step or capture.
    #[inline(always)]
    fn goat_sets_after_tiger_move(&self, from: usize, to: usize) -> (Triples, Triples) {
        let board = self.board;
        let captured = board.between(from, to);
        if captured == 0 {
            return (self.goat_in_middle, self.one_goat_at_ends);
        }
        let point = captured.trailing_zeros() as usize;
        (
            self.goat_in_middle ^ board.middles.at(point),
            self.one_goat_at_ends ^ board.ends.at(point),
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
    let candidates = board.middles.of(position.goats) & board.ends.of(position.tigers);
    candidates & !board.ends.of(position.goats)
}

/// Returns the points where the tigers land after the given captures.
#[inline(always)]
pub(crate) fn landings(board: &Board, captures: Triples, tigers: Points) -> Points {
    iter_ones(captures).fold(0, |landings, triple| {
        let (_, to) = board.triples[triple].jump(tigers);
        landings | 1 << to
    })
}

/// Returns the number of the tigers' steps.
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

    /// Computes the mobility by its definition, step by step and jump by jump.
    fn count_mobility(board: &Board, position: &Position) -> Mobility {
        let empty = position.empty(board);
        let mut mobility = Mobility::NONE;
        for from in points_of(position.tigers) {
            mobility.steps += (board.steps[from] & empty).count_ones();
            let is_jump_target = |&to: &usize| board.between(from, to) & position.goats != 0;
            mobility.captures += points_of(empty).filter(is_jump_target).count() as u32;
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
                    assert_eq!(state.mobility(), count_mobility(board, &position));
                    let mut moves = Vec::new();
                    game.moves(&position, &mut moves);
                    for &m in &moves {
                        let after = count_mobility(board, &game.play(&position, m));
                        assert_eq!(state.after(m), after, "{position:?} {m:?}");
                        if position.tigers_to_move {
                            let after = game.play(&position, m);
                            let sets = |of: MobilityState<'_>| {
                                (
                                    of.empty,
                                    of.goat_in_middle,
                                    of.one_tiger_at_ends,
                                    of.one_goat_at_ends,
                                    of.steps,
                                )
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
