//! Positions found in one ply: sparse lists of words, and a cube that collects them.

use super::bit_set::BitSet;
use super::blocks::Blocks;
use super::word512::{DIMENSIONS, Word512};
use crate::processor;

/// The positions of one tiger set found in one ply: the nonempty words.
#[derive(Clone, Debug, Default)]
pub struct SparsePositions {
    /// The outer digits of the words' blocks, ascending.
    pub(crate) outers: Vec<u32>,
    /// The words.
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

    /// Appends a word unless it is empty. `outer` must be larger than that of the last word.
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

    /// Returns the words with their outer digits.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Word512)> {
        self.outers.iter().copied().zip(self.words.iter().copied())
    }
}

/// A cube that collects positions and records which words were touched. It has all words, so that no block has to be
/// looked up.
#[derive(Debug)]
pub(crate) struct PositionCollector {
    words: Vec<Word512>,
    touched: BitSet,
}

impl PositionCollector {
    /// Creates an empty collector.
    pub(crate) fn new(blocks: &Blocks) -> Self {
        let all = 1 << blocks.outside;
        Self {
            words: bytemuck::zeroed_vec(all),
            touched: BitSet::new(all),
        }
    }

    /// Adds the positions of one word.
    #[inline(always)]
    pub(crate) fn add(&mut self, outer: u32, word: Word512) {
        if !word.is_none() {
            self.touched.insert(outer);
            let sum = &mut self.words[outer as usize];
            *sum = *sum | word;
        }
    }

    /// Adds one position by the index of its goat set.
    #[inline(always)]
    pub(crate) fn add_set(&mut self, number: u32) {
        let outer = number >> DIMENSIONS;
        self.touched.insert(outer);
        self.words[outer as usize].add(number);
    }

    /// Calls `visit` with the collected words in ascending order and empties the collector. `prepare` is called
    /// before, to prefetch.
    #[inline(always)]
    pub(crate) fn drain(&mut self, prepare: impl FnMut(u32), mut visit: impl FnMut(u32, Word512)) {
        let words = &mut self.words;
        self.touched.drain(
            prepare,
            #[inline(always)]
            |outer| visit(outer, std::mem::take(&mut words[outer as usize])),
        );
    }
}
