//! Brings the distances of placements into the table's form and order.

use super::layouts::{Cells, factorial, layouts};
use super::{MOST_TILES, Pattern};
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
/// them together fit no cache.
#[inline(always)]
pub fn packed(
    pattern: &Pattern,
    sets: &[Cells],
    distances: &[u8],
    watch: &dyn Fn(usize, usize) -> bool,
) -> Result<Vec<u8>, Unfinished> {
    let all = pattern.placements();
    let mut packed = room::zeroed_in_huge_pages(pattern.bytes())?;
    let weights = pattern.weights();
    let last = weights.len() - 1;
    // The layouts of the other tiles on the cells that the last one leaves.
    let count = factorial(last);
    let layouts_of_others = layouts(last);
    let places: Vec<Vec<u8>> = (0..last)
        .rev()
        .map(|slot| {
            let beginnings = layouts_of_others.iter().step_by(factorial(slot));
            beginnings.map(|layout| layout[slot]).collect()
        })
        .collect();
    let taken: Vec<u64> = layouts(weights.len())
        .iter()
        .map(|layout| taken(layout, &weights))
        .collect();
    // What a tile on a cell adds to the number of the placement, and above that to the steps home.
    let part = |slot: usize, cell: usize| {
        let steps = pattern.distance(cell, pattern.homes[slot].into());
        (cell * weights[slot]) as u64 | u64::from(steps) << STEPS
    };
    let cells = 0..pattern.cell_count();
    let parts: Vec<Vec<u64>> = (0..=last)
        .map(|slot| cells.clone().map(|cell| part(slot, cell)).collect())
        .collect();
    let sets_per_question = (ENTRIES_PER_QUESTION / count).max(1);
    let mut sums = Sums::new(count);
    let mut here = Vec::new();
    for cell in cells {
        // The sets that hold this cell, and where the distances of those layouts begin that have the last tile on it.
        here.clear();
        let sets = sets.iter().enumerate();
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
                processor::fetch_all(&distances[row + place..][..count]);
            }
            let sums = sums.of(&places, &parts, others, parts[last][cell]);
            let entries = distances[row + place..].iter().zip(sums);
            let entries = entries.zip(&taken[place..]);
            for ((&distance, &sum), taken) in entries {
                // A placement that was never reached cannot occur; nothing is ever claimed of it.
                let excess = if distance == UNKNOWN {
                    0
                } else {
                    (distance - 1 - (sum >> STEPS) as u8) / 2
                };
                let at = (sum & ((1 << STEPS) - 1)) - taken;
                packed[(at >> 1) as usize] |= excess.min(15) << (4 * (at & 1));
            }
        }
    }
    Ok(packed)
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
