//! The movement phase: retrograde analysis of all positions without goats in hand, with one bit per position.
//!
//! A step finds the positions from which a move leads to a position of the previous ply. If the winner is to move,
//! they are won. If
//! the loser is to move, they are candidates: lost unless a move leads out of the won positions. Few positions are
//! found per ply, so
//! they are kept as sparse lists of words, and only these words are stepped back (Thompson 1986).

mod analysis;

use self::analysis::Analysis;
pub use self::analysis::move_memory;
use super::blocks::Blocks;
use super::layer::{self, Scope};
use super::ply_positions::SparsePositions;
use super::rank::Ranking;
use super::wins::{Found, Wins};
use super::word512::{DIMENSIONS, Word512};
use crate::error::EngineError;
use crate::value::Side;

/// The progress of the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The side whose wins are being found. The tigers' wins come first.
    pub winner: Side,
    /// Finished pairs of plies, minus one.
    pub half: u32,
}

/// The wins of one side found so far, and the start of the next step.
#[derive(Debug)]
pub struct RetrogradeState {
    /// The progress.
    pub stage: Stage,
    /// Won positions, with the winner to move: all cubes in order, each block by block.
    pub won: Vec<Word512>,
    /// Lost positions, with the loser to move.
    pub lost: Vec<Word512>,
    /// The lost positions of the last ply, by tiger set.
    pub found: Vec<SparsePositions>,
}

/// An observer of the analysis. An error ends the analysis.
pub trait AnalysisObserver {
    /// Called with all positions of a ply.
    fn ply(&mut self, found: &Found) -> Result<(), EngineError>;

    /// Called with each state from which the analysis can resume.
    fn stage(&mut self, wave: &RetrogradeState) -> Result<(), EngineError>;

    /// Called with all wins of one side.
    fn side(&mut self, wins: &Wins) -> Result<(), EngineError>;
}

/// Finds all wins of both sides, the tigers' first. Resumes from `initial` if given.
///
/// # Errors
/// If memory runs out or the observer fails.
pub fn find_wins(
    ranking: &Ranking,
    scope: &Scope,
    begun: Option<RetrogradeState>,
    audience: &mut dyn AnalysisObserver,
) -> Result<(), EngineError> {
    let analysis = Analysis::new(ranking, blocks(ranking, scope));
    let goats_are_next = begun
        .as_ref()
        .is_some_and(|wave| wave.stage.winner == Side::P1);
    let mut begun = begun;
    for winner in [Side::P2, Side::P1]
        .into_iter()
        .skip(usize::from(goats_are_next))
    {
        let wave = match begun.take() {
            Some(wave) => wave,
            None => analysis.begun(winner, audience)?,
        };
        let positions = analysis.find_wins_from(wave, audience)?;
        let blocks = analysis.blocks.clone();
        audience.side(&Wins {
            winner,
            positions,
            blocks,
        })?;
    }
    Ok(())
}

/// Returns the stored words of a cube of single bits.
pub fn blocks(ranking: &Ranking, scope: &Scope) -> Blocks {
    // One goat fewer is one capture more: a win of the tigers, from which the analysis starts.
    Blocks::new(ranking.dimensions, DIMENSIONS, scope.on_board(0), 1)
}

impl Analysis<'_> {
    fn nothing(&self) -> Result<Vec<Word512>, EngineError> {
        layer::words(Word512::NONE, self.blocks.len() * self.ranking.sets.len())
    }

    /// Returns the first wins of one side: in zero and one plies, and the losses in two.
    fn begun(
        &self,
        winner: Side,
        audience: &mut dyn AnalysisObserver,
    ) -> Result<RetrogradeState, EngineError> {
        let by_tigers = winner == Side::P2;
        let (won, mut lost) = (self.nothing()?, self.nothing()?);
        let mut found = self.extend(
            &mut lost,
            #[inline(always)]
            |set, _, bench| self.gather_stuck(set, !by_tigers, bench),
        );
        audience.ply(&Found {
            winner,
            plies: 0,
            positions: &found,
        })?;
        if by_tigers {
            self.add_decided(&mut found);
        }
        let stage = Stage { winner, half: 0 };
        let mut wave = RetrogradeState {
            stage,
            won,
            lost,
            found,
        };
        self.step(&mut wave, audience)?;
        Ok(wave)
    }

    /// Finds the remaining wins of one side: with goats to move, and with tigers to move.
    fn find_wins_from(
        &self,
        mut wave: RetrogradeState,
        audience: &mut dyn AnalysisObserver,
    ) -> Result<[Vec<Word512>; 2], EngineError> {
        while !wave.found.iter().all(SparsePositions::is_empty) {
            audience.stage(&wave)?;
            wave.stage.half += 1;
            self.step(&mut wave, audience)?;
        }
        let RetrogradeState { won, lost, .. } = wave;
        Ok(if wave.stage.winner == Side::P2 {
            [lost, won]
        } else {
            [won, lost]
        })
    }

    /// Finds the wins of the next two plies from the losses of the ply before.
    fn step(
        &self,
        wave: &mut RetrogradeState,
        audience: &mut dyn AnalysisObserver,
    ) -> Result<(), EngineError> {
        let Stage { winner, half } = wave.stage;
        let by_tigers = winner == Side::P2;
        let mut tell = |plies, positions: &[SparsePositions]| {
            audience.ply(&Found {
                winner,
                plies,
                positions,
            })
        };
        let RetrogradeState {
            won, lost, found, ..
        } = wave;
        *found = self.extend(
            won,
            #[inline(always)]
            |set, _, bench| self.gather_before(set, by_tigers, found, bench),
        );
        tell(2 * half + 1, found)?;
        *found = self.extend(
            lost,
            #[inline(always)]
            |set, lost, bench| {
                self.gather_before(set, !by_tigers, found, bench);
                self.drop_escapes(set, !by_tigers, won, lost, bench);
            },
        );
        tell(2 * half + 2, found)
    }
}
