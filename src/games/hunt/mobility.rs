//! The tigers' mobility, which is what the tutorial's evaluation counts, kept up to date move by move: what a search
//! spends most of its time on.

use super::board::{Board, Points, Triples};
use super::position::{Move, Position, points_of};
use crate::bits::iter_ones;

/// What the tigers can do, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mobility {
    /// Steps to empty points.
    pub steps: u32,
    /// Jumps over goats.
    pub captures: u32,
}

impl Mobility {
    /// Nowhere to go.
    pub const NONE: Self = Self {
        steps: 0,
        captures: 0,
    };
}

/// A position with what its mobility is made of.
///
/// Someone can be captured in a triple with a goat in the middle, one tiger at the ends and no goat there: of those with
/// one tiger at the ends, that is those with an even number of goats there. So a capture is a triple that is in the
/// first two sets and not in the third, and a move changes each of them by what belongs to two points.
#[derive(Clone, Copy, Debug)]
pub struct MobilityState<'a> {
    board: &'static Board,
    position: &'a Position,
    empty: Points,
    /// Triples with a goat in the middle.
    prey: Triples,
    /// Triples with one tiger at the ends.
    hunting: Triples,
    /// Triples with one goat at the ends.
    guarded: Triples,
    steps: u32,
}

impl<'a> MobilityState<'a> {
    /// The outlook of a position.
    #[inline(always)]
    pub fn new(board: &'static Board, position: &'a Position) -> Self {
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

    /// The outlook after a tiger's step or capture, which makes `after` of the position.
    #[inline(always)]
    pub fn played<'b>(&self, m: Move, after: &'b Position) -> MobilityState<'b> {
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

    /// The board that it is an outlook on.
    #[inline(always)]
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// What the tigers can do now.
    #[inline(always)]
    pub fn mobility(&self) -> Mobility {
        Mobility {
            steps: self.steps,
            captures: self.captures().count_ones(),
        }
    }

    /// The captures that the tigers have.
    #[inline(always)]
    pub fn captures(&self) -> Triples {
        self.prey & self.hunting & !self.guarded
    }

    /// The captures that the tigers would have over goats placed on these points, one at a time.
    #[inline(always)]
    pub fn captures_over(&self, placed: Points) -> Triples {
        self.board.middles.of(placed) & self.hunting & !self.guarded
    }

    /// Where the tiger on `from` can capture its way to.
    #[inline(always)]
    pub fn landings(&self, from: usize) -> Points {
        let captures = self.captures() & self.board.ends.at(from);
        landings(self.board, captures, self.position.tigers)
    }

    /// The tigers' moves, captures first.
    #[inline(always)]
    pub fn tiger_moves(&self) -> impl Iterator<Item = Move> {
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

    /// What the tigers can do after a goat is placed on an empty point.
    #[inline(always)]
    pub fn after_placement(&self, point: usize) -> Mobility {
        let board = self.board;
        let prey = self.prey ^ board.middles.at(point);
        let guarded = self.guarded ^ board.ends.at(point);
        Mobility {
            steps: self.steps - (board.steps[point] & self.position.tigers).count_ones(),
            captures: (prey & self.hunting & !guarded).count_ones(),
        }
    }

    /// What the tigers can do after a goat's step.
    #[inline(always)]
    pub fn after_goat_step(&self, from: usize, to: usize) -> Mobility {
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

    /// What the tigers can do after a tiger's step or capture.
    #[inline(always)]
    pub fn after_tiger_move(&self, from: usize, to: usize) -> Mobility {
        let steps = &self.board.steps;
        let captured = self.board.between(from, to);
        let empty = self.empty ^ (1 << from | 1 << to) | captured;
        // The other tigers gain the point that is left, and the one where a goat was; they lose the one that is taken.
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

    /// The captures that the tigers have after a tiger's step or capture.
    #[inline(always)]
    pub fn captures_after_tiger_move(&self, from: usize, to: usize) -> Triples {
        let (prey, guarded) = self.goats_after_tiger_move(from, to);
        prey & self.hunting_after_tiger_move(from, to) & !guarded
    }

    #[inline(always)]
    fn hunting_after_tiger_move(&self, from: usize, to: usize) -> Triples {
        self.hunting ^ self.board.ends.at(from) ^ self.board.ends.at(to)
    }

    /// The triples with a goat in the middle, and those with one at the ends, after a tiger's step or capture.
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

    /// What the tigers can do after a legal move.
    #[inline(always)]
    pub fn after(&self, m: Move) -> Mobility {
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

/// The captures that the tigers of a position have, whoever is to move.
#[inline(always)]
pub fn captures(board: &Board, position: &Position) -> Triples {
    let prey = board.middles.of(position.goats) & board.ends.of(position.tigers);
    prey & !board.ends.of(position.goats)
}

/// Where the tigers land by these captures of theirs.
#[inline(always)]
pub fn landings(board: &Board, captures: Triples, tigers: Points) -> Points {
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

    /// The tigers' mobility by its definition: step by step and jump by jump.
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
    fn what_a_move_will_change_is_what_it_changes() {
        for board in [&*AADU_PULI, &*BAGH_CHAL] {
            let game = Hunt::new(board);
            let mut random = Random::new(1);
            for _ in 0..200 {
                let mut position = game.start();
                while game.outcome(&position).is_none() && random.u32(..100) > 0 {
                    let outlook = MobilityState::new(board, &position);
                    assert_eq!(outlook.mobility(), counted(board, &position));
                    let mut moves = Vec::new();
                    game.moves(&position, &mut moves);
                    for &m in &moves {
                        let after = counted(board, &game.play(&position, m));
                        assert_eq!(outlook.after(m), after, "{position:?} {m:?}");
                        if position.tigers_to_move {
                            let after = game.play(&position, m);
                            let sets = |of: MobilityState<'_>| {
                                (of.empty, of.prey, of.hunting, of.guarded, of.steps)
                            };
                            let played = outlook.played(m, &after);
                            assert_eq!(sets(played), sets(MobilityState::new(board, &after)));
                        }
                    }
                    position = game.play(&position, moves[random.index(moves.len())]);
                }
            }
        }
    }
}
