//! Partitions of the tiles of a board into patterns, and the selection of partitions for building and using
//! tables.
//!
//! `databases.rs` explains patterns, partitions and tables. A pattern is given by the home cells of its tiles, because
//! a table does not depend on the numbers of the tiles.

use std::cmp::Reverse;

use super::Tiles;
use super::symmetry::{symmetries, symmetries_fixing_blank};
use crate::error::EngineError;
use crate::games::tiles::pattern::{MAX_TILES, Pattern};

/// Disjoint patterns, each given by the home cells of its tiles.
pub type Partition = Vec<Vec<u8>>;

/// A partition for a board on which the blank's home is cell 0, the top left corner.
type KnownPartition = &'static [&'static [u8]];

/// A partition with tables that fit into the CPU caches and are built in a fraction of a second.
const FIFTEEN_6_6_3: KnownPartition = &[&[1, 4, 5, 8, 9, 12], &[2, 3, 6, 7, 10, 11], &[13, 14, 15]];
/// A partition with a pattern of [`MAX_TILES`] tiles, the maximum size.
const FIFTEEN_7_8: KnownPartition = &[&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14, 15]];
/// The partition of Korf and Felner (2002).
const TWENTY_FOUR_KORF_FELNER: KnownPartition = &[
    &[1, 2, 5, 6, 7, 12],
    &[3, 4, 8, 9, 13, 14],
    &[10, 11, 15, 16, 20, 21],
    &[17, 18, 19, 22, 23, 24],
];
/// This partition and the next complement the partition of Korf and Felner. `NOTES.md`, 2026-11-23, describes their
/// selection and results.
const TWENTY_FOUR_SECOND: KnownPartition = &[
    &[1, 2, 3, 5, 6, 7],
    &[4, 8, 9, 13, 14, 19],
    &[10, 11, 15, 16, 20, 21],
    &[12, 17, 18, 22, 23, 24],
];
/// See [`TWENTY_FOUR_SECOND`].
const TWENTY_FOUR_THIRD: KnownPartition = &[
    &[1, 2, 5, 6, 7, 10],
    &[3, 4, 8, 9, 14, 19],
    &[11, 12, 13, 18, 23, 24],
    &[15, 16, 17, 20, 21, 22],
];
/// A partition into three patterns of seven tiles and one pattern of three tiles. The first pattern encloses the
/// blank's home. On average, this partition is no better than Korf and Felner's.
const TWENTY_FOUR_7_7_7_3: KnownPartition = &[
    &[1, 2, 5, 6, 7, 10, 11],
    &[3, 4, 8, 9, 12, 13, 14],
    &[15, 16, 17, 20, 21, 22, 23],
    &[18, 19, 24],
];
/// Maximum number of placements of a pattern. It allows seven tiles on 25 cells, which have 2,422,728,000 placements.
const MAX_PLACEMENTS: usize = 3_000_000_000;
/// Maximum number of partitions in use at the same time.
pub(super) const MAX_PARTITIONS: usize = 3;
/// Maximum number of nodes of a [`PartitionSearch`] that has found a partition.
const MAX_NODES: usize = 1 << 16;
/// Maximum number of nodes of a [`PartitionSearch`] that has not found a partition. If there is a partition, the
/// search usually finds it in fewer nodes.
const MAX_NODES_WITHOUT_PARTITION: usize = 1 << 20;

/// Returns the partition for building tables in memory if there are no tables on disk.
///
/// For the 4×4 and the 5×5 board, this is the first known partition. For all other boards, the homes in snake order
/// (down the first two columns, up the next two, and so on) are divided into patterns of 6 tiles. Boards of at most 9
/// or at least 26 cells have patterns of 4 tiles.
pub fn default_partition(tiles: &Tiles) -> Partition {
    let size = match tiles.cell_count() {
        ..10 | 26.. => 4,
        10..=25 => 6,
    };
    let snake_partition = || {
        let all = homes_in_snake_order(tiles);
        all.chunks(size).map(<[u8]>::to_vec).collect()
    };
    let known = known_partitions(tiles).into_iter().next();
    known.unwrap_or_else(snake_partition)
}

