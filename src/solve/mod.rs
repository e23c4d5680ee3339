//! Exact solving: the value of every position of a game.
//!
//! - [`explicit`] holds every reachable position of a small game or puzzle in memory.
//! - [`bitset`] holds one bit per position of a hunt game and moves whole sets of positions by vector instructions.
//! - [`tables`] writes the values of hunt games to files, one per layer, and probes and verifies these files.
//! - [`plan`](mod@plan) chooses one of these three methods for a hunt game.
//!
//! All methods use retrograde analysis (Thompson, "Retrograde analysis of certain endgames", ICCA Journal, 1986). It
//! propagates values backwards from the terminal positions, one ply at a time. Positions without a value at the end
//! are draws.
//!
//! Results, such as the draws of Aadu Puli Aattam and Bagh Chal, and measurements are in `NOTES.md`.

pub mod bitset;
pub(crate) mod checkpoint;
pub mod explicit;
pub mod plan;
pub mod tables;
