//! Pattern databases for sliding tiles (Culberson and Schaeffer, 1998).
//!
//! A *pattern* is a set of tiles. A *placement* specifies the cell of every tile of the pattern. It consists of a
//! *set*, the cells of the tiles, and a *layout*, the order of the tiles on these cells in reading order.
//!
//! For every placement, the table of a pattern contains the minimum number of moves of the pattern's tiles to their
//! homes. Moves of other tiles are free, so the values of disjoint patterns can be added (Korf and Felner, 2002).
//!
//! The values take the blank into account: a tile can move to an adjacent cell only if the blank can reach this cell
//! without moving a tile of the pattern, and the blank must end at home. The value of a placement is the minimum over
//! all cells of the blank.

mod bfs_build;
pub mod file;
mod graph;
pub(super) mod layouts;
mod packing;

use crate::control::workers::WorkerState;
use crate::try_alloc::BuildError;

/// A progress callback, called with the number of finished placements and the number of all placements. It
/// returns `false` to stop the construction.
///
/// Every thread that builds a table calls it at least every few milliseconds.
pub(crate) type OnProgress<'a> = dyn Fn(usize, usize) -> bool + Sync + 'a;

/// Maximum number of tiles of a pattern.
pub(crate) const MAX_TILES: usize = 8;

/// A set of tiles on a board, given by their home cells. The order of `home_cells` determines the index of a
/// placement in the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// Number of columns of the board.
    pub width: usize,
    /// Number of rows of the board.
    pub height: usize,
    /// The home cell of the blank.
    pub blank: u8,
    /// The home cells of the tiles.
    pub home_cells: Vec<u8>,
}

/// The table of a pattern.
///
/// An entry is `(moves - manhattan) / 2`, or 15 if this is larger. `moves` is the value of the placement, and
/// `manhattan` the sum of the Manhattan distances of the pattern's tiles from home. The difference is even, because
/// every move of a tile changes `manhattan` by 1 or -1.
#[derive(Debug, PartialEq, Eq)]
pub struct PatternTable {
    /// The pattern.
    pub pattern: Pattern,
    /// Two entries per byte, the first in the low bits, in the order of [`Pattern::index`].
    pub entries: Vec<u8>,
}

impl Pattern {
    /// Returns the number of cells of the board.
    pub fn cell_count(&self) -> usize {
        self.width * self.height
    }

    /// Returns the number of placements of the pattern.
    pub(crate) fn placements(&self) -> usize {
        (0..self.home_cells.len())
            .map(|tiles_before| self.cell_count() - tiles_before)
            .product()
    }

    /// Returns the size of the table, in bytes.
    pub fn bytes(&self) -> usize {
        self.layouts() * self.bytes_per_layout()
    }

    /// Returns the size of the entries of one layout, in bytes.
    fn bytes_per_layout(&self) -> usize {
        (self.placements() / self.layouts()).div_ceil(2)
    }

    /// Returns the number of entries per layout: the number of sets, rounded up to an even number, so that each layout
    /// starts at a whole byte.
    pub(crate) fn stride(&self) -> usize {
        2 * self.bytes_per_layout()
    }

    /// Returns the index of the entry for the tiles on `cells`, in the order of [`Self::home_cells`]. Entries are
    /// ordered by layout, then by set.
    pub fn index(&self, cells: &[u8]) -> usize {
        let (set, layout) = layouts::placement(cells);
        layout * self.stride() + layouts::set_rank(set)
    }

    /// Returns the number of layouts for each set.
    pub(crate) fn layouts(&self) -> usize {
        layouts::factorial(self.home_cells.len())
    }

    /// Returns the cells that the blank can reach from `cell` without moving a tile of the pattern, as bits. The
    /// pattern's tiles are at home, and `cell` must not be one of their homes.
    pub(crate) fn blank_region(&self, cell: usize) -> u64 {
        graph::connected_region(&self.neighbor_sets(), self.home_set(), cell)
    }

    /// Returns the home cells of the tiles, as bits.
    fn home_set(&self) -> u64 {
        self.home_cells.iter().fold(0, |set, &home| set | 1 << home)
    }

    /// Returns the neighbors of every cell, as bits.
    fn neighbor_sets(&self) -> Vec<u64> {
        let cells = 0..self.cell_count();
        let neighbor_sets = |cell| {
            let is_near = |&other: &usize| self.distance(cell, other) == 1;
            cells
                .clone()
                .filter(is_near)
                .fold(0, |set, other| set | 1 << other)
        };
        cells.clone().map(neighbor_sets).collect()
    }

    /// Returns the Manhattan distance between two cells.
    fn distance(&self, a: usize, b: usize) -> u32 {
        ((a / self.width).abs_diff(b / self.width) + (a % self.width).abs_diff(b % self.width))
            as u32
    }
}

impl PatternTable {
    /// Builds the table on one thread. Calls `on_progress` every few milliseconds.
    ///
    /// # Errors
    /// `BuildError` if `on_progress` returns `false` or an allocation fails.
    pub fn build(pattern: Pattern, on_progress: &OnProgress<'_>) -> Result<Self, BuildError> {
        Self::build_with_helpers(pattern, &WorkerState::single_task(1), on_progress)
    }

