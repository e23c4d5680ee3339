//! Forecasts the time, memory and disk space for solving a game into tables.

use crate::games::hunt::Board;
use crate::games::hunt::board::BAGH_CHAL;
use crate::solve::bitset::blocks::choose;
use crate::solve::bitset::cube_permutation::BulkTigerMove;
use crate::solve::bitset::layer::{self, BLOCK_DIGITS, TableGame};
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::movement;
use crate::solve::bitset::position_list::ListStorage;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::tiger_moves::TigerStep;
use crate::solve::bitset::word512::Word512;

/// The estimated resources for solving a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveForecast {
    /// Number of positions with either side to move. Symmetric positions are counted separately.
    pub positions: u64,
    /// Approximate number of values in the tables. Symmetric positions are counted once.
    pub values: u64,
    /// Memory in bytes.
    pub memory: u64,
    /// Approximate disk space of the tables in bytes.
    pub disk: u64,
    /// Approximate maximum disk space in bytes while solving, with the checkpoint and the ply journal.
    pub(crate) peak_disk: u64,
    /// Approximate time in seconds with the number of threads passed to [`SolveForecast::new`].
    pub seconds: f64,
    /// The part of [`SolveForecast::seconds`] that the movement phase takes.
    pub(crate) movement_seconds: f64,
}

/// Speed and compression of one of three kinds of games. They were measured by solving complete games on servers: Bagh
/// Chal and Sumi Naga for boards with the lines of Bagh Chal; Adugo, Yaguarete Kora and Catch the Hare for games that
/// start with all goats on the board; and Aadu Puli for all others.
struct CostModel {
    /// Values of the movement phase per second of processor time. Only won positions take time: 3 of 100 positions are
    /// won in Aadu Puli, 3 of 4 in Bagh Chal.
    movement_speed: f64,
    /// Values of the placement phase per second of processor time.
    placement_speed: f64,
    /// Bytes on disk per thousand values.
    disk_per_thousand: u64,
}

impl CostModel {
    fn of(board: &Board) -> Self {
        if board.has_same_lines(&BAGH_CHAL) {
            Self {
                movement_speed: 2.2e6,
                placement_speed: 4.5e7,
                disk_per_thousand: 142,
            }
        } else if board.goats_placed != 0 {
            Self {
                movement_speed: 8.0e6,
                placement_speed: 1.5e8,
                disk_per_thousand: 440,
            }
        } else {
            Self {
                movement_speed: 2.5e7,
                placement_speed: 1.5e8,
                disk_per_thousand: 41,
            }
        }
    }
}

/// Maximum number of goats of a small game. [`CostModel`] does not apply to small games: nearly all positions
/// are won, so solving takes more time, and few neighboring values are equal, so files compress less.
const MAX_SMALL_GOATS: u32 = 4;
/// Values of the movement phase per second of processor time in a small game. Measured on Aadu Puli and Bagh Chal with
/// one, two and four goats.
const SMALL_GAME_SPEED: f64 = 1.2e6;
/// Bytes on disk per thousand values in a small game, measured like [`SMALL_GAME_SPEED`].
const SMALL_GAME_DISK_PER_THOUSAND: f64 = 550.0;
/// Minimum number of goats for [`CostModel`]. Between [`MAX_SMALL_GOATS`] and this number, [`interpolate`]
/// applies.
const MIN_LARGE_GOATS: u32 = 10;
/// Seconds of processor time for preparing the moves of one tiger set.
const SECONDS_PER_SET: f64 = 2.5e-4;
/// Assumed maximum size of the ply journal divided by the size of the movement phase's tables. Measured: 1.7 in Aadu
/// Puli.
const MAX_JOURNAL_RATIO: f64 = 2.0;
/// Minimum bytes of a cube in a file: the offset (8), the checksum of the chunk list (4), and for one chunk its
/// length (4), its checksum (4) and one byte.
const BYTES_PER_CUBE: u64 = 21;

/// Interpolates geometrically by the number of goats. The result is `few` for at most [`MAX_SMALL_GOATS`] goats, and
/// `many` for at least [`MIN_LARGE_GOATS`] goats.
fn interpolate(few: f64, many: f64, goats: u32) -> f64 {
    let fraction = f64::from(goats.clamp(MAX_SMALL_GOATS, MIN_LARGE_GOATS) - MAX_SMALL_GOATS)
        / f64::from(MIN_LARGE_GOATS - MAX_SMALL_GOATS);
    few * (many / few).powf(fraction)
}

