//! Forecasts the time, memory and disk space for solving a game into tables.

use crate::games::hunt::Board;
use crate::games::hunt::board::BAGH_CHAL;
use crate::solve::bitset::blocks::choose;
use crate::solve::bitset::cube_permutation::CubeMove;
use crate::solve::bitset::layer::{self, BLOCK_DIMENSIONS, Scope};
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::movement;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::tiger_moves::TigerStep;
use crate::solve::bitset::word512::Word512;

/// Forecast of the resources of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveForecast {
    /// Positions with either side to move, symmetric ones counted apart.
    pub positions: u64,
    /// Approximate number of positions up to symmetry: the values in the tables.
    pub values: u64,
    /// Memory in bytes.
    pub memory: u64,
    /// Approximate disk space of the tables in bytes.
    pub disk: u64,
    /// Approximate maximum disk space in bytes while solving, with checkpoint and journal.
    pub(crate) peak_disk: u64,
    /// Approximate time in seconds with the given threads.
    pub seconds: f64,
    /// Part of [`SolveForecast::seconds`] for the movement phase.
    pub(crate) movement_seconds: f64,
}

/// Speed and compression, measured on whole games on servers. Boards with Bagh Chal's lines are like Bagh Chal (also
/// Sumi Naga). Games that start with all goats on the board are like Adugo, Yaguarete Kora and Catch the Hare. Others
/// are like Aadu Puli.
struct CostModel {
    /// Values of the movement phase per second of processor time. Only won positions cost time: 3 in 100 in Aadu Puli,
    /// 3 in 4 in Bagh Chal.
    movement: f64,
    /// Values of the placement phase per second of processor time.
    placement: f64,
    /// Bytes on disk per thousand values.
    disk_per_thousand: u64,
}

impl CostModel {
    fn of(board: &Board) -> Self {
        if board.has_same_lines(&BAGH_CHAL) {
            Self {
                movement: 2.2e6,
                placement: 4.5e7,
                disk_per_thousand: 142,
            }
        } else if board.goats_placed != 0 {
            Self {
                movement: 8.0e6,
                placement: 1.5e8,
                disk_per_thousand: 440,
            }
        } else {
            Self {
                movement: 2.5e7,
                placement: 1.5e8,
                disk_per_thousand: 41,
            }
        }
    }
}

/// Maximum goats of a small game. Nearly all of its positions are won, and adjacent values rarely repeat. So its
/// movement phase has the following speed (values per second of processor time) and size (bytes per thousand values),
/// measured on both boards with one, two and four goats.
const MAX_SMALL_GOATS: u32 = 4;
const SMALL_GAME_SPEED: f64 = 1.2e6;
const SMALL_GAME_SIZE: f64 = 550.0;
/// Minimum goats of a game that is like the whole one.
const MIN_LARGE_GOATS: u32 = 10;
/// Seconds of processor time for preparing the moves of one tiger set.
const SECONDS_PER_SET: f64 = 2.5e-4;
/// Maximum ratio of the ply journal's size to that of the movement phase's tables. Measured: 1.7 in Aadu Puli.
const MAX_JOURNAL_RATIO: f64 = 2.0;
/// Minimum bytes per cube in a file.
const BYTES_PER_CUBE: u64 = 21;

/// Interpolates geometrically between the values for few and for many goats.
fn interpolate(few: f64, many: f64, goats: u32) -> f64 {
    let share = f64::from(goats.clamp(MAX_SMALL_GOATS, MIN_LARGE_GOATS) - MAX_SMALL_GOATS)
        / f64::from(MIN_LARGE_GOATS - MAX_SMALL_GOATS);
    few * (many / few).powf(share)
}

