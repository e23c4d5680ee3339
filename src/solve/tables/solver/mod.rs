//! Solves a game layer by layer into a folder, and resumes from finished layers.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::drop_phase;
use super::file::{self, EXTENSION, LayerId, PART};
use super::forecast::SolveForecast;
use super::probe::Tables;
use super::reader::LayerFile;
use crate::durable::{self, ArtifactKinds, Journal};
use crate::error::EngineError;
use crate::games::hunt::Hunt;
use crate::oracle::Verdict;
use crate::rules::Rules;
use crate::solve::bitset::cube_permutation::CubeMove;
use crate::solve::bitset::layer::{BYTES_INSIDE, Layer, Scope};
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::movement::Stage;
use crate::solve::bitset::placement::{GoatsToMove, TigersToMove};
use crate::solve::bitset::ply_journal::PlyJournal;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::survey::{Checkpoint, Checkpointer, Survey, SurveyContext};
use crate::solve::bitset::wins::Found;
use crate::solve::bitset::{movement, survey};
use crate::units;
use crate::value::Side;

/// Bytes of memory for threads and small data besides the layers.
const RESERVE: u64 = 128 << 20;

/// The kinds of table files, finished and partial, whose leftovers [`sweep`](crate::durable::sweep) removes.
const KIN: ArtifactKinds = ArtifactKinds {
    is_name: |name| {
        [EXTENSION, PART]
            .iter()
            .any(|ending| name.ends_with(ending))
    },
    magics: &[&file::KIND.magic, &survey::KIND.magic],
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
        let whole = needed + RESERVE;
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
    pub fn value_of_start(&self, game: &Hunt) -> Result<Option<Verdict>, EngineError> {
        let Scope { board, goats } = self.task.scope;
        // The tables of a game with fewer goats belong to a board with fewer goats.
        let board = if goats == board.goats {
            board
        } else {
            board.with_goats(goats)
        };
        let (tables, _) = Tables::open(&self.task.folder, board)?;
        drop_phase::value(game, &game.start(), &mut |position| tables.probe(position))
    }

    /// Counts the finished layers without a file, except those in `counted` (goats in hand, tigers to move). They are
    /// computed again.
    pub fn count_the_rest(
        &self,
        counted: &BTreeSet<(u32, bool)>,
    ) -> Result<Vec<(LayerId, Vec<LayerStats>)>, EngineError> {
        let labels = (1..=self.task.last_hand).map(|hand| self.label(hand, false));
        let rest =
            labels.filter(|label| !label.is_stored() && !counted.contains(&(label.hand, false)));
        rest.map(|label| {
            let layer = self.goats_to_move(label.hand)?;
            Ok((label, LayerStats::of(&self.ranking, &layer, false)))
        })
        .collect()
    }

    /// Solves layer after layer and reports every step to `news`.
    pub fn run(&self, news: &(dyn Fn(SolverEvent) + Sync)) -> Result<(), EngineError> {
        let folder = &self.task.folder;
        let _claim = durable::prepare_folder(folder, &KIN)?;
        // Files of another game are not overwritten.
        let layers = LayerId::stored(self.task.scope);
        let mut strange =
            layers.filter_map(|label| LayerFile::of_another_game(folder, label, &self.ranking));
        let begun = || self.checkpoint().of_another_game(&self.survey());
        if let Some(refusal) = strange.next().or_else(begun) {
            return Err(EngineError::new(format!(
                "{refusal}; choose another folder, or remove it"
            )));
        }
        let there = LayerId::stored(self.task.scope).map(|label| label.path(folder));
        let plies = PlyJournal::path(folder, &self.label(0, false));
        let there: u64 = there
            .chain([plies])
            .filter_map(|path| path.metadata().ok())
            .map(|file| file.len())
            .sum();
        durable::require_space(
            folder,
            self.forecast().disk_on_the_way.saturating_sub(there),
        )?;
        let first = self.resume(news);
        if first > 0 {
            let label = self.label(0, false);
            PlyJournal::sweep(folder, &label);
            Journal::remove_at(&label.path_of_stage(folder), survey::KIND);
        }
        let mut moves = Vec::new();
        for hand in first..=self.task.last_hand {
            self.done.store(0, Ordering::Relaxed);
            if hand == 0 {
                self.movement(news)?;
                continue;
            }
            if moves.is_empty() {
                moves = CubeMove::of_every_set(&self.ranking, BYTES_INSIDE);
            }
            self.placement(hand, &moves, news)?;
        }
        Ok(())
    }

    /// Returns the goats in hand of the first layer to solve.
    fn resume(&self, news: &(dyn Fn(SolverEvent) + Sync)) -> u32 {
        let mut hand = 0;
        while hand <= self.task.last_hand {
            let mut files = Vec::new();
            for tigers_to_move in [false, true] {
                let label = self.label(hand, tigers_to_move);
                if !label.is_stored() {
                    continue;
                }
                match LayerFile::open(&self.task.folder, label, &self.ranking) {
                    Ok(file) => files.push(file),
                    Err(refusal) => {
                        news(SolverEvent::Unusable(&refusal));
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
                .for_each(|file| news(SolverEvent::Reused(file)));
            hand += 1;
        }
        // The layer to build on must be valid: a damaged one is solved again.
        while hand > 0 && hand <= self.task.last_hand {
            match self.below(hand).and_then(|file| file.check()) {
                Ok(()) => return hand,
                Err(refusal) => news(SolverEvent::Unusable(&refusal)),
            }
            hand -= 1;
        }
        hand
    }

    /// Opens the layer file from which the layers with `hand` goats in hand follow.
    fn below(&self, hand: u32) -> Result<LayerFile, EngineError> {
        let label = self.label(hand - 1, true);
        LayerFile::open(&self.task.folder, label, &self.ranking)?
            .ok_or_else(|| EngineError::new(format!("there is no {}", label.file_name())))
    }

    fn goats_to_move(&self, hand: u32) -> Result<Layer, EngineError> {
        let (ranking, scope) = (&self.ranking, &self.task.scope);
        let below = self.below(hand)?;
        Layer::of(
            &GoatsToMove::new(ranking, scope, hand, &below, &self.done),
            ranking,
        )
    }

    fn movement(&self, news: &(dyn Fn(SolverEvent) + Sync)) -> Result<(), EngineError> {
        let start = Instant::now();
        let (folder, scope) = (&self.task.folder, self.task.scope);
        let label = self.label(0, false);
        news(SolverEvent::Begins(label, None));
        let (survey, keeper) = (self.survey(), self.checkpoint());
        let open = |length| {
            let blocks = movement::blocks(&self.ranking, &scope);
            PlyJournal::open(folder, &label, &self.ranking, &blocks, length)
        };
        let taken_up = keeper.read(&survey).and_then(|kept| {
            let plies = kept
                .as_ref()
                .map(|kept| open(Some(kept.plies.unwrap_or_default())));
            Ok((plies.transpose()?, kept))
        });
        let (plies, kept) = taken_up.unwrap_or_else(|why| {
            news(SolverEvent::Unusable(&why));
            (None, None)
        });
        let mut plies = match plies {
            Some(plies) => plies,
            None => open(None)?,
        };
        if let Some(stage) = kept.as_ref().and_then(Checkpoint::stage) {
            news(SolverEvent::Resumed(stage));
        }
        let mut watch = |found: &Found| {
            self.done.store(u64::from(found.plies), Ordering::Relaxed);
            news(SolverEvent::Ply(found.winner, found.plies, found.count()));
        };
        let means = SurveyContext {
            watch: &mut watch,
            checks: 0,
            checkpoint: Some(keeper),
            plies: Some(&mut plies),
        };
        let record = survey.run(kept, means)?;
        for (tallies, tigers_to_move) in record.tallies.iter().zip([false, true]) {
            let label = self.label(0, tigers_to_move);
            let layer = plies.layer(&self.ranking, &scope, tigers_to_move);
            let bytes = file::write(folder, &label, &self.ranking, &layer, tallies)?;
            news(SolverEvent::Finished(
                label,
                tallies,
                start.elapsed(),
                bytes,
            ));
        }
        // The checkpoint is obsolete. A failure to remove it is ignored.
        plies.remove();
        drop(std::fs::remove_file(label.path_of_stage(folder)));
        Ok(())
    }

    fn survey(&self) -> Survey {
        Survey::of_tables(self.task.scope, self.ranking.clone())
    }

    /// Returns the checkpointer of the movement phase.
    fn checkpoint(&self) -> Checkpointer {
        let path = self.label(0, false).path_of_stage(&self.task.folder);
        Checkpointer::new(&path, self.task.checkpoint)
    }

    fn placement(
        &self,
        hand: u32,
        moves: &[Vec<CubeMove>],
        news: &(dyn Fn(SolverEvent) + Sync),
    ) -> Result<(), EngineError> {
        let (folder, ranking, done) = (&self.task.folder, &self.ranking, &self.done);
        let start = Instant::now();
        let parts = ranking.sets.len() as u64;
        let label = self.label(hand, false);
        news(SolverEvent::Begins(label, Some(parts)));
        let goats = self.goats_to_move(hand)?;
        let tallies = LayerStats::of(ranking, &goats, false);
        let bytes = if label.is_stored() {
            file::write(folder, &label, ranking, &goats, &tallies)?
        } else {
            0
        };
        news(SolverEvent::Finished(
            label,
            &tallies,
            start.elapsed(),
            bytes,
        ));
        let label = self.label(hand, true);
        if label.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        done.store(0, Ordering::Relaxed);
        news(SolverEvent::Begins(label, Some(parts)));
        // This layer is never whole in memory: it is computed and compressed cube by cube.
        let after = &goats;
        let tigers = TigersToMove { moves, after, done };
        let (bytes, tallies) = file::write_counting(folder, &label, ranking, &tigers)?;
        news(SolverEvent::Finished(
            label,
            &tallies,
            start.elapsed(),
            bytes,
        ));
        Ok(())
    }

    fn label(&self, hand: u32, tigers_to_move: bool) -> LayerId {
        LayerId {
            scope: self.task.scope,
            hand,
            tigers_to_move,
        }
    }
}

#[cfg(test)]
mod tests;
