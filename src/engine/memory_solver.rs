//! Solves the game of an engine in memory on a separate thread, and keeps the result as an oracle.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use super::Report;
use crate::background_drop::drop_in_background;
use crate::clock::Instant;
use crate::control::Control;
use crate::error::EngineError;
use crate::rules::Rules;
use crate::settings::Settings;
use crate::solve::explicit::reachable::Extent;
use crate::solve::explicit::solution::{InMemoryPlan, PositionOf, Solution};
use crate::try_alloc;

/// A game is solved if the number of ways to place its pieces is at most `MAX_BOUND_FACTOR` times
/// [`SolveLimits::positions`]. The number of reachable positions would need a search. The factor allows for unreachable
/// positions: in `wolf-and-sheep`, 2.3 placements per reachable position.
const MAX_BOUND_FACTOR: u128 = 2;

/// A timed search waits for the solver for at most 1 / `WAIT_DIVISOR` of its time.
const WAIT_DIVISOR: u32 = 20;

/// Maximum number of positions of a *tiny* game. Every command waits for the solution of a tiny game. On a separate
/// thread, the solver takes milliseconds. Without threads, the first command waits for about a second, and later
/// commands use the result.
const TINY: u128 = if try_alloc::HAS_THREADS {
    20_000
} else {
    200_000
};

/// Maximum wait for a tiny game. The solver needs more than a few milliseconds only on a busy
/// machine.
const TINY_WAIT: Duration = Duration::from_secs(5);

/// Minimum memory of a solved position in bytes, to estimate the time for freeing a game.
const MIN_POSITION_BYTES: u64 = 16;

/// Interval between two checks of a running solver.
const POLL_INTERVAL: Duration = Duration::from_micros(100);

/// The resources that a solver may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SolveLimits {
    /// Maximum number of positions.
    pub positions: u64,
    /// Maximum memory in MiB.
    pub memory: u64,
}

impl SolveLimits {
    /// Returns the limits for solving without a `solve` command, or `None` if this is disabled.
    pub(crate) fn of(settings: &Settings) -> Option<Self> {
        (settings.solve_limit > 0).then_some(Self {
            positions: settings.solve_limit,
            memory: settings.memory_limit,
        })
    }
}

/// Maximum number of results kept: one for the start of the game, and one for a position that is unreachable from the
/// start.
const MAX_KEPT: usize = 2;

/// Solves the positions of an engine, one at a time.
pub(crate) struct MemorySolver<S: Solution> {
    /// The runs, oldest first. Only the last run can be unfinished.
    tasks: Vec<Arc<Task<S>>>,
}

/// The positions from which a game may be solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roots<P> {
    /// The position before the moves of the last `position` command.
    pub first: P,
    /// The current position, after the moves.
    pub present: P,
}

impl<S: Solution> Default for MemorySolver<S> {
    fn default() -> Self {
        Self { tasks: Vec::new() }
    }
}

/// One run of the solver. Its thread and the engine share it.
struct Task<S: Solution> {
    game: S::Game,
    root: PositionOf<S>,
    limits: SolveLimits,
    /// `true` for a tiny game (see [`TINY`]). Every command waits for its result.
    is_tiny: bool,
    is_cancelled: AtomicBool,
    /// `true` once no search waits for the result. From then on, the thread runs with low priority.
    is_deferred: AtomicBool,
    /// Number of positions found so far.
    positions: AtomicU64,
    result: OnceLock<Result<Arc<S>, EngineError>>,
}

impl<S: Solution> MemorySolver<S> {
    /// Returns the solved game that holds `position`, if there is one.
    pub(crate) fn solved(&self, position: &PositionOf<S>) -> Option<&Arc<S>> {
        let results = self.tasks.iter().filter_map(|task| task.result.get());
        let mut solved = results.filter_map(|result| result.as_ref().ok());
        solved.find(|solved| solved.holds(position))
    }

    /// Starts to solve the game if the current position is not solved. Returns `true` if a run is active.
    ///
    /// Tries three roots in this order: the start of the game, the position before the moves, and the current
    /// position. A result for the start usually includes the other two, and later games can use it. A root is skipped
    /// if it has too many positions, or if its solved game does not contain the current position.
    pub(crate) fn start(
        &mut self,
        game: &S::Game,
        roots: Roots<PositionOf<S>>,
        limits: SolveLimits,
    ) -> bool {
        if self.is_settled(game, &roots.present) {
            return false;
        }
        if self.is_running() {
            return true;
        }
        let root = self.next_root(game, roots, limits);
        root.is_some_and(|root| self.run(game, root, limits))
    }

