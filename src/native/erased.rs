//! Games, positions and batches whose kind is chosen at run time.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use puli::engine::state::State;
use puli::error::EngineError;
use puli::oracle::ExactValue;
use puli::path::read_legal;
use puli::rules::{Notation, Outcome, Rules, Turn};
use puli::scene::{GameInfo, SceneProvider};
use puli::solve::explicit::reachable::Watch;

use crate::batch::{AnyBatch, Positions};
use crate::fault::{Fault, invalid};
use crate::game::check_move;
use crate::kinds::{Kind, MoveOf, PositionOf, RulesOf, play_all};

/// Initial capacity of a buffer of moves. Most positions have fewer.
pub(crate) const MOVES_CAPACITY: usize = 64;

/// The start of the text of a position that is given by the moves from the start, as in command `position`.
const START_AND_MOVES: &str = "startpos moves ";

/// A game with its start position, and its exact values once it is solved.
pub(crate) struct Shared<K: Kind> {
    pub(crate) kind: K,
    pub(crate) start: PositionOf<K>,
    pub(crate) solution: OnceLock<K::Solution>,
}

impl<K: Kind> Shared<K> {
    /// Reads the start position. Without a text, it is the start position of the game.
    pub(crate) fn read(rules: &RulesOf<K>, fen: Option<&str>) -> Result<Arc<Self>, EngineError> {
        let (rules, start) = match fen {
            Some(fen) => rules.read_position(fen)?,
            None => (rules.clone(), rules.start()),
        };
        Ok(Arc::new(Self {
            kind: K::new(rules),
            start,
            solution: OnceLock::new(),
        }))
    }

    pub(crate) fn rules(&self) -> &RulesOf<K> {
        self.kind.rules()
    }

    /// Returns the exact value of a position.
    #[inline]
    pub(crate) fn value(&self, position: &PositionOf<K>) -> Option<ExactValue> {
        self.kind.value(self.solution.get(), position)
    }

    /// Returns the number of contents of a position in arrays.
    pub(crate) fn places(&self) -> usize {
        let mut contents = Vec::new();
        self.rules().append_contents(&self.start, &mut contents);
        contents.len()
    }

    /// Returns the text that [`Shared::position`] reads back: the FEN, or the moves from the start if the FEN is that of
    /// another game.
    pub(crate) fn source(&self, position: &PositionOf<K>) -> String {
        let rules = self.rules();
        match rules.moves_to(position) {
            Some(moves) => {
                let texts: Vec<String> = moves.into_iter().map(|m| rules.show_move(m)).collect();
                format!("{START_AND_MOVES}{}", texts.join(" "))
            }
            None => rules.show_position(position),
        }
    }

    /// Reads a position of this game.
    pub(crate) fn position(&self, fen: &str) -> Result<PositionOf<K>, Fault> {
        if let Some(moves) = fen.strip_prefix(START_AND_MOVES) {
            return self.after_moves(moves);
        }
        let (rules, position) = self.rules().read_position(fen).map_err(EngineError::from)?;
        if rules != *self.rules() {
            return Err(EngineError::new(
                "the position has another size or is of another tree; Game(variant, fen) plays it",
            )
            .into());
        }
        Ok(position)
    }

    fn after_moves(&self, moves: &str) -> Result<PositionOf<K>, Fault> {
        let texts: Vec<String> = moves.split_whitespace().map(String::from).collect();
        for text in &texts {
            check_move(text)?;
        }
        Ok(play_all(self.rules(), self.start, &texts)?)
    }
}

/// A game of any kind.
pub(crate) trait AnyGame: Send + Sync {
    fn start(&self) -> Box<dyn AnyPosition>;
    fn position(&self, fen: &str) -> Result<Box<dyn AnyPosition>, Fault>;
    fn positions(&self, fens: &[String]) -> Result<Box<dyn AnyBatch>, Fault>;
    fn repeat(&self, count: usize) -> Result<Box<dyn AnyBatch>, Fault>;
    /// Solves the game and returns the number of positions. A solved game is not solved again.
    fn solve(&self, memory: u64, watch: Watch<'_>) -> Result<u64, EngineError>;
    fn solved_positions(&self) -> Option<u64>;
    fn repetition(&self) -> Option<Outcome>;
    fn state(&self, fen: Option<&str>, moves: &[String]) -> Result<State, Fault>;
    fn about(&self) -> GameInfo;
    fn places(&self) -> usize;
    fn has_fixed_move_texts(&self) -> bool;
}

impl<K: Kind> AnyGame for Arc<Shared<K>> {
    fn start(&self) -> Box<dyn AnyPosition> {
        Node::boxed(self, self.start)
    }

    fn position(&self, fen: &str) -> Result<Box<dyn AnyPosition>, Fault> {
        Ok(Node::boxed(self, Shared::position(self, fen)?))
    }

    fn positions(&self, fens: &[String]) -> Result<Box<dyn AnyBatch>, Fault> {
        let mut positions = Vec::new();
        positions.try_reserve_exact(fens.len())?;
        for (index, fen) in fens.iter().enumerate() {
            let read = Shared::position(self, fen).map_err(|fault| match fault {
                Fault::Rejected(error) => {
                    EngineError::new(format!("position {index}: {error}")).into()
                }
                other => other,
            });
            positions.push(read?);
        }
        Ok(Positions::boxed(self, positions))
    }

    fn repeat(&self, count: usize) -> Result<Box<dyn AnyBatch>, Fault> {
        let mut positions = Vec::new();
        positions.try_reserve_exact(count)?;
        positions.resize(count, self.start);
        Ok(Positions::boxed(self, positions))
    }

