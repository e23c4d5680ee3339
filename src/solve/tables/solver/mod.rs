//! Solves a game layer by layer into a folder, and resumes from finished layers.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::file;
use super::forecast::SolveForecast;
use super::probe::Tables;
use super::reader::LayerFile;
use crate::durable::{self, ArtifactKinds, Journal};
use crate::error::EngineError;
use crate::games::hunt::Hunt;
use crate::oracle::Verdict;
use crate::rules::Rules;
use crate::solve::bitset::cube_permutation::CubeMove;
use crate::solve::bitset::layer::{BLOCK_DIMENSIONS, Layer, Scope};
use crate::solve::bitset::layer_id::{EXTENSION, LayerId, PART, TABLE_FORMAT};
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::movement::Stage;
use crate::solve::bitset::placement::{GoatsToMove, TigersToMove};
use crate::solve::bitset::ply_journal::PlyJournal;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::survey::{Checkpoint, Checkpointer, Survey, SurveyContext};
use crate::solve::bitset::wins::PlyWins;
use crate::solve::bitset::{drops, movement, survey};
use crate::units;
use crate::value::Side;

/// Bytes of memory for threads and small data besides the layers.
const RESERVE_BYTES: u64 = 128 << 20;

/// The kinds of table files, finished and partial, whose leftovers [`sweep`](crate::durable::sweep) removes.
const ARTIFACTS: ArtifactKinds = ArtifactKinds {
    is_name: |name| {
        [EXTENSION, PART]
            .iter()
            .any(|ending| name.ends_with(ending))
    },
    magics: &[&TABLE_FORMAT.magic, &survey::CHECKPOINT_FORMAT.magic],
};

/// A game to solve, with its folder and resources.
#[derive(Clone, Debug)]
pub struct Task {
    /// The game.
    pub scope: Scope,
    /// Goats in hand of the last layer: 0 for the movement phase only.
    pub last_hand: u32,
    /// The folder of the tables.
    pub folder: PathBuf,
    /// Allowed memory in MiB.
    pub memory: u64,
    /// Number of threads.
    pub threads: usize,
    /// Minimum interval between checkpoints of the movement phase.
    pub checkpoint: Duration,
}

