//! What a game is: its [`Rules`], how it is written ([`Notation`]), and what makes it a [`Game`] for two, a game of
//! chance ([`Stochastic`]) or a [`Puzzle`]. Rules know nothing of search.

use std::fmt::Debug;
use std::hash::Hash;

use crate::error::ParseError;
use crate::value::{Side, Value};

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

    /// How many positions there are at the most, whether they can arise or not, where that can be told without listing them.
    fn positions_at_most(&self) -> Option<u128> {
        None
    }
}

/// How a game's positions and moves are written and drawn.
pub trait Notation: Rules {
    /// Reads a position, and the configuration that it carries: a FEN may change the size of the board, or the goal.
    /// Offsets in the error count from the start of `text`.
    fn read_position(&self, text: &str) -> Result<(Self, Self::Position), ParseError>;

    /// What [`Notation::read_position`] reads back.
    fn show_position(&self, position: &Self::Position) -> String;

    /// Reads a move as it is written, legal here or not.
    fn read_move(&self, text: &str) -> Result<Self::Move, ParseError>;

    /// What [`Notation::read_move`] reads back.
    fn show_move(&self, m: Self::Move) -> String;

    /// Returns why a move that can be read is not legal here, in a few words, where the rules tell. The game must not be over.
    fn why_illegal(&self, _position: &Self::Position, _m: Self::Move) -> Option<String> {
        None
    }

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
    /// Whether a game ends when a position occurs for the third time.
    const REPETITION: bool = false;

    /// How it ends then, and what a game without end counts as.
    fn repetition_outcome(&self) -> Outcome {
        Outcome::Draw
    }

    /// Whose turn it is.
    fn side(&self, position: &Self::Position) -> Side;

    /// How the game has ended here, repetition aside; `None` while it goes on.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Whether no position from before the move that led from `before` to `after` can occur again.
    fn irreversible(&self, _before: &Self::Position, _after: &Self::Position) -> bool {
        true
    }

    /// For how many plies from here no position occurs that has occurred before, whatever is played: up to the last move that
    /// is sure to come and to be irreversible. 0 where none is sure.
    fn new_for(&self, _position: &Self::Position) -> u32 {
        0
    }

    /// The most plies that the game can still last, where the rules bound it.
    fn max_plies_left(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// How many mirror images and rotations of itself a position has at the most that are worth the same, itself among them.
    fn symmetries(&self) -> usize {
        1
    }

    /// The one position that stands for all of those.
    #[must_use]
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        *position
    }
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

    /// The same rules with an evaluation that judges positions as a search from this one does best, where that is another. Its
    /// [keys](Rules::key) are others too.
    fn seen_from(&self, _root: &Self::Position) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// What [`Stochastic::evaluate`] is made of, by name, where it has terms.
    fn terms(&self, _position: &Self::Position) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// The most plies that the game can still last, where the rules bound it.
    fn max_plies_left(&self, _position: &Self::Position) -> Option<u32> {
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
    fn unsolvable_reason(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    /// The move that takes `m` back, where there is one: searches do not undo the move before.
    fn inverse(&self, m: Self::Move) -> Option<Self::Move>;
}
