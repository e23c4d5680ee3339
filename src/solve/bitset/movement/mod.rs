//! Retrograde analysis of the movement phase (all positions without goats in hand), with one bit per position.
//!
//! The analysis finds all wins of the tigers, then all wins of the goats. For one winner, it starts from the wins in 0
//! plies: the positions in which the other side, the *loser*, has already lost. Then it alternates two kinds of steps
//! (Thompson 1986). Each step finds the wins that take one ply more, from the *frontier*, the positions found in the
//! previous step:
//!
//! - Step with the winner to move: a position is won if a move leads to the frontier.
//! - Step with the loser to move: a position with a move to the frontier is a *candidate*. It is lost unless another
//!   move *escapes*, that is, leads to a position not known to be won.
//!
//! The frontier has few positions, so it is kept as sparse lists of words. Only the positions won with the winner to move
//! are kept in full: a candidate has a move to a position that was not won before, so it was not lost before.
//!
//! If a tiger may leap several times in a turn, `chains` finds the positions after a leap that the turn wins or loses.

mod analysis;
mod chains;
mod escapes;

use self::analysis::{AfterMove, Analysis, move_memory};
use super::blocks::Blocks;
use super::layer::{self, TableGame};
use super::position_list::{ListStorage, PositionList};
use super::rank::Ranking;
use super::tiger_moves::TigerStep;
use super::wins::PlyWins;
use super::word512::{DIMENSIONS, Word512};
use crate::error::EngineError;
use crate::processor;
use crate::value::Side;

/// The progress of the analysis for one winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The side whose wins are being found.
    pub winner: Side,
    /// All wins in at most `2 * half + 2` plies have been found.
    pub half: u32,
}

/// The wins of one side found so far, and the start positions of the next step.
#[derive(Debug)]
pub(crate) struct RetrogradeState {
    /// The progress.
    pub(crate) stage: Stage,
    /// The positions found with the winner to move: the cubes of all tiger sets in order, and for each cube one word
    /// for each stored block.
    pub won: Vec<Word512>,
    /// The positions after a leap that decide the game, stored like `won` (see `chains`). Empty for games in which
    /// a tiger leaps once a turn.
    pub in_chain: Vec<Word512>,
    /// The positions found in the last step, indexed by tiger set. The loser is to move.
    pub frontier: Vec<PositionList>,
}

/// The progress of the whole analysis. `S` is a [`Stage`] or a [`RetrogradeState`] of a side whose wins are not all
/// found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Progress<S> {
    /// Before the first wins of this side. For the goats, all wins of the tigers have been found.
    Next(Side),
    /// Between two pairs of steps, at a state reported to [`AnalysisObserver::stage`].
    Stage(S),
    /// All wins of both sides have been found.
    Finished,
}

/// An observer of the analysis. If a method returns an error, the analysis ends with this error.
pub(crate) trait AnalysisObserver {
    /// Called with the positions found for each number of plies, beginning with the wins in 0 plies.
    fn ply(&mut self, found: &PlyWins) -> Result<(), EngineError>;

    /// Called after each pair of steps with the state, from which the analysis can resume.
    fn stage(&mut self, retrograde: &RetrogradeState) -> Result<(), EngineError>;

    /// Called after the last step for a winner with all wins of this side.
    fn side(&mut self, wins: &FoundWins) -> Result<(), EngineError>;
}

/// All wins of one side, found by the analysis.
pub(crate) struct FoundWins<'a> {
    analysis: &'a Analysis<'a>,
    /// The winner.
    pub(crate) winner: Side,
    /// The positions with the winner to move, stored like [`RetrogradeState::won`].
    pub(crate) won: &'a [Word512],
    /// See [`RetrogradeState::in_chain`].
    in_chain: &'a [Word512],
}

impl FoundWins<'_> {
    /// Returns `true` if the position with the winner to move is one of these wins. `set` is the index of its tiger set,
    /// `goats` that of its goat set.
    pub(crate) fn contains_with_winner_to_move(&self, set: usize, goats: u32) -> bool {
        let blocks = &self.analysis.blocks;
        let place = blocks.find(goats >> DIMENSIONS);
        place.is_some_and(|place| self.won[set * blocks.len() + place].contains(goats))
    }

    /// Returns the wins of a tiger set with goats to move and with tigers to move, with one word for each stored block.
    pub(crate) fn cubes(&self, set: usize) -> [Vec<Word512>; 2] {
        let by_tigers = self.winner == Side::P2;
        let blocks = &self.analysis.blocks;
        let won = self.won[set * blocks.len()..][..blocks.len()].to_vec();
        let lost = self
            .analysis
            .all_lost(set, !by_tigers, self.won, self.in_chain);
        if by_tigers { [lost, won] } else { [won, lost] }
    }
}

