//! A survey solves the movement phase of a game without table files. It returns the numbers of wins and draws, the
//! verdict on the start of the game, and the best first moves.
//!
//! A survey can write its progress to a checkpoint file, from which another run resumes. The solver for table files
//! also runs a survey: the survey writes all won positions to a `PlyJournal`, from which the solver makes the table
//! files.

mod checkpoint;
mod checkpoint_text;
mod counter;
mod verification;

use std::collections::HashMap;

use rayon::prelude::*;

use self::checkpoint::Content;
pub use self::checkpoint::{CHECKPOINT_FORMAT, Checkpoint, Checkpointer, board_name};
use self::counter::Counter;
pub use self::verification::VerifiedSurvey;
use super::blocks::{Blocks, choose, random_goats};
use super::drops;
use super::layer::TableGame;
use super::layer_stats::{LayerStats, add_counts, sets_by_goats};
use super::movement::{self, AnalysisObserver, FoundWins, Progress, RetrogradeState, Stage};
use super::ply_journal::PlyJournal;
use super::position_list::ListStorage;
use super::rank::{MAX_DIMENSIONS, MAX_TIGERS, Ranking, goat_points};
use super::wins::{PlyWins, Wins};
use super::word512::DIMENSIONS;
use crate::error::EngineError;
use crate::games::hunt::{Board, Hunt, Move, Position};
use crate::oracle::Verdict;
use crate::random::Random;
use crate::rules::{Game, Notation, Rules};
use crate::value::Side;

/// Minimum number of digits in use. With fewer digits, a goat set has no outer digits: a word contains the
/// whole cube.
const MIN_DIMENSIONS: u32 = DIMENSIONS + 1;

/// A survey of one game.
#[derive(Debug)]
pub struct MovementSurvey {
    /// The game, as it is played.
    game: Hunt,
    /// The game as described by tables. Its movement phase is the same, its start may differ.
    table_game: TableGame,
    ranking: Ranking,
    /// Positions of the movement phase whose verdicts determine the verdicts on the start of `game` and its first
    /// moves.
    requested: Vec<Position>,
    storage: ListStorage,
}

/// Options of one run of a survey.
pub struct SurveyContext<'a> {
    /// Called with the positions found for each number of plies.
    pub(crate) watch: &'a mut dyn FnMut(&PlyWins),
    /// Number of random positions to check by the rules after all wins of a side are found.
    pub checks: u64,
    /// Writes the checkpoint file. `None` for a survey without one.
    pub(crate) checkpointer: Option<Checkpointer>,
    /// Records all won positions. `None` for a survey without a journal.
    pub plies: Option<&'a mut PlyJournal>,
}

/// The result of a survey.
#[derive(Clone, Debug)]
pub struct SurveyResult {
    /// The statistics with goats to move and with tigers to move: one element per number of goats on the board.
    pub(crate) stats: [Vec<LayerStats>; 2],
    /// The verdict on the start. The goats are the first player ([`Side::P1`]), as in all tables.
    pub start: Verdict,
    /// The first moves that keep the verdict: the shortest wins, or the draws, or the longest losses.
    pub best: Vec<Move>,
    /// Number of positions checked by the rules of the game.
    pub checked: u64,
}

/// The results of a survey so far, without the sets of won positions.
#[derive(Clone, Debug)]
pub struct SurveyState {
    /// The statistics with goats to move and with tigers to move: one element per number of goats on the board.
    pub(crate) stats: [Vec<LayerStats>; 2],
    /// The verdicts on the requested positions; draws until a win is found.
    values: Vec<Verdict>,
    /// Number of positions checked by the rules of the game.
    checked: u64,
}

