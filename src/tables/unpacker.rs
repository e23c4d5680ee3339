//! What chunk after chunk of a table is unpacked with.

use std::fmt;
use std::io;

use zstd::bulk::Decompressor;

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
    /// Puts the values of a chunk in place of what `values` holds: a single one where all are the same. `None` if there
    /// are not `length` of them.
    pub fn unpack(&mut self, compressed: &[u8], length: usize, values: &mut Vec<u8>) -> Option<()> {
        values.clear();
        if let [all] = compressed {
            values.push(*all);
            return Some(());
        }
        values.reserve_exact(length);
        let zstd = self.decompressor().ok()?;
        let written = zstd.decompress_to_buffer(compressed, values).ok()?;
        (written == length).then_some(())
    }

    fn decompressor(&mut self) -> io::Result<&mut Decompressor<'static>> {
        match &mut self.zstd {
            Some(zstd) => Ok(zstd),
            none => Ok(none.insert(Decompressor::new()?)),
        }
    }
}
