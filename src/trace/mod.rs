//! Traces: the events of a search in the order in which they happened.
//!
//! A `recorder::Recorder` observes a search and emits the events. Drawings, the page and other programs only read
//! them. [`counts::Counts`] sums them up.

pub mod counts;
pub(crate) mod puzzle_recorder;
pub(crate) mod recorder;
pub mod sentences;

use std::cell::Cell;

use crate::search::observer::{ExitReason, OrderReason};
use crate::settings::{Algorithm, CutRule, HeuristicName};
use crate::value::{Bound, Score, Side, Value, Window};

use counts::Counts;

/// Number of a node, from 0 for the root. A node is a place in the tree, not a position. It gets its number when the
/// search first enters it and keeps the number on later visits.
pub type NodeNumber = usize;

/// Default and maximum number of events of a trace.
pub const DEFAULT_EVENTS: u64 = 200_000;

/// Settings of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRequest {
    /// Depth of the search, in plies.
    pub depth: u32,
    /// `true` for iterations to depth 1, 2, …, `false` for a single search to the depth.
    pub deepens: bool,
    /// The cutoff rule of alpha-beta.
    pub cut_rule: CutRule,
    /// The value that MTD(f) tests first.
    pub first_guess: Value,
    /// `true` for backward analysis in place of a search: positions are settled from the ends of the game. Then `depth`
    /// is the largest number of plies to the end.
    pub is_backward: bool,
    /// `true` if [`Event::Make`] contains the position.
    pub shows_positions: bool,
    /// Maximum number of events. The search continues after the last of them, so that its value and counts
    /// are complete.
    pub max_events: u64,
}

impl TraceRequest {
    /// A single search to `depth` with the options of most textbooks.
    pub fn new(depth: u32) -> Self {
        Self {
            depth,
            deepens: false,
            cut_rule: CutRule::Equal,
            first_guess: Value::ZERO,
            is_backward: false,
            shows_positions: false,
            max_events: DEFAULT_EVENTS,
        }
    }
}

/// The traced procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Procedure {
    /// A search forwards from the root.
    Search(Algorithm),
    /// Backward analysis from the ends of the game.
    Backward,
}

/// The reason for settling the value of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettleReason {
    /// The game is over.
    Over,
    /// The side to move wins by this move, in notation.
    Move(String),
    /// Every move leads to a win of the other side.
    All,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The first player moves and chooses the highest value.
    Max,
    /// The second player moves and chooses the lowest value.
    Min,
    /// Chance moves; the value is the expectation.
    Chance,
    /// A state of a puzzle.
    State,
}

/// The reason for entering a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnterPurpose {
    /// To find its value within the window.
    Full,
    /// To test by a null window whether the value is at least beta.
    Null,
    /// To find its value after a null window has failed.
    Again,
}

/// The result of a transposition table lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// No usable entry.
    Nothing,
    /// An entry that only gives the move to search first.
    OrderOnly,
    /// The value.
    Answers,
}

/// The reason for a pass of MTD(f) over the root moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassReason {
    /// To close in on the value.
    CloseIn,
    /// To find the first of several moves of equal value.
    FirstOfEquals,
}

/// An entry of the transposition table. The move is in notation.
#[derive(Clone, Debug, PartialEq)]
pub struct TableEntry {
    /// The value, counted from the root.
    pub value: Score,
    /// The relation of `value` to the true value.
    pub bound: Bound,
    /// Depth to which it was searched, in plies.
    pub depth: u32,
    /// The best move, if one is known.
    pub best: Option<String>,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// A switch.
    Flag(bool),
    /// A choice.
    Choice(String),
    /// The names of several things.
    Names(&'static [&'static str]),
    /// Names with their weights, in points.
    Weights(Vec<(&'static str, f64)>),
    /// A value of the search.
    Value(Score),
}

/// The unit of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Points for the first player.
    Points,
    /// Moves to the goal.
    Moves,
}

