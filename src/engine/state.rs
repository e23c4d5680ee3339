//! All that a GUI needs of a position in one value: what stands where, what may be played, what tables know.

use crate::oracle::Verdict;
use crate::rules::{Outcome, Turn};
use crate::scene::{Ending, Footprint, GameInfo, Scene, SceneProvider};
use crate::settings::{Algorithm, HeuristicName};

/// A position as `state` tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The game in words.
    pub about: GameInfo,
    /// The position, as `position fen` reads it.
    pub fen: String,
    /// Moves played since the position that was set.
    pub ply: usize,
    /// Who moves; where the game is over, who would.
    pub turn: Turn,
    /// How the game has ended, repetition included, if it has, and why.
    pub over: Option<(Outcome, Ending)>,
    /// What stands where.
    pub scene: Scene,
    /// The legal moves as they are written, each with what it touches; none when the game is over.
    pub moves: Vec<(String, Footprint)>,
    /// How often the position has occurred, this time included, where a third time ends the game.
    pub occurrences: Option<u8>,
    /// The algorithms that can search it.
    pub algorithms: Vec<Algorithm>,
    /// The estimates of the way to its goal that there are.
    pub heuristics: Vec<HeuristicName>,
    /// Whether there are tables, whatever they know.
    pub has_tables: bool,
    /// What tables know, where they know the position.
    pub solved: Option<TablebaseInfo>,
}

/// What tables know of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct TablebaseInfo {
    /// Of the position itself.
    pub verdict: Verdict,
    /// Of its moves, the best first; a move that is not known is missing.
    pub moves: Vec<SolvedMove>,
}

/// What tables know of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedMove {
    /// As it is written.
    pub name: String,
    /// Who wins; plies count from before the move.
    pub verdict: Verdict,
    /// In a draw the chance, per million, that an answer drawn at random loses.
    pub traps: u32,
}

/// The state of a position: what its rules tell of it.
pub fn of<D: SceneProvider>(
    game: &D,
    position: &D::Position,
    ply: usize,
    turn: Turn,
    outcome: Option<Outcome>,
    legal: &[D::Move],
) -> State {
    let named = |m: D::Move| (game.show_move(m), game.footprint(position, m));
    State {
        about: game.about(),
        fen: game.show_position(position),
        ply,
        turn,
        over: outcome.map(|outcome| (outcome, game.ending(position))),
        scene: game.scene(position),
        moves: legal.iter().copied().map(named).collect(),
        occurrences: None,
        algorithms: Vec::new(),
        heuristics: Vec::new(),
        has_tables: false,
        solved: None,
    }
}
