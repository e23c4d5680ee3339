//! Solutions that begin with one of some moves, as `searchmoves` asks for. What follows may go anywhere, back to the start
//! too: so a shortest one is a move and a shortest solution from where it leads.

use std::iter;

use super::{EnginePuzzle, Progress, SolveContext, SolveOutcome};
use crate::control::{Control, Stopped};

/// A move to begin with.
struct FirstMove<P: EnginePuzzle> {
    m: P::Move,
    /// Where it leads.
    start: P::Position,
    /// No solution that begins so is shorter, in moves.
    least: u32,
}

/// Finds a way by `search`, which is asked for one from where each move leads, the one that looks nearest to the goal first. Of what
/// the search proves as much is passed on as holds for all of them.
pub fn solve<P: EnginePuzzle>(
    quest: &mut SolveContext<P>,
    first_moves: &[P::Move],
    mut search: impl FnMut(&mut SolveContext<P>) -> Result<SolveOutcome<P::Move>, Stopped>,
) -> Result<SolveOutcome<P::Move>, Stopped> {
    quest.control.visit()?;
    let beginning = |&m: &P::Move| {
        let start = quest.puzzle.play(&quest.start, m);
        let least = 1 + quest.puzzle.lower_bound(&start);
        FirstMove::<P> { m, start, least }
    };
    let mut beginnings: Vec<_> = first_moves.iter().map(beginning).collect();
    beginnings.sort_by_key(|beginning| beginning.least);
    let mut best = Best(None);
    let (mut is_proved, mut is_too_deep) = (true, false);
    for index in 0..beginnings.len() {
        let FirstMove { m, start, least } = beginnings[index];
        let deepest = quest.deepest.min(best.shorter());
        if least > deepest {
            is_too_deep = true;
            continue;
        }
        let others = beginnings.iter().enumerate();
        let others = others.filter(|(other, _)| *other != index);
        let least_of_others = others.map(|(_, other)| other.least).min();
        let mut passed = least;
        let progress = &mut *quest.progress;
        let mut hear = |heard: Progress<P::Move>, control: &Control| match heard {
            Progress::Bound(bound) => {
                passed = passed.max(bound + 1);
                let of_all = passed.min(least_of_others.unwrap_or(passed));
                progress(Progress::Bound(of_all), control);
            }
            Progress::Solution(way) => {
                if let Some(better) = best.improve(m, way) {
                    progress(Progress::Solution(better), control);
                }
            }
            Progress::Warning(trouble) => progress(Progress::Warning(trouble), control),
        };
        let mut part = SolveContext {
            deepest: deepest - 1,
            memory_limit: quest.memory_limit,
            ..SolveContext::new(
                quest.puzzle,
                start,
                quest.heuristic,
                quest.control,
                &mut hear,
            )
        };
        let end = if part.puzzle.is_solved(&start) {
            Ok(SolveOutcome::Solved(Vec::new()))
        } else {
            search(&mut part)
        };
        let (examined, peak_memory) = (part.examined, part.peak_memory);
        quest.examined += examined;
        quest.peak_memory = quest.peak_memory.max(peak_memory);
        beginnings[index].least = match end? {
            SolveOutcome::Solved(way) => {
                // Whoever stops the search of the others has this one.
                if let Some(better) = best.improve(m, &way)
                    && index + 1 < beginnings.len()
                {
                    (quest.progress)(Progress::Solution(better), quest.control);
                }
                way.len() as u32 + 1
            }
            SolveOutcome::Unsolvable => u32::MAX,
            SolveOutcome::DepthLimit => {
                is_too_deep = true;
                deepest + 1
            }
            SolveOutcome::BestEffort => {
                is_proved = false;
                passed
            }
            end @ (SolveOutcome::MemoryLimit | SolveOutcome::OutOfMemory(_)) => return Ok(end),
        };
    }
    Ok(match best.0 {
        Some(best) if is_proved => SolveOutcome::Solved(best),
        Some(_) => SolveOutcome::BestEffort,
        None if is_too_deep => SolveOutcome::DepthLimit,
        None => SolveOutcome::Unsolvable,
    })
}

/// The shortest solution so far.
struct Best<M>(Option<Vec<M>>);

impl<M: Copy> Best<M> {
    /// The longest that is shorter, in moves.
    fn shorter(&self) -> u32 {
        let length = self.0.as_ref().map(|best| best.len() as u32);
        length.map_or(u32::MAX, |length| length - 1)
    }

    /// A move and what follows it, if they are shorter.
    fn improve(&mut self, m: M, way: &[M]) -> Option<&[M]> {
        if way.len() as u32 >= self.shorter() {
            return None;
        }
        let whole = iter::once(m).chain(way.iter().copied()).collect();
        Some(self.0.insert(whole))
    }
}
