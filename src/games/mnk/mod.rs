//! The m,n,k games, tic-tac-toe the smallest of interest: two players fill the cells of a board in turn, and whoever
//! has k stones in a row, a column or a diagonal has won.

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

/// The games on boards of up to 64 cells, whose sets of cells fit one word.
pub type Small = Mnk<1>;

/// The games on boards of up to 19×19 cells.
pub type Large = Mnk<6>;
