//! Knowledge about a game that speeds up its search without changing values: move scores, symmetries, fast
//! evaluation near the leaves, and exact pruning.

use super::evaluator::Evaluator;
use crate::control::{Control, Stopped};
use crate::rules::Game;
use crate::value::{Side, Value, Window};

/// All knowledge of a search about a game besides the rules. A type that implements the five traits for evaluation,
/// move ordering, symmetry, frontier evaluation and exact pruning also implements `Tactics`.
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
    /// `true` if a move that is good in one position is often good in others, as killer moves and history assume. It
    /// is `false` for explicit game trees, in which a move is just the index of a child.
    const MOVES_TRANSFER: bool = true;

    /// Returns the score of a move for move ordering. Higher scores are searched first.
    fn score_move(&self, _game: &G, _position: &G::Position, _m: G::Move) -> i32 {
        0
    }

    /// Appends the score of every move to `ratings`, in the order of `moves`. Only differences of scores matter. A
    /// difference of 10 corresponds to one point of the evaluation.
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

/// The symmetries of the game, which map positions to positions of equal value. By default there are none.
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

    /// Returns the image of the move `m` under a symmetry.
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

/// Evaluates all moves of a frontier node, one ply above the leaves.
pub trait FrontierEval<G: Game>: Evaluator<G> {
    /// Evaluates the position after each move of `position`, and returns the move with the best value for the side to
    /// move. The value is exact if it lies inside `window`.
    ///
    /// The game is not over at `position`, which is `ply` plies below the root. Searches spend most of their time here,
    /// so games that can evaluate moves without playing them should override this function. `scratch` is a buffer; its
    /// contents are restored.
    fn best_leaf(
        &self,
        game: &G,
        position: &G::Position,
        ply: u32,
        window: Window,
        scratch: &mut Vec<G::Move>,
    ) -> FrontierBest<G::Move> {
        best_child(game, position, ply, window, scratch, |child| {
            self.evaluate(game, child)
        })
    }
}

/// Implements [`FrontierEval::best_leaf`] with the function `evaluate`, which returns the value of a position after a move.
#[inline(always)]
pub(crate) fn best_child<G: Game>(
    game: &G,
    position: &G::Position,
    ply: u32,
    window: Window,
    scratch: &mut Vec<G::Move>,
    evaluate: impl Fn(&G::Position) -> Value,
) -> FrontierBest<G::Move> {
    let mut frontier = FrontierBest::new(game.side(position), window);
    let base = scratch.len();
    game.moves(position, scratch);
    for &m in &scratch[base..] {
        let child = game.play(position, m);
        let value = match game.outcome(&child) {
            Some(outcome) => outcome.value(ply + 1),
            None => evaluate(&child),
        };
        if frontier.offer(m, value) {
            break;
        }
    }
    scratch.truncate(base);
    frontier
}

/// Exact pruning: the game proves without a search that a node or a move is irrelevant. This changes no value. The
/// default prunes nothing.
pub trait Pruner<G: Game> {
    /// Appends the moves of `position` to `moves`, except moves that provably cannot change the result of a search
    /// with `window`.
    ///
    /// The game is not over at `position`, which is `ply` plies below the root and `depth` plies, at least 2, above
    /// the leaves.
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

    /// Returns a bound of the node's value that causes a cutoff: a lower bound of at least `window.beta`, or an upper
    /// bound of at most `window.alpha`. Returns [`StaticPruning::NONE`] if there is no such bound. Never prunes
    /// single moves.
    ///
    /// The game is not over at `position`, which is `depth` plies, at least 2, above the leaves. Searches call this
    /// before they probe the transposition table, so it must be fast.
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

    /// Returns a drawing move if the game can prove that neither side can win. `moves` are all legal moves.
    ///
    /// # Errors
    /// [`Stopped`] if `control` stops the proof.
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

/// An evaluator with the defaults of the other traits of [`Tactics`].
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

/// The key of a position, shared with its symmetric images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CanonicalKey {
    /// The shared key.
    pub key: u64,
    /// Number of the symmetry that maps the position to the representative; 0 is the identity.
    pub symmetry: usize,
}

/// The best move of a frontier node so far.
#[derive(Clone, Copy, Debug)]
pub struct FrontierBest<M> {
    side: Side,
    window: Window,
    /// The best value so far, from the first player's view.
    pub value: Value,
    /// The move with the best value, or `None` before the first move.
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

    /// Counts the move `m` and keeps it if its `value` is the best. Returns `true` on a cutoff.
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

/// The result of exact pruning at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticPruning {
    /// The node's value, or a bound of it that causes a cutoff. `None` if the node must be searched.
    pub(crate) cutoff_value: Option<Value>,
    /// A bound of the values of all pruned moves. `None` if no move was pruned.
    pub(crate) pruned_bound: Option<Value>,
    /// Number of visited positions.
    pub visited: u32,
}

impl StaticPruning {
    /// Nothing was pruned.
    pub const NONE: Self = Self {
        cutoff_value: None,
        pruned_bound: None,
        visited: 0,
    };
}
