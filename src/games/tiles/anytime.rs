//! For boards whose shortest solutions are out of reach: some solution soon, and better ones as long as there is time.

use super::beam::{self, Guide, Pace};
use super::{Direction, Tiles};
use crate::control::Stopped;
use crate::pathfinding::astar::{self, Order};
use crate::pathfinding::{Conclusion, Progress, Quest};
use crate::room::Unfinished;
use crate::settings::TieBreak;

/// The first beam that looks for some solution; each of the next is twice as wide.
const FIRST_WIDTH_FOR_SOME: usize = 256;
/// The last one that does, where the narrower ones found nothing.
const LAST_WIDTH_FOR_SOME: usize = 1_024;
/// The first beam that looks for a better one; each of the next is twice as wide.
const FIRST_WIDTH: usize = 64;
/// Beams up to this one are searched before a shortest solution is looked for in little memory.
const WIDTH_BEFORE_PROOF: usize = 1_024;
/// A beam is the last but one where less than so many times its cost is left: less than the next two would take.
const LAST_BELOW: f64 = 6.0;
/// What the last one is to take of what is left.
const SHARE_OF_LAST: f64 = 0.9;
/// The bytes that such a search may store.
const MEMORY_FOR_PROOF: u64 = 8 << 20;

/// Tells of some solution, at once, if one is found within the quest's limits: something to play should the search for a
/// shorter one be stopped.
pub fn tell_first(
    quest: &mut Quest<Tiles>,
    guide: &Guide,
) -> Result<Option<Vec<Direction>>, Stopped> {
    let mut width = FIRST_WIDTH_FOR_SOME;
    while width <= LAST_WIDTH_FOR_SOME.min(beam::widest(quest.memory_limit)) {
        match beam::search(quest, guide, width, &mut 1) {
            Ok(Some(way)) => {
                (quest.progress)(Progress::Solution(&way), quest.control);
                return Ok(Some(way));
            }
            Ok(None) => width *= 2,
            Err(Unfinished::Stopped) => return Err(Stopped),
            Err(Unfinished::NoRoom(_)) => break,
        }
    }
    Ok(None)
}

/// Beams ever wider, each looking only for what is shorter than the best solution so far, at first `best`. A* proves that one
/// shortest where the start is not far from the goal, or where all the memory in the end is enough for it.
pub fn solve(
    quest: &mut Quest<Tiles>,
    guide: &Guide,
    mut best: Option<Vec<Direction>>,
    mut threads: usize,
) -> Result<Conclusion<Direction>, Stopped> {
    let bound = quest.heuristic.estimate(quest.puzzle, &quest.start);
    quest.pass(bound);
    if let Some(best) = best.take_if(|best| best.len() as u32 <= bound) {
        return Ok(Conclusion::Solved(best));
    }
    if let Some(best) = &best {
        quest.deepest = best.len() as u32 - 1;
    }
    let widest = beam::widest(quest.memory_limit);
    let mut width = FIRST_WIDTH;
    let mut is_proof_tried = false;
    while width <= widest {
        let pace = Pace::since_now(quest.control);
        match beam::search(quest, guide, width, &mut threads) {
            Ok(Some(way)) if way.len() as u32 == bound => return Ok(Conclusion::Solved(way)),
            Ok(Some(way)) => {
                (quest.progress)(Progress::Solution(&way), quest.control);
                quest.deepest = way.len() as u32 - 1;
                best = Some(way);
            }
            Ok(None) => {}
            Err(Unfinished::Stopped) => return Err(Stopped),
            Err(Unfinished::NoRoom(_)) => break,
        }
        let left = pace.left(quest.control);
        if width >= WIDTH_BEFORE_PROOF && !is_proof_tried {
            is_proof_tried = true;
            let end = shortest(quest, best.as_ref(), MEMORY_FOR_PROOF)?;
            if !matches!(
                end,
                Conclusion::BestTold | Conclusion::OutOfMemory | Conclusion::NoRoom(_)
            ) {
                return Ok(end);
            }
        }
        // The last beam there is time for is as wide as the time allows, and takes that of the one before.
        let affordable = (width as f64 * left * SHARE_OF_LAST) as usize;
        let is_last = is_proof_tried && left < LAST_BELOW && affordable > width;
        width = if is_last {
            affordable.min(widest)
        } else {
            2 * width
        };
    }
    shortest(quest, best.as_ref(), quest.memory_limit)
}

/// What A* finds in so many bytes that is shorter than the best solution so far.
fn shortest(
    quest: &mut Quest<Tiles>,
    best: Option<&Vec<Direction>>,
    bytes: u64,
) -> Result<Conclusion<Direction>, Stopped> {
    Ok(match (astar_within(bytes, quest)?, best) {
        (Conclusion::TooDeep | Conclusion::Unsolvable, Some(best)) => {
            quest.pass(best.len() as u32);
            Conclusion::Solved(best.clone())
        }
        (Conclusion::OutOfMemory | Conclusion::NoRoom(_), Some(_)) => Conclusion::BestTold,
        (end, _) => end,
    })
}

/// A* that stores at most so many bytes, and no more than the quest allows.
fn astar_within(bytes: u64, quest: &mut Quest<Tiles>) -> Result<Conclusion<Direction>, Stopped> {
    let order = Order {
        made_weight: 1,
        estimate_weight: 1,
        tie_break: TieBreak::HighG,
        closed_list: true,
    };
    let memory_limit = quest.memory_limit;
    quest.memory_limit = memory_limit.min(bytes);
    let end = astar::solve(quest, order);
    quest.memory_limit = memory_limit;
    end
}
