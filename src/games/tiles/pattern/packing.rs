//! Brings the distances of placements into the table's form and order.

use super::layouts::{Cells, factorial, layouts};
use super::{MOST_TILES, Pattern};
use crate::ones::ones;
use crate::room::{self, Unfinished};

/// Stands for a placement that no level has reached. The others have their distance and one more, so that the memory can
/// come zeroed from the system, page by page as it is used, and a search that is stopped early has not waited for it.
pub const UNKNOWN: u8 = 0;
/// Entries that are packed between two questions whether to go on.
const ENTRIES_PER_QUESTION: usize = 1 << 17;
/// Where a sum of steps begins in a word above a number of a placement.
const STEPS: u32 = 48;

/// Halves of what the distances exceed the steps home by, in four bits each. The distances, each one too large, come in
/// the order of the sets, and for each set in that of the layouts.
pub fn packed(
    pattern: &Pattern,
    sets: &[Cells],
    distances: &[u8],
    watch: &dyn Fn(usize, usize) -> bool,
) -> Result<Vec<u8>, Unfinished> {
    let all = pattern.placements();
    let mut packed = room::zeroed_in_huge_pages(pattern.bytes())?;
    let weights = pattern.weights();
    let count = factorial(weights.len());
    let layouts = layouts(weights.len());
    let taken: Vec<u64> = layouts
        .iter()
        .map(|layout| taken(layout, &weights))
        .collect();
    let places: Vec<Vec<u8>> = (0..weights.len())
        .map(|slot| {
            let beginnings = layouts.iter().step_by(factorial(weights.len() - slot - 1));
            beginnings.map(|layout| layout[slot]).collect()
        })
        .collect();
    let mut sums = Sums::default();
    let sets_per_question = (ENTRIES_PER_QUESTION / count).max(1);
    for (number, &set) in sets.iter().enumerate() {
        if number % sets_per_question == 0 && !watch(all, all) {
            return Err(Unfinished::Stopped);
        }
        // What a tile on one of the set's cells adds to the number of the placement, and above that to the steps home.
        let mut parts = [[0; MOST_TILES]; MOST_TILES];
        for (slot, parts) in parts.iter_mut().enumerate().take(weights.len()) {
            for (part, cell) in parts.iter_mut().zip(ones(set)) {
                let steps = pattern.distance(cell, pattern.homes[slot].into());
                *part = (cell * weights[slot]) as u64 | u64::from(steps) << STEPS;
            }
        }
        let distances = &distances[number * count..(number + 1) * count];
        let sums = sums.of(&places, &parts);
        for ((&distance, &sum), taken) in distances.iter().zip(sums).zip(&taken) {
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
    Ok(packed)
}

/// The sums over the tiles of all layouts, in their order.
#[derive(Default)]
struct Sums {
    sums: Vec<u64>,
    longer: Vec<u64>,
}

impl Sums {
    /// For every tile the places that it has, one for each way in which the layouts begin up to it, and what it adds at
    /// each place. Layouts that begin alike share the sum of that.
    fn of(&mut self, places: &[Vec<u8>], parts: &[[u64; MOST_TILES]; MOST_TILES]) -> &[u64] {
        let tiles = places.len();
        self.sums.clear();
        self.sums.push(0);
        for (slot, (places, parts)) in places.iter().zip(parts).enumerate() {
            let places_left = tiles - slot;
            self.longer.clear();
            for (&sum, places) in self.sums.iter().zip(places.chunks_exact(places_left)) {
                let longer = places
                    .iter()
                    .map(|&place| sum + parts[usize::from(place) % MOST_TILES]);
                self.longer.extend(longer);
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
