//! The walkers of one thread. All threads of an iteration take subtrees from a shared list.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::node::{Child, Node};
use super::{Direction, Search, Subtree};
use crate::control::{Control, Stopped};

/// Number of walkers per thread.
const WALKERS_PER_THREAD: usize = 4;
/// Maximum number of views that filter together. On boards with that few views the tables are small, and filtering
/// one by one costs more than it saves.
const MAX_VIEWS_AT_ONCE: usize = 2;
/// Number of generated nodes between two polls of the control.
const NODES_PER_POLL: u64 = 1024;

/// The number of children that a view tested, and the number that it left within the bound.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FilterCounts {
    pub(super) tested: u64,
    pub(super) kept: u64,
}

impl FilterCounts {
    pub(super) fn add(&mut self, other: Self) {
        self.tested += other.tested;
        self.kept += other.kept;
    }

    /// Returns the share of the tested children that were kept.
    pub(super) fn kept_share(self) -> f64 {
        self.kept as f64 / self.tested.max(1) as f64
    }
}

/// The state that the threads of an iteration share.
pub(super) struct Shared<'p, const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    subtrees: &'p [Subtree<CELLS, GROUPS, VIEWS>],
    /// The bound of the iteration, in moves. A node of this depth within the bound is the goal.
    bound: usize,
    /// The index of the next subtree to search.
    next_index: AtomicUsize,
    /// By subtree: the maximum depth of the search, or 0 if it was not searched.
    max_depths: Vec<AtomicU8>,
    pub(super) is_over: AtomicBool,
    solution: Mutex<Option<Vec<Direction>>>,
}

impl<'p, const CELLS: usize, const GROUPS: usize, const VIEWS: usize>
    Shared<'p, CELLS, GROUPS, VIEWS>
{
    /// Starts an iteration over `subtrees`.
    pub(super) fn new(subtrees: &'p [Subtree<CELLS, GROUPS, VIEWS>], bound: usize) -> Self {
        Self {
            subtrees,
            bound,
            next_index: AtomicUsize::new(0),
            max_depths: subtrees.iter().map(|_| AtomicU8::new(0)).collect(),
            is_over: AtomicBool::new(false),
            solution: Mutex::new(None),
        }
    }

    /// Returns the solution, if one was found, and the maximum depth of each subtree.
    pub(super) fn into_results(self) -> (Option<Vec<Direction>>, Vec<u8>) {
        let solution = self.solution.into_inner();
        (
            solution.unwrap_or_else(PoisonError::into_inner),
            self.max_depths
                .into_iter()
                .map(AtomicU8::into_inner)
                .collect(),
        )
    }

    /// Takes the next subtree whose root is within the bound.
    fn next_subtree(&self) -> Option<usize> {
        loop {
            let index = self.next_index.fetch_add(1, Ordering::Relaxed);
            if self.subtrees.get(index)?.node.is_within_bound() {
                return Some(index);
            }
        }
    }
}

/// One depth-first search in a subtree.
struct Walker<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    subtree: usize,
    /// The depth of the subtree's root.
    depth: usize,
    /// The maximum depth of the expanded nodes in the subtree.
    max_depth: usize,
    /// The nodes from the subtree's root to the last expanded node.
    path: Vec<Node<CELLS, GROUPS, VIEWS>>,
    /// The children to expand. Those of the last expanded node are at the end.
    pending: Vec<Child<VIEWS>>,
    /// The index of the first child of the last expanded node.
    first_child: usize,
}

impl<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> Walker<CELLS, GROUPS, VIEWS> {
    /// Removes the children that exceed the bound.
    ///
    /// If a child exceeds the bound by at least two pairs of moves, its estimate shows that the parent exceeds the
    /// bound too (Felner, Zahavi and others, 2011). All children are then removed.
    #[inline(always)]
    fn filter_children(&mut self, excess: impl Fn(&Child<VIEWS>) -> i16) -> FilterCounts {
        let tested = self.pending.len() - self.first_child;
        let mut kept = self.first_child;
        let mut parent_exceeds = false;
        for index in self.first_child..self.pending.len() {
            let excess = excess(&self.pending[index]);
            self.pending[kept] = self.pending[index];
            parent_exceeds |= excess >= 2;
            // Branch-free, because the outcome is unpredictable.
            kept += usize::from(excess <= 0);
        }
        if parent_exceeds {
            kept = self.first_child;
        }
        self.pending.truncate(kept);
        FilterCounts {
            tested: tested as u64,
            kept: (kept - self.first_child) as u64,
        }
    }
}

/// The walkers of one thread, interleaved so that they wait for memory together.
pub(super) struct WalkerGroup<'s, 't, const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    search: &'s Search<'t, CELLS, GROUPS, VIEWS>,
    shared: &'s Shared<'s, CELLS, GROUPS, VIEWS>,
    walkers: Vec<Walker<CELLS, GROUPS, VIEWS>>,
    pub(super) expanded: u64,
    /// By view: its filter counts.
    pub(super) filter_counts: [FilterCounts; VIEWS],
}

