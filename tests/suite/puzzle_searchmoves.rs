//! Tests `searchmoves` for puzzles: the result is a shortest solution that starts with one of the requested moves,
//! even if it later undoes that move.

use std::collections::{HashMap, VecDeque};

use puli::control::{Control, Limits};
use puli::engine::puzzle::{PuzzleEngine, SolveStats};
use puli::engine::{Engine, Info, Report, Setup, Spanned};
use puli::games::missionaries::River;
use puli::games::tiles::{Direction, Position, Tiles};
use puli::pathfinding::EnginePuzzle;
use puli::rules::{Notation, Puzzle, Rules};
use puli::settings::Algorithm::{self, Astar, Auto, Bfs, Greedy, Idastar, Iddfs};
use puli::settings::{HeuristicName, Settings};
use puli::value::{Bound, Score, Side};

fn fen(text: &str) -> Setup {
    Setup::Fen(Spanned {
        offset: 0,
        text: text.into(),
    })
}

/// Solves with these first moves. Returns the result and all reports.
fn solve<P: EnginePuzzle>(
    engine: &mut PuzzleEngine<P>,
    first_moves: &[&str],
    deepest: Option<u32>,
) -> (SolveStats<P::Move>, Vec<Report>) {
    let mut reports = Vec::new();
    let limits = Limits {
        depth: deepest,
        search_moves: first_moves.iter().map(|&m| (0, m.into())).collect(),
        ..Limits::default()
    };
    let mut control = Control::unlimited();
    let solved = engine
        .solve(&limits, &mut control, &mut |report| reports.push(report))
        .unwrap();
    (solved, reports)
}

/// Returns the distance of every position reachable from the goal.
fn distances(tiles: &Tiles) -> HashMap<Position, u32> {
    let mut known = HashMap::from([(*tiles.goal(), 0)]);
    let mut queue = VecDeque::from([*tiles.goal()]);
    let mut moves = Vec::new();
    while let Some(position) = queue.pop_front() {
        moves.clear();
        tiles.moves(&position, &mut moves);
        for &m in &moves {
            let child = tiles.play(&position, m);
            let distance = known[&position] + 1;
            known.entry(child).or_insert_with(|| {
                queue.push_back(child);
                distance
            });
        }
    }
    known
}

/// Returns every choice of some moves, except none and all.
fn choices(legal: &[Direction]) -> Vec<Vec<Direction>> {
    let all = 1..(1 << legal.len()) - 1;
    all.map(|chosen: u32| {
        let is_chosen = |index: &usize| chosen >> index & 1 == 1;
        let indices = (0..legal.len()).filter(is_chosen);
        indices.map(|index| legal[index]).collect()
    })
    .collect()
}

#[test]
fn finds_shortest_solution_for_any_searchmoves() {
    let tiles = Tiles::new(2, 3);
    let known = distances(&tiles);
    assert_eq!(known.len(), 360);
    let mut positions: Vec<Position> = known.keys().copied().collect();
    positions.sort_by_key(|position| tiles.show_position(position));
    for algorithm in [Auto, Bfs, Iddfs, Idastar, Astar, Greedy] {
        for (index, position) in positions.iter().enumerate().step_by(5) {
            let settings = Settings {
                algorithm,
                closed_list: index % 2 == 0,
                ..Settings::default()
            };
            // Without a closed list, A* generates far too many nodes for distant positions.
            if algorithm == Astar && known[position] > 14 {
                continue;
            }
            let mut engine = PuzzleEngine::new(tiles, &settings);
            let text = tiles.show_position(position);
            engine.set(&fen(&text), &[]).unwrap();
            if known[position] > 0 {
                check(&mut engine, &tiles, position, &known, algorithm);
            }
        }
    }
}

