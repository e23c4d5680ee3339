//! Converts the distances of placements to table entries of four bits.
//!
//! A distance is the unpacked value of a placement: the minimum number of moves of the pattern's tiles. Distances are
//! ordered by set, then by layout. Entries are ordered by layout, then by set, which makes lookups faster: a move
//! changes one cell of the set and often keeps the layout, so successive lookups are close in memory.

use super::layouts::{Cells, factorial, layouts};
use super::{MAX_TILES, OnProgress, Pattern};
use crate::bits::iter_ones;
use crate::control::workers::{self, WorkerState};
use crate::processor;
use crate::try_alloc::{self, BuildError};

/// The stored distance of an unreached placement. A known distance `d` is stored as `d + 1`.
///
/// It is 0, because zeroed allocations need no initialization: the system provides zeroed pages at the first access.
pub(crate) const UNKNOWN: u8 = 0;
/// Minimum number of entries per worker.
const MIN_ENTRIES_PER_WORKER: usize = 1 << 17;
/// Approximate number of bytes packed between two calls of `on_progress`.
const BYTES_PER_BLOCK: usize = 1 << 17;
/// Maximum number of leading tiles. The leading tiles are the first three tiles of a pattern.
///
/// A group of 3! = 6 consecutive layouts differs only in the leading tiles. The sums of the leading tiles' Manhattan
/// distances in these 6 layouts fit into one 64-bit word, one byte each.
const MAX_LEADING_TILES: usize = 3;
/// Maximum number of sets of places of the leading tiles: 8 choose 3. The place of a tile is the index of its cell in
/// the set of all tiles, in reading order.
const MAX_LEADING_SETS: usize = 56;
/// A word with the value 1 in every byte.
const BYTE_ONES: u64 = 0x0101_0101_0101_0101;

/// Returns the entries of the table, see [`PatternTable`](super::PatternTable).
///
/// `distances` are encoded as described at [`UNKNOWN`], ordered by set, then by layout.
///
/// # Errors
/// [`BuildError`] if `on_progress` returns `false` or an allocation fails.
pub(crate) fn pack_entries(
    pattern: &Pattern,
    sets: &[Cells],
    distances: &[u8],
    worker_state: &WorkerState,
    on_progress: &OnProgress<'_>,
) -> Result<Vec<u8>, BuildError> {
    let packing = Packing::new(pattern);
    let mut entries = try_alloc::zeroed_in_huge_pages(pattern.bytes())?;
    let helpers =
        worker_state.borrow_threads(sets.len() * packing.layouts / MIN_ENTRIES_PER_WORKER);
    let workers = 1 + helpers.count;
    // Each worker packs an even number of sets, because two entries share a byte, and only one worker may write a
    // byte.
    let sets_per_part = sets.len().div_ceil(workers).next_multiple_of(2);
    // The bytes for the packed entries, by worker, then by layout.
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
            || packing.pack(sets, distances, rows, on_progress),
        )
    });
    results.into_iter().collect::<Result<(), _>>()?;
    Ok(entries)
}

/// Precomputed data for packing the entries of a pattern.
struct Packing {
    /// Number of placements.
    placements: usize,
    /// Number of layouts per set.
    layouts: usize,
    /// Number of layouts per group. The layouts of a group differ only in the leading tiles.
    leading_layouts: usize,
    /// Indexed by tile and cell: the Manhattan distance of the tile from home.
    manhattan: Vec<Vec<u8>>,
    /// For each group of layouts: the places of the other tiles, and the index in `leading` of the set of the leading
    /// tiles' places.
    trailing: Vec<([u8; MAX_TILES], usize)>,
    /// The layouts of a group, by set of the leading tiles' places. Only the places of the leading tiles are used.
    leading: Vec<Vec<[u8; MAX_TILES]>>,
}

impl Packing {
    fn new(pattern: &Pattern) -> Self {
        let tiles = pattern.home_cells.len();
        let all_layouts = layouts(tiles);
        let leading_layouts = factorial(tiles.min(MAX_LEADING_TILES));
        let mut leading_sets = Vec::new();
        let mut trailing = Vec::with_capacity(all_layouts.len() / leading_layouts);
        let mut leading = Vec::new();
        for layouts in all_layouts.chunks(leading_layouts) {
            let (leading_places, trailing_places) =
                layouts[0].split_at(tiles.min(MAX_LEADING_TILES));
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
            places[..trailing_places.len()].copy_from_slice(trailing_places);
            trailing.push((places, index));
        }
        let manhattan = |&home: &u8| {
            let distance_home = |cell| pattern.distance(cell, home.into()) as u8;
            (0..pattern.cell_count()).map(distance_home).collect()
        };
        Self {
            placements: pattern.placements(),
            layouts: all_layouts.len(),
            leading_layouts,
            manhattan: pattern.home_cells.iter().map(manhattan).collect(),
            trailing,
            leading,
        }
    }

