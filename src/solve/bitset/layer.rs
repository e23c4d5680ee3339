//! Which game is solved ([`Scope`]), and the values of all its positions with as many goats in hand ([`Layer`]).

use std::borrow::Cow;
use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::blocks::Blocks;
use super::rank::Ranking;
use super::verdict::VerdictScale;
use super::word512::{DIMENSIONS, Word512};
use crate::error::EngineError;
use crate::games::hunt::Board;

/// Dimensions inside a block of bytes: 64 of them are a word.
pub const BYTES_INSIDE: u32 = DIMENSIONS - 3;
/// Bytes of a word, which is a block.
pub const BLOCK: usize = 1 << BYTES_INSIDE;

/// The game to solve: a board, and how many goats there are in all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scope {
    /// The board.
    pub board: &'static Board,
    /// Goats in hand at the start.
    pub goats: u32,
}

impl Scope {
    /// How many captures win.
    pub fn captures_to_win(&self) -> u32 {
        self.board.captures_to_win.min(self.goats)
    }

    /// How many goats can stand on the board with `hand` in hand while the tigers have not won.
    pub fn on_board(&self, hand: u32) -> RangeInclusive<u32> {
        let most = self.goats - hand;
        (most + 1).saturating_sub(self.captures_to_win())..=most
    }

    /// The same for positions that can arise with this side to move: a goat has just been placed where the tigers move.
    pub fn reachable_goats(&self, hand: u32, tigers_to_move: bool) -> RangeInclusive<u32> {
        let on_board = self.on_board(hand);
        let least = u32::from(tigers_to_move);
        least.max(*on_board.start())..=*on_board.end()
    }
}

/// So many times the same word. Several threads write them: it is the first touch of gigabytes of memory.
pub fn words(word: Word512, count: usize) -> Result<Vec<Word512>, EngineError> {
    let mut words = Vec::new();
    words.try_reserve_exact(count).map_err(|_| {
        let needed = (count * size_of::<Word512>()) >> 20;
        EngineError::failed(format!("out of memory: cannot allocate {needed} MiB"))
    })?;
    words.par_extend(rayon::iter::repeat_n(word, count));
    Ok(words)
}

/// The blocks of bytes that hold the sets of so many goats.
pub fn blocks(ranking: &Ranking, goats: RangeInclusive<u32>) -> Blocks {
    Blocks::new(ranking.dimensions, BYTES_INSIDE, goats, 0)
}

/// The values of a layer, which are had a set of tigers at a time, wherever they come from.
pub trait LayerSource: Sync {
    /// Which blocks of each cube there are.
    fn blocks(&self) -> &Blocks;

    /// Which byte is a draw.
    fn scale(&self) -> VerdictScale;

    /// Puts the values of a set of tigers, block by block, in place of what is there.
    fn fill(&self, set: usize, cube: &mut [Word512]) -> Result<(), EngineError>;

    /// The values of a set of tigers.
    fn cube(&self, set: usize) -> Result<Cow<'_, [Word512]>, EngineError> {
        let mut cube = vec![Word512::NONE; self.blocks().len()];
        self.fill(set, &mut cube)?;
        Ok(Cow::Owned(cube))
    }
}

/// The values of the positions with so many goats in hand and one side to move, a byte each.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Which blocks of each cube there are.
    pub blocks: Blocks,
    /// Cube by cube, block by block.
    pub words: Vec<Word512>,
    /// Which byte is a draw.
    pub scale: VerdictScale,
}

impl Layer {
    /// A layer of draws, or the refusal of one that memory does not hold.
    pub fn new(
        ranking: &Ranking,
        goats: RangeInclusive<u32>,
        scale: VerdictScale,
    ) -> Result<Self, EngineError> {
        let blocks = blocks(ranking, goats);
        let words = words(scale.all_draws(), blocks.len() * ranking.sets.len())?;
        Ok(Self {
            blocks,
            words,
            scale,
        })
    }

    /// All of another's values, in memory.
    pub fn of(cubes: &dyn LayerSource, ranking: &Ranking) -> Result<Self, EngineError> {
        let blocks = cubes.blocks().clone();
        let mut words = words(Word512::NONE, blocks.len() * ranking.sets.len())?;
        words
            .par_chunks_exact_mut(blocks.len())
            .enumerate()
            .try_for_each(|(set, words)| cubes.fill(set, words))?;
        Ok(Self {
            blocks,
            words,
            scale: cubes.scale(),
        })
    }

    /// The cube of a set of tigers.
    #[inline]
    pub fn cube(&self, set: usize) -> &[Word512] {
        &self.words[set * self.blocks.len()..][..self.blocks.len()]
    }

    /// The value's byte for a set of tigers and a set of goats, by their numbers.
    pub fn value(&self, set: usize, goats: u32) -> Option<u8> {
        let place = self.blocks.find(goats >> BYTES_INSIDE)?;
        let inner = goats & ((1 << BYTES_INSIDE) - 1);
        Some(self.cube(set)[place].bytes()[inner as usize])
    }
}

impl LayerSource for Layer {
    fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    fn scale(&self) -> VerdictScale {
        self.scale
    }

    fn fill(&self, set: usize, cube: &mut [Word512]) -> Result<(), EngineError> {
        cube.copy_from_slice(self.cube(set));
        Ok(())
    }

    fn cube(&self, set: usize) -> Result<Cow<'_, [Word512]>, EngineError> {
        Ok(Cow::Borrowed(self.cube(set)))
    }
}
