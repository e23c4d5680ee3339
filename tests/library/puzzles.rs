//! Tests the engine for puzzles. It reproduces published solution lengths and numbers of nodes, all searches for
//! shortest solutions agree, and bad input is rejected.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use puli::control::{Budget, Control, Limits, Signals};
use puli::engine::puzzle::{PuzzleEngine, SolveStats};
use puli::engine::{Engine, LocatedText, Report, Setup};
use puli::games::missionaries::River;
use puli::games::tiles::databases::Databases;
use puli::games::tiles::{Direction, Position, Tiles, partition};
use puli::pathfinding::{EnginePuzzle, Heuristic};
use puli::rules::{Notation, Puzzle, Rules};
use puli::settings::Algorithm::{self, Astar, Auto, Bfs, Idastar, Iddfs};
use puli::settings::HeuristicName::{
    self, LinearConflict, Manhattan, Misplaced, PatternDatabase, Reversal, Squared,
    SquaredDiscounted, WalkingDistance, Zero,
};
use puli::settings::Settings;

use crate::support::timing;

/// Korf's 100 positions of the 15-puzzle.
const KORF: &str = include_str!("../data/puzzles/korf100.tsv");
/// The number of positions of the 8-puzzle at each distance from the goal.
const EIGHT: &str = include_str!("../data/puzzles/eight_depths.tsv");

/// A position of the 15-puzzle with published results.
struct Instance {
    fen: String,
    /// The number of moves of the shortest solution.
    optimal: usize,
    /// The nodes that IDA* with the Manhattan distance generates.
    generated: u64,
}

fn korf_instances() -> Vec<Instance> {
    let lines = KORF
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let tiles: Vec<&str> = fields[1].split(' ').collect();
            let fen = tiles
                .chunks(4)
                .map(|row| row.join(","))
                .collect::<Vec<_>>()
                .join("/");
            Instance {
                fen,
                optimal: fields[2].parse().unwrap(),
                generated: fields[3].parse().unwrap(),
            }
        })
        .collect()
}

fn settings(algorithm: Algorithm, heuristic: HeuristicName) -> Settings {
    Settings {
        algorithm,
        heuristic,
        ..Settings::default()
    }
}

fn fen(text: &str) -> Setup {
    Setup::Fen(LocatedText {
        offset: 0,
        text: text.into(),
    })
}

/// Solves the position of the engine without limits. Returns the result and the number of nodes.
fn solve<P: EnginePuzzle>(engine: &mut PuzzleEngine<P>) -> (SolveStats<P::Move>, u64) {
    let mut control = Control::unlimited();
    let solved = engine
        .solve(&Limits::default(), &mut control, &mut |_| ())
        .unwrap();
    (solved, control.nodes())
}

/// Returns the heuristic with this name, which the board must support.
fn heuristic(tiles: &Tiles, name: HeuristicName) -> Arc<dyn Heuristic<Tiles>> {
    tiles.heuristic(name, &mut || Ok(())).unwrap().unwrap()
}

/// Returns the distance to the goal for every position that is at most `max_depth` moves away.
fn distances(tiles: &Tiles, max_depth: u32) -> HashMap<Position, u32> {
    let mut distances = HashMap::from([(*tiles.goal(), 0)]);
    let mut level = vec![*tiles.goal()];
    let mut moves = Vec::new();
    for depth in 1..=max_depth {
        let mut next = Vec::new();
        for position in &level {
            moves.clear();
            tiles.moves(position, &mut moves);
            for &m in &moves {
                let child = tiles.play(position, m);
                distances.entry(child).or_insert_with(|| {
                    next.push(child);
                    depth
                });
            }
        }
        level = next;
    }
    distances
}

/// Returns the number of positions at each distance.
fn level_counts(distances: &HashMap<Position, u32>) -> Vec<usize> {
    let mut counts = Vec::new();
    for &depth in distances.values() {
        counts.resize(counts.len().max(depth as usize + 1), 0);
        counts[depth as usize] += 1;
    }
    counts
}

