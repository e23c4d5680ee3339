//! What a game is: its [`Rules`], how it is written ([`Notation`]), and what makes it a [`Game`] for two, a game of
//! chance ([`Stochastic`]) or a [`Puzzle`]. Rules know nothing of search.

use std::fmt::Debug;
use std::hash::Hash;

use crate::error::Misread;
use crate::value::{Side, Value, Window};

/// The rules of a *configured* game: `self` holds the board, the sizes, the goal, whatever the positions do not.
///
/// Cloning is cheap; two rules are equal when they are the same game with the same configuration.
pub trait Rules: Clone + PartialEq + Send + Sync + 'static {
    /// A small value; copied, never undone.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    /// A move, which fits sixteen bits so that tables can hold it.
    type Move: Copy + Eq + Debug + Send + Sync + Into<u16> + From<u16>;

    /// The position in which the game begins.
    fn start(&self) -> Self::Position;

    /// Appends the legal moves, in the order of the game's notation; none when the game is over.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// The position after a legal move.
    fn play(&self, position: &Self::Position, m: Self::Move) -> Self::Position;

    /// A hash of everything the rules and the evaluation can see. Equal positions have equal keys.
    fn key(&self, position: &Self::Position) -> u64;

    /// How many legal moves there are; games that can count without listing them should.
    fn count_moves(&self, position: &Self::Position, scratch: &mut Vec<Self::Move>) -> u64 {
        let base = scratch.len();
        self.moves(position, scratch);
        let count = scratch.len() - base;
        scratch.truncate(base);
        count as u64
    }
}

/// How a game's positions and moves are written and drawn.
pub trait Notation: Rules {
    /// Reads a position, and the configuration that it carries: a FEN may change the size of the board, or the goal.
    /// Offsets in the error count from the start of `text`.
    fn read_position(&self, text: &str) -> Result<(Self, Self::Position), Misread>;

    /// What [`Notation::read_position`] reads back.
    fn show_position(&self, position: &Self::Position) -> String;

    /// Reads a move as it is written, legal here or not.
    fn read_move(&self, text: &str) -> Result<Self::Move, Misread>;

    /// What [`Notation::read_move`] reads back.
    fn show_move(&self, m: Self::Move) -> String;

    /// The board for people, with its coordinates: several lines, no newline at the end.
    fn draw(&self, position: &Self::Position) -> String;
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// This side has won.
    Won(Side),
    /// Nobody has.
    Draw,
    /// The game ends with a score: the first player's points.
    Points(Value),
}

impl Outcome {
    /// The value of a game that ended so, `ply` plies below the root.
    #[inline]
    pub fn value(self, ply: u32) -> Value {
        match self {
            Self::Won(side) => Value::win(side, ply),
            Self::Draw => Value::ZERO,
            Self::Points(value) => value,
        }
    }

    /// Who has won, if anyone.
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::Won(side) => Some(side),
            Self::Points(value) if value > Value::ZERO => Some(Side::P1),
            Self::Points(value) if value < Value::ZERO => Some(Side::P2),
            Self::Draw | Self::Points(_) => None,
        }
    }
}

/// A game for two with nothing hidden and nothing left to chance.
pub trait Game: Rules {
    /// Whether a position that occurs for the third time is a draw.
    const REPETITION: bool = false;

    /// Whether a move that is good in one position tends to be good in others, which is what killers and history
    /// rest on. A child's number in a tree says nothing of another node's child.
    const MOVES_TRANSFER: bool = true;

    /// Whose turn it is.
    fn side(&self, position: &Self::Position) -> Side;

    /// How the game has ended here, repetition aside; `None` while it goes on.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// The textbook evaluation of a position in which the game goes on.
    fn evaluate(&self, position: &Self::Position) -> Value;

    /// The terms of [`Game::evaluate`] by name, in the first player's points, where it has terms.
    fn terms(&self, _position: &Self::Position) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// The same game with the best evaluation there is, for those who want to win: the textbook's, unless the game
    /// knows better.
    #[must_use]
    fn champion(&self) -> Self {
        self.clone()
    }

    /// Whether no position from before the move that led from `before` to `after` can occur again.
    fn irreversible(&self, _before: &Self::Position, _after: &Self::Position) -> bool {
        true
    }

