//! The transposition table that the threads of a search share without locks, and that survives from one move of a
//! game to the next.
//!
//! Only the front part of the memory is used, and the part grows from iteration to iteration as it fills: a short
//! search stays within the caches and touches few pages, whatever the size asked for.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::error::EngineError;
use crate::search::memory::{self, PackedEntry, TtEntry};
use crate::{processor, try_alloc};

/// Entries that a key may be kept in: as many as share a line of the processor's cache.
const WAYS: usize = 4;
/// Buckets in use at first: 32 KiB, so that the shortest searches touch few pages for the first time.
const FIRST_BUCKETS: usize = 1 << 9;
/// The part in use grows by powers of this.
const GROWTH: usize = 2;
/// It grows until less than this, per mille, is used: an iteration has several times the nodes of the one before.
const CROWDED: usize = 100;
/// What a KiB of growth may take: entries that move, and pages touched for the first time.
const GROWTH_TIME: Duration = Duration::from_micros(1);
/// Where the pages are huge it may take so many times as long: memory in one piece is harder to find.
const HUGE_GROWTH: u32 = 4;
/// Growth may take such a part of the time that is left.
const GROWTH_SHARE: u32 = 4;
/// Proof leaves these bits free.
const AGE_SHIFT: u32 = 43;
const AGE_MASK: u64 = 31;
/// What an age of a search counts in plies of depth when something has to go.
const AGE_WEIGHT: u64 = 4;

/// A table of proofs by key. A slot holds its entry, and its key XOR the entry, so that halves of two entries never
/// match (Hyatt and Mann, 2002).
#[derive(Debug)]
pub struct TranspositionTable {
    slots: Box<[Slot]>,
    /// The first slot that begins a cache line.
    first: usize,
    /// How many buckets there are.
    buckets: usize,
    /// How many of them are in use.
    in_use: usize,
    /// The number of the present search.
    age: u64,
}

#[derive(Debug, bytemuck::Zeroable)]
#[repr(C)]
struct Slot {
    guard: AtomicU64,
    /// Zero where nothing was ever put: a proof searched at least one ply.
    entry: AtomicU64,
}

impl TranspositionTable {
    /// An empty table of this many MiB.
    pub fn new(mebibytes: u64) -> Result<Self, EngineError> {
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

    /// Asks for this key's bucket ahead.
    #[inline]
    pub fn fetch(&self, key: u64) {
        processor::fetch(&self.bucket(key)[0]);
    }

    /// What is known of this key: at this depth, or else at the greatest.
    #[inline]
    pub fn get(&self, key: u64, depth: u32) -> Option<TtEntry> {
        let mut known: Option<TtEntry> = None;
        for slot in self.bucket(key) {
            let entry = slot.entry.load(Ordering::Relaxed);
            let guard = slot.guard.load(Ordering::Relaxed);
            if guard ^ entry == key && entry != 0 {
                let proof = TtEntry::unpack(entry);
                if u32::from(proof.depth) == depth {
                    return Some(proof);
                }
                if known.is_none_or(|known| known.depth < proof.depth) {
                    known = Some(proof);
                }
            }
        }
        known
    }

    /// Remembers a proof. It takes the place of one of the same key that is no deeper; what is deeper stays beside it, for a
    /// later search that comes to its depth again. In a full bucket the one that took the least work goes, older searches'
    /// first.
    #[inline]
    pub fn put(&self, key: u64, proof: TtEntry) {
        self.put_aged(key, proof.pack() | self.age << AGE_SHIFT);
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

    /// A new search begins: what earlier ones have found gives way sooner.
    pub fn grow_older(&mut self) {
        self.age = self.age + 1 & AGE_MASK;
    }

    /// Makes room for an iteration that follows on those before, where it will be needed and does not take too much
    /// of the time left, if that is limited: moved all at once, a table of 64 MiB cost more than a short move had.
    pub fn grow(&mut self, time_left: Option<Duration>) {
        let before = self.in_use;
        let mut after = before;
        let mut used = self.used_per_mille();
        let is_time_for = |time| time_left.is_none_or(|left| time <= left / GROWTH_SHARE);
        while after < self.buckets && used > CROWDED {
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
        // A long search saves more by huge pages than it waits for them.
        if is_time_for(HUGE_GROWTH * growth_time(after - before)) {
            let new = self.first + WAYS * before..self.first + WAYS * after;
            try_alloc::advise_huge_pages(&self.slots[new]);
        }
        // The index grows with the key, so from the back every bucket's entries find places already vacated.
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

    /// Forgets everything.
    pub fn forget(&mut self) {
        for slot in &mut self.slots[..self.first + WAYS * self.in_use] {
            *slot.entry.get_mut() = 0;
        }
        self.in_use = self.buckets.min(FIRST_BUCKETS);
        self.age = 0;
    }

    /// How much of the part in use is.
    fn used_per_mille(&self) -> usize {
        let sample = WAYS * self.in_use.min(250);
        let used = self.slots[self.first..self.first + sample]
            .iter()
            .filter(|slot| slot.entry.load(Ordering::Relaxed) != 0)
            .count();
        used * 1000 / sample
    }

    /// How full the whole table is, per mille.
    pub fn hashfull(&self) -> u32 {
        (self.used_per_mille() as u64 * self.in_use as u64 / self.buckets as u64) as u32
    }
}

/// How long it may take to bring so many buckets into use.
fn growth_time(buckets: usize) -> Duration {
    let kibibytes = buckets * WAYS * size_of::<Slot>() / 1024;
    GROWTH_TIME * kibibytes as u32
}

/// One of `places` for a key: the high half of a product is an index that any number of places can have.
#[inline]
fn spread(key: u64, places: usize) -> usize {
    (u128::from(key) * places as u128 >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Bound, Value};

    /// As many as make the first part of the table crowded, but no bucket full.
    const MANY: u64 = 250;

    fn crowded() -> TranspositionTable {
        let table = TranspositionTable::new(4).unwrap();
        for number in 1..=MANY {
            table.put(key(number), proof(number));
        }
        table
    }

    fn key(number: u64) -> u64 {
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn proof(number: u64) -> TtEntry {
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
            assert_eq!(table.get(key(number), 3), Some(proof(number)));
        }
    }

    #[test]
    fn what_is_deeper_stays_beside_what_is_not() {
        let table = TranspositionTable::new(4).unwrap();
        let at = |depth, points| TtEntry {
            depth,
            ..proof(points)
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
