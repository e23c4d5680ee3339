//! For boards whose shortest solutions are out of reach: some solution soon, and better ones as long as there is time.

use super::beam::{self, BeamHeuristic, Cost};
use super::database_search::{Contours, LONGEST};
use super::{Direction, Tiles};
use crate::control::Stopped;
use crate::pathfinding::{Progress, SolveContext, SolveOutcome};
use crate::try_alloc::BuildError;

/// The first beam that looks for some solution; each of the next is twice as wide.
const FIRST_WIDTH_FOR_SOME: usize = 256;
/// The last one that does, where the narrower ones found nothing.
const LAST_WIDTH_FOR_SOME: usize = 1_024;
/// The first beam that looks for a better one; each of the next is twice as wide.
const FIRST_WIDTH: usize = 64;
/// Beams up to this one are searched before anything is proved.
const WIDTH_BEFORE_PROOF: usize = 2_048;
/// A beam is the last but one where less than so many times its cost is left: less than the next two would take.
const LAST_BELOW: f64 = 6.0;
/// What the last one is to take of what is left.
const SHARE_OF_LAST: f64 = 0.9;
/// Nodes of a proof for each node of beams; it visits five in the time of one of theirs.
const SHARE_OF_PROOF: u64 = 2;
/// How many times the nodes of one iteration of a proof the next is taken to visit: 17 to 28 were seen.
const GROWTH: u64 = 20;

/// Tells of some solution, at once, if one is found within the quest's limits: something to play should the search for a
/// shorter one be stopped.
pub fn tell_first(
    quest: &mut SolveContext<Tiles>,
    guide: &BeamHeuristic,
) -> Result<Option<Vec<Direction>>, Stopped> {
    let mut width = FIRST_WIDTH_FOR_SOME;
    while width <= LAST_WIDTH_FOR_SOME.min(beam::widest(quest.memory_limit)) {
        match beam::search(quest, guide, width, &mut 1) {
            Ok(Some(way)) => {
                (quest.progress)(Progress::Solution(&way), quest.control);
                return Ok(Some(way));
            }
            Ok(None) => width *= 2,
            Err(BuildError::Stopped) => return Err(Stopped),
            Err(BuildError::OutOfMemory(_)) => break,
        }
    }
    Ok(None)
}

/// Beams ever wider, each looking only for what is shorter than the best solution so far.
pub struct AnytimeBeams<'g> {
    guide: &'g BeamHeuristic,
    threads: usize,
    best: Option<Vec<Direction>>,
    /// Of the next beam.
    width: usize,
    /// What the last one took.
    cost: Cost,
    /// Nodes of the proof so far, and of its last iteration.
    proof: u64,
    last_iteration: u64,
}

impl<'g> AnytimeBeams<'g> {
    /// Of the best solution so far, if there is one.
    pub fn of(
        best: Option<Vec<Direction>>,
        quest: &mut SolveContext<Tiles>,
        guide: &'g BeamHeuristic,
        threads: usize,
    ) -> Self {
        let mut new = Self {
            guide,
            threads,
            best: None,
            width: FIRST_WIDTH,
            cost: Cost::default(),
            proof: 0,
            last_iteration: 0,
        };
        if let Some(best) = best {
            new.take(best, quest);
        }
        new
    }

    fn take(&mut self, way: Vec<Direction>, quest: &mut SolveContext<Tiles>) {
        quest.deepest = (way.len() as u32).saturating_sub(1);
        self.best = Some(way);
    }

    /// The beams that come before any proof; and how the search has ended with that, if it has.
    pub fn begin(
        &mut self,
        quest: &mut SolveContext<Tiles>,
    ) -> Result<Option<SolveOutcome<Direction>>, Stopped> {
        let bound = quest.heuristic.estimate(quest.puzzle, &quest.start);
        quest.report_bound(bound);
        loop {
            if let Some(best) = self.best.take_if(|best| best.len() as u32 <= bound) {
                return Ok(Some(SolveOutcome::Solved(best)));
            }
            if self.width > WIDTH_BEFORE_PROOF || !self.widen(quest)? {
                return Ok(None);
            }
        }
    }

    /// The next beam, if there is memory for it; the one after that is twice as wide.
    fn widen(&mut self, quest: &mut SolveContext<Tiles>) -> Result<bool, Stopped> {
        if self.width > beam::widest(quest.memory_limit) {
            return Ok(false);
        }
        let before = Cost::so_far(quest.control);
        match beam::search(quest, self.guide, self.width, &mut self.threads) {
            Ok(Some(way)) => {
                (quest.progress)(Progress::Solution(&way), quest.control);
                self.take(way, quest);
            }
            Ok(None) => {}
            Err(BuildError::Stopped) => return Err(Stopped),
            Err(BuildError::OutOfMemory(_)) => return Ok(false),
        }
        self.cost = Cost::so_far(quest.control).since(&before);
        self.width *= 2;
        Ok(true)
    }

    /// Wider beams, and between them iterations of IDA*, which prove that no solution is shorter; in the end these alone.
    pub fn finish(
        mut self,
        quest: &mut SolveContext<Tiles>,
        mut contours: Box<dyn Contours + '_>,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        let mut is_widest = false;
        loop {
            if let Some(end) = self.prove(quest, contours.as_mut(), is_widest)? {
                return Ok(end);
            }
            let left = self.cost.times_left(quest.control);
            let narrower = self.width / 2;
            // The last beam there is time for is as wide as the time allows, and takes that of the one before.
            let affordable = (narrower as f64 * left * SHARE_OF_LAST) as usize;
            if left < LAST_BELOW && affordable > narrower {
                self.width = affordable.min(beam::widest(quest.memory_limit));
            }
            is_widest = !self.widen(quest)?;
        }
    }

    /// Iterations that are likely to visit no more nodes than is a proof's share, or all; and how the search has ended with
    /// that, if it has.
    fn prove(
        &mut self,
        quest: &mut SolveContext<Tiles>,
        contours: &mut dyn Contours,
        is_all: bool,
    ) -> Result<Option<SolveOutcome<Direction>>, Stopped> {
        while contours.bound() <= quest.deepest {
            if contours.bound() > LONGEST {
                return Ok(is_all.then_some(SolveOutcome::BestEffort));
            }
            let nodes = quest.control.nodes();
            let share = SHARE_OF_PROOF * (nodes - self.proof);
            if !is_all && self.proof + GROWTH * self.last_iteration > share {
                return Ok(None);
            }
            if let Some(way) = contours.search(quest, &mut self.threads)? {
                return Ok(Some(SolveOutcome::Solved(way)));
            }
            self.last_iteration = quest.control.nodes() - nodes;
            self.proof += self.last_iteration;
        }
        let best = self.best.take();
        Ok(Some(
            best.map_or(SolveOutcome::DepthLimit, SolveOutcome::Solved),
        ))
    }
}
