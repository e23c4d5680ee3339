//! The rules of the m,n,k games.

use super::cells::Cells;
use super::lines::Axis;
use crate::games::key::mix64;
use crate::rules::{Game, Outcome, Rules};
use crate::value::Side;

/// Maximum number of rows and of columns.
pub const MAX_COLUMNS: usize = 19;

/// The rules of an m,n,k game: `length` stones in a row win on a board of `rows` × `columns` cells.
///
/// Cells are numbered row by row from the bottom, and from left to right within a row: `a1` is 0, `b1` is 1.
#[derive(Clone, Copy, Debug)]
pub struct Mnk<const WORDS: usize> {
    /// m, from 1 to [`MAX_COLUMNS`].
    pub rows: usize,
    /// n, from 1 to [`MAX_COLUMNS`].
    pub columns: usize,
    /// k, at least 1. If no line of this length fits on the board, every game is a draw.
    pub length: usize,
    /// `true` if positions and moves are read and written in chess notation.
    pub(super) uses_chess_notation: bool,
    /// The move number in the FEN minus the move number implied by the stones.
    pub(super) move_number_offset: i64,
    /// All cells of the board.
    pub(super) all: Cells<WORDS>,
    /// The lines of the board: horizontal, vertical, and along the two diagonals.
    pub(super) axes: [Axis<WORDS>; 4],
}

impl<const WORDS: usize> PartialEq for Mnk<WORDS> {
    /// Compares only rows, columns and length. Equal games can differ in notation and move numbers.
    fn eq(&self, other: &Self) -> bool {
        let size = |game: &Self| (game.rows, game.columns, game.length);
        size(self) == size(other)
    }
}

/// The stones on the board. Their number determines the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<const WORDS: usize> {
    /// The stones of the first player and of the second player.
    pub stones: [Cells<WORDS>; 2],
    /// The number of stones on the board.
    pub placed: u16,
    /// `true` if the last stone completed a line and won.
    pub won: bool,
}

impl<const WORDS: usize> Position<WORDS> {
    /// Returns the side to move.
    #[inline]
    pub fn side(&self) -> Side {
        if self.placed.is_multiple_of(2) {
            Side::P1
        } else {
            Side::P2
        }
    }
}

/// The index of the cell that receives a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub u16);

impl From<u16> for Move {
    fn from(cell: u16) -> Self {
        Self(cell)
    }
}

impl From<Move> for u16 {
    fn from(m: Move) -> Self {
        m.0
    }
}

impl Default for Mnk<1> {
    /// Returns tic-tac-toe.
    fn default() -> Self {
        Self::new(3, 3, 3)
    }
}

impl<const WORDS: usize> Mnk<WORDS> {
    /// Creates the game with `length` stones in a row on `rows` × `columns` cells. The number of cells must be from 1
    /// to `Cells::CAPACITY`.
    pub fn new(rows: usize, columns: usize, length: usize) -> Self {
        let axis = |up: usize, right: isize| Axis::new([rows, columns], length, up, right);
        Self {
            rows,
            columns,
            length,
            uses_chess_notation: false,
            move_number_offset: 0,
            all: (0..rows * columns).collect(),
            axes: [axis(0, 1), axis(1, 0), axis(1, 1), axis(1, -1)],
        }
    }

    /// Returns the same game with chess notation, in which stones are dropped pawns.
    #[must_use]
    pub(crate) fn with_chess_notation(self) -> Self {
        Self {
            uses_chess_notation: true,
            ..self
        }
    }

    /// Returns the empty cells.
    #[inline]
    pub fn empty(&self, position: &Position<WORDS>) -> Cells<WORDS> {
        self.all & !(position.stones[0] | position.stones[1])
    }

    /// Returns `true` if `cells` contains a complete line.
    #[inline]
    pub(crate) fn has_line(&self, cells: Cells<WORDS>) -> bool {
        self.axes
            .iter()
            .any(|axis| !axis.lines(cells, self.length).is_empty())
    }

    /// Returns the number of complete lines in `cells`.
    #[inline]
    pub(crate) fn count_lines(&self, cells: Cells<WORDS>) -> u32 {
        let lines = |axis: &Axis<WORDS>| axis.lines(cells, self.length).count();
        self.axes.iter().map(lines).sum()
    }

