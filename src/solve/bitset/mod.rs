//! Solving hunt games with one bit per position: the retrograde analysis of the movement phase and the placement phase.

pub(crate) mod bit_set;
pub mod blocks;
pub(crate) mod cube_permutation;
pub mod drops;
pub mod layer;
pub mod layer_id;
pub mod layer_stats;
pub mod movement;
pub mod placement;
pub(crate) mod ply_journal;
pub(crate) mod ply_positions;
pub mod rank;
pub(crate) mod scalar_moves;
pub(crate) mod scratch;
pub mod steps;
pub mod survey;
pub(crate) mod tiger_moves;
pub mod verdict;
pub mod wins;
pub(crate) mod word512;
