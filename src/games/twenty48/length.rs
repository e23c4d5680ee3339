//! How long a game of 2048 can still last.

use super::board::{Board, LARGEST};
use super::rules::{Position, Twenty48};

impl Twenty48 {
    /// The most plies, slides and tiles, that can follow.
    ///
    /// Put the tiles in order, the largest power first. On `n` cells the `i`th one, counted from 1, never exceeds
    /// `k + 2 - i` for any `k` of at least `n` for which that holds now. A new tile, of power 2 at most, fits wherever it
    /// comes, and those behind it, which move back by one, are no larger than it. Of two equal tiles that merge the later,
    /// `i + 1`st, has a power of at most `k + 1 - i`, so one more is within the bound of place `i`; those that it overtakes
    /// move back by one, and were no larger than the two. So the sum of all tiles is bounded, and every tile that appears
    /// adds at least two to it.
    pub(super) fn most_plies(&self, position: &Position) -> u32 {
        let powers = self.powers(position.board);
        let needed = powers.iter().enumerate();
        let needed = needed.map(|(index, power)| (power + index).saturating_sub(1));
        let k = needed.max().unwrap_or(0).max(powers.len());
        let worth = |power: usize| 1_u64 << power.min(usize::from(LARGEST));
        let most: u64 = (1..=powers.len()).map(|place| worth(k + 2 - place)).sum();
        let now: u64 = powers
            .iter()
            .filter(|&&power| power > 0)
            .map(|&power| worth(power))
            .sum();
        let tiles = (most - now) / 2;
        // At most one slide follows every tile, and one may come before the first.
        (2 * tiles) as u32 + u32::from(!position.tile_to_come)
    }

    /// The powers on the cells, the largest first.
    fn powers(&self, board: Board) -> Vec<usize> {
        let cells = (0..self.rows())
            .flat_map(|row| (0..self.columns()).map(move |column| 4 * row + column));
        let mut powers: Vec<usize> = cells.map(|cell| board.power(cell).into()).collect();
        powers.sort_unstable_by_key(|&power| std::cmp::Reverse(power));
        powers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::rules::{Notation, Rules, Stochastic};

    #[test]
    fn no_game_is_longer_than_the_most_plies() {
        let mut random = Random::new(7);
        let home = Twenty48::new(4, 4, None);
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
            let (game, start) = home.read_position(text).unwrap();
            for _ in 0..200 {
                let mut position = start;
                let mut moves = Vec::new();
                loop {
                    let left = game.max_plies_left(&position).unwrap();
                    moves.clear();
                    game.moves(&position, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    position = game.play(&position, moves[random.index(moves.len())]);
                    assert!(
                        game.max_plies_left(&position).unwrap() < left,
                        "{position:?}"
                    );
                }
            }
        }
    }
}
