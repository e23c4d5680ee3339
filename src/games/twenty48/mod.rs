//! The game 2048: rules, notation, a hand-written evaluation, and a learned evaluation (n-tuple network).
//!
//! The player slides all tiles in one direction, then chance adds a tile of 2 or 4. Two equal tiles that meet merge.
//! The code stores a tile by its power, the exponent of two: the tile 2 has power 1, and the tile 2048 has power 11.

pub mod board;
pub mod heuristic;
mod length;
pub mod network;
mod notation;
pub mod results;
pub mod rules;
mod scene;
pub mod tiles;

pub use rules::Twenty48;
