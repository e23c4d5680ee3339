//! How the tiles of a board are divided into patterns.

use std::cmp::Reverse;

use super::Tiles;
use super::symmetry::{still_symmetries, symmetries};
use crate::error::EngineError;
use crate::games::tiles::pattern::{MAX_TILES, Pattern};

/// Patterns without a common tile, by the homes of their tiles.
pub type Partition = Vec<Vec<u8>>;

/// A good one for the board with the blank at home on cell 0.
type Known = &'static [&'static [u8]];

/// What fits the caches and is made in a moment.
const FIFTEEN: Known = &[&[1, 4, 5, 8, 9, 12], &[2, 3, 6, 7, 10, 11], &[13, 14, 15]];
/// The largest that are made at all.
const FIFTEEN_LARGE: Known = &[&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14, 15]];
/// Korf and Felner's (2002).
const TWENTY_FOUR: Known = &[
    &[1, 2, 5, 6, 7, 12],
    &[3, 4, 8, 9, 13, 14],
    &[10, 11, 15, 16, 20, 21],
    &[17, 18, 19, 22, 23, 24],
];
/// Two that see what Korf and Felner's overlooks, out of 198 into four connected groups of six of which one closes the blank's
/// corner off: with both, six instances took 0.42 of the nodes together where all views were asked. Ten instances of theirs take
/// 0.15 of the nodes that their search needed, 13,096 million:
///
/// ```text
/// puli tables 24-puzzle --out tables
/// scripts/korf tests/data/puzzles/korf24-easiest.tsv --option TablebasePath tables --option Threads 2
/// ```
const TWENTY_FOUR_SECOND: Known = &[
    &[1, 2, 3, 5, 6, 7],
    &[4, 8, 9, 13, 14, 19],
    &[10, 11, 15, 16, 20, 21],
    &[12, 17, 18, 22, 23, 24],
];
const TWENTY_FOUR_THIRD: Known = &[
    &[1, 2, 5, 6, 7, 10],
    &[3, 4, 8, 9, 14, 19],
    &[11, 12, 13, 18, 23, 24],
    &[15, 16, 17, 20, 21, 22],
];
/// Groups of seven, one of which closes the corner off: no better than Korf and Felner's on the whole.
const TWENTY_FOUR_LARGE: Known = &[
    &[1, 2, 5, 6, 7, 10, 11],
    &[3, 4, 8, 9, 12, 13, 14],
    &[15, 16, 17, 20, 21, 22, 23],
    &[18, 19, 24],
];
/// More than the placements of any pattern that is made: seven tiles on 25 cells have 2,422,728,000.
const MAX_PLACEMENTS: usize = 3_000_000_000;
/// The most partitions that are put to use together.
pub const MAX_PARTITIONS: usize = 3;
/// Divisions of the tiles that are looked at, whole or not, once there is one.
const MAX_DIVISIONS: usize = 1 << 16;
/// The same where there is none yet: patterns that were made to go together are found sooner.
const MAX_FAILED_DIVISIONS: usize = 1 << 20;

/// The partition whose tables are made in memory, the textbooks' where they have one.
pub fn default_partition(tiles: &Tiles) -> Partition {
    let size = match tiles.cell_count() {
        ..10 | 26.. => 4,
        10..=25 => 6,
    };
    let along_the_snake = || {
        let all = homes_along_the_snake(tiles);
        all.chunks(size).map(<[u8]>::to_vec).collect()
    };
    let known = known_best(tiles).into_iter().next();
    known.unwrap_or_else(along_the_snake)
}

/// Good partitions into patterns that are quickly made, the textbooks' first; none where none are known.
fn known_best(tiles: &Tiles) -> Vec<Partition> {
    placed(
        tiles,
        match (tiles.width, tiles.height) {
            (4, 4) => &[FIFTEEN],
            (5, 5) => &[TWENTY_FOUR, TWENTY_FOUR_SECOND, TWENTY_FOUR_THIRD],
            _ => &[],
        },
    )
}

