//! Anytime search for boards on which finding a shortest solution takes too long: it soon finds a first solution, and
//! then shorter solutions.
//!
//! [`report_first_solution`] finds a first solution with a narrow beam (see [`super::beam`]). [`AnytimeBeams`] then
//! alternates between two searches. Beams of growing width search for shorter solutions. IDA* iterations, called the
//! *proof*, raise a lower bound on the solution length. The search ends when the bound reaches the length of the best
//! solution, which proves it shortest, or at a limit of time or nodes.

use super::beam::{self, BeamHeuristic, Cost};
use super::database_search::{IterativeSearch, MAX_BOUND};
use super::{Direction, Tiles};
use crate::control::Stopped;
use crate::pathfinding::{Progress, SolveContext, SolveOutcome};
use crate::try_alloc::BuildError;

/// Width of the first beam of [`report_first_solution`]. The width doubles until a beam finds a solution.
const MIN_FIRST_WIDTH: usize = 256;
/// Maximum width of the beams of [`report_first_solution`].
const MAX_FIRST_WIDTH: usize = 1_024;
/// Width of the first beam of [`AnytimeBeams`]. The width doubles with each beam.
const MIN_WIDTH: usize = 64;
/// Maximum width of the beams that run before the proof starts.
const MAX_WIDTH_BEFORE_PROOF: usize = 2_048;
/// If the remaining budget is less than this multiple of the previous beam's cost, the next beam is the last
/// beam.
///
/// The cost of a beam is proportional to its width. Two more beams of doubled width would cost 2 + 4 = 6 times the
/// previous beam.
const LAST_BEAM_RATIO: f64 = 6.0;
/// Planned share of the remaining budget for the last beam.
const LAST_BEAM_SHARE: f64 = 0.9;
/// Maximum number of nodes of the proof per node of the beams. The proof visits five nodes in the time in which a beam
/// visits one.
const PROOF_NODES_PER_BEAM_NODE: u64 = 2;
/// Expected ratio of the node counts of consecutive iterations of the proof. Measured: 17 to 28, see `NOTES.md`,
/// 2026-11-25.
const ITERATION_GROWTH: u64 = 20;

/// Reports and returns a first solution if a beam finds one within the limits of `context`. This is the result if
/// the search for shorter solutions is stopped.
///
/// # Errors
/// [`Stopped`] if the control stops the search.
pub(crate) fn report_first_solution(
    context: &mut SolveContext<Tiles>,
    heuristic: &BeamHeuristic,
) -> Result<Option<Vec<Direction>>, Stopped> {
    let mut width = MIN_FIRST_WIDTH;
    while width <= MAX_FIRST_WIDTH.min(beam::max_width(context.memory_limit)) {
        match beam::search(context, heuristic, width, &mut 1) {
            Ok(Some(path)) => {
                (context.progress)(Progress::Solution(&path), context.control);
                return Ok(Some(path));
            }
            Ok(None) => width *= 2,
            Err(BuildError::Stopped) => return Err(Stopped),
            Err(BuildError::OutOfMemory(_)) => break,
        }
    }
    Ok(None)
}

/// Beams of growing width, each limited to solutions shorter than the best solution so far.
pub(crate) struct AnytimeBeams<'h> {
    heuristic: &'h BeamHeuristic,
    threads: usize,
    /// The best solution so far.
    best: Option<Vec<Direction>>,
    /// Width of the next beam.
    width: usize,
    /// Cost of the previous beam.
    last_cost: Cost,
    /// Number of nodes of all iterations of the proof.
    proof_nodes: u64,
    /// Number of nodes of the proof's previous iteration.
    last_iteration_nodes: u64,
}

impl<'h> AnytimeBeams<'h> {
    /// Creates the beams. If `best` is a solution, the beams search only for shorter solutions.
    pub(super) fn new(
        best: Option<Vec<Direction>>,
        context: &mut SolveContext<Tiles>,
        heuristic: &'h BeamHeuristic,
        threads: usize,
    ) -> Self {
        let mut beams = Self {
            heuristic,
            threads,
            best: None,
            width: MIN_WIDTH,
            last_cost: Cost::default(),
            proof_nodes: 0,
            last_iteration_nodes: 0,
        };
        if let Some(best) = best {
            beams.set_best(best, context);
        }
        beams
    }

