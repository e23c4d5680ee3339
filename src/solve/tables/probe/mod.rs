//! Probes the tables of a game: looks up the verdicts on single positions in the files of a folder.
//!
//! A probe first tries the cache of answers, then the cache of unpacked chunks, then the file. Layers with goats to
//! move and some in hand have no file (see `LayerId::is_stored`). Their values are the best values after a placement.

use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::cache::{AnswerCache, ChunkCache};
use super::cube_index::CubeIndex;
use super::file::table_error;
use super::reader::LayerFile;
use super::unpacker::{Content, Unpacker};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::{Board, Hunt, Position};
use crate::oracle::Oracle;
use crate::oracle::Verdict;
use crate::solve::bitset::layer::TableGame;
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::placement;
use crate::solve::bitset::rank::Ranking;

/// Minimum size of the chunk cache in bytes. Together with the cache of answers, it takes 64 MiB.
const CHUNK_CACHE_BYTES: usize = 56 << 20;
/// Number of cached answers. An answer is the value of one position and takes 8 bytes.
const CACHED_ANSWERS: usize = 1 << 20;

/// The table files of one game that exist and are usable.
#[derive(Debug)]
pub struct Tables {
    table_game: TableGame,
    ranking: Ranking,
    /// Indexed by goats in hand: the file with goats to move, and the file with tigers to move.
    layers: Vec<[Option<LayerFile>; 2]>,
    chunks: ChunkCache,
    answers: AnswerCache,
    /// Unused unpackers. A thread takes an unpacker and returns it after unpacking.
    idle_unpackers: Mutex<Vec<Unpacker>>,
    hits: AtomicU64,
}

impl Oracle<Hunt> for Tables {
    fn probe(&self, position: &Position) -> Result<Option<Verdict>, EngineError> {
        self.probe(position)
    }

    fn hits(&self) -> u64 {
        self.hits()
    }
}

/// The cube of a layer that a probe reads: the values for one tiger set.
struct Cube<'a> {
    layer: &'a LayerFile,
    tiger_set: usize,
    /// The index of the cube's chunks. It is read at the first chunk that is not in the cache.
    index: Option<Cow<'a, CubeIndex>>,
}

impl Tables {
    /// Opens the tables of a board's game in `folder`. Also returns the errors of unusable files.
    ///
    /// # Errors
    /// If no file is usable.
    pub fn open(
        folder: &Path,
        board: &'static Board,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        Self::open_within(folder, board, 0)
    }

    /// Opens tables like [`Tables::open`], with a chunk cache of at least `memory` bytes.
    pub(crate) fn open_within(
        folder: &Path,
        board: &'static Board,
        memory: u64,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let table_game = find_table_game(folder, board);
        let ranking = Ranking::new(board);
        let mut layers: Vec<[Option<LayerFile>; 2]> = Vec::new();
        layers.resize_with(table_game.goats as usize + 1, Default::default);
        let (mut errors, mut missing) = (Vec::new(), Vec::new());
        for layer_id in LayerId::stored(table_game) {
            match LayerFile::open(folder, layer_id, &ranking) {
                Ok(Some(file)) => {
                    // Layers are in solving order: a missing layer before an existing file is an error. Layers after
                    // the last file are not solved yet.
                    errors.append(&mut missing);
                    layers[layer_id.hand as usize][usize::from(layer_id.tigers_to_move)] =
                        Some(file);
                }
                Ok(None) => missing.push(table_error(&layer_id.path(folder), "is missing")),
                Err(error) => errors.push(error),
            }
        }
        let files = layers.iter().flatten().flatten();
        let Some(chunk_size) = files.map(LayerFile::max_chunk_values).max() else {
            return Err(errors.into_iter().next().unwrap_or_else(|| {
                EngineError::new(format!(
                    "no tables of {} in folder {}",
                    board.name,
                    path_name(folder)
                ))
            }));
        };
        let tables = Self {
            table_game,
            ranking,
            layers,
            chunks: ChunkCache::new(
                CHUNK_CACHE_BYTES.max(memory as usize) / chunk_size,
                chunk_size,
            ),
            answers: AnswerCache::new(CACHED_ANSWERS),
            idle_unpackers: Mutex::default(),
            hits: AtomicU64::new(0),
        };
        Ok((tables, errors))
    }

    /// Returns the numbering of the board's positions.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Returns the usable files.
    pub fn layers(&self) -> impl Iterator<Item = &LayerFile> {
        self.layers.iter().flatten().flatten()
    }

