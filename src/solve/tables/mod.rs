//! Table files of solved hunt games: solving, reading, probing and checking.

pub mod cache;
pub mod check;
pub(crate) mod cube_index;
pub(crate) mod drop_phase;
pub mod file;
pub mod forecast;
pub mod probe;
pub mod reader;
#[cfg(test)]
mod reference_solver;
pub mod solver;
pub(crate) mod unpacker;
pub(crate) mod value_layout;
