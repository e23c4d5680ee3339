//! Walking distance (Takahashi, 2002): how many moves along the columns, and how many along the rows, a board needs at
//! least when it is only known how many tiles of each row belong to which.

use std::collections::HashMap;
use std::collections::VecDeque;

use super::{Position, Tiles};
use crate::pathfinding::Heuristic;

/// How many tiles of each line belong to which line, three bits a number, and the line of the blank.
type Crowd = u128;

/// The most cells of a board whose tables are made: beyond them the crowds are millions.
pub const MOST_CELLS: usize = 16;

const NUMBER_BITS: usize = 3;
const BLANK_SHIFT: usize = 120;

/// The tables for one board and goal.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    rows: HashMap<Crowd, u32>,
    columns: HashMap<Crowd, u32>,
}

impl WalkingDistance {
    /// Makes the tables; none for a board of more than [`MOST_CELLS`] cells.
    pub fn new(puzzle: &Tiles) -> Option<Self> {
        (puzzle.cell_count() <= MOST_CELLS).then(|| Self {
            rows: distances(crowd(puzzle, puzzle.goal(), Line::Row), puzzle.height),
            columns: distances(crowd(puzzle, puzzle.goal(), Line::Column), puzzle.width),
        })
    }
}

impl Heuristic<Tiles> for WalkingDistance {
    fn estimate(&self, puzzle: &Tiles, position: &Position) -> u32 {
        let look = |table: &HashMap<Crowd, u32>, line| {
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

fn crowd(puzzle: &Tiles, position: &Position, line: Line) -> Crowd {
    let (lines, line_of): (usize, &dyn Fn(usize) -> usize) = match line {
        Line::Row => (puzzle.height, &|cell| cell / puzzle.width),
        Line::Column => (puzzle.width, &|cell| cell % puzzle.width),
    };
    let mut crowd = (line_of(position.blank.into()) as Crowd) << BLANK_SHIFT;
    for (cell, &tile) in position.cells[..puzzle.cell_count()].iter().enumerate() {
        if tile != 0 {
            crowd += 1 << shift(lines, line_of(cell), line_of(puzzle.home(tile)));
        }
    }
    crowd
}

/// The distances of all crowds from the goal's.
fn distances(goal: Crowd, lines: usize) -> HashMap<Crowd, u32> {
    let mut known = HashMap::from([(goal, 0)]);
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some((crowd, distance)) = queue.pop_front() {
        let blank = (crowd >> BLANK_SHIFT) as usize;
        let neighbours = [
            blank.checked_sub(1),
            Some(blank + 1).filter(|&line| line < lines),
        ];
        for from in neighbours.into_iter().flatten() {
            // A tile of line `from` takes the blank's place, whichever line it belongs to.
            for home in 0..lines {
                if crowd >> shift(lines, from, home) & ((1 << NUMBER_BITS) - 1) == 0 {
                    continue;
                }
                let moved =
                    crowd - (1 << shift(lines, from, home)) + (1 << shift(lines, blank, home));
                let next = moved & ((1 << BLANK_SHIFT) - 1) | (from as Crowd) << BLANK_SHIFT;
                known.entry(next).or_insert_with(|| {
                    queue.push_back((next, distance + 1));
                    distance + 1
                });
            }
        }
    }
    known
}
