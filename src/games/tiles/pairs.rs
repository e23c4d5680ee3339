//! What two tiles cost each other on their ways home, as learned from the solutions of beams: what a guide knows beyond
//! how far each tile is from home.
//!
//! Only how the two homes and the two cells lie to each other counts, up to the board's symmetries and whichever tile is
//! named first: so 28,716 weights hold for all tiles, boards and goals. `tests/examples/learn_pairs.rs` makes them.
//!
//! What was tried, in beams of 1,000 nodes on sixty 35-puzzles: tables of 4-tile patterns took thrice the time for each node, and
//! with them pairs up to a knight's move apart at home brought 186.0 moves, which alone brought 187.3. Weights for every tile
//! and cell apart brought 189.1 moves, relations 188.7 (homes at most two steps apart, the same boards to learn from). All
//! pairs brought three moves more than those up to a knight's move apart. Weights fitted to the moves that are left, by least
//! squares, led worse than none: what counts is the order within a layer.

use std::sync::LazyLock;

use super::{MAX_CELLS, MAX_SIDE, Tiles};

/// Weights of so much count one step.
pub const UNIT: i32 = 12;
/// The ways in which two homes and two cells can lie along a line.
const LINES: usize = MAX_SIDE.pow(4);
/// The weights inside the program, by the numbers of [`Relations`].
static SHIPPED: &[u8] = include_bytes!("pairs.bin");

/// Homes and cells of two tiles, each as row or column: home and home, cell and cell.
type Line = [usize; 4];

/// The ways in which homes and cells of two tiles can lie to each other, numbered.
pub struct Relations {
    /// By place of the line: the class of lines that are the same but for where they begin, and from which end they are seen.
    classes: Vec<usize>,
    count_of_classes: usize,
    /// By the classes of the rows and of the columns.
    numbers: Vec<u16>,
    /// How many there are.
    pub count: usize,
}

impl Relations {
    /// Those on the largest board, and so on all.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Relations> = LazyLock::new(Relations::new);
        &SHARED
    }

    fn new() -> Self {
        let mut classes = vec![usize::MAX; LINES];
        // The first line of every class.
        let mut firsts: Vec<Line> = Vec::new();
        for place in 0..LINES {
            let line = line_at(place);
            let first = from_either_end(line);
            let first = place_of(first);
            if classes[first] == usize::MAX {
                classes[first] = firsts.len();
                firsts.push(line);
            }
            classes[place] = classes[first];
        }
        let swapped: Vec<usize> = firsts
            .iter()
            .map(|&[home, other_home, cell, other_cell]| {
                classes[place_of([other_home, home, other_cell, cell])]
            })
            .collect();
        let count_of_classes = firsts.len();
        let mut numbers = vec![0; count_of_classes * count_of_classes];
        let mut count = 0;
        for rows in 0..count_of_classes {
            for columns in 0..count_of_classes {
                let named_otherwise = in_order(swapped[rows], swapped[columns]);
                let (a, b) = in_order(rows, columns).min(named_otherwise);
                let number = if (a, b) == (rows, columns) {
                    count += 1;
                    count - 1
                } else {
                    // It comes earlier in this order, and so has its number.
                    numbers[a * count_of_classes + b]
                };
                numbers[rows * count_of_classes + columns] = number;
            }
        }
        Self {
            classes,
            count_of_classes,
            numbers,
            count: usize::from(count),
        }
    }

    /// The number of the relation of two tiles with these homes, each a row and a column, on these cells.
    #[inline]
    fn number(&self, homes: [(usize, usize); 2], cells: [(usize, usize); 2]) -> u16 {
        let [(home_row, home_column), (other_home_row, other_home_column)] = homes;
        let [(row, column), (other_row, other_column)] = cells;
        let rows = place_of([home_row, other_home_row, row, other_row]);
        let columns = place_of([home_column, other_home_column, column, other_column]);
        self.numbers[self.classes[rows] * self.count_of_classes + self.classes[columns]]
    }
}

fn line_at(place: usize) -> Line {
    let digit = |index: u32| place / MAX_SIDE.pow(index) % MAX_SIDE;
    [digit(3), digit(2), digit(1), digit(0)]
}

fn place_of(line: Line) -> usize {
    line.iter()
        .fold(0, |place, &digit| place * MAX_SIDE + digit)
}

/// The least of the lines that are the same but for where they begin and from which end they are seen.
fn from_either_end(line: Line) -> Line {
    let least = line.into_iter().min().unwrap_or(0);
    let most = line.into_iter().max().unwrap_or(0);
    line.map(|place| place - least)
        .min(line.map(|place| most - place))
}

