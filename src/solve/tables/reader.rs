//! Reads the table file of a layer: one chunk, one cube, or the whole layer.
//!
//! A *cube* holds the values of all goat sets for one tiger set. In the file, it is split into separately compressed
//! *chunks*, so a probe unpacks a single chunk. [`super::file`] describes the file format. The CRC-32 of every part
//! is checked when it is read.

use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::cube_index::CubeIndex;
use super::file::{MAX_CHUNK_BYTES, parse_encoding, table_error};
use super::unpacker::{Content, Unpacker};
use super::value_layout::ValueLayout;
use crate::durable::{HeaderError, Source, first_difference, strip_checksum};
use crate::error::EngineError;
use crate::solve::bitset::blocks::Blocks;
use crate::solve::bitset::layer::{self, BLOCK_BYTES, BLOCK_DIGITS, Layer, LayerSource};
use crate::solve::bitset::layer_id::{LayerId, TABLE_FORMAT};
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::verdict::VerdictEncoding;
use crate::solve::bitset::word512::Word512;

/// Maximum number of chunks per cube without caching of indexes. Reading a longer index takes longer than reading a
/// chunk.
const MAX_UNCACHED_CHUNKS: usize = 1 << 12;

/// A layer's file, opened for reading.
#[derive(Debug)]
pub struct LayerFile {
    /// The layer that the file holds.
    pub layer_id: LayerId,
    /// The stored blocks of a cube.
    pub blocks: Blocks,
    source: Source,
    /// Number of blocks per chunk. The last chunk of a cube may have fewer.
    chunk_blocks: usize,
    /// The order of the values in a chunk.
    layout: ValueLayout,
    /// The offset of each cube in the file, in bytes. The last entry is the end of the last cube.
    cube_offsets: Vec<u64>,
    /// The cached index of each cube. Empty if a cube has at most [`MAX_UNCACHED_CHUNKS`] chunks.
    cached_indexes: Vec<OnceLock<CubeIndex>>,
    /// The numbers of wins and draws in the layer, one entry per number of goats on the board.
    pub(crate) stats: Vec<LayerStats>,
    /// The encoding of the verdicts as bytes.
    pub encoding: VerdictEncoding,
    /// Length of the file in bytes.
    pub length: u64,
}

impl LayerFile {
    /// Opens the layer's file in `folder`. Returns `None` if the file does not exist.
    ///
    /// # Errors
    /// If the header or the offsets of the cubes are damaged, or if the file belongs to another game. Damage inside
    /// the cubes is found when they are read.
    pub fn open(
        folder: &Path,
        layer_id: LayerId,
        ranking: &Ranking,
    ) -> Result<Option<Self>, EngineError> {
        let path = layer_id.path(folder);
        let Some(source) = Source::find(&path).map_err(|error| read_error(&error))? else {
            return Ok(None);
        };
        let goats = layer_id.table_game.on_board(layer_id.hand);
        let mut file = Self {
            layer_id,
            blocks: layer::blocks(ranking, goats.clone()),
            chunk_blocks: 1,
            layout: ValueLayout::new(goats),
            cube_offsets: Vec::new(),
            cached_indexes: Vec::new(),
            stats: Vec::new(),
            encoding: VerdictEncoding::EVEN,
            length: source.length(),
            source,
        };
        let header_length = file.read_header(ranking)?;
        file.read_cube_offsets(ranking.sets.len(), header_length)?;
        if file.chunks_per_cube() > MAX_UNCACHED_CHUNKS {
            file.cached_indexes
                .resize_with(ranking.sets.len(), OnceLock::new);
        }
        Ok(Some(file))
    }

