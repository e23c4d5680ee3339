//! `puli trace`: what a student draws on paper: the tree, every node's windows and values, the cut-offs, and the leaves
//! that were never visited.

mod dot;
mod svg;
mod text;

use std::io::Write;

use clap::ValueEnum;

use super::{Failure, of_fen, setup};
use crate::catalog;
use crate::engine::trace::{self, Decider, Extent, Node, Trace, Visit};
use crate::error::Refusal;
use crate::protocol;
use crate::search::watch::Left;
use crate::settings::{Algorithm, Settings, name_of};
use crate::value::{Bound, Score, Value, Window};

/// What `puli trace` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game, or a board file
    #[arg(long, value_name = "GAME|FILE", default_value = "tree")]
    variant: String,
    /// The position, as `position fen` takes it; the start position without it
    #[arg(long)]
    fen: Option<String>,
    /// The search
    #[arg(long, value_enum, default_value = "alphabeta")]
    algorithm: Traceable,
    /// Plies to search, in one iteration
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: u32,
    /// With a transposition table (mtdf always has one)
    #[arg(long)]
    memory: bool,
    /// How to draw
    #[arg(long, value_enum, default_value = "text")]
    format: Drawing,
}

/// The searches that tell what they do at every node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
#[expect(missing_docs, reason = "the names of the literature")]
pub enum Traceable {
    Minimax,
    Expectimax,
    AlphaBeta,
    Scout,
    Mtdf,
}

impl From<Traceable> for Algorithm {
    fn from(traceable: Traceable) -> Self {
        match traceable {
            Traceable::Minimax => Self::Minimax,
            Traceable::Expectimax => Self::Expectimax,
            Traceable::AlphaBeta => Self::AlphaBeta,
            Traceable::Scout => Self::Scout,
            Traceable::Mtdf => Self::Mtdf,
        }
    }
}

/// How a trace is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Drawing {
    /// For a terminal.
    Text,
    /// For Graphviz.
    Dot,
    /// A picture for a browser.
    Svg,
    /// For programs, as the protocol's `trace`.
    Json,
}

/// Searches the position once and draws what happened.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let algorithm = Algorithm::from(args.algorithm);
    let memory = args.memory || algorithm == Algorithm::Mtdf;
    let mut settings = Settings {
        algorithm,
        memory,
        hash: 1,
        ..Settings::default()
    };
    settings.choose_game(&args.variant)?;
    let variant = settings.variant;
    let mut engine = catalog::build(&settings)?;
    if !engine.is_puzzle() && !engine.algorithms().contains(&algorithm) {
        // Another one would run in its place, and the picture would be of that one.
        let why = format!("{} is not for {variant}", name_of(&algorithm));
        return Err(Refusal::new(why).into());
    }
    let setup = setup(args.fen.as_ref());
    engine.set(&setup, &[]).map_err(|why| of_fen(&why))?;
    let trace = engine.trace(Extent {
        depth: args.depth,
        most_nodes: match args.format {
            Drawing::Json => trace::MOST_TOLD,
            _ => trace::MOST_DRAWN,
        },
    })?;
    let drawn = match args.format {
        Drawing::Json => protocol::trace::object(&settings, args.depth, &trace).to_string() + "\n",
        Drawing::Text => text::draw(&trace),
        Drawing::Dot => dot::draw(&trace),
        Drawing::Svg => svg::draw(&trace),
    };
    out.write_all(drawn.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// The line that sums a trace up.
fn summary(trace: &Trace) -> String {
    let (leaves, visited) = trace.leaves();
    let line = if trace.line.is_empty() {
        "none".to_string()
    } else {
        trace.line.join(" ")
    };
    format!(
        "value {}, principal variation {line}; {visited} of {leaves} leaves visited",
        trace.score
    )
}

/// What a node is, in a word.
fn kind(node: &Node) -> &'static str {
    match node.kind {
        Decider::Max => "max",
        Decider::Min => "min",
        Decider::Chance => "chance",
        Decider::Leaf => "leaf",
    }
}

/// The last value that the search took from a node, with its bound: `3`, `≥ 17`, `≤ 2`.
fn value(node: &Node) -> Option<String> {
    node.visits.iter().rev().find_map(bounded)
}

fn bounded(visit: &Visit) -> Option<String> {
    let (score, _) = visit.result?;
    Some(match visit.bound()? {
        Bound::Exact => score.to_string(),
        Bound::Lower => format!("≥ {score}"),
        Bound::Upper => format!("≤ {score}"),
    })
}

/// A window as it stands in textbooks: `(−∞, 3)`.
fn interval(window: Window) -> String {
    let shown = |value: Value| match value {
        Value::INFINITE => "∞".to_string(),
        value if value == -Value::INFINITE => "−∞".to_string(),
        value => Score::from(value).to_string().replace('-', "−"),
    };
    format!("({}, {})", shown(window.alpha), shown(window.beta))
}

/// One visit in words: `(−∞, 3) ≥ 17 cut off`.
fn visit(visit: &Visit) -> String {
    let mut words = interval(visit.window);
    if let (Some((_, left)), Some(value)) = (visit.result, bounded(visit)) {
        words += &format!(" {value}");
        words += match left {
            Left::CutOff => " cut off",
            Left::Remembered => " remembered",
            Left::Leaf | Left::Searched => "",
        };
    }
    words
}

/// Whether the search left this node for good before it had seen all its children.
fn is_cut_off(node: &Node) -> bool {
    node.visits
        .iter()
        .any(|visit| matches!(visit.result, Some((_, Left::CutOff))))
}
