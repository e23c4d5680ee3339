//! Emits the events of a search for two players, with or without chance.

mod frame;
mod observer;

use std::collections::HashMap;

use self::frame::{Frame, ParentLink, side_of};
use super::counts::GameCounter;
use super::{
    EnterPurpose, Event, EventSink, EventStream, NodeKind, NodeNumber, TableEntry, TraceRequest,
};
use crate::path::Path;
use crate::rules::{Game, Notation, Rules};
use crate::search::Evaluator;
use crate::search::expectimax::points;
use crate::search::observer::{ExitReason, OrderReason, PassPurpose, SearchObserver, SeenEntry};
use crate::search::root::RootMove;
use crate::settings::Algorithm;
use crate::value::{Bound, Score, Side, Value, Window};

/// Returns the chance outcomes with their probabilities, or `None` at a decision node.
pub(crate) type Chances<'a, G> =
    &'a (dyn Fn(&<G as Rules>::Position) -> Option<Vec<(<G as Rules>::Move, f64)>> + Sync);

/// Placeholder number of nodes entered after the last permitted event.
const UNNAMED: NodeNumber = NodeNumber::MAX;

/// Observes a search and hands its events to a sink.
pub(crate) struct Recorder<'a, G: Game, E> {
    game: &'a G,
    evaluator: &'a E,
    algorithm: Algorithm,
    request: TraceRequest,
    chances: Option<Chances<'a, G>>,
    stream: EventStream<'a>,
    path: Path<G>,
    frames: Vec<Frame<G::Move>>,
    /// Nodes by parent and move; the root's key is `None`.
    places: HashMap<Option<(NodeNumber, u16)>, NodeNumber>,
    /// Number of visits to each node.
    visits: Vec<u32>,
    /// The node that stored each key.
    writers: HashMap<u64, NodeNumber>,
    counter: GameCounter,
    /// Depth of the current iteration.
    depth: Option<u32>,
    /// Number of the current pass in its iteration, from 1.
    pass: u32,
    purpose: PassPurpose,
    /// The best root move of the passes so far.
    chosen: Option<G::Move>,
    /// The bounds of the value that the passes so far have proved.
    interval: Window,
    /// `true` if a leaf of the current iteration was at the depth limit.
    has_limit: bool,
}

impl<'a, G: Game + Notation, E: Evaluator<G>> Recorder<'a, G, E> {
    /// Creates the recorder of searches at the end of `path`.
    pub(crate) fn new(
        game: &'a G,
        evaluator: &'a E,
        path: &Path<G>,
        algorithm: Algorithm,
        request: TraceRequest,
        chances: Option<Chances<'a, G>>,
        sink: EventSink<'a>,
    ) -> Self {
        Self {
            game,
            evaluator,
            algorithm,
            request,
            chances,
            stream: EventStream::new(sink, request.max_events),
            path: path.clone(),
            frames: Vec::new(),
            places: HashMap::new(),
            visits: Vec::new(),
            writers: HashMap::new(),
            counter: GameCounter::new(),
            depth: None,
            pass: 0,
            purpose: PassPurpose::Whole,
            chosen: None,
            interval: Window::FULL,
            has_limit: false,
        }
    }

    /// Starts an iteration.
    pub(crate) fn begin_iteration(&mut self, depth: u32) {
        self.depth = Some(depth);
        self.counter.begin_iteration();
        self.pass = 0;
        self.interval = Window::FULL;
        self.has_limit = false;
        if self.request.deepens {
            self.emit(&Event::Iteration { depth });
        }
    }

    /// Emits the last event. It has a reserved place below the maximum number of events.
    pub(crate) fn end(&mut self, value: Score, line: Vec<String>) {
        let event = Event::End {
            value: Some(value),
            line,
            counts: self.counter.counts(),
            is_proved: !self.has_limit || matches!(value, Score::Win(..)),
            is_truncated: self.stream.is_truncated(),
        };
        self.stream.end(&event);
    }

    /// Records the start of the trace and creates the root.
    pub(crate) fn begin(&mut self, begin: &Event) {
        self.emit(begin);
        let root = self.frame(Window::FULL);
        self.place(root.kind, None);
    }

    /// Hands an event to the sink unless the maximum number of events is reached.
    fn emit(&mut self, event: &Event) {
        self.stream.emit(event);
    }

