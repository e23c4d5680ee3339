//! What a game offers to speed up a search: move scores, symmetries and exact pruning. None of it changes a value.

use super::evaluator::Evaluator;
use crate::control::{Control, Stopped};
use crate::rules::Game;
use crate::value::{Side, Value, Window};

/// Everything that a search asks of a game beyond its rules: an [`Evaluator`] with move ordering, symmetry, frontier
/// evaluation and exact pruning. Implemented for every type that implements the five traits.
pub trait Tactics<G: Game>:
    Evaluator<G> + MoveScorer<G> + Symmetry<G> + FrontierEval<G> + Pruner<G>
{
}

impl<G: Game, T> Tactics<G> for T where
    T: Evaluator<G> + MoveScorer<G> + Symmetry<G> + FrontierEval<G> + Pruner<G>
{
}

/// Scores moves for move ordering.
pub trait MoveScorer<G: Game> {
    /// `true` if a move that is good in one position tends to be good in others, as killer moves and history
    /// assume. In an explicit tree, equal child numbers of different nodes have nothing in common.
    const MOVES_TRANSFER: bool = true;

    /// Returns the score of a move for move ordering. Higher scores are searched first.
    fn score_move(&self, _game: &G, _position: &G::Position, _m: G::Move) -> i32 {
        0
    }

    /// Appends the score of every move, in the order of `moves`. Only differences matter; 10 correspond to one
    /// point of the evaluation.
    fn score_moves(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        ratings: &mut Vec<i32>,
    ) {
        ratings.extend(moves.iter().map(|&m| self.score_move(game, position, m)));
    }
}

/// The symmetries under which values are equal. The default has none.
pub trait Symmetry<G: Game> {
    /// Returns the key shared by the position's symmetric images, and the symmetry that maps the position to their
    /// representative.
    #[inline]
    fn canonical_key(&self, game: &G, position: &G::Position) -> CanonicalKey {
        CanonicalKey {
            key: game.key(position),
            symmetry: 0,
        }
    }

    /// Returns the image of a move under a symmetry.
    #[inline]
    fn move_image(&self, _game: &G, m: G::Move, _symmetry: usize) -> G::Move {
        m
    }

    /// Returns the move whose image under a symmetry is `m`.
    #[inline]
    fn inverse_image(&self, _game: &G, m: G::Move, _symmetry: usize) -> G::Move {
        m
    }
}

/// Evaluates the moves of frontier nodes, one ply above the leaves.
pub trait FrontierEval<G: Game>: Evaluator<G> {
    /// Returns the best value one ply below a position at `ply` that is not decided, exact inside `window`.
    ///
    /// Searches spend most of their time here, so games that can value moves without playing them should override
    /// it. `scratch` is restored.
    fn best_leaf(
        &self,
        game: &G,
        position: &G::Position,
        ply: u32,
        window: Window,
        scratch: &mut Vec<G::Move>,
    ) -> FrontierBest<G::Move> {
        let mut frontier = FrontierBest::new(game.side(position), window);
        let base = scratch.len();
        game.moves(position, scratch);
        for &m in &scratch[base..] {
            let child = game.play(position, m);
            let value = match game.outcome(&child) {
                Some(outcome) => outcome.value(ply + 1),
                None => self.evaluate(game, &child),
            };
            if frontier.offer(m, value) {
                break;
            }
        }
        scratch.truncate(base);
        frontier
    }
}

/// Exact pruning: decides nodes and moves without a search and without changing a value. The default prunes nothing.
pub trait Pruner<G: Game> {
    /// Appends the moves of an undecided position at `ply`, `depth` plies (at least 2) above the leaves, except
    /// those that provably do not matter in `window`.
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

    /// Returns what is known of an undecided position, `depth` plies (at least 2) above the leaves, before the
    /// transposition table is probed. Prunes no moves.
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

    /// Returns one of `moves`, which are all legal moves, that draws if the game can prove that neither side can do
    /// better.
    ///
    /// # Errors
    /// [`Stopped`] if the search has to end.
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

/// An evaluator with the default [`Tactics`].
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

impl<G: Game, E: Evaluator<G>> MoveScorer<G> for EvaluatorOnly<E> {}
impl<G: Game, E: Evaluator<G>> Symmetry<G> for EvaluatorOnly<E> {}
impl<G: Game, E: Evaluator<G>> FrontierEval<G> for EvaluatorOnly<E> {}
impl<G: Game, E: Evaluator<G>> Pruner<G> for EvaluatorOnly<E> {}

/// The key of a position and its symmetric images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CanonicalKey {
    /// The key that all images share.
    pub key: u64,
    /// Number of the symmetry from the position to the representative; 0 is the identity.
    pub symmetry: usize,
}

/// The best move of a frontier node by the values one ply below.
#[derive(Clone, Copy, Debug)]
pub struct FrontierBest<M> {
    side: Side,
    window: Window,
    /// The best value so far.
    pub value: Value,
    /// The move with that value.
    pub best: Option<M>,
    /// Number of visited positions.
    pub visited: u32,
}

impl<M> FrontierBest<M> {
    /// Creates the state before the first move.
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

    /// Counts a move with its value. Returns `true` on a cutoff.
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

/// Exact knowledge of a node, found without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticPruning {
    /// A bound of the node's value that closes the window.
    pub(crate) settled: Option<Value>,
    /// A bound of the values of all pruned moves, if any were pruned.
    pub(crate) pruned_bound: Option<Value>,
    /// Number of visited positions.
    pub visited: u32,
}

impl StaticPruning {
    /// Nothing is known.
    pub const NONE: Self = Self {
        settled: None,
        pruned_bound: None,
        visited: 0,
    };
}
