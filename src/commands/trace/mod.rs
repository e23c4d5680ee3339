//! `puli trace`: draws the tree of a small search, or lists its events. The tree has all nodes to the depth of the
//! search. A node shows the window and the value of each visit, and cutoffs. Skipped nodes are drawn as unvisited.

mod dot;
mod events;
mod svg;
mod text;

use std::io::Write;

use clap::ValueEnum;

use super::{Failure, example_setup, fen_error};
use crate::catalog;
use crate::engine::Engine;
use crate::engine::trace::{self, Decider, Extent, Node, Trace, Visit, VisitResult};
use crate::error::EngineError;
use crate::protocol;
use crate::search::observer::ExitReason;
use crate::settings::{Algorithm, CutRule, HeuristicName, MoveOrder, Settings, name_of};
use crate::trace::{DEFAULT_EVENTS, TraceRequest};
use crate::value::{Bound, Score, Value, Window};

/// The arguments of `puli trace`.
#[derive(Clone, Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub struct Args {
    /// Search the game <GAME> or the game of the board file <FILE>
    #[arg(long, value_name = "GAME|FILE", default_value = "tree", value_parser = super::Games, hide_possible_values = true)]
    variant: String,
    /// Search the position <FEN>, as in `position fen` [default: the start position; in 2048 a board with six empty
    /// cells]
    #[arg(long, value_name = "FEN", allow_negative_numbers = true)]
    fen: Option<String>,
    /// Trace <ALGORITHM> [default: alphabeta; in 2048 expectimax]
    #[arg(long, value_enum)]
    algorithm: Option<Traceable>,
    /// Search to a depth of <PLIES> plies in one iteration, 1 to 64 [default: 4, or less if the tree has more than
    /// 1000 nodes; no limit in puzzles and with backward]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,
    /// Let greedy, astar and idastar use <HEURISTIC> [default: manhattan if the puzzle has it, or else auto]
    #[arg(long, value_enum)]
    heuristic: Option<HeuristicName>,
    /// Use a transposition table; mtdf always uses one
    #[arg(long)]
    memory: bool,
    /// Try the moves of a node in this order
    #[arg(long, value_enum, default_value = "full")]
    ordering: MoveOrder,
    /// Cut off in alphabeta by this rule
    #[arg(long, value_name = "RULE", value_enum, default_value = "equal")]
    cut_on: CutRule,
    /// Let mtdf first test whether the value is at least <POINTS>
    #[arg(long, value_name = "POINTS", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-100_000..=100_000))]
    guess: i32,
    /// Search to depth 1, 2, … up to the depth, with jsonl or --explain
    #[arg(long)]
    deepen: bool,
    /// Explain every event in a sentence: instead of the tree, or with jsonl in addition to the
    /// events
    #[arg(long)]
    explain: bool,
    /// Write the position of every node, with jsonl
    #[arg(long)]
    positions: bool,
    /// Write at most <N> events, with jsonl or --explain. The search continues after them, so the last event has
    /// the complete value and counts
    #[arg(long, value_name = "N", default_value_t = DEFAULT_EVENTS, value_parser = clap::value_parser!(u64).range(1..))]
    events: u64,
    /// Write the trace in this format. In text, dot and svg, the moves of a node are in the order of their first
    /// visits. The maximum is 20,000 nodes for json and 5000 for text, dot and svg
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
}

impl Args {
    /// Returns the request for a trace to `depth`.
    fn request(&self, depth: u32) -> TraceRequest {
        TraceRequest {
            depth,
            deepens: self.deepen,
            cut_rule: self.cut_on,
            first_guess: Value::points(self.guess),
            is_backward: self.is_backward(),
            shows_positions: self.positions,
            max_events: self.events,
        }
    }

    /// Returns the heuristic of a search for a solution.
    fn heuristic(&self, engine: &dyn Engine) -> HeuristicName {
        let simple = HeuristicName::Manhattan;
        self.heuristic
            .unwrap_or(if engine.heuristics().contains(&simple) {
                simple
            } else {
                HeuristicName::Auto
            })
    }

    /// Returns `true` if positions are settled from the ends of the game.
    fn is_backward(&self) -> bool {
        self.algorithm == Some(Traceable::Backward)
    }

    /// Returns `true` if events are written instead of a tree.
    fn lists_events(&self) -> bool {
        self.format == OutputFormat::Jsonl || self.explain
    }

