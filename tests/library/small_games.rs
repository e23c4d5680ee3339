//! Checks games that are solved in memory: `auto` plays them perfectly, and their values agree with independent programs.

use std::collections::{HashMap, VecDeque};
use std::env;
use std::io::Write;
use std::sync::Arc;

use crate::support::random::SplitMix;
use crate::support::session;
use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Engine, LocatedText, Report, Setup};
use puli::games::hunt::{Hunt, board};
use puli::games::mnk::Small;
use puli::oracle::Verdict;
use puli::path::Path;
use puli::rules::{Game, Notation, Outcome, Rules};
use puli::settings::{Algorithm, Settings};
use puli::solve::explicit::in_memory::SolvedGame;
use puli::value::Side;

/// The built-in hunts that are solved without being asked.
const SMALL_HUNTS: [&str; 22] = [
    "bam-blang-beh-khla",
    "gioco-dell-orso",
    "gioco-dell-orso-17",
    "hare-and-hounds",
    "haretavl",
    "hat-diviyan-keliya",
    "hat-diviyan-keliya-large",
    "huli-mane-ata",
    "hund-efter-hare",
    "hund-efter-hare-thy",
    "hyvn-aetter-hare",
    "janes-soppi",
    "jeu-militaire",
    "kaooa",
    "kaooa-chain",
    "ludus-coriovalli",
    "mysore-one-tiger",
    "neg-tugal-tuux",
    "sher-bakr",
    "uxrijn-ever",
    "wolf-and-sheep",
    "wolf-und-schaaf",
];

/// Hunts above this number of positions are left to the environment variable, because they take seconds.
const MAX_POSITIONS_BY_DEFAULT: u64 = 100_000;

/// Number of plies after which a drawn game counts as not lost.
const MAX_DRAW_PLIES: usize = 60;

/// Returns the number of games per kind of position. The environment variable `PULI_TEST_POSITIONS` raises it and adds the
/// larger games.
fn games_per_kind() -> Option<usize> {
    env::var("PULI_TEST_POSITIONS").ok()?.parse().ok()
}

fn engine(variant: &str, solve_limit: u64, algorithm: Algorithm) -> Box<dyn Engine> {
    let settings = Settings {
        variant: catalog::named(variant).unwrap(),
        algorithm,
        hash: 1,
        solve_limit,
        ..Settings::default()
    };
    catalog::build(&settings).unwrap()
}

fn located(text: String) -> LocatedText {
    LocatedText { offset: 0, text }
}

/// Returns the engine's move at the end of a game from `fen`, and its last score as `info` reports it.
fn best_move(
    engine: &mut dyn Engine,
    fen: &str,
    moves: &[LocatedText],
    limits: &Limits,
) -> (String, Option<puli::engine::Info>) {
    engine.set(&Setup::Fen(located(fen.into())), moves).unwrap();
    let mut control = Control::new(limits, Budget::default(), Arc::default());
    let mut last = None;
    let answer = engine.go(limits, &mut control, &mut |report| {
        if let Report::Info(info) = report {
            last = Some(info);
        }
    });
    (answer.unwrap().best.unwrap(), last)
}

/// An opponent of `auto`.
enum Opponent {
    Random(SplitMix),
    /// `auto` without exact values.
    Searcher(Box<dyn Engine>),
    /// Moves by the solved values: the longest resistance.
    Defender,
}

/// Plays from `start` with `auto` for `side`. Returns the outcome, or `None` after `max_plies`, and the plies played.
fn play<G: Game + Notation>(
    solved: &SolvedGame<G>,
    game: &G,
    start: G::Position,
    side: Side,
    max_plies: usize,
    auto: &mut Box<dyn Engine>,
    opponent: &mut Opponent,
) -> (Option<Outcome>, usize) {
    let mut path = Path::new(start);
    let fen = game.show_position(&start);
    let mut played = Vec::new();
    let nodes = |nodes| Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    for plies in 0..=max_plies {
        if let Some(outcome) = path.outcome(game) {
            return (Some(outcome), plies);
        }
        let moves = path.moves(game);
        let named = |name: String| {
            *moves
                .iter()
                .find(|&&m| game.show_move_at(path.position(), m) == name)
                .unwrap()
        };
        let to_move = game.side(path.position());
        let m = if to_move == side {
            named(best_move(auto.as_mut(), &fen, &played, &nodes(1)).0)
        } else {
            match opponent {
                Opponent::Random(random) => *random.pick(&moves),
                Opponent::Searcher(engine) => {
                    named(best_move(engine.as_mut(), &fen, &played, &nodes(500)).0)
                }
                Opponent::Defender => {
                    let rank = |&m: &G::Move| {
                        let after = game.play(path.position(), m);
                        solved.value(&after).unwrap().rank(to_move)
                    };
                    moves.iter().copied().max_by_key(rank).unwrap()
                }
            }
        };
        played.push(located(game.show_move_at(path.position(), m)));
        let child = game.play(path.position(), m);
        path.push(game, child);
    }
    (None, max_plies)
}

