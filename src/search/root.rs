//! The root of a search: the path to it, and its moves with their rank among equals.

use std::sync::Arc;

use super::PvLine;
use crate::oracle::OracleHandle;
use crate::path::Path;
use crate::random::Random;
use crate::rules::Game;
use crate::value::{Side, Value};

/// A root move. Of moves with equal values the one with the lowest rank is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove<M> {
    /// The move.
    pub m: M,
    /// Its place in the order of the notation, or in a random order where one was asked for.
    pub rank: u32,
}

/// Where a search begins.
#[derive(Clone, Debug)]
pub struct Root<G: Game> {
    /// The game so far.
    pub path: Path<G>,
    /// The moves to look at, in the order in which to look: iteration by iteration the best comes to the front.
    pub moves: Vec<RootMove<G::Move>>,
    /// How many lines are wanted: where it is one, and chance moves here, its value is that of the whole position.
    pub lines: usize,
    /// Whether the last iteration from here has seen all there is, in every line.
    pub is_exhausted: bool,
    /// What is known of positions without a search; the textbook's searches do not ask.
    pub advice: Option<Arc<OracleHandle<G>>>,
    /// What whole iterations from here have found, the deepest last, where another search may go on from them: textbooks
    /// begin anew.
    pub finished: Vec<PvLine<G::Move>>,
}

impl<G: Game> Root<G> {
    /// The root that a path leads to, with all legal moves.
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

    /// Goes on where a search from `before` ended, if that is the same root: with its order of moves, and from its last
    /// iteration.
    pub fn resume_from(&mut self, before: Self) {
        let has_same_moves = self.moves.len() == before.moves.len()
            && self.moves.iter().all(|m| before.moves.contains(m));
        if has_same_moves && self.path == before.path {
            self.moves = before.moves;
            self.finished = before.finished;
        }
    }

    /// The side to move.
    pub fn side(&self, game: &G) -> Side {
        game.side(self.path.position())
    }

    /// Puts a move to the front, the others keeping their order.
    pub fn bring_forward(&mut self, m: G::Move) {
        if let Some(index) = self.moves.iter().position(|candidate| candidate.m == m) {
            self.moves[..=index].rotate_right(1);
        }
    }
}

/// The best of the root moves seen so far.
#[derive(Clone, Copy, Debug)]
pub struct Best<M> {
    side: Side,
    /// The value of the best move, or the value that a move has to beat.
    pub value: Value,
    /// The best move, once there is one.
    pub chosen: Option<RootMove<M>>,
}

impl<M: Copy> Best<M> {
    /// No move yet: any value is welcome.
    pub fn none(side: Side) -> Self {
        Self {
            side,
            value: side.worst(),
            chosen: None,
        }
    }

    /// The value that `candidate` has to be preferred to. An equal one is enough where its rank is lower, so then the
    /// mark is one step worse, and a window that begins there proves equality.
    pub fn mark(&self, candidate: RootMove<M>) -> Value {
        match self.chosen {
            Some(chosen) if candidate.rank < chosen.rank => self.value.worse(self.side),
            _ => self.value,
        }
    }

    /// Takes `candidate` if it beats its mark.
    pub fn offer(&mut self, candidate: RootMove<M>, value: Value) -> bool {
        let better = self.side.prefers(value, self.mark(candidate));
        if better {
            self.value = value;
            self.chosen = Some(candidate);
        }
        better
    }
}

/// The ranks of `count` moves: their order, or with a `seed` above 0 a random one, the same for the same seed.
pub fn ranks(count: usize, seed: u64) -> Vec<u32> {
    let mut ranks: Vec<u32> = (0..count as u32).collect();
    if seed > 0 {
        Random::new(seed).shuffle(&mut ranks);
    }
    ranks
}