fn check(
    engine: &mut PuzzleEngine<Tiles>,
    tiles: &Tiles,
    position: &Position,
    known: &HashMap<Position, u32>,
    algorithm: Algorithm,
) {
    let mut legal = Vec::new();
    tiles.moves(position, &mut legal);
    for choice in choices(&legal) {
        let after = choice.iter().map(|&m| known[&tiles.play(position, m)] + 1);
        let shortest = after.min().unwrap();
        let names: Vec<String> = choice.iter().map(|&m| tiles.show_move(m)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let case = format!("{algorithm:?} {} {names:?}", tiles.show_position(position));
        let (solved, reports) = solve(engine, &names, None);
        let found = solved.moves.unwrap();
        assert!(choice.contains(&found[0]), "{case}");
        let end = found.iter().fold(*position, |at, &m| tiles.play(&at, m));
        assert!(tiles.is_solved(&end), "{case}");
        assert!(solved.bound <= shortest, "{case}");
        if algorithm == Greedy {
            assert!(
                !solved.is_proved || found.len() as u32 == shortest,
                "{case}"
            );
            continue;
        }
        assert_eq!(
            (found.len() as u32, solved.is_proved),
            (shortest, true),
            "{case}"
        );
        for report in &reports {
            if let Report::Info(Info {
                score: Score::Win(Side::P1, moves),
                bound,
                ..
            }) = report
            {
                let is_true = match bound {
                    Bound::Lower => *moves <= shortest,
                    _ => *moves >= shortest,
                };
                assert!(is_true, "{case}: {report:?}");
            }
        }
        let (solved, reports) = solve(engine, &names, Some(shortest - 1));
        assert_eq!((solved.moves, solved.is_proved), (None, false), "{case}");
        assert!(solved.bound <= shortest, "{case}");
        let has_text = |text: &str| {
            reports
                .iter()
                .any(|report| matches!(report, Report::Text(has_text) if has_text == text))
        };
        assert!(
            has_text("there is no solution within the limit on its length"),
            "{case}"
        );
    }
}

#[test]
fn may_undo_first_move_on_boards_of_any_size() {
    for side in [3, 4, 5, 6] {
        let tiles = Tiles::new(side, side);
        let start = tiles.play(tiles.goal(), Direction::Right);
        let mut engine = PuzzleEngine::new(tiles, &Settings::default());
        engine.set(&fen(&tiles.show_position(&start)), &[]).unwrap();
        for names in [&["right"][..], &["right", "down"]] {
            let (solved, _) = solve(&mut engine, names, None);
            assert_eq!(solved.moves.unwrap().len(), 3, "{side}");
            assert!(solved.is_proved);
        }
    }
}

#[test]
fn may_undo_useless_crossing() {
    for algorithm in [Auto, Bfs, Iddfs, Idastar, Astar] {
        let settings = Settings {
            algorithm,
            heuristic: HeuristicName::Auto,
            ..Settings::default()
        };
        let mut engine = PuzzleEngine::new(River::default(), &settings);
        engine.set(&fen("3 2 left"), &[]).unwrap();
        let (all, _) = solve(&mut engine, &[], None);
        let (one, _) = solve(&mut engine, &["1c"], None);
        let (all, one) = (all.moves.unwrap(), one.moves.unwrap());
        assert!(one.len() > all.len(), "{algorithm:?}");
        assert_eq!(River::default().show_move(one[0]), "1c");
    }
}

/// Six moves around a corner give the same position as six moves in the other direction. Either first move may be
/// requested.
#[test]
fn transpositions_do_not_hide_requested_first_move() {
    for side in [3, 4, 5, 6] {
        let tiles = Tiles::new(side, side);
        let around = [
            Direction::Right,
            Direction::Down,
            Direction::Left,
            Direction::Up,
            Direction::Right,
            Direction::Down,
        ];
        let start = around
            .iter()
            .fold(*tiles.goal(), |at, &step| tiles.play(&at, step));
        let mut engine = PuzzleEngine::new(tiles, &Settings::default());
        engine.set(&fen(&tiles.show_position(&start)), &[]).unwrap();
        for first in ["up", "left"] {
            let (solved, _) = solve(&mut engine, &[first], None);
            let found = solved.moves.unwrap();
            assert_eq!((found.len(), solved.bound), (6, 6), "{side} {first}");
            assert_eq!(tiles.show_move(found[0]), first);
            assert!(solved.is_proved);
        }
    }
}
