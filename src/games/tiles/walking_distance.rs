//! Walking distance (Takahashi, 2002): a lower bound on the vertical plus the horizontal moves.
//!
//! For the vertical moves only the number of tiles of each home row in each row counts. The distances of all such
//! counts from the goal are tabulated, and likewise for columns.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::{Position, Tiles};
use crate::control::Stopped;
use crate::games::key::Mix64Hasher;
use crate::pathfinding::Heuristic;
use crate::try_alloc::{self, BuildError, OutOfMemory};

/// By line and home line: the number of tiles, three bits each. The blank's line is in the high bits.
type LineCounts = u128;

/// The distance of every reachable count from the goal, in moves.
type Table = HashMap<LineCounts, u32, BuildHasherDefault<Mix64Hasher>>;

/// Number of counts expanded between two calls of `watch`.
const COUNTS_PER_POLL: usize = 1 << 10;

/// Maximum size of a board, in cells. Larger boards have millions of counts.
pub(crate) const MAX_CELLS: usize = 16;

const COUNT_BITS: usize = 3;
const BLANK_SHIFT: usize = 120;

/// The tables for one board and goal.
#[derive(Clone, Debug)]
pub(super) struct WalkingDistance {
    rows: Table,
    columns: Table,
}

impl WalkingDistance {
    /// Builds the tables for a board of at most [`MAX_CELLS`] cells. Calls `watch` every few milliseconds.
    ///
    /// # Errors
    /// [`BuildError`] if `watch` stops the construction or an allocation fails.
    pub(super) fn new(
        puzzle: &Tiles,
        watch: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<Self, BuildError> {
        let mut table =
            |line, lines| build_table(line_counts(puzzle, puzzle.goal(), line), lines, watch);
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

#[derive(Clone, Copy)]
enum Line {
    Row,
    Column,
}

fn shift(lines: usize, line: usize, home: usize) -> usize {
    COUNT_BITS * (line * lines + home)
}

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

/// Returns the distances of all counts from the goal, by breadth-first search.
fn build_table(
    goal: LineCounts,
    lines: usize,
    watch: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<Table, BuildError> {
    let mut distances = Table::from_iter([(goal, 0)]);
    // All counts found so far, in ascending order of their distance.
    let mut queue = vec![(goal, 0)];
    let mut next_index = 0;
    while let Some(&(counts, distance)) = queue.get(next_index) {
        next_index += 1;
        if next_index % COUNTS_PER_POLL == 0 {
            watch()?;
        }
        let blank = (counts >> BLANK_SHIFT) as usize;
        let neighbors = [
            blank.checked_sub(1),
            Some(blank + 1).filter(|&line| line < lines),
        ];
        for from in neighbors.into_iter().flatten() {
            // A tile moves from line `from` to the blank's line. Its home line can be any.
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
    fn stops_building_when_watch_fails() {
        // Six rows of two cells have hundreds of thousands of counts.
        let mut polls = 0;
        let result = WalkingDistance::new(&Tiles::new(2, 6), &mut || {
            polls += 1;
            if polls < 3 { Ok(()) } else { Err(Stopped) }
        });
        assert_eq!(result.err(), Some(BuildError::Stopped));
        assert_eq!(polls, 3);
    }
}
