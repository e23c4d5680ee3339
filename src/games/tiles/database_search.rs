//! IDA* with additive pattern databases. The tables are larger than the caches, so one search waits most of its time for
//! memory; several walkers in turn, each in a part of the tree of its own, wait for all their entries together.

mod node;
mod team;
mod views;

use std::sync::atomic::Ordering;

use super::automaton::Automaton;
use super::databases::{Databases, VIEWS};
use super::{Direction, Tiles, partition};
use crate::control::{Control, Stopped};
use crate::pathfinding::{Conclusion, Quest, Solitaire, idastar};
use node::Node;
use team::{Shared, Team};
use views::Views;

/// The most cells of a board.
pub const MOST_CELLS: usize = 25;
/// The parts of the tree within the bound, or more. They are searched in an order that changes from iteration to iteration.
const PARTS: usize = 256;
/// The same where searches are long.
const PARTS_OF_LARGE: usize = 4096;
/// More moves than any solution on these boards has.
const LONGEST: u32 = 250;

/// How many partitions of so many groups a search takes at once.
pub fn most_partitions(tiles: &Tiles, groups: usize) -> usize {
    match (tiles.cell_count(), groups) {
        (17..=MOST_CELLS, ..=4) => partition::MOST_PARTITIONS,
        _ => 1,
    }
}

/// Finds a shortest solution, on so many threads; by the general IDA* where the board is too large.
pub fn solve(
    quest: &mut Quest<Tiles>,
    automaton: &Automaton,
    databases: &Databases,
    threads: usize,
) -> Result<Conclusion<Direction>, Stopped> {
    let groups = databases.views.iter().map(Vec::len).max();
    let pairs = databases.views.len().div_ceil(VIEWS);
    macro_rules! search {
        ($cells:literal, $groups:expr, $pairs:literal) => {
            Search::<$cells, { $groups }, $pairs>::new(automaton, databases, quest)
                .solve(quest, threads)
        };
    }
    match (quest.puzzle.cell_count(), groups.unwrap_or(0), pairs) {
        (..=16, ..=2, _) => search!(16, 2, 1),
        (..=16, ..=4, _) => search!(16, 4, 1),
        (..=MOST_CELLS, ..=4, ..=1) => search!(32, 4, 1),
        (..=MOST_CELLS, ..=4, 2) => search!(32, 4, 2),
        (..=MOST_CELLS, ..=4, _) => search!(32, 4, 3),
        (..=MOST_CELLS, ..=8, _) => search!(32, 8, 1),
        (..=MOST_CELLS, ..MOST_CELLS, _) => search!(32, MOST_CELLS, 1),
        _ => idastar::solve(quest),
    }
}

/// A search for one board and goal: a board of at most `CELLS` cells, `PAIRS` pairs of views, and at most `GROUPS` groups a
/// view.
struct Search<'t, const CELLS: usize, const GROUPS: usize, const PAIRS: usize> {
    automaton: &'t Automaton,
    databases: &'t Databases,
    views: [Views<'t, CELLS>; PAIRS],
}

/// A part of the tree: its root, the way there, and how deep the last search in it went.
struct Part<const CELLS: usize, const GROUPS: usize, const PAIRS: usize> {
    node: Node<CELLS, GROUPS, PAIRS>,
    way: Vec<Direction>,
    deepest: u8,
}

