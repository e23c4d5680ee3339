//! Breadth-first search. Every position is stored once.

use super::observer::PuzzleObserver;
use super::store::{Insertion, NodeId, Store};
use super::{SolveContext, SolveOutcome};
use crate::control::Stopped;
use crate::rules::Puzzle;

/// Finds a shortest solution. The goal is detected when it is stored.
///
/// # Errors
/// [`Stopped`] if the control stops the search.
pub(crate) fn solve<P: Puzzle>(
    context: &mut SolveContext<P>,
    observer: &mut impl PuzzleObserver<P>,
) -> Result<SolveOutcome<P::Move>, Stopped> {
    context.control.visit()?;
    if context.puzzle.is_solved(&context.start) {
        return Ok(SolveOutcome::Solved(Vec::new()));
    }
    let mut store = Store::new(context.puzzle, context.start, true);
    let mut moves = Vec::new();
    let mut level = 0;
    let mut next: NodeId = 0;
    let mut stored: NodeId = 1;
    // The store is also the queue: it holds the nodes in the order of their generation.
    while next < stored {
        let node = *store.get(next);
        if u32::from(node.g) >= context.max_depth {
            return Ok(SolveOutcome::DepthLimit);
        }
        if u32::from(node.g) > level {
            level = node.g.into();
            context.control.deepest = level;
            context.report_bound(level + 1);
        }
        context.expanded += 1;
        observer.expand(next, 0);
        moves.clear();
        context.successors(&node.position, store.last_move(next), &mut moves);
        for &m in &moves {
            context.control.visit()?;
            let child = context.puzzle.play(&node.position, m);
            observer.make(m, &child);
            let id = match store.insert_or_improve(context.puzzle, next, m, child) {
                Ok(Insertion::New(id) | Insertion::Shorter(id)) => id,
                Ok(Insertion::Known(id)) => {
                    observer.seen(id, false);
                    continue;
                }
                Err(out_of_memory) => {
                    store.release_reserve();
                    return Ok(SolveOutcome::OutOfMemory(out_of_memory));
                }
            };
            observer.open(id, 0);
            if context.puzzle.is_solved(&child) {
                context.peak_memory = store.bytes();
                return Ok(SolveOutcome::Solved(store.path_to(id)));
            }
            stored = id + 1;
        }
        context.peak_memory = store.bytes();
        if context.peak_memory > context.memory_limit || store.is_full() {
            return Ok(SolveOutcome::MemoryLimit);
        }
        next += 1;
    }
    Ok(SolveOutcome::Unsolvable)
}
