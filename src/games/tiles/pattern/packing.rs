//! Packs the distances of placements into table entries.
//!
//! Distances are ordered by set, then by layout. Entries are ordered by layout, then by set: a move changes the set
//! slightly and often keeps the layout, so successive lookups are close in memory.

use super::layouts::{Cells, factorial, layouts};
use super::{MAX_TILES, Pattern, Watch};
use crate::bits::iter_ones;
use crate::control::workers::{self, WorkerState};
use crate::processor;
use crate::try_alloc::{self, BuildError};

/// The distance of placements that the search has not reached. All others are stored plus 1.
///
/// Zero stands for unknown because the system provides zeroed pages only when they are touched, so allocation takes
/// no time.
pub(crate) const UNKNOWN: u8 = 0;
/// Minimum number of entries per worker.
const MIN_ENTRIES_PER_WORKER: usize = 1 << 17;
/// Approximate number of bytes packed per block, between two calls of `watch`.
const BYTES_PER_BLOCK: usize = 1 << 17;
/// Number of leading tiles, in which consecutive layouts differ. The sums for their 3! layouts fit into the bytes
/// of one word.
const MAX_LEADING_TILES: usize = 3;
/// Maximum number of sets of places for the leading tiles: 8 choose 3.
const MAX_LEADING_SETS: usize = 56;
/// A word with 1 in every byte.
const BYTE_ONES: u64 = 0x0101_0101_0101_0101;

/// Returns the entries: four bits each, half of the distance beyond the Manhattan distance.
///
/// `distances` are those of the search plus 1, ordered by set, then by layout.
///
/// # Errors
/// [`BuildError`] if `watch` returns `false` or an allocation fails.
pub(crate) fn pack_entries(
    pattern: &Pattern,
    sets: &[Cells],
    distances: &[u8],
    worker_state: &WorkerState,
    watch: &Watch<'_>,
) -> Result<Vec<u8>, BuildError> {
    let packing = Packing::new(pattern);
    let mut entries = try_alloc::zeroed_in_huge_pages(pattern.bytes())?;
    let helpers =
        worker_state.borrow_threads(sets.len() * packing.layouts / MIN_ENTRIES_PER_WORKER);
    let workers = 1 + helpers.count;
    // Two entries share a byte, and a byte must belong to one worker.
    let sets_per_part = sets.len().div_ceil(workers).next_multiple_of(2);
    let mut rows: Vec<Vec<&mut [u8]>> = Vec::new();
    rows.resize_with(sets.len().div_ceil(sets_per_part), Vec::new);
    for row in entries.chunks_mut(pattern.bytes_per_layout()) {
        for (rows, row) in rows.iter_mut().zip(row.chunks_mut(sets_per_part / 2)) {
            rows.push(row);
        }
    }
    let parts = sets
        .chunks(sets_per_part)
        .zip(distances.chunks(sets_per_part * packing.layouts))
        .zip(rows);
    let results = workers::map_owned(parts, workers, |((sets, distances), rows)| {
        processor::run(
            #[inline(always)]
            || packing.pack(sets, distances, rows, watch),
        )
    });
    results.into_iter().collect::<Result<(), _>>()?;
    Ok(entries)
}

/// Precomputed data for packing any part of the table.
struct Packing {
    /// Number of placements.
    placements: usize,
    /// Number of layouts per set.
    layouts: usize,
    /// Number of layouts that differ in the leading tiles only.
    leading_layouts: usize,
    /// By tile and cell: the Manhattan distance from home.
    steps: Vec<Vec<u8>>,
    /// By group of layouts that differ in the leading tiles only: the places of the other tiles, and the index of
    /// the leading tiles' set in `leading`.
    trailing: Vec<([u8; MAX_TILES], usize)>,
    /// By set of places for the leading tiles: the layouts of the leading tiles.
    leading: Vec<Vec<[u8; MAX_TILES]>>,
}

impl Packing {
    fn new(pattern: &Pattern) -> Self {
        let tiles = pattern.homes.len();
        let all_layouts = layouts(tiles);
        let leading_layouts = factorial(tiles.min(MAX_LEADING_TILES));
        let mut leading_sets = Vec::new();
        let mut trailing = Vec::with_capacity(all_layouts.len() / leading_layouts);
        let mut leading = Vec::new();
        for layouts in all_layouts.chunks(leading_layouts) {
            let (leading_places, rest) = layouts[0].split_at(tiles.min(MAX_LEADING_TILES));
            let leading_set = leading_places
                .iter()
                .fold(0_u8, |set, &place| set | 1 << place);
            let found = leading_sets.iter().position(|&set| set == leading_set);
            let index = found.unwrap_or_else(|| {
                leading_sets.push(leading_set);
                leading.push(layouts.to_vec());
                leading_sets.len() - 1
            });
            let mut places = [0; MAX_TILES];
            places[..rest.len()].copy_from_slice(rest);
            trailing.push((places, index));
        }
        let steps = |&home: &u8| {
            let steps = |cell| pattern.distance(cell, home.into()) as u8;
            (0..pattern.cell_count()).map(steps).collect()
        };
        Self {
            placements: pattern.placements(),
            layouts: all_layouts.len(),
            leading_layouts,
            steps: pattern.homes.iter().map(steps).collect(),
            trailing,
            leading,
        }
    }