impl<'t, const CELLS: usize, const GROUPS: usize, const PAIRS: usize>
    Search<'t, CELLS, GROUPS, PAIRS>
{
    fn new(automaton: &'t Automaton, databases: &'t Databases, quest: &Quest<Tiles>) -> Self {
        Self {
            automaton,
            databases,
            views: databases
                .pairs()
                .map(|views| Views::new(quest.puzzle, views)),
        }
    }

    fn solve(
        &self,
        quest: &mut Quest<Tiles>,
        mut threads: usize,
    ) -> Result<Conclusion<Direction>, Stopped> {
        quest.control.visit()?;
        if quest.start == *quest.puzzle.goal() {
            return Ok(Conclusion::Solved(Vec::new()));
        }
        let steps = quest.puzzle.least_moves(&quest.start);
        let root = Node::new(quest.puzzle, self.databases, &quest.start);
        let sum = root.largest_sum();
        let mut bound = steps + 2 * u32::from(sum);
        quest.pass(bound);
        let mut parts = vec![Part {
            node: root.with_more_room(sum.into()),
            way: Vec::new(),
            deepest: 0,
        }];
        while bound <= quest.deepest.min(LONGEST) {
            quest.pass(bound);
            parts = self.refined(parts, bound as usize, quest)?;
            if let Some(way) = self.iterate(&mut parts, bound, quest, &mut threads)? {
                return Ok(Conclusion::Solved(way));
            }
            // Every estimate has the parity of the steps to the homes.
            bound += 2;
            for part in &mut parts {
                part.node = part.node.with_more_room(1);
            }
            // Where the last iteration came nearest to the goal a solution is likeliest (compare Powley and Korf, 1991).
            parts.sort_by_key(|part| std::cmp::Reverse(part.deepest));
        }
        Ok(Conclusion::TooDeep)
    }

    /// Divides the parts that are nearest to the root until enough of them are within the bound, or that seems in vain.
    fn refined(
        &self,
        mut parts: Vec<Part<CELLS, GROUPS, PAIRS>>,
        bound: usize,
        quest: &mut Quest<Tiles>,
    ) -> Result<Vec<Part<CELLS, GROUPS, PAIRS>>, Stopped> {
        let enough = if CELLS > 16 { PARTS_OF_LARGE } else { PARTS };
        let mut divided = 0;
        while divided < enough {
            let within: Vec<usize> = parts
                .iter()
                .filter(|part| part.node.is_within_bound())
                .map(|part| part.way.len())
                .collect();
            // A part as deep as the bound is a solution, and is left to the search.
            let depth = within.iter().copied().min().unwrap_or(bound);
            if within.len() >= enough || depth >= bound {
                break;
            }
            let mut refined = Vec::with_capacity(parts.len() + within.len());
            for part in parts {
                if part.node.is_within_bound() && part.way.len() == depth {
                    self.divide(&part, quest, &mut refined)?;
                    divided += 1;
                } else {
                    refined.push(part);
                }
            }
            parts = refined;
        }
        Ok(parts)
    }

    /// Appends the parts below the root of this one.
    fn divide(
        &self,
        part: &Part<CELLS, GROUPS, PAIRS>,
        quest: &mut Quest<Tiles>,
        parts: &mut Vec<Part<CELLS, GROUPS, PAIRS>>,
    ) -> Result<(), Stopped> {
        let mut children = Vec::new();
        quest.examined += 1;
        part.node.expand(self.automaton, 0, &mut children);
        quest.control.visit_many(children.len() as u64)?;
        for child in children.iter_mut().rev() {
            for (pair, views) in self.views.iter().enumerate() {
                part.node.count(views, pair, child);
                child.look_up(views, pair);
            }
            let node = part.node.after(&self.views, child);
            let arrived = self.automaton.arrived(node.state);
            let way: Vec<Direction> = part.way.iter().copied().chain(arrived).collect();
            let is_wanted = quest.first_moves.is_empty() || quest.first_moves.contains(&way[0]);
            if is_wanted {
                parts.push(Part {
                    node,
                    way,
                    deepest: part.deepest,
                });
            }
        }
        Ok(())
    }

    fn iterate(
        &self,
        parts: &mut [Part<CELLS, GROUPS, PAIRS>],
        bound: u32,
        quest: &mut Quest<Tiles>,
        threads: &mut usize,
    ) -> Result<Option<Vec<Direction>>, Stopped> {
        let shared = Shared::new(parts, bound as usize);
        let work = |control: &mut Control| {
            let mut team = Team::new(self, &shared);
            let end = team.run(control);
            if end.is_err() {
                // A part was left in the middle, so nothing is proved: the others need not go on.
                shared.is_over.store(true, Ordering::Relaxed);
            }
            (team.examined, end)
        };
        let answers = quest.share(threads, work);
        let mut end = Ok(());
        for (examined, how) in answers {
            quest.examined += examined;
            end = end.and(how);
        }
        let (found, deepest) = shared.into_findings();
        for (part, deepest) in parts.iter_mut().zip(deepest) {
            part.deepest = if deepest == 0 {
                part.way.len() as u8
            } else {
                deepest
            };
        }
        if found.is_none() {
            end.map(|()| None)
        } else {
            Ok(found)
        }
    }
}