/// Finds all wins of both sides, the tigers' first. Continues from `progress`.
///
/// # Errors
/// If the memory cannot be allocated, a temporary file fails, or `observer` fails.
pub(crate) fn find_wins(
    ranking: &Ranking,
    table_game: &TableGame,
    storage: &ListStorage,
    progress: Progress<RetrogradeState>,
    observer: &mut dyn AnalysisObserver,
) -> Result<(), EngineError> {
    let (first, mut initial) = match progress {
        Progress::Next(side) => (side, None),
        Progress::Stage(retrograde) => (retrograde.stage.winner, Some(retrograde)),
        Progress::Finished => return Ok(()),
    };
    let analysis = Analysis::new(ranking, blocks(ranking, table_game), storage);
    for winner in [Side::P2, Side::P1]
        .into_iter()
        .skip(usize::from(first == Side::P1))
    {
        let retrograde = match initial.take() {
            Some(retrograde) => retrograde,
            None => analysis.first_wins(winner, observer)?,
        };
        let RetrogradeState { won, in_chain, .. } =
            analysis.find_wins_from(retrograde, observer)?;
        observer.side(&FoundWins {
            analysis: &analysis,
            winner,
            won: &won,
            in_chain: &in_chain,
        })?;
    }
    Ok(())
}

/// Returns the stored blocks of cubes with one bit per goat set.
pub fn blocks(ranking: &Ranking, table_game: &TableGame) -> Blocks {
    // The margin is one goat, because the positions after the decisive capture have one goat fewer than any position
    // in the tables.
    Blocks::new(ranking.dimensions, DIMENSIONS, table_game.on_board(0), 1)
}

/// Approximate memory in bytes for data whose size [`memory`] does not compute.
const SMALL_DATA_BYTES: u64 = 64 << 20;

/// Returns the maximum memory of the movement phase in bytes, an upper bound.
///
/// The analysis needs the won positions as cubes with one bit per position, the lists of two plies, two full cubes and two
/// lists per thread, all tiger moves, and for a checkpoint a compressed cube. Chains of leaps need one more set of cubes and
/// lists. Afterwards, each thread assembles the values in one cube with one byte per position. The result is the larger
/// amount.
pub fn memory(
    ranking: &Ranking,
    table_game: &TableGame,
    storage: &ListStorage,
    threads: usize,
) -> u64 {
    let word_bytes = size_of::<Word512>() as u64;
    let cube_words = blocks(ranking, table_game).len();
    let cubes = if ranking.board.has_chains { 2 } else { 1 };
    let [list_bytes, _] = storage.max_bytes(cube_words);
    let [scratch_bytes, _] = ListStorage::Memory.max_bytes(cube_words);
    let full_cube = word_bytes << (ranking.dimensions - DIMENSIONS);
    let cube_bytes = cube_words as u64 * word_bytes;
    let analysis = ranking.sets.len() as u64 * (cubes * cube_bytes + lists(ranking) * list_bytes)
        + cube_bytes
        + threads as u64 * (2 * full_cube + 2 * scratch_bytes)
        + TigerStep::count(ranking) as u64 * move_memory(ranking.dimensions);
    let byte_cubes =
        threads as u64 * word_bytes * layer::blocks(ranking, table_game.on_board(0)).len() as u64;
    analysis.max(byte_cubes) + SMALL_DATA_BYTES
}

/// Returns the maximum size of the temporary files of the movement phase in bytes.
pub(crate) fn disk(ranking: &Ranking, table_game: &TableGame, storage: &ListStorage) -> u64 {
    let [_, list_bytes] = storage.max_bytes(blocks(ranking, table_game).len());
    ranking.sets.len() as u64 * lists(ranking) * list_bytes
}

/// Returns the maximum number of lists of a tiger set that exist at a time.
fn lists(ranking: &Ranking) -> u64 {
    if ranking.board.has_chains { 3 } else { 2 }
}

