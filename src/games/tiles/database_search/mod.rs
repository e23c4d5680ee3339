//! IDA* with additive pattern databases or, on boards too large for databases, with the heuristic of
//! `line_heuristic.rs`.
//!
//! The tables are larger than the CPU caches, so a single depth-first search would mostly wait for memory. Therefore
//! each iteration of IDA* is split into subtrees of the search tree. Each thread searches several subtrees in turn, one
//! step of each, and prefetches the table entries of all these steps before it reads the first entry.
//!
//! `databases.rs` explains views and groups. The views *filter* the children of a node in turn: a view removes the
//! children whose estimate exceeds the bound of the iteration.

mod interleaved;
pub(crate) mod line_heuristic;
mod node;
mod views;

use std::sync::atomic::Ordering;

use super::automaton::Automaton;
use super::databases::{Databases, Group};
use super::{Direction, Tiles, partition};
use crate::control::{Control, Stopped};
use crate::pathfinding::{EnginePuzzle, SolveContext, SolveOutcome};
use crate::processor;
use interleaved::{FilterCounts, InterleavedSearches, SharedState};
use line_heuristic::LineHeuristic;
use node::{Moves, Node};
use views::{SetRanker, View};

/// Maximum number of cells of a board that is searched with databases.
pub(crate) const MAX_CELLS: usize = 25;
/// Minimum number of subtrees with a root within the bound, per iteration, on boards of at most 16 cells. The
/// threads share the subtrees. Each iteration starts with the subtrees searched deepest in the previous iteration.
const MIN_SUBTREES: usize = 256;
/// The same minimum on boards of more than 16 cells, whose searches take longer.
const MIN_SUBTREES_LARGE: usize = 4096;

/// Number of children that every view must have tested in an iteration before views are dropped.
const MIN_FILTER_SAMPLES: u64 = 1 << 14;
/// Maximum share of the tested children that a view may keep. Above it, the view is dropped, because its lookups
/// take more time than they save.
const MAX_KEPT_SHARE: f64 = 0.97;

/// Maximum bound of an iteration, in moves, because depths are stored in a byte. Shortest solutions on boards of at
/// most 25 cells are shorter.
pub(crate) const MAX_BOUND: u32 = 250;
const _: () = assert!(MAX_BOUND < u8::MAX as u32);

/// Returns the maximum number of partitions of a search, with `groups` patterns per partition.
pub(crate) fn max_partitions(tiles: &Tiles, groups: usize) -> usize {
    match (tiles.cell_count(), groups) {
        (17..=MAX_CELLS, ..=4) => partition::MAX_PARTITIONS,
        _ => 1,
    }
}

/// Finds a shortest solution on a board of at most [`MAX_CELLS`] cells with `threads` threads.
///
/// # Errors
/// [`Stopped`] if the control stops the search.
pub(super) fn solve(
    context: &mut SolveContext<Tiles>,
    automaton: &Automaton,
    databases: &Databases,
    mut threads: usize,
) -> Result<SolveOutcome<Direction>, Stopped> {
    context.control.visit()?;
    if context.start == *context.puzzle.goal() {
        return Ok(SolveOutcome::Solved(Vec::new()));
    }
    let mut ida_star = with_databases(context, automaton, databases);
    while ida_star.bound() <= context.max_depth.min(MAX_BOUND) {
        if let Some(path) = ida_star.run_iteration(context, &mut threads)? {
            return Ok(SolveOutcome::Solved(path));
        }
    }
    Ok(SolveOutcome::DepthLimit)
}

/// An IDA* search, run one iteration at a time. The start must not be the goal.
pub(crate) trait IterativeSearch {
    /// Returns the bound of the next iteration, in moves: a proved lower bound on the solution length.
    fn bound(&self) -> u32;

    /// Runs the next iteration on `threads` threads. Returns a solution within the bound, if there is one.
    ///
    /// # Errors
    /// [`Stopped`] if the control stops the search.
    fn run_iteration(
        &mut self,
        context: &mut SolveContext<Tiles>,
        threads: &mut usize,
    ) -> Result<Option<Vec<Direction>>, Stopped>;
}

