//! Tests the principal variation search (`pvs`). Its optimizations, such as static pruning, must not change the value
//! and the best move at any depth: they must equal those of plain alpha-beta.

use std::sync::Arc;

use crate::support::random_evaluation::RandomEvaluation;
use crate::support::{SplitMix, proptest_config, random_path};
use proptest::prelude::*;
use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Engine, Info, LocatedText, Report, Setup};
use puli::games::hunt::{Board, Evaluation, Hunt, Position, board};
use puli::games::mnk::{Large, Nilsson, Small};
use puli::path::Path;
use puli::rules::{Game, Notation, Rules};
use puli::search::{EvaluatorOnly, Root, Search, SearchResult, Tactics, algorithms};
use puli::settings::{Algorithm, Settings};
use puli::value::{Score, Side};

/// Returns a search with `algorithm` and a transposition table of 1 MiB, which it uses if `memory` is `true`.
fn search<G: Game>(
    tactics: &impl Tactics<G>,
    algorithm: Algorithm,
    memory: bool,
) -> Box<dyn Search<G>> {
    let settings = Settings {
        algorithm,
        memory,
        hash: 1,
        ..Settings::default()
    };
    algorithms::build(&settings, tactics.clone())
        .unwrap()
        .unwrap()
}

/// Searches the last position of `path` to depth `depth`.
fn run<G: Game>(
    search: &mut dyn Search<G>,
    game: &G,
    path: &Path<G>,
    depth: u32,
) -> SearchResult<G::Move> {
    let mut root = Root::new(game, path.clone(), 0);
    let control = &mut Control::unlimited();
    search
        .run(game, &mut root, depth, control, &mut |_, _| {})
        .unwrap()
}

/// Returns a random game of at most 9 plies from a random position with `in_hand` goats in hand.
fn random_hunt(board: &'static Board, seed: u64, in_hand: usize) -> Path<Hunt> {
    let game = Hunt::new(board);
    let mut rng = SplitMix::new(seed);
    let mut points: Vec<usize> = (0..board.points).collect();
    let mut take_points = |count: usize, rng: &mut SplitMix| {
        (0..count)
            .map(|_| 1 << points.swap_remove(rng.below(points.len())))
            .sum()
    };
    let tigers = take_points(board.tigers.count_ones() as usize, &mut rng);
    let on_board = rng.below(board.goats as usize - in_hand + 1).max(1);
    let goats = take_points(on_board, &mut rng);
    let start = Position {
        tigers,
        goats,
        hand: in_hand as u8,
        tigers_to_move: rng.below(2) == 1,
        ..Position::default()
    };
    random_path(&game, start, rng.below(10), seed)
}

/// Compares the value and the best move of `pvs` with those of alpha-beta without static pruning, at every depth from
/// 1 to `depth`. The principal variation must be legal.
fn check_against_alpha_beta<G: Game + Notation>(
    game: &G,
    tactics: &impl Tactics<G>,
    path: &Path<G>,
    depth: u32,
) {
    if path.moves(game).is_empty() {
        return;
    }
    let mut pvs = search(tactics, Algorithm::Pvs, true);
    let mut alpha_beta = search(tactics, Algorithm::AlphaBeta, false);
    for depth in 1..=depth {
        let actual = run(pvs.as_mut(), game, path, depth);
        let expected = run(alpha_beta.as_mut(), game, path, depth);
        let context = format!(
            "depth {depth}: {} {:?}",
            game.show_position(path.position()),
            path.len()
        );
        assert_eq!(actual.score, expected.score, "{context}");
        assert_eq!(actual.line[0], expected.line[0], "{context}");
        let mut line_path = path.clone();
        for &m in &actual.line {
            assert!(
                line_path.moves(game).contains(&m),
                "{context}: {:?}",
                actual.line
            );
            line_path.push(game, game.play(line_path.position(), m));
        }
    }
}

/// Searches the position after `moves` to depth `depth`. Returns the nodes and the principal variation of every
/// iteration.
fn iteration_lines(engine: &mut dyn Engine, moves: &[&str], depth: u32) -> Vec<(u64, Vec<String>)> {
    let moves = moves.iter().map(|m| LocatedText {
        offset: 0,
        text: (*m).into(),
    });
    engine
        .set(&Setup::Start, &moves.collect::<Vec<_>>())
        .unwrap();
    let iterations = iterations(engine, depth).into_iter();
    iterations.map(|info| (info.nodes, info.line)).collect()
}

