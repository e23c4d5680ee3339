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

/// 2048 on a board of some size, with what it knows about positions.
#[derive(Clone, Debug)]
pub struct Twenty48 {
    /// How the board slides, and its size.
    pub slides: Slides,
    /// What was learned of boards of four by four; the others are judged by the hand-written heuristic.
    pub network: Option<Arc<Network>>,
    /// How the network sees boards, where not as they stand.
    tile_remap: Option<TileRemap>,
    /// What sets positions seen in this frame apart where they are remembered; 0 without one.
    disguise: u64,
}

impl PartialEq for Twenty48 {
    fn eq(&self, other: &Self) -> bool {
        let same_network = match (&self.network, &other.network) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        };
        same_network
            && self.tile_remap == other.tile_remap
            && self.rows() == other.rows()
            && self.columns() == other.columns()
    }
}

/// More than any game can score. A position that is set with as much gains no more, so that it can still be read as it is written.
pub const MAX_SCORE: u32 = 5_000_000;

/// A board, whose turn it is, and the score so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The tiles.
    pub board: Board,
    /// Whether a tile is to appear; otherwise the player slides.
    pub tile_to_come: bool,
    /// The points made so far.
    pub score: u32,
}

/// A slide or a tile: slides are 0 to 3, tiles have a bit of their own, then the cell, then the power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u16);

const IS_TILE: u16 = 1 << 8;

impl Move {
    /// The player's move.
    pub fn slide(direction: Direction) -> Self {
        Self(direction as u16)
    }

    /// A tile of 2 or 4 (`power` 1 or 2) on a cell.
    pub fn tile(cell: usize, power: u8) -> Self {
        Self(IS_TILE | (cell as u16) << 4 | u16::from(power))
    }

    /// The direction, if the move is a slide.
    pub fn direction(self) -> Option<Direction> {
        (self.0 & IS_TILE == 0).then(|| Direction::ALL[usize::from(self.0 & 3)])
    }

    /// The cell on which a tile appears.
    pub fn cell(self) -> usize {
        usize::from(self.0 >> 4 & 15)
    }

    /// The power of two of the tile that appears.
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

/// The tiles that may appear, as powers of two, and how likely each is.
pub const TILES: [(u8, f64); 2] = [(1, 0.9), (2, 0.1)];

/// The power of two that wins the game.
pub const WINNING: u8 = 11;

/// The number of sides that a board may have.
pub const SIDES: std::ops::RangeInclusive<usize> = 2..=4;

impl Twenty48 {
    /// A board of this size, which [`SIDES`] bounds. The network is of use on four by four only.
    pub fn new(rows: usize, columns: usize, network: Option<Arc<Network>>) -> Self {
        Self {
            slides: Slides::new(rows, columns),
            network,
            tile_remap: None,
            disguise: 0,
        }
    }

    /// How many rows the board has.
    pub fn rows(&self) -> usize {
        self.slides.rows()
    }

    /// How many columns the board has.
    pub fn columns(&self) -> usize {
        self.slides.columns()
    }

    /// The empty cells of the board, the top left first.
    pub fn empty_cells(&self, board: Board) -> impl Iterator<Item = usize> + use<> {
        iter_ones(board.empty() & self.slides.cells()).map(|bit| bit / 4)
    }

    /// Whether some slide changes the board.
    #[inline]
    pub fn can_slide(&self, board: Board) -> bool {
        Direction::ALL
            .into_iter()
            .any(|direction| self.slides.slide(board, direction).0 != board)
    }

    /// The points expected once a slide has left this board, and a tile is to come.
    #[inline]
    pub fn value_after_slide(&self, board: Board) -> f64 {
        match self.network() {
            Some(network) => self.learned_value(network, board),
            None => heuristic::value(&self.slides, board),
        }
    }

    /// The network, if it knows boards of this size.
    #[inline]
    fn network(&self) -> Option<&Network> {
        self.network
            .as_deref()
            .filter(|_| (self.rows(), self.columns()) == (4, 4))
    }

