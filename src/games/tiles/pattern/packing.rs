//! Brings the distances of placements into the table's form and order.

use super::layouts::{Cells, factorial, layouts};
use super::{MOST_TILES, Pattern, Watch};
use crate::control::crew::{self, Common};
use crate::ones::ones;
use crate::processor;
use crate::room::{self, Unfinished};

/// Stands for a placement that no level has reached. The others have their distance and one more, so that the memory can
/// come zeroed from the system, page by page as it is used, and a search that is stopped early has not waited for it.
pub const UNKNOWN: u8 = 0;
/// Entries that are packed between two questions whether to go on.
const ENTRIES_PER_QUESTION: usize = 1 << 17;
/// So many sets later is asked for the distances of a set.
const AHEAD: usize = 4;
/// Where a sum of steps begins in a word above a number of a placement.
const STEPS: u32 = 48;

/// Halves of what the distances exceed the steps home by, in four bits each. The distances, each one too large, come in
/// the order of the sets, and for each set in that of the layouts.
///
/// The cell of the last tile tells in which part of the table a placement stands. One part after the other is written, since all of
/// them together fit no cache, and as many at the same time as there are threads to spare.
pub fn packed(
    pattern: &Pattern,
    sets: &[Cells],
    distances: &[u8],
    common: &Common,
    watch: &Watch<'_>,
) -> Result<Vec<u8>, Unfinished> {
    let mut packed = room::zeroed_in_huge_pages(pattern.bytes())?;
    let packing = Packing::new(pattern, sets, distances);
    let entries = packing.entries_of_cell();
    let cells = pattern.cell_count();
    // A byte has two entries: where there is one a cell, no two may be at it.
    let cells_a_part = if entries.is_multiple_of(2) { 1 } else { cells };
    let parts = packed.chunks_mut((cells_a_part * entries).div_ceil(2));
    let parts = parts.zip((0..cells).step_by(cells_a_part));
    let helpers = common.borrow_threads(cells);
    let ends = crew::use_up(parts, 1 + helpers.count, |(part, first)| {
        processor::run(
            #[inline(always)]
            || packing.pack(first, cells_a_part, part, watch),
        )
    });
    ends.into_iter().collect::<Result<(), _>>()?;
    Ok(packed)
}

/// What is needed to pack any part of the table.
struct Packing<'a> {
    pattern: &'a Pattern,
    sets: &'a [Cells],
    distances: &'a [u8],
    /// Layouts of the tiles but for the last on the cells that it leaves.
    layouts: usize,
    /// For every one of those tiles, from the last, the places that it has, one for each way in which the layouts begin up to it.
    places: Vec<Vec<u8>>,
    /// By layout of all tiles: what their cells add to the number of the placement too much.
    taken: Vec<u64>,
    /// By tile and cell: what it adds there to the number of the placement, and above that to the steps home.
    parts: Vec<Vec<u64>>,
}

impl<'a> Packing<'a> {
    fn new(pattern: &'a Pattern, sets: &'a [Cells], distances: &'a [u8]) -> Self {
        let weights = pattern.weights();
        let last = weights.len() - 1;
        let layouts_of_others = layouts(last);
        let places = |slot: usize| {
            let beginnings = layouts_of_others.iter().step_by(factorial(slot));
            beginnings.map(|layout| layout[slot]).collect()
        };
        let taken = |layout: &[u8; MOST_TILES]| taken(layout, &weights);
        let part = |slot: usize, cell: usize| {
            let steps = pattern.distance(cell, pattern.homes[slot].into());
            (cell * weights[slot]) as u64 | u64::from(steps) << STEPS
        };
        let cells = 0..pattern.cell_count();
        let parts = |slot: usize| cells.clone().map(|cell| part(slot, cell)).collect();
        Self {
            pattern,
            sets,
            distances,
            layouts: factorial(last),
            places: (0..last).rev().map(places).collect(),
            taken: layouts(weights.len()).iter().map(taken).collect(),
            parts: (0..=last).map(parts).collect(),
        }
    }

    /// How many entries have the last tile on the same cell.
    fn entries_of_cell(&self) -> usize {
        self.pattern.placements() / self.pattern.cell_count()
    }

