//! What finished games came to, added up.

use super::board::{Board, LARGEST};

/// What a finished game came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The points made.
    pub score: u32,
    /// The player's moves.
    pub moves: u64,
    /// The power of two of the largest tile.
    pub largest: u8,
}

impl GameResult {
    /// A game that ended on this board.
    pub fn new(board: Board, score: u32, moves: u64) -> Self {
        let largest = board.largest();
        Self {
            score,
            moves,
            largest,
        }
    }
}

/// Finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Results {
    /// How many.
    pub games: u64,
    /// The player's moves in all of them.
    pub moves: u64,
    /// The highest score.
    pub best: u32,
    scores: f64,
    squares: f64,
    largest: [u64; LARGEST as usize + 1],
}

impl Results {
    /// Counts one more game.
    pub fn add(&mut self, played: GameResult) {
        self.games += 1;
        self.moves += played.moves;
        self.best = self.best.max(played.score);
        self.scores += f64::from(played.score);
        self.squares += f64::from(played.score).powi(2);
        self.largest[usize::from(played.largest.min(LARGEST))] += 1;
    }

    /// The mean score; 0 without a game.
    pub fn mean(&self) -> f64 {
        self.scores / self.games.max(1) as f64
    }

    /// The standard error of the mean; 0 with fewer than two games.
    pub fn standard_error(&self) -> f64 {
        let games = self.games as f64;
        if self.games < 2 {
            return 0.0;
        }
        let variance = (self.squares - self.scores * self.mean()).max(0.0) / (games - 1.0);
        (variance / games).sqrt()
    }

    /// The share of games that reached the tile 2 to this power.
    pub fn rate(&self, power: u8) -> f64 {
        let reached: u64 = self.largest[usize::from(power)..].iter().sum();
        reached as f64 / self.games.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_and_its_error_are_those_of_the_books() {
        let mut layer_stats = Results::default();
        for score in [2, 4, 4, 4, 5, 5, 7, 9] {
            layer_stats.add(GameResult {
                score,
                moves: 1,
                largest: if score < 5 { 10 } else { 11 },
            });
        }
        assert_eq!(
            (layer_stats.mean(), layer_stats.games, layer_stats.best),
            (5.0, 8, 9)
        );
        // The sample's variance is 32/7.
        assert!((layer_stats.standard_error() - (32.0_f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        assert_eq!(
            (
                layer_stats.rate(10),
                layer_stats.rate(11),
                layer_stats.rate(12)
            ),
            (1.0, 0.5, 0.0)
        );
    }
}
