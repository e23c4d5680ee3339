//! Creates, reads, probes and verifies the table files of solved hunt games.
//!
//! [`solver`] computes the layers of a game and [`mod@file`] writes each to a file. [`reader`] reads such a file, [`probe`]
//! looks up single positions, and [`check`] recomputes values by the rules of the game. [`forecast`] estimates the
//! time, memory and disk space for solving.

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