/// Searches to depth `depth`. Returns the last report of every iteration, because a long iteration reports several
/// times.
fn iterations(engine: &mut dyn Engine, depth: u32) -> Vec<Info> {
    let limits = Limits::depth(depth);
    let mut control = Control::new(&limits, Budget::default(), Arc::default());
    let mut infos: Vec<Info> = Vec::new();
    let mut report = |report| {
        if let Report::Info(info) = report {
            infos.pop_if(|before| before.depth == info.depth);
            infos.push(info);
        }
    };
    engine.go(&limits, &mut control, &mut report).unwrap();
    infos
}

fn engine(threads: u32) -> Box<dyn Engine> {
    let settings = Settings {
        algorithm: Algorithm::Pvs,
        hash: 16,
        threads,
        ..Settings::default()
    };
    catalog::build(&settings).unwrap()
}

#[test]
fn equal_searches_take_equal_nodes_after_new_game() {
    let mut engine = engine(1);
    let first = iteration_lines(engine.as_mut(), &[], 10);
    engine.clear();
    assert_eq!(iteration_lines(engine.as_mut(), &[], 10), first);
}

/// Searches to depth `depth` and returns the depths of the reported iterations.
fn depths(engine: &mut dyn Engine, depth: u32) -> Vec<u32> {
    let iterations = iterations(engine, depth).into_iter();
    iterations.map(|info| info.depth).collect()
}

#[test]
fn repeated_search_continues_from_stored_results() {
    let mut engine = engine(1);
    let first = iteration_lines(engine.as_mut(), &[], 11).pop().unwrap();
    let second = iteration_lines(engine.as_mut(), &[], 11);
    // The second search first reports the results that are stored in the transposition table, without visiting a node.
    let last = second.len() - 1;
    assert!(second[..last].iter().all(|(nodes, _)| *nodes == 0));
    assert_eq!(second[last].1[0], first.1[0]);
    assert!(
        second[last].0 * 4 < first.0,
        "{} after {}",
        second[last].0,
        first.0
    );
    // The results of all smaller depths are stored, too. For another position, and after `clear`, nothing is stored.
    assert_eq!(depths(engine.as_mut(), 3), [1, 2, 3]);
    assert_eq!(depths(engine.as_mut(), 5), [1, 2, 3, 4, 5]);
    assert!(iteration_lines(engine.as_mut(), &["c1"], 4)[0].0 > 0);
    iteration_lines(engine.as_mut(), &[], 3);
    engine.clear();
    assert!(iteration_lines(engine.as_mut(), &[], 2)[0].0 > 0);
}

#[test]
fn textbook_search_always_starts_at_depth_one() {
    let settings = Settings {
        algorithm: Algorithm::AlphaBeta,
        ..Settings::default()
    };
    let mut engine = catalog::build(&settings).unwrap();
    assert_eq!(depths(engine.as_mut(), 4), [1, 2, 3, 4]);
    assert_eq!(depths(engine.as_mut(), 4), [1, 2, 3, 4]);
}

#[test]
fn skips_iteration_before_deep_last_one() {
    let expected: Vec<u32> = (1..=14).filter(|&depth| depth != 13).collect();
    assert_eq!(depths(engine(1).as_mut(), 14), expected);
    assert_eq!(depths(engine(1).as_mut(), 12), (1..=12).collect::<Vec<_>>());
}

#[test]
fn search_after_two_moves_reuses_stored_results() {
    let mut engine = engine(1);
    let line = iteration_lines(engine.as_mut(), &[], 10).pop().unwrap().1;
    let played: Vec<&str> = line[..2].iter().map(String::as_str).collect();
    let warm = iteration_lines(engine.as_mut(), &played, 8)
        .pop()
        .unwrap()
        .0;
    engine.clear();
    let cold = iteration_lines(engine.as_mut(), &played, 8)
        .pop()
        .unwrap()
        .0;
    assert!(warm * 4 < cold * 3, "warm {warm}, cold {cold}");
}

/// Searches an m,n,k position without limits until it is solved. Returns the last score.
fn final_score(fen: &str) -> Score {
    let settings = Settings {
        variant: "tic-tac-toe",
        hash: 16,
        ..Settings::default()
    };
    let mut engine = catalog::build(&settings).unwrap();
    let fen = LocatedText {
        offset: 0,
        text: fen.into(),
    };
    engine.set(&Setup::Fen(fen), &[]).unwrap();
    let mut score = None;
    let mut report = |report| {
        if let Report::Info(info) = report {
            score = Some(info.score);
        }
    };
    let control = &mut Control::unlimited();
    engine.go(&Limits::default(), control, &mut report).unwrap();
    score.unwrap()
}

