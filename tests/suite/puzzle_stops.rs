//! However deep in work, a search of a puzzle ends soon after it is told to, and tells what it has.

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

/// The promise is 5 ms; the rest is for the other work of the machine.
const SOON: Duration = Duration::from_millis(50);
/// One of the hardest there are: 80 moves.
const HARDEST: &str = "15,11,13,12/14,10,8,9/7,2,5,1/3,6,4,0";
/// A random one, which nobody solves here in the time given.
const LARGE: &str = "15,13,12,4,0/6,16,8,3,7/18,19,14,21,20/10,9,22,17,5/23,11,2,24,1";

/// Stops a search after a while. The time that it then took, whether there was a move, and its last words.
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
        let told = Instant::now();
        signals.stop();
        told
    });
    let mut reports = Vec::new();
    let choice = engine
        .go(&Limits::default(), &mut control, &mut |report| {
            reports.push(report);
        })
        .unwrap();
    let end = Instant::now();
    let told = stopper.join().unwrap();
    (
        end.saturating_duration_since(told),
        choice.best.is_some(),
        reports,
    )
}

/// The best of three, since the machine may be busy just then.
fn expect_soon(text: &str, settings: &Settings, after: u64) -> (bool, Vec<Report>) {
    let tries = (0..3).map(|_| stopped(text, settings, Duration::from_millis(after)));
    let (took, has_move, reports) = tries.min_by_key(|(took, ..)| *took).unwrap();
    assert!(
        took < timing::limit(SOON),
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
            let (has_move, reports) = expect_soon(HARDEST, &settings, 60);
            assert!(has_move);
            let is_count = |report: &Report| matches!(report, Report::Count(Count::Examined, _));
            assert!(reports.iter().any(is_count));
        }
    }
}

#[test]
fn a_search_that_has_stored_hundreds_of_megabytes_ends_soon_after_stop() {
    for algorithm in [Algorithm::Bfs, Algorithm::Astar] {
        let settings = Settings {
            algorithm,
            heuristic: HeuristicName::Manhattan,
            ..Settings::default()
        };
        expect_soon(HARDEST, &settings, 900);
    }
}

#[test]
fn database_building_ends_soon_after_stop() {
    for after in [2, 20, 60] {
        expect_soon(HARDEST, &Settings::default(), after);
    }
}

#[test]
fn a_large_board_has_a_move_to_play_even_while_its_databases_are_built() {
    for after in [300, 600] {
        let (has_move, reports) = expect_soon(LARGE, &Settings::default(), after);
        assert!(has_move);
        let is_honest =
            |report: &Report| matches!(report, Report::Count(Count::Bound, bound) if *bound >= 68);
        assert!(reports.iter().any(is_honest), "{reports:?}");
    }
}

fn fen(text: &str) -> Setup {
    Setup::Fen(Spanned {
        offset: 0,
        text: text.into(),
    })
}

/// Other boards than those that variants start with.
const BOARDS: [(&str, &str); 3] = [
    (
        "24-puzzle",
        "1,0,2,3,4,5/6,7,8,9,10,11/12,13,14,15,16,17/18,19,20,21,22,23/24,25,26,27,28,29/30,31,32,33,34,35",
    ),
    ("8-puzzle", "1,0/2,3"),
    ("missionaries", "40 39 left of 40 39 boat 4"),
];

#[test]
fn a_puzzle_answers_with_a_legal_move_whatever_the_limit() {
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
            // A new one each time: databases that were made stay.
            let mut engine = catalog::build(&settings).unwrap();
            if !engine.is_puzzle() {
                break;
            }
            if let Some(board) = board {
                engine.set(&fen(board), &[]).unwrap();
            }
            // A small board may be drawn solved.
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
fn a_clocked_puzzle_finds_some_solution_before_it_makes_databases() {
    let mut engine = PuzzleEngine::new(Tiles::new(4, 4), &Settings::default());
    engine.set(&fen(HARDEST), &[]).unwrap();
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
