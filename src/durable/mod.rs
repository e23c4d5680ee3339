//! Durable files: atomic writes, growing journals, checked headers, locks, and removal of unfinished files.
//!
//! An [`AtomicFile`] is written beside its path under a temporary name and renamed when all bytes are on the disk. A
//! [`Journal`] grows entry by entry, each with a checksum. A [`Source`] opens regular files only. A process that works
//! in a folder for long holds a [`PathLock`]; under the lock, [`sweep`] removes the unfinished files of killed
//! processes.

mod atomic_file;
mod disk_space;
mod header;
mod journal;
mod path_lock;
mod source;
mod sweep;

pub use atomic_file::{
    AtomicFile, check_writable, folder_of, remove_unfinished, require_new, write, write_new,
};
pub use disk_space::require_space;
pub use header::{FileFormat, HeaderError};
pub use journal::Journal;
pub use path_lock::PathLock;
pub use source::{BYTE_ORDER_MARK, Lines, Source};
pub use sweep::{ArtifactKinds, is_unfinished, sweep};

use std::io;
use std::path::Path;

use crate::error::EngineError;
use crate::escape::path_name;

/// Creates the folder if it is missing, locks it, and removes unfinished files of `kinds`.
///
/// # Errors
/// If the folder cannot be created, read or locked. The error names the folder.
pub fn prepare_folder(folder: &Path, kinds: &ArtifactKinds) -> Result<PathLock, EngineError> {
    let refuse = |what: &str, error: io::Error| {
        EngineError::failed(format!(
            "folder {} cannot be {what}: {error}",
            path_name(folder)
        ))
    };
    std::fs::create_dir_all(folder).map_err(|error| refuse("created", error))?;
    let lock = PathLock::on_folder(folder)?;
    if lock.is_exclusive() {
        sweep(folder, kinds).map_err(|error| refuse("read", error))?;
    }
    Ok(lock)
}

/// Locks the file that will be written at `path`, and removes unfinished versions of `files`: paths with their magics.
///
/// # Errors
/// If the lock is taken or cannot be created. The error names `path`.
pub(crate) fn prepare_file(path: &Path, files: &[(&Path, &[u8])]) -> Result<PathLock, EngineError> {
    let lock = PathLock::on_file(path)?;
    if lock.is_exclusive() {
        for (path, magic) in files {
            // A folder that cannot be listed may still be writable.
            match sweep::sweep_beside(path, &[magic]) {
                Ok(0) => {}
                Ok(swept) => log::info!("{}: removed {swept} unfinished files", path_name(path)),
                Err(error) => log::warn!(
                    "cannot remove unfinished versions of {}: {error}",
                    path_name(path)
                ),
            }
        }
    }
    Ok(lock)
}

/// Size of a checksum in bytes.
pub(crate) const CHECKSUM_BYTES: usize = 4;

/// Appends the CRC-32 of `bytes` to them, little-endian.
pub fn append_checksum(bytes: &mut Vec<u8>) {
    bytes.extend(crc32fast::hash(bytes).to_le_bytes());
}

/// Returns `bytes` without the checksum at their end, or `None` if the checksum is wrong.
pub(crate) fn strip_checksum(bytes: &[u8]) -> Option<&[u8]> {
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
    (crc32fast::hash(content) == u32::from_le_bytes(*checksum)).then_some(content)
}

/// Returns `length` zero bytes.
///
/// # Errors
/// If the memory cannot be allocated. Sizes that follow from input must not abort the process.
pub(crate) fn zeroed(length: usize) -> Result<Vec<u8>, EngineError> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| {
        EngineError::failed(format!(
            "out of memory: cannot allocate {} MiB",
            length.div_ceil(1 << 20)
        ))
    })?;
    bytes.resize(length, 0);
    Ok(bytes)
}

#[cfg(test)]
mod tests;
