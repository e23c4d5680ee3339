//! The file format of position tables: a value for each key of a position, in the order of the keys.
//!
//! The entries are stored in chunks of [`CHUNK_ENTRIES`] that can be read separately. The file contains, with
//! little-endian numbers and CRC-32 checksums:
//!
//! ```text
//! header (see `durable::FileFormat`): the game and the number of entries, as text
//! chunk 0: bytes per difference (u8), bytes per value (u8), differences, values as a Zstandard frame; checksum
//! chunk 1 …
//! first key (u64) and offset (u64) of each chunk; checksum
//! length of the file; checksum of the length
//! ```
//! A difference is the key minus the previous key of the chunk; for the first key of a chunk it is 0.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::durable::compression;
use crate::durable::{self, FileFormat, HeaderError, Source, append_checksum, strip_checksum};
use crate::error::EngineError;
use crate::escape::path_name;

/// The format of position tables.
pub(crate) const FORMAT: FileFormat = FileFormat {
    magic: *b"PuliPosn",
    version: 1,
};

/// Number of entries per chunk; the last chunk can have fewer. Unpacking a chunk takes about 10 µs.
const CHUNK_ENTRIES: usize = 1 << 12;
/// Maximum length of a chunk in bytes. Incompressible values grow by a few bytes only.
const MAX_CHUNK_BYTES: u64 = 17 * CHUNK_ENTRIES as u64;
/// Default number of cached unpacked chunks: 32 MiB.
const DEFAULT_CACHED_CHUNKS: usize = 512;
/// Zstandard level. Higher levels save less than one percent.
const COMPRESSION_LEVEL: i32 = 1;
/// Length of the end of the file in bytes: the length of the file and its checksum.
const END_BYTES: u64 = 12;

/// A position table, opened for reading.
#[derive(Debug)]
pub(super) struct KeyTable {
    source: Source,
    entries: u64,
    /// The first key of each chunk.
    first_keys: Vec<u64>,
    /// The offset of each chunk in bytes, and the end of the last chunk.
    offsets: Vec<u64>,
    /// A direct-mapped cache of unpacked chunks.
    cache: Vec<Slot>,
}

/// A place in the cache: the index of a chunk and its content.
type Slot = Mutex<Option<(usize, Arc<Chunk>)>>;

/// An unpacked chunk.
#[derive(Debug)]
struct Chunk {
    keys: Vec<u64>,
    values: Vec<u64>,
}

/// Writes `entries`, whose keys must ascend, to a new file. Returns its length in bytes.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write(path: &Path, text: &str, entries: &[(u64, u64)]) -> Result<u64, EngineError> {
    durable::write(path, |out| {
        let header = FORMAT.header(text);
        out.write_all(&header)?;
        let mut offset = header.len() as u64;
        let mut index = Vec::new();
        for chunk in entries.chunks(CHUNK_ENTRIES) {
            let packed = pack(chunk)?;
            index.extend(chunk[0].0.to_le_bytes());
            index.extend(offset.to_le_bytes());
            out.write_all(&packed)?;
            offset += packed.len() as u64;
        }
        append_checksum(&mut index);
        out.write_all(&index)?;
        let mut end = (offset + index.len() as u64 + END_BYTES)
            .to_le_bytes()
            .to_vec();
        append_checksum(&mut end);
        out.write_all(&end)
    })
}

/// Returns a chunk as it is stored in the file.
fn pack(entries: &[(u64, u64)]) -> io::Result<Vec<u8>> {
    let keys = entries.iter().map(|entry| entry.0);
    let differences = keys.clone().skip(1).zip(keys).map(|(key, last)| key - last);
    let differences: Vec<u64> = [0].into_iter().chain(differences).collect();
    let width = |max: u64| (8 - max.leading_zeros() as usize / 8).max(1);
    let key_bytes = width(differences.iter().copied().max().unwrap_or(0));
    let value_bytes = width(entries.iter().map(|entry| entry.1).max().unwrap_or(0));
    let mut packed = vec![key_bytes as u8, value_bytes as u8];
    for difference in differences {
        packed.extend(&difference.to_le_bytes()[..key_bytes]);
    }
    let values = entries
        .iter()
        .flat_map(|entry| entry.1.to_le_bytes().into_iter().take(value_bytes));
    let values: Vec<u8> = values.collect();
    packed.extend(compression::compress(&values, COMPRESSION_LEVEL)?);
    append_checksum(&mut packed);
    Ok(packed)
}

