//! The walkers of a thread, which share the parts of an iteration with those of the other threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::node::{Child, Node};
use super::{Direction, Part, Search};
use crate::control::{Control, Stopped};

/// The walkers of a thread.
const WALKERS: usize = 4;
/// So many views are asked together: to do it one by one takes longer than it saves where the tables are small.
const AT_ONCE: usize = 2;
/// Nodes between two looks at the control.
const CHUNK: u64 = 1024;

/// How many children a view was asked of, and how many it left within the bound.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FilterCounts {
    pub(super) asked: u64,
    pub(super) kept: u64,
}

impl FilterCounts {
    pub(super) fn add(&mut self, other: Self) {
        self.asked += other.asked;
        self.kept += other.kept;
    }

    /// The share of the children that is left.
    pub(super) fn share_kept(self) -> f64 {
        self.kept as f64 / self.asked.max(1) as f64
    }
}

/// What the threads of an iteration share.
pub(super) struct Shared<'p, const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    parts: &'p [Part<CELLS, GROUPS, VIEWS>],
    /// The depth of the goals, if there are any within the bound.
    bound: usize,
    /// The first part that nobody has taken.
    next: AtomicUsize,
    /// How deep each part's search went; 0 where there was none.
    deepest: Vec<AtomicU8>,
    pub(super) is_over: AtomicBool,
    found: Mutex<Option<Vec<Direction>>>,
}

impl<'p, const CELLS: usize, const GROUPS: usize, const VIEWS: usize>
    Shared<'p, CELLS, GROUPS, VIEWS>
{
    /// Nothing is taken and nothing found.
    pub(super) fn new(parts: &'p [Part<CELLS, GROUPS, VIEWS>], bound: usize) -> Self {
        Self {
            parts,
            bound,
            next: AtomicUsize::new(0),
            deepest: parts.iter().map(|_| AtomicU8::new(0)).collect(),
            is_over: AtomicBool::new(false),
            found: Mutex::new(None),
        }
    }

    /// The solution, if one was found, and how deep the search went in each part.
    pub(super) fn into_findings(self) -> (Option<Vec<Direction>>, Vec<u8>) {
        let found = self.found.into_inner();
        (
            found.unwrap_or_else(PoisonError::into_inner),
            self.deepest.into_iter().map(AtomicU8::into_inner).collect(),
        )
    }

    /// The next part whose root is near enough to the goal.
    fn take(&self) -> Option<usize> {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if self.parts.get(index)?.node.is_within_bound() {
                return Some(index);
            }
        }
    }
}

/// One depth-first search.
struct Walker<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    part: usize,
    /// The depth of the part's root.
    depth: usize,
    /// The deepest node examined in the part.
    deepest: usize,
    /// The nodes from the part's root to the one examined last.
    path: Vec<Node<CELLS, GROUPS, VIEWS>>,
    /// The children still to examine; the last are those of the node examined last.
    pending: Vec<Child<VIEWS>>,
    /// Where the children of the node examined last begin.
    first: usize,
}

impl<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> Walker<CELLS, GROUPS, VIEWS> {
    /// Keeps the children that do not exceed the bound by an estimate; none of them where one is so far beyond it that
    /// their parent, a move away, is beyond it too (Felner, Zahavi and others, 2011). What came of it.
    #[inline(always)]
    fn settle(&mut self, excess: impl Fn(&Child<VIEWS>) -> i16) -> FilterCounts {
        let asked = self.pending.len() - self.first;
        let mut kept = self.first;
        let mut is_parent_beyond = false;
        for index in self.first..self.pending.len() {
            let excess = excess(&self.pending[index]);
            self.pending[kept] = self.pending[index];
            is_parent_beyond |= excess >= 2;
            // Without a branch, which the processor could only guess.
            kept += usize::from(excess <= 0);
        }
        if is_parent_beyond {
            kept = self.first;
        }
        self.pending.truncate(kept);
        FilterCounts {
            asked: asked as u64,
            kept: (kept - self.first) as u64,
        }
    }
}

/// The walkers of one thread.
pub(super) struct WalkerGroup<'s, 't, const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    search: &'s Search<'t, CELLS, GROUPS, VIEWS>,
    shared: &'s Shared<'s, CELLS, GROUPS, VIEWS>,
    walkers: Vec<Walker<CELLS, GROUPS, VIEWS>>,
    pub(super) examined: u64,
    /// What came of every view.
    pub(super) tallies: [FilterCounts; VIEWS],
}