impl SolveForecast {
    /// Forecasts all layers with up to `last_hand` goats in hand.
    pub fn new(ranking: &Ranking, scope: &Scope, last_hand: u32, threads: usize) -> Self {
        let model = CostModel::of(scope.board);
        let images = ranking.sets.iter().map(|set| u64::from(set.images));
        let (sets, folded) = (images.sum::<u64>(), ranking.sets.len() as u64);
        let mut forecast = Self {
            movement_seconds: folded as f64 * SECONDS_PER_SET,
            ..Self::default()
        };
        let moves = TigerStep::count(ranking) as u64;
        let (mut placement, mut disk, mut movement_disk) = (0.0, 0.0, 0.0);
        for hand in 0..=last_hand {
            let disk_before = disk;
            for tigers_to_move in [false, true] {
                for goats in scope.reachable_goats(hand, tigers_to_move) {
                    let cube = choose(ranking.dimensions, goats);
                    let values = (folded * cube) as f64;
                    forecast.positions += sets * cube;
                    forecast.values += folded * cube;
                    if hand == 0 {
                        forecast.movement_seconds +=
                            values / interpolate(SMALL_GAME_SPEED, model.movement, scope.goats);
                    } else {
                        placement += values / model.placement;
                    }
                    let per_thousand = model.disk_per_thousand as f64;
                    disk +=
                        values * interpolate(SMALL_GAME_SIZE, per_thousand, scope.goats) / 1000.0;
                }
                let layer_id = LayerId {
                    scope: *scope,
                    hand,
                    tigers_to_move,
                };
                forecast.disk += u64::from(layer_id.is_stored()) * folded * BYTES_PER_CUBE;
            }
            if hand == 0 {
                movement_disk = disk;
            }
            forecast.memory = forecast.memory.max(if hand == 0 {
                movement::memory(ranking, scope, threads)
            } else {
                let moves = moves * CubeMove::memory(ranking.dimensions, BLOCK_DIMENSIONS);
                placement_memory(ranking, scope, hand, threads)
                    + moves
                    + (disk - disk_before) as u64
            });
        }
        forecast.disk += disk as u64;
        let plies = (movement_disk * MAX_JOURNAL_RATIO) as u64;
        forecast.peak_disk = forecast.disk.max(movement_disk as u64 + plies);
        forecast.movement_seconds /= threads as f64;
        forecast.seconds = forecast.movement_seconds + placement / threads as f64;
        forecast
    }
}

/// Bytes of memory for small data.
const SMALL_DATA_BYTES: u64 = 64 << 20;

/// Returns the memory of a placement layer in bytes: a byte layer, and two cubes per thread. The next layer's
/// compressed file and the tiger moves are added by the caller.
fn placement_memory(ranking: &Ranking, scope: &Scope, hand: u32, threads: usize) -> u64 {
    let layer = layer_memory(ranking, scope, hand);
    layer + 2 * threads as u64 * layer / ranking.sets.len() as u64 + SMALL_DATA_BYTES
}

/// Returns the memory of a layer in bytes.
pub(crate) fn layer_memory(ranking: &Ranking, scope: &Scope, hand: u32) -> u64 {
    let blocks = layer::blocks(ranking, scope.on_board(hand));
    (ranking.sets.len() * blocks.len() * size_of::<Word512>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::board::AADU_PULI;

    /// Measured: board, goats, bytes on disk, and approximate seconds of an idle processor.
    const MEASURED: [(&str, u32, u64, f64); 6] = [
        ("aadu-puli", 1, 106_422, 0.2),
        ("aadu-puli", 2, 394_826, 1.0),
        ("aadu-puli", 4, 8_119_598, 7.8),
        ("bagh-chal", 1, 201_495, 0.7),
        ("bagh-chal", 2, 665_226, 3.2),
        ("bagh-chal", 4, 16_476_664, 31.0),
    ];

    #[test]
    fn forecasts_small_games_within_a_factor() {
        for (name, goats, bytes, seconds) in MEASURED {
            let board = [&*AADU_PULI, &*BAGH_CHAL]
                .into_iter()
                .find(|board| board.name == name)
                .unwrap();
            let scope = Scope { board, goats };
            let forecast = SolveForecast::new(&Ranking::new(board), &scope, goats, 1);
            let ratio = forecast.disk as f64 / bytes as f64;
            assert!((0.5..2.0).contains(&ratio), "{name} {goats}: disk {ratio}");
            let ratio = forecast.seconds / seconds;
            assert!((0.25..4.0).contains(&ratio), "{name} {goats}: time {ratio}");
        }
    }

    #[test]
    fn forecasts_aadu_puli_as_measured() {
        // Measured, see NOTES.md: 129 s of processor time (on another machine), and 0.42 GiB.
        let scope = Scope {
            board: &AADU_PULI,
            goats: 15,
        };
        let forecast = SolveForecast::new(&Ranking::new(&AADU_PULI), &scope, 15, 1);
        assert_eq!(forecast.positions, 22_289_917_573);
        assert!((100.0..170.0).contains(&forecast.seconds), "{forecast:?}");
        let gib = forecast.disk as f64 / f64::from(1 << 30);
        assert!((0.37..0.47).contains(&gib), "{forecast:?}");
    }
}
