//! The index of a cube's chunks in a layer's file.

use super::unpacker::{Content, Unpacker};
use crate::durable::strip_checksum;

/// The index of a cube's chunks.
#[derive(Clone, Debug)]
pub struct CubeIndex {
    /// Offset of the first chunk.
    begin: u64,
    /// Length and checksum of every chunk.
    chunks: Vec<u8>,
}

/// A chunk in the file.
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    /// Offset in the file.
    pub begin: u64,
    /// Length in bytes.
    pub length: u32,
    checksum: u32,
}

impl Packed {
    /// Unpacks a chunk. Returns `None` if its checksum is wrong.
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
    /// Parses the index of chunks of at most `most` bytes each, which fill the range from `begin` to `end`. Returns
    /// `None` if the index is damaged or contradicts that.
    pub fn new(mut index: Vec<u8>, begin: u64, end: u64, most: u32) -> Option<Self> {
        let length = strip_checksum(&index)?.len();
        index.truncate(length);
        let index = Self {
            begin,
            chunks: index,
        };
        let fit = index.chunks().all(|chunk| chunk.length <= most);
        let lengths: u64 = index.chunks().map(|chunk| u64::from(chunk.length)).sum();
        (fit && begin + lengths == end).then_some(index)
    }

    /// Returns the chunks in order.
    pub fn chunks(&self) -> impl Iterator<Item = Packed> {
        let entries = self.chunks.as_chunks::<8>().0.iter();
        entries.scan(self.begin, |end, entry| {
            let entry = u64::from_le_bytes(*entry);
            let (length, checksum) = (entry as u32, (entry >> 32) as u32);
            let begin = *end;
            *end += u64::from(length);
            Some(Packed {
                begin,
                length,
                checksum,
            })
        })
    }
}
