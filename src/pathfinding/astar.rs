//! A* (Hart, Nilsson and Raphael, 1968) with weights: `f = g_weight · g + h_weight · h`. Runs with or without a
//! closed list.

use std::collections::VecDeque;

use super::observer::PuzzleObserver;
use super::store::{Insertion, NodeId, Store};
use super::{SolveContext, SolveOutcome};
use crate::background_drop;
use crate::control::Stopped;
use crate::rules::Puzzle;
use crate::settings::TieBreak;
use crate::try_alloc::{self, OutOfMemory};

/// The order in which nodes are expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    /// Weight of g, the number of moves from the start. 0 gives greedy best-first search.
    pub(crate) g_weight: u32,
    /// Weight of h, the estimated number of moves to the goal.
    ///
    /// With a weight above `g_weight`, the search expands fewer nodes, but the solution can be longer than
    /// the shortest by a factor of at most `h_weight / g_weight` (Pohl, 1970).
    pub(crate) h_weight: u32,
    /// The order of nodes with equal f.
    pub(crate) tie_break: TieBreak,
    /// If `true`, every position is stored once. If `false`, a position is stored once for each path that leads to
    /// it (tree search).
    pub closed_list: bool,
}

/// Finds a solution. The goal is detected when it is removed from the open list.
///
/// The solution is shortest if the weights are equal and the heuristic is admissible.
///
/// # Errors
/// [`Stopped`] if the control stops the search.
pub(crate) fn solve<P: Puzzle>(
    context: &mut SolveContext<P>,
    order: Order,
    observer: &mut impl PuzzleObserver<P>,
) -> Result<SolveOutcome<P::Move>, Stopped> {
    context.control.visit()?;
    let mut store = Store::new(context.puzzle, context.start, order.closed_list);
    let mut open = Open::new(order.tie_break);
    let mut moves = Vec::new();
    let estimate = context.estimate(&context.start);
    if let Err(out_of_memory) = open.push(0, order.h_weight * estimate, 0) {
        return Ok(SolveOutcome::OutOfMemory(out_of_memory));
    }
    let mut bound = 0;
    let mut depth_limit_hit = false;
    while let Some((f, g, id)) = open.pop() {
        let node = *store.get(id);
        if u32::from(node.g) < g {
            // The entry is obsolete: a shorter path to its position was found later.
            continue;
        }
        if context.puzzle.is_solved(&node.position) {
            context.peak_memory = store.bytes() + open.bytes();
            return Ok(SolveOutcome::Solved(store.path_to(id)));
        }
        context.control.deepest = context.control.deepest.max(g);
        if f > bound && order.g_weight == order.h_weight {
            bound = f;
            context.report_bound(bound / order.g_weight);
        }
        context.expanded += 1;
        observer.expand(id, estimate_of(f, g, order));
        moves.clear();
        context.successors(&node.position, store.last_move(id), &mut moves);
        for &m in &moves {
            context.control.visit()?;
            let child = context.puzzle.play(&node.position, m);
            let estimate = context.estimate(&child);
            observer.make(m, &child);
            if g + 1 + estimate > context.max_depth && context.heuristic.is_admissible()
                || g + 1 > context.max_depth
            {
                depth_limit_hit = true;
                observer.beyond(g + 1 + estimate);
                continue;
            }
            let inserted = if order.closed_list {
                store.insert_or_improve(context.puzzle, id, m, child)
            } else {
                store.push(id, m, child).map(Insertion::New)
            };
            let f = order.g_weight * (g + 1) + order.h_weight * estimate;
            let queued = inserted.and_then(|inserted| match inserted {
                Insertion::New(inserted) => {
                    observer.open(inserted, estimate);
                    open.push(g + 1, f, inserted)
                }
                Insertion::Shorter(inserted) => {
                    observer.seen(inserted, true);
                    observer.open(inserted, estimate);
                    open.push(g + 1, f, inserted)
                }
                Insertion::Known(inserted) => {
                    observer.seen(inserted, false);
                    Ok(())
                }
            });
            if let Err(out_of_memory) = queued {
                store.release_reserve();
                return Ok(SolveOutcome::OutOfMemory(out_of_memory));
            }
        }
        context.peak_memory = context.peak_memory.max(store.bytes() + open.bytes());
        if context.peak_memory > context.memory_limit || store.is_full() {
            return Ok(SolveOutcome::MemoryLimit);
        }
    }
    Ok(if depth_limit_hit {
        SolveOutcome::DepthLimit
    } else {
        SolveOutcome::Unsolvable
    })
}

