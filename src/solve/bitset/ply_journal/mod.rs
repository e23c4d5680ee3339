//! A journal of the positions found in each ply of the movement phase. Tables are made from it one cube at a time, so
//! values need not be in memory.
//!
//! The file ([`Journal`]) has an entry for every ply and tiger set with positions:
//!
//! ```text
//! winner (u8), plies (u32), tiger set (u32), bytes that follow (u64), their unpacked size (u64)     (little-endian)
//! every nonempty word: words skipped since the last one (digits of seven bits, lowest first, all but the last with the
//! high bit);
//!     mask of its eight lanes that are not zero; for each of them the mask of its nonzero bytes, and these bytes
//! ```
//! The words are a Zstandard frame if they have more than 4,096 bytes.

mod packed;

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use zstd::bulk::{Compressor, Decompressor};

use self::packed::{Unpacked, pack};
use super::blocks::Blocks;
use super::layer::{self, BLOCK_DIMENSIONS, LayerSource, Scope};
use super::layer_id::{LayerId, TABLE_FORMAT};
use super::rank::Ranking;
use super::verdict::{MAX_HALF_PLIES, VerdictScale, encode};
use super::wins::PlyWins;
use super::word512::{DIMENSIONS, Word512};
use crate::durable::{CHECKSUM_BYTES, Journal};
use crate::error::EngineError;
use crate::processor;
use crate::value::Side;

/// Extension of the journal's file name.
pub(crate) const JOURNAL_EXTENSION: &str = ".plies";

/// Bytes of an entry before its words.
const HEAD_BYTES: usize = 1 + 4 + 4 + 8 + 8;
/// Maximum bytes of words that are not compressed. Compressing fewer bytes costs more time than it saves.
const MAX_UNCOMPRESSED_BYTES: usize = 1 << 12;
/// Zstandard level. The fastest level halves the size.
const COMPRESSION_LEVEL: i32 = 1;

/// A journal being written, with an index of its entries.
#[derive(Debug)]
pub struct PlyJournal {
    journal: Journal,
    /// Entries with goats to move and with tigers to move, by tiger set.
    entries: [Vec<Vec<Entry>>; 2],
    /// The byte of the tigers' longest win, and of the goats'.
    longest: [u8; 2],
}

/// The positions of one ply and tiger set.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Their value.
    byte: u8,
    /// Offset in the file, in bytes.
    position: u64,
    /// Length in the file, in bytes.
    length: u64,
    /// Size of the unpacked words, in bytes.
    unpacked: u64,
}

/// The head of an entry.
struct Head {
    winner: Side,
    plies: u32,
    set: u32,
    /// Bytes that follow.
    length: u64,
    /// Bytes of the words after decompression.
    unpacked: u64,
}

impl Head {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![u8::from(self.winner == Side::P2)];
        bytes.extend(self.plies.to_le_bytes());
        bytes.extend(self.set.to_le_bytes());
        bytes.extend(self.length.to_le_bytes());
        bytes.extend(self.unpacked.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (winner, rest) = bytes.split_first()?;
        let (plies, rest) = rest.split_first_chunk()?;
        let (set, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (unpacked, _) = rest.split_first_chunk()?;
        Some(Self {
            winner: match winner {
                0 => Side::P1,
                1 => Side::P2,
                _ => return None,
            },
            plies: u32::from_le_bytes(*plies),
            set: u32::from_le_bytes(*set),
            length: u64::from_le_bytes(*length),
            unpacked: u64::from_le_bytes(*unpacked),
        })
    }
}

impl PlyJournal {
    /// Returns the path of the journal for a game's tables.
    pub fn path(folder: &Path, layer_id: &LayerId) -> PathBuf {
        layer_id
            .path(folder)
            .with_extension(&JOURNAL_EXTENSION[1..])
    }

    /// Creates the journal of a game, or resumes one that had `length` bytes at its checkpoint.
    pub fn open(
        folder: &Path,
        layer_id: &LayerId,
        ranking: &Ranking,
        blocks: &Blocks,
        length: Option<u64>,
    ) -> Result<Self, EngineError> {
        let path = Self::path(folder, layer_id);
        let text = layer_id.text(ranking, blocks, 0);
        let (journal, offset) = match length {
            None => (Journal::create(&path, TABLE_FORMAT, &text)?, None),
            Some(length) => {
                let (journal, offset) = Journal::resume(&path, TABLE_FORMAT, &text, length)?;
                (journal, Some(offset))
            }
        };
        let sets = ranking.sets.len();
        let mut plies = Self {
            journal,
            entries: [vec![Vec::new(); sets], vec![Vec::new(); sets]],
            longest: [u8::MIN, u8::MAX],
        };
        if let Some(offset) = offset {
            plies.index_entries(offset)?;
        }
        Ok(plies)
    }

    /// Checks all entries from offset `offset` on and adds them to the index.
    fn index_entries(&mut self, offset: u64) -> Result<(), EngineError> {
        let mut position = offset;
        while position < self.journal.length() {
            let damaged = || self.journal.error("is damaged");
            let head = self.journal.read(position, HEAD_BYTES)?;
            let head = head.as_deref().and_then(Head::read).ok_or_else(damaged)?;
            let length = head.length.saturating_add(HEAD_BYTES as u64);
            let entry = self.journal.entry(position, length)?;
            if entry.is_none() || head.set as usize >= self.entries[0].len() {
                return Err(damaged());
            }
            self.add_entry(&head, position)?;
            position += length + CHECKSUM_BYTES as u64;
        }
        Ok(())
    }

    /// Returns the length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.journal.length()
    }

    /// Flushes the file to the disk.
    pub fn sync(&self) -> Result<(), EngineError> {
        self.journal.sync()
    }

