//! Sets of positions of one tiger set: a sparse list of words, and a collector that accepts words in any order.

use super::bit_set::BitSet;
use super::blocks::Blocks;
use super::word512::{DIMENSIONS, Word512};
use crate::processor;

/// A set of positions of one tiger set, as a list of nonempty words and the numbers of their blocks. Each bit of a word
/// stands for a goat set.
///
/// The retrograde analysis finds few positions in each ply, so such a list is much smaller than a cube.
#[derive(Clone, Debug, Default)]
pub struct SparsePositions {
    /// The numbers of the words' blocks, ascending.
    pub(crate) outers: Vec<u32>,
    /// The words, in the order of `outers`.
    pub words: Vec<Word512>,
}

impl SparsePositions {
    /// Returns the number of positions.
    pub fn count(&self) -> u64 {
        let counts = self.words.iter().map(|word| u64::from(word.count()));
        processor::run(
            #[inline(always)]
            || counts.sum(),
        )
    }

    /// Returns `true` if there are no positions.
    pub fn is_empty(&self) -> bool {
        self.outers.is_empty()
    }

    /// Appends the word of block `outer`, unless the word is empty. `outer` must be larger than the last block's
    /// number.
    #[inline(always)]
    pub fn push(&mut self, outer: u32, word: Word512) {
        if !word.is_none() {
            self.outers.push(outer);
            self.words.push(word);
        }
    }

    /// Removes all positions and keeps the capacity.
    pub fn clear(&mut self) {
        self.outers.clear();
        self.words.clear();
    }

    /// Returns each word with its block's number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Word512)> {
        self.outers.iter().copied().zip(self.words.iter().copied())
    }
}

/// A collector of positions of one tiger set. Positions are added in any order and removed in ascending order of
/// blocks.
///
/// It has a word for every block of the cube, stored or not, so adding a position needs no search. It also records
/// the used words, so that removing the positions visits only these.
#[derive(Debug)]
pub(crate) struct PositionCollector {
    /// Indexed by a block's number: its word.
    words: Vec<Word512>,
    /// The numbers of the blocks to which positions were added.
    used_blocks: BitSet,
}

impl PositionCollector {
    /// Creates an empty collector.
    pub(crate) fn new(blocks: &Blocks) -> Self {
        let block_count = 1 << blocks.outside;
        Self {
            words: bytemuck::zeroed_vec(block_count),
            used_blocks: BitSet::new(block_count),
        }
    }

    /// Adds the positions in `word`, which belongs to block `outer`.
    #[inline(always)]
    pub(crate) fn add(&mut self, outer: u32, word: Word512) {
        if !word.is_none() {
            self.used_blocks.insert(outer);
            let union = &mut self.words[outer as usize];
            *union = *union | word;
        }
    }

    /// Adds one position, by the index of its goat set.
    #[inline(always)]
    pub(crate) fn add_set(&mut self, number: u32) {
        let outer = number >> DIMENSIONS;
        self.used_blocks.insert(outer);
        self.words[outer as usize].add(number);
    }

    /// Calls `visit` with the number and the word of every used block, in ascending order, and empties the collector.
    ///
    /// Calls `prepare` for each block before `visit`, at most 63 blocks ahead, so that `prepare` can prefetch data.
    #[inline(always)]
    pub(crate) fn drain(&mut self, prepare: impl FnMut(u32), mut visit: impl FnMut(u32, Word512)) {
        let words = &mut self.words;
        self.used_blocks.drain(
            prepare,
            #[inline(always)]
            |outer| visit(outer, std::mem::take(&mut words[outer as usize])),
        );
    }
}
