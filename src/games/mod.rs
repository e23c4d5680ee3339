//! The games and puzzles, one file or folder for each.

pub mod hunt;
pub mod key;
pub mod missionaries;
pub mod mnk;
pub mod tiles;
pub mod tree;
pub mod twenty48;
