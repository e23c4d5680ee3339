//! The searches for puzzles, one file per algorithm: blind, greedy and best-first. They know rules, never a protocol.
//!
//! All count alike: a node is counted when it is made, the root once, and the move that undoes the one before is never
//! made; a node is examined when its successors are made.
//!
//! # How to add a heuristic
//!
//! 1. Write a type in `src/games/tiles/heuristics.rs`, or beside it, that implements `Heuristic<Tiles>`: an estimate that is 0 at the goal; one that can
//!    exceed the true distance says so in `is_admissible`.
//! 2. Give it a name in `HeuristicName` of `src/settings.rs`, and the line that the compiler asks for then. The option `Heuristic`,
//!    `eval` and `puli compare` have it now.
//! 3. Add it to the lists of `tests/suite/puzzles.rs`, which hold it against the true distances of all 8-puzzles.

pub mod astar;
pub mod bfs;
pub mod first_moves;
pub mod greedy;
pub mod idastar;
pub mod iddfs;
mod store;

use std::sync::Arc;

use crate::control::{Control, MAX_DEPTH, Stopped, workers};
use crate::random::Random;
use crate::rules::{Notation, Puzzle, Rules};
use crate::settings::{Algorithm, HeuristicName, Settings};
use crate::try_alloc::{BuildError, OutOfMemory};

/// The algorithms that puzzles run, in the order in which to compare them.
pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm::Auto,
    Algorithm::Bfs,
    Algorithm::Iddfs,
    Algorithm::Greedy,
    Algorithm::Astar,
    Algorithm::Idastar,
];

/// An estimate of the moves left to the goal; 0 at the goal.
pub trait Heuristic<R: Rules>: Send + Sync {
    /// The estimate, in moves.
    fn estimate(&self, puzzle: &R, position: &R::Position) -> u32;

    /// Whether the estimate never exceeds the true distance.
    fn is_admissible(&self) -> bool {
        true
    }
}

/// Knows nothing.
#[derive(Clone, Copy, Debug)]
pub struct ZeroHeuristic;

impl<R: Rules> Heuristic<R> for ZeroHeuristic {
    #[inline]
    fn estimate(&self, _puzzle: &R, _position: &R::Position) -> u32 {
        0
    }
}

