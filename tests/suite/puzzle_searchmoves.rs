//! Tests `searchmoves` for puzzles: the result must be a shortest solution among those that start with one of the
//! requested moves. Such a solution may undo its first move, so that a position occurs twice.

use std::collections::{HashMap, VecDeque};

use puli::control::{Control, Limits};
use puli::engine::puzzle::{PuzzleEngine, SolveStats};
use puli::engine::{Engine, Info, LocatedText, Report, Setup};
use puli::games::missionaries::River;
use puli::games::tiles::{Direction, Position, Tiles};
use puli::pathfinding::EnginePuzzle;
use puli::rules::{Notation, Puzzle, Rules};
use puli::settings::Algorithm::{self, Astar, Auto, Bfs, Greedy, Idastar, Iddfs};
use puli::settings::{HeuristicName, Settings};
use puli::value::{Bound, Score, Side};

fn fen(text: &str) -> Setup {
    Setup::Fen(LocatedText {
        offset: 0,
        text: text.into(),
    })
}

/// Solves the position with one of `first_moves` as the first move and at most `max_length` moves. Returns the result
/// and all reports.
fn solve<P: EnginePuzzle>(
    engine: &mut PuzzleEngine<P>,
    first_moves: &[&str],
    max_length: Option<u32>,
) -> (SolveStats<P::Move>, Vec<Report>) {
    let mut reports = Vec::new();
    let limits = Limits {
        depth: max_length,
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
    let mut distances = HashMap::from([(*tiles.goal(), 0)]);
    let mut queue = VecDeque::from([*tiles.goal()]);
    let mut moves = Vec::new();
    while let Some(position) = queue.pop_front() {
        moves.clear();
        tiles.moves(&position, &mut moves);
        for &m in &moves {
            let child = tiles.play(&position, m);
            let distance = distances[&position] + 1;
            distances.entry(child).or_insert_with(|| {
                queue.push_back(child);
                distance
            });
        }
    }
    distances
}

/// Returns all subsets of `legal` except the empty set and `legal` itself.
fn proper_subsets(legal: &[Direction]) -> Vec<Vec<Direction>> {
    let subsets = 1..(1 << legal.len()) - 1;
    subsets
        .map(|chosen: u32| {
            let is_chosen = |index: &usize| chosen >> index & 1 == 1;
            let indices = (0..legal.len()).filter(is_chosen);
            indices.map(|index| legal[index]).collect()
        })
        .collect()
}

#[test]
fn finds_shortest_solution_for_any_searchmoves() {
    let tiles = Tiles::new(2, 3);
    let distances = distances(&tiles);
    assert_eq!(distances.len(), 360);
    let mut positions: Vec<Position> = distances.keys().copied().collect();
    positions.sort_by_key(|position| tiles.show_position(position));
    for algorithm in [Auto, Bfs, Iddfs, Idastar, Astar, Greedy] {
        for (index, position) in positions.iter().enumerate().step_by(5) {
            let settings = Settings {
                algorithm,
                closed_list: index % 2 == 0,
                ..Settings::default()
            };
            // Skip distant positions with A*, which generates far too many nodes if it has no closed list.
            if algorithm == Astar && distances[position] > 14 {
                continue;
            }
            let mut engine = PuzzleEngine::new(tiles, &settings);
            let text = tiles.show_position(position);
            engine.set(&fen(&text), &[]).unwrap();
            if distances[position] > 0 {
                check_searchmoves(&mut engine, &tiles, position, &distances, algorithm);
            }
        }
    }
}

/// Checks the solutions for all proper subsets of the legal moves as `searchmoves`.
fn check_searchmoves(
    engine: &mut PuzzleEngine<Tiles>,
    tiles: &Tiles,
    position: &Position,
    distances: &HashMap<Position, u32>,
    algorithm: Algorithm,
) {
    let mut legal = Vec::new();
    tiles.moves(position, &mut legal);
    for first_moves in proper_subsets(&legal) {
        let solution_lengths = first_moves
            .iter()
            .map(|&m| distances[&tiles.play(position, m)] + 1);
        let shortest = solution_lengths.min().unwrap();
        let move_names: Vec<String> = first_moves.iter().map(|&m| tiles.show_move(m)).collect();
        let move_names: Vec<&str> = move_names.iter().map(String::as_str).collect();
        let case = format!(
            "{algorithm:?} {} {move_names:?}",
            tiles.show_position(position)
        );
        let (solved, reports) = solve(engine, &move_names, None);
        let solution = solved.moves.unwrap();
        assert!(first_moves.contains(&solution[0]), "{case}");
        let end = solution.iter().fold(*position, |at, &m| tiles.play(&at, m));
        assert!(tiles.is_solved(&end), "{case}");
        assert!(solved.bound <= shortest, "{case}");
        if algorithm == Greedy {
            assert!(
                !solved.is_proved || solution.len() as u32 == shortest,
                "{case}"
            );
            continue;
        }
        assert_eq!(
            (solution.len() as u32, solved.is_proved),
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
        let (solved, reports) = solve(engine, &move_names, Some(shortest - 1));
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
        for move_names in [&["right"][..], &["right", "down"]] {
            let (solved, _) = solve(&mut engine, move_names, None);
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
        let (unrestricted, _) = solve(&mut engine, &[], None);
        let (through_crossing, _) = solve(&mut engine, &["1c"], None);
        let (unrestricted, through_crossing) =
            (unrestricted.moves.unwrap(), through_crossing.moves.unwrap());
        assert!(through_crossing.len() > unrestricted.len(), "{algorithm:?}");
        assert_eq!(River::default().show_move(through_crossing[0]), "1c");
    }
}

/// Three tiles and the blank in a corner form a cycle. Six moves of the blank around this cycle lead to the same
/// position as six moves in the other direction. So there are two shortest solutions, with different first moves. The
/// search must find the requested one, although it may reach positions by the other one first.
#[test]
fn transpositions_do_not_hide_requested_first_move() {
    for side in [3, 4, 5, 6] {
        let tiles = Tiles::new(side, side);
        let cycle = [
            Direction::Right,
            Direction::Down,
            Direction::Left,
            Direction::Up,
            Direction::Right,
            Direction::Down,
        ];
        let start = cycle
            .iter()
            .fold(*tiles.goal(), |at, &step| tiles.play(&at, step));
        let mut engine = PuzzleEngine::new(tiles, &Settings::default());
        engine.set(&fen(&tiles.show_position(&start)), &[]).unwrap();
        for first_move in ["up", "left"] {
            let (solved, _) = solve(&mut engine, &[first_move], None);
            let solution = solved.moves.unwrap();
            assert_eq!(
                (solution.len(), solved.bound),
                (6, 6),
                "{side} {first_move}"
            );
            assert_eq!(tiles.show_move(solution[0]), first_move);
            assert!(solved.is_proved);
        }
    }
}
