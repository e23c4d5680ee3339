//! The move generators give the numbers of positions that are known of every game.
//!
//! The numbers stand in `perft/*.txt`: `startpos` or `fen …`, then a row for each depth with its leaves.

use puli::control::Control;
use puli::games::hunt::{Hunt, board};
use puli::games::mnk::{Large, Small};
use puli::games::tree::Tree;
use puli::games::twenty48::Twenty48;
use puli::rules::Notation;
use puli::search::perft::perft;

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
