//! A journal file of the positions that the analysis of the movement phase finds in each ply. The table files are
//! written from the journal one cube at a time, so a layer need not fit in memory.
//!
//! A [`Journal`] is a file with a header and entries, each with a checksum. Here, an entry contains the positions of
//! one tiger set that one side wins in one number of plies. Numbers in the file are little-endian:
//!
//! ```text
//! winner (u8: 1 for the tigers), plies (u32), tiger set (u32), bytes that follow (u64), unpacked size (u64)
//! for every word that is not zero:
//!     number of zero words skipped before it: seven bits per byte, lowest first, the high bit set except in the last
//!     mask of its eight lanes that are not zero (u8)
//!     for each of these lanes: mask of its eight bytes that are not zero (u8), and these bytes
//! ```
//! If the words take more than 4,096 bytes, they are compressed into a Zstandard frame.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::blocks::Blocks;
use super::layer::{self, BLOCK_DIGITS, LayerSource, TableGame};
use super::layer_id::{LayerId, TABLE_FORMAT};
use super::packed::{Unpacked, pack};
use super::rank::Ranking;
use super::verdict::{MAX_HALF_PLIES, VerdictEncoding, encode};
use super::wins::PlyWins;
use super::word512::{DIMENSIONS, Word512};
use crate::durable::compression::{Compressor, Decompressor};
use crate::durable::{CHECKSUM_BYTES, Journal};
use crate::error::EngineError;
use crate::processor;
use crate::value::Side;

/// Extension of the journal's file name.
pub(crate) const JOURNAL_EXTENSION: &str = ".plies";

/// Number of bytes of an entry before its words.
const HEAD_BYTES: usize = 1 + 4 + 4 + 8 + 8;
/// Maximum size in bytes of words that are not compressed: compressing so few bytes takes more time than it saves.
const MAX_UNCOMPRESSED_BYTES: usize = 1 << 12;
/// Zstandard level: 1, the fastest of the regular levels. It halves the size.
const COMPRESSION_LEVEL: i32 = 1;

/// A journal being written, with an index of its entries.
#[derive(Debug)]
pub struct PlyJournal {
    journal: Journal,
    /// The entries with goats to move and with tigers to move, each indexed by tiger set.
    entries: [Vec<Vec<Entry>>; 2],
    /// The largest byte of a win of the tigers, and the smallest byte of a win of the goats. These bytes encode the
    /// longest wins.
    longest: [u8; 2],
}

/// The place of an entry in the file, and the value of its positions.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The byte that encodes the verdict on the positions.
    byte: u8,
    /// Offset in the file, in bytes.
    offset: u64,
    /// Length in the file without the checksum, in bytes.
    length: u64,
    /// Size of the words after decompression, in bytes.
    unpacked: u64,
}

/// The first part of an entry, which has [`HEAD_BYTES`] bytes.
struct Head {
    winner: Side,
    plies: u32,
    /// Index of the tiger set.
    set: u32,
    /// Number of bytes that follow the head.
    length: u64,
    /// Size of the words after decompression, in bytes.
    unpacked: u64,
}

