//! The traits of games: [`Rules`], [`Notation`], and [`Game`] (two players), [`Stochastic`] (chance) or [`Puzzle`]
//! (one player).

use std::fmt::Debug;
use std::hash::Hash;

use crate::error::ParseError;
use crate::value::{Side, Value};

/// The rules of a *configured* game. `self` contains the constants of a game, such as the size of the board or the
/// goal of a puzzle.
///
/// Cloning is cheap. Two values are equal if they are the same game with the same configuration.
pub trait Rules: Clone + PartialEq + Send + Sync + 'static {
    /// A position. It is small, so searches copy positions instead of taking moves back.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    /// A move. It fits into 16 bits, so that transposition tables can store it.
    type Move: Copy + Eq + Debug + Send + Sync + Into<u16> + From<u16>;

    /// Returns the start position.
    fn start(&self) -> Self::Position;

    /// Appends the legal moves in notation order. Appends no moves if the game is over.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// Returns the position after the legal move `m`.
    fn play(&self, position: &Self::Position, m: Self::Move) -> Self::Position;

    /// Returns a hash of all inputs of the rules and the evaluation. Equal positions have equal keys.
    /// Transposition tables identify positions by their keys.
    fn key(&self, position: &Self::Position) -> u64;

    /// Returns the number of legal moves. Games that can count moves without generating them should override
    /// this method.
    ///
    /// `scratch` is a buffer: moves are appended to it and removed again.
    fn count_moves(&self, position: &Self::Position, scratch: &mut Vec<Self::Move>) -> u64 {
        let base = scratch.len();
        self.moves(position, scratch);
        let count = scratch.len() - base;
        scratch.truncate(base);
        count as u64
    }

    /// Returns an upper bound on the number of positions, reachable or not, or `None` if no bound is known.
    fn positions_at_most(&self) -> Option<u128> {
        None
    }

    /// Returns an upper bound on the number of positions reachable from `position`, including itself. Positions that
    /// differ only in the points gained so far count once.
    fn positions_at_most_from(&self, _position: &Self::Position) -> Option<u128> {
        self.positions_at_most()
    }
}

/// The text form of a game: reads, writes and draws its positions and moves.
pub trait Notation: Rules {
    /// Reads a position. Returns it together with its rules.
    ///
    /// The returned rules can differ from `self`, because the text may contain the size of the board or the goal.
    ///
    /// If `text` is not a position. The offset of the error is counted from the start of `text`.
    fn read_position(&self, text: &str) -> Result<(Self, Self::Position), ParseError>;

    /// Returns the text that [`Notation::read_position`] reads back.
    fn show_position(&self, position: &Self::Position) -> String;

    /// Reads a move, legal or not.
    ///
    /// # Errors
    /// If `text` is no move.
    fn read_move(&self, text: &str) -> Result<Self::Move, ParseError>;

    /// Returns the text that [`Notation::read_move`] reads back.
    fn show_move(&self, m: Self::Move) -> String;

    /// Reads a move of `position`, legal or not. Games in which the same move has different texts in different positions
    /// override this method and [`Notation::show_move_at`].
    ///
    /// # Errors
    /// If `text` is no move.
    fn read_move_at(
        &self,
        _position: &Self::Position,
        text: &str,
    ) -> Result<Self::Move, ParseError> {
        self.read_move(text)
    }

    /// Returns the text of the legal move `m` of `position`, which [`Notation::read_move_at`] reads back.
    fn show_move_at(&self, _position: &Self::Position, m: Self::Move) -> String {
        self.show_move(m)
    }

    /// Returns `true` if [`Notation::show_move_at`] gives a move the same text in all positions.
    fn has_fixed_move_texts(&self) -> bool {
        true
    }

    /// Returns the texts of the moves of `line`, which starts at `position`. Games that override
    /// [`Notation::show_move_at`] override this method, too.
    fn show_line(&self, _position: &Self::Position, line: &[Self::Move]) -> Vec<String> {
        line.iter().map(|&m| self.show_move(m)).collect()
    }

    /// Returns the moves from the start to `position`, in games whose positions have the text of another game: a subtree is
    /// a tree. Returns `None` if [`Notation::read_position`] reads the text of `position` back with these rules.
    fn moves_to(&self, _position: &Self::Position) -> Option<Vec<Self::Move>> {
        None
    }

    /// Returns a short reason why the move `m` is illegal, or `None` without a specific reason. The game must
    /// not be over.
    fn why_illegal(&self, _position: &Self::Position, _m: Self::Move) -> Option<String> {
        None
    }

