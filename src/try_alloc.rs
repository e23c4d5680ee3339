//! Allocation that returns an error instead of aborting the process, for sizes that depend on the input or on a
//! search.

use std::fmt;

use bytemuck::Zeroable;

/// A failed allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// Size of the failed allocation, in bytes.
    pub bytes: u64,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = self.bytes.div_ceil(1 << 20);
        write!(f, "out of memory: cannot allocate {mebibytes} MiB")
    }
}

/// The reason for not building a large table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The construction was canceled.
    Stopped,
    /// An allocation failed.
    OutOfMemory(OutOfMemory),
}

impl From<OutOfMemory> for BuildError {
    fn from(out_of_memory: OutOfMemory) -> Self {
        Self::OutOfMemory(out_of_memory)
    }
}

/// Returns `count` zeroed values. The system provides their pages on first use.
///
/// # Errors
/// If the system refuses the allocation.
pub(crate) fn zeroed<T: Zeroable>(count: usize) -> Result<Vec<T>, OutOfMemory> {
    bytemuck::allocation::try_zeroed_vec(count).map_err(|()| out_of_memory::<T>(count))
}

/// Returns `count` zeroed values in huge pages (2 MiB) if the system supports them. This avoids most TLB misses
/// of random reads in a large table.
///
/// # Errors
/// If the system refuses the allocation.
pub(crate) fn zeroed_in_huge_pages<T: Zeroable>(count: usize) -> Result<Vec<T>, OutOfMemory> {
    let values = zeroed(count)?;
    advise_huge_pages(&values);
    Ok(values)
}

/// Asks the system to use huge pages for the part of `values` that fills whole huge pages. Only Linux supports
/// this.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "one call that only advises about borrowed memory; it speeds up the training for 2048 by a fifth"
)]
pub(crate) fn advise_huge_pages<T>(values: &[T]) {
    const PAGE: usize = 2 << 20;
    let whole = values.as_ptr_range();
    let start = whole.start.addr().next_multiple_of(PAGE);
    let end = whole.end.addr() / PAGE * PAGE;
    if start < end {
        let first = whole.start.with_addr(start).cast_mut().cast();
        // SAFETY: the range consists of whole pages of `values`, and this advice does not change their
        // contents.
        unsafe { libc::madvise(first, end - start, libc::MADV_HUGEPAGE) };
    }
}

/// Does nothing: only Linux has this function.
#[cfg(not(target_os = "linux"))]
pub(crate) fn advise_huge_pages<T>(_values: &[T]) {}

/// Appends a value.
///
/// # Errors
/// If the vector is full and cannot grow.
#[inline]
pub(crate) fn push<T>(values: &mut Vec<T>, value: T) -> Result<(), OutOfMemory> {
    if values.len() == values.capacity() {
        grow(values)?;
    }
    values.push(value);
    Ok(())
}

/// Extends `values` to length `len` with results of `make`. Never shortens `values`.
///
/// # Errors
/// If the system refuses the allocation.
pub(crate) fn try_resize<T>(
    values: &mut Vec<T>,
    len: usize,
    make: impl FnMut() -> T,
) -> Result<(), OutOfMemory> {
    reserve(values, len.saturating_sub(values.len()))?;
    values.resize_with(len.max(values.len()), make);
    Ok(())
}

/// Reserves capacity for `more` additional values.
///
/// # Errors
/// If the system refuses the allocation.
pub(crate) fn reserve<T>(values: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    values
        .try_reserve(more)
        .map_err(|_| out_of_memory::<T>(more))
}

/// Returns `true` if the memory suffices to start a thread.
///
/// Without this check, a thread that cannot allocate its own data would abort the process, because the standard library
/// reports only a failure to create the thread.
pub(crate) fn can_spawn_thread() -> bool {
    HAS_THREADS && can_map(THREAD_BYTES)
}

/// `true` if the system has threads. WebAssembly has none.
pub(crate) const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// Memory for a new thread, in bytes: 2 MiB of stack, the default of the standard library, plus a margin of 2 MiB.
const THREAD_BYTES: usize = 4 << 20;

/// Returns `true` if the system can map `bytes` bytes in one piece.
#[cfg(not(target_family = "wasm"))]
fn can_map(bytes: usize) -> bool {
    memmap2::MmapMut::map_anon(bytes).is_ok()
}

/// Returns `true` if `bytes` bytes can be allocated.
#[cfg(target_family = "wasm")]
fn can_map(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

#[cold]
fn grow<T>(values: &mut Vec<T>) -> Result<(), OutOfMemory> {
    let more = values.len().max(1);
    values.try_reserve(1).map_err(|_| out_of_memory::<T>(more))
}

fn out_of_memory<T>(count: usize) -> OutOfMemory {
    OutOfMemory {
        bytes: (count as u64).saturating_mul(size_of::<T>() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_sizes_beyond_any_machine() {
        let count = 1 << 60;
        assert_eq!(zeroed::<u8>(count), Err(OutOfMemory { bytes: 1 << 60 }));
        assert_eq!(zeroed::<u64>(count), Err(OutOfMemory { bytes: 1 << 63 }));
        assert!(zeroed::<u64>(usize::MAX).is_err());
        assert!(try_resize(&mut vec![1u64], usize::MAX, || 0).is_err());
        assert!(!can_map(1 << 60));
        assert!(can_spawn_thread());
    }

    #[test]
    fn huge_pages_hold_the_same_values() {
        for count in [0, 1, 2 << 20, (4 << 20) - 1, (4 << 20) + 1, 10 << 20] {
            let mut bytes = zeroed_in_huge_pages::<u8>(count).unwrap();
            assert_eq!(bytes.len(), count);
            assert!(bytes.iter().all(|&byte| byte == 0));
            bytes.fill(7);
            assert!(bytes.iter().all(|&byte| byte == 7));
            assert_eq!(bytes.len(), count);
        }
        assert!(zeroed_in_huge_pages::<u64>(usize::MAX).is_err());
    }

    #[test]
    fn try_resize_never_shortens() {
        let mut values = vec![1, 2];
        try_resize(&mut values, 4, || 0).unwrap();
        try_resize(&mut values, 1, || 9).unwrap();
        assert_eq!(values, [1, 2, 0, 0]);
    }

    #[test]
    fn push_appends_in_order() {
        let mut values = Vec::new();
        for value in 0..1000 {
            push(&mut values, value).unwrap();
        }
        assert!(values.iter().copied().eq(0..1000));
    }
}
