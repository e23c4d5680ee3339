//! Unpacks chunks of a table.

use std::fmt;
use std::io;

use zstd::bulk::Decompressor;

/// The content of a chunk.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// All values are equal; nothing was written.
    Same(u8),
    /// The values were written.
    Each,
}

/// A decompressor with its buffer, reused because creating it takes longer than unpacking a chunk.
#[derive(Default)]
pub struct Unpacker {
    zstd: Option<Decompressor<'static>>,
    /// The compressed chunk.
    pub(super) compressed: Vec<u8>,
}

impl fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unpacker")
    }
}

impl Unpacker {
    /// Unpacks a chunk to `values`. Returns `None` if it is damaged or has another number of values.
    pub(crate) fn unpack(&mut self, compressed: &[u8], values: &mut [u8]) -> Option<Content> {
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
