//! A game of chance played against the worst of luck: an adapter with which the searches for two players run.

use super::Evaluator;
use crate::error::ParseError;
use crate::rules::{Game, Notation, Outcome, Rules, Stochastic, Turn};
use crate::value::{Side, Value};

/// A game of chance in which a second player chooses what the dice show, and wants the first to score little.
#[derive(Clone, PartialEq)]
pub struct WorstCase<S>(pub S);

/// A position and what was scored on the way to it.
///
/// A game for two knows values of positions only. So the points that lie on the moves are carried along, from the root
/// of a search on: there they are zero, and its value is what is still to be scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScoredPosition<P> {
    /// The position.
    pub position: P,
    /// Hundredths of a point scored since the root.
    pub gained: i32,
}

impl<P> ScoredPosition<P> {
    /// A position in which nothing has been scored yet.
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

    fn moves(&self, underway: &Self::Position, out: &mut Vec<S::Move>) {
        self.0.moves(&underway.position, out);
    }

    fn play(&self, underway: &Self::Position, m: S::Move) -> Self::Position {
        ScoredPosition {
            position: self.0.play(&underway.position, m),
            gained: underway.gained + hundredths(self.0.gain(&underway.position, m)),
        }
    }

    fn key(&self, underway: &Self::Position) -> u64 {
        let gained = (underway.gained as u32 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0.key(&underway.position) ^ gained
    }
}

impl<S: Stochastic> Game for WorstCase<S> {
    fn side(&self, underway: &Self::Position) -> Side {
        match self.0.turn(&underway.position) {
            Turn::Player(side) => side,
            Turn::Chance => Side::P2,
        }
    }

    fn outcome(&self, underway: &Self::Position) -> Option<Outcome> {
        let over = self.0.is_over(&underway.position);
        over.then_some(Outcome::Points(Value(underway.gained)))
    }
}

/// What is scored so far, and what the game's own evaluation expects of the rest.
#[derive(Clone, Copy, Debug, Default)]
pub struct RemainingScore;

impl<S: Stochastic> Evaluator<WorstCase<S>> for RemainingScore {
    fn evaluate(&self, game: &WorstCase<S>, underway: &ScoredPosition<S::Position>) -> Value {
        Value(underway.gained + hundredths(game.0.evaluate(&underway.position)))
    }
}

impl<S: Stochastic + Notation> Notation for WorstCase<S> {
    fn read_position(&self, text: &str) -> Result<(Self, Self::Position), ParseError> {
        let (game, position) = self.0.read_position(text)?;
        Ok((Self(game), ScoredPosition::new(position)))
    }

    fn show_position(&self, underway: &Self::Position) -> String {
        self.0.show_position(&underway.position)
    }

    fn read_move(&self, text: &str) -> Result<S::Move, ParseError> {
        self.0.read_move(text)
    }

    fn show_move(&self, m: S::Move) -> String {
        self.0.show_move(m)
    }

    fn draw(&self, underway: &Self::Position) -> String {
        self.0.draw(&underway.position)
    }
}

/// Points as values count them, none of them beyond what an evaluation may be: with the points gained it stays below
/// every win, whatever a network says.
fn hundredths(points: f64) -> i32 {
    let most = f64::from(Value::MAX_POINTS);
    (points.clamp(-most, most) * 100.0).round() as i32
}
