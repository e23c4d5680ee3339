//! Gives memory back in the background: for a search that has filled gigabytes the system takes longer than its answer may.

use std::thread;

use crate::try_alloc;

/// Fewer bytes than this are given back at once, sooner than a thread is made for them.
const LARGE: u64 = 4 << 20;

/// Drops a value that owns so many bytes, without waiting for it where they are many.
pub fn drop_in_background<T: Send + 'static>(value: T, bytes: u64) {
    if bytes >= LARGE && try_alloc::can_spawn_thread() {
        // Where no thread can be had after all the value is dropped here and now, with the closure.
        let thread = thread::Builder::new().name("discard".into());
        let _ = thread.spawn(move || drop(value));
    }
}
