//! What a GUI needs to show a position of any game ([`Scene`]) and to let people move in it ([`Footprint`]), and how a
//! game tells it: trait [`Depict`].

use crate::rules::Notation;
use crate::value::Side;

/// A game that a GUI can show without knowing it.
pub trait SceneProvider: Notation {
    /// What people are told of the game, as it is configured.
    fn about(&self) -> GameInfo;

    /// What stands where.
    fn scene(&self, position: &Self::Position) -> Scene;

    /// What a legal move touches on the board.
    fn footprint(&self, position: &Self::Position, m: Self::Move) -> Footprint;

    /// Why the game is over here, repetition aside; asked only where it is.
    fn ending(&self, position: &Self::Position) -> Ending;
}

/// A game in words.
#[derive(Clone, Debug, PartialEq)]
pub struct GameInfo {
    /// What people call it.
    pub title: String,
    /// Among what it is listed.
    pub group: Group,
    /// What people call the players, the first one first; a puzzle has one.
    pub players: Vec<String>,
    /// What people call one of them, or one of their pieces: `goat` for `goats`.
    pub each: Vec<String>,
    /// The rules, a sentence or two each.
    pub rules: Vec<String>,
}

impl GameInfo {
    /// What people call this player: the one of a puzzle, whoever is asked for.
    pub fn player(&self, side: Side) -> &str {
        let names = &self.players;
        names
            .get(side as usize)
            .or(names.first())
            .map_or("", String::as_str)
    }

    /// That this player wins, in words: `goats win`, but `X wins`.
    pub fn wins(&self, side: Side) -> String {
        let is_one = self.each.iter().any(|one| one == self.player(side));
        format!(
            "{} {}",
            self.player(side),
            if is_one { "wins" } else { "win" }
        )
    }
}

/// The kinds of games, as a list of games is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The few against the many.
    Hunts,
    /// Who has so many in a row.
    Lines,
    /// Numbers that slide and merge.
    Numbers,
    /// For one.
    Puzzles,
    /// Trees written out.
    Trees,
}

/// A position as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// On what.
    pub board: Board,
    /// What stands on it.
    pub pieces: Vec<Piece>,
    /// What is still to be placed; also where nothing is left of it.
    pub hand: Vec<Reserve>,
    /// What has been taken off the board.
    pub captured: Vec<Captured>,
    /// The points made so far, where there are points.
    pub score: Option<f64>,
}

impl Scene {
    /// A board with these pieces, and nothing else.
    pub fn new(board: Board, pieces: Vec<Piece>) -> Self {
        Self {
            board,
            pieces,
            hand: Vec::new(),
            captured: Vec::new(),
            score: None,
        }
    }
}

/// What pieces stand on. A place is called by its name on the wire.
#[derive(Clone, Debug, PartialEq)]
pub enum Board {
    /// Points joined by lines.
    Graph {
        /// The points: x to the right, y upwards.
        points: Vec<Point>,
        /// Points that follow one another on a line are neighbours.
        lines: Vec<Vec<String>>,
        /// Points that mean something to somebody.
        zones: Vec<Zone>,
    },
    /// Cells in rows and columns, from `a1` at the bottom left.
    Grid {
        /// How many rows.
        rows: usize,
        /// How many columns.
        columns: usize,
        /// So many in a row win.
        length: usize,
    },
    /// Cells with numbered tiles that slide, from `a1` at the bottom left.
    Tiles {
        /// How many rows.
        rows: usize,
        /// How many columns.
        columns: usize,
        /// What slides, and what for.
        slides: Slides,
    },
    /// Two banks and a boat.
    River {
        /// How many there are in all.
        missionaries: u8,
        /// How many there are in all.
        cannibals: u8,
        /// How many fit into the boat.
        seats: u8,
        /// Whether the boat is at the left bank.
        boat_left: bool,
    },
    /// A tree of numbers.
    Tree {
        /// The whole tree, unless it is too large to draw.
        root: Option<Nested>,
        /// Who moves at its root; the levels alternate.
        first: Side,
        /// The numbers of the children that lead to the position.
        at: Vec<u16>,
    },
}

