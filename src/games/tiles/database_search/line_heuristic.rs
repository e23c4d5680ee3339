//! An admissible heuristic for boards too large for pattern databases: Manhattan distance plus linear conflicts and
//! last moves. A *line* is a row or a column.
//!
//! Linear conflicts (Hansson, Mayer and Yung, 1992): a tile that must leave its home line to let other tiles pass needs
//! two moves in addition to its Manhattan distance.
//!
//! Last moves (Korf and Taylor, 1996): a *neighbor tile* is a tile whose home is adjacent to the blank's home. The last
//! move of a solution moves a neighbor tile from the blank's home to its own home, so a neighbor tile must first go to
//! the blank's home. The pattern table of the neighbor tiles includes these moves. Linear conflicts ignore neighbor
//! tiles, so the extra moves of both parts can be added.

use arrayvec::ArrayVec;

use super::super::heuristics::longest_increasing_subsequence;
use super::super::pattern::{MAX_TILES, OnProgress, PatternTable};
use super::super::{Direction, MAX_CELLS, MAX_SIDE, Tiles, partition};
use crate::try_alloc::BuildError;

/// Bits per cell in the code of a line, see [`Line::code`].
const BITS_PER_CELL: usize = 3;
/// The filler cell of lines with fewer than `MAX_SIDE` cells: the last cell of the largest board, where no board
/// with such lines has a tile.
const NO_CELL: u8 = MAX_CELLS as u8 - 1;
/// The value of [`Change::line`] for a move that does not change the number of tiles that must leave a line.
const NO_LINE: u8 = u8::MAX;

/// The tables of the heuristic for one board and goal.
pub(crate) struct LineHeuristic {
    /// The rows, then the columns.
    rows_and_columns: Vec<Line>,
    /// The number of tiles that must leave a line, by code of the line.
    leaving_counts: Vec<u8>,
    /// The effect of a tile's move, indexed by the blank's cell before the move, its direction and the tile.
    changes: Vec<Change>,
    /// The neighbor tiles, in the order of the pattern of `table`.
    neighbor_tiles: Vec<u8>,
    /// The pattern table of the neighbor tiles.
    table: PatternTable,
}

/// A row or a column.
struct Line {
    cells: [u8; MAX_SIDE],
    /// The index of each tile's home in the line plus 1; 0 if the home is in another line, and for the blank and
    /// neighbor tiles.
    home_indices: [u8; MAX_CELLS],
}

/// The effect of a tile's move.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    /// The index of the line that the tile leaves or enters, if it contains the tile's home, or [`NO_LINE`].
    line: u8,
    /// The tile's bits in the code of the line. Exclusive or with the old code gives the new code.
    bits: u32,
    /// `true` if a neighbor tile moves.
    is_of_neighbor_tile: bool,
}

impl LineHeuristic {
    /// Builds the tables, in milliseconds or, if the blank's home is not a corner, tenths of a second.
    ///
    /// # Errors
    /// [`BuildError`] if `on_progress` returns `false` or an allocation fails.
    pub(crate) fn new(tiles: &Tiles, on_progress: &OnProgress<'_>) -> Result<Self, BuildError> {
        let blank = tiles.home(0);
        let homes: Vec<u8> = (0..tiles.cell_count() as u8)
            .filter(|&cell| tiles.distance(cell.into(), blank) == 1)
            .collect();
        let neighbor_tiles: Vec<u8> = homes
            .iter()
            .map(|&home| tiles.goal().cells[usize::from(home)])
            .collect();
        let table = PatternTable::build(partition::pattern(tiles, homes), on_progress)?;
        let (width, height) = (tiles.width, tiles.height);
        let rows = (0..height).map(|row| (row * width, 1, width));
        let columns = (0..width).map(|column| (column, width, height));
        let line = |(first, step, length): (usize, usize, usize)| {
            let mut line = Line {
                cells: [NO_CELL; MAX_SIDE],
                home_indices: [0; MAX_CELLS],
            };
            for index in 0..length {
                let cell = first + step * index;
                line.cells[index] = cell as u8;
                let tile = tiles.goal().cells[cell];
                if tile != 0 && !neighbor_tiles.contains(&tile) {
                    line.home_indices[usize::from(tile)] = index as u8 + 1;
                }
            }
            line
        };
        let mut heuristic = Self {
            rows_and_columns: rows.chain(columns).map(line).collect(),
            leaving_counts: leaving_counts(),
            changes: Vec::new(),
            neighbor_tiles,
            table,
        };
        for to in 0..tiles.cell_count() {
            for direction in Direction::ALL {
                // The element of an impossible move is never used.
                let from = tiles.neighbor(to, direction).unwrap_or(to);
                for tile in 0..MAX_CELLS {
                    let change = heuristic.compute_change(tiles, tile as u8, from, to);
                    heuristic.changes.push(change);
                }
            }
        }
        Ok(heuristic)
    }

