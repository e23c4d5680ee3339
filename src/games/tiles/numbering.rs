//! The numbers of a pattern's placements by a few look-ups, for the search that asks at every node.

use crate::tables::pattern::{CHOICES, MOST_TILES, factorial};

/// The most cells of a board.
pub const MOST_CELLS: usize = 25;

/// The cells whose sets are numbered by one table, the rest by another.
const LOW_CELLS: u32 = 12;
const HIGH_SETS: usize = 1 << (MOST_CELLS - LOW_CELLS as usize);

/// What numbers the placements of patterns of one size, as `Pattern::index` does.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// 1 for the slots that the pattern has.
    pub used: [u32; MOST_TILES],
    /// What each slot's digit in the number of the layout weighs.
    pub weights: [u32; MOST_TILES],
    /// What the set of the first cells adds.
    low: Box<[u32]>,
    /// What the set of the others adds, by how many tiles lie on the first cells.
    high: Box<[u32]>,
}

impl Numbering {
    /// For patterns of `size` tiles on a board of so many cells.
    pub fn new(size: usize, cells: usize) -> Self {
        let mut numbering = Self {
            used: [0; MOST_TILES],
            weights: [0; MOST_TILES],
            low: vec![0; 1 << LOW_CELLS].into(),
            high: vec![0; 16 * HIGH_SETS].into(),
        };
        for slot in 0..size {
            numbering.used[slot] = 1;
            numbering.weights[slot] = factorial(size - slot - 1) as u32;
        }
        let low_cells = cells.min(LOW_CELLS as usize);
        for set in 0..1usize << low_cells {
            numbering.low[set] = sets_before(set, 0, 0, size);
        }
        for before in 0..=size {
            for set in 0..1usize << (cells - low_cells) {
                numbering.high[before * HIGH_SETS + set] =
                    sets_before(set, LOW_CELLS as usize, before, size);
            }
        }
        numbering
    }

    /// The number of the first placement on this set of cells.
    #[inline]
    pub fn first_of(&self, set: u32) -> u32 {
        let low = set & ((1 << LOW_CELLS) - 1);
        let high = (set >> LOW_CELLS) as usize % HIGH_SETS;
        self.low[low as usize] + self.high[(low.count_ones() as usize % 16) * HIGH_SETS + high]
    }
}

/// The placements on the sets before this one, as far as its cells from `first_cell` on tell, with so many cells before.
fn sets_before(set: usize, first_cell: usize, before: usize, size: usize) -> u32 {
    if set.count_ones() as usize + before > size {
        return 0;
    }
    let cells = (0..MOST_CELLS)
        .filter(|cell| set >> cell & 1 == 1)
        .enumerate();
    let sets: usize = cells
        .map(|(index, cell)| CHOICES[first_cell + cell][before + index + 1])
        .sum();
    (sets * factorial(size)) as u32
}
