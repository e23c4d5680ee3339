//! Checks the solved values of hunt games: by playing games, and against the values documented in `atlas.csv`.
//!
//! A side that plays by the solved values must win from won positions within the distance to the win, and must never
//! lose from drawn positions.

use std::sync::Arc;

use crate::support::random::SplitMix;
use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Engine, LocatedText, Setup};
use puli::games::hunt::{Hunt, Move, Position, board};
use puli::oracle::Verdict;
use puli::path::Path;
use puli::rules::{Game, Notation, Outcome, Rules};
use puli::settings::Settings;
use puli::solve::explicit::in_memory::{InMemoryForecast, SolvedGame};
use puli::value::Side;

const CSV: &str = include_str!("../../src/games/hunt/atlas.csv");

/// Maximum number of plies played from a drawn position.
const MAX_DRAW_PLIES: usize = 60;

/// The opponent of the side that plays by the solved values.
enum Opponent {
    Random(SplitMix),
    Auto(Box<dyn Engine>),
}

impl Opponent {
    fn random() -> Self {
        Self::Random(SplitMix::new(1))
    }

    /// Creates the engine `auto` with 1000 nodes per move.
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
            Self::Random(rng) => *rng.pick(&moves),
            Self::Auto(engine) => {
                let fen = LocatedText {
                    offset: 0,
                    text: game.show_position(path.position()),
                };
                engine.set(&Setup::Fen(fen), &[]).unwrap();
                let limits = Limits {
                    nodes: Some(1000),
                    ..Limits::default()
                };
                let mut control = Control::new(&limits, Budget::default(), Arc::default());
                let answer = engine.go(&limits, &mut control, &mut |_| ()).unwrap();
                let best = answer.best.unwrap();
                let best_move = moves.iter().find(|&&m| game.show_move(m) == best);
                *best_move.unwrap()
            }
        }
    }
}

/// Returns the move of `side` that wins in the fewest plies, or a move that keeps the draw if no move wins.
fn perfect_move(solved: &SolvedGame<Hunt>, game: &Hunt, path: &Path<Hunt>, side: Side) -> Move {
    let mut moves = path.moves(game);
    let rank = |&m: &Move| {
        let verdict = solved.value(&game.play(path.position(), m)).unwrap();
        let (winner, plies) = (verdict.winner(), verdict.plies());
        match winner {
            // If infinite play wins by the rules, such a win has no distance. It ranks after the other wins.
            Some(winner) if winner == side => (0, plies.unwrap_or(u32::MAX)),
            None => (1, 0),
            Some(_) => (2, 0),
        }
    };
    moves.sort_by_key(rank);
    moves[0]
}

/// Plays from `start` at most `max_plies` plies, with perfect moves for `side`. Returns the outcome, or `None` if the
/// game is not over, and the number of plies played.
fn play(
    solved: &SolvedGame<Hunt>,
    game: &Hunt,
    start: Position,
    side: Side,
    max_plies: usize,
    opponent: &mut Opponent,
) -> (Option<Outcome>, usize) {
    let mut path = Path::new(start);
    for plies in 0..=max_plies {
        if let Some(outcome) = path.outcome(game) {
            return (Some(outcome), plies);
        }
        let m = if game.side(path.position()) == side {
            perfect_move(solved, game, &path, side)
        } else {
            opponent.choose(game, &path)
        };
        let child = game.play(path.position(), m);
        path.push(game, child);
    }
    (None, max_plies)
}

/// Plays up to `positions` games each from positions that the first player wins, that the second player wins, and that
/// are drawn. Returns the number of games of each kind.
fn check_play(name: &str, positions: usize) -> [usize; 3] {
    let game = Hunt::new(board::named(name).unwrap());
    let solved = SolvedGame::solve(game, game.start(), 8192, &mut |_| Ok(())).unwrap();
    let mut random = SplitMix::new(7);
    let all: Vec<(Position, Verdict)> = solved.positions().collect();
    let mut games = [0; 3];
    let mut opponents = [Opponent::random(), Opponent::auto(name)];
    for _ in 0..200 * positions {
        let &(position, value) = random.pick(&all);
        let kind = match value.winner() {
            Some(Side::P1) => 0,
            Some(Side::P2) => 1,
            None => 2,
        };
        if games[kind] == positions || value.plies() == Some(0) {
            continue;
        }
        let opponent = &mut opponents[games[kind] % 2];
        games[kind] += 1;
        let context = || format!("{name}: {}", game.show_position(&position));
        match (value.winner(), value.plies()) {
            (Some(side), Some(plies)) => {
                let max_plies = plies as usize;
                let (outcome, plies_played) =
                    play(&solved, &game, position, side, max_plies, opponent);
                assert_eq!(outcome, Some(Outcome::Won(side)), "{}", context());
                assert!(plies_played <= max_plies, "{}", context());
            }
            (winner, _) => {
                // The position is a draw, or a win by infinite play. Then the winner only has to avoid a loss.
                let sides = winner.map_or(vec![Side::P1, Side::P2], |side| vec![side]);
                for side in sides {
                    let (outcome, _) =
                        play(&solved, &game, position, side, MAX_DRAW_PLIES, opponent);
                    let loss = Some(Outcome::Won(side.other()));
                    assert_ne!(outcome, loss, "{}", context());
                }
            }
        }
    }
    games
}

