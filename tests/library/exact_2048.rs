//! Checks exact expectations of 2048 on small boards against a plain recursion over boards.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use puli::catalog;
use puli::control::{Budget, Control, Limits, Signals};
use puli::engine::{Engine, Info, LocatedText, Report, Setup};
use puli::games::twenty48::Twenty48;
use puli::rules::{Notation, Rules};
use puli::settings::{Algorithm, Settings};
use puli::solve::explicit::expected_points::ExpectedPoints;
use puli::value::Score;

/// Maximum difference between two sums of the same points in different orders.
const TOLERANCE: f64 = 1e-9;

/// The values of 2048 by a memoized recursion over boards as lists of numbers. Shares no code with the engine.
struct PlainGame {
    rows: usize,
    columns: usize,
    /// Boards on which the player slides next.
    player: HashMap<Vec<u32>, f64>,
    /// Boards on which a tile appears next.
    chance: HashMap<Vec<u32>, f64>,
}

impl PlainGame {
    /// Values all positions that follow the empty board.
    fn solved(rows: usize, columns: usize) -> Self {
        let mut game = Self {
            rows,
            columns,
            player: HashMap::new(),
            chance: HashMap::new(),
        };
        game.value_of_chance(&vec![0; rows * columns]);
        game
    }

    /// Returns the board after a slide, and its points. `cells` goes row by row from the top.
    fn slide(&self, cells: &[u32], direction: &str) -> (Vec<u32>, u32) {
        let (rows, columns) = (self.rows, self.columns);
        let at = |row, column| row * columns + column;
        let lines: Vec<Vec<usize>> = match direction {
            "left" | "right" => (0..rows)
                .map(|row| (0..columns).map(|column| at(row, column)).collect())
                .collect(),
            _ => (0..columns)
                .map(|column| (0..rows).map(|row| at(row, column)).collect())
                .collect(),
        };
        let mut after = vec![0; cells.len()];
        let mut points = 0;
        for mut line in lines {
            if direction == "right" || direction == "down" {
                line.reverse();
            }
            let mut tiles: Vec<u32> = Vec::new();
            let mut may_merge = false;
            for tile in line
                .iter()
                .map(|&cell| cells[cell])
                .filter(|&tile| tile > 0)
            {
                if may_merge && tiles.last() == Some(&tile) {
                    *tiles.last_mut().unwrap() = 2 * tile;
                    points += 2 * tile;
                    may_merge = false;
                } else {
                    tiles.push(tile);
                    may_merge = true;
                }
            }
            for (cell, tile) in line.into_iter().zip(tiles) {
                after[cell] = tile;
            }
        }
        (after, points)
    }

    fn value_of_player(&mut self, cells: &[u32]) -> f64 {
        if let Some(&known) = self.player.get(cells) {
            return known;
        }
        let mut best: f64 = 0.0;
        for direction in ["up", "down", "left", "right"] {
            best = best.max(self.value_of_slide(cells, direction).unwrap_or(0.0));
        }
        self.player.insert(cells.to_vec(), best);
        best
    }

    /// Returns `None` if the slide changes nothing.
    fn value_of_slide(&mut self, cells: &[u32], direction: &str) -> Option<f64> {
        let (after, points) = self.slide(cells, direction);
        (after != cells).then(|| f64::from(points) + self.value_of_chance(&after))
    }

    fn value_of_chance(&mut self, cells: &[u32]) -> f64 {
        if let Some(&known) = self.chance.get(cells) {
            return known;
        }
        let empty: Vec<usize> = (0..cells.len()).filter(|&cell| cells[cell] == 0).collect();
        let mut sum = 0.0;
        for &cell in &empty {
            sum +=
                0.9 * self.value_of_tile(cells, cell, 2) + 0.1 * self.value_of_tile(cells, cell, 4);
        }
        let value = sum / empty.len() as f64;
        self.chance.insert(cells.to_vec(), value);
        value
    }

    fn value_of_tile(&mut self, cells: &[u32], cell: usize, tile: u32) -> f64 {
        let mut after = cells.to_vec();
        after[cell] = tile;
        // A game starts with two tiles.
        if cells.iter().all(|&tile| tile == 0) {
            self.value_of_chance(&after)
        } else {
            self.value_of_player(&after)
        }
    }

    /// Returns the value of a move in notation.
    fn value_of_move(&mut self, cells: &[u32], m: &str) -> f64 {
        let Some((cell, tile)) = m.split_once('=') else {
            return self.value_of_slide(cells, m).unwrap();
        };
        let column = usize::from(cell.as_bytes()[0] - b'a');
        let row = self.rows - cell[1..].parse::<usize>().unwrap();
        self.value_of_tile(cells, row * self.columns + column, tile.parse().unwrap())
    }

