//! For boards whose shortest solutions are out of reach: some solution soon, and better ones as long as there is time.

use super::{Direction, Tiles};
use crate::control::Stopped;
use crate::engine::options::TieBreak;
use crate::pathfinding::astar::{self, Order};
use crate::pathfinding::{Progress, Quest, Verdict};

/// What the estimate counts, in tenths of what the moves made count.
const WEIGHTS: [u32; 12] = [100, 50, 40, 30, 25, 20, 17, 15, 13, 12, 11, 10];
const TENTHS: u32 = 10;

/// Weighted A* with ever smaller weights, each search looking only for what is shorter than the best solution so far
/// (Hansen and Zhou, 2007). When nothing shorter is left the best one is proved shortest.
pub fn solve(quest: &mut Quest<Tiles>) -> Result<Verdict<Direction>, Stopped> {
    let mut best: Option<Vec<Direction>> = None;
    for estimate_weight in WEIGHTS {
        let order = Order {
            made_weight: TENTHS,
            estimate_weight,
            tie_break: TieBreak::HighG,
            closed_list: true,
        };
        match astar::solve(quest, order)? {
            Verdict::Solved(way) if estimate_weight == TENTHS || way.is_empty() => {
                return Ok(Verdict::Solved(way));
            }
            Verdict::Solved(way) => {
                (quest.progress)(Progress::Solution(&way), quest.control);
                quest.deepest = way.len() as u32 - 1;
                best = Some(way);
            }
            Verdict::OutOfMemory if best.is_some() => return Ok(Verdict::BestTold),
            Verdict::OutOfMemory => {}
            Verdict::TooDeep => return Ok(best.map_or(Verdict::TooDeep, Verdict::Solved)),
            end @ (Verdict::Unsolvable | Verdict::BestTold) => return Ok(end),
        }
    }
    Ok(Verdict::OutOfMemory)
}
