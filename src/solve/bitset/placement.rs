//! Values of the placement phase, layer by layer, from one goat in hand to all goats in hand.
//!
//! A placement decreases the number of goats in hand, and a tiger's move leaves it unchanged. So play never returns to
//! an earlier layer, and the layers are computed in one pass. The layer after a move determines the layer before it:
//!
//! - goats to move, `n` in hand (`GoatsToMove`): from the layer with tigers to move and `n - 1` in hand
//! - tigers to move, `n` in hand (`TigersToMove`): from the layer with goats to move and `n` in hand
//!
//! A value is a byte of a [`VerdictEncoding`]: the goats choose the largest byte, the tigers the smallest. A word
//! contains 64 values. An index with an unused digit equal to 1 is no position and has byte 0, so the goats never
//! choose it.

use std::sync::atomic::{AtomicU64, Ordering};

use super::blocks::Blocks;
use super::cube_permutation::{BulkTigerMove, GroupBuffer};
use super::layer::{self, BLOCK_DIGITS, Layer, LayerSource, TableGame};
use super::rank::Ranking;
use super::verdict::VerdictEncoding;
use super::word512::{DIMENSIONS, Word512};
use crate::error::EngineError;
use crate::processor;

/// The dimension of the goat sets' lowest digit in a word of bytes. Lower dimensions number the bits of a byte.
const FIRST_INNER: u32 = DIMENSIONS - BLOCK_DIGITS;

/// The values with goats to move and some in hand, computed from the layer with tigers to move and one goat fewer in
/// hand.
pub(crate) struct GoatsToMove<'a> {
    /// The layer after a placement.
    after: &'a dyn LayerSource,
    blocks: Blocks,
    /// Number of finished cubes, for progress reports.
    done: &'a AtomicU64,
}

impl<'a> GoatsToMove<'a> {
    /// Creates the values for `hand` goats in hand before the placement. `after` is the layer after the
    /// placement. Every finished cube increases `done` by 1.
    pub(crate) fn new(
        ranking: &Ranking,
        table_game: &TableGame,
        hand: u32,
        after: &'a dyn LayerSource,
        done: &'a AtomicU64,
    ) -> Self {
        Self {
            after,
            blocks: layer::blocks(ranking, table_game.on_board(hand)),
            done,
        }
    }
}

impl LayerSource for GoatsToMove<'_> {
    fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    fn encoding(&self) -> VerdictEncoding {
        self.after.encoding()
    }

    fn fill(&self, set: usize, cube: &mut [Word512]) -> Result<(), EngineError> {
        let cube_after = self.after.cube(set)?;
        let draw = self.encoding().draw();
        let blocks = &self.blocks;
        let mut overflows = false;
        processor::run(
            #[inline(always)]
            || {
                for (word, &outer) in cube.iter_mut().zip(&blocks.stored) {
                    let best = best_placement(self.after.blocks(), outer, &cube_after);
                    overflows |= lengthen_goat_wins(draw, best, word);
                    // Positions with too few goats on the board get byte 0: the tigers have won.
                    *word = *word & *blocks.reachable_mask(outer);
                }
            },
        );
        self.done.fetch_add(1, Ordering::Relaxed);
        check_overflow(overflows)
    }
}

/// Returns the byte after the best placement, for every goat set of block `outer`. `after` is the stored words of the
/// cube after the placement, and `blocks_after` its stored blocks.
#[inline(always)]
fn best_placement(blocks_after: &Blocks, outer: u32, after: &[Word512]) -> Word512 {
    let fetch = |outer| {
        blocks_after
            .find(outer)
            .map_or(Word512::NONE, |place| after[place])
    };
    let own_block = fetch(outer);
    let mut best = Word512::NONE;
    // Placements on points with inner digits, then on points with outer digits.
    for d in FIRST_INNER..DIMENSIONS {
        best = best.larger_bytes(&(own_block.flip(d) & Word512::zero_digit(d)));
    }
    for digit in (0..blocks_after.outside).map(|digit| 1 << digit) {
        if outer & digit == 0 {
            best = best.larger_bytes(&fetch(outer | digit));
        }
    }
    best
}

