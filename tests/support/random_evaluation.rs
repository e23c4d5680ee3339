//! Random evaluations. With them, it is unlikely that a wrong search finds the right value by chance.

use puli::games::key::mix64;
use puli::rules::Game;
use puli::search::Evaluator;
use puli::value::Value;

/// Evaluates a position by a pseudorandom integer from `-range` to `range`, in points. It depends on the key of the
/// position and on the seed. With a small range, many positions have equal values.
#[derive(Clone, Copy, Debug)]
pub struct RandomEvaluation {
    pub seed: u64,
    pub range: u32,
}

impl<G: Game> Evaluator<G> for RandomEvaluation {
    fn evaluate(&self, game: &G, position: &G::Position) -> Value {
        let random = mix64(game.key(position) ^ mix64(!self.seed));
        let points = random % u64::from(2 * self.range + 1);
        Value::points(points as i32 - self.range as i32)
    }
}
