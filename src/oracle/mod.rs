//! Verdicts, the results of perfect play, and oracles, the sources of verdicts.

mod history;
mod query;

use std::fmt::{self, Debug};
use std::sync::{Arc, OnceLock};

use crate::error::EngineError;
use crate::path::Path;
use crate::rules::{Game, Outcome};
use crate::units;
use crate::value::{Score, Side, Value};

pub use query::{
    OracleQuery, ProbeError, RatedMoves, line, rate_moves, rate_without_history, value_of,
};

/// An exact value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExactValue {
    /// The result of perfect play.
    Verdict(Verdict),
    /// The points expected from here on, in a game of chance.
    Expected(f64),
}

impl ExactValue {
    /// Returns the result of perfect play, or `None` in a game of chance.
    pub fn verdict(self) -> Option<Verdict> {
        match self {
            Self::Verdict(verdict) => Some(verdict),
            Self::Expected(_) => None,
        }
    }

    /// Returns the points in trees and in games of chance, from the first player's view.
    pub fn points(self) -> Option<f64> {
        match self {
            Self::Verdict(verdict) => verdict.points(),
            Self::Expected(points) => Some(points),
        }
    }
}

/// The result of perfect play from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Neither side can force a win.
    Draw,
    /// The side can force a win in this number of plies, and not in fewer.
    Win(Side, u32),
    /// Neither side can force an end of the game, and this side wins infinite play by the rules.
    Endless(Side),
    /// Perfect play ends with these points, from the first player's view, in games whose outcomes are points.
    Points(Value),
}

impl Verdict {
    /// Returns the verdict on a forced win, or a draw if `win` is `None`.
    pub fn of_win(win: Option<(Side, u32)>) -> Self {
        win.map_or(Self::Draw, |(winner, plies)| Self::Win(winner, plies))
    }

    /// Returns the verdict on a finished game.
    pub fn terminal(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Points(points) => Self::Points(points),
            Outcome::Won(_) | Outcome::Draw => {
                Self::of_win(outcome.winner().map(|winner| (winner, 0)))
            }
        }
    }

    /// Returns the winner, if there is one. In a verdict of points, the winner is the first player if they are
    /// positive and the second player if they are negative.
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::Draw => None,
            Self::Win(winner, _) | Self::Endless(winner) => Some(winner),
            Self::Points(points) => Outcome::Points(points).winner(),
        }
    }

    /// Returns the number of plies to a forced win, if there is one.
    pub fn plies(self) -> Option<u32> {
        self.win().map(|(_, plies)| plies)
    }

    /// Returns the winner and the number of plies of a forced win, if there is one.
    pub fn win(self) -> Option<(Side, u32)> {
        match self {
            Self::Win(winner, plies) => Some((winner, plies)),
            Self::Draw | Self::Endless(_) | Self::Points(_) => None,
        }
    }

    /// Returns the points with which perfect play ends, from the first player's view. Returns `None` if the verdict is
    /// not points.
    pub fn points(self) -> Option<f64> {
        match self {
            Self::Points(Value(hundredths)) => Some(f64::from(hundredths) / 100.0),
            Self::Draw | Self::Win(..) | Self::Endless(_) => None,
        }
    }

    /// Returns the verdict on the position one ply earlier: a win takes one ply more.
    #[must_use]
    pub fn one_ply_earlier(self) -> Self {
        match self {
            Self::Win(winner, plies) => Self::Win(winner, plies + 1),
            Self::Draw | Self::Endless(_) | Self::Points(_) => self,
        }
    }

    /// Returns a sort key for `side`, higher for better verdicts. From best to worst: short wins, long wins,
    /// endless wins, draws, endless losses, long losses, short losses. Points are compared as numbers.
    pub fn rank(self, side: Side) -> (i32, i64) {
        match self {
            Self::Win(winner, plies) if winner == side => (2, -i64::from(plies)),
            Self::Win(_, plies) => (-2, i64::from(plies)),
            Self::Endless(winner) => (if winner == side { 1 } else { -1 }, 0),
            Self::Draw => (0, 0),
            Self::Points(points) => match side {
                Side::P1 => (0, points.0.into()),
                Side::P2 => (0, (-points).0.into()),
            },
        }
    }

    /// Returns the value for a position `ply` plies below the root of a search. Returns `None` for an endless win,
    /// because it has no number of plies.
    pub fn value(self, ply: u32) -> Option<Value> {
        match self {
            Self::Draw => Some(Value::ZERO),
            Self::Win(winner, plies) => Some(Value::win(winner, ply + plies)),
            Self::Endless(_) => None,
            Self::Points(points) => Some(points),
        }
    }

    /// Returns the score at the root of a search.
    pub fn score(self) -> Score {
        match self {
            Self::Draw => Score::Points(0.0),
            Self::Win(winner, plies) => Score::Win(winner, plies),
            Self::Endless(winner) => Score::Points(ENDLESS_WIN_POINTS).seen_by(winner),
            Self::Points(points) => points.into(),
        }
    }
}

