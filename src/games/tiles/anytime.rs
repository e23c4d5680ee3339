//! For boards whose shortest solutions are out of reach: some solution soon, and better ones as long as there is time.

use super::{Direction, Tiles};
use crate::control::Stopped;
use crate::pathfinding::astar::{self, Order};
use crate::pathfinding::{Conclusion, Progress, Quest};
use crate::settings::TieBreak;

/// What the estimate counts, in tenths of what the moves made count.
const WEIGHTS: [u32; 12] = [100, 50, 40, 30, 25, 20, 17, 15, 13, 12, 11, 10];
const TENTHS: u32 = 10;
/// The weight of a search for any solution, and the bytes that it may store.
const FIRST_WEIGHT: u32 = 30;
const FIRST_MEMORY: u64 = 32 << 20;

/// Tells of some solution, soon, if there is one within the quest's limits: something to play should the search for a
/// shortest one be stopped.
pub fn tell_first(quest: &mut Quest<Tiles>) -> Result<(), Stopped> {
    let memory_limit = quest.memory_limit;
    quest.memory_limit = memory_limit.min(FIRST_MEMORY);
    let end = astar::solve(quest, weighted(FIRST_WEIGHT));
    quest.memory_limit = memory_limit;
    if let Conclusion::Solved(way) = end? {
        (quest.progress)(Progress::Solution(&way), quest.control);
    }
    Ok(())
}

/// Weighted A* with ever smaller weights, each search looking only for what is shorter than the best solution so far
/// (Hansen and Zhou, 2007). When nothing shorter is left the best one is proved shortest.
pub fn solve(quest: &mut Quest<Tiles>) -> Result<Conclusion<Direction>, Stopped> {
    let mut best: Option<Vec<Direction>> = None;
    let mut refused = None;
    for estimate_weight in WEIGHTS {
        match astar::solve(quest, weighted(estimate_weight))? {
            Conclusion::Solved(way) if estimate_weight == TENTHS || way.is_empty() => {
                return Ok(Conclusion::Solved(way));
            }
            Conclusion::Solved(way) => {
                (quest.progress)(Progress::Solution(&way), quest.control);
                quest.deepest = way.len() as u32 - 1;
                best = Some(way);
            }
            Conclusion::OutOfMemory | Conclusion::NoRoom(_) if best.is_some() => {
                return Ok(Conclusion::BestTold);
            }
            Conclusion::OutOfMemory => {}
            Conclusion::NoRoom(no_room) => refused = Some(no_room),
            Conclusion::TooDeep => return Ok(best.map_or(Conclusion::TooDeep, Conclusion::Solved)),
            end @ (Conclusion::Unsolvable | Conclusion::BestTold) => return Ok(end),
        }
    }
    Ok(refused.map_or(Conclusion::OutOfMemory, Conclusion::NoRoom))
}

fn weighted(estimate_weight: u32) -> Order {
    Order {
        made_weight: TENTHS,
        estimate_weight,
        tie_break: TieBreak::HighG,
        closed_list: true,
    }
}