/// The partitions into patterns of these sizes, as 7-8: known good ones, or else what comes to lie together along a snake
/// that winds through the board.
pub fn of_sizes(tiles: &Tiles, sizes: &str) -> Result<Vec<Partition>, EngineError> {
    let refuse =
        |why: String| EngineError::new(format!("'{sizes}' is no partition of this board: {why}"));
    let read = |size: &str| match size.parse() {
        Ok(size @ 1..=MAX_TILES) => Ok(size),
        _ => Err(refuse(format!(
            "expected sizes from 1 to {MAX_TILES}, as 7-8, found '{size}'"
        ))),
    };
    let wanted = sizes
        .split('-')
        .map(read)
        .collect::<Result<Vec<usize>, EngineError>>()?;
    let all = homes_along_the_snake(tiles);
    let sum: usize = wanted.iter().sum();
    if sum != all.len() {
        return Err(refuse(format!(
            "the sizes sum up to {sum}, and it has {} tiles",
            all.len()
        )));
    }
    for &size in &wanted {
        let placements = pattern(tiles, all[..size].to_vec()).placements();
        if placements > MAX_PLACEMENTS {
            return Err(refuse(format!(
                "{size} tiles can be placed in {placements} ways, more than the {MAX_PLACEMENTS} that a table may have"
            )));
        }
    }
    let has_these_sizes = |known: &Known| {
        let (mut known, mut wanted): (Vec<usize>, _) = (
            known.iter().map(|group| group.len()).collect(),
            wanted.clone(),
        );
        known.sort_unstable();
        wanted.sort_unstable();
        known == wanted
    };
    let known: &[Known] = match (tiles.width, tiles.height) {
        (4, 4) => &[FIFTEEN, FIFTEEN_LARGE],
        (5, 5) => &[
            TWENTY_FOUR,
            TWENTY_FOUR_SECOND,
            TWENTY_FOUR_THIRD,
            TWENTY_FOUR_LARGE,
        ],
        _ => &[],
    };
    let known: Vec<Known> = known.iter().copied().filter(has_these_sizes).collect();
    let along_the_snake = || {
        let mut rest = all.as_slice();
        let mut next = |&size: &usize| {
            let (group, later) = rest.split_at(size);
            rest = later;
            group.to_vec()
        };
        wanted.iter().map(&mut next).collect()
    };
    let mut partitions = placed(tiles, &known);
    if partitions.is_empty() {
        partitions.push(along_the_snake());
    }
    Ok(partitions)
}

/// The best partitions into patterns that there are, or into images of them under the board's symmetries, the best first.
/// With large patterns less of what hinders the tiles is overlooked: those with the largest sum of squares of the sizes are
/// best, and of these the known ones.
pub fn best_of(tiles: &Tiles, patterns: &[Vec<u8>]) -> Vec<Partition> {
    let mut images: Partition = Vec::new();
    for homes in patterns {
        for turned in serving(tiles, homes) {
            let image = taken_back(homes, &turned);
            if !images.contains(&image) {
                images.push(image);
            }
        }
    }
    images.sort_by_key(|homes| Reverse(homes.len()));
    let all = (1 << tiles.cell_count()) - 1 & !(1 << tiles.home(0));
    let mut covers = PartitionSearch::default();
    covers.find(&images, all, &mut Vec::new());
    let mirrors = still_symmetries(tiles);
    let mut best: Vec<Partition> = Vec::new();
    let known = known_best(tiles).into_iter().map(sorted);
    let known = known.filter(|partition| covers.best.contains(partition));
    for partition in known.chain(covers.best.iter().cloned()) {
        let mut mirrored = mirrors.iter().map(|turned| {
            sorted(
                partition
                    .iter()
                    .map(|homes| taken_back(homes, turned))
                    .collect(),
            )
        });
        if best.len() < MAX_PARTITIONS && !mirrored.any(|mirrored| best.contains(&mirrored)) {
            best.push(partition);
        }
    }
    best
}

/// A partition's patterns in order.
fn sorted(mut partition: Partition) -> Partition {
    for homes in &mut partition {
        homes.sort_unstable();
    }
    partition.sort_unstable();
    partition
}

/// The ways to divide the tiles' homes among patterns: those whose sizes have the largest squares.
#[derive(Default)]
struct PartitionSearch {
    divisions: usize,
    squares: usize,
    best: Vec<Partition>,
}

