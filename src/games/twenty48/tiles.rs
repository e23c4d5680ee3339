//! Random tiles, drawn without bias from a seeded generator. No player knows them in advance.

use super::board::{Board, Cells};
use crate::random::Random;

/// Adds a random tile: 2 with probability 0.9, 4 with probability 0.1, on any empty cell with equal probability.
///
/// `cells` contains the lowest bit of every cell of the board.
///
/// # Panics
/// If no cell is empty.
#[inline]
#[must_use]
pub fn add_random(board: Board, cells: u64, random: &mut Random) -> Board {
    let mut empty = board.empty() & cells;
    for _ in 0..random.u32(0..empty.count_ones()) {
        empty &= empty - 1;
    }
    let power = if random.u32(0..10) == 0 { 2 } else { 1 };
    Board {
        low: Cells(board.low.0 | (empty & empty.wrapping_neg()) * power),
        ..board
    }
}

/// Returns a random start position with two tiles.
pub fn start(cells: u64, random: &mut Random) -> Board {
    let first = add_random(Board::default(), cells, random);
    add_random(first, cells, random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_uniformly_distributed() {
        let board = Board {
            low: Cells(0x0001_0203_0000_4005),
            ..Board::default()
        };
        let mut random = Random::new(1);
        let mut seen = [[0u32; 3]; 16];
        let draws = 120_000;
        for _ in 0..draws {
            let after = add_random(board, u64::MAX, &mut random).low.0 ^ board.low.0;
            let cell = after.trailing_zeros() as usize / 4;
            seen[cell][(after >> (4 * cell)) as usize] += 1;
        }
        for (cell, counts) in seen.into_iter().enumerate() {
            let share = if board.power(cell) == 0 {
                draws as f64 / 11.0
            } else {
                0.0
            };
            // The tolerance is five standard deviations.
            let is_near = |count: u32, expected: f64| {
                (f64::from(count) - expected).abs() <= 5.0 * expected.sqrt()
            };
            assert!(
                is_near(counts[1], share * 0.9) && is_near(counts[2], share * 0.1),
                "cell {cell}: {counts:?}"
            );
        }
    }
}
