//! Heuristics from the literature that need no tables.

use super::{Position, Tiles};
use crate::pathfinding::Heuristic;

/// The number of tiles that are not at home.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misplaced;

/// The sum of the tiles' Manhattan distances from home.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manhattan;

/// [`Manhattan`] plus 2 for every reversal: two adjacent tiles on each other's homes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reversal;

/// The sum of the squared row and column distances from home, plus 2 for every reversal. Not admissible.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squared {
    /// If `true`, the sum of the squares is reduced by 15 percent before the reversals are added.
    pub discounted: bool,
}

/// [`Manhattan`] plus 2 for every linear conflict (Hansson, Mayer and Yung, 1992).
///
/// Tiles in their home row but in the wrong order cannot pass each other within the row. Some must leave the row and
/// return, which takes two additional moves per tile. The heuristic adds 2 for the minimum number of such tiles in
/// every row and column.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinearConflict;

/// Returns every tile except the blank, with its cell and its home.
fn tiles_of<'a>(
    puzzle: &'a Tiles,
    position: &'a Position,
) -> impl Iterator<Item = (u8, usize, usize)> + 'a {
    let cells = position.cells[..puzzle.cell_count()].iter().enumerate();
    cells
        .filter(|&(_, &tile)| tile != 0)
        .map(|(cell, &tile)| (tile, cell, puzzle.home(tile)))
}

/// Returns the squared row distance plus the squared column distance of two cells.
pub(super) fn squared_distance(puzzle: &Tiles, a: usize, b: usize) -> u32 {
    let width = puzzle.width;
    let square = |a: usize, b: usize| (a.abs_diff(b) * a.abs_diff(b)) as u32;
    square(a / width, b / width) + square(a % width, b % width)
}

/// Returns 2 for every reversal. [`Reversal`] defines a reversal.
fn reversals(puzzle: &Tiles, position: &Position) -> u32 {
    let pairs = tiles_of(puzzle, position).filter(|&(tile, cell, home)| {
        // `home > cell` holds for one of the two tiles, so each pair is counted once.
        let other = position.cells[home];
        home > cell
            && other != 0
            && puzzle.home(other) == cell
            && puzzle.distance(cell, home) == 1
            && other != tile
    });
    2 * pairs.count() as u32
}

impl Heuristic<Tiles> for Misplaced {
    fn estimate(&self, puzzle: &Tiles, position: &Position) -> u32 {
        tiles_of(puzzle, position)
            .filter(|&(_, cell, home)| cell != home)
            .count() as u32
    }
}

impl Heuristic<Tiles> for Manhattan {
    fn estimate(&self, puzzle: &Tiles, position: &Position) -> u32 {
        tiles_of(puzzle, position)
            .map(|(_, cell, home)| puzzle.distance(cell, home))
            .sum()
    }
}

impl Heuristic<Tiles> for Reversal {
    fn estimate(&self, puzzle: &Tiles, position: &Position) -> u32 {
        Manhattan.estimate(puzzle, position) + reversals(puzzle, position)
    }
}

impl Heuristic<Tiles> for Squared {
    fn estimate(&self, puzzle: &Tiles, position: &Position) -> u32 {
        let squares: u32 = tiles_of(puzzle, position)
            .map(|(_, cell, home)| squared_distance(puzzle, cell, home))
            .sum();
        let discount = if self.discounted {
            squares * 15 / 100
        } else {
            0
        };
        squares - discount + reversals(puzzle, position)
    }

    fn is_admissible(&self) -> bool {
        false
    }
}

impl Heuristic<Tiles> for LinearConflict {
    fn estimate(&self, puzzle: &Tiles, position: &Position) -> u32 {
        let (width, height) = (puzzle.width, puzzle.height);
        // The number of tiles that must leave the row or column `line`.
        let leaving_count =
            |line: usize, length: usize, cell_at: &dyn Fn(usize, usize) -> usize| {
                // The home places of the tiles whose home is in this line, in the order of the tiles' cells.
                let home_places = (0..length).filter_map(|index| {
                    let tile = position.cells[cell_at(line, index)];
                    let home = puzzle.home(tile);
                    (0..length).find(|&index| tile != 0 && cell_at(line, index) == home)
                });
                home_places.clone().count() - longest_increasing_subsequence(home_places)
            };
        let rows =
            (0..height).map(|row| leaving_count(row, width, &|row, column| row * width + column));
        let columns = (0..width)
            .map(|column| leaving_count(column, height, &|column, row| row * width + column));
        Manhattan.estimate(puzzle, position)
            + 2 * (rows.sum::<usize>() + columns.sum::<usize>()) as u32
    }
}

/// Returns the length of the longest increasing subsequence of distinct `values` below `MAX_SIDE`.
///
/// For the home places of tiles in the order of their cells, this is the maximum number of tiles that can stay in
/// their row or column without passing each other.
pub(crate) fn longest_increasing_subsequence(values: impl Iterator<Item = usize>) -> usize {
    // The length of the longest subsequence that ends with each value.
    let mut longest_ending_with = [0; super::MAX_SIDE];
    for value in values {
        let before = longest_ending_with[..value].iter().max();
        longest_ending_with[value] = before.copied().unwrap_or(0) + 1;
    }
    longest_ending_with.into_iter().max().unwrap_or(0)
}