    /// Packs the part of the table that has the last tile on one of so many cells.
    #[inline(always)]
    fn pack(
        &self,
        first: usize,
        cells: usize,
        packed: &mut [u8],
        watch: &Watch<'_>,
    ) -> Result<(), Unfinished> {
        let all = self.pattern.placements();
        let (count, last) = (self.layouts, self.parts.len() - 1);
        let before = (first * self.entries_of_cell()) as u64;
        let sets_per_question = (ENTRIES_PER_QUESTION / count).max(1);
        let mut sums = Sums::new(count);
        let mut here = Vec::new();
        for cell in first..first + cells {
            // The sets that hold this cell, and where the distances of those layouts begin that have the last tile on it.
            here.clear();
            let sets = self.sets.iter().enumerate();
            let sets = sets.filter(|&(_, set)| set >> cell & 1 == 1);
            here.extend(sets.map(|(number, &set)| {
                let place = (set & ((1 << cell) - 1)).count_ones() as usize;
                (
                    set & !(1 << cell),
                    number * (last + 1) * count,
                    place * count,
                )
            }));
            for (index, &(others, row, place)) in here.iter().enumerate() {
                if index % sets_per_question == 0 && !watch(all, all) {
                    return Err(Unfinished::Stopped);
                }
                if let Some(&(_, row, place)) = here.get(index + AHEAD) {
                    processor::fetch_all(&self.distances[row + place..][..count]);
                }
                let sums = sums.of(&self.places, &self.parts, others, self.parts[last][cell]);
                let entries = self.distances[row + place..].iter().zip(sums);
                let entries = entries.zip(&self.taken[place..]);
                for ((&distance, &sum), taken) in entries {
                    // A placement that was never reached cannot occur; nothing is ever claimed of it.
                    let excess = if distance == UNKNOWN {
                        0
                    } else {
                        (distance - 1 - (sum >> STEPS) as u8) / 2
                    };
                    let at = (sum & ((1 << STEPS) - 1)) - taken - before;
                    packed[(at >> 1) as usize] |= excess.min(15) << (4 * (at & 1));
                }
            }
        }
        Ok(())
    }
}

/// The sums over the tiles of all layouts, in their order.
struct Sums {
    sums: Vec<u64>,
    longer: Vec<u64>,
}

impl Sums {
    /// Room for so many layouts.
    fn new(layouts: usize) -> Self {
        Self {
            sums: vec![0; layouts],
            longer: vec![0; layouts],
        }
    }

    /// For every tile, from the last, the places that it has, one for each way in which the layouts begin up to it, and by tile and
    /// cell what it adds there, to a sum that all have. Layouts that begin alike share the sum of that.
    #[inline(always)]
    fn of(&mut self, places: &[Vec<u8>], parts: &[Vec<u64>], set: Cells, all: u64) -> &[u64] {
        self.sums[0] = all;
        for (left, places) in (1..=places.len()).rev().zip(places) {
            let mut of_places = [0; MOST_TILES];
            for (of_place, cell) in of_places.iter_mut().zip(ones(set)) {
                *of_place = parts[left - 1][cell];
            }
            let beginnings = self.sums.iter().zip(places.chunks_exact(left));
            let longer = self.longer.chunks_exact_mut(left);
            for ((&sum, places), longer) in beginnings.zip(longer) {
                for (longer, &place) in longer.iter_mut().zip(places) {
                    *longer = sum + of_places[usize::from(place) % MOST_TILES];
                }
            }
            std::mem::swap(&mut self.sums, &mut self.longer);
        }
        &self.sums
    }
}

/// What the tiles' cells add to the number of a placement too much: each counts only among the cells that later tiles
/// have left.
fn taken(layout: &[u8; MOST_TILES], weights: &[usize]) -> u64 {
    let taken = |(slot, weight): (usize, &usize)| {
        let later = &layout[slot + 1..weights.len()];
        weight * later.iter().filter(|&&place| place < layout[slot]).count()
    };
    weights.iter().enumerate().map(taken).sum::<usize>() as u64
}
