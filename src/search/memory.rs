//! Transposition tables: what a search remembers of positions it has seen, and the memory that remembers nothing.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

use crate::error::EngineError;
use crate::value::{Bound, Value, Window};

/// Something that a table slot can hold.
pub trait PackedEntry: Copy {
    /// As 64 bits.
    fn pack(self) -> u64;
    /// The inverse of [`Entry::pack`].
    fn unpack(bits: u64) -> Self;
}

/// What a search in a window has proved of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Counted from the node, as [`Value::from_node`] makes it.
    pub value: Value,
    /// Plies searched below the node.
    pub depth: u8,
    /// What `value` is of the true value.
    pub bound: Bound,
    /// The best move, or the one that refuted; none where every move failed.
    pub best: Option<u16>,
}

impl TtEntry {
    /// A move that was best once, and nothing proved.
    pub fn hint(best: Option<u16>) -> Self {
        Self {
            value: Value::ZERO,
            depth: 0,
            bound: Bound::Exact,
            best,
        }
    }

    /// The value at a node `ply` plies below the root, if this settles the question that `window` asks there. The
    /// depth must be the same, or the textbook's value would change with what happens to be in the table.
    #[inline]
    pub fn cutoff_value(self, depth: u32, ply: u32, window: Window) -> Option<Value> {
        let value = self.value.from_root(ply);
        let enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
        };
        (u32::from(self.depth) == depth && enough).then_some(value)
    }
}

const DEPTH_SHIFT: u32 = 32;
const BOUND_SHIFT: u32 = 40;
const HAS_BEST: u64 = 1 << 42;
const BEST_SHIFT: u32 = 48;

impl PackedEntry for TtEntry {
    #[inline]
    fn pack(self) -> u64 {
        let best = self
            .best
            .map_or(0, |best| u64::from(best) << BEST_SHIFT | HAS_BEST);
        u64::from(self.value.0 as u32)
            | u64::from(self.depth) << DEPTH_SHIFT
            | (self.bound as u64) << BOUND_SHIFT
            | best
    }

    #[inline]
    fn unpack(bits: u64) -> Self {
        Self {
            value: Value(bits as u32 as i32),
            depth: (bits >> DEPTH_SHIFT) as u8,
            bound: match bits >> BOUND_SHIFT & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            best: (bits & HAS_BEST != 0).then_some((bits >> BEST_SHIFT) as u16),
        }
    }
}

impl PackedEntry for f64 {
    #[inline]
    fn pack(self) -> u64 {
        self.to_bits()
    }

    #[inline]
    fn unpack(bits: u64) -> Self {
        Self::from_bits(bits)
    }
}

/// A memory of entries by key. `REMEMBERS` is known when a search is compiled: the memory that remembers nothing
/// costs nothing.
pub trait Memory<E: PackedEntry>: Send {
    /// Whether there is any point in asking.
    const ENABLED: bool;
    /// What was put under this key last, if it is still there.
    fn get(&self, key: u64) -> Option<E>;
    /// Remembers an entry; an older one may have to go.
    fn put(&self, key: u64, entry: E);
    /// Forgets everything.
    fn forget(&mut self);
    /// How full the memory is, per mille.
    fn hashfull(&self) -> u32;
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTable;

impl<E: PackedEntry> Memory<E> for NoTable {
    const ENABLED: bool = false;

    #[inline]
    fn get(&self, _key: u64) -> Option<E> {
        None
    }

    #[inline]
    fn put(&self, _key: u64, _entry: E) {}

    fn forget(&mut self) {}

