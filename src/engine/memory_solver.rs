//! Solves the game of an engine in memory, on a thread of its own, and keeps the result as an oracle.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use super::Report;
use crate::control::{Control, Stopped};
use crate::error::EngineError;
use crate::path::Path;
use crate::rules::Game;
use crate::solve::explicit::in_memory::{self, InMemoryForecast, SolvedGame};
use crate::solve::explicit::reachable::Extent;

/// A game is only solved unasked if the bound on its positions is at most this multiple of the limit. Bounds from the numbers
/// of pieces exceed the reachable positions, for `wolf-and-sheep` by a factor of 2.3.
const MAX_BOUND_FACTOR: u128 = 2;

/// A timed search waits for the solver for at most 1 / `WAIT_DIVISOR` of its time.
const WAIT_DIVISOR: u32 = 20;

/// Games with at most this number of positions are solved in milliseconds.
const TINY: u128 = 20_000;

/// Maximum wait for a tiny game. Only a busy machine takes longer than milliseconds.
const TINY_WAIT: Duration = Duration::from_secs(5);

/// Interval between two looks at a running solver.
const POLL_INTERVAL: Duration = Duration::from_micros(100);

/// What a solver may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SolveLimits {
    /// Maximum number of positions.
    pub positions: u64,
    /// Maximum memory in MiB.
    pub memory: u64,
}

/// Solves the positions that an engine is asked about, one game at a time.
pub(crate) struct MemorySolver<G: Game> {
    task: Option<Arc<Task<G>>>,
}

impl<G: Game> Default for MemorySolver<G> {
    fn default() -> Self {
        Self { task: None }
    }
}

/// One run of the solver. Its thread and the engine share it.
struct Task<G: Game> {
    game: G,
    root: G::Position,
    limits: SolveLimits,
    /// `true` if it takes milliseconds, so that every command can wait for the result.
    is_tiny: bool,
    is_cancelled: AtomicBool,
    /// `true` once no search waits for the result any more, so that the thread should use idle time only.
    is_deferred: AtomicBool,
    /// Number of positions found so far.
    positions: AtomicU64,
    result: OnceLock<Result<Arc<SolvedGame<G>>, EngineError>>,
}

impl<G: Game> MemorySolver<G> {
    /// Returns the solved game if it holds `position`.
    pub(crate) fn solved(&self, position: &G::Position) -> Option<&Arc<SolvedGame<G>>> {
        let solved = self.task.as_ref()?.result.get()?.as_ref().ok()?;
        solved.value(position).is_some().then_some(solved)
    }

    /// Starts to solve the game from the first position of `path`, or from the last one if that is too large. Does nothing if
    /// neither fits `limits`, or if the last position is solved, being solved, or failed to be solved before.
    pub(crate) fn start(&mut self, game: &G, path: &Path<G>, limits: SolveLimits) {
        let position = path.position();
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        if moves.is_empty() || self.solved(position).is_some() {
            return;
        }
        let previous = self.task.as_deref().filter(|task| task.game == *game);
        let result = previous.map(|task| task.result.get());
        if matches!(result, Some(None)) {
            return;
        }
        // After a failure, bounds of other positions must fit without the factor.
        let has_failed = result.flatten().is_some_and(Result::is_err);
        let factor = if has_failed { 1 } else { MAX_BOUND_FACTOR };
        let fits = |root: &&G::Position| {
            let bound = in_memory::positions_from(game, root);
            let is_repeated =
                previous.is_some_and(|task| task.root == **root && task.limits == limits);
            !is_repeated
                && bound.is_some_and(|bound| bound <= factor * u128::from(limits.positions))
        };
        let first = path.positions().next().filter(fits);
        if let Some(&root) = first.or(Some(position).filter(fits)) {
            self.run(game, root, limits);
        }
    }

    /// Starts to solve the game from `root`.
    fn run(&mut self, game: &G, root: G::Position, limits: SolveLimits) {
        self.cancel();
        let task = Arc::new(Task {
            game: game.clone(),
            root,
            limits,
            is_tiny: in_memory::positions_from(game, &root).is_some_and(|bound| bound <= TINY),
            is_cancelled: AtomicBool::new(false),
            is_deferred: AtomicBool::new(false),
            positions: AtomicU64::new(0),
            result: OnceLock::new(),
        });
        let shared = Arc::clone(&task);
        let thread = thread::Builder::new().name("solver".into());
        self.task = thread.spawn(move || shared.run()).is_ok().then_some(task);
    }

