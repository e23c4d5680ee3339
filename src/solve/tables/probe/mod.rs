//! Probes the tables in a folder, with bounded caches.

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
use crate::solve::bitset::layer::Scope;
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::placement;
use crate::solve::bitset::rank::Ranking;

/// Size of the chunk cache in bytes, and number of cached answers of 8 bytes each: 64 MiB in total.
const CHUNK_BYTES: usize = 56 << 20;
const ANSWERS: usize = 1 << 20;

/// The available tables of one game.
#[derive(Debug)]
pub struct Tables {
    scope: Scope,
    ranking: Ranking,
    /// By goats in hand: with goats to move, with tigers to move.
    layers: Vec<[Option<LayerFile>; 2]>,
    chunks: ChunkCache,
    answers: AnswerCache,
    /// Idle unpackers: as many as threads that ever probed at once.
    unpackers: Mutex<Vec<Unpacker>>,
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

/// One cube of a layer during a probe.
struct Cube<'a> {
    layer: &'a LayerFile,
    set: usize,
    /// Read on the first cache miss.
    index: Option<Cow<'a, CubeIndex>>,
}

impl Tables {
    /// Opens a game's tables in a folder. Also returns the errors of unusable files.
    ///
    /// # Errors
    /// If no table is usable.
    pub fn open(
        folder: &Path,
        board: &'static Board,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        Self::open_within(folder, board, 0)
    }

    /// Opens tables with a chunk cache of at least `memory` bytes.
    pub(crate) fn open_within(
        folder: &Path,
        board: &'static Board,
        memory: u64,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let scope = scope_in(folder, board);
        let ranking = Ranking::new(board);
        let mut layers: Vec<[Option<LayerFile>; 2]> = Vec::new();
        layers.resize_with(scope.goats as usize + 1, Default::default);
        let (mut errors, mut missing) = (Vec::new(), Vec::new());
        for layer_id in LayerId::stored(scope) {
            match LayerFile::open(folder, layer_id, &ranking) {
                Ok(Some(file)) => {
                    // Missing layers after the last file are not solved yet; a gap before it is an error.
                    errors.append(&mut missing);
                    layers[layer_id.hand as usize][usize::from(layer_id.tigers_to_move)] =
                        Some(file);
                }
                Ok(None) => missing.push(table_error(&layer_id.path(folder), "is missing")),
                Err(error) => errors.push(error),
            }
        }
        let chunk = layers.iter().flatten().flatten();
        let Some(chunk) = chunk.map(LayerFile::max_chunk_values).max() else {
            return Err(errors.into_iter().next().unwrap_or_else(|| {
                EngineError::new(format!(
                    "no tables of {} in folder {}",
                    board.name,
                    path_name(folder)
                ))
            }));
        };
        let tables = Self {
            scope,
            ranking,
            layers,
            chunks: ChunkCache::new(CHUNK_BYTES.max(memory as usize) / chunk, chunk),
            answers: AnswerCache::new(ANSWERS),
            unpackers: Mutex::default(),
            hits: AtomicU64::new(0),
        };
        Ok((tables, errors))
    }

    /// Returns the numbering of positions.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Returns the available layers.
    pub fn layers(&self) -> impl Iterator<Item = &LayerFile> {
        self.layers.iter().flatten().flatten()
    }