    /// The most plies that the game can still last, where the rules bound it.
    fn longest(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// How promising a move looks before any search, for move ordering; higher is searched sooner.
    fn promise(&self, _position: &Self::Position, _m: Self::Move) -> i32 {
        0
    }

    /// How promising each of a position's moves looks before any search, appended in the order of `moves`. Only
    /// differences matter; ten of these units should mean as much as a point of the evaluation.
    fn rate(&self, position: &Self::Position, moves: &[Self::Move], ratings: &mut Vec<i32>) {
        ratings.extend(moves.iter().map(|&m| self.promise(position, m)));
    }

    /// The key that a position shares with its mirror images and rotations, and the symmetry that leads from it to
    /// the one of them that the key is of.
    #[inline]
    fn folded(&self, position: &Self::Position) -> Folded {
        Folded {
            key: self.key(position),
            symmetry: 0,
        }
    }

    /// The image of a move under a symmetry.
    #[inline]
    fn turned(&self, m: Self::Move, _symmetry: usize) -> Self::Move {
        m
    }

    /// The move whose image under a symmetry is `m`.
    #[inline]
    fn turned_back(&self, m: Self::Move, _symmetry: usize) -> Self::Move {
        m
    }

    /// The best value one ply below a position at `ply` in which the game goes on, as far as it matters in `window`:
    /// searches spend most of their time here, and games that can tell the values of moves without playing them
    /// should. `scratch` is left as it was.
    fn horizon(
        &self,
        position: &Self::Position,
        ply: u32,
        window: Window,
        scratch: &mut Vec<Self::Move>,
    ) -> Horizon<Self::Move> {
        let mut horizon = Horizon::new(self.side(position), window);
        let base = scratch.len();
        self.moves(position, scratch);
        for &m in &scratch[base..] {
            let child = self.play(position, m);
            let value = match self.outcome(&child) {
                Some(outcome) => outcome.value(ply + 1),
                None => self.evaluate(&child),
            };
            if horizon.offer(m, value) {
                break;
            }
        }
        scratch.truncate(base);
        horizon
    }

    /// Appends the moves of a position at `ply` in which the game goes on, `depth` plies (at least two) before the
    /// horizon, but leaves out those of which the game can tell without a search that they do not matter in `window`.
    fn foresee(
        &self,
        position: &Self::Position,
        _depth: u32,
        _ply: u32,
        _window: Window,
        moves: &mut Vec<Self::Move>,
    ) -> Foresight {
        self.moves(position, moves);
        Foresight::NONE
    }

    /// What a decided game counts in an expectation, in points: an average needs a finite number.
    fn stake(&self, _position: &Self::Position) -> f64 {
        1000.0
    }
}

/// A position folded together with its mirror images and rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folded {
    /// What they all share.
    pub key: u64,
    /// The number of the symmetry that leads from the position to the one that stands for all; 0 is none.
    pub symmetry: usize,
}

/// The best of a position's moves by the values one ply below.
#[derive(Clone, Copy, Debug)]
pub struct Horizon<M> {
    side: Side,
    window: Window,
    /// The value of the best move looked at.
    pub value: Value,
    /// That move.
    pub best: Option<M>,
    /// How many positions were looked at.
    pub visited: u32,
}

impl<M> Horizon<M> {
    /// Nothing looked at yet.
    #[inline]
    pub fn new(side: Side, window: Window) -> Self {
        Self {
            side,
            window,
            value: side.worst(),
            best: None,
            visited: 0,
        }
    }

    /// Counts a move with its value, and says whether the others can matter no more.
    #[inline]
    pub fn offer(&mut self, m: M, value: Value) -> bool {
        self.visited += 1;
        if !self.side.prefers(value, self.value) {
            return false;
        }
        self.value = value;
        self.best = Some(m);
        self.window.narrowed(self.side, value).is_empty()
    }
}

/// What a game can tell of a node without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foresight {
    /// A bound of the node's value on which the window's question is settled.
    pub settled: Option<Value>,
    /// A bound of the value of all moves that were left out, if any were.
    pub left_out: Option<Value>,
    /// How many positions were looked at.
    pub visited: u32,
}

impl Foresight {
    /// Nothing can be told.
    pub const NONE: Self = Self {
        settled: None,
        left_out: None,
        visited: 0,
    };
}

/// Whose turn it is where chance plays a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A player chooses: p1 the highest expectation, p2 the lowest.
    Player(Side),
    /// Chance draws.
    Chance,
}

/// A game in which chance moves. What is scored on the way lies on the moves, so that a position's key never holds a
/// running score.
pub trait Stochastic: Rules {
    /// Who moves; meaningless when the game is over.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// Whether the game has ended.
    fn is_over(&self, position: &Self::Position) -> bool;

    /// Appends what chance may do with its probabilities, which add up to one.
    fn chances(&self, position: &Self::Position, out: &mut Vec<(Self::Move, f64)>);

    /// The points that a move scores, first player's view.
    fn gain(&self, _position: &Self::Position, _m: Self::Move) -> f64 {
        0.0
    }

    /// The points still expected from here, first player's view; exact when the game is over.
    fn evaluate(&self, position: &Self::Position) -> f64;

    /// What [`Stochastic::evaluate`] is made of, by name, where it has terms.
    fn terms(&self, _position: &Self::Position) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// The most plies that the game can still last, where the rules bound it.
    fn longest(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Who has won a game that is over; nobody, where the points are all there is.
    fn winner(&self, _position: &Self::Position) -> Option<Side> {
        None
    }
}

/// A puzzle for one: every move costs one.
pub trait Puzzle: Rules {
    /// Whether nothing is left to do.
    fn is_solved(&self, position: &Self::Position) -> bool;

    /// Why the goal cannot be reached from here, if the rules tell without a search.
    fn unsolvable(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    /// The move that takes `m` back, where there is one: searches do not undo the move before.
    fn inverse(&self, m: Self::Move) -> Option<Self::Move>;
}