impl MovementSurvey {
    /// Creates a survey.
    ///
    /// # Errors
    /// If goats are in hand at the start, or if the game has rules or a size that surveys do not support.
    pub fn new(game: Hunt) -> Result<Self, EngineError> {
        let board = game.board;
        let hunters = board.spec.hunters;
        let goat_points = goat_points(board);
        let all_placed = board.goats_at_start == board.goats;
        let numbers_fit = *goat_points.start() >= MIN_DIMENSIONS
            && *goat_points.end() <= MAX_DIMENSIONS
            && hunters <= MAX_TIGERS;
        let board = board.for_tables().filter(|_| numbers_fit && all_placed);
        let board = board.ok_or_else(|| EngineError::new(format!(
            "{} has no survey: a survey requires at most {MAX_TIGERS} hunters, {MIN_DIMENSIONS} to {MAX_DIMENSIONS} points \
             for the prey besides theirs, all prey on the board from the start, no forced captures, no 'huff', \
             'prey-turn' or stacks, one hunter for 'leap chain', no goals, and draws by infinite play",
            game.board.name
        )))?;
        let table_game = TableGame {
            board,
            goats: board.goats,
        };
        let mut survey = Self {
            game,
            ..Self::for_tables(table_game, Ranking::new(board))
        };
        let mut requested = Vec::new();
        survey.add_requested(&game.start(), true, &mut requested);
        survey.requested = requested;
        Ok(survey)
    }

    /// Creates a survey for the solver of table files. It has no requested positions.
    pub(crate) fn for_tables(table_game: TableGame, ranking: Ranking) -> Self {
        Self {
            game: Hunt::new(table_game.board),
            table_game,
            ranking,
            requested: Vec::new(),
            storage: ListStorage::Memory,
        }
    }

    /// Returns a survey that keeps long lists in `storage`.
    #[must_use]
    pub(crate) fn with_storage(self, storage: ListStorage) -> Self {
        Self { storage, ..self }
    }

    /// Returns the game as described by tables.
    pub fn table_game(&self) -> TableGame {
        self.table_game
    }

    /// Returns the numbering of the game's positions.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Returns the number of positions up to symmetry.
    pub fn positions(&self) -> u64 {
        let by_goats = self.sets_by_goats();
        self.on_board().map(|goats| by_goats[goats as usize]).sum()
    }

    /// Returns the number of positions. Symmetric positions count separately.
    pub(crate) fn positions_with_images(&self) -> u64 {
        let sets = self.ranking.sets_by_used_digits().into_iter();
        let positions = sets.map(|(used_digits, sets)| {
            let goat_sets = self.on_board().map(|goats| choose(used_digits, goats));
            sets.all * goat_sets.sum::<u64>()
        });
        positions.sum()
    }

    /// Returns the reachable numbers of goats on the board: first with goats to move, then with tigers to move.
    fn on_board(&self) -> impl Iterator<Item = u32> {
        let sides = [false, true].into_iter();
        sides.flat_map(|tigers_to_move| self.table_game.reachable_goats(0, tigers_to_move))
    }

    /// Returns the number of positions up to symmetry with either side to move, indexed by the number of goats on the
    /// board.
    fn sets_by_goats(&self) -> Vec<u64> {
        let sets = (0..self.ranking.sets.len()).into_par_iter();
        let zero = || vec![0; self.ranking.dimensions as usize + 1];
        sets.map(|set| sets_by_goats(&self.ranking, set))
            .reduce(zero, add_counts)
    }

    /// Returns the maximum memory in bytes with `threads` threads.
    pub fn memory(&self, threads: usize) -> u64 {
        movement::memory(&self.ranking, &self.table_game, &self.storage, threads)
    }

    /// Returns the maximum size in bytes of temporary files.
    pub(crate) fn disk(&self) -> u64 {
        movement::disk(&self.ranking, &self.table_game, &self.storage)
    }