#[test]
fn level_counts_of_8_and_15_puzzle_match_published() {
    let published = EIGHT
        .lines()
        .skip(1)
        .map(|line| line.split('\t').nth(1).unwrap().parse().unwrap());
    assert_eq!(
        level_counts(&distances(&Tiles::new(3, 3), 31)),
        published.collect::<Vec<usize>>()
    );
    let fifteen = level_counts(&distances(&Tiles::new(4, 4), 15));
    assert_eq!(
        fifteen,
        [
            1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842
        ]
    );
}

#[test]
fn auto_solves_sample_of_8_puzzles_optimally() {
    let tiles = Tiles::new(3, 3);
    let mut engine = PuzzleEngine::new(tiles, &Settings::default());
    // Solve every 97th position, to keep the test short. The next test solves all positions.
    for (index, (position, depth)) in distances(&tiles, 31).into_iter().enumerate() {
        if index % 97 == 0 {
            engine
                .set(&fen(&tiles.show_position(&position)), &[])
                .unwrap();
            assert_eq!(solve(&mut engine).0.moves.unwrap().len(), depth as usize);
        }
    }
}

#[test]
#[ignore = "takes a minute: all 181,440 positions"]
fn auto_solves_all_8_puzzles_optimally() {
    let tiles = Tiles::new(3, 3);
    let mut engine = PuzzleEngine::new(tiles, &Settings::default());
    for (position, depth) in distances(&tiles, 31) {
        engine
            .set(&fen(&tiles.show_position(&position)), &[])
            .unwrap();
        assert_eq!(solve(&mut engine).0.moves.unwrap().len(), depth as usize);
    }
}

#[test]
fn idastar_with_manhattan_generates_korfs_numbers_of_nodes() {
    let mut engine = PuzzleEngine::new(
        Tiles::new(4, 4),
        &settings(Algorithm::Idastar, HeuristicName::Manhattan),
    );
    for instance in korf_instances()
        .into_iter()
        .filter(|instance| instance.generated < 4_000_000)
    {
        engine.set(&fen(&instance.fen), &[]).unwrap();
        let (solved, nodes) = solve(&mut engine);
        assert_eq!(
            (solved.moves.unwrap().len(), nodes),
            (instance.optimal, instance.generated),
            "{}",
            instance.fen
        );
    }
}

#[test]
fn auto_solves_korfs_easier_positions_optimally() {
    let mut engine = PuzzleEngine::new(Tiles::new(4, 4), &Settings::default());
    for instance in korf_instances()
        .into_iter()
        .filter(|instance| instance.generated < 30_000_000)
    {
        engine.set(&fen(&instance.fen), &[]).unwrap();
        let solved = solve(&mut engine).0;
        assert!(solved.is_proved);
        assert_eq!(
            solved.moves.unwrap().len(),
            instance.optimal,
            "{}",
            instance.fen
        );
    }
}

#[test]
fn optimal_searches_agree_and_reach_goal() {
    let boards = [
        "0,1,2/3,4,5/6,7,8",
        "0,1,2,3/4,5,6,7",
        "1,2,3/4,5,6/7,0,8 goal 1,2,3/4,5,6/7,8,0",
        "0,1/2,3/4,5/6,7",
        "0,1/2,3",
    ];
    let blind_searches = [(Bfs, Zero), (Iddfs, Zero)];
    let heuristics = [
        Misplaced,
        Manhattan,
        Reversal,
        LinearConflict,
        WalkingDistance,
        PatternDatabase,
    ];
    let informed_searches = heuristics
        .into_iter()
        .flat_map(|heuristic| [Astar, Idastar, Auto].map(|algorithm| (algorithm, heuristic)));
    let searches: Vec<_> = blind_searches
        .into_iter()
        .chain(informed_searches)
        .chain([(Auto, HeuristicName::Auto)])
        .collect();
    for board in boards {
        let (tiles, _) = Tiles::new(2, 2).read_position(board).unwrap();
        for seed in 0..6 {
            let mut engine = PuzzleEngine::new(tiles, &Settings::default());
            engine.set(&fen(board), &[]).unwrap();
            engine
                .set(
                    &Setup::Scramble {
                        moves: 14,
                        seed: Some(seed),
                    },
                    &[],
                )
                .unwrap();
            let (_, start) = tiles.read_position(&engine.fen()).unwrap();
            let mut lengths = Vec::new();
            for &(algorithm, heuristic) in &searches {
                engine.configure(&settings(algorithm, heuristic)).unwrap();
                let moves = solve(&mut engine).0.moves.unwrap();
                let end = moves
                    .iter()
                    .fold(start, |position, &m| tiles.play(&position, m));
                assert!(tiles.is_solved(&end));
                lengths.push(moves.len());
            }
            assert!(
                lengths.iter().all(|&length| length == lengths[0]),
                "{board} {lengths:?} {searches:?}"
            );
        }
    }
}