    /// Returns the number of successful probes.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Returns the verdict on a position, or `None` if its layer is missing or the game is over.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn probe(&self, position: &Position) -> Result<Option<Verdict>, EngineError> {
        let hand = u32::from(position.hand);
        let arising = hand <= self.scope.goats
            && self
                .scope
                .reachable_goats(hand, position.tigers_to_move)
                .contains(&position.goats.count_ones());
        if !arising {
            return Ok(None);
        }
        let (set, number) = self.ranking.locate(position.tigers, position.goats);
        let verdict = self.verdict(hand, position.tigers_to_move, set, number)?;
        self.hits
            .fetch_add(u64::from(verdict.is_some()), Ordering::Relaxed);
        Ok(verdict)
    }

    /// Returns the verdict on a possible position by the indices of its tiger set and goat set.
    pub fn verdict(
        &self,
        hand: u32,
        tigers_to_move: bool,
        set: usize,
        number: u32,
    ) -> Result<Option<Verdict>, EngineError> {
        let side = u64::from(tigers_to_move);
        let key = ((u64::from(hand) << 1 | side) << 24 | set as u64) << 32 | u64::from(number);
        let mut byte = self.answers.get(key);
        if byte.is_none() {
            byte = self.look_up(hand, tigers_to_move, set, number)?;
            byte.inspect(|&byte| self.answers.put(key, byte));
        }
        Ok(byte.and_then(|byte| {
            let layer = self.layer_of(hand, tigers_to_move)?;
            Some(layer.scale.verdict(byte, tigers_to_move))
        }))
    }

    fn look_up(
        &self,
        hand: u32,
        tigers_to_move: bool,
        set: usize,
        number: u32,
    ) -> Result<Option<u8>, EngineError> {
        let Some(layer) = self.layer_of(hand, tigers_to_move) else {
            return Ok(None);
        };
        let index = None;
        let mut cube = Cube { layer, set, index };
        if layer.layer_id.hand == hand {
            return self.value(&mut cube, number).map(Some);
        }
        let value = |number| self.value(&mut cube, number);
        placement::value_before(layer.scale, self.ranking.dimensions, number, value).map(Some)
    }

    /// Returns the file that determines a layer: its own, or with goats to place that of the layer below.
    fn layer_of(&self, hand: u32, tigers_to_move: bool) -> Option<&LayerFile> {
        let file = |hand: u32, side: bool| self.layers[hand as usize][usize::from(side)].as_ref();
        let after = || (hand > 0 && !tigers_to_move).then(|| file(hand - 1, true));
        file(hand, tigers_to_move).or_else(|| after().flatten())
    }

    fn value(&self, cube: &mut Cube, number: u32) -> Result<u8, EngineError> {
        let (chunk, at) = cube.layer.find(number);
        let layer_id = &cube.layer.layer_id;
        let layer = u64::from(layer_id.hand) << 1 | u64::from(layer_id.tigers_to_move);
        let key = (layer << 24 | cube.set as u64) << 32 | chunk as u64;
        self.chunks.value(key, at, |values| {
            let mut unpacker = self.unpackers().pop().unwrap_or_default();
            let read = cube.read(chunk, &mut unpacker, values);
            self.unpackers().push(unpacker);
            read
        })
    }

    fn unpackers(&self) -> std::sync::MutexGuard<'_, Vec<Unpacker>> {
        self.unpackers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the game whose tables serve this board. If all goats must be captured, earlier captures do not matter, so
/// tables with fewer goats also serve: the largest number in the folder is used.
fn scope_in(folder: &Path, board: &'static Board) -> Scope {
    let whole = board.goats;
    let fewest = if board.captures_to_win < whole {
        whole
    } else {
        1
    };
    let mut scopes = (fewest..=whole).rev().map(|goats| Scope { board, goats });
    let is_there =
        |scope: &Scope| LayerId::stored(*scope).any(|layer_id| layer_id.path(folder).exists());
    let goats = whole;
    scopes.find(is_there).unwrap_or(Scope { board, goats })
}

impl Cube<'_> {
    fn read(
        &mut self,
        chunk: usize,
        unpacker: &mut Unpacker,
        values: &mut [u8],
    ) -> Result<Content, EngineError> {
        let index = match self.index.take() {
            Some(index) => index,
            None => self.layer.index(self.set)?,
        };
        let read = self
            .layer
            .chunk((self.set, &index), chunk, unpacker, values);
        self.index = Some(index);
        read
    }
}

#[cfg(test)]
mod tests;
