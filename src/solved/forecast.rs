//! What solving a game will take, told before it begins.

use super::blocks::{Blocks, choose};
use super::layer::{BYTES_INSIDE, Scope};
use super::rank::Ranking;
use super::word::DIMENSIONS;
use crate::games::hunt::Board;
use crate::games::hunt::board::BAGH_CHAL;

/// What a task will take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forecast {
    /// Positions with either side to move, mirror images and the like counted apart.
    pub positions: u64,
    /// The same up to symmetry, about: as many as have values in the tables.
    pub values: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes on disk, about.
    pub disk: u64,
    /// Seconds, about, with this many threads.
    pub seconds: f64,
}

/// How fast a game's values are found, and how well they compress: measured on its whole, on a 2.6 GHz server.
struct Rates {
    /// Values of the movement phase, by the second of processor time. Only won positions cost time: three in a hundred
    /// in Aadu Puli, three in four in Bagh Chal.
    movement: f64,
    /// The same in the placement phase.
    placement: f64,
    /// Bytes on disk per thousand values.
    disk_per_thousand: u64,
}

impl Rates {
    fn of(board: &Board) -> Self {
        if board.name == BAGH_CHAL.name {
            Self {
                movement: 2.2e6,
                placement: 4.5e7,
                disk_per_thousand: 230,
            }
        } else {
            Self {
                movement: 2.5e7,
                placement: 1.5e8,
                disk_per_thousand: 57,
            }
        }
    }
}

impl Forecast {
    /// For all layers with up to `last_hand` goats in hand.
    pub fn new(ranking: &Ranking, scope: &Scope, last_hand: u32, threads: usize) -> Self {
        let rates = Rates::of(scope.board);
        let images = ranking.sets.iter().map(|set| u64::from(set.images));
        let (sets, folded) = (images.sum::<u64>(), ranking.sets.len() as u64);
        let mut forecast = Self::default();
        for hand in 0..=last_hand {
            let goats: u64 = [false, true]
                .into_iter()
                .flat_map(|tigers_to_move| scope.arising(hand, tigers_to_move))
                .map(|on_board| choose(ranking.dimensions, on_board))
                .sum();
            let rate = if hand == 0 {
                rates.movement
            } else {
                rates.placement
            };
            forecast.positions += sets * goats;
            forecast.values += folded * goats;
            forecast.seconds += (folded * goats) as f64 / rate / threads as f64;
            forecast.memory = forecast.memory.max(layer_memory(ranking, scope, hand));
        }
        forecast.disk = forecast.values * rates.disk_per_thousand / 1000;
        forecast
    }
}

/// Two layers of bytes, and in the movement phase as many positions again as bits, won and lost and as found.
fn layer_memory(ranking: &Ranking, scope: &Scope, hand: u32) -> u64 {
    let goats = scope.on_board(hand);
    let size = |inside| {
        let blocks = Blocks::new(ranking.dimensions, inside, goats.clone(), 1);
        ranking.sets.len() as u64 * blocks.len() as u64 * 64
    };
    let bits = if hand == 0 { 4 * size(DIMENSIONS) } else { 0 };
    2 * size(BYTES_INSIDE) + bits + (64 << 20)
}
