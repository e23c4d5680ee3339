//! Asking solved tables: the layers of a folder, and a bounded cache of the chunks read last.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::cache::{Answers, Chunks};
use super::file::{CHUNK, Label};
use super::layer::Scope;
use super::oracle::Oracle;
use super::rank::Ranking;
use super::reader::{CubeIndex, LayerFile};
use super::unpacker::Unpacker;
use super::verdict::{DRAW, Verdict};
use crate::error::Refusal;
use crate::games::hunt::{Board, Hunt, Position};

/// Bytes of chunks that are kept unpacked, and answers kept at 8 bytes each: 64 MiB in all.
const CHUNK_BYTES: usize = 56 << 20;
const ANSWERS: usize = 1 << 20;

/// The tables of one game, as far as they are there.
#[derive(Debug)]
pub struct Tables {
    scope: Scope,
    ranking: Ranking,
    /// By goats in hand: goats to move, tigers to move.
    layers: Vec<[Option<LayerFile>; 2]>,
    chunks: Chunks,
    answers: Answers,
    /// Those not in use: as many as threads have ever asked at once.
    unpackers: Mutex<Vec<Unpacker>>,
    hits: AtomicU64,
}

impl Oracle<Hunt> for Tables {
    fn ask(&self, position: &Position) -> Result<Option<Verdict>, Refusal> {
        self.probe(position)
    }

    fn answers(&self) -> u64 {
        self.hits()
    }
}

/// One set of tigers in one layer: where a probe looks for values.
struct Cube<'a> {
    layer: &'a LayerFile,
    set: usize,
    /// Read when the first chunk is missing in the cache.
    index: Option<CubeIndex>,
}

impl Tables {
    /// Opens what the folder holds of a game: the tables, and what is wrong with those files that cannot be used.
    /// Refuses a folder in which there is nothing to use.
    pub fn open(
        folder: &Path,
        board: &'static Board,
        goats: u32,
    ) -> Result<(Self, Vec<Refusal>), Refusal> {
        let scope = Scope { board, goats };
        let ranking = Ranking::new(board);
        let mut complaints = Vec::new();
        let mut open = |label: Label| {
            LayerFile::open(folder, label, &ranking).unwrap_or_else(|refusal| {
                complaints.push(refusal);
                None
            })
        };
        let layers: Vec<[Option<LayerFile>; 2]> = (0..=goats)
            .map(|hand| {
                [false, true].map(|tigers_to_move| {
                    open(Label {
                        scope,
                        hand,
                        tigers_to_move,
                    })
                })
            })
            .collect();
        if layers.iter().flatten().all(Option::is_none) {
            return Err(complaints.into_iter().next().unwrap_or_else(|| {
                Refusal::new(format!(
                    "no tables of {} in folder {}",
                    board.name,
                    folder.display()
                ))
            }));
        }
        let tables = Self {
            scope,
            ranking,
            layers,
            chunks: Chunks::new(CHUNK_BYTES / CHUNK),
            answers: Answers::new(ANSWERS),
            unpackers: Mutex::default(),
            hits: AtomicU64::new(0),
        };
        Ok((tables, complaints))
    }

    /// How the positions are numbered.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The layers there are.
    pub fn layers(&self) -> impl Iterator<Item = &LayerFile> {
        self.layers.iter().flatten().flatten()
    }

    /// How many positions have been found so far.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// What is known of a position: nothing where its layer is not there, or the rules have decided it already. Fails
    /// where the file is damaged or cannot be read.
    pub fn probe(&self, position: &Position) -> Result<Option<Verdict>, Refusal> {
        let hand = u32::from(position.hand);
        let arising = hand <= self.scope.goats
            && self
                .scope
                .arising(hand, position.tigers_to_move)
                .contains(&position.goats.count_ones());
        if !arising {
            return Ok(None);
        }
        let (set, number) = self.ranking.locate(position.tigers, position.goats);
        let side = u64::from(position.tigers_to_move);
        let key = ((u64::from(hand) << 1 | side) << 16 | set as u64) << 32 | u64::from(number);
        let mut byte = self.answers.get(key);
        if byte.is_none() {
            byte = self.look_up(hand, position.tigers_to_move, set, number)?;
            byte.inspect(|&byte| self.answers.put(key, byte));
        }
        self.hits
            .fetch_add(u64::from(byte.is_some()), Ordering::Relaxed);
        Ok(byte.map(|byte| Verdict::of(byte, position.tigers_to_move)))
    }

    fn look_up(
        &self,
        hand: u32,
        tigers_to_move: bool,
        set: usize,
        number: u32,
    ) -> Result<Option<u8>, Refusal> {
        if let Some(mut cube) = self.cube(hand, tigers_to_move, set) {
            return self.value(&mut cube, number).map(Some);
        }
        if tigers_to_move || hand == 0 {
            return Ok(None);
        }
        let after = self.cube(hand - 1, true, set);
        after
            .map(|mut after| self.best_placement(&mut after, number))
            .transpose()
    }

    fn cube(&self, hand: u32, tigers_to_move: bool, set: usize) -> Option<Cube<'_>> {
        let layer = self.layers[hand as usize][usize::from(tigers_to_move)].as_ref()?;
        let index = None;
        Some(Cube { layer, set, index })
    }

    /// The value with goats to place, which has no file of its own: the best that a placement leads to.
    fn best_placement(&self, after: &mut Cube, number: u32) -> Result<u8, Refusal> {
        let mut best = 0;
        for digit in (0..self.ranking.dimensions).map(|d| 1 << d) {
            if number & digit == 0 {
                best = best.max(self.value(after, number | digit)?);
            }
        }
        // A win of the goats is one ply farther from here, as `placement` has it.
        Ok(best - u8::from(best > DRAW))
    }

    fn value(&self, cube: &mut Cube, number: u32) -> Result<u8, Refusal> {
        let (chunk, at) = cube.layer.find(number);
        let label = &cube.layer.label;
        let layer = u64::from(label.hand) << 1 | u64::from(label.tigers_to_move);
        let key = (layer << 16 | cube.set as u64) << 16 | chunk as u64;
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

impl Cube<'_> {
    fn read(
        &mut self,
        chunk: usize,
        unpacker: &mut Unpacker,
        values: &mut Vec<u8>,
    ) -> Result<(), Refusal> {
        let index = match self.index.take() {
            Some(index) => index,
            None => self.layer.index(self.set)?,
        };
        let read = self.layer.chunk(&index, chunk, unpacker, values);
        self.index = Some(index);
        read
    }
}

#[cfg(test)]
mod tests;
