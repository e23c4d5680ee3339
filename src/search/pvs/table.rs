//! The transposition table of the tuned search. The threads of a search share it without locks. Entries remain in the
//! table for the searches of later moves of the game.
//!
//! Initially, only the front part of the allocated memory is used. When it fills up, it grows between iterations.
//! So a short search stays within the CPU's caches and touches few memory pages, even if the table is large.
//!
//! The table is divided into *buckets* of the size of a cache line. The key selects a bucket, and an entry may be
//! in any slot of its bucket.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::error::EngineError;
use crate::search::memory::{self, PackedEntry, TtEntry};
use crate::{processor, try_alloc};

/// Number of entries per bucket: the capacity of a cache line.
const ENTRIES_PER_BUCKET: usize = 4;
/// Initial number of buckets in use: 32 KiB.
const FIRST_BUCKETS: usize = 1 << 9;
/// Factor by which the used part grows in one step.
const GROWTH: usize = 2;
/// Maximum fullness of the used part, in per mille, before it grows. The limit is low, because an iteration
/// visits several times as many nodes as the previous iteration.
const MAX_USED_PER_MILLE: usize = 100;
/// Estimated time of growth per KiB, for moving entries to other buckets and touching new memory pages.
const GROWTH_TIME: Duration = Duration::from_micros(1);
/// Factor of [`GROWTH_TIME`] for huge pages, because the system takes longer to find contiguous memory.
const HUGE_GROWTH: u32 = 4;
/// Growth may take 1 / `GROWTH_SHARE` of the remaining time.
const GROWTH_SHARE: u32 = 4;
/// Bit position of the search number in a packed entry. [`TtEntry`] does not use bits 43 to 47.
const AGE_SHIFT: u32 = 43;
const AGE_MASK: u64 = 31;
/// Each new search lowers the priority of an entry by this number of plies.
const AGE_WEIGHT: u64 = 4;

/// A map from position keys to entries.
///
/// A slot stores the entry, and the key XOR the entry. A slot that is read while another thread overwrites it does not
/// match its key (Hyatt and Mann 2002).
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    slots: Box<[Slot]>,
    /// Index of the first slot that is aligned to a cache line.
    first_slot: usize,
    /// Number of buckets.
    buckets: usize,
    /// Number of buckets in use.
    used_buckets: usize,
    /// Number of the current search modulo 32. An entry contains the number of its search.
    age: u64,
}

#[derive(Debug, bytemuck::Zeroable)]
#[repr(C)]
struct Slot {
    guard: AtomicU64,
    /// 0 if the slot is empty. A stored entry is not 0, because its depth is at least 1 or it has a move.
    entry: AtomicU64,
}

