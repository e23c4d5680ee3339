//! An adapter that turns a game with chance into a two-player game against the worst luck.

use super::Evaluator;
use crate::error::ParseError;
use crate::rules::{Game, Notation, Outcome, Rules, Stochastic, Turn};
use crate::value::{Side, Value};

/// A game with chance in which a second player chooses the chance outcomes and minimizes the points.
#[derive(Clone, PartialEq)]
pub struct WorstCase<S>(pub S);

/// A position with the points gained on the way to it.
///
/// Two-player searches value positions, not moves. So gained points are part of the position, counted from the
/// root, where they are 0.
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

/// Evaluates a position by the gained points plus the game's own estimate of the rest.
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

/// Converts points to hundredths, clamped to the range of evaluations so that the sum with the gained points stays
/// below every win.
fn hundredths(points: f64) -> i32 {
    let most = f64::from(Value::MAX_POINTS);
    (points.clamp(-most, most) * 100.0).round() as i32
}
