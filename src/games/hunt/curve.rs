//! Curves that convert points of the reference evaluation to log-odds, for hunt games without a network.
//!
//! The log-odds that the goats win under perfect play are about `slope · points + offset`; a draw counts as half a win.
//! `curves.csv` has both numbers for each built-in game. `scripts/fit-curves` fits them to exact values by logistic
//! regression, and `curves.md` has the result and its calibration. Every other game gets the average curve.
//!
//! A curve is strictly increasing, so it keeps the order of positions. It also puts draws, which have value 0, in their
//! place between wins and losses.
//!
//! # Fitted curves
//!
#![doc = include_str!("curves.md")]

use super::board::{self, Board};
use crate::value::{Side, Value, Window};

/// The table of curves: name of the game, slope, offset, and columns for readers.
const TABLE: &str = include_str!("curves.csv");
/// Name of the row with the average curve. Its offset is the log-odds at the start of a game, not at 0 points.
const AVERAGE: &str = "average";

/// Number of fractional bits of the numbers of a curve.
const FRACTION_BITS: u32 = 10;
/// One hundredth of log-odds, in the units of the numbers of a curve.
const UNIT: i32 = 1 << FRACTION_BITS;
/// Range of slopes, in hundredths of log-odds per point. The minimum keeps different points apart.
const SLOPES: (f64, f64) = (1.0, 100.0);
/// Maximum absolute value of an offset, in hundredths of log-odds.
const MAX_OFFSET: f64 = 100_000.0;
/// Value, in hundredths of log-odds, beyond which a curve has its minimum slope: a predicted chance of 99.3%. No fit is
/// reliable beyond it, but the order of positions remains.
const MAX_LINEAR: i32 = 500;

/// The curve of a game, from the first player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve {
    /// Hundredths of log-odds per point, times [`UNIT`].
    slope: i32,
    /// Hundredths of log-odds at 0 points, times [`UNIT`], plus one half for rounding.
    offset: i32,
    /// Minimum points with a value of at least `-MAX_LINEAR`.
    low: i32,
    /// Maximum points with a value of at most `MAX_LINEAR`.
    high: i32,
}

impl Curve {
    /// Creates a curve from log-odds per point, and log-odds at 0 points.
    fn new(slope: f64, offset: f64) -> Self {
        let fixed = |hundredths: f64| (hundredths * f64::from(UNIT)).round() as i32;
        let slope = fixed((100.0 * slope).clamp(SLOPES.0, SLOPES.1));
        let offset = fixed((100.0 * offset).clamp(-MAX_OFFSET, MAX_OFFSET)) + UNIT / 2;
        let unlimited = Self {
            slope,
            offset,
            low: i32::MIN,
            high: i32::MAX,
        };
        Self {
            low: unlimited.linear_points_at_most(-MAX_LINEAR - 1) + 1,
            high: unlimited.linear_points_at_most(MAX_LINEAR),
            ..unlimited
        }
    }

    /// Returns the curve of a game. `start_points` returns the points of its start, from the goats' view; they are needed
    /// for the average curve only.
    pub(crate) fn of(board: &Board, start_points: impl FnOnce() -> i32) -> Self {
        let is_built_in = board::named(&board.name)
            .is_some_and(|built_in| built_in.spec.is_same_game(&board.spec));
        let own = is_built_in.then(|| row(&board.name)).flatten();
        let (slope, offset) = own.unwrap_or_else(|| {
            let (slope, at_start) = row(AVERAGE).unwrap_or_default();
            (slope, at_start - slope * f64::from(start_points()))
        });
        Self::new(
            slope,
            if board.goats_side == Side::P1 {
                offset
            } else {
                -offset
            },
        )
    }

    /// Returns the value of `points`, in hundredths of log-odds.
    #[inline(always)]
    pub(crate) fn value(self, points: i32) -> Value {
        let linear = points.clamp(self.low, self.high);
        Value(((self.slope * linear + self.offset) >> FRACTION_BITS) + (points - linear))
    }

    /// Returns the maximum points whose value is at most `value`.
    #[inline]
    pub(crate) fn points_at_most(self, value: Value) -> i32 {
        let [lowest, highest] = [self.low, self.high].map(|points| self.value(points));
        if value < lowest {
            self.low + (value.0 - lowest.0)
        } else if value >= highest {
            self.high + (value.0 - highest.0)
        } else {
            self.linear_points_at_most(value.0)
        }
    }

