//! Records a search node by node as a tree, for drawings and lessons.

use std::sync::{Arc, Mutex, PoisonError};

use crate::control::Control;
use crate::error::EngineError;
use crate::path::Path;
use crate::rules::{Game, Notation, Rules};
use crate::search::algorithms::BuildResult;
use crate::search::expectimax::points;
use crate::search::observer::{ExitReason, SearchObserver};
use crate::search::{Evaluator, Root};
use crate::settings::{Algorithm, Settings, name_of};
use crate::value::{Bound, Score, Side, Value, Window};

/// Maximum number of nodes of a tree that is drawn for people.
pub(crate) const MAX_DRAWN_NODES: usize = 5000;

/// Maximum number of nodes of a tree that is recorded for a program. Such a program shows parts of the tree.
pub(crate) const MAX_REPORTED: usize = 20_000;

/// One visit of the search to a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// Index of this visit in visit order, from 1 (the root).
    pub number: usize,
    /// The window on entry.
    pub window: Window,
    /// The value and the reason on exit; `None` if the search was stopped inside.
    pub result: Option<(Score, ExitReason)>,
}

impl Visit {
    /// Returns the relation of the value on exit to the true value.
    pub fn bound(&self) -> Option<Bound> {
        let (score, left) = self.result?;
        let is_exact =
            matches!(left, ExitReason::Leaf | ExitReason::TieBreak) || self.window == Window::FULL;
        Some(match score {
            _ if is_exact => Bound::Exact,
            Score::Points(points) => self.window.bound(Value((points * 100.0).round() as i32)),
            Score::Win(side, plies) => self.window.bound(Value::win(side, plies)),
        })
    }
}

/// A step of the search. The number is the index of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The search enters the node.
    In(usize),
    /// The search leaves the node.
    Out(usize),
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// The first player chooses the highest value.
    Max,
    /// The second player chooses the lowest value.
    Min,
    /// A chance node; the value is the expectation.
    Chance,
    /// A leaf; the game is over.
    Leaf,
}

/// A node of the tree, visited or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The move to this node in notation; empty at the root.
    pub label: String,
    /// The kind.
    pub kind: Decider,
    /// Probability of the move to this node, if it is a chance outcome.
    pub probability: Option<f64>,
    /// Static value of a leaf or of a node at the depth limit, from the first player's view.
    pub leaf: Option<Score>,
    /// Indices of the children.
    pub children: Vec<usize>,
    /// All visits in order.
    pub visits: Vec<Visit>,
}

impl Node {
    /// Returns `true` if the search stops at this node only because of the depth limit.
    pub fn is_at_limit(&self) -> bool {
        self.leaf.is_some() && self.kind != Decider::Leaf
    }
}

/// The complete tree to a depth, the root first, with the steps of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// `true` with a transposition table.
    pub memory: bool,
    /// Depth in plies.
    pub depth: u32,
    /// The nodes; parents precede their children.
    pub nodes: Vec<Node>,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// The value of the root.
    pub score: Score,
    /// The principal variation in notation. Empty if the root is a chance node.
    pub line: Vec<String>,
}

impl Trace {
    /// Returns the number of leaves (game over) and how many of them were visited.
    pub fn leaves(&self) -> (usize, usize) {
        self.count(|node| node.kind == Decider::Leaf)
    }

    /// Returns the number of nodes at the depth limit and how many of them were visited.
    pub(crate) fn at_limit(&self) -> (usize, usize) {
        self.count(Node::is_at_limit)
    }

    fn count(&self, is_counted: impl Fn(&Node) -> bool) -> (usize, usize) {
        let counted = self.nodes.iter().filter(|node| is_counted(node));
        let visited = counted.clone().filter(|node| !node.visits.is_empty());
        (counted.count(), visited.count())
    }
}

enum Event<M> {
    Enter(M, Window),
    Leave(Score, ExitReason),
    BeginPass(Window),
    EndPass(Score, ExitReason),
}

/// An observer that records the search.
pub struct Recorder<M> {
    events: Arc<Mutex<Vec<Event<M>>>>,
}

