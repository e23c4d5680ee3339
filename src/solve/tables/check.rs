//! Verifies the values of a layer by its moves: the value of a position must be the best of the values after its moves.
//!
//! The check plays the moves by the rules of the game, independently of the solver. It covers all positions of a layer
//! or a random sample.

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
use crate::solve::bitset::layer::{Layer, TableGame};
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::placement;
use crate::solve::bitset::rank::Ranking;

/// Verifies the layers of one game.
#[derive(Debug)]
pub struct Check {
    /// The numbering of the board's positions.
    pub ranking: Ranking,
    table_game: TableGame,
    game: Hunt,
    /// Maximum number of positions to check per layer.
    positions: u64,
    /// Seed of the random sample.
    seed: u64,
}

/// The source of the values of a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values<'a> {
    /// The layer is in memory.
    Stored(&'a Layer),
    /// The layer has no file (goats to move, some in hand). Its values are computed from this layer, which contains
    /// the positions after a placement: tigers to move and one goat fewer in hand.
    BeforePlacement(&'a Layer),
    /// The layer is too large for memory, so each value is probed in its file.
    Probed(&'a Tables),
}

/// A position whose value is not the best of the values after its moves.
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
            "{position:?} has value '{stored}' in the table, expected '{expected}'"
        )
    }
}

