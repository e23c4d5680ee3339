//! Positions found in one ply: sparse lists of words, and the cube in which they are gathered.

use super::blocks::Blocks;
use super::word::Word;

/// Positions with one set of tigers, found in one ply: the words that are not empty.
#[derive(Debug, Default)]
pub struct Gathered {
    /// Which words, ascending.
    pub places: Vec<u32>,
    /// The words.
    pub words: Vec<Word>,
}

impl Gathered {
    /// How many positions.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count())).sum()
    }

    /// The words with their places.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Word)> {
        let places = self.places.iter().map(|&place| place as usize);
        places.zip(self.words.iter().copied())
    }
}

/// A cube to gather positions in, and which words of it were touched.
#[derive(Debug)]
pub struct Gathering {
    words: Vec<Word>,
    touched: Vec<u32>,
}

impl Gathering {
    /// Nothing gathered yet.
    pub fn new(blocks: &Blocks) -> Self {
        Self {
            words: bytemuck::zeroed_vec(blocks.len()),
            touched: Vec::new(),
        }
    }

    /// Adds positions of one word.
    #[inline(always)]
    pub fn add(&mut self, place: usize, word: Word) {
        if !word.is_none() {
            if self.words[place].is_none() {
                self.touched.push(place as u32);
            }
            self.words[place] = self.words[place] | word;
        }
    }

    /// Takes what was gathered, in ascending order, and leaves nothing behind.
    pub fn drain(&mut self) -> Gathered {
        self.touched.sort_unstable();
        let places = std::mem::take(&mut self.touched);
        let take = |&place: &u32| std::mem::take(&mut self.words[place as usize]);
        let words = places.iter().map(take).collect();
        Gathered { places, words }
    }
}