/// Lets `auto` play from positions of each value against three opponents. Returns the number of games.
fn check_game<G: Game + Notation>(
    variant: &str,
    game: &G,
    start: G::Position,
    games: usize,
) -> usize {
    let solved = SolvedGame::solve(game.clone(), start, 4096, &mut |_| Ok(())).unwrap();
    let mut auto: Box<dyn Engine> =
        engine(variant, Settings::default().solve_limit, Algorithm::Auto);
    let mut opponents = [
        Opponent::Random(SplitMix::new(3)),
        Opponent::Searcher(engine(variant, 0, Algorithm::Auto)),
        Opponent::Defender,
    ];
    let all: Vec<(G::Position, Verdict)> = solved.positions().collect();
    let mut random = SplitMix::new(11);
    let mut played = [0; 3];
    for _ in 0..100 * games {
        let &(position, verdict) = random.pick(&all);
        let kind = verdict.winner().map_or(2, |side| side as usize);
        if played[kind] == games || verdict.plies() == Some(0) || game.outcome(&position).is_some()
        {
            continue;
        }
        let opponent = &mut opponents[played[kind] % 3];
        played[kind] += 1;
        let context = format!("{variant}: {}", game.show_position(&position));
        let sides = verdict
            .winner()
            .map_or(vec![Side::P1, Side::P2], |side| vec![side]);
        for side in sides {
            let max_plies = verdict
                .plies()
                .map_or(MAX_DRAW_PLIES, |plies| plies as usize);
            let (outcome, plies) = play(
                &solved, game, position, side, max_plies, &mut auto, opponent,
            );
            if verdict.plies().is_some() {
                assert_eq!(outcome, Some(Outcome::Won(side)), "{context} after {plies}");
            } else {
                let lost = Some(Outcome::Won(side.other()));
                assert_ne!(outcome, lost, "{context}");
            }
        }
    }
    played.iter().sum()
}

#[test]
fn auto_wins_within_the_distance_and_loses_no_draw() {
    let games = games_per_kind();
    for name in SMALL_HUNTS {
        let game = Hunt::new(board::named(name).unwrap());
        if games.is_none() && game.positions_at_most().unwrap() > MAX_POSITIONS_BY_DEFAULT.into() {
            continue;
        }
        let played = check_game(name, &game, game.start(), games.unwrap_or(6));
        println!("{name}: {played} games");
        assert!(played >= 6, "{name}: {played}");
    }
    let sizes: &[(usize, usize, usize)] = match games {
        None => &[(3, 3, 3), (4, 3, 3)],
        Some(_) => &[(3, 3, 3), (4, 3, 3), (4, 3, 4), (4, 4, 4), (5, 3, 4)],
    };
    for &(rows, columns, length) in sizes {
        let game = Small::new(rows, columns, length);
        let played = check_game("tic-tac-toe", &game, game.start(), games.unwrap_or(6));
        println!("{rows} {columns} {length}: {played} games");
    }
}

/// The values of an m,n,k game by a memoized search over boards as arrays. Shares no code with the engine.
struct PlainGame {
    columns: usize,
    rows: usize,
    length: usize,
    known: HashMap<Vec<u8>, i32>,
}

impl PlainGame {
    fn has_line(&self, cells: &[u8], player: u8) -> bool {
        let at = |column: i32, row: i32| {
            let is_inside =
                (0..self.columns as i32).contains(&column) && (0..self.rows as i32).contains(&row);
            is_inside && cells[row as usize * self.columns + column as usize] == player
        };
        (0..self.rows as i32).any(|row| {
            (0..self.columns as i32).any(|column| {
                [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|(x, y)| {
                    (0..self.length as i32).all(|step| at(column + x * step, row + y * step))
                })
            })
        })
    }

    /// Returns 0 for a draw, `1000 - plies` for a win of the side to move and `plies - 1000` for a loss.
    fn value(&mut self, cells: &mut Vec<u8>) -> i32 {
        let stones = cells.iter().filter(|&&cell| cell != 0).count();
        let (mover, other) = if stones % 2 == 0 { (1, 2) } else { (2, 1) };
        if self.has_line(cells, other) {
            return -1000;
        }
        if stones == cells.len() {
            return 0;
        }
        if let Some(&known) = self.known.get(cells) {
            return known;
        }
        let mut best = i32::MIN;
        for cell in 0..cells.len() {
            if cells[cell] == 0 {
                cells[cell] = mover;
                let reply = self.value(cells);
                cells[cell] = 0;
                best = best.max(-(reply - reply.signum()));
            }
        }
        self.known.insert(cells.clone(), best);
        best
    }
}

