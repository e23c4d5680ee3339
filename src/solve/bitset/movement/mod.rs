//! The movement phase: retrograde analysis of all positions with no goat in hand, one ply of distance after another,
//! on sets of positions held as single bits.
//!
//! A step backwards finds the positions from which a move leads to one found in the ply before. Where the winner is to
//! move, those are won; where the loser is, they are candidates, lost unless another move leads out of the won ones.
//! The positions found in one ply are few, so they are kept as lists of words, and only those words are stepped back.

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

/// How far the analysis has come: all wins of the side before this one, and of this one those up to some ply, counted in
/// pairs of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Whose wins are being found. The tigers' come first.
    pub winner: Side,
    /// Pairs of plies that are finished, less one.
    pub half: u32,
}

/// One side's wins as far as they are found, and where the next step backwards begins.
#[derive(Debug)]
pub struct RetrogradeState {
    /// How far they are.
    pub stage: Stage,
    /// The positions won, in which the winner is to move, and those lost, in which the loser is: cube by cube, block by block.
    pub won: Vec<Word512>,
    /// See `won`.
    pub lost: Vec<Word512>,
    /// Those lost in the last ply, by sets of tigers.
    pub found: Vec<SparsePositions>,
}

/// Who hears of the analysis. An error of any of them ends it.
pub trait AnalysisObserver {
    /// All that was found in a ply.
    fn ply(&mut self, found: &Found) -> Result<(), EngineError>;

    /// A stage from which the analysis can be taken up.
    fn stage(&mut self, wave: &RetrogradeState) -> Result<(), EngineError>;

    /// All wins of one side.
    fn side(&mut self, wins: &Wins) -> Result<(), EngineError>;
}

/// Finds all wins of both sides, the tigers' first, or those that another analysis had not found when it stopped with `begun`.
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

/// Which words of a cube of single bits are kept.
pub fn blocks(ranking: &Ranking, scope: &Scope) -> Blocks {
    // One goat fewer is one capture more: a win of the tigers, where the analysis begins.
    Blocks::new(ranking.dimensions, DIMENSIONS, scope.on_board(0), 1)
}

impl Analysis<'_> {
    fn nothing(&self) -> Result<Vec<Word512>, EngineError> {
        layer::words(Word512::NONE, self.blocks.len() * self.ranking.sets.len())
    }

    /// The first wins of one side: those in no ply and in one, and the losses in two.
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

    /// Finds what is left of one side's wins: goats to move, tigers to move.
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

    /// Finds the wins of the two plies that the stage names, from the losses of the ply before.
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