#[test]
fn specialized_idastar_counts_like_generic_idastar() {
    for seed in 0..20 {
        let mut engine = PuzzleEngine::new(
            Tiles::new(4, 4),
            &settings(Algorithm::Idastar, HeuristicName::Manhattan),
        );
        engine
            .set(
                &Setup::Scramble {
                    moves: 40,
                    seed: Some(seed),
                },
                &[],
            )
            .unwrap();
        let (specialized, specialized_nodes) = solve(&mut engine);
        let tiles = Tiles::new(4, 4);
        let (_, start) = tiles.read_position(&engine.fen()).unwrap();
        let heuristic = heuristic(&tiles, HeuristicName::Manhattan);
        let (mut control, mut progress) = (
            Control::unlimited(),
            |_: puli::pathfinding::Progress<_>, _: &Control| (),
        );
        let mut context = puli::pathfinding::SolveContext::new(
            &tiles,
            start,
            heuristic.as_ref(),
            &mut control,
            &mut progress,
        );
        puli::pathfinding::idastar::solve(&mut context).unwrap();
        let examined = context.expanded;
        assert_eq!(
            (specialized_nodes, specialized.examined),
            (control.nodes(), examined)
        );
    }
}

#[test]
fn admissible_heuristics_never_exceed_distance() {
    let tiles = Tiles::new(3, 3);
    let distances = distances(&tiles, 31);
    let databases = Databases::build(
        &tiles,
        &[partition::default_partition(&tiles)],
        1,
        &|_, _| true,
    )
    .unwrap();
    let mut heuristics: Vec<Arc<dyn Heuristic<Tiles>>> = vec![Arc::new(databases)];
    for name in [
        Zero,
        Misplaced,
        Manhattan,
        Reversal,
        SquaredDiscounted,
        Squared,
        LinearConflict,
        WalkingDistance,
    ] {
        heuristics.push(heuristic(&tiles, name));
    }
    for heuristic in heuristics
        .iter()
        .filter(|heuristic| heuristic.is_admissible())
    {
        for (position, &distance) in &distances {
            assert!(heuristic.estimate(&tiles, position) <= distance);
        }
    }
    assert_eq!(
        heuristics
            .iter()
            .filter(|heuristic| heuristic.is_admissible())
            .count(),
        7
    );
}

#[test]
fn rejects_bad_puzzles_without_changing_state() {
    let mut engine = PuzzleEngine::new(Tiles::new(4, 4), &Settings::default());
    let before = engine.fen();
    let cases = [
        ("1,0,2,3/4,5,6,7/8,9,10,11/12,13,15,14", "parity"),
        ("0,1,2/3,4,5/6,7,7", "a second 7"),
        ("0,1,2/3,4,5/6,7,9", "'9'"),
        ("0,1,2/3,4/6,7,8", "row 2"),
        ("0,1,2,3,4,5,6/7,8,9,10,11,12,13", "2×2 to 6×6"),
        ("0,1/2,3 goal 0,1,2/3,4,5", "a goal of 2 rows"),
        ("0,1/2,3 gaol", "goal"),
        ("", "rows of tiles"),
    ];
    for (text, expected) in cases {
        let error = engine.set(&fen(text), &[]).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
        assert_eq!(engine.fen(), before);
    }
}

