//! Games whose evaluation is drawn at random, so that a search has to be right and not lucky.

use puli::error::Misread;
use puli::games::key::scattered;
use puli::rules::{Game, Notation, Outcome, Rules};
use puli::value::{Side, Value};

/// A game with another evaluation: a whole number of points from `-range` to `range`, drawn for each position from
/// its key and the seed. In a small range ties are common.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomEvaluation<G> {
    pub game: G,
    pub seed: u64,
    pub range: u32,
}

impl<G: Rules> Rules for RandomEvaluation<G> {
    type Position = G::Position;
    type Move = G::Move;

    fn start(&self) -> G::Position {
        self.game.start()
    }

    fn moves(&self, position: &G::Position, out: &mut Vec<G::Move>) {
        self.game.moves(position, out);
    }

    fn play(&self, position: &G::Position, m: G::Move) -> G::Position {
        self.game.play(position, m)
    }

    fn key(&self, position: &G::Position) -> u64 {
        self.game.key(position)
    }

    fn count_moves(&self, position: &G::Position, scratch: &mut Vec<G::Move>) -> u64 {
        self.game.count_moves(position, scratch)
    }
}

impl<G: Game> Game for RandomEvaluation<G> {
    const REPETITION: bool = G::REPETITION;
    const MOVES_TRANSFER: bool = G::MOVES_TRANSFER;

    fn side(&self, position: &G::Position) -> Side {
        self.game.side(position)
    }

    fn outcome(&self, position: &G::Position) -> Option<Outcome> {
        self.game.outcome(position)
    }

    fn evaluate(&self, position: &G::Position) -> Value {
        let drawn = scattered(self.game.key(position) ^ scattered(!self.seed));
        let points = drawn % u64::from(2 * self.range + 1);
        Value::points(points as i32 - self.range as i32)
    }

    fn irreversible(&self, before: &G::Position, after: &G::Position) -> bool {
        self.game.irreversible(before, after)
    }

    fn longest(&self, position: &G::Position) -> Option<u32> {
        self.game.longest(position)
    }

    fn promise(&self, position: &G::Position, m: G::Move) -> i32 {
        self.game.promise(position, m)
    }

    fn stake(&self, position: &G::Position) -> f64 {
        self.game.stake(position)
    }
}

impl<G: Notation> Notation for RandomEvaluation<G> {
    fn read_position(&self, text: &str) -> Result<(Self, G::Position), Misread> {
        let (game, position) = self.game.read_position(text)?;
        Ok((
            Self {
                game,
                ..self.clone()
            },
            position,
        ))
    }

    fn show_position(&self, position: &G::Position) -> String {
        self.game.show_position(position)
    }

    fn read_move(&self, text: &str) -> Result<G::Move, Misread> {
        self.game.read_move(text)
    }

    fn show_move(&self, m: G::Move) -> String {
        self.game.show_move(m)
    }

    fn draw(&self, position: &G::Position) -> String {
        self.game.draw(position)
    }
}