    fn hashfull(&self) -> u32 {
        0
    }
}

/// A table with one place for every key, which the newest entry takes. It needs no lock: a slot holds its entry, and
/// its key XOR the entry, so that halves of two entries never match (Hyatt and Mann, 2002).
#[derive(Debug)]
pub struct DirectMappedTable<E> {
    slots: Box<[Slot]>,
    entry: PhantomData<fn(E) -> E>,
}

#[derive(Debug, bytemuck::Zeroable)]
#[repr(C)]
struct Slot {
    guard: AtomicU64,
    entry: AtomicU64,
}

/// What an untouched slot holds; entries are stored inverted so that no real one looks like it.
const UNTOUCHED: u64 = 0;

fn allocate<T: Zeroable>(slots: usize) -> Result<Box<[T]>, EngineError> {
    bytemuck::allocation::try_zeroed_slice_box(slots)
        .map_err(|()| EngineError::failed(format!("no memory for a table of {slots} slots")))
}

/// As many zeroed slots, at least one, as fit into so many MiB.
pub fn allocate_mebibytes<T: Zeroable>(mebibytes: u64) -> Result<Box<[T]>, EngineError> {
    let refuse = || {
        EngineError::failed(format!(
            "a table of {mebibytes} MiB cannot be had on this machine"
        ))
    };
    if memory_available().is_some_and(|available| mebibytes > available >> 20) {
        return Err(refuse());
    }
    let bytes = mebibytes.checked_mul(1 << 20).ok_or_else(refuse)?;
    let slots = usize::try_from(bytes / size_of::<T>() as u64).map_err(|_| refuse())?;
    allocate(slots.max(1)).map_err(|_| refuse())
}

impl<E: PackedEntry> DirectMappedTable<E> {
    /// An empty table of this many MiB.
    pub fn new(mebibytes: u64) -> Result<Self, EngineError> {
        Ok(Self {
            slots: allocate_mebibytes(mebibytes)?,
            entry: PhantomData,
        })
    }

    #[inline]
    fn slot(&self, key: u64) -> &Slot {
        // The high half of a product is an index that any number of slots can have.
        &self.slots[(u128::from(key) * self.slots.len() as u128 >> 64) as usize]
    }
}

impl<E: PackedEntry> Memory<E> for DirectMappedTable<E> {
    const ENABLED: bool = true;

    #[inline]
    fn get(&self, key: u64) -> Option<E> {
        let slot = self.slot(key);
        let entry = slot.entry.load(Ordering::Relaxed);
        let guard = slot.guard.load(Ordering::Relaxed);
        (guard ^ entry == key && entry != UNTOUCHED).then(|| E::unpack(!entry))
    }

    #[inline]
    fn put(&self, key: u64, entry: E) {
        let slot = self.slot(key);
        let entry = !entry.pack();
        slot.entry.store(entry, Ordering::Relaxed);
        slot.guard.store(key ^ entry, Ordering::Relaxed);
    }

    fn forget(&mut self) {
        // Fresh pages from the system are zero already; touching the old ones would take longer.
        match allocate(self.slots.len()) {
            Ok(fresh) => self.slots = fresh,
            Err(_) => self
                .slots
                .iter_mut()
                .for_each(|slot| *slot.entry.get_mut() = UNTOUCHED),
        }
    }

    fn hashfull(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample
            .iter()
            .filter(|slot| slot.entry.load(Ordering::Relaxed) != UNTOUCHED)
            .count();
        (used * 1000 / sample.len()) as u32
    }
}

/// The bytes that a new table may take without pushing the machine over, where the system tells (Linux does).
fn memory_available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_size_that_cannot_be_had_is_refused() {
        for mebibytes in [100_000_000_000_000, u64::MAX] {
            assert!(DirectMappedTable::<TtEntry>::new(mebibytes).is_err());
        }
    }

    proptest! {
        #[test]
        fn a_table_gives_back_what_was_put(key: u64, value in -2_000_000_000..2_000_000_000, depth: u8, best: Option<u16>) {
            let table = DirectMappedTable::new(1).unwrap();
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let proof = TtEntry { value: Value(value), depth, bound, best };
                table.put(key, proof);
                prop_assert_eq!(table.get(key), Some(proof));
                prop_assert_eq!(table.get(!key), None);
            }
        }
    }
}