    /// Builds the table on this thread and on spare threads of `worker_state`. Calls `on_progress` every few
    /// milliseconds.
    ///
    /// # Errors
    /// [`BuildError`] if `on_progress` returns `false` or an allocation fails.
    pub(crate) fn build_with_helpers(
        pattern: Pattern,
        worker_state: &WorkerState,
        on_progress: &OnProgress<'_>,
    ) -> Result<Self, BuildError> {
        let entries = bfs_build::entries(&pattern, worker_state, on_progress)?;
        Ok(Self { pattern, entries })
    }

    /// Returns the entry with this index.
    #[inline]
    pub fn entry(&self, index: usize) -> u32 {
        u32::from(self.entries[index >> 1] >> (4 * (index & 1)) & 15)
    }

    /// Returns the minimum number of moves of the pattern's tiles from `cells` to their homes. The result is a
    /// lower bound if the entry has the maximum value 15.
    pub fn moves(&self, cells: &[u8]) -> u32 {
        let home_cells = self.pattern.home_cells.iter();
        let manhattan: u32 = cells
            .iter()
            .zip(home_cells)
            .map(|(&cell, &home)| self.pattern.distance(cell.into(), home.into()))
            .sum();
        manhattan + 2 * self.entry(self.pattern.index(cells))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, VecDeque};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Returns the value of every placement, by a simple breadth-first search over the cells of the tiles and the
    /// blank.
    fn simple_distances(pattern: &Pattern) -> HashMap<Vec<u8>, u32> {
        let start = (pattern.home_cells.clone(), pattern.blank);
        let mut distances = HashMap::from([(start.clone(), 0)]);
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            let distance = distances[&state];
            let (cells, blank) = &state;
            for target in 0..pattern.cell_count() as u8 {
                if pattern.distance((*blank).into(), target.into()) != 1 {
                    continue;
                }
                let moved_tile = cells.iter().position(|&cell| cell == target);
                let mut next = (cells.clone(), target);
                if let Some(moved_tile) = moved_tile {
                    next.0[moved_tile] = *blank;
                }
                // Moves of other tiles are free.
                let next_distance = distance + u32::from(moved_tile.is_some());
                if distances
                    .get(&next)
                    .is_none_or(|&distance| distance > next_distance)
                {
                    distances.insert(next.clone(), next_distance);
                    if moved_tile.is_some() {
                        queue.push_back(next);
                    } else {
                        queue.push_front(next);
                    }
                }
            }
        }
        let mut minimums = HashMap::new();
        for ((cells, _), distance) in distances {
            let minimum = minimums.entry(cells).or_insert(distance);
            *minimum = distance.min(*minimum);
        }
        minimums
    }

    #[test]
    fn table_matches_simple_search() {
        let patterns = [
            (3, 3, 0, vec![1, 2, 5, 4]),
            (4, 3, 0, vec![3, 2, 1]),
            (3, 4, 5, vec![4, 6, 7, 1]),
            (2, 4, 1, vec![7, 6, 4, 0, 3]),
            (5, 4, 0, vec![1, 5]),
            (6, 6, 1, vec![35, 0]),
            (3, 2, 5, vec![4]),
            (2, 2, 0, vec![1, 2, 3]),
            (3, 3, 4, vec![8, 0, 1, 7, 2, 5, 3, 6]),
            (2, 4, 7, vec![0, 1, 2, 3, 4, 5, 6]),
        ];
        for (width, height, blank, home_cells) in patterns {
            let pattern = Pattern {
                width,
                height,
                blank,
                home_cells,
            };
            let table = PatternTable::build(pattern.clone(), &|_, _| true).unwrap();
            for (cells, moves) in simple_distances(&pattern) {
                assert_eq!(table.moves(&cells), moves, "{pattern:?} {cells:?}");
            }
        }
    }

    #[test]
    fn helper_threads_do_not_change_table() {
        let pattern = |home_cells| Pattern {
            width: 4,
            height: 4,
            blank: 0,
            home_cells,
        };
        for home_cells in [vec![1, 2, 3, 5, 6, 7], vec![11, 4, 15], vec![9]] {
            let pattern = pattern(home_cells);
            let one_thread = PatternTable::build(pattern.clone(), &|_, _| true).unwrap();
            for threads in [2, 3, 40] {
                let worker_state = WorkerState::single_task(threads);
                let max_done = AtomicUsize::new(0);
                let on_progress = |done, _| {
                    max_done.fetch_max(done, Ordering::Relaxed);
                    true
                };
                let with_helpers =
                    PatternTable::build_with_helpers(pattern.clone(), &worker_state, &on_progress)
                        .unwrap();
                assert_eq!(with_helpers, one_thread);
                assert_eq!(max_done.into_inner(), pattern.placements());
                // All borrowed threads have been returned.
                assert_eq!(worker_state.borrow_threads(40).count, threads - 1);
            }
        }
    }

    #[test]
    fn build_stops_when_on_progress_returns_false() {
        let pattern = Pattern {
            width: 4,
            height: 4,
            blank: 0,
            home_cells: vec![1, 2, 3, 5, 6, 7],
        };
        assert_eq!(
            PatternTable::build(pattern, &|_, _| false),
            Err(BuildError::Stopped)
        );
    }
}
