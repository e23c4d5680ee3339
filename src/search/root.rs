//! The root of a search: the path to it and its moves.

use std::sync::Arc;

use super::PvLine;
use crate::oracle::OracleHandle;
use crate::path::Path;
use crate::random::Random;
use crate::rules::Game;
use crate::value::{Side, Value};

/// A root move. Among moves of equal value, the lowest rank is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove<M> {
    /// The move.
    pub m: M,
    /// Position in notation order, or in a random order if option `Seed` asks for one.
    pub rank: u32,
}

/// The root of a search.
#[derive(Clone, Debug)]
pub struct Root<G: Game> {
    /// The game so far.
    pub path: Path<G>,
    /// The moves in search order. Each iteration moves the best one to the front.
    pub moves: Vec<RootMove<G::Move>>,
    /// Number of requested lines. With one line at a chance node, the score is the expectation of the whole
    /// position.
    pub lines: usize,
    /// `true` if the last iteration saw every game to its end, in every line.
    pub(crate) is_exhausted: bool,
    /// Exact values known without a search. Textbook searches do not use them.
    pub advice: Option<Arc<OracleHandle<G>>>,
    /// Results of finished iterations, in ascending depth, from which another search may continue. Textbook
    /// searches start anew.
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
            lines: 1,
            is_exhausted: false,
            advice: None,
            finished: Vec::new(),
        }
    }

    /// Continues where a search from `before` ended if the root is the same: with its move order and its last
    /// iteration.
    pub(crate) fn resume_from(&mut self, before: Self) {
        let has_same_moves = self.moves.len() == before.moves.len()
            && self.moves.iter().all(|m| before.moves.contains(m));
        if has_same_moves && self.path == before.path {
            self.moves = before.moves;
            self.finished = before.finished;
        }
    }

    /// Returns the side to move.
    pub fn side(&self, game: &G) -> Side {
        game.side(self.path.position())
    }

    /// Moves `m` to the front; the other moves keep their order.
    pub(crate) fn bring_forward(&mut self, m: G::Move) {
        if let Some(index) = self.moves.iter().position(|candidate| candidate.m == m) {
            self.moves[..=index].rotate_right(1);
        }
    }
}

/// The best of the root moves so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best<M> {
    side: Side,
    /// Value of the best move, or the value that a move has to beat.
    pub value: Value,
    /// The best move, if there is one yet.
    pub chosen: Option<RootMove<M>>,
}

impl<M: Copy> Best<M> {
    /// Creates the state before the first move.
    pub(crate) fn none(side: Side) -> Self {
        Self {
            side,
            value: side.worst(),
            chosen: None,
        }
    }

    /// Returns the bound that `candidate` has to beat.
    ///
    /// A move of equal value and lower rank also counts as better, so for it the bound is one step worse.
    pub(crate) fn mark(&self, candidate: RootMove<M>) -> Value {
        match self.chosen {
            Some(chosen) if candidate.rank < chosen.rank => self.value.worse(self.side),
            _ => self.value,
        }
    }

    /// Takes `candidate` if it beats its bound. Returns `true` if so.
    pub(crate) fn offer(&mut self, candidate: RootMove<M>, value: Value) -> bool {
        let better = self.side.prefers(value, self.mark(candidate));
        if better {
            self.value = value;
            self.chosen = Some(candidate);
        }
        better
    }
}

/// Returns the ranks of `count` moves: 0, 1, 2, … or, with a `seed` above 0, a random permutation that depends on
/// the seed only.
pub fn ranks(count: usize, seed: u64) -> Vec<u32> {
    let mut ranks: Vec<u32> = (0..count as u32).collect();
    if seed > 0 {
        Random::new(seed).shuffle(&mut ranks);
    }
    ranks
}