/// Progress of the solver.
#[derive(Clone, Debug)]
pub enum SolverEvent<'a> {
    /// Work on a layer starts, with the number of its parts if known.
    Begins(LayerId, Option<u64>),
    /// A ply of the movement phase is finished: winner, plies, and number of positions.
    Ply(Side, u32, u64),
    /// The movement phase resumes at this stage.
    Resumed(Stage),
    /// A layer already has a valid file.
    Reused(&'a LayerFile),
    /// An existing file is not usable; its layer is solved again.
    Unusable(&'a EngineError),
    /// A layer is finished: its statistics, time, and file length in bytes.
    Finished(LayerId, &'a [LayerStats], Duration, u64),
}

/// Solves the missing layers of a game.
#[derive(Debug)]
pub struct Solver {
    task: Task,
    ranking: Ranking,
    /// Finished parts of the current layer.
    pub done: AtomicU64,
}

/// Checks that a task that needs `needed` bytes fits into `allowed` MiB.
///
/// # Errors
/// A refusal with both figures if it does not.
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
            ranking: Ranking::new(task.scope.board),
            task,
            done: AtomicU64::new(0),
        };
        let needed = solver.forecast().memory;
        fits(needed, solver.task.memory)?;
        // Check now that the system provides the memory, not hours into the work.
        let whole = needed + RESERVE_BYTES;
        if Vec::<u8>::new().try_reserve_exact(whole as usize).is_err() {
            return Err(EngineError::failed(format!(
                "out of memory: cannot allocate {}",
                units::memory(needed.into())
            )));
        }
        Ok(solver)
    }

    /// Returns the forecast for the whole task, existing files included.
    pub fn forecast(&self) -> SolveForecast {
        SolveForecast::new(
            &self.ranking,
            &self.task.scope,
            self.task.last_hand,
            self.task.threads,
        )
    }

    /// Returns the game.
    pub fn scope(&self) -> Scope {
        self.task.scope
    }

    /// Returns the verdict on a game's start. The start can precede the tables: with tigers in hand, or with several
    /// goats dropped at once.
    pub(crate) fn value_of_start(&self, game: &Hunt) -> Result<Option<Verdict>, EngineError> {
        let Scope { board, goats } = self.task.scope;
        // The tables of a game with fewer goats belong to a board with fewer goats.
        let board = if goats == board.goats {
            board
        } else {
            board.with_goats(goats)
        };
        let (tables, _) = Tables::open(&self.task.folder, board)?;
        drops::value(game, &game.start(), &mut |position| tables.probe(position))
    }

    /// Counts the finished layers without a file, except those in `counted` (goats in hand, tigers to move). They are
    /// computed again.
    pub(crate) fn count_unstored(
        &self,
        counted: &BTreeSet<(u32, bool)>,
    ) -> Result<Vec<(LayerId, Vec<LayerStats>)>, EngineError> {
        let layer_ids = (1..=self.task.last_hand).map(|hand| self.layer_id(hand, false));
        let rest = layer_ids
            .filter(|layer_id| !layer_id.is_stored() && !counted.contains(&(layer_id.hand, false)));
        rest.map(|layer_id| {
            let layer = self.goats_to_move(layer_id.hand)?;
            Ok((layer_id, LayerStats::of(&self.ranking, &layer, false)))
        })
        .collect()
    }

    /// Solves layer after layer and reports every step to `on_event`.
    pub fn run(&self, on_event: &(dyn Fn(SolverEvent) + Sync)) -> Result<(), EngineError> {
        let folder = &self.task.folder;
        let _lock = durable::prepare_folder(folder, &ARTIFACTS)?;
        // Files of another game are not overwritten.
        let layers = LayerId::stored(self.task.scope);
        let mut foreign = layers
            .filter_map(|layer_id| LayerFile::of_another_game(folder, layer_id, &self.ranking));
        let checkpoint_error = || self.checkpoint().of_another_game(&self.survey());
        if let Some(error) = foreign.next().or_else(checkpoint_error) {
            return Err(EngineError::new(format!(
                "{error}; choose another folder, or remove it"
            )));
        }
        let existing = LayerId::stored(self.task.scope).map(|layer_id| layer_id.path(folder));
        let plies = PlyJournal::path(folder, &self.layer_id(0, false));
        let existing: u64 = existing
            .chain([plies])
            .filter_map(|path| path.metadata().ok())
            .map(|file| file.len())
            .sum();
        durable::require_space(folder, self.forecast().peak_disk.saturating_sub(existing))?;
        let first = self.resume(on_event);
        if first > 0 {
            let layer_id = self.layer_id(0, false);
            PlyJournal::sweep(folder, &layer_id);
            Journal::remove_at(&layer_id.checkpoint_path(folder), survey::CHECKPOINT_FORMAT);
        }
        let mut moves = Vec::new();
        for hand in first..=self.task.last_hand {
            self.done.store(0, Ordering::Relaxed);
            if hand == 0 {
                self.movement(on_event)?;
                continue;
            }
            if moves.is_empty() {
                moves = CubeMove::of_every_set(&self.ranking, BLOCK_DIMENSIONS);
            }
            self.placement(hand, &moves, on_event)?;
        }
        Ok(())
    }

    /// Returns the goats in hand of the first layer to solve.
    fn resume(&self, on_event: &(dyn Fn(SolverEvent) + Sync)) -> u32 {
        let mut hand = 0;
        while hand <= self.task.last_hand {
            let mut files = Vec::new();
            for tigers_to_move in [false, true] {
                let layer_id = self.layer_id(hand, tigers_to_move);
                if !layer_id.is_stored() {
                    continue;
                }
                match LayerFile::open(&self.task.folder, layer_id, &self.ranking) {
                    Ok(file) => files.push(file),
                    Err(error) => {
                        on_event(SolverEvent::Unusable(&error));
                        files.push(None);
                    }
                }
            }
            if files.iter().any(Option::is_none) {
                break;
            }
            files
                .iter()
                .flatten()
                .for_each(|file| on_event(SolverEvent::Reused(file)));
            hand += 1;
        }
        // The layer to build on must be valid: a damaged one is solved again.
        while hand > 0 && hand <= self.task.last_hand {
            match self.below(hand).and_then(|file| file.check()) {
                Ok(()) => return hand,
                Err(error) => on_event(SolverEvent::Unusable(&error)),
            }
            hand -= 1;
        }
        hand
    }

    /// Opens the layer file from which the layers with `hand` goats in hand follow.
    fn below(&self, hand: u32) -> Result<LayerFile, EngineError> {
        let layer_id = self.layer_id(hand - 1, true);
        LayerFile::open(&self.task.folder, layer_id, &self.ranking)?
            .ok_or_else(|| EngineError::new(format!("there is no {}", layer_id.file_name())))
    }

    fn goats_to_move(&self, hand: u32) -> Result<Layer, EngineError> {
        let (ranking, scope) = (&self.ranking, &self.task.scope);
        let below = self.below(hand)?;
        Layer::of(
            &GoatsToMove::new(ranking, scope, hand, &below, &self.done),
            ranking,
        )
    }

    fn movement(&self, on_event: &(dyn Fn(SolverEvent) + Sync)) -> Result<(), EngineError> {
        let start = Instant::now();
        let (folder, scope) = (&self.task.folder, self.task.scope);
        let layer_id = self.layer_id(0, false);
        on_event(SolverEvent::Begins(layer_id, None));
        let (survey, checkpointer) = (self.survey(), self.checkpoint());
        let open = |length| {
            let blocks = movement::blocks(&self.ranking, &scope);
            PlyJournal::open(folder, &layer_id, &self.ranking, &blocks, length)
        };
        let resumed = checkpointer.read(&survey).and_then(|kept| {
            let plies = kept
                .as_ref()
                .map(|kept| open(Some(kept.plies.unwrap_or_default())));
            Ok((plies.transpose()?, kept))
        });
        let (plies, kept) = resumed.unwrap_or_else(|why| {
            on_event(SolverEvent::Unusable(&why));
            (None, None)
        });
        let mut plies = match plies {
            Some(plies) => plies,
            None => open(None)?,
        };
        if let Some(stage) = kept.as_ref().and_then(Checkpoint::stage) {
            on_event(SolverEvent::Resumed(stage));
        }
        let mut watch = |found: &PlyWins| {
            self.done.store(u64::from(found.plies), Ordering::Relaxed);
            on_event(SolverEvent::Ply(found.winner, found.plies, found.count()));
        };
        let context = SurveyContext {
            watch: &mut watch,
            checks: 0,
            checkpointer: Some(checkpointer),
            plies: Some(&mut plies),
        };
        let state = survey.run(kept, context)?;
        for (stats, tigers_to_move) in state.stats.iter().zip([false, true]) {
            let layer_id = self.layer_id(0, tigers_to_move);
            let layer = plies.layer(&self.ranking, &scope, tigers_to_move);
            let bytes = file::write(folder, &layer_id, &self.ranking, &layer, stats)?;
            on_event(SolverEvent::Finished(
                layer_id,
                stats,
                start.elapsed(),
                bytes,
            ));
        }
        // The checkpoint is obsolete. A failure to remove it is ignored.
        plies.remove();
        drop(std::fs::remove_file(layer_id.checkpoint_path(folder)));
        Ok(())
    }

    fn survey(&self) -> Survey {
        Survey::for_tables(self.task.scope, self.ranking.clone())
    }

    /// Returns the checkpointer of the movement phase.
    fn checkpoint(&self) -> Checkpointer {
        let path = self.layer_id(0, false).checkpoint_path(&self.task.folder);
        Checkpointer::new(&path, self.task.checkpoint)
    }

    fn placement(
        &self,
        hand: u32,
        moves: &[Vec<CubeMove>],
        on_event: &(dyn Fn(SolverEvent) + Sync),
    ) -> Result<(), EngineError> {
        let (folder, ranking, done) = (&self.task.folder, &self.ranking, &self.done);
        let start = Instant::now();
        let parts = ranking.sets.len() as u64;
        let layer_id = self.layer_id(hand, false);
        on_event(SolverEvent::Begins(layer_id, Some(parts)));
        let goats = self.goats_to_move(hand)?;
        let stats = LayerStats::of(ranking, &goats, false);
        let bytes = if layer_id.is_stored() {
            file::write(folder, &layer_id, ranking, &goats, &stats)?
        } else {
            0
        };
        on_event(SolverEvent::Finished(
            layer_id,
            &stats,
            start.elapsed(),
            bytes,
        ));
        let layer_id = self.layer_id(hand, true);
        if layer_id.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        done.store(0, Ordering::Relaxed);
        on_event(SolverEvent::Begins(layer_id, Some(parts)));
        // This layer is never whole in memory: it is computed and compressed cube by cube.
        let after = &goats;
        let tigers = TigersToMove { moves, after, done };
        let (bytes, stats) = file::write_counting(folder, &layer_id, ranking, &tigers)?;
        on_event(SolverEvent::Finished(
            layer_id,
            &stats,
            start.elapsed(),
            bytes,
        ));
        Ok(())
    }

    fn layer_id(&self, hand: u32, tigers_to_move: bool) -> LayerId {
        LayerId {
            scope: self.task.scope,
            hand,
            tigers_to_move,
        }
    }
}

#[cfg(test)]
mod tests;
