//! Walking distance (Takahashi, 2002): a lower bound on the vertical moves plus a lower bound on the horizontal moves.
//!
//! The bound on the vertical moves comes from an abstract puzzle that ignores columns. Its state consists of the
//! blank's row and the number of tiles in row `r` whose home is in row `h`, for all `r` and `h`. A move exchanges the
//! blank with any tile of an adjacent row. A breadth-first search from the goal stores the distances of all states in
//! a table. For the horizontal moves, rows and columns are exchanged. A *line* is a row or a column.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::{Position, Tiles};
use crate::control::Stopped;
use crate::games::key::Mix64Hasher;
use crate::pathfinding::Heuristic;
use crate::try_alloc::{self, BuildError, OutOfMemory};

/// A state of the abstract puzzle. For each pair of line and home line, three bits hold the number of tiles, see
/// [`shift`]. The line of the blank starts at bit `BLANK_SHIFT`.
type LineCounts = u128;

/// The distance of every reachable state from the goal, in moves.
type Table = HashMap<LineCounts, u32, BuildHasherDefault<Mix64Hasher>>;

/// Number of states expanded between two calls of `poll`.
const STATES_PER_POLL: usize = 1 << 10;

/// Maximum size of a board, in cells. The abstract puzzles of larger boards have millions of states.
pub(crate) const MAX_CELLS: usize = 16;

/// Bits per number of tiles. A line has at most 6 cells.
const COUNT_BITS: usize = 3;
/// Bit offset of the blank's line. The numbers of tiles use at most 6 × 6 × 3 = 108 bits.
const BLANK_SHIFT: usize = 120;

/// The heuristic for one board and goal: a table of vertical and a table of horizontal distances.
#[derive(Clone, Debug)]
pub(super) struct WalkingDistance {
    rows: Table,
    columns: Table,
}

impl WalkingDistance {
    /// Builds the tables for a board of at most [`MAX_CELLS`] cells. Calls `poll` every few milliseconds.
    ///
    /// # Errors
    /// [`BuildError`] if `poll` fails or an allocation fails.
    pub(super) fn new(
        puzzle: &Tiles,
        poll: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<Self, BuildError> {
        let mut table =
            |line, lines| build_table(line_counts(puzzle, puzzle.goal(), line), lines, poll);
        Ok(Self {
            rows: table(Line::Row, puzzle.height)?,
            columns: table(Line::Column, puzzle.width)?,
        })
    }
}

impl Heuristic<Tiles> for WalkingDistance {
    fn estimate(&self, puzzle: &Tiles, position: &Position) -> u32 {
        let distance_in = |table: &Table, line| {
            table
                .get(&line_counts(puzzle, position, line))
                .copied()
                .unwrap_or(0)
        };
        distance_in(&self.rows, Line::Row) + distance_in(&self.columns, Line::Column)
    }
}

/// The kind of a line.
#[derive(Clone, Copy)]
enum Line {
    Row,
    Column,
}

/// Returns the bit offset, in [`LineCounts`], of the number of tiles in line `line` whose home is in line `home`.
/// `lines` is the number of lines.
fn shift(lines: usize, line: usize, home: usize) -> usize {
    COUNT_BITS * (line * lines + home)
}

/// Returns the state of `position` in the abstract puzzle for rows or for columns.
fn line_counts(puzzle: &Tiles, position: &Position, line: Line) -> LineCounts {
    let (lines, line_of): (usize, &dyn Fn(usize) -> usize) = match line {
        Line::Row => (puzzle.height, &|cell| cell / puzzle.width),
        Line::Column => (puzzle.width, &|cell| cell % puzzle.width),
    };
    let mut counts = (line_of(position.blank.into()) as LineCounts) << BLANK_SHIFT;
    for (cell, &tile) in position.cells[..puzzle.cell_count()].iter().enumerate() {
        if tile != 0 {
            counts += 1 << shift(lines, line_of(cell), line_of(puzzle.home(tile)));
        }
    }
    counts
}

/// Returns the distances of all states from `goal`, by breadth-first search. `lines` is the number of lines.
fn build_table(
    goal: LineCounts,
    lines: usize,
    poll: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<Table, BuildError> {
    let mut distances = Table::from_iter([(goal, 0)]);
    // All states found so far, in ascending order of their distance.
    let mut queue = vec![(goal, 0)];
    let mut next_index = 0;
    while let Some(&(counts, distance)) = queue.get(next_index) {
        next_index += 1;
        if next_index % STATES_PER_POLL == 0 {
            poll()?;
        }
        let blank = (counts >> BLANK_SHIFT) as usize;
        let neighbors = [
            blank.checked_sub(1),
            Some(blank + 1).filter(|&line| line < lines),
        ];
        for from in neighbors.into_iter().flatten() {
            // A tile moves from line `from` to the blank's line. Its home is in any line.
            for home in 0..lines {
                if counts >> shift(lines, from, home) & ((1 << COUNT_BITS) - 1) == 0 {
                    continue;
                }
                let moved =
                    counts - (1 << shift(lines, from, home)) + (1 << shift(lines, blank, home));
                let next = moved & ((1 << BLANK_SHIFT) - 1) | (from as LineCounts) << BLANK_SHIFT;
                if distances.contains_key(&next) {
                    continue;
                }
                distances.try_reserve(1).map_err(|_| OutOfMemory {
                    bytes: (2 * distances.len() * size_of::<(LineCounts, u32)>()) as u64,
                })?;
                distances.insert(next, distance + 1);
                try_alloc::push(&mut queue, (next, distance + 1))?;
            }
        }
    }
    Ok(distances)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_building_when_poll_fails() {
        // The abstract puzzle for six rows of two cells has hundreds of thousands of states.
        let mut polls = 0;
        let result = WalkingDistance::new(&Tiles::new(2, 6), &mut || {
            polls += 1;
            if polls < 3 { Ok(()) } else { Err(Stopped) }
        });
        assert_eq!(result.err(), Some(BuildError::Stopped));
        assert_eq!(polls, 3);
    }
}
