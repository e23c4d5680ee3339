//! Perfect play: whoever knows the value of every position ([`Oracle`]) knows the best move, also where nobody wins.

mod history;
mod query;

use std::fmt::{self, Debug};
use std::sync::{Arc, OnceLock};

use crate::error::EngineError;
use crate::path::Path;
use crate::rules::{Game, Outcome};
use crate::value::{Side, Value};

pub use query::{
    OracleQuery, ProbeError, RatedMoves, judge, judge_without_history, line, value_of,
};

/// The outcome under perfect play: who wins, and after how many plies; `None` is a draw, infinite play included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict(pub Option<(Side, u32)>);

impl Verdict {
    /// Nobody can force a win.
    pub const DRAW: Self = Self(None);

    /// That of a game which has ended so.
    pub fn terminal(outcome: Outcome) -> Self {
        Self(outcome.winner().map(|winner| (winner, 0)))
    }

    /// The same a ply farther from the end.
    #[must_use]
    pub fn one_ply_earlier(self) -> Self {
        Self(self.0.map(|(winner, plies)| (winner, plies + 1)))
    }

    /// The value of a position `ply` plies below the root of a search.
    pub fn value(self, ply: u32) -> Value {
        self.0.map_or(Value::ZERO, |(winner, plies)| {
            Value::win(winner, ply + plies)
        })
    }
}

impl fmt::Display for Verdict {
    /// `draw`, `p1 wins in 12 plies`.
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

/// Knows positions for certain.
pub trait Oracle<G: Game>: Debug + Send + Sync {
    /// What is known of a position in which the game goes on; nothing where the tables do not reach. Fails where they
    /// are damaged.
    fn ask(&self, position: &G::Position) -> Result<Option<Verdict>, EngineError>;

    /// How many answers there have been.
    fn answers(&self) -> u64;
}

/// An oracle as the threads of a search ask it: once it has turned out damaged it is asked no more.
#[derive(Debug)]
pub struct OracleHandle<G: Game> {
    oracle: Arc<dyn Oracle<G>>,
    damage: OnceLock<EngineError>,
}

impl<G: Game> OracleHandle<G> {
    /// What this oracle has to say.
    pub fn new(oracle: Arc<dyn Oracle<G>>) -> Self {
        let damage = OnceLock::new();
        Self { oracle, damage }
    }

    /// The value of a position `ply` plies below the root, where it is known and does not depend on the way there.
    pub fn value(&self, path: &Path<G>, ply: u32) -> Option<Value> {
        if !path.history_cannot_recur() || self.damage.get().is_some() {
            return None;
        }
        match self.oracle.ask(path.position()) {
            Ok(verdict) => Some(verdict?.value(ply)),
            Err(refusal) => {
                // Of several threads that come upon it one tells.
                let _ = self.damage.set(refusal);
                None
            }
        }
    }

    /// What turned out to be wrong with the oracle.
    pub fn damage(&self) -> Option<&EngineError> {
        self.damage.get()
    }
}

/// A move and what it comes to under perfect play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedMove<M> {
    /// The move.
    pub m: M,
    /// The verdict on it: plies count from before the move.
    pub verdict: Verdict,
    /// In a draw the chance, per million, that an answer drawn at random is a mistake that loses.
    pub traps: u32,
}
