//! Tests that every search of a puzzle ends soon after `stop`, and with a legal move even if its limits are very small.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use puli::catalog;
use puli::control::{Budget, Control, Limits, Signals};
use puli::engine::puzzle::PuzzleEngine;
use puli::engine::{Count, Engine, LocatedText, Report, Setup};
use puli::games::tiles::Tiles;
use puli::settings::{Algorithm, HeuristicName, Settings};
use puli::value::{Bound, Side};

use crate::support::timing;

/// Maximum time from `stop` to the end of the search. The documented time is 5 ms; the test allows more because other
/// processes may use the machine.
const MAX_STOP_TIME: Duration = Duration::from_millis(50);
/// One of the hardest positions of the 15-puzzle: the shortest solution has 80 moves.
const HARD_15_PUZZLE: &str = "15,11,13,12/14,10,8,9/7,2,5,1/3,6,4,0";
/// A random position of the 24-puzzle. No search proves a shortest solution within the time of these tests.
const UNSOLVED_24_PUZZLE: &str = "15,13,12,4,0/6,16,8,3,7/18,19,14,21,20/10,9,22,17,5/23,11,2,24,1";

/// Searches the position `text` and stops the search after `delay`. Returns the time from `stop` to the end of the
/// search, `true` if the search returned a move, and the reports.
fn search_and_stop(
    text: &str,
    settings: &Settings,
    delay: Duration,
) -> (Duration, bool, Vec<Report>) {
    let mut engine = PuzzleEngine::new(Tiles::new(4, 4), settings);
    let fen = LocatedText {
        offset: 0,
        text: text.into(),
    };
    engine.set(&Setup::Fen(fen), &[]).unwrap();
    let signals = Arc::new(Signals::default());
    let mut control = Control::new(&Limits::default(), Budget::default(), Arc::clone(&signals));
    let stopper = thread::spawn(move || {
        thread::sleep(delay);
        let stop_time = Instant::now();
        signals.stop();
        stop_time
    });
    let mut reports = Vec::new();
    let answer = engine
        .go(&Limits::default(), &mut control, &mut |report| {
            reports.push(report);
        })
        .unwrap();
    let end = Instant::now();
    let stop_time = stopper.join().unwrap();
    (
        end.saturating_duration_since(stop_time),
        answer.best.is_some(),
        reports,
    )
}

/// Checks that a search ends soon after `stop`, which comes `after` milliseconds after its start. Makes three
/// searches and takes the one that ended soonest, because the machine may be busy. Returns `true` if it had a move,
/// and its reports.
fn expect_quick_end(text: &str, settings: &Settings, after: u64) -> (bool, Vec<Report>) {
    let tries = (0..3).map(|_| search_and_stop(text, settings, Duration::from_millis(after)));
    let (stop_time, has_move, reports) = tries.min_by_key(|(stop_time, ..)| *stop_time).unwrap();
    assert!(
        stop_time < timing::limit(MAX_STOP_TIME),
        "{stop_time:?} for {text} with {:?} by {:?} after {after} ms",
        settings.algorithm,
        settings.heuristic
    );
    (has_move, reports)
}

#[test]
fn every_search_ends_soon_after_stop() {
    for algorithm in [
        Algorithm::Auto,
        Algorithm::Bfs,
        Algorithm::Iddfs,
        Algorithm::Greedy,
        Algorithm::Astar,
        Algorithm::Idastar,
    ] {
        for heuristic in [HeuristicName::Manhattan, HeuristicName::WalkingDistance] {
            let settings = Settings {
                algorithm,
                heuristic,
                ..Settings::default()
            };
            let (has_move, reports) = expect_quick_end(HARD_15_PUZZLE, &settings, 60);
            assert!(has_move);
            let is_count = |report: &Report| matches!(report, Report::Count(Count::Examined, _));
            assert!(reports.iter().any(is_count));
        }
    }
}

#[test]
fn long_search_ends_soon_after_stop() {
    for algorithm in [Algorithm::Bfs, Algorithm::Astar] {
        let settings = Settings {
            algorithm,
            heuristic: HeuristicName::Manhattan,
            ..Settings::default()
        };
        expect_quick_end(HARD_15_PUZZLE, &settings, 900);
    }
}

