//! Retrograde analysis of hunt games: one bit operation handles up to 512 positions.
//!
//! - A *layer* is all positions with equal goats in hand and side to move. A position of a layer consists of a *tiger
//!   set*, the points with tigers, and a *goat set*, the points with goats. In code, `set` is the index of a tiger set.
//! - The index of a goat set has one binary *digit* per point of the goats' zone that is free of tigers: 1 if a goat is
//!   on this point ([`rank`]). The highest digits can be *unused*, that is, always 0. In code, `d` or `dimension`
//!   numbers the digits from 0, the lowest, and `digit` is the mask `1 << dimension`.
//! - The values of one tiger set, in the order of the goat sets' indices, form a *cube*: each digit is a *dimension*
//!   with the coordinates 0 and 1.
//! - A *word* (`Word512`) is the part of a cube that fits 512 bits: 512 goat sets with one bit each, or 64 with one
//!   byte each. The goat sets of a word form a *block*. The lowest digits, the *inner* digits, distinguish the goat
//!   sets of a block. The other, *outer* digits number the blocks; in code, `outer` is the number of a block.
//! - Values are computed backwards: the values *before* a move follow from the values *after* it.

pub(crate) mod bit_set;
pub mod blocks;
pub(crate) mod cube_permutation;
pub mod drops;
pub mod layer;
pub mod layer_id;
pub mod layer_stats;
pub mod movement;
pub(crate) mod packed;
pub mod placement;
pub(crate) mod ply_journal;
pub(crate) mod ply_positions;
pub mod position_list;
pub mod rank;
pub(crate) mod scalar_moves;
pub(crate) mod scratch;
pub mod steps;
pub mod survey;
pub(crate) mod tiger_moves;
pub mod verdict;
pub mod wins;
pub(crate) mod word512;
