//! What the threads of a search are at, so that they share the work instead of repeating it (after Weill's ABDADA,
//! 1996, in the simple form of Kerrigan, 2017: a move that another thread is searching is kept for later).

use std::sync::atomic::{AtomicU64, Ordering};

/// Few threads are at few moves; when two share a place, one of them is only searched a little early.
const PLACES: usize = 1 << 10;

/// The moves being searched, by node.
#[derive(Debug)]
pub struct DeferredMoves {
    places: Vec<AtomicU64>,
}

impl DeferredMoves {
    /// Nobody is at anything.
    pub fn new() -> Self {
        Self {
            places: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// A thread begins to search this move of the node with this key.
    #[inline]
    pub fn enter(&self, key: u64, m: u16) {
        let mark = mark(key, m);
        self.place(mark).store(mark, Ordering::Relaxed);
    }

    /// It is done with it.
    #[inline]
    pub fn leave(&self, key: u64, m: u16) {
        let mark = mark(key, m);
        let place = self.place(mark);
        if place.load(Ordering::Relaxed) == mark {
            place.store(0, Ordering::Relaxed);
        }
    }

    /// Whether a thread is at this move.
    #[inline]
    pub fn is_at(&self, key: u64, m: u16) -> bool {
        let mark = mark(key, m);
        self.place(mark).load(Ordering::Relaxed) == mark
    }

    #[inline]
    fn place(&self, mark: u64) -> &AtomicU64 {
        &self.places[mark as usize % PLACES]
    }
}

/// Tells a move of a node from all others.
#[inline]
fn mark(key: u64, m: u16) -> u64 {
    let mark = (key ^ u64::from(m)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mark ^ mark >> 32
}
