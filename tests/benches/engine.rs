//! Micro-benchmarks of the parts of every search: perft, move generation, evaluation and tables.
//!
//! `cargo bench` runs all, and `cargo bench -- perft` only those with `perft` in their names.

use divan::{Bencher, black_box};
use puli::control::Control;
use puli::games::hunt::{Board, Evaluation, Hunt, Position, board};
use puli::games::mnk::{Nilsson, Small};
use puli::rules::{Game, Rules};
use puli::search::Evaluator;
use puli::search::memory::{DirectMappedTable, Memory, TtEntry};
use puli::search::perft::perft as count;
use puli::value::{Bound, Value};

fn main() {
    divan::main();
}

/// Returns at least 1000 positions of random games, the same on every run.
fn positions(board: &'static Board) -> Vec<Position> {
    let game = Hunt::new(board);
    let mut random = fastrand::Rng::with_seed(1);
    let mut positions = Vec::new();
    while positions.len() < 1000 {
        let mut position = game.start();
        for _ in 0..60 {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let Some(&m) = random.choice(&moves) else {
                break;
            };
            if game.outcome(&position).is_none() {
                positions.push(position);
            }
            position = game.play(&position, m);
        }
    }
    positions
}

#[divan::bench]
fn perft_of_aadu_puli() -> u64 {
    let game = Hunt::new(&board::AADU_PULI);
    let leaves = count(
        &game,
        &game.start(),
        black_box(5),
        &mut Control::unlimited(),
    );
    leaves.unwrap_or(0)
}

#[divan::bench]
fn perft_of_tic_tac_toe() -> u64 {
    let game = Small::default();
    let leaves = count(
        &game,
        &game.start(),
        black_box(7),
        &mut Control::unlimited(),
    );
    leaves.unwrap_or(0)
}

#[divan::bench]
fn moves_of_a_thousand_positions(bencher: Bencher) {
    let (game, positions) = (Hunt::new(&board::AADU_PULI), positions(&board::AADU_PULI));
    let mut moves = Vec::new();
    bencher.bench_local(|| {
        for position in &positions {
            moves.clear();
            game.moves(black_box(position), &mut moves);
            black_box(&moves);
        }
    });
}

#[divan::bench(args = [false, true])]
fn evaluation_of_a_thousand_positions(bencher: Bencher, by_default: bool) {
    let (game, positions) = (Hunt::new(&board::AADU_PULI), positions(&board::AADU_PULI));
    let evaluator = if by_default {
        Evaluation::default_evaluator(&board::AADU_PULI)
    } else {
        Evaluation::Reference
    };
    bencher.bench_local(|| {
        let values = positions
            .iter()
            .map(|position| evaluator.evaluate(&game, black_box(position)).0);
        values.map(i64::from).sum::<i64>()
    });
}

#[divan::bench]
fn evaluation_of_tic_tac_toe() -> Value {
    let game = Small::default();
    Nilsson::Reference.evaluate(black_box(&game), &game.start())
}

#[divan::bench]
fn table_of_a_million_entries(bencher: Bencher) {
    let Ok(table) = DirectMappedTable::new(16) else {
        return;
    };
    let entry = TtEntry {
        value: Value::ZERO,
        depth: 3,
        bound: Bound::Exact,
        best: None,
    };
    let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bencher.bench_local(|| {
        for number in 0..500_000 {
            table.put(key(number), entry);
        }
        let found = (0..500_000).filter(|&number| table.get(key(number)).is_some());
        found.count()
    });
}