fn in_order(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// By cell and tile, as [`PairWeights::row`] has them: something of every tile on every cell.
type Rows<T> = Vec<[T; MAX_CELLS]>;

/// Where what `tile` on `cell` has to do with the others begins: a row for each of their cells, of all tiles.
#[inline]
fn first_row(tile: usize, cell: usize) -> usize {
    (tile * MAX_CELLS + cell) * MAX_CELLS
}

/// What is asked of all pairs of tiles and their cells; what cannot be, and the blank, is left as `nothing`.
fn rows<T: Copy>(tiles: &Tiles, nothing: T, of_number: impl Fn(u16) -> T) -> Rows<T> {
    let relations = Relations::shared();
    let count = tiles.cell_count();
    let place = |cell: usize| (cell / tiles.width, cell % tiles.width);
    let mut rows = vec![[nothing; MAX_CELLS]; first_row(count, 0)];
    for tile in 1..count {
        for cell in 0..count {
            let first = first_row(tile, cell);
            for (other_cell, row) in rows[first..first + count].iter_mut().enumerate() {
                for (other, entry) in row[..count].iter_mut().enumerate().skip(1) {
                    if other == tile || other_cell == cell {
                        continue;
                    }
                    let homes = [tiles.home(tile as u8), tiles.home(other as u8)];
                    let cells = [cell, other_cell];
                    *entry = of_number(relations.number(homes.map(place), cells.map(place)));
                }
            }
        }
    }
    rows
}

/// The weights of all pairs on one board with one goal.
pub struct PairWeights {
    cells: usize,
    rows: Rows<i8>,
}

impl PairWeights {
    /// With the weights inside the program.
    pub fn shipped(tiles: &Tiles) -> Self {
        let weights: Vec<i8> = SHIPPED.iter().map(|&byte| byte.cast_signed()).collect();
        Self::with_weights(tiles, &weights)
    }

    /// With these, by the numbers of [`Relations`]; those that are missing are 0.
    pub fn with_weights(tiles: &Tiles, weights: &[i8]) -> Self {
        let weight = |number: u16| weights.get(usize::from(number)).copied().unwrap_or(0);
        Self {
            cells: tiles.cell_count(),
            rows: rows(tiles, 0, weight),
        }
    }

    /// What the pairs add up to.
    pub fn sum(&self, cells: &[u8; MAX_CELLS]) -> i32 {
        let of_tile = |(cell, &tile): (usize, &u8)| {
            let first = first_row(tile.into(), cell);
            let rows = self.rows[first..].iter().zip(&cells[..self.cells]);
            rows.map(|(row, &other)| i32::from(row[usize::from(other)]))
                .sum::<i32>()
        };
        let all = cells[..self.cells].iter().enumerate();
        // Each pair is met twice.
        all.map(of_tile).sum::<i32>() / 2
    }

    /// By how much the sum grows when `tile` goes from one cell to another, the rest of which lies as in `cells`.
    #[inline]
    pub fn growth(&self, cells: &[u8; MAX_CELLS], tile: usize, from: usize, to: usize) -> i32 {
        let (from, to) = (first_row(tile, from), first_row(tile, to));
        let before = &self.rows[from..from + self.cells];
        let after = &self.rows[to..to + self.cells];
        let mut growth = 0;
        for ((before, after), &other) in before.iter().zip(after).zip(&cells[..self.cells]) {
            let other = usize::from(other) % MAX_CELLS;
            growth += i32::from(after[other]) - i32::from(before[other]);
        }
        growth
    }
}

/// The relations of all pairs on one board with one goal, to learn their weights.
pub struct PairNumbers {
    cells: usize,
    rows: Rows<u16>,
}

impl PairNumbers {
    /// Those of this board and goal.
    pub fn new(tiles: &Tiles) -> Self {
        Self {
            cells: tiles.cell_count(),
            rows: rows(tiles, 0, |number| number),
        }
    }

    /// The relations of all pairs of tiles, in the order of their names.
    pub fn of(&self, cells: &[u8; MAX_CELLS], out: &mut Vec<u16>) {
        let mut cell_of = [0; MAX_CELLS];
        for (cell, &tile) in cells[..self.cells].iter().enumerate() {
            cell_of[usize::from(tile)] = cell;
        }
        out.clear();
        for tile in 1..self.cells {
            let rows = &self.rows[first_row(tile, cell_of[tile])..];
            let others = tile + 1..self.cells;
            out.extend(others.map(|other| rows[cell_of[other]][other]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tiles::Position;
    use crate::games::tiles::symmetry::symmetries;
    use crate::pathfinding::EnginePuzzle;
    use crate::random::Random;

    #[test]
    fn every_relation_has_its_weight() {
        let relations = Relations::shared();
        assert_eq!(SHIPPED.len(), relations.count);
        let mut numbers = relations.numbers.clone();
        numbers.sort_unstable();
        numbers.dedup();
        assert!(numbers.into_iter().map(usize::from).eq(0..relations.count));
    }

    #[test]
    fn a_position_turned_with_its_goal_has_the_same_sum() {
        let mut random = Random::new(1);
        for (width, height) in [(6, 6), (5, 6), (6, 5)] {
            let tiles = Tiles::new(width, height);
            let count = tiles.cell_count();
            let position = tiles.random(&mut random);
            let sum = PairWeights::shipped(&tiles).sum(&position.cells);
            for turned in symmetries(&tiles) {
                let turn = |from: &Position| {
                    let mut cells = [0; MAX_CELLS];
                    for (cell, &tile) in from.cells[..count].iter().enumerate() {
                        cells[usize::from(turned[cell])] = tile;
                    }
                    Position::new(cells, count)
                };
                let image = Tiles::with_goal(width, height, turn(tiles.goal()));
                let pairs = PairWeights::shipped(&image);
                assert_eq!(pairs.sum(&turn(&position).cells), sum);
            }
        }
    }
}
