//! Values of positions as JSON.

use serde_json::{Value as Json, json};

use crate::search::observer::ExitReason;
use crate::value::{Bound, Score, Side};

/// Returns the name of a side in the protocol.
pub fn side(side: Side) -> &'static str {
    match side {
        Side::P1 => "p1",
        Side::P2 => "p2",
    }
}

/// Returns the word for the result of a game, or of perfect play: the winner, or `None` for a draw.
pub fn result(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::P1) => "p1win",
        Some(Side::P2) => "p2win",
        None => "draw",
    }
}

/// Converts a number to JSON; integers have no decimal point.
pub fn number(number: f64) -> Json {
    if number.fract() == 0.0 {
        json!(number as i64)
    } else {
        json!(number)
    }
}

/// Returns the word for a bound.
pub(crate) fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

/// Returns the word for the way in which a search left a node.
pub(super) fn exit(how: ExitReason) -> &'static str {
    match how {
        ExitReason::Leaf => "leaf",
        ExitReason::Remembered => "remembered",
        ExitReason::Searched => "searched",
        ExitReason::CutOff => "cut",
    }
}

/// Converts a score to JSON: points, or the winner and the plies from the root.
pub(crate) fn score(score: Score) -> Json {
    match score {
        Score::Points(points) => number(points),
        Score::Win(winner, plies) => json!({ "win": side(winner), "plies": plies }),
    }
}
