//! The traits of games: [`Rules`], [`Notation`], and [`Game`] (two players), [`Stochastic`] (chance) or [`Puzzle`]
//! (one player).

use std::fmt::Debug;
use std::hash::Hash;

use crate::error::ParseError;
use crate::value::{Side, Value};

/// The rules of a *configured* game: `self` holds the board, its size, the goal and whatever else positions do not
/// hold.
///
/// Cloning is cheap. Two values are equal if they are the same game with the same configuration.
pub trait Rules: Clone + PartialEq + Send + Sync + 'static {
    /// A position: small, copied, never undone.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    /// A move. It fits 16 bits so that transposition tables can hold it.
    type Move: Copy + Eq + Debug + Send + Sync + Into<u16> + From<u16>;

    /// Returns the start position.
    fn start(&self) -> Self::Position;

    /// Appends the legal moves in the order of the game's notation. Appends none if the game is over.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// Returns the position after the legal move `m`.
    fn play(&self, position: &Self::Position, m: Self::Move) -> Self::Position;

    /// Returns a hash of everything that the rules and the evaluation depend on. Equal positions have equal keys.
    fn key(&self, position: &Self::Position) -> u64;

    /// Returns the number of legal moves. Games that can count without listing the moves should override it.
    fn count_moves(&self, position: &Self::Position, scratch: &mut Vec<Self::Move>) -> u64 {
        let base = scratch.len();
        self.moves(position, scratch);
        let count = scratch.len() - base;
        scratch.truncate(base);
        count as u64
    }

    /// Returns an upper bound on the number of positions, reachable or not, if one is known without listing them.
    fn positions_at_most(&self) -> Option<u128> {
        None
    }
}

/// How positions and moves are written, read and drawn.
pub trait Notation: Rules {
    /// Reads a position and its configuration: a FEN may change the size of the board or the goal.
    ///
    /// # Errors
    /// If `text` is no position. The offset counts from the start of `text`.
    fn read_position(&self, text: &str) -> Result<(Self, Self::Position), ParseError>;

    /// Returns the text that [`Notation::read_position`] reads back.
    fn show_position(&self, position: &Self::Position) -> String;

    /// Reads a move, whether or not it is legal in any position.
    ///
    /// # Errors
    /// If `text` is no move.
    fn read_move(&self, text: &str) -> Result<Self::Move, ParseError>;

    /// Returns the text that [`Notation::read_move`] reads back.
    fn show_move(&self, m: Self::Move) -> String;

    /// Returns in a few words why the move `m` is illegal, if the rules can say. The game must not be over.
    fn why_illegal(&self, _position: &Self::Position, _m: Self::Move) -> Option<String> {
        None
    }

    /// Returns the board as text with coordinates: several lines, no newline at the end.
    fn draw(&self, position: &Self::Position) -> String;
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// A win for this side.
    Won(Side),
    /// A draw.
    Draw,
    /// A result in points, from the first player's view.
    Points(Value),
}

impl Outcome {
    /// Returns the value of this outcome `ply` plies below the root.
    #[inline]
    pub fn value(self, ply: u32) -> Value {
        match self {
            Self::Won(side) => Value::win(side, ply),
            Self::Draw => Value::ZERO,
            Self::Points(value) => value,
        }
    }

    /// Returns the winner, or `None` for a draw and for 0 points.
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::Won(side) => Some(side),
            Self::Points(value) if value > Value::ZERO => Some(Side::P1),
            Self::Points(value) if value < Value::ZERO => Some(Side::P2),
            Self::Draw | Self::Points(_) => None,
        }
    }
}

/// A game of two players with perfect information and without chance.
pub trait Game: Rules {
    /// `true` if the third occurrence of a position ends the game.
    const REPETITION: bool = false;

    /// Returns the outcome of a third occurrence, which is also the outcome of endless play.
    fn repetition_outcome(&self) -> Outcome {
        Outcome::Draw
    }

    /// Returns the side to move.
    fn side(&self, position: &Self::Position) -> Side;

    /// Returns the outcome if the game is over, ignoring repetition.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Returns `true` if no position up to `before` can occur again after the move to `after`.
    fn irreversible(&self, _before: &Self::Position, _after: &Self::Position) -> bool {
        true
    }

    /// Returns a number of plies within which no earlier position can occur again, whatever is played.
    ///
    /// The plies reach up to the last move that must come and is irreversible. 0 if there is no such move.
    fn new_for(&self, _position: &Self::Position) -> u32 {
        0
    }

    /// Returns the maximum number of plies that the game can still last, if the rules bound it.
    fn max_plies_left(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Returns the maximum number of symmetric images of a position with the same value, the position included.
    fn symmetries(&self) -> usize {
        1
    }

    /// Returns the representative of the position's symmetric images.
    #[must_use]
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        *position
    }
}

/// The kind of a node in a game with chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A decision: P1 maximizes the expectation, P2 minimizes it.
    Player(Side),
    /// A chance node.
    Chance,
}

/// A game with chance. Points are gained by moves, so the key of a position never holds a running score.
pub trait Stochastic: Rules {
    /// Returns the kind of node. Unspecified if the game is over.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// Returns `true` if the game is over.
    fn is_over(&self, position: &Self::Position) -> bool;

    /// Appends the outcomes of a chance node with their probabilities, which add up to 1.
    fn chances(&self, position: &Self::Position, out: &mut Vec<(Self::Move, f64)>);

    /// Returns the points gained by a move, from the first player's view.
    fn gain(&self, _position: &Self::Position, _m: Self::Move) -> f64 {
        0.0
    }

    /// Returns the estimate of the points still to come, from the first player's view. It is exact if the game is
    /// over.
    fn evaluate(&self, position: &Self::Position) -> f64;

    /// Returns rules whose evaluation suits a search from `root` best, or `None` if these rules do.
    ///
    /// The returned rules have other [keys](Rules::key).
    fn seen_from(&self, _root: &Self::Position) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the named terms of [`Stochastic::evaluate`], if it has terms.
    fn terms(&self, _position: &Self::Position) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// The most plies that the game can still last, where the rules bound it.
    fn max_plies_left(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Returns the winner of a game that is over, or `None` if only points count.
    fn winner(&self, _position: &Self::Position) -> Option<Side> {
        None
    }
}

/// A puzzle for one player. Every move costs 1.
pub trait Puzzle: Rules {
    /// Returns `true` if the goal is reached.
    fn is_solved(&self, position: &Self::Position) -> bool;

    /// Returns why the goal cannot be reached, if the rules can say so without a search.
    fn unsolvable_reason(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    /// Returns the move that undoes `m`, if there is one. Searches do not undo the previous move.
    fn inverse(&self, m: Self::Move) -> Option<Self::Move>;
}
