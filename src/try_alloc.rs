//! Memory that the system may refuse: sizes that follow from input, or from how far a search goes, are asked for, never
//! taken.

use std::fmt;

use bytemuck::Zeroable;
use memmap2::MmapMut;

/// The system gives no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// The bytes that were asked for.
    pub bytes: u64,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = self.bytes.div_ceil(1 << 20);
        write!(f, "the system gives no memory for {mebibytes} MiB more")
    }
}

/// Why something that takes time and memory was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// Its maker was told to stop.
    Stopped,
    /// There is no memory for it.
    NoRoom(OutOfMemory),
}

impl From<OutOfMemory> for BuildError {
    fn from(no_room: OutOfMemory) -> Self {
        Self::NoRoom(no_room)
    }
}

/// So many zeros, page by page as they are used.
pub fn zeroed<T: Zeroable>(count: usize) -> Result<Vec<T>, OutOfMemory> {
    bytemuck::allocation::try_zeroed_vec(count).map_err(|()| no_room::<T>(count))
}

/// The same in pages of 2 MiB, where the system has them: whoever reads a large table at random otherwise waits for the page to
/// be found before the value.
pub fn zeroed_in_huge_pages<T: Zeroable>(count: usize) -> Result<Vec<T>, OutOfMemory> {
    let values = zeroed(count)?;
    advise_huge_pages(&values);
    Ok(values)
}

/// Asks for huge pages wherever a whole one fits, where the system has them. Advice that is not taken costs time, nothing else.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "one call about memory that is borrowed: 2048 is learned a fifth faster with it"
)]
pub fn advise_huge_pages<T>(values: &[T]) {
    const PAGE: usize = 2 << 20;
    let whole = values.as_ptr_range();
    let start = whole.start.addr().next_multiple_of(PAGE);
    let end = whole.end.addr() / PAGE * PAGE;
    if start < end {
        let first = whole.start.with_addr(start).cast_mut().cast();
        // SAFETY: these are pages of `values`, and it is advice: what they hold stays what it is.
        unsafe { libc::madvise(first, end - start, libc::MADV_HUGEPAGE) };
    }
}

/// Elsewhere pages are what they are.
#[cfg(not(target_os = "linux"))]
pub fn advise_huge_pages<T>(_values: &[T]) {}

/// Appends a value, if it has room.
#[inline]
pub fn push<T>(values: &mut Vec<T>, value: T) -> Result<(), OutOfMemory> {
    if values.len() == values.capacity() {
        grow(values)?;
    }
    values.push(value);
    Ok(())
}

/// As many values as asked for, the new ones made by `make`, if they have room.
pub fn try_resize<T>(
    values: &mut Vec<T>,
    len: usize,
    make: impl FnMut() -> T,
) -> Result<(), OutOfMemory> {
    reserve(values, len.saturating_sub(values.len()))?;
    values.resize_with(len.max(values.len()), make);
    Ok(())
}

/// Makes room for so many more values.
pub fn reserve<T>(values: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    values.try_reserve(more).map_err(|_| no_room::<T>(more))
}

/// Whether a small thread can be begun: one that starts where nothing is left for the system's own part of it takes the
/// whole process down, since the standard library cannot tell its maker any more.
pub fn can_spawn_thread() -> bool {
    is_left(THREAD)
}

/// The stack of a thread as the standard library makes it, and as much again for what it needs besides.
const THREAD: usize = 4 << 20;

/// Whether the system would give so many bytes in one piece.
fn is_left(bytes: usize) -> bool {
    MmapMut::map_anon(bytes).is_ok()
}

#[cold]
fn grow<T>(values: &mut Vec<T>) -> Result<(), OutOfMemory> {
    let more = values.len().max(1);
    values.try_reserve(1).map_err(|_| no_room::<T>(more))
}

fn no_room<T>(count: usize) -> OutOfMemory {
    OutOfMemory {
        bytes: (count as u64).saturating_mul(size_of::<T>() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_any_machine_has_is_refused() {
        let count = 1 << 60;
        assert_eq!(zeroed::<u8>(count), Err(OutOfMemory { bytes: 1 << 60 }));
        assert_eq!(zeroed::<u64>(count), Err(OutOfMemory { bytes: 1 << 63 }));
        assert!(zeroed::<u64>(usize::MAX).is_err());
        assert!(try_resize(&mut vec![1u64], usize::MAX, || 0).is_err());
        assert!(!is_left(1 << 60));
        assert!(can_spawn_thread());
    }

    #[test]
    fn zeros_are_kept_alike_in_pages_of_any_size() {
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
    fn lengthened_is_never_shortened() {
        let mut values = vec![1, 2];
        try_resize(&mut values, 4, || 0).unwrap();
        try_resize(&mut values, 1, || 9).unwrap();
        assert_eq!(values, [1, 2, 0, 0]);
    }

    #[test]
    fn what_has_room_is_appended() {
        let mut values = Vec::new();
        for value in 0..1000 {
            push(&mut values, value).unwrap();
        }
        assert!(values.iter().copied().eq(0..1000));
    }
}
