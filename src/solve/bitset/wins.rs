//! Sets of won positions: the positions won in one number of plies, and all positions won by one side.

use super::blocks::Blocks;
use super::position_list::PositionList;
use super::word512::{DIMENSIONS, Word512};
use crate::error::EngineError;
use crate::value::Side;

/// The positions that one side wins in one number of plies.
#[derive(Clone, Copy, Debug)]
pub struct PlyWins<'a> {
    /// The winner.
    pub winner: Side,
    /// Plies to the win.
    pub plies: u32,
    /// The positions, indexed by tiger set.
    pub positions: &'a [PositionList],
}

impl PlyWins<'_> {
    /// Returns `true` if tigers are to move. The winner moves if the number of plies is odd.
    pub fn tigers_to_move(&self) -> bool {
        (self.winner == Side::P2) == (self.plies % 2 == 1)
    }

    /// Returns the number of positions.
    pub fn count(&self) -> u64 {
        self.positions.iter().map(PositionList::count).sum()
    }

    /// Returns `true` if the position is one of these wins. `set` is the index of its tiger set, `goats` that of its
    /// goat set.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub(crate) fn contains(
        &self,
        tigers_to_move: bool,
        set: usize,
        goats: u32,
    ) -> Result<bool, EngineError> {
        Ok(tigers_to_move == self.tigers_to_move() && self.positions[set].contains(goats)?)
    }
}

/// All wins of one side.
#[derive(Debug)]
pub struct Wins {
    /// The winner.
    pub winner: Side,
    /// The positions with goats to move and with tigers to move. One bit per position: the cubes of all tiger sets
    /// in order, and for each cube one word for each stored block.
    pub positions: [Vec<Word512>; 2],
    /// The stored blocks, which are the same for every cube.
    pub blocks: Blocks,
}

impl Wins {
    /// Returns `true` if the position is one of these wins. `set` is the index of its tiger set, `goats` that of its
    /// goat set.
    pub fn contains(&self, tigers_to_move: bool, set: usize, goats: u32) -> bool {
        let Some(place) = self.blocks.find(goats >> DIMENSIONS) else {
            return false;
        };
        let word = &self.positions[usize::from(tigers_to_move)][set * self.blocks.len() + place];
        word.contains(goats)
    }
}
