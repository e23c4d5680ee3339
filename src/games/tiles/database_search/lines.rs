//! The estimate of boards whose lines are long: two moves for every tile that has to leave its home row, or its home column,
//! to let others of that line pass (Hansson, Mayer and Yung, 1992). The last move brings a neighbour of the blank's home
//! home (Korf and Taylor, 1996): a table tells what those tiles need beyond their steps, and in their lines the others count
//! alone, so that both add up.

use arrayvec::ArrayVec;

use super::super::heuristics::longest_ascent;
use super::super::pattern::{MAX_TILES, PatternTable, Watch};
use super::super::{Direction, MAX_CELLS, MAX_SIDE, Tiles, partition};
use crate::try_alloc::BuildError;

/// Bits of a line's code for each of its cells.
const BITS: usize = 3;
/// The last cell of all, which smaller boards do not have: there is no tile there.
const NO_CELL: u8 = MAX_CELLS as u8 - 1;
/// Where a move changes no line.
const NO_LINE: u8 = u8::MAX;

/// The lines of a board and goal.
pub struct Lines {
    /// The rows, then the columns.
    rows_and_columns: Vec<Line>,
    /// By the code of a line: the tiles that have to leave it.
    leaving: Vec<u8>,
    /// By the cell where the blank comes to lie, the direction in which it goes and the tile: what the tile's move changes.
    changes: Vec<Change>,
    /// The tiles whose homes are next to the blank's, in the order of the table, and the table.
    neighbors: Vec<u8>,
    table: PatternTable,
}

/// A row or a column.
struct Line {
    cells: [u8; MAX_SIDE],
    /// By tile: where along the line its home lies, from 1, or 0 for those that do not belong to it or do not count.
    places: [u8; MAX_CELLS],
}

/// What the move of a tile changes.
#[derive(Clone, Copy)]
pub struct Change {
    /// The line that the tile leaves or enters, if it belongs there.
    line: u8,
    /// What stands for the tile in the line's code.
    bits: u32,
    is_of_neighbor: bool,
}

impl Lines {
    /// Made ready in a moment, but where the blank's home is not in a corner: there the table takes some tenths of a second.
    pub fn new(tiles: &Tiles, watch: &Watch<'_>) -> Result<Self, BuildError> {
        let blank = tiles.home(0);
        let homes: Vec<u8> = (0..tiles.cell_count() as u8)
            .filter(|&cell| tiles.distance(cell.into(), blank) == 1)
            .collect();
        let neighbors: Vec<u8> = homes
            .iter()
            .map(|&home| tiles.goal().cells[usize::from(home)])
            .collect();
        let table = PatternTable::build(partition::pattern(tiles, homes), watch)?;
        let (width, height) = (tiles.width, tiles.height);
        let rows = (0..height).map(|row| (row * width, 1, width));
        let columns = (0..width).map(|column| (column, width, height));
        let line = |(first, step, length): (usize, usize, usize)| {
            let mut line = Line {
                cells: [NO_CELL; MAX_SIDE],
                places: [0; MAX_CELLS],
            };
            for place in 0..length {
                let cell = first + step * place;
                line.cells[place] = cell as u8;
                let tile = tiles.goal().cells[cell];
                if tile != 0 && !neighbors.contains(&tile) {
                    line.places[usize::from(tile)] = place as u8 + 1;
                }
            }
            line
        };
        let mut new = Self {
            rows_and_columns: rows.chain(columns).map(line).collect(),
            leaving: leaving(),
            changes: Vec::new(),
            neighbors,
            table,
        };
        for to in 0..tiles.cell_count() {
            for direction in Direction::ALL {
                // A move that the border forbids is never asked for.
                let from = tiles.neighbor(to, direction).unwrap_or(to);
                for tile in 0..MAX_CELLS {
                    let change = new.change_of(tiles, tile as u8, from, to);
                    new.changes.push(change);
                }
            }
        }
        Ok(new)
    }

    /// What a tile changes that goes from cell to cell.
    fn change_of(&self, tiles: &Tiles, tile: u8, from: usize, to: usize) -> Change {
        let mut change = Change {
            line: NO_LINE,
            bits: 0,
            is_of_neighbor: self.neighbors.contains(&tile),
        };
        if tile == 0 || usize::from(tile) >= tiles.cell_count() {
            return change;
        }
        for (index, line) in (0..).zip(&self.rows_and_columns) {
            let bits = |cell: usize| {
                let place = line
                    .cells
                    .iter()
                    .position(|&there| usize::from(there) == cell)?;
                Some(u32::from(line.places[usize::from(tile)]) << (BITS * place))
            };
            // Within its line a tile passes nobody.
            if let (Some(bits), None) | (None, Some(bits)) = (bits(from), bits(to))
                && bits != 0
            {
                change.line = index;
                change.bits = bits;
            }
        }
        change
    }

    /// What a move of the blank from `to` in this direction changes, where `tile` lies.
    #[inline(always)]
    pub fn change(&self, to: u8, direction: Direction, tile: u8) -> Change {
        let way = 4 * usize::from(to) + direction as usize;
        self.changes[way * MAX_CELLS + usize::from(tile) % MAX_CELLS]
    }

    /// The pairs of moves beyond the steps home.
    pub fn estimate<const CELLS: usize>(&self, board: &[u8; CELLS]) -> u8 {
        let lines = self
            .rows_and_columns
            .iter()
            .map(|line| self.leaving[line.code(board)]);
        lines.sum::<u8>() + self.of_neighbors(board)
    }