    /// Packs the distances of `sets` into `rows`. A row holds the entries of one layout.
    #[inline(always)]
    fn pack(
        &self,
        sets: &[Cells],
        distances: &[u8],
        mut rows: Vec<&mut [u8]>,
        on_progress: &OnProgress<'_>,
    ) -> Result<(), BuildError> {
        let layouts = self.layouts;
        // Sets are packed in blocks that fit into the cache: computed set by set, then written layout by layout.
        let sets_per_block = 2 * (BYTES_PER_BLOCK / layouts).clamp(16, 128);
        let mut manhattan = vec![0; layouts + size_of::<u64>()];
        // A byte with the entries of two sets, by pair of sets, then by layout.
        let mut pairs = vec![0; sets_per_block / 2 * layouts];
        let mut done = 0;
        for (block, distances) in sets
            .chunks(sets_per_block)
            .zip(distances.chunks(sets_per_block * layouts))
        {
            if !on_progress(self.placements, self.placements) {
                return Err(BuildError::Stopped);
            }
            for (bytes, (sets, distances)) in pairs
                .chunks_exact_mut(layouts)
                .zip(block.chunks(2).zip(distances.chunks(2 * layouts)))
            {
                bytes.fill(0);
                let byte_halves = sets.iter().zip(distances.chunks(layouts));
                for (shift, (&set, distances)) in [0, 4].into_iter().zip(byte_halves) {
                    self.manhattan_by_layout(set, &mut manhattan);
                    for ((byte, &manhattan), &distance) in
                        bytes.iter_mut().zip(&manhattan).zip(distances)
                    {
                        *byte |= entry(distance, manhattan) << shift;
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

    /// Writes the sum of the tiles' Manhattan distances from home to `out`, for every layout on `set`. Also
    /// overwrites up to 8 bytes after these sums.
    #[inline(always)]
    fn manhattan_by_layout(&self, set: Cells, out: &mut [u8]) {
        // The Manhattan distance from home, by tile and place.
        let mut manhattan_by_place = [[0; MAX_TILES]; MAX_TILES];
        for (by_place, by_cell) in manhattan_by_place.iter_mut().zip(&self.manhattan) {
            for (distance, cell) in by_place.iter_mut().zip(iter_ones(set)) {
                *distance = by_cell[cell];
            }
        }
        let tiles = self.manhattan.len();
        let (leading, trailing) =
            manhattan_by_place[..tiles].split_at(tiles.min(MAX_LEADING_TILES));
        let sum = |tiles: &[[u8; MAX_TILES]], places: &[u8; MAX_TILES]| -> u8 {
            let distances = tiles.iter().zip(places);
            distances
                .map(|(by_place, &place)| by_place[usize::from(place) % MAX_TILES])
                .sum()
        };
        // The sums of the leading tiles' distances in the layouts of a group, one byte per layout, by set of their
        // places.
        let mut leading_sums = [0; MAX_LEADING_SETS];
        for (sums, layouts) in leading_sums.iter_mut().zip(&self.leading) {
            let mut bytes = [0; size_of::<u64>()];
            for (byte, places) in bytes.iter_mut().zip(layouts) {
                *byte = sum(leading, places);
            }
            *sums = u64::from_le_bytes(bytes);
        }
        for (offset, &(places, leading_set)) in
            (0..).step_by(self.leading_layouts).zip(&self.trailing)
        {
            let sums = leading_sums[leading_set % MAX_LEADING_SETS]
                + BYTE_ONES * u64::from(sum(trailing, &places));
            out[offset..offset + size_of::<u64>()].copy_from_slice(&sums.to_le_bytes());
        }
    }
}

/// Returns the entry for `distance`, encoded as described at [`UNKNOWN`], and the sum `manhattan` of Manhattan
/// distances. The entry of an unreached placement, which occurs in no position, is 0.
#[inline(always)]
fn entry(distance: u8, manhattan: u8) -> u8 {
    if distance == UNKNOWN {
        0
    } else {
        ((distance - 1 - manhattan) / 2).min(15)
    }
}
