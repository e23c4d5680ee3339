//! Learned weights for pairs of tiles, a part of the score of [`BeamHeuristic`](super::beam::BeamHeuristic).
//!
//! A weight depends on the relative location of the two homes and the two cells only. Relations that symmetries of
//! the board or exchanging the two tiles map to each other share a weight. So 28,716 weights serve all tiles,
//! boards and goals. `tests/examples/learn_pairs.rs` learns them from solutions found by beams. For alternatives
//! that were tried see `NOTES.md`, 2026-11-24.

use std::sync::LazyLock;

use super::{MAX_CELLS, MAX_SIDE, Tiles};

/// The weight that corresponds to one move.
pub const STEP_WEIGHT: i32 = 12;
/// The number of arrangements of two homes and two cells along one axis.
const LINE_COUNT: usize = MAX_SIDE.pow(4);
/// The built-in weights, indexed by relation.
static BUILT_IN: &[u8] = include_bytes!("pairs.bin");

/// Coordinates of two tiles along one axis: home, other home, cell, other cell.
type Line = [usize; 4];

/// A numbering of the relations between the homes and cells of two tiles.
pub struct Relations {
    /// By index of a line: its class. Lines that differ by a shift or a reflection share a class.
    classes: Vec<usize>,
    class_count: usize,
    /// The relation, by the class of the rows times `class_count` plus the class of the columns.
    table: Vec<u16>,
    /// Number of relations.
    pub count: usize,
}

impl Relations {
    /// Returns the relations on the largest board, which include those on all boards.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Relations> = LazyLock::new(Relations::new);
        &SHARED
    }

    fn new() -> Self {
        let mut classes = vec![usize::MAX; LINE_COUNT];
        // The first line of each class.
        let mut firsts: Vec<Line> = Vec::new();
        for index in 0..LINE_COUNT {
            let line = line_of_index(index);
            let first = index_of_line(canonical_line(line));
            if classes[first] == usize::MAX {
                classes[first] = firsts.len();
                firsts.push(line);
            }
            classes[index] = classes[first];
        }
        let swapped: Vec<usize> = firsts
            .iter()
            .map(|&[home, other_home, cell, other_cell]| {
                classes[index_of_line([other_home, home, other_cell, cell])]
            })
            .collect();
        let class_count = firsts.len();
        let mut table = vec![0; class_count * class_count];
        let mut count = 0;
        for rows in 0..class_count {
            for columns in 0..class_count {
                let swapped_pair = sorted_pair(swapped[rows], swapped[columns]);
                let (a, b) = sorted_pair(rows, columns).min(swapped_pair);
                let relation = if (a, b) == (rows, columns) {
                    count += 1;
                    count - 1
                } else {
                    // The pair `(a, b)` precedes this one and already has its number.
                    table[a * class_count + b]
                };
                table[rows * class_count + columns] = relation;
            }
        }
        Self {
            classes,
            class_count,
            table,
            count: usize::from(count),
        }
    }

    /// Returns the relation of two tiles with these homes and cells, each as row and column.
    #[inline]
    fn relation(&self, homes: [(usize, usize); 2], cells: [(usize, usize); 2]) -> u16 {
        let [(home_row, home_column), (other_home_row, other_home_column)] = homes;
        let [(row, column), (other_row, other_column)] = cells;
        let rows = index_of_line([home_row, other_home_row, row, other_row]);
        let columns = index_of_line([home_column, other_home_column, column, other_column]);
        self.table[self.classes[rows] * self.class_count + self.classes[columns]]
    }
}

fn line_of_index(index: usize) -> Line {
    let digit = |place: u32| index / MAX_SIDE.pow(place) % MAX_SIDE;
    [digit(3), digit(2), digit(1), digit(0)]
}

fn index_of_line(line: Line) -> usize {
    line.iter()
        .fold(0, |index, &digit| index * MAX_SIDE + digit)
}

/// Returns the smallest line that differs from `line` by a shift or a reflection.
fn canonical_line(line: Line) -> Line {
    let min = line.into_iter().min().unwrap_or(0);
    let max = line.into_iter().max().unwrap_or(0);
    line.map(|place| place - min)
        .min(line.map(|place| max - place))
}

