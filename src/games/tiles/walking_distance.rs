//! Walking distance (Takahashi, 2002): how many moves along the columns, and how many along the rows, a board needs at
//! least when it is only known how many tiles of each row belong to which.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::{Position, Tiles};
use crate::control::Stopped;
use crate::games::key::Scatterer;
use crate::pathfinding::Heuristic;
use crate::try_alloc::{self, BuildError, OutOfMemory};

/// How many tiles of each line belong to which line, three bits a number, and the line of the blank.
type RowCounts = u128;

/// Distances by crowd.
type Table = HashMap<RowCounts, u32, BuildHasherDefault<Scatterer>>;

/// Crowds that are looked at between two questions whether to go on.
const CROWDS_PER_QUESTION: usize = 1 << 10;

/// The most cells of a board whose tables are made: beyond them the crowds are millions.
pub const MAX_CELLS: usize = 16;

const NUMBER_BITS: usize = 3;
const BLANK_SHIFT: usize = 120;

/// The tables for one board and goal.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    rows: Table,
    columns: Table,
}

impl WalkingDistance {
    /// Makes the tables for a board of at most [`MAX_CELLS`] cells. `watch` is asked every few milliseconds whether to go
    /// on.
    pub fn new(
        puzzle: &Tiles,
        watch: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<Self, BuildError> {
        let mut table = |line, lines| distances(crowd(puzzle, puzzle.goal(), line), lines, watch);
        Ok(Self {
            rows: table(Line::Row, puzzle.height)?,
            columns: table(Line::Column, puzzle.width)?,
        })
    }
}

impl Heuristic<Tiles> for WalkingDistance {
    fn estimate(&self, puzzle: &Tiles, position: &Position) -> u32 {
        let look = |table: &Table, line| {
            table
                .get(&crowd(puzzle, position, line))
                .copied()
                .unwrap_or(0)
        };
        look(&self.rows, Line::Row) + look(&self.columns, Line::Column)
    }
}

#[derive(Clone, Copy)]
enum Line {
    Row,
    Column,
}

fn shift(lines: usize, at: usize, home: usize) -> usize {
    NUMBER_BITS * (at * lines + home)
}

fn crowd(puzzle: &Tiles, position: &Position, line: Line) -> RowCounts {
    let (lines, line_of): (usize, &dyn Fn(usize) -> usize) = match line {
        Line::Row => (puzzle.height, &|cell| cell / puzzle.width),
        Line::Column => (puzzle.width, &|cell| cell % puzzle.width),
    };
    let mut crowd = (line_of(position.blank.into()) as RowCounts) << BLANK_SHIFT;
    for (cell, &tile) in position.cells[..puzzle.cell_count()].iter().enumerate() {
        if tile != 0 {
            crowd += 1 << shift(lines, line_of(cell), line_of(puzzle.home(tile)));
        }
    }
    crowd
}

/// The distances of all crowds from the goal's.
fn distances(
    goal: RowCounts,
    lines: usize,
    watch: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<Table, BuildError> {
    let mut known = Table::from_iter([(goal, 0)]);
    // Every crowd once, in the order of the distances.
    let mut reached = vec![(goal, 0)];
    let mut next_crowd = 0;
    while let Some(&(crowd, distance)) = reached.get(next_crowd) {
        next_crowd += 1;
        if next_crowd % CROWDS_PER_QUESTION == 0 {
            watch()?;
        }
        let blank = (crowd >> BLANK_SHIFT) as usize;
        let neighbors = [
            blank.checked_sub(1),
            Some(blank + 1).filter(|&line| line < lines),
        ];
        for from in neighbors.into_iter().flatten() {
            // A tile of line `from` takes the blank's place, whichever line it belongs to.
            for home in 0..lines {
                if crowd >> shift(lines, from, home) & ((1 << NUMBER_BITS) - 1) == 0 {
                    continue;
                }
                let moved =
                    crowd - (1 << shift(lines, from, home)) + (1 << shift(lines, blank, home));
                let next = moved & ((1 << BLANK_SHIFT) - 1) | (from as RowCounts) << BLANK_SHIFT;
                if known.contains_key(&next) {
                    continue;
                }
                known.try_reserve(1).map_err(|_| OutOfMemory {
                    bytes: (2 * known.len() * size_of::<(RowCounts, u32)>()) as u64,
                })?;
                known.insert(next, distance + 1);
                try_alloc::push(&mut reached, (next, distance + 1))?;
            }
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_take_long_are_not_made_to_their_end_against_the_will_of_who_waits() {
        // Six rows of two: hundreds of thousands of crowds.
        let mut asked = 0;
        let made = WalkingDistance::new(&Tiles::new(2, 6), &mut || {
            asked += 1;
            if asked < 3 { Ok(()) } else { Err(Stopped) }
        });
        assert_eq!(made.err(), Some(BuildError::Stopped));
        assert_eq!(asked, 3);
    }
}