    #[inline(always)]
    fn learned_value(&self, network: &Network, board: Board) -> f64 {
        match &self.tile_remap {
            Some(frame) => network.value_in(frame, board),
            None => network.value(board),
        }
    }

    fn terms_after_slide(&self, board: Board) -> Vec<(&'static str, f64)> {
        match self.network() {
            Some(network) => network.terms(board),
            None => heuristic::terms(&self.slides, board).to_vec(),
        }
    }

    /// The slide with the most points and prospects, the board after it, and its points.
    fn best_slide(&self, board: Board) -> Option<(Direction, Board, u32)> {
        let slides =
            Direction::ALL.map(|direction| (direction, self.slides.slide(board, direction)));
        let legal = slides.into_iter().filter(|(_, (after, _))| *after != board);
        let valued = legal.map(|(direction, (after, points))| {
            (
                f64::from(points) + self.value_after_slide(after),
                (direction, after, points),
            )
        });
        let best = valued.reduce(|best, other| if other.0 > best.0 { other } else { best });
        best.map(|(_, slide)| slide)
    }

    /// The points expected where the player is to slide: those of the best slide, and what is expected after it; 0
    /// when he cannot.
    #[inline]
    pub fn value_before_slide(&self, board: Board) -> f64 {
        let Some(network) = self.network() else {
            let best = self.best_slide(board);
            return best.map_or(0.0, |(_, after, points)| {
                f64::from(points) + heuristic::value(&self.slides, after)
            });
        };
        // Only a square board may be judged transposed.
        let turned = board.transposed();
        let after = self.slides.all_up_to_symmetry(board);
        let before = [board, board, turned, turned];
        let legal = after
            .into_iter()
            .zip(before)
            .filter(|((after, _), before)| after != before);
        let values = legal
            .map(|((after, points), _)| f64::from(points) + self.learned_value(network, after));
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
            out.extend(cells.flat_map(|cell| TILES.map(|(power, _)| Move::tile(cell, power))));
        } else {
            let changes = |direction: &Direction| self.slides.slide(board, *direction).0 != board;
            out.extend(Direction::ALL.into_iter().filter(changes).map(Move::slide));
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
            // The game begins with two tiles.
            None => Position {
                board: board.with(m.cell(), m.power()),
                tile_to_come: board == Board::default(),
                score,
            },
        }
    }

    fn key(&self, position: &Position) -> u64 {
        // Positions with the same board and turn are worth the same, whatever was scored before.
        let turn = if position.tile_to_come {
            0x9e37_79b9_7f4a_7c15
        } else {
            0
        };
        // An odd factor keeps what lies beyond apart from the tiles below; where there is nothing it leaves no trace.
        let beyond = position.board.beyond.0.wrapping_mul(0xd6e8_feb8_6659_fd93);
        mix64(position.board.low.0 ^ turn ^ beyond) ^ self.disguise
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
        let share = 1.0 / f64::from((position.board.empty() & self.slides.cells()).count_ones());
        out.extend(cells.flat_map(|cell| {
            TILES.map(|(power, chance)| (Move::tile(cell, power), chance * share))
        }));
    }

    fn gain(&self, position: &Position, m: Move) -> f64 {
        m.direction().map_or(0.0, |direction| {
            f64::from(self.slides.slide(position.board, direction).1)
        })
    }

    fn max_plies_left(&self, position: &Position) -> Option<u32> {
        Some(self.most_plies(position))
    }

    fn evaluate(&self, position: &Position) -> f64 {
        if position.tile_to_come {
            self.value_after_slide(position.board)
        } else {
            self.value_before_slide(position.board)
        }
    }

    fn seen_from(&self, root: &Position) -> Option<Self> {
        let frame = self.network()?.tile_remap(root.board)?;
        Some(Self {
            tile_remap: Some(frame),
            disguise: frame.fingerprint(),
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
        let won = (0..16).any(|cell| position.board.power(cell) >= WINNING);
        Some(if won { Side::P1 } else { Side::P2 })
    }
}
