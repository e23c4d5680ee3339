//! Pattern databases for sliding tiles: how many moves some of the tiles need at least, wherever they lie (Culberson and
//! Schaeffer, 1998), counted so that patterns without a common tile add up (Korf and Felner, 2002).
//!
//! The blank is not part of a pattern: a tile may move to any cell on which no tile of the pattern lies. That is a little
//! less than the truth, but it lets a search of bits make the table, and one table serve every goal and every symmetry
//! of the board.

mod breadth;
pub mod file;

/// The most tiles of a pattern.
pub const MOST_TILES: usize = 8;

/// Some tiles of a board, named by their homes, in the order of the index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// The tiles' homes.
    pub homes: Vec<u8>,
}

/// The table of a pattern: for every placement of its tiles half of what their moves exceed the steps to their homes by,
/// at most 15, in four bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternTable {
    /// What the table is of.
    pub pattern: Pattern,
    /// Two entries a byte, the first in the low bits.
    pub entries: Vec<u8>,
}

/// The builder was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl Pattern {
    /// How many cells the board has.
    pub fn cell_count(&self) -> usize {
        self.width * self.height
    }

    /// How many placements there are.
    pub fn placements(&self) -> usize {
        (0..self.homes.len()).map(|slot| self.cell_count() - slot).product()
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> usize {
        self.placements().div_ceil(2)
    }

    /// What a step of each tile's digit weighs in the index: the placements of the tiles behind it.
    pub fn weights(&self) -> Vec<usize> {
        let cells = self.cell_count();
        let count = self.homes.len();
        (0..count).map(|slot| (slot + 1..count).map(|later| cells - later).product()).collect()
    }

    /// The number of a placement: the tiles' cells in mixed radix, each counted among the cells that the tiles before it
    /// leave free.
    pub fn index(&self, cells: &[u8]) -> usize {
        let mut taken = 0u64;
        let mut index = 0;
        for (&cell, weight) in cells.iter().zip(self.weights()) {
            let before = (taken & ((1 << cell) - 1)).count_ones() as usize;
            index += (usize::from(cell) - before) * weight;
            taken |= 1 << cell;
        }
        index
    }

    /// Steps between two cells.
    fn distance(&self, a: usize, b: usize) -> u32 {
        ((a / self.width).abs_diff(b / self.width) + (a % self.width).abs_diff(b % self.width)) as u32
    }
}

impl PatternTable {
    /// Makes the table. `watch` hears of the placements done and of all, at least every few milliseconds, and answers
    /// whether to go on.
    pub fn build(pattern: Pattern, watch: &dyn Fn(usize, usize) -> bool) -> Result<Self, Interrupted> {
        let entries = breadth::entries(&pattern, watch)?;
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
        let steps: u32 = cells.iter().zip(homes).map(|(&cell, &home)| self.pattern.distance(cell.into(), home.into())).sum();
        steps + 2 * self.entry(self.pattern.index(cells))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// The distances of all placements, by a search that knows no bits.
    fn slow(pattern: &Pattern) -> HashMap<Vec<u8>, u32> {
        let mut known = HashMap::from([(pattern.homes.clone(), 0)]);
        let mut queue = vec![pattern.homes.clone()];
        let mut next = 0;
        while let Some(cells) = queue.get(next).cloned() {
            next += 1;
            let distance = known[&cells];
            for slot in 0..cells.len() {
                for target in 0..pattern.cell_count() as u8 {
                    let near = pattern.distance(cells[slot].into(), target.into()) == 1;
                    if near && !cells.contains(&target) {
                        let mut moved = cells.clone();
                        moved[slot] = target;
                        known.entry(moved.clone()).or_insert_with(|| {
                            queue.push(moved);
                            distance + 1
                        });
                    }
                }
            }
        }
        known
    }

    #[test]
    fn the_search_of_bits_finds_what_a_plain_one_finds() {
        let patterns = [
            (3, 3, vec![1, 2, 5, 4]),
            (4, 3, vec![3, 2, 1]),
            (2, 4, vec![7, 6, 4]),
            (5, 4, vec![19, 18, 14]),
            (6, 6, vec![35, 0]),
            (3, 2, vec![4]),
        ];
        for (width, height, homes) in patterns {
            let pattern = Pattern { width, height, homes };
            let table = PatternTable::build(pattern.clone(), &|_, _| true).unwrap();
            let known = slow(&pattern);
            assert_eq!(known.len(), pattern.placements());
            for (cells, moves) in known {
                assert_eq!(table.moves(&cells), moves, "{pattern:?} {cells:?}");
            }
        }
    }

    #[test]
    fn a_builder_that_is_told_to_stop_stops() {
        let pattern = Pattern { width: 4, height: 4, homes: vec![1, 2, 3, 5, 6, 7] };
        assert_eq!(PatternTable::build(pattern, &|_, _| false), Err(Interrupted));
    }
}
