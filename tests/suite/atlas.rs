//! What the solver says of the world's hunt games is what happens in play: a won position is won within its distance,
//! whoever defends, and a drawn one is not lost, whoever attacks.

use std::sync::Arc;

use crate::support::dice::Dice;
use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Engine, Setup, Spanned};
use puli::games::hunt::{Hunt, Move, Position, board};
use puli::path::Path;
use puli::rules::{Game, Notation, Outcome, Rules};
use puli::settings::Settings;
use puli::solved::reachable::Value;
use puli::solved::whole::{Forecast, Whole};
use puli::value::Side;

/// Plies for which a drawn position is defended.
const DEFENDED: usize = 60;

/// Who plays against the one that knows.
enum Opponent {
    Random(Dice),
    Auto(Box<dyn Engine>),
}

impl Opponent {
    fn random() -> Self {
        Self::Random(Dice::new(1))
    }

    /// `auto`, which thinks of a thousand positions a move.
    fn auto(game: &str) -> Self {
        let settings = Settings {
            variant: catalog::named(game).unwrap(),
            hash: 1,
            ..Settings::default()
        };
        Self::Auto(catalog::build(&settings).unwrap())
    }

    fn choose(&mut self, game: &Hunt, path: &Path<Hunt>) -> Move {
        let moves = path.moves(game);
        match self {
            Self::Random(dice) => *dice.pick(&moves),
            Self::Auto(engine) => {
                let fen = Spanned {
                    offset: 0,
                    text: game.show_position(path.position()),
                };
                engine.set(&Setup::Fen(fen), &[]).unwrap();
                let limits = Limits {
                    nodes: Some(1000),
                    ..Limits::default()
                };
                let mut control = Control::new(&limits, Budget::default(), Arc::default());
                let choice = engine.go(&limits, &mut control, &mut |_| ()).unwrap();
                let best = choice.best.unwrap();
                let named = moves.iter().find(|&&m| game.show_move(m) == best);
                *named.unwrap()
            }
        }
    }
}

/// The move that the solver gives: the shortest way to a win, or what keeps a draw.
fn perfect(whole: &Whole<Hunt>, game: &Hunt, path: &Path<Hunt>, side: Side) -> Move {
    let mut moves = path.moves(game);
    let worth = |&m: &Move| {
        let Value { winner, plies } = whole.value(&game.play(path.position(), m)).unwrap();
        match winner {
            // A game without end may be a win too, but a slow one.
            Some(winner) if winner == side => (0, plies.unwrap_or(u32::MAX)),
            None => (1, 0),
            Some(_) => (2, 0),
        }
    };
    moves.sort_by_key(worth);
    moves[0]
}

/// Plays on from a position with the solver's knowledge for `side`; how it ended, and after how many plies.
fn play(
    whole: &Whole<Hunt>,
    game: &Hunt,
    start: Position,
    side: Side,
    most: usize,
    opponent: &mut Opponent,
) -> (Option<Outcome>, usize) {
    let mut path = Path::new(start);
    for plies in 0..=most {
        if let Some(outcome) = path.outcome(game) {
            return (Some(outcome), plies);
        }
        let m = if game.side(path.position()) == side {
            perfect(whole, game, &path, side)
        } else {
            opponent.choose(game, &path)
        };
        let child = game.play(path.position(), m);
        path.push(game, child);
    }
    (None, most)
}

/// Holds the solver to its word in so many won positions of each side, and as many drawn ones.
fn hold_to_its_word(name: &str, positions: usize) -> [usize; 3] {
    let game = Hunt::new(board::named(name).unwrap());
    let whole = Whole::solve(game, game.start(), 8192, &mut |_| ()).unwrap();
    let mut drawn_at_random = Dice::new(7);
    let all: Vec<(Position, Value)> = whole.positions().collect();
    let mut held = [0; 3];
    let mut opponents = [Opponent::random(), Opponent::auto(name)];
    for _ in 0..200 * positions {
        let &(position, value) = drawn_at_random.pick(&all);
        let kind = match value.winner {
            Some(Side::P1) => 0,
            Some(Side::P2) => 1,
            None => 2,
        };
        if held[kind] == positions || value.plies == Some(0) {
            continue;
        }
        let opponent = &mut opponents[held[kind] % 2];
        held[kind] += 1;
        let what = || format!("{name}: {}", game.show_position(&position));
        match (value.winner, value.plies) {
            (Some(side), Some(plies)) => {
                let most = plies as usize;
                let (outcome, after) = play(&whole, &game, position, side, most, opponent);
                assert_eq!(outcome, Some(Outcome::Won(side)), "{}", what());
                assert!(after <= most, "{}", what());
            }
            (winner, _) => {
                // A game without end is a draw, or the rules give it to somebody.
                let sides = winner.map_or(vec![Side::P1, Side::P2], |side| vec![side]);
                for side in sides {
                    let (outcome, _) = play(&whole, &game, position, side, DEFENDED, opponent);
                    let lost = Some(Outcome::Won(side.other()));
                    assert_ne!(outcome, lost, "{}", what());
                }
            }
        }
    }
    held
}

#[test]
fn won_positions_of_small_games_are_won_within_their_distance_and_drawn_ones_not_lost() {
    for name in [
        "kaooa",
        "hare-and-hounds",
        "huli-mane-ata",
        "mysore-one-tiger",
    ] {
        let held = hold_to_its_word(name, 40);
        assert!(held.iter().sum::<usize>() >= 40, "{name}: {held:?}");
    }
}

#[test]
#[ignore = "minutes, and gigabytes of memory: every game that is solved in memory, 500 positions of each kind"]
fn won_positions_of_all_solved_games_are_won_within_their_distance_and_drawn_ones_not_lost() {
    for name in board::names() {
        let game = Hunt::new(board::named(name).unwrap());
        let forecast = Forecast::of(&game, game.start()).unwrap();
        if forecast.fits(8192).is_ok() && forecast.positions < 30_000_000 {
            println!(
                "{name}: {:?} won by either and drawn",
                hold_to_its_word(name, 500)
            );
        }
    }
}
