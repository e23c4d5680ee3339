//! The file of one layer: a header that identifies it, and cubes compressed in chunks that can be read separately.
//!
//! ```text
//! the header ([`FileFormat`])     (numbers are little-endian)
//! cube 0: length and checksum of every chunk; checksum of these; the chunks
//! cube 1 …
//! offset of every cube; checksum of these
//! length of the whole file, checksum of that
//! ```
//! A chunk holds the possible values of some blocks, in the order of [`ValueLayout`]. A chunk of a single byte
//! consists of that value only; any other is a Zstandard frame.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::value_layout::ValueLayout;
use crate::durable::{self, append_checksum};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::solve::bitset::layer::{BLOCK_BYTES, LayerSource};
use crate::solve::bitset::layer_id::{LayerId, TABLE_FORMAT};
use crate::solve::bitset::layer_stats::{LayerStats, ValueCounts};
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::verdict::VerdictScale;
use crate::solve::bitset::word512::Word512;

/// Values of a chunk, impossible ones included. Cubes with more than [`MAX_CHUNKS`] such chunks have larger ones.
/// Chunks four times as large made files an eighth smaller and doubled the time of an uncached probe.
const MIN_CHUNK_VALUES: usize = 64 * BLOCK_BYTES;
/// Maximum chunks of a cube, unless they have the maximum size: a probe reads the offsets of all of them.
const MAX_CHUNKS: usize = 1 << 14;
/// Maximum values of a chunk.
pub(super) const MAX_CHUNK_BYTES: usize = 1 << 16;
/// Zstandard level. Level 1 already finds the long runs of most chunks; higher levels cost time and do not reduce the
/// size.
const COMPRESSION_LEVEL: i32 = 1;
/// Cubes that are compressed in parallel before they are written.
const CUBES_PER_BATCH: usize = 64;

/// Returns a header line for the byte of a draw, or nothing for [`VerdictScale::EVEN`], so that older tables stay
/// valid.
fn scale_line(scale: VerdictScale) -> String {
    if scale == VerdictScale::EVEN {
        return String::new();
    }
    format!("draw {}\n", scale.draw())
}

/// Parses the output of [`scale_line`].
pub(super) fn parse_scale(line: &str) -> Option<VerdictScale> {
    VerdictScale::new(line.strip_prefix("draw ")?.parse().ok()?)
}

/// Writes a layer with known statistics atomically. Returns the length of the file in bytes.
pub fn write(
    folder: &Path,
    layer_id: &LayerId,
    ranking: &Ranking,
    layer: &dyn LayerSource,
    stats: &[LayerStats],
) -> Result<u64, EngineError> {
    let sets: Vec<usize> = (0..ranking.sets.len()).collect();
    let batches = sets.chunks(CUBES_PER_BATCH).map(|batch| {
        let compressed = batch
            .par_iter()
            .map(|&set| compress(layer, &layer.cube(set)?));
        compressed.collect::<Vec<_>>()
    });
    write_compressed(folder, layer_id, ranking, layer, stats, batches.flatten())
}

/// Writes a layer and counts its values.
pub(crate) fn write_counting(
    folder: &Path,
    layer_id: &LayerId,
    ranking: &Ranking,
    layer: &dyn LayerSource,
) -> Result<(u64, Vec<LayerStats>), EngineError> {
    // The header contains the counts, so all cubes are compressed before the first is written.
    let counts = Mutex::new(ValueCounts::zero(ranking));
    let sets = (0..ranking.sets.len()).into_par_iter();
    let compressed = sets.map(|set| {
        let cube = layer.cube(set)?;
        let more = ValueCounts::of(ranking, layer.blocks(), set, &cube);
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
    let chunk = blocks_per_chunk(blocks.len()) * BLOCK_BYTES;
    let mut text = layer_id.text(ranking, blocks, chunk) + &scale_line(layer.scale());
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
        let mut end = (position + 12).to_le_bytes().to_vec();
        append_checksum(&mut end);
        out.write_all(&end)
    })
}

/// Returns the number of blocks per chunk, for cubes of `blocks` blocks.
fn blocks_per_chunk(blocks: usize) -> usize {
    let needed = blocks.div_ceil(MAX_CHUNKS).next_power_of_two();
    needed.clamp(
        MIN_CHUNK_VALUES / BLOCK_BYTES,
        MAX_CHUNK_BYTES / BLOCK_BYTES,
    )
}

/// Compresses a cube.
fn compress(layer: &dyn LayerSource, cube: &[Word512]) -> Result<Vec<u8>, EngineError> {
    let blocks = layer.blocks();
    let chunk_blocks = blocks_per_chunk(blocks.len());
    let table_error = |error: io::Error| EngineError::failed(error.to_string());
    let mut compressor = zstd::bulk::Compressor::new(COMPRESSION_LEVEL).map_err(table_error)?;
    compressor.include_contentsize(false).map_err(table_error)?;
    let (mut index, mut body) = (Vec::new(), Vec::new());
    let layout = ValueLayout::new(blocks.goats.clone());
    let (mut buffer, mut values) = (Vec::new(), Vec::new());
    let outers = blocks.stored.chunks(chunk_blocks);
    let draws = layer.scale().all_draws();
    for (words, outers) in cube.chunks(chunk_blocks).zip(outers) {
        // Many chunks are all draws and need no ordering.
        let first = if words.iter().all(|word| *word == draws) {
            values.clear();
            layer.scale().draw()
        } else {
            layout.write(outers, words, &mut buffer, &mut values);
            values[0]
        };
        let is_uniform = values.iter().all(|byte| *byte == first);
        let compressed = if is_uniform {
            vec![first]
        } else {
            compressor.compress(&values).map_err(table_error)?
        };
        index.extend((compressed.len() as u32).to_le_bytes());
        index.extend(crc32fast::hash(&compressed).to_le_bytes());
        body.extend(compressed);
    }
    append_checksum(&mut index);
    index.extend(body);
    Ok(index)
}

pub(super) fn table_error(path: &Path, what: &str) -> EngineError {
    EngineError::new(format!("table {} {what}", path_name(path)))
}
