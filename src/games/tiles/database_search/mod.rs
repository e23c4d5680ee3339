//! IDA* with additive pattern databases. The tables are larger than the caches, so one search waits most of its time for
//! memory; several walkers in turn, each in a part of the tree of its own, wait for all their entries together. On boards for
//! which large databases are out of reach the lines are asked instead.

pub mod lines;
mod node;
mod views;
mod walker_group;

use std::sync::atomic::Ordering;

use super::automaton::Automaton;
use super::databases::{Databases, Group};
use super::{Direction, Tiles, partition};
use crate::control::{Control, Stopped};
use crate::pathfinding::{EnginePuzzle, SolveContext, SolveOutcome};
use crate::processor;
use lines::Lines;
use node::{Moves, Node};
use views::{Sets, View};
use walker_group::{FilterCounts, Shared, WalkerGroup};

/// The most cells of a board that databases are asked of.
pub const MAX_CELLS: usize = 25;
/// The parts of the tree within the bound, or more. They are searched in an order that changes from iteration to iteration.
const PARTS: usize = 256;
/// The same where searches are long.
const PARTS_OF_LARGE: usize = 4096;

/// So many children tell what a view is good for.
const ENOUGH: u64 = 1 << 14;
/// A view that leaves more than this share of them within the bound is not worth asking.
const MAX_KEPT: f64 = 0.97;

/// To larger bounds no iteration goes: what a node has left is a byte. More than any shortest solution on boards of 25 cells
/// has moves.
pub const LONGEST: u32 = 250;
const _: () = assert!(LONGEST < u8::MAX as u32);

/// How many partitions of so many groups a search takes at once.
pub fn most_partitions(tiles: &Tiles, groups: usize) -> usize {
    match (tiles.cell_count(), groups) {
        (17..=MAX_CELLS, ..=4) => partition::MAX_PARTITIONS,
        _ => 1,
    }
}

/// Finds a shortest solution on a board of at most [`MAX_CELLS`], on so many threads.
pub fn solve(
    quest: &mut SolveContext<Tiles>,
    automaton: &Automaton,
    databases: &Databases,
    mut threads: usize,
) -> Result<SolveOutcome<Direction>, Stopped> {
    quest.control.visit()?;
    if quest.start == *quest.puzzle.goal() {
        return Ok(SolveOutcome::Solved(Vec::new()));
    }
    let mut contours = by_databases(quest, automaton, databases);
    while contours.bound() <= quest.deepest.min(LONGEST) {
        if let Some(way) = contours.search(quest, &mut threads)? {
            return Ok(SolveOutcome::Solved(way));
        }
    }
    Ok(SolveOutcome::DepthLimit)
}

/// The iterations of a search, to ever larger bounds, from a start that is not solved.
pub trait Contours {
    /// The bound of the next one: no solution is shorter.
    fn bound(&self) -> u32;

    /// The next one, on so many threads: looks at everything within the bound for a solution.
    fn search(
        &mut self,
        quest: &mut SolveContext<Tiles>,
        threads: &mut usize,
    ) -> Result<Option<Vec<Direction>>, Stopped>;
}

/// The iterations by what pattern databases say.
fn by_databases<'t>(
    quest: &mut SolveContext<Tiles>,
    automaton: &'t Automaton,
    databases: &'t Databases,
) -> Box<dyn Contours + 't> {
    let groups = databases.views.iter().map(Vec::len).max();
    let views = databases.views.len();
    macro_rules! search {
        ($cells:literal, $groups:expr, $views:literal) => {
            Box::new(Deepening::<$cells, { $groups }, $views>::new(
                quest,
                automaton,
                databases.views(),
                None,
            ))
        };
    }
    match (quest.puzzle.cell_count(), groups.unwrap_or(0), views) {
        (..=16, ..=2, ..=1) => search!(16, 2, 1),
        (..=16, ..=2, _) => search!(16, 2, 2),
        (..=16, ..=4, ..=1) => search!(16, 4, 1),
        (..=16, ..=4, _) => search!(16, 4, 2),
        (_, ..=4, ..=1) => search!(32, 4, 1),
        (_, ..=4, ..=2) => search!(32, 4, 2),
        (_, ..=4, ..=4) => search!(32, 4, 4),
        (_, ..=4, _) => search!(32, 4, 6),
        (_, ..=8, _) => search!(32, 8, 2),
        _ => search!(32, MAX_CELLS, 2),
    }
}

