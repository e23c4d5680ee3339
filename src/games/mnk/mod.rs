//! The m,n,k games, such as tic-tac-toe and gomoku. Two players fill the cells of a board in turn. The first to
//! have k stones in a row, horizontally, vertically or diagonally, wins.

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

/// Games on boards of at most 64 cells. A set of cells fits in one word.
pub type Small = Mnk<1>;

/// Games on boards of at most 19×19 cells.
pub type Large = Mnk<6>;
