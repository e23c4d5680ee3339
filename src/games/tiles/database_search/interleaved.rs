//! The searches of one thread in one iteration of IDA*. Threads take subtrees from a shared list.
//!
//! A thread runs several depth-first searches in turn. In each round, every search expands one node, and then the views
//! filter the new children of all searches. So the memory accesses for all table entries overlap.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::node::{Child, Node};
use super::{Direction, Search, Subtree};
use crate::control::{Control, Stopped};

/// Number of searches that a thread runs in turn.
const SEARCHES_PER_THREAD: usize = 4;
/// Maximum number of views that filter together: every view looks up all children before any are removed. Searches
/// with few views have small tables, for which this is faster than filtering by one view at a time.
const MAX_VIEWS_AT_ONCE: usize = 2;
/// Number of generated nodes between two polls of the control.
const NODES_PER_POLL: u64 = 1024;

/// The number of children tested by a view, and the number of children kept because they are within the bound.
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
pub(super) struct SharedState<'p, const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    subtrees: &'p [Subtree<CELLS, GROUPS, VIEWS>],
    /// The bound of the iteration, in moves. A node at this depth that passes all filters is the goal.
    bound: usize,
    /// The index of the next subtree to search.
    next_index: AtomicUsize,
    /// The maximum depth of the expanded nodes of each subtree, or 0 if the subtree was not searched.
    max_depths: Vec<AtomicU8>,
    /// `true` if all threads must end the iteration, because a thread has found a solution or was
    /// stopped.
    pub(super) is_over: AtomicBool,
    solution: Mutex<Option<Vec<Direction>>>,
}

impl<'p, const CELLS: usize, const GROUPS: usize, const VIEWS: usize>
    SharedState<'p, CELLS, GROUPS, VIEWS>
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

    /// Takes the next subtree with a root within the bound. Returns its index, or `None` at the end of the list.
    fn next_subtree(&self) -> Option<usize> {
        loop {
            let index = self.next_index.fetch_add(1, Ordering::Relaxed);
            if self.subtrees.get(index)?.node.is_within_bound() {
                return Some(index);
            }
        }
    }
}

/// A depth-first search in a subtree. When the subtree is finished, the search takes the next subtree.
struct SubtreeSearch<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    /// The index of the subtree.
    subtree: usize,
    /// The depth of the subtree's root, in moves from the start.
    depth: usize,
    /// The maximum depth of the expanded nodes in the subtree, in moves from the start.
    max_depth: usize,
    /// The nodes from the subtree's root to the last expanded node.
    path: Vec<Node<CELLS, GROUPS, VIEWS>>,
    /// The stack of nodes to expand, each as a difference from its parent. It ends with the children of the last
    /// expanded node.
    pending: Vec<Child<VIEWS>>,
    /// The index in `pending` of the first child of the last expanded node.
    first_child: usize,
}