/// Returns the `count` entries of a chunk that begins with `first_key`, or `None` if the chunk is damaged.
fn unpack(packed: &[u8], first_key: u64, count: usize) -> Option<Chunk> {
    let (&[key_bytes, value_bytes], packed) = strip_checksum(packed)?.split_first_chunk()?;
    let [key_bytes, value_bytes] = [key_bytes, value_bytes].map(usize::from);
    if !(1..=8).contains(&key_bytes) || !(1..=8).contains(&value_bytes) {
        return None;
    }
    let (differences, frame) = packed.split_at_checked(count * key_bytes)?;
    let values = compression::decompress(frame, count * value_bytes).ok()?;
    if values.len() != count * value_bytes {
        return None;
    }
    let mut key = first_key;
    let keys = differences
        .chunks_exact(key_bytes)
        .enumerate()
        .map(|(index, difference)| {
            let mut bytes = [0; 8];
            bytes[..key_bytes].copy_from_slice(difference);
            let difference = u64::from_le_bytes(bytes);
            key = key.checked_add(difference)?;
            ((difference == 0) == (index == 0)).then_some(key)
        });
    let values = values.chunks_exact(value_bytes).map(|value| {
        let mut bytes = [0; 8];
        bytes[..value_bytes].copy_from_slice(value);
        u64::from_le_bytes(bytes)
    });
    Some(Chunk {
        keys: keys.collect::<Option<_>>()?,
        values: values.collect(),
    })
}

/// Reads the header of the position table in `source`. Returns its text and its length in bytes.
///
/// # Errors
/// If the file is no position table, has another version or is damaged.
pub(super) fn read_header(source: &Source) -> Result<(String, usize), EngineError> {
    let error = |what: &str| table_error(source.path(), what);
    FORMAT.read(source).map_err(|why| match why {
        HeaderError::Foreign => error("is not a table of positions"),
        HeaderError::Version(version) => {
            error(&format!("has version {version}, not {}", FORMAT.version))
        }
        HeaderError::Damaged => error("is damaged in its header"),
        HeaderError::Unreadable(error) => EngineError::new(format!("table {error}")),
    })
}

/// Returns an error whose message names the file and calls it a table.
pub(super) fn table_error(path: &Path, what: &str) -> EngineError {
    EngineError::new(format!("table {} {what}", path_name(path)))
}

impl KeyTable {
    /// Opens a table with `entries` entries and a header of `header_length` bytes.
    ///
    /// # Errors
    /// If the list of chunks is damaged. Damage inside the chunks is found when they are read.
    pub(super) fn open(
        source: Source,
        header_length: usize,
        entries: u64,
    ) -> Result<Self, EngineError> {
        let error = |what: &str| table_error(source.path(), what);
        let chunks = entries.div_ceil(CHUNK_ENTRIES as u64);
        let index_bytes = chunks.saturating_mul(16).saturating_add(4);
        let index_begin = source
            .length()
            .checked_sub(index_bytes.saturating_add(END_BYTES));
        let index_begin = index_begin.ok_or_else(|| error("is cut short"))?;
        let tail = source.read(index_begin, (index_bytes + END_BYTES) as usize)?;
        let (index, end) = tail.split_at(index_bytes as usize);
        let end = strip_checksum(end).and_then(|end| <[u8; 8]>::try_from(end).ok());
        if end.map(u64::from_le_bytes) != Some(source.length()) {
            return Err(error("is cut short, or damaged at its end"));
        }
        let damaged = || error("is damaged in its list of chunks");
        let index = strip_checksum(index).ok_or_else(damaged)?;
        let numbers = index.as_chunks::<8>().0.iter();
        let numbers: Vec<u64> = numbers.map(|bytes| u64::from_le_bytes(*bytes)).collect();
        let first_keys: Vec<u64> = numbers.iter().step_by(2).copied().collect();
        let offsets = numbers.iter().skip(1).step_by(2).copied();
        let offsets: Vec<u64> = offsets.chain([index_begin]).collect();
        let is_sound = first_keys.windows(2).all(|pair| pair[0] < pair[1])
            && offsets
                .windows(2)
                .all(|pair| pair[0] < pair[1] && pair[1] - pair[0] <= MAX_CHUNK_BYTES)
            && offsets[0] == header_length as u64;
        if !is_sound {
            return Err(damaged());
        }
        let slots = DEFAULT_CACHED_CHUNKS.min(first_keys.len());
        Ok(Self {
            source,
            entries,
            first_keys,
            offsets,
            cache: (0..slots).map(|_| Mutex::new(None)).collect(),
        })
    }

