//! The games and puzzles, one file or folder each, and the [`catalog`] that gives them to the engines by name.

pub mod catalog;
pub mod hunt;
pub mod key;
pub mod missionaries;
pub mod mnk;
pub mod tiles;
pub mod tree;
pub mod twenty48;
