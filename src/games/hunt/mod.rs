//! Hunt games: a few tigers against many goats on a board of lines.
//!
//! A game is a board file, parsed by [`spec`]. [`board`] derives everything else from it, and the same rules, evaluation
//! and search serve all games. `puli boards show kaooa > mine.txt` writes a file to edit, `puli play mine.txt` plays it,
//! `puli solve mine.txt` solves it, and `puli boards --help` explains its keywords.
//!
//! # Solved games
//!
#![doc = include_str!("atlas.md")]

mod ascii_board;
pub mod board;
mod count;
pub mod evaluation;
mod frontier;
mod interner;
mod legality;
mod mobility;
pub mod network;
mod notation;
mod placement;
mod position;
mod rules;
pub(crate) mod rules_text;
mod scene;
pub mod spec;
mod static_pruning;

pub use board::Board;
pub use evaluation::Evaluation;
pub use position::{Move, Position, points_of};
pub use rules::Hunt;
