//! Exact values, and the numbers and words of results.

use puli::oracle::Verdict;
use puli::rules::{Outcome, Turn};
use puli::value::Side;

/// The number of an outcome or a value in arrays if it is not known, or if the game is not over.
pub(crate) const UNKNOWN: i8 = i8::MIN;

/// The exact value of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exact {
    /// The winner under perfect play, or `None` for a draw. Unspecified if `is_expectation`.
    pub winner: Option<Side>,
    /// The plies to a forced win.
    pub plies: Option<u32>,
    /// The points, in trees and in 2048.
    pub points: Option<f64>,
    /// `true` if the value is the expected points alone.
    pub is_expectation: bool,
}

impl Exact {
    /// Returns the value of a verdict.
    pub(crate) fn of_verdict(verdict: Verdict) -> Self {
        Self {
            winner: verdict.winner(),
            plies: verdict.plies(),
            points: verdict.points(),
            is_expectation: false,
        }
    }

    /// Returns the value of a game that is over.
    pub(crate) fn of_outcome(outcome: Outcome) -> Self {
        Self::of_verdict(Verdict::terminal(outcome))
    }

    /// Returns the value of a position with these expected points.
    pub(crate) fn of_expectation(points: f64) -> Self {
        Self {
            winner: None,
            plies: None,
            points: Some(points),
            is_expectation: true,
        }
    }

    /// Returns the number of the winner: see [`winner_number`]. Expectations have no winner.
    pub(crate) fn number(&self) -> i8 {
        if self.is_expectation {
            UNKNOWN
        } else {
            winner_number(self.winner)
        }
    }
}

/// Returns 1 for the first player, -1 for the second player, and 0 for a draw.
pub(crate) fn winner_number(winner: Option<Side>) -> i8 {
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

/// Returns the word of the protocol for a result.
pub(crate) fn winner_word(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::P1) => "p1win",
        Some(Side::P2) => "p2win",
        None => "draw",
    }
}

/// Returns the word of the protocol for the side to move.
pub(crate) fn turn_word(turn: Turn) -> &'static str {
    match turn {
        Turn::Player(Side::P1) => "p1",
        Turn::Player(Side::P2) => "p2",
        Turn::Chance => "chance",
    }
}