/// The numbers of a state in a search for a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Moves from the start.
    pub g: u32,
    /// Estimated moves to the goal; `None` without a heuristic.
    pub h: Option<u32>,
}

/// An event of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The trace begins.
    Begin {
        /// Name of the game.
        variant: String,
        /// The root position.
        fen: String,
        /// Names of the players.
        players: Vec<String>,
        /// The search or the backward analysis.
        procedure: Procedure,
        /// The heuristic of a puzzle.
        heuristic: Option<HeuristicName>,
        /// Maximum depth, in plies or moves.
        depth: u32,
        /// All options that can change the counts of the trace.
        options: Vec<(&'static str, OptionValue)>,
        /// The unit of values.
        unit: Unit,
    },
    /// An iteration begins.
    Iteration {
        /// Its depth, in plies.
        depth: u32,
    },
    /// MTD(f) begins a pass over the root moves.
    Pass {
        /// Number of the pass in its iteration, from 1.
        number: u32,
        /// The question: is the value at least this?
        test: Score,
        /// The bounds proved so far.
        interval: [Option<Score>; 2],
        /// The reason.
        why: PassReason,
    },
    /// A node is made, at its first visit.
    Make {
        /// The node.
        node: NodeNumber,
        /// Its parent; `None` for the root.
        parent: Option<NodeNumber>,
        /// The move to it in notation; empty for the root.
        m: String,
        /// Plies from the root.
        ply: u32,
        /// Its kind.
        kind: NodeKind,
        /// Hash key of its position.
        key: u64,
        /// Probability of the move, if chance moves.
        probability: Option<f64>,
        /// Its position, if asked for.
        fen: Option<String>,
    },
    /// The moves of a node in search order.
    Order {
        /// The node.
        node: NodeNumber,
        /// The moves in notation.
        moves: Vec<String>,
        /// The reason for the place of each.
        reasons: Vec<OrderReason>,
    },
    /// The search enters a node.
    Enter {
        /// The node.
        node: NodeNumber,
        /// Number of the visit to this node, from 1.
        visit: u32,
        /// The window; `None` if the algorithm has none.
        window: Option<Window>,
        /// The reason.
        purpose: EnterPurpose,
        /// The nodes in which alpha and beta were found.
        sources: [Option<NodeNumber>; 2],
    },
    /// A leaf has a value.
    Leaf {
        /// The node.
        node: NodeNumber,
        /// The value.
        value: Score,
        /// The terms of the evaluation, in points.
        terms: Vec<(&'static str, f64)>,
        /// `true` if the game is over, `false` at the depth limit.
        is_over: bool,
    },
    /// A node is looked up in the transposition table.
    Table {
        /// The node.
        node: NodeNumber,
        /// The result of the lookup.
        found: Found,
        /// The entry, if there is one.
        entry: Option<TableEntry>,
        /// The node that stored it.
        first: Option<NodeNumber>,
    },
    /// The value of a node is stored.
    Store {
        /// The node.
        node: NodeNumber,
        /// The entry.
        entry: TableEntry,
        /// Key of the replaced entry, if any.
        dropped: Option<u64>,
    },
    /// A child has handed its value to its parent.
    Back {
        /// The parent.
        node: NodeNumber,
        /// The child.
        child: NodeNumber,
        /// The child's value.
        value: Score,
        /// `true` if it is better than all before. Meaningless below chance.
        is_better: bool,
        /// The parent's window now.
        window: Option<Window>,
        /// At a chance node: the sum of the values so far, each times its probability.
        sum: Option<f64>,
    },
    /// The remaining moves of a node are cut off.
    Cut {
        /// The node.
        node: NodeNumber,
        /// The child that closed the window.
        by: NodeNumber,
        /// Its value.
        value: Score,
        /// The closed window.
        window: Window,
        /// The rule that cut.
        rule: CutRule,
        /// The moves that are not searched.
        skipped: Vec<String>,
    },
    /// A null window has failed, so the node is searched again.
    Again {
        /// The node.
        node: NodeNumber,
        /// The new window.
        window: Window,
        /// The bound that the null window has proved.
        because: (Bound, Score),
    },
    /// The search leaves a node.
    Leave {
        /// The node.
        node: NodeNumber,
        /// Its value.
        value: Score,
        /// The relation of `value` to the true value at this depth.
        bound: Bound,
        /// The best move in notation.
        best: Option<String>,
        /// The reason.
        how: ExitReason,
    },
    /// A state enters the open list.
    Open {
        /// The state.
        node: NodeNumber,
        /// Its numbers.
        estimate: Estimate,
    },
    /// A state was made before.
    Seen {
        /// The state.
        node: NodeNumber,
        /// The node that has kept its position.
        kept: NodeNumber,
        /// `true` if the way to `kept` becomes shorter: it takes the parent and the moves from the start of `node`.
        is_shorter: bool,
    },
    /// The children of a state are made.
    Expand {
        /// The state.
        node: NodeNumber,
        /// Its numbers.
        estimate: Estimate,
        /// Number of states in the open list and of closed states before, if the search has lists.
        lists: Option<[u64; 2]>,
    },
    /// An iteration has a new limit: of f in IDA*, of the depth in iterative deepening.
    Bound {
        /// Number of the iteration, from 1.
        number: u32,
        /// The limit.
        bound: u32,
        /// The state with the least f beyond the last limit.
        from: Option<NodeNumber>,
    },
    /// A state is beyond the limit.
    Beyond {
        /// The state.
        node: NodeNumber,
        /// Its f.
        f: u32,
    },
    /// The search goes back from a state.
    Return {
        /// The state.
        node: NodeNumber,
    },
    /// Backward analysis knows the value of a position.
    Settle {
        /// Hash key of the position.
        key: u64,
        /// The position.
        fen: String,
        /// The winner.
        winner: Side,
        /// Plies to the end of the game.
        plies: u32,
        /// The reason.
        because: SettleReason,
    },
    /// The search has ended.
    End {
        /// The value of the root: points, or the length of the solution. `None` if there is no solution, or if backward
        /// analysis has not settled the root.
        value: Option<Score>,
        /// The principal variation in notation.
        line: Vec<String>,
        /// The counts of the search.
        counts: Counts,
        /// `true` if deeper searches cannot find another value.
        is_proved: bool,
        /// `true` if events are missing before this one.
        is_truncated: bool,
    },
}

/// Numbers the events and hands them to a sink, up to a maximum.
pub(crate) struct EventStream<'a> {
    sink: EventSink<'a>,
    /// Number of events so far.
    emitted: u64,
    max_events: u64,
    /// `true` if an event was left out.
    is_truncated: Cell<bool>,
}

impl<'a> EventStream<'a> {
    /// Creates the stream of at most `max_events` events, the last one included.
    pub(crate) fn new(sink: EventSink<'a>, max_events: u64) -> Self {
        Self {
            sink,
            emitted: 0,
            max_events,
            is_truncated: Cell::new(false),
        }
    }

    /// Returns `true` if there is room for an event besides the last one. Otherwise the event that is to come is left out.
    pub(crate) fn is_open(&self) -> bool {
        let is_open = self.emitted + 1 < self.max_events;
        if !is_open {
            self.is_truncated.set(true);
        }
        is_open
    }

    /// Returns `true` if an event was left out.
    pub(crate) fn is_truncated(&self) -> bool {
        self.is_truncated.get()
    }

    /// Hands an event to the sink, unless there were too many.
    pub(crate) fn emit(&mut self, event: &Event) {
        if self.is_open() {
            (self.sink)(self.emitted, event);
            self.emitted += 1;
        }
    }

    /// Hands the last event to the sink.
    pub(crate) fn end(&mut self, event: &Event) {
        (self.sink)(self.emitted, event);
    }
}

/// Receives the events of a trace, each with its number from 0.
pub type EventSink<'a> = &'a mut (dyn FnMut(u64, &Event) + Send);
