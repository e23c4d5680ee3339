//! Solves a game layer by layer, writes each layer to a file, and resumes after an interruption.
//!
//! The movement phase (no goats in hand) comes first, then the layers of the placement phase by ascending number of
//! goats in hand. Each layer is computed from the previous layer. A new run continues after the last layer with
//! complete and valid files, or from the last checkpoint of the movement phase.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::file;
use super::forecast::SolveForecast;
use super::probe::Tables;
use super::reader::LayerFile;
use crate::clock::Instant;
use crate::durable::{self, FileKinds, Journal};
use crate::error::EngineError;
use crate::games::hunt::Hunt;
use crate::oracle::Verdict;
use crate::rules::Rules;
use crate::solve::bitset::cube_permutation::BulkTigerMove;
use crate::solve::bitset::layer::{BLOCK_DIGITS, Layer, TableGame};
use crate::solve::bitset::layer_id::{EXTENSION, LayerId, PART, TABLE_FORMAT};
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::movement::Stage;
use crate::solve::bitset::placement::{GoatsToMove, TigersToMove};
use crate::solve::bitset::ply_journal::PlyJournal;
use crate::solve::bitset::position_list::ListStorage;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::survey::{Checkpoint, Checkpointer, MovementSurvey, SurveyContext};
use crate::solve::bitset::wins::PlyWins;
use crate::solve::bitset::{drops, movement, survey};
use crate::units;
use crate::value::Side;

/// Memory in bytes for threads and small data, in addition to the forecast.
const RESERVE_BYTES: u64 = 128 << 20;

/// The file names and magics of tables and checkpoints. [`sweep`](crate::durable::sweep) removes unfinished versions of
/// such files.
const FILE_KINDS: FileKinds = FileKinds {
    is_name: |name| {
        [EXTENSION, PART]
            .iter()
            .any(|ending| name.ends_with(ending))
    },
    magics: &[&TABLE_FORMAT.magic, &survey::CHECKPOINT_FORMAT.magic],
};

/// A game to solve, the folder for its tables, and the resources that the solver may use.
#[derive(Clone, Debug)]
pub struct Task {
    /// The game.
    pub table_game: TableGame,
    /// Maximum number of goats in hand of the layers to solve: 0 for the movement phase only.
    pub last_hand: u32,
    /// The folder of the tables.
    pub folder: PathBuf,
    /// Allowed memory in MiB.
    pub memory: u64,
    /// Number of threads.
    pub threads: usize,
    /// The place of long lists of positions in the movement phase.
    pub storage: ListStorage,
    /// Minimum interval between checkpoints of the movement phase.
    pub checkpoint: Duration,
}

/// An event that the solver reports.
#[derive(Clone, Debug)]
pub enum SolverEvent {
    /// Work on a layer of this number of cubes (`None` in the movement phase) starts.
    Begins(LayerId, Option<u64>),
    /// In the movement phase: all wins of this side in this number of plies have been found. The last field is their
    /// number.
    Ply(Side, u32, u64),
    /// The movement phase resumes from a checkpoint at this stage.
    Resumed(Stage),
    /// An existing file is unusable for this reason, and its layer is solved again.
    Unusable(EngineError),
    /// A layer is complete, with these statistics.
    Layer(LayerId, Vec<LayerStats>, Origin),
}

/// The origin of a layer's statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The layer already had a file.
    Reused,
    /// The layer was solved in this time. Its file has this length in bytes (0 without a file).
    Solved(Duration, u64),
    /// A survey counted the positions, without files.
    Counted,
}

/// Solves the missing layers of a game.
#[derive(Debug)]
pub struct Solver {
    task: Task,
    ranking: Ranking,
    /// Progress of the current layer: the number of finished cubes or, in the movement phase, the current distance to
    /// the win in plies.
    pub done: AtomicU64,
}

/// Checks that `needed` bytes of memory are at most `allowed` MiB.
///
/// # Errors
/// If `needed` exceeds `allowed`. The message states both.
pub fn fits(needed: u64, allowed: u64) -> Result<(), EngineError> {
    if needed.div_ceil(1 << 20) <= allowed {
        return Ok(());
    }
    Err(EngineError::failed(format!(
        "this needs {} of memory, and {} may be used: --memory {} allows it",
        units::memory(needed.into()),
        units::memory(u128::from(allowed) << 20),
        needed.div_ceil(1 << 20)
    )))
}