    /// Keeps the file after the run, so that another run can resume.
    pub fn keep(&mut self) {
        self.journal.keep();
    }

    /// Removes the journal of a run that was killed after it had written its tables.
    pub fn sweep(folder: &Path, layer_id: &LayerId) {
        Journal::remove_at(&Self::path(folder, layer_id), TABLE_FORMAT);
    }

    /// Removes the file.
    pub fn remove(self) {
        self.journal.remove();
    }

    /// Adds the positions of one ply.
    ///
    /// # Errors
    /// If wins become longer than tables can store, both sides' together, or if the file cannot be written.
    pub fn add(&mut self, found: &PlyWins) -> Result<(), EngineError> {
        let sets = found.positions.par_iter().enumerate();
        let sets = sets.filter(|(_, positions)| !positions.is_empty());
        let compressor = || Compressor::new(COMPRESSION_LEVEL);
        let packed = sets.map_init(compressor, |compressor, (set, positions)| {
            let mut words = pack(positions);
            let unpacked = words.len() as u64;
            if words.len() > MAX_UNCOMPRESSED_BYTES {
                let compressor = compressor.as_mut().map_err(|error| error.kind())?;
                words = compressor.compress(&words)?;
            }
            let head = Head {
                winner: found.winner,
                plies: found.plies,
                set: set as u32,
                length: words.len() as u64,
                unpacked,
            };
            let mut entry = head.bytes();
            entry.extend(words);
            Ok((head, entry))
        });
        let packed: io::Result<Vec<(Head, Vec<u8>)>> = packed.collect();
        let packed = packed.map_err(|error| self.journal.error(&error.to_string()))?;
        let (heads, entries): (Vec<Head>, Vec<Vec<u8>>) = packed.into_iter().unzip();
        let positions = self.journal.append(entries)?;
        for (head, position) in heads.iter().zip(positions) {
            self.add_entry(head, position)?;
        }
        Ok(())
    }

    fn add_entry(&mut self, head: &Head, position: u64) -> Result<(), EngineError> {
        let (winner, half) = (head.winner, head.plies / 2);
        let tigers_to_move = (winner == Side::P2) == (head.plies % 2 == 1);
        let byte = encode(winner, tigers_to_move, half);
        let [tigers, goats] = &mut self.longest;
        if winner == Side::P2 {
            *tigers = byte.max(*tigers);
        } else {
            *goats = byte.min(*goats);
        }
        if half > MAX_HALF_PLIES || VerdictScale::fitting(self.longest).is_none() {
            return Err(EngineError::failed(format!(
                "wins of the tigers in up to {} plies and of the goats in up to {} are together more than tables can say",
                2 * u32::from(self.longest[0]),
                2 * u32::from(u8::MAX - self.longest[1])
            )));
        }
        self.entries[usize::from(tigers_to_move)][head.set as usize].push(Entry {
            byte,
            position,
            length: head.length + HEAD_BYTES as u64,
            unpacked: head.unpacked,
        });
        Ok(())
    }

    /// Returns the values, known so far, of the layer with this side to move.
    pub fn layer(
        &self,
        ranking: &Ranking,
        scope: &Scope,
        tigers_to_move: bool,
    ) -> JournalLayer<'_> {
        JournalLayer {
            plies: self,
            entries: &self.entries[usize::from(tigers_to_move)],
            blocks: layer::blocks(ranking, scope.on_board(0)),
        }
    }
}

/// The values of a layer as far as the journal records them. Other positions are draws.
#[derive(Debug)]
pub struct JournalLayer<'a> {
    plies: &'a PlyJournal,
    entries: &'a [Vec<Entry>],
    blocks: Blocks,
}

impl LayerSource for JournalLayer<'_> {
    fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    fn scale(&self) -> VerdictScale {
        VerdictScale::fitting(self.plies.longest).unwrap_or(VerdictScale::EVEN)
    }

    fn fill(&self, set: usize, cube: &mut [Word512]) -> Result<(), EngineError> {
        let journal = &self.plies.journal;
        let damaged = || journal.error("is damaged");
        cube.fill(self.scale().all_draws());
        let error = |error: io::Error| journal.error(&error.to_string());
        let mut decompressor = Decompressor::new().map_err(error)?;
        for entry in &self.entries[set] {
            let bytes = journal.entry(entry.position, entry.length)?;
            let bytes = bytes.ok_or_else(damaged)?;
            let mut words = Cow::Borrowed(&bytes[HEAD_BYTES..]);
            if entry.unpacked > MAX_UNCOMPRESSED_BYTES as u64 {
                let unpacked = decompressor.decompress(&words, entry.unpacked as usize);
                words = Cow::Owned(unpacked.map_err(|_| damaged())?);
            }
            let mut words = Unpacked::new(&words);
            processor::run(
                #[inline(always)]
                || {
                    for (outer, word) in &mut words {
                        set_values(&self.blocks, cube, outer, &word, entry.byte);
                    }
                },
            );
            if !words.is_exhausted() {
                return Err(damaged());
            }
        }
        Ok(())
    }
}

/// Sets the values of the positions in a word of bits to `byte`.
#[inline(always)]
fn set_values(blocks: &Blocks, values: &mut [Word512], outer: u32, positions: &Word512, byte: u8) {
    for (lane, &bits) in positions.0.iter().enumerate() {
        let block = outer << (DIMENSIONS - BLOCK_DIMENSIONS) | lane as u32;
        if let Some(place) = (bits != 0).then(|| blocks.find(block)).flatten() {
            let values = values[place].bytes_mut();
            let mut bits = bits;
            while bits != 0 {
                values[bits.trailing_zeros() as usize] = byte;
                bits &= bits - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