impl<'s, 't, const CELLS: usize, const GROUPS: usize, const VIEWS: usize>
    WalkerGroup<'s, 't, CELLS, GROUPS, VIEWS>
{
    pub(super) fn new(
        search: &'s Search<'t, CELLS, GROUPS, VIEWS>,
        shared: &'s Shared<'s, CELLS, GROUPS, VIEWS>,
    ) -> Self {
        let walker = || Walker {
            subtree: 0,
            depth: 0,
            max_depth: 0,
            path: Vec::with_capacity(128),
            pending: Vec::with_capacity(256),
            first_child: 0,
        };
        Self {
            search,
            shared,
            walkers: std::iter::repeat_with(walker)
                .take(WALKERS_PER_THREAD)
                .collect(),
            expanded: 0,
            filter_counts: [FilterCounts::default(); VIEWS],
        }
    }

    /// Searches subtrees until none is left or a thread has found a solution.
    ///
    /// # Errors
    /// [`Stopped`] if the control stops the search.
    #[inline(always)]
    pub(super) fn run(&mut self, control: &mut Control) -> Result<(), Stopped> {
        let mut generated = 0;
        loop {
            let before = self.expanded;
            for index in 0..WALKERS_PER_THREAD {
                generated += self.expand(index);
            }
            let is_done = self.expanded == before || self.shared.is_over.load(Ordering::Relaxed);
            if is_done || generated >= NODES_PER_POLL {
                control.visit_many(generated)?;
                generated = 0;
            }
            if is_done {
                return Ok(());
            }
            if let Some(line_heuristic) = self.search.line_heuristic {
                for walker in &mut self.walkers {
                    if let Some(parent) = walker.path.last() {
                        for child in &mut walker.pending[walker.first_child..] {
                            parent.update_line_estimate(line_heuristic, child);
                        }
                    }
                    walker.filter_children(Child::line_excess);
                }
            }
            if VIEWS > MAX_VIEWS_AT_ONCE {
                for &index in &self.search.order {
                    self.filter_by_views(index..index + 1);
                }
            } else if VIEWS > 0 {
                self.filter_by_views(0..VIEWS);
            }
        }
    }

    /// Filters the children of all last expanded nodes by the views `indices` together.
    #[inline(always)]
    fn filter_by_views(&mut self, indices: Range<usize>) {
        let search = self.search;
        for walker in &mut self.walkers {
            if let Some(parent) = walker.path.last() {
                for child in &mut walker.pending[walker.first_child..] {
                    for index in indices.clone() {
                        parent.locate_entry(
                            (index, &search.views[index]),
                            &search.set_ranker,
                            child,
                        );
                    }
                }
            }
        }
        // All entries have been prefetched before the first is read.
        for walker in &mut self.walkers {
            for child in &mut walker.pending[walker.first_child..] {
                for index in indices.clone() {
                    child.read_entry((index, &search.views[index]));
                }
            }
        }
        for walker in &mut self.walkers {
            let counts = walker.filter_children(|child| child.excess(indices.clone()));
            self.filter_counts[indices.start].add(counts);
        }
    }

    /// Expands the next node of a walker. Returns the number of its children, 0 if the walker has no work left.
    #[inline(always)]
    fn expand(&mut self, index: usize) -> u64 {
        let views = &self.search.views;
        let walker = &mut self.walkers[index];
        if let Some(child) = walker.pending.pop() {
            let level = usize::from(child.level);
            walker.path.truncate(level);
            // Updated in place: copying recently written fields would wait for the store buffer.
            walker.path.extend_from_within(level - 1..);
            walker.path[level].advance(views, &child);
        } else {
            self.shared.max_depths[walker.subtree]
                .fetch_max(walker.max_depth as u8, Ordering::Relaxed);
            walker.path.clear();
            walker.max_depth = 0;
            let Some(subtree) = self.shared.next_subtree() else {
                return 0;
            };
            walker.subtree = subtree;
            walker.depth = self.shared.subtrees[subtree].path.len();
            walker.path.push(self.shared.subtrees[subtree].node);
        }
        walker.first_child = walker.pending.len();
        self.expanded += 1;
        let level = walker.path.len();
        let depth = walker.depth + level - 1;
        walker.max_depth = walker.max_depth.max(depth);
        if depth >= self.shared.bound {
            self.report_solution(index);
            return 0;
        }
        let moves = &self.search.moves;
        walker.path[level - 1].expand(moves, level as u8, &mut walker.pending);
        (walker.pending.len() - walker.first_child) as u64
    }

    /// Stores the solution of a walker and ends the iteration.
    #[cold]
    fn report_solution(&mut self, index: usize) {
        let walker = &self.walkers[index];
        let mut path = self.shared.subtrees[walker.subtree].path.clone();
        let states = walker.path[1..].iter().map(|node| node.state);
        path.extend(states.filter_map(|state| self.search.moves.automaton.last_move(state)));
        let solution = &self.shared.solution;
        *solution.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
        self.shared.is_over.store(true, Ordering::Relaxed);
    }
}
