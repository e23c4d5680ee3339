//! Tests the output of searches with several principal variations (`MultiPV`), with illegal `searchmoves`, and with
//! more threads than processors.

use std::collections::HashMap;
use std::sync::Arc;

use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{BestMove, Info, LocatedText, Report, Setup};
use puli::error::EngineError;
use puli::settings::Settings;

/// Searches a position, or the start if `fen` is empty. Returns all reports and the best move.
fn go(
    options: &[(&str, &str)],
    fen: &str,
    limits: &Limits,
) -> (Vec<Report>, Result<BestMove, EngineError>) {
    let mut settings = Settings::default();
    for (name, value) in options {
        settings.set(name, Some(value)).unwrap();
    }
    let mut engine = catalog::build(&settings).unwrap();
    if !fen.is_empty() {
        let text = fen.into();
        let setup = Setup::Fen(LocatedText { offset: 0, text });
        engine.set(&setup, &[]).unwrap();
    }
    let mut reports = Vec::new();
    let mut control = Control::new(limits, Budget::default(), Arc::default());
    let answer = engine.go(limits, &mut control, &mut |report| reports.push(report));
    (reports, answer)
}

fn infos(reports: &[Report]) -> Vec<&Info> {
    fn info(report: &Report) -> Option<&Info> {
        match report {
            Report::Info(info) => Some(info),
            _ => None,
        }
    }
    reports.iter().filter_map(info).collect()
}

#[test]
fn final_lines_have_distinct_ranks_and_first_moves() {
    const RANKS: u32 = 4;
    let positions = [
        ("aadu-puli", "T/2TT2/6/6/4 g 15"),
        ("aadu-puli", "T/2TT2/1GG3/GG4/4 t 9"),
        ("bagh-chal", "T3T/2G2/1G3/3G1/T3T t 16"),
        ("tic-tac-toe", "5 5 4 5/1X3/2O2/5/5 x 2"),
    ];
    let mut lines_of_earlier_iterations = 0;
    for (variant, fen) in positions {
        for step in 1..=45 {
            let limits = Limits {
                nodes: Some(40 * step * step),
                ..Limits::default()
            };
            let options = [("UCI_Variant", variant), ("MultiPV", "4"), ("Hash", "1")];
            let (reports, answer) = go(&options, fen, &limits);
            let infos = infos(&reports);
            // A GUI shows the last info line of each rank, which is the value of `multipv`.
            let mut shown: HashMap<u32, &Info> = HashMap::new();
            for info in &infos {
                shown.insert(info.multipv.unwrap(), info);
            }
            let context = format!("{fen} {limits:?}: {infos:#?}");
            let shown: Vec<&Info> = (1..=RANKS).filter_map(|rank| shown.remove(&rank)).collect();
            // Fewer than four ranks are allowed only if the search was stopped during its first iteration.
            let is_first = infos.iter().all(|info| info.depth == 1);
            let others = infos.iter().skip(1);
            let reported_ranks = 1 + others.take_while(|info| info.multipv != Some(1)).count();
            let was_stopped = is_first && reported_ranks < RANKS as usize;
            assert!(was_stopped || shown.len() == RANKS as usize, "{context}");
            let mut first_moves: Vec<&String> = shown.iter().map(|info| &info.line[0]).collect();
            assert_eq!(
                answer.unwrap().best.as_ref(),
                Some(first_moves[0]),
                "{context}"
            );
            first_moves.sort();
            first_moves.dedup();
            assert_eq!(first_moves.len(), shown.len(), "{context}");
            // If the last iteration was stopped, some ranks show a line of an earlier iteration. It must equal the line
            // that was reported in that iteration.
            for info in &shown {
                let is_from_earlier_iteration = info.depth < shown[0].depth;
                lines_of_earlier_iterations += u32::from(is_from_earlier_iteration);
                let was_reported = infos.iter().any(|earlier| {
                    (earlier.depth, &earlier.line, earlier.score)
                        == (info.depth, &info.line, info.score)
                        && earlier.nodes < shown[0].nodes
                });
                assert!(!is_from_earlier_iteration || was_reported, "{context}");
            }
        }
    }
    assert!(
        lines_of_earlier_iterations > 50,
        "{lines_of_earlier_iterations}"
    );
}

#[test]
fn stopped_textbook_search_shows_deepest_finished_line() {
    let mut stopped_between_ranks = 0;
    for algorithm in ["minimax", "alphabeta", "scout", "mtdf"] {
        for step in 1..=30 {
            let limits = Limits {
                nodes: Some(25 * step * step),
                ..Limits::default()
            };
            let options = [
                ("UCI_Variant", "bagh-chal"),
                ("Algorithm", algorithm),
                ("MultiPV", "3"),
            ];
            let (reports, answer) = go(&options, "", &limits);
            let infos = infos(&reports);
            let context = format!("{algorithm} {limits:?}: {infos:#?}");
            let deepest = infos.iter().map(|info| info.depth).max().unwrap();
            let last = infos.iter().rfind(|info| info.multipv == Some(1)).unwrap();
            assert_eq!(last.depth, deepest, "{context}");
            assert_eq!(
                answer.unwrap().best.as_ref(),
                last.line.first(),
                "{context}"
            );
            let end = infos.last().unwrap();
            stopped_between_ranks += u32::from(end.multipv > Some(1) && end.depth < deepest);
        }
    }
    assert!(stopped_between_ranks > 10, "{stopped_between_ranks}");
}

#[test]
fn reports_and_skips_illegal_searchmoves() {
    let search_moves = |moves: &[&str]| {
        let limits = Limits {
            depth: Some(2),
            search_moves: (0..)
                .map(|index| 10 * index)
                .zip(moves.iter().map(ToString::to_string))
                .collect(),
            ..Limits::default()
        };
        let (reports, answer) = go(&[], "", &limits);
        let error = |report| match report {
            Report::Error(error) => Some(error),
            _ => None,
        };
        (
            reports.into_iter().filter_map(error).collect::<Vec<_>>(),
            answer,
        )
    };
    let (errors, answer) = search_moves(&["a1", "c1", "b3c3", "zz", "c1"]);
    assert_eq!(answer.unwrap().best.as_deref(), Some("c1"));
    assert_eq!(
        errors,
        [
            "column 1: 'a1' is not legal here",
            "column 21: 'b3c3' is not legal here",
            "column 31: 'zz' is not a move such as c1 or b3c3",
        ]
    );
    let (errors, answer) = search_moves(&["a1"]);
    assert_eq!(errors.len(), 1);
    assert_eq!(
        answer.unwrap_err().0,
        "none of the searchmoves is legal here"
    );
}

#[test]
fn warns_once_of_more_threads_than_processors() {
    let thread_warnings = |variant: &str, threads: &str| {
        let options = [
            ("UCI_Variant", variant),
            ("Threads", threads),
            ("Hash", "1"),
        ];
        let (reports, _) = go(&options, "", &Limits::depth(7));
        let is_about_threads =
            |report: &&Report| matches!(report, Report::Text(text) if text.contains("threads"));
        reports.iter().filter(is_about_threads).count()
    };
    let processors = std::thread::available_parallelism().unwrap().get();
    for variant in ["aadu-puli", "15-puzzle"] {
        assert_eq!(thread_warnings(variant, "1"), 0);
        assert_eq!(thread_warnings(variant, &(processors + 1).to_string()), 1);
    }
}
