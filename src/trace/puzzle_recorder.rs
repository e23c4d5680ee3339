//! Emits the events of a search for a solution.

use std::collections::HashSet;

use super::counts::{Counts, PuzzleTally, Tallies};
use super::{Estimate, Event, EventSink, EventStream, NodeKind, NodeNumber, TraceRequest};
use crate::pathfinding::observer::PuzzleObserver;
use crate::pathfinding::store::NodeId;
use crate::rules::{Notation, Puzzle};
use crate::value::Score;

/// A generated state.
#[derive(Clone, Copy)]
struct State {
    node: NodeNumber,
    g: u32,
}

/// Observes a search and hands its events to a sink.
pub(crate) struct PuzzleRecorder<'a, P> {
    puzzle: &'a P,
    stream: EventStream<'a>,
    shows_positions: bool,
    has_heuristic: bool,
    /// Number of states generated so far.
    made: usize,
    /// The states in the store of the search.
    stored: Vec<State>,
    /// The states of the store that are in the open list.
    open: HashSet<NodeId>,
    closed: u64,
    /// The current path of a depth-first search. It ends with the state expanded last.
    path: Vec<State>,
    /// The state generated last.
    last: State,
    /// Number of the current iteration.
    iteration: u32,
    /// The state with the lowest f beyond the limit of the current iteration.
    least_beyond: Option<(u32, NodeNumber)>,
    before: PuzzleTally,
    now: PuzzleTally,
    /// Maximum length of `path`, for the count of states in memory.
    longest_path: usize,
    keeps_all: bool,
    /// Heuristic estimate of the start.
    root_h: u32,
}

impl<'a, P: Puzzle + Notation> PuzzleRecorder<'a, P> {
    /// Creates the recorder of a search with or without a heuristic.
    pub(crate) fn new(
        puzzle: &'a P,
        has_heuristic: bool,
        request: TraceRequest,
        sink: EventSink<'a>,
    ) -> Self {
        let root = State { node: 0, g: 0 };
        Self {
            puzzle,
            stream: EventStream::new(sink, request.max_events),
            shows_positions: request.shows_positions,
            has_heuristic,
            made: 0,
            stored: vec![root],
            open: HashSet::new(),
            closed: 0,
            path: vec![root],
            last: root,
            iteration: 0,
            least_beyond: None,
            before: PuzzleTally::default(),
            now: PuzzleTally::default(),
            longest_path: 1,
            keeps_all: false,
            root_h: 0,
        }
    }

    /// Records the start of the search. `keeps_all` is `true` if the search has an open list.
    pub(crate) fn begin(&mut self, begin: &Event, start: &P::Position, h: u32, keeps_all: bool) {
        (self.keeps_all, self.root_h) = (keeps_all, h);
        self.stream.emit(begin);
        self.make_node(None, String::new(), 0, start);
        if keeps_all {
            self.open.insert(0);
            self.stream.emit(&Event::Open {
                node: 0,
                estimate: self.estimate(0, h),
            });
        }
    }

    /// Records the end of the search. `line` is the solution in notation, if there is one.
    pub(crate) fn end(&mut self, line: Option<Vec<String>>, is_proved: bool) {
        let kept = if self.keeps_all {
            self.stored.len()
        } else {
            self.longest_path
        };
        let (last, all) = (self.now, self.now.plus(self.before));
        self.stream.end(&Event::End {
            value: line.as_ref().map(|line| Score::Points(line.len() as f64)),
            line: line.unwrap_or_default(),
            counts: Counts {
                tallies: Tallies::Puzzle { last, all },
                kept: kept as u64,
            },
            is_proved,
            is_truncated: self.stream.is_truncated(),
        });
    }

    fn estimate(&self, g: u32, h: u32) -> Estimate {
        Estimate {
            g,
            h: self.has_heuristic.then_some(h),
        }
    }

    fn make_node(
        &mut self,
        parent: Option<NodeNumber>,
        m: String,
        ply: u32,
        position: &P::Position,
    ) {
        let node = self.made;
        self.made += 1;
        self.now.nodes += 1;
        self.last = State { node, g: ply };
        if self.stream.is_open() {
            self.stream.emit(&Event::Make {
                node,
                parent,
                m,
                ply,
                kind: NodeKind::State,
                key: self.puzzle.key(position),
                probability: None,
                fen: self
                    .shows_positions
                    .then(|| self.puzzle.show_position(position)),
            });
        }
    }

    fn expand_state(&mut self, state: State, h: u32, lists: Option<[u64; 2]>) {
        self.now.expanded += 1;
        self.stream.emit(&Event::Expand {
            node: state.node,
            estimate: self.estimate(state.g, h),
            lists,
        });
    }
}

impl<P: Puzzle + Notation> PuzzleObserver<P> for PuzzleRecorder<'_, P> {
    fn begin_iteration(&mut self, limit: u32) {
        self.iteration += 1;
        self.path.truncate(1);
        if self.iteration > 1 {
            self.before = self.now.plus(self.before);
            self.now = PuzzleTally::default();
        }
        self.stream.emit(&Event::Bound {
            number: self.iteration,
            bound: limit,
            from: self.least_beyond.take().map(|(_, node)| node),
        });
        self.expand_state(self.path[0], self.root_h, None);
    }

    fn expand(&mut self, id: NodeId, h: u32) {
        let lists = [self.open.len() as u64, self.closed];
        let state = self.stored[id as usize];
        self.expand_state(state, h, Some(lists));
        self.closed += u64::from(self.open.remove(&id));
        self.path = vec![state];
    }

    fn make(&mut self, m: P::Move, child: &P::Position) {
        let parent = self.path[self.path.len() - 1];
        self.longest_path = self.longest_path.max(self.path.len() + 1);
        let m = if self.stream.is_open() {
            self.puzzle.show_move(m)
        } else {
            String::new()
        };
        self.make_node(Some(parent.node), m, parent.g + 1, child);
    }

    fn open(&mut self, id: NodeId, h: u32) {
        if id as usize == self.stored.len() {
            self.stored.push(self.last);
        }
        let state = self.stored[id as usize];
        self.open.insert(id);
        self.stream.emit(&Event::Open {
            node: state.node,
            estimate: self.estimate(state.g, h),
        });
    }

    fn seen(&mut self, id: NodeId, is_shorter: bool) {
        self.now.seen += 1;
        let kept = &mut self.stored[id as usize];
        if is_shorter {
            kept.g = self.last.g;
            // The state moves from the closed list to the open list.
            self.closed -= u64::from(!self.open.contains(&id));
        }
        let event = Event::Seen {
            node: self.last.node,
            kept: kept.node,
            is_shorter,
        };
        self.stream.emit(&event);
    }

    fn beyond(&mut self, f: u32) {
        self.now.beyond += 1;
        let node = self.last.node;
        if self.least_beyond.is_none_or(|(least, _)| f < least) {
            self.least_beyond = Some((f, node));
        }
        self.stream.emit(&Event::Beyond { node, f });
    }

    fn descend(&mut self, h: u32) {
        self.path.push(self.last);
        self.expand_state(self.last, h, None);
    }

    fn ascend(&mut self) {
        if let Some(state) = self.path.pop() {
            self.stream.emit(&Event::Return { node: state.node });
        }
    }
}