impl Solver {
    /// Creates a solver.
    ///
    /// # Errors
    /// If the task needs more memory than allowed, or than the system provides.
    pub fn new(task: Task) -> Result<Self, EngineError> {
        let solver = Self {
            ranking: Ranking::new(task.table_game.board),
            task,
            done: AtomicU64::new(0),
        };
        let needed = solver.forecast().memory;
        fits(needed, solver.task.memory)?;
        // Allocate the memory once now, so that a lack of memory is reported immediately instead of after
        // hours.
        let needed_with_reserve = needed + RESERVE_BYTES;
        if Vec::<u8>::new()
            .try_reserve_exact(needed_with_reserve as usize)
            .is_err()
        {
            return Err(EngineError::failed(format!(
                "out of memory: cannot allocate {}",
                units::memory(needed.into())
            )));
        }
        Ok(solver)
    }

    /// Returns the forecast for the whole task, as if no layer were solved yet.
    pub fn forecast(&self) -> SolveForecast {
        SolveForecast::new(
            &self.ranking,
            &self.task.table_game,
            self.task.last_hand,
            &self.task.storage,
            self.task.threads,
        )
    }

    /// Returns the game to solve.
    pub fn table_game(&self) -> TableGame {
        self.task.table_game
    }

    /// Returns the verdict on the start of `game` by the tables in the folder. Returns `None` if they do not determine
    /// it.
    ///
    /// Positions with tigers in hand, or with several goats to drop at once, have no values in the tables. The verdict
    /// on such a start follows from the positions after all drops.
    ///
    /// # Errors
    /// If the tables cannot be opened, or are damaged.
    pub(crate) fn value_of_start(&self, game: &Hunt) -> Result<Option<Verdict>, EngineError> {
        let TableGame { board, goats } = self.task.table_game;
        // A game with fewer goats has its own board, and its tables are opened with this board.
        let board = if goats == board.goats {
            board
        } else {
            board.with_goats(goats)
        };
        let (tables, _) = Tables::open(&self.task.folder, board)?;
        drops::value(game, &game.start(), &mut |position| tables.probe(position))
    }

    /// Returns the statistics of the solved layers without a file. Skips the layers in `already_counted` (goats in
    /// hand, and `true` if tigers are to move), and recomputes the values of the other layers.
    ///
    /// # Errors
    /// If a file is missing or damaged.
    pub(crate) fn count_unstored(
        &self,
        already_counted: &BTreeSet<(u32, bool)>,
    ) -> Result<Vec<(LayerId, Vec<LayerStats>)>, EngineError> {
        let layer_ids = (1..=self.task.last_hand).map(|hand| self.layer_id(hand, false));
        let unstored = layer_ids.filter(|layer_id| {
            !layer_id.is_stored() && !already_counted.contains(&(layer_id.hand, false))
        });
        unstored
            .map(|layer_id| {
                let layer = self.compute_goats_to_move(layer_id.hand)?;
                Ok((layer_id, LayerStats::of(&self.ranking, &layer, false)))
            })
            .collect()
    }

