//! Descriptions for GUIs: of a position of any game, for drawing it ([`Scene`]), and of the changes by a move, for
//! animating it ([`MoveChanges`]).

mod message;

pub use message::{Argument, Message, Pieces};

use crate::english::is_plural;
use crate::rules::Notation;
use crate::value::Side;

/// A game that a GUI can show without its rules.
pub trait SceneProvider: Notation {
    /// Returns the game's title, players and rules, for this size and goal.
    fn about(&self) -> GameInfo;

    /// Returns the sources of the rules; by default, none are known.
    fn sources(&self) -> Sources {
        Sources::default()
    }

    /// Returns the board and its pieces.
    fn scene(&self, position: &Self::Position) -> Scene;

    /// Appends the content of each place as a number, for programs that learn; by default, nothing.
    ///
    /// A piece of the first player is 1, a piece of the second player is -1, and an empty place is 0. Pieces in a stack add up. The places have
    /// the order of the board's points, or of its cells: row by row from `a1`. Tiles are row by row from the top left, as
    /// in the FEN: their numbers, or in 2048 their powers of two. A river has the numbers of missionaries and cannibals
    /// on the left bank, and 1 if the boat is there.
    fn append_contents(&self, _position: &Self::Position, _out: &mut Vec<i8>) {}

    /// Returns the numbers of pieces in hand of the first and the second player, and of their captured pieces.
    fn reserves(&self, _position: &Self::Position) -> [u8; 4] {
        [0; 4]
    }

    /// Returns the places changed by the legal move `m`, for highlighting and animation.
    fn move_changes(&self, position: &Self::Position, m: Self::Move) -> MoveChanges;

    /// Returns the end of the game, ignoring repetition. The game must be over.
    fn ending(&self, position: &Self::Position) -> Ending;
}

/// A game's description for users.
#[derive(Clone, Debug, PartialEq)]
pub struct GameInfo {
    /// The title.
    pub title: Message,
    /// The section of the game in lists of games.
    pub group: Group,
    /// Names of the players, the first player first. A puzzle has one player.
    pub players: Vec<String>,
    /// The names of the players in the singular, in the same order: `goat` for `goats`.
    pub singular_players: Vec<String>,
    /// The rules, one or two sentences each.
    pub rules: Vec<Message>,
}

/// The sources of a game's rules, in English, for users.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    /// The sources: author, year, page.
    pub sources: Vec<String>,
    /// The differences between the sources, and the choice of this game.
    pub differences: Vec<String>,
}

impl GameInfo {
    /// Returns the name of the player on `side`. In puzzles both sides have the same name.
    pub fn player(&self, side: Side) -> &str {
        let names = &self.players;
        names
            .get(side as usize)
            .or(names.first())
            .map_or("", String::as_str)
    }

    /// Returns the sentence for a win of `side`: `goats win`, `X wins`.
    pub fn wins(&self, side: Side) -> String {
        let name = self.player(side);
        let verb = if is_plural(name) { "win" } else { "wins" };
        format!("{name} {verb}")
    }
}

/// The sections of a list of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Hunt games.
    Hunts,
    /// m,n,k games.
    Lines,
    /// 2048.
    Numbers,
    /// Puzzles for one player.
    Puzzles,
    /// Explicit game trees.
    Trees,
}

/// A position, for drawing in a GUI.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The board.
    pub board: Board,
    /// The pieces on the board.
    pub pieces: Vec<Piece>,
    /// The pieces that the players still have to place, with a count of 0 if all are placed.
    pub hand: Vec<Reserve>,
    /// The captured pieces.
    pub captured: Vec<Captured>,
    /// The points gained so far, if the game has points.
    pub score: Option<f64>,
    /// The direction in which the prey step, if it can turn: `up`, `down`, `left` or `right`.
    pub direction: Option<&'static str>,
}

impl Scene {
    /// Creates a scene of `pieces` on `board`, without reserves, captured pieces, points and direction.
    pub fn new(board: Board, pieces: Vec<Piece>) -> Self {
        Self {
            board,
            pieces,
            hand: Vec::new(),
            captured: Vec::new(),
            score: None,
            direction: None,
        }
    }
}

/// The board. Places are named as in the protocol.
#[derive(Clone, Debug, PartialEq)]
pub enum Board {
    /// Points joined by lines.
    Graph {
        /// The points.
        points: Vec<Point>,
        /// Sequences of points; consecutive points are neighbors.
        lines: Vec<Vec<String>>,
        /// Points with a meaning for a player, such as goals.
        zones: Vec<Zone>,
    },
    /// Cells in rows and columns; `a1` is at the bottom left.
    Grid {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
        /// Number of own pieces in a row that win: k of an m,n,k game.
        length: usize,
    },
    /// Cells with sliding numbered tiles; `a1` is at the bottom left.
    Tiles {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
        /// The kind of slides, and the goal.
        slides: Slides,
    },
    /// Two river banks and a boat.
    River {
        /// Number of missionaries on both banks.
        missionaries: u8,
        /// Number of cannibals on both banks.
        cannibals: u8,
        /// Capacity of the boat.
        seats: u8,
        /// `true` if the boat is at the left bank.
        boat_left: bool,
    },
    /// A tree of numbers.
    Tree {
        /// The whole tree, or `None` if it is too large to draw.
        root: Option<Nested>,
        /// The side to move at the root; sides alternate by level.
        first: Side,
        /// The path from the root to the position: a child number, counted from 1, for each level.
        at: Vec<u16>,
    },
}