    fn fen(&self, cells: &[u32], turn: char) -> String {
        let row = |row: &[u32]| row.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let rows: Vec<String> = cells.chunks(self.columns).map(row).collect();
        format!("{} {turn} 12", rows.join("/"))
    }

    /// Returns all positions with their values and the letter of the side to move, in a fixed order.
    fn positions(&self) -> Vec<(Vec<u32>, char, f64)> {
        let player = self
            .player
            .iter()
            .map(|(cells, &value)| (cells.clone(), 'p', value));
        let chance = self
            .chance
            .iter()
            .map(|(cells, &value)| (cells.clone(), 't', value));
        let mut positions: Vec<_> = player.chain(chance).collect();
        positions.sort_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
        positions
    }
}

fn settings(solve_limit: u64, algorithm: Algorithm) -> Settings {
    Settings {
        variant: catalog::named("2048").unwrap(),
        algorithm,
        hash: 1,
        solve_limit,
        ..Settings::default()
    }
}

fn engine(solve_limit: u64, algorithm: Algorithm) -> Box<dyn Engine> {
    catalog::build(&settings(solve_limit, algorithm)).unwrap()
}

fn set(engine: &mut dyn Engine, fen: &str) {
    let fen = LocatedText {
        offset: 0,
        text: fen.into(),
    };
    engine.set(&Setup::Fen(fen), &[]).unwrap();
}

/// Returns the move of a search, its `info` lines and its exact expectation.
fn go(engine: &mut dyn Engine, limits: &Limits) -> (Option<String>, Vec<Info>, Option<f64>) {
    let mut control = Control::new(limits, Budget::default(), Arc::default());
    let (mut lines, mut expected) = (Vec::new(), None);
    let answer = engine.go(limits, &mut control, &mut |report| match report {
        Report::Info(info) => lines.push(info),
        Report::Expected(points) => expected = Some(points),
        _ => {}
    });
    (answer.unwrap().best, lines, expected)
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= TOLERANCE
}

#[test]
fn values_of_boards_match_a_plain_recursion() {
    for (rows, columns, at_least) in [(2, 2, 500), (2, 3, 50_000)] {
        let plain = PlainGame::solved(rows, columns);
        let game = Twenty48::new(rows, columns, None);
        let solved =
            ExpectedPoints::solve(game.clone(), game.start(), 4096, &mut |_| Ok(())).unwrap();
        let positions = plain.positions();
        for (cells, turn, value) in &positions {
            let fen = plain.fen(cells, *turn);
            let (_, position) = game.read_position(&fen).unwrap();
            let found = solved.value(&position).expect(&fen);
            assert!(is_near(found, *value), "{fen}: {found}, not {value}");
        }
        println!(
            "{rows}×{columns}: {} positions, {}",
            positions.len(),
            solved.start()
        );
        assert_eq!(solved.len(), positions.len());
        assert!(positions.len() > at_least);
        let bound = game.positions_at_most_from(&game.start()).unwrap();
        assert!(bound >= positions.len() as u128, "{bound}");
    }
}

#[test]
fn auto_answers_from_the_expectation_on_2x2() {
    let mut plain = PlainGame::solved(2, 2);
    let mut engine = engine(2_000_000, Algorithm::Auto);
    let mut checked = [0; 2];
    for (cells, turn, value) in plain.positions() {
        let fen = plain.fen(&cells, turn);
        set(engine.as_mut(), &fen);
        engine.solve_if_small(Duration::from_secs(60));
        let state = engine.state();
        let Some((first, _)) = state.moves.first() else {
            continue;
        };
        let values: HashMap<String, f64> = state
            .moves
            .iter()
            .map(|(m, _)| (m.clone(), plain.value_of_move(&cells, m)))
            .collect();
        let is_better = |one: f64, other: f64| {
            if turn == 'p' {
                one > other + TOLERANCE
            } else {
                one < other - TOLERANCE
            }
        };
        // The first of equal moves is the best one.
        let best = state.moves.iter().fold(first, |best, (m, _)| {
            if is_better(values[m], values[best]) {
                m
            } else {
                best
            }
        });
        let expected = state.expected.expect(&fen);
        assert!(is_near(expected.points, value), "{fen}");
        assert_eq!(expected.moves.len(), values.len(), "{fen}");
        for rated in &expected.moves {
            assert!(
                is_near(rated.points, values[&rated.name]),
                "{fen}: {rated:?}"
            );
        }
        let pairs = expected.moves.windows(2);
        assert!(
            pairs
                .clone()
                .all(|pair| !is_better(pair[1].points, pair[0].points)),
            "{fen}: {:?}",
            expected.moves
        );
        let (best_move, lines, points) = go(engine.as_mut(), &Limits::depth(1));
        assert_eq!(best_move.as_ref(), Some(best), "{fen}");
        let info = lines.last().unwrap();
        assert_eq!((info.nodes, &info.line), (0, &vec![best.clone()]), "{fen}");
        let Score::Points(score) = info.score else {
            panic!("{fen}: {:?}", info.score);
        };
        // With the tiles to move, the score is the average, and the move is the worst tile.
        assert!(is_near(score, value), "{fen}: {score}, not {value}");
        assert!(is_near(points.unwrap(), value), "{fen}");
        checked[usize::from(turn == 't')] += 1;
    }
    println!("{checked:?} positions");
    assert!(checked[0] > 200 && checked[1] > 100, "{checked:?}");
}

