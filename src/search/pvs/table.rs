//! The transposition table shared by the threads of a search without locks. It lives on from one move of a game to
//! the next.
//!
//! Only the front part of the memory is used. The part grows between iterations as it fills, so that short searches
//! stay within the CPU's caches and touch few pages, whatever the size of the table.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::error::EngineError;
use crate::search::memory::{self, PackedEntry, TtEntry};
use crate::{processor, try_alloc};

/// Entries per bucket: as many as share a cache line.
const WAYS: usize = 4;
/// Initial number of buckets in use: 32 KiB, so that short searches touch few new pages.
const FIRST_BUCKETS: usize = 1 << 9;
/// Factor by which the used part grows.
const GROWTH: usize = 2;
/// The used part grows until less than this, in per mille, is filled, since an iteration visits several times the
/// nodes of the previous one.
const MAX_USED_PER_MILLE: usize = 100;
/// Allowed time per KiB of growth: entries move, and pages are touched for the first time.
const GROWTH_TIME: Duration = Duration::from_micros(1);
/// Factor on [`GROWTH_TIME`] for growth in huge pages: contiguous memory is harder to find.
const HUGE_GROWTH: u32 = 4;
/// Growth may take one part in this many of the time left.
const GROWTH_SHARE: u32 = 4;
/// [`TtEntry`] leaves the bits from here on free.
const AGE_SHIFT: u32 = 43;
const AGE_MASK: u64 = 31;
/// Weight of one search of age, in plies of depth, for replacement.
const AGE_WEIGHT: u64 = 4;

/// A table of entries by key. A slot holds the entry and the key XOR the entry, so halves of two entries never
/// match (Hyatt and Mann 2002).
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    slots: Box<[Slot]>,
    /// Index of the first slot that starts a cache line.
    first: usize,
    /// Number of buckets.
    buckets: usize,
    /// Number of buckets in use.
    in_use: usize,
    /// Number of the current search.
    age: u64,
}

#[derive(Debug, bytemuck::Zeroable)]
#[repr(C)]
struct Slot {
    guard: AtomicU64,
    /// Zero if nothing was stored: a stored entry has a depth of at least 1.
    entry: AtomicU64,
}

