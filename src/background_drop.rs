//! Drops large values on a background thread, because freeing gigabytes would delay the answer of a search.

use std::thread;

use crate::try_alloc;

/// Minimum size, in bytes, of a value to drop on a background thread. Starting the thread would take longer
/// than freeing a smaller value.
const MIN_BACKGROUND_BYTES: u64 = 4 << 20;

/// Drops `value`, which owns `bytes` bytes, on a background thread if it is large, otherwise at once.
pub(crate) fn drop_in_background<T: Send + 'static>(value: T, bytes: u64) {
    if bytes >= MIN_BACKGROUND_BYTES && try_alloc::can_spawn_thread() {
        // If the thread cannot start, the closure and its value are dropped here.
        let thread = thread::Builder::new().name("background drop".into());
        let _ = thread.spawn(move || drop(value));
    }
}