#[test]
fn solves_small_empty_boards() {
    assert_eq!(final_score("3 3 3 3/3/3 x 1"), Score::Points(0.0));
    assert_eq!(final_score("4 4 4 4/4/4/4 x 1"), Score::Points(0.0));
    assert_eq!(final_score("4 3 3 3/3/3/3 x 1"), Score::Win(Side::P1, 7));
    let after_center_move = "4 3 3 3/1X1/3/3 o 2";
    assert_eq!(final_score(after_center_move), Score::Win(Side::P2, 6));
}

#[test]
#[ignore = "takes half a minute on a busy machine"]
fn solves_larger_empty_boards() {
    assert_eq!(final_score("5 5 4 5/5/5/5/5 x 1"), Score::Points(0.0));
    assert!(matches!(
        final_score("6 5 4 5/5/5/5/5/5 x 1"),
        Score::Win(Side::P1, _)
    ));
}

#[test]
fn two_threads_give_the_results_of_one() {
    let values = |threads| {
        let settings = Settings {
            algorithm: Algorithm::Pvs,
            hash: 16,
            threads,
            ..Settings::default()
        };
        let mut search = algorithms::build(&settings, Evaluation::Reference)
            .unwrap()
            .unwrap();
        let game = Hunt::new(&board::AADU_PULI);
        let path = Path::new(game.start());
        (1..=12)
            .map(|depth| {
                let actual = run(search.as_mut(), &game, &path, depth);
                (actual.score, actual.line[0])
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(values(2), values(1));
}

proptest! {
    #![proptest_config(proptest_config(300))]

    #[test]
    fn static_pruning_keeps_results(seed: u64, in_hand in 0..13_usize, bagh_chal: bool) {
        let board = if bagh_chal { &*board::BAGH_CHAL } else { &*board::AADU_PULI };
        check_against_alpha_beta(&Hunt::new(board), &Evaluation::Reference, &random_hunt(board, seed, in_hand), 5);
    }

    #[test]
    fn static_pruning_keeps_results_if_positions_repeat(seed: u64) {
        let board = &*board::AADU_PULI;
        check_against_alpha_beta(&Hunt::new(board), &Evaluation::Reference, &random_hunt(board, seed, 0), 6);
    }

    #[test]
    fn static_pruning_keeps_results_of_default_evaluator(seed: u64, in_hand in 0..13_usize, bagh_chal: bool) {
        let board = if bagh_chal { &*board::BAGH_CHAL } else { &*board::AADU_PULI };
        let default_evaluator = Evaluation::default_evaluator(board);
        check_against_alpha_beta(&Hunt::new(board), &default_evaluator, &random_hunt(board, seed, in_hand), 4);
    }

    #[test]
    fn static_pruning_keeps_results_of_curves(seed: u64, in_hand in 0..13_usize, bagh_chal: bool) {
        let board = if bagh_chal { &*board::BAGH_CHAL } else { &*board::AADU_PULI };
        let curve = Evaluation::log_odds(board);
        check_against_alpha_beta(&Hunt::new(board), &curve, &random_hunt(board, seed, in_hand), 5);
    }

    #[test]
    fn static_pruning_keeps_results_on_mnk_boards(seed: u64, rows in 1..=5_usize, columns in 1..=5_usize, length in 1..=5_usize, plies in 0..16_usize) {
        let small = Small::new(rows, columns, length);
        check_against_alpha_beta(&small, &Nilsson::Reference, &random_path(&small, small.start(), plies, seed), 5);
        let large = Large::new(rows, columns, length);
        check_against_alpha_beta(&large, &Nilsson::Reference, &random_path(&large, large.start(), plies, seed), 3);
    }

    #[test]
    fn agrees_with_alpha_beta_without_static_pruning(seed: u64, in_hand in 0..4_usize, range in 0..6_u32) {
        let path = random_hunt(&board::AADU_PULI, seed, in_hand);
        let game = Hunt::new(&board::AADU_PULI);
        let path = random_path(&game, *path.position(), 4, seed);
        check_against_alpha_beta(&game, &EvaluatorOnly(RandomEvaluation { seed, range }), &path, 4);
    }
}