fn sorted_pair(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// A value for every pair of tiles and their cells. The index of a row is [`row_start`] plus the cell of the other
/// tile. The index in the row is the other tile.
type Rows<T> = Vec<[T; MAX_CELLS]>;

/// Returns the index of the first row of `tile` on `cell`. One row per other cell follows.
#[inline]
fn row_start(tile: usize, cell: usize) -> usize {
    (tile * MAX_CELLS + cell) * MAX_CELLS
}

/// Computes the value of every pair of tiles on every pair of cells. Impossible pairs, and pairs with the blank,
/// get `empty`.
fn rows<T: Copy>(tiles: &Tiles, empty: T, value_of: impl Fn(u16) -> T) -> Rows<T> {
    let relations = Relations::shared();
    let count = tiles.cell_count();
    let coordinates = |cell: usize| (cell / tiles.width, cell % tiles.width);
    let mut rows = vec![[empty; MAX_CELLS]; row_start(count, 0)];
    for tile in 1..count {
        for cell in 0..count {
            let first = row_start(tile, cell);
            for (other_cell, row) in rows[first..first + count].iter_mut().enumerate() {
                for (other, entry) in row[..count].iter_mut().enumerate().skip(1) {
                    if other == tile || other_cell == cell {
                        continue;
                    }
                    let homes = [tiles.home(tile as u8), tiles.home(other as u8)];
                    let cells = [cell, other_cell];
                    *entry = value_of(
                        relations.relation(homes.map(coordinates), cells.map(coordinates)),
                    );
                }
            }
        }
    }
    rows
}

/// The weights of all pairs of tiles on one board with one goal.
pub struct PairWeights {
    cells: usize,
    rows: Rows<i8>,
}

impl PairWeights {
    /// Creates the table from the built-in weights.
    pub(super) fn built_in(tiles: &Tiles) -> Self {
        let weights: Vec<i8> = BUILT_IN.iter().map(|&byte| byte.cast_signed()).collect();
        Self::with_weights(tiles, &weights)
    }

    /// Creates the table from `weights`, indexed by relation. Missing weights are 0.
    pub fn with_weights(tiles: &Tiles, weights: &[i8]) -> Self {
        let weight = |relation: u16| weights.get(usize::from(relation)).copied().unwrap_or(0);
        Self {
            cells: tiles.cell_count(),
            rows: rows(tiles, 0, weight),
        }
    }

    /// Returns the sum of the weights of all pairs.
    pub(super) fn sum(&self, cells: &[u8; MAX_CELLS]) -> i32 {
        let of_tile = |(cell, &tile): (usize, &u8)| {
            let first = row_start(tile.into(), cell);
            let rows = self.rows[first..].iter().zip(&cells[..self.cells]);
            rows.map(|(row, &other)| i32::from(row[usize::from(other)]))
                .sum::<i32>()
        };
        let all = cells[..self.cells].iter().enumerate();
        // The sum has each pair twice.
        all.map(of_tile).sum::<i32>() / 2
    }

    /// Returns the change of the sum when `tile` moves from `from` to `to`. The other tiles are those of `cells`.
    #[inline]
    pub(super) fn change(
        &self,
        cells: &[u8; MAX_CELLS],
        tile: usize,
        from: usize,
        to: usize,
    ) -> i32 {
        let (from, to) = (row_start(tile, from), row_start(tile, to));
        let before = &self.rows[from..from + self.cells];
        let after = &self.rows[to..to + self.cells];
        let mut change = 0;
        for ((before, after), &other) in before.iter().zip(after).zip(&cells[..self.cells]) {
            let other = usize::from(other) % MAX_CELLS;
            change += i32::from(after[other]) - i32::from(before[other]);
        }
        change
    }
}

/// The relations of all pairs of tiles on one board with one goal, for learning their weights.
pub struct PairRelations {
    cells: usize,
    rows: Rows<u16>,
}

impl PairRelations {
    /// Creates the table of a board and goal.
    pub fn new(tiles: &Tiles) -> Self {
        Self {
            cells: tiles.cell_count(),
            rows: rows(tiles, 0, |relation| relation),
        }
    }

    /// Writes the relations of all pairs of tiles to `out`, in ascending order of the tiles.
    pub fn list(&self, cells: &[u8; MAX_CELLS], out: &mut Vec<u16>) {
        let mut cell_of = [0; MAX_CELLS];
        for (cell, &tile) in cells[..self.cells].iter().enumerate() {
            cell_of[usize::from(tile)] = cell;
        }
        out.clear();
        for tile in 1..self.cells {
            let rows = &self.rows[row_start(tile, cell_of[tile])..];
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
    fn has_one_weight_per_relation() {
        let relations = Relations::shared();
        let count = relations.count;
        assert_eq!(BUILT_IN.len(), count);
        let mut used = relations.table.clone();
        used.sort_unstable();
        used.dedup();
        assert!(used.into_iter().map(usize::from).eq(0..count));
    }

    #[test]
    fn sum_is_invariant_under_symmetries() {
        let mut random = Random::new(1);
        for (width, height) in [(6, 6), (5, 6), (6, 5)] {
            let tiles = Tiles::new(width, height);
            let count = tiles.cell_count();
            let position = tiles.random(&mut random);
            let sum = PairWeights::built_in(&tiles).sum(&position.cells);
            for images in symmetries(&tiles) {
                let image_of = |from: &Position| {
                    let mut cells = [0; MAX_CELLS];
                    for (cell, &tile) in from.cells[..count].iter().enumerate() {
                        cells[usize::from(images[cell])] = tile;
                    }
                    Position::new(cells, count)
                };
                let image = Tiles::with_goal(width, height, image_of(tiles.goal()));
                let pairs = PairWeights::built_in(&image);
                assert_eq!(pairs.sum(&image_of(&position).cells), sum);
            }
        }
    }
}
