//! Records a search node by node as a tree, for drawings and lessons.

use crate::control::Control;
use crate::error::EngineError;
use crate::path::Path;
use crate::rules::{Game, Notation};
use crate::search::algorithms::{BuildResult, PARTS_OFF};
use crate::search::expectimax::points;
use crate::search::observer::ExitReason;
use crate::search::{Evaluator, Feature, Root, SearchResult};
use crate::settings::{Algorithm, Settings, name_of};
use crate::trace::recorder::{Chances, Recorder};
use crate::trace::{Event, EventSink, OptionValue, PassReason, Procedure, TraceRequest, Unit};
use crate::value::{Bound, Score, Side, Window};

/// Maximum number of nodes of a tree that is drawn for people.
pub(crate) const MAX_DRAWN_NODES: usize = 5000;

/// Maximum number of nodes of a tree recorded for a program, which may show parts of the tree.
pub(crate) const MAX_REPORTED: usize = 20_000;

/// One visit of the search to a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// Index of this visit in visit order, from 1 (the root).
    pub number: usize,
    /// The window on entry.
    pub window: Window,
    /// The result; `None` if the search was stopped inside.
    pub result: Option<VisitResult>,
}

/// The result of a visit, when the search leaves the node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisitResult {
    /// The value.
    pub value: Score,
    /// The relation of `value` to the true value at this depth.
    pub bound: Bound,
    /// The reason why the search left.
    pub how: ExitReason,
    /// `true` if MTD(f) only searched for an earlier root move of equal value.
    pub is_tie_break: bool,
}

/// A step of the search, with the index of the node.
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
    /// Returns the number of leaves (game over), and the number of visited leaves.
    pub fn leaves(&self) -> (usize, usize) {
        self.count(|node| node.kind == Decider::Leaf)
    }

    /// Returns the number of nodes at the depth limit, and the number of visited nodes among them.
    pub(crate) fn at_limit(&self) -> (usize, usize) {
        self.count(Node::is_at_limit)
    }

    fn count(&self, is_counted: impl Fn(&Node) -> bool) -> (usize, usize) {
        let counted = self.nodes.iter().filter(|node| is_counted(node));
        let visited = counted.clone().filter(|node| !node.visits.is_empty());
        (counted.count(), visited.count())
    }
}

/// The algorithms that can be traced.
const TRACEABLE: &[Algorithm] = &[
    Algorithm::Minimax,
    Algorithm::Expectimax,
    Algorithm::AlphaBeta,
    Algorithm::Scout,
    Algorithm::Mtdf,
    Algorithm::Pvs,
    Algorithm::Bfs,
    Algorithm::Iddfs,
    Algorithm::Greedy,
    Algorithm::Astar,
    Algorithm::Idastar,
];

/// Checks that `algorithm` can be traced and that it is in `known`, the algorithms that the game supports.
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The search.
    pub request: TraceRequest,
    /// Maximum number of nodes of the tree.
    pub(crate) max_nodes: usize,
}

/// Creates the search that a recorder observes.
pub(crate) type Build<'a, G, E> =
    &'a dyn for<'r, 's> Fn(&'r mut Recorder<'s, G, E>) -> Result<BuildResult<'r, G>, EngineError>;

/// A position with a textbook search that can be traced.
pub(crate) struct Subject<'a, G: Game, E> {
    /// The rules.
    pub game: &'a G,
    /// The evaluator of the search.
    pub evaluator: &'a E,
    /// The game so far.
    pub path: &'a Path<G>,
    /// Names of the players.
    pub players: Vec<String>,
    /// The options of the search.
    pub settings: &'a Settings,
    /// Returns the chance outcomes, if the search computes expectations.
    pub chances: Option<Chances<'a, G>>,
    /// Creates the search.
    pub build: Build<'a, G, E>,
}

