//! Decompresses the chunks of a table file.

use std::fmt;
use std::io;

use crate::durable::compression::Decompressor;

/// The result of unpacking a chunk.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// All values of the chunk are this byte. The output buffer is unchanged.
    Same(u8),
    /// The values are in the output buffer.
    Each,
}

/// A reusable Zstandard decompressor with a buffer, because creating a decompressor takes longer than unpacking
/// a chunk.
#[derive(Default)]
pub struct Unpacker {
    zstd: Option<Decompressor<'static>>,
    /// Buffer for the compressed bytes of a chunk.
    pub(super) compressed: Vec<u8>,
}

impl fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unpacker")
    }
}

impl Unpacker {
    /// Unpacks a chunk to `values`. Returns `None` if the chunk is damaged or does not hold `values.len()` values.
    pub(crate) fn unpack(&mut self, compressed: &[u8], values: &mut [u8]) -> Option<Content> {
        // A single byte is the uncompressed value of all positions of the chunk.
        if let [value] = compressed {
            return Some(Content::Same(*value));
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
