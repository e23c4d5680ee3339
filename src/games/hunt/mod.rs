//! Hunt games: a few hunters against many prey, on points joined by lines.
//!
//! In code, hunters are tigers and prey are goats, whatever names the game uses. Pieces that are not on the board at
//! the start are *in hand*. A turn *drops*, or *places*, pieces from the hand on empty points. A tiger captures a
//! goat by jumping over it.
//!
//! A board file defines a game: its points, lines, pieces and rules. [`spec`] parses the file, and [`board`] computes
//! tables from it. All games share the code for rules, evaluation and search.
//! `puli boards show kaooa > mine.txt` writes a file to edit, `puli play mine.txt` plays its game,
//! `puli solve mine.txt` solves it, and `puli boards --help` explains the keywords of the file.
//!
//! `puli atlas --results` prints the values of the solved games. They are recorded in `atlas.csv`.

mod ascii_board;
pub mod board;
mod chain;
mod count;
mod curve;
pub mod evaluation;
mod frontier;
mod identity;
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
pub use curve::Curve;
pub use evaluation::Evaluation;
pub use position::{Move, Position, points_of};
pub use rules::Hunt;