#[test]
fn values_of_m_n_k_games_match_an_independent_program() {
    let sizes: &[(usize, usize, usize)] = match games_per_kind() {
        None => &[(3, 3, 3), (4, 3, 3), (4, 3, 4), (2, 5, 2)],
        Some(_) => &[
            (3, 3, 3),
            (4, 3, 3),
            (4, 3, 4),
            (4, 4, 3),
            (4, 4, 4),
            (5, 3, 3),
            (5, 3, 4),
        ],
    };
    for &(rows, columns, length) in sizes {
        let game = Small::new(rows, columns, length);
        let solved = SolvedGame::solve(game, game.start(), 4096, &mut |_| Ok(())).unwrap();
        let known = HashMap::new();
        let mut plain = PlainGame {
            columns,
            rows,
            length,
            known,
        };
        let mut checked = 0;
        for (position, verdict) in solved.positions() {
            let fen = game.show_position(&position);
            // The rows from the top, with numbers for runs of empty cells.
            let board = fen.split(' ').nth(3).unwrap();
            let mut lines: Vec<&str> = board.split('/').collect();
            lines.reverse();
            let mut cells = Vec::new();
            for c in lines.concat().chars() {
                match c {
                    'X' => cells.push(1),
                    'O' => cells.push(2),
                    digit => cells.extend(vec![0; digit.to_digit(10).unwrap() as usize]),
                }
            }
            let value = plain.value(&mut cells);
            let mover = game.side(&position);
            let expected = match value.signum() {
                0 => Verdict::Draw,
                1 => Verdict::Win(mover, (1000 - value) as u32),
                _ => Verdict::Win(mover.other(), (1000 + value) as u32),
            };
            assert_eq!(verdict, expected, "{fen}");
            checked += 1;
        }
        println!("{rows} {columns} {length}: {checked} positions");
        assert!(checked > 500);
    }
}

/// Returns the distances of all 8-puzzle boards from the goal 0 1 2 / 3 4 5 / 6 7 8, by breadth-first search.
fn plain_8_puzzle() -> HashMap<[u8; 9], u32> {
    let goal = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let mut distances = HashMap::from([(goal, 0)]);
    let mut queue = VecDeque::from([goal]);
    while let Some(cells) = queue.pop_front() {
        let blank = cells.iter().position(|&tile| tile == 0).unwrap();
        let (row, column) = (blank as i32 / 3, blank as i32 % 3);
        for (y, x) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            if (0..3).contains(&(row + y)) && (0..3).contains(&(column + x)) {
                let mut next = cells;
                next.swap(blank, ((row + y) * 3 + column + x) as usize);
                let distance = distances[&cells] + 1;
                if let std::collections::hash_map::Entry::Vacant(entry) = distances.entry(next) {
                    entry.insert(distance);
                    queue.push_back(next);
                }
            }
        }
    }
    distances
}

#[test]
fn puzzle_distances_match_an_independent_program() {
    let distances = plain_8_puzzle();
    assert_eq!(distances.len(), 181_440);
    let mut engine = engine("8-puzzle", 2_000_000, Algorithm::Auto);
    let mut boards: Vec<(&[u8; 9], &u32)> = distances.iter().collect();
    boards.sort();
    for &(cells, &distance) in boards.iter().step_by(1021) {
        let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let fen = cells.chunks(3).map(row).collect::<Vec<_>>().join("/");
        engine.set(&Setup::Fen(located(fen.clone())), &[]).unwrap();
        engine.solve_if_small(std::time::Duration::from_secs(60));
        let solved = engine.state().solved.unwrap();
        assert_eq!(solved.verdict, Verdict::Win(Side::P1, distance), "{fen}");
        let best = solved.moves[0].verdict.plies().unwrap();
        assert_eq!(best, if distance == 0 { 2 } else { distance }, "{fen}");
    }
    // Missionaries and cannibals: counts of people who are left, by breadth-first search over (m, c, boat).
    let is_safe = |m: i32, c: i32| (m == 0 || m >= c) && (m == 3 || 3 - m >= 3 - c);
    let mut crossings = HashMap::from([((0, 0, 1), 0_u32)]);
    let mut queue = VecDeque::from([(0, 0, 1)]);
    while let Some((m, c, boat)) = queue.pop_front() {
        for (dm, dc) in [(1, 0), (2, 0), (0, 1), (0, 2), (1, 1)] {
            let sign = if boat == 0 { -1 } else { 1 };
            let next = (m + sign * dm, c + sign * dc, 1 - boat);
            let is_possible =
                (0..=3).contains(&next.0) && (0..=3).contains(&next.1) && is_safe(next.0, next.1);
            if is_possible && !crossings.contains_key(&next) {
                crossings.insert(next, crossings[&(m, c, boat)] + 1);
                queue.push_back(next);
            }
        }
    }
    let mut engine = self::engine("missionaries", 2_000_000, Algorithm::Auto);
    for (&(m, c, boat), &distance) in &crossings {
        let bank = if boat == 0 { "left" } else { "right" };
        let fen = format!("{m} {c} {bank}");
        if engine.set(&Setup::Fen(located(fen.clone())), &[]).is_ok() {
            engine.solve_if_small(std::time::Duration::from_secs(60));
            let solved = engine.state().solved.unwrap();
            assert_eq!(solved.verdict, Verdict::Win(Side::P1, distance), "{fen}");
        }
    }
    assert_eq!(crossings[&(3, 3, 0)], 11);
}