#[test]
fn crosses_river_in_known_numbers_of_moves() {
    for (text, crossings) in [
        ("3 3 left", 11),
        ("4 4 left of 4 4 boat 3", 9),
        ("5 5 left of 5 5 boat 3", 11),
    ] {
        for algorithm in [
            Algorithm::Auto,
            Algorithm::Bfs,
            Algorithm::Idastar,
            Algorithm::Iddfs,
        ] {
            let mut engine =
                PuzzleEngine::new(River::default(), &settings(algorithm, HeuristicName::Auto));
            engine.set(&fen(text), &[]).unwrap();
            assert_eq!(engine.fen(), text);
            assert_eq!(
                solve(&mut engine).0.moves.unwrap().len(),
                crossings,
                "{text}"
            );
        }
    }
    let mut engine = PuzzleEngine::new(River::default(), &Settings::default());
    assert!(engine.set(&fen("4 4 left of 4 4 boat 2"), &[]).is_err());
}

#[test]
fn search_over_memory_limit_ends_with_error() {
    let options = Settings {
        memory_limit: 16,
        ..settings(Algorithm::Astar, HeuristicName::Manhattan)
    };
    let mut engine = PuzzleEngine::new(Tiles::new(4, 4), &options);
    engine.set(&fen(&korf_instances()[0].fen), &[]).unwrap();
    let mut reports = Vec::new();
    let answer = engine
        .go(
            &Limits::default(),
            &mut Control::unlimited(),
            &mut |report| reports.push(report),
        )
        .unwrap();
    assert_eq!(answer.best, None);
    assert!(
        reports
            .iter()
            .any(|report| matches!(report, Report::Error(text) if text.contains("MemoryLimit")))
    );
}

#[test]
fn large_board_gets_quick_solution_and_valid_bound() {
    let mut engine = PuzzleEngine::new(Tiles::new(6, 6), &Settings::default());
    engine.set(&Setup::Start, &[]).unwrap();
    let (_, position) = Tiles::new(2, 2).read_position("0,1,2,3,4,5/6,7,8,9,10,11/12,13,14,15,16,17/18,19,20,21,22,23/24,25,26,27,28,29/30,31,32,33,34,35").unwrap();
    assert_eq!(position.blank, 0);
    engine
        .set(
            &Setup::Scramble {
                moves: 500,
                seed: Some(1),
            },
            &[],
        )
        .unwrap();
    let limits = Limits {
        nodes: Some(300_000),
        ..Limits::default()
    };
    let mut control = Control::new(&limits, Budget::default(), Arc::new(Signals::default()));
    let solved = engine.solve(&limits, &mut control, &mut |_| ()).unwrap();
    let length = solved.moves.unwrap().len();
    assert!(solved.bound as usize <= length);
    assert_eq!(solved.is_proved, solved.bound as usize == length);
}

#[test]
fn easy_puzzle_is_proved_without_building_databases() {
    let tiles = Tiles::new(5, 5);
    let mut random = fastrand::Rng::with_seed(7);
    let mut start = *tiles.goal();
    let mut legal = Vec::new();
    let mut auto = PuzzleEngine::new(tiles, &Settings::default());
    let mut idastar = PuzzleEngine::new(tiles, &settings(Idastar, HeuristicName::LinearConflict));
    for moves in 1..=20 {
        legal.clear();
        tiles.moves(&start, &mut legal);
        start = tiles.play(&start, legal[random.usize(..legal.len())]);
        if moves % 4 != 0 {
            continue;
        }
        let position = fen(&tiles.show_position(&start));
        auto.set(&position, &[]).unwrap();
        idastar.set(&position, &[]).unwrap();
        let length = solve(&mut idastar).0.moves.unwrap().len();
        let mut control = Control::unlimited();
        let solved = auto.solve(&Limits::default(), &mut control, &mut |_| ());
        // Building the databases would take several seconds.
        assert!(control.elapsed() < timing::limit(Duration::from_secs(1)));
        let solved = solved.unwrap();
        assert!(solved.is_proved && solved.bound as usize == length);
        assert_eq!(solved.moves.unwrap().len(), length);
        let shorter = Limits {
            depth: Some(length as u32 - 1),
            ..Limits::default()
        };
        let mut control = Control::new(&shorter, Budget::default(), Arc::default());
        let unsolved = auto.solve(&shorter, &mut control, &mut |_| ()).unwrap();
        assert_eq!(unsolved.moves, None);
    }
}