    /// Computes the effect of a move of `tile` from one cell to another.
    fn compute_change(&self, tiles: &Tiles, tile: u8, from: usize, to: usize) -> Change {
        let mut change = Change {
            line: NO_LINE,
            bits: 0,
            is_of_neighbor_tile: self.neighbor_tiles.contains(&tile),
        };
        if tile == 0 || usize::from(tile) >= tiles.cell_count() {
            return change;
        }
        for (line_index, line) in (0..).zip(&self.rows_and_columns) {
            let bits = |cell: usize| {
                let index = line
                    .cells
                    .iter()
                    .position(|&other| usize::from(other) == cell)?;
                Some(u32::from(line.home_indices[usize::from(tile)]) << (BITS_PER_CELL * index))
            };
            // A move within the line changes neither the order of its tiles nor the number of tiles that must leave
            // it.
            if let (Some(bits), None) | (None, Some(bits)) = (bits(from), bits(to))
                && bits != 0
            {
                change.line = line_index;
                change.bits = bits;
            }
        }
        change
    }

    /// Returns the effect of the move of the blank from `to` in `direction`, by which `tile` enters `to`.
    #[inline(always)]
    pub(crate) fn change(&self, to: u8, direction: Direction, tile: u8) -> Change {
        let index = 4 * usize::from(to) + direction as usize;
        self.changes[index * MAX_CELLS + usize::from(tile) % MAX_CELLS]
    }

    /// Returns the excess of the estimate over the Manhattan distance, in pairs of moves.
    pub(crate) fn estimate<const CELLS: usize>(&self, board: &[u8; CELLS]) -> u8 {
        let leaving_counts = self
            .rows_and_columns
            .iter()
            .map(|line| self.leaving_counts[line.code(board)]);
        leaving_counts.sum::<u8>() + self.neighbor_entry(board)
    }

    /// Returns the estimate after a move of a tile from `from` to `to`. `estimate` is the estimate before the move, and
    /// `board` the board before it.
    #[inline(always)]
    pub(crate) fn estimate_after<const CELLS: usize>(
        &self,
        estimate: u8,
        board: &[u8; CELLS],
        change: &Change,
        (from, to): (u8, u8),
    ) -> u8 {
        if change.is_of_neighbor_tile {
            let mut after = *board;
            after.swap(from.into(), to.into());
            return estimate - self.neighbor_entry(board) + self.neighbor_entry(&after);
        }
        let Some(line) = self.rows_and_columns.get(usize::from(change.line)) else {
            return estimate;
        };
        let code = line.code(board);
        estimate - self.leaving_counts[code] + self.leaving_counts[code ^ change.bits as usize]
    }

    /// Returns the table entry of the neighbor tiles.
    #[cold]
    fn neighbor_entry<const CELLS: usize>(&self, board: &[u8; CELLS]) -> u8 {
        let cell_of = |tile: &u8| board.iter().position(|other| other == tile);
        let cells: ArrayVec<u8, MAX_TILES> = self
            .neighbor_tiles
            .iter()
            .filter_map(|tile| Some(cell_of(tile)? as u8))
            .collect();
        self.table.entry(self.table.pattern.index(&cells)) as u8
    }
}

