//! Asking solved tables: the layers of a folder, and a bounded cache of the chunks read last.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::file::{CHUNK, Label};
use super::layer::Scope;
use super::oracle::Oracle;
use super::rank::Ranking;
use super::reader::LayerFile;
use super::verdict::{DRAW, Verdict};
use crate::error::Refusal;
use crate::games::hunt::{Board, Hunt, Position};

/// Bytes of values that the cache holds at most.
const CACHE: usize = 64 << 20;

/// The tables of one game, as far as they are there.
#[derive(Debug)]
pub struct Tables {
    scope: Scope,
    ranking: Ranking,
    /// By goats in hand: goats to move, tigers to move.
    layers: Vec<[Option<LayerFile>; 2]>,
    cache: Vec<Mutex<Slot>>,
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

/// A chunk's values and which it is.
#[derive(Debug, Default)]
struct Slot {
    key: Option<u64>,
    values: Vec<u8>,
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
            cache: (0..CACHE / CHUNK).map(|_| Mutex::default()).collect(),
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
        let byte = match self.layer(hand, position.tigers_to_move) {
            Some(layer) => Some(self.value(layer, set, number)?),
            None if position.tigers_to_move || hand == 0 => None,
            None => self.best_placement(hand, set, number)?,
        };
        self.hits
            .fetch_add(u64::from(byte.is_some()), Ordering::Relaxed);
        Ok(byte.map(|byte| Verdict::of(byte, position.tigers_to_move)))
    }

    fn layer(&self, hand: u32, tigers_to_move: bool) -> Option<&LayerFile> {
        self.layers[hand as usize][usize::from(tigers_to_move)].as_ref()
    }

    /// The value with goats to place, which has no file of its own: the best that a placement leads to.
    fn best_placement(&self, hand: u32, set: usize, number: u32) -> Result<Option<u8>, Refusal> {
        let Some(after) = self.layer(hand - 1, true) else {
            return Ok(None);
        };
        let mut best = 0;
        for digit in (0..self.ranking.dimensions).map(|d| 1 << d) {
            if number & digit == 0 {
                best = best.max(self.value(after, set, number | digit)?);
            }
        }
        // A win of the goats is one ply farther from here, as `placement` has it.
        Ok(Some(best - u8::from(best > DRAW)))
    }

    fn value(&self, layer: &LayerFile, set: usize, number: u32) -> Result<u8, Refusal> {
        let (chunk, at) = layer.find(number);
        let label = &layer.label;
        let key = ((u64::from(label.hand) << 1 | u64::from(label.tigers_to_move)) << 16
            | set as u64)
            << 16
            | chunk as u64;
        // Fibonacci hashing (Knuth, volume 3, 6.4) spreads neighbouring chunks over the cache.
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let slot = &self.cache[spread as usize % self.cache.len()];
        let mut slot = slot
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if slot.key != Some(key) {
            slot.key = None;
            slot.values = layer.chunk(set, chunk)?;
            slot.key = Some(key);
        }
        Ok(slot.values[at])
    }
}

#[cfg(test)]
mod tests;