    /// Runs the survey from the beginning, or from `checkpoint` if given.
    ///
    /// # Errors
    /// If the memory cannot be allocated, a file cannot be written, or a checked position has a wrong value.
    pub fn run(
        &self,
        checkpoint: Option<Checkpoint>,
        mut context: SurveyContext,
    ) -> Result<SurveyState, EngineError> {
        self.storage.prepare(self.disk())?;
        let (mut survey_state, progress) = match checkpoint {
            Some(checkpoint) => {
                if let Some(checkpointer) = &mut context.checkpointer {
                    checkpointer.resume(&checkpoint);
                }
                (checkpoint.survey_state, checkpoint.progress)
            }
            None => (self.initial_state(), Progress::Next(Side::P2)),
        };
        let mut recorder = SurveyRecorder {
            survey: self,
            counter: Counter::new(&self.ranking),
            survey_state: &mut survey_state,
            context: &mut context,
        };
        movement::find_wins(
            &self.ranking,
            &self.table_game,
            &self.storage,
            progress,
            &mut recorder,
        )?;
        Ok(survey_state)
    }

    /// Returns the result of a finished survey from its state. Always `Ok`, because all verdicts are in memory.
    pub fn result(&self, survey_state: SurveyState) -> Result<SurveyResult, EngineError> {
        let start = self.game.start();
        let mut probe = self.probe(&survey_state);
        Ok(SurveyResult {
            start: drops::value(&self.game, &start, &mut probe)?.unwrap_or(Verdict::Draw),
            best: drops::best_moves(&self.game, &start, &mut probe)?,
            stats: survey_state.stats,
            checked: survey_state.checked,
        })
    }

