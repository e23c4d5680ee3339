//! What a game can tell a search so that it gets on faster. None of it changes a value.

use super::evaluator::Evaluator;
use crate::control::{Control, Stopped};
use crate::rules::Game;
use crate::value::{Side, Value, Window};

/// Tells which moves look good, which positions are mirror images, and what can be known without playing a move; with
/// the [`Evaluator`] on which some of that rests. [`Plain`] has the defaults, by which every search runs.
pub trait Tactics<G: Game>: Evaluator<G> {
    /// Whether a move that is good in one position tends to be good in others, which is what killers and history
    /// rest on. A child's number in a tree says nothing of another node's child.
    const MOVES_TRANSFER: bool = true;

    /// By how many hundredths at most a ply is expected to change the value against the side to move; nothing where that cannot be told.
    /// Only a selective search goes by it.
    #[inline]
    fn margin(&self) -> Option<i32> {
        None
    }

    /// How promising a move looks before any search, for move ordering; higher is searched sooner.
    fn score_move(&self, _game: &G, _position: &G::Position, _m: G::Move) -> i32 {
        0
    }

    /// How promising each of a position's moves looks before any search, appended in the order of `moves`. Only
    /// differences matter; ten of these units should mean as much as a point of the evaluation.
    fn score_moves(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        ratings: &mut Vec<i32>,
    ) {
        ratings.extend(moves.iter().map(|&m| self.score_move(game, position, m)));
    }

    /// The key that a position shares with its mirror images and rotations, and the symmetry that leads from it to
    /// the one of them that the key is of.
    #[inline]
    fn canonical_key(&self, game: &G, position: &G::Position) -> CanonicalKey {
        CanonicalKey {
            key: game.key(position),
            symmetry: 0,
        }
    }

    /// The image of a move under a symmetry.
    #[inline]
    fn move_image(&self, _game: &G, m: G::Move, _symmetry: usize) -> G::Move {
        m
    }

    /// The move whose image under a symmetry is `m`.
    #[inline]
    fn inverse_image(&self, _game: &G, m: G::Move, _symmetry: usize) -> G::Move {
        m
    }

    /// The best value one ply below a position at `ply` in which the game goes on, as far as it matters in `window`:
    /// searches spend most of their time here, and games that can tell the values of moves without playing them
    /// should. `scratch` is left as it was.
    fn frontier_value(
        &self,
        game: &G,
        position: &G::Position,
        ply: u32,
        window: Window,
        scratch: &mut Vec<G::Move>,
    ) -> FrontierBest<G::Move> {
        let mut horizon = FrontierBest::new(game.side(position), window);
        let base = scratch.len();
        game.moves(position, scratch);
        for &m in &scratch[base..] {
            let child = game.play(position, m);
            let value = match game.outcome(&child) {
                Some(outcome) => outcome.value(ply + 1),
                None => self.evaluate(game, &child),
            };
            if horizon.offer(m, value) {
                break;
            }
        }
        scratch.truncate(base);
        horizon
    }

    /// Appends the moves of a position at `ply` in which the game goes on, `depth` plies (at least two) before the
    /// horizon, but leaves out those of which the game can tell without a search that they do not matter in `window`.
    fn prune_moves(
        &self,
        game: &G,
        position: &G::Position,
        _depth: u32,
        _ply: u32,
        _window: Window,
        moves: &mut Vec<G::Move>,
    ) -> StaticPruning {
        game.moves(position, moves);
        StaticPruning::NONE
    }

    /// What can be told of a position in which the game goes on, `depth` plies (at least two) before the horizon, sooner than a
    /// transposition table is asked. No moves are left out.
    #[inline]
    fn static_cutoff(
        &self,
        _game: &G,
        _position: &G::Position,
        _depth: u32,
        _window: Window,
    ) -> StaticPruning {
        StaticPruning::NONE
    }

    /// One of `moves`, all that the side to move may choose from, that draws, if the game has a way of its own to prove
    /// that neither side can do better. `None` where that is not proved.
    fn drawing_move(
        &self,
        _game: &G,
        _position: &G::Position,
        _moves: &[G::Move],
        _control: &mut Control,
    ) -> Result<Option<G::Move>, Stopped> {
        Ok(None)
    }
}

/// An evaluator and nothing that a game knows beyond its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvaluatorOnly<E>(pub E);

impl<G: Game, E: Evaluator<G>> Evaluator<G> for EvaluatorOnly<E> {
    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position) -> Value {
        self.0.evaluate(game, position)
    }

    fn terms(&self, game: &G, position: &G::Position) -> Vec<(&'static str, f64)> {
        self.0.terms(game, position)
    }

    fn terminal_payoff(&self, game: &G, position: &G::Position) -> f64 {
        self.0.terminal_payoff(game, position)
    }
}

impl<G: Game, E: Evaluator<G>> Tactics<G> for EvaluatorOnly<E> {}

/// A position folded together with its mirror images and rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CanonicalKey {
    /// What they all share.
    pub key: u64,
    /// The number of the symmetry that leads from the position to the one that stands for all; 0 is none.
    pub symmetry: usize,
}

/// The best of a position's moves by the values one ply below.
#[derive(Clone, Copy, Debug)]
pub struct FrontierBest<M> {
    side: Side,
    window: Window,
    /// The value of the best move looked at.
    pub value: Value,
    /// That move.
    pub best: Option<M>,
    /// How many positions were looked at.
    pub visited: u32,
}

impl<M> FrontierBest<M> {
    /// Nothing looked at yet.
    #[inline]
    pub fn new(side: Side, window: Window) -> Self {
        Self {
            side,
            window,
            value: side.worst(),
            best: None,
            visited: 0,
        }
    }

    /// Counts a move with its value, and says whether the others can matter no more.
    #[inline]
    pub fn offer(&mut self, m: M, value: Value) -> bool {
        self.visited += 1;
        if !self.side.prefers(value, self.value) {
            return false;
        }
        self.value = value;
        self.best = Some(m);
        self.window.narrowed(self.side, value).is_empty()
    }
}

/// What a game can tell of a node without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticPruning {
    /// A bound of the node's value on which the window's question is settled.
    pub settled: Option<Value>,
    /// A bound of the value of all moves that were left out, if any were.
    pub pruned_bound: Option<Value>,
    /// How many positions were looked at.
    pub visited: u32,
}

impl StaticPruning {
    /// Nothing can be told.
    pub const NONE: Self = Self {
        settled: None,
        pruned_bound: None,
        visited: 0,
    };
}