    /// Solves the missing layers and reports the progress to `on_event`.
    ///
    /// # Errors
    /// If the folder contains files of another game, is locked by another process, or has too little space, or if a
    /// file cannot be read or written.
    pub fn run(&self, on_event: &(dyn Fn(SolverEvent) + Sync)) -> Result<(), EngineError> {
        let folder = &self.task.folder;
        let _lock = durable::prepare_folder(folder, &FILE_KINDS)?;
        // Files of another game must not be overwritten.
        let layers = LayerId::stored(self.task.table_game);
        let mut foreign_errors = layers
            .filter_map(|layer_id| LayerFile::of_another_game(folder, layer_id, &self.ranking));
        let checkpoint_error = || self.checkpointer().of_another_game(&self.survey());
        if let Some(error) = foreign_errors.next().or_else(checkpoint_error) {
            return Err(EngineError::new(format!(
                "{error}; choose another folder, or remove it"
            )));
        }
        let tables = LayerId::stored(self.task.table_game).map(|layer_id| layer_id.path(folder));
        let journal = PlyJournal::path(folder, &self.layer_id(0, false));
        let existing_bytes: u64 = tables
            .chain([journal])
            .filter_map(|path| path.metadata().ok())
            .map(|file| file.len())
            .sum();
        durable::require_space(
            folder,
            self.forecast().peak_disk.saturating_sub(existing_bytes),
        )?;
        let first_hand = self.find_first_hand(on_event);
        if first_hand > 0 {
            let layer_id = self.layer_id(0, false);
            PlyJournal::sweep(folder, &layer_id);
            Journal::remove_at(&layer_id.checkpoint_path(folder), survey::CHECKPOINT_FORMAT);
        }
        let mut moves = Vec::new();
        for hand in first_hand..=self.task.last_hand {
            self.done.store(0, Ordering::Relaxed);
            if hand == 0 {
                self.solve_movement(on_event)?;
                continue;
            }
            if moves.is_empty() {
                moves = BulkTigerMove::by_tiger_set(&self.ranking, BLOCK_DIGITS);
            }
            self.solve_placement(hand, &moves, on_event)?;
        }
        Ok(())
    }

    /// Returns the number of goats in hand of the first layers without usable files, or `last_hand + 1` if all are
    /// solved.
    fn find_first_hand(&self, on_event: &(dyn Fn(SolverEvent) + Sync)) -> u32 {
        let mut hand = 0;
        while hand <= self.task.last_hand {
            let mut stored_files = Vec::new();
            for tigers_to_move in [false, true] {
                let layer_id = self.layer_id(hand, tigers_to_move);
                if !layer_id.is_stored() {
                    continue;
                }
                match LayerFile::open(&self.task.folder, layer_id, &self.ranking) {
                    Ok(file) => stored_files.push(file),
                    Err(error) => {
                        on_event(SolverEvent::Unusable(error));
                        stored_files.push(None);
                    }
                }
            }
            if stored_files.iter().any(Option::is_none) {
                break;
            }
            for file in stored_files.into_iter().flatten() {
                on_event(SolverEvent::Layer(
                    file.layer_id,
                    file.stats,
                    Origin::Reused,
                ));
            }
            hand += 1;
        }
        // The next layer depends on the last existing file, so every byte of this file is checked. If the file is
        // damaged, its layer is solved again.
        while hand > 0 && hand <= self.task.last_hand {
            match self.open_layer_below(hand).and_then(|file| file.check()) {
                Ok(()) => return hand,
                Err(error) => on_event(SolverEvent::Unusable(error)),
            }
            hand -= 1;
        }
        hand
    }

    /// Opens the file that determines the layers with `hand` goats in hand: tigers to move and one goat fewer in
    /// hand.
    fn open_layer_below(&self, hand: u32) -> Result<LayerFile, EngineError> {
        let layer_id = self.layer_id(hand - 1, true);
        LayerFile::open(&self.task.folder, layer_id, &self.ranking)?
            .ok_or_else(|| EngineError::new(format!("there is no {}", layer_id.file_name())))
    }

    /// Computes the layer with `hand` goats in hand and goats to move.
    fn compute_goats_to_move(&self, hand: u32) -> Result<Layer, EngineError> {
        let (ranking, table_game) = (&self.ranking, &self.task.table_game);
        let below = self.open_layer_below(hand)?;
        Layer::of(
            &GoatsToMove::new(ranking, table_game, hand, &below, &self.done),
            ranking,
        )
    }

