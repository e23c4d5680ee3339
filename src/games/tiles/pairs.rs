//! Pair weights. The score of a position in a beam search includes a learned weight for every pair of tiles.
//!
//! The weight of a pair depends on four cells: the homes and the current cells of the two tiles. The *relation* of the
//! pair is the arrangement of these four cells up to shifts, rotations, reflections and the exchange of the two tiles.
//! Example: two adjacent tiles on each other's homes have the same relation in every row and in every column.
//!
//! Pairs with the same relation have the same weight. There are 28,716 relations on the largest board. Their weights
//! are used for all boards, goals and tiles. `tests/examples/learn_pairs.rs` learns the weights from solutions that
//! beam searches found. `NOTES.md`, 2026-11-24, describes the alternatives.

use std::sync::LazyLock;

use super::{MAX_CELLS, MAX_SIDE, Tiles};

/// The unit of scores and weights: a score of 12 corresponds to one move.
pub const STEP_WEIGHT: i32 = 12;
/// Number of possible [`AxisCoordinates`]: each of the four coordinates has `MAX_SIDE` values.
const AXIS_COORDINATES_COUNT: usize = MAX_SIDE.pow(4);
/// The built-in weights, one signed byte per relation.
static BUILT_IN: &[u8] = include_bytes!("pairs.bin");

/// The rows or the columns of the four cells of a pair, in this order: home, other tile's home, cell, other tile's
/// cell.
type AxisCoordinates = [usize; 4];

/// A numbering of the relations. The module documentation defines a relation.
///
/// The coordinates along an axis belong to a class, which is invariant under shifts and reflections. The class of the
/// rows and the class of the columns determine the relation.
pub struct Relations {
    /// Indexed by [`index_of_coordinates`]: the class of the coordinates.
    classes: Vec<usize>,
    class_count: usize,
    /// The relation, indexed by the class of the rows times `class_count` plus the class of the
    /// columns.
    relation_by_classes: Vec<u16>,
    /// Number of relations.
    pub count: usize,
}

impl Relations {
    /// Returns the numbering for the largest board. It includes the relations on all smaller boards.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Relations> = LazyLock::new(Relations::new);
        &SHARED
    }

    fn new() -> Self {
        let mut classes = vec![usize::MAX; AXIS_COORDINATES_COUNT];
        // Indexed by class: the first coordinates that belong to it.
        let mut representatives: Vec<AxisCoordinates> = Vec::new();
        for index in 0..AXIS_COORDINATES_COUNT {
            let coordinates = coordinates_of_index(index);
            let canonical = index_of_coordinates(canonical_coordinates(coordinates));
            if classes[canonical] == usize::MAX {
                classes[canonical] = representatives.len();
                representatives.push(coordinates);
            }
            classes[index] = classes[canonical];
        }
        // Indexed by class: the class after exchanging the two tiles.
        let exchanged: Vec<usize> = representatives
            .iter()
            .map(|&[home, other_home, cell, other_cell]| {
                classes[index_of_coordinates([other_home, home, other_cell, cell])]
            })
            .collect();
        let class_count = representatives.len();
        let mut relation_by_classes = vec![0; class_count * class_count];
        let mut count = 0;
        for rows in 0..class_count {
            for columns in 0..class_count {
                // The relation is invariant under the exchange of rows and columns (a reflection in the diagonal) and
                // of the tiles. Only the smallest of these equivalent pairs of classes gets a new number.
                let exchanged_pair = sorted_pair(exchanged[rows], exchanged[columns]);
                let (a, b) = sorted_pair(rows, columns).min(exchanged_pair);
                let relation = if (a, b) == (rows, columns) {
                    count += 1;
                    count - 1
                } else {
                    // The pair `(a, b)` is smaller and has already been numbered.
                    relation_by_classes[a * class_count + b]
                };
                relation_by_classes[rows * class_count + columns] = relation;
            }
        }
        Self {
            classes,
            class_count,
            relation_by_classes,
            count: usize::from(count),
        }
    }

    /// Returns the relation of two tiles with these homes and cells, given as row and column.
    #[inline]
    fn relation(&self, homes: [(usize, usize); 2], cells: [(usize, usize); 2]) -> u16 {
        let [(home_row, home_column), (other_home_row, other_home_column)] = homes;
        let [(row, column), (other_row, other_column)] = cells;
        let rows = index_of_coordinates([home_row, other_home_row, row, other_row]);
        let columns = index_of_coordinates([home_column, other_home_column, column, other_column]);
        self.relation_by_classes[self.classes[rows] * self.class_count + self.classes[columns]]
    }
}

/// Returns the coordinates with this index: its digits in base `MAX_SIDE`.
fn coordinates_of_index(index: usize) -> AxisCoordinates {
    let digit = |place: u32| index / MAX_SIDE.pow(place) % MAX_SIDE;
    [digit(3), digit(2), digit(1), digit(0)]
}