impl TranspositionTable {
    /// Creates an empty table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub(super) fn new(mebibytes: u64) -> Result<Self, EngineError> {
        let slots: Box<[Slot]> = memory::allocate_mebibytes(mebibytes)?;
        let first = slots.as_ptr().align_offset(WAYS * size_of::<Slot>()) % WAYS;
        let buckets = (slots.len() - first) / WAYS;
        Ok(Self {
            slots,
            first,
            buckets,
            in_use: buckets.min(FIRST_BUCKETS),
            age: 0,
        })
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let start = self.first + WAYS * spread(key, self.in_use);
        &self.slots[start..start + WAYS]
    }

    /// Prefetches the bucket of this key.
    #[inline]
    pub(crate) fn fetch(&self, key: u64) {
        processor::fetch(&self.bucket(key)[0]);
    }

    /// Returns the entry of this key at this depth, or otherwise at the greatest depth.
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
    /// It replaces an entry of the same key and at most the same depth; a deeper one stays, for a later search that
    /// reaches its depth. In a full bucket the entry with the least depth is replaced, those of older searches
    /// first.
    #[inline]
    pub(super) fn put(&self, key: u64, entry: TtEntry) {
        self.put_aged(key, entry.pack() | self.age << AGE_SHIFT);
    }

    #[inline]
    fn put_aged(&self, key: u64, packed: u64) {
        let depth = TtEntry::unpack(packed).depth;
        let mut place = None;
        let mut least = u64::MAX;
        for slot in self.bucket(key) {
            let entry = slot.entry.load(Ordering::Relaxed);
            let is_same = slot.guard.load(Ordering::Relaxed) ^ entry == key;
            if entry == 0 || is_same && TtEntry::unpack(entry).depth <= depth {
                place = Some(slot);
                break;
            }
            if is_same {
                continue;
            }
            let age = self.age.wrapping_sub(entry >> AGE_SHIFT) & AGE_MASK;
            let worth = u64::from(TtEntry::unpack(entry).depth) + AGE_WEIGHT * (AGE_MASK - age);
            if worth < least {
                least = worth;
                place = Some(slot);
            }
        }
        if let Some(slot) = place {
            slot.entry.store(packed, Ordering::Relaxed);
            slot.guard.store(key ^ packed, Ordering::Relaxed);
        }
    }

    /// Starts a new search: entries of earlier searches are replaced first from now on.
    pub(crate) fn next_age(&mut self) {
        self.age = self.age + 1 & AGE_MASK;
    }

    /// Grows the used part for the next iteration if it needs room and the time left allows it. Growing 64 MiB at
    /// once takes longer than a short move has.
    pub(crate) fn grow(&mut self, time_left: Option<Duration>) {
        let before = self.in_use;
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
        self.in_use = after;
        // A long search gains more from huge pages than it waits for them.
        if is_time_for(HUGE_GROWTH * growth_time(after - before)) {
            let new = self.first + WAYS * before..self.first + WAYS * after;
            try_alloc::advise_huge_pages(&self.slots[new]);
        }
        // The index grows with the key, so starting from the back, the entries of every bucket move to vacated
        // buckets.
        for bucket in (0..before).rev() {
            let start = self.first + WAYS * bucket;
            let moving: [(u64, u64); WAYS] = std::array::from_fn(|way| {
                let slot = &mut self.slots[start + way];
                let entry = std::mem::take(slot.entry.get_mut());
                (*slot.guard.get_mut() ^ entry, entry)
            });
            for (key, entry) in moving.into_iter().filter(|&(_, entry)| entry != 0) {
                self.put_aged(key, entry);
            }
        }
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        for slot in &mut self.slots[..self.first + WAYS * self.in_use] {
            *slot.entry.get_mut() = 0;
        }
        self.in_use = self.buckets.min(FIRST_BUCKETS);
        self.age = 0;
    }

    /// Returns the fullness of the used part in per mille.
    fn used_per_mille(&self) -> usize {
        let sample = WAYS * self.in_use.min(250);
        let used = self.slots[self.first..self.first + sample]
            .iter()
            .filter(|slot| slot.entry.load(Ordering::Relaxed) != 0)
            .count();
        used * 1000 / sample
    }

    /// Returns the fullness of the whole table in per mille.
    pub(crate) fn hashfull(&self) -> u32 {
        (self.used_per_mille() as u64 * self.in_use as u64 / self.buckets as u64) as u32
    }
}

/// Returns the time that bringing this many buckets into use may take.
fn growth_time(buckets: usize) -> Duration {
    let kibibytes = buckets * WAYS * size_of::<Slot>() / 1024;
    GROWTH_TIME * kibibytes as u32
}

/// Maps a key to one of `places` indices: the high half of the product.
#[inline]
fn spread(key: u64, places: usize) -> usize {
    (u128::from(key) * places as u128 >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Bound, Value};

    /// Enough entries to crowd the first part of the table without filling a bucket.
    const MANY: u64 = 250;

    fn crowded() -> TranspositionTable {
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
        let mut table = crowded();
        table.grow(None);
        assert!(table.in_use > FIRST_BUCKETS);
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
    fn a_table_does_not_grow_on_borrowed_time() {
        let mut table = crowded();
        let needed = growth_time(FIRST_BUCKETS) * GROWTH_SHARE;
        for too_little in [Duration::ZERO, needed / 2] {
            table.grow(Some(too_little));
            assert_eq!(table.in_use, FIRST_BUCKETS);
        }
        table.grow(Some(needed));
        assert_eq!(table.in_use, FIRST_BUCKETS * GROWTH);
    }
}
