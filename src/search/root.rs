//! The root of a search: the game so far, and the moves to search.

use std::sync::Arc;

use super::PvLine;
use crate::oracle::OracleHandle;
use crate::path::Path;
use crate::random::Random;
use crate::rules::Game;
use crate::settings::{CutRule, MoveOrder};
use crate::value::{Side, Value};

/// A root move. Among moves of equal value, the move with the lowest rank is the best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove<M> {
    /// The move.
    pub m: M,
    /// Index in notation order, or in a random order if option `Seed` is above 0.
    pub rank: u32,
}

/// The root of a search.
#[derive(Clone, Debug)]
pub struct Root<G: Game> {
    /// The game so far.
    pub path: Path<G>,
    /// The moves in search order. After an iteration, its best move comes first, unless `order` forbids it.
    pub moves: Vec<RootMove<G::Move>>,
    /// The order of moves in a textbook search (option `Ordering`).
    pub order: MoveOrder,
    /// The cutoff rule of alpha-beta.
    pub cut_rule: CutRule,
    /// The value that MTD(f) tests first if it has no value of the iteration one ply shallower.
    pub first_guess: Value,
    /// Number of lines to find (option `MultiPV`). At a chance node, each line starts with an outcome. A single line's
    /// score is the expectation over all outcomes. With several lines, each score is the score of the line's outcome.
    pub lines: usize,
    /// `true` if the game was over at every leaf of the last iteration, in all lines.
    pub(crate) is_exhausted: bool,
    /// The tablebases, if any. Textbook searches do not probe them.
    pub oracle: Option<Arc<OracleHandle<G>>>,
    /// The best line of each finished iteration, in ascending order of depth. A later search of `auto` from the same
    /// root continues at the last of these depths. Textbook searches ignore the lines and start at depth 1.
    pub finished: Vec<PvLine<G::Move>>,
}

impl<G: Game> Root<G> {
    /// Creates the root at the end of `path`, with all legal moves.
    pub fn new(game: &G, path: Path<G>, seed: u64) -> Self {
        let legal = path.moves(game);
        let moves = legal
            .iter()
            .zip(ranks(legal.len(), seed))
            .map(|(&m, rank)| RootMove { m, rank })
            .collect();
        Self {
            path,
            moves,
            order: MoveOrder::Full,
            cut_rule: CutRule::Equal,
            first_guess: Value::ZERO,
            lines: 1,
            is_exhausted: false,
            oracle: None,
            finished: Vec::new(),
        }
    }

    /// Copies the move order and the finished iterations of `before`, the root of an earlier search, if its position
    /// and moves are equal.
    pub(crate) fn resume_from(&mut self, before: Self) {
        let has_same_moves = self.moves.len() == before.moves.len()
            && self.moves.iter().all(|m| before.moves.contains(m));
        if has_same_moves && self.path == before.path {
            if self.order != MoveOrder::None {
                self.moves = before.moves;
            }
            self.finished = before.finished;
        }
    }

    /// Returns the side to move.
    pub fn side(&self, game: &G) -> Side {
        game.side(self.path.position())
    }

    /// Moves `m` to the front unless the order of moves is fixed. The other moves keep their order.
    pub(crate) fn bring_forward(&mut self, m: G::Move) {
        if self.order == MoveOrder::None {
            return;
        }
        if let Some(index) = self.moves.iter().position(|candidate| candidate.m == m) {
            self.moves[..=index].rotate_right(1);
        }
    }
}

/// Returns the ranks of `count` moves: 0, 1, 2, … or, with a `seed` above 0, a random permutation that depends only
/// on the seed.
pub fn ranks(count: usize, seed: u64) -> Vec<u32> {
    let mut ranks: Vec<u32> = (0..count as u32).collect();
    if seed > 0 {
        Random::new(seed).shuffle(&mut ranks);
    }
    ranks
}
