//! Positions found in one ply: sparse lists of words, and the cube in which they are gathered.

use super::bit_set::BitSet;
use super::blocks::Blocks;
use super::word512::{DIMENSIONS, Word512};
use crate::processor;

/// Positions with one set of tigers, found in one ply: the words that are not empty.
#[derive(Clone, Debug, Default)]
pub struct SparsePositions {
    /// Which words, ascending: the outer digits of their blocks.
    pub outers: Vec<u32>,
    /// The words.
    pub words: Vec<Word512>,
}

impl SparsePositions {
    /// How many positions.
    pub fn count(&self) -> u64 {
        let counts = self.words.iter().map(|word| u64::from(word.count()));
        processor::run(
            #[inline(always)]
            || counts.sum(),
        )
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.outers.is_empty()
    }

    /// Adds a word beyond those that are there, unless it is empty.
    #[inline(always)]
    pub fn push(&mut self, outer: u32, word: Word512) {
        if !word.is_none() {
            self.outers.push(outer);
            self.words.push(word);
        }
    }

    /// Forgets all of them, and keeps the room.
    pub fn clear(&mut self) {
        self.outers.clear();
        self.words.clear();
    }

    /// The words with their outer digits.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Word512)> {
        self.outers.iter().copied().zip(self.words.iter().copied())
    }
}

/// A cube to gather positions in, and which words of it were touched. It has all words, so that none has to be found among
/// those kept.
#[derive(Debug)]
pub struct PositionCollector {
    words: Vec<Word512>,
    touched: BitSet,
}

impl PositionCollector {
    /// Nothing gathered yet.
    pub fn new(blocks: &Blocks) -> Self {
        let all = 1 << blocks.outside;
        Self {
            words: bytemuck::zeroed_vec(all),
            touched: BitSet::new(all),
        }
    }

    /// Adds positions of one word.
    #[inline(always)]
    pub fn add(&mut self, outer: u32, word: Word512) {
        if !word.is_none() {
            self.touched.mark(outer);
            let sum = &mut self.words[outer as usize];
            *sum = *sum | word;
        }
    }

    /// Adds one position, by its number.
    #[inline(always)]
    pub fn add_set(&mut self, number: u32) {
        let outer = number >> DIMENSIONS;
        self.touched.mark(outer);
        self.words[outer as usize].add(number);
    }

    /// Tells what was gathered, in ascending order, and leaves nothing behind. Of what will be told soon `prepare` hears before.
    #[inline(always)]
    pub fn drain(&mut self, prepare: impl FnMut(u32), mut tell: impl FnMut(u32, Word512)) {
        let words = &mut self.words;
        self.touched.drain(
            prepare,
            #[inline(always)]
            |outer| tell(outer, std::mem::take(&mut words[outer as usize])),
        );
    }
}
