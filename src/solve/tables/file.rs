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
//! consists of that value
//! only; any other is a Zstandard frame.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::value_layout::ValueLayout;
use crate::durable::{self, FileFormat, append_checksum};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::Board;
use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
use crate::solve::bitset::blocks::Blocks;
use crate::solve::bitset::layer::{BLOCK, LayerSource, Scope};
use crate::solve::bitset::layer_stats::{LayerStats, ValueCounts};
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::verdict::VerdictScale;
use crate::solve::bitset::word512::Word512;

/// The format of table files and of ply journals.
pub const KIND: FileFormat = FileFormat {
    magic: *b"PuliTabl",
    version: 2,
};
/// Extension of table files.
pub const EXTENSION: &str = ".puli";
/// Extension of the checkpoint of an unfinished movement phase.
pub const PART: &str = ".part";

/// Values of a chunk, impossible ones included. Cubes with more than [`MAX_CHUNKS`] such chunks have larger ones.
/// Chunks four times as
/// large made files an eighth smaller and doubled the time of an uncached probe.
const CHUNK: usize = 64 * BLOCK;
/// Maximum chunks of a cube, unless they have the maximum size: a probe reads the offsets of all of them.
const MAX_CHUNKS: usize = 1 << 14;
/// Maximum values of a chunk.
pub(super) const MAX_CHUNK_BYTES: usize = 1 << 16;
/// Zstandard level. Level 1 already finds the long runs of most chunks; higher levels cost time and do not reduce the
/// size.
const COMPRESSION_LEVEL: i32 = 1;
/// Cubes that are compressed in parallel before they are written.
const BATCH: usize = 64;

/// Identifies a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerId {
    /// The solved game.
    pub scope: Scope,
    /// Goats in hand.
    pub hand: u32,
    /// `true` if tigers are to move.
    pub tigers_to_move: bool,
}

impl LayerId {
    /// Returns the layers of a game that have files, each after the layers that it depends on.
    pub fn stored(scope: Scope) -> impl Iterator<Item = Self> {
        let labels = (0..=scope.goats).flat_map(move |hand| {
            [false, true].map(|tigers_to_move| Self {
                scope,
                hand,
                tigers_to_move,
            })
        });
        labels.filter(Self::is_stored)
    }

    /// Returns the name of the layer's file.
    pub fn file_name(&self) -> String {
        format!(
            "{}-{:02}-{:02}{}{EXTENSION}",
            self.scope.board.name,
            self.scope.goats,
            self.hand,
            if self.tigers_to_move { 't' } else { 'g' }
        )
    }

    /// Returns the path of the layer's file.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(self.file_name())
    }

    /// Returns `true` if no position of the layer is reachable: tigers to move before the first placement.
    pub fn is_empty(&self) -> bool {
        self.scope
            .reachable_goats(self.hand, self.tigers_to_move)
            .is_empty()
    }

    /// Returns `true` if the layer has a file.
    ///
    /// Layers with goats to place have no file, except the first. Their values are the best over the placements, all
    /// in one cube, and
    /// their files would take two thirds of the disk space.
    pub fn is_stored(&self) -> bool {
        let follows = !self.tigers_to_move && (1..self.scope.goats).contains(&self.hand);
        !self.is_empty() && !follows
    }

    /// Returns the header's text. It describes the board's lines, so that a file of another board is rejected.
    pub(in crate::solve) fn text(
        &self,
        ranking: &Ranking,
        blocks: &Blocks,
        chunk: usize,
    ) -> String {
        let board = self.scope.board;
        let steps: Vec<String> = board.steps[..board.points]
            .iter()
            .map(|set| format!("{set:x}"))
            .collect();
        format!(
            "board {}\nsteps {}\n{}{}tigers {}\ngoats {}\ncaptures {}\nhand {}\nto-move {}\non-board {}-{}\nsets {}\ndigits {}\nblocks {}\nchunk {chunk}\ncodec zstd\n",
            board.name,
            steps.join(" "),
            lines_of(board),
            rules_of(board),
            board.tigers.count_ones(),
            self.scope.goats,
            self.scope.captures_to_win(),
            self.hand,
            if self.tigers_to_move {
                "tigers"
            } else {
                "goats"
            },
            blocks.goats.start(),
            blocks.goats.end(),
            ranking.sets.len(),
            ranking.dimensions,
            blocks.len(),
        )
    }

    /// Returns the path of the movement phase's checkpoint, which has the name of the layer with goats to move.
    pub fn path_of_stage(&self, folder: &Path) -> PathBuf {
        self.path(folder).with_extension(&PART[1..])
    }
}

/// Returns header lines for what steps do not determine: the points of leaps and the tigers' start.
///
/// Aadu Puli and Bagh Chal have no such lines, so that their first tables stay valid. Boards with their names and
/// other lines have
/// them.
fn lines_of(board: &Board) -> String {
    let known = [&*AADU_PULI, &*BAGH_CHAL];
    if known.iter().any(|known| {
        (&known.name, known.tigers) == (&board.name, board.tigers) && known.has_same_lines(board)
    }) {
        return String::new();
    }
    let mut leaps: Vec<String> = board
        .triples
        .iter()
        .map(|triple| {
            let [first, last] = triple.ends;
            let middle = triple.middle;
            format!("{}-{middle}-{}", first.min(last), first.max(last))
        })
        .collect();
    leaps.sort_unstable();
    format!("start {:x}\nleaps {}\n", board.tigers, leaps.join(" "))
}

/// Returns header lines for goat steps that differ from the tigers', and for passing goats. Empty for the usual rules.
fn rules_of(board: &Board) -> String {
    let mut rules = String::new();
    if board.goat_steps != board.steps {
        let steps = board.goat_steps[..board.points].iter();
        let steps: Vec<String> = steps.map(|set| format!("{set:x}")).collect();
        rules = format!("goat-steps {}\n", steps.join(" "));
    }
    if board.stuck_goats_pass {
        rules.push_str("stuck-goats pass\n");
    }
    rules
}

