//! Files that are written whole or not at all, and that are not believed before their size and their head are: the one
//! place that makes, opens, claims and sweeps them.
//!
//! A file is made as a [`AtomicFile`], beside its place and under a name of its own, and takes its place once every byte of it
//! is on the disk; one that has to grow for long is a [`Journal`]. It is read through a [`Source`], which is a regular file or
//! nothing. Who works in a folder for long holds a [`PathLock`] on it; what killed writers left there is swept ([`sweep`]) by
//! those who hold one.

mod claim;
mod disk_space;
mod draft;
mod header;
mod journal;
mod source;
mod sweep;

pub use claim::PathLock;
pub use disk_space::require_space;
pub use draft::{AtomicFile, check_writable, folder_of, give_up, require_new, write, write_new};
pub use header::{FileFormat, HeaderError};
pub use journal::Journal;
pub use source::{BYTE_ORDER_MARK, Lines, Source};
pub use sweep::{ArtifactKinds, is_unfinished, sweep};

use std::io;
use std::path::Path;

use crate::error::EngineError;
use crate::escape::path_name;

/// Makes a folder where there is none, claims it, and sweeps from it what killed writers of a kind left; the error
/// names it.
pub fn prepare_folder(folder: &Path, kin: &ArtifactKinds) -> Result<PathLock, EngineError> {
    let refuse = |what: &str, error: io::Error| {
        EngineError::failed(format!(
            "folder {} cannot be {what}: {error}",
            path_name(folder)
        ))
    };
    std::fs::create_dir_all(folder).map_err(|error| refuse("made", error))?;
    let claim = PathLock::on_folder(folder)?;
    if claim.is_exclusive() {
        sweep(folder, kin).map_err(|error| refuse("read", error))?;
    }
    Ok(claim)
}

/// Claims the making of one file, and sweeps what killed writers left of it and of what else lies beside it: each with what
/// such a file begins with. The error names it.
pub fn settle_beside(path: &Path, files: &[(&Path, &[u8])]) -> Result<PathLock, EngineError> {
    let claim = PathLock::on_file(path)?;
    if claim.is_exclusive() {
        for (path, magic) in files {
            // A folder that cannot be listed may still be written to.
            match sweep::sweep_beside(path, &[magic]) {
                Ok(0) => {}
                Ok(swept) => log::info!("{}: {swept} unfinished removed", path_name(path)),
                Err(error) => log::warn!("nothing is swept beside {}: {error}", path_name(path)),
            }
        }
    }
    Ok(claim)
}

/// Bytes of a checksum.
pub const CHECKSUM: usize = 4;

/// Appends the CRC-32 of what is there.
pub fn append_checksum(bytes: &mut Vec<u8>) {
    bytes.extend(crc32fast::hash(bytes).to_le_bytes());
}

/// Takes the checksum off the end, if it is right.
pub fn strip_checksum(bytes: &[u8]) -> Option<&[u8]> {
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>()?;
    (crc32fast::hash(content) == u32::from_le_bytes(*checksum)).then_some(content)
}

/// So many zeros, or the refusal of a size that memory does not hold: sizes that follow from input must not end the program.
pub fn zeroed(length: usize) -> Result<Vec<u8>, EngineError> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| {
        EngineError::failed(format!("{} MiB of memory cannot be had", length >> 20))
    })?;
    bytes.resize(length, 0);
    Ok(bytes)
}

#[cfg(test)]
mod tests;