    /// Returns `true` if [`MemorySolver::start`] would start a run, or if one is active that the current position waits for.
    pub(crate) fn can_solve(
        &self,
        game: &S::Game,
        roots: Roots<PositionOf<S>>,
        limits: SolveLimits,
    ) -> bool {
        let has_run = || self.is_running() || self.next_root(game, roots, limits).is_some();
        !self.is_settled(game, &roots.present) && has_run()
    }

    /// Returns `true` if `position` is solved or has no moves.
    fn is_settled(&self, game: &S::Game, position: &PositionOf<S>) -> bool {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        moves.is_empty() || self.solved(position).is_some()
    }

    /// Returns the first root that fits the limits and has not been tried with them.
    fn next_root(
        &self,
        game: &S::Game,
        Roots { first, present }: Roots<PositionOf<S>>,
        limits: SolveLimits,
    ) -> Option<PositionOf<S>> {
        // After a run has exceeded the position limit, the next roots may exceed it too, although their
        // upper bounds do not.
        let is_failed = |task: &Arc<Task<S>>| matches!(task.result.get(), Some(Err(_)));
        let factor = if self.tasks.iter().any(is_failed) {
            1
        } else {
            MAX_BOUND_FACTOR
        };
        let is_new = |root: &PositionOf<S>| {
            let mut tasks = self.tasks.iter();
            tasks.all(|task| task.root != *root || task.limits != limits)
        };
        let fits = |root: &PositionOf<S>| {
            let bound = S::positions_from(game, root);
            bound.is_some_and(|bound| bound <= factor * u128::from(limits.positions))
        };
        let roots = [game.start(), first, present];
        roots.into_iter().find(|root| is_new(root) && fits(root))
    }

    /// Starts to solve the game from `root`. Returns `true` if the thread could be started. Without threads, also
    /// returns `true`, and [`Task::wait`] does the work.
    fn run(&mut self, game: &S::Game, root: PositionOf<S>, limits: SolveLimits) -> bool {
        if self.running().is_some() {
            self.remove(self.tasks.len() - 1);
        }
        if self.tasks.len() == MAX_KEPT {
            let is_start = self.tasks[0].root == game.start();
            self.remove(usize::from(is_start));
        }
        let task = Arc::new(Task {
            game: game.clone(),
            root,
            limits,
            is_tiny: S::positions_from(game, &root).is_some_and(|bound| bound <= TINY),
            is_cancelled: AtomicBool::new(false),
            is_deferred: AtomicBool::new(false),
            positions: AtomicU64::new(0),
            result: OnceLock::new(),
        });
        let is_started = !try_alloc::HAS_THREADS || {
            let shared = Arc::clone(&task);
            let work = move || shared.run(&mut |task| task.is_cancelled.load(Ordering::Relaxed));
            let thread = thread::Builder::new().name("solver".into());
            thread.spawn(work).is_ok()
        };
        if is_started {
            self.tasks.push(task);
        }
        is_started
    }

    /// Returns `true` if a run is active.
    pub(crate) fn is_running(&self) -> bool {
        self.running().is_some()
    }

    /// Returns the active run, if there is one.
    fn running(&self) -> Option<&Arc<Task<S>>> {
        self.tasks.last().filter(|task| task.result.get().is_none())
    }

    /// Removes a task, and stops it if it is active. Its memory is freed in the background, so no search waits.
    fn remove(&mut self, index: usize) {
        let task = self.tasks.remove(index);
        task.is_cancelled.store(true, Ordering::Relaxed);
        let bytes = task.positions.load(Ordering::Relaxed) * MIN_POSITION_BYTES;
        drop_in_background(task, bytes);
    }

    /// Solves the game before a search, if `limits` permit. A search without a clock waits for the result. A search
    /// with a clock waits for 1 / [`WAIT_DIVISOR`] of its time. After that, the run continues with the lowest
    /// priority.
    pub(crate) fn solve_within(
        &mut self,
        game: &S::Game,
        roots: Roots<PositionOf<S>>,
        limits: SolveLimits,
        control: &mut Control,
    ) {
        let deadline = control
            .time_left()
            .map(|left| Instant::now() + left / WAIT_DIVISOR);
        self.solve_until(game, roots, limits, &mut |task| {
            // Sleeping beyond the deadline would take time from the search.
            let next_poll = Instant::now() + 2 * POLL_INTERVAL;
            let is_late = deadline.is_some_and(|deadline| next_poll >= deadline);
            let gives_up = is_late || control.poll().is_err();
            task.is_deferred.store(gives_up, Ordering::Relaxed);
            gives_up
        });
    }