/// The score of an endless win, in points: a clear advantage instead of a win in a number of plies.
const ENDLESS_WIN_POINTS: f64 = 100.0;

impl Verdict {
    /// Returns the verdict in words. `wins` returns the clause for the winner, such as `goats win`.
    pub fn describe(self, wins: impl Fn(Side) -> String) -> String {
        match self {
            Self::Draw => String::from("draw"),
            Self::Win(winner, 1) => format!("{} in 1 ply", wins(winner)),
            Self::Win(winner, plies) => format!("{} in {plies} plies", wins(winner)),
            Self::Endless(winner) => format!("{} by endless play", wins(winner)),
            Self::Points(points) => match Outcome::Points(points).winner() {
                None => String::from("neither side wins points"),
                Some(winner) => {
                    let points = units::points(f64::from(points.0.abs()) / 100.0);
                    format!("{} {points}", wins(winner))
                }
            },
        }
    }
}

impl fmt::Display for Verdict {
    /// Writes `draw`, `p1 wins in 12 plies`, `p2 wins by endless play` or `p1 wins 3 points`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wins = |winner| match winner {
            Side::P1 => String::from("p1 wins"),
            Side::P2 => String::from("p2 wins"),
        };
        f.write_str(&self.describe(wins))
    }
}

/// A source of exact values, such as a tablebase.
pub trait Oracle<G: Game>: Debug + Send + Sync {
    /// Returns the verdict on a position whose game is not over, or `None` if it is not known.
    ///
    /// # Errors
    /// If the tables are damaged.
    fn probe(&self, position: &G::Position) -> Result<Option<Verdict>, EngineError>;

    /// Returns the number of successful probes so far.
    fn hits(&self) -> u64;
}

/// An oracle shared by the threads of a search. The first error disables it.
#[derive(Debug)]
pub struct OracleHandle<G: Game> {
    oracle: Arc<dyn Oracle<G>>,
    damage: OnceLock<EngineError>,
}

impl<G: Game> OracleHandle<G> {
    /// Wraps an oracle.
    pub fn new(oracle: Arc<dyn Oracle<G>>) -> Self {
        let damage = OnceLock::new();
        Self { oracle, damage }
    }

    /// Returns the value of the last position of `path`, which is `ply` plies below the root. Returns `None` if it is
    /// unknown or may depend on the history.
    pub fn value(&self, path: &Path<G>, ply: u32) -> Option<Value> {
        if !path.history_cannot_recur() || self.damage.get().is_some() {
            return None;
        }
        match self.oracle.probe(path.position()) {
            Ok(verdict) => verdict?.value(ply),
            Err(error) => {
                // Only the first of several concurrent errors is kept.
                let _ = self.damage.set(error);
                None
            }
        }
    }

    /// Returns the error that made the oracle unusable.
    pub fn damage(&self) -> Option<&EngineError> {
        self.damage.get()
    }
}

/// A move and the verdict on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedMove<M> {
    /// The move.
    pub m: M,
    /// The verdict. Its plies are counted from before the move.
    pub verdict: Verdict,
    /// In a draw: the share of replies that lose, in millionths.
    pub traps: u32,
}
