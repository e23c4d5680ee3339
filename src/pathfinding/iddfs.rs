//! Iterative-deepening depth-first search: blind, one move deeper each time. It stores only the way.

use super::{SolveContext, SolveOutcome};
use crate::control::Stopped;
use crate::rules::Puzzle;

/// Finds a shortest way. The goal is recognized when it is made.
pub fn solve<P: Puzzle>(quest: &mut SolveContext<P>) -> Result<SolveOutcome<P::Move>, Stopped> {
    quest.control.visit()?;
    let start = quest.start;
    if quest.puzzle.is_solved(&start) {
        return Ok(SolveOutcome::Solved(Vec::new()));
    }
    for depth in 1..=quest.deepest {
        quest.report_bound(depth);
        let mut walk = DepthIteration {
            quest,
            moves: Vec::new(),
            way: Vec::new(),
            is_cut: false,
        };
        if walk.descend(&start, depth)? {
            return Ok(SolveOutcome::Solved(walk.way));
        }
        if !walk.is_cut {
            return Ok(SolveOutcome::Unsolvable);
        }
    }
    Ok(SolveOutcome::DepthLimit)
}

/// One iteration.
struct DepthIteration<'q, 'a, P: Puzzle> {
    quest: &'q mut SolveContext<'a, P>,
    /// The moves of all nodes on the way, end to end.
    moves: Vec<P::Move>,
    way: Vec<P::Move>,
    /// Whether any node was left unexamined.
    is_cut: bool,
}

impl<P: Puzzle> DepthIteration<'_, '_, P> {
    /// Whether the goal was found at most `depth` moves below the node.
    fn descend(&mut self, position: &P::Position, depth: u32) -> Result<bool, Stopped> {
        if depth == 0 {
            self.is_cut = true;
            return Ok(false);
        }
        self.quest.examined += 1;
        let base = self.moves.len();
        self.quest
            .successors(position, self.way.last().copied(), &mut self.moves);
        for index in base..self.moves.len() {
            let m = self.moves[index];
            self.quest.control.visit()?;
            let child = self.quest.puzzle.play(position, m);
            self.way.push(m);
            if self.quest.puzzle.is_solved(&child) || self.descend(&child, depth - 1)? {
                return Ok(true);
            }
            self.way.pop();
        }
        self.moves.truncate(base);
        Ok(false)
    }
}