impl<const CELLS: usize, const GROUPS: usize, const VIEWS: usize>
    SubtreeSearch<CELLS, GROUPS, VIEWS>
{
    /// Removes the children of the last expanded node that exceed the bound. `excess` returns a child's excess
    /// over the bound, in pairs of moves; 0 or less within the bound.
    ///
    /// The parent's distance is at most one move less than the child's. So if the excess of a child is at least 2, the
    /// parent also exceeds the bound, and all children are removed (Felner, Zahavi and others, 2011).
    #[inline(always)]
    fn filter_children(&mut self, excess: impl Fn(&Child<VIEWS>) -> i16) -> FilterCounts {
        let tested = self.pending.len() - self.first_child;
        let mut kept = self.first_child;
        let mut parent_exceeds = false;
        for index in self.first_child..self.pending.len() {
            let excess = excess(&self.pending[index]);
            self.pending[kept] = self.pending[index];
            parent_exceeds |= excess >= 2;
            // A branch would often be mispredicted.
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

/// The searches of one thread, run in turn.
pub(super) struct InterleavedSearches<
    's,
    't,
    const CELLS: usize,
    const GROUPS: usize,
    const VIEWS: usize,
> {
    /// The tables that all searches use.
    tables: &'s Search<'t, CELLS, GROUPS, VIEWS>,
    shared: &'s SharedState<'s, CELLS, GROUPS, VIEWS>,
    searches: Vec<SubtreeSearch<CELLS, GROUPS, VIEWS>>,
    /// Number of expanded nodes.
    pub(super) expanded: u64,
    /// Indexed by view: its filter counts.
    pub(super) filter_counts: [FilterCounts; VIEWS],
}

impl<'s, 't, const CELLS: usize, const GROUPS: usize, const VIEWS: usize>
    InterleavedSearches<'s, 't, CELLS, GROUPS, VIEWS>
{
    /// Creates searches that do not have a subtree yet.
    pub(super) fn new(
        tables: &'s Search<'t, CELLS, GROUPS, VIEWS>,
        shared: &'s SharedState<'s, CELLS, GROUPS, VIEWS>,
    ) -> Self {
        let idle_search = || SubtreeSearch {
            subtree: 0,
            depth: 0,
            max_depth: 0,
            path: Vec::with_capacity(128),
            pending: Vec::with_capacity(256),
            first_child: 0,
        };
        Self {
            tables,
            shared,
            searches: std::iter::repeat_with(idle_search)
                .take(SEARCHES_PER_THREAD)
                .collect(),
            expanded: 0,
            filter_counts: [FilterCounts::default(); VIEWS],
        }
    }

    /// Searches subtrees until the list is exhausted or a thread ends the iteration.
    ///
    /// # Errors
    /// [`Stopped`] if the control stops the search.
    #[inline(always)]
    pub(super) fn run(&mut self, control: &mut Control) -> Result<(), Stopped> {
        let mut generated = 0;
        loop {
            let before = self.expanded;
            for index in 0..SEARCHES_PER_THREAD {
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
            if let Some(line_heuristic) = self.tables.line_heuristic {
                for search in &mut self.searches {
                    if let Some(parent) = search.path.last() {
                        for child in &mut search.pending[search.first_child..] {
                            parent.update_line_estimate(line_heuristic, child);
                        }
                    }
                    search.filter_children(Child::line_excess);
                }
            }
            if VIEWS > MAX_VIEWS_AT_ONCE {
                for &index in &self.tables.order {
                    self.filter_by_views(index..index + 1);
                }
            } else if VIEWS > 0 {
                self.filter_by_views(0..VIEWS);
            }
        }
    }

    /// Filters the children of the last expanded node of every search by the views `indices` together.
    #[inline(always)]
    fn filter_by_views(&mut self, indices: Range<usize>) {
        let tables = self.tables;
        for search in &mut self.searches {
            if let Some(parent) = search.path.last() {
                for child in &mut search.pending[search.first_child..] {
                    for index in indices.clone() {
                        parent.locate_entry(
                            (index, &tables.views[index]),
                            &tables.set_ranker,
                            child,
                        );
                    }
                }
            }
        }
        // The entries of all children have been prefetched.
        for search in &mut self.searches {
            for child in &mut search.pending[search.first_child..] {
                for index in indices.clone() {
                    child.read_entry((index, &tables.views[index]));
                }
            }
        }
        for search in &mut self.searches {
            let counts = search.filter_children(|child| child.excess(indices.clone()));
            self.filter_counts[indices.start].add(counts);
        }
    }

    /// Expands the next node of the search `index`. Returns the number of children, or 0 if no subtree is left.
    #[inline(always)]
    fn expand(&mut self, index: usize) -> u64 {
        let views = &self.tables.views;
        let search = &mut self.searches[index];
        if let Some(child) = search.pending.pop() {
            let level = usize::from(child.level);
            search.path.truncate(level);
            // Copy the parent and update the copy in place. Building the child elsewhere and copying it would be
            // slower, because loads of recently stored data wait for the stores.
            search.path.extend_from_within(level - 1..);
            search.path[level].advance(views, &child);
        } else {
            self.shared.max_depths[search.subtree]
                .fetch_max(search.max_depth as u8, Ordering::Relaxed);
            search.path.clear();
            search.max_depth = 0;
            let Some(subtree) = self.shared.next_subtree() else {
                return 0;
            };
            search.subtree = subtree;
            search.depth = self.shared.subtrees[subtree].path.len();
            search.path.push(self.shared.subtrees[subtree].node);
        }
        search.first_child = search.pending.len();
        self.expanded += 1;
        let level = search.path.len();
        let depth = search.depth + level - 1;
        search.max_depth = search.max_depth.max(depth);
        if depth >= self.shared.bound {
            self.report_solution(index);
            return 0;
        }
        let moves = &self.tables.moves;
        search.path[level - 1].expand(moves, level as u8, &mut search.pending);
        (search.pending.len() - search.first_child) as u64
    }

    /// Stores the path of the search `index` as the solution and ends the iteration.
    #[cold]
    fn report_solution(&mut self, index: usize) {
        let search = &self.searches[index];
        let mut path = self.shared.subtrees[search.subtree].path.clone();
        let states = search.path[1..].iter().map(|node| node.state);
        path.extend(states.filter_map(|state| self.tables.moves.automaton.last_move(state)));
        let solution = &self.shared.solution;
        *solution.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
        self.shared.is_over.store(true, Ordering::Relaxed);
    }
}
