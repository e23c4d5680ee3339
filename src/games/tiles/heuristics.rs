//! The textbook estimates for sliding tiles: how far the tiles lie from home, one by one or in pairs.

use super::{Position, Tiles};
use crate::pathfinding::Heuristic;

/// Tiles that are not at home.
#[derive(Clone, Copy, Debug)]
pub struct Misplaced;

/// The steps from every tile to its home, whatever lies between (Manhattan distance).
#[derive(Clone, Copy, Debug)]
pub struct Manhattan;

/// [`Manhattan`], and two for every pair of neighbours that stand in each other's homes.
#[derive(Clone, Copy, Debug)]
pub struct Reversal;

/// The squares of the rows and of the columns from every tile to its home, and two for every reversed pair; perhaps with
/// fifteen hundredths of the squares taken off. Neither is admissible.
#[derive(Clone, Copy, Debug)]
pub struct Squared {
    /// Whether the squares are discounted.
    pub discounted: bool,
}

/// [`Manhattan`], and two for every tile that has to leave its home row, or its home column, to let others of that row
/// pass (Hansson, Mayer and Yung, 1992).
#[derive(Clone, Copy, Debug)]
pub struct LinearConflict;

/// The tiles with their cells and their homes.
fn tiles_of<'a>(
    puzzle: &'a Tiles,
    position: &'a Position,
) -> impl Iterator<Item = (u8, usize, usize)> + 'a {
    let cells = position.cells[..puzzle.cell_count()].iter().enumerate();
    cells
        .filter(|&(_, &tile)| tile != 0)
        .map(|(cell, &tile)| (tile, cell, puzzle.home(tile)))
}

/// The squares of the rows and of the columns between two cells.
pub fn squares(puzzle: &Tiles, a: usize, b: usize) -> u32 {
    let width = puzzle.width;
    let square = |a: usize, b: usize| (a.abs_diff(b) * a.abs_diff(b)) as u32;
    square(a / width, b / width) + square(a % width, b % width)
}

/// Two for every pair of neighbouring tiles that stand in each other's homes.
fn reversals(puzzle: &Tiles, position: &Position) -> u32 {
    let pairs = tiles_of(puzzle, position).filter(|&(tile, cell, home)| {
        let there = position.cells[home];
        home > cell
            && there != 0
            && puzzle.home(there) == cell
            && puzzle.distance(cell, home) == 1
            && there != tile
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
            // The homes, along the line, of the tiles that belong to it.
            let at_home = (0..length).filter_map(|index| {
                let tile = position.cells[cell_at(line, index)];
                let home = puzzle.home(tile);
                (0..length).find(|&place| tile != 0 && cell_at(line, place) == home)
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

/// The length of the longest ascending subsequence: the tiles that can stay in their line.
pub fn longest_ascent(places: impl Iterator<Item = usize>) -> usize {
    let mut longest_up_to = [0; super::MAX_SIDE];
    for place in places {
        let before = longest_up_to[..place].iter().max();
        longest_up_to[place] = before.copied().unwrap_or(0) + 1;
    }
    longest_up_to.into_iter().max().unwrap_or(0)
}
