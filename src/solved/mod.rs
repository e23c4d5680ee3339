//! Solved games: positions as numbers ([`rank`]), and the retrograde analysis that finds the value of every one, first of
//! those with no goat in hand ([`movement`]), then of all others ([`placement`]).

pub mod blocks;
pub mod cache;
pub mod check;
pub mod cube_index;
pub mod file;
pub mod forecast;
pub mod gathering;
pub mod layer;
pub mod movement;
pub mod placement;
pub mod probe;
pub mod rank;
pub mod reader;
#[cfg(test)]
mod referee;
pub mod solver;
pub mod steps;
pub mod tally;
pub mod turn;
pub mod unpacker;
pub mod verdict;
pub mod word;