    /// Returns the window of the reference evaluation that contains the points whose values are inside `window`.
    #[inline]
    pub(crate) fn window_of_points(self, window: Window) -> Window {
        let points = |value: Value| {
            let points = self.points_at_most(value);
            Value::points(points.clamp(-Value::MAX_POINTS, Value::MAX_POINTS - 1))
        };
        let Window { alpha, beta } = window;
        Window {
            alpha: if alpha.forced().is_some() {
                alpha
            } else {
                points(alpha)
            },
            beta: if beta.forced().is_some() {
                beta
            } else {
                Value(points(beta.worse(Side::P1)).0 + 100)
            },
        }
    }

    /// Returns [`Self::points_at_most`] of the linear part.
    #[inline]
    fn linear_points_at_most(self, value: i32) -> i32 {
        ((value + 1) * UNIT - 1 - self.offset).div_euclid(self.slope)
    }

    /// Returns the log-odds per point of the linear part.
    pub(crate) fn slope(self) -> f64 {
        f64::from(self.slope) / f64::from(100 * UNIT)
    }
}

/// Returns the slope and the offset of a row of the table.
fn row(game: &str) -> Option<(f64, f64)> {
    let row = TABLE
        .lines()
        .find_map(|line| line.strip_prefix(game)?.strip_prefix(','))?;
    let mut cells = row.split(',');
    let mut number = || cells.next()?.parse().ok();
    Some((number()?, number()?))
}

#[cfg(test)]
mod tests {
    use super::super::evaluation::{Evaluation, points_for_goats};
    use super::*;
    use crate::control::Control;
    use crate::games::hunt::Hunt;
    use crate::path::Path;
    use crate::random::Random;
    use crate::rules::{Game, Rules};
    use crate::search::{Evaluator, Root, SearchResult, algorithms};
    use crate::settings::{Algorithm, Settings};
    use crate::value::Score;

    /// Curves at both ends of the range of slopes, with and without an offset.
    fn curves() -> impl Iterator<Item = Curve> {
        let slopes = [0.01, 0.0123, 0.1, 1.0];
        slopes.into_iter().flat_map(|slope| {
            let offsets = [-900.0, -3.3, 0.0, 0.004, 12.5];
            offsets.map(|offset| Curve::new(slope, offset))
        })
    }

    #[test]
    fn value_increases_with_points_and_has_an_inverse() {
        for curve in curves() {
            for points in -3000..3000 {
                let [value, next] = [points, points + 1].map(|points| curve.value(points));
                assert!(value < next, "{curve:?} {points}");
                for value in value.0..next.0 {
                    assert_eq!(curve.points_at_most(Value(value)), points, "{curve:?}");
                }
            }
            for bound in [-Value::INFINITE, Value::INFINITE] {
                // Windows without a bound are not converted, but must not overflow.
                curve.points_at_most(bound);
            }
        }
    }

