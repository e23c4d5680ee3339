//! The game that tables describe ([`TableGame`]), and the values of a layer, in memory ([`Layer`]) or computed
//! cube by cube ([`LayerSource`]). A layer is all positions with equal goats in hand and side to move.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::blocks::Blocks;
use super::rank::Ranking;
use super::verdict::VerdictEncoding;
use super::word512::{DIMENSIONS, Word512};
use crate::error::EngineError;
use crate::games::hunt::Board;

/// Number of inner digits with one byte per goat set: a word contains 64 bytes, so a block has 2⁶ goat sets.
pub(crate) const BLOCK_DIGITS: u32 = DIMENSIONS - 3;
/// Number of bytes, and of goat sets, of a block.
pub(crate) const BLOCK_BYTES: usize = 1 << BLOCK_DIGITS;

/// A game as described by tables: a board and the total number of goats. The goats move first, and goats in hand
/// are dropped one per turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableGame {
    /// The board.
    pub board: &'static Board,
    /// Goats in hand at the start.
    pub goats: u32,
}

impl TableGame {
    /// Returns the number of captures that win for the tigers.
    pub(crate) fn captures_to_win(&self) -> u32 {
        self.board.captures_to_win.min(self.goats)
    }

    /// Returns the possible numbers of goats on the board with `hand` goats in hand, before the tigers have won by
    /// captures.
    pub fn on_board(&self, hand: u32) -> RangeInclusive<u32> {
        let max = self.goats - hand;
        (max + 1).saturating_sub(self.captures_to_win())..=max
    }

    /// Returns the possible numbers of goats on the board with the given side to move: the range [`Self::on_board`],
    /// with a minimum of at least 1 if tigers are to move, because the goats move first.
    pub(crate) fn reachable_goats(&self, hand: u32, tigers_to_move: bool) -> RangeInclusive<u32> {
        let on_board = self.on_board(hand);
        let min = u32::from(tigers_to_move);
        min.max(*on_board.start())..=*on_board.end()
    }
}

/// Returns `count` copies of `word`. Several threads write them, because the system allocates each page at its first
/// write, which takes long for gigabytes.
///
/// # Errors
/// If the memory cannot be allocated.
pub(crate) fn filled_words(word: Word512, count: usize) -> Result<Vec<Word512>, EngineError> {
    let mut words = Vec::new();
    words.try_reserve_exact(count).map_err(|_| {
        let needed = (count * size_of::<Word512>()) >> 20;
        EngineError::failed(format!("out of memory: cannot allocate {needed} MiB"))
    })?;
    words.par_extend(rayon::iter::repeat_n(word, count));
    Ok(words)
}

/// Returns the blocks of a layer with one byte per goat set, for the numbers of goats in `goats`.
pub fn blocks(ranking: &Ranking, goats: RangeInclusive<u32>) -> Blocks {
    Blocks::new(ranking.dimensions, BLOCK_DIGITS, goats, 0)
}

/// A source of the values of a layer, one cube (the values of one tiger set) at a time.
pub trait LayerSource: Sync {
    /// Returns the stored blocks, which are the same for every cube.
    fn blocks(&self) -> &Blocks;

    /// Returns the encoding of the values as bytes.
    fn encoding(&self) -> VerdictEncoding;

    /// Overwrites `cube` with the values of the tiger set with index `set`: one word for each stored block, in order.
    ///
    /// # Errors
    /// If the values cannot be computed or read.
    fn fill(&self, set: usize, cube: &mut [Word512]) -> Result<(), EngineError>;

    /// Returns the values of the tiger set with index `set`: one word for each stored block, in order.
    ///
    /// # Errors
    /// If the values cannot be computed or read.
    fn cube(&self, set: usize) -> Result<Cow<'_, [Word512]>, EngineError> {
        let mut cube = vec![Word512::NONE; self.blocks().len()];
        self.fill(set, &mut cube)?;
        Ok(Cow::Owned(cube))
    }
}

/// The values of a layer in memory, one byte per position.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The stored blocks, which are the same for every cube.
    pub blocks: Blocks,
    /// The cubes of all tiger sets in order: for each cube, one word for each stored block.
    pub words: Vec<Word512>,
    /// The encoding of the values as bytes.
    pub encoding: VerdictEncoding,
}

impl Layer {
    /// Creates a layer for goat sets with `goats` goats, in which every position is a draw.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn new(
        ranking: &Ranking,
        goats: RangeInclusive<u32>,
        encoding: VerdictEncoding,
    ) -> Result<Self, EngineError> {
        let blocks = blocks(ranking, goats);
        let words = filled_words(encoding.all_draws(), blocks.len() * ranking.sets.len())?;
        Ok(Self {
            blocks,
            words,
            encoding,
        })
    }

    /// Copies all values of `source` into memory.
    ///
    /// # Errors
    /// If the memory cannot be allocated, or if `source` fails.
    pub fn of(source: &dyn LayerSource, ranking: &Ranking) -> Result<Self, EngineError> {
        let blocks = source.blocks().clone();
        let mut words = filled_words(Word512::NONE, blocks.len() * ranking.sets.len())?;
        words
            .par_chunks_exact_mut(blocks.len())
            .enumerate()
            .try_for_each(|(set, words)| source.fill(set, words))?;
        Ok(Self {
            blocks,
            words,
            encoding: source.encoding(),
        })
    }

    /// Returns the cube of the tiger set with index `set`.
    #[inline]
    pub fn cube(&self, set: usize) -> &[Word512] {
        &self.words[set * self.blocks.len()..][..self.blocks.len()]
    }

    /// Returns the byte of a position, or `None` if its block is not stored. `set` is the index of the tiger set, and
    /// `goats` the index of the goat set.
    pub fn value(&self, set: usize, goats: u32) -> Option<u8> {
        let place = self.blocks.find(goats >> BLOCK_DIGITS)?;
        let inner = goats & ((1 << BLOCK_DIGITS) - 1);
        Some(self.cube(set)[place].bytes()[inner as usize])
    }
}

impl LayerSource for Layer {
    fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    fn encoding(&self) -> VerdictEncoding {
        self.encoding
    }

    fn fill(&self, set: usize, cube: &mut [Word512]) -> Result<(), EngineError> {
        cube.copy_from_slice(self.cube(set));
        Ok(())
    }

    fn cube(&self, set: usize) -> Result<Cow<'_, [Word512]>, EngineError> {
        Ok(Cow::Borrowed(self.cube(set)))
    }
}