/// How a search that was not stopped has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveOutcome<M> {
    /// A way to the goal.
    Solved(Vec<M>),
    /// All there is to see has been seen.
    Unsolvable,
    /// The limit of the memory was reached first.
    MemoryLimit,
    /// The system gave no more memory, below the limit.
    OutOfMemory(OutOfMemory),
    /// No way is as short as the limit on the depth asks.
    DepthLimit,
    /// The best way that was told of is as good as it gets here, though a shorter one may exist.
    BestEffort,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a, M> {
    /// No solution is shorter, provided that the estimate is admissible or was not asked.
    Bound(u32),
    /// A solution, which may not be a shortest one.
    Solution(&'a [M]),
    /// Something went wrong; the search goes on without it.
    Warning(&'a str),
}

/// What a search is to solve, and what it does on the way.
pub struct SolveContext<'a, P: Puzzle> {
    /// The rules.
    pub puzzle: &'a P,
    /// Where to begin.
    pub start: P::Position,
    /// The estimate to go by.
    pub heuristic: &'a dyn Heuristic<P>,
    /// The longest solution of interest, in moves.
    pub deepest: u32,
    /// For what is stored, in bytes.
    pub memory_limit: u64,
    /// Counts nodes and ends the search.
    pub control: &'a mut Control,
    /// Hears how far the search has come.
    pub progress: &'a mut dyn FnMut(Progress<P::Move>, &Control),
    /// Nodes whose successors were made.
    pub examined: u64,
    /// The most bytes stored at any time.
    pub peak_memory: u64,
}

impl<'a, P: Puzzle> SolveContext<'a, P> {
    /// A quest without limits of its own.
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
            deepest: MAX_DEPTH,
            memory_limit: u64::MAX,
            control,
            progress,
            examined: 0,
            peak_memory: 0,
        }
    }

    /// Appends the moves to try after `last`, which none of them undoes; without one, all.
    #[inline]
    pub fn successors(
        &self,
        position: &P::Position,
        last: Option<P::Move>,
        out: &mut Vec<P::Move>,
    ) {
        let base = out.len();
        self.puzzle.moves(position, out);
        let mut kept = base;
        let back = last.and_then(|last| self.puzzle.inverse(last));
        for index in base..out.len() {
            let m = out[index];
            if Some(m) != back {
                out[kept] = m;
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// What everybody answers who does the work, on so many threads, the present one first. Threads that cannot be had are told
    /// of, and are no longer counted on.
    pub fn run_workers<A: Send>(
        &mut self,
        threads: &mut usize,
        work: impl Fn(&mut Control) -> A + Sync,
    ) -> Vec<A> {
        let done = workers::run(
            self.control,
            1..*threads,
            |_, control| work(control),
            |control, _| work(control),
        );
        *threads -= done.not_started;
        if done.not_started > 0 {
            let trouble =
                format!("only {threads} threads can be had, and the search goes on with them");
            (self.progress)(Progress::Warning(&trouble), self.control);
        }
        std::iter::once(done.leader).chain(done.helpers).collect()
    }

    /// Tells of a bound that the search has passed.
    pub fn report_bound(&mut self, bound: u32) {
        (self.progress)(Progress::Bound(bound), self.control);
    }

    fn estimate(&self, position: &P::Position) -> u32 {
        self.heuristic.estimate(self.puzzle, position)
    }
}

/// A puzzle that the engine can run: it knows its goal, its estimates, and maybe better searches than the general ones.
pub trait EnginePuzzle: Puzzle + Notation {
    /// What its own searches keep from one to the next.
    type Solver: PuzzleSolver<Self>;

    /// The position to reach, or one of them.
    fn goal(&self) -> Self::Position;

    /// A position from which the goal can be reached.
    fn random(&self, random: &mut Random) -> Self::Position;

    /// A number of moves below which there is certainly no solution, at once.
    fn lower_bound(&self, position: &Self::Position) -> u32;

    /// Whether the puzzle has the estimate of this name, its own searches' aside.
    fn has_heuristic(&self, name: HeuristicName) -> bool;

    /// The estimate of this name, or of the best there is; none where the puzzle has no such estimate. One that takes time
    /// to make asks `watch` every few milliseconds whether to go on.
    fn heuristic(
        &self,
        name: HeuristicName,
        watch: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<Option<Arc<dyn Heuristic<Self>>>, BuildError>;
}

/// A puzzle's own searches.
pub trait PuzzleSolver<P: Puzzle>: Send + Default {
    /// Whether an estimate of this name is one that it makes.
    fn provides(_name: HeuristicName) -> bool {
        false
    }

    /// Makes an estimate that takes time to make, if it is one of its own.
    fn heuristic(
        &mut self,
        puzzle: &P,
        settings: &Settings,
        control: &mut Control,
        report: &mut dyn FnMut(Progress<P::Move>, &Control),
    ) -> Result<Option<Arc<dyn Heuristic<P>>>, BuildError>;

    /// Whether option `TablebasePath` names a folder that holds something for this puzzle.
    fn has_tables_in(&self, _puzzle: &P, _folder: &str) -> bool {
        false
    }

    /// Returns `true` if [`PuzzleSolver::solve`] runs a search made for this puzzle only.
    fn is_specialized(_puzzle: &P, _settings: &Settings) -> bool {
        false
    }

    /// Makes what [`PuzzleSolver::solve`] would have to make first, and keeps it.
    fn prepare(
        &mut self,
        _puzzle: &P,
        _settings: &Settings,
        _control: &mut Control,
        _report: &mut dyn FnMut(Progress<P::Move>, &Control),
    ) -> Result<(), BuildError> {
        Ok(())
    }

    /// Solves the quest if one of its searches is what the settings ask for. Only a solution that it has not told of as
    /// [`Progress::Solution`] need be shortest.
    fn solve(
        &mut self,
        quest: &mut SolveContext<P>,
        settings: &Settings,
    ) -> Option<Result<SolveOutcome<P::Move>, Stopped>>;
}

/// For puzzles without searches of their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSolver;

impl<P: Puzzle> PuzzleSolver<P> for NoSolver {
    fn solve(
        &mut self,
        _quest: &mut SolveContext<P>,
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
