//! The m,n,k games, such as tic-tac-toe (3,3,3) and gomoku (15,15,5).
//!
//! Two players take turns placing a stone on an empty cell of a board with m rows and n columns. The first player with
//! k or more stones in a row wins. The row can be horizontal, vertical or diagonal.

mod cells;
mod evaluation;
mod lines;
mod maker_breaker;
mod notation;
mod rules;
mod scene;
mod symmetry;
mod threats;

pub use cells::Cells;
pub use evaluation::Nilsson;
pub use rules::{MAX_COLUMNS, Mnk, Move, Position};

/// A game on a board of at most 64 cells, so that a set of cells fits in one 64-bit word.
pub type Small = Mnk<1>;

/// A game on a board of at most 19×19 cells. A set of cells takes six 64-bit words.
pub type Large = Mnk<6>;
