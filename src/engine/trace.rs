//! What a search did, node by node, as a tree without a game: what a student draws on paper.

use std::sync::{Arc, Mutex, PoisonError};

use crate::control::Control;
use crate::error::EngineError;
use crate::path::Path;
use crate::rules::{Game, Notation, Rules};
use crate::search::algorithms::Chosen;
use crate::search::expectimax::points;
use crate::search::observer::{ExitReason, SearchObserver};
use crate::search::{Evaluator, Root};
use crate::settings::{Algorithm, Settings, name_of};
use crate::value::{Bound, Score, Side, Value, Window};

/// The largest tree that is drawn for people, in nodes: a larger one nobody could read.
pub const MAX_DRAWN_NODES: usize = 5000;

/// The largest tree that is traced for a program, which shows a part at a time.
pub const MAX_REPORTED: usize = 20_000;

/// One time that the search came to a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// The how manieth it is of all visits, the root's being the first.
    pub number: usize,
    /// The values that mattered when it came.
    pub window: Window,
    /// The value it left with; none where it did not come back.
    pub result: Option<(Score, ExitReason)>,
}

impl Visit {
    /// What is known of the node's value by the one that the search left with.
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

/// A step of the search, by the index of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It comes to the node.
    In(usize),
    /// It leaves the node.
    Out(usize),
}

/// Who decides at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// The first player, who takes the highest value.
    Max,
    /// The second player, who takes the lowest.
    Min,
    /// Nobody: the value is the average.
    Chance,
    /// Nobody: the game is over.
    Leaf,
}

/// A node of the whole tree, visited or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The move that leads here, as it is written; empty at the root.
    pub label: String,
    /// Who decides here.
    pub kind: Decider,
    /// The probability of the move that leads here, if chance makes it.
    pub probability: Option<f64>,
    /// The static value of a leaf or of a node at the depth limit, first player's view.
    pub leaf: Option<Score>,
    /// Indexes of the children.
    pub children: Vec<usize>,
    /// Every time that the search came here, in order.
    pub visits: Vec<Visit>,
}

impl Node {
    /// Returns `true` if the search stops here only because the depth is used up.
    pub fn is_at_limit(&self) -> bool {
        self.leaf.is_some() && self.kind != Decider::Leaf
    }
}

/// The whole tree to a depth, the root first, and what the search did in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The search.
    pub algorithm: Algorithm,
    /// Whether it has a transposition table.
    pub memory: bool,
    /// Its depth in plies.
    pub depth: u32,
    /// Parents before their children.
    pub nodes: Vec<Node>,
    /// The order in which the search came and went.
    pub steps: Vec<Step>,
    /// What was found at the root.
    pub score: Score,
    /// The principal variation, as it is written. Empty where chance moves first.
    pub line: Vec<String>,
}

impl Trace {
    /// Returns the number of leaves, at which the game is over, and how many of them the search visited.
    pub fn leaves(&self) -> (usize, usize) {
        self.count(|node| node.kind == Decider::Leaf)
    }

    /// Returns the number of nodes at the depth limit at which the game goes on, and how many of them the search visited.
    pub fn at_limit(&self) -> (usize, usize) {
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

/// Writes down what a search does.
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

/// The searches that are simple enough to be drawn.
const TRACEABLE: &[Algorithm] = &[
    Algorithm::Minimax,
    Algorithm::Expectimax,
    Algorithm::AlphaBeta,
    Algorithm::Scout,
    Algorithm::Mtdf,
];

/// Refuses a search that is too clever to be drawn, or that does not run here, where the `known` ones do.
pub fn admit(algorithm: Algorithm, known: &[Algorithm]) -> Result<(), EngineError> {
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

/// How much is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Plies.
    pub depth: u32,
    /// The most nodes that the whole tree may have.
    pub most_nodes: usize,
}

/// Returns the moves of chance and their probabilities, or `None` where a player moves.
pub type Chances<'a, G> =
    &'a dyn Fn(&<G as Rules>::Position) -> Option<Vec<(<G as Rules>::Move, f64)>>;

/// Searches once, without iterations before it, and writes down what happens. `chances` is given where the search expects
/// points instead of the best play of both sides; `build` makes the search with its watcher.
pub fn trace<G: Game + Notation, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    path: &Path<G>,
    settings: &Settings,
    Extent { depth, most_nodes }: Extent,
    chances: Option<Chances<'_, G>>,
    build: impl FnOnce(Recorder<G::Move>) -> Result<Chosen<G>, EngineError>,
) -> Result<Trace, EngineError> {
    let mut growth = Growth {
        game,
        evaluator,
        path: path.clone(),
        root: path.len(),
        most_nodes,
        chances,
        nodes: Vec::new(),
        moves: Vec::new(),
    };
    growth.grow(String::new(), None, depth)?;
    let Growth {
        mut nodes, moves, ..
    } = growth;

    let &Settings {
        algorithm, memory, ..
    } = settings;
    let mut root = Root::new(game, path.clone(), settings.seed);
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
    // Where chance moves first, the move found is the worst one, not a choice.
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

/// The whole tree as it grows.
struct Growth<'a, G: Game, E> {
    game: &'a G,
    evaluator: &'a E,
    path: Path<G>,
    /// The length of the path at the root.
    root: usize,
    most_nodes: usize,
    /// The moves of chance, where the search expects points.
    chances: Option<Chances<'a, G>>,
    nodes: Vec<Node>,
    /// The move that leads to each node.
    moves: Vec<Option<G::Move>>,
}

impl<G: Game + Notation, E: Evaluator<G>> Growth<'_, G, E> {
    fn grow(
        &mut self,
        label: String,
        probability: Option<f64>,
        depth: u32,
    ) -> Result<usize, EngineError> {
        if self.nodes.len() == self.most_nodes {
            return Err(EngineError::new(format!(
                "the tree has more than {} nodes: give a smaller depth",
                self.most_nodes
            )));
        }
        let outcome = self.path.outcome(self.game);
        let position = *self.path.position();
        let leaf = match outcome {
            // Who expects has points for everything.
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
