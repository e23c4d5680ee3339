//! Solvers that hold every reachable position in memory.

pub mod expected_points;
pub mod expected_table;
pub mod in_memory;
mod key_table;
pub mod position_table;
pub(crate) mod puzzle_distances;
pub mod reachable;
pub(crate) mod solution;
mod table_header;
mod table_walk;