impl PartitionSearch {
    /// Tries all ways to divide the homes that are left, as bits.
    fn find(&mut self, images: &[Vec<u8>], left: u64, chosen: &mut Partition) {
        self.divisions += 1;
        let most = if self.best.is_empty() {
            MAX_FAILED_DIVISIONS
        } else {
            MAX_DIVISIONS
        };
        if self.divisions > most {
            return;
        }
        if left == 0 {
            let squares = chosen.iter().map(|homes| homes.len() * homes.len()).sum();
            if squares > self.squares {
                self.best.clear();
                self.squares = squares;
            }
            if squares == self.squares {
                self.best.push(sorted(chosen.clone()));
            }
            return;
        }
        let first = left.trailing_zeros() as u8;
        for homes in images.iter().filter(|homes| homes.contains(&first)) {
            let set = homes.iter().fold(0, |set: u64, &home| set | 1 << home);
            if set & !left == 0 {
                chosen.push(homes.clone());
                self.find(images, left & !set, chosen);
                chosen.pop();
            }
        }
    }
}

/// The patterns whose tables the partitions need: of those that are images of each other one.
pub fn patterns(tiles: &Tiles, partitions: &[Partition]) -> Vec<Pattern> {
    let mut patterns: Partition = Vec::new();
    for homes in partitions.iter().flatten() {
        if !patterns
            .iter()
            .any(|known| turn(tiles, known, homes).is_some())
        {
            let mut homes = homes.clone();
            homes.sort_unstable();
            patterns.push(homes);
        }
    }
    let pattern = |homes| pattern(tiles, homes);
    patterns.into_iter().map(pattern).collect()
}

/// The homes of those patterns, among `there`, that the partitions need: each serves all its images.
pub fn needed(tiles: &Tiles, partitions: &[Partition], there: &[Vec<u8>]) -> Partition {
    let mut needed: Partition = Vec::new();
    for wanted in partitions.iter().flatten() {
        let mut serving = needed.iter().chain(there);
        let serving = serving.find(|homes| turn(tiles, homes, wanted).is_some());
        if let Some(homes) = serving.cloned().filter(|homes| !needed.contains(homes)) {
            needed.push(homes);
        }
    }
    needed
}

/// The symmetries, as where each cell goes, by which the table of the pattern with these homes serves others: those that
/// take the blank's home to where the blank can go to its home without a move of the pattern.
pub fn serving(tiles: &Tiles, homes: &[u8]) -> Vec<Vec<u8>> {
    let pattern = pattern(tiles, homes.to_vec());
    let part = pattern.part(tiles.home(0));
    let leads_there = |turned: &Vec<u8>| part >> turned[tiles.home(0)] & 1 == 1;
    symmetries(tiles).into_iter().filter(leads_there).collect()
}

/// The symmetry by which the table of `homes` serves the pattern `wanted`, if it does.
pub fn turn(tiles: &Tiles, homes: &[u8], wanted: &[u8]) -> Option<Vec<u8>> {
    let mut wanted = wanted.to_vec();
    wanted.sort_unstable();
    let mut serving = serving(tiles, homes).into_iter();
    serving.find(|turned| taken_back(homes, turned) == wanted)
}

/// The pattern with these homes.
pub fn pattern(tiles: &Tiles, homes: Vec<u8>) -> Pattern {
    Pattern {
        width: tiles.width,
        height: tiles.height,
        blank: tiles.home(0) as u8,
        homes,
    }
}

/// What a symmetry takes to these homes, in order.
fn taken_back(homes: &[u8], turned: &[u8]) -> Vec<u8> {
    let cells = 0..turned.len() as u8;
    cells
        .filter(|&cell| homes.contains(&turned[usize::from(cell)]))
        .collect()
}

/// Known partitions, turned to where the blank's home is; none where that is not in a corner.
fn placed(tiles: &Tiles, known: &[Known]) -> Vec<Partition> {
    let blank = tiles.home(0);
    let mut symmetries = symmetries(tiles).into_iter();
    let Some(turned) = symmetries.find(|turned| turned[blank] == 0) else {
        return Vec::new();
    };
    let back = |group: &&[u8]| taken_back(group, &turned);
    let placed = known.iter().map(|known| known.iter().map(back).collect());
    placed.collect()
}

/// The tiles' homes along a snake: strips of two columns, down and up again.
fn homes_along_the_snake(tiles: &Tiles) -> Vec<u8> {
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