    #[test]
    fn window_of_points_contains_the_same_positions() {
        let win = |side| Value::win(side, 3);
        for curve in curves() {
            for alpha in [
                win(Side::P2),
                Value(-505),
                Value(-77),
                Value(0),
                Value(1),
                Value(499),
            ] {
                for width in [1, 2, 37, 600] {
                    for beta in [Value(alpha.0.max(-600) + width), win(Side::P1)] {
                        let window = Window { alpha, beta };
                        let of_points = curve.window_of_points(window);
                        for points in -200..200 {
                            let (value, reference) = (curve.value(points), Value::points(points));
                            assert_eq!(
                                value > alpha,
                                reference > of_points.alpha,
                                "{curve:?} {window:?} {points}"
                            );
                            assert_eq!(
                                value >= beta,
                                reference >= of_points.beta,
                                "{curve:?} {window:?} {points}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn value_is_linear_between_its_limits() {
        let curve = Curve::new(0.25, -2.0);
        let cases = [
            (-100, -588),
            (-12, -500),
            (0, -200),
            (8, 0),
            (9, 25),
            (28, 500),
            (29, 501),
        ];
        for (points, value) in cases {
            assert_eq!(curve.value(points), Value(value), "{points}");
        }
    }

    #[test]
    fn every_built_in_game_has_the_start_that_the_table_says() {
        let mut lines = TABLE.lines();
        assert!(
            lines
                .next()
                .unwrap()
                .starts_with("game,slope,offset,fitted by,positions,start points,start cp,")
        );
        let mut games = Vec::new();
        for line in lines {
            let cells: Vec<&str> = line.split(',').collect();
            let [slope, offset] = [1, 2].map(|column| cells[column].parse::<f64>().unwrap());
            assert!(
                (0.01..=1.0).contains(&slope) && offset.abs() < 1000.0,
                "{line}"
            );
            if cells[0] == AVERAGE {
                continue;
            }
            games.push(cells[0]);
            let game = Hunt::new(board::named(cells[0]).unwrap());
            let start = game.start();
            assert_eq!(
                cells[5],
                points_for_goats(&game, &start).to_string(),
                "{line}"
            );
            let value = Evaluation::log_odds(game.board).evaluate(&game, &start);
            let for_goats = if game.board.goats_side == Side::P1 {
                value
            } else {
                -value
            };
            let expected: i32 = cells[6].parse().unwrap();
            assert!((for_goats.0 - expected).abs() <= 1, "{line}: {for_goats:?}");
        }
        for board in board::ALL.iter() {
            let has_network = crate::games::hunt::network::of(board).is_some();
            assert!(
                has_network || games.contains(&&*board.name),
                "{}",
                board.name
            );
        }
    }

    #[test]
    fn changed_game_has_the_average_value_at_its_start() {
        let game = Hunt::new(board::with_rules("kaooa", &[("game", "my-kaooa")]));
        let Evaluation::LogOdds(changed) = Evaluation::log_odds(game.board) else {
            panic!("a curve");
        };
        let (slope, at_start) = row(AVERAGE).unwrap();
        assert!((changed.slope() - slope).abs() < 1e-4);
        let value = changed.value(points_for_goats(&game, &game.start()));
        assert!(
            (value.0 - (100.0 * at_start).round() as i32).abs() <= 1,
            "{value:?}"
        );
        let built_in = Evaluation::log_odds(board::named("kaooa").unwrap());
        assert_ne!(built_in, Evaluation::LogOdds(changed));
    }

    /// Searches `path` to `depth` as `auto` does. Also returns the number of nodes.
    fn search(
        game: &Hunt,
        path: &Path<Hunt>,
        depth: u32,
        evaluation: Evaluation,
    ) -> (SearchResult<super::super::Move>, u64) {
        let settings = Settings {
            algorithm: Algorithm::Auto,
            hash: 1,
            ..Settings::default()
        };
        let mut search = algorithms::build(&settings, evaluation).unwrap().unwrap();
        let mut control = Control::unlimited();
        let mut root = Root::new(game, path.clone(), 0);
        let mut result = None;
        for depth in 1..=depth {
            let found = search.run(game, &mut root, depth, &mut control, &mut |_, _| {});
            result = Some(found.unwrap());
        }
        (result.unwrap(), control.nodes())
    }

    /// A curve keeps the order of positions, so a search by the curve visits the same nodes and finds the same line as a
    /// search by points. A third occurrence of a position, which is a draw, is at least 8 plies below the root.
    #[test]
    fn search_by_curve_finds_the_line_of_a_search_by_points() {
        let mut random = Random::new(5);
        let mut estimates = 0;
        for board in board::ALL.iter().copied() {
            let game = Hunt::new(board);
            for plies in [0, 0, 7, 12, 20] {
                let mut position = game.start();
                for _ in 0..plies {
                    let mut moves = Vec::new();
                    game.moves(&position, &mut moves);
                    let next = game.play(&position, moves[random.index(moves.len())]);
                    if game.outcome(&next).is_none() {
                        position = next;
                    }
                }
                let path = Path::new(position);
                let depth = if board.goats > 8 { 4 } else { 6 };
                let curve = Evaluation::log_odds(board);
                let (by_points, nodes) = search(&game, &path, depth, Evaluation::Reference);
                let (by_curve, curve_nodes) = search(&game, &path, depth, curve);
                assert_eq!(
                    (&by_curve.line, curve_nodes),
                    (&by_points.line, nodes),
                    "{} {position:?}",
                    board.name
                );
                let expected = match (by_points.score, curve) {
                    (Score::Points(points), Evaluation::LogOdds(curve)) => {
                        estimates += 1;
                        curve.value(points as i32).into()
                    }
                    (score, _) => score,
                };
                assert_eq!(by_curve.score, expected, "{} {position:?}", board.name);
            }
        }
        assert!(estimates > 100, "{estimates}");
    }
}
