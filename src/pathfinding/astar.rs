//! A* (Hart, Nilsson and Raphael, 1968), with or without a closed list, and weighted: f = g + w·h.

use std::collections::VecDeque;

use super::store::{NodeId, Store};
use super::{SolveContext, SolveOutcome};
use crate::background_drop;
use crate::control::Stopped;
use crate::rules::Puzzle;
use crate::settings::TieBreak;
use crate::try_alloc::{self, OutOfMemory};

/// How the next node to examine is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// How much the moves made count; 0 for a search that only looks ahead.
    pub made_weight: u32,
    /// How much the estimate counts: with more than the moves made have, the search is quicker and the way longer, at
    /// most by the quotient of the two (Pohl, 1970).
    pub estimate_weight: u32,
    /// Which of the nodes with equal f comes first.
    pub tie_break: TieBreak,
    /// Whether positions reached before are recognized.
    pub closed_list: bool,
}

/// Finds a way: a shortest one where the moves made count and the estimate is admissible. The goal is recognized when
/// it is about to be examined.
pub fn solve<P: Puzzle>(
    quest: &mut SolveContext<P>,
    order: Order,
) -> Result<SolveOutcome<P::Move>, Stopped> {
    quest.control.visit()?;
    let mut store = Store::new(quest.puzzle, quest.start, order.closed_list);
    let mut open = Open::new(order.tie_break);
    let mut moves = Vec::new();
    let estimate = quest.estimate(&quest.start);
    if let Err(out_of_memory) = open.push(0, order.estimate_weight * estimate, 0) {
        return Ok(SolveOutcome::OutOfMemory(out_of_memory));
    }
    let mut bound = 0;
    let mut too_deep = false;
    while let Some((f, g, id)) = open.pop() {
        let node = *store.get(id);
        if u32::from(node.g) < g {
            // A shorter way to this position was found after it was put here.
            continue;
        }
        if quest.puzzle.is_solved(&node.position) {
            quest.peak_memory = store.bytes() + open.bytes();
            return Ok(SolveOutcome::Solved(store.path_to(id)));
        }
        quest.control.deepest = quest.control.deepest.max(g);
        if f > bound && order.made_weight == order.estimate_weight {
            bound = f;
            quest.report_bound(bound / order.made_weight);
        }
        quest.examined += 1;
        moves.clear();
        quest.successors(&node.position, store.last_move(id), &mut moves);
        for &m in &moves {
            quest.control.visit()?;
            let child = quest.puzzle.play(&node.position, m);
            let estimate = quest.estimate(&child);
            if g + 1 + estimate > quest.deepest && quest.heuristic.is_admissible()
                || g + 1 > quest.deepest
            {
                too_deep = true;
                continue;
            }
            let reached = if order.closed_list {
                store.reach(quest.puzzle, id, m, child)
            } else {
                store.push(id, m, child).map(Some)
            };
            let f = order.made_weight * (g + 1) + order.estimate_weight * estimate;
            let put = reached.and_then(|reached| match reached {
                Some(reached) => open.push(g + 1, f, reached),
                None => Ok(()),
            });
            if let Err(out_of_memory) = put {
                store.give_up();
                return Ok(SolveOutcome::OutOfMemory(out_of_memory));
            }
        }
        quest.peak_memory = quest.peak_memory.max(store.bytes() + open.bytes());
        if quest.peak_memory > quest.memory_limit || store.is_full() {
            return Ok(SolveOutcome::MemoryLimit);
        }
    }
    Ok(if too_deep {
        SolveOutcome::DepthLimit
    } else {
        SolveOutcome::Unsolvable
    })
}

/// The frontier: a bucket for every f and, where the tie-break looks at it, for every g.
struct Open {
    tie_break: TieBreak,
    buckets: Vec<Vec<Bucket>>,
    lowest: usize,
    len: usize,
    peak: usize,
}

/// The entries with equal f and, where it matters, equal g.
type Bucket = VecDeque<(u16, NodeId)>;

impl Open {
    fn new(tie_break: TieBreak) -> Self {
        Self {
            tie_break,
            buckets: Vec::new(),
            lowest: 0,
            len: 0,
            peak: 0,
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
        self.lowest = self.lowest.min(f);
        self.len += 1;
        self.peak = self.peak.max(self.len);
        Ok(())
    }

    /// The f, the g and the node that come first.
    #[inline]
    fn pop(&mut self) -> Option<(u32, u32, NodeId)> {
        while let Some(rows) = self.buckets.get_mut(self.lowest) {
            let found = match self.tie_break {
                TieBreak::HighG => {
                    // The last row is never left empty, so the end of the list is the highest g.
                    let entry = rows.last_mut().and_then(VecDeque::pop_back);
                    while rows.last().is_some_and(VecDeque::is_empty) {
                        rows.pop();
                    }
                    entry
                }
                TieBreak::LowG | TieBreak::Fifo => rows.iter_mut().find_map(VecDeque::pop_front),
            };
            if let Some((g, id)) = found {
                self.len -= 1;
                return Some((self.lowest as u32, g.into(), id));
            }
            self.lowest += 1;
        }
        None
    }

    /// The bytes of the most entries there were: queues keep what they have had.
    fn bytes(&self) -> u64 {
        (2 * self.peak * size_of::<(u16, NodeId)>()) as u64
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        background_drop::drop_in_background(std::mem::take(&mut self.buckets), self.bytes());
    }
}
