//! `puli trace`: draws the tree of a small search, or lists its events. The tree has all nodes to the depth of the
//! search. A node shows the window and the value of each visit, and cutoffs. Skipped nodes are drawn as unvisited.

mod dot;
mod events;
mod labels;
mod svg;
mod text;

use std::io::Write;

use clap::ValueEnum;

use super::own_files::OwnFiles;
use super::{Failure, example_setup, fen_error};
use crate::engine::Engine;
use crate::engine::trace::{self, Extent, Trace};
use crate::error::EngineError;
use crate::protocol;
use crate::settings::{Algorithm, CutRule, HeuristicName, MoveOrder, Settings, name_of};
use crate::trace::{DEFAULT_EVENTS, TraceRequest};
use crate::value::Value;

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
    /// Let greedy, astar and idastar use <HEURISTIC> [default: own with --estimate-table, or manhattan if the puzzle has
    /// it, or else auto]
    #[arg(long, value_enum)]
    heuristic: Option<HeuristicName>,
    #[command(flatten)]
    own_files: OwnFiles,
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
        self.heuristic.unwrap_or(if self.own_files.has_estimates() {
            HeuristicName::Own
        } else if engine.heuristics().contains(&simple) {
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
    /// Textbook PVS, without the tuned parts of the engine
    Pvs,
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
            Self::Pvs => Algorithm::Pvs,
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
    let mut engine = args.own_files.build(&mut settings)?;
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
