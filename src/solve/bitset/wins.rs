//! Won positions as sets: those of one ply, and all of one side.

use super::blocks::Blocks;
use super::ply_positions::SparsePositions;
use super::word512::{DIMENSIONS, Word512};
use crate::value::Side;

/// The positions won in one number of plies.
#[derive(Clone, Copy, Debug)]
pub struct PlyWins<'a> {
    /// The winner.
    pub winner: Side,
    /// Plies to the win.
    pub plies: u32,
    /// The positions by tiger set.
    pub positions: &'a [SparsePositions],
}

impl PlyWins<'_> {
    /// Returns `true` if tigers are to move. The winner moves if the number of plies is odd.
    pub fn tigers_to_move(&self) -> bool {
        (self.winner == Side::P2) == (self.plies % 2 == 1)
    }

    /// Returns the number of positions.
    pub fn count(&self) -> u64 {
        self.positions.iter().map(SparsePositions::count).sum()
    }

    /// Returns `true` if the position is one of them.
    pub fn contains(&self, tigers_to_move: bool, set: usize, goats: u32) -> bool {
        if tigers_to_move != self.tigers_to_move() {
            return false;
        }
        let SparsePositions { outers, words } = &self.positions[set];
        let index = outers.binary_search(&(goats >> DIMENSIONS));
        index.is_ok_and(|index| words[index].contains(goats))
    }
}

/// All wins of one side.
#[derive(Debug)]
pub struct Wins {
    /// The winner.
    pub winner: Side,
    /// With goats to move, and with tigers to move: all cubes in order, each block by block.
    pub positions: [Vec<Word512>; 2],
    /// The stored blocks of each cube.
    pub blocks: Blocks,
}

impl Wins {
    /// Returns `true` if the position is one of them.
    pub fn contains(&self, tigers_to_move: bool, set: usize, goats: u32) -> bool {
        let Some(place) = self.blocks.find(goats >> DIMENSIONS) else {
            return false;
        };
        let word = &self.positions[usize::from(tigers_to_move)][set * self.blocks.len() + place];
        word.contains(goats)
    }
}