    /// Returns an error if the layer's file belongs to another game or is not a table. Returns `None` if the file
    /// belongs to this game, is missing, or cannot be read.
    pub fn of_another_game(
        folder: &Path,
        layer_id: LayerId,
        ranking: &Ranking,
    ) -> Option<EngineError> {
        let source = Source::find(&layer_id.path(folder)).ok()??;
        let (text, _) = match TABLE_FORMAT.read(&source) {
            Err(HeaderError::Foreign) if source.length() > 0 => {
                return Some(table_error(source.path(), "is not a table"));
            }
            read => read.ok()?,
        };
        let blocks = layer::blocks(ranking, layer_id.table_game.on_board(layer_id.hand));
        let mismatch = first_difference(
            &layer_id.text(ranking, &blocks, values_per_chunk(&text)?),
            &text,
        )?;
        Some(table_error(source.path(), &mismatch))
    }

    /// Reads the header and returns its length in bytes.
    fn read_header(&mut self, ranking: &Ranking) -> Result<usize, EngineError> {
        let (text, length) = TABLE_FORMAT.read(&self.source).map_err(|why| match why {
            HeaderError::Foreign => self.error("is not a table"),
            HeaderError::Version(version) => self.error(&format!(
                "has version {version}, not {}",
                TABLE_FORMAT.version
            )),
            HeaderError::Damaged => self.error("is damaged in its header"),
            HeaderError::Unreadable(error) => read_error(&error),
        })?;
        self.parse_header_text(&text, ranking)?;
        Ok(length)
    }

    fn parse_header_text(&mut self, text: &str, ranking: &Ranking) -> Result<(), EngineError> {
        let chunk_values =
            values_per_chunk(text).ok_or_else(|| self.error("has no valid chunk size"))?;
        self.chunk_blocks = chunk_values / BLOCK_BYTES;
        // First come the lines that identify the layer, then the encoding and the statistics.
        let expected = self.layer_id.text(ranking, &self.blocks, chunk_values);
        if let Some(mismatch) = first_difference(&expected, text) {
            return Err(self.error(&mismatch));
        }
        for line in text.lines().skip(expected.lines().count()) {
            if let Some(encoding) = parse_encoding(line) {
                self.encoding = encoding;
                continue;
            }
            let layer_stats = line.strip_prefix("tally ").and_then(LayerStats::read);
            let layer_stats =
                layer_stats.ok_or_else(|| self.error("has a header that cannot be read"))?;
            self.stats.push(layer_stats);
        }
        Ok(())
    }

    /// Reads the offsets of the `cubes` cubes from the end of the file. The first cube begins right after the header,
    /// which has `header_length` bytes.
    fn read_cube_offsets(&mut self, cubes: usize, header_length: usize) -> Result<(), EngineError> {
        // The tail consists of the offsets with their checksum, then the length of the file with its checksum.
        let offsets_length = 8 * cubes + 4;
        let tail_length = offsets_length + 12;
        let tail_offset = self
            .length
            .checked_sub(tail_length as u64)
            .ok_or_else(|| self.error("is cut short"))?;
        let tail = self.read(tail_offset, tail_length)?;
        let (offsets, end) = tail.split_at(offsets_length);
        let end = strip_checksum(end).and_then(|end| <[u8; 8]>::try_from(end).ok());
        if end.map(u64::from_le_bytes) != Some(self.length) {
            return Err(self.error("is cut short, or damaged at its end"));
        }
        let offsets = strip_checksum(offsets)
            .ok_or_else(|| self.error("is damaged in its table of cubes"))?;
        self.cube_offsets = offsets
            .as_chunks::<8>()
            .0
            .iter()
            .map(|bytes| u64::from_le_bytes(*bytes))
            .chain([tail_offset])
            .collect();
        let is_ascending = self.cube_offsets.windows(2).all(|pair| pair[0] < pair[1]);
        if !is_ascending || self.cube_offsets[0] != header_length as u64 {
            return Err(self.error("is damaged in its table of cubes"));
        }
        Ok(())
    }

    /// Returns the number of chunks per cube.
    fn chunks_per_cube(&self) -> usize {
        self.blocks.len().div_ceil(self.chunk_blocks)
    }

