//! The state of a position for GUIs: the scene, the legal moves and the tablebase values.

use crate::oracle::Verdict;
use crate::rules::{Outcome, Turn};
use crate::scene::{Ending, GameInfo, MoveChanges, Scene, SceneProvider, Sources};
use crate::settings::{Algorithm, HeuristicName};

/// The answer to `state`.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The game's description.
    pub about: GameInfo,
    /// The sources of the rules.
    pub sources: Sources,
    /// The position as `position fen` reads it.
    pub fen: String,
    /// Number of moves after the position of the last `position` command.
    pub ply: usize,
    /// The side to move, even if the game is over.
    pub turn: Turn,
    /// The outcome and its reason if the game is over, repetition included.
    pub over: Option<(Outcome, Ending)>,
    /// The scene.
    pub scene: Scene,
    /// The legal moves in notation, each with the changes that it makes; empty if the game is over.
    pub moves: Vec<(String, MoveChanges)>,
    /// Number of occurrences of the position, in games that end by repetition.
    pub occurrences: Option<u8>,
    /// The algorithms that can search the position.
    pub algorithms: Vec<Algorithm>,
    /// The heuristics available for the position.
    pub heuristics: Vec<HeuristicName>,
    /// `true` if tables are open, even if they do not contain the position.
    pub(crate) has_tables: bool,
    /// The tablebase values, if tables contain the position.
    pub solved: Option<TablebaseInfo>,
    /// The exact expectations, if a game with chance is solved.
    pub expected: Option<ExpectedInfo>,
}

/// Exact expectations of a position in a game with chance.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedInfo {
    /// Expected points from this position on.
    pub points: f64,
    /// The values of all moves, best first for the side to move. At a chance node, the tile that is worst for the
    /// player comes first.
    pub moves: Vec<ExpectedMove>,
}

/// The exact expectation of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedMove {
    /// The move in notation.
    pub name: String,
    /// The points that the move gains, plus the points expected after it.
    pub points: f64,
}

/// Tablebase values of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct TablebaseInfo {
    /// The value of the position.
    pub verdict: Verdict,
    /// The values of its moves, best first. Moves of unknown value are omitted.
    pub moves: Vec<SolvedMove>,
}

/// The tablebase value of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedMove {
    /// The move in notation.
    pub name: String,
    /// The verdict. Its number of plies includes the move.
    pub verdict: Verdict,
    /// In a draw: the probability, per million, that a random reply loses.
    pub traps: u32,
}

/// Creates the state from the rules, without values.
pub(super) fn of<D: SceneProvider>(
    game: &D,
    position: &D::Position,
    ply: usize,
    turn: Turn,
    outcome: Option<Outcome>,
    legal: &[D::Move],
) -> State {
    let named = |m: D::Move| {
        (
            game.show_move_at(position, m),
            game.move_changes(position, m),
        )
    };
    State {
        about: game.about(),
        sources: game.sources(),
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
        expected: None,
    }
}
