//! Sliding-tile puzzles on boards from 2×2 to 6×6 with any goal.
//!
//! This module implements the rules. Every algorithm of [`crate::pathfinding`] can solve these puzzles. `solver` adds
//! the specialized algorithms that run if the option `Algorithm` is `auto`:
//!
//! - at most 9 cells: IDA* with Manhattan distance
//! - 10 to 25 cells: IDA* with additive pattern databases
//! - 26 cells or more: beam searches of growing width find solutions, and IDA* proves that no solution is
//!   shorter
//!
//! `puli compare` compares algorithms and heuristics. `puli tables` builds pattern databases on disk for the option
//! `TablebasePath`. `scripts/korf` checks the published solution lengths and node counts. Commands and results are
//! in `NOTES.md`.

mod anytime;
mod automaton;
pub mod beam;
mod database_search;
pub mod databases;
mod heuristics;
mod manhattan;
mod notation;
pub mod pairs;
pub mod partition;
pub mod pattern;
mod scene;
mod solver;
mod symmetry;
mod walking_distance;

use std::sync::Arc;

use crate::control::Stopped;
use crate::games::key::mix64;
use crate::pathfinding::{EnginePuzzle, Heuristic, ZeroHeuristic};
use crate::random::Random;
use crate::rules::{Puzzle, Rules};
use crate::settings::HeuristicName;
use crate::try_alloc::BuildError;

/// Maximum number of rows, and of columns.
pub(crate) const MAX_SIDE: usize = 6;
/// Maximum number of cells.
pub(crate) const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;

/// One byte per cell, row by row from the top, or one byte per tile. Elements beyond the board are unused, and 0
/// in a [`Position`].
pub type Cells = [u8; MAX_CELLS];

/// The rules of a sliding-tile puzzle: the size of the board, and the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    goal: Position,
    /// The goal cell, or *home*, of each tile. Element 0 is the goal cell of the blank.
    home: Cells,
}

/// An arrangement of the tiles on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The tile on each cell, 0 for the blank.
    pub cells: Cells,
    /// The cell of the blank.
    pub blank: u8,
}

/// A move, named by the direction in which the blank moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum Direction {
    /// One row up.
    Up,
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// One row down.
    Down,
}

impl Direction {
    /// All directions, in the order in which searches try them (Korf, 1985).
    pub const ALL: [Self; 4] = [Self::Up, Self::Left, Self::Right, Self::Down];

    /// Returns the direction of the inverse move.
    #[inline]
    #[must_use]
    pub(crate) fn opposite(self) -> Self {
        Self::ALL[3 - self as usize]
    }
}

impl From<u16> for Direction {
    fn from(bits: u16) -> Self {
        Self::ALL[usize::from(bits & 3)]
    }
}

impl From<Direction> for u16 {
    fn from(direction: Direction) -> Self {
        direction as u16
    }
}

impl Position {
    /// Creates a position from its tiles and locates the blank in the first `cell_count` cells.
    pub fn new(cells: Cells, cell_count: usize) -> Self {
        let blank = cells[..cell_count].iter().position(|&tile| tile == 0);
        Self {
            cells,
            blank: blank.unwrap_or(0) as u8,
        }
    }
}

impl Tiles {
    /// Creates a board whose goal has the blank on the first cell, then the tiles in ascending order.
    pub fn new(width: usize, height: usize) -> Self {
        let mut cells = [0; MAX_CELLS];
        for (cell, tile) in cells[..width * height].iter_mut().enumerate() {
            *tile = cell as u8;
        }
        Self::with_goal(width, height, Position { cells, blank: 0 })
    }

    /// Creates a board with the usual goal of commercial puzzles: the tiles in ascending order, then the blank.
    pub(crate) fn blank_last(width: usize, height: usize) -> Self {
        let count = width * height;
        let mut cells = [0; MAX_CELLS];
        for (cell, tile) in cells[..count - 1].iter_mut().enumerate() {
            *tile = cell as u8 + 1;
        }
        Self::with_goal(width, height, Position::new(cells, count))
    }

