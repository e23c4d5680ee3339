//! The referee: a plain solver over the game's own rules that keeps every position and its moves, for boards with few
//! goats, where the fast analysis must agree on every position, value and distance.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;

use rayon::prelude::*;

use super::layer::{BYTES_INSIDE, Layer, Scope};
use super::rank::Ranking;
use super::turn::TigerMove;
use super::{movement, placement};
use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL, Board, Points};
use crate::games::hunt::{Hunt, Move, Position};
use crate::oracle::Verdict;
use crate::rules::{Game, Outcome, Rules};
use crate::value::Side;

/// Every position with some goats placed, captured or in hand, and its value.
fn solve_plainly(game: Hunt) -> impl Iterator<Item = (Position, Verdict)> {
    let board = game.board;
    let mut positions = Vec::new();
    for tigers in 0..(1 as Points) << board.points {
        if tigers.count_ones() == board.tigers.count_ones() {
            collect(board, tigers, 0, 0, &mut positions);
        }
    }
    let verdicts = plain_induction(&game, &positions);
    positions.into_iter().zip(verdicts)
}

/// The values of positions among which are all their successors, by plain backward induction: after round `n` all wins
/// within `n` plies are known.
fn plain_induction(game: &Hunt, positions: &[Position]) -> Vec<Verdict> {
    let numbers: HashMap<Position, u32> = positions.iter().copied().zip(0..).collect();
    let successors: Vec<Box<[u32]>> = positions
        .par_iter()
        .map(|position| {
            let mut moves = Vec::new();
            if game.outcome(position).is_none() {
                game.moves(position, &mut moves);
            }
            let number = |&m: &Move| numbers[&game.play(position, m)];
            moves.iter().map(number).collect()
        })
        .collect();
    drop(numbers);
    let mut known = vec![Verdict::DRAW; positions.len()];
    let mut unknown: Vec<usize> = (0..positions.len()).collect();
    for plies in 0.. {
        let found: Vec<Option<Side>> = unknown
            .par_iter()
            .map(|&index| match plies {
                0 => game.outcome(&positions[index]).and_then(Outcome::winner),
                _ => winner_by_now(game.side(&positions[index]), &successors[index], &known),
            })
            .collect();
        for (&index, winner) in unknown.iter().zip(&found) {
            known[index] = Verdict(winner.map(|winner| (winner, plies)));
        }
        let before = unknown.len();
        let mut winners = found.iter();
        unknown.retain(|_| winners.next().is_some_and(Option::is_none));
        if unknown.len() == before && plies > 0 {
            break;
        }
    }
    known
}

/// Who wins where `side` is to move, as far as that is known of the successors; in decided positions there are none.
fn winner_by_now(side: Side, successors: &[u32], known: &[Verdict]) -> Option<Side> {
    let mut all_lost = !successors.is_empty();
    for &successor in successors {
        match known[successor as usize].0 {
            Some((winner, _)) if winner == side => return Some(side),
            winner => all_lost &= winner.is_some(),
        }
    }
    all_lost.then_some(side.other())
}

/// All sets of at most as many goats as there are on points from `from` on, with every number in hand.
fn collect(
    board: &Board,
    tigers: Points,
    goats: Points,
    from: usize,
    positions: &mut Vec<Position>,
) {
    for hand in 0..=board.goats - goats.count_ones() {
        for tigers_to_move in [false, true] {
            positions.push(Position {
                tigers_hand: 0,
                tigers,
                goats,
                hand: hand as u8,
                tigers_to_move,
            });
        }
    }
    if goats.count_ones() < board.goats {
        for point in from..board.points {
            if tigers >> point & 1 == 0 {
                collect(board, tigers, goats | 1 << point, point + 1, positions);
            }
        }
    }
}

/// The layers of the whole game: `[goats to move, tigers to move]` by goats in hand.
fn solve_fast(ranking: &Ranking, scope: &Scope) -> Vec<[Layer; 2]> {
    let mut layers = vec![movement::solve(ranking, scope, &|_, _, _| ()).unwrap()];
    let done = AtomicU64::new(0);
    let moves = TigerMove::of_every_set(ranking, BYTES_INSIDE);
    for hand in 1..=scope.goats {
        let below = &layers[layers.len() - 1][1];
        let goats = placement::goats_to_move(ranking, scope, hand, below, &done).unwrap();
        let tigers = placement::tigers_to_move(ranking, &moves, &goats, &done).unwrap();
        layers.push([goats, tigers]);
    }
    layers
}

fn agrees(board: &'static Board, goats: u32) {
    let board: &'static Board = board.with_goats(goats);
    let game = Hunt::new(board);
    let scope = Scope { board, goats };
    let ranking = Ranking::new(board);
    let layers = solve_fast(&ranking, &scope);
    let mut compared = 0;
    for (position, verdict) in solve_plainly(game) {
        let hand = u32::from(position.hand);
        let arising = scope.arising(hand, position.tigers_to_move);
        if !arising.contains(&position.goats.count_ones()) {
            continue;
        }
        let layer = &layers[hand as usize][usize::from(position.tigers_to_move)];
        let (set, number) = ranking.locate(position.tigers, position.goats);
        let value = layer.value(set, number).unwrap();
        let fast = Verdict::of(value, position.tigers_to_move);
        assert_eq!(fast, verdict, "{position:?}");
        compared += 1;
    }
    assert!(compared > 10_000);
}

#[test]
fn the_fast_analysis_agrees_with_the_plain_one_on_every_position_with_one_goat() {
    agrees(&AADU_PULI, 1);
    agrees(&BAGH_CHAL, 1);
}

#[test]
fn the_fast_analysis_agrees_with_the_plain_one_on_every_position_with_two_goats() {
    agrees(&AADU_PULI, 2);
}

#[test]
#[ignore = "minutes, and gigabytes of memory"]
fn the_fast_analysis_agrees_with_the_plain_one_on_every_position_of_aadu_puli_with_up_to_four_goats()
 {
    agrees(&AADU_PULI, 3);
    agrees(&AADU_PULI, 4);
}

#[test]
#[ignore = "minutes, and gigabytes of memory"]
fn the_fast_analysis_agrees_with_the_plain_one_on_every_position_of_bagh_chal_with_up_to_three_goats()
 {
    agrees(&BAGH_CHAL, 2);
    agrees(&BAGH_CHAL, 3);
}
