//! Names of nodes, moves, sides, values and windows in sentences.

use super::super::{NodeKind, NodeNumber, Unit};
use super::Explainer;
use super::words::{digits, plies, rounded};
use crate::english::{self, capitalized};
use crate::value::{Bound, Score, Side, Value, Window};

impl Explainer {
    /// Returns the name of a node: the moves to it, in a tree such as `node 1 2`, or the number of a state.
    pub(super) fn name(&self, node: NodeNumber) -> String {
        if self.unit == Some(Unit::Moves) {
            return match node {
                0 => "the start".into(),
                node => format!("state {node}"),
            };
        }
        let mut moves = Vec::new();
        let mut next = self.places.get(node);
        while let Some(place) = next {
            let Some(parent) = place.parent else { break };
            moves.push(place.m.as_str());
            next = self.places.get(parent);
        }
        moves.reverse();
        match moves.as_slice() {
            [] => "the root".into(),
            moves if self.is_tree => format!("node {}", moves.join(" ")),
            moves => moves.join(" "),
        }
    }

    /// Returns the name of a move: in a tree the number of a child.
    pub(super) fn choice(&self, m: &str) -> String {
        if self.is_tree {
            format!("child {m}")
        } else {
            m.into()
        }
    }

    pub(super) fn moves(&self, moves: &[String]) -> String {
        let list = moves.join(", ");
        match moves.len() {
            1 => self.choice(&list),
            _ if self.is_tree => format!("children {list}"),
            _ => list,
        }
    }

    /// Returns the side to move at a node, with its article.
    pub(super) fn mover(&self, node: NodeNumber) -> String {
        match self.places.get(node).map(|place| place.kind) {
            Some(NodeKind::Min) => self.player(Side::P2),
            Some(NodeKind::Chance) => "chance".into(),
            _ => self.player(Side::P1),
        }
    }

    /// Returns the name of a player: `Max`, `X`, `the goats`.
    pub(super) fn player(&self, side: Side) -> String {
        let name = self.players.get(side as usize).map_or("", String::as_str);
        match name {
            name if self.is_tree => capitalized(name),
            name if name.starts_with(char::is_uppercase) => name.into(),
            name => format!("the {name}"),
        }
    }

    pub(super) fn is_plural(&self, side: Side) -> bool {
        let name = self.players.get(side as usize).map_or("", String::as_str);
        !self.is_tree && english::is_plural(name)
    }

    /// Returns a value: `3`, `50 points for the goats`, `a win for X within 5 plies`.
    pub(super) fn value(&self, score: Score) -> String {
        match score {
            Score::Points(points) if self.is_tree || points == 0.0 => rounded(points),
            Score::Points(points) => {
                let side = if points > 0.0 { Side::P1 } else { Side::P2 };
                let number = rounded(points.abs());
                let unit = if number == "1" { "point" } else { "points" };
                format!("{number} {unit} for {}", self.player(side))
            }
            Score::Win(side, number) => {
                format!("a win for {} after {}", self.player(side), plies(number))
            }
        }
    }

    /// Returns a value in points from the first player's view.
    pub(super) fn points(&self, score: Score) -> String {
        match score {
            Score::Points(points) => rounded(points),
            Score::Win(..) => self.value(score),
        }
    }

    /// Returns a value with its bound: `15 or more`, `at least a win for X after 5 plies`.
    pub(super) fn bounded(&self, score: Score, bound: Bound) -> String {
        let value = self.points(score);
        match (bound, score) {
            (Bound::Exact, _) => self.value(score),
            (Bound::Lower, Score::Points(_)) => format!("{value} or more"),
            (Bound::Upper, Score::Points(_)) => format!("{value} or less"),
            // A value that is lower for the first player is a better one for the second.
            (Bound::Lower, Score::Win(Side::P1, _)) | (Bound::Upper, Score::Win(Side::P2, _)) => {
                format!("at least {value}")
            }
            _ => format!("at most {value}"),
        }
    }

    /// Returns the question that a null window asks. Its ends differ by 0.01, and the end with fewer decimals is the
    /// tested value.
    pub(super) fn question(&self, window: Window) -> String {
        if digits(window.alpha) < digits(window.beta) {
            format!(
                "is it worth more than {}?",
                self.points(window.alpha.into())
            )
        } else {
            format!(
                "is it worth {}?",
                self.bounded(window.beta.into(), Bound::Lower)
            )
        }
    }

    /// Returns which values matter within a window.
    pub(super) fn matters(&self, window: Window) -> String {
        let is_open = |value: Value| value == Value::INFINITE || value == -Value::INFINITE;
        match (is_open(window.alpha), is_open(window.beta)) {
            (true, true) => "Every value matters.".into(),
            (false, true) => format!(
                "Only values above {} matter.",
                self.points(window.alpha.into())
            ),
            (true, false) => format!(
                "Only values below {} matter.",
                self.points(window.beta.into())
            ),
            (false, false) => format!(
                "Only values between {} and {} matter.",
                self.points(window.alpha.into()),
                self.points(window.beta.into())
            ),
        }
    }
}
