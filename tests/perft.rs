//! The move generators give the numbers of positions that are known of every game.
//!
//! The numbers stand in `perft/*.txt`: `startpos` or `fen …`, then a row for each depth with its leaves.

use std::sync::Arc;
use std::time::Duration;

use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Engine, Report, Setup, Spanned};
use puli::games::hunt::{Hunt, board};
use puli::games::mnk::{Large, Small};
use puli::games::tree::Tree;
use puli::games::twenty48::Twenty48;
use puli::rules::Notation;
use puli::search::perft::perft;
use puli::settings::Settings;

/// Up to so many leaves are also played one by one.
const MOST_PLAYED: u64 = 4_000_000;

#[test]
fn aadu_puli() {
    let board = &board::AADU_PULI;
    agrees(&Hunt::new(board), include_str!("perft/aadu-puli.txt"));
}

#[test]
fn bagh_chal() {
    let board = &board::BAGH_CHAL;
    agrees(&Hunt::new(board), include_str!("perft/bagh-chal.txt"));
}

#[test]
fn tic_tac_toe_in_both_sizes() {
    let numbers = include_str!("perft/tic-tac-toe.txt");
    agrees(&Small::default(), numbers);
    agrees(&Large::new(3, 3, 3), numbers);
}

#[test]
fn large_boards() {
    let numbers = include_str!("perft/large-boards.txt");
    agrees(&Large::new(3, 3, 3), numbers);
}

#[test]
fn twenty48() {
    agrees(&Twenty48::new(4, 4, None), include_str!("perft/2048.txt"));
}

#[test]
fn trees() {
    agrees(&Tree::default(), include_str!("perft/tree.txt"));
}

/// Lines of play that are longer than any game are none, which takes no search of all games to know.
#[test]
fn past_the_end_of_every_game_the_count_is_over_at_once() {
    for (variant, fen) in [
        ("tic-tac-toe", "4 4 4 4/4/4/4 x 1"),
        ("2048", "0,0/0,0 t 0"),
        ("tree", "[[3,17],[2,12]]"),
    ] {
        let mut engine = engine(variant, fen);
        let mut lines = Vec::new();
        let mut control = Control::unlimited();
        engine.perft(255, &mut control, &mut |report| lines.push(report));
        assert_eq!(lines.last(), Some(&Report::AllLeaves(0)), "{variant}");
        assert!(lines.len() > 2, "{variant}: a line for every move");
    }
}

#[test]
fn a_count_that_finds_nothing_can_be_stopped() {
    for (variant, fen, depth) in [
        ("tic-tac-toe", "4 4 4 4/4/4/4 x 1", 16),
        ("2048", "0,0/0,0 t 0", 60),
        ("15-puzzle", "0,1/2,3", 200),
    ] {
        let mut engine = engine(variant, fen);
        let mut lines = Vec::new();
        let budget = Budget {
            soft: None,
            hard: Some(Duration::from_millis(5)),
        };
        let mut control = Control::new(&Limits::default(), budget, Arc::default());
        engine.perft(depth, &mut control, &mut |report| lines.push(report));
        let stopped = Report::Text("perft was stopped before its end".into());
        assert_eq!(lines, [stopped], "{variant}");
    }
}

fn engine(variant: &str, fen: &str) -> Box<dyn Engine> {
    let settings = Settings {
        variant: catalog::find(variant).expect("a variant"),
        ..Settings::default()
    };
    let mut engine = catalog::build(&settings).expect("an engine");
    let fen = Spanned {
        offset: 0,
        text: fen.into(),
    };
    engine.set(&Setup::Fen(fen), &[]).expect("a good FEN");
    engine
}

/// All numbers of a file are right, by counting the last ply, and by playing it where that does not take long.
fn agrees<G: Notation>(home: &G, numbers: &str) {
    let mut set = None;
    let mut rows = 0;
    for line in numbers.lines() {
        match line.split_once(' ') {
            _ if line.is_empty() || line.starts_with('#') => (),
            _ if line == "startpos" => set = Some((home.clone(), home.start())),
            Some(("fen", fen)) => set = Some(home.read_position(fen).expect("a good FEN")),
            Some((depth, leaves)) => {
                let (game, position) = set.as_ref().expect("a position before its rows");
                let (depth, leaves) = (number(depth), number(leaves));
                let counted = perft(game, position, depth as u32, &mut Control::unlimited());
                assert_eq!(counted, Ok(leaves), "depth {depth}");
                if leaves <= MOST_PLAYED {
                    assert_eq!(played(game, position, depth), leaves, "depth {depth}");
                }
                rows += 1;
            }
            None => panic!("'{line}' is neither a position nor a row"),
        }
    }
    assert!(rows > 0);
}

fn number(word: &str) -> u64 {
    word.parse().expect("a number")
}

/// The slow and obvious count.
fn played<G: Notation>(game: &G, position: &G::Position, depth: u64) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let children = moves.iter().map(|&m| game.play(position, m));
    children.map(|child| played(game, &child, depth - 1)).sum()
}