/// The iterations by what the lines say, on a board of any size.
pub fn by_lines<'t>(
    quest: &mut SolveContext<Tiles>,
    automaton: &'t Automaton,
    lines: &'t Lines,
) -> Box<dyn Contours + 't> {
    Box::new(Deepening::<{ super::MAX_CELLS }, 0, 0>::new(
        quest,
        automaton,
        [],
        Some(lines),
    ))
}

/// A search for one board and goal: a board of at most `CELLS` cells, `VIEWS` views, and at most `GROUPS` groups a view.
struct Search<'t, const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    moves: Moves<'t>,
    lines: Option<&'t Lines>,
    views: [View<'t, CELLS>; VIEWS],
    sets: Sets,
    /// The views that are asked, one after another.
    order: Vec<usize>,
}

/// A search from one iteration to the next.
struct Deepening<'t, const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    search: Search<'t, CELLS, GROUPS, VIEWS>,
    parts: Vec<Part<CELLS, GROUPS, VIEWS>>,
    /// Of the next iteration.
    bound: u32,
    /// Children of which a view is asked before it is known what it is good for.
    enough: u64,
}

impl<'t, const CELLS: usize, const GROUPS: usize, const VIEWS: usize>
    Deepening<'t, CELLS, GROUPS, VIEWS>
{
    fn new(
        quest: &mut SolveContext<Tiles>,
        automaton: &'t Automaton,
        views: [&'t [Group]; VIEWS],
        lines: Option<&'t Lines>,
    ) -> Self {
        let tiles = quest.puzzle;
        let steps = tiles.lower_bound(&quest.start);
        let root = Node::new(tiles, views, lines, &quest.start);
        let sum = root.largest_sum();
        let bound = steps + 2 * u32::from(sum);
        quest.report_bound(bound);
        Self {
            search: Search {
                moves: Moves::new(tiles, automaton),
                lines,
                views: views.map(|groups| View::new(tiles, groups)),
                // Without views nobody asks for the sets, which on larger boards are too many.
                sets: Sets::new(if VIEWS == 0 { 0 } else { tiles.cell_count() }),
                order: (0..VIEWS).collect(),
            },
            parts: vec![Part {
                node: root.with_more_room(sum.into()),
                way: Vec::new(),
                deepest: 0,
            }],
            bound,
            enough: ENOUGH,
        }
    }
}

impl<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> Contours
    for Deepening<'_, CELLS, GROUPS, VIEWS>
{
    fn bound(&self) -> u32 {
        self.bound
    }

    fn search(
        &mut self,
        quest: &mut SolveContext<Tiles>,
        threads: &mut usize,
    ) -> Result<Option<Vec<Direction>>, Stopped> {
        quest.report_bound(self.bound);
        let parts = std::mem::take(&mut self.parts);
        self.parts = self.search.refined(parts, self.bound as usize, quest)?;
        let mut tallies = [FilterCounts::default(); VIEWS];
        let found =
            self.search
                .iterate(&mut self.parts, self.bound, quest, threads, &mut tallies)?;
        self.search.choose(&tallies, self.enough);
        // Every estimate has the parity of the steps to the homes.
        self.bound += 2;
        for part in &mut self.parts {
            part.node = part.node.with_more_room(1);
        }
        // Where the last iteration came nearest to the goal a solution is likeliest (compare Powley and Korf, 1991).
        self.parts
            .sort_by_key(|part| std::cmp::Reverse(part.deepest));
        Ok(found)
    }
}

/// A part of the tree: its root, the way there, and how deep the last search in it went.
struct Part<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    node: Node<CELLS, GROUPS, VIEWS>,
    way: Vec<Direction>,
    deepest: u8,
}

