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
use puli::solve::explicit::in_memory::{Forecast, SolvedGame, wins};
use puli::solve::explicit::reachable::Value;
use puli::value::Side;

const CSV: &str = include_str!("../../src/games/hunt/atlas.csv");

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
fn perfect(whole: &SolvedGame<Hunt>, game: &Hunt, path: &Path<Hunt>, side: Side) -> Move {
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
    whole: &SolvedGame<Hunt>,
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
    let whole = SolvedGame::solve(game, game.start(), 8192, &mut |_| ()).unwrap();
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

/// A row of `src/games/hunt/atlas.csv`: what perfect play makes of a game, as its method found it.
struct Solved<'a> {
    game: &'a str,
    method: &'a str,
    counted: &'a str,
    positions: u64,
    winner: &'a str,
    plies: &'a str,
    shares: [&'a str; 2],
    longest: &'a str,
}

impl<'a> Solved<'a> {
    fn rows(csv: &'a str) -> Vec<Self> {
        let rows = csv.lines().skip(1).map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let &[
                game,
                method,
                counted,
                positions,
                winner,
                plies,
                prey,
                hunters,
                longest,
            ] = &cells[..]
            else {
                panic!("{line}");
            };
            Self {
                game,
                method,
                counted,
                positions: positions.parse().expect("a number of positions"),
                winner,
                plies,
                shares: [prey, hunters],
                longest,
            }
        });
        rows.collect()
    }

    /// Returns the row of the documentation.
    fn documented(&self) -> String {
        let board = board::named(self.game).expect("a game of the atlas");
        let start = match self.winner {
            "none" => String::from("draw"),
            winner => format!("{} in {} plies", wins(board, winner == "prey"), self.plies),
        };
        let [prey, hunters] = self.shares;
        format!(
            "| `{}` | {}, {} | {} | {} | {} | {start} | {prey}% | {hunters}% | {} |\n",
            self.game,
            board.spec.hunters,
            board.spec.prey,
            self.method,
            self.positions,
            self.counted,
            self.longest
        )
    }

    /// Solves the game again and compares every figure.
    fn check(&self) {
        let board = board::named(self.game).expect("a game of the atlas");
        let game = Hunt::new(board);
        let whole = SolvedGame::solve(game, game.start(), 8192, &mut |_| ()).unwrap();
        let (count, start) = (whole.count(), whole.start());
        let name = self.game;
        assert_eq!(count.positions(), self.positions, "{name}");
        let of = |are_prey: bool| {
            let side = if are_prey {
                board.goats_side
            } else {
                board.tigers_side()
            };
            usize::from(side == Side::P2)
        };
        for (share, are_prey) in self.shares.into_iter().zip([true, false]) {
            let percent = 100.0 * count.wins[of(are_prey)] as f64 / count.positions() as f64;
            let share: f64 = share.parse().expect("a share");
            assert!((percent - share).abs() <= 0.051, "{name}: {percent}");
        }
        let longest = count.longest[0].max(count.longest[1]);
        assert_eq!(longest.to_string(), self.longest, "{name}");
        let winner = start.winner.map(|winner| usize::from(winner == Side::P2));
        let expected = match self.winner {
            "none" => None,
            winner => Some(of(winner == "prey")),
        };
        assert_eq!(winner, expected, "{name}");
        let plies = start.plies.map(|plies| plies.to_string());
        assert_eq!(plies.unwrap_or_default(), self.plies, "{name}");
    }
}

/// `PULI_UPDATE=1` writes the table anew.
#[test]
fn table_in_the_docs_is_generated_from_the_solved_values() {
    let mut table = String::from(
        "| game | hunters, prey | method | positions | counted | start | prey win | hunters win | longest win in plies |\n\
         | --- | --- | --- | ---: | --- | --- | ---: | ---: | ---: |\n",
    );
    table.extend(Solved::rows(CSV).iter().map(Solved::documented));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/games/hunt/atlas.md");
    let written = std::fs::read_to_string(path).unwrap_or_default();
    let (head, _) = written.split_once("| game |").unwrap_or((&written, ""));
    let expected = format!("{head}{table}");
    if std::env::var_os("PULI_UPDATE").is_some() {
        std::fs::write(path, &expected).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), expected);
}

#[test]
fn documented_values_of_games_solved_in_memory_are_found_again() {
    let rows = Solved::rows(CSV);
    let small = rows.iter().filter(|row| row.positions < 50_000);
    assert!(small.map(Solved::check).count() >= 9);
}

#[test]
#[ignore = "minutes: the larger games that are solved in memory"]
fn documented_values_of_larger_games_solved_in_memory_are_found_again() {
    let rows = Solved::rows(CSV);
    rows.iter()
        .filter(|row| row.method == "memory" && row.positions >= 50_000)
        .for_each(Solved::check);
}
