//! What a thread works with in the movement phase, lent from one cube to the next.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::bit_set::BitSet;
use super::blocks::Blocks;
use super::cube_permutation::Turned;
use super::ply_positions::{PositionCollector, SparsePositions};
use super::word512::Word512;

/// What a thread works with.
pub struct Scratch {
    /// Where positions of the set at hand are gathered.
    pub ply_positions: PositionCollector,
    /// Those found in the end.
    pub found: SparsePositions,
    /// Those gathered that may be lost, as a list.
    pub candidates: SparsePositions,
    /// Which of those are left.
    pub left: Vec<u32>,
    /// Which of them can make a move, and the place of the word that it leads to, or the group of words that it turns.
    pub moving: Vec<(u32, u32)>,
    /// Moves of single sets of goats: which candidate, which of its sets, and where that leads.
    pub singles: Vec<(u32, u32, u32)>,
    /// By outer digits: which candidate lies there, counted from one, or zero.
    pub candidate_at: Vec<u32>,
    /// A cube of the ply before spread out: all its words, by their outer digits.
    pub spread: Vec<Word512>,
    /// The groups of words to turn.
    pub groups: BitSet,
    /// Where words are while they are turned.
    pub turned: Turned,
}

impl Scratch {
    fn new(blocks: &Blocks) -> Self {
        Self {
            ply_positions: PositionCollector::new(blocks),
            found: SparsePositions::default(),
            candidates: SparsePositions::default(),
            left: Vec::new(),
            moving: Vec::new(),
            singles: Vec::new(),
            candidate_at: vec![0; 1 << blocks.outside],
            spread: bytemuck::zeroed_vec(1 << blocks.outside),
            groups: BitSet::new(1 << blocks.outside),
            turned: Turned::default(),
        }
    }
}

/// Those that no thread works with, as clean as new ones: large boards' are large.
#[derive(Default)]
pub struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    /// One that is free, if there is any.
    pub fn take(&self) -> PooledScratch<'_> {
        PooledScratch {
            scratch: self.lock().pop(),
            benches: self,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Scratch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A bench while a thread works with it; others take it afterwards.
pub struct PooledScratch<'a> {
    scratch: Option<Scratch>,
    benches: &'a ScratchPool,
}

impl PooledScratch<'_> {
    /// The bench, a new one where none was free.
    pub fn scratch(&mut self, blocks: &Blocks) -> &mut Scratch {
        self.scratch.get_or_insert_with(|| Scratch::new(blocks))
    }
}

impl Drop for PooledScratch<'_> {
    fn drop(&mut self) {
        // One whose work was broken off is not clean.
        if !std::thread::panicking() {
            self.benches.lock().extend(self.scratch.take());
        }
    }
}
