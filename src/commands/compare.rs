//! `puli compare`: the table of algorithms for one position, a line as each of them finishes.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::table::{Column, Format, Table};
use super::{Failure, compare_puzzles};
use crate::control::{Control, Limits};
use crate::engine::options::{Algorithm, HeuristicName, name_of};
use crate::engine::{Choice, Info, Report, Settings, Setup, Spanned};
use crate::error::Refusal;
use crate::games::catalog;
use crate::search::algorithms;
use crate::value::Score;

/// What `puli compare` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game
    #[arg(long, default_value = catalog::DEFAULT)]
    variant: String,
    /// The position, as `position fen` takes it; the start position without it
    #[arg(long)]
    pub fen: Option<String>,
    /// Iterations for every algorithm [default: 6, unless a time is given]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=255))]
    pub depth: Option<u32>,
    /// Milliseconds for every algorithm
    #[arg(long)]
    pub movetime: Option<i64>,
    /// MiB for every transposition table
    #[arg(long, default_value_t = 64)]
    hash: u64,
    /// Puzzles: a file of positions instead of one
    #[arg(long, conflicts_with = "fen")]
    pub suite: Option<PathBuf>,
    /// Puzzles: only this algorithm; may be repeated
    #[arg(long = "algorithm", value_enum)]
    pub algorithms: Vec<Algorithm>,
    /// Puzzles: only this estimate; may be repeated
    #[arg(long = "heuristic", value_enum)]
    pub heuristics: Vec<HeuristicName>,
    /// How to write the table
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
}

const DEFAULT_DEPTH: u32 = 6;

const COLUMNS: &[Column] = &[
    Column::words("algorithm", 10),
    Column::words("memory", 6),
    Column::numbers("depth", 5),
    Column::numbers("time_ms", 10),
    Column::numbers("nodes", 13),
    Column::numbers("leaves", 13),
    Column::words("score", 10),
    Column::words("best", 6),
];

/// Runs every algorithm that the game has, without and with memory where there is a difference. Progress goes to
/// `progress`.
pub fn run(args: &Args, out: &mut dyn Write, progress: &mut dyn Write) -> Result<(), Failure> {
    let variant = catalog::named(&args.variant)?;
    let first = Settings {
        variant,
        ..Settings::default()
    };
    if catalog::build(&first)?.is_puzzle() {
        return compare_puzzles::run(args, variant, out, progress);
    }
    if args.suite.is_some() || !args.algorithms.is_empty() || !args.heuristics.is_empty() {
        let why =
            format!("--suite, --algorithm and --heuristic are for puzzles, which {variant} is not");
        return Err(Refusal::new(why).into());
    }
    let depth = args
        .depth
        .or_else(|| args.movetime.is_none().then_some(DEFAULT_DEPTH));
    let limits = Limits {
        depth,
        movetime: args.movetime,
        ..Limits::default()
    };
    let setup = args.fen.as_ref().map_or(Setup::Start, |fen| {
        Setup::Fen(Spanned {
            offset: 0,
            text: fen.clone(),
        })
    });
    let settings = Settings {
        variant,
        hash: args.hash,
        ..Settings::default()
    };
    // A position that cannot be read should not leave half a table behind.
    let mut engine = catalog::build(&settings)?;
    engine.set(&setup, &[])?;

    let mut table = Table::new(out, args.format, COLUMNS)?;
    for (algorithm, memory) in contestants(engine.algorithms()) {
        let settings = Settings {
            algorithm,
            memory,
            ..settings.clone()
        };
        let name = format!(
            "{}{}",
            name_of(&algorithm),
            if memory { " with memory" } else { "" }
        );
        writeln!(progress, "{name} …")?;
        let result = search(&settings, &setup, &limits)?;
        table.row(&result.cells(algorithm, memory))?;
    }
    table.finish()?;
    Ok(())
}

fn contestants(algorithms: &'static [Algorithm]) -> impl Iterator<Item = (Algorithm, bool)> {
    algorithms.iter().flat_map(|&algorithm| {
        algorithms::memories(algorithm)
            .iter()
            .map(move |&memory| (algorithm, memory))
    })
}

struct Outcome {
    choice: Choice,
    last: Option<Info>,
    leaves: Option<u64>,
}

fn search(settings: &Settings, setup: &Setup, limits: &Limits) -> Result<Outcome, Failure> {
    let mut engine = catalog::build(settings)?;
    engine.set(setup, &[])?;
    let budget = limits.budget(engine.standing().turn, Duration::ZERO);
    let mut control = Control::new(limits, budget, Arc::default());
    let (mut last, mut leaves) = (None, None);
    let choice = engine.go(limits, &mut control, &mut |report| match report {
        Report::Info(info) => last = Some(info),
        Report::Count("leaves", count) => leaves = Some(count),
        _ => {}
    })?;
    Ok(Outcome {
        choice,
        last,
        leaves,
    })
}

impl Outcome {
    fn cells(&self, algorithm: Algorithm, memory: bool) -> Vec<Value> {
        let last = self.last.as_ref();
        let time = last.map(|info| (info.time.as_secs_f64() * 1e4).round() / 10.0);
        vec![
            json!(name_of(&algorithm)),
            json!(if memory { "yes" } else { "no" }),
            json!(last.map(|info| info.depth)),
            json!(time),
            json!(last.map(|info| info.nodes)),
            json!(self.leaves),
            last.map_or(Value::Null, |info| match info.score {
                Score::Points(points) if points.fract() == 0.0 => json!(points as i64),
                Score::Points(points) => json!((points * 1e4).round() / 1e4),
                win @ Score::Win(..) => json!(win.to_string()),
            }),
            json!(self.choice.best),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_finds_the_value_of_the_tutorials_start() {
        let args = Args {
            variant: "aadu-puli".into(),
            fen: None,
            depth: Some(4),
            movetime: None,
            hash: 1,
            suite: None,
            algorithms: Vec::new(),
            heuristics: Vec::new(),
            format: Format::Json,
        };
        let mut out = Vec::new();
        run(&args, &mut out, &mut std::io::sink()).unwrap();
        let rows: Vec<Value> = serde_json::from_slice(&out).unwrap();
        let exact: Vec<&Value> = rows
            .iter()
            .filter(|row| !["expectimax", "auto"].contains(&row["algorithm"].as_str().unwrap()))
            .collect();
        assert_eq!(exact.len(), 8);
        for row in exact {
            assert_eq!(row["score"], 49, "{row}");
        }
    }
}
