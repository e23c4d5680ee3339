//! Where the chunks of one cube lie in a layer's file.

use super::unpacker::{Content, Unpacker};
use crate::durable::strip_checksum;

/// Where the chunks of one cube lie.
#[derive(Clone, Debug)]
pub struct CubeIndex {
    /// Where the first chunk begins.
    begin: u64,
    /// For every chunk its length and its checksum.
    chunks: Vec<u8>,
}

/// A chunk in the file.
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    /// Where it begins.
    pub begin: u64,
    /// Its bytes.
    pub length: u32,
    checksum: u32,
}

impl Packed {
    /// Unpacks what was found in the file, if its checksum is right.
    pub fn unpack(
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
    /// The index of chunks of at most `most` bytes that lie one after another from `begin` to `end`, if that is what it
    /// says, and its checksum is right.
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

    /// The chunks, in their order.
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
