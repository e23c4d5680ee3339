//! `puli compare` for games: every algorithm on one position, a line as each of them finishes.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::Args;
use crate::catalog;
use crate::commands::sheet::{Column, Format, Sheet};
use crate::commands::{Failure, of_fen, setup};
use crate::control::{Control, Limits};
use crate::engine::{Count, Info, Report, Setup};
use crate::error::Refusal;
use crate::search::algorithms;
use crate::settings::{Algorithm, Settings, name_of};
use crate::value::Score;

const DEFAULT_DEPTH: u32 = 6;

const COLUMNS: &[Column] = &[
    Column::words("algorithm", 10),
    Column::words("memory", 6),
    Column::numbers("depth", 5),
    Column::numbers("time_ms", 10),
    Column::numbers("nodes", 13),
    Column::numbers("leaves", 13),
    Column::words("score", 12),
    Column::words("unit", 8),
    Column::words("best", 6),
];

/// Runs every algorithm that the game has, without and with memory where there is a difference.
pub fn run(
    args: &Args,
    base: &Settings,
    format: Format,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> Result<(), Failure> {
    let variant = base.variant;
    if args.suite.is_some() || args.seed.is_some() || !args.heuristics.is_empty() {
        let why =
            format!("--suite, --seed and --heuristic are for puzzles, which {variant} is not");
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
    let setup = setup(args.fen.as_ref());
    let settings = Settings {
        hash: args.hash,
        ..base.clone()
    };
    // A position that cannot be read should not leave half a table behind.
    let mut engine = catalog::build(&settings)?;
    engine.set(&setup, &[]).map_err(|why| of_fen(&why))?;

    let algorithms = super::algorithms(args, variant, engine.algorithms())?;
    let mut table = Sheet::new(out, format, COLUMNS)?;
    for (algorithm, memory) in contestants(&algorithms) {
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
        for outcome in search(&settings, &setup, &limits, args.each_depth)? {
            table.row(&outcome.cells(algorithm, memory))?;
        }
    }
    table.finish()?;
    Ok(())
}

fn contestants(algorithms: &[Algorithm]) -> impl Iterator<Item = (Algorithm, bool)> {
    algorithms.iter().flat_map(|&algorithm| {
        algorithms::memories(algorithm)
            .iter()
            .map(move |&memory| (algorithm, memory))
    })
}

/// What a search had found at the end of a depth.
struct Outcome {
    best: Option<String>,
    info: Option<Info>,
    leaves: Option<u64>,
    unit: &'static str,
}

/// The outcome of the last depth, after those of the depths before it where they are wanted.
fn search(
    settings: &Settings,
    setup: &Setup,
    limits: &Limits,
    each_depth: bool,
) -> Result<Vec<Outcome>, Failure> {
    let mut engine = catalog::build(settings)?;
    engine.set(setup, &[])?;
    let budget = limits.budget(engine.standing().turn, Duration::ZERO);
    let mut control = Control::new(limits, budget, Arc::default());
    let (mut infos, mut leaves) = (Vec::<Info>::new(), None);
    let choice = engine.go(limits, &mut control, &mut |report| match report {
        Report::Info(info) => {
            // A depth is told of again when a better move is found in it.
            infos.retain(|before| each_depth && before.depth != info.depth);
            infos.push(info);
        }
        Report::Count(Count::Leaves, count) => leaves = Some(count),
        _ => {}
    })?;
    let unit = engine.unit();
    let last = infos.pop();
    let before = infos.into_iter().map(|info| Outcome {
        best: info.line.first().cloned(),
        info: Some(info),
        leaves: None,
        unit,
    });
    let last = Outcome {
        best: choice.best,
        info: last,
        leaves,
        unit,
    };
    Ok(before.chain([last]).collect())
}

impl Outcome {
    fn cells(&self, algorithm: Algorithm, memory: bool) -> Vec<Value> {
        let last = self.info.as_ref();
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
            last.map_or(Value::Null, |info| match info.score {
                Score::Points(_) => json!(self.unit),
                Score::Win(..) => json!("plies"),
            }),
            json!(self.best),
        ]
    }
}
