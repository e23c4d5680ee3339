//! How the tiles of a board are divided into patterns.

use super::Tiles;
use super::symmetry::{still_symmetries, symmetries};
use crate::error::Refusal;
use crate::games::tiles::pattern::{MOST_TILES, Pattern};

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
/// More than the placements of any pattern that is made: eight tiles on sixteen cells have 518,918,400.
const MOST_PLACEMENTS: usize = 600_000_000;

/// The partition whose tables are made in memory.
pub fn usual(tiles: &Tiles) -> Partition {
    let known = match (tiles.width, tiles.height) {
        (4, 4) => Some(FIFTEEN),
        (5, 5) => Some(TWENTY_FOUR),
        _ => None,
    };
    let size = match tiles.cell_count() {
        ..10 | 26.. => 4,
        10..=25 => 6,
    };
    let along_the_snake = || {
        let all = homes_along_the_snake(tiles);
        all.chunks(size).map(<[u8]>::to_vec).collect()
    };
    known
        .and_then(|known| placed(tiles, known))
        .unwrap_or_else(along_the_snake)
}

/// The partition into patterns of these sizes, as 7-8: a known good one, or else what comes to lie together along a snake
/// that winds through the board.
pub fn of_sizes(tiles: &Tiles, sizes: &str) -> Result<Partition, Refusal> {
    let refuse =
        |why: String| Refusal::new(format!("'{sizes}' is no partition of this board: {why}"));
    let read = |size: &str| match size.parse() {
        Ok(size @ 1..=MOST_TILES) => Ok(size),
        _ => Err(refuse(format!(
            "expected sizes from 1 to {MOST_TILES}, as 7-8, found '{size}'"
        ))),
    };
    let wanted = sizes
        .split('-')
        .map(read)
        .collect::<Result<Vec<usize>, Refusal>>()?;
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
        if placements > MOST_PLACEMENTS {
            return Err(refuse(format!(
                "{size} tiles can be placed in {placements} ways, more than the {MOST_PLACEMENTS} that a table may have"
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
        (5, 5) => &[TWENTY_FOUR],
        _ => &[],
    };
    let known = known.iter().find(|known| has_these_sizes(known));
    let along_the_snake = || {
        let mut rest = all.as_slice();
        let mut next = |&size: &usize| {
            let (group, later) = rest.split_at(size);
            rest = later;
            group.to_vec()
        };
        wanted.iter().map(&mut next).collect()
    };
    Ok(known
        .and_then(|known| placed(tiles, known))
        .unwrap_or_else(along_the_snake))
}

/// The best partition into patterns that there are, or into images of them under the board's symmetries. With large
/// patterns less of what hinders the tiles is overlooked: the one with the largest sum of squares of the sizes is best.
pub fn best_of(tiles: &Tiles, patterns: &[Vec<u8>]) -> Option<Partition> {
    let mut images: Partition = Vec::new();
    for homes in patterns {
        for turned in still_symmetries(tiles) {
            let image = image(homes, &turned);
            if !images.contains(&image) {
                images.push(image);
            }
        }
    }
    let all = (1 << tiles.cell_count()) - 1 & !(1 << tiles.home(0));
    let mut best = None;
    cover(&images, all, &mut Vec::new(), &mut best);
    best.map(|(_, partition)| partition)
}

/// Tries all ways to divide the homes that are left, as bits, among the patterns.
fn cover(
    images: &[Vec<u8>],
    left: u64,
    chosen: &mut Partition,
    best: &mut Option<(usize, Partition)>,
) {
    if left == 0 {
        let squares = chosen.iter().map(|homes| homes.len() * homes.len()).sum();
        if best.as_ref().is_none_or(|(most, _)| squares > *most) {
            *best = Some((squares, chosen.clone()));
        }
        return;
    }
    let first = left.trailing_zeros() as u8;
    for homes in images.iter().filter(|homes| homes.contains(&first)) {
        let set = homes.iter().fold(0, |set: u64, &home| set | 1 << home);
        if set & !left == 0 {
            chosen.push(homes.clone());
            cover(images, left & !set, chosen, best);
            chosen.pop();
        }
    }
}

/// The patterns whose tables the partition needs: of those that are images of each other one.
pub fn patterns(tiles: &Tiles, partition: &[Vec<u8>]) -> Vec<Pattern> {
    let symmetries = still_symmetries(tiles);
    let mut patterns: Vec<Pattern> = Vec::new();
    for homes in partition {
        let is_known = symmetries.iter().any(|turned| {
            let image = image(homes, turned);
            patterns.iter().any(|known| known.homes == image)
        });
        if !is_known {
            let mut homes = homes.clone();
            homes.sort_unstable();
            patterns.push(pattern(tiles, homes));
        }
    }
    patterns
}

/// The homes of those patterns, among `there`, that the partition needs: each serves all its images.
pub fn needed(tiles: &Tiles, partition: &[Vec<u8>], there: &[Vec<u8>]) -> Partition {
    let symmetries = still_symmetries(tiles);
    let serves = |homes: &&Vec<u8>| {
        let mut images = symmetries.iter().map(|turned| image(homes, turned));
        images.any(|image| partition.contains(&image))
    };
    there.iter().filter(serves).cloned().collect()
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

/// Where a symmetry takes the homes, in order.
fn image(homes: &[u8], turned: &[u8]) -> Vec<u8> {
    let mut image: Vec<u8> = homes
        .iter()
        .map(|&home| turned[usize::from(home)])
        .collect();
    image.sort_unstable();
    image
}

/// A known partition, turned to where the blank's home is; none where that is not in a corner.
fn placed(tiles: &Tiles, known: Known) -> Option<Partition> {
    let blank = tiles.home(0);
    let turned = symmetries(tiles)
        .into_iter()
        .find(|turned| turned[blank] == 0)?;
    let back = |&cell: &u8| turned.iter().position(|&to| to == cell).unwrap_or(0) as u8;
    Some(
        known
            .iter()
            .map(|group| group.iter().map(back).collect())
            .collect(),
    )
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