#[test]
fn database_building_ends_soon_after_stop() {
    for after in [2, 20, 60] {
        expect_quick_end(HARD_15_PUZZLE, &Settings::default(), after);
    }
}

#[test]
fn large_board_has_a_move_while_databases_are_built() {
    for after in [300, 600] {
        let (has_move, reports) = expect_quick_end(UNSOLVED_24_PUZZLE, &Settings::default(), after);
        assert!(has_move);
        let is_valid_bound =
            |report: &Report| matches!(report, Report::Count(Count::Bound, bound) if *bound >= 68);
        assert!(reports.iter().any(is_valid_bound), "{reports:?}");
    }
}

fn fen(text: &str) -> Setup {
    Setup::Fen(LocatedText {
        offset: 0,
        text: text.into(),
    })
}

/// Positions on boards of other sizes than those of the variants.
const BOARDS: [(&str, &str); 3] = [
    (
        "24-puzzle",
        "1,0,2,3,4,5/6,7,8,9,10,11/12,13,14,15,16,17/18,19,20,21,22,23/24,25,26,27,28,29/30,31,32,33,34,35",
    ),
    ("8-puzzle", "1,0/2,3"),
    ("missionaries", "40 39 left of 40 39 boat 4"),
];

#[test]
fn returns_legal_move_under_every_limit() {
    let time_limits = |movetime: Option<i64>, clock: Option<i64>| Limits {
        movetime,
        time: [clock, clock],
        ..Limits::default()
    };
    let node_limit = |nodes| Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let limits = [
        time_limits(Some(0), None),
        time_limits(Some(1), None),
        time_limits(Some(50), None),
        time_limits(None, Some(1)),
        time_limits(None, Some(50)),
        node_limit(0),
        node_limit(1),
        node_limit(100),
        Limits::default(),
    ];
    let variants = catalog::names().map(|variant| (variant, None));
    let boards = BOARDS.map(|(variant, board)| (variant, Some(board)));
    let mut puzzles = 0;
    for (variant, board) in variants.chain(boards) {
        for limits in &limits {
            let settings = Settings {
                variant,
                ..Settings::default()
            };
            // An engine keeps the databases that it built, so use a new engine for each search.
            let mut engine = catalog::build(&settings).unwrap();
            if !engine.is_puzzle() {
                break;
            }
            if let Some(board) = board {
                engine.set(&fen(board), &[]).unwrap();
            }
            // A random position of a small board may be the goal. Try seeds until it is not.
            for seed in 1.. {
                let setup = Setup::Random { seed: Some(seed) };
                engine.set(&setup, &[]).unwrap();
                if engine.status().outcome.is_none() {
                    break;
                }
            }
            let position = engine.fen();
            puzzles += 1;
            let signals = Arc::new(Signals::default());
            if *limits == Limits::default() {
                signals.stop();
            }
            let budget = limits.budget(Side::P1, Duration::from_millis(10));
            let mut control = Control::new(limits, budget, signals);
            let answer = engine.go(limits, &mut control, &mut |_| ()).unwrap();
            let best = answer
                .best
                .unwrap_or_else(|| panic!("{position} {limits:?}"));
            let best = LocatedText {
                offset: 0,
                text: best,
            };
            engine.set(&fen(&position), &[best]).unwrap();
        }
    }
    assert_eq!(puzzles, limits.len() * (4 + BOARDS.len()));
}

#[test]
fn clocked_search_finds_solution_before_building_databases() {
    let mut engine = PuzzleEngine::new(Tiles::new(4, 4), &Settings::default());
    engine.set(&fen(HARD_15_PUZZLE), &[]).unwrap();
    let one_hour = Budget {
        hard: Some(Duration::from_secs(3600)),
        soft: None,
    };
    let signals = Arc::new(Signals::default());
    let mut control = Control::new(&Limits::default(), one_hour, Arc::clone(&signals));
    let mut stop_at_first_solution = |report| {
        if let Report::Info(info) = report
            && info.bound == Bound::Exact
        {
            signals.stop();
        }
    };
    let solved = engine
        .solve(
            &Limits::default(),
            &mut control,
            &mut stop_at_first_solution,
        )
        .unwrap();
    assert!(solved.moves.is_some_and(|moves| moves.len() >= 80));
    assert!(!solved.is_proved);
    assert!(control.nodes() < 200_000, "{}", control.nodes());
}
