//! Static evaluation of positions. It is separate from the rules, so that one game can have several evaluators.

use crate::rules::Game;
use crate::value::Value;

/// A feature of an evaluation, such as the number of goats. Its part of the value is its weight times its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The name.
    pub name: &'static str,
    /// The weight from the first player's view, in hundredths of a point.
    pub weight: i32,
    /// The number in a position; `None` if the position has none, which counts as 0.
    pub number: Option<u32>,
}

impl Feature {
    /// Returns the part of the value, in hundredths of a point for the first player.
    pub fn value(&self) -> i32 {
        self.weight * self.number.unwrap_or_default() as i32
    }
}

/// Returns the features that a position has as named terms, in points for the first player.
pub fn feature_terms(features: &[Feature]) -> Vec<(&'static str, f64)> {
    let known = features.iter().filter(|feature| feature.number.is_some());
    known
        .map(|feature| (feature.name, f64::from(feature.value()) / 100.0))
        .collect()
}

/// An evaluation function: the reference evaluation, the default evaluation, or a random evaluation in
/// tests.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// Returns the value of a position from the first player's view. The game must not be over.
    fn evaluate(&self, game: &G, position: &G::Position) -> Value;

    /// Returns the named terms of [`Evaluator::evaluate`] in points for the first player, if it has terms.
    fn terms(&self, game: &G, position: &G::Position) -> Vec<(&'static str, f64)> {
        feature_terms(&self.features(game, position))
    }

    /// Returns the features of the evaluation in an order that is the same in all positions. Returns none if the
    /// evaluation has no features.
    fn features(&self, _game: &G, _position: &G::Position) -> Vec<Feature> {
        Vec::new()
    }

    /// Returns the evaluation with other weights, in hundredths of a point and in the order of
    /// [`Evaluator::features`]. Returns `None` if the evaluation has no features.
    #[must_use]
    fn with_weights(&self, _weights: &[i32]) -> Option<Self> {
        None
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
