//! Heuristics from the literature that need no tables.

use super::{Position, Tiles};
use crate::pathfinding::Heuristic;

/// The number of tiles that are not at home.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misplaced;

/// The sum of the tiles' Manhattan distances from home.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manhattan;

/// [`Manhattan`] plus 2 for every reversal. A reversal is a pair of adjacent tiles that are each in the home of the
/// other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reversal;

/// The sum of the squared row and column distances from home, plus 2 for every reversal. Not admissible.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squared {
    /// If `true`, the sum of squares is reduced by 15 percent.
    pub discounted: bool,
}

/// [`Manhattan`] plus 2 for every tile that must leave its home row or column to let other tiles of that line pass
/// (Hansson, Mayer and Yung, 1992).
#[derive(Clone, Copy, Debug)]
pub(super) struct LinearConflict;

/// Returns every tile with its cell and its home.
fn tiles_of<'a>(
    puzzle: &'a Tiles,
    position: &'a Position,
) -> impl Iterator<Item = (u8, usize, usize)> + 'a {
    let cells = position.cells[..puzzle.cell_count()].iter().enumerate();
    cells
        .filter(|&(_, &tile)| tile != 0)
        .map(|(cell, &tile)| (tile, cell, puzzle.home(tile)))
}

/// Returns the sum of the squared row and column distances between two cells.
pub(super) fn squares(puzzle: &Tiles, a: usize, b: usize) -> u32 {
    let width = puzzle.width;
    let square = |a: usize, b: usize| (a.abs_diff(b) * a.abs_diff(b)) as u32;
    square(a / width, b / width) + square(a % width, b % width)
}

/// Returns 2 for every reversal, defined at [`Reversal`].
fn reversals(puzzle: &Tiles, position: &Position) -> u32 {
    let pairs = tiles_of(puzzle, position).filter(|&(tile, cell, home)| {
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
            .map(|(_, cell, home)| squares(puzzle, cell, home))
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
        let leaving = |line: usize, length: usize, cell_at: &dyn Fn(usize, usize) -> usize| {
            // The home positions, along the line, of the tiles that are in their home line.
            let at_home = (0..length).filter_map(|index| {
                let tile = position.cells[cell_at(line, index)];
                let home = puzzle.home(tile);
                (0..length).find(|&index| tile != 0 && cell_at(line, index) == home)
            });
            at_home.clone().count() - longest_ascent(at_home)
        };
        let rows = (0..height).map(|row| leaving(row, width, &|row, column| row * width + column));
        let columns =
            (0..width).map(|column| leaving(column, height, &|column, row| row * width + column));
        Manhattan.estimate(puzzle, position)
            + 2 * (rows.sum::<usize>() + columns.sum::<usize>()) as u32
    }
}

/// Returns the length of the longest ascending subsequence: the number of tiles that can stay in their line.
pub(crate) fn longest_ascent(values: impl Iterator<Item = usize>) -> usize {
    let mut longest_up_to = [0; super::MAX_SIDE];
    for value in values {
        let before = longest_up_to[..value].iter().max();
        longest_up_to[value] = before.copied().unwrap_or(0) + 1;
    }
    longest_up_to.into_iter().max().unwrap_or(0)
}