/// Creates a search with pattern databases. Selects the smallest constants `CELLS`, `GROUPS` and `VIEWS` (see
/// [`Search`]) that fit the board and the databases.
fn with_databases<'t>(
    context: &mut SolveContext<Tiles>,
    automaton: &'t Automaton,
    databases: &'t Databases,
) -> Box<dyn IterativeSearch + 't> {
    let groups = databases.views.iter().map(Vec::len).max();
    let views = databases.views.len();
    macro_rules! search {
        ($cells:literal, $groups:expr, $views:literal) => {
            Box::new(IdaStar::<$cells, { $groups }, $views>::new(
                context,
                automaton,
                databases.views(),
                None,
            ))
        };
    }
    match (context.puzzle.cell_count(), groups.unwrap_or(0), views) {
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

/// Creates a search with the line heuristic, for boards of any size.
pub(crate) fn with_line_heuristic<'t>(
    context: &mut SolveContext<Tiles>,
    automaton: &'t Automaton,
    line_heuristic: &'t LineHeuristic,
) -> Box<dyn IterativeSearch + 't> {
    Box::new(IdaStar::<{ super::MAX_CELLS }, 0, 0>::new(
        context,
        automaton,
        [],
        Some(line_heuristic),
    ))
}

/// The tables of a search for one board and goal.
///
/// `CELLS` is the maximum number of cells, `GROUPS` the maximum number of groups per view, and `VIEWS` the number of
/// views. They are constants so that the compiler can unroll loops over them.
struct Search<'t, const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    moves: Moves<'t>,
    line_heuristic: Option<&'t LineHeuristic>,
    views: [View<'t, CELLS>; VIEWS],
    set_ranker: SetRanker,
    /// The indices of the views in use, in the order in which the views filter children.
    order: Vec<usize>,
}

/// An IDA* search between two iterations.
struct IdaStar<'t, const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    search: Search<'t, CELLS, GROUPS, VIEWS>,
    /// Disjoint subtrees that together cover the search tree, except the nodes above their roots.
    subtrees: Vec<Subtree<CELLS, GROUPS, VIEWS>>,
    /// The bound of the next iteration, in moves.
    bound: u32,
    /// [`MIN_FILTER_SAMPLES`], or a smaller number in tests.
    min_samples: u64,
}

impl<'t, const CELLS: usize, const GROUPS: usize, const VIEWS: usize>
    IdaStar<'t, CELLS, GROUPS, VIEWS>
{
    fn new(
        context: &mut SolveContext<Tiles>,
        automaton: &'t Automaton,
        views: [&'t [Group]; VIEWS],
        line_heuristic: Option<&'t LineHeuristic>,
    ) -> Self {
        let tiles = context.puzzle;
        let manhattan = tiles.lower_bound(&context.start);
        let root = Node::new(tiles, views, line_heuristic, &context.start);
        let largest_sum = root.largest_sum();
        let bound = manhattan + 2 * u32::from(largest_sum);
        context.report_bound(bound);
        Self {
            search: Search {
                moves: Moves::new(tiles, automaton),
                line_heuristic,
                views: views.map(|groups| View::new(tiles, groups)),
                // Without views, the ranker is unused, and the board may have more cells than it supports.
                set_ranker: SetRanker::new(if VIEWS == 0 { 0 } else { tiles.cell_count() }),
                order: (0..VIEWS).collect(),
            },
            subtrees: vec![Subtree {
                node: root.with_larger_bound(largest_sum.into()),
                path: Vec::new(),
                max_depth: 0,
            }],
            bound,
            min_samples: MIN_FILTER_SAMPLES,
        }
    }
}

impl<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> IterativeSearch
    for IdaStar<'_, CELLS, GROUPS, VIEWS>
{
    fn bound(&self) -> u32 {
        self.bound
    }

    fn run_iteration(
        &mut self,
        context: &mut SolveContext<Tiles>,
        threads: &mut usize,
    ) -> Result<Option<Vec<Direction>>, Stopped> {
        context.report_bound(self.bound);
        let subtrees = std::mem::take(&mut self.subtrees);
        self.subtrees = self
            .search
            .split_subtrees(subtrees, self.bound as usize, context)?;
        let mut filter_counts = [FilterCounts::default(); VIEWS];
        let solution = self.search.search_subtrees(
            &mut self.subtrees,
            self.bound,
            context,
            threads,
            &mut filter_counts,
        )?;
        self.search.choose_views(&filter_counts, self.min_samples);
        // Depth plus estimate keeps its parity: a move changes the depth by 1 and the Manhattan distance by 1 or
        // −1, and entries count pairs of moves.
        self.bound += 2;
        for subtree in &mut self.subtrees {
            subtree.node = subtree.node.with_larger_bound(1);
        }
        // Start with the subtrees searched deepest in the last iteration, which most likely contain a solution
        // (compare Powley and Korf, 1991).
        self.subtrees
            .sort_by_key(|subtree| std::cmp::Reverse(subtree.max_depth));
        Ok(solution)
    }
}

/// A subtree of the search tree.
struct Subtree<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    /// The root of the subtree.
    node: Node<CELLS, GROUPS, VIEWS>,
    /// The moves from the start to the root of the subtree.
    path: Vec<Direction>,
    /// The maximum depth of the nodes expanded in the last search of the subtree, in moves from the start.
    max_depth: u8,
}

