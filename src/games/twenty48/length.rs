//! Upper bounds on the number of remaining plies in a game of 2048, and on the number of reachable positions.

use super::board::{Board, MAX_POWER};
use super::rules::{Position, Twenty48};

impl Twenty48 {
    /// Returns an upper bound on the number of plies that can follow. Each slide and each new tile counts as one ply.
    ///
    /// Slides do not change the sum of all tiles, and each new tile adds at least 2, so an upper bound on the sum
    /// limits the number of new tiles.
    ///
    /// The bound follows from an invariant. Let `n` be the number of cells, and sort their powers in descending order.
    /// If `k` ≥ `n` and, for each `i` from 1 to `n`, the `i`th power is at most `k + 2 - i`, then this remains true
    /// until the end of the game:
    ///
    /// - A new tile has a power of at most 2, which is allowed at every place, because `k + 2 - n` ≥ 2. The powers
    ///   behind the new tile move back by one place and are at most 2, too.
    /// - If the equal tiles at places `i` and `i + 1` merge, both have a power of at most `k + 2 - (i + 1)`. The merged
    ///   tile has one power more, at most `k + 2 - i`, which is allowed at place `i`. If the merged tile moves further
    ///   to the front, the tiles that move back by one place have the power of the merging tiles.
    ///
    /// The function uses the smallest such `k` for the current board.
    pub(super) fn max_plies(&self, position: &Position) -> u32 {
        let powers = self.sorted_powers(position.board);
        let k = min_k(&powers);
        let tile_value = |power: usize| 1_u64 << power.min(usize::from(MAX_POWER));
        let max_sum: u64 = (1..=powers.len())
            .map(|place| tile_value(k + 2 - place))
            .sum();
        let sum: u64 = powers
            .iter()
            .filter(|&&power| power > 0)
            .map(|&power| tile_value(power))
            .sum();
        let tiles = (max_sum - sum) / 2;
        // At most one slide follows each tile, and one slide can precede the first tile.
        (2 * tiles) as u32 + u32::from(!position.tile_to_come)
    }

    /// Returns an upper bound on the number of positions reachable from a board, including this board, with either
    /// side to move.
    ///
    /// By the invariant of [`Twenty48::max_plies`], the `j`th smallest power of a board is at most `k + 1 - n + j`.
    /// With `a` = `k + 3 - n`, there are `a (a + n)^(n - 1)` such boards. This is the number of parking functions for
    /// an arithmetic progression (Pitman and Stanley 2002).
    pub(super) fn max_positions(&self, board: Board) -> u128 {
        let powers = self.sorted_powers(board);
        let cells = powers.len();
        let first = (min_k(&powers) + 3 - cells) as u128;
        let others = (first + cells as u128).saturating_pow(cells as u32 - 1);
        first.saturating_mul(others).saturating_mul(2)
    }

    /// Returns the powers of all cells in descending order.
    fn sorted_powers(&self, board: Board) -> Vec<usize> {
        let cells = self.cells();
        let mut powers: Vec<usize> = cells.map(|cell| board.power(cell).into()).collect();
        powers.sort_unstable_by_key(|&power| std::cmp::Reverse(power));
        powers
    }
}

/// Returns the smallest `k` of the invariant of [`Twenty48::max_plies`] for powers in descending order.
fn min_k(powers: &[usize]) -> usize {
    let bounds = powers.iter().enumerate();
    let bounds = bounds.map(|(index, power)| (power + index).saturating_sub(1));
    bounds.max().unwrap_or(0).max(powers.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::rules::{Notation, Rules, Stochastic};

    #[test]
    fn upper_bound_counts_all_boards_of_the_invariant() {
        let any_size = Twenty48::new(4, 4, None);
        for text in ["0,0/0,0 t 0", "2,4/8,16 p 0", "2,2/4,128 p 0"] {
            let (game, start) = any_size.read_position(text).unwrap();
            let k = min_k(&game.sorted_powers(start.board));
            let mut count = 0;
            for number in 0..(k + 2).pow(4) {
                let mut powers = [0, 1, 2, 3].map(|cell| number / (k + 2).pow(cell) % (k + 2));
                powers.sort_unstable();
                powers.reverse();
                count += u128::from((1..).zip(powers).all(|(i, power)| power <= k + 2 - i));
            }
            assert_eq!(game.max_positions(start.board), 2 * count, "{text}");
        }
    }

    #[test]
    fn each_ply_lowers_the_upper_bound() {
        let mut random = Random::new(7);
        let any_size = Twenty48::new(4, 4, None);
        for text in [
            "0,0/0,0 t 0",
            "32,32/2,4 p 0",
            "2,1024/1024,2 p 0",
            "32768,32768/32768,0 t 0",
            "131072,131072/131072,0 t 0",
            "65536,65536/32768,32768 p 0",
            "131072,65536,65536/32768,32768,2/2,0,2 p 0",
            "0,0,0/0,0,0 t 0",
            "8,8,8/2,2,2/0,0,0 t 0",
        ] {
            let (game, start) = any_size.read_position(text).unwrap();
            for _ in 0..200 {
                let mut position = start;
                let mut moves = Vec::new();
                loop {
                    let max_before = game.max_plies_left(&position).unwrap();
                    moves.clear();
                    game.moves(&position, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    position = game.play(&position, moves[random.index(moves.len())]);
                    assert!(
                        game.max_plies_left(&position).unwrap() < max_before,
                        "{position:?}"
                    );
                }
            }
        }
    }
}