impl Analysis<'_> {
    /// Returns empty cubes for all tiger sets.
    fn empty_words(&self) -> Result<Vec<Word512>, EngineError> {
        layer::filled_words(Word512::NONE, self.blocks.len() * self.ranking.sets.len())
    }

    /// Finds the wins of `winner` in 0, 1 and 2 plies.
    fn first_wins(
        &self,
        winner: Side,
        observer: &mut dyn AnalysisObserver,
    ) -> Result<RetrogradeState, EngineError> {
        let by_tigers = winner == Side::P2;
        let won = self.empty_words()?;
        let in_chain = if self.ranking.board.has_chains {
            self.empty_words()?
        } else {
            Vec::new()
        };
        let mut frontier = self.collect(
            #[inline(always)]
            |set, scratch| {
                self.collect_immobile(set, !by_tigers, scratch);
                Ok(())
            },
        )?;
        observer.ply(&PlyWins {
            winner,
            plies: 0,
            positions: &frontier,
        })?;
        if by_tigers {
            // These positions are not reported to `observer`, because tables do not contain them.
            self.add_decisive_captures(&mut frontier)?;
        }
        let stage = Stage { winner, half: 0 };
        let mut retrograde = RetrogradeState {
            stage,
            won,
            in_chain,
            frontier,
        };
        self.find_two_plies(&mut retrograde, observer)?;
        Ok(retrograde)
    }

    /// Finds the remaining wins of `retrograde.stage.winner`. Returns the last state.
    fn find_wins_from(
        &self,
        mut retrograde: RetrogradeState,
        observer: &mut dyn AnalysisObserver,
    ) -> Result<RetrogradeState, EngineError> {
        while !retrograde.frontier.iter().all(PositionList::is_empty) {
            observer.stage(&retrograde)?;
            retrograde.stage.half += 1;
            self.find_two_plies(&mut retrograde, observer)?;
        }
        Ok(retrograde)
    }

    /// Finds the wins in `2 * half + 1` and `2 * half + 2` plies, where `half` is [`Stage::half`] of the state. They follow
    /// from the frontier, which contains the wins in `2 * half` plies.
    fn find_two_plies(
        &self,
        retrograde: &mut RetrogradeState,
        observer: &mut dyn AnalysisObserver,
    ) -> Result<(), EngineError> {
        let Stage { winner, half } = retrograde.stage;
        let by_tigers = winner == Side::P2;
        let mut report = |plies, positions: &[PositionList]| {
            observer.ply(&PlyWins {
                winner,
                plies,
                positions,
            })
        };
        let RetrogradeState {
            won,
            in_chain,
            frontier,
            ..
        } = retrograde;
        if by_tigers {
            let chains = self.extend_chains(winner, frontier, won, in_chain)?;
            *frontier = self.extend(
                won,
                #[inline(always)]
                |set, scratch| {
                    self.collect_before_tigers(set, AfterMove::any(frontier), scratch)?;
                    for after in &chains {
                        self.collect_before_tigers(set, AfterMove::leap(after), scratch)?;
                    }
                    Ok(())
                },
            )?;
            report(2 * half + 1, frontier)?;
            *frontier = self.collect(
                #[inline(always)]
                |set, scratch| {
                    self.collect_before_goats(set, frontier, scratch)?;
                    self.remove_goat_escapes(set, won, scratch);
                    Ok(())
                },
            )?;
        } else {
            *frontier = self.extend(
                won,
                #[inline(always)]
                |set, scratch| self.collect_before_goats(set, frontier, scratch),
            )?;
            report(2 * half + 1, frontier)?;
            let chains = self.extend_chains(winner, frontier, won, in_chain)?;
            let has_chains = self.ranking.board.has_chains;
            let after = AfterMove {
                step: Some(&frontier[..]),
                leap: (!has_chains).then_some(&frontier[..]),
            };
            *frontier = self.collect(
                #[inline(always)]
                |set, scratch| {
                    self.collect_before_tigers(set, after, scratch)?;
                    for after in &chains {
                        self.collect_before_tigers(set, AfterMove::leap(after), scratch)?;
                    }
                    self.list_candidates(scratch);
                    self.remove_tiger_escapes(set, self.won_after(won, in_chain), scratch);
                    Ok(())
                },
            )?;
        }
        report(2 * half + 2, frontier)
    }

    /// Returns the positions that the goats win after a tiger's move.
    fn won_after<'b>(
        &self,
        won: &'b [Word512],
        in_chain: &'b [Word512],
    ) -> AfterMove<&'b [Word512]> {
        AfterMove {
            step: Some(won),
            leap: Some(if self.ranking.board.has_chains {
                in_chain
            } else {
                won
            }),
        }
    }

    /// Returns all positions of a tiger set that the side to move has lost, as a cube. `won` and `in_chain` are all wins
    /// of the other side.
    fn all_lost(
        &self,
        set: usize,
        tigers_to_move: bool,
        won: &[Word512],
        in_chain: &[Word512],
    ) -> Vec<Word512> {
        let blocks = &self.blocks;
        let mut cube = vec![Word512::NONE; blocks.len()];
        let mut pooled = self.pool.take();
        let scratch = pooled.scratch(blocks);
        processor::run(
            #[inline(always)]
            || {
                for &outer in blocks.used(self.ranking.sets[set].used_digits()) {
                    scratch.collector.add(outer, Word512::ALL);
                }
                if tigers_to_move {
                    self.list_candidates(scratch);
                    self.remove_tiger_escapes(set, self.won_after(won, in_chain), scratch);
                } else {
                    self.remove_goat_escapes(set, won, scratch);
                }
                scratch.collector.drain(
                    |_| {},
                    #[inline(always)]
                    |outer, word| {
                        if let Some(place) = blocks.find(outer) {
                            cube[place] = word;
                        }
                    },
                );
            },
        );
        cube
    }
}