impl<'s, 't, const CELLS: usize, const GROUPS: usize, const VIEWS: usize>
    WalkerGroup<'s, 't, CELLS, GROUPS, VIEWS>
{
    pub(super) fn new(
        search: &'s Search<'t, CELLS, GROUPS, VIEWS>,
        shared: &'s Shared<'s, CELLS, GROUPS, VIEWS>,
    ) -> Self {
        let walker = || Walker {
            part: 0,
            depth: 0,
            deepest: 0,
            path: Vec::with_capacity(128),
            pending: Vec::with_capacity(256),
            first: 0,
        };
        Self {
            search,
            shared,
            walkers: std::iter::repeat_with(walker).take(WALKERS).collect(),
            examined: 0,
            tallies: [FilterCounts::default(); VIEWS],
        }
    }

    /// Searches parts until none is left, or somebody has found a solution.
    #[inline(always)]
    pub(super) fn run(&mut self, control: &mut Control) -> Result<(), Stopped> {
        let mut made = 0;
        loop {
            let before = self.examined;
            for index in 0..WALKERS {
                made += self.expand(index);
            }
            let is_done = self.examined == before || self.shared.is_over.load(Ordering::Relaxed);
            if is_done || made >= CHUNK {
                control.visit_many(made)?;
                made = 0;
            }
            if is_done {
                return Ok(());
            }
            if let Some(lines) = self.search.lines {
                for walker in &mut self.walkers {
                    if let Some(parent) = walker.path.last() {
                        for child in &mut walker.pending[walker.first..] {
                            parent.ask_lines(lines, child);
                        }
                    }
                    walker.settle(Child::excess_of_lines);
                }
            }
            if VIEWS > AT_ONCE {
                for &index in &self.search.order {
                    self.ask(index..index + 1);
                }
            } else if VIEWS > 0 {
                self.ask(0..VIEWS);
            }
        }
    }

    /// Asks these views together of all children of the nodes examined last.
    #[inline(always)]
    fn ask(&mut self, indices: Range<usize>) {
        let search = self.search;
        for walker in &mut self.walkers {
            if let Some(parent) = walker.path.last() {
                for child in &mut walker.pending[walker.first..] {
                    for index in indices.clone() {
                        parent.count((index, &search.views[index]), &search.sets, child);
                    }
                }
            }
        }
        // All entries are asked for before the first is needed.
        for walker in &mut self.walkers {
            for child in &mut walker.pending[walker.first..] {
                for index in indices.clone() {
                    child.look_up((index, &search.views[index]));
                }
            }
        }
        for walker in &mut self.walkers {
            let layer_stats = walker.settle(|child| child.excess(indices.clone()));
            self.tallies[indices.start].add(layer_stats);
        }
    }

    /// Lets a walker make the children of its next node, if there is any. How many there are.
    #[inline(always)]
    fn expand(&mut self, index: usize) -> u64 {
        let views = &self.search.views;
        let walker = &mut self.walkers[index];
        if let Some(child) = walker.pending.pop() {
            let level = usize::from(child.level);
            walker.path.truncate(level);
            // In its place: a copy of fields just written would wait for them to arrive in the cache.
            walker.path.extend_from_within(level - 1..);
            walker.path[level].advance(views, &child);
        } else {
            self.shared.deepest[walker.part].fetch_max(walker.deepest as u8, Ordering::Relaxed);
            walker.path.clear();
            walker.deepest = 0;
            let Some(part) = self.shared.take() else {
                return 0;
            };
            walker.part = part;
            walker.depth = self.shared.parts[part].way.len();
            walker.path.push(self.shared.parts[part].node);
        }
        walker.first = walker.pending.len();
        self.examined += 1;
        let level = walker.path.len();
        let depth = walker.depth + level - 1;
        walker.deepest = walker.deepest.max(depth);
        if depth >= self.shared.bound {
            self.finish(index);
            return 0;
        }
        let moves = &self.search.moves;
        walker.path[level - 1].expand(moves, level as u8, &mut walker.pending);
        (walker.pending.len() - walker.first) as u64
    }

    /// Tells everybody of the solution.
    #[cold]
    fn finish(&mut self, index: usize) {
        let walker = &self.walkers[index];
        let mut way = self.shared.parts[walker.part].way.clone();
        let states = walker.path[1..].iter().map(|node| node.state);
        way.extend(states.filter_map(|state| self.search.moves.automaton.arrived(state)));
        let found = &self.shared.found;
        *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(way);
        self.shared.is_over.store(true, Ordering::Relaxed);
    }
}
