//! Search algorithms for puzzles: one file per algorithm, and the traits that a puzzle implements.
//!
//! All algorithms count nodes in the same way. A node is *generated* when it is created; the root counts once. A
//! node is *expanded* when its successors are generated. The move that undoes the previous move is skipped and
//! generates no node.
//!
//! # How to add a heuristic
//!
//! 1. Write a type that implements `Heuristic<Tiles>` in `src/games/tiles/heuristics.rs` or beside it. Its estimate
//!    of the goal is 0. If an estimate can exceed the true distance, `is_admissible` returns `false`.
//! 2. Add a variant to `HeuristicName` in `src/settings.rs`, and the match arm that the compiler then requires. The
//!    option `Heuristic`, `eval` and `puli compare` accept the new name.
//! 3. Add the type to the lists in `tests/library/puzzles.rs`, which compare every heuristic with the true distances
//!    of the 8-puzzle.

pub(crate) mod astar;
pub(crate) mod bfs;
pub(crate) mod first_moves;
pub(crate) mod greedy;
pub mod idastar;
pub(crate) mod iddfs;
pub(crate) mod observer;
pub(crate) mod store;

use std::sync::Arc;

use crate::control::{Control, MAX_DEPTH, Stopped, workers};
use crate::random::Random;
use crate::rules::{Notation, Puzzle, Rules};
use crate::settings::{Algorithm, HeuristicName, Settings};
use crate::try_alloc::{BuildError, OutOfMemory};

/// The algorithms for puzzles, in the order in which `puli compare` lists them.
pub(crate) const ALGORITHMS: &[Algorithm] = &[
    Algorithm::Auto,
    Algorithm::Bfs,
    Algorithm::Iddfs,
    Algorithm::Greedy,
    Algorithm::Astar,
    Algorithm::Idastar,
];

/// An estimate of the distance to the goal. The estimate of the goal is 0.
pub trait Heuristic<R: Rules>: Send + Sync {
    /// Returns the estimated distance from `position` to the goal, in moves.
    fn estimate(&self, puzzle: &R, position: &R::Position) -> u32;

    /// Returns `true` if the estimate never exceeds the true distance.
    fn is_admissible(&self) -> bool {
        true
    }
}

/// The estimate 0 for every position. With it, A* is uniform-cost search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZeroHeuristic;

impl<R: Rules> Heuristic<R> for ZeroHeuristic {
    #[inline]
    fn estimate(&self, _puzzle: &R, _position: &R::Position) -> u32 {
        0
    }
}

/// The result of a search. A search that the control stops returns the error [`Stopped`] instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveOutcome<M> {
    /// A solution: the moves from the start to the goal.
    Solved(Vec<M>),
    /// Every reachable position was generated, and no goal was found.
    Unsolvable,
    /// The stored nodes reached the size of [`SolveContext::memory_limit`].
    MemoryLimit,
    /// The system refused an allocation, although the memory limit was not reached.
    OutOfMemory(OutOfMemory),
    /// No solution has at most [`SolveContext::max_depth`] moves.
    DepthLimit,
    /// The last reported [`Progress::Solution`] is the best solution of this search; a shorter one may exist.
    BestEffort,
}

/// An intermediate result of a search.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a, M> {
    /// A lower bound on the solution length, in moves. It is valid only for an admissible heuristic or without one.
    Bound(u32),
    /// A solution, not necessarily a shortest one.
    Solution(&'a [M]),
    /// A failure that does not stop the search, such as fewer threads than requested.
    Warning(&'a str),
}

/// The input, the limits and the statistics of one search for a solution.
pub struct SolveContext<'a, P: Puzzle> {
    /// The rules of the puzzle.
    pub puzzle: &'a P,
    /// The start position.
    pub start: P::Position,
    /// The heuristic that guides the search.
    pub heuristic: &'a dyn Heuristic<P>,
    /// Maximum length of a solution, in moves.
    pub max_depth: u32,
    /// Maximum size of the stored nodes, in bytes.
    pub memory_limit: u64,
    /// Counts generated nodes, and stops the search at its limits.
    pub control: &'a mut Control,
    /// A function that is called with every intermediate result.
    pub progress: &'a mut dyn FnMut(Progress<P::Move>, &Control),
    /// Number of expanded nodes.
    pub expanded: u64,
    /// Peak size of the stored nodes, in bytes.
    pub(crate) peak_memory: u64,
}

impl<'a, P: Puzzle> SolveContext<'a, P> {
    /// Creates a context without limits on depth and memory.
    pub fn new(
        puzzle: &'a P,
        start: P::Position,
        heuristic: &'a dyn Heuristic<P>,
        control: &'a mut Control,
        progress: &'a mut dyn FnMut(Progress<P::Move>, &Control),
    ) -> Self {
        Self {
            puzzle,
            start,
            heuristic,
            max_depth: MAX_DEPTH,
            memory_limit: u64::MAX,
            control,
            progress,
            expanded: 0,
            peak_memory: 0,
        }
    }

    /// Appends the legal moves of `position` to `out`, except the inverse of `last`.
    #[inline]
    pub(crate) fn successors(
        &self,
        position: &P::Position,
        last: Option<P::Move>,
        out: &mut Vec<P::Move>,
    ) {
        let base = out.len();
        self.puzzle.moves(position, out);
        let mut end = base;
        let undo = last.and_then(|last| self.puzzle.inverse(last));
        for index in base..out.len() {
            let m = out[index];
            if Some(m) != undo {
                out[end] = m;
                end += 1;
            }
        }
        out.truncate(end);
    }