#[test]
fn play_of_small_games_confirms_solved_values() {
    for name in [
        "kaooa",
        "hare-and-hounds",
        "huli-mane-ata",
        "mysore-one-tiger",
    ] {
        let games = check_play(name, 40);
        assert!(games.iter().sum::<usize>() >= 40, "{name}: {games:?}");
    }
}

#[test]
#[ignore = "takes minutes and gigabytes of memory"]
fn play_of_all_games_confirms_solved_values() {
    for name in board::names() {
        let game = Hunt::new(board::named(name).unwrap());
        let forecast = InMemoryForecast::of(&game, game.start()).unwrap();
        if forecast.fits(8192).is_ok() && forecast.positions < 30_000_000 {
            println!(
                "{name}: {:?} won by either and drawn",
                check_play(name, 500)
            );
        }
    }
}

/// A row of `src/games/hunt/atlas.csv`: the solved values of a game.
struct AtlasRow<'a> {
    game: &'a str,
    method: &'a str,
    positions: u64,
    winner: &'a str,
    plies: &'a str,
    shares: [&'a str; 2],
    longest: &'a str,
}

impl<'a> AtlasRow<'a> {
    fn parse_all(csv: &'a str) -> Vec<Self> {
        let rows = csv.lines().skip(1).map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let &[
                game,
                method,
                _counted,
                positions,
                winner,
                plies,
                prey,
                hunters,
                longest,
                _published,
                _confirmed,
            ] = &cells[..]
            else {
                panic!("{line}");
            };
            Self {
                game,
                method,
                positions: positions.parse().expect("a number of positions"),
                winner,
                plies,
                shares: [prey, hunters],
                longest,
            }
        });
        rows.collect()
    }

    /// Solves the game again and compares all values with this row.
    fn check(&self) {
        let board = board::named(self.game).expect("a game of the atlas");
        let game = Hunt::new(board);
        let solved = SolvedGame::solve(game, game.start(), 8192, &mut |_| Ok(())).unwrap();
        let (count, start) = (solved.count(), solved.start());
        let name = self.game;
        assert_eq!(count.positions(), self.positions, "{name}");
        let side_index = |are_prey: bool| {
            let side = if are_prey {
                board.goats_side
            } else {
                board.tigers_side()
            };
            usize::from(side == Side::P2)
        };
        for (share, are_prey) in self.shares.into_iter().zip([true, false]) {
            let percent =
                100.0 * count.wins[side_index(are_prey)] as f64 / count.positions() as f64;
            let share: f64 = share.parse().expect("a share");
            assert!((percent - share).abs() <= 0.051, "{name}: {percent}");
        }
        let longest = count.longest[0].max(count.longest[1]);
        assert_eq!(longest.to_string(), self.longest, "{name}");
        let winner = start.winner().map(|winner| usize::from(winner == Side::P2));
        let expected = match self.winner {
            "none" => None,
            winner => Some(side_index(winner == "prey")),
        };
        assert_eq!(winner, expected, "{name}");
        let plies = start.plies().map(|plies| plies.to_string());
        assert_eq!(plies.unwrap_or_default(), self.plies, "{name}");
    }
}

#[test]
fn small_games_have_documented_values() {
    let rows = AtlasRow::parse_all(CSV);
    let small = rows.iter().filter(|row| row.positions < 50_000);
    assert!(small.map(AtlasRow::check).count() >= 9);
}

#[test]
#[ignore = "takes minutes"]
fn larger_games_have_documented_values() {
    let rows = AtlasRow::parse_all(CSV);
    rows.iter()
        .filter(|row| row.method == "memory" && row.positions >= 50_000)
        .for_each(AtlasRow::check);
}