    /// Returns the number of entries.
    pub(super) fn len(&self) -> u64 {
        self.entries
    }

    /// Returns the path of the file.
    pub(super) fn path(&self) -> &Path {
        self.source.path()
    }

    /// Returns the index of the entry with this key, in the order of keys, and its value. Returns `None` if there
    /// is no such entry.
    ///
    /// # Errors
    /// If the chunk for this key is damaged.
    pub(super) fn find(&self, key: u64) -> Result<Option<(u64, u64)>, EngineError> {
        let after = self.first_keys.partition_point(|&first| first <= key);
        let Some(index) = after.checked_sub(1) else {
            return Ok(None);
        };
        let chunk = self.chunk(index)?;
        let found = chunk.keys.binary_search(&key).ok();
        Ok(found.map(|entry| {
            let number = (index * CHUNK_ENTRIES + entry) as u64;
            (number, chunk.values[entry])
        }))
    }

    /// Reads every chunk once, without the cache.
    ///
    /// # Errors
    /// If a chunk is damaged.
    pub(super) fn check(&self) -> Result<(), EngineError> {
        let mut last = None;
        for index in 0..self.first_keys.len() {
            let keys = self.read(index)?.keys;
            if last >= keys.first().copied() {
                return Err(self.damaged(index));
            }
            last = keys.last().copied();
        }
        Ok(())
    }

    fn chunk(&self, index: usize) -> Result<Arc<Chunk>, EngineError> {
        let slot = &self.cache[index % self.cache.len()];
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((cached, chunk)) = &*slot
            && *cached == index
        {
            return Ok(Arc::clone(chunk));
        }
        let chunk = Arc::new(self.read(index)?);
        *slot = Some((index, Arc::clone(&chunk)));
        Ok(chunk)
    }

    fn read(&self, index: usize) -> Result<Chunk, EngineError> {
        let Range { start, end } = self.offsets[index]..self.offsets[index + 1];
        let packed = self.source.read(start, (end - start) as usize)?;
        let rest = self.entries - (index * CHUNK_ENTRIES) as u64;
        let count = rest.min(CHUNK_ENTRIES as u64) as usize;
        unpack(&packed, self.first_keys[index], count).ok_or_else(|| self.damaged(index))
    }

    fn damaged(&self, index: usize) -> EngineError {
        table_error(self.path(), &format!("is damaged in chunk {index}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn finds_each_entry_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let mut random = Random::new(1);
        for (count, max_value) in [
            (1, 0),
            (2, u64::MAX),
            (4096, u64::MAX),
            (4096, 255),
            (10_000, 300),
        ] {
            let mut entries: Vec<(u64, u64)> = (0..count)
                .map(|_| (random.u64(..), random.u64(..=max_value)))
                .chain([(u64::MAX, 0)])
                .collect();
            entries.sort_unstable();
            write(&path, "text", &entries).unwrap();
            let source = Source::named(&path).unwrap();
            let (text, length) = read_header(&source).unwrap();
            assert_eq!(text, "text");
            let table = KeyTable::open(source, length, entries.len() as u64).unwrap();
            table.check().unwrap();
            for (number, &(key, value)) in entries.iter().enumerate() {
                assert_eq!(table.find(key), Ok(Some((number as u64, value))));
                let is_other = entries
                    .binary_search_by_key(&(key ^ 1), |entry| entry.0)
                    .is_err();
                assert_eq!(table.find(key ^ 1).unwrap().is_none(), is_other);
            }
            for wrong in [0, entries.len() as u64 + 5000, u64::MAX] {
                let source = Source::named(&path).unwrap();
                assert!(KeyTable::open(source, length, wrong).is_err());
            }
        }
    }
}