    /// Returns the number of empty cells.
    pub(super) fn empty_count(&self, position: &Position<WORDS>) -> u32 {
        (self.rows * self.columns) as u32 - u32::from(position.placed)
    }
}

impl<const WORDS: usize> Rules for Mnk<WORDS> {
    type Position = Position<WORDS>;
    type Move = Move;

    fn start(&self) -> Position<WORDS> {
        Position {
            stones: [Cells::NONE; 2],
            placed: 0,
            won: false,
        }
    }

    #[inline]
    fn moves(&self, position: &Position<WORDS>, out: &mut Vec<Move>) {
        if !position.won {
            out.extend(self.empty(position).iter().map(|cell| Move(cell as u16)));
        }
    }

    #[inline]
    fn play(&self, position: &Position<WORDS>, m: Move) -> Position<WORDS> {
        let mut next = *position;
        let own = &mut next.stones[position.side() as usize];
        own.insert(m.0 as usize);
        next.won = self.has_line(*own);
        next.placed += 1;
        next
    }

    #[inline]
    fn key(&self, position: &Position<WORDS>) -> u64 {
        let board = (self.rows << 16 | self.columns << 8 | self.length) as u64;
        let words = position.stones.iter().flat_map(|cells| cells.0);
        words.fold(board, |key, word| mix64(key ^ word))
    }

    #[inline]
    fn count_moves(&self, position: &Position<WORDS>, _scratch: &mut Vec<Move>) -> u64 {
        if position.won {
            0
        } else {
            u64::from(self.empty_count(position))
        }
    }

    fn positions_at_most(&self) -> Option<u128> {
        Some(fillings((self.rows * self.columns) as u128))
    }

    fn positions_at_most_from(&self, position: &Position<WORDS>) -> Option<u128> {
        Some(fillings(self.empty_count(position).into()))
    }
}

/// Returns the number of arrangements of alternately placed stones on `cells` cells. Saturates at `u128::MAX`.
fn fillings(cells: u128) -> u128 {
    let binomial = |from: u128, taken: u128| {
        (0..taken).fold(1_u128, |binomial, k| {
            binomial.saturating_mul(from - k) / (k + 1)
        })
    };
    // The players have equal numbers of stones, or the first player has one more.
    let with_stones =
        |stones: u128| binomial(cells, stones).saturating_mul(binomial(stones, stones / 2));
    (0..=cells).map(with_stones).fold(0, u128::saturating_add)
}

impl<const WORDS: usize> Game for Mnk<WORDS> {
    #[inline]
    fn side(&self, position: &Position<WORDS>) -> Side {
        position.side()
    }

    #[inline]
    fn outcome(&self, position: &Position<WORDS>) -> Option<Outcome> {
        if position.won {
            Some(Outcome::Won(position.side().other()))
        } else {
            (self.empty_count(position) == 0).then_some(Outcome::Draw)
        }
    }

    fn max_plies_left(&self, position: &Position<WORDS>) -> Option<u32> {
        Some(if position.won {
            0
        } else {
            self.empty_count(position)
        })
    }

    fn symmetries(&self) -> usize {
        // On a single row or column, some symmetries move no cell.
        match (self.rows, self.columns) {
            (1, 1) => 1,
            (1, _) | (_, 1) => 2,
            _ => self.count_symmetries(),
        }
    }

    fn canonical(&self, position: &Position<WORDS>) -> Position<WORDS> {
        self.canonical_image(position).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_a_row_wins_at_once() {
        let game = Mnk::<1>::new(1, 1, 1);
        let end = game.play(&game.start(), Move(0));
        assert_eq!(game.outcome(&end), Some(Outcome::Won(Side::P1)));
        assert_eq!(game.count_moves(&end, &mut Vec::new()), 0);
    }

    #[test]
    fn full_board_without_line_is_draw() {
        let game = Mnk::<1>::new(2, 2, 3);
        let mut position = game.start();
        for cell in 0..4 {
            assert_eq!(game.outcome(&position), None);
            position = game.play(&position, Move(cell));
        }
        assert_eq!(game.outcome(&position), Some(Outcome::Draw));
        assert_eq!(game.max_plies_left(&position), Some(0));
    }
}