    /// Returns the maximum number of values in a chunk.
    pub(crate) fn max_chunk_values(&self) -> usize {
        self.chunk_blocks * BLOCK_BYTES
    }

    /// Returns the chunk that contains the value of `goat_set`, and the index of the value in the chunk. Both are the
    /// same for all tiger sets. The number of goats must occur in the layer.
    #[inline]
    pub fn find(&self, goat_set: u32) -> (usize, usize) {
        let block = self
            .blocks
            .find(goat_set >> BLOCK_DIGITS)
            .unwrap_or_default();
        let (chunk, block) = (block / self.chunk_blocks, block % self.chunk_blocks);
        let index = self.layout.find(self.outers(chunk), block, goat_set);
        (chunk, index)
    }

    /// Returns the outer digits of each block of a chunk (see [`ValueLayout`]).
    fn outers(&self, chunk: usize) -> &[u32] {
        let begin = chunk * self.chunk_blocks;
        let end = (begin + self.chunk_blocks).min(self.blocks.len());
        &self.blocks.stored[begin..end]
    }

    /// Returns the index of the chunks of a cube, from the cache or from the file.
    ///
    /// # Errors
    /// If the index is damaged or cannot be read.
    pub fn index(&self, tiger_set: usize) -> Result<Cow<'_, CubeIndex>, EngineError> {
        let cached = self.cached_indexes.get(tiger_set);
        if let Some(index) = cached.and_then(OnceLock::get) {
            return Ok(Cow::Borrowed(index));
        }
        // The index has 8 bytes per chunk and a checksum of 4 bytes.
        let index_length = 8 * self.chunks_per_cube() + 4;
        let index = self.read(self.cube_offsets[tiger_set], index_length)?;
        let index = self.parse_index(tiger_set, index)?;
        Ok(match cached {
            Some(cached) => Cow::Borrowed(cached.get_or_init(|| index)),
            None => Cow::Owned(index),
        })
    }

    fn parse_index(&self, tiger_set: usize, index: Vec<u8>) -> Result<CubeIndex, EngineError> {
        let begin = self.cube_offsets[tiger_set] + index.len() as u64;
        let end = self.cube_offsets[tiger_set + 1];
        let max = max_packed_bytes(self.max_chunk_values());
        CubeIndex::new(index, begin, end, max).ok_or_else(|| self.damaged(tiger_set))
    }

    /// Reads chunk `chunk` of the cube of `tiger_set` and unpacks it to the start of `values`. If all values are
    /// equal, `values` remains unchanged and `Content::Same` is returned. `index` is the index of the cube.
    ///
    /// # Errors
    /// If the chunk is damaged or cannot be read.
    pub fn chunk(
        &self,
        (tiger_set, index): (usize, &CubeIndex),
        chunk: usize,
        unpacker: &mut Unpacker,
        values: &mut [u8],
    ) -> Result<Content, EngineError> {
        let damaged = || self.damaged(tiger_set);
        let packed = index.chunks().nth(chunk).ok_or_else(damaged)?;
        let mut compressed = std::mem::take(&mut unpacker.compressed);
        compressed.resize(packed.length as usize, 0);
        let values = &mut values[..self.layout.len(self.outers(chunk))];
        let result = self
            .read_into(packed.begin, &mut compressed)
            .and_then(|()| {
                packed
                    .unpack(&compressed, unpacker, values)
                    .ok_or_else(damaged)
            });
        unpacker.compressed = compressed;
        result
    }

    /// Overwrites `cube` with the values of the cube of `tiger_set` and verifies all checksums of that cube.
    fn read_cube(
        &self,
        tiger_set: usize,
        unpacker: &mut Unpacker,
        cube: &mut [Word512],
    ) -> Result<(), EngineError> {
        let begin = self.cube_offsets[tiger_set];
        let length = self.cube_offsets[tiger_set + 1] - begin;
        // Without this check, damaged offsets could cause a huge allocation.
        let index_length = 8 * self.chunks_per_cube() + 4;
        let max_length = u64::from(max_packed_bytes(self.max_chunk_values()))
            * self.chunks_per_cube() as u64
            + index_length as u64;
        if length > max_length {
            return Err(self.damaged(tiger_set));
        }
        let packed_cube = self.read(begin, length as usize)?;
        let index = packed_cube.get(..index_length);
        let index = index.ok_or_else(|| self.damaged(tiger_set))?.to_vec();
        let index = self.parse_index(tiger_set, index)?;
        let draw = self.encoding.draw();
        let mut values = Vec::with_capacity(self.max_chunk_values());
        let words = cube.chunks_mut(self.chunk_blocks);
        for ((chunk, packed), words) in index.chunks().enumerate().zip(words) {
            let outers = self.outers(chunk);
            values.resize(self.layout.len(outers), 0);
            let compressed = &packed_cube[(packed.begin - begin) as usize..];
            let compressed = &compressed[..packed.length as usize];
            let content = packed.unpack(compressed, unpacker, &mut values);
            match content.ok_or_else(|| self.damaged(tiger_set))? {
                Content::Same(value) => words.fill(Word512::of_bytes(value)),
                Content::Each => self.layout.read(outers, &mut values, draw, words),
            }
        }
        Ok(())
    }

    /// Reads all cubes and verifies their checksums.
    ///
    /// # Errors
    /// If a cube is damaged or cannot be read.
    pub fn check(&self) -> Result<(), EngineError> {
        let tiger_sets = 0..self.cube_offsets.len() - 1;
        let cube_buffer = || vec![Word512::NONE; self.blocks.len()];
        tiger_sets.into_par_iter().try_for_each_init(
            || (Unpacker::default(), cube_buffer()),
            |(unpacker, cube), tiger_set| self.read_cube(tiger_set, unpacker, cube),
        )
    }

    /// Reads the whole layer into memory.
    ///
    /// # Errors
    /// If the memory cannot be allocated, or the file is damaged or cannot be read.
    pub fn load(&self, ranking: &Ranking) -> Result<Layer, EngineError> {
        Layer::of(self, ranking)
    }

    fn read(&self, position: u64, length: usize) -> Result<Vec<u8>, EngineError> {
        self.source
            .read(position, length)
            .map_err(|error| read_error(&error))
    }

    fn read_into(&self, position: u64, bytes: &mut [u8]) -> Result<(), EngineError> {
        self.source
            .read_into(position, bytes)
            .map_err(|error| read_error(&error))
    }

    fn damaged(&self, tiger_set: usize) -> EngineError {
        self.error(&format!("is damaged in cube {tiger_set}"))
    }

    fn error(&self, what: &str) -> EngineError {
        table_error(self.source.path(), what)
    }
}

impl LayerSource for LayerFile {
    fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    fn encoding(&self) -> VerdictEncoding {
        self.encoding
    }

    fn fill(&self, tiger_set: usize, cube: &mut [Word512]) -> Result<(), EngineError> {
        self.read_cube(tiger_set, &mut Unpacker::default(), cube)
    }
}

/// Returns the number of values per chunk, impossible positions included, in the text of a header. Returns `None` if
/// the number is missing or invalid.
fn values_per_chunk(text: &str) -> Option<usize> {
    let values = text.lines().find_map(|line| line.strip_prefix("chunk "))?;
    let is_valid = |values: &usize| {
        (BLOCK_BYTES..=MAX_CHUNK_BYTES).contains(values) && values.is_multiple_of(BLOCK_BYTES)
    };
    values.parse().ok().filter(is_valid)
}

/// Converts an error of [`Source`] to one whose message calls the file a table.
fn read_error(error: &EngineError) -> EngineError {
    EngineError::new(format!("table {error}"))
}

/// Returns an upper bound of the compressed size of `values` bytes: `ZSTD_compressBound` of the Zstandard library,
/// rounded up for small inputs.
fn max_packed_bytes(values: usize) -> u32 {
    (values + values / 256 + 128) as u32
}