/// Returns the byte of one position with goats to move and some in hand, whose layer has no file. `number` is the index
/// of its goat set. `value` returns the byte of the goat set after a placement.
///
/// # Errors
/// If `value` fails.
pub(crate) fn value_before<E>(
    encoding: VerdictEncoding,
    dimensions: u32,
    number: u32,
    mut value: impl FnMut(u32) -> Result<u8, E>,
) -> Result<u8, E> {
    let mut best = 0;
    for digit in (0..dimensions).map(|dimension| 1 << dimension) {
        if number & digit == 0 {
            best = best.max(value(number | digit)?);
        }
    }
    // Before the placement, a win of the goats takes one ply more.
    Ok(best - u8::from(best > encoding.draw()))
}

/// The values with tigers to move, computed from the layer with goats to move and equal goats in hand.
pub(crate) struct TigersToMove<'a> {
    /// The numbering of the positions.
    pub ranking: &'a Ranking,
    /// The moves of every tiger set, for cubes with one byte per goat set.
    pub moves: &'a [Vec<BulkTigerMove>],
    /// The layer after a move.
    pub after: &'a Layer,
    /// Number of finished cubes, for progress reports.
    pub done: &'a AtomicU64,
}

impl LayerSource for TigersToMove<'_> {
    fn blocks(&self) -> &Blocks {
        &self.after.blocks
    }

    fn encoding(&self) -> VerdictEncoding {
        self.after.encoding
    }

    fn fill(&self, set: usize, cube: &mut [Word512]) -> Result<(), EngineError> {
        let (blocks, draw) = (self.blocks(), self.encoding().draw());
        // Byte 255: tigers without a legal move have lost.
        cube.fill(Word512::ALL);
        let mut buffer = GroupBuffer::default();
        let mut overflows = false;
        processor::run(
            #[inline(always)]
            || {
                for tiger_move in &self.moves[set] {
                    let after = self.after.cube(tiger_move.set_after);
                    for group in tiger_move.groups(blocks) {
                        tiger_move.transform_group(
                            group,
                            Word512::ALL,
                            // Byte 0: positions outside the stored blocks are won by the tigers.
                            #[inline(always)]
                            |outer| {
                                blocks
                                    .find(outer)
                                    .map_or(Word512::NONE, |place| after[place])
                            },
                            &mut buffer,
                            #[inline(always)]
                            |outer, word| {
                                if let Some(place) = blocks.find(outer) {
                                    cube[place] = cube[place].smaller_bytes(&word);
                                }
                            },
                        );
                    }
                }
                let used_blocks = blocks.used(self.ranking.sets[set].used_digits());
                cube[used_blocks.len()..].fill(Word512::NONE);
                for (word, &outer) in cube.iter_mut().zip(used_blocks) {
                    overflows |= lengthen_tiger_wins(draw, word, blocks.reachable_mask(outer));
                }
            },
        );
        self.done.fetch_add(1, Ordering::Relaxed);
        check_overflow(overflows)
    }
}

/// Makes the goats' wins in `best` one ply longer, as before a goat's move: their bytes decrease by 1. Writes all bytes
/// to `out`. Returns `true` if a win is too long for the encoding, so that its byte becomes the byte of a draw.
#[inline(always)]
fn lengthen_goat_wins(draw: u8, best: Word512, out: &mut Word512) -> bool {
    let mut min_win = u8::MAX;
    for (byte, &best) in out.bytes_mut().iter_mut().zip(best.bytes()) {
        let is_win = u8::from(best > draw);
        *byte = best - is_win;
        min_win = min_win.min(if best > draw { *byte } else { u8::MAX });
    }
    min_win == draw
}

/// Makes the tigers' wins in `word` one ply longer, as before a tiger's move: their bytes increase by 1. Returns `true`
/// if a win is too long for the encoding, so that its byte becomes the byte of a draw. Ignores goat sets outside the
/// mask `possible`.
#[inline(always)]
fn lengthen_tiger_wins(draw: u8, word: &mut Word512, possible: &Word512) -> bool {
    let mut max_win = 0;
    for (byte, &possible) in word.bytes_mut().iter_mut().zip(possible.bytes()) {
        let is_win = u8::from(*byte < draw);
        *byte += is_win;
        max_win = max_win.max(if is_win == 1 { *byte & possible } else { 0 });
    }
    max_win == draw
}

/// Returns an error if a win is too long to be encoded as a byte.
fn check_overflow(overflows: bool) -> Result<(), EngineError> {
    if overflows {
        return Err(EngineError::failed(
            "a win takes more plies than table files can store",
        ));
    }
    Ok(())
}