/// Returns the estimate of a node from its f and g.
fn estimate_of(f: u32, g: u32, order: Order) -> u32 {
    (f - order.g_weight * g) / order.h_weight
}

/// The open list: a bucket queue ordered by f and, if the tie-break depends on g, by g. `buckets[f][row]`
/// holds the entries; `row` is g or 0.
struct Open {
    tie_break: TieBreak,
    buckets: Vec<Vec<Bucket>>,
    /// All entries have at least this f.
    lowest_f: usize,
    /// Number of entries.
    len: usize,
    /// Maximum of `len` so far.
    peak_len: usize,
}

/// The entries with equal f and, if the tie-break depends on g, equal g.
type Bucket = VecDeque<(u16, NodeId)>;

impl Open {
    fn new(tie_break: TieBreak) -> Self {
        Self {
            tie_break,
            buckets: Vec::new(),
            lowest_f: 0,
            len: 0,
            peak_len: 0,
        }
    }

    #[inline]
    fn push(&mut self, g: u32, f: u32, id: NodeId) -> Result<(), OutOfMemory> {
        let f = f as usize;
        if self.buckets.len() <= f {
            try_alloc::try_resize(&mut self.buckets, f + 1, Vec::new)?;
        }
        let row = match self.tie_break {
            TieBreak::HighG | TieBreak::LowG => g as usize,
            TieBreak::Fifo => 0,
        };
        let rows = &mut self.buckets[f];
        if rows.len() <= row {
            try_alloc::try_resize(rows, row + 1, Bucket::new)?;
        }
        let bucket = &mut rows[row];
        if bucket.len() == bucket.capacity() {
            let bytes = (bucket.len().max(1) * size_of::<(u16, NodeId)>()) as u64;
            bucket.try_reserve(1).map_err(|_| OutOfMemory { bytes })?;
        }
        bucket.push_back((g as u16, id));
        self.lowest_f = self.lowest_f.min(f);
        self.len += 1;
        self.peak_len = self.peak_len.max(self.len);
        Ok(())
    }

    /// Removes the first entry in the order of `tie_break` and returns its f, g and node.
    #[inline]
    fn pop(&mut self) -> Option<(u32, u32, NodeId)> {
        while let Some(rows) = self.buckets.get_mut(self.lowest_f) {
            let entry = match self.tie_break {
                TieBreak::HighG => {
                    // Empty rows at the end are removed, so the last row has the highest g.
                    let entry = rows.last_mut().and_then(VecDeque::pop_back);
                    while rows.last().is_some_and(VecDeque::is_empty) {
                        rows.pop();
                    }
                    entry
                }
                TieBreak::LowG | TieBreak::Fifo => rows.iter_mut().find_map(VecDeque::pop_front),
            };
            if let Some((g, id)) = entry {
                self.len -= 1;
                return Some((self.lowest_f as u32, g.into(), id));
            }
            self.lowest_f += 1;
        }
        None
    }

    /// Returns the size of the open list, in bytes. It depends on the peak length, because queues do not free
    /// memory.
    fn bytes(&self) -> u64 {
        (2 * self.peak_len * size_of::<(u16, NodeId)>()) as u64
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        background_drop::drop_in_background(std::mem::take(&mut self.buckets), self.bytes());
    }
}
