//! Sliding tiles on any board from 2×2 to 6×6, with any goal: the rules on plain arrays, which every search can run.
//!
//! # From blind search to pattern databases
//!
//! A 15-puzzle, solved in the fewest moves from a shell:
//!
//! ```text
//! target/release/puli -c "setoption name UCI_Variant value 15-puzzle" \
//!     -c "position fen 14,13,15,7/11,12,9,5/6,0,2,1/4,8,10,3" -c "go"
//! ```
//!
//! `score mate 57` says how many moves, `pv` which. `auto`, as here, makes additive pattern databases in memory on first use, in
//! a fraction of a second of work, and keeps them. Larger ones from a folder leave a tenth of the nodes; this makes them (a 7-8
//! partition, 288 MB; others, as `--pattern 7-7-1`, take less), and option `TablebasePath` names the folder, of which the partition
//! with the largest patterns is used, for 24-puzzles up to three of the same sizes at once:
//!
//! ```text
//! target/release/puli tables 15-puzzle --out tables --threads 2
//! target/release/puli -c "setoption name UCI_Variant value 15-puzzle" -c "setoption name TablebasePath value tables" \
//!     -c "position random seed 1" -c "go"
//! ```
//!
//! `puli compare` sets algorithms and heuristics side by side, for one position or, with `--suite`, a file of them (one a line, or
//! tab-separated: a name, and the tiles with blanks between), with the means; without either for a random one. Every search has 10
//! seconds, or `--movetime` milliseconds, beside what its databases take to make, which is told and not counted; a row that was not
//! finished says why. The last two heuristics here overestimate: quick, and not always shortest.
//!
//! ```text
//! target/release/puli compare --variant 15-puzzle --suite tests/data/puzzles/korf100.tsv --format markdown
//! target/release/puli compare --variant 15-puzzle --fen "14,5,9,6/8,10,1,2/7,0,4,3/12,13,15,11" --algorithm astar \
//!     --heuristic manhattan --heuristic reversal --heuristic squared-discounted --heuristic squared
//! ```
//!
//! ```text
//! instance  algorithm  heuristic           steps  optimal      examined      generated  peak_mib     time_ms  unfinished
//! 1         astar      manhattan              37  yes             38273          78553      4.49       17.45
//! 1         astar      reversal               37  yes             31067          64056      3.77       16.65
//! 1         astar      squared-discounted     41  no               5071          10403       0.6        2.21
//! 1         astar      squared                43  no               2189           4517      0.26        0.97
//! ```
//!
//! `idastar` with `manhattan` generates the nodes that Korf published in 1985, to the node in 96 of his hundred; in the other four a
//! transcription of his table differs. `scripts/korf` checks a file of instances, with `--counts` to the node:
//!
//! ```text
//! scripts/korf tests/data/puzzles/korf100.tsv --option Algorithm idastar --option Heuristic manhattan --counts
//! ```
//!
//! 24-puzzles are hard: some take hours to be proved. `auto` proves a growing bound meanwhile. On still larger boards it improves a
//! first solution with beams ever wider, for as long as it may: eight random 35-puzzles took 180 moves on average after ten seconds,
//! where 151 are proved necessary. `info string bound B` always says what is proved. What leads the beams was learned: see `pairs`.
//! `puli tables 24-puzzle --out tables --threads 2` makes three partitions, eight tables of 64 MB, in a quarter of a minute: with
//! them searches take fewer nodes, each of which takes longer; those that tell little are not asked (see `database_search`).

pub mod anytime;
pub mod automaton;
pub mod beam;
pub mod database_search;
pub mod databases;
pub mod heuristics;
pub mod manhattan;
pub mod notation;
pub mod pairs;
pub mod partition;
pub mod pattern;
mod scene;
pub mod solver;
pub mod symmetry;
pub mod walking_distance;

use std::sync::Arc;

use crate::control::Stopped;
use crate::games::key::scattered;
use crate::pathfinding::{EnginePuzzle, Heuristic, ZeroHeuristic};
use crate::random::Random;
use crate::rules::{Puzzle, Rules};
use crate::settings::HeuristicName;
use crate::try_alloc::BuildError;

/// The longest side of a board.
pub const MAX_SIDE: usize = 6;
/// The most cells a board can have.
pub const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;

/// The cells of a board in rows from the top, and beyond them zeros.
pub type Cells = [u8; MAX_CELLS];

/// A sliding-tile puzzle: the size of its board, and the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    goal: Position,
    /// Where each tile, and the blank, belongs.
    home: Cells,
}

/// Where the tiles lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The tile on each cell, 0 for the blank.
    pub cells: Cells,
    /// The blank's cell.
    pub blank: u8,
}

