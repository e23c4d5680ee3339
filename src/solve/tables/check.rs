//! Verifies layers: on a sample of positions, each value must follow from those of the successors by the rules of the
//! game.

use std::convert::Infallible;
use std::fmt;
use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::probe::Tables;
use crate::bits::combinations;
use crate::error::EngineError;
use crate::games::hunt::{Board, Hunt, Move, Position};
use crate::oracle::Verdict;
use crate::random::Random;
use crate::rules::{Game, Rules};
use crate::solve::bitset::blocks::{choose, random_goats};
use crate::solve::bitset::layer::{Layer, Scope};
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::placement;
use crate::solve::bitset::rank::Ranking;

/// Verifies the layers of one game.
#[derive(Debug)]
pub struct Check {
    /// The numbering of positions.
    pub ranking: Ranking,
    scope: Scope,
    game: Hunt,
    /// Maximum positions to check per layer.
    positions: u64,
    /// Seed of the random sample.
    seed: u64,
}

/// The source of a layer's values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values<'a> {
    /// The values of the layer itself.
    Stored(&'a Layer),
    /// The layer with tigers to move and one goat fewer in hand, from which values with goats to place follow.
    BeforePlacement(&'a Layer),
    /// The layer is too large for memory: its file is probed.
    Probed(&'a Tables),
}

/// A value that does not follow from those of the successors.
#[derive(Debug)]
pub(crate) struct ValueMismatch {
    position: Position,
    stored: Verdict,
    expected: Verdict,
}

impl fmt::Display for ValueMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            position,
            stored,
            expected,
        } = self;
        write!(
            f,
            "{position:?} should be '{expected}', and the table says '{stored}'"
        )
    }
}

