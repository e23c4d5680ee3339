//! 2048: rules on packed boards, notation, a heuristic evaluation, and a learned n-tuple network.

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