    /// Creates a board with the goal `goal`.
    pub(crate) fn with_goal(width: usize, height: usize, goal: Position) -> Self {
        let mut home = [0; MAX_CELLS];
        for (cell, &tile) in goal.cells[..width * height].iter().enumerate() {
            home[usize::from(tile)] = cell as u8;
        }
        Self {
            width,
            height,
            goal,
            home,
        }
    }

    /// Returns the number of cells of the board.
    #[inline]
    pub fn cell_count(&self) -> usize {
        self.width * self.height
    }

    /// Returns the goal position.
    pub fn goal(&self) -> &Position {
        &self.goal
    }

    /// Returns the goal cell of `tile`, or of the blank if `tile` is 0.
    #[inline]
    pub(crate) fn home(&self, tile: u8) -> usize {
        usize::from(self.home[usize::from(tile)])
    }

    /// Returns the neighbor of `cell` in `direction`, or `None` at the edge of the board.
    #[inline]
    pub fn neighbor(&self, cell: usize, direction: Direction) -> Option<usize> {
        let (row, column) = (cell / self.width, cell % self.width);
        match direction {
            Direction::Up => (row > 0).then(|| cell - self.width),
            Direction::Left => (column > 0).then(|| cell - 1),
            Direction::Right => (column + 1 < self.width).then(|| cell + 1),
            Direction::Down => (row + 1 < self.height).then(|| cell + self.width),
        }
    }

    /// Returns the Manhattan distance between two cells.
    #[inline]
    pub fn distance(&self, a: usize, b: usize) -> u32 {
        let rows = (a / self.width).abs_diff(b / self.width);
        let columns = (a % self.width).abs_diff(b % self.width);
        (rows + columns) as u32
    }

    /// Returns the set of tiles that a move from cell `from` to the adjacent cell `to` takes farther from home. Bit `t`
    /// represents tile `t`.
    fn tiles_moving_away(&self, from: usize, to: usize) -> u64 {
        let moves_away = |&tile: &usize| {
            let home = self.home(tile as u8);
            self.distance(to, home) > self.distance(from, home)
        };
        let tiles = (1..self.cell_count()).filter(moves_away);
        tiles.fold(0, |set, tile| set | 1 << tile)
    }

    /// Returns `true` if the parity invariant of `position` is odd.
    ///
    /// The invariant is the number of inversions, plus the blank's row if the width is even. An inversion is a pair
    /// of tiles whose homes are in the opposite order of their cells. No move changes the parity.
    fn has_odd_parity(&self, position: &Position) -> bool {
        let cells = &position.cells[..self.cell_count()];
        let homes = || {
            cells
                .iter()
                .filter(|&&tile| tile != 0)
                .map(|&tile| self.home(tile))
        };
        let inversions: usize = homes()
            .enumerate()
            .map(|(index, home)| {
                homes()
                    .skip(index + 1)
                    .filter(|&later| later < home)
                    .count()
            })
            .sum();
        // A move along a row changes no inversion. A tile that moves along a column passes `width - 1` tiles in
        // reading order. If the width is even, this changes the number of inversions by an odd number, and the
        // blank's row by 1.
        let blank_row = usize::from(position.blank) / self.width;
        (inversions + (self.width - 1) * blank_row) % 2 == 1
    }

    /// Returns `true` if the goal can be reached from `position`.
    fn can_reach_goal(&self, position: &Position) -> bool {
        self.has_odd_parity(position) == self.has_odd_parity(&self.goal)
    }

    /// Returns the position as one 64-bit word with four bits per cell, or `None` if the board has more than 16
    /// cells.
    #[inline]
    fn packed(&self, position: &Position) -> Option<u64> {
        let cells = &position.cells[..self.cell_count()];
        (cells.len() <= 16).then(|| {
            cells
                .iter()
                .rev()
                .fold(0, |bits, &tile| bits << 4 | u64::from(tile))
        })
    }
}

impl Rules for Tiles {
    type Position = Position;
    type Move = Direction;

    fn start(&self) -> Position {
        self.goal
    }