impl Check {
    /// Creates a check of at most `positions` positions per layer.
    pub fn new(table_game: TableGame, positions: u64, seed: u64) -> Self {
        let board: &'static Board = if table_game.goats == table_game.board.goats {
            table_game.board
        } else {
            // A game with fewer goats has a separate board, which is allocated once and never freed.
            table_game.board.with_goats(table_game.goats)
        };
        Self {
            ranking: Ranking::new(board),
            table_game,
            game: Hunt::new(board),
            positions,
            seed,
        }
    }

    /// Returns the number of positions to check in a layer: the size of the sample, or the number of all positions if
    /// smaller.
    pub(crate) fn sample_size(&self, layer_id: &LayerId) -> u64 {
        self.positions.min(self.count_positions(layer_id))
    }

    /// Returns the number of positions in a layer. Positions with symmetric tiger sets count once.
    fn count_positions(&self, layer_id: &LayerId) -> u64 {
        let sets = self.ranking.sets_by_used_digits().into_iter();
        let positions = sets.map(|(used_digits, sets)| {
            let by_goats = self
                .reachable_goats(layer_id)
                .map(|goats| choose(used_digits, goats));
            sets.canonical * by_goats.sum::<u64>()
        });
        positions.sum()
    }

    /// Returns the numbers of goats on the board that occur in a layer.
    fn reachable_goats(&self, layer_id: &LayerId) -> RangeInclusive<u32> {
        self.table_game
            .reachable_goats(layer_id.hand, layer_id.tigers_to_move)
    }

    /// Checks the `values` of a layer against `after`, the values of the positions after a move. Returns the first
    /// mismatch, or `None` if all checked values are right.
    ///
    /// A sample has equally many positions for each tiger set, up to rounding. Tiger sets are checked one at a
    /// time, so that consecutive probes read nearby parts of the file.
    ///
    /// # Errors
    /// If a probe fails.
    pub(crate) fn find_mismatch(
        &self,
        layer_id: &LayerId,
        values: Values,
        after: Values,
    ) -> Result<Option<ValueMismatch>, EngineError> {
        let tiger_sets = self.ranking.sets.len() as u64;
        let checks_all = self.count_positions(layer_id) <= self.positions;
        let mismatch = (0..tiger_sets).into_par_iter().find_map_first(|tiger_set| {
            let mut moves = Vec::new();
            let used_digits = self.ranking.sets[tiger_set as usize].used_digits();
            let mut check_at = |goat_set| {
                let position = self.position(layer_id, tiger_set as usize, goat_set);
                let mismatch =
                    self.stored_verdict(values, (&position, tiger_set as usize, goat_set));
                let mismatch = mismatch.and_then(|stored| {
                    let expected = self.verdict_by_moves(&position, after, &mut moves)?;
                    Ok((stored != expected).then_some(ValueMismatch {
                        position,
                        stored,
                        expected,
                    }))
                });
                mismatch.transpose()
            };
            if checks_all {
                let mut numbers = self
                    .reachable_goats(layer_id)
                    .flat_map(|goats| combinations(used_digits, goats));
                return numbers.find_map(|goat_set| check_at(goat_set as u32));
            }
            let layer = u64::from(layer_id.hand) << 1 | u64::from(layer_id.tigers_to_move);
            let mut random = Random::stream(self.seed, tiger_set << 8 | layer);
            let samples = self.positions * (tiger_set + 1) / tiger_sets
                - self.positions * tiger_set / tiger_sets;
            (0..samples).find_map(|_| {
                check_at(random_goats(
                    used_digits,
                    self.reachable_goats(layer_id),
                    &mut random,
                ))
            })
        });
        mismatch.transpose()
    }

    /// Returns the verdict in `values` on a position, given by the indices of its tiger set and goat set.
    fn stored_verdict(
        &self,
        values: Values,
        (position, tiger_set, goat_set): (&Position, usize, u32),
    ) -> Result<Verdict, EngineError> {
        let tigers_to_move = position.tigers_to_move;
        let layer = match values {
            Values::Stored(layer) | Values::BeforePlacement(layer) => layer,
            Values::Probed(tables) => {
                let hand = u32::from(position.hand);
                let verdict = tables.verdict(hand, tigers_to_move, tiger_set, goat_set)?;
                return verdict.ok_or_else(|| EngineError::new("the file of a layer is missing"));
            }
        };
        let encoding = layer.encoding;
        let value = |goat_set| layer.value(tiger_set, goat_set).unwrap_or_default();
        let byte = if let Values::Stored(_) = values {
            value(goat_set)
        } else {
            let value = |goat_set| Ok::<_, Infallible>(value(goat_set));
            let Ok(byte) =
                placement::value_before(encoding, self.ranking.dimensions, goat_set, value);
            byte
        };
        Ok(encoding.verdict(byte, tigers_to_move))
    }

    /// Returns the position of a layer with these indices.
    fn position(&self, layer_id: &LayerId, tiger_set: usize, goat_set: u32) -> Position {
        let tiger_set = &self.ranking.sets[tiger_set];
        Position {
            tigers: tiger_set.tigers,
            goats: tiger_set.goats(goat_set),
            hand: layer_id.hand as u8,
            tigers_to_move: layer_id.tigers_to_move,
            ..Position::default()
        }
    }

    /// Computes the verdict on a position from the verdicts after its moves: the shortest win, otherwise a draw,
    /// otherwise the longest loss. `moves` is scratch space.
    fn verdict_by_moves(
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
        let mut best: Option<Verdict> = None;
        for &m in &*moves {
            let next = self.game.play(position, m);
            let verdict = if let Some(outcome) = self.game.outcome(&next) {
                Verdict::terminal(outcome)
            } else {
                let (tiger_set, goat_set) = self.ranking.locate(next.tigers, next.goats);
                self.stored_verdict(after, (&next, tiger_set, goat_set))?
            };
            let before_move = verdict.one_ply_earlier();
            if best.is_none_or(|best| before_move.rank(side) > best.rank(side)) {
                best = Some(before_move);
            }
        }
        Ok(best.unwrap_or(Verdict::Draw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::board::AADU_PULI;
    use crate::solve::bitset::verdict::VerdictEncoding;
    use crate::solve::tables::reference_solver::movement_layers;

    #[test]
    fn finds_a_wrong_value_before_and_after_a_move() {
        let (board, goats) = (&*AADU_PULI, 1);
        let table_game = TableGame { board, goats };
        let check = Check::new(table_game, 50_000, 1);
        let layer_id = |hand, tigers_to_move| LayerId {
            table_game,
            hand,
            tigers_to_move,
        };
        let folder = tempfile::tempdir().unwrap();
        let [goats, mut tigers] = movement_layers(&check.ranking, &table_game, folder.path());
        let (tables, _) = Tables::open(folder.path(), check.ranking.board).unwrap();
        let probed = Values::Probed(&tables);
        let check_at = |layer_id, values: Values<'_>, after: Values<'_>| {
            check
                .find_mismatch(&layer_id, values, after)
                .unwrap()
                .is_some()
        };
        for is_wrong in [false, true] {
            if is_wrong {
                // Make one value wrong: a draw for one tiger set with a goat on the point of the first digit.
                let tiger_set = check.ranking.sets.len() / 2;
                let cube = tiger_set * tigers.blocks.len();
                assert_ne!(
                    tigers.value(tiger_set, 1),
                    Some(VerdictEncoding::EVEN.draw())
                );
                tigers.words[cube].bytes_mut()[1] = VerdictEncoding::EVEN.draw();
            }
            let (goats, tigers) = (Values::Stored(&goats), Values::Stored(&tigers));
            assert_eq!(check_at(layer_id(0, true), tigers, goats), is_wrong);
            assert_eq!(check_at(layer_id(0, false), goats, tigers), is_wrong);
            assert_eq!(check_at(layer_id(0, true), tigers, probed), is_wrong);
            assert!(!check_at(layer_id(0, true), probed, probed));
            assert!(!check_at(layer_id(0, false), probed, probed));
        }
        // With a goat to place, the checked value and the expected value both come from the layer `tigers`, so its
        // wrong value is not detected.
        let after = Values::Stored(&tigers);
        assert!(!check_at(
            layer_id(1, false),
            Values::BeforePlacement(&tigers),
            after
        ));
        let all_draws = Layer::new(
            &check.ranking,
            table_game.on_board(1),
            VerdictEncoding::EVEN,
        )
        .unwrap();
        assert!(check_at(
            layer_id(1, false),
            Values::Stored(&all_draws),
            after
        ));
        // For every tiger set, the layer has 20 positions: a goat on each of the 20 points without a tiger.
        let all = check.ranking.sets.len() as u64 * 20;
        assert_eq!(check.sample_size(&layer_id(0, true)), all);
        let sampling = Check::new(table_game, 1_000, 1);
        assert_eq!(sampling.sample_size(&layer_id(0, true)), 1_000);
        let all_draws = Layer::new(
            &check.ranking,
            table_game.on_board(0),
            VerdictEncoding::EVEN,
        )
        .unwrap();
        let mismatch =
            sampling.find_mismatch(&layer_id(0, true), Values::Stored(&all_draws), after);
        assert!(mismatch.unwrap().is_some());
    }
}
