//! Brings the distances of placements into the table's form. They come set by set, and are kept layout by layout, so that
//! small moves, which change the set a little and the layout not at all, stay near in the table.

use super::layouts::{Cells, factorial, layouts};
use super::{MAX_TILES, Pattern, Watch};
use crate::bits::iter_ones;
use crate::control::workers::{self, WorkerState};
use crate::processor;
use crate::try_alloc::{self, BuildError};

/// Stands for a placement that no level has reached. The others have their distance and one more, so that the memory can
/// come zeroed from the system, page by page as it is used, and a search that is stopped early has not waited for it.
pub const UNKNOWN: u8 = 0;
/// Entries that are worth a worker of their own.
const ENTRIES_PER_WORKER: usize = 1 << 17;
/// About so many bytes are packed together, between two questions whether to go on.
const BYTES_PER_BLOCK: usize = 1 << 17;
/// The first tiles, in which layouts that follow one another differ: the steps of all their orders fit the bytes of a word.
const MAX_FIRST: usize = 3;
/// The ways to leave them places.
const MAX_LEFT: usize = 56;
/// In every byte of a word.
const EVERY_BYTE: u64 = 0x0101_0101_0101_0101;

/// Halves of what the distances exceed the steps home by, in four bits each. The distances, each one too large, come in
/// the order of the sets, and for each set in that of the layouts.
pub fn packed(
    pattern: &Pattern,
    sets: &[Cells],
    distances: &[u8],
    common: &WorkerState,
    watch: &Watch<'_>,
) -> Result<Vec<u8>, BuildError> {
    let packing = Packing::new(pattern);
    let mut entries = try_alloc::zeroed_in_huge_pages(pattern.bytes())?;
    let helpers = common.borrow_threads(sets.len() * packing.layouts / ENTRIES_PER_WORKER);
    let workers = 1 + helpers.count;
    // Two entries share a byte, and so no two workers may have one of them each.
    let sets_a_part = sets.len().div_ceil(workers).next_multiple_of(2);
    let mut rows: Vec<Vec<&mut [u8]>> = Vec::new();
    rows.resize_with(sets.len().div_ceil(sets_a_part), Vec::new);
    for row in entries.chunks_mut(pattern.bytes_a_layout()) {
        for (rows, row) in rows.iter_mut().zip(row.chunks_mut(sets_a_part / 2)) {
            rows.push(row);
        }
    }
    let parts = sets
        .chunks(sets_a_part)
        .zip(distances.chunks(sets_a_part * packing.layouts))
        .zip(rows);
    let ends = workers::map_owned(parts, workers, |((sets, distances), rows)| {
        processor::run(
            #[inline(always)]
            || packing.pack(sets, distances, rows, watch),
        )
    });
    ends.into_iter().collect::<Result<(), _>>()?;
    Ok(entries)
}

/// What is needed to pack any part of the table.
struct Packing {
    /// Placements in all.
    all: usize,
    /// Layouts of a set.
    layouts: usize,
    /// Those that differ in the first tiles only.
    alike: usize,
    /// By tile and cell: the steps home.
    steps: Vec<Vec<u8>>,
    /// Of all layouts that differ in the first tiles only, in their order: the places of the others, and the number of the set
    /// of places that is left.
    others: Vec<([u8; MAX_TILES], usize)>,
    /// By that number: the places of the first tiles in all layouts of them, in their order.
    firsts: Vec<Vec<[u8; MAX_TILES]>>,
}

impl Packing {
    fn new(pattern: &Pattern) -> Self {
        let tiles = pattern.homes.len();
        let all = layouts(tiles);
        let alike = factorial(tiles.min(MAX_FIRST));
        let mut left = Vec::new();
        let mut others = Vec::with_capacity(all.len() / alike);
        let mut firsts = Vec::new();
        for layouts in all.chunks(alike) {
            let (first, rest) = layouts[0].split_at(tiles.min(MAX_FIRST));
            let those_left = first.iter().fold(0_u8, |set, &place| set | 1 << place);
            let known = left.iter().position(|&known| known == those_left);
            let number = known.unwrap_or_else(|| {
                left.push(those_left);
                firsts.push(layouts.to_vec());
                left.len() - 1
            });
            let mut places = [0; MAX_TILES];
            places[..rest.len()].copy_from_slice(rest);
            others.push((places, number));
        }
        let steps = |&home: &u8| {
            let steps = |cell| pattern.distance(cell, home.into()) as u8;
            (0..pattern.cell_count()).map(steps).collect()
        };
        Self {
            all: pattern.placements(),
            layouts: all.len(),
            alike,
            steps: pattern.homes.iter().map(steps).collect(),
            others,
            firsts,
        }
    }

