//! Drops large values on a background thread, because freeing gigabytes of memory would delay the answer of a
//! search.

use std::thread;

use crate::try_alloc;

/// Minimum size, in bytes, of a value that is dropped on a background thread. For a smaller value, starting the
/// thread would take longer than freeing the memory.
const MIN_BACKGROUND_BYTES: u64 = 4 << 20;

/// Drops `value`, which owns `bytes` bytes, on a background thread if it is large, and at once otherwise.
pub(crate) fn drop_in_background<T: Send + 'static>(value: T, bytes: u64) {
    if bytes >= MIN_BACKGROUND_BYTES && try_alloc::can_spawn_thread() {
        // If no thread can be started, the closure and the value in it are dropped here.
        let thread = thread::Builder::new().name("background drop".into());
        let _ = thread.spawn(move || drop(value));
    }
}
