//! Pattern databases for sliding tiles: how many moves some of the tiles need at least, wherever they lie (Culberson and
//! Schaeffer, 1998), counted so that patterns without a common tile add up (Korf and Felner, 2002).
//!
//! Where the blank is counts too, though not in the table: a tile moves only where the blank can be without help, and at
//! the end the blank is home. The table holds the least over all cells of the blank.

mod bfs_build;
pub mod file;
mod graph;
pub mod layouts;
mod packing;

use crate::control::workers::WorkerState;
use crate::try_alloc::BuildError;

/// Hears of the placements done and of all, from every thread that makes a table at least every few milliseconds, and answers
/// whether to go on.
pub type Watch<'a> = dyn Fn(usize, usize) -> bool + Sync + 'a;

/// The most tiles of a pattern.
pub const MAX_TILES: usize = 8;

/// Some tiles of a board, named by their homes, in the order of the index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// The blank's home.
    pub blank: u8,
    /// The tiles' homes.
    pub homes: Vec<u8>,
}

/// The table of a pattern: for every placement of its tiles half of what their moves exceed the steps to their homes by,
/// at most 15, in four bits.
#[derive(Debug, PartialEq, Eq)]
pub struct PatternTable {
    /// What the table is of.
    pub pattern: Pattern,
    /// Two entries a byte, the first in the low bits.
    pub entries: Vec<u8>,
}

impl Pattern {
    /// How many cells the board has.
    pub fn cell_count(&self) -> usize {
        self.width * self.height
    }

    /// How many placements there are.
    pub fn placements(&self) -> usize {
        (0..self.homes.len())
            .map(|slot| self.cell_count() - slot)
            .product()
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> usize {
        self.layouts() * self.bytes_a_layout()
    }

    /// The bytes that have the entries of one layout, on all sets of cells.
    fn bytes_a_layout(&self) -> usize {
        (self.placements() / self.layouts()).div_ceil(2)
    }

    /// The entries from one layout to the next: where the sets are an odd number, one of them is of none.
    pub fn stride(&self) -> usize {
        2 * self.bytes_a_layout()
    }

    /// The number of a placement's entry: the layouts one after another, for each all sets of cells.
    pub fn index(&self, cells: &[u8]) -> usize {
        let (set, layout) = layouts::placement(cells);
        layout * self.stride() + layouts::set_number(set)
    }

    /// The ways to lay the tiles out on a set of cells.
    pub fn layouts(&self) -> usize {
        layouts::factorial(self.homes.len())
    }

    /// The cells, as bits, that the blank can reach from this one, which is none of the pattern's homes.
    pub fn part(&self, cell: usize) -> u64 {
        graph::part_of(&self.near(), self.home_set(), cell)
    }

    /// The tiles' homes, as bits.
    fn home_set(&self) -> u64 {
        self.homes.iter().fold(0, |set, &home| set | 1 << home)
    }

    /// The neighbours of every cell, as bits.
    fn near(&self) -> Vec<u64> {
        let cells = 0..self.cell_count();
        let near = |cell| {
            let is_near = |&other: &usize| self.distance(cell, other) == 1;
            cells
                .clone()
                .filter(is_near)
                .fold(0, |set, other| set | 1 << other)
        };
        cells.clone().map(near).collect()
    }

    /// Steps between two cells.
    fn distance(&self, a: usize, b: usize) -> u32 {
        ((a / self.width).abs_diff(b / self.width) + (a % self.width).abs_diff(b % self.width))
            as u32
    }
}

impl PatternTable {
    /// Makes the table on one thread.
    pub fn build(pattern: Pattern, watch: &Watch<'_>) -> Result<Self, BuildError> {
        Self::build_among(pattern, &WorkerState::alone(1), watch)
    }

    /// The same with the help of threads that have no task of their own.
    pub fn build_among(
        pattern: Pattern,
        common: &WorkerState,
        watch: &Watch<'_>,
    ) -> Result<Self, BuildError> {
        let entries = bfs_build::entries(&pattern, common, watch)?;
        Ok(Self { pattern, entries })
    }

    /// The entry with this number.
    #[inline]
    pub fn entry(&self, index: usize) -> u32 {
        u32::from(self.entries[index >> 1] >> (4 * (index & 1)) & 15)
    }

    /// The moves that the tiles need from these cells.
    pub fn moves(&self, cells: &[u8]) -> u32 {
        let homes = self.pattern.homes.iter();
        let steps: u32 = cells
            .iter()
            .zip(homes)
            .map(|(&cell, &home)| self.pattern.distance(cell.into(), home.into()))
            .sum();
        steps + 2 * self.entry(self.pattern.index(cells))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, VecDeque};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// The distances of all placements, by a search over tiles and blank that knows no sets.
    fn slow(pattern: &Pattern) -> HashMap<Vec<u8>, u32> {
        let start = (pattern.homes.clone(), pattern.blank);
        let mut known = HashMap::from([(start.clone(), 0)]);
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            let distance = known[&state];
            let (cells, blank) = &state;
            for target in 0..pattern.cell_count() as u8 {
                if pattern.distance((*blank).into(), target.into()) != 1 {
                    continue;
                }
                let slot = cells.iter().position(|&cell| cell == target);
                let mut next = (cells.clone(), target);
                if let Some(slot) = slot {
                    next.0[slot] = *blank;
                }
                let longer = distance + u32::from(slot.is_some());
                if known.get(&next).is_none_or(|&known| known > longer) {
                    known.insert(next.clone(), longer);
                    if slot.is_some() {
                        queue.push_back(next);
                    } else {
                        queue.push_front(next);
                    }
                }
            }
        }
        let mut least = HashMap::new();
        for ((cells, _), distance) in known {
            let entry = least.entry(cells).or_insert(distance);
            *entry = distance.min(*entry);
        }
        least
    }

    #[test]
    fn the_search_over_sets_finds_what_a_plain_one_finds() {
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
        for (width, height, blank, homes) in patterns {
            let pattern = Pattern {
                width,
                height,
                blank,
                homes,
            };
            let table = PatternTable::build(pattern.clone(), &|_, _| true).unwrap();
            for (cells, moves) in slow(&pattern) {
                assert_eq!(table.moves(&cells), moves, "{pattern:?} {cells:?}");
            }
        }
    }

    #[test]
    fn threads_without_a_task_help_and_change_nothing() {
        let pattern = |homes| Pattern {
            width: 4,
            height: 4,
            blank: 0,
            homes,
        };
        for homes in [vec![1, 2, 3, 5, 6, 7], vec![11, 4, 15], vec![9]] {
            let pattern = pattern(homes);
            let alone = PatternTable::build(pattern.clone(), &|_, _| true).unwrap();
            for threads in [2, 3, 40] {
                let common = WorkerState::alone(threads);
                let last = AtomicUsize::new(0);
                let watch = |done, _| {
                    last.fetch_max(done, Ordering::Relaxed);
                    true
                };
                let helped = PatternTable::build_among(pattern.clone(), &common, &watch).unwrap();
                assert_eq!(helped, alone);
                assert_eq!(last.into_inner(), pattern.placements());
                // All threads are there again.
                assert_eq!(common.borrow_threads(40).count, threads - 1);
            }
        }
    }

    #[test]
    fn a_builder_that_is_told_to_stop_stops() {
        let pattern = Pattern {
            width: 4,
            height: 4,
            blank: 0,
            homes: vec![1, 2, 3, 5, 6, 7],
        };
        assert_eq!(
            PatternTable::build(pattern, &|_, _| false),
            Err(BuildError::Stopped)
        );
    }
}
