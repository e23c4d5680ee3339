//! The rules of the m,n,k games on sets of cells, and Nilsson's evaluation.

use super::cells::Cells;
use crate::games::key::scattered;
use crate::rules::{Folded, Foresight, Game, Outcome, Rules};
use crate::value::{Side, Value, Window};

/// Boards have at most this many rows, and this many columns.
pub const MOST_COLUMNS: usize = 19;

/// An m,n,k game: `rows` × `columns` cells, `length` in a row win.
///
/// Cells are numbered from the bottom row up, in a row from the left: `a1` is 0, `b1` is 1.
#[derive(Clone, Copy, Debug)]
pub struct Mnk<const WORDS: usize> {
    /// m, 1 to [`MOST_COLUMNS`].
    pub rows: usize,
    /// n, 1 to [`MOST_COLUMNS`].
    pub columns: usize,
    /// k, from 1. Where no line is that long, every game is a draw.
    pub length: usize,
    /// By how much the numbers of moves exceed what the stones say: a FEN may begin to count anywhere.
    pub(super) counted_before: i64,
    all: Cells<WORDS>,
    axes: [Axis<WORDS>; 4],
}

impl<const WORDS: usize> PartialEq for Mnk<WORDS> {
    /// The same game, from wherever its moves are counted.
    fn eq(&self, other: &Self) -> bool {
        let size = |game: &Self| (game.rows, game.columns, game.length);
        size(self) == size(other)
    }
}

/// One of the four directions of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Axis<const WORDS: usize> {
    /// From a cell's number to that of the next on the line.
    step: usize,
    /// The cells where a whole line begins that fits the board.
    starts: Cells<WORDS>,
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
        let mut all = Cells::NONE;
        (0..rows * columns).for_each(|cell| all.insert(cell));
        let axis = |up: usize, right: isize| Axis::new([rows, columns], length, up, right);
        Self {
            rows,
            columns,
            length,
            counted_before: 0,
            all,
            axes: [axis(0, 1), axis(1, 0), axis(1, 1), axis(1, -1)],
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

    /// How many lines each side could still complete: those that hold no stone of the other.
    pub fn open_lines(&self, position: &Position<WORDS>) -> [u32; 2] {
        let [first, second] = position.stones;
        [second, first].map(|others| self.count_lines(self.all & !others))
    }

    /// The empty cells where these stones lack only one of a line.
    #[inline]
    pub fn completing(&self, stones: Cells<WORDS>, empty: Cells<WORDS>) -> Cells<WORDS> {
        let mut completing = Cells::NONE;
        for axis in &self.axes {
            for lacking in 0..self.length {
                let mut lines = axis.starts & empty.lowered(axis.step * lacking);
                for held in (0..self.length).filter(|&held| held != lacking) {
                    lines = lines & stones.lowered(axis.step * held);
                }
                completing = completing | lines.raised(axis.step * lacking);
            }
        }
        completing
    }

    fn empty_count(&self, position: &Position<WORDS>) -> u32 {
        (self.rows * self.columns) as u32 - u32::from(position.placed)
    }
}

impl<const WORDS: usize> Axis<WORDS> {
    /// The lines of `length` cells that go `up` rows and `right` columns from cell to cell.
    fn new([rows, columns]: [usize; 2], length: usize, up: usize, right: isize) -> Self {
        let reach = length as isize - 1;
        let mut starts = Cells::NONE;
        for row in 0..rows {
            for column in 0..columns {
                let end = column as isize + right * reach;
                if row + up * (length - 1) < rows && (0..columns as isize).contains(&end) {
                    starts.insert(row * columns + column);
                }
            }
        }
        // Without a line nothing is ever lowered, and no step can lead beyond the room of a set.
        let step = (up * columns).wrapping_add_signed(right);
        Self {
            step: if starts.is_empty() { 0 } else { step },
            starts,
        }
    }

