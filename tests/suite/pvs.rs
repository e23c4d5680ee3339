//! What makes the tuned search fast must not change what it finds: with the games' own evaluations, on which its
//! shortcuts rest, it is minimax at every depth.

use std::sync::Arc;

use crate::support::random_evaluation::RandomEvaluation;
use crate::support::{Dice, random_path};
use proptest::prelude::*;
use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Engine, Info, Report, Setup, Spanned};
use puli::games::hunt::{Board, Evaluation, Hunt, Position, board};
use puli::games::mnk::{Large, Nilsson, Small};
use puli::path::Path;
use puli::rules::{Game, Notation, Rules};
use puli::search::{EvaluatorOnly, Root, Search, SearchResult, Tactics, algorithms};
use puli::settings::{Algorithm, Settings};
use puli::value::{Score, Side};

/// A search with this algorithm and its memory, in a table of one MiB.
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

/// A position of a hunt game after a random opening, or one with everybody thrown on the board.
fn random_hunt(board: &'static Board, seed: u64, in_hand: usize) -> Path<Hunt> {
    let game = Hunt::new(board);
    let mut dice = Dice::new(seed);
    let mut points: Vec<usize> = (0..board.points).collect();
    let mut draw = |count: usize, dice: &mut Dice| {
        (0..count)
            .map(|_| 1 << points.swap_remove(dice.below(points.len())))
            .sum()
    };
    let tigers = draw(board.tigers.count_ones() as usize, &mut dice);
    let on_board = dice.below(board.goats as usize - in_hand + 1).max(1);
    let goats = draw(on_board, &mut dice);
    let start = Position {
        tigers_hand: 0,
        tigers,
        goats,
        hand: in_hand as u8,
        tigers_to_move: dice.below(2) == 1,
    };
    random_path(&game, start, dice.below(10), seed)
}

/// Compares value and best move, iteration by iteration, with those of plain alpha-beta, which knows no shortcut.
fn agrees<G: Game + Notation>(game: &G, tactics: &impl Tactics<G>, path: &Path<G>, depth: u32) {
    if path.moves(game).is_empty() {
        return;
    }
    let mut tuned = search(tactics, Algorithm::Pvs, true);
    let mut plain = search(tactics, Algorithm::AlphaBeta, false);
    for depth in 1..=depth {
        let found = run(tuned.as_mut(), game, path, depth);
        let expected = run(plain.as_mut(), game, path, depth);
        let context = format!(
            "depth {depth}: {} {:?}",
            game.show_position(path.position()),
            path.len()
        );
        assert_eq!(found.score, expected.score, "{context}");
        assert_eq!(found.line[0], expected.line[0], "{context}");
        let mut way = path.clone();
        for &m in &found.line {
            assert!(way.moves(game).contains(&m), "{context}: {:?}", found.line);
            way.push(game, game.play(way.position(), m));
        }
    }
}

/// The nodes and lines of a `go depth` at the position after these moves, iteration by iteration.
fn searched(engine: &mut dyn Engine, moves: &[&str], depth: u32) -> Vec<(u64, Vec<String>)> {
    let moves = moves.iter().map(|m| Spanned {
        offset: 0,
        text: (*m).into(),
    });
    engine
        .set(&Setup::Start, &moves.collect::<Vec<_>>())
        .unwrap();
    let iterations = iterations(engine, depth).into_iter();
    iterations.map(|info| (info.nodes, info.line)).collect()
}

