//! Reads a layer's file: one chunk, one cube or all of it. Every read is checked by its checksum.

use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::cube_index::CubeIndex;
use super::file::{MAX_CHUNK_BYTES, parse_scale, table_error as file_error};
use super::unpacker::{Content, Unpacker};
use super::value_layout::ValueLayout;
use crate::durable::{HeaderError, Source, strip_checksum};
use crate::error::EngineError;
use crate::solve::bitset::blocks::Blocks;
use crate::solve::bitset::layer::{self, BLOCK_BYTES, BLOCK_DIMENSIONS, Layer, LayerSource};
use crate::solve::bitset::layer_id::{LayerId, TABLE_FORMAT};
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::verdict::VerdictScale;
use crate::solve::bitset::word512::Word512;

/// Maximum chunks of cubes whose index is read again for every probe. Larger indexes are cached, because reading one
/// takes longer than reading a chunk.
const MAX_UNCACHED_CHUNKS: usize = 1 << 12;

/// A layer's file, opened for reading.
#[derive(Debug)]
pub struct LayerFile {
    /// The layer.
    pub layer_id: LayerId,
    /// The blocks of each cube.
    pub blocks: Blocks,
    source: Source,
    /// Blocks of a chunk. The last chunk of a cube may have fewer.
    chunk_blocks: usize,
    /// The order of a chunk's values.
    layout: ValueLayout,
    /// The offset of each cube, and the end of the last one.
    offsets: Vec<u64>,
    /// Cached indexes of cubes with many chunks.
    indexes: Vec<OnceLock<CubeIndex>>,
    /// The statistics of the layer, by goats on the board.
    pub(crate) stats: Vec<LayerStats>,
    /// The scale of the bytes.
    pub scale: VerdictScale,
    /// Length of the file in bytes.
    pub length: u64,
}

impl LayerFile {
    /// Opens the layer's file in a folder. Returns `None` if there is none.
    ///
    /// # Errors
    /// If the file is damaged or belongs to another game.
    pub fn open(
        folder: &Path,
        layer_id: LayerId,
        ranking: &Ranking,
    ) -> Result<Option<Self>, EngineError> {
        let path = layer_id.path(folder);
        let Some(source) = Source::find(&path).map_err(|error| table_error(&error))? else {
            return Ok(None);
        };
        let goats = layer_id.scope.on_board(layer_id.hand);
        let mut file = Self {
            layer_id,
            blocks: layer::blocks(ranking, goats.clone()),
            chunk_blocks: 1,
            layout: ValueLayout::new(goats),
            offsets: Vec::new(),
            indexes: Vec::new(),
            stats: Vec::new(),
            scale: VerdictScale::EVEN,
            length: source.length(),
            source,
        };
        let header = file.read_header(ranking)?;
        file.read_offsets(ranking.sets.len(), header)?;
        if file.chunks() > MAX_UNCACHED_CHUNKS {
            file.indexes.resize_with(ranking.sets.len(), OnceLock::new);
        }
        Ok(Some(file))
    }

    /// Returns an error if the layer's file belongs to another game. Returns `None` if it is missing or unreadable.
    pub fn of_another_game(
        folder: &Path,
        layer_id: LayerId,
        ranking: &Ranking,
    ) -> Option<EngineError> {
        let source = Source::find(&layer_id.path(folder)).ok()??;
        let (text, _) = match TABLE_FORMAT.read(&source) {
            Err(HeaderError::Foreign) if source.length() > 0 => {
                return Some(file_error(source.path(), "is not a table"));
            }
            read => read.ok()?,
        };
        let blocks = layer::blocks(ranking, layer_id.scope.on_board(layer_id.hand));
        let mismatch = difference(
            &layer_id.text(ranking, &blocks, chunk_values(&text)?),
            &text,
        )?;
        Some(file_error(source.path(), &mismatch))
    }

    /// Reads the header and returns its length.
    fn read_header(&mut self, ranking: &Ranking) -> Result<usize, EngineError> {
        let (text, length) = TABLE_FORMAT.read(&self.source).map_err(|why| match why {
            HeaderError::Foreign => self.refuse("is not a table"),
            HeaderError::Version(version) => self.refuse(&format!(
                "has version {version}, not {}",
                TABLE_FORMAT.version
            )),
            HeaderError::Damaged => self.refuse("is damaged in its header"),
            HeaderError::Unreadable(error) => table_error(&error),
        })?;
        self.read_text(&text, ranking)?;
        Ok(length)
    }

