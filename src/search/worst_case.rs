//! An adapter that turns a game with chance into a two-player game for alpha-beta and other two-player
//! searches. Chance is replaced by an opponent that always chooses the worst outcome.

use super::Evaluator;
use crate::error::ParseError;
use crate::rules::{Game, Notation, Outcome, Rules, Stochastic};
use crate::value::{Side, Value};

/// The rules of a game with chance in which a second player chooses the chance outcomes and minimizes the first
/// player's points.
#[derive(Clone, PartialEq)]
pub struct WorstCase<S>(pub S);

/// A position with the points gained on the path to it.
///
/// Two-player searches evaluate positions, not moves, so the position contains the points gained since the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScoredPosition<P> {
    /// The position.
    pub position: P,
    /// Points gained since the root, in hundredths.
    pub gained: i32,
}

impl<P> ScoredPosition<P> {
    /// Creates a position without gained points.
    pub fn new(position: P) -> Self {
        Self {
            position,
            gained: 0,
        }
    }
}

impl<S: Stochastic> Rules for WorstCase<S> {
    type Position = ScoredPosition<S::Position>;
    type Move = S::Move;

    fn start(&self) -> Self::Position {
        ScoredPosition::new(self.0.start())
    }

    fn moves(&self, scored: &Self::Position, out: &mut Vec<S::Move>) {
        self.0.moves(&scored.position, out);
    }

    fn play(&self, scored: &Self::Position, m: S::Move) -> Self::Position {
        ScoredPosition {
            position: self.0.play(&scored.position, m),
            gained: scored.gained + hundredths(self.0.gain(&scored.position, m)),
        }
    }

    fn key(&self, scored: &Self::Position) -> u64 {
        let gained = (scored.gained as u32 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0.key(&scored.position) ^ gained
    }
}

impl<S: Stochastic> Game for WorstCase<S> {
    fn side(&self, scored: &Self::Position) -> Side {
        self.0.turn(&scored.position).side()
    }

    fn outcome(&self, scored: &Self::Position) -> Option<Outcome> {
        let is_over = self.0.is_over(&scored.position);
        is_over.then_some(Outcome::Points(Value(scored.gained)))
    }
}

/// Evaluates a position by the points gained so far plus the game's estimate of the remaining points.
#[derive(Clone, Copy, Debug, Default)]
pub struct RemainingScore;

impl<S: Stochastic> Evaluator<WorstCase<S>> for RemainingScore {
    fn evaluate(&self, game: &WorstCase<S>, scored: &ScoredPosition<S::Position>) -> Value {
        Value(scored.gained + hundredths(game.0.evaluate(&scored.position)))
    }
}

impl<S: Stochastic + Notation> Notation for WorstCase<S> {
    fn read_position(&self, text: &str) -> Result<(Self, Self::Position), ParseError> {
        let (game, position) = self.0.read_position(text)?;
        Ok((Self(game), ScoredPosition::new(position)))
    }

    fn show_position(&self, scored: &Self::Position) -> String {
        self.0.show_position(&scored.position)
    }

    fn read_move(&self, text: &str) -> Result<S::Move, ParseError> {
        self.0.read_move(text)
    }

    fn show_move(&self, m: S::Move) -> String {
        self.0.show_move(m)
    }

    fn draw(&self, scored: &Self::Position) -> String {
        self.0.draw(&scored.position)
    }
}

/// Converts points to hundredths of a point. Clamps them to the range of evaluations, so that their sum with the
/// gained points stays below every win.
fn hundredths(points: f64) -> i32 {
    let max = f64::from(Value::MAX_POINTS);
    (points.clamp(-max, max) * 100.0).round() as i32
}
