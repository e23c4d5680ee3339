//! The moves that the threads of a search are searching, so that they share the work instead of repeating it.
//!
//! A move that another thread is searching is deferred (ABDADA, Weill 1996; simplified as by Kerrigan 2017).

use std::sync::atomic::{AtomicU64, Ordering};

/// Number of slots. Two moves rarely share a slot, and then one of them is only searched a little early.
const PLACES: usize = 1 << 10;

/// The moves being searched, by node.
#[derive(Debug)]
pub(crate) struct DeferredMoves {
    places: Vec<AtomicU64>,
}

impl DeferredMoves {
    /// Creates an empty set.
    pub(super) fn new() -> Self {
        Self {
            places: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Marks the move `m` of the node with this key as being searched.
    #[inline]
    pub(crate) fn enter(&self, key: u64, m: u16) {
        let mark = mark(key, m);
        self.place(mark).store(mark, Ordering::Relaxed);
    }

    /// Removes the mark of the move.
    #[inline]
    pub(super) fn leave(&self, key: u64, m: u16) {
        let mark = mark(key, m);
        let place = self.place(mark);
        if place.load(Ordering::Relaxed) == mark {
            place.store(0, Ordering::Relaxed);
        }
    }

    /// Returns `true` if a thread is searching the move.
    #[inline]
    pub(crate) fn is_at(&self, key: u64, m: u16) -> bool {
        let mark = mark(key, m);
        self.place(mark).load(Ordering::Relaxed) == mark
    }

    #[inline]
    fn place(&self, mark: u64) -> &AtomicU64 {
        &self.places[mark as usize % PLACES]
    }
}

/// Returns a number that identifies the move of the node.
#[inline]
fn mark(key: u64, m: u16) -> u64 {
    let mark = (key ^ u64::from(m)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mark ^ mark >> 32
}