/// Solves a 6×6 board by `auto` within `limits` and checks that the solution leads to the goal.
fn solve_large_board(start: &Position, limits: &Limits, threads: u32) -> SolveStats<Direction> {
    let tiles = Tiles::new(6, 6);
    let settings = Settings {
        threads,
        ..Settings::default()
    };
    let mut engine = PuzzleEngine::new(tiles, &settings);
    engine.set(&fen(&tiles.show_position(start)), &[]).unwrap();
    let mut control = Control::new(limits, Budget::default(), Arc::default());
    let solved = engine.solve(limits, &mut control, &mut |_| ()).unwrap();
    let path = solved.moves.iter().flatten();
    let end = path.fold(*start, |position, &step| tiles.play(&position, step));
    assert_eq!(end, *tiles.goal());
    solved
}

fn large_board(fen: &str) -> Position {
    Tiles::new(6, 6).read_position(fen).unwrap().1
}

#[test]
fn beam_solutions_are_at_most_1_5_times_the_bound() {
    let start = large_board(
        "21,25,34,2,16,20/10,32,30,15,3,26/29,8,9,27,18,4/5,13,35,33,7,28/12,14,6,1,11,22/31,19,23,17,24,0",
    );
    for threads in [1, 2] {
        // The first solutions that beam search finds quickly have more than 190 moves. A depth limit of 190 must not
        // prevent the searches after them.
        for depth in [None, Some(190)] {
            let limits = Limits {
                nodes: Some(1_500_000),
                depth,
                ..Limits::default()
            };
            let solved = solve_large_board(&start, &limits, threads);
            let length = solved.moves.unwrap().len() as u32;
            assert!(!solved.is_proved);
            assert!(
                2 * length <= 3 * solved.bound,
                "{length} of {}",
                solved.bound
            );
        }
    }
}

#[test]
fn last_beam_is_sized_by_remaining_nodes() {
    let start = large_board(
        "10,7,6,11,3,4/14,21,34,12,20,15/17,18,16,0,30,22/24,9,13,19,8,5/35,27,23,32,2,31/1,26,25,29,28,33",
    );
    let limits = Limits {
        nodes: Some(6_000_000),
        ..Limits::default()
    };
    // If every beam is simply twice as wide as the one before, the best solution has 153 moves. The last beam must
    // instead be as wide as the remaining nodes allow. If it does not finish, the earlier results must remain.
    let solved = solve_large_board(&start, &limits, 1);
    assert!(solved.moves.unwrap().len() <= 149);
}

#[test]
fn solves_easy_large_board_optimally() {
    let tiles = Tiles::new(6, 6);
    let mut random = fastrand::Rng::with_seed(1);
    let mut start = *tiles.goal();
    let mut legal = Vec::new();
    for moves in 0..=160 {
        if moves % 40 == 0 {
            let solved = solve_large_board(&start, &Limits::default(), 2);
            assert!(solved.is_proved);
            let idastar = settings(Idastar, HeuristicName::LinearConflict);
            let mut reference = PuzzleEngine::new(tiles, &idastar);
            reference
                .set(&fen(&tiles.show_position(&start)), &[])
                .unwrap();
            let (shortest, _) = solve(&mut reference);
            assert_eq!(solved.bound, shortest.bound);
            assert_eq!(solved.moves.unwrap().len() as u32, shortest.bound);
        }
        legal.clear();
        tiles.moves(&start, &mut legal);
        start = tiles.play(&start, legal[random.usize(..legal.len())]);
    }
}

#[test]
fn solved_positions_need_no_move() {
    let mut engine = PuzzleEngine::new(Tiles::new(4, 4), &Settings::default());
    let answer = engine
        .go(&Limits::default(), &mut Control::unlimited(), &mut |_| ())
        .unwrap();
    assert_eq!(answer.best, None);
}

