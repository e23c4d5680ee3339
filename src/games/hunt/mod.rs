//! Hunt games: a few tigers against many goats on a board of lines. The boards are data ([`board`]); one code plays
//! them all.
//!
//! # The atlas
//!
//! A game is a file: `puli boards show kaooa > mine.txt` writes one to change, `puli play mine.txt` plays it and `puli solve
//! mine.txt` solves it; [`sketch`] reads it, and `puli boards --help` explains its keywords.
//!
#![doc = include_str!("atlas.md")]
//!
//! Bagh Chal to the last goat, which Sumi Naga is, and the Orissa game too, where four goats come at once, is a draw as Bagh Chal is;
//! Fox and Geese, of which the tradition has thirteen geese or more, is won by thirteen, from every position that has them and lets
//! them move; in La Yagua twelve dogs win, wherever the jaguar goes first, in Yaguarete Kora already fourteen win from every position that has them, as
//! fourteen do in Adugo. A game without end that the rules give to a party is a win of it, of no length. Aadu Puli and
//! Bagh Chal, which are larger, have tables ([`solved`](crate::solve)): draws both. So has Pulijudamu, of which the tradition
//! leaves the numbers open: 1 to 4 tigers, 5 to 15 goats. With `puli solve FILE --out DIR`, one table for each number of tigers,
//! of `hunters N at a1 …`, tells them all: the goats win, in so many plies, or nobody does; but where four tigers meet five goats
//! only, they win in 76.
//!
//! | tigers at | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 goats |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | a1 | draw | draw | 37 | 27 | 21 | 19 | 19 | 19 | 19 | 19 | 19 |
//! | a1 b2 | draw | draw | draw | draw | draw | draw | 65 | 37 | 31 | 29 | 29 |
//! | a1 b3 | draw | draw | draw | draw | draw | draw | 51 | 37 | 31 | 29 | 29 |
//! | a1 b2 b3 | draw | draw | draw | draw | draw | draw | draw | draw | draw | 35 | 29 |
//! | a1 b2 b4 | draw | draw | draw | draw | draw | draw | draw | draw | draw | 35 | 29 |
//! | a1 b2 b3 b4 | tigers 76 | draw | draw | draw | draw | draw | draw | draw | draw | draw | 29 |

mod ascii_board;
pub mod board;
mod count;
pub mod evaluation;
mod frontier;
mod legality;
mod mobility;
pub mod network;
mod notation;
mod placement;
mod position;
mod rules;
pub mod rules_text;
mod scene;
pub mod spec;
mod static_pruning;

pub use board::Board;
pub use evaluation::Evaluation;
pub use position::{Move, Position, points_of};
pub use rules::Hunt;
