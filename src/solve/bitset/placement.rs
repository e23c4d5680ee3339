//! The placement phase, backwards by goats in hand. A placement leaves one goat fewer in hand and a tiger's move
//! leaves the number unchanged, so the values of a layer follow from the layer below in a single pass.

use std::sync::atomic::{AtomicU64, Ordering};

use super::blocks::Blocks;
use super::cube_permutation::{CubeMove, GroupBuffer};
use super::layer::{self, BLOCK_DIMENSIONS, Layer, LayerSource, Scope};
use super::rank::Ranking;
use super::verdict::VerdictScale;
use super::word512::{DIMENSIONS, Word512};
use crate::error::EngineError;
use crate::processor;

/// The lowest dimension inside a word of bytes. Lower dimensions number the bits of a byte.
const BASE: u32 = DIMENSIONS - BLOCK_DIMENSIONS;

/// The values with goats to move and some in hand, computed from the layer with tigers to move and one fewer in hand.
pub(crate) struct GoatsToMove<'a> {
    below: &'a dyn LayerSource,
    blocks: Blocks,
    /// Number of finished cubes.
    done: &'a AtomicU64,
}

impl<'a> GoatsToMove<'a> {
    /// Creates the source for `hand` goats in hand before the placement.
    pub(crate) fn new(
        ranking: &Ranking,
        scope: &Scope,
        hand: u32,
        below: &'a dyn LayerSource,
        done: &'a AtomicU64,
    ) -> Self {
        Self {
            below,
            blocks: layer::blocks(ranking, scope.on_board(hand)),
            done,
        }
    }
}

impl LayerSource for GoatsToMove<'_> {
    fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    fn scale(&self) -> VerdictScale {
        self.below.scale()
    }

    fn fill(&self, set: usize, cube: &mut [Word512]) -> Result<(), EngineError> {
        let after = self.below.cube(set)?;
        let draw = self.scale().draw();
        let blocks = &self.blocks;
        let mut overflows = false;
        processor::run(
            #[inline(always)]
            || {
                for (word, &outer) in cube.iter_mut().zip(&blocks.stored) {
                    let best = best_placement(self.below.blocks(), outer, &after);
                    overflows |= age_goat_wins(draw, best, word);
                    // Positions in which the tigers have captured enough are won.
                    *word = *word & *blocks.reachable_mask(outer);
                }
            },
        );
        self.done.fetch_add(1, Ordering::Relaxed);
        check_overflow(overflows)
    }
}

/// Returns the byte of the best placement for every set of a block.
#[inline(always)]
fn best_placement(below: &Blocks, outer: u32, after: &[Word512]) -> Word512 {
    let fetch = |outer| {
        below
            .find(outer)
            .map_or(Word512::NONE, |place| after[place])
    };
    let here = fetch(outer);
    let mut best = Word512::NONE;
    for d in BASE..DIMENSIONS {
        best = best.larger_bytes(&(here.flip(d) & Word512::zero_digit(d)));
    }
    for digit in (0..below.outside).map(|digit| 1 << digit) {
        if outer & digit == 0 {
            best = best.larger_bytes(&fetch(outer | digit));
        }
    }
    best
}

/// Returns the byte of one position with goats to place, which has no file. `value` returns the byte after a placement
/// by the index of the goat set.
pub(crate) fn value_before<E>(
    scale: VerdictScale,
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
    // A win of the goats is one ply farther away before the placement.
    Ok(best - u8::from(best > scale.draw()))
}

/// The values with tigers to move, computed from the layer with goats to move and equal goats in hand.
pub(crate) struct TigersToMove<'a> {
    /// The moves of every tiger set, for blocks of bytes.
    pub moves: &'a [Vec<CubeMove>],
    /// The values after a move.
    pub after: &'a Layer,
    /// Number of finished cubes.
    pub done: &'a AtomicU64,
}

impl LayerSource for TigersToMove<'_> {
    fn blocks(&self) -> &Blocks {
        &self.after.blocks
    }

    fn scale(&self) -> VerdictScale {
        self.after.scale
    }

    fn fill(&self, set: usize, cube: &mut [Word512]) -> Result<(), EngineError> {
        let (blocks, draw) = (self.blocks(), self.scale().draw());
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
                            // Positions outside the stored blocks are won by the tigers.
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
                for (word, &outer) in cube.iter_mut().zip(&blocks.stored) {
                    overflows |= age_tiger_wins(draw, word, blocks.reachable_mask(outer));
                }
            },
        );
        self.done.fetch_add(1, Ordering::Relaxed);
        check_overflow(overflows)
    }
}

/// Moves wins of the goats, who moved, one step closer to the draw. Returns `true` if one reaches it.
#[inline(always)]
fn age_goat_wins(draw: u8, best: Word512, out: &mut Word512) -> bool {
    let mut nearest = u8::MAX;
    for (byte, &best) in out.bytes_mut().iter_mut().zip(best.bytes()) {
        let is_win = u8::from(best > draw);
        *byte = best - is_win;
        nearest = nearest.min(if best > draw { *byte } else { u8::MAX });
    }
    nearest == draw
}

/// Moves wins of the tigers, who moved, one step closer to the draw. Returns `true` if a possible one reaches it.
#[inline(always)]
fn age_tiger_wins(draw: u8, word: &mut Word512, possible: &Word512) -> bool {
    let mut farthest = 0;
    for (byte, &possible) in word.bytes_mut().iter_mut().zip(possible.bytes()) {
        let is_win = u8::from(*byte < draw);
        *byte += is_win;
        farthest = farthest.max(if is_win == 1 { *byte & possible } else { 0 });
    }
    farthest == draw
}

fn check_overflow(overflows: bool) -> Result<(), EngineError> {
    if overflows {
        return Err(EngineError::failed(
            "a win takes more plies than table files can store",
        ));
    }
    Ok(())
}