#[test]
fn several_lines_have_the_values_of_their_moves() {
    let mut plain = PlainGame::solved(2, 3);
    let mut engine = catalog::build(&Settings {
        multi_pv: 20,
        ..settings(2_000_000, Algorithm::Auto)
    })
    .unwrap();
    for (fen, cells, moves) in [
        ("2,2,0/0,4,0 p 8", [2, 2, 0, 0, 4, 0], 4),
        ("4,0,0/4,0,0 t 8", [4, 0, 0, 4, 0, 0], 8),
    ] {
        set(engine.as_mut(), fen);
        let (_, lines, _) = go(engine.as_mut(), &Limits::depth(1));
        assert!(lines.len() <= moves && lines.len() > 2, "{lines:?}");
        for (rank, info) in (1..).zip(&lines) {
            assert_eq!((info.multipv, info.line.len()), (Some(rank), 1), "{fen}");
            let value = plain.value_of_move(&cells, &info.line[0]);
            let Score::Points(score) = info.score else {
                panic!("{fen}: {:?}", info.score);
            };
            assert!(is_near(score, value), "{fen}: {info:?}");
        }
    }
}

#[test]
fn textbook_searches_and_limit_0_search_as_before() {
    let answers = |solve_limit, algorithm| {
        let mut engine = engine(solve_limit, algorithm);
        set(engine.as_mut(), "2,2,0/0,4,0 p 8");
        let (best, lines, _) = go(engine.as_mut(), &Limits::depth(5));
        let lines = lines.into_iter();
        let lines: Vec<_> = lines
            .map(|info| (info.depth, info.score, info.nodes, info.line))
            .collect();
        (best, lines)
    };
    for algorithm in [
        Algorithm::Minimax,
        Algorithm::AlphaBeta,
        Algorithm::Expectimax,
    ] {
        let (best, lines) = answers(2_000_000, algorithm);
        assert!(lines.iter().all(|(_, _, nodes, _)| *nodes > 0));
        assert_eq!(answers(0, algorithm), (best, lines));
    }
    assert!(answers(0, Algorithm::Auto).1.last().unwrap().2 > 0);
    assert_eq!(answers(2_000_000, Algorithm::Auto).1.last().unwrap().2, 0);
    assert_eq!(
        answers(2_000_000, Algorithm::Auto),
        answers(2_000_000, Algorithm::Auto)
    );
}

#[test]
fn solver_keeps_the_memory_limit_and_stops() {
    let game = Twenty48::new(2, 3, None);
    let Err(error) = ExpectedPoints::solve(game.clone(), game.start(), 1, &mut |_| Ok(())) else {
        panic!("a megabyte is enough");
    };
    assert!(error.0.contains("and 1 MiB may be used"), "{error}");

    let mut engine = engine(0, Algorithm::Auto);
    let signals = Arc::new(Signals::default());
    signals.stop();
    let mut control = Control::new(&Limits::default(), Budget::default(), signals);
    set(engine.as_mut(), "0,0,0,0/0,0,0,0 t 0");
    let error = engine
        .solve_game(None, &mut control, &mut |_| {})
        .unwrap_err();
    assert!(error.0.starts_with("solving was stopped after "), "{error}");
    assert_eq!(engine.state().expected, None);

    // 4×4 boards have too many positions for any memory.
    set(engine.as_mut(), "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 t 0");
    let mut control = Control::unlimited();
    let error = engine
        .solve_game(None, &mut control, &mut |_| {})
        .unwrap_err();
    assert!(error.0.ends_with("far too little"), "{error}");
}