    /// Checks that the options are compatible.
    fn check(&self, algorithm: Algorithm, engine: &dyn Engine) -> Result<(), EngineError> {
        let is_drawn = !matches!(self.format, OutputFormat::Text | OutputFormat::Jsonl);
        let has_heuristic = |name| engine.heuristics().contains(&name);
        let faults = [
            (
                engine.is_puzzle() && !self.lists_events(),
                "a search for a solution is not drawn as a tree: give --explain or --format jsonl",
            ),
            (
                self.is_backward() && !self.lists_events(),
                "--algorithm backward: it has no tree to draw: give --explain or --format jsonl",
            ),
            (
                self.is_backward() && self.deepen,
                "--deepen: backward has no iterations",
            ),
            (
                self.heuristic.is_some_and(|name| !has_heuristic(name)),
                "--heuristic: this game has no such heuristic",
            ),
            (
                self.explain && is_drawn,
                "--explain: the format must be text or jsonl",
            ),
            (
                self.deepen && !self.lists_events(),
                "--deepen: requires --format jsonl or --explain",
            ),
            (
                self.positions && self.format != OutputFormat::Jsonl,
                "--positions: requires --format jsonl",
            ),
            (
                self.cut_on == CutRule::Worse && algorithm != Algorithm::AlphaBeta,
                "--cut-on worse: only alphabeta has this choice",
            ),
            (
                self.guess != 0 && algorithm != Algorithm::Mtdf,
                "--guess: only mtdf has a first guess",
            ),
        ];
        match faults.iter().find(|(is_fault, _)| *is_fault) {
            Some((_, fault)) => Err(EngineError::new(*fault)),
            None => Ok(()),
        }
    }
}

/// The algorithms that can be traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
pub(crate) enum Traceable {
    Minimax,
    Expectimax,
    AlphaBeta,
    Scout,
    Mtdf,
    Bfs,
    Iddfs,
    Greedy,
    Astar,
    Idastar,
    /// Settle positions from the ends of the game
    Backward,
}

impl Traceable {
    /// Returns the algorithm, or `None` for backward analysis.
    pub(crate) fn algorithm(self) -> Option<Algorithm> {
        Some(match self {
            Self::Minimax => Algorithm::Minimax,
            Self::Expectimax => Algorithm::Expectimax,
            Self::AlphaBeta => Algorithm::AlphaBeta,
            Self::Scout => Algorithm::Scout,
            Self::Mtdf => Algorithm::Mtdf,
            Self::Bfs => Algorithm::Bfs,
            Self::Iddfs => Algorithm::Iddfs,
            Self::Greedy => Algorithm::Greedy,
            Self::Astar => Algorithm::Astar,
            Self::Idastar => Algorithm::Idastar,
            Self::Backward => return None,
        })
    }
}

/// The format of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// An indented tree
    Text,
    /// A graph for Graphviz
    Dot,
    /// A picture
    Svg,
    /// The answer to the protocol's command `trace`
    Json,
    /// The events of the search, one JSON object a line
    Jsonl,
}

