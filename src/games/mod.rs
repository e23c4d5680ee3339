//! The games and puzzles, with one folder for each kind, and the hash function that they share ([`key`]).

pub mod hunt;
pub mod key;
pub mod missionaries;
pub mod mnk;
pub mod tiles;
pub mod tree;
pub mod twenty48;