    /// Solves the game, if `limits` permit. Waits for the result for at most `time`. For a tiny game, waits for at
    /// least [`TINY_WAIT`] if necessary.
    pub(crate) fn solve_in(
        &mut self,
        game: &S::Game,
        roots: Roots<PositionOf<S>>,
        limits: SolveLimits,
        time: Duration,
    ) {
        let begin = Instant::now();
        self.solve_until(game, roots, limits, &mut |task| {
            let max_wait = match (task.is_tiny, try_alloc::HAS_THREADS) {
                (true, _) => time.max(TINY_WAIT),
                (false, true) => time,
                // Without threads, an unfinished run is lost after `time`, so none is started.
                (false, false) => Duration::ZERO,
            };
            begin.elapsed() >= max_wait
        });
    }

    /// Solves the game, if `limits` permit. Waits until there is a result or `gives_up` returns `true`.
    fn solve_until(
        &mut self,
        game: &S::Game,
        roots: Roots<PositionOf<S>>,
        limits: SolveLimits,
        gives_up: &mut dyn FnMut(&Task<S>) -> bool,
    ) {
        while self.start(game, roots, limits) {
            if let Some(task) = self.running()
                && !task.wait(gives_up)
            {
                return;
            }
        }
    }

    /// Solves the game on request, with at most `max_positions` positions. About once a second, reports the number of
    /// positions found so far.
    ///
    /// # Errors
    /// If the game does not fit the limits, if `control` stops the run, or if no thread starts. Then no result is kept.
    pub(crate) fn solve(
        &mut self,
        plan: &InMemoryPlan<S>,
        max_positions: Option<u64>,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<Arc<S>, EngineError> {
        plan.fits()?;
        let positions = max_positions.unwrap_or(u64::MAX);
        let memory = plan.memory;
        let is_started = self.run(plan.game, plan.root, SolveLimits { positions, memory });
        let task = if is_started { self.tasks.pop() } else { None };
        let task = task.ok_or_else(|| EngineError::failed("no thread can be started"))?;
        let mut next_report = Instant::now() + PROGRESS_INTERVAL;
        let is_done = task.wait(&mut |task| {
            if Instant::now() >= next_report {
                next_report += PROGRESS_INTERVAL;
                report(Report::Solving(task.positions.load(Ordering::Relaxed)));
            }
            control.poll().is_err()
        });
        let result = task.result.get().filter(|_| is_done).cloned();
        let found = task.positions.load(Ordering::Relaxed);
        let result = result.ok_or_else(|| {
            task.is_cancelled.store(true, Ordering::Relaxed);
            EngineError::failed(format!(
                "solving was stopped after {found} positions; nothing is kept"
            ))
        })?;
        let solved = result.map_err(|error| {
            if task.positions.load(Ordering::Relaxed) > positions {
                EngineError::failed(format!("{error}; {}", plan.forecast.describe()))
            } else {
                error
            }
        })?;
        self.tasks.push(task);
        Ok(solved)
    }

    /// Cancels a running solver and drops all solved games.
    pub(crate) fn cancel(&mut self) {
        while !self.tasks.is_empty() {
            self.remove(0);
        }
    }
}

/// Interval between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

impl<S: Solution> Drop for MemorySolver<S> {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl<S: Solution> Task<S> {
    /// Waits for the result until `gives_up` returns `true`. Returns `true` if there is a result. Without threads,
    /// solves the game on this thread; if `gives_up` ends the run, its work is lost.
    fn wait(&self, gives_up: &mut dyn FnMut(&Self) -> bool) -> bool {
        if !try_alloc::HAS_THREADS {
            self.run(gives_up);
            return self.result.get().is_some();
        }
        while self.result.get().is_none() {
            if gives_up(self) {
                return false;
            }
            thread::sleep(POLL_INTERVAL);
        }
        true
    }

    /// Solves the game and stores the result, unless `gives_up` returns `true` before.
    fn run(&self, gives_up: &mut dyn FnMut(&Self) -> bool) {
        let mut has_low_priority = false;
        let mut is_given_up = false;
        let mut watch = |extent: Extent| {
            self.positions.store(extent.positions, Ordering::Relaxed);
            if !has_low_priority && self.is_deferred.load(Ordering::Relaxed) {
                has_low_priority = true;
                lower_priority();
            }
            is_given_up = gives_up(self);
            if is_given_up {
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
        let solved = S::solve_from(
            self.game.clone(),
            self.root,
            self.limits.memory,
            None,
            &mut watch,
        );
        if !is_given_up {
            // Only one thread runs the task, so the result is not set yet.
            let _ = self.result.set(solved.map(Arc::new));
        }
    }
}

/// Lowers the priority of this thread, if the system has thread priorities.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(19) {
        log::debug!("cannot lower the priority of the solver: {error}");
    }
}