/// A point of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Name in the protocol.
    pub name: String,
    /// Horizontal coordinate, growing to the right, in any unit.
    pub x: f64,
    /// Vertical coordinate, growing upwards, in the unit of `x`.
    pub y: f64,
}

/// Points with a meaning for one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// `goal` for points to reach, `zone` for points that the player's pieces cannot leave.
    pub kind: &'static str,
    /// The player.
    pub owner: Side,
    /// The points.
    pub points: Vec<String>,
}

/// The kind of slides.
#[derive(Clone, Debug, PartialEq)]
pub enum Slides {
    /// One tile at a time slides into the blank until the goal is reached.
    One {
        /// The goal: rows from the top, 0 for the blank.
        goal: Vec<Vec<u8>>,
    },
    /// All tiles slide, and equal tiles merge.
    All {
        /// The number to reach.
        target: u32,
    },
}

/// A tree of numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Nested {
    /// A leaf.
    Number(f64),
    /// The children of an inner node.
    List(Vec<Nested>),
    /// The children of a chance node, and their weights.
    Chance(Vec<Nested>, Vec<u32>),
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The place.
    pub at: String,
    /// The kind, such as `goat`.
    pub kind: &'static str,
    /// The player who owns the piece, if any.
    pub owner: Option<Side>,
    /// The number on a tile.
    pub value: Option<u32>,
    /// The number of pieces at this place. `None` if there is one.
    pub count: Option<u8>,
}

impl Piece {
    /// Creates a piece of a player.
    pub fn of(owner: Side, kind: &'static str, at: String) -> Self {
        Self {
            at,
            kind,
            owner: Some(owner),
            value: None,
            count: None,
        }
    }

    /// Creates a tile with a number.
    pub fn tile(value: u32, at: String) -> Self {
        Self {
            at,
            kind: "tile",
            owner: None,
            value: Some(value),
            count: None,
        }
    }

    /// Creates `count` pieces of one kind at one place.
    pub fn crowd(count: u8, kind: &'static str, at: &str) -> Self {
        Self {
            at: at.into(),
            kind,
            owner: None,
            value: None,
            count: Some(count),
        }
    }
}

/// Pieces of one kind that are beside the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Reserve {
    /// The kind of the pieces.
    pub kind: &'static str,
    /// The player who owns the pieces.
    pub owner: Side,
    /// The number of pieces.
    pub count: u32,
}

/// Captured pieces of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Captured {
    /// The pieces.
    pub pile: Reserve,
    /// The number of captures that wins, or `None` if captures do not win.
    pub wins: Option<u32>,
}

/// The changes of places and tiles by a move. Fields that do not apply to the move are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveChanges {
    /// The origin of the moving piece; `None` for a drop.
    pub from: Option<String>,
    /// The target of the moving piece.
    pub to: Option<String>,
    /// The places of captured pieces.
    pub captures: Vec<String>,
    /// The places of own pieces that are removed after the move.
    pub removed: Vec<String>,
    /// All points of a chain of leaps, from the origin to the target. Empty for other moves.
    pub path: Vec<String>,
    /// The places of several pieces dropped at once.
    pub drops: Vec<String>,
    /// The start and end of each sliding tile. If two tiles have the same end, the second merges into the first.
    pub slides: Vec<(String, String)>,
    /// The points gained by the move.
    pub gain: Option<u32>,
    /// The number on the tile that appears.
    pub value: Option<u32>,
    /// The probability of the move if it is the outcome of a chance node.
    pub chance: Option<f64>,
    /// The number of missionaries and of cannibals in the boat.
    pub crew: Option<[u8; 2]>,
}

impl MoveChanges {
    /// Returns the changes of a move that drops a piece on `to`.
    pub fn drop(to: String) -> Self {
        Self {
            to: Some(to),
            ..Self::default()
        }
    }

    /// Returns the changes of a move of a piece from `from` to `to`.
    pub fn step(from: String, to: String) -> Self {
        Self {
            from: Some(from),
            to: Some(to),
            ..Self::default()
        }
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The reason.
    pub why: EndReason,
    /// The places to highlight, such as the cells of a winning line.
    pub points: Vec<String>,
}

impl From<EndReason> for Ending {
    fn from(why: EndReason) -> Self {
        Self {
            why,
            points: Vec::new(),
        }
    }
}

/// The reasons why games end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// Enough pieces were captured.
    Captured,
    /// The side to move has no legal move.
    Blocked,
    /// A player has reached a goal.
    Goal,
    /// A hunter has come to a trap.
    Trap,
    /// The last hunter was removed.
    Removed,
    /// A player has completed a line.
    Line,
    /// The board is full.
    Full,
    /// The position occurred for the third time.
    Repetition,
    /// No tile can slide.
    Stuck,
    /// A leaf of the tree is reached.
    Leaf,
    /// The puzzle is solved.
    Solved,
}

/// Returns the name of a cell; `a1` is at the bottom left. `row_from_top` and `column` count from 0.
pub(crate) fn cell_name(rows: usize, row_from_top: usize, column: usize) -> String {
    let letter = (b'a' + column as u8) as char;
    format!("{letter}{}", rows - row_from_top)
}