    /// Returns a [`Probe`](drops::Probe) function for the requested positions.
    fn probe(
        &self,
        survey_state: &SurveyState,
    ) -> impl FnMut(&Position) -> Result<Option<Verdict>, EngineError> + use<'_> {
        let values = self.requested.iter().zip(survey_state.values.clone());
        let values: HashMap<&Position, Verdict> = values.collect();
        move |position: &Position| Ok(values.get(position).copied())
    }

    /// Adds the wins in one number of plies to the state. `counts` is their number, indexed by the number of
    /// goats on the board.
    fn add(
        &self,
        survey_state: &mut SurveyState,
        found: &PlyWins,
        counts: &[u64],
    ) -> Result<(), EngineError> {
        let (side, winner) = (
            usize::from(found.tigers_to_move()),
            usize::from(found.winner == Side::P1),
        );
        for layer_stats in &mut survey_state.stats[side] {
            let count = counts[layer_stats.on_board as usize];
            layer_stats.wins[winner] += count;
            if count > 0 {
                layer_stats.longest[winner] = found.plies;
            }
        }
        for (position, value) in self.requested.iter().zip(&mut survey_state.values) {
            let (set, goats) = self.ranking.locate(position.tigers, position.goats);
            if found.contains(position.tigers_to_move, set, goats)? {
                *value = Verdict::Win(found.winner, found.plies);
            }
        }
        Ok(())
    }

    /// Returns the stored blocks of cubes with one bit per goat set.
    fn blocks(&self) -> Blocks {
        movement::blocks(&self.ranking, &self.table_game)
    }

    /// Returns the state in which no win has been found.
    fn initial_state(&self) -> SurveyState {
        SurveyState {
            stats: self.empty_stats(),
            values: vec![Verdict::Draw; self.requested.len()],
            checked: 0,
        }
    }

    /// Returns statistics in which all counts are zero.
    fn empty_stats(&self) -> [Vec<LayerStats>; 2] {
        [false, true].map(|tigers_to_move| {
            let on_board = self.table_game.reachable_goats(0, tigers_to_move);
            let layer_stats = |on_board| LayerStats {
                on_board,
                ..LayerStats::default()
            };
            on_board.map(layer_stats).collect()
        })
    }

    /// Sets the numbers of draws: all positions that neither side wins.
    fn count_draws(&self, stats: &mut [Vec<LayerStats>; 2]) {
        let by_goats = self.sets_by_goats();
        for layer_stats in stats.iter_mut().flatten() {
            layer_stats.draws =
                by_goats[layer_stats.on_board as usize] - layer_stats.wins[0] - layer_stats.wins[1];
        }
    }

    /// Returns `true` if the counts of `survey_state` are possible for this game.
    ///
    /// In a finished survey, the counts must sum to the number of positions. In an unfinished survey, they must not
    /// exceed it and contain no draws. Wins of the goats require that all wins of the tigers are found.
    fn is_consistent(&self, survey_state: &SurveyState, progress: Progress<Stage>) -> bool {
        let by_goats = self.sets_by_goats();
        survey_state.stats.iter().flatten().all(|layer_stats| {
            let positions = by_goats[layer_stats.on_board as usize];
            let has_wins = |winner: usize| layer_stats.wins[winner] > 0;
            let plies_fit = |winner| has_wins(winner) || layer_stats.longest[winner] == 0;
            let may_have_goats_wins =
                matches!(progress, Progress::Stage(stage) if stage.winner == Side::P1);
            let counts_fit = match progress {
                Progress::Finished => layer_stats.positions() == positions,
                Progress::Stage(_) | Progress::Next(_) => {
                    layer_stats.draws == 0
                        && layer_stats.positions() <= positions
                        && (may_have_goats_wins || !has_wins(1))
                }
            };
            counts_fit && plies_fit(0) && plies_fit(1)
        })
    }

    /// Adds to `requested` the settled positions (see [`drops`]) whose verdicts determine the verdict on `position`
    /// and, if it is the start, the verdicts on its moves.
    fn add_requested(&self, position: &Position, is_start: bool, requested: &mut Vec<Position>) {
        let is_settled = drops::is_settled(&self.game, position);
        if is_settled {
            requested.push(*position);
        }
        if self.game.outcome(position).is_none() && (is_start || !is_settled) {
            for (_, after) in drops::moves(&self.game, position) {
                self.add_requested(&after, false, requested);
            }
        }
    }

    /// Checks `checks` random positions, selected by `seed`: a position must be a win of `winner` exactly if this follows
    /// from its outcome or its successors by the rules.
    ///
    /// # Errors
    /// If a position fails the check.
    fn check(&self, wins: &Wins, checks: u64, seed: u64) -> Result<(), EngineError> {
        let is_stored = |position: &Position| {
            let (set, goats) = self.ranking.locate(position.tigers, position.goats);
            wins.contains(position.tigers_to_move, set, goats)
        };
        self.find_mismatch(wins.winner, &is_stored, None, checks, seed)
    }

    /// Like [`Self::check`], for wins that the analysis has just found. Checks positions with the winner to move; those
    /// after their moves are wins if by the rules every move leads to a win.
    fn check_found(&self, wins: &FoundWins, checks: u64) -> Result<(), EngineError> {
        let game = Hunt::new(self.table_game.board);
        let is_won = |position: &Position| {
            if let Some(outcome) = game.outcome(position) {
                return outcome.winner() == Some(wins.winner);
            }
            let (set, goats) = self.ranking.locate(position.tigers, position.goats);
            wins.contains_with_winner_to_move(set, goats)
        };
        let is_found = |position: &Position| {
            if game.side(position) == wins.winner {
                return is_won(position);
            }
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            let mut successors = moves.iter().map(|&m| game.play(position, m));
            successors.all(|after| is_won(&after))
        };
        self.find_mismatch(wins.winner, &is_found, Some(wins.winner), checks, 0)
    }

    /// Checks random positions, with `to_move` to move if given. `is_found` tells whether a position is a win of `winner`.
    fn find_mismatch(
        &self,
        winner: Side,
        is_found: &(dyn Fn(&Position) -> bool + Sync),
        to_move: Option<Side>,
        checks: u64,
        seed: u64,
    ) -> Result<(), EngineError> {
        let game = Hunt::new(self.table_game.board);
        let sets = self.ranking.sets.len() as u64;
        let is_won = |position: &Position| {
            let outcome = game.outcome(position);
            outcome.map_or_else(
                || is_found(position),
                |outcome| outcome.winner() == Some(winner),
            )
        };
        let mismatch = (0..checks).into_par_iter().find_map_any(|number| {
            let mut random = Random::new(number ^ seed << 32);
            let set = random.u64(..sets) as usize;
            let tigers_to_move = to_move.map_or_else(|| random.bool(), |side| side == Side::P2);
            let position = self.random_position(set, tigers_to_move, &mut random);
            let is_won_by_rules = if let Some(outcome) = game.outcome(&position) {
                outcome.winner() == Some(winner)
            } else {
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                let mut successors = moves.iter().map(|&m| game.play(&position, m));
                if game.side(&position) == winner {
                    successors.any(|after| is_won(&after))
                } else {
                    successors.all(|after| is_won(&after))
                }
            };
            (is_found(&position) != is_won_by_rules).then_some(position)
        });
        match mismatch {
            None => Ok(()),
            Some(position) => Err(EngineError::failed(format!(
                "the value of {position:?} does not follow from its moves"
            ))),
        }
    }

    /// Returns a random reachable position with the tiger set with index `set`.
    fn random_position(&self, set: usize, tigers_to_move: bool, random: &mut Random) -> Position {
        let on_board = self.table_game.reachable_goats(0, tigers_to_move);
        let set = &self.ranking.sets[set];
        let goats = random_goats(set.used_digits(), on_board, random);
        Position {
            tigers: set.tigers,
            goats: set.goats(goats),
            hand: 0,
            tigers_to_move,
            ..Position::default()
        }
    }

    /// Returns the notation of a move.
    pub fn show_move(&self, m: Move) -> String {
        self.game.show_move(m)
    }

    /// Returns the board of the game.
    pub fn board(&self) -> &'static Board {
        self.game.board
    }
}

