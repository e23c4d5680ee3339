//! Static evaluation of positions. It is separate from the rules, so that one game can have several evaluators.

use crate::rules::Game;
use crate::value::Value;

/// An evaluation function: the reference evaluation, the default evaluation, or a random evaluation in
/// tests.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// Returns the value of a position from the first player's view. The game must not be over.
    fn evaluate(&self, game: &G, position: &G::Position) -> Value;

    /// Returns the named terms of [`Evaluator::evaluate`] in points for the first player, if it has terms.
    fn terms(&self, _game: &G, _position: &G::Position) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Returns the points of a win for expectimax, which averages values and needs a finite value.
    fn terminal_payoff(&self, _game: &G, _position: &G::Position) -> f64 {
        1000.0
    }

    /// Returns the expected maximum loss of the side to move per ply, in hundredths of a point. Returns `None` if it
    /// is unknown.
    ///
    /// The selective search uses it for reverse futility pruning. Only networks have one in hunt games.
    #[inline]
    fn margin(&self) -> Option<i32> {
        None
    }
}