impl<M> Recorder<M> {
    fn record(&self, event: Event<M>) {
        self.events
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(event);
    }
}

impl<M: Copy + Send> SearchObserver<M> for Recorder<M> {
    fn enter(&mut self, m: M, window: Window) {
        self.record(Event::Enter(m, window));
    }

    fn leave(&mut self, score: Score, left: ExitReason) {
        self.record(Event::Leave(score, left));
    }

    fn begin_pass(&mut self, window: Window) {
        self.record(Event::BeginPass(window));
    }

    fn end_pass(&mut self, score: Score, left: ExitReason) {
        self.record(Event::EndPass(score, left));
    }
}

/// The algorithms that can be traced.
const TRACEABLE: &[Algorithm] = &[
    Algorithm::Minimax,
    Algorithm::Expectimax,
    Algorithm::AlphaBeta,
    Algorithm::Scout,
    Algorithm::Mtdf,
];

/// Checks that the algorithm can be traced and that the game runs it. `known` has the algorithms that the game runs.
pub(crate) fn check_traceable(
    algorithm: Algorithm,
    known: &[Algorithm],
) -> Result<(), EngineError> {
    let mut traceable = known.iter().filter(|known| TRACEABLE.contains(known));
    if traceable.clone().any(|known| *known == algorithm) {
        return Ok(());
    }
    let names: Vec<String> = traceable.by_ref().map(name_of).collect();
    Err(EngineError::new(format!(
        "only the textbook searches can be traced, here {}, not {}",
        names.join(", "),
        name_of(&algorithm)
    )))
}

/// The size of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Depth in plies.
    pub depth: u32,
    /// Maximum number of nodes of the tree.
    pub(crate) max_nodes: usize,
}

/// Returns the chance outcomes with their probabilities, or `None` at a decision node.
pub(crate) type Chances<'a, G> =
    &'a dyn Fn(&<G as Rules>::Position) -> Option<Vec<(<G as Rules>::Move, f64)>>;

/// Searches once to the depth, without iterative deepening, and records the search.
///
/// `chances` returns the chance outcomes if the search computes expectations. `build` creates the search with its
/// observer.
pub fn trace<G: Game + Notation, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    path: &Path<G>,
    settings: &Settings,
    Extent { depth, max_nodes }: Extent,
    chances: Option<Chances<'_, G>>,
    build: impl FnOnce(Recorder<G::Move>) -> Result<BuildResult<G>, EngineError>,
) -> Result<Trace, EngineError> {
    let mut growth = TreeBuilder {
        game,
        evaluator,
        path: path.clone(),
        root: path.len(),
        max_nodes,
        chances,
        nodes: Vec::new(),
        moves: Vec::new(),
    };
    growth.grow(String::new(), None, depth)?;
    let TreeBuilder {
        mut nodes, moves, ..
    } = growth;

    let &Settings {
        algorithm, memory, ..
    } = settings;
    let mut root = Root::new(game, path.clone(), settings.seed);
    root.order = settings.ordering;
    if root.moves.is_empty() {
        let score = nodes[0].leaf.unwrap_or(Score::Points(0.0));
        nodes[0].visits.push(Visit {
            number: 1,
            window: Window::FULL,
            result: Some((score, ExitReason::Leaf)),
        });
        return Ok(Trace {
            algorithm,
            memory,
            depth,
            nodes,
            steps: vec![Step::In(0), Step::Out(0)],
            score,
            line: Vec::new(),
        });
    }
    let events = Arc::default();
    let mut search = build(Recorder {
        events: Arc::clone(&events),
    })??;
    let found = search.run(
        game,
        &mut root,
        depth,
        &mut Control::unlimited(),
        &mut |_, _| {},
    );
    let found = found.map_err(|_| EngineError::new("the search was stopped"))?;
    let mut events = std::mem::take(&mut *events.lock().unwrap_or_else(PoisonError::into_inner));
    if !matches!(events.first(), Some(Event::BeginPass(_))) {
        events.insert(0, Event::BeginPass(Window::FULL));
        events.push(Event::EndPass(found.score, ExitReason::Searched));
    }
    let mut way: Vec<usize> = Vec::new();
    let mut number = 0;
    let mut steps = Vec::with_capacity(events.len());
    for event in events {
        let entered = match event {
            Event::BeginPass(window) => Some((0, window)),
            Event::Enter(m, window) => {
                let here = way.last().map_or(0, |&here| here);
                let mut children = nodes[here].children.iter().copied();
                let child = children.find(|&child| moves[child] == Some(m));
                Some((child.unwrap_or(here), window))
            }
            Event::Leave(score, left) | Event::EndPass(score, left) => {
                let here = way.pop().unwrap_or_default();
                if let Some(visit) = nodes[here].visits.last_mut() {
                    visit.result = Some((score, left));
                }
                steps.push(Step::Out(here));
                None
            }
        };
        if let Some((node, window)) = entered {
            number += 1;
            nodes[node].visits.push(Visit {
                number,
                window,
                result: None,
            });
            steps.push(Step::In(node));
            way.push(node);
        }
    }
    // At a chance node, the search returns the worst outcome, but no outcome is chosen there.
    let line = match nodes[0].kind {
        Decider::Chance => Vec::new(),
        _ => found.line.iter().map(|&m| game.show_move(m)).collect(),
    };
    Ok(Trace {
        algorithm,
        memory,
        depth,
        nodes,
        steps,
        score: found.score,
        line,
    })
}

