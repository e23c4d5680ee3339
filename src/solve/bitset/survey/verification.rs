//! Verifies the file of a survey against the rules of the game.

use std::path::Path;
use std::time::Duration;

use super::checkpoint::Checkpointer;
use super::counter::Counter;
use super::{MovementSurvey, SurveyResult, SurveyState};
use crate::error::EngineError;
use crate::rules::{Game, Rules};
use crate::solve::bitset::drops;
use crate::solve::bitset::wins::Wins;
use crate::solve::bitset::word512::Word512;
use crate::value::Side;

/// The content of a valid file.
#[derive(Debug)]
pub enum VerifiedSurvey {
    /// The progress of a survey, with valid checksums.
    Unfinished,
    /// The result of a survey whose wins could not be written. The counts are possible.
    WithoutWins(SurveyResult),
    /// The result of a survey. The counts match the wins, and `u64` random positions are consistent.
    Whole(SurveyResult, u64),
}

impl MovementSurvey {
    /// Returns the memory of the wins of one side in bytes.
    pub(crate) fn wins_memory(&self) -> u64 {
        let words = self.ranking.sets.len() * self.blocks().len();
        2 * (words * size_of::<Word512>()) as u64
    }

    /// Verifies the file at `path`: its checksums, and the counts against the wins. Also compares the values of
    /// the start and of `checks` random positions per side, selected by `seed`, with the values after their moves.
    ///
    /// # Errors
    /// If the file is damaged, belongs to another game, or is not consistent.
    pub(crate) fn verify(
        &self,
        path: &Path,
        checks: u64,
        seed: u64,
    ) -> Result<VerifiedSurvey, EngineError> {
        let checkpointer = Checkpointer::new(path, Duration::MAX);
        let checkpoint = checkpointer.read(self)?;
        let checkpoint = checkpoint.ok_or_else(|| checkpointer.error("is missing or empty"))?;
        let has_wins = checkpoint.has_wins();
        if checkpoint.stage().is_some() {
            return Ok(VerifiedSurvey::Unfinished);
        }
        let state = checkpoint.survey_state;
        let result = self.result(state.clone())?;
        self.check_start(&state)
            .and_then(|()| {
                let mut verify_side = |wins: &Wins| self.verify_side(&state, wins, checks, seed);
                if has_wins {
                    checkpointer.visit_wins(self, &mut verify_side)
                } else {
                    Ok(())
                }
            })
            .map_err(|error| checkpointer.error(&format!("is inconsistent: {error}")))?;
        Ok(if has_wins {
            VerifiedSurvey::Whole(result, 2 * checks)
        } else {
            VerifiedSurvey::WithoutWins(result)
        })
    }

    /// Checks that the value of the start follows from the values after its moves.
    fn check_start(&self, state: &SurveyState) -> Result<(), EngineError> {
        let start = self.game.start();
        let mut probe = self.probe(state);
        let value = drops::value(&self.game, &start, &mut probe)?;
        if self.game.outcome(&start).is_some() {
            return Ok(());
        }
        let expected = drops::value_by_moves(&self.game, &start, &mut probe)?;
        if expected == value {
            return Ok(());
        }
        let show = |value: Option<_>| value.map_or("none".into(), |value| format!("{value}"));
        Err(EngineError::new(format!(
            "the start has value {}, expected {} by its moves",
            show(value),
            show(expected)
        )))
    }

    /// Checks the wins of one side.
    fn verify_side(
        &self,
        state: &SurveyState,
        wins: &Wins,
        checks: u64,
        seed: u64,
    ) -> Result<(), EngineError> {
        let counter = Counter::new(&self.ranking);
        let winner = usize::from(wins.winner == Side::P1);
        for (stats, tigers_to_move) in state.stats.iter().zip([false, true]) {
            let counts = counter.count_wins(wins, tigers_to_move)?;
            for layer_stats in stats {
                let stored = counts[layer_stats.on_board as usize];
                if stored != layer_stats.wins[winner] {
                    return Err(EngineError::new(format!(
                        "{} wins with {} prey are counted, but {stored} are stored",
                        layer_stats.wins[winner], layer_stats.on_board
                    )));
                }
            }
        }
        for (position, value) in self.requested.iter().zip(&state.values) {
            let (set, goats) = self.ranking.locate(position.tigers, position.goats);
            let is_stored = wins.contains(position.tigers_to_move, set, goats);
            if is_stored != (value.winner() == Some(wins.winner)) {
                return Err(EngineError::new(format!(
                    "the value of {position:?} differs from the stored wins"
                )));
            }
        }
        self.check(wins, checks, seed)
    }
}
