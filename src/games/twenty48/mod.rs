//! 2048: the rules on packed boards, how they are written, and the evaluations, one of which was learned.

pub mod board;
pub mod network;