impl<G: Game + Notation, E: Evaluator<G>> Subject<'_, G, E> {
    /// Searches, and hands all events to `sink`. Returns the value and the principal variation in notation.
    pub(crate) fn events(
        &self,
        request: TraceRequest,
        control: &mut Control,
        sink: EventSink,
    ) -> Result<(Score, Vec<String>), EngineError> {
        let &Self {
            game,
            evaluator,
            path,
            settings,
            chances,
            build,
            ..
        } = self;
        let algorithm = settings.algorithm;
        let mut recorder = Recorder::new(game, evaluator, path, algorithm, request, chances, sink);
        recorder.begin(&Event::Begin {
            variant: settings.variant.to_string(),
            fen: game.show_position(path.position()),
            players: self.players.clone(),
            procedure: Procedure::Search(algorithm),
            heuristic: None,
            depth: request.depth,
            options: self.options(request),
            unit: Unit::Points,
        });
        let mut root = Root::new(game, path.clone(), settings.seed);
        root.order = settings.ordering;
        root.cut_rule = request.cut_rule;
        root.first_guess = request.first_guess;
        let (score, line) = if root.moves.is_empty() {
            recorder.begin_iteration(1);
            (recorder.single_leaf(), Vec::new())
        } else {
            let found = run(&mut root, game, request, control, build, &mut recorder)?;
            // At a chance node, the search returns the worst outcome as its line. The trace omits it,
            // because no player chooses it.
            let is_chance = chances.is_some_and(|chances| chances(path.position()).is_some());
            let line = if is_chance { &[][..] } else { &found.line };
            (found.score, game.show_line(path.position(), line))
        };
        recorder.end(score, line.clone());
        Ok((score, line))
    }

    /// Returns the options that can change the counts of a trace, such as the number of visited nodes.
    fn options(&self, request: TraceRequest) -> Vec<(&'static str, OptionValue)> {
        let settings = self.settings;
        let mut options = vec![
            ("memory", OptionValue::Flag(settings.memory)),
            ("ordering", OptionValue::Choice(name_of(&settings.ordering))),
            ("deepen", OptionValue::Flag(request.deepens)),
        ];
        match settings.algorithm {
            Algorithm::AlphaBeta => {
                options.push(("cut-on", OptionValue::Choice(name_of(&request.cut_rule))));
            }
            Algorithm::Mtdf => {
                options.push(("guess", OptionValue::Value(request.first_guess.into())));
            }
            Algorithm::Pvs => options.push(("off", OptionValue::Names(PARTS_OFF))),
            _ => {}
        }
        let features = self.evaluator.features(self.game, self.path.position());
        if !settings.weights_file.is_empty() && !features.is_empty() {
            let weight = |feature: Feature| (feature.name, f64::from(feature.weight) / 100.0);
            let weights = features.into_iter().map(weight).collect();
            options.push(("weights", OptionValue::Weights(weights)));
        }
        options
    }

    /// Runs one search to the depth. Returns the whole tree with the visits of the search.
    pub(crate) fn tree(&self, Extent { request, max_nodes }: Extent) -> Result<Trace, EngineError> {
        let mut growth = TreeBuilder {
            game: self.game,
            evaluator: self.evaluator,
            path: self.path.clone(),
            root: self.path.len(),
            max_nodes,
            chances: self.chances,
            nodes: Vec::new(),
        };
        growth.grow(String::new(), None, request.depth)?;
        let mut visits = VisitBuilder {
            nodes: growth.nodes,
            places: Vec::new(),
            number: 0,
            steps: Vec::new(),
            is_tie_break: false,
        };
        let request = TraceRequest {
            max_events: u64::MAX,
            ..request
        };
        let mut sink = |_, event: &Event| visits.add(event);
        let (score, line) = self.events(request, &mut Control::unlimited(), &mut sink)?;
        Ok(Trace {
            algorithm: self.settings.algorithm,
            memory: self.settings.memory,
            depth: request.depth,
            nodes: visits.nodes,
            steps: visits.steps,
            score,
            line,
        })
    }
}

/// Runs the requested iterations. Returns the result of the last iteration.
fn run<G: Game + Notation, E: Evaluator<G>>(
    root: &mut Root<G>,
    game: &G,
    request: TraceRequest,
    control: &mut Control,
    build: Build<'_, G, E>,
    recorder: &mut Recorder<'_, G, E>,
) -> Result<SearchResult<G::Move>, EngineError> {
    let first = if request.deepens { 1 } else { request.depth };
    let mut search = build(recorder)??;
    let mut found = None;
    for depth in first..=request.depth {
        let result = search.run(game, root, depth, control, &mut |_, _| {});
        found = Some(result.map_err(|_| EngineError::new("the search was stopped"))?);
    }
    found.ok_or_else(|| EngineError::new("the depth is at least 1"))
}

/// Adds the visits of a search to a tree.
struct VisitBuilder {
    nodes: Vec<Node>,
    /// The index in `nodes` of each node of the search.
    places: Vec<usize>,
    /// Number of visits so far.
    number: usize,
    steps: Vec<Step>,
    /// `true` in the last pass of MTD(f), which searches for an earlier move of equal value.
    is_tie_break: bool,
}

impl VisitBuilder {
    fn add(&mut self, event: &Event) {
        match *event {
            Event::Pass { why, .. } => self.is_tie_break = why == PassReason::FirstOfEquals,
            Event::Make { parent, ref m, .. } => {
                let index = parent.map_or(Some(0), |parent| {
                    let mut children = self.nodes[self.places[parent]].children.iter();
                    children
                        .find(|&&child| self.nodes[child].label == *m)
                        .copied()
                });
                self.places.push(index.unwrap_or_default());
            }
            Event::Enter { node, window, .. } => {
                self.number += 1;
                self.nodes[self.places[node]].visits.push(Visit {
                    number: self.number,
                    window: window.unwrap_or(Window::FULL),
                    result: None,
                });
                self.steps.push(Step::In(self.places[node]));
            }
            Event::Leave {
                node,
                value,
                bound,
                how,
                ..
            } => {
                if let Some(visit) = self.nodes[self.places[node]].visits.last_mut() {
                    visit.result = Some(VisitResult {
                        value,
                        bound,
                        how,
                        is_tie_break: self.is_tie_break && node == 0,
                    });
                }
                self.steps.push(Step::Out(self.places[node]));
            }
            _ => {}
        }
    }
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
        if leaf.is_none() {
            for m in self.path.moves(self.game) {
                self.path.push(self.game, self.game.play(&position, m));
                let chance = drawn.iter().flatten().find(|(drawn, _)| *drawn == m);
                let probability = chance.map(|&(_, probability)| probability);
                let child =
                    self.grow(self.game.show_move_at(&position, m), probability, depth - 1)?;
                self.path.pop();
                self.nodes[index].children.push(child);
            }
        }
        Ok(index)
    }
}
