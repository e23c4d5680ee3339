//! IDA* (Korf, 1985): depth first, as far as f = g + h allows, and every time as far as the last time failed. It stores
//! only the way.

use super::{SolveContext, SolveOutcome};
use crate::control::Stopped;
use crate::rules::Puzzle;

/// Finds a way, a shortest one if the estimate is admissible. The goal is recognized when it is made.
pub fn solve<P: Puzzle>(quest: &mut SolveContext<P>) -> Result<SolveOutcome<P::Move>, Stopped> {
    quest.control.visit()?;
    let start = quest.start;
    if quest.puzzle.is_solved(&start) {
        return Ok(SolveOutcome::Solved(Vec::new()));
    }
    let mut next_bound = Some(quest.estimate(&start));
    while let Some(bound) = next_bound {
        if bound > quest.deepest {
            return Ok(SolveOutcome::DepthLimit);
        }
        quest.report_bound(bound);
        let mut walk = FLimitIteration {
            quest,
            bound,
            beyond: None,
            moves: Vec::new(),
            way: Vec::new(),
        };
        if walk.descend(&start, 0)? {
            return Ok(SolveOutcome::Solved(walk.way));
        }
        next_bound = walk.beyond;
    }
    Ok(SolveOutcome::Unsolvable)
}

/// One iteration.
struct FLimitIteration<'q, 'a, P: Puzzle> {
    quest: &'q mut SolveContext<'a, P>,
    /// The f up to which this iteration goes.
    bound: u32,
    /// The lowest f beyond it that was met.
    beyond: Option<u32>,
    /// The moves of all nodes on the way, end to end.
    moves: Vec<P::Move>,
    way: Vec<P::Move>,
}

impl<P: Puzzle> FLimitIteration<'_, '_, P> {
    /// Whether the goal was found below the node, `g` moves from the start.
    fn descend(&mut self, position: &P::Position, g: u32) -> Result<bool, Stopped> {
        self.quest.examined += 1;
        let base = self.moves.len();
        self.quest
            .successors(position, self.way.last().copied(), &mut self.moves);
        for index in base..self.moves.len() {
            let m = self.moves[index];
            self.quest.control.visit()?;
            let child = self.quest.puzzle.play(position, m);
            let f = g + 1 + self.quest.estimate(&child);
            if f > self.bound {
                self.beyond = Some(self.beyond.map_or(f, |beyond| beyond.min(f)));
                continue;
            }
            self.way.push(m);
            if self.quest.puzzle.is_solved(&child) || self.descend(&child, g + 1)? {
                return Ok(true);
            }
            self.way.pop();
        }
        self.moves.truncate(base);
        Ok(false)
    }
}
