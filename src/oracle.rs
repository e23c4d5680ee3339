//! Perfect play: whoever knows the value of every position ([`Oracle`]) knows the best move, also where nobody wins.

use std::fmt::{self, Debug};
use std::sync::{Arc, OnceLock};

use crate::error::Refusal;
use crate::path::Path;
use crate::rules::{Game, Outcome};
use crate::value::{Side, Value};

/// The outcome under perfect play: who wins, and after how many plies; `None` is a draw, infinite play included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict(pub Option<(Side, u32)>);

impl Verdict {
    /// Nobody can force a win.
    pub const DRAW: Self = Self(None);

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
    fn ask(&self, position: &G::Position) -> Result<Option<Verdict>, Refusal>;

    /// How many answers there have been.
    fn answers(&self) -> u64;
}

/// An oracle as the threads of a search ask it: once it has turned out damaged it is asked no more.
#[derive(Debug)]
pub struct Advice<G: Game> {
    oracle: Arc<dyn Oracle<G>>,
    damage: OnceLock<Refusal>,
}

impl<G: Game> Advice<G> {
    /// What this oracle has to say.
    pub fn new(oracle: Arc<dyn Oracle<G>>) -> Self {
        let damage = OnceLock::new();
        Self { oracle, damage }
    }

    /// The value of a position `ply` plies below the root, where it is known and does not depend on the way there.
    pub fn value(&self, path: &Path<G>, ply: u32) -> Option<Value> {
        if !path.has_left_the_past() || self.damage.get().is_some() {
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
    pub fn damage(&self) -> Option<&Refusal> {
        self.damage.get()
    }
}

/// A move and what it comes to under perfect play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged<M> {
    /// The move.
    pub m: M,
    /// The verdict on it: plies count from before the move.
    pub verdict: Verdict,
    /// In a draw the chance, per million, that an answer drawn at random is a mistake that loses.
    pub traps: u32,
}

/// The moves of a position, best first: the shortest win, then the draws, those first that leave the opponent the most
/// mistakes to make, then the longest loss. Equal moves keep their order. Nothing if any move leads beyond what is known.
pub fn judge<G: Game>(
    game: &G,
    path: &Path<G>,
    moves: &[G::Move],
    oracle: &dyn Oracle<G>,
) -> Result<Option<Vec<Judged<G::Move>>>, Refusal> {
    let side = game.side(path.position());
    let mut path = path.clone();
    let mut judged = Vec::with_capacity(moves.len());
    for &m in moves {
        let child = game.play(path.position(), m);
        path.push(game, child);
        let known = value_of(game, &path, oracle)?;
        let Some(verdict) = known else {
            return Ok(None);
        };
        let traps = if verdict == Verdict::DRAW {
            share_of_mistakes(game, &path, oracle)?
        } else {
            0
        };
        path.pop();
        judged.push(Judged {
            m,
            verdict: Verdict(verdict.0.map(|(winner, plies)| (winner, plies + 1))),
            traps,
        });
    }
    judged.sort_by_key(|judged| std::cmp::Reverse(worth(judged, side)));
    Ok(Some(judged))
}

/// The line of perfect play from here to the end of a won game; in a draw, which has none, nothing.
pub fn line<G: Game>(
    game: &G,
    path: &Path<G>,
    oracle: &dyn Oracle<G>,
) -> Result<Vec<G::Move>, Refusal> {
    let mut path = path.clone();
    let mut line = Vec::new();
    loop {
        let moves = path.moves(game);
        let best = judge(game, &path, &moves, oracle)?.and_then(|judged| judged.first().copied());
        let Some(best) = best.filter(|best| best.verdict != Verdict::DRAW) else {
            return Ok(line);
        };
        line.push(best.m);
        let child = game.play(path.position(), best.m);
        path.push(game, child);
    }
}

/// What the end of the path is worth: by the rules where they decide it, repetition included, else by the oracle.
pub fn value_of<G: Game>(
    game: &G,
    path: &Path<G>,
    oracle: &dyn Oracle<G>,
) -> Result<Option<Verdict>, Refusal> {
    match path.outcome(game) {
        Some(outcome) => Ok(Some(Verdict(
            Outcome::winner(outcome).map(|winner| (winner, 0)),
        ))),
        None => oracle.ask(path.position()),
    }
}

fn share_of_mistakes<G: Game>(
    game: &G,
    path: &Path<G>,
    oracle: &dyn Oracle<G>,
) -> Result<u32, Refusal> {
    let winner = game.side(path.position()).other();
    let moves = path.moves(game);
    let mut path = path.clone();
    let mut mistakes = 0;
    for &m in &moves {
        let child = game.play(path.position(), m);
        path.push(game, child);
        let value = value_of(game, &path, oracle)?;
        let loses = value
            .and_then(|verdict| verdict.0)
            .map(|(winner, _)| winner)
            == Some(winner);
        mistakes += u64::from(loses);
        path.pop();
    }
    Ok((mistakes * 1_000_000 / moves.len().max(1) as u64) as u32)
}

/// Orders verdicts for the side that moves: higher is better.
fn worth<M>(judged: &Judged<M>, side: Side) -> (i32, i64) {
    match judged.verdict.0 {
        Some((winner, plies)) if winner == side => (1, -i64::from(plies)),
        Some((_, plies)) => (-1, i64::from(plies)),
        None => (0, i64::from(judged.traps)),
    }
}