/// Runs one search and draws its trace.
pub fn run(args: &Args, out: &mut (dyn Write + Send)) -> Result<(), Failure> {
    let mut settings = Settings {
        hash: TABLE_SIZE,
        ordering: args.ordering,
        ..Settings::default()
    };
    settings.choose_game(&args.variant)?;
    let variant = settings.variant;
    let mut engine = catalog::build(&settings)?;
    let algorithm = match args.algorithm.and_then(Traceable::algorithm) {
        Some(algorithm) => algorithm,
        None if engine.is_puzzle() => Algorithm::Astar,
        None if args.variant == "2048" => Algorithm::Expectimax,
        None => Algorithm::AlphaBeta,
    };
    if !engine.algorithms().contains(&algorithm) {
        // Without this check, the engine would search with another algorithm.
        let why = format!("{variant} has no algorithm '{}'", name_of(&algorithm));
        return Err(EngineError::new(why).into());
    }
    args.check(algorithm, engine.as_ref())?;
    settings.algorithm = algorithm;
    settings.memory = args.memory || algorithm == Algorithm::Mtdf;
    settings.heuristic = args.heuristic(engine.as_ref());
    engine.configure(&settings)?;
    let setup = example_setup(variant, args.fen.as_ref());
    engine.set(&setup, &[]).map_err(|why| fen_error(&why))?;
    let max_nodes = match args.format {
        OutputFormat::Json => trace::MAX_REPORTED,
        _ => trace::MAX_DRAWN_NODES,
    };
    if args.lists_events() {
        let depth = match args.depth {
            Some(depth) => depth,
            None if engine.is_puzzle() || args.is_backward() => MAX_SOLUTION_MOVES,
            None => trace_default_depth(args, engine.as_ref(), max_nodes)?.depth,
        };
        return events::write(args, engine.as_mut(), depth, out);
    }
    let trace = match args.depth {
        Some(depth) => engine.trace(Extent {
            request: args.request(depth),
            max_nodes,
        })?,
        None => trace_default_depth(args, engine.as_ref(), max_nodes)?,
    };
    let drawn = match args.format {
        OutputFormat::Json => {
            protocol::trace::object(&settings, trace.depth, &trace).to_string() + "\n"
        }
        OutputFormat::Dot => dot::draw(&trace),
        OutputFormat::Svg => svg::draw(&trace),
        OutputFormat::Text | OutputFormat::Jsonl => text::draw(&trace),
    };
    out.write_all(drawn.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Size of the transposition table in MiB: that of `puli compare`, so that the counts of both are equal.
const TABLE_SIZE: u64 = 64;
/// Maximum length of a puzzle's solution, or of a forced win in backward analysis, in moves, unless `--depth` gives another one.
const MAX_SOLUTION_MOVES: u32 = 10_000;
/// Default depth of a trace, in plies, for small trees.
const DEFAULT_DEPTH: u32 = 4;
/// Maximum number of nodes at the default depth, for legibility.
const MAX_DEFAULT_NODES: usize = 1000;

/// Traces a search without `--depth`, to [`DEFAULT_DEPTH`] or less, so that the tree has at most
/// [`MAX_DEFAULT_NODES`] nodes. At depth 1, the tree may have `max_nodes` nodes.
fn trace_default_depth(
    args: &Args,
    engine: &dyn Engine,
    max_nodes: usize,
) -> Result<Trace, EngineError> {
    let trace = |depth, max_nodes| {
        let request = args.request(depth);
        engine.trace(Extent { request, max_nodes })
    };
    (2..=DEFAULT_DEPTH)
        .rev()
        .find_map(|depth| trace(depth, MAX_DEFAULT_NODES).ok())
        .map_or_else(|| trace(1, max_nodes), Ok)
}

/// Returns a one-line summary of the trace.
fn summary(trace: &Trace) -> String {
    let table = if trace.memory {
        " with a transposition table"
    } else {
        ""
    };
    let counted = |(all, visited), what| (all > 0).then(|| format!("{visited} of {all} {what}"));
    let counts = [
        counted(trace.leaves(), "leaves"),
        counted(trace.at_limit(), "nodes at the depth limit"),
    ];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    format!(
        "{}{table}, depth {}: value {}, {}; {} visited",
        name_of(&trace.algorithm),
        trace.depth,
        format_score(trace.score),
        line(trace),
        counts.join(" and ")
    )
}

/// Describes the principal variation. Expectimax has only a best move, and no move if chance moves first.
fn line(trace: &Trace) -> String {
    let line = trace.line.join(" ");
    // The node at which the variation ends.
    let mut end = &trace.nodes[0];
    for label in &trace.line {
        let mut children = end.children.iter().map(|&child| &trace.nodes[child]);
        let Some(next) = children.find(|child| child.label == *label) else {
            break;
        };
        end = next;
    }
    match (trace.nodes[0].kind, trace.algorithm) {
        (Decider::Leaf, _) => "the game is over".into(),
        (Decider::Chance, _) => "chance moves first".into(),
        (_, Algorithm::Expectimax) => format!("best move {line}"),
        // The variation ends before the depth limit at a node that was found in the transposition table.
        _ if !end.children.is_empty() => format!("principal variation {line} …"),
        _ => format!("principal variation {line}"),
    }
}

/// Returns `true` if the algorithm searches with windows.
fn has_windows(trace: &Trace) -> bool {
    !matches!(trace.algorithm, Algorithm::Minimax | Algorithm::Expectimax)
}

/// Returns lines that explain the values and marks of a drawing.
fn explanation(trace: &Trace) -> Vec<&'static str> {
    let mut lines = vec![if has_windows(trace) {
        "#N is the Nth visit of the search, its window (α, β), and what it returned."
    } else {
        "#N is the Nth visit of the search."
    }];
    if trace.algorithm == Algorithm::Expectimax {
        lines.push("Values are expected points for max.");
    } else {
        lines.push("Values are points for max.");
        let is_win = |node: &Node| matches!(node.leaf, Some(Score::Win(..)));
        if trace.nodes.iter().any(is_win) {
            lines.push(
                "'win in N' is a win for max N plies after the root, 'loss in N' one for min.",
            );
        }
    }
    if trace.at_limit().0 > 0 {
        lines.push("At the depth limit the value is the static evaluation.");
    }
    lines
}

/// Returns a node's children in the order of their first visits, followed by the unvisited children.
fn in_order(trace: &Trace, node: &Node) -> Vec<usize> {
    let mut children = node.children.clone();
    children.sort_by_key(|&child| {
        let first_visit = trace.nodes[child].visits.first();
        first_visit.map_or(usize::MAX, |visit| visit.number)
    });
    children
}

/// Returns the move to a node, followed by its probability if it is a chance outcome: `a1=2 (9/160)`.
fn label(node: &Node) -> String {
    match node.probability {
        Some(probability) => format!("{} ({})", node.label, fraction(probability)),
        None => node.label.clone(),
    }
}

/// Returns a probability as a fraction, or as a decimal if the denominator would exceed 1000.
fn fraction(probability: f64) -> String {
    let numerator = |denominator: u32| probability * f64::from(denominator);
    (1..=1000)
        .find(|&denominator| (numerator(denominator) - numerator(denominator).round()).abs() < 1e-9)
        .map_or_else(
            || format!("{probability:.6}"),
            |denominator| match denominator {
                1 => "1".into(),
                _ => format!("{}/{denominator}", numerator(denominator).round()),
            },
        )
}

/// Formats a score with a Unicode minus sign.
fn format_score(score: Score) -> String {
    score.to_string().replace('-', "−")
}

/// Returns the name of a node's kind.
fn kind(node: &Node) -> &'static str {
    match node.kind {
        Decider::Max => "max",
        Decider::Min => "min",
        Decider::Chance => "chance",
        Decider::Leaf => "leaf",
    }
}

