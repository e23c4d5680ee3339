//! What positions are worth where a search goes no deeper: a value that is handed to it, and no part of the rules.

use crate::rules::Game;
use crate::value::Value;

/// Judges the positions of a game: as the textbook does, as the champion does, or at random where a search is tested.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// The value of a position in which the game goes on, the first player's view.
    fn evaluate(&self, game: &G, position: &G::Position) -> Value;

    /// The terms of [`Evaluator::evaluate`] by name, in the first player's points, where it has terms.
    fn terms(&self, _game: &G, _position: &G::Position) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// What a decided game counts in an expectation, in points: an average needs a finite number.
    fn terminal_payoff(&self, _game: &G, _position: &G::Position) -> f64 {
        1000.0
    }
}
