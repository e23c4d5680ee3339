//! Scratch memory of a thread in the movement phase, reused from one cube to the next.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::bit_set::BitSet;
use super::blocks::Blocks;
use super::cube_permutation::GroupBuffer;
use super::ply_positions::{PositionCollector, SparsePositions};
use super::word512::Word512;

/// Scratch memory of one thread.
pub(crate) struct Scratch {
    /// Collects positions of the current tiger set.
    pub(crate) collector: PositionCollector,
    /// The positions found.
    pub found: SparsePositions,
    /// Positions that may be lost.
    pub(crate) candidates: SparsePositions,
    /// Indices of the candidates not yet refuted.
    pub left: Vec<u32>,
    /// Candidates that can make the current move, each with the place of the word that it leads to or with its group
    /// of words.
    pub(crate) moving: Vec<(u32, u32)>,
    /// Moves of single goat sets: index of the candidate, set within its word, and set after the move.
    pub(crate) singles: Vec<(u32, u32, u32)>,
    /// By outer digits: index of the candidate plus one, or zero.
    pub(crate) candidate_at: Vec<u32>,
    /// A cube of the previous ply with all its words, by outer digits.
    pub(crate) spread: Vec<Word512>,
    /// The groups of words to transform.
    pub(crate) groups: BitSet,
    /// Buffer for the words of a group.
    pub buffer: GroupBuffer,
}

impl Scratch {
    fn new(blocks: &Blocks) -> Self {
        Self {
            collector: PositionCollector::new(blocks),
            found: SparsePositions::default(),
            candidates: SparsePositions::default(),
            left: Vec::new(),
            moving: Vec::new(),
            singles: Vec::new(),
            candidate_at: vec![0; 1 << blocks.outside],
            spread: bytemuck::zeroed_vec(1 << blocks.outside),
            groups: BitSet::new(1 << blocks.outside),
            buffer: GroupBuffer::default(),
        }
    }
}

/// Scratch memory that no thread uses. It is all zero again, so that reuse saves the allocation, which is large for
/// large boards.
#[derive(Default)]
pub(crate) struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    /// Takes scratch memory from the pool.
    pub(crate) fn take(&self) -> PooledScratch<'_> {
        PooledScratch {
            scratch: self.lock().pop(),
            pool: self,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Scratch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Scratch memory on loan. It returns to the pool on drop.
pub(crate) struct PooledScratch<'a> {
    scratch: Option<Scratch>,
    pool: &'a ScratchPool,
}

impl PooledScratch<'_> {
    /// Returns the scratch memory, newly allocated if the pool was empty.
    pub(crate) fn scratch(&mut self, blocks: &Blocks) -> &mut Scratch {
        self.scratch.get_or_insert_with(|| Scratch::new(blocks))
    }
}

impl Drop for PooledScratch<'_> {
    fn drop(&mut self) {
        // A panic leaves the memory dirty.
        if !std::thread::panicking() {
            self.pool.lock().extend(self.scratch.take());
        }
    }
}