    /// Packs the distances of these sets into these parts of the layouts' rows.
    #[inline(always)]
    fn pack(
        &self,
        sets: &[Cells],
        distances: &[u8],
        mut rows: Vec<&mut [u8]>,
        watch: &Watch<'_>,
    ) -> Result<(), BuildError> {
        let layouts = self.layouts;
        // What they hold stays in the cache until it is written, row by row.
        let sets_a_block = 2 * (BYTES_PER_BLOCK / layouts).clamp(16, 128);
        let mut steps = vec![0; layouts + size_of::<u64>()];
        let mut pairs = vec![0; sets_a_block / 2 * layouts];
        let mut done = 0;
        for (block, distances) in sets
            .chunks(sets_a_block)
            .zip(distances.chunks(sets_a_block * layouts))
        {
            if !watch(self.all, self.all) {
                return Err(BuildError::Stopped);
            }
            for (both, (sets, distances)) in pairs
                .chunks_exact_mut(layouts)
                .zip(block.chunks(2).zip(distances.chunks(2 * layouts)))
            {
                both.fill(0);
                let of_sets = sets.iter().zip(distances.chunks(layouts));
                for (shift, (&set, distances)) in [0, 4].into_iter().zip(of_sets) {
                    self.steps_home(set, &mut steps);
                    for ((both, &steps), &distance) in both.iter_mut().zip(&steps).zip(distances) {
                        *both |= excess(distance, steps) << shift;
                    }
                }
            }
            let count = block.len().div_ceil(2);
            for (layout, row) in rows.iter_mut().enumerate() {
                let column = pairs[layout..].iter().step_by(layouts);
                for (byte, &both) in row[done..done + count].iter_mut().zip(column) {
                    *byte = both;
                }
            }
            done += count;
        }
        Ok(())
    }

    /// The steps home of all tiles together, for every layout on a set. A few bytes more are written.
    #[inline(always)]
    fn steps_home(&self, set: Cells, steps: &mut [u8]) {
        let mut by_place = [[0; MAX_TILES]; MAX_TILES];
        for (by_place, steps) in by_place.iter_mut().zip(&self.steps) {
            for (there, cell) in by_place.iter_mut().zip(iter_ones(set)) {
                *there = steps[cell];
            }
        }
        let (of_first, of_others) =
            by_place[..self.steps.len()].split_at(self.steps.len().min(MAX_FIRST));
        let sum = |by_place: &[[u8; MAX_TILES]], places: &[u8; MAX_TILES]| -> u8 {
            let steps = by_place.iter().zip(places);
            steps
                .map(|(by_place, &place)| by_place[usize::from(place) % MAX_TILES])
                .sum()
        };
        let mut sums = [0; MAX_LEFT];
        for (sums, layouts) in sums.iter_mut().zip(&self.firsts) {
            let mut bytes = [0; size_of::<u64>()];
            for (byte, places) in bytes.iter_mut().zip(layouts) {
                *byte = sum(of_first, places);
            }
            *sums = u64::from_le_bytes(bytes);
        }
        for (at, &(places, left)) in (0..).step_by(self.alike).zip(&self.others) {
            let sums = sums[left % MAX_LEFT] + EVERY_BYTE * u64::from(sum(of_others, &places));
            steps[at..at + size_of::<u64>()].copy_from_slice(&sums.to_le_bytes());
        }
    }
}

/// Half of what a distance that is one too large exceeds the steps home by. A placement that was never reached cannot occur;
/// nothing is ever claimed of it.
#[inline(always)]
fn excess(distance: u8, steps: u8) -> u8 {
    if distance == UNKNOWN {
        0
    } else {
        ((distance - 1 - steps) / 2).min(15)
    }
}
