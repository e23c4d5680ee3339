//! Positions whose values are known, as `puli gather` writes them and as a network sees them.

use std::fmt;

use super::tiger_config::Stands;
use super::{captured, kind};
use crate::games::hunt::board::{Board, Points};
use crate::games::hunt::position::Position;

/// A position and what it is worth to the goats: 0, 1 for a draw, 2 for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabeledPosition {
    /// The position, in which the game goes on.
    pub position: Position,
    /// What it is worth.
    pub verdict: u8,
}

impl fmt::Display for LabeledPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position {
            tigers,
            goats,
            hand,
            tigers_to_move,
            ..
        } = self.position;
        let side = u8::from(tigers_to_move);
        write!(f, "{} {hand} {side} {tigers:x} {goats:x}", self.verdict)
    }
}

impl LabeledPosition {
    /// Reads what is written of a position, if a game on this board can have it.
    pub fn read(board: &Board, line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let verdict = words.next()?.parse().ok().filter(|&verdict| verdict <= 2)?;
        let hand: u8 = words.next()?.parse().ok()?;
        let side: u8 = words.next()?.parse().ok().filter(|&side| side <= 1)?;
        let mut set = || Points::from_str_radix(words.next()?, 16).ok();
        let (tigers, goats) = (set()?, set()?);
        let all = board.tigers.count_ones() + board.tigers_in_hand;
        let tigers_hand = all.checked_sub(tigers.count_ones())?;
        let can_be = words.next().is_none()
            && tigers & goats == 0
            && (tigers | goats) & !board.all() == 0
            && tigers_hand <= board.tigers_in_hand
            && u32::from(hand) + goats.count_ones() <= board.goats;
        let position = Position {
            tigers,
            goats,
            hand,
            tigers_hand: tigers_hand as u8,
            tigers_to_move: side == 1,
        };
        can_be.then_some(Self { position, verdict })
    }
}

/// A position whose value is known, as a network sees it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The goats.
    pub goats: Points,
    /// The number of the tigers' stand.
    pub tiger_config: u16,
    /// Goats in hand.
    pub hand: u8,
    /// Goats captured, as far as they are counted.
    pub captured: u8,
    /// What is counted by who is to move, the goats in hand and those captured.
    pub kind: u8,
    /// As [`Known::verdict`].
    pub verdict: u8,
}

impl Sample {
    /// What is seen of a position.
    pub fn new(board: &Board, stands: &Stands, known: &LabeledPosition) -> Self {
        let position = &known.position;
        let seen = stands.see(position);
        Self {
            goats: seen.goats,
            tiger_config: seen.tiger_config as u16,
            hand: position.hand,
            captured: captured(board, position) as u8,
            kind: kind(board, position) as u8,
            verdict: known.verdict,
        }
    }
}
