//! The limits of a `go` command, and the time budget computed from them.

use std::time::Duration;

use crate::value::Side;

/// Clock time below which less of the increment is spent, so that the clock recovers. A busy system can delay a move
/// by about this time.
const LOW_CLOCK: Duration = Duration::from_millis(50);

/// The limits of a `go` command. A search ends at the first limit that it reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum depth, in plies.
    pub depth: Option<u32>,
    /// Maximum number of visited nodes.
    pub nodes: Option<u64>,
    /// Time for this move, in milliseconds. A negative time counts as 0.
    pub movetime: Option<i64>,
    /// Search for a forced win within this number of plies. (In the `uci` dialect the unit is moves; the session
    /// converts it.)
    pub mate: Option<u32>,
    /// Search until stopped.
    pub infinite: bool,
    /// Search on the opponent's time (pondering). The clock starts at
    /// [`Signals::ponderhit`](super::Signals::ponderhit).
    pub ponder: bool,
    /// Time left on each player's clock, in milliseconds, the first player's first. May be negative.
    pub time: [Option<i64>; 2],
    /// Increment per move of each player, in milliseconds, the first player's first.
    pub increment: [Option<i64>; 2],
    /// Number of moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// The root moves to search, each with its byte offset in the protocol line. All moves if empty.
    pub search_moves: Vec<(usize, String)>,
}

impl Limits {
    /// Creates limits with a maximum depth only.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// Returns `true` if a limit other than a stop ends the search for a move of `side`. The opponent's clock is not a
    /// limit.
    pub(crate) fn are_bounded(&self, side: Side) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || self.time[side as usize].is_some()
    }

    /// Returns the time budget for a move of `side`. `overhead` is the time for sending the move.
    pub fn budget(&self, side: Side, overhead: Duration) -> Budget {
        let milliseconds = |ms: i64| Duration::from_millis(ms.max(0) as u64);
        let mut budget = Budget::default();
        if let Some(time) = self.time[side as usize] {
            let time = milliseconds(time);
            let left = time.saturating_sub(overhead);
            let increment = milliseconds(self.increment[side as usize].unwrap_or(0));
            // `movestogo 0` means that the GUI gave no number.
            let moves_to_go = self.moves_to_go.filter(|&moves| moves > 0);
            let moves = moves_to_go.map_or(40, |moves| moves.min(40));
            let increment_share = 0.75 * left.min(LOW_CLOCK).div_duration_f64(LOW_CLOCK);
            // The typical time for a move. The hard limit is three times this time, the soft limit 60% of it.
            let planned = left / moves + increment.mul_f64(increment_share);
            // Use at most 80% of the time left, even before a new time control, because the system may delay the
            // move.
            let hard = (planned * 3).min(left * 8 / 10);
            // If `overhead` uses up the clock, the search still gets 1/64 of the clock, a small additional delay.
            let minimum = time / 64;
            budget.soft = Some((planned * 6 / 10).min(hard).max(minimum / 2));
            budget.hard = Some(hard.max(minimum));
        }
        if let Some(movetime) = self.movetime {
            let movetime = milliseconds(movetime);
            budget.hard = Some(budget.hard.map_or(movetime, |hard| hard.min(movetime)));
        }
        budget
    }
}

/// Time budget of a search, counted from the start of its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Time after which no new iteration starts. `None` is unlimited.
    pub soft: Option<Duration>,
    /// Time at which the search stops. `None` is unlimited.
    pub hard: Option<Duration>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_clock_leaves_hardly_any_budget() {
        for time in [0, -5, 3] {
            let limits = Limits {
                time: [Some(time), None],
                ..Limits::default()
            };
            let budget = limits.budget(Side::P1, Duration::from_millis(10));
            let clock = Duration::from_millis(time.max(0) as u64);
            assert!(budget.hard.is_some_and(|hard| hard <= clock / 64), "{time}");
        }
    }

    #[test]
    fn opponents_clock_does_not_bound_the_search() {
        let limits = Limits {
            time: [None, Some(1000)],
            ..Limits::default()
        };
        for side in [Side::P1, Side::P2] {
            let budget = limits.budget(side, Duration::ZERO);
            assert_eq!(limits.are_bounded(side), budget.hard.is_some());
        }
    }

    #[test]
    fn zero_moves_to_go_equals_none() {
        let budget = |moves_to_go| {
            let limits = Limits {
                time: [Some(3000), None],
                moves_to_go,
                ..Limits::default()
            };
            limits.budget(Side::P1, Duration::from_millis(10)).hard
        };
        assert_eq!(budget(Some(0)), budget(None));
        assert!(budget(Some(1)) > budget(Some(20)));
    }

    #[test]
    fn budget_leaves_a_fifth_of_the_clock() {
        let overhead = Duration::from_millis(10);
        for time in [11, 50, 1000, 3_600_000] {
            for increment in [None, Some(1), Some(100_000), Some(i64::MAX)] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(80)] {
                    let limits = Limits {
                        time: [None, Some(time)],
                        increment: [None, increment],
                        moves_to_go,
                        ..Limits::default()
                    };
                    let budget = limits.budget(Side::P2, overhead);
                    let maximum = Duration::from_millis(time as u64 - 10) * 8 / 10;
                    assert!(
                        budget.hard.is_some_and(|hard| hard <= maximum),
                        "{limits:?}"
                    );
                    assert!(budget.soft <= budget.hard, "{limits:?}");
                }
            }
        }
    }
}