/// Returns the known partitions with quickly built tables, a published partition first. Only the 4×4 and the 5×5
/// board have known partitions.
fn known_partitions(tiles: &Tiles) -> Vec<Partition> {
    oriented(
        tiles,
        match (tiles.width, tiles.height) {
            (4, 4) => &[FIFTEEN_6_6_3],
            (5, 5) => &[
                TWENTY_FOUR_KORF_FELNER,
                TWENTY_FOUR_SECOND,
                TWENTY_FOUR_THIRD,
            ],
            _ => &[],
        },
    )
}

/// Returns the partitions into patterns of the sizes `sizes`, such as `7-8`: the known partitions or, if there are
/// none, one partition of the homes in snake order (down the first two columns, up the next two, and so on).
///
/// # Errors
/// [`EngineError`] if the sizes do not match the board or a pattern is too large.
pub fn of_sizes(tiles: &Tiles, sizes: &str) -> Result<Vec<Partition>, EngineError> {
    let reject = |why: String| {
        EngineError::new(format!("'{sizes}' is not a partition of this board: {why}"))
    };
    let read = |size: &str| match size.parse() {
        Ok(size @ 1..=MAX_TILES) => Ok(size),
        _ => Err(reject(format!(
            "expected sizes from 1 to {MAX_TILES} such as 7-8, found '{size}'"
        ))),
    };
    let requested = sizes
        .split('-')
        .map(read)
        .collect::<Result<Vec<usize>, EngineError>>()?;
    let all = homes_in_snake_order(tiles);
    let sum: usize = requested.iter().sum();
    if sum != all.len() {
        return Err(reject(format!(
            "the sizes sum to {sum}, but the board has {} tiles",
            all.len()
        )));
    }
    for &size in &requested {
        let placements = pattern(tiles, all[..size].to_vec()).placements();
        if placements > MAX_PLACEMENTS {
            return Err(reject(format!(
                "a pattern of {size} tiles has {placements} placements, the maximum is {MAX_PLACEMENTS}"
            )));
        }
    }
    let has_these_sizes = |known: &KnownPartition| {
        let (mut known, mut requested): (Vec<usize>, _) = (
            known.iter().map(|group| group.len()).collect(),
            requested.clone(),
        );
        known.sort_unstable();
        requested.sort_unstable();
        known == requested
    };
    let known: &[KnownPartition] = match (tiles.width, tiles.height) {
        (4, 4) => &[FIFTEEN_6_6_3, FIFTEEN_7_8],
        (5, 5) => &[
            TWENTY_FOUR_KORF_FELNER,
            TWENTY_FOUR_SECOND,
            TWENTY_FOUR_THIRD,
            TWENTY_FOUR_7_7_7_3,
        ],
        _ => &[],
    };
    let known: Vec<KnownPartition> = known.iter().copied().filter(has_these_sizes).collect();
    let snake_partition = || {
        let mut remaining = all.as_slice();
        let mut next_pattern = |&size: &usize| {
            let (pattern, later) = remaining.split_at(size);
            remaining = later;
            pattern.to_vec()
        };
        requested.iter().map(&mut next_pattern).collect()
    };
    let mut partitions = oriented(tiles, &known);
    if partitions.is_empty() {
        partitions.push(snake_partition());
    }
    Ok(partitions)
}