    /// The estimate after the change by which the board comes about, from the one before.
    #[inline(always)]
    pub fn after<const CELLS: usize>(
        &self,
        estimate: u8,
        board: &[u8; CELLS],
        change: &Change,
        (from, to): (u8, u8),
    ) -> u8 {
        if change.is_of_neighbor {
            let mut after = *board;
            after.swap(from.into(), to.into());
            return estimate - self.of_neighbors(board) + self.of_neighbors(&after);
        }
        let Some(line) = self.rows_and_columns.get(usize::from(change.line)) else {
            return estimate;
        };
        let code = line.code(board);
        estimate - self.leaving[code] + self.leaving[code ^ change.bits as usize]
    }

    #[cold]
    fn of_neighbors<const CELLS: usize>(&self, board: &[u8; CELLS]) -> u8 {
        let cell_of = |tile: &u8| board.iter().position(|there| there == tile);
        let cells: ArrayVec<u8, MAX_TILES> = self
            .neighbors
            .iter()
            .filter_map(|tile| Some(cell_of(tile)? as u8))
            .collect();
        self.table.entry(self.table.pattern.index(&cells)) as u8
    }
}

impl Line {
    /// The places, along the line, of the homes of the tiles that lie in it and count.
    #[inline(always)]
    fn code<const CELLS: usize>(&self, board: &[u8; CELLS]) -> usize {
        let mut code = 0;
        for (index, &cell) in self.cells.iter().enumerate() {
            let tile = board[usize::from(cell) % CELLS];
            code |= usize::from(self.places[usize::from(tile) % MAX_CELLS]) << (BITS * index);
        }
        code
    }
}

/// By code, the tiles that have to leave a line.
fn leaving() -> Vec<u8> {
    let tiles_leaving = |code: usize| {
        let places = (0..MAX_SIDE).map(|index| code >> (BITS * index) & ((1 << BITS) - 1));
        let places = places.filter(|&place| (1..=MAX_SIDE).contains(&place));
        let count = places.clone().count();
        (count - longest_ascent(places.map(|place| place - 1))) as u8
    };
    (0..1 << (BITS * MAX_SIDE)).map(tiles_leaving).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::games::tiles::automaton::Automaton;
    use crate::games::tiles::database_search::by_lines;
    use crate::games::tiles::heuristics::Manhattan;
    use crate::pathfinding::{EnginePuzzle, Progress, SolveContext, SolveOutcome, idastar};
    use crate::random::Random;
    use crate::rules::{Notation, Rules};

    const BOARDS: &[&str] = &[
        "0,1,2/3,4,5/6,7,8",
        "1,2,3/8,0,4/7,6,5",
        "0,1,2,3/4,5,6,7",
        "1,2/3,4/0,5",
    ];

    fn goal(rows: &str) -> Tiles {
        let (tiles, _) = Tiles::new(2, 2)
            .read_position(&format!("{rows} goal {rows}"))
            .unwrap();
        tiles
    }

    #[test]
    fn the_estimate_after_a_move_is_the_estimate_made_anew() {
        let large =
            "0,1,2,3,4,5/6,7,8,9,10,11/12,13,14,15,16,17/18,19,20,21,22,23/24,25,26,27,28,29";
        let whole = format!("{large}/30,31,32,33,34,35");
        for rows in BOARDS.iter().copied().chain([large, &whole]) {
            let tiles = goal(rows);
            let lines = Lines::new(&tiles, &|_, _| true).unwrap();
            let mut random = Random::new(1);
            let mut position = tiles.random(&mut random);
            for _ in 0..3_000 {
                let mut legal = Vec::new();
                tiles.moves(&position, &mut legal);
                let direction = legal[random.index(legal.len())];
                let next = tiles.play(&position, direction);
                let (from, to) = (next.blank, position.blank);
                let tile = position.cells[usize::from(from)];
                let change = lines.change(to, direction, tile);
                let before = lines.estimate(&position.cells);
                let after = lines.after(before, &position.cells, &change, (from, to));
                assert_eq!(after, lines.estimate(&next.cells));
                let growth = tiles.lower_bound(&next) as i16 - tiles.lower_bound(&position) as i16;
                let is_away = tiles.taken_away(from.into(), to.into()) >> tile & 1;
                assert_eq!(growth, 2 * is_away as i16 - 1);
                position = next;
            }
        }
    }

    #[test]
    fn no_shortest_solution_is_overlooked() {
        for rows in BOARDS {
            let tiles = goal(rows);
            let lines = Lines::new(&tiles, &|_, _| true).unwrap();
            let automaton = Automaton::learn(&tiles, 8, &mut || Ok(())).unwrap();
            let mut random = Random::new(2);
            let mut sum = 0;
            for _ in 0..25 {
                let start = tiles.random(&mut random);
                if start == *tiles.goal() {
                    continue;
                }
                let mut control = Control::unlimited();
                let mut progress = |_: Progress<Direction>, _: &Control| ();
                let mut quest =
                    SolveContext::new(&tiles, start, &Manhattan, &mut control, &mut progress);
                let Ok(SolveOutcome::Solved(shortest)) = idastar::solve(&mut quest) else {
                    panic!("every position of {rows} can be solved");
                };
                let mut contours = by_lines(&mut quest, &automaton, &lines);
                sum += shortest.len() as u32 - contours.bound();
                let way = loop {
                    if let Some(way) = contours.search(&mut quest, &mut 1).unwrap() {
                        break way;
                    }
                };
                let end = way.iter().fold(start, |at, &step| tiles.play(&at, step));
                assert_eq!(end, *tiles.goal());
                assert_eq!(way.len(), shortest.len(), "{rows}");
            }
            // Some estimates fall short, or it would have been no search.
            assert!(sum > 0, "{rows}");
        }
    }
}
