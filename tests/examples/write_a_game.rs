//! Defines a game and solves it. Two players in turn take one to three of 21 matches, and the player who takes the last
//! match wins.
//!
//! `cargo run --release --example write_a_game`

use std::error::Error;
use std::io::{Write, stdout};

use puli::control::Control;
use puli::path::Path;
use puli::rules::{Game, Outcome, Rules};
use puli::search::{Evaluator, EvaluatorOnly, Root, algorithms};
use puli::settings::Settings;
use puli::value::{Side, Value};

/// The rules of the game.
#[derive(Clone, PartialEq)]
struct Matches;

/// The number of matches left and the side to move.
type Position = (u16, Side);

impl Rules for Matches {
    type Position = Position;
    type Move = u16;

    fn start(&self) -> Position {
        (21, Side::P1)
    }

    fn moves(&self, &(left, _): &Position, out: &mut Vec<u16>) {
        out.extend(1..=left.min(3));
    }

    fn play(&self, &(left, side): &Position, taken: u16) -> Position {
        (left - taken, side.other())
    }

    fn key(&self, &(left, side): &Position) -> u64 {
        u64::from(left) << 1 | side as u64
    }
}

impl Game for Matches {
    fn side(&self, &(_, side): &Position) -> Side {
        side
    }

    fn outcome(&self, &(left, side): &Position) -> Option<Outcome> {
        (left == 0).then_some(Outcome::Won(side.other()))
    }
}

/// Evaluates every unfinished game as equal.
#[derive(Clone)]
struct Equal;

impl Evaluator<Matches> for Equal {
    fn evaluate(&self, _game: &Matches, _position: &Position) -> Value {
        Value::ZERO
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut root = Root::new(&Matches, Path::new(Matches.start()), 0);
    let mut search = algorithms::build(&Settings::default(), EvaluatorOnly(Equal))??;
    let mut control = Control::unlimited();
    let result = search.run(&Matches, &mut root, 21, &mut control, &mut |_, _| {});
    let result = result.map_err(|_| "stopped")?;
    writeln!(stdout(), "{}: take {}", result.score, result.line[0])?;
    Ok(())
}
