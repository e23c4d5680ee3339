//! The file format of a layer, and the writer.
//!
//! A cube holds the values for one tiger set. It is compressed in chunks that can be read separately. The file
//! contains, with little-endian numbers and CRC-32 checksums:
//!
//! ```text
//! header (see `durable::FileFormat`): the game, the layer and its statistics, as text
//! cube 0: (length, checksum) of each chunk; checksum of this list; the chunks
//! cube 1 …
//! offset of each cube; checksum of the offsets
//! length of the file; checksum of the length
//! ```
//! A chunk contains the values of consecutive blocks in the order of `ValueLayout`. If all values are equal, the
//! chunk is a single byte. Otherwise it is a Zstandard frame.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::value_layout::ValueLayout;
use crate::durable::compression::Compressor;
use crate::durable::{self, append_checksum};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::solve::bitset::layer::{BLOCK_BYTES, LayerSource};
use crate::solve::bitset::layer_id::{LayerId, TABLE_FORMAT};
use crate::solve::bitset::layer_stats::{LayerStats, ValueCounts};
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::verdict::VerdictEncoding;
use crate::solve::bitset::word512::Word512;

/// Minimum number of values per chunk, impossible positions included. With four times the number, files are an eighth
/// smaller, but an uncached probe takes twice as long.
const MIN_CHUNK_VALUES: usize = 64 * BLOCK_BYTES;
/// Maximum number of chunks per cube. Large cubes have larger chunks, of at most [`MAX_CHUNK_BYTES`], instead of more
/// chunks, because a probe reads the lengths of all chunks of its cube.
const MAX_CHUNKS: usize = 1 << 14;
/// Maximum number of values per chunk, one byte each, impossible positions included.
pub(super) const MAX_CHUNK_BYTES: usize = 1 << 16;
/// Zstandard level. Most chunks are long runs of equal bytes, for which level 1 suffices. Higher levels cost time and
/// do not make the files smaller.
const COMPRESSION_LEVEL: i32 = 1;
/// Number of cubes that are compressed in parallel before they are written.
const CUBES_PER_BATCH: usize = 64;

/// Returns the header line with the byte of a draw. Returns an empty string for [`VerdictEncoding::EVEN`], the
/// only encoding of the first file format, which has no such line.
fn encoding_line(encoding: VerdictEncoding) -> String {
    if encoding == VerdictEncoding::EVEN {
        return String::new();
    }
    format!("draw {}\n", encoding.draw())
}

/// Parses the output of [`encoding_line`].
pub(super) fn parse_encoding(line: &str) -> Option<VerdictEncoding> {
    VerdictEncoding::new(line.strip_prefix("draw ")?.parse().ok()?)
}

/// Writes a layer with known statistics atomically. Returns the length of the file in bytes.
///
/// # Errors
/// If a cube cannot be computed or the file cannot be written.
pub fn write(
    folder: &Path,
    layer_id: &LayerId,
    ranking: &Ranking,
    layer: &dyn LayerSource,
    stats: &[LayerStats],
) -> Result<u64, EngineError> {
    let tiger_sets: Vec<usize> = (0..ranking.sets.len()).collect();
    let batches = tiger_sets.chunks(CUBES_PER_BATCH).map(|batch| {
        let compressed = batch
            .par_iter()
            .map(|&tiger_set| compress(layer, &layer.cube(tiger_set)?));
        compressed.collect::<Vec<_>>()
    });
    write_compressed(folder, layer_id, ranking, layer, stats, batches.flatten())
}

/// Counts the values of a layer and writes its file. Returns the length of the file in bytes, and the statistics.
///
/// # Errors
/// If a cube cannot be computed or the file cannot be written.
pub(crate) fn write_counting(
    folder: &Path,
    layer_id: &LayerId,
    ranking: &Ranking,
    layer: &dyn LayerSource,
) -> Result<(u64, Vec<LayerStats>), EngineError> {
    // The header contains the statistics, so all cubes are counted and compressed before the file is written.
    let counts = Mutex::new(ValueCounts::zero(ranking));
    let tiger_sets = (0..ranking.sets.len()).into_par_iter();
    let compressed = tiger_sets.map(|tiger_set| {
        let cube = layer.cube(tiger_set)?;
        let more = ValueCounts::of(ranking, layer.blocks(), tiger_set, &cube);
        counts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(more);
        compress(layer, &cube)
    });
    let compressed: Vec<Vec<u8>> = compressed.collect::<Result<_, EngineError>>()?;
    let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    let stats = counts.stats(layer, layer_id.tigers_to_move);
    let compressed = compressed.into_iter().map(Ok);
    let bytes = write_compressed(folder, layer_id, ranking, layer, &stats, compressed)?;
    Ok((bytes, stats))
}