    /// Records a root at which the game is over. Returns its value.
    pub(crate) fn single_leaf(&mut self) -> Score {
        let position = self.path.position();
        let outcome = self.path.outcome(self.game);
        let value = match outcome {
            _ if self.chances.is_some() => {
                Score::Points(points(self.game, self.evaluator, position, outcome))
            }
            Some(outcome) => outcome.value(0).into(),
            None => self.evaluator.evaluate(self.game, position).into(),
        };
        self.enter_root(Window::FULL, &[]);
        self.leave(value, ExitReason::Leaf);
        value
    }

    /// Returns `true` if there is room for an event besides the last one.
    fn is_open(&self) -> bool {
        self.stream.is_open()
    }

    fn has_windows(&self) -> bool {
        !matches!(self.algorithm, Algorithm::Minimax | Algorithm::Expectimax)
    }

    fn shown(&self, window: Window) -> Option<Window> {
        self.has_windows().then_some(window)
    }

    /// Returns the text of a move of the current position.
    fn show_move(&self, m: G::Move) -> String {
        self.game.show_move_at(self.path.position(), m)
    }

    fn ply(&self) -> u32 {
        self.frames.len() as u32
    }

    /// Returns the frame of the current position. The caller sets its node.
    #[inline(never)]
    fn frame(&self, window: Window) -> Frame<G::Move> {
        let position = self.path.position();
        let chances = match self.chances {
            Some(chances) if self.path.outcome(self.game).is_none() => chances(position),
            _ => None,
        };
        let kind = match self.game.side(position) {
            _ if chances.is_some() => NodeKind::Chance,
            Side::P1 => NodeKind::Max,
            Side::P2 => NodeKind::Min,
        };
        Frame {
            node: UNNAMED,
            m: None,
            path: 0,
            kind,
            entered: window,
            window,
            sources: [None; 2],
            moves: Vec::new(),
            best: None,
            last: None,
            chances: chances.unwrap_or_default(),
            sum: 0.0,
            pending: None,
            remembered: None,
            store: None,
        }
    }

    /// Returns the number of the current node. Creates the node on the first visit.
    #[inline(never)]
    fn place(&mut self, kind: NodeKind, parent: Option<ParentLink<G>>) -> NodeNumber {
        let place = parent.as_ref().map(|parent| (parent.node, parent.m.into()));
        if let Some(&node) = self.places.get(&place) {
            return node;
        }
        if !self.is_open() {
            return UNNAMED;
        }
        let node = self.visits.len();
        self.visits.push(0);
        self.places.insert(place, node);
        let position = self.path.position();
        let probability = parent.as_ref().and_then(|parent| parent.probability);
        let make = Event::Make {
            node,
            parent: parent.as_ref().map(|parent| parent.node),
            m: parent.map_or_else(String::new, |parent| {
                self.game.show_move_at(&parent.before, parent.m)
            }),
            ply: self.ply(),
            kind,
            key: self.game.key(position),
            probability,
            fen: self
                .request
                .shows_positions
                .then(|| self.game.show_position(position)),
        };
        self.emit(&make);
        node
    }

    /// Emits the event of entering `frame`, and pushes it.
    #[inline(never)]
    fn push(&mut self, frame: Frame<G::Move>, purpose: EnterPurpose) {
        let node = frame.node;
        if let Some(visits) = self.visits.get_mut(node) {
            *visits += 1;
            let enter = Event::Enter {
                node,
                visit: *visits,
                window: self.shown(frame.window),
                purpose,
                sources: frame.sources,
            };
            self.emit(&enter);
        }
        self.frames.push(frame);
    }

    fn enter_root(&mut self, window: Window, moves: &[RootMove<G::Move>]) {
        let mut frame = self.frame(window);
        frame.node = self.place(frame.kind, None);
        let purpose = match self.purpose {
            PassPurpose::Whole => EnterPurpose::Full,
            PassPurpose::Bound | PassPurpose::TieBreak => EnterPurpose::Null,
        };
        self.push(frame, purpose);
        let reasons: Vec<_> = moves
            .iter()
            .enumerate()
            .map(|(index, m)| match (index, m.rank) {
                (0, 1..) => OrderReason::Iteration,
                _ => OrderReason::Notation,
            })
            .collect();
        let moves: Vec<_> = moves.iter().map(|m| m.m).collect();
        if !moves.is_empty() {
            self.order(&moves, &reasons);
        }
    }