/// An observer that updates the state of the survey and writes the journal and checkpoints.
struct SurveyRecorder<'a, 'b> {
    survey: &'a MovementSurvey,
    counter: Counter,
    survey_state: &'a mut SurveyState,
    context: &'a mut SurveyContext<'b>,
}

impl AnalysisObserver for SurveyRecorder<'_, '_> {
    fn ply(&mut self, found: &PlyWins) -> Result<(), EngineError> {
        let counts = self.counter.count(found)?;
        self.survey.add(self.survey_state, found, &counts)?;
        if let Some(plies) = &mut self.context.plies {
            plies.add(found)?;
        }
        (self.context.watch)(found);
        Ok(())
    }

    fn stage(&mut self, retrograde: &RetrogradeState) -> Result<(), EngineError> {
        let SurveyContext {
            checkpointer,
            plies,
            ..
        } = &mut *self.context;
        if let Some(checkpointer) = checkpointer {
            checkpointer.write_if_due(
                self.survey,
                self.survey_state,
                retrograde,
                plies.as_deref_mut(),
            );
        }
        Ok(())
    }

    fn side(&mut self, wins: &FoundWins) -> Result<(), EngineError> {
        let (survey, checks) = (self.survey, self.context.checks);
        self.survey_state.checked += checks;
        survey.check_found(wins, checks)?;
        if wins.winner == Side::P1 {
            survey.count_draws(&mut self.survey_state.stats);
        }
        let plies = self.context.plies.as_deref_mut();
        // With a journal, the wins of the tigers are already stored.
        let is_needed = plies.is_none() || wins.winner == Side::P1;
        if let Some(checkpointer) = self.context.checkpointer.as_mut().filter(|_| is_needed) {
            let content = Content::Side(wins.winner, &|set| wins.cubes(set));
            checkpointer.try_write(survey, self.survey_state, &content, plies);
        }
        Ok(())
    }
}

#[cfg(test)]
pub mod tests;
