//! The rules of the m,n,k games on sets of cells.

use super::cells::Cells;
use super::lines::Axis;
use crate::games::key::scattered;
use crate::rules::{Game, Outcome, Rules};
use crate::value::Side;

/// Boards have at most this many rows, and this many columns.
pub const MAX_COLUMNS: usize = 19;

/// An m,n,k game: `rows` × `columns` cells, `length` in a row win.
///
/// Cells are numbered from the bottom row up, in a row from the left: `a1` is 0, `b1` is 1.
#[derive(Clone, Copy, Debug)]
pub struct Mnk<const WORDS: usize> {
    /// m, 1 to [`MAX_COLUMNS`].
    pub rows: usize,
    /// n, 1 to [`MAX_COLUMNS`].
    pub columns: usize,
    /// k, from 1. Where no line is that long, every game is a draw.
    pub length: usize,
    /// Whether positions and moves are written as chess programs write them.
    pub(super) speaks_chess: bool,
    /// By how much the numbers of moves exceed what the stones say: a FEN may begin to count anywhere.
    pub(super) counted_before: i64,
    pub(super) all: Cells<WORDS>,
    pub(super) axes: [Axis<WORDS>; 4],
}

impl<const WORDS: usize> PartialEq for Mnk<WORDS> {
    /// The same game, from wherever its moves are counted.
    fn eq(&self, other: &Self) -> bool {
        let size = |game: &Self| (game.rows, game.columns, game.length);
        size(self) == size(other)
    }
}

/// Where the stones lie. Whose turn it is follows from their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<const WORDS: usize> {
    /// The first player's stones, then the second's.
    pub stones: [Cells<WORDS>; 2],
    /// How many stones there are.
    pub placed: u16,
    /// Whether the last stone has completed a line.
    pub won: bool,
}

impl<const WORDS: usize> Position<WORDS> {
    /// Whose turn it is.
    #[inline]
    pub fn side(&self) -> Side {
        if self.placed.is_multiple_of(2) {
            Side::P1
        } else {
            Side::P2
        }
    }
}

/// The number of the cell that gets a stone.
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
    /// Tic-tac-toe.
    fn default() -> Self {
        Self::new(3, 3, 3)
    }
}

impl<const WORDS: usize> Mnk<WORDS> {
    /// The game on `rows` × `columns` cells, at least one and at most [`Cells::ROOM`], where `length` in a row win.
    pub fn new(rows: usize, columns: usize, length: usize) -> Self {
        let axis = |up: usize, right: isize| Axis::new([rows, columns], length, up, right);
        Self {
            rows,
            columns,
            length,
            speaks_chess: false,
            counted_before: 0,
            all: (0..rows * columns).collect(),
            axes: [axis(0, 1), axis(1, 0), axis(1, 1), axis(1, -1)],
        }
    }

    /// The same game, its positions and moves written as GUIs for chess write them: stones are pawns that are dropped.
    #[must_use]
    pub fn in_words_of_chess(self) -> Self {
        Self {
            speaks_chess: true,
            ..self
        }
    }

    /// The empty cells.
    #[inline]
    pub fn empty(&self, position: &Position<WORDS>) -> Cells<WORDS> {
        self.all & !(position.stones[0] | position.stones[1])
    }

    /// Whether these cells hold a whole line.
    #[inline]
    pub fn has_line(&self, cells: Cells<WORDS>) -> bool {
        self.axes
            .iter()
            .any(|axis| !axis.lines(cells, self.length).is_empty())
    }

    /// How many whole lines these cells hold.
    #[inline]
    pub fn count_lines(&self, cells: Cells<WORDS>) -> u32 {
        let lines = |axis: &Axis<WORDS>| axis.lines(cells, self.length).count();
        self.axes.iter().map(lines).sum()
    }

    /// How many cells are empty.
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
        words.fold(board, |key, word| scattered(key ^ word))
    }

    #[inline]
    fn count_moves(&self, position: &Position<WORDS>, _scratch: &mut Vec<Move>) -> u64 {
        if position.won {
            0
        } else {
            u64::from(self.empty_count(position))
        }
    }

    /// Every cell is empty or has a stone of either, as many of both or one more of the first player's.
    fn positions_at_most(&self) -> Option<u128> {
        let ways = |from: u128, taken: u128| {
            (0..taken).fold(1_u128, |ways, k| ways.saturating_mul(from - k) / (k + 1))
        };
        let cells = (self.rows * self.columns) as u128;
        let with = |stones: u128| ways(cells, stones).saturating_mul(ways(stones, stones / 2));
        Some((0..=cells).map(with).fold(0, u128::saturating_add))
    }
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
        self.count_symmetries()
    }

    fn canonical(&self, position: &Position<WORDS>) -> Position<WORDS> {
        self.least_image(position).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_a_row_is_won_at_once() {
        let game = Mnk::<1>::new(1, 1, 1);
        let end = game.play(&game.start(), Move(0));
        assert_eq!(game.outcome(&end), Some(Outcome::Won(Side::P1)));
        assert_eq!(game.count_moves(&end, &mut Vec::new()), 0);
    }

    #[test]
    fn a_full_board_without_a_line_is_a_draw() {
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