    /// Stores `path` as the best solution and limits the search to shorter solutions.
    fn set_best(&mut self, path: Vec<Direction>, context: &mut SolveContext<Tiles>) {
        context.max_depth = (path.len() as u32).saturating_sub(1);
        self.best = Some(path);
    }

    /// Runs the beams before the proof. Returns the best solution if its length equals the lower bound by
    /// `context.heuristic` for the start.
    ///
    /// # Errors
    /// [`Stopped`] if the control stops the search.
    pub(crate) fn run_narrow_beams(
        &mut self,
        context: &mut SolveContext<Tiles>,
    ) -> Result<Option<SolveOutcome<Direction>>, Stopped> {
        let bound = context.heuristic.estimate(context.puzzle, &context.start);
        context.report_bound(bound);
        loop {
            if let Some(best) = self.best.take_if(|best| best.len() as u32 <= bound) {
                return Ok(Some(SolveOutcome::Solved(best)));
            }
            if self.width > MAX_WIDTH_BEFORE_PROOF || !self.run_next_beam(context)? {
                return Ok(None);
            }
        }
    }

    /// Runs the next beam and doubles the width. Returns `false` if the beam does not fit into memory.
    fn run_next_beam(&mut self, context: &mut SolveContext<Tiles>) -> Result<bool, Stopped> {
        if self.width > beam::max_width(context.memory_limit) {
            return Ok(false);
        }
        let before = Cost::so_far(context.control);
        match beam::search(context, self.heuristic, self.width, &mut self.threads) {
            Ok(Some(path)) => {
                (context.progress)(Progress::Solution(&path), context.control);
                self.set_best(path, context);
            }
            Ok(None) => {}
            Err(BuildError::Stopped) => return Err(Stopped),
            Err(BuildError::OutOfMemory(_)) => return Ok(false),
        }
        self.last_cost = Cost::so_far(context.control).since(&before);
        self.width *= 2;
        Ok(true)
    }

    /// Alternates wider beams with iterations of `proof`, which raise the lower bound. If no wider beam fits into
    /// memory, runs only iterations.
    ///
    /// # Errors
    /// [`Stopped`] if the control stops the search.
    pub(super) fn run(
        mut self,
        context: &mut SolveContext<Tiles>,
        mut proof: Box<dyn IterativeSearch + '_>,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        let mut beams_exhausted = false;
        loop {
            if let Some(outcome) = self.run_proof(context, proof.as_mut(), beams_exhausted)? {
                return Ok(outcome);
            }
            let times_left = self.last_cost.times_left(context.control);
            let previous_width = self.width / 2;
            // If the budget does not allow two more beams, the next beam uses the rest of the budget.
            let affordable_width = (previous_width as f64 * times_left * LAST_BEAM_SHARE) as usize;
            if times_left < LAST_BEAM_RATIO && affordable_width > previous_width {
                self.width = affordable_width.min(beam::max_width(context.memory_limit));
            }
            beams_exhausted = !self.run_next_beam(context)?;
        }
    }

    /// Runs iterations of the proof. Unless `beams_exhausted`, it ends before an iteration that is expected to
    /// exceed [`PROOF_NODES_PER_BEAM_NODE`] nodes of the proof per node of the beams.
    ///
    /// Returns the outcome if the search is finished: the proof has found a shortest solution, or has proved the best
    /// solution shortest, or neither search can continue.
    fn run_proof(
        &mut self,
        context: &mut SolveContext<Tiles>,
        proof: &mut dyn IterativeSearch,
        beams_exhausted: bool,
    ) -> Result<Option<SolveOutcome<Direction>>, Stopped> {
        while proof.bound() <= context.max_depth {
            if proof.bound() > MAX_BOUND {
                return Ok(beams_exhausted.then_some(SolveOutcome::BestEffort));
            }
            let nodes = context.control.nodes();
            let max_proof_nodes = PROOF_NODES_PER_BEAM_NODE * (nodes - self.proof_nodes);
            if !beams_exhausted
                && self.proof_nodes + ITERATION_GROWTH * self.last_iteration_nodes > max_proof_nodes
            {
                return Ok(None);
            }
            if let Some(path) = proof.run_iteration(context, &mut self.threads)? {
                return Ok(Some(SolveOutcome::Solved(path)));
            }
            self.last_iteration_nodes = context.control.nodes() - nodes;
            self.proof_nodes += self.last_iteration_nodes;
        }
        let best = self.best.take();
        Ok(Some(
            best.map_or(SolveOutcome::DepthLimit, SolveOutcome::Solved),
        ))
    }
}
