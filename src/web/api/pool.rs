//! The engines that know exact values, at most one for each game. An engine keeps its game solved in memory.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::Engine;

/// The engine of one game, for one request at a time.
pub(super) struct Slot {
    game: &'static str,
    /// The engine; `None` before the first request and after a panic.
    pub engine: Arc<tokio::sync::Mutex<Option<Box<dyn Engine>>>>,
    /// `true` if the engine was solving its game after the last request, or may start to.
    is_solving: AtomicBool,
}

impl Slot {
    /// Records whether `engine`, the engine of this slot, is solving its game.
    pub(super) fn record(&self, engine: &dyn Engine) {
        self.is_solving
            .store(engine.is_solving(), Ordering::Relaxed);
    }

    /// Returns `true` if the engine is solving its game, or is in use and was solving before.
    fn is_solving(&self) -> bool {
        if !self.is_solving.load(Ordering::Relaxed) {
            return false;
        }
        if let Ok(engine) = self.engine.try_lock() {
            let is_solving = engine.as_ref().is_some_and(|engine| engine.is_solving());
            self.is_solving.store(is_solving, Ordering::Relaxed);
        }
        self.is_solving.load(Ordering::Relaxed)
    }
}

/// The most recently used engines.
pub(super) struct Pool {
    max_engines: usize,
    max_solving: usize,
    /// The slots, the last one used first.
    slots: Mutex<Vec<Arc<Slot>>>,
}

impl Pool {
    /// Creates an empty pool of at most `max_engines` engines. At most `max_solving` engines solve their games at the same
    /// time.
    pub(super) fn new(max_engines: usize, max_solving: usize) -> Self {
        Self {
            max_engines,
            max_solving,
            slots: Mutex::default(),
        }
    }

    /// Returns the slot of a game. If the pool is full, a new slot replaces the least recently used one.
    pub(super) fn slot(&self, game: &'static str) -> Arc<Slot> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = match slots.iter().position(|slot| slot.game == game) {
            Some(index) => slots.remove(index),
            None => Arc::new(Slot {
                game,
                engine: Arc::default(),
                is_solving: AtomicBool::new(false),
            }),
        };
        slots.truncate(self.max_engines.saturating_sub(1));
        slots.insert(0, Arc::clone(&slot));
        slot
    }

    /// Lets the engine of `slot` solve its game, if fewer than the maximum number of other engines are solving theirs.
    /// Returns `true` if it may. [`Slot::record`] ends the permission.
    pub(super) fn reserve(&self, slot: &Arc<Slot>) -> bool {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let others = slots.iter().filter(|other| !Arc::ptr_eq(other, slot));
        let may_solve = others.filter(|other| other.is_solving()).count() < self.max_solving;
        if may_solve {
            // Before another request counts.
            slot.is_solving.store(true, Ordering::Relaxed);
        }
        may_solve
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permission_to_solve_counts_at_once() {
        let pool = Pool::new(4, 1);
        let (first, second) = (pool.slot("kaooa"), pool.slot("8-puzzle"));
        let request = first.engine.try_lock();
        assert!(pool.reserve(&first));
        assert!(!pool.reserve(&second));
        // The request has ended without an engine that solves.
        drop(request);
        assert!(pool.reserve(&second));
    }
}