    /// Reports the pending child's value to its parent, the last frame.
    #[inline(never)]
    fn hand_back(&mut self) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let Some((m, child, value)) = frame.pending.take() else {
            return;
        };
        frame.last = Some((m, child, value));
        let mut sum = None;
        let mut is_better = false;
        if frame.kind == NodeKind::Chance {
            let chance = frame.chances.iter().find(|(outcome, _)| *outcome == m);
            if let (Some((_, probability)), Score::Points(points)) = (chance, value) {
                frame.sum += probability * points;
            }
            sum = Some(frame.sum);
        } else {
            let side = side_of(frame.kind);
            is_better = frame.best.is_none_or(|(_, best)| match side {
                Side::P1 => value.exceeds(best),
                Side::P2 => best.exceeds(value),
            });
            if is_better {
                frame.best = Some((m, value));
            }
            let narrowed = frame.window.narrowed(side, to_value(value));
            if narrowed.alpha != frame.window.alpha {
                frame.sources[0] = Some(frame.node);
            }
            if narrowed.beta != frame.window.beta {
                frame.sources[1] = Some(frame.node);
            }
            frame.window = narrowed;
        }
        let (node, window) = (frame.node, frame.window);
        if self.is_open() {
            let back = Event::Back {
                node,
                child,
                value,
                is_better,
                window: self.shown(window),
                sum,
            };
            self.emit(&back);
        }
    }

    /// Emits the events of leaving `frame`.
    #[inline(never)]
    fn close(&mut self, frame: Frame<G::Move>, value: Score, how: ExitReason) {
        let node = frame.node;
        match how {
            ExitReason::Leaf => {
                let is_over = self.path.outcome(self.game).is_some();
                self.has_limit |= !is_over;
                self.counter.leaf(frame.path);
                if self.is_open() {
                    let terms = if is_over {
                        Vec::new()
                    } else {
                        self.evaluator.terms(self.game, self.path.position())
                    };
                    self.emit(&Event::Leaf {
                        node,
                        value,
                        terms,
                        is_over,
                    });
                }
            }
            ExitReason::CutOff => {
                self.counter.now.cuts += 1;
                if self.is_open()
                    && let Some((m, by, value)) = frame.last
                {
                    let mut moves = frame.moves.iter();
                    moves.by_ref().find(|&&searched| searched == m);
                    let skipped = moves.map(|&m| self.show_move(m)).collect();
                    self.emit(&Event::Cut {
                        node,
                        by,
                        value,
                        window: frame.window,
                        rule: self.request.cut_rule,
                        skipped,
                    });
                }
            }
            ExitReason::Searched | ExitReason::Remembered => {}
        }
        if let Some(store) = frame.store {
            self.emit(&store);
        }
        if self.is_open() {
            let is_tie_break = frame.m.is_none() && self.purpose == PassPurpose::TieBreak;
            let is_exact = how == ExitReason::Leaf || is_tie_break || frame.entered == Window::FULL;
            let bound = if is_exact {
                Bound::Exact
            } else {
                frame
                    .remembered
                    .unwrap_or(frame.entered.bound(to_value(value)))
            };
            let best = if is_tie_break && !frame.window.is_empty() {
                // The pass found no earlier move of equal value.
                self.chosen
            } else {
                frame.best.map(|(m, _)| m)
            };
            let best = best.map(|m| self.show_move(m));
            self.emit(&Event::Leave {
                node,
                value,
                bound,
                best,
                how,
            });
        }
    }

    fn entry(&self, entry: SeenEntry<G::Move>) -> TableEntry {
        TableEntry {
            value: entry.value,
            bound: entry.bound,
            depth: entry.depth,
            best: entry.best.map(|m| self.show_move(m)),
        }
    }
}

/// Returns the ends of a window; an infinite one becomes `None`.
pub(crate) fn bounds(window: Window) -> [Option<Score>; 2] {
    [window.alpha, window.beta].map(|value| {
        let is_infinite = value == Value::INFINITE || value == -Value::INFINITE;
        (!is_infinite).then(|| value.into())
    })
}

/// Returns a score as the value that searches compare.
pub(super) fn to_value(score: Score) -> Value {
    match score {
        Score::Points(points) => Value((points * 100.0).round() as i32),
        Score::Win(side, plies) => Value::win(side, plies),
    }
}