    /// Waits for a running solver as long as the limits of a search allow: until it is done without a clock, for a small part
    /// of the time with one.
    pub(crate) fn wait(&self, control: &mut Control) {
        let Some(task) = &self.task else {
            return;
        };
        let deadline = control
            .time_left()
            .map(|left| Instant::now() + left / WAIT_DIVISOR);
        while task.result.get().is_none() {
            let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_late || control.poll().is_err() {
                task.is_deferred.store(true, Ordering::Relaxed);
                return;
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Waits for a running solver for at most `time`, or at most [`TINY_WAIT`] if the game is tiny.
    pub(crate) fn wait_at_most(&self, time: Duration) {
        let Some(task) = &self.task else {
            return;
        };
        let deadline = Instant::now()
            + if task.is_tiny {
                time.max(TINY_WAIT)
            } else {
                time
            };
        while task.result.get().is_none() && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Solves the game from `root` on request, with at most `max_positions` positions and `memory` MiB. Reports the number of
    /// positions found about once a second.
    ///
    /// # Errors
    /// If the game does not fit the limits, if `control` stops, or if no thread starts. Nothing is kept then.
    pub(crate) fn solve(
        &mut self,
        game: &G,
        root: G::Position,
        (max_positions, memory): (Option<u64>, u64),
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<Arc<SolvedGame<G>>, EngineError> {
        let forecast = InMemoryForecast::of(game, root)?;
        forecast.fits(memory)?;
        let positions = max_positions.unwrap_or(u64::MAX);
        self.run(game, root, SolveLimits { positions, memory });
        let task = self.task.take();
        let task = task.ok_or_else(|| EngineError::failed("no thread can be started"))?;
        let mut next_report = Instant::now() + PROGRESS_INTERVAL;
        let result = loop {
            let found = task.positions.load(Ordering::Relaxed);
            if let Some(result) = task.result.get() {
                break result.clone();
            }
            if let Err(Stopped) = control.poll() {
                task.is_cancelled.store(true, Ordering::Relaxed);
                return Err(EngineError::failed(format!(
                    "solving was stopped after {found} positions; nothing is kept"
                )));
            }
            if Instant::now() >= next_report {
                next_report += PROGRESS_INTERVAL;
                report(Report::Solving(found));
            }
            thread::sleep(POLL_INTERVAL);
        };
        let solved = result.map_err(|error| {
            if task.positions.load(Ordering::Relaxed) > positions {
                EngineError::failed(format!("{error}; {}", forecast.describe()))
            } else {
                error
            }
        })?;
        self.task = Some(task);
        Ok(solved)
    }

    /// Cancels a running solver and drops the solved game.
    pub(crate) fn cancel(&mut self) {
        if let Some(task) = self.task.take() {
            task.is_cancelled.store(true, Ordering::Relaxed);
        }
    }
}

/// Interval between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

impl<G: Game> Drop for MemorySolver<G> {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl<G: Game> Task<G> {
    fn run(&self) {
        let mut has_low_priority = false;
        let mut watch = |extent: Extent| {
            self.positions.store(extent.positions, Ordering::Relaxed);
            if !has_low_priority && self.is_deferred.load(Ordering::Relaxed) {
                has_low_priority = true;
                lower_priority();
            }
            if self.is_cancelled.load(Ordering::Relaxed) {
                return Err(EngineError::failed("cancelled"));
            }
            if extent.positions > self.limits.positions {
                return Err(EngineError::failed(format!(
                    "the game has more than {} positions",
                    self.limits.positions
                )));
            }
            Ok(())
        };
        let solved =
            SolvedGame::solve(self.game.clone(), self.root, self.limits.memory, &mut watch);
        // The result is set once, by this thread.
        let _ = self.result.set(solved.map(Arc::new));
    }
}

/// Lets other threads run first, where the system has priorities for threads.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(19) {
        log::debug!("the solver keeps its priority: {error}");
    }
}
