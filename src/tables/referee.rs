//! The referee: a plain solver over the game's own rules that keeps every position in a map, for boards with few goats,
//! where the fast analysis must agree on every position, value and distance.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;

use super::layer::{BYTES_INSIDE, Layer, Scope};
use super::rank::Ranking;
use super::turn::TigerMove;
use super::verdict::Verdict;
use super::{movement, placement};
use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL, Board};
use crate::games::hunt::{Hunt, Move, Position};
use crate::rules::{Game, Rules};
use crate::value::Side;

/// The value of every position with some goats placed, captured or in hand, by plain backward induction: after round
/// `n` all wins within `n` plies are known.
fn solve_plainly(game: Hunt) -> HashMap<Position, Verdict> {
    let board = game.board;
    let mut positions = Vec::new();
    for tigers in 0..1_u32 << board.points {
        if tigers.count_ones() == board.tigers.count_ones() {
            collect(board, tigers, 0, 0, &mut positions);
        }
    }
    let mut known: HashMap<Position, Verdict> = HashMap::new();
    let mut moves = Vec::new();
    let mut unknown = positions.clone();
    for plies in 0.. {
        let mut found = Vec::new();
        unknown.retain(|position| {
            let winner = winner_by_now(&game, position, plies, &known, &mut moves);
            found.extend(winner.map(|winner| (*position, winner)));
            winner.is_none()
        });
        if found.is_empty() && plies > 0 {
            break;
        }
        for (position, winner) in found {
            known.insert(position, Verdict(Some((winner, plies))));
        }
    }
    for position in positions {
        known.entry(position).or_insert(Verdict::DRAW);
    }
    known
}

/// Who wins in exactly `plies` plies, all wins in fewer being known.
fn winner_by_now(
    game: &Hunt,
    position: &Position,
    plies: u32,
    known: &HashMap<Position, Verdict>,
    moves: &mut Vec<Move>,
) -> Option<Side> {
    if let Some(outcome) = game.outcome(position) {
        return outcome.winner().filter(|_| plies == 0);
    }
    moves.clear();
    game.moves(position, moves);
    let side = game.side(position);
    let mut all_lost = true;
    for &m in moves.iter() {
        let verdict = known.get(&game.play(position, m));
        let winner = verdict
            .and_then(|verdict| verdict.0)
            .map(|(winner, _)| winner);
        if winner == Some(side) {
            return winner;
        }
        all_lost &= winner.is_some();
    }
    all_lost.then_some(side.other())
}

/// All sets of at most as many goats as there are on points from `from` on, with every number in hand.
fn collect(board: &Board, tigers: u32, goats: u32, from: usize, positions: &mut Vec<Position>) {
    for hand in 0..=board.goats - goats.count_ones() {
        for tigers_to_move in [false, true] {
            positions.push(Position {
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
    let board: &'static Board = Box::leak(Box::new(board.with_goats(goats)));
    let game = Hunt { board };
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
fn the_fast_analysis_agrees_with_the_plain_one_on_every_position_with_up_to_four_goats() {
    for goats in 3..=4 {
        agrees(&AADU_PULI, goats);
    }
    for goats in 2..=3 {
        agrees(&BAGH_CHAL, goats);
    }
}