fn write_compressed(
    folder: &Path,
    layer_id: &LayerId,
    ranking: &Ranking,
    layer: &dyn LayerSource,
    stats: &[LayerStats],
    compressed: impl Iterator<Item = Result<Vec<u8>, EngineError>>,
) -> Result<u64, EngineError> {
    let blocks = layer.blocks();
    let chunk_values = blocks_per_chunk(blocks.len()) * BLOCK_BYTES;
    let mut text = layer_id.text(ranking, blocks, chunk_values) + &encoding_line(layer.encoding());
    for layer_stats in stats {
        text += &format!("tally {layer_stats}\n");
    }
    durable::write(&layer_id.path(folder), |out| {
        let header = TABLE_FORMAT.header(&text);
        out.write_all(&header)?;
        let mut position = header.len() as u64;
        let mut offsets = Vec::new();
        for cube in compressed {
            let cube = cube.map_err(io::Error::other)?;
            offsets.extend(position.to_le_bytes());
            out.write_all(&cube)?;
            position += cube.len() as u64;
        }
        append_checksum(&mut offsets);
        out.write_all(&offsets)?;
        position += offsets.len() as u64;
        // The length of the file includes these last 12 bytes: the length itself and its checksum.
        let mut file_length = (position + 12).to_le_bytes().to_vec();
        append_checksum(&mut file_length);
        out.write_all(&file_length)
    })
}

/// Returns the number of blocks per chunk if a cube has `blocks` blocks.
fn blocks_per_chunk(blocks: usize) -> usize {
    let needed = blocks.div_ceil(MAX_CHUNKS).next_power_of_two();
    needed.clamp(
        MIN_CHUNK_VALUES / BLOCK_BYTES,
        MAX_CHUNK_BYTES / BLOCK_BYTES,
    )
}

/// Returns a cube as it is stored in the file: the lengths and checksums of its chunks, then the compressed chunks.
fn compress(layer: &dyn LayerSource, cube: &[Word512]) -> Result<Vec<u8>, EngineError> {
    let blocks = layer.blocks();
    let chunk_blocks = blocks_per_chunk(blocks.len());
    let zstd_error = |error: io::Error| EngineError::failed(error.to_string());
    let mut compressor = Compressor::new(COMPRESSION_LEVEL).map_err(zstd_error)?;
    compressor.include_contentsize(false).map_err(zstd_error)?;
    let (mut index, mut chunks) = (Vec::new(), Vec::new());
    let layout = ValueLayout::new(blocks.goats.clone());
    let (mut buffer, mut values) = (Vec::new(), Vec::new());
    let outers = blocks.stored.chunks(chunk_blocks);
    let draws = layer.encoding().all_draws();
    for (words, outers) in cube.chunks(chunk_blocks).zip(outers) {
        // Many chunks contain draws only, and need no sorting.
        let first = if words.iter().all(|word| *word == draws) {
            values.clear();
            layer.encoding().draw()
        } else {
            layout.write(outers, words, &mut buffer, &mut values);
            values[0]
        };
        let is_uniform = values.iter().all(|byte| *byte == first);
        let compressed = if is_uniform {
            vec![first]
        } else {
            compressor.compress(&values).map_err(zstd_error)?
        };
        index.extend((compressed.len() as u32).to_le_bytes());
        index.extend(crc32fast::hash(&compressed).to_le_bytes());
        chunks.extend(compressed);
    }
    append_checksum(&mut index);
    index.extend(chunks);
    Ok(index)
}

/// Returns an error whose message names the file and calls it a table.
pub(super) fn table_error(path: &Path, what: &str) -> EngineError {
    EngineError::new(format!("table {} {what}", path_name(path)))
}