    fn read_text(&mut self, text: &str, ranking: &Ranking) -> Result<(), EngineError> {
        let chunk = chunk_values(text)
            .ok_or_else(|| self.refuse("does not say how large its chunks are"))?;
        self.chunk_blocks = chunk / BLOCK_BYTES;
        let expected = self.layer_id.text(ranking, &self.blocks, chunk);
        if let Some(mismatch) = difference(&expected, text) {
            return Err(self.refuse(&mismatch));
        }
        for line in text.lines().skip(expected.lines().count()) {
            if let Some(scale) = parse_scale(line) {
                self.scale = scale;
                continue;
            }
            let layer_stats = line.strip_prefix("tally ").and_then(LayerStats::read);
            let layer_stats =
                layer_stats.ok_or_else(|| self.refuse("has a header that cannot be read"))?;
            self.stats.push(layer_stats);
        }
        Ok(())
    }

    /// Reads the offsets of the cubes from the end of the file. The first cube begins at `first`, after the header.
    fn read_offsets(&mut self, sets: usize, first: usize) -> Result<(), EngineError> {
        let tail = 12 + (8 * sets + 4);
        let tail_offset = self
            .length
            .checked_sub(tail as u64)
            .ok_or_else(|| self.refuse("is cut short"))?;
        let tail = self.read(tail_offset, tail)?;
        let (table, end) = tail.split_at(8 * sets + 4);
        let end = strip_checksum(end).and_then(|end| <[u8; 8]>::try_from(end).ok());
        if end.map(u64::from_le_bytes) != Some(self.length) {
            return Err(self.refuse("is cut short, or damaged at its end"));
        }
        let table =
            strip_checksum(table).ok_or_else(|| self.refuse("is damaged in its table of cubes"))?;
        self.offsets = table
            .as_chunks::<8>()
            .0
            .iter()
            .map(|bytes| u64::from_le_bytes(*bytes))
            .chain([tail_offset])
            .collect();
        let is_in_order = self.offsets.windows(2).all(|pair| pair[0] < pair[1]);
        if !is_in_order || self.offsets[0] != first as u64 {
            return Err(self.refuse("is damaged in its table of cubes"));
        }
        Ok(())
    }

    /// Returns the number of chunks per cube.
    fn chunks(&self) -> usize {
        self.blocks.len().div_ceil(self.chunk_blocks)
    }

    /// Returns the maximum number of values in a chunk.
    pub(crate) fn max_chunk_values(&self) -> usize {
        self.chunk_blocks * BLOCK_BYTES
    }

    /// Returns the chunk of a possible goat set, and the place of its value there.
    #[inline]
    pub fn find(&self, number: u32) -> (usize, usize) {
        let place = self
            .blocks
            .find(number >> BLOCK_DIMENSIONS)
            .unwrap_or_default();
        let (chunk, block) = (place / self.chunk_blocks, place % self.chunk_blocks);
        let at = self.layout.find(self.outers(chunk), block, number);
        (chunk, at)
    }

    /// Returns the outer digits of a chunk's blocks.
    fn outers(&self, chunk: usize) -> &[u32] {
        let begin = chunk * self.chunk_blocks;
        let end = (begin + self.chunk_blocks).min(self.blocks.len());
        &self.blocks.stored[begin..end]
    }

