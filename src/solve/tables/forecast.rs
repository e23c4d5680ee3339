//! What solving a game will take, told before it begins.

use super::file::LayerId;
use crate::games::hunt::Board;
use crate::games::hunt::board::BAGH_CHAL;
use crate::solve::bitset::blocks::choose;
use crate::solve::bitset::cube_permutation::CubeMove;
use crate::solve::bitset::layer::{self, BYTES_INSIDE, Scope};
use crate::solve::bitset::movement;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::tiger_moves::TigerStep;
use crate::solve::bitset::word512::{DIMENSIONS, Word512};

/// What a task will take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveForecast {
    /// Positions with either side to move, mirror images and the like counted apart.
    pub positions: u64,
    /// The same up to symmetry, about: as many as have values in the tables.
    pub values: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes on disk, about.
    pub disk: u64,
    /// The same while it is solved, when what the tables are made of is there too.
    pub disk_on_the_way: u64,
    /// Seconds, about, with this many threads.
    pub seconds: f64,
    /// Those of them that the movement phase takes.
    pub movement: f64,
}

/// How fast a game's values are found, and how well they compress: measured on whole games, on servers. Those on Bagh Chal's
/// lines are like it, as Sumi Naga was, where all goats begin on the board Adugo, Yaguarete Kora and Catch the Hare are alike, and
/// others are more like Aadu Puli.
struct CostModel {
    /// Values of the movement phase, by the second of processor time. Only won positions cost time: three in a hundred
    /// in Aadu Puli, three in four in Bagh Chal.
    movement: f64,
    /// The same in the placement phase.
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

/// With few goats in all nearly every position is won, and hardly two that lie side by side are worth the same: so
/// many values of the movement phase are found by the second of processor time, and so many bytes a thousand of them take
/// on disk. Measured on both boards with one, two and four goats.
const FEW: u32 = 4;
const MOVEMENT_OF_FEW: f64 = 1.2e6;
const DISK_OF_FEW: f64 = 550.0;
/// With so many goats a game is like the whole one.
const MANY: u32 = 10;
/// Seconds of processor time that the moves of one set of tigers take to be prepared.
const SECONDS_PER_SET: f64 = 2.5e-4;
/// Bytes of the file in which the movement phase is kept ply by ply, by those of its tables, at the most: 1.7 of Aadu Puli.
const PLIES_TO_TABLES: f64 = 2.0;
/// Bytes that a cube takes at least in every file.
const BYTES_PER_CUBE: u64 = 21;

/// From what is right for few goats to what is right for many, evenly on a scale of ratios.
fn between(few: f64, many: f64, goats: u32) -> f64 {
    let share = f64::from(goats.clamp(FEW, MANY) - FEW) / f64::from(MANY - FEW);
    few * (many / few).powf(share)
}

impl SolveForecast {
    /// For all layers with up to `last_hand` goats in hand.
    pub fn new(ranking: &Ranking, scope: &Scope, last_hand: u32, threads: usize) -> Self {
        let rates = CostModel::of(scope.board);
        let images = ranking.sets.iter().map(|set| u64::from(set.images));
        let (sets, folded) = (images.sum::<u64>(), ranking.sets.len() as u64);
        let mut forecast = Self {
            movement: folded as f64 * SECONDS_PER_SET,
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
                        forecast.movement +=
                            values / between(MOVEMENT_OF_FEW, rates.movement, scope.goats);
                    } else {
                        placement += values / rates.placement;
                    }
                    let per_thousand = rates.disk_per_thousand as f64;
                    disk += values * between(DISK_OF_FEW, per_thousand, scope.goats) / 1000.0;
                }
                let label = LayerId {
                    scope: *scope,
                    hand,
                    tigers_to_move,
                };
                forecast.disk += u64::from(label.is_stored()) * folded * BYTES_PER_CUBE;
            }
            if hand == 0 {
                movement_disk = disk;
            }
            forecast.memory = forecast.memory.max(if hand == 0 {
                movement_memory(ranking, scope, threads)
            } else {
                let moves = moves * CubeMove::memory(ranking.dimensions, BYTES_INSIDE);
                placement_memory(ranking, scope, hand, threads)
                    + moves
                    + (disk - disk_before) as u64
            });
        }
        forecast.disk += disk as u64;
        let plies = (movement_disk * PLIES_TO_TABLES) as u64;
        forecast.disk_on_the_way = forecast.disk.max(movement_disk as u64 + plies);
        forecast.movement /= threads as f64;
        forecast.seconds = forecast.movement + placement / threads as f64;
        forecast
    }
}

/// Memory for small things.
const REST: u64 = 64 << 20;

/// Positions won and lost, as sets, and those found in the ply before and in this one, as lists, with two whole cubes of bits a
/// thread and all moves of tigers; afterwards a cube of bytes a thread.
pub fn movement_memory(ranking: &Ranking, scope: &Scope, threads: usize) -> u64 {
    let word = size_of::<Word512>() as u64;
    let listed = word + size_of::<u32>() as u64;
    let cube = movement::blocks(ranking, scope).len() as u64;
    let bits = ranking.sets.len() as u64 * cube * 2 * (word + listed)
        + 2 * threads as u64 * (word << (ranking.dimensions - DIMENSIONS))
        + TigerStep::count(ranking) as u64 * movement::move_memory(ranking.dimensions);
    let bytes = threads as u64 * word * layer::blocks(ranking, scope.on_board(0)).len() as u64;
    bits.max(bytes) + REST
}

/// A layer of bytes, from which the next follows, and two cubes a thread; beside it that one is as it will lie on the disk, and all
/// moves of tigers.
fn placement_memory(ranking: &Ranking, scope: &Scope, hand: u32, threads: usize) -> u64 {
    let layer = layer_memory(ranking, scope, hand);
    layer + 2 * threads as u64 * layer / ranking.sets.len() as u64 + REST
}

/// A layer of bytes.
pub fn layer_memory(ranking: &Ranking, scope: &Scope, hand: u32) -> u64 {
    let blocks = layer::blocks(ranking, scope.on_board(hand));
    (ranking.sets.len() * blocks.len() * size_of::<Word512>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::board::AADU_PULI;

    /// What solving took: a board, the goats, and on disk bytes; in seconds of an idle processor about.
    const MEASURED: [(&str, u32, u64, f64); 6] = [
        ("aadu-puli", 1, 106_422, 0.2),
        ("aadu-puli", 2, 394_826, 1.0),
        ("aadu-puli", 4, 8_119_598, 7.8),
        ("bagh-chal", 1, 201_495, 0.7),
        ("bagh-chal", 2, 665_226, 3.2),
        ("bagh-chal", 4, 16_476_664, 31.0),
    ];

    #[test]
    fn games_with_few_goats_are_forecast_within_a_factor() {
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
    fn the_whole_games_are_forecast_as_they_were_measured() {
        // As measured, see the docs of `solved`: 129 s of processor time (on another machine), and 0.42 GiB.
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
