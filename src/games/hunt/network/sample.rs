//! Labeled positions for training: the lines of `puli gather`, and their compact form in memory.

use std::fmt;

use super::tiger_config::TigerConfigs;
use super::weights::Buckets;
use crate::games::hunt::board::{Board, Points};
use crate::games::hunt::position::Position;

/// A position with its label: the value from tablebases or, for games without tablebases, the result of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LabeledPosition {
    /// A position that is not terminal.
    pub(crate) position: Position,
    /// 0 for a loss of the goats, 1 for a draw, 2 for a win.
    pub(crate) verdict: u8,
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
    /// Parses the output of `Display`: the label, the goats in hand, the side to move (1 for the tigers), and the
    /// points of the tigers and of the goats as hexadecimal sets.
    ///
    /// Returns `None` if the line is malformed or the position is impossible on `board`.
    pub(crate) fn read(board: &Board, line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let verdict = words.next()?.parse().ok().filter(|&verdict| verdict <= 2)?;
        let hand: u8 = words.next()?.parse().ok()?;
        let side: u8 = words.next()?.parse().ok().filter(|&side| side <= 1)?;
        let mut set = || Points::from_str_radix(words.next()?, 16).ok();
        let (tigers, goats) = (set()?, set()?);
        let total_tigers = board.tigers.count_ones() + board.tigers_in_hand;
        let tigers_hand = total_tigers.checked_sub(tigers.count_ones())?;
        let is_possible = words.next().is_none()
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
            ..Position::default()
        };
        is_possible.then_some(Self { position, verdict })
    }
}

/// A labeled position in canonical form, reduced to the indices of the weights that it uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Canonical image of the goats.
    pub(crate) goats: Points,
    /// Number of the tigers' configuration.
    pub(crate) tiger_config: u16,
    /// Index of the weight row for the goats in hand.
    pub(crate) hand_row: u8,
    /// Index of the weight row for the captured goats.
    pub(crate) capture: u8,
    /// Index of the output head.
    pub(crate) head: u8,
    /// Label: 0, 1 or 2, as in [`LabeledPosition::verdict`].
    pub(crate) verdict: u8,
}

impl Sample {
    /// Converts a labeled position of `board`.
    pub(crate) fn new(
        board: &Board,
        tiger_configs: &TigerConfigs,
        labeled: &LabeledPosition,
    ) -> Self {
        let position = &labeled.position;
        let canonical = tiger_configs.canonical_position(position);
        let buckets = Buckets::of(board).of_position(board, position);
        Self {
            goats: canonical.goats,
            tiger_config: canonical.tiger_config as u16,
            hand_row: buckets.hand_row as u8,
            capture: buckets.capture as u8,
            head: buckets.head as u8,
            verdict: labeled.verdict,
        }
    }
}
