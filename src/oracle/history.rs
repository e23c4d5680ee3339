//! Checks that the history of a game does not prevent a win by the tables.
//!
//! The tables ignore the history. The line of a win may lead to a position that has occurred twice and whose third
//! occurrence ends the game. The win holds if the winner can shorten it with every move and avoid such positions. Then
//! no later position occurs twice, so the rest of the history is irrelevant. The distance also stays the same, because
//! repetitions do not make a win shorter. If the check is inconclusive, no win is reported.

use std::collections::HashMap;

use super::Verdict;
use crate::path::Path;
use crate::rules::{Game, Rules};
use crate::value::Side;

/// Maximum number of positions that one check visits. Longer checks are inconclusive.
const MAX_SCANNED: usize = 10_000;

/// A check of wins against the history of one path.
pub(super) struct HistoryCheck<'a, G: Game> {
    game: &'a G,
    /// The positions that have occurred twice.
    repeated: Vec<G::Position>,
    winner: Side,
    /// A win in at most this number of plies cannot lead to a position in `repeated`.
    safe_plies: u32,
    known: HashMap<G::Position, bool>,
}

/// A function that probes the tables for the verdict on a position.
type Probe<'a, G, E> = &'a mut dyn FnMut(&<G as Rules>::Position) -> Result<Option<Verdict>, E>;

impl<'a, G: Game> HistoryCheck<'a, G> {
    /// Creates a check for the history of `path` and a win of `winner`.
    pub(super) fn new(game: &'a G, path: &Path<G>, winner: Side) -> Self {
        Self {
            game,
            repeated: path.twice_occurred().copied().collect(),
            winner,
            safe_plies: u32::MAX,
            known: HashMap::new(),
        }
    }

    /// Returns `true` if no position has occurred twice.
    pub(super) fn is_empty(&self) -> bool {
        self.repeated.is_empty()
    }

    /// Returns `true` if a win in `plies` plies by the tables holds for this history.
    pub(super) fn preserves_win<E>(
        &mut self,
        position: &G::Position,
        plies: u32,
        probe: Probe<'_, G, E>,
    ) -> Result<bool, E> {
        // The line of a win passes only through won positions of decreasing distance.
        for repeated in &self.repeated {
            self.safe_plies = match probe(repeated)? {
                Some(Verdict::Win(side, plies)) if side == self.winner => {
                    self.safe_plies.min(plies)
                }
                Some(_) => self.safe_plies,
                None => 0,
            };
        }
        self.avoids(position, plies, probe)
    }

    /// Returns `true` if the winner can shorten the win with every move and avoid the repeated positions. `position` is
    /// won in `plies` plies.
    fn avoids<E>(
        &mut self,
        position: &G::Position,
        plies: u32,
        probe: Probe<'_, G, E>,
    ) -> Result<bool, E> {
        if plies <= self.safe_plies {
            return Ok(true);
        }
        if let Some(&known) = self.known.get(position) {
            return Ok(known);
        }
        if self.known.len() >= MAX_SCANNED {
            return Ok(false);
        }
        let winner_moves = self.game.side(position) == self.winner;
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut avoids = !winner_moves;
        for m in moves {
            let child = self.game.play(position, m);
            let shortens_win =
                !self.repeated.contains(&child) && self.shortens_win(&child, plies, probe)?;
            if shortens_win == winner_moves {
                avoids = winner_moves;
                break;
            }
        }
        self.known.insert(*position, avoids);
        Ok(avoids)
    }

    /// Returns `true` if `child` is a win in fewer than `plies` plies that avoids the repeated positions.
    fn shortens_win<E>(
        &mut self,
        child: &G::Position,
        plies: u32,
        probe: Probe<'_, G, E>,
    ) -> Result<bool, E> {
        if let Some(outcome) = self.game.outcome(child) {
            return Ok(outcome.winner() == Some(self.winner));
        }
        match probe(child)? {
            Some(Verdict::Win(winner, left)) if winner == self.winner && left < plies => {
                self.avoids(child, left, probe)
            }
            _ => Ok(false),
        }
    }
}
