//! 2048: the rules on packed boards, how they are written, and the evaluations, one of which was learned.

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
