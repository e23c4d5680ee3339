//! Inputs that the fuzz targets share: files, and edits of valid files.

use std::fs;
use std::path::Path;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use tempfile::TempDir;

/// The bytes of a file to read.
#[derive(Arbitrary, Debug)]
pub enum FileInput<'a> {
    /// All bytes of the file.
    Whole(&'a [u8]),
    /// A valid file with some edits.
    Edited {
        /// The edits, in order.
        edits: Vec<Edit<'a>>,
        /// `true` if the checksums are corrected afterwards.
        is_resealed: bool,
    },
}

/// An edit of a file. Offsets are taken modulo the length of the file.
#[derive(Arbitrary, Debug)]
pub enum Edit<'a> {
    /// Overwrites one byte.
    Byte { offset: u32, value: u8 },
    /// Overwrites a little-endian number of four bytes.
    Number { offset: u32, value: u32 },
    /// Replaces `removed` bytes.
    Replace {
        offset: u32,
        removed: u16,
        bytes: &'a [u8],
    },
    /// Removes everything from an offset on.
    Truncate { offset: u32 },
}

impl FileInput<'_> {
    /// Returns the bytes of the file. `reseal` corrects the checksums of an edited `valid` file.
    pub fn bytes(&self, valid: &[u8], reseal: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        match self {
            Self::Whole(bytes) => bytes.to_vec(),
            Self::Edited { edits, is_resealed } => {
                let mut bytes = valid.to_vec();
                for edit in edits {
                    edit.apply(&mut bytes);
                }
                if *is_resealed {
                    reseal(&mut bytes);
                }
                bytes
            }
        }
    }
}

impl Edit<'_> {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        let start = |offset: u32| offset as usize % length.max(1);
        match *self {
            Self::Byte { offset, value } => overwrite(bytes, start(offset), &[value]),
            Self::Number { offset, value } => {
                overwrite(bytes, start(offset), &value.to_le_bytes());
            }
            Self::Replace {
                offset,
                removed,
                bytes: new,
            } => {
                let start = start(offset);
                let end = (start + usize::from(removed)).min(length);
                bytes.splice(start..end, new.iter().copied());
            }
            Self::Truncate { offset } => bytes.truncate(start(offset)),
        }
    }
}

fn overwrite(bytes: &mut [u8], start: usize, new: &[u8]) {
    for (byte, &new) in bytes.iter_mut().skip(start).zip(new) {
        *byte = new;
    }
}

/// Writes the CRC-32 of `bytes[start..end]` to the four bytes after them, if the file is long enough.
pub fn seal(bytes: &mut [u8], start: usize, end: usize) {
    let Some(content) = bytes.get(start..end) else {
        return;
    };
    let checksum = crc32fast::hash(content).to_le_bytes();
    overwrite(bytes, end, &checksum);
}

/// Corrects the checksum at the end of a file.
pub fn seal_end(bytes: &mut [u8]) {
    if let Some(end) = bytes.len().checked_sub(4) {
        seal(bytes, 0, end);
    }
}

/// Returns the little-endian number of four bytes at an offset, or `None` beyond the end.
pub fn number_at(bytes: &[u8], offset: usize) -> Option<usize> {
    let number = bytes.get(offset..)?.first_chunk()?;
    Some(u32::from_le_bytes(*number) as usize)
}

/// Creates a temporary folder. A static one outlives its process: `scripts/fuzz` removes it.
pub fn temporary_folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Returns the bytes that `save` writes to a file.
pub fn saved(save: impl FnOnce(&Path)) -> Vec<u8> {
    let folder = temporary_folder();
    let path = folder.path().join("file");
    save(&path);
    fs::read(&path).expect("a saved file")
}