    fn solve(&self, memory: u64, watch: Watch<'_>) -> Result<u64, EngineError> {
        if let Some(positions) = self.solved_positions() {
            return Ok(positions);
        }
        let solution = self.kind.solve(self.start, memory, watch)?;
        let solution = self.solution.get_or_init(|| solution);
        Ok(K::solved_positions(solution))
    }

    fn solved_positions(&self) -> Option<u64> {
        self.solution.get().map(K::solved_positions)
    }

    fn repetition(&self) -> Option<Outcome> {
        self.kind.repetition()
    }

    fn state(&self, fen: Option<&str>, moves: &[String]) -> Result<State, Fault> {
        let start = match fen {
            Some(fen) => Shared::position(self, fen)?,
            None => self.start,
        };
        Ok(self.kind.state(start, moves, self.solution.get())?)
    }

    fn about(&self) -> GameInfo {
        self.rules().about()
    }

    fn places(&self) -> usize {
        Shared::places(self)
    }

    fn has_fixed_move_texts(&self) -> bool {
        self.rules().has_fixed_move_texts()
    }
}

/// A position of any kind of game.
pub(crate) trait AnyPosition: Any + Send + Sync {
    /// Returns the numbers of the legal moves.
    fn moves(&self) -> Vec<u16>;
    /// Returns the text of a legal move.
    fn show_move(&self, number: u16) -> String;
    /// Returns the position after a move, or `None` if the move is not legal.
    fn play(&self, number: u16) -> Option<Box<dyn AnyPosition>>;
    /// Reads a move and returns the position after it. The error is a predicate of the text.
    fn read_and_play(&self, text: &str) -> Result<Box<dyn AnyPosition>, EngineError>;
    fn fen(&self) -> String;
    /// Returns the text that [`AnyGame::position`] reads back.
    fn source(&self) -> String;
    fn key(&self) -> u64;
    fn symmetric_key(&self) -> u64;
    fn turn(&self) -> Turn;
    fn outcome(&self) -> Option<Outcome>;
    fn value(&self) -> Option<ExactValue>;
    fn state(&self) -> Result<State, EngineError>;
    fn draw(&self) -> String;
    /// Returns `true` if `other` is the same position of the same game.
    fn is_same(&self, other: &dyn AnyPosition) -> bool;
}

/// A position and its game.
pub(crate) struct Node<K: Kind> {
    shared: Arc<Shared<K>>,
    position: PositionOf<K>,
}

impl<K: Kind> Node<K> {
    pub(crate) fn boxed(shared: &Arc<Shared<K>>, position: PositionOf<K>) -> Box<dyn AnyPosition> {
        let shared = Arc::clone(shared);
        Box::new(Self { shared, position })
    }

    fn legal(&self) -> Vec<MoveOf<K>> {
        let mut legal = Vec::with_capacity(MOVES_CAPACITY);
        self.shared.rules().moves(&self.position, &mut legal);
        legal
    }

    fn after(&self, m: MoveOf<K>) -> Box<dyn AnyPosition> {
        Self::boxed(&self.shared, self.shared.rules().play(&self.position, m))
    }
}

impl<K: Kind> AnyPosition for Node<K> {
    fn moves(&self) -> Vec<u16> {
        self.legal().into_iter().map(Into::into).collect()
    }

    fn show_move(&self, number: u16) -> String {
        self.shared
            .rules()
            .show_move_at(&self.position, number.into())
    }

    fn play(&self, number: u16) -> Option<Box<dyn AnyPosition>> {
        let mut legal = self.legal().into_iter();
        let m = legal.find(|&m| Into::<u16>::into(m) == number)?;
        Some(self.after(m))
    }

    fn read_and_play(&self, text: &str) -> Result<Box<dyn AnyPosition>, EngineError> {
        let m = read_legal(self.shared.rules(), &self.position, &self.legal(), text)?;
        Ok(self.after(m))
    }

    fn fen(&self) -> String {
        self.shared.rules().show_position(&self.position)
    }

    fn source(&self) -> String {
        self.shared.source(&self.position)
    }

    fn key(&self) -> u64 {
        self.shared.rules().key(&self.position)
    }

    fn symmetric_key(&self) -> u64 {
        self.shared.kind.symmetric_key(&self.position)
    }

    fn turn(&self) -> Turn {
        self.shared.kind.turn(&self.position)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.shared.kind.outcome(&self.position)
    }

    fn value(&self) -> Option<ExactValue> {
        self.shared.value(&self.position)
    }

    fn state(&self) -> Result<State, EngineError> {
        let solution = self.shared.solution.get();
        self.shared.kind.state(self.position, &[], solution)
    }

    fn draw(&self) -> String {
        self.shared.rules().draw(&self.position)
    }

    fn is_same(&self, other: &dyn AnyPosition) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| {
            let is_same_game = Arc::ptr_eq(&self.shared, &other.shared)
                || self.shared.rules() == other.shared.rules();
            is_same_game && self.position == other.position
        })
    }
}

/// Rejects a number of positions that exceeds `MAX_POSITIONS`.
pub(crate) fn check_count(count: usize) -> Result<(), Fault> {
    if count > MAX_POSITIONS {
        return invalid(format!(
            "expected at most {MAX_POSITIONS} positions, found {count}"
        ));
    }
    Ok(())
}

/// Maximum number of positions in a batch. It bounds the memory of a result: no position has more than 400 numbers, except
/// moves, which `Batch::moves` bounds.
pub(crate) const MAX_POSITIONS: usize = 1 << 20;
