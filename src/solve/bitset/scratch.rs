//! Scratch memory of a thread that solves the movement phase. The thread reuses it for every tiger set.
//!
//! A *cube* contains the positions of one tiger set, one per goat set. Its *blocks* are words of 512 positions whose
//! goat sets differ only in the *inner digits*. A tiger move permutes the digits; a *group* is a set of blocks whose
//! words are permuted together.

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
    /// Buffer for the last words of a list.
    pub(crate) recent: SparsePositions,
    /// Positions that may be lost for the side to move, as words. Each move removes the positions from which it
    /// escapes.
    pub(crate) candidates: SparsePositions,
    /// Indices of the words in `candidates` that still contain a position.
    pub remaining: Vec<u32>,
    /// The words for which the current move may be legal: index in `candidates`, and the block after the move or, if
    /// groups have several blocks, the group.
    pub(crate) movable: Vec<(u32, u32)>,
    /// Moves of single positions: index of the word in `candidates`, inner digits of the goat set before the move, and
    /// index of the goat set after the move.
    pub(crate) single_moves: Vec<(u32, u32, u32)>,
    /// For each block: the index of its word in `candidates` plus one, or zero without a word.
    pub(crate) candidate_at: Vec<u32>,
    /// The word of each block. Sparse lists are copied here before the words of a group are permuted, because a
    /// group may contain any block.
    pub(crate) dense_words: Vec<Word512>,
    /// The groups to permute, each with at least one position.
    pub(crate) groups: BitSet,
    /// Buffer for the words of a group.
    pub buffer: GroupBuffer,
}

impl Scratch {
    fn new(blocks: &Blocks) -> Self {
        Self {
            collector: PositionCollector::new(blocks),
            recent: SparsePositions::default(),
            candidates: SparsePositions::default(),
            remaining: Vec::new(),
            movable: Vec::new(),
            single_moves: Vec::new(),
            candidate_at: vec![0; 1 << blocks.outside],
            dense_words: bytemuck::zeroed_vec(1 << blocks.outside),
            groups: BitSet::new(1 << blocks.outside),
            buffer: GroupBuffer::default(),
        }
    }
}

/// A pool of unused scratch memory. Reuse avoids allocations, which take long for large boards. All buffers in the
/// pool are empty or zero, like new buffers.
#[derive(Default)]
pub(crate) struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    /// Takes scratch memory from the pool, if available.
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

/// Scratch memory that returns to its pool on drop.
pub(crate) struct PooledScratch<'a> {
    scratch: Option<Scratch>,
    pool: &'a ScratchPool,
}

impl PooledScratch<'_> {
    /// Returns the scratch memory. The first call allocates it if the pool was empty.
    pub(crate) fn scratch(&mut self, blocks: &Blocks) -> &mut Scratch {
        self.scratch.get_or_insert_with(|| Scratch::new(blocks))
    }
}

impl Drop for PooledScratch<'_> {
    fn drop(&mut self) {
        // After a panic, the buffers may not be empty.
        if !std::thread::panicking() {
            self.pool.lock().extend(self.scratch.take());
        }
    }
}