/// Where the blank goes.
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
    /// All, in the order in which searches try them (Korf, 1985).
    pub const ALL: [Self; 4] = [Self::Up, Self::Left, Self::Right, Self::Down];

    /// The direction that undoes this one.
    #[inline]
    #[must_use]
    pub fn opposite(self) -> Self {
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
    /// The position with these tiles; the blank is found.
    pub fn new(cells: Cells, cell_count: usize) -> Self {
        let blank = cells[..cell_count].iter().position(|&tile| tile == 0);
        Self {
            cells,
            blank: blank.unwrap_or(0) as u8,
        }
    }
}

impl Tiles {
    /// A board with the blank first in the goal, then the tiles in order.
    pub fn new(width: usize, height: usize) -> Self {
        let mut cells = [0; MAX_CELLS];
        for (cell, tile) in cells[..width * height].iter_mut().enumerate() {
            *tile = cell as u8;
        }
        Self::with_goal(width, height, Position { cells, blank: 0 })
    }

    /// A board as the shops have it: the tiles in order, then the blank.
    pub fn blank_last(width: usize, height: usize) -> Self {
        let count = width * height;
        let mut cells = [0; MAX_CELLS];
        for (cell, tile) in cells[..count - 1].iter_mut().enumerate() {
            *tile = cell as u8 + 1;
        }
        Self::with_goal(width, height, Position::new(cells, count))
    }

    /// A board with any goal.
    pub fn with_goal(width: usize, height: usize, goal: Position) -> Self {
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

    /// How many cells the board has.
    #[inline]
    pub fn cell_count(&self) -> usize {
        self.width * self.height
    }

    /// The goal.
    pub fn goal(&self) -> &Position {
        &self.goal
    }

    /// The cell on which `tile`, or the blank, lies in the goal.
    #[inline]
    pub fn home(&self, tile: u8) -> usize {
        usize::from(self.home[usize::from(tile)])
    }

    /// The cell next to `cell` in this direction, if the board does not end there.
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

    /// Steps between two cells.
    #[inline]
    pub fn distance(&self, a: usize, b: usize) -> u32 {
        let rows = (a / self.width).abs_diff(b / self.width);
        let columns = (a % self.width).abs_diff(b % self.width);
        (rows + columns) as u32
    }

    /// The tiles, as bits, that a step from cell to cell takes away from home.
    fn taken_away(&self, from: usize, to: usize) -> u64 {
        let is_taken_away = |&tile: &usize| {
            let home = self.home(tile as u8);
            self.distance(to, home) > self.distance(from, home)
        };
        let tiles = (1..self.cell_count()).filter(is_taken_away);
        tiles.fold(0, |set, tile| set | 1 << tile)
    }

    /// Whether the tiles, moved to their goal cells' numbers, form an odd permutation; the blank's way counts with it.
    fn is_odd(&self, position: &Position) -> bool {
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
        // A step along a row changes no inversion; one along a column passes `width - 1` tiles.
        let blank_row = usize::from(position.blank) / self.width;
        (inversions + (self.width - 1) * blank_row) % 2 == 1
    }

    /// Whether moves lead from here to the goal.
    fn reaches_goal(&self, position: &Position) -> bool {
        self.is_odd(position) == self.is_odd(&self.goal)
    }

    /// The position as bits of four, a cell each, where the board has at most sixteen cells.
    #[inline]
    pub fn packed(&self, position: &Position) -> Option<u64> {
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

    /// A solved puzzle can be moved on, so that it can be scrambled by hand.
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
            return scattered(bits);
        }
        let words = position.cells.chunks_exact(4);
        words.fold(0, |key, word| {
            scattered(key ^ u64::from(u32::from_le_bytes([word[0], word[1], word[2], word[3]])))
        })
    }

    /// Half of all ways to lay the tiles: moves keep to one half.
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
        if self.reaches_goal(position) {
            return None;
        }
        let why = "the goal cannot be reached: the tiles are an odd permutation of it, and every move keeps the parity";
        let blank_last = Self::blank_last(self.width, self.height);
        Some(
            if *self != blank_last && blank_last.reaches_goal(position) {
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

    /// All positions that reach the goal are equally likely.
    fn random(&self, random: &mut Random) -> Position {
        let mut cells = self.goal.cells;
        random.shuffle(&mut cells[..self.cell_count()]);
        let mut position = Position::new(cells, self.cell_count());
        if self.unsolvable_reason(&position).is_some() {
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
            HeuristicName::PatternDatabase => false,
            _ => true,
        }
    }

    fn heuristic(
        &self,
        name: HeuristicName,
        watch: &mut dyn FnMut() -> Result<(), Stopped>,
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
                Arc::new(walking_distance::WalkingDistance::new(self, watch)?)
            }
            HeuristicName::PatternDatabase => return Ok(None),
        }))
    }
}
