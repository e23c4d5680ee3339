//! The rules of 2048 on boards from 2×2 to 4×4.

use std::sync::Arc;

use super::board::tile_remap::TileRemap;
use super::board::{Board, Direction, Slides};
use super::heuristic;
use super::network::Network;
use crate::bits::iter_ones;
use crate::games::key::mix64;
use crate::rules::{Rules, Stochastic, Turn};
use crate::value::Side;

/// The rules of 2048 on a board of one size, and the evaluation of its positions.
#[derive(Clone, Debug)]
pub struct Twenty48 {
    /// The slides on the board, and the size of the board.
    pub slides: Slides,
    /// The network for evaluating 4×4 boards. Other boards, and 4×4 boards without a network, use the hand-written
    /// evaluation.
    pub network: Option<Arc<Network>>,
    /// The replacement of large tiles by smaller tiles for evaluation in this search. `None` without a replacement.
    tile_remap: Option<TileRemap>,
    /// A salt for position keys, so that the transposition table does not mix results with different tile
    /// replacements. 0 without a replacement.
    key_salt: u64,
}

impl PartialEq for Twenty48 {
    fn eq(&self, other: &Self) -> bool {
        let same_network = match (&self.network, &other.network) {
            (Some(ours), Some(theirs)) => Arc::ptr_eq(ours, theirs),
            (None, None) => true,
            _ => false,
        };
        same_network
            && self.tile_remap == other.tile_remap
            && self.rows() == other.rows()
            && self.columns() == other.columns()
    }
}

/// Maximum score of a position, in points, which no real game reaches. The limit ensures that the FEN of every
/// position can be read again.
pub(crate) const MAX_SCORE: u32 = 5_000_000;

/// A board, the side to move, and the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The tiles.
    pub board: Board,
    /// `true` if a tile appears next, `false` if the player slides next.
    pub tile_to_come: bool,
    /// The score so far, in points.
    pub score: u32,
}

/// A slide, or a new tile. A slide is the number of its direction, 0 to 3. A new tile has bit 8 set, its cell in bits 4
/// to 7, and its power in bits 0 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u16);

const IS_TILE: u16 = 1 << 8;

impl Move {
    /// Returns the move that slides in `direction`.
    pub fn slide(direction: Direction) -> Self {
        Self(direction as u16)
    }

    /// Returns the move that puts a tile of 2 or 4 (`power` 1 or 2) on a cell.
    pub fn tile(cell: usize, power: u8) -> Self {
        Self(IS_TILE | (cell as u16) << 4 | u16::from(power))
    }

    /// Returns the direction, or `None` if the move is a tile.
    pub fn direction(self) -> Option<Direction> {
        (self.0 & IS_TILE == 0).then(|| Direction::ALL[usize::from(self.0 & 3)])
    }

    /// Returns the cell on which the tile appears. The move must be a tile.
    pub fn cell(self) -> usize {
        usize::from(self.0 >> 4 & 15)
    }

    /// Returns the power of the tile. The move must be a tile.
    pub fn power(self) -> u8 {
        (self.0 & 15) as u8
    }
}

impl From<u16> for Move {
    fn from(bits: u16) -> Self {
        Self(bits)
    }
}

impl From<Move> for u16 {
    fn from(m: Move) -> Self {
        m.0
    }
}

/// The powers and probabilities of new tiles, 2 and 4.
pub(crate) const TILE_PROBABILITIES: [(u8, f64); 2] = [(1, 0.9), (2, 0.1)];

/// The power of the tile 2048, which wins the game.
pub(crate) const WINNING_POWER: u8 = 11;

/// The range of the numbers of rows and columns.
pub(crate) const SIDE_LENGTHS: std::ops::RangeInclusive<usize> = 2..=4;