/// Returns the best partitions into the given patterns, or into their images under usable symmetries of the board.
/// Returns at most three partitions, the best first.
///
/// The best partitions have the largest sum of squared pattern sizes, because a large pattern includes more
/// interactions of tiles. Among equal sums, known partitions come first. Of mirror images, only one partition is
/// returned.
pub fn best_partitions(tiles: &Tiles, patterns: &[Vec<u8>]) -> Vec<Partition> {
    let mut images: Partition = Vec::new();
    for home_cells in patterns {
        for symmetry in usable_symmetries(tiles, home_cells) {
            let image = preimage(home_cells, &symmetry);
            if !images.contains(&image) {
                images.push(image);
            }
        }
    }
    images.sort_by_key(|home_cells| Reverse(home_cells.len()));
    let all = (1 << tiles.cell_count()) - 1 & !(1 << tiles.home(0));
    let mut search = PartitionSearch::default();
    search.find(&images, all, &mut Vec::new());
    let mirrors = symmetries_fixing_blank(tiles);
    let mut best: Vec<Partition> = Vec::new();
    let known = known_partitions(tiles).into_iter().map(sorted);
    let known = known.filter(|partition| search.best.contains(partition));
    for partition in known.chain(search.best.iter().cloned()) {
        let mut mirrored = mirrors.iter().map(|mirror| {
            sorted(
                partition
                    .iter()
                    .map(|home_cells| preimage(home_cells, mirror))
                    .collect(),
            )
        });
        if best.len() < MAX_PARTITIONS && !mirrored.any(|mirrored| best.contains(&mirrored)) {
            best.push(partition);
        }
    }
    best
}

/// Returns the partition with sorted patterns, and with sorted homes in each pattern.
fn sorted(mut partition: Partition) -> Partition {
    for home_cells in &mut partition {
        home_cells.sort_unstable();
    }
    partition.sort_unstable();
    partition
}

/// A search for the partitions with the largest sum of squared pattern sizes.
#[derive(Default)]
struct PartitionSearch {
    /// Number of nodes visited. A node is a list of disjoint patterns.
    nodes: usize,
    /// The largest sum of squared pattern sizes found so far.
    best_sum: usize,
    /// All partitions with this sum so far.
    best: Vec<Partition>,
}

impl PartitionSearch {
    /// Tries all completions of the disjoint patterns `chosen` to a partition, with patterns of `available`. The bits
    /// of `remaining` are the homes outside the chosen patterns.
    fn find(&mut self, available: &[Vec<u8>], remaining: u64, chosen: &mut Partition) {
        self.nodes += 1;
        let max_nodes = if self.best.is_empty() {
            MAX_NODES_WITHOUT_PARTITION
        } else {
            MAX_NODES
        };
        if self.nodes > max_nodes {
            return;
        }
        if remaining == 0 {
            let sum = chosen
                .iter()
                .map(|home_cells| home_cells.len() * home_cells.len())
                .sum();
            if sum > self.best_sum {
                self.best.clear();
                self.best_sum = sum;
            }
            if sum == self.best_sum {
                self.best.push(sorted(chosen.clone()));
            }
            return;
        }
        let first = remaining.trailing_zeros() as u8;
        for home_cells in available
            .iter()
            .filter(|home_cells| home_cells.contains(&first))
        {
            let set = home_cells.iter().fold(0, |set: u64, &home| set | 1 << home);
            if set & !remaining == 0 {
                chosen.push(home_cells.clone());
                self.find(available, remaining & !set, chosen);
                chosen.pop();
            }
        }
    }
}

/// Returns the patterns of the tables to build for `partitions`, one pattern for all images under usable symmetries,
/// which share a table.
pub fn patterns(tiles: &Tiles, partitions: &[Partition]) -> Vec<Pattern> {
    let mut patterns: Partition = Vec::new();
    for home_cells in partitions.iter().flatten() {
        if !patterns
            .iter()
            .any(|known| find_symmetry(tiles, known, home_cells).is_some())
        {
            let mut home_cells = home_cells.clone();
            home_cells.sort_unstable();
            patterns.push(home_cells);
        }
    }
    let pattern = |home_cells| pattern(tiles, home_cells);
    patterns.into_iter().map(pattern).collect()
}

