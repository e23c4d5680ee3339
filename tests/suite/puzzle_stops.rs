//! Tests that every search of a puzzle ends soon after `stop` and reports its best result.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use puli::catalog;
use puli::control::{Budget, Control, Limits, Signals};
use puli::engine::puzzle::PuzzleEngine;
use puli::engine::{Count, Engine, Report, Setup, Spanned};
use puli::games::tiles::Tiles;
use puli::settings::{Algorithm, HeuristicName, Settings};
use puli::value::{Bound, Side};

use crate::support::timing;

/// Limit in a test. The documented limit is 5 ms; the rest allows for other work on the machine.
const MAX_STOP_TIME: Duration = Duration::from_millis(50);
/// A 15-puzzle of 80 moves, among the hardest.
const HARD_15_PUZZLE: &str = "15,11,13,12/14,10,8,9/7,2,5,1/3,6,4,0";
/// A random 24-puzzle that no search solves within the time of these tests.
const UNSOLVED_24_PUZZLE: &str = "15,13,12,4,0/6,16,8,3,7/18,19,14,21,20/10,9,22,17,5/23,11,2,24,1";

/// Stops a search after a delay. Returns the time from `stop` to the end, `true` if there was a move, and the
/// reports.
fn stopped(text: &str, settings: &Settings, after: Duration) -> (Duration, bool, Vec<Report>) {
    let mut engine = PuzzleEngine::new(Tiles::new(4, 4), settings);
    let fen = Spanned {
        offset: 0,
        text: text.into(),
    };
    engine.set(&Setup::Fen(fen), &[]).unwrap();
    let signals = Arc::new(Signals::default());
    let mut control = Control::new(&Limits::default(), Budget::default(), Arc::clone(&signals));
    let stopper = thread::spawn(move || {
        thread::sleep(after);
        let stop_time = Instant::now();
        signals.stop();
        stop_time
    });
    let mut reports = Vec::new();
    let choice = engine
        .go(&Limits::default(), &mut control, &mut |report| {
            reports.push(report);
        })
        .unwrap();
    let end = Instant::now();
    let stop_time = stopper.join().unwrap();
    (
        end.saturating_duration_since(stop_time),
        choice.best.is_some(),
        reports,
    )
}

/// Repeats up to three times, because the machine may be busy.
fn expect_soon(text: &str, settings: &Settings, after: u64) -> (bool, Vec<Report>) {
    let tries = (0..3).map(|_| stopped(text, settings, Duration::from_millis(after)));
    let (took, has_move, reports) = tries.min_by_key(|(took, ..)| *took).unwrap();
    assert!(
        took < timing::limit(MAX_STOP_TIME),
        "{took:?} for {text} with {:?} by {:?} after {after} ms",
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
            let (has_move, reports) = expect_soon(HARD_15_PUZZLE, &settings, 60);
            assert!(has_move);
            let is_count = |report: &Report| matches!(report, Report::Count(Count::Examined, _));
            assert!(reports.iter().any(is_count));
        }
    }
}

#[test]
fn large_search_ends_soon_after_stop() {
    for algorithm in [Algorithm::Bfs, Algorithm::Astar] {
        let settings = Settings {
            algorithm,
            heuristic: HeuristicName::Manhattan,
            ..Settings::default()
        };
        expect_soon(HARD_15_PUZZLE, &settings, 900);
    }
}

#[test]
fn database_building_ends_soon_after_stop() {
    for after in [2, 20, 60] {
        expect_soon(HARD_15_PUZZLE, &Settings::default(), after);
    }
}

#[test]
fn large_board_has_a_move_while_databases_are_built() {
    for after in [300, 600] {
        let (has_move, reports) = expect_soon(UNSOLVED_24_PUZZLE, &Settings::default(), after);
        assert!(has_move);
        let is_valid_bound =
            |report: &Report| matches!(report, Report::Count(Count::Bound, bound) if *bound >= 68);
        assert!(reports.iter().any(is_valid_bound), "{reports:?}");
    }
}

fn fen(text: &str) -> Setup {
    Setup::Fen(Spanned {
        offset: 0,
        text: text.into(),
    })
}

/// Boards that are not the start of a variant.
const BOARDS: [(&str, &str); 3] = [
    (
        "24-puzzle",
        "1,0,2,3,4,5/6,7,8,9,10,11/12,13,14,15,16,17/18,19,20,21,22,23/24,25,26,27,28,29/30,31,32,33,34,35",
    ),
    ("8-puzzle", "1,0/2,3"),
    ("missionaries", "40 39 left of 40 39 boat 4"),
];

#[test]
fn answers_with_legal_move_under_every_limit() {
    let timed = |movetime: Option<i64>, clock: Option<i64>| Limits {
        movetime,
        time: [clock, clock],
        ..Limits::default()
    };
    let counted = |nodes| Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let limits = [
        timed(Some(0), None),
        timed(Some(1), None),
        timed(Some(50), None),
        timed(None, Some(1)),
        timed(None, Some(50)),
        counted(0),
        counted(1),
        counted(100),
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
            // A new engine each time, because an engine keeps the databases that it built.
            let mut engine = catalog::build(&settings).unwrap();
            if !engine.is_puzzle() {
                break;
            }
            if let Some(board) = board {
                engine.set(&fen(board), &[]).unwrap();
            }
            // A random small board may already be solved.
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
            let choice = engine.go(limits, &mut control, &mut |_| ()).unwrap();
            let best = choice
                .best
                .unwrap_or_else(|| panic!("{position} {limits:?}"));
            let best = Spanned {
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
    let hour = Budget {
        hard: Some(Duration::from_secs(3600)),
        soft: None,
    };
    let signals = Arc::new(Signals::default());
    let mut control = Control::new(&Limits::default(), hour, Arc::clone(&signals));
    let mut stop_at_first = |report| {
        if let Report::Info(info) = report
            && info.bound == Bound::Exact
        {
            signals.stop();
        }
    };
    let solved = engine
        .solve(&Limits::default(), &mut control, &mut stop_at_first)
        .unwrap();
    assert!(solved.moves.is_some_and(|moves| moves.len() >= 80));
    assert!(!solved.is_proved);
    assert!(control.nodes() < 200_000, "{}", control.nodes());
}
