//! Wins by the tables in games with a past.
//!
//! The tables know nothing of the game so far, so their win may lead through a position that has occurred twice, where
//! it ends in a draw. It is a win all the same, in as many plies, if the winner can come nearer to it with every move
//! without passing such a position: nothing then occurs twice from here on, so nothing else of the past can matter; and
//! the past only adds draws, so no win is sooner than the tables'. Where that cannot be shown nothing is claimed.

use std::collections::HashMap;

use super::Verdict;
use crate::path::Path;
use crate::rules::{Game, Rules};
use crate::value::Side;

/// A past that does not matter to a win is proved not to by looking at no more positions than this.
const MAX_SCANNED: usize = 10_000;

/// What a win has to be proved in spite of.
pub(super) struct HistoryCheck<'a, G: Game> {
    game: &'a G,
    /// The positions that have occurred twice.
    exhausted: Vec<G::Position>,
    winner: Side,
    /// A win within so many plies passes none of them.
    safe: u32,
    known: HashMap<G::Position, bool>,
}

/// Asks the tables for the verdict on a position.
type Ask<'a, G, E> = &'a mut dyn FnMut(&<G as Rules>::Position) -> Result<Option<Verdict>, E>;

impl<'a, G: Game> HistoryCheck<'a, G> {
    /// The past of the end of a path.
    pub(super) fn new(game: &'a G, path: &Path<G>, winner: Side) -> Self {
        Self {
            game,
            exhausted: path.twice_occurred().copied().collect(),
            winner,
            safe: u32::MAX,
            known: HashMap::new(),
        }
    }

    /// Whether there is nothing in it that could matter.
    pub(super) fn is_empty(&self) -> bool {
        self.exhausted.is_empty()
    }

    /// Whether the winner of a position, in so many plies by the tables, wins in as many in spite of the past.
    pub(super) fn preserves_win<E>(
        &mut self,
        position: &G::Position,
        plies: u32,
        ask: Ask<'_, G, E>,
    ) -> Result<bool, E> {
        // Only positions that are won, and nearer to the win, lie on the way.
        for exhausted in &self.exhausted {
            self.safe = match ask(exhausted)? {
                Some(Verdict(Some((side, plies)))) if side == self.winner => self.safe.min(plies),
                Some(_) => self.safe,
                None => 0,
            };
        }
        self.avoids(position, plies, ask)
    }

    /// Whether the winner can come nearer with every move from this position, which the tables give them in so many
    /// plies, without passing an exhausted one.
    fn avoids<E>(
        &mut self,
        position: &G::Position,
        plies: u32,
        ask: Ask<'_, G, E>,
    ) -> Result<bool, E> {
        if plies <= self.safe {
            return Ok(true);
        }
        if let Some(&known) = self.known.get(position) {
            return Ok(known);
        }
        if self.known.len() >= MAX_SCANNED {
            return Ok(false);
        }
        let chooses = self.game.side(position) == self.winner;
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut avoids = !chooses;
        for m in moves {
            let child = self.game.play(position, m);
            let shortens_win =
                !self.exhausted.contains(&child) && self.shortens_win(&child, plies, ask)?;
            if shortens_win == chooses {
                avoids = chooses;
                break;
            }
        }
        self.known.insert(*position, avoids);
        Ok(avoids)
    }

    /// Whether a child of a position won in so many plies is won sooner, past nothing exhausted.
    fn shortens_win<E>(
        &mut self,
        child: &G::Position,
        plies: u32,
        ask: Ask<'_, G, E>,
    ) -> Result<bool, E> {
        if let Some(outcome) = self.game.outcome(child) {
            return Ok(outcome.winner() == Some(self.winner));
        }
        match ask(child)? {
            Some(Verdict(Some((winner, left)))) if winner == self.winner && left < plies => {
                self.avoids(child, left, ask)
            }
            _ => Ok(false),
        }
    }
}
