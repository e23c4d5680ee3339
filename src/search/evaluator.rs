//! Static evaluation of positions. It is separate from the rules, so that one game can have several evaluators.

use crate::rules::Game;
use crate::value::Value;

/// An evaluation function: the reference evaluation, the default evaluation, or a random one in tests.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// Returns the value of a position in which the game is not over, from the first player's view.
    fn evaluate(&self, game: &G, position: &G::Position) -> Value;

    /// Returns the named terms of [`Evaluator::evaluate`] in points for the first player, if it has terms.
    fn terms(&self, _game: &G, _position: &G::Position) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Returns the points of a win for expectimax. It averages values, so a win must have a finite value.
    fn terminal_payoff(&self, _game: &G, _position: &G::Position) -> f64 {
        1000.0
    }

    /// Returns the maximum change of the value per ply that is expected, to the disadvantage of the side to move, in
    /// hundredths of a point. Returns `None` if it is unknown.
    ///
    /// Only the selective search uses it, for reverse futility pruning.
    #[inline]
    fn margin(&self) -> Option<i32> {
        None
    }
}