/// Returns the bounds of a node's value by all visits: `3`, `≥ 17`, `≤ 2`, or `2 to 5`. Returns `None` if no visit
/// returned a value.
fn value(node: &Node) -> Option<String> {
    let (mut lower, mut upper): (Option<Score>, Option<Score>) = (None, None);
    for visit in &node.visits {
        let Some(VisitResult {
            value: score,
            bound,
            ..
        }) = visit.result
        else {
            continue;
        };
        if bound != Bound::Upper && lower.is_none_or(|lower| score.exceeds(lower)) {
            lower = Some(score);
        }
        if bound != Bound::Lower && upper.is_none_or(|upper| upper.exceeds(score)) {
            upper = Some(score);
        }
    }
    Some(match (lower, upper) {
        (None, None) => return None,
        (Some(lower), None) => format!("≥ {}", format_score(lower)),
        (None, Some(upper)) => format!("≤ {}", format_score(upper)),
        (Some(lower), Some(upper)) if upper.exceeds(lower) => {
            format!("{} to {}", format_score(lower), format_score(upper))
        }
        (Some(score), Some(_)) => format_score(score),
    })
}

/// Returns the value of one visit with its bound: `3`, `≥ 17` or `≤ 2`. Returns `None` if the visit was
/// stopped.
fn bounded(visit: &Visit) -> Option<String> {
    let result = visit.result?;
    let score = format_score(result.value);
    Some(match result.bound {
        Bound::Exact => score,
        Bound::Lower => format!("≥ {score}"),
        Bound::Upper => format!("≤ {score}"),
    })
}

/// Formats a window as an open interval: `(−∞, 3)`.
fn interval(window: Window) -> String {
    let end = |value: Value| match value {
        Value::INFINITE => "∞".to_string(),
        value if value == -Value::INFINITE => "−∞".to_string(),
        value => format_score(value.into()),
    };
    format!("({}, {})", end(window.alpha), end(window.beta))
}

/// Describes each visit of a node: `#4 (−∞, 3) ≥ 17 cut off`. MTD(f) searches the root several times; these visits are
/// numbered as passes.
fn visits(trace: &Trace, node: &Node) -> Vec<String> {
    let is_mtdf_root = trace.algorithm == Algorithm::Mtdf && node.label.is_empty();
    let mut pass = 0;
    let texts = node.visits.iter().map(|visit| {
        let mut text = format!("#{}", visit.number);
        if has_windows(trace) {
            text += &format!(" {}", interval(visit.window));
            text += &bounded(visit).map_or_else(String::new, |value| format!(" {value}"));
        }
        text += match visit.result {
            Some(result) if result.is_tie_break => " tie break",
            Some(VisitResult {
                how: ExitReason::CutOff,
                ..
            }) => " cut off",
            Some(VisitResult {
                how: ExitReason::Remembered,
                ..
            }) => " table hit",
            _ => "",
        };
        pass += 1;
        if is_mtdf_root && node.kind != Decider::Leaf {
            text = format!("pass {pass}: {text}");
        }
        text
    });
    texts.collect()
}

/// Returns `true` if a visit of the node ended with a cutoff and some move was not searched in any
/// visit.
fn is_cut_off(trace: &Trace, node: &Node) -> bool {
    let mut children = node.children.iter();
    let mut visits = node.visits.iter();
    visits.any(|visit| {
        visit
            .result
            .is_some_and(|result| result.how == ExitReason::CutOff)
    }) && children.any(|&child| trace.nodes[child].visits.is_empty())
}