    /// Returns the number of successful probes.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Returns the verdict on a position. Returns `None` if the file of its layer is missing, or if the position cannot
    /// occur, for example with too many captured goats or with a goat outside its zone.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn probe(&self, position: &Position) -> Result<Option<Verdict>, EngineError> {
        let hand = u32::from(position.hand);
        let is_possible = hand <= self.table_game.goats
            && position.goats & !self.table_game.board.zone == 0
            && self
                .table_game
                .reachable_goats(hand, position.tigers_to_move)
                .contains(&position.goats.count_ones());
        if !is_possible {
            return Ok(None);
        }
        let (tiger_set, goat_set) = self.ranking.locate(position.tigers, position.goats);
        let verdict = self.verdict(hand, position.tigers_to_move, tiger_set, goat_set)?;
        self.hits
            .fetch_add(u64::from(verdict.is_some()), Ordering::Relaxed);
        Ok(verdict)
    }

    /// Returns the verdict on a position given by the indices of its tiger set and its goat set. The number of goats
    /// must occur in the layer. Returns `None` if the file of the layer is missing.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn verdict(
        &self,
        hand: u32,
        tigers_to_move: bool,
        tiger_set: usize,
        goat_set: u32,
    ) -> Result<Option<Verdict>, EngineError> {
        let side = u64::from(tigers_to_move);
        let key =
            ((u64::from(hand) << 1 | side) << 24 | tiger_set as u64) << 32 | u64::from(goat_set);
        let mut byte = self.answers.get(key);
        if byte.is_none() {
            byte = self.read_value(hand, tigers_to_move, tiger_set, goat_set)?;
            byte.inspect(|&byte| self.answers.put(key, byte));
        }
        Ok(byte.and_then(|byte| {
            let layer = self.layer_file(hand, tigers_to_move)?;
            Some(layer.encoding.verdict(byte, tigers_to_move))
        }))
    }

    /// Returns the byte of a position from the chunk cache or the file, or `None` if the file is missing.
    fn read_value(
        &self,
        hand: u32,
        tigers_to_move: bool,
        tiger_set: usize,
        goat_set: u32,
    ) -> Result<Option<u8>, EngineError> {
        let Some(layer) = self.layer_file(hand, tigers_to_move) else {
            return Ok(None);
        };
        let index = None;
        let mut cube = Cube {
            layer,
            tiger_set,
            index,
        };
        if layer.layer_id.hand == hand {
            // The layer has its own file.
            return self.value(&mut cube, goat_set).map(Some);
        }
        let value = |goat_set| self.value(&mut cube, goat_set);
        placement::value_before(layer.encoding, self.ranking.dimensions, goat_set, value).map(Some)
    }

    /// Returns the file that determines the values of a layer: its own file, if it exists. For a layer with goats
    /// to move and some in hand, the alternative is the file with tigers to move and one goat fewer in hand.
    fn layer_file(&self, hand: u32, tigers_to_move: bool) -> Option<&LayerFile> {
        let file = |hand: u32, side: bool| self.layers[hand as usize][usize::from(side)].as_ref();
        let after = || (hand > 0 && !tigers_to_move).then(|| file(hand - 1, true));
        file(hand, tigers_to_move).or_else(|| after().flatten())
    }

    /// Returns the byte of a goat set in a cube, from the chunk cache or the file.
    fn value(&self, cube: &mut Cube, goat_set: u32) -> Result<u8, EngineError> {
        let (chunk, index) = cube.layer.find(goat_set);
        let layer_id = &cube.layer.layer_id;
        let layer = u64::from(layer_id.hand) << 1 | u64::from(layer_id.tigers_to_move);
        let key = (layer << 24 | cube.tiger_set as u64) << 32 | chunk as u64;
        self.chunks.value(key, index, |values| {
            let mut unpacker = self.unpackers().pop().unwrap_or_default();
            let read = cube.read(chunk, &mut unpacker, values);
            self.unpackers().push(unpacker);
            read
        })
    }

    fn unpackers(&self) -> std::sync::MutexGuard<'_, Vec<Unpacker>> {
        self.idle_unpackers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Finds the tables in `folder` that apply to `board`.
///
/// Their number of goats is usually the board's. If the tigers must capture all goats to win, verdicts do not depend on
/// earlier captures. So tables with fewer goats contain the later positions of the game. Among several such tables, the
/// tables with the most goats are used.
fn find_table_game(folder: &Path, board: &'static Board) -> TableGame {
    let all_goats = board.goats;
    let min_goats = if board.captures_to_win < all_goats {
        all_goats
    } else {
        1
    };
    let mut table_games = (min_goats..=all_goats)
        .rev()
        .map(|goats| TableGame { board, goats });
    let has_files = |table_game: &TableGame| {
        LayerId::stored(*table_game).any(|layer_id| layer_id.path(folder).exists())
    };
    let goats = all_goats;
    table_games
        .find(has_files)
        .unwrap_or(TableGame { board, goats })
}

impl Cube<'_> {
    /// Unpacks a chunk of this cube to the start of `values`. See [`LayerFile::chunk`].
    fn read(
        &mut self,
        chunk: usize,
        unpacker: &mut Unpacker,
        values: &mut [u8],
    ) -> Result<Content, EngineError> {
        let index = match self.index.take() {
            Some(index) => index,
            None => self.layer.index(self.tiger_set)?,
        };
        let read = self
            .layer
            .chunk((self.tiger_set, &index), chunk, unpacker, values);
        self.index = Some(index);
        read
    }
}

#[cfg(test)]
mod tests;