impl Line {
    /// Returns the code of the line on `board`: for each cell of the line, the three bits of `home_indices` for its
    /// tile.
    #[inline(always)]
    fn code<const CELLS: usize>(&self, board: &[u8; CELLS]) -> usize {
        let mut code = 0;
        for (index, &cell) in self.cells.iter().enumerate() {
            let tile = board[usize::from(cell) % CELLS];
            code |= usize::from(self.home_indices[usize::from(tile) % MAX_CELLS])
                << (BITS_PER_CELL * index);
        }
        code
    }
}

/// Returns the number of tiles that must leave a line, by code of the line.
fn leaving_counts() -> Vec<u8> {
    let leaving_count = |code: usize| {
        let home_indices =
            (0..MAX_SIDE).map(|index| code >> (BITS_PER_CELL * index) & ((1 << BITS_PER_CELL) - 1));
        let home_indices = home_indices.filter(|&index| (1..=MAX_SIDE).contains(&index));
        let count = home_indices.clone().count();
        (count - longest_increasing_subsequence(home_indices.map(|index| index - 1))) as u8
    };
    (0..1 << (BITS_PER_CELL * MAX_SIDE))
        .map(leaving_count)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::games::tiles::automaton::Automaton;
    use crate::games::tiles::database_search::with_line_heuristic;
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
    fn incremental_estimate_matches_full_estimate() {
        let large =
            "0,1,2,3,4,5/6,7,8,9,10,11/12,13,14,15,16,17/18,19,20,21,22,23/24,25,26,27,28,29";
        let whole = format!("{large}/30,31,32,33,34,35");
        for rows in BOARDS.iter().copied().chain([large, &whole]) {
            let tiles = goal(rows);
            let line_heuristic = LineHeuristic::new(&tiles, &|_, _| true).unwrap();
            let mut random = Random::new(1);
            let mut position = tiles.random(&mut random);
            for _ in 0..3_000 {
                let mut legal = Vec::new();
                tiles.moves(&position, &mut legal);
                let direction = legal[random.index(legal.len())];
                let next = tiles.play(&position, direction);
                let (from, to) = (next.blank, position.blank);
                let tile = position.cells[usize::from(from)];
                let change = line_heuristic.change(to, direction, tile);
                let before = line_heuristic.estimate(&position.cells);
                let after =
                    line_heuristic.estimate_after(before, &position.cells, &change, (from, to));
                assert_eq!(after, line_heuristic.estimate(&next.cells));
                let change = tiles.lower_bound(&next) as i16 - tiles.lower_bound(&position) as i16;
                let is_away = tiles.tiles_moving_away(from.into(), to.into()) >> tile & 1;
                assert_eq!(change, 2 * is_away as i16 - 1);
                position = next;
            }
        }
    }

    #[test]
    fn finds_shortest_solutions() {
        for rows in BOARDS {
            let tiles = goal(rows);
            let line_heuristic = LineHeuristic::new(&tiles, &|_, _| true).unwrap();
            let automaton = Automaton::learn(&tiles, 8, &mut || Ok(())).unwrap();
            let mut random = Random::new(2);
            let mut estimate_errors = 0;
            for _ in 0..25 {
                let start = tiles.random(&mut random);
                if start == *tiles.goal() {
                    continue;
                }
                let mut control = Control::unlimited();
                let mut progress = |_: Progress<Direction>, _: &Control| ();
                let mut context =
                    SolveContext::new(&tiles, start, &Manhattan, &mut control, &mut progress);
                let Ok(SolveOutcome::Solved(shortest)) = idastar::solve(&mut context) else {
                    panic!("every position of {rows} can be solved");
                };
                let mut search = with_line_heuristic(&mut context, &automaton, &line_heuristic);
                estimate_errors += shortest.len() as u32 - search.bound();
                let path = loop {
                    if let Some(path) = search.run_iteration(&mut context, &mut 1).unwrap() {
                        break path;
                    }
                };
                let end = path.iter().fold(start, |at, &step| tiles.play(&at, step));
                assert_eq!(end, *tiles.goal());
                assert_eq!(path.len(), shortest.len(), "{rows}");
            }
            // Some estimates must be too low; otherwise the first iteration would find all solutions.
            assert!(estimate_errors > 0, "{rows}");
        }
    }
}
