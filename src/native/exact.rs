//! Exact values and results as numbers.

use puli::oracle::ExactValue;
use puli::rules::{Outcome, Turn};
use puli::value::Side;

/// The number of an outcome or a value in arrays if it is not known, or if the game is not over.
pub(crate) const UNKNOWN: i8 = i8::MIN;

/// Returns the number of an exact value, or [`UNKNOWN`] for expected points, which have no winner.
pub(crate) fn value_number(value: Option<ExactValue>) -> i8 {
    let verdict = value.and_then(ExactValue::verdict);
    verdict.map_or(UNKNOWN, |verdict| winner_number(verdict.winner()))
}

/// Returns 1 for the first player, -1 for the second player, and 0 for a draw.
fn winner_number(winner: Option<Side>) -> i8 {
    match winner {
        Some(Side::P1) => 1,
        Some(Side::P2) => -1,
        None => 0,
    }
}

/// Returns the number of an outcome, or [`UNKNOWN`] if the game is not over.
pub(crate) fn outcome_number(outcome: Option<Outcome>) -> i8 {
    outcome.map_or(UNKNOWN, |outcome| winner_number(outcome.winner()))
}

/// Returns 1 if the first player is to move, -1 for the second player, and 0 for chance.
pub(crate) fn turn_number(turn: Turn) -> i8 {
    match turn {
        Turn::Player(side) => winner_number(Some(side)),
        Turn::Chance => 0,
    }
}