/// Returns the index of `coordinates`, read as a number in base `MAX_SIDE`.
fn index_of_coordinates(coordinates: AxisCoordinates) -> usize {
    coordinates
        .iter()
        .fold(0, |index, &digit| index * MAX_SIDE + digit)
}

/// Returns the lexicographically smallest coordinates that equal `coordinates` up to a shift or a reflection.
fn canonical_coordinates(coordinates: AxisCoordinates) -> AxisCoordinates {
    let min = coordinates.into_iter().min().unwrap_or(0);
    let max = coordinates.into_iter().max().unwrap_or(0);
    let shifted = coordinates.map(|coordinate| coordinate - min);
    let reflected = coordinates.map(|coordinate| max - coordinate);
    shifted.min(reflected)
}

fn sorted_pair(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// A table with a value for every pair of tiles on every pair of cells.
///
/// [`row_start`] returns the index of the first row of a tile on a cell. From there, there is one row per cell of the
/// other tile, with one element per other tile.
type PairTable<T> = Vec<[T; MAX_CELLS]>;

/// Returns the index of the first row of `tile` on `cell` in a [`PairTable`].
#[inline]
fn row_start(tile: usize, cell: usize) -> usize {
    (tile * MAX_CELLS + cell) * MAX_CELLS
}

/// Creates the table of `value_of(relation)` for every pair of tiles on every pair of cells.
///
/// Elements for the blank, a tile paired with itself, or two tiles on the same cell are `empty`.
fn pair_table<T: Copy>(tiles: &Tiles, empty: T, value_of: impl Fn(u16) -> T) -> PairTable<T> {
    let relations = Relations::shared();
    let count = tiles.cell_count();
    let coordinates = |cell: usize| (cell / tiles.width, cell % tiles.width);
    let mut table = vec![[empty; MAX_CELLS]; row_start(count, 0)];
    for tile in 1..count {
        for cell in 0..count {
            let first = row_start(tile, cell);
            for (other_cell, row) in table[first..first + count].iter_mut().enumerate() {
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
    table
}

/// The weights of all pairs of tiles on one board with one goal.
pub struct PairWeights {
    cell_count: usize,
    table: PairTable<i8>,
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
            cell_count: tiles.cell_count(),
            table: pair_table(tiles, 0, weight),
        }
    }

    /// Returns the sum of the weights of all pairs of tiles in the position `cells`.
    pub(super) fn sum(&self, cells: &[u8; MAX_CELLS]) -> i32 {
        let sum_of_tile = |(cell, &tile): (usize, &u8)| {
            let first = row_start(tile.into(), cell);
            let rows = self.table[first..].iter().zip(&cells[..self.cell_count]);
            rows.map(|(row, &other)| i32::from(row[usize::from(other)]))
                .sum::<i32>()
        };
        let tiles = cells[..self.cell_count].iter().enumerate();
        // The sum over the tiles includes each pair twice.
        tiles.map(sum_of_tile).sum::<i32>() / 2
    }

    /// Returns the change of [`Self::sum`] when `tile` moves from `from` to `to` in the position `cells`.
    #[inline]
    pub(super) fn change(
        &self,
        cells: &[u8; MAX_CELLS],
        tile: usize,
        from: usize,
        to: usize,
    ) -> i32 {
        let (from, to) = (row_start(tile, from), row_start(tile, to));
        let before = &self.table[from..from + self.cell_count];
        let after = &self.table[to..to + self.cell_count];
        let mut change = 0;
        for ((before, after), &other) in before.iter().zip(after).zip(&cells[..self.cell_count]) {
            let other = usize::from(other) % MAX_CELLS;
            change += i32::from(after[other]) - i32::from(before[other]);
        }
        change
    }
}

/// The relations of all pairs of tiles on one board with one goal, for learning their weights.
pub struct PairRelations {
    cell_count: usize,
    table: PairTable<u16>,
}

impl PairRelations {
    /// Creates the table of a board and goal.
    pub fn new(tiles: &Tiles) -> Self {
        Self {
            cell_count: tiles.cell_count(),
            table: pair_table(tiles, 0, |relation| relation),
        }
    }

    /// Overwrites `out` with the relation of every pair of tiles in the position `cells`. The pairs are in ascending
    /// order of their smaller tile, then of their larger tile.
    pub fn list(&self, cells: &[u8; MAX_CELLS], out: &mut Vec<u16>) {
        let mut cell_of = [0; MAX_CELLS];
        for (cell, &tile) in cells[..self.cell_count].iter().enumerate() {
            cell_of[usize::from(tile)] = cell;
        }
        out.clear();
        for tile in 1..self.cell_count {
            let rows = &self.table[row_start(tile, cell_of[tile])..];
            let others = tile + 1..self.cell_count;
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
        let mut used = relations.relation_by_classes.clone();
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