    /// Where the lines begin whose cells are all in the set. Runs of cells are doubled until they are long enough.
    #[inline]
    fn lines(&self, cells: Cells<WORDS>, length: usize) -> Cells<WORDS> {
        let mut runs = cells;
        let mut reached = 1;
        while reached < length {
            let more = reached.min(length - reached);
            runs = runs & runs.lowered(self.step * more);
            reached += more;
        }
        runs & self.starts
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
}

/// By how much a line counts more for every stone that it holds, up to so many.
const LINE_GROWTH: i32 = 4;
const MOST_HELD: u32 = 6;

/// A move that wins on the spot is looked at before all others, then one that keeps the opponent from it.
const WINS: i32 = 20_000;
const PREVENTS: i32 = 10_000;

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

    /// The lines still open to the first player less those still open to the second, a point each (Nilsson, Problem
    /// Solving Methods in Artificial Intelligence, 1971, for tic-tac-toe).
    fn evaluate(&self, position: &Position<WORDS>) -> Value {
        let [first, second] = self.open_lines(position);
        Value::points(first as i32 - second as i32)
    }

    fn terms(&self, position: &Position<WORDS>) -> Vec<(&'static str, f64)> {
        let [first, second] = self.open_lines(position).map(f64::from);
        vec![
            ("lines open to x", first),
            ("lines open to o", 0.0 - second),
        ]
    }

    fn longest(&self, position: &Position<WORDS>) -> Option<u32> {
        Some(if position.won {
            0
        } else {
            self.empty_count(position)
        })
    }

    /// Wins first, then what prevents the opponent's win, then what closes the most lines to the opponent.
    fn promise(&self, position: &Position<WORDS>, m: Move) -> i32 {
        let side = position.side();
        let cell = Cells::only(m.0 as usize);
        let own = position.stones[side as usize] | cell;
        if self.has_line(own) {
            WINS
        } else if self.has_line(position.stones[side.other() as usize] | cell) {
            PREVENTS
        } else {
            -(self.count_lines(self.all & !own) as i32)
        }
    }

    /// What a stone is worth to the lines through its cell that hold no stone of one side: the more of the other's
    /// they hold, the more it makes of them or keeps from them.
    fn rate(&self, position: &Position<WORDS>, moves: &[Move], ratings: &mut Vec<i32>) {
        let side = position.side();
        let (own, others) = (
            position.stones[side as usize],
            position.stones[side.other() as usize],
        );
        let mut worth = [[0; 64]; WORDS];
        for axis in &self.axes {
            for start in axis.starts.iter() {
                let cells = || (0..self.length).map(|at| start + at * axis.step);
                let held = |stones: &Cells<WORDS>| {
                    cells().filter(|&cell| stones.contains(cell)).count() as u32
                };
                let gain = match (held(&own), held(&others)) {
                    (own, 0) => 3 * LINE_GROWTH.pow(own.min(MOST_HELD)),
                    (0, others) => 2 * LINE_GROWTH.pow(others.min(MOST_HELD)),
                    _ => continue,
                };
                for cell in cells() {
                    worth[cell / 64][cell % 64] += gain;
                }
            }
        }
        let worth = |m: &Move| worth[m.0 as usize / 64][m.0 as usize % 64];
        ratings.extend(moves.iter().map(worth));
    }

    #[inline]
    fn folded(&self, position: &Position<WORDS>) -> Folded {
        self.folded_by_images(position)
    }

    #[inline]
    fn turned(&self, m: Move, symmetry: usize) -> Move {
        Move(self.image(m.0 as usize, symmetry) as u16)
    }

    #[inline]
    fn turned_back(&self, m: Move, symmetry: usize) -> Move {
        Move(self.origin(m.0 as usize, symmetry) as u16)
    }

