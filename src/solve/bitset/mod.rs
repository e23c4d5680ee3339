//! Solving hunt games with one bit per position: the retrograde analysis of the movement phase and the placement phase.

pub mod bit_set;
pub mod blocks;
pub mod cube_permutation;
pub mod drops;
pub mod layer;
pub mod layer_id;
pub mod layer_stats;
pub mod movement;
pub mod placement;
pub mod ply_journal;
pub mod ply_positions;
pub mod rank;
pub mod scalar_moves;
pub mod scratch;
pub mod steps;
pub mod survey;
pub mod tiger_moves;
pub mod verdict;
pub mod wins;
pub mod word512;