/// The tree under construction.
struct TreeBuilder<'a, G: Game, E> {
    game: &'a G,
    evaluator: &'a E,
    path: Path<G>,
    /// Length of the path at the root.
    root: usize,
    max_nodes: usize,
    /// The chance outcomes, if the search computes expectations.
    chances: Option<Chances<'a, G>>,
    nodes: Vec<Node>,
    /// The move to each node.
    moves: Vec<Option<G::Move>>,
}

impl<G: Game + Notation, E: Evaluator<G>> TreeBuilder<'_, G, E> {
    fn grow(
        &mut self,
        label: String,
        probability: Option<f64>,
        depth: u32,
    ) -> Result<usize, EngineError> {
        if self.nodes.len() == self.max_nodes {
            return Err(EngineError::new(format!(
                "the tree has more than {} nodes: give a smaller depth",
                self.max_nodes
            )));
        }
        let outcome = self.path.outcome(self.game);
        let position = *self.path.position();
        let leaf = match outcome {
            // Expectations need points for every outcome.
            outcome if self.chances.is_some() && (outcome.is_some() || depth == 0) => {
                let points = points(self.game, self.evaluator, &position, outcome);
                Some(Score::Points(points))
            }
            Some(outcome) => Some(outcome.value((self.path.len() - self.root) as u32).into()),
            None if depth == 0 => Some(self.evaluator.evaluate(self.game, &position).into()),
            None => None,
        };
        let drawn = match self.chances {
            Some(chances) if outcome.is_none() => chances(&position),
            _ => None,
        };
        let kind = match self.game.side(&position) {
            _ if outcome.is_some() => Decider::Leaf,
            _ if drawn.is_some() => Decider::Chance,
            Side::P1 => Decider::Max,
            Side::P2 => Decider::Min,
        };
        let index = self.nodes.len();
        self.nodes.push(Node {
            label,
            kind,
            probability,
            leaf,
            children: Vec::new(),
            visits: Vec::new(),
        });
        self.moves.push(None);
        if leaf.is_none() {
            for m in self.path.moves(self.game) {
                self.path.push(self.game, self.game.play(&position, m));
                let chance = drawn.iter().flatten().find(|(drawn, _)| *drawn == m);
                let probability = chance.map(|&(_, probability)| probability);
                let child = self.grow(self.game.show_move(m), probability, depth - 1)?;
                self.path.pop();
                self.nodes[index].children.push(child);
                self.moves[child] = Some(m);
            }
        }
        Ok(index)
    }
}
