//! Brings the distances of placements into the table's form, where they are: their order is that of the table.

use super::layouts::{Cells, factorial, layouts};
use super::{MOST_TILES, Pattern, Watch};
use crate::control::crew::{self, Common};
use crate::ones::ones;
use crate::processor;
use crate::room::Unfinished;

/// Stands for a placement that no level has reached. The others have their distance and one more, so that the memory can
/// come zeroed from the system, page by page as it is used, and a search that is stopped early has not waited for it.
pub const UNKNOWN: u8 = 0;
/// Entries that are packed between two questions whether to go on.
const ENTRIES_PER_QUESTION: usize = 1 << 17;
/// The first tiles, in which layouts that follow one another differ: the steps of all their orders fit the bytes of a word.
const MOST_FIRST: usize = 3;
/// The ways to leave them places.
const MOST_LEFT: usize = 56;
/// In every byte of a word.
const EVERY_BYTE: u64 = 0x0101_0101_0101_0101;

/// Halves of what the distances exceed the steps home by, in four bits each. The distances, each one too large, come in
/// the order of the sets, and for each set in that of the layouts.
pub fn packed(
    pattern: &Pattern,
    sets: &[Cells],
    mut distances: Vec<u8>,
    common: &Common,
    watch: &Watch<'_>,
) -> Result<Vec<u8>, Unfinished> {
    let packing = Packing::new(pattern);
    let helpers = common.borrow_threads(sets.len().div_ceil(packing.sets_per_question()));
    let workers = 1 + helpers.count;
    // Two entries share a byte, and so no two workers may have one of them each.
    let sets_a_part = sets.len().div_ceil(workers).next_multiple_of(2);
    let entries_a_part = sets_a_part * packing.layouts;
    let parts = sets
        .chunks(sets_a_part)
        .zip(distances.chunks_mut(entries_a_part));
    let ends = crew::use_up(parts, workers, |(sets, distances)| {
        processor::run(
            #[inline(always)]
            || packing.pack(sets, distances, watch),
        )
    });
    ends.into_iter().collect::<Result<(), _>>()?;
    // What is left in the latter half of every part is of no use any more.
    let bytes = pattern.bytes();
    let bytes_a_part = entries_a_part / 2;
    for (begin, packed) in (0..distances.len())
        .step_by(entries_a_part)
        .zip((0..bytes).step_by(bytes_a_part))
        .skip(1)
    {
        let end = begin + bytes_a_part.min(bytes - packed);
        distances.copy_within(begin..end, packed);
    }
    distances.truncate(bytes);
    distances.shrink_to_fit();
    Ok(distances)
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
    others: Vec<([u8; MOST_TILES], usize)>,
    /// By that number: the places of the first tiles in all layouts of them, in their order.
    firsts: Vec<Vec<[u8; MOST_TILES]>>,
}

impl Packing {
    fn new(pattern: &Pattern) -> Self {
        let tiles = pattern.homes.len();
        let all = layouts(tiles);
        let alike = factorial(tiles.min(MOST_FIRST));
        let mut left = Vec::new();
        let mut others = Vec::with_capacity(all.len() / alike);
        let mut firsts = Vec::new();
        for layouts in all.chunks(alike) {
            let (first, rest) = layouts[0].split_at(tiles.min(MOST_FIRST));
            let those_left = first.iter().fold(0_u8, |set, &place| set | 1 << place);
            let known = left.iter().position(|&known| known == those_left);
            let number = known.unwrap_or_else(|| {
                left.push(those_left);
                firsts.push(layouts.to_vec());
                left.len() - 1
            });
            let mut places = [0; MOST_TILES];
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

    /// An even number.
    fn sets_per_question(&self) -> usize {
        (ENTRIES_PER_QUESTION / self.layouts).next_multiple_of(2)
    }

    /// Packs the entries of these sets into the former half of where their distances are.
    #[inline(always)]
    fn pack(
        &self,
        sets: &[Cells],
        distances: &mut [u8],
        watch: &Watch<'_>,
    ) -> Result<(), Unfinished> {
        let mut entries = vec![0; 2 * self.layouts + size_of::<u64>()];
        // A single tile has one entry a set: so two sets are packed at a time.
        let both = 2 * self.layouts;
        for (index, sets) in sets.chunks(2).enumerate() {
            if index % (self.sets_per_question() / 2) == 0 && !watch(self.all, self.all) {
                return Err(Unfinished::Stopped);
            }
            for (number, &set) in sets.iter().enumerate() {
                self.steps_home(set, &mut entries[number * self.layouts..]);
            }
            let begin = index * both;
            let entries = &mut entries[..sets.len() * self.layouts];
            for (entry, &distance) in entries.iter_mut().zip(&distances[begin..]) {
                *entry = excess(distance, *entry);
            }
            let (pairs, odd) = entries.as_chunks();
            let packed = &mut distances[begin / 2..];
            for (byte, [low, high]) in packed.iter_mut().zip(pairs) {
                *byte = low | high << 4;
            }
            if let [odd] = odd {
                packed[pairs.len()] = *odd;
            }
        }
        Ok(())
    }

    /// The steps home of all tiles together, for every layout on a set. A few bytes more are written.
    #[inline(always)]
    fn steps_home(&self, set: Cells, steps: &mut [u8]) {
        let mut by_place = [[0; MOST_TILES]; MOST_TILES];
        for (by_place, steps) in by_place.iter_mut().zip(&self.steps) {
            for (there, cell) in by_place.iter_mut().zip(ones(set)) {
                *there = steps[cell];
            }
        }
        let (of_first, of_others) =
            by_place[..self.steps.len()].split_at(self.steps.len().min(MOST_FIRST));
        let sum = |by_place: &[[u8; MOST_TILES]], places: &[u8; MOST_TILES]| -> u8 {
            let steps = by_place.iter().zip(places);
            steps
                .map(|(by_place, &place)| by_place[usize::from(place) % MOST_TILES])
                .sum()
        };
        let mut sums = [0; MOST_LEFT];
        for (sums, layouts) in sums.iter_mut().zip(&self.firsts) {
            let mut bytes = [0; size_of::<u64>()];
            for (byte, places) in bytes.iter_mut().zip(layouts) {
                *byte = sum(of_first, places);
            }
            *sums = u64::from_le_bytes(bytes);
        }
        for (at, &(places, left)) in (0..).step_by(self.alike).zip(&self.others) {
            let sums = sums[left % MOST_LEFT] + EVERY_BYTE * u64::from(sum(of_others, &places));
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
