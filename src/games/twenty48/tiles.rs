//! The random tiles that appear after slides.

use super::board::{Board, Cells};
use crate::random::Random;

/// Adds a random tile: 2 with probability 0.9, 4 with probability 0.1, on any empty cell with equal probability.
///
/// `cells` has the lowest bit of each four-bit cell of the board set, as returned by [`Slides::cells`].
///
/// [`Slides::cells`]: super::board::Slides::cells
///
/// # Panics
/// If no cell is empty.
#[inline]
#[must_use]
pub fn add_random(board: Board, cells: u64, random: &mut Random) -> Board {
    let mut empty = board.empty() & cells;
    // Clears a random number of bits, so that the lowest remaining bit is a random empty cell.
    for _ in 0..random.u32(0..empty.count_ones()) {
        empty &= empty - 1;
    }
    let power = if random.u32(0..10) == 0 { 2 } else { 1 };
    Board {
        low: Cells(board.low.0 | (empty & empty.wrapping_neg()) * power),
        ..board
    }
}

/// Returns a random start board with two tiles. `cells` is as in [`add_random`].
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
        let mut counts = [[0u32; 3]; 16];
        let draws = 120_000;
        for _ in 0..draws {
            let added = add_random(board, u64::MAX, &mut random).low.0 ^ board.low.0;
            let cell = added.trailing_zeros() as usize / 4;
            counts[cell][(added >> (4 * cell)) as usize] += 1;
        }
        for (cell, counts) in counts.into_iter().enumerate() {
            let expected = if board.power(cell) == 0 {
                draws as f64 / 11.0
            } else {
                0.0
            };
            // The tolerance is five standard deviations.
            let is_near = |count: u32, expected: f64| {
                (f64::from(count) - expected).abs() <= 5.0 * expected.sqrt()
            };
            assert!(
                is_near(counts[1], expected * 0.9) && is_near(counts[2], expected * 0.1),
                "cell {cell}: {counts:?}"
            );
        }
    }
}
