//! What chunk after chunk of a table is unpacked with.

use std::fmt;
use std::io;

use zstd::bulk::Decompressor;

/// What a chunk holds.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// This value everywhere; nothing was written.
    Same(u8),
    /// The values that were written.
    Each,
}

/// A decompressor and its buffer, kept: making them takes longer than unpacking a chunk.
#[derive(Default)]
pub struct Unpacker {
    zstd: Option<Decompressor<'static>>,
    /// The chunk as it is in the file.
    pub(super) compressed: Vec<u8>,
}

impl fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unpacker")
    }
}

impl Unpacker {
    /// Unpacks a chunk of as many values as there is room for. `None` if it has another number of them.
    pub fn unpack(&mut self, compressed: &[u8], values: &mut [u8]) -> Option<Content> {
        if let [all] = compressed {
            return Some(Content::Same(*all));
        }
        let length = values.len();
        let zstd = self.decompressor().ok()?;
        let written = zstd.decompress_to_buffer(compressed, values).ok()?;
        (written == length).then_some(Content::Each)
    }

    fn decompressor(&mut self) -> io::Result<&mut Decompressor<'static>> {
        match &mut self.zstd {
            Some(zstd) => Ok(zstd),
            none => Ok(none.insert(Decompressor::new()?)),
        }
    }
}