    /// Returns the board as text with coordinates: several lines, no newline at the end.
    fn draw(&self, position: &Self::Position) -> String;

    /// Returns a text that identifies the game, if there is one: equal for equal games only.
    ///
    /// Files of solved positions contain this text, and its first word is their name.
    fn identity(&self) -> Option<String> {
        None
    }
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
    /// Returns the value of this outcome at a node `ply` plies below the root.
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

/// A two-player game with perfect information. Games with chance nodes are [`Stochastic`], except trees.
pub trait Game: Rules {
    /// `true` if the third occurrence of a position ends the game.
    const REPETITION: bool = false;

    /// Returns the outcome of a third occurrence and of endless play.
    fn repetition_outcome(&self) -> Outcome {
        Outcome::Draw
    }

    /// Returns the side to move.
    fn side(&self, position: &Self::Position) -> Side;

    /// Returns `true` if the game has chance nodes. At such a node, [`Game::side`] is the second player: searches for
    /// two players assume the worst outcome for the first one. Expectimax averages over the outcomes.
    fn has_chance(&self) -> bool {
        false
    }

    /// Returns the moves of a chance node with their probabilities, which add up to 1. Returns `None` if a player moves.
    fn chances(&self, _position: &Self::Position) -> Option<Vec<(Self::Move, f64)>> {
        None
    }

    /// Returns the outcome if the game is over, ignoring repetition.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Returns `true` if the move from `before` to `after` is irreversible: neither `before` nor any earlier
    /// position can occur again.
    fn irreversible(&self, _before: &Self::Position, _after: &Self::Position) -> bool {
        true
    }

    /// Returns a number of plies in which no earlier position can occur again by any play.
    ///
    /// For example, if goats must be placed every second ply, this is the number of plies up to the last placement,
    /// because placements are irreversible. The number is 0 if no irreversible move is forced.
    fn recurrence_free_plies(&self, _position: &Self::Position) -> u32 {
        0
    }

    /// Returns the maximum number of plies that the game can still last, or `None` if the rules set no maximum.
    fn max_plies_left(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Returns the maximum number of symmetric images of a position, including itself. They all have the same value.
    fn symmetries(&self) -> usize {
        1
    }

    /// Returns the common representative of the position and its symmetric images.
    #[must_use]
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        *position
    }
}

/// The kind of a node in a game with chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A decision of this player. P1 maximizes the expectation, P2 minimizes it.
    Player(Side),
    /// A chance node.
    Chance,
}

impl Turn {
    /// Returns the side to move. A chance node counts as the second player, because searches for two players assume the
    /// worst outcome for the first one.
    pub fn side(self) -> Side {
        match self {
            Self::Player(side) => side,
            Self::Chance => Side::P2,
        }
    }
}

/// A game with chance. Moves gain points. The points gained so far are not part of a position or its key.
pub trait Stochastic: Rules {
    /// Returns the kind of the node. Unspecified if the game is over.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// Returns `true` if the game is over.
    fn is_over(&self, position: &Self::Position) -> bool;

    /// Appends the outcomes of a chance node with their probabilities. The probabilities add up to 1.
    fn chances(&self, position: &Self::Position, out: &mut Vec<(Self::Move, f64)>);

    /// Returns the points gained by a move, from the first player's view.
    fn gain(&self, _position: &Self::Position, _m: Self::Move) -> f64 {
        0.0
    }

    /// Returns the position without the points gained so far, which do not affect the remaining points.
    #[must_use]
    fn without_score(&self, position: &Self::Position) -> Self::Position {
        *position
    }

    /// Returns the estimate of the remaining points, from the first player's view. It is exact if the game is
    /// over.
    fn evaluate(&self, position: &Self::Position) -> f64;

    /// Returns the rules with an evaluation adapted to a search from `root`, or `None` without such an
    /// evaluation.
    ///
    /// The returned rules use other [keys](Rules::key), so that both evaluations can share one transposition table.
    fn adapted_to(&self, _root: &Self::Position) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the named terms of [`Stochastic::evaluate`], if it has terms.
    fn terms(&self, _position: &Self::Position) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Returns the maximum number of plies that the game can still last, or `None` if the rules set no maximum.
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

    /// Returns the reason why the goal is unreachable. Returns `None` if it is reachable, or if only a search can
    /// decide this.
    fn unsolvable_reason(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    /// Returns the move that undoes `m`, if there is one. Searches skip moves that undo the previous move.
    fn inverse(&self, m: Self::Move) -> Option<Self::Move>;
}