    /// Solves the movement phase, from the checkpoint if there is one, and writes its two layers.
    fn solve_movement(&self, on_event: &(dyn Fn(SolverEvent) + Sync)) -> Result<(), EngineError> {
        let start = Instant::now();
        let (folder, table_game) = (&self.task.folder, self.task.table_game);
        let layer_id = self.layer_id(0, false);
        on_event(SolverEvent::Begins(layer_id, None));
        let (survey, checkpointer) = (self.survey(), self.checkpointer());
        let open = |length| {
            let blocks = movement::blocks(&self.ranking, &table_game);
            PlyJournal::open(folder, &layer_id, &self.ranking, &blocks, length)
        };
        let resumed = checkpointer.read(&survey).and_then(|checkpoint| {
            let journal = checkpoint
                .as_ref()
                .map(|checkpoint| open(Some(checkpoint.plies.unwrap_or_default())));
            Ok((journal.transpose()?, checkpoint))
        });
        let (journal, checkpoint) = resumed.unwrap_or_else(|why| {
            on_event(SolverEvent::Unusable(why));
            (None, None)
        });
        let mut journal = match journal {
            Some(journal) => journal,
            None => open(None)?,
        };
        if let Some(stage) = checkpoint.as_ref().and_then(Checkpoint::stage) {
            on_event(SolverEvent::Resumed(stage));
        }
        let mut watch = |wins: &PlyWins| {
            self.done.store(u64::from(wins.plies), Ordering::Relaxed);
            on_event(SolverEvent::Ply(wins.winner, wins.plies, wins.count()));
        };
        let context = SurveyContext {
            watch: &mut watch,
            checks: 0,
            checkpointer: Some(checkpointer),
            plies: Some(&mut journal),
        };
        let state = survey.run(checkpoint, context)?;
        for (stats, tigers_to_move) in state.stats.into_iter().zip([false, true]) {
            let layer_id = self.layer_id(0, tigers_to_move);
            let layer = journal.layer(&self.ranking, &table_game, tigers_to_move);
            let bytes = file::write(folder, &layer_id, &self.ranking, &layer, &stats)?;
            let origin = Origin::Solved(start.elapsed(), bytes);
            on_event(SolverEvent::Layer(layer_id, stats, origin));
        }
        // The checkpoint and the journal are obsolete. Errors of their removal are ignored.
        journal.remove();
        drop(std::fs::remove_file(layer_id.checkpoint_path(folder)));
        Ok(())
    }

    fn survey(&self) -> MovementSurvey {
        MovementSurvey::for_tables(self.task.table_game, self.ranking.clone())
            .with_storage(self.task.storage.clone())
    }

    /// Returns the checkpointer of the movement phase.
    fn checkpointer(&self) -> Checkpointer {
        let path = self.layer_id(0, false).checkpoint_path(&self.task.folder);
        Checkpointer::new(&path, self.task.checkpoint)
    }

    /// Solves the two layers with `hand` goats in hand and writes their files. `moves` contains the tiger moves of
    /// every tiger set.
    fn solve_placement(
        &self,
        hand: u32,
        moves: &[Vec<BulkTigerMove>],
        on_event: &(dyn Fn(SolverEvent) + Sync),
    ) -> Result<(), EngineError> {
        let (folder, ranking, done) = (&self.task.folder, &self.ranking, &self.done);
        let start = Instant::now();
        let cubes = ranking.sets.len() as u64;
        let layer_id = self.layer_id(hand, false);
        on_event(SolverEvent::Begins(layer_id, Some(cubes)));
        let goats = self.compute_goats_to_move(hand)?;
        let stats = LayerStats::of(ranking, &goats, false);
        let bytes = if layer_id.is_stored() {
            file::write(folder, &layer_id, ranking, &goats, &stats)?
        } else {
            0
        };
        let origin = Origin::Solved(start.elapsed(), bytes);
        on_event(SolverEvent::Layer(layer_id, stats, origin));
        let layer_id = self.layer_id(hand, true);
        if layer_id.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        done.store(0, Ordering::Relaxed);
        on_event(SolverEvent::Begins(layer_id, Some(cubes)));
        // Each cube is compressed as soon as it is computed, so the uncompressed layer needs no memory.
        let after = &goats;
        let tigers = TigersToMove {
            ranking: &self.ranking,
            moves,
            after,
            done,
        };
        let (bytes, stats) = file::write_counting(folder, &layer_id, ranking, &tigers)?;
        let origin = Origin::Solved(start.elapsed(), bytes);
        on_event(SolverEvent::Layer(layer_id, stats, origin));
        Ok(())
    }

    fn layer_id(&self, hand: u32, tigers_to_move: bool) -> LayerId {
        LayerId {
            table_game: self.task.table_game,
            hand,
            tigers_to_move,
        }
    }
}

#[cfg(test)]
mod tests;
