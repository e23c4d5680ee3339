//! `puli compare` for puzzles: algorithm by estimate, for one position or for a file of them.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Args, setup};
use crate::catalog;
use crate::commands::Failure;
use crate::commands::sheet::{Column, Sheet};
use crate::control::{Control, Limits};
use crate::engine::{Count, Engine, Report};
use crate::error::Refusal;
use crate::pathfinding;
use crate::settings::{Algorithm, HeuristicName, Settings, name_of};

const COLUMNS: &[Column] = &[
    Column::words("instance", 8),
    Column::words("algorithm", 9),
    Column::words("heuristic", 18),
    Column::numbers("steps", 5),
    Column::words("optimal", 7),
    Column::numbers("examined", 12),
    Column::numbers("generated", 13),
    Column::numbers("peak_mib", 8),
    Column::numbers("time_ms", 10),
];

/// How long every search may take where no time is given, in milliseconds.
const DEFAULT_TIME: i64 = 10_000;

const HEURISTICS: &[HeuristicName] = &[
    HeuristicName::Misplaced,
    HeuristicName::Manhattan,
    HeuristicName::Reversal,
    HeuristicName::SquaredDiscounted,
    HeuristicName::Squared,
    HeuristicName::LinearConflict,
    HeuristicName::WalkingDistance,
    HeuristicName::PatternDatabase,
];

/// An algorithm and the estimate it goes by.
type Contestant = (Algorithm, HeuristicName);

/// Runs the algorithms asked for, by all estimates asked for; without a wish all of them, or `auto` alone for a file.
pub fn run(
    args: &Args,
    variant: &'static str,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> Result<(), Failure> {
    let settings = Settings {
        variant,
        ..Settings::default()
    };
    let instances = match &args.suite {
        Some(path) => read_suite(path)?,
        None => vec![("1".to_string(), args.fen.clone())],
    };
    for (name, fen) in &instances {
        let checked = catalog::build(&settings)?.set(&setup(fen.as_ref()), &[]);
        checked.map_err(|refusal| Refusal::new(format!("instance {name}: {refusal}")))?;
    }
    let limits = Limits {
        movetime: Some(args.movetime.unwrap_or(DEFAULT_TIME)),
        depth: args.depth,
        ..Limits::default()
    };
    let contestants = contestants(args, variant)?;
    let mut table = Sheet::new(out, args.format, COLUMNS)?;
    for (algorithm, heuristic) in contestants {
        let settings = Settings {
            algorithm,
            heuristic,
            ..settings.clone()
        };
        writeln!(
            progress,
            "{} {} …",
            name_of(&algorithm),
            name_of(&heuristic)
        )?;
        // One engine for all instances: what it makes for the first it keeps for the others.
        let mut engine = catalog::build(&settings)?;
        let mut rows = Vec::new();
        for (name, fen) in &instances {
            engine.set(&setup(fen.as_ref()), &[])?;
            let row = Row::of(engine.as_mut(), &limits)?;
            table.row(&row.cells(name, algorithm, heuristic))?;
            rows.push(row);
        }
        if rows.len() > 1 {
            table.row(&means(&rows, algorithm, heuristic))?;
        }
    }
    table.finish()?;
    Ok(())
}

fn contestants(args: &Args, variant: &str) -> Result<Vec<Contestant>, Failure> {
    let is_known = |algorithm: &Algorithm| pathfinding::ALGORITHMS.contains(algorithm);
    if let Some(stranger) = args
        .algorithms
        .iter()
        .find(|algorithm| !is_known(algorithm))
    {
        return Err(Refusal::new(format!("{} is not for puzzles", name_of(stranger))).into());
    }
    let heuristics = match (args.heuristics.as_slice(), variant) {
        ([], "missionaries") => &[HeuristicName::Auto, HeuristicName::Zero],
        ([], _) => HEURISTICS,
        (wanted, _) => wanted,
    };
    let algorithms = match (args.algorithms.as_slice(), &args.suite) {
        ([], None) => pathfinding::ALGORITHMS,
        ([], Some(_)) => &[Algorithm::Auto],
        (wanted, _) => wanted,
    };
    let pairs = |&algorithm: &Algorithm| -> Vec<Contestant> {
        match algorithm {
            Algorithm::Bfs | Algorithm::Iddfs => vec![(algorithm, HeuristicName::Zero)],
            Algorithm::Auto if args.heuristics.is_empty() => vec![(algorithm, HeuristicName::Auto)],
            _ => heuristics
                .iter()
                .map(|&heuristic| (algorithm, heuristic))
                .collect(),
        }
    };
    Ok(algorithms.iter().flat_map(pairs).collect())
}

