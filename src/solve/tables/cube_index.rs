//! The index of a cube: the place of each of its compressed chunks in the file of a layer.

use super::unpacker::{Content, Unpacker};
use crate::durable::strip_checksum;

/// The lengths and checksums of the chunks of a cube. The chunks follow each other without gaps.
#[derive(Clone, Debug)]
pub struct CubeIndex {
    /// Offset of the first chunk in the file.
    begin: u64,
    /// For every chunk, its length (4 bytes) and its CRC-32 (4 bytes), as in the file.
    entries: Vec<u8>,
}

/// The place of a compressed chunk in the file.
#[derive(Clone, Copy, Debug)]
pub struct PackedChunk {
    /// Offset in the file.
    pub begin: u64,
    /// Compressed length in bytes.
    pub length: u32,
    checksum: u32,
}

impl PackedChunk {
    /// Unpacks the bytes of this chunk, `compressed`, to `values`. Returns `None` if the checksum is wrong, or if the
    /// chunk does not hold `values.len()` values.
    pub(crate) fn unpack(
        &self,
        compressed: &[u8],
        unpacker: &mut Unpacker,
        values: &mut [u8],
    ) -> Option<Content> {
        if crc32fast::hash(compressed) != self.checksum {
            return None;
        }
        unpacker.unpack(compressed, values)
    }
}

impl CubeIndex {
    /// Parses the bytes of an index. Returns `None` if the checksum is wrong, or if the chunks do not fill the file
    /// from `begin` to `end` with at most `max_length` bytes each.
    pub fn new(mut index: Vec<u8>, begin: u64, end: u64, max_length: u32) -> Option<Self> {
        let length = strip_checksum(&index)?.len();
        index.truncate(length);
        let index = Self {
            begin,
            entries: index,
        };
        let are_short_enough = index.chunks().all(|chunk| chunk.length <= max_length);
        let lengths: u64 = index.chunks().map(|chunk| u64::from(chunk.length)).sum();
        (are_short_enough && begin + lengths == end).then_some(index)
    }

    /// Returns the chunks in order.
    pub fn chunks(&self) -> impl Iterator<Item = PackedChunk> {
        let entries = self.entries.as_chunks::<8>().0.iter();
        entries.scan(self.begin, |next_begin, entry| {
            let entry = u64::from_le_bytes(*entry);
            let (length, checksum) = (entry as u32, (entry >> 32) as u32);
            let begin = *next_begin;
            *next_begin += u64::from(length);
            Some(PackedChunk {
                begin,
                length,
                checksum,
            })
        })
    }
}
