//! The Universal Game Interface as tournament runners speak it: the real program over pipes, asked after every position
//! and held to its clock.

mod clocks;
mod runner;
#[path = "../support/process.rs"]
mod support;
mod words;

/// The two-player variants without dice.
const GAMES: [&str; 3] = ["aadu-puli", "bagh-chal", "tic-tac-toe"];