impl Check {
    /// Creates a check of at most `positions` positions per layer.
    pub fn new(scope: Scope, positions: u64, seed: u64) -> Self {
        let board: &'static Board = if scope.goats == scope.board.goats {
            scope.board
        } else {
            // A game with fewer goats is another board, allocated for the life of the process.
            scope.board.with_goats(scope.goats)
        };
        Self {
            ranking: Ranking::new(board),
            scope,
            game: Hunt::new(board),
            positions,
            seed,
        }
    }

    /// Returns the number of positions to check in a layer: a sample, or all if there are no more.
    pub(crate) fn sample_size(&self, layer_id: &LayerId) -> u64 {
        self.positions.min(self.positions_of(layer_id))
    }

    fn positions_of(&self, layer_id: &LayerId) -> u64 {
        let goat_sets: u64 = self
            .reachable_goats(layer_id)
            .map(|goats| choose(self.ranking.dimensions, goats))
            .sum();
        self.ranking.sets.len() as u64 * goat_sets
    }

    /// Returns the possible numbers of goats on the board in a layer.
    fn reachable_goats(&self, layer_id: &LayerId) -> RangeInclusive<u32> {
        self.scope
            .reachable_goats(layer_id.hand, layer_id.tigers_to_move)
    }

    /// Returns the first value of a layer that does not follow from the values in `after`. A sample is spread evenly
    /// over the tiger sets in order, so that probes are close together.
    pub(crate) fn find_mismatch(
        &self,
        layer_id: &LayerId,
        values: Values,
        after: Values,
    ) -> Result<Option<ValueMismatch>, EngineError> {
        let sets = self.ranking.sets.len() as u64;
        let dimensions = self.ranking.dimensions;
        let is_full = self.positions_of(layer_id) <= self.positions;
        let found = (0..sets).into_par_iter().find_map_first(|set| {
            let mut moves = Vec::new();
            let mut check_position = |number| {
                let position = self.position(layer_id, set as usize, number);
                let mismatch = self.look_up(values, (&position, set as usize, number));
                let mismatch = mismatch.and_then(|stored| {
                    let expected = self.value_by_moves(&position, after, &mut moves)?;
                    Ok((stored != expected).then_some(ValueMismatch {
                        position,
                        stored,
                        expected,
                    }))
                });
                mismatch.transpose()
            };
            if is_full {
                let mut numbers = self
                    .reachable_goats(layer_id)
                    .flat_map(|goats| combinations(dimensions, goats));
                return numbers.find_map(|number| check_position(number as u32));
            }
            let layer = u64::from(layer_id.hand) << 1 | u64::from(layer_id.tigers_to_move);
            let mut random = Random::part(self.seed, set << 8 | layer);
            let share = self.positions * (set + 1) / sets - self.positions * set / sets;
            (0..share).find_map(|_| {
                check_position(random_goats(
                    dimensions,
                    self.reachable_goats(layer_id),
                    &mut random,
                ))
            })
        });
        found.transpose()
    }

    /// Returns the verdict on a position with known indices.
    fn look_up(
        &self,
        values: Values,
        (position, set, number): (&Position, usize, u32),
    ) -> Result<Verdict, EngineError> {
        let tigers_to_move = position.tigers_to_move;
        let layer = match values {
            Values::Stored(layer) | Values::BeforePlacement(layer) => layer,
            Values::Probed(tables) => {
                let hand = u32::from(position.hand);
                let verdict = tables.verdict(hand, tigers_to_move, set, number)?;
                return verdict.ok_or_else(|| EngineError::new("a layer is not there any more"));
            }
        };
        let scale = layer.scale;
        let value = |number| layer.value(set, number).unwrap_or_default();
        let byte = if let Values::Stored(_) = values {
            value(number)
        } else {
            let value = |number| Ok::<_, Infallible>(value(number));
            let Ok(byte) = placement::value_before(scale, self.ranking.dimensions, number, value);
            byte
        };
        Ok(scale.verdict(byte, tigers_to_move))
    }

    fn position(&self, layer_id: &LayerId, set: usize, number: u32) -> Position {
        let set = &self.ranking.sets[set];
        Position {
            tigers_hand: 0,
            tigers: set.tigers,
            goats: set.goats(number),
            hand: layer_id.hand as u8,
            tigers_to_move: layer_id.tigers_to_move,
        }
    }

    /// Returns the verdict on a position by its moves: the shortest win, else a draw, else the longest loss.
    fn value_by_moves(
        &self,
        position: &Position,
        after: Values,
        moves: &mut Vec<Move>,
    ) -> Result<Verdict, EngineError> {
        if let Some(outcome) = self.game.outcome(position) {
            return Ok(Verdict::terminal(outcome));
        }
        let side = self.game.side(position);
        moves.clear();
        self.game.moves(position, moves);
        let sort_key = |verdict: &Verdict| match verdict.0 {
            Some((winner, plies)) if winner == side => (1, -i64::from(plies)),
            Some((_, plies)) => (-1, i64::from(plies)),
            None => (0, 0),
        };
        let mut best: Option<Verdict> = None;
        for &m in &*moves {
            let next = self.game.play(position, m);
            let verdict = if let Some(outcome) = self.game.outcome(&next) {
                Verdict::terminal(outcome)
            } else {
                let (set, number) = self.ranking.locate(next.tigers, next.goats);
                self.look_up(after, (&next, set, number))?
            };
            let here = verdict.one_ply_earlier();
            if best.is_none_or(|best| sort_key(&here) > sort_key(&best)) {
                best = Some(here);
            }
        }
        Ok(best.unwrap_or(Verdict::DRAW))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::board::AADU_PULI;
    use crate::solve::bitset::verdict::VerdictScale;
    use crate::solve::tables::reference_solver::movement_layers;

    #[test]
    fn finds_a_wrong_value_before_and_after_a_move() {
        let (board, goats) = (&*AADU_PULI, 1);
        let scope = Scope { board, goats };
        let check = Check::new(scope, 50_000, 1);
        let layer_id = |hand, tigers_to_move| LayerId {
            scope,
            hand,
            tigers_to_move,
        };
        let folder = tempfile::tempdir().unwrap();
        let [goats, mut tigers] = movement_layers(&check.ranking, &scope, folder.path());
        let (tables, _) = Tables::open(folder.path(), check.ranking.board).unwrap();
        let files = Values::Probed(&tables);
        let check_position = |layer_id, values: Values<'_>, after: Values<'_>| {
            check
                .find_mismatch(&layer_id, values, after)
                .unwrap()
                .is_some()
        };
        for is_wrong in [false, true] {
            if is_wrong {
                // In one tiger set, a goat on the first point is wrongly a draw.
                let set = check.ranking.sets.len() / 2;
                let cube = set * tigers.blocks.len();
                assert_ne!(tigers.value(set, 1), Some(VerdictScale::EVEN.draw()));
                tigers.words[cube].bytes_mut()[1] = VerdictScale::EVEN.draw();
            }
            let (goats, tigers) = (Values::Stored(&goats), Values::Stored(&tigers));
            assert_eq!(check_position(layer_id(0, true), tigers, goats), is_wrong);
            assert_eq!(check_position(layer_id(0, false), goats, tigers), is_wrong);
            assert_eq!(check_position(layer_id(0, true), tigers, files), is_wrong);
            assert!(!check_position(layer_id(0, true), files, files));
            assert!(!check_position(layer_id(0, false), files, files));
        }
        // With a goat to place, the values follow from the layer by the same moves, wrong or not.
        let after = Values::Stored(&tigers);
        assert!(!check_position(
            layer_id(1, false),
            Values::BeforePlacement(&tigers),
            after
        ));
        let none = Layer::new(&check.ranking, scope.on_board(1), VerdictScale::EVEN).unwrap();
        assert!(check_position(
            layer_id(1, false),
            Values::Stored(&none),
            after
        ));
        // One goat on each of 20 points for every tiger set: a full check covers all, the other check a sample.
        let all = check.ranking.sets.len() as u64 * 20;
        assert_eq!(check.sample_size(&layer_id(0, true)), all);
        let sampling = Check::new(scope, 1_000, 1);
        assert_eq!(sampling.sample_size(&layer_id(0, true)), 1_000);
        let none = Layer::new(&check.ranking, scope.on_board(0), VerdictScale::EVEN).unwrap();
        let found = sampling.find_mismatch(&layer_id(0, true), Values::Stored(&none), after);
        assert!(found.unwrap().is_some());
    }
}