    /// Runs `work` on `threads` threads and returns their results, the current thread's first.
    ///
    /// If fewer threads start, reports a warning and lowers `threads` to their number.
    pub(crate) fn run_workers<A: Send>(
        &mut self,
        threads: &mut usize,
        work: impl Fn(&mut Control) -> A + Sync,
    ) -> Vec<A> {
        let results = workers::run(
            self.control,
            1..*threads,
            |_, control| work(control),
            |control, _| work(control),
        );
        *threads -= results.not_started;
        if results.not_started > 0 {
            let warning = format!("started only {threads} threads; continuing");
            (self.progress)(Progress::Warning(&warning), self.control);
        }
        std::iter::once(results.leader)
            .chain(results.helpers)
            .collect()
    }

    /// Reports `bound` as a lower bound on the solution length, in moves.
    pub(crate) fn report_bound(&mut self, bound: u32) {
        (self.progress)(Progress::Bound(bound), self.control);
    }

    fn estimate(&self, position: &P::Position) -> u32 {
        self.heuristic.estimate(self.puzzle, position)
    }
}

/// A puzzle that the engine can run.
pub trait EnginePuzzle: Puzzle + Notation {
    /// The puzzle's own search algorithms, with the tables that they cache between searches.
    type Solver: PuzzleSolver<Self>;

    /// Returns a goal position.
    fn goal(&self) -> Self::Position;

    /// Returns a random position from which the goal can be reached.
    fn random(&self, random: &mut Random) -> Self::Position;

    /// Returns a lower bound on the number of moves to the goal, without tables or search.
    fn lower_bound(&self, position: &Self::Position) -> u32;

    /// Returns `true` if [`heuristic`](Self::heuristic) can build the heuristic `name`. Heuristics of
    /// [`Self::Solver`] are not included.
    fn has_heuristic(&self, name: HeuristicName) -> bool;

    /// Builds the heuristic `name`. [`HeuristicName::Auto`] selects the best heuristic that does
    /// not need [`Self::Solver`].
    ///
    /// Returns `None` if the puzzle has no such heuristic. A slow construction calls `watch` every few milliseconds
    /// and stops if `watch` returns an error.
    ///
    /// # Errors
    /// `BuildError` if `watch` stops the construction or an allocation fails.
    fn heuristic(
        &self,
        name: HeuristicName,
        watch: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<Option<Arc<dyn Heuristic<Self>>>, BuildError>;
}

/// The specialized search algorithms of a puzzle, and their cached tables.
pub trait PuzzleSolver<P: Puzzle>: Send + Default {
    /// Returns `true` if the solver can build the heuristic `name`.
    fn provides(_name: HeuristicName) -> bool {
        false
    }

    /// Builds the heuristic of `settings`. Returns `None` if the solver does not provide it.
    ///
    /// # Errors
    /// `BuildError` if `control` stops the construction or an allocation fails.
    fn heuristic(
        &mut self,
        puzzle: &P,
        settings: &Settings,
        control: &mut Control,
        report: &mut dyn FnMut(Progress<P::Move>, &Control),
    ) -> Result<Option<Arc<dyn Heuristic<P>>>, BuildError>;

    /// Returns `true` if `folder` (the option `TablebasePath`) contains tables of this puzzle.
    fn has_tables_in(&self, _puzzle: &P, _folder: &str) -> bool {
        false
    }

    /// Returns `true` if [`PuzzleSolver::solve`] runs a specialized search for these settings.
    fn is_specialized(_puzzle: &P, _settings: &Settings) -> bool {
        false
    }

    /// Builds and caches the tables that [`PuzzleSolver::solve`] needs.
    ///
    /// # Errors
    /// `BuildError` if `control` stops the construction or an allocation fails.
    fn prepare(
        &mut self,
        _puzzle: &P,
        _settings: &Settings,
        _control: &mut Control,
        _report: &mut dyn FnMut(Progress<P::Move>, &Control),
    ) -> Result<(), BuildError> {
        Ok(())
    }

    /// Solves `context` with the specialized search for `settings`. Returns `None` if there is none.
    ///
    /// A returned solution is shortest unless it was already reported as [`Progress::Solution`].
    ///
    /// # Errors
    /// [`Stopped`] if the control stops the search.
    fn solve(
        &mut self,
        context: &mut SolveContext<P>,
        settings: &Settings,
    ) -> Option<Result<SolveOutcome<P::Move>, Stopped>>;
}

/// The solver of puzzles without specialized algorithms.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSolver;

impl<P: Puzzle> PuzzleSolver<P> for NoSolver {
    fn solve(
        &mut self,
        _context: &mut SolveContext<P>,
        _settings: &Settings,
    ) -> Option<Result<SolveOutcome<P::Move>, Stopped>> {
        None
    }

    fn heuristic(
        &mut self,
        _puzzle: &P,
        _settings: &Settings,
        _control: &mut Control,
        _report: &mut dyn FnMut(Progress<P::Move>, &Control),
    ) -> Result<Option<Arc<dyn Heuristic<P>>>, BuildError> {
        Ok(None)
    }
}
