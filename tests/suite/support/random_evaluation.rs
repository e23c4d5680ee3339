//! Random evaluations. With them, a wrong search cannot find the right value by luck.

use puli::games::key::mix64;
use puli::rules::Game;
use puli::search::Evaluator;
use puli::value::Value;

/// Returns whole points from `-range` to `range`, derived from the position's key and the seed. A small range gives
/// many ties.
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