    /// Packs the distances of `sets` into `rows`, one row per layout.
    #[inline(always)]
    fn pack(
        &self,
        sets: &[Cells],
        distances: &[u8],
        mut rows: Vec<&mut [u8]>,
        watch: &Watch<'_>,
    ) -> Result<(), BuildError> {
        let layouts = self.layouts;
        // A block stays in the cache until it has been written to all rows.
        let sets_per_block = 2 * (BYTES_PER_BLOCK / layouts).clamp(16, 128);
        let mut steps = vec![0; layouts + size_of::<u64>()];
        let mut pairs = vec![0; sets_per_block / 2 * layouts];
        let mut done = 0;
        for (block, distances) in sets
            .chunks(sets_per_block)
            .zip(distances.chunks(sets_per_block * layouts))
        {
            if !watch(self.placements, self.placements) {
                return Err(BuildError::Stopped);
            }
            for (bytes, (sets, distances)) in pairs
                .chunks_exact_mut(layouts)
                .zip(block.chunks(2).zip(distances.chunks(2 * layouts)))
            {
                bytes.fill(0);
                let byte_halves = sets.iter().zip(distances.chunks(layouts));
                for (shift, (&set, distances)) in [0, 4].into_iter().zip(byte_halves) {
                    self.steps_home(set, &mut steps);
                    for ((byte, &steps), &distance) in bytes.iter_mut().zip(&steps).zip(distances) {
                        *byte |= excess(distance, steps) << shift;
                    }
                }
            }
            let count = block.len().div_ceil(2);
            for (layout, row) in rows.iter_mut().enumerate() {
                let column = pairs[layout..].iter().step_by(layouts);
                for (entry, &byte) in row[done..done + count].iter_mut().zip(column) {
                    *entry = byte;
                }
            }
            done += count;
        }
        Ok(())
    }

    /// Computes the Manhattan distance of every layout on a set. Writes up to 8 bytes more than there are layouts.
    #[inline(always)]
    fn steps_home(&self, set: Cells, steps: &mut [u8]) {
        let mut steps_by_place = [[0; MAX_TILES]; MAX_TILES];
        for (steps_by_place, steps) in steps_by_place.iter_mut().zip(&self.steps) {
            for (slot, cell) in steps_by_place.iter_mut().zip(iter_ones(set)) {
                *slot = steps[cell];
            }
        }
        let (leading_steps, trailing_steps) =
            steps_by_place[..self.steps.len()].split_at(self.steps.len().min(MAX_LEADING_TILES));
        let sum = |steps_by_place: &[[u8; MAX_TILES]], places: &[u8; MAX_TILES]| -> u8 {
            let steps = steps_by_place.iter().zip(places);
            steps
                .map(|(steps_by_place, &place)| steps_by_place[usize::from(place) % MAX_TILES])
                .sum()
        };
        let mut sums = [0; MAX_LEADING_SETS];
        for (sums, layouts) in sums.iter_mut().zip(&self.leading) {
            let mut bytes = [0; size_of::<u64>()];
            for (byte, places) in bytes.iter_mut().zip(layouts) {
                *byte = sum(leading_steps, places);
            }
            *sums = u64::from_le_bytes(bytes);
        }
        for (offset, &(places, leading_set)) in
            (0..).step_by(self.leading_layouts).zip(&self.trailing)
        {
            let sums = sums[leading_set % MAX_LEADING_SETS]
                + BYTE_ONES * u64::from(sum(trailing_steps, &places));
            steps[offset..offset + size_of::<u64>()].copy_from_slice(&sums.to_le_bytes());
        }
    }
}

/// Returns the entry for a distance that is stored plus 1. Unreached placements cannot occur, and their entry is 0.
#[inline(always)]
fn excess(distance: u8, steps: u8) -> u8 {
    if distance == UNKNOWN {
        0
    } else {
        ((distance - 1 - steps) / 2).min(15)
    }
}
