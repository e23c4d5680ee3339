//! Won positions as sets: those of one ply, and all of one side.

use super::blocks::Blocks;
use super::ply_positions::SparsePositions;
use super::word512::{DIMENSIONS, Word512};
use crate::value::Side;

/// What was found in one ply.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Whose wins these are.
    pub winner: Side,
    /// Plies to the end.
    pub plies: u32,
    /// By sets of tigers.
    pub positions: &'a [SparsePositions],
}

impl Found<'_> {
    /// Whose turn it is: the winner's after an odd number of plies.
    pub fn tigers_to_move(&self) -> bool {
        (self.winner == Side::P2) == (self.plies % 2 == 1)
    }

    /// How many positions.
    pub fn count(&self) -> u64 {
        self.positions.iter().map(SparsePositions::count).sum()
    }

    /// Whether this position, by the numbers of its tigers' and of its goats' set, is one of them.
    pub fn hold(&self, tigers_to_move: bool, set: usize, goats: u32) -> bool {
        if tigers_to_move != self.tigers_to_move() {
            return false;
        }
        let SparsePositions { outers, words } = &self.positions[set];
        let index = outers.binary_search(&(goats >> DIMENSIONS));
        index.is_ok_and(|index| words[index].holds(goats))
    }
}

/// All wins of one side, as sets of positions.
#[derive(Debug)]
pub struct Wins {
    /// Whose.
    pub winner: Side,
    /// Where goats are to move, and where tigers are: cube by cube, block by block.
    pub positions: [Vec<Word512>; 2],
    /// Which blocks of each cube there are.
    pub blocks: Blocks,
}

impl Wins {
    /// Whether this position, by the numbers of its tigers' and of its goats' set, is one of them.
    pub fn hold(&self, tigers_to_move: bool, set: usize, goats: u32) -> bool {
        let Some(place) = self.blocks.find(goats >> DIMENSIONS) else {
            return false;
        };
        let word = &self.positions[usize::from(tigers_to_move)][set * self.blocks.len() + place];
        word.holds(goats)
    }
}
