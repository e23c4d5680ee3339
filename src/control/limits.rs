//! What `go` asks for, and how long a search may take under it.

use std::time::Duration;

use crate::value::Side;

/// With less than this on the clock a part of every increment is saved: a busy system can take as much at once.
const RESERVE: Duration = Duration::from_millis(50);

/// What `go` was given. All may be set; the first to bind wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies of the last iteration.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Milliseconds for this move; negative ones are none.
    pub movetime: Option<i64>,
    /// Search for a forced win within this many plies (the session turns the moves of the `uci` dialect into plies).
    pub mate: Option<u32>,
    /// Do not end by yourself.
    pub infinite: bool,
    /// Search on the opponent's time: no clock runs before [`Signals::ponderhit`](super::Signals::ponderhit).
    pub ponder: bool,
    /// Milliseconds left on each player's clock; may be negative.
    pub time: [Option<i64>; 2],
    /// Milliseconds that each player gains with every move.
    pub increment: [Option<i64>; 2],
    /// Moves until the clock is refilled.
    pub moves_to_go: Option<u32>,
    /// The only root moves to look at, as they were written, each with its offset in the line; all when empty.
    pub search_moves: Vec<(usize, String)>,
}

impl Limits {
    /// Ends at this depth.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// Whether depth, nodes or time bound the search for a move of `side`, so that it ends by itself: the other's clock does not.
    pub fn are_bounded(&self, side: Side) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || self.time[side as usize].is_some()
    }

    /// How long the player to move may think, with `overhead` kept for the way of the move to its clock.
    pub fn budget(&self, side: Side, overhead: Duration) -> Budget {
        let milliseconds = |ms: i64| Duration::from_millis(ms.max(0) as u64);
        let mut budget = Budget::default();
        if let Some(time) = self.time[side as usize] {
            let time = milliseconds(time);
            let left = time.saturating_sub(overhead);
            let increment = milliseconds(self.increment[side as usize].unwrap_or(0));
            // Who says 0 has no number to tell.
            let moves_to_go = self.moves_to_go.filter(|&moves| moves > 0);
            let moves = moves_to_go.map_or(40, |moves| moves.min(40));
            let spent = 0.75 * left.min(RESERVE).div_duration_f64(RESERVE);
            let share = left / moves + increment.mul_f64(spent);
            // Never all of it, not even before the clock is refilled: the scheduler may take some too.
            let hard = (share * 3).min(left * 8 / 10);
            // What the way to the clock takes, it takes anyway: a few plies more cost little beside it.
            let least = time / 64;
            budget.soft = Some((share * 6 / 10).min(hard).max(least / 2));
            budget.hard = Some(hard.max(least));
        }
        if let Some(movetime) = self.movetime {
            let movetime = milliseconds(movetime);
            budget.hard = Some(budget.hard.map_or(movetime, |hard| hard.min(movetime)));
        }
        budget
    }
}

/// How long a search may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// After this no new iteration begins.
    pub soft: Option<Duration>,
    /// After this the search is stopped.
    pub hard: Option<Duration>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_left_means_move_now_or_nearly_so() {
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
    fn the_clock_of_the_opponent_bounds_no_search() {
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
    fn no_moves_to_go_are_as_good_as_none_said() {
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
    fn a_fifth_of_any_clock_is_left_alone() {
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
                    let most = Duration::from_millis(time as u64 - 10) * 8 / 10;
                    assert!(budget.hard.is_some_and(|hard| hard <= most), "{limits:?}");
                    assert!(budget.soft <= budget.hard, "{limits:?}");
                }
            }
        }
    }
}