    /// A line that can be completed is completed; one that the opponent could complete is closed, and two of them
    /// cannot be. Where nobody has an open line the game is a draw, whoever plays what.
    fn foresee(
        &self,
        position: &Position<WORDS>,
        _depth: u32,
        ply: u32,
        window: Window,
        moves: &mut Vec<Move>,
    ) -> Foresight {
        let side = position.side();
        let empty = self.empty(position);
        let own = self.completing(position.stones[side as usize], empty);
        if let Some(cell) = own.iter().next() {
            moves.push(Move(cell as u16));
            return Foresight::NONE;
        }
        let others = self.completing(position.stones[side.other() as usize], empty);
        if let Some(cell) = others.iter().next() {
            moves.push(Move(cell as u16));
            let is_lost = others.count() > 1;
            return Foresight {
                settled: is_lost.then(|| Value::win(side.other(), ply + 2)),
                ..Foresight::NONE
            };
        }
        let [first, second] = position.stones;
        let can_win = [second, first].map(|others| self.has_line(self.all & !others));
        let is_settled = match can_win {
            [false, false] => true,
            [false, true] => window.alpha >= Value::ZERO,
            [true, false] => window.beta <= Value::ZERO,
            [true, true] => false,
        };
        if is_settled {
            return Foresight {
                settled: Some(Value::ZERO),
                ..Foresight::NONE
            };
        }
        self.moves(position, moves);
        Foresight::NONE
    }

    /// As the tutorials score a win: one, and one for every cell left empty, so that the quick win counts more.
    fn stake(&self, position: &Position<WORDS>) -> f64 {
        f64::from(1 + self.empty_count(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the board cell by cell, the slow and obvious way.
    fn lines_by_walking<const WORDS: usize>(game: &Mnk<WORDS>, cells: Cells<WORDS>) -> u32 {
        let held = |row: isize, column: isize| {
            (0..game.rows as isize).contains(&row)
                && (0..game.columns as isize).contains(&column)
                && cells.contains(row as usize * game.columns + column as usize)
        };
        let mut count = 0;
        for row in 0..game.rows as isize {
            for column in 0..game.columns as isize {
                for (up, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let whole = (0..game.length as isize)
                        .all(|at| held(row + at * up, column + at * right));
                    // A line of one cell lies on all four axes.
                    count += u32::from(whole);
                }
            }
        }
        count
    }

    fn check_lines<const WORDS: usize>(rows: usize, columns: usize, length: usize) {
        let game = Mnk::<WORDS>::new(rows, columns, length);
        for seed in 0..200_u64 {
            // Sparse and dense sets alike.
            let percent = seed % 100;
            let mut cells = Cells::NONE;
            for cell in 0..rows * columns {
                if scattered(seed << 32 | cell as u64 | 1 << 62) % 100 < percent {
                    cells.insert(cell);
                }
            }
            let expected = lines_by_walking(&game, cells);
            assert_eq!(
                game.count_lines(cells),
                expected,
                "{rows} {columns} {length}"
            );
            assert_eq!(game.has_line(cells), expected > 0);
        }
    }

    #[test]
    fn lines_are_the_same_by_shifts_and_by_walking() {
        for rows in 1..=8 {
            for columns in 1..=8 {
                for length in 1..=9 {
                    check_lines::<1>(rows, columns, length);
                }
            }
        }
        for (rows, columns, length) in [(3, 19, 19), (2, 19, 5), (19, 3, 4)] {
            check_lines::<1>(rows, columns, length);
        }
        for (rows, columns, length) in [(19, 19, 5), (9, 9, 5), (15, 15, 15), (3, 3, 3), (7, 19, 8)]
        {
            check_lines::<6>(rows, columns, length);
        }
    }

    #[test]
    fn tic_tac_toe_is_even_at_the_start_and_has_eight_lines() {
        let game = Mnk::<1>::default();
        assert_eq!(game.evaluate(&game.start()), Value::ZERO);
        assert_eq!(game.open_lines(&game.start()), [8, 8]);
        assert!((game.stake(&game.start()) - 10.0).abs() < f64::EPSILON);
        let centre = game.play(&game.start(), Move(4));
        assert_eq!(game.evaluate(&centre), Value::points(4));
    }

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
        assert_eq!(game.longest(&position), Some(0));
    }
}
