//! Sentences about the states of a search for a solution and about settled positions.

use super::super::{Estimate, Event, NodeNumber, SettleReason};
use super::Explainer;
use super::words::{counted, plies};
use crate::english::capitalized;
use crate::value::Side;

impl Explainer {
    /// Explains an event of a search for a solution, or of backward analysis.
    pub(super) fn explain_state(&self, event: &Event) -> String {
        match event {
            Event::Open { node, estimate } => format!(
                "{} goes into the open list: {}.",
                capitalized(&self.name(*node)),
                Self::numbers(*estimate)
            ),
            Event::Seen {
                kept, is_shorter, ..
            } => self.seen(*kept, *is_shorter),
            Event::Expand {
                node,
                estimate,
                lists,
            } => self.expand(*node, *estimate, *lists),
            Event::Bound { number, bound, .. } => {
                format!("Iteration {number} goes no further than {bound}.")
            }
            Event::Beyond { node, f } => {
                let state = capitalized(&self.name(*node));
                format!("{state} is beyond the limit, at {f}.")
            }
            Event::Return { node } => format!("The search returns from {}.", self.name(*node)),
            Event::Settle {
                fen,
                winner,
                plies,
                because,
                ..
            } => self.settle(fen, *winner, *plies, because),
            _ => String::new(),
        }
    }

    /// Returns the numbers of a state: `3 moves made, 4 to go by the estimate, f = 7`.
    fn numbers(estimate: Estimate) -> String {
        match estimate {
            Estimate { g, h: Some(h) } => format!("g + h = {g} + {h} = {}", g + h),
            Estimate { g, h: None } => counted(g.into(), "move", "moves") + " from the start",
        }
    }

    fn expand(&self, node: NodeNumber, estimate: Estimate, lists: Option<[u64; 2]>) -> String {
        let lists = lists.map_or_else(String::new, |[open, closed]| {
            format!(" ({open} open, {closed} closed)")
        });
        format!(
            "{} is expanded: {}{lists}.",
            capitalized(&self.name(node)),
            Self::numbers(estimate)
        )
    }

    fn seen(&self, kept: NodeNumber, is_shorter: bool) -> String {
        let kept = self.name(kept);
        if is_shorter {
            format!("That position is known from {kept}, but this way is shorter.")
        } else {
            format!("That position is known from {kept}, and this way is not shorter.")
        }
    }

    /// Explains why backward analysis knows the winner of a position.
    fn settle(&self, fen: &str, winner: Side, number: u32, because: &SettleReason) -> String {
        let (winner, is_plural) = (self.player(winner), self.is_plural(winner));
        let win = match (because, is_plural) {
            (SettleReason::Over, true) => "have won".to_string(),
            (SettleReason::Over, false) => "has won".to_string(),
            (_, true) => format!("win in {}", plies(number)),
            (_, false) => format!("wins in {}", plies(number)),
        };
        let why = match because {
            SettleReason::Over => String::new(),
            SettleReason::Move(m) => format!(" by {m}"),
            SettleReason::All => ", whatever is played".to_string(),
        };
        format!("{fen}: {winner} {win}{why}.")
    }
}