/// Returns the patterns of `available` whose tables must be loaded for `partitions`, each as the homes of its tiles. A
/// table also serves the pattern's images under usable symmetries.
pub fn required_patterns(
    tiles: &Tiles,
    partitions: &[Partition],
    available: &[Vec<u8>],
) -> Partition {
    let mut required: Partition = Vec::new();
    for requested in partitions.iter().flatten() {
        let mut candidates = required.iter().chain(available);
        let source =
            candidates.find(|home_cells| find_symmetry(tiles, home_cells, requested).is_some());
        if let Some(home_cells) = source
            .cloned()
            .filter(|home_cells| !required.contains(home_cells))
        {
            required.push(home_cells);
        }
    }
    required
}

/// Returns the symmetries of the board that are usable with the pattern of the homes `home_cells`, each as the images
/// of all cells.
///
/// If a usable symmetry maps another pattern to this pattern, both can use the same table. The distances in a table end
/// with the blank at home, but a symmetry maps the blank's home to another cell. So the blank must be able to move from
/// this cell to its home without moving a tile of the pattern; such moves are free.
pub fn usable_symmetries(tiles: &Tiles, home_cells: &[u8]) -> Vec<Vec<u8>> {
    let pattern = pattern(tiles, home_cells.to_vec());
    let region = pattern.blank_region(tiles.home(0));
    let is_usable = |images: &Vec<u8>| region >> images[tiles.home(0)] & 1 == 1;
    symmetries(tiles).into_iter().filter(is_usable).collect()
}

/// Returns a usable symmetry that maps the pattern `requested` to the pattern `home_cells`, if there is one.
pub(super) fn find_symmetry(tiles: &Tiles, home_cells: &[u8], requested: &[u8]) -> Option<Vec<u8>> {
    let mut requested = requested.to_vec();
    requested.sort_unstable();
    let mut symmetries = usable_symmetries(tiles, home_cells).into_iter();
    symmetries.find(|images| preimage(home_cells, images) == requested)
}

/// Returns the pattern with these homes.
pub fn pattern(tiles: &Tiles, home_cells: Vec<u8>) -> Pattern {
    Pattern {
        width: tiles.width,
        height: tiles.height,
        blank: tiles.home(0) as u8,
        home_cells,
    }
}

/// Returns the cells that a symmetry maps to `home_cells`, in ascending order. `images` contains the image of every
/// cell.
fn preimage(home_cells: &[u8], images: &[u8]) -> Vec<u8> {
    let cells = 0..images.len() as u8;
    cells
        .filter(|&cell| home_cells.contains(&images[usize::from(cell)]))
        .collect()
}

/// Returns the partitions `known`, transformed from a blank's home on cell 0 to the blank's home of this board.
/// Returns no partitions if the blank's home is not a corner.
fn oriented(tiles: &Tiles, known: &[KnownPartition]) -> Vec<Partition> {
    let blank = tiles.home(0);
    let mut symmetries = symmetries(tiles).into_iter();
    let Some(images) = symmetries.find(|images| images[blank] == 0) else {
        return Vec::new();
    };
    let preimage_of = |group: &&[u8]| preimage(group, &images);
    let partitions = known
        .iter()
        .map(|known| known.iter().map(preimage_of).collect());
    partitions.collect()
}

/// Returns the homes of all tiles in snake order: down the first two columns row by row, up the next two columns,
/// and so on. Consecutive homes in this order form compact patterns.
fn homes_in_snake_order(tiles: &Tiles) -> Vec<u8> {
    let mut cells = Vec::new();
    for (strip, left) in (0..tiles.width).step_by(2).enumerate() {
        for step in 0..tiles.height {
            let row = if strip % 2 == 0 {
                step
            } else {
                tiles.height - 1 - step
            };
            let columns = left..(left + 2).min(tiles.width);
            cells.extend(columns.map(|column| (row * tiles.width + column) as u8));
        }
    }
    cells.retain(|&cell| usize::from(cell) != tiles.home(0));
    cells
}