#[test]
fn searches_with_nodes_or_depth_are_reproducible() {
    let answers = |variant: &str, algorithm, limits: &Limits| {
        let mut engine = engine(variant, 2_000_000, algorithm);
        let start = engine.fen();
        let (best, info) = best_move(engine.as_mut(), &start, &[], limits);
        let info = info.unwrap();
        (best, info.score, info.nodes, info.line)
    };
    let nodes = Limits {
        nodes: Some(300),
        ..Limits::default()
    };
    for variant in ["kaooa", "tic-tac-toe", "hat-diviyan-keliya"] {
        for limits in [&nodes, &Limits::depth(3)] {
            let exact = answers(variant, Algorithm::Auto, limits);
            assert_eq!(
                exact,
                answers(variant, Algorithm::Auto, limits),
                "{variant}"
            );
            // Textbook algorithms search.
            let (_, _, textbook, _) = answers(variant, Algorithm::AlphaBeta, limits);
            assert!(textbook > 0, "{variant}");
        }
    }
    let (_, score, nodes, _) = answers("kaooa", Algorithm::Auto, &Limits::depth(1));
    assert_eq!((score, nodes), (puli::value::Score::Win(Side::P1, 15), 0));
}

/// Returns the output of a session with these input lines.
fn run_lines(lines: &[&str]) -> Vec<String> {
    let mut pipes = session::start();
    for line in lines {
        writeln!(pipes.input, "{line}").unwrap();
    }
    drop(pipes.input);
    pipes.lines.iter().collect()
}

#[test]
fn forecast_of_large_game_names_command_for_tables() {
    let lines = run_lines(&[
        "setoption name UCI_Variant value pulijudamu",
        "setoption name MemoryLimit value 100",
        "solve forecast",
        // Without tables on disk.
        "setoption name UCI_Variant value wolf-and-sheep",
        "setoption name MemoryLimit value 1",
        "solve forecast",
    ]);
    let is_forecast = |line: &&String| line.contains("solving takes about ");
    let forecasts: Vec<&String> = lines.iter().filter(is_forecast).collect();
    assert_eq!(forecasts.len(), 2, "{lines:#?}");
    let advice = "'puli solve pulijudamu --out DIR' writes tables on disk instead";
    assert!(forecasts[0].ends_with(advice), "{}", forecasts[0]);
    assert!(!forecasts[1].contains("--out"), "{}", forecasts[1]);
}

#[test]
fn solve_reports_value_limits_and_forecast() {
    let lines = run_lines(&[
        "setoption name SolveLimit value 0",
        "setoption name UCI_Variant value kaooa",
        "state",
        "solve forecast",
        "solve positions 1000",
        "state",
        "solve",
        "state",
        "setoption name UCI_Variant value 2048",
        "solve",
        "position fen 0,0/0,0 t 0",
        "solve",
        "setoption name UCI_Variant value tree",
        "solve",
        "setoption name UCI_Variant value 8-puzzle",
        "solve",
        "solve positions 0",
        "solve all",
    ]);
    let is_solved =
        |line: &String| line.starts_with("state") && !line.ends_with("\"solved\":null}");
    let states: Vec<bool> = lines
        .iter()
        .filter(|line| line.starts_with("state"))
        .map(is_solved)
        .collect();
    assert_eq!(states, [false, false, true], "{lines:#?}");
    let texts: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("info string "))
        // A busy machine also prints the progress.
        .filter(|text| !text.starts_with("solving ") || text.starts_with("solving takes"))
        .collect();
    let begins = [
        "solving takes about ",
        "error: the game has more than 1000 positions; solving takes about ",
        "solved 30896 positions: crows win in 15 plies",
        "error: at most ",
        "solved 1131 positions: 66.96 points still to come on average",
        "solved 26 positions: max wins 3 points",
        "solved 181440 positions: 0 moves to the goal",
        "error: column 17: expected a number of positions from 1",
        "error: column 7: expected positions, forecast or the end",
    ];
    assert_eq!(texts.len(), begins.len(), "{texts:#?}");
    for (text, begin) in texts.iter().zip(begins) {
        assert!(text.starts_with(begin), "{text}");
    }
}