/// Returns a header line for the byte of a draw, or nothing for [`VerdictScale::EVEN`], so that older tables stay
/// valid.
fn line_of_scale(scale: VerdictScale) -> String {
    if scale == VerdictScale::EVEN {
        return String::new();
    }
    format!("draw {}\n", scale.draw())
}

/// Parses the output of [`line_of_scale`].
pub(super) fn scale_of(line: &str) -> Option<VerdictScale> {
    VerdictScale::new(line.strip_prefix("draw ")?.parse().ok()?)
}

/// Writes a layer with known statistics atomically. Returns the length of the file in bytes.
pub fn write(
    folder: &Path,
    label: &LayerId,
    ranking: &Ranking,
    layer: &dyn LayerSource,
    tallies: &[LayerStats],
) -> Result<u64, EngineError> {
    let sets: Vec<usize> = (0..ranking.sets.len()).collect();
    let batches = sets.chunks(BATCH).map(|batch| {
        let packed = batch.par_iter().map(|&set| pack(layer, &layer.cube(set)?));
        packed.collect::<Vec<_>>()
    });
    write_packed(folder, label, ranking, layer, tallies, batches.flatten())
}

/// Writes a layer and counts its values.
pub fn write_counting(
    folder: &Path,
    label: &LayerId,
    ranking: &Ranking,
    layer: &dyn LayerSource,
) -> Result<(u64, Vec<LayerStats>), EngineError> {
    // The header contains the counts, so all cubes are compressed before the first is written.
    let counts = Mutex::new(ValueCounts::none(ranking));
    let sets = (0..ranking.sets.len()).into_par_iter();
    let packed = sets.map(|set| {
        let cube = layer.cube(set)?;
        let more = ValueCounts::of(ranking, layer.blocks(), set, &cube);
        counts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(more);
        pack(layer, &cube)
    });
    let packed: Vec<Vec<u8>> = packed.collect::<Result<_, EngineError>>()?;
    let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    let tallies = counts.tallies(layer, label.tigers_to_move);
    let packed = packed.into_iter().map(Ok);
    let bytes = write_packed(folder, label, ranking, layer, &tallies, packed)?;
    Ok((bytes, tallies))
}

fn write_packed(
    folder: &Path,
    label: &LayerId,
    ranking: &Ranking,
    layer: &dyn LayerSource,
    tallies: &[LayerStats],
    packed: impl Iterator<Item = Result<Vec<u8>, EngineError>>,
) -> Result<u64, EngineError> {
    let blocks = layer.blocks();
    let chunk = blocks_of_chunk(blocks.len()) * BLOCK;
    let mut text = label.text(ranking, blocks, chunk) + &line_of_scale(layer.scale());
    for layer_stats in tallies {
        text += &format!("tally {layer_stats}\n");
    }
    durable::write(&label.path(folder), |draft| {
        let header = KIND.header(&text);
        draft.write_all(&header)?;
        let mut position = header.len() as u64;
        let mut beginnings = Vec::new();
        for cube in packed {
            let cube = cube.map_err(io::Error::other)?;
            beginnings.extend(position.to_le_bytes());
            draft.write_all(&cube)?;
            position += cube.len() as u64;
        }
        append_checksum(&mut beginnings);
        draft.write_all(&beginnings)?;
        position += beginnings.len() as u64;
        let mut end = (position + 12).to_le_bytes().to_vec();
        append_checksum(&mut end);
        draft.write_all(&end)
    })
}

/// Returns the number of blocks per chunk, for cubes of `blocks` blocks.
fn blocks_of_chunk(blocks: usize) -> usize {
    let needed = blocks.div_ceil(MAX_CHUNKS).next_power_of_two();
    needed.clamp(CHUNK / BLOCK, MAX_CHUNK_BYTES / BLOCK)
}

/// Compresses a cube.
fn pack(layer: &dyn LayerSource, cube: &[Word512]) -> Result<Vec<u8>, EngineError> {
    let blocks = layer.blocks();
    let chunk_blocks = blocks_of_chunk(blocks.len());
    let refuse = |error: io::Error| EngineError::failed(error.to_string());
    let mut compressor = zstd::bulk::Compressor::new(COMPRESSION_LEVEL).map_err(refuse)?;
    compressor.include_contentsize(false).map_err(refuse)?;
    let (mut index, mut body) = (Vec::new(), Vec::new());
    let order = ValueLayout::new(blocks.goats.clone());
    let (mut room, mut values) = (Vec::new(), Vec::new());
    let outers = blocks.kept.chunks(chunk_blocks);
    let draws = layer.scale().all_draws();
    for (words, outers) in cube.chunks(chunk_blocks).zip(outers) {
        // Many chunks are all draws and need no ordering.
        let first = if words.iter().all(|word| *word == draws) {
            values.clear();
            layer.scale().draw()
        } else {
            order.put(outers, words, &mut room, &mut values);
            values[0]
        };
        let is_uniform = values.iter().all(|byte| *byte == first);
        let compressed = if is_uniform {
            vec![first]
        } else {
            compressor.compress(&values).map_err(refuse)?
        };
        index.extend((compressed.len() as u32).to_le_bytes());
        index.extend(crc32fast::hash(&compressed).to_le_bytes());
        body.extend(compressed);
    }
    append_checksum(&mut index);
    index.extend(body);
    Ok(index)
}

pub(super) fn refuse(path: &Path, what: &str) -> EngineError {
    EngineError::new(format!("table {} {what}", path_name(path)))
}
