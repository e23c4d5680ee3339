//! Breadth-first search: level by level, every position once.

use super::store::{NodeId, Store};
use super::{SolveContext, SolveOutcome};
use crate::control::Stopped;
use crate::rules::Puzzle;

/// Finds a shortest way. The goal is recognized when it is made.
pub fn solve<P: Puzzle>(quest: &mut SolveContext<P>) -> Result<SolveOutcome<P::Move>, Stopped> {
    quest.control.visit()?;
    if quest.puzzle.is_solved(&quest.start) {
        return Ok(SolveOutcome::Solved(Vec::new()));
    }
    let mut store = Store::new(quest.puzzle, quest.start, true);
    let mut moves = Vec::new();
    let mut level = 0;
    let mut next: NodeId = 0;
    let mut made: NodeId = 1;
    // The store holds the nodes in the order in which they were made, and is its own queue.
    while next < made {
        let node = *store.get(next);
        if u32::from(node.g) >= quest.deepest {
            return Ok(SolveOutcome::DepthLimit);
        }
        if u32::from(node.g) > level {
            level = node.g.into();
            quest.control.deepest = level;
            quest.report_bound(level + 1);
        }
        quest.examined += 1;
        moves.clear();
        quest.successors(&node.position, store.last_move(next), &mut moves);
        for &m in &moves {
            quest.control.visit()?;
            let child = quest.puzzle.play(&node.position, m);
            let id = match store.reach(quest.puzzle, next, m, child) {
                Ok(Some(id)) => id,
                Ok(None) => continue,
                Err(out_of_memory) => {
                    store.give_up();
                    return Ok(SolveOutcome::OutOfMemory(out_of_memory));
                }
            };
            if quest.puzzle.is_solved(&child) {
                quest.peak_memory = store.bytes();
                return Ok(SolveOutcome::Solved(store.path_to(id)));
            }
            made = id + 1;
        }
        quest.peak_memory = store.bytes();
        if quest.peak_memory > quest.memory_limit || store.is_full() {
            return Ok(SolveOutcome::MemoryLimit);
        }
        next += 1;
    }
    Ok(SolveOutcome::Unsolvable)
}
