//! The tiles that appear: seeded, without bias, and unknown to any player beforehand.

use super::board::{Board, Cells};
use crate::random::Random;

/// Puts a tile on one of the empty cells of a board whose cells have these lowest bits, all equally likely: 2 with
/// 0.9, 4 with 0.1. There must be an empty cell.
#[inline]
#[must_use]
pub fn appear(board: Board, cells: u64, random: &mut Random) -> Board {
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

/// The board at the start of a game: two tiles.
pub fn start(cells: u64, random: &mut Random) -> Board {
    let first = appear(Board::default(), cells, random);
    appear(first, cells, random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_empty_cell_and_both_tiles_get_their_share() {
        let board = Board {
            low: Cells(0x0001_0203_0000_4005),
            ..Board::default()
        };
        let mut random = Random::new(1);
        let mut seen = [[0u32; 3]; 16];
        let draws = 120_000;
        for _ in 0..draws {
            let after = appear(board, u64::MAX, &mut random).low.0 ^ board.low.0;
            let cell = after.trailing_zeros() as usize / 4;
            seen[cell][(after >> (4 * cell)) as usize] += 1;
        }
        for (cell, counts) in seen.into_iter().enumerate() {
            let share = if board.power(cell) == 0 {
                draws as f64 / 11.0
            } else {
                0.0
            };
            // Five standard deviations.
            let near = |count: u32, expected: f64| {
                (f64::from(count) - expected).abs() <= 5.0 * expected.sqrt()
            };
            assert!(
                near(counts[1], share * 0.9) && near(counts[2], share * 0.1),
                "cell {cell}: {counts:?}"
            );
        }
    }
}