    /// The goal also has legal moves, so that users can scramble a puzzle by hand.
    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Direction>) {
        let blank = usize::from(position.blank);
        out.extend(
            Direction::ALL
                .into_iter()
                .filter(|&direction| self.neighbor(blank, direction).is_some()),
        );
    }

    #[inline]
    fn play(&self, position: &Position, m: Direction) -> Position {
        let mut next = *position;
        if let Some(cell) = self.neighbor(usize::from(position.blank), m) {
            next.cells.swap(cell, usize::from(position.blank));
            next.blank = cell as u8;
        }
        next
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        if let Some(bits) = self.packed(position) {
            return mix64(bits);
        }
        let words = position.cells.chunks_exact(4);
        words.fold(0, |key, word| {
            mix64(key ^ u64::from(u32::from_le_bytes([word[0], word[1], word[2], word[3]])))
        })
    }

    /// Half of all permutations of the cells, because no move changes the parity.
    fn positions_at_most(&self) -> Option<u128> {
        Some((3..=self.cell_count() as u128).fold(1, u128::saturating_mul))
    }
}

impl Puzzle for Tiles {
    #[inline]
    fn is_solved(&self, position: &Position) -> bool {
        *position == self.goal
    }

    fn unsolvable_reason(&self, position: &Position) -> Option<String> {
        if self.can_reach_goal(position) {
            return None;
        }
        let why = "the goal cannot be reached: the tiles are an odd permutation of it, and every move keeps the parity";
        let blank_last = Self::blank_last(self.width, self.height);
        Some(
            if *self != blank_last && blank_last.can_reach_goal(position) {
                let goal = blank_last.show_goal();
                format!("{why}; with the blank last it can: add ' goal {goal}'")
            } else {
                why.into()
            },
        )
    }

    #[inline]
    fn inverse(&self, m: Direction) -> Option<Direction> {
        Some(m.opposite())
    }
}

impl EnginePuzzle for Tiles {
    type Solver = solver::TilesSolver;

    fn goal(&self) -> Position {
        self.goal
    }

    /// Draws uniformly from the positions that can reach the goal.
    fn random(&self, random: &mut Random) -> Position {
        let mut cells = self.goal.cells;
        random.shuffle(&mut cells[..self.cell_count()]);
        let mut position = Position::new(cells, self.cell_count());
        if self.unsolvable_reason(&position).is_some() {
            // Exchanging any two tiles changes the parity.
            let mut tiles =
                (0..self.cell_count()).filter(|&cell| cell != usize::from(position.blank));
            if let Some((a, b)) = tiles.next().zip(tiles.next()) {
                position.cells.swap(a, b);
            }
        }
        position
    }

    fn lower_bound(&self, position: &Position) -> u32 {
        heuristics::Manhattan.estimate(self, position)
    }

    fn has_heuristic(&self, name: HeuristicName) -> bool {
        match name {
            HeuristicName::WalkingDistance => self.cell_count() <= walking_distance::MAX_CELLS,
            HeuristicName::PatternDatabase | HeuristicName::Own => false,
            _ => true,
        }
    }

    fn heuristic(
        &self,
        name: HeuristicName,
        poll: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<Option<Arc<dyn Heuristic<Self>>>, BuildError> {
        use heuristics::{LinearConflict, Manhattan, Misplaced, Reversal, Squared};
        if !self.has_heuristic(name) {
            return Ok(None);
        }
        Ok(Some(match name {
            HeuristicName::Zero => Arc::new(ZeroHeuristic),
            HeuristicName::Misplaced => Arc::new(Misplaced),
            HeuristicName::Manhattan => Arc::new(Manhattan),
            HeuristicName::Reversal => Arc::new(Reversal),
            HeuristicName::SquaredDiscounted => Arc::new(Squared { discounted: true }),
            HeuristicName::Squared => Arc::new(Squared { discounted: false }),
            HeuristicName::LinearConflict | HeuristicName::Auto => Arc::new(LinearConflict),
            HeuristicName::WalkingDistance => {
                Arc::new(walking_distance::WalkingDistance::new(self, poll)?)
            }
            HeuristicName::PatternDatabase | HeuristicName::Own => return Ok(None),
        }))
    }
}