impl SolveForecast {
    /// Forecasts the solving of all layers with 0 to `last_hand` goats in hand, with `threads` threads.
    /// `storage` is the place of the long lists of the movement phase.
    pub(crate) fn new(
        ranking: &Ranking,
        table_game: &TableGame,
        last_hand: u32,
        storage: &ListStorage,
        threads: usize,
    ) -> Self {
        let model = CostModel::of(table_game.board);
        let sets_by_used_digits = ranking.sets_by_used_digits();
        let canonical_sets = ranking.sets.len() as u64;
        let mut forecast = Self {
            movement_seconds: canonical_sets as f64 * SECONDS_PER_SET,
            ..Self::default()
        };
        let tiger_moves = TigerStep::count(ranking) as u64;
        let (mut placement_seconds, mut disk, mut movement_disk) = (0.0, 0.0, 0.0);
        for hand in 0..=last_hand {
            let disk_before = disk;
            for tigers_to_move in [false, true] {
                for goats in table_game.reachable_goats(hand, tigers_to_move) {
                    let mut values = 0;
                    for (&used_digits, sets) in &sets_by_used_digits {
                        let goat_sets = choose(used_digits, goats);
                        forecast.positions += sets.all * goat_sets;
                        values += sets.canonical * goat_sets;
                    }
                    forecast.values += values;
                    let values = values as f64;
                    if hand == 0 {
                        forecast.movement_seconds += values
                            / interpolate(SMALL_GAME_SPEED, model.movement_speed, table_game.goats);
                    } else {
                        placement_seconds += values / model.placement_speed;
                    }
                    let per_thousand = model.disk_per_thousand as f64;
                    disk += values
                        * interpolate(SMALL_GAME_DISK_PER_THOUSAND, per_thousand, table_game.goats)
                        / 1000.0;
                }
                let layer_id = LayerId {
                    table_game: *table_game,
                    hand,
                    tigers_to_move,
                };
                forecast.disk += u64::from(layer_id.is_stored()) * canonical_sets * BYTES_PER_CUBE;
            }
            if hand == 0 {
                movement_disk = disk;
            }
            forecast.memory = forecast.memory.max(if hand == 0 {
                movement::memory(ranking, table_game, storage, threads)
            } else {
                let move_bytes =
                    tiger_moves * BulkTigerMove::memory(ranking.dimensions, BLOCK_DIGITS);
                let file_bytes = (disk - disk_before) as u64;
                placement_memory(ranking, table_game, hand, threads) + move_bytes + file_bytes
            });
        }
        forecast.disk += disk as u64;
        let journal = (movement_disk * MAX_JOURNAL_RATIO) as u64;
        forecast.peak_disk = forecast.disk.max(movement_disk as u64 + journal);
        forecast.movement_seconds /= threads as f64;
        forecast.seconds = forecast.movement_seconds + placement_seconds / threads as f64;
        forecast
    }
}

/// Memory in bytes for everything except layers, cubes, moves and compressed files.
const SMALL_DATA_BYTES: u64 = 64 << 20;

/// Returns the memory in bytes for solving a layer of the placement phase, without the tiger moves and the compressed
/// file: the layer with goats to move, and two cubes per thread.
fn placement_memory(ranking: &Ranking, table_game: &TableGame, hand: u32, threads: usize) -> u64 {
    let layer = layer_memory(ranking, table_game, hand);
    layer + 2 * threads as u64 * layer / ranking.sets.len() as u64 + SMALL_DATA_BYTES
}

/// Returns the memory in bytes of the values of a layer with `hand` goats in hand.
pub(crate) fn layer_memory(ranking: &Ranking, table_game: &TableGame, hand: u32) -> u64 {
    let blocks = layer::blocks(ranking, table_game.on_board(hand));
    (ranking.sets.len() * blocks.len() * size_of::<Word512>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::board::AADU_PULI;

    /// Measurements: board, goats, bytes on disk, and approximate seconds with one thread on an idle machine.
    const MEASURED: [(&str, u32, u64, f64); 6] = [
        ("aadu-puli", 1, 106_422, 0.2),
        ("aadu-puli", 2, 394_826, 1.0),
        ("aadu-puli", 4, 8_119_598, 7.8),
        ("bagh-chal", 1, 201_495, 0.7),
        ("bagh-chal", 2, 665_226, 3.2),
        ("bagh-chal", 4, 16_476_664, 31.0),
    ];

    #[test]
    fn forecasts_small_games_within_a_factor_of_four() {
        for (name, goats, bytes, seconds) in MEASURED {
            let board = [&*AADU_PULI, &*BAGH_CHAL]
                .into_iter()
                .find(|board| board.name == name)
                .unwrap();
            let table_game = TableGame { board, goats };
            let forecast = SolveForecast::new(
                &Ranking::new(board),
                &table_game,
                goats,
                &ListStorage::Memory,
                1,
            );
            let ratio = forecast.disk as f64 / bytes as f64;
            assert!((0.5..2.0).contains(&ratio), "{name} {goats}: disk {ratio}");
            let ratio = forecast.seconds / seconds;
            assert!((0.25..4.0).contains(&ratio), "{name} {goats}: time {ratio}");
        }
    }

    #[test]
    fn forecasts_aadu_puli_as_measured() {
        // Measured: 129 s of processor time on a slower machine than in NOTES.md, and 0.42 GiB on disk.
        let table_game = TableGame {
            board: &AADU_PULI,
            goats: 15,
        };
        let forecast = SolveForecast::new(
            &Ranking::new(&AADU_PULI),
            &table_game,
            15,
            &ListStorage::Memory,
            1,
        );
        assert_eq!(forecast.positions, 22_289_917_573);
        assert!((100.0..170.0).contains(&forecast.seconds), "{forecast:?}");
        let gib = forecast.disk as f64 / f64::from(1 << 30);
        assert!((0.37..0.47).contains(&gib), "{forecast:?}");
    }
}