    /// Returns the index of a cube.
    pub fn index(&self, set: usize) -> Result<Cow<'_, CubeIndex>, EngineError> {
        let cached = self.indexes.get(set);
        if let Some(index) = cached.and_then(OnceLock::get) {
            return Ok(Cow::Borrowed(index));
        }
        let index = self.read(self.offsets[set], 8 * self.chunks() + 4)?;
        let index = self.read_index(set, index)?;
        Ok(match cached {
            Some(cached) => Cow::Borrowed(cached.get_or_init(|| index)),
            None => Cow::Owned(index),
        })
    }

    fn read_index(&self, set: usize, index: Vec<u8>) -> Result<CubeIndex, EngineError> {
        let begin = self.offsets[set] + index.len() as u64;
        let end = self.offsets[set + 1];
        let max = max_packed_bytes(self.max_chunk_values());
        CubeIndex::new(index, begin, end, max).ok_or_else(|| self.damaged(set))
    }

    /// Unpacks a chunk of a cube to the start of `values`.
    pub fn chunk(
        &self,
        (set, index): (usize, &CubeIndex),
        chunk: usize,
        unpacker: &mut Unpacker,
        values: &mut [u8],
    ) -> Result<Content, EngineError> {
        let damaged = || self.damaged(set);
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

    /// Overwrites `cube` with a whole cube, after checking all of its checksums.
    fn read_cube(
        &self,
        set: usize,
        unpacker: &mut Unpacker,
        cube: &mut [Word512],
    ) -> Result<(), EngineError> {
        let begin = self.offsets[set];
        let length = self.offsets[set + 1] - begin;
        let max =
            (8 + u64::from(max_packed_bytes(self.max_chunk_values()))) * self.chunks() as u64 + 4;
        if length > max {
            return Err(self.damaged(set));
        }
        let packed_cube = self.read(begin, length as usize)?;
        let index = packed_cube.get(..8 * self.chunks() + 4);
        let index = index.ok_or_else(|| self.damaged(set))?.to_vec();
        let index = self.read_index(set, index)?;
        let draw = self.scale.draw();
        let mut values = Vec::with_capacity(self.max_chunk_values());
        let words = cube.chunks_mut(self.chunk_blocks);
        for ((chunk, packed), words) in index.chunks().enumerate().zip(words) {
            let outers = self.outers(chunk);
            values.resize(self.layout.len(outers), 0);
            let compressed = &packed_cube[(packed.begin - begin) as usize..];
            let compressed = &compressed[..packed.length as usize];
            let content = packed.unpack(compressed, unpacker, &mut values);
            match content.ok_or_else(|| self.damaged(set))? {
                Content::Same(value) => words.fill(Word512::of_bytes(value)),
                Content::Each => self.layout.read(outers, &mut values, draw, words),
            }
        }
        Ok(())
    }

    /// Checks every byte of the file.
    pub fn check(&self) -> Result<(), EngineError> {
        let sets = 0..self.offsets.len() - 1;
        let room = || vec![Word512::NONE; self.blocks.len()];
        sets.into_par_iter().try_for_each_init(
            || (Unpacker::default(), room()),
            |(unpacker, cube), set| self.read_cube(set, unpacker, cube),
        )
    }

    /// Reads the whole layer into memory.
    pub fn load(&self, ranking: &Ranking) -> Result<Layer, EngineError> {
        Layer::of(self, ranking)
    }

    fn read(&self, position: u64, length: usize) -> Result<Vec<u8>, EngineError> {
        self.source
            .read(position, length)
            .map_err(|error| table_error(&error))
    }

    fn read_into(&self, position: u64, bytes: &mut [u8]) -> Result<(), EngineError> {
        self.source
            .read_into(position, bytes)
            .map_err(|error| table_error(&error))
    }

    fn damaged(&self, set: usize) -> EngineError {
        self.refuse(&format!("is damaged in cube {set}"))
    }

    fn refuse(&self, what: &str) -> EngineError {
        file_error(self.source.path(), what)
    }
}

impl LayerSource for LayerFile {
    fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    fn scale(&self) -> VerdictScale {
        self.scale
    }

    fn fill(&self, set: usize, cube: &mut [Word512]) -> Result<(), EngineError> {
        self.read_cube(set, &mut Unpacker::default(), cube)
    }
}

/// Returns the values per chunk, by the header of a file.
fn chunk_values(text: &str) -> Option<usize> {
    let chunk = text.lines().find_map(|line| line.strip_prefix("chunk "))?;
    let fits = |chunk: &usize| {
        (BLOCK_BYTES..=MAX_CHUNK_BYTES).contains(chunk) && chunk.is_multiple_of(BLOCK_BYTES)
    };
    chunk.parse().ok().filter(fits)
}

/// Returns the first difference between the header of a file and its expected lines.
fn difference(expected: &str, text: &str) -> Option<String> {
    let mut lines = text.lines();
    let mut pairs = expected
        .lines()
        .map(|expected| (expected, lines.next().unwrap_or_default()));
    let (expected, line) = pairs.find(|(expected, line)| line != expected)?;
    Some(format!(
        "is of another game: it says '{line}', not '{expected}'"
    ))
}

fn table_error(error: &EngineError) -> EngineError {
    EngineError::new(format!("table {error}"))
}

/// Returns the maximum compressed size of `values` bytes (the bound of the Zstandard library).
fn max_packed_bytes(values: usize) -> u32 {
    (values + values / 256 + 128) as u32
}
