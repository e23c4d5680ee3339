//! Hunt games: a few tigers against many goats on a board of lines. The boards are data ([`board`]); one code plays
//! them all.

pub mod board;
mod drawing;
pub mod evaluation;
pub mod fitted;
mod foresight;
mod horizon;
pub mod lines;
mod notation;
mod outlook;
mod placing;
mod position;
mod rules;
mod scene;
pub mod sketch;
mod words;

pub use board::Board;
pub use evaluation::Evaluation;
pub use position::{Move, Position, points_of};
pub use rules::Hunt;