impl<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> Search<'_, CELLS, GROUPS, VIEWS> {
    /// Splits subtrees into the subtrees of their roots' children, shallowest roots first, until the minimum number
    /// of subtrees is reached (see [`MIN_SUBTREES`]).
    ///
    /// The same minimum limits the number of splits, because a split takes time and may not increase the
    /// number of subtrees within the bound.
    fn split_subtrees(
        &self,
        mut subtrees: Vec<Subtree<CELLS, GROUPS, VIEWS>>,
        bound: usize,
        context: &mut SolveContext<Tiles>,
    ) -> Result<Vec<Subtree<CELLS, GROUPS, VIEWS>>, Stopped> {
        let min_subtrees = if CELLS > 16 {
            MIN_SUBTREES_LARGE
        } else {
            MIN_SUBTREES
        };
        let mut splits = 0;
        while splits < min_subtrees {
            let depths: Vec<usize> = subtrees
                .iter()
                .filter(|subtree| subtree.node.is_within_bound())
                .map(|subtree| subtree.path.len())
                .collect();
            // A root within the bound at the depth of the bound is the goal, which the search finds without a
            // split.
            let min_depth = depths.iter().copied().min().unwrap_or(bound);
            if depths.len() >= min_subtrees || min_depth >= bound {
                break;
            }
            let mut split_subtrees = Vec::with_capacity(subtrees.len() + depths.len());
            for subtree in subtrees {
                if subtree.node.is_within_bound() && subtree.path.len() == min_depth {
                    self.split(&subtree, context, &mut split_subtrees)?;
                    splits += 1;
                } else {
                    split_subtrees.push(subtree);
                }
            }
            subtrees = split_subtrees;
        }
        Ok(subtrees)
    }

    /// Expands the root of `subtree` and appends a subtree for each of its children to `subtrees`.
    fn split(
        &self,
        subtree: &Subtree<CELLS, GROUPS, VIEWS>,
        context: &mut SolveContext<Tiles>,
        subtrees: &mut Vec<Subtree<CELLS, GROUPS, VIEWS>>,
    ) -> Result<(), Stopped> {
        let mut children = Vec::new();
        context.expanded += 1;
        subtree.node.expand(&self.moves, 0, &mut children);
        context.control.visit_many(children.len() as u64)?;
        for child in children.iter_mut().rev() {
            if let Some(line_heuristic) = self.line_heuristic {
                subtree.node.update_line_estimate(line_heuristic, child);
            }
            for view in self.views.iter().enumerate() {
                subtree.node.locate_entry(view, &self.set_ranker, child);
                child.read_entry(view);
            }
            let mut node = subtree.node;
            node.advance(&self.views, child);
            let last_move = self.moves.automaton.last_move(node.state);
            let path: Vec<Direction> = subtree.path.iter().copied().chain(last_move).collect();
            subtrees.push(Subtree {
                node,
                path,
                max_depth: subtree.max_depth,
            });
        }
        Ok(())
    }

    /// Sorts the views in use by their share of kept children. Drops views above [`MAX_KEPT_SHARE`], except the first
    /// view. Does nothing if a view has tested fewer than `min_samples` children.
    fn choose_views(&mut self, filter_counts: &[FilterCounts; VIEWS], min_samples: u64) {
        let kept_share = |index: usize| filter_counts[index].kept_share();
        if self
            .order
            .iter()
            .any(|&index| filter_counts[index].tested < min_samples)
        {
            return;
        }
        self.order
            .sort_by(|&a, &b| kept_share(a).total_cmp(&kept_share(b)));
        // At least one view must remain to remove the children beyond the bound, because the search treats every
        // remaining node at the depth of the bound as the goal.
        let Some((_, others)) = self.order.split_first() else {
            return;
        };
        let useful = others
            .iter()
            .take_while(|&&index| kept_share(index) <= MAX_KEPT_SHARE);
        self.order.truncate(1 + useful.count());
    }

    /// Searches all subtrees up to `bound` moves from the start on `threads` threads. Returns the solution if
    /// found.
    ///
    /// Sets the maximum depth of every subtree and adds the counts of the views to `filter_counts`.
    fn search_subtrees(
        &self,
        subtrees: &mut [Subtree<CELLS, GROUPS, VIEWS>],
        bound: u32,
        context: &mut SolveContext<Tiles>,
        threads: &mut usize,
        filter_counts: &mut [FilterCounts; VIEWS],
    ) -> Result<Option<Vec<Direction>>, Stopped> {
        let shared = SharedState::new(subtrees, bound as usize);
        let work = |control: &mut Control| {
            let mut searches = InterleavedSearches::new(self, &shared);
            let end = processor::run(
                #[inline(always)]
                || searches.run(control),
            );
            if end.is_err() {
                // This thread was stopped within a subtree, so the iteration cannot raise the bound. Stop all
                // other threads, too.
                shared.is_over.store(true, Ordering::Relaxed);
            }
            (searches.expanded, searches.filter_counts, end)
        };
        let results = context.run_workers(threads, work);
        let mut end = Ok(());
        for (expanded, thread_counts, end_of_thread) in results {
            context.expanded += expanded;
            for (counts, thread_counts) in filter_counts.iter_mut().zip(thread_counts) {
                counts.add(thread_counts);
            }
            end = end.and(end_of_thread);
        }
        let (solution, max_depth) = shared.into_results();
        for (subtree, max_depth) in subtrees.iter_mut().zip(max_depth) {
            subtree.max_depth = if max_depth == 0 {
                subtree.path.len() as u8
            } else {
                max_depth
            };
        }
        if solution.is_none() {
            end.map(|()| None)
        } else {
            Ok(solution)
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
    fn finds_shortest_solution_with_dropped_views() {
        let tiles = Tiles::new(4, 3);
        let partitions: Vec<_> = ["4-4-3", "3-3-3-2", "2-3-3-3"]
            .iter()
            .flat_map(|sizes| partition::of_sizes(&tiles, sizes).unwrap())
            .collect();
        let databases = Databases::build(&tiles, &partitions, 1, &|_, _| true).unwrap();
        let automaton = Automaton::learn(&tiles, 8, &mut || Ok(())).unwrap();
        let mut random = Random::new(4);
        let mut dropped_views = 0;
        for _ in 0..12 {
            let start = tiles.random(&mut random);
            let mut control = Control::unlimited();
            let mut progress = |_: Progress<Direction>, _: &Control| ();
            let mut context =
                SolveContext::new(&tiles, start, &databases, &mut control, &mut progress);
            let Ok(SolveOutcome::Solved(shortest)) = idastar::solve(&mut context) else {
                panic!("every position can be solved");
            };
            let mut ida_star =
                IdaStar::<16, 4, 6>::new(&mut context, &automaton, databases.views(), None);
            ida_star.min_samples = 1 << 6;
            let path = loop {
                if let Some(path) = ida_star.run_iteration(&mut context, &mut 1).unwrap() {
                    break path;
                }
            };
            let end = path.iter().fold(start, |at, &step| tiles.play(&at, step));
            assert_eq!(end, *tiles.goal());
            assert_eq!(path.len(), shortest.len());
            dropped_views += 6 - ida_star.search.order.len();
        }
        assert!(dropped_views > 0);
    }
}
