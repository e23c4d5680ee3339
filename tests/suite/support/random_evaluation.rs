//! Evaluations drawn at random, so that a search has to be right and not lucky.

use puli::games::key::mix64;
use puli::rules::Game;
use puli::search::Evaluator;
use puli::value::Value;

/// A whole number of points from `-range` to `range`, drawn for each position from its key and the seed. In a small
/// range ties are common.
#[derive(Clone, Copy, Debug)]
pub struct RandomEvaluation {
    pub seed: u64,
    pub range: u32,
}

impl<G: Game> Evaluator<G> for RandomEvaluation {
    fn evaluate(&self, game: &G, position: &G::Position) -> Value {
        let drawn = mix64(game.key(position) ^ mix64(!self.seed));
        let points = drawn % u64::from(2 * self.range + 1);
        Value::points(points as i32 - self.range as i32)
    }
}