impl Twenty48 {
    /// Creates a game on a board of this size. Both numbers must be in `SIDE_LENGTHS`. Only 4×4 boards use the
    /// network.
    pub fn new(rows: usize, columns: usize, network: Option<Arc<Network>>) -> Self {
        Self {
            slides: Slides::new(rows, columns),
            network,
            tile_remap: None,
            key_salt: 0,
        }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.slides.rows()
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.slides.columns()
    }

    /// Returns the cells of the board, row by row from the top left.
    pub(super) fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        iter_ones(self.slides.cells()).map(|bit| bit / 4)
    }

    /// Returns the empty cells, row by row from the top left.
    pub(crate) fn empty_cells(&self, board: Board) -> impl Iterator<Item = usize> + use<> {
        iter_ones(board.empty() & self.slides.cells()).map(|bit| bit / 4)
    }

    /// Returns `true` if some slide changes the board.
    #[inline]
    pub(crate) fn can_slide(&self, board: Board) -> bool {
        Direction::ALL
            .into_iter()
            .any(|direction| self.slides.slide(board, direction).0 != board)
    }

    /// Returns an estimate of the future points from a board on which a tile appears next.
    #[inline]
    pub fn value_after_slide(&self, board: Board) -> f64 {
        match self.network() {
            Some(network) => self.network_value(network, board),
            None => heuristic::value(&self.slides, board),
        }
    }

    /// Returns the network if it applies to boards of this size.
    #[inline]
    fn network(&self) -> Option<&Network> {
        self.network
            .as_deref()
            .filter(|_| (self.rows(), self.columns()) == (4, 4))
    }

    #[inline(always)]
    fn network_value(&self, network: &Network, board: Board) -> f64 {
        match &self.tile_remap {
            Some(remap) => network.value_remapped(remap, board),
            None => network.value(board),
        }
    }

    fn terms_after_slide(&self, board: Board) -> Vec<(&'static str, f64)> {
        match self.network() {
            Some(network) => network.terms(board),
            None => heuristic::terms(&self.slides, board).to_vec(),
        }
    }

    /// Returns the slide with the maximum sum of its points and the estimated future points. Also returns the board
    /// after the slide and the points of the slide. Returns `None` if no slide is legal.
    fn best_slide(&self, board: Board) -> Option<(Direction, Board, u32)> {
        let slides =
            Direction::ALL.map(|direction| (direction, self.slides.slide(board, direction)));
        let legal = slides.into_iter().filter(|(_, (after, _))| *after != board);
        let with_values = legal.map(|(direction, (after, points))| {
            (
                f64::from(points) + self.value_after_slide(after),
                (direction, after, points),
            )
        });
        let best = with_values.reduce(|best, other| if other.0 > best.0 { other } else { best });
        best.map(|(_, slide)| slide)
    }

    /// Returns an estimate of the future points from a board on which the player slides next: the points of the best
    /// slide plus the estimate after it. Returns 0 if no slide is legal.
    #[inline]
    pub(crate) fn value_before_slide(&self, board: Board) -> f64 {
        let Some(network) = self.network() else {
            let best = self.best_slide(board);
            return best.map_or(0.0, |(_, after, points)| {
                f64::from(points) + heuristic::value(&self.slides, after)
            });
        };
        // For the slides up and down, `all_up_to_symmetry` returns transposed boards, which have the same value.
        let transposed = board.transposed();
        let after = self.slides.all_up_to_symmetry(board);
        let before = [board, board, transposed, transposed];
        let legal = after
            .into_iter()
            .zip(before)
            .filter(|((after, _), before)| after != before);
        let values = legal
            .map(|((after, points), _)| f64::from(points) + self.network_value(network, after));
        values.reduce(f64::max).unwrap_or(0.0)
    }
}

