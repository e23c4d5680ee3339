//! The results of finished games, and their statistics.

use super::board::{Board, MAX_POWER};

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The score in points.
    pub score: u32,
    /// The number of the player's moves.
    pub moves: u64,
    /// The power of the largest tile: 11 for the tile 2048.
    pub largest: u8,
}

impl GameResult {
    /// Creates the result of a game that ended with `board`.
    pub fn new(board: Board, score: u32, moves: u64) -> Self {
        let largest = board.largest();
        Self {
            score,
            moves,
            largest,
        }
    }
}

/// Statistics of finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Results {
    /// The number of games.
    pub games: u64,
    /// The total number of the player's moves.
    pub moves: u64,
    /// The highest score.
    pub best: u32,
    /// The sum of all scores.
    sum: f64,
    /// The sum of the squares of all scores.
    sum_of_squares: f64,
    /// For each power, the number of games whose largest tile has this power.
    games_by_largest: [u64; MAX_POWER as usize + 1],
}

impl Results {
    /// Adds a game.
    pub fn add(&mut self, result: GameResult) {
        self.games += 1;
        self.moves += result.moves;
        self.best = self.best.max(result.score);
        self.sum += f64::from(result.score);
        self.sum_of_squares += f64::from(result.score).powi(2);
        self.games_by_largest[usize::from(result.largest.min(MAX_POWER))] += 1;
    }

    /// Returns the mean score, or 0 if there is no game.
    pub fn mean(&self) -> f64 {
        self.sum / self.games.max(1) as f64
    }

    /// Returns the standard error of the mean score, or 0 for fewer than two games.
    pub(crate) fn standard_error(&self) -> f64 {
        let games = self.games as f64;
        if self.games < 2 {
            return 0.0;
        }
        let variance = (self.sum_of_squares - self.sum * self.mean()).max(0.0) / (games - 1.0);
        (variance / games).sqrt()
    }

    /// Returns the share of games, from 0 to 1, that made a tile of at least this power.
    pub fn rate(&self, power: u8) -> f64 {
        let reached: u64 = self.games_by_largest[usize::from(power)..].iter().sum();
        reached as f64 / self.games.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_mean_standard_error_and_rates() {
        let mut results = Results::default();
        for score in [2, 4, 4, 4, 5, 5, 7, 9] {
            results.add(GameResult {
                score,
                moves: 1,
                largest: if score < 5 { 10 } else { 11 },
            });
        }
        assert_eq!((results.mean(), results.games, results.best), (5.0, 8, 9));
        // The sample variance is 32/7.
        assert!((results.standard_error() - (32.0_f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        assert_eq!(
            (results.rate(10), results.rate(11), results.rate(12)),
            (1.0, 0.5, 0.0)
        );
    }
}