/// If the position is solved, the search ends at once, even if the options request pattern databases.
#[test]
fn solved_position_needs_no_databases_or_heuristic() {
    let mut engine = PuzzleEngine::new(Tiles::new(5, 5), &Settings::default());
    for algorithm in [Auto, Bfs, Iddfs, Algorithm::Greedy, Astar, Idastar] {
        engine
            .configure(&settings(algorithm, PatternDatabase))
            .unwrap();
        // Building the databases would take far more than 50 nodes.
        let limits = Limits {
            movetime: Some(300),
            nodes: Some(50),
            ..Limits::default()
        };
        let budget = limits.budget(puli::value::Side::P1, std::time::Duration::ZERO);
        let mut control = Control::new(&limits, budget, Arc::default());
        let solved = engine.solve(&limits, &mut control, &mut |_| ()).unwrap();
        assert_eq!(solved.moves, Some(Vec::new()), "{algorithm:?}");
        assert!(solved.is_proved);
        assert_eq!(control.nodes(), 1);
    }
}

#[test]
fn reports_folder_without_databases_once() {
    let settings = Settings {
        tablebase_path: "no/such/folder".into(),
        ..Settings::default()
    };
    let messages = |engine: &mut dyn Engine| {
        let mut texts = Vec::new();
        let mut control = Control::unlimited();
        let mut report = |report| {
            if let Report::Text(text) = report {
                texts.push(text);
            }
        };
        engine
            .go(&Limits::default(), &mut control, &mut report)
            .unwrap();
        texts
    };
    let warning = "TablebasePath holds nothing for this puzzle and its goal: no/such/folder";
    for mut engine in [
        Box::new(PuzzleEngine::new(Tiles::new(3, 3), &settings)) as Box<dyn Engine>,
        Box::new(PuzzleEngine::new(River::default(), &settings)),
    ] {
        assert_eq!(messages(engine.as_mut()), [warning]);
        assert_eq!(messages(engine.as_mut()), Vec::<String>::new());
        engine.configure(&Settings::default()).unwrap();
        assert_eq!(messages(engine.as_mut()), Vec::<String>::new());
        engine.configure(&settings).unwrap();
        assert_eq!(messages(engine.as_mut()), [warning]);
    }
}

#[test]
fn rejects_unreachable_goal_and_suggests_reachable_one() {
    for (rows, hint) in [
        (
            "1,2,3,4/5,6,7,8/9,10,11,12/13,14,0,15",
            Some("1,2,3,4/5,6,7,8/9,10,11,12/13,14,15,0"),
        ),
        ("1,0/3,2", Some("1,2/3,0")),
        // On a board with three columns, the goal with the blank first and the goal with the blank last are reachable
        // from the same positions. So no other goal is suggested.
        ("1,2,3/4,5,6/8,7,0", None),
        // The requested goal cannot be reached, but the goal with the blank last can.
        (
            "1,2,3/4,5,6/7,0,8 goal 0,2,1/3,4,5/6,7,8",
            Some("1,2,3/4,5,6/7,8,0"),
        ),
        // The requested goal is the one with the blank last, which cannot be reached.
        ("1,2,3/4,5,6/8,7,0 goal 1,2,3/4,5,6/7,8,0", None),
    ] {
        let mut engine = PuzzleEngine::new(Tiles::new(4, 4), &Settings::default());
        let error = engine.set(&fen(rows), &[]).unwrap_err().to_string();
        match hint {
            Some(goal) => {
                assert!(error.ends_with(&format!("add ' goal {goal}'")), "{error}");
                let board = rows.split(' ').next().unwrap();
                engine
                    .set(&fen(&format!("{board} goal {goal}")), &[])
                    .unwrap();
            }
            None => assert!(!error.contains("add"), "{error}"),
        }
    }
}

#[test]
fn neighboring_seeds_give_independent_scrambles() {
    let mut engine = PuzzleEngine::new(Tiles::new(3, 3), &Settings::default());
    let mut scrambled = |seed| {
        let setup = Setup::Scramble {
            moves: 1,
            seed: Some(seed),
        };
        engine.set(&setup, &[]).unwrap();
        engine.fen()
    };
    let fens: Vec<String> = (1..=4000).map(&mut scrambled).collect();
    let repeats = fens.windows(2).filter(|pair| pair[0] == pair[1]).count();
    // The goal has two moves, so two independent scrambles of one move are equal with probability 1/2. For 3999
    // pairs, the expected number is 2000, with a standard deviation of 32.
    assert!((1850..2150).contains(&repeats), "{repeats}");
}