/// A point of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its name on the wire.
    pub name: String,
    /// To the right, in any unit.
    pub x: f64,
    /// Upwards, in the same unit.
    pub y: f64,
}

/// Points of a graph that mean something to one of the players.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// What: a `goal` to be reached, or a `zone` that is not left.
    pub kind: &'static str,
    /// To whom.
    pub owner: Side,
    /// The points.
    pub points: Vec<String>,
}

/// How tiles slide.
#[derive(Clone, Debug, PartialEq)]
pub enum Slides {
    /// One at a time, into the blank, until they lie like this: rows from the top, 0 for the blank.
    One {
        /// The rows.
        goal: Vec<Vec<u8>>,
    },
    /// All at once, and equal ones merge, until one has this number.
    All {
        /// The number.
        target: u32,
    },
}

/// Numbers in lists in lists.
#[derive(Clone, Debug, PartialEq)]
pub enum Nested {
    /// A leaf.
    Number(f64),
    /// An inner node's children.
    List(Vec<Nested>),
}

/// Something that stands on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Where.
    pub at: String,
    /// What it is.
    pub kind: &'static str,
    /// Whose it is, if anybody's.
    pub owner: Option<Side>,
    /// The number on it.
    pub value: Option<u32>,
    /// How many of them stand there, where they may be many or none.
    pub count: Option<u8>,
}

impl Piece {
    /// A player's piece.
    pub fn of(owner: Side, kind: &'static str, at: String) -> Self {
        Self {
            at,
            kind,
            owner: Some(owner),
            value: None,
            count: None,
        }
    }

    /// A tile with a number.
    pub fn tile(value: u32, at: String) -> Self {
        Self {
            at,
            kind: "tile",
            owner: None,
            value: Some(value),
            count: None,
        }
    }

    /// So many of a kind.
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

/// Pieces that lie beside the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Reserve {
    /// What they are.
    pub kind: &'static str,
    /// Whose they are.
    pub owner: Side,
    /// How many they are.
    pub count: u32,
}

/// Pieces that were taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Captured {
    /// Which, and how many.
    pub pile: Reserve,
    /// So many win the game, where captures can.
    pub wins: Option<u32>,
}

/// What a move touches; what makes no sense for it is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Footprint {
    /// Where the piece that moves comes from; nothing where it is dropped.
    pub from: Option<String>,
    /// Where it goes.
    pub to: Option<String>,
    /// Whose pieces vanish.
    pub captures: Vec<String>,
    /// Where several pieces are put at once.
    pub drops: Vec<String>,
    /// All tiles that travel, from where to where; of those with one target the first stays and the second merges.
    pub slides: Vec<(String, String)>,
    /// The points that it scores.
    pub gain: Option<u32>,
    /// The number on the tile that appears.
    pub value: Option<u32>,
    /// How likely chance is to make it.
    pub chance: Option<f64>,
    /// The missionaries and the cannibals that cross.
    pub crew: Option<[u8; 2]>,
}

impl Footprint {
    /// A piece is put here.
    pub fn drop(to: String) -> Self {
        Self {
            to: Some(to),
            ..Self::default()
        }
    }

    /// A piece goes from one place to another.
    pub fn step(from: String, to: String) -> Self {
        Self {
            from: Some(from),
            to: Some(to),
            ..Self::default()
        }
    }
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// In a word.
    pub why: EndReason,
    /// The places that show it: the cells of a line.
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

/// The ways in which games end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// Enough pieces were taken.
    Captured,
    /// The side to move cannot.
    Blocked,
    /// Somebody has reached a goal.
    Goal,
    /// Somebody has a line.
    Line,
    /// There is no room left.
    Full,
    /// The position occurs for the third time.
    Repetition,
    /// Nothing slides any more.
    Stuck,
    /// The tree has no more branches.
    Leaf,
    /// The puzzle's goal is reached.
    Solved,
}

/// The name of a cell, `a1` at the bottom left, that stands in this row from the top and this column from the left.
pub fn cell_name(rows: usize, row_from_top: usize, column: usize) -> String {
    let letter = (b'a' + column as u8) as char;
    format!("{letter}{}", rows - row_from_top)
}