impl Head {
    /// Returns the head as bytes.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![u8::from(self.winner == Side::P2)];
        bytes.extend(self.plies.to_le_bytes());
        bytes.extend(self.set.to_le_bytes());
        bytes.extend(self.length.to_le_bytes());
        bytes.extend(self.unpacked.to_le_bytes());
        bytes
    }

    /// Parses the bytes of a head. Returns `None` if they are too few or the winner is invalid.
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
    /// Returns the path of the journal: the table file of `layer_id`, with another extension.
    pub fn path(folder: &Path, layer_id: &LayerId) -> PathBuf {
        layer_id
            .path(folder)
            .with_extension(&JOURNAL_EXTENSION[1..])
    }

    /// Creates a new journal if `length` is `None`. Otherwise opens the existing journal, whose length at the
    /// checkpoint was `length` bytes.
    ///
    /// # Errors
    /// If the file cannot be created or read, belongs to another game or is damaged.
    pub fn open(
        folder: &Path,
        layer_id: &LayerId,
        ranking: &Ranking,
        blocks: &Blocks,
        length: Option<u64>,
    ) -> Result<Self, EngineError> {
        let path = Self::path(folder, layer_id);
        let text = layer_id.text(ranking, blocks, 0);
        let (journal, first_entry) = match length {
            None => (Journal::create(&path, TABLE_FORMAT, &text)?, None),
            Some(length) => {
                let (journal, first_entry) = Journal::resume(&path, TABLE_FORMAT, &text, length)?;
                (journal, Some(first_entry))
            }
        };
        let sets = ranking.sets.len();
        let mut ply_journal = Self {
            journal,
            entries: [vec![Vec::new(); sets], vec![Vec::new(); sets]],
            longest: [u8::MIN, u8::MAX],
        };
        if let Some(offset) = first_entry {
            ply_journal.index_entries(offset)?;
        }
        Ok(ply_journal)
    }

    /// Checks all entries that begin at `offset` or later, and adds them to the index.
    fn index_entries(&mut self, mut offset: u64) -> Result<(), EngineError> {
        while offset < self.journal.length() {
            let damaged = || self.journal.error("is damaged");
            let head = self.journal.read(offset, HEAD_BYTES)?;
            let head = head.as_deref().and_then(Head::read).ok_or_else(damaged)?;
            let length = head.length.saturating_add(HEAD_BYTES as u64);
            let entry = self.journal.entry(offset, length)?;
            if entry.is_none() || head.set as usize >= self.entries[0].len() {
                return Err(damaged());
            }
            self.add_entry(&head, offset)?;
            offset += length + CHECKSUM_BYTES as u64;
        }
        Ok(())
    }

    /// Returns the length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.journal.length()
    }

    /// Flushes the file to the disk.
    ///
    /// # Errors
    /// If the system reports an error.
    pub fn sync(&self) -> Result<(), EngineError> {
        self.journal.sync()
    }

    /// Keeps the file on the disk when the journal is dropped, so that another run can resume from it.
    pub fn keep(&mut self) {
        self.journal.keep();
    }

    /// Removes the journal file of an earlier run that was killed after writing its tables.
    pub fn sweep(folder: &Path, layer_id: &LayerId) {
        Journal::remove_at(&Self::path(folder, layer_id), TABLE_FORMAT);
    }

    /// Removes the file.
    pub fn remove(self) {
        self.journal.remove();
    }

    /// Appends the positions of one ply.
    ///
    /// # Errors
    /// If the file cannot be written, or if no [`VerdictEncoding`] has enough bytes for the longest wins of both sides.
    pub fn add(&mut self, found: &PlyWins) -> Result<(), EngineError> {
        let sets = found.positions.par_iter().enumerate();
        let sets = sets.filter(|(_, positions)| !positions.is_empty());
        let compressor = || Compressor::new(COMPRESSION_LEVEL);
        let packed = sets.map_init(compressor, |compressor, (set, positions)| {
            let positions = positions.to_sparse()?;
            let mut words = pack(&positions.outers, &positions.words);
            let unpacked = words.len() as u64;
            if words.len() > MAX_UNCOMPRESSED_BYTES {
                words = compressor
                    .as_mut()
                    .map_err(|error| error.kind().into())
                    .and_then(|compressor| compressor.compress(&words))
                    .map_err(|error: io::Error| self.journal.error(&error.to_string()))?;
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
        let packed: Result<Vec<(Head, Vec<u8>)>, EngineError> = packed.collect();
        let (heads, entries): (Vec<Head>, Vec<Vec<u8>>) = packed?.into_iter().unzip();
        let offsets = self.journal.append(entries)?;
        for (head, offset) in heads.iter().zip(offsets) {
            self.add_entry(head, offset)?;
        }
        Ok(())
    }

    /// Adds an entry at `offset` to the index.
    fn add_entry(&mut self, head: &Head, offset: u64) -> Result<(), EngineError> {
        let (winner, half_plies) = (head.winner, head.plies / 2);
        let tigers_to_move = (winner == Side::P2) == (head.plies % 2 == 1);
        let byte = encode(winner, tigers_to_move, half_plies);
        let [max_tigers, min_goats] = &mut self.longest;
        if winner == Side::P2 {
            *max_tigers = byte.max(*max_tigers);
        } else {
            *min_goats = byte.min(*min_goats);
        }
        if half_plies > MAX_HALF_PLIES || VerdictEncoding::fitting(self.longest).is_none() {
            return Err(EngineError::failed(format!(
                "wins of the tigers in up to {} plies and of the goats in up to {} are together more than tables can store",
                2 * u32::from(self.longest[0]),
                2 * u32::from(u8::MAX - self.longest[1])
            )));
        }
        self.entries[usize::from(tigers_to_move)][head.set as usize].push(Entry {
            byte,
            offset,
            length: head.length + HEAD_BYTES as u64,
            unpacked: head.unpacked,
        });
        Ok(())
    }

    /// Returns the values of the layer with the given side to move, as far as the journal contains them.
    pub fn layer<'a>(
        &'a self,
        ranking: &'a Ranking,
        table_game: &TableGame,
        tigers_to_move: bool,
    ) -> JournalLayer<'a> {
        JournalLayer {
            ply_journal: self,
            ranking,
            entries: &self.entries[usize::from(tigers_to_move)],
            blocks: layer::blocks(ranking, table_game.on_board(0)),
        }
    }
}

/// The values of a layer, read from a journal. Positions that the journal does not contain are draws.
#[derive(Debug)]
pub struct JournalLayer<'a> {
    ply_journal: &'a PlyJournal,
    ranking: &'a Ranking,
    entries: &'a [Vec<Entry>],
    blocks: Blocks,
}

impl LayerSource for JournalLayer<'_> {
    fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    fn encoding(&self) -> VerdictEncoding {
        VerdictEncoding::fitting(self.ply_journal.longest).unwrap_or(VerdictEncoding::EVEN)
    }

    fn fill(&self, set: usize, cube: &mut [Word512]) -> Result<(), EngineError> {
        let journal = &self.ply_journal.journal;
        let damaged = || journal.error("is damaged");
        let used_blocks = self.blocks.used(self.ranking.sets[set].used_digits());
        let (used, unused) = cube.split_at_mut(used_blocks.len());
        used.fill(self.encoding().all_draws());
        unused.fill(Word512::NONE);
        let error = |error: io::Error| journal.error(&error.to_string());
        let mut decompressor = Decompressor::new().map_err(error)?;
        for entry in &self.entries[set] {
            let bytes = journal.entry(entry.offset, entry.length)?;
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

/// Sets the values of `positions`, a word with one bit per goat set, to `byte`. `outer` is the number of the word's
/// block. `values` is the stored blocks of a cube with one byte per goat set.
#[inline(always)]
fn set_values(blocks: &Blocks, values: &mut [Word512], outer: u32, positions: &Word512, byte: u8) {
    for (lane, &bits) in positions.0.iter().enumerate() {
        let block = outer << (DIMENSIONS - BLOCK_DIGITS) | lane as u32;
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
