//! Static evaluation of positions. A search is handed its evaluator; rules have none.

use crate::rules::Game;
use crate::value::Value;

/// Evaluates the positions of a game: the reference evaluation, the default evaluation, or a random one in tests.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// Returns the value of a position that is not decided, from the first player's view.
    fn evaluate(&self, game: &G, position: &G::Position) -> Value;

    /// Returns the named terms of [`Evaluator::evaluate`] in points for the first player, if it has terms.
    fn terms(&self, _game: &G, _position: &G::Position) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Returns the points that a decided game contributes to an expectation: averages need a finite number.
    fn terminal_payoff(&self, _game: &G, _position: &G::Position) -> f64 {
        1000.0
    }

    /// Returns the maximum expected change of the value per ply against the side to move, in hundredths of a point,
    /// if one is known. Used by selective search only.
    #[inline]
    fn margin(&self) -> Option<i32> {
        None
    }
}