impl<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> Search<'_, CELLS, GROUPS, VIEWS> {
    /// Divides the parts that are nearest to the root until enough of them are within the bound, or that seems in vain.
    fn refined(
        &self,
        mut parts: Vec<Part<CELLS, GROUPS, VIEWS>>,
        bound: usize,
        quest: &mut SolveContext<Tiles>,
    ) -> Result<Vec<Part<CELLS, GROUPS, VIEWS>>, Stopped> {
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
        part: &Part<CELLS, GROUPS, VIEWS>,
        quest: &mut SolveContext<Tiles>,
        parts: &mut Vec<Part<CELLS, GROUPS, VIEWS>>,
    ) -> Result<(), Stopped> {
        let mut children = Vec::new();
        quest.examined += 1;
        part.node.expand(&self.moves, 0, &mut children);
        quest.control.visit_many(children.len() as u64)?;
        for child in children.iter_mut().rev() {
            if let Some(lines) = self.lines {
                part.node.ask_lines(lines, child);
            }
            for view in self.views.iter().enumerate() {
                part.node.count(view, &self.sets, child);
                child.look_up(view);
            }
            let mut node = part.node;
            node.advance(&self.views, child);
            let arrived = self.moves.automaton.arrived(node.state);
            let way: Vec<Direction> = part.way.iter().copied().chain(arrived).collect();
            parts.push(Part {
                node,
                way,
                deepest: part.deepest,
            });
        }
        Ok(())
    }

    /// Of the views asked so far, the best and those that leave out enough of what the ones before them have left, the most
    /// useful first.
    fn choose(&mut self, tallies: &[FilterCounts; VIEWS], enough: u64) {
        let share_kept = |index: usize| tallies[index].share_kept();
        if self
            .order
            .iter()
            .any(|&index| tallies[index].asked < enough)
        {
            return;
        }
        self.order
            .sort_by(|&a, &b| share_kept(a).total_cmp(&share_kept(b)));
        // Whatever is within the bound at its depth is a solution only by the word of one of them.
        let Some((_, others)) = self.order.split_first() else {
            return;
        };
        let worth = others
            .iter()
            .take_while(|&&index| share_kept(index) <= MAX_KEPT);
        self.order.truncate(1 + worth.count());
    }

    fn iterate(
        &self,
        parts: &mut [Part<CELLS, GROUPS, VIEWS>],
        bound: u32,
        quest: &mut SolveContext<Tiles>,
        threads: &mut usize,
        tallies: &mut [FilterCounts; VIEWS],
    ) -> Result<Option<Vec<Direction>>, Stopped> {
        let shared = Shared::new(parts, bound as usize);
        let work = |control: &mut Control| {
            let mut walker_group = WalkerGroup::new(self, &shared);
            let end = processor::run(
                #[inline(always)]
                || walker_group.run(control),
            );
            if end.is_err() {
                // A part was left in the middle, so nothing is proved: the others need not go on.
                shared.is_over.store(true, Ordering::Relaxed);
            }
            (walker_group.examined, walker_group.tallies, end)
        };
        let answers = quest.run_workers(threads, work);
        let mut end = Ok(());
        for (examined, of_team, how) in answers {
            quest.examined += examined;
            for (layer_stats, of_team) in tallies.iter_mut().zip(of_team) {
                layer_stats.add(of_team);
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tiles::partition;
    use crate::pathfinding::{Progress, idastar};
    use crate::random::Random;
    use crate::rules::Rules;

    #[test]
    fn views_that_are_left_out_are_not_missed() {
        let tiles = Tiles::new(4, 3);
        let partitions: Vec<_> = ["4-4-3", "3-3-3-2", "2-3-3-3"]
            .iter()
            .flat_map(|sizes| partition::of_sizes(&tiles, sizes).unwrap())
            .collect();
        let databases = Databases::build(&tiles, &partitions, 1, &|_, _| true).unwrap();
        let automaton = Automaton::learn(&tiles, 8, &mut || Ok(())).unwrap();
        let mut random = Random::new(4);
        let mut left_out = 0;
        for _ in 0..12 {
            let start = tiles.random(&mut random);
            let mut control = Control::unlimited();
            let mut progress = |_: Progress<Direction>, _: &Control| ();
            let mut quest =
                SolveContext::new(&tiles, start, &databases, &mut control, &mut progress);
            let Ok(SolveOutcome::Solved(shortest)) = idastar::solve(&mut quest) else {
                panic!("every position can be solved");
            };
            let mut deepening =
                Deepening::<16, 4, 6>::new(&mut quest, &automaton, databases.views(), None);
            deepening.enough = 1 << 6;
            let way = loop {
                if let Some(way) = deepening.search(&mut quest, &mut 1).unwrap() {
                    break way;
                }
            };
            let end = way.iter().fold(start, |at, &step| tiles.play(&at, step));
            assert_eq!(end, *tiles.goal());
            assert_eq!(way.len(), shortest.len());
            left_out += 6 - deepening.search.order.len();
        }
        assert!(left_out > 0);
    }
}
