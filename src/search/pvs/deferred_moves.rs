//! The moves that the threads of a search are currently searching.
//!
//! A thread postpones a move that another thread is searching, so that threads share the work of a node
//! (ABDADA, Weill 1996; simplified by Kerrigan 2017). When it searches the postponed move later, the
//! transposition table usually contains the result.

use std::sync::atomic::{AtomicU64, Ordering};

/// Number of slots. If two moves share a slot, the later move overwrites the earlier move, which is then no longer
/// postponed.
const SLOTS: usize = 1 << 10;

/// A lossy set of pairs of a node and a move.
#[derive(Debug)]
pub(crate) struct DeferredMoves {
    slots: Vec<AtomicU64>,
}

impl DeferredMoves {
    /// Creates an empty set.
    pub(super) fn new() -> Self {
        Self {
            slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Records that a thread searches the move `m` of the node with the key `key`.
    #[inline]
    pub(crate) fn insert(&self, key: u64, m: u16) {
        let move_id = move_id(key, m);
        self.slot(move_id).store(move_id, Ordering::Relaxed);
    }

    /// Records that the search of the move has ended.
    #[inline]
    pub(super) fn remove(&self, key: u64, m: u16) {
        let move_id = move_id(key, m);
        let slot = self.slot(move_id);
        if slot.load(Ordering::Relaxed) == move_id {
            slot.store(0, Ordering::Relaxed);
        }
    }

    /// Returns `true` if a thread searches the move `m` of the node with the key `key`.
    #[inline]
    pub(crate) fn contains(&self, key: u64, m: u16) -> bool {
        let move_id = move_id(key, m);
        self.slot(move_id).load(Ordering::Relaxed) == move_id
    }

    #[inline]
    fn slot(&self, move_id: u64) -> &AtomicU64 {
        &self.slots[move_id as usize % SLOTS]
    }
}

/// Returns a hash of the node and the move.
#[inline]
fn move_id(key: u64, m: u16) -> u64 {
    let move_id = (key ^ u64::from(m)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    move_id ^ move_id >> 32
}