impl TranspositionTable {
    /// Creates an empty table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub(super) fn new(mebibytes: u64) -> Result<Self, EngineError> {
        let slots: Box<[Slot]> = memory::allocate_mebibytes(mebibytes)?;
        let first_slot = slots
            .as_ptr()
            .align_offset(ENTRIES_PER_BUCKET * size_of::<Slot>())
            % ENTRIES_PER_BUCKET;
        let buckets = (slots.len() - first_slot) / ENTRIES_PER_BUCKET;
        Ok(Self {
            slots,
            first_slot,
            buckets,
            used_buckets: buckets.min(FIRST_BUCKETS),
            age: 0,
        })
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let start = self.first_slot + ENTRIES_PER_BUCKET * slot_index(key, self.used_buckets);
        &self.slots[start..start + ENTRIES_PER_BUCKET]
    }

    /// Prefetches the bucket of this key.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        processor::prefetch(&self.bucket(key)[0]);
    }

    /// Returns the entry of this key with the depth `depth` or, if there is none, the entry with the greatest depth.
    #[inline]
    pub(super) fn get(&self, key: u64, depth: u32) -> Option<TtEntry> {
        let mut best_known: Option<TtEntry> = None;
        for slot in self.bucket(key) {
            let entry = slot.entry.load(Ordering::Relaxed);
            let guard = slot.guard.load(Ordering::Relaxed);
            if guard ^ entry == key && entry != 0 {
                let entry = TtEntry::unpack(entry);
                if u32::from(entry.depth) == depth {
                    return Some(entry);
                }
                if best_known.is_none_or(|best_known| best_known.depth < entry.depth) {
                    best_known = Some(entry);
                }
            }
        }
        best_known
    }

    /// Stores an entry.
    ///
    /// The entry replaces an entry of the same key with at most the same depth. A deeper entry of the same key stays
    /// in the table, because a later iteration may need it.
    ///
    /// In a full bucket, it replaces the entry of lowest priority: the depth, minus [`AGE_WEIGHT`] for each
    /// search since the entry was stored.
    #[inline]
    pub(super) fn put(&self, key: u64, entry: TtEntry) {
        self.put_aged(key, entry.pack() | self.age << AGE_SHIFT);
    }

    #[inline]
    fn put_aged(&self, key: u64, packed: u64) {
        let depth = TtEntry::unpack(packed).depth;
        let mut slot_to_replace = None;
        let mut min_priority = u64::MAX;
        for slot in self.bucket(key) {
            let entry = slot.entry.load(Ordering::Relaxed);
            let has_same_key = slot.guard.load(Ordering::Relaxed) ^ entry == key;
            if entry == 0 || has_same_key && TtEntry::unpack(entry).depth <= depth {
                slot_to_replace = Some(slot);
                break;
            }
            if has_same_key {
                continue;
            }
            let age = self.age.wrapping_sub(entry >> AGE_SHIFT) & AGE_MASK;
            let priority = u64::from(TtEntry::unpack(entry).depth) + AGE_WEIGHT * (AGE_MASK - age);
            if priority < min_priority {
                min_priority = priority;
                slot_to_replace = Some(slot);
            }
        }
        if let Some(slot) = slot_to_replace {
            slot.entry.store(packed, Ordering::Relaxed);
            slot.guard.store(key ^ packed, Ordering::Relaxed);
        }
    }

    /// Starts a new search, which lowers the priority of all entries.
    pub(crate) fn next_age(&mut self) {
        self.age = self.age + 1 & AGE_MASK;
    }

    /// Enlarges the used part for the next iteration if it fills up and `time_left` suffices. Growth by 64 MiB can
    /// take longer than a short search.
    pub(crate) fn grow(&mut self, time_left: Option<Duration>) {
        let before = self.used_buckets;
        let mut after = before;
        let mut used = self.used_per_mille();
        let is_time_for = |time| time_left.is_none_or(|left| time <= left / GROWTH_SHARE);
        while after < self.buckets && used > MAX_USED_PER_MILLE {
            let more = self.buckets.min(after * GROWTH);
            if !is_time_for(growth_time(more - before)) {
                break;
            }
            after = more;
            used /= GROWTH;
        }
        if after == before {
            return;
        }
        self.used_buckets = after;
        // In a long search, huge pages save more time than their allocation takes.
        if is_time_for(HUGE_GROWTH * growth_time(after - before)) {
            let new = self.first_slot + ENTRIES_PER_BUCKET * before
                ..self.first_slot + ENTRIES_PER_BUCKET * after;
            try_alloc::advise_huge_pages(&self.slots[new]);
        }
        // A bucket's index is proportional to the key and to the number of buckets, so entries move to the same or a
        // higher index. The loop starts with the last bucket, so the destinations are already vacated.
        for bucket in (0..before).rev() {
            let start = self.first_slot + ENTRIES_PER_BUCKET * bucket;
            let entries: [(u64, u64); ENTRIES_PER_BUCKET] = std::array::from_fn(|way| {
                let slot = &mut self.slots[start + way];
                let entry = std::mem::take(slot.entry.get_mut());
                (*slot.guard.get_mut() ^ entry, entry)
            });
            for (key, entry) in entries.into_iter().filter(|&(_, entry)| entry != 0) {
                self.put_aged(key, entry);
            }
        }
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        for slot in &mut self.slots[..self.first_slot + ENTRIES_PER_BUCKET * self.used_buckets] {
            *slot.entry.get_mut() = 0;
        }
        self.used_buckets = self.buckets.min(FIRST_BUCKETS);
        self.age = 0;
    }

    /// Returns the fullness of the used part in per mille.
    fn used_per_mille(&self) -> usize {
        let sample = ENTRIES_PER_BUCKET * self.used_buckets.min(250);
        let used = self.slots[self.first_slot..self.first_slot + sample]
            .iter()
            .filter(|slot| slot.entry.load(Ordering::Relaxed) != 0)
            .count();
        used * 1000 / sample
    }

    /// Returns the fullness of the whole table in per mille.
    pub(crate) fn hashfull(&self) -> u32 {
        (self.used_per_mille() as u64 * self.used_buckets as u64 / self.buckets as u64) as u32
    }
}

/// Returns the estimated time of enlarging the used part by `buckets` buckets.
fn growth_time(buckets: usize) -> Duration {
    let kibibytes = buckets * ENTRIES_PER_BUCKET * size_of::<Slot>() / 1024;
    GROWTH_TIME * kibibytes as u32
}

/// Maps a key to an index below `slots`: the high 64 bits of the product.
#[inline]
fn slot_index(key: u64, slots: usize) -> usize {
    (u128::from(key) * slots as u128 >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Bound, Value};

    /// Number of entries, enough for the table to grow but too few to fill a bucket.
    const MANY: u64 = 250;

    fn crowded_table() -> TranspositionTable {
        let table = TranspositionTable::new(4).unwrap();
        for number in 1..=MANY {
            table.put(key(number), entry(number));
        }
        table
    }

    fn key(number: u64) -> u64 {
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn entry(number: u64) -> TtEntry {
        TtEntry {
            value: Value::points(number as i32),
            depth: 3,
            bound: Bound::Exact,
            best: None,
        }
    }

    #[test]
    fn growth_loses_nothing() {
        let mut table = crowded_table();
        table.grow(None);
        assert!(table.used_buckets > FIRST_BUCKETS);
        for number in 1..=MANY {
            assert_eq!(table.get(key(number), 3), Some(entry(number)));
        }
    }

    #[test]
    fn deeper_entry_stays_beside_the_new_one() {
        let table = TranspositionTable::new(4).unwrap();
        let at = |depth, points| TtEntry {
            depth,
            ..entry(points)
        };
        for (depth, points) in [(9, 1), (2, 2), (3, 3), (9, 4)] {
            table.put(key(1), at(depth, points));
        }
        assert_eq!(table.get(key(1), 3), Some(at(3, 3)));
        assert_eq!(table.get(key(1), 9), Some(at(9, 4)));
        for depth in [2, 4, 10] {
            assert_eq!(table.get(key(1), depth), Some(at(9, 4)));
        }
    }

    #[test]
    fn table_grows_only_if_time_is_left() {
        let mut table = crowded_table();
        let needed = growth_time(FIRST_BUCKETS) * GROWTH_SHARE;
        for too_little in [Duration::ZERO, needed / 2] {
            table.grow(Some(too_little));
            assert_eq!(table.used_buckets, FIRST_BUCKETS);
        }
        table.grow(Some(needed));
        assert_eq!(table.used_buckets, FIRST_BUCKETS * GROWTH);
    }
}
