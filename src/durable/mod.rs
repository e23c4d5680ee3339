//! Safe reading and writing of files. A crash never leaves a partial file under its final name, and no process reads
//! a file before it is complete.
//!
//! - An [`AtomicFile`] is written under a temporary name in the folder of its final path. It is renamed to the final
//!   path when all its bytes are on the disk. Until then it is called unfinished.
//! - A [`Journal`] is a file to which entries are appended, each with a checksum.
//! - A [`FileFormat`] writes and checks the header of a binary file.
//! - A [`Source`] is a file opened for reading. It must be a regular file, not a device or a pipe.
//! - A [`PathLock`] gives one process the exclusive right to write to a folder or a file.
//! - A [`TemporaryFile`] holds data that does not fit in memory.
//! - [`sweep`] removes the unfinished files of killed processes. Only the owner of the lock may call it.

mod atomic_file;
pub(crate) mod compression;
mod disk_space;
mod header;
mod journal;
pub(crate) mod packaged;
mod path_lock;
mod source;
mod sweep;
mod temporary_file;

pub use atomic_file::{
    AtomicFile, check_writable, folder_of, remove_unfinished, require_new, write, write_new,
};
pub use disk_space::require_space;
pub use header::{FileFormat, HeaderError};
pub(crate) use header::{MAX_TEXT_BYTES, first_difference};
pub use journal::Journal;
#[cfg(target_family = "wasm")]
pub use packaged::provide_packaged_file;
pub use path_lock::PathLock;
pub use source::{BYTE_ORDER_MARK, Lines, Source};
pub use sweep::{FileKinds, is_unfinished, sweep};
pub use temporary_file::TemporaryFile;

use std::io;
use std::path::Path;

use crate::error::EngineError;
use crate::escape::path_name;

/// Creates the folder if it is missing, locks it, and removes the unfinished files in it that match `kinds`.
///
/// On a file system without locks, removes nothing, because another process may be writing these files.
///
/// # Errors
/// If the folder cannot be created, read or locked. The error names the folder.
pub fn prepare_folder(folder: &Path, kinds: &FileKinds) -> Result<PathLock, EngineError> {
    create_folder(folder)?;
    let lock = PathLock::on_folder(folder)?;
    if lock.is_exclusive() {
        sweep(folder, kinds).map_err(|error| folder_error(folder, "read", &error))?;
    }
    Ok(lock)
}

/// Creates the folder if it is missing.
///
/// # Errors
/// If the folder cannot be created. The error names the folder.
pub(crate) fn create_folder(folder: &Path) -> Result<(), EngineError> {
    std::fs::create_dir_all(folder).map_err(|error| folder_error(folder, "created", &error))
}

fn folder_error(folder: &Path, what: &str, error: &io::Error) -> EngineError {
    EngineError::failed(format!(
        "folder {} cannot be {what}: {error}",
        path_name(folder)
    ))
}

/// Locks the file that will be written at `path`, and removes the unfinished versions of `files`.
///
/// Each element of `files` is the final path of a file and the magic of its format. An unfinished version that does not
/// start with this magic is not removed.
///
/// # Errors
/// If another process holds the lock or the lock file cannot be created. The error names `path`.
pub(crate) fn prepare_file(path: &Path, files: &[(&Path, &[u8])]) -> Result<PathLock, EngineError> {
    let lock = PathLock::on_file(path)?;
    if lock.is_exclusive() {
        for (path, magic) in files {
            // An error only causes a warning, because a folder that cannot be listed may still be writable.
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

/// Appends the CRC-32 checksum of `bytes` to `bytes`, little-endian.
pub fn append_checksum(bytes: &mut Vec<u8>) {
    bytes.extend(crc32fast::hash(bytes).to_le_bytes());
}

/// Returns `bytes` without the checksum at the end, or `None` if the checksum is missing or wrong.
pub(crate) fn strip_checksum(bytes: &[u8]) -> Option<&[u8]> {
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
    (crc32fast::hash(content) == u32::from_le_bytes(*checksum)).then_some(content)
}

/// Returns `length` zero bytes.
///
/// # Errors
/// If the memory cannot be allocated. A huge `length` from a damaged file would abort the process in `vec![0;
/// length]`.
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