/// The instances of a file with their names: a line each, as `position fen` takes it; or tab-separated, the name first,
/// then the tiles of a square board row by row with blanks between.
fn read_suite(path: &Path) -> Result<Vec<(String, Option<String>)>, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| Refusal::new(format!("{}: {error}", path.display())))?;
    let mut instances = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = (index + 1).to_string();
        match fields.as_slice() {
            [line] if !line.trim().is_empty() && !line.starts_with('#') => {
                instances.push((number, Some((*line).to_string())));
            }
            [name, tiles, ..] if *name != "id" && !name.starts_with('#') => {
                let tiles: Vec<&str> = tiles.split(' ').collect();
                let rows = tiles.chunks(tiles.len().isqrt()).map(|row| row.join(","));
                instances.push((
                    (*name).to_string(),
                    Some(rows.collect::<Vec<_>>().join("/")),
                ));
            }
            _ => {}
        }
    }
    if instances.is_empty() {
        return Err(Refusal::new(format!("{} holds no instances", path.display())).into());
    }
    Ok(instances)
}

/// What one search has found, and its price.
#[derive(Default)]
struct Row {
    steps: Option<usize>,
    is_optimal: bool,
    examined: u64,
    generated: u64,
    stored: u64,
    seconds: f64,
}

impl Row {
    fn of(engine: &mut dyn Engine, limits: &Limits) -> Result<Self, Failure> {
        let budget = limits.budget(engine.standing().turn, Duration::ZERO);
        let mut control = Control::new(limits, budget, Arc::default());
        let mut row = Self::default();
        let begin = Instant::now();
        engine.go(limits, &mut control, &mut |report| match report {
            Report::Info(info) => {
                row.generated = info.nodes;
                // A bound has no moves; of a solved position the solution has none either.
                let is_solution = info.bound == crate::value::Bound::Exact;
                row.steps = is_solution.then_some(info.line.len());
                row.is_optimal = is_solution;
            }
            Report::Count(Count::Bound, bound) => {
                row.is_optimal = row.steps == Some(bound as usize);
            }
            Report::Count(Count::Examined, examined) => row.examined = examined,
            Report::Count(Count::Stored, bytes) => row.stored = bytes,
            _ => {}
        })?;
        row.seconds = begin.elapsed().as_secs_f64();
        Ok(row)
    }

    fn cells(&self, name: &str, algorithm: Algorithm, heuristic: HeuristicName) -> Vec<Value> {
        vec![
            json!(name),
            json!(name_of(&algorithm)),
            json!(name_of(&heuristic)),
            json!(self.steps),
            json!(if self.is_optimal { "yes" } else { "no" }),
            json!(self.examined),
            json!(self.generated),
            json!(rounded(self.stored as f64 / f64::from(1 << 20))),
            json!(rounded(self.seconds * 1000.0)),
        ]
    }
}

fn means(rows: &[Row], algorithm: Algorithm, heuristic: HeuristicName) -> Vec<Value> {
    let mean =
        |of: &dyn Fn(&Row) -> f64| rounded(rows.iter().map(of).sum::<f64>() / rows.len() as f64);
    let solved = rows.iter().filter_map(|row| row.steps);
    let count = solved.clone().count().max(1);
    let optimal = rows.iter().filter(|row| row.is_optimal).count();
    vec![
        json!("mean"),
        json!(name_of(&algorithm)),
        json!(name_of(&heuristic)),
        json!(rounded(solved.sum::<usize>() as f64 / count as f64)),
        json!(format!("{optimal} of {}", rows.len())),
        json!(mean(&|row| row.examined as f64)),
        json!(mean(&|row| row.generated as f64)),
        json!(mean(&|row| row.stored as f64 / f64::from(1 << 20))),
        json!(mean(&|row| row.seconds * 1000.0)),
    ]
}

/// With as many digits as matter.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