impl Rules for Twenty48 {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position {
            board: Board::default(),
            tile_to_come: true,
            score: 0,
        }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let board = position.board;
        if position.tile_to_come {
            let cells = self.empty_cells(board);
            out.extend(
                cells.flat_map(|cell| TILE_PROBABILITIES.map(|(power, _)| Move::tile(cell, power))),
            );
        } else {
            let changes_board =
                |direction: &Direction| self.slides.slide(board, *direction).0 != board;
            out.extend(
                Direction::ALL
                    .into_iter()
                    .filter(changes_board)
                    .map(Move::slide),
            );
        }
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let Position { board, score, .. } = *position;
        match m.direction() {
            Some(direction) => {
                let (board, points) = self.slides.slide(board, direction);
                Position {
                    board,
                    tile_to_come: true,
                    score: (score + points).min(MAX_SCORE),
                }
            }
            // A game starts with two tiles, so a second tile follows the first on an empty board.
            None => Position {
                board: board.with(m.cell(), m.power()),
                tile_to_come: board == Board::default(),
                score,
            },
        }
    }

    fn key(&self, position: &Position) -> u64 {
        // The score is not part of the key, because it does not affect the future points.
        let turn = if position.tile_to_come {
            0x9e37_79b9_7f4a_7c15
        } else {
            0
        };
        // The factor spreads the bits of the excess powers, so that they do not cancel the bits of the other powers.
        let excess = position.board.excess.0.wrapping_mul(0xd6e8_feb8_6659_fd93);
        mix64(position.board.low.0 ^ turn ^ excess) ^ self.key_salt
    }

    fn positions_at_most_from(&self, position: &Position) -> Option<u128> {
        Some(self.max_positions(position.board))
    }
}

impl Stochastic for Twenty48 {
    fn turn(&self, position: &Position) -> Turn {
        if position.tile_to_come {
            Turn::Chance
        } else {
            Turn::Player(Side::P1)
        }
    }

    fn is_over(&self, position: &Position) -> bool {
        !position.tile_to_come && !self.can_slide(position.board)
    }

    fn chances(&self, position: &Position, out: &mut Vec<(Move, f64)>) {
        let cells = self.empty_cells(position.board);
        let cell_probability =
            1.0 / f64::from((position.board.empty() & self.slides.cells()).count_ones());
        out.extend(cells.flat_map(|cell| {
            TILE_PROBABILITIES.map(|(power, probability)| {
                (Move::tile(cell, power), probability * cell_probability)
            })
        }));
    }

    fn without_score(&self, position: &Position) -> Position {
        Position {
            score: 0,
            ..*position
        }
    }

    fn gain(&self, position: &Position, m: Move) -> f64 {
        m.direction().map_or(0.0, |direction| {
            f64::from(self.slides.slide(position.board, direction).1)
        })
    }

    fn max_plies_left(&self, position: &Position) -> Option<u32> {
        Some(self.max_plies(position))
    }

    fn evaluate(&self, position: &Position) -> f64 {
        if position.tile_to_come {
            self.value_after_slide(position.board)
        } else {
            self.value_before_slide(position.board)
        }
    }

    fn adapted_to(&self, root: &Position) -> Option<Self> {
        let remap = self.network()?.remap_for(root.board)?;
        Some(Self {
            tile_remap: Some(remap),
            key_salt: remap.key_salt(),
            ..self.clone()
        })
    }

    fn terms(&self, position: &Position) -> Vec<(&'static str, f64)> {
        let board = position.board;
        if position.tile_to_come {
            return self.terms_after_slide(board);
        }
        let Some((direction, after, points)) = self.best_slide(board) else {
            return Vec::new();
        };
        let name = match direction {
            Direction::Up => "points of up",
            Direction::Down => "points of down",
            Direction::Left => "points of left",
            Direction::Right => "points of right",
        };
        let points = (name, f64::from(points));
        std::iter::once(points)
            .chain(self.terms_after_slide(after))
            .collect()
    }

    fn winner(&self, position: &Position) -> Option<Side> {
        let won = (0..16).any(|cell| position.board.power(cell) >= WINNING_POWER);
        Some(if won { Side::P1 } else { Side::P2 })
    }
}
