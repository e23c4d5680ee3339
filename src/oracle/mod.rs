//! Perfect play from known values: the verdict on a position, and the trait of sources that know it.

mod history;
mod query;

use std::fmt::{self, Debug};
use std::sync::{Arc, OnceLock};

use crate::error::EngineError;
use crate::path::Path;
use crate::rules::{Game, Outcome};
use crate::value::{Side, Value};

pub use query::{
    OracleQuery, ProbeError, RatedMoves, line, rate_moves, rate_without_history, value_of,
};

/// Result under perfect play: the winner and the plies to the win, or `None` for a draw. Infinite play is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict(pub Option<(Side, u32)>);

impl Verdict {
    /// Neither side can force a win.
    pub const DRAW: Self = Self(None);

    /// Returns the verdict on a finished game.
    pub fn terminal(outcome: Outcome) -> Self {
        Self(outcome.winner().map(|winner| (winner, 0)))
    }

    /// Returns the verdict one ply earlier: a win takes one ply more.
    #[must_use]
    pub(crate) fn one_ply_earlier(self) -> Self {
        Self(self.0.map(|(winner, plies)| (winner, plies + 1)))
    }

    /// Returns the value for a position `ply` plies below the root of a search.
    pub fn value(self, ply: u32) -> Value {
        self.0.map_or(Value::ZERO, |(winner, plies)| {
            Value::win(winner, ply + plies)
        })
    }
}

impl fmt::Display for Verdict {
    /// Writes `draw` or `p1 wins in 12 plies`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("draw"),
            Some((winner, plies)) => {
                let winner = if winner == Side::P1 { "p1" } else { "p2" };
                let unit = if plies == 1 { "ply" } else { "plies" };
                write!(f, "{winner} wins in {plies} {unit}")
            }
        }
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

/// An oracle shared by the threads of a search. After the first error it is not probed again.
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

    /// Returns the value of the end of `path`, `ply` plies below the root, if it is known and does not depend on the
    /// history.
    pub fn value(&self, path: &Path<G>, ply: u32) -> Option<Value> {
        if !path.history_cannot_recur() || self.damage.get().is_some() {
            return None;
        }
        match self.oracle.probe(path.position()) {
            Ok(verdict) => Some(verdict?.value(ply)),
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
    /// The verdict, with plies counted from before the move.
    pub verdict: Verdict,
    /// For a draw: the share of replies that lose, in millionths.
    pub traps: u32,
}
