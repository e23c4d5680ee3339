//! The transposition table of the textbook searches, and [`NoTable`] for searches without a table.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

use super::observer::SeenEntry;
use crate::error::EngineError;
use crate::value::{Bound, Value, Window};

/// A table entry that can be packed into the 64 bits of a slot.
pub trait PackedEntry: Copy {
    /// Packs the entry into 64 bits.
    fn pack(self) -> u64;
    /// Unpacks an entry; the inverse of [`PackedEntry::pack`].
    fn unpack(bits: u64) -> Self;
}

/// A table entry of the alpha-beta searches and minimax: the result of searching a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// The value. The plies to a win are counted from the position; see `Value::counted_from_node`.
    pub value: Value,
    /// Plies searched below the position.
    pub depth: u8,
    /// The relation of `value` to the true value.
    pub bound: Bound,
    /// The best move, or the move of a cutoff. `None` if every move failed low.
    pub best: Option<u16>,
}

impl TtEntry {
    /// Creates an entry for move ordering only. Its depth 0 makes its value unusable.
    pub fn hint(best: Option<u16>) -> Self {
        Self {
            value: Value::ZERO,
            depth: 0,
            bound: Bound::Exact,
            best,
        }
    }

    /// Returns the entry in the form for observers. The node is `ply` plies below the root.
    pub(crate) fn seen<M: From<u16>>(self, ply: u32) -> SeenEntry<M> {
        SeenEntry {
            value: self.value.counted_from_root(ply).into(),
            bound: self.bound,
            depth: self.depth.into(),
            best: self.best.map(M::from),
        }
    }

    /// Returns the entry's value if it ends the search of a node: if it is exact, a lower bound of at least
    /// `window.beta + margin`, or an upper bound of at most `window.alpha - margin`, in hundredths. The node is `ply` plies
    /// below the root. The caller checks the depth.
    #[inline]
    pub(crate) fn cutoff_value(self, ply: u32, window: Window, margin: i32) -> Option<Value> {
        let value = self.value.counted_from_root(ply);
        let closes_window = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value.0 >= window.beta.0 + margin,
            Bound::Upper => value.0 <= window.alpha.0 - margin,
        };
        closes_window.then_some(value)
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

/// A map from position keys to entries. Since `ENABLED` is a constant, the compiler removes the table's code from
/// searches without a table.
pub trait Memory<E: PackedEntry>: Send {
    /// `false` if the table stores nothing.
    const ENABLED: bool;
    /// Returns the entry stored with this key, or `None` if it is missing or was replaced.
    fn get(&self, key: u64) -> Option<E>;
    /// Stores an entry. It may replace the entry of another key.
    fn put(&self, key: u64, entry: E);
    /// Returns the key of the entry that [`Memory::put`] would replace, if it differs from `key`.
    fn displaced(&self, key: u64) -> Option<u64>;
    /// Removes all entries.
    fn clear(&mut self);
    /// Returns the fullness of the table in per mille.
    fn hashfull(&self) -> u32;
}

/// A table that stores nothing.
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

    fn displaced(&self, _key: u64) -> Option<u64> {
        None
    }

    fn clear(&mut self) {}

    fn hashfull(&self) -> u32 {
        0
    }
}

/// A table in which each key has one slot. A new entry replaces the entry in its slot.
///
/// Threads share the table without a lock. A slot stores the entry, and the key XOR the entry. A slot that is read
/// while another thread overwrites it does not match its key (Hyatt and Mann 2002).
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

/// The content of an empty slot. A packed entry never has all 64 bits set and is stored inverted, so it is never 0.
const EMPTY: u64 = 0;

fn allocate<T: Zeroable>(slots: usize) -> Result<Box<[T]>, EngineError> {
    bytemuck::allocation::try_zeroed_slice_box(slots).map_err(|()| {
        EngineError::failed(format!(
            "out of memory: cannot allocate a table of {slots} slots"
        ))
    })
}

/// Allocates zeroed slots in `mebibytes` MiB of memory, at least one slot.
///
/// # Errors
/// If the system does not have the memory.
pub(crate) fn allocate_mebibytes<T: Zeroable>(mebibytes: u64) -> Result<Box<[T]>, EngineError> {
    let out_of_memory = || {
        EngineError::failed(format!(
            "out of memory: cannot allocate a table of {mebibytes} MiB"
        ))
    };
    if memory_available().is_some_and(|available| mebibytes > available >> 20) {
        return Err(out_of_memory());
    }
    let bytes = mebibytes.checked_mul(1 << 20).ok_or_else(out_of_memory)?;
    let slots = usize::try_from(bytes / size_of::<T>() as u64).map_err(|_| out_of_memory())?;
    allocate(slots.max(1)).map_err(|_| out_of_memory())
}

impl<E: PackedEntry> DirectMappedTable<E> {
    /// Creates an empty table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the system does not have the memory.
    pub fn new(mebibytes: u64) -> Result<Self, EngineError> {
        Ok(Self {
            slots: allocate_mebibytes(mebibytes)?,
            entry: PhantomData,
        })
    }

    #[inline]
    fn slot(&self, key: u64) -> &Slot {
        // The index is the high 64 bits of the product. This works for any number of slots.
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
        (guard ^ entry == key && entry != EMPTY).then(|| E::unpack(!entry))
    }

    #[inline]
    fn put(&self, key: u64, entry: E) {
        let slot = self.slot(key);
        let entry = !entry.pack();
        slot.entry.store(entry, Ordering::Relaxed);
        slot.guard.store(key ^ entry, Ordering::Relaxed);
    }

    fn displaced(&self, key: u64) -> Option<u64> {
        let slot = self.slot(key);
        let entry = slot.entry.load(Ordering::Relaxed);
        let stored = slot.guard.load(Ordering::Relaxed) ^ entry;
        (entry != EMPTY && stored != key).then_some(stored)
    }

    fn clear(&mut self) {
        // New pages from the system are zero. Clearing the old pages would take longer.
        match allocate(self.slots.len()) {
            Ok(fresh) => self.slots = fresh,
            Err(_) => self
                .slots
                .iter_mut()
                .for_each(|slot| *slot.entry.get_mut() = EMPTY),
        }
    }

    fn hashfull(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample
            .iter()
            .filter(|slot| slot.entry.load(Ordering::Relaxed) != EMPTY)
            .count();
        (used * 1000 / sample.len()) as u32
    }
}

/// Returns the available memory without swapping, in bytes. Returns `None` if it is unknown, as on all systems except
/// Linux.
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
    fn rejects_sizes_beyond_memory() {
        for mebibytes in [100_000_000_000_000, u64::MAX] {
            assert!(DirectMappedTable::<TtEntry>::new(mebibytes).is_err());
        }
    }

    proptest! {
        #[test]
        fn table_returns_stored_entries(key: u64, value in -2_000_000_000..2_000_000_000, depth: u8, best: Option<u16>) {
            let table = DirectMappedTable::new(1).unwrap();
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let stored = TtEntry { value: Value(value), depth, bound, best };
                table.put(key, stored);
                prop_assert_eq!(table.get(key), Some(stored));
                prop_assert_eq!(table.get(!key), None);
            }
        }
    }
}
