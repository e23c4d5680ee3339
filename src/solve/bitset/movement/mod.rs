//! The movement phase: retrograde analysis of all positions without goats in hand, with one bit per position.
//!
//! A step finds the positions from which a move leads to a position of the previous ply. If the winner is to move,
//! they are won. If the loser is to move, they are candidates: lost unless a move leads out of the won positions. Few
//! positions are found per ply, so they are kept as sparse lists of words, and only these words are stepped back
//! (Thompson 1986).

mod analysis;

use self::analysis::{Analysis, move_memory};
use super::blocks::Blocks;
use super::layer::{self, Scope};
use super::ply_positions::SparsePositions;
use super::rank::Ranking;
use super::tiger_moves::TigerStep;
use super::wins::{PlyWins, Wins};
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
pub(crate) struct RetrogradeState {
    /// The progress.
    pub(crate) stage: Stage,
    /// Won positions, with the winner to move: all cubes in order, each block by block.
    pub won: Vec<Word512>,
    /// Lost positions, with the loser to move.
    pub lost: Vec<Word512>,
    /// The lost positions of the last ply, by tiger set.
    pub found: Vec<SparsePositions>,
}

/// An observer of the analysis. An error ends the analysis.
pub(crate) trait AnalysisObserver {
    /// Called with all positions of a ply.
    fn ply(&mut self, found: &PlyWins) -> Result<(), EngineError>;

    /// Called with each state from which the analysis can resume.
    fn stage(&mut self, retrograde: &RetrogradeState) -> Result<(), EngineError>;

    /// Called with all wins of one side.
    fn side(&mut self, wins: &Wins) -> Result<(), EngineError>;
}

/// Finds all wins of both sides, the tigers' first. Resumes from `initial` if given.
///
/// # Errors
/// If memory runs out or the observer fails.
pub(crate) fn find_wins(
    ranking: &Ranking,
    scope: &Scope,
    initial: Option<RetrogradeState>,
    observer: &mut dyn AnalysisObserver,
) -> Result<(), EngineError> {
    let analysis = Analysis::new(ranking, blocks(ranking, scope));
    let goats_are_next = initial
        .as_ref()
        .is_some_and(|retrograde| retrograde.stage.winner == Side::P1);
    let mut initial = initial;
    for winner in [Side::P2, Side::P1]
        .into_iter()
        .skip(usize::from(goats_are_next))
    {
        let retrograde = match initial.take() {
            Some(retrograde) => retrograde,
            None => analysis.first_wins(winner, observer)?,
        };
        let positions = analysis.find_wins_from(retrograde, observer)?;
        let blocks = analysis.blocks.clone();
        observer.side(&Wins {
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

/// Bytes of memory for small data.
const SMALL_DATA_BYTES: u64 = 64 << 20;

/// Returns the memory of the movement phase in bytes: won and lost positions as sets, the lists of two plies, two
/// whole bit cubes per thread, and all tiger moves; or later one byte cube per thread.
pub fn memory(ranking: &Ranking, scope: &Scope, threads: usize) -> u64 {
    let word = size_of::<Word512>() as u64;
    let listed = word + size_of::<u32>() as u64;
    let cube = blocks(ranking, scope).len() as u64;
    let bits = ranking.sets.len() as u64 * cube * 2 * (word + listed)
        + 2 * threads as u64 * (word << (ranking.dimensions - DIMENSIONS))
        + TigerStep::count(ranking) as u64 * move_memory(ranking.dimensions);
    let bytes = threads as u64 * word * layer::blocks(ranking, scope.on_board(0)).len() as u64;
    bits.max(bytes) + SMALL_DATA_BYTES
}

impl Analysis<'_> {
    fn empty_words(&self) -> Result<Vec<Word512>, EngineError> {
        layer::filled_words(Word512::NONE, self.blocks.len() * self.ranking.sets.len())
    }

    /// Returns the first wins of one side: in zero and one plies, and the losses in two.
    fn first_wins(
        &self,
        winner: Side,
        observer: &mut dyn AnalysisObserver,
    ) -> Result<RetrogradeState, EngineError> {
        let by_tigers = winner == Side::P2;
        let (won, mut lost) = (self.empty_words()?, self.empty_words()?);
        let mut found = self.extend(
            &mut lost,
            #[inline(always)]
            |set, _, scratch| self.collect_stuck(set, !by_tigers, scratch),
        );
        observer.ply(&PlyWins {
            winner,
            plies: 0,
            positions: &found,
        })?;
        if by_tigers {
            self.add_decided(&mut found);
        }
        let stage = Stage { winner, half: 0 };
        let mut retrograde = RetrogradeState {
            stage,
            won,
            lost,
            found,
        };
        self.step(&mut retrograde, observer)?;
        Ok(retrograde)
    }

    /// Finds the remaining wins of one side: with goats to move, and with tigers to move.
    fn find_wins_from(
        &self,
        mut retrograde: RetrogradeState,
        observer: &mut dyn AnalysisObserver,
    ) -> Result<[Vec<Word512>; 2], EngineError> {
        while !retrograde.found.iter().all(SparsePositions::is_empty) {
            observer.stage(&retrograde)?;
            retrograde.stage.half += 1;
            self.step(&mut retrograde, observer)?;
        }
        let RetrogradeState { won, lost, .. } = retrograde;
        Ok(if retrograde.stage.winner == Side::P2 {
            [lost, won]
        } else {
            [won, lost]
        })
    }

    /// Finds the wins of the next two plies from the losses of the ply before.
    fn step(
        &self,
        retrograde: &mut RetrogradeState,
        observer: &mut dyn AnalysisObserver,
    ) -> Result<(), EngineError> {
        let Stage { winner, half } = retrograde.stage;
        let by_tigers = winner == Side::P2;
        let mut report = |plies, positions: &[SparsePositions]| {
            observer.ply(&PlyWins {
                winner,
                plies,
                positions,
            })
        };
        let RetrogradeState {
            won, lost, found, ..
        } = retrograde;
        *found = self.extend(
            won,
            #[inline(always)]
            |set, _, scratch| self.collect_predecessors(set, by_tigers, found, scratch),
        );
        report(2 * half + 1, found)?;
        *found = self.extend(
            lost,
            #[inline(always)]
            |set, lost, scratch| {
                self.collect_predecessors(set, !by_tigers, found, scratch);
                self.remove_escapes(set, !by_tigers, won, lost, scratch);
            },
        );
        report(2 * half + 2, found)
    }
}