/// What a search told of each iteration last: of one that takes long it tells on the way too.
fn iterations(engine: &mut dyn Engine, depth: u32) -> Vec<Info> {
    let limits = Limits::depth(depth);
    let mut control = Control::new(&limits, Budget::default(), Arc::default());
    let mut told: Vec<Info> = Vec::new();
    let mut report = |report| {
        if let Report::Info(info) = report {
            told.pop_if(|before| before.depth == info.depth);
            told.push(info);
        }
    };
    engine.go(&limits, &mut control, &mut report).unwrap();
    told
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
fn the_same_search_takes_the_same_nodes_after_a_new_game_begins() {
    let mut engine = engine(1);
    let once = searched(engine.as_mut(), &[], 10);
    engine.clear();
    assert_eq!(searched(engine.as_mut(), &[], 10), once);
}

/// The depths that a search told of.
fn depths(engine: &mut dyn Engine, depth: u32) -> Vec<u32> {
    let iterations = iterations(engine, depth).into_iter();
    iterations.map(|info| info.depth).collect()
}

#[test]
fn asked_again_it_goes_on_where_it_was() {
    let mut engine = engine(1);
    let first = searched(engine.as_mut(), &[], 11).pop().unwrap();
    let again = searched(engine.as_mut(), &[], 11);
    // It tells what it knows before it goes on.
    let last = again.len() - 1;
    assert!(again[..last].iter().all(|(nodes, _)| *nodes == 0));
    assert_eq!(again[last].1[0], first.1[0]);
    assert!(
        again[last].0 * 4 < first.0,
        "{} after {}",
        again[last].0,
        first.0
    );
    // Less deep or deeper all are told of as well; elsewhere nothing is known.
    assert_eq!(depths(engine.as_mut(), 3), [1, 2, 3]);
    assert_eq!(depths(engine.as_mut(), 5), [1, 2, 3, 4, 5]);
    assert!(searched(engine.as_mut(), &["c1"], 4)[0].0 > 0);
    searched(engine.as_mut(), &[], 3);
    engine.clear();
    assert!(searched(engine.as_mut(), &[], 2)[0].0 > 0);
}

#[test]
fn a_textbooks_search_begins_anew_whatever_it_remembers() {
    let settings = Settings {
        algorithm: Algorithm::AlphaBeta,
        ..Settings::default()
    };
    let mut engine = catalog::build(&settings).unwrap();
    assert_eq!(depths(engine.as_mut(), 4), [1, 2, 3, 4]);
    assert_eq!(depths(engine.as_mut(), 4), [1, 2, 3, 4]);
}

#[test]
fn the_iteration_before_a_late_last_one_is_left_out() {
    let expected: Vec<u32> = (1..=14).filter(|&depth| depth != 13).collect();
    assert_eq!(depths(engine(1).as_mut(), 14), expected);
    assert_eq!(depths(engine(1).as_mut(), 12), (1..=12).collect::<Vec<_>>());
}

#[test]
fn the_next_move_of_a_game_starts_from_what_the_last_one_learned() {
    let mut engine = engine(1);
    let line = searched(engine.as_mut(), &[], 10).pop().unwrap().1;
    let after: Vec<&str> = line[..2].iter().map(String::as_str).collect();
    let warm = searched(engine.as_mut(), &after, 8).pop().unwrap().0;
    engine.clear();
    let cold = searched(engine.as_mut(), &after, 8).pop().unwrap().0;
    assert!(warm * 4 < cold * 3, "warm {warm}, cold {cold}");
}

/// What `go` without any limit finds before it ends by itself.
fn decided(fen: &str) -> Score {
    let settings = Settings {
        variant: "tic-tac-toe",
        hash: 16,
        ..Settings::default()
    };
    let mut engine = catalog::build(&settings).unwrap();
    let fen = Spanned {
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
fn small_boards_are_decided_from_the_empty_board() {
    assert_eq!(decided("3 3 3 3/3/3 x 1"), Score::Points(0.0));
    assert_eq!(decided("4 4 4 4/4/4/4 x 1"), Score::Points(0.0));
    assert_eq!(decided("4 3 3 3/3/3/3 x 1"), Score::Win(Side::P1, 7));
    let after_the_centre = "4 3 3 3/1X1/3/3 o 2";
    assert_eq!(decided(after_the_centre), Score::Win(Side::P2, 6));
}

#[test]
#[ignore = "half a minute where the machine is busy"]
fn larger_boards_are_decided_from_the_empty_board() {
    assert_eq!(decided("5 5 4 5/5/5/5/5 x 1"), Score::Points(0.0));
    assert!(matches!(
        decided("6 5 4 5/5/5/5/5/5 x 1"),
        Score::Win(Side::P1, _)
    ));
}

#[test]
fn two_threads_find_what_one_finds() {
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
                let found = run(search.as_mut(), &game, &path, depth);
                (found.score, found.line[0])
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(values(2), values(1));
}

/// Hundreds by default; `PROPTEST_CASES` asks for more.
fn cases(count: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig {
        cases: if asked { default.cases } else { count },
        failure_persistence: None,
        ..default
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn shortcuts_do_not_change_what_is_found(seed: u64, in_hand in 0..13_usize, bagh_chal: bool) {
        let board = if bagh_chal { &*board::BAGH_CHAL } else { &*board::AADU_PULI };
        agrees(&Hunt::new(board), &Evaluation::Reference, &random_hunt(board, seed, in_hand), 5);
    }

    #[test]
    fn shortcuts_do_not_change_what_is_found_where_positions_repeat(seed: u64) {
        let board = &*board::AADU_PULI;
        agrees(&Hunt::new(board), &Evaluation::Reference, &random_hunt(board, seed, 0), 6);
    }

    #[test]
    fn nor_do_they_with_the_champions_evaluation(seed: u64, in_hand in 0..13_usize, bagh_chal: bool) {
        let board = if bagh_chal { &*board::BAGH_CHAL } else { &*board::AADU_PULI };
        let champion = Evaluation::default_evaluator(board).unwrap();
        agrees(&Hunt::new(board), &champion, &random_hunt(board, seed, in_hand), 4);
    }

    #[test]
    fn shortcuts_do_not_change_what_is_found_on_mnk_boards(seed: u64, rows in 1..=5_usize, columns in 1..=5_usize, length in 1..=5_usize, plies in 0..16_usize) {
        let small = Small::new(rows, columns, length);
        agrees(&small, &Nilsson, &random_path(&small, small.start(), plies, seed), 5);
        let large = Large::new(rows, columns, length);
        agrees(&large, &Nilsson, &random_path(&large, large.start(), plies, seed), 3);
    }

    #[test]
    fn a_game_that_offers_no_shortcut_needs_none(seed: u64, in_hand in 0..4_usize, range in 0..6_u32) {
        let path = random_hunt(&board::AADU_PULI, seed, in_hand);
        let game = Hunt::new(&board::AADU_PULI);
        let path = random_path(&game, *path.position(), 4, seed);
        agrees(&game, &EvaluatorOnly(RandomEvaluation { seed, range }), &path, 4);
    }
}
