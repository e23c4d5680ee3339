//! `puli compare` for puzzles: algorithm by estimate, for one position or for a file of them.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Args;
use super::instances::instances;
use crate::catalog;
use crate::commands::sheet::{Column, Format, Sheet};
use crate::commands::{Failure, of_fen};
use crate::control::{Control, Limits};
use crate::engine::{Count, Engine, Report, Setup};
use crate::error::Refusal;
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
    Column::words("unfinished", 10),
];

/// How long every search may take where no time is given, in milliseconds.
const DEFAULT_TIME: i64 = 10_000;

/// What is made before the clock runs is told of where it took longer than this.
const WORTH_TELLING: Duration = Duration::from_millis(100);

/// An algorithm and the estimate it goes by.
type Contestant = (Algorithm, HeuristicName);

/// Runs the algorithms asked for, by all estimates asked for; without a wish all of them, or `auto` alone for a file.
pub fn run(
    args: &Args,
    base: &Settings,
    format: Format,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> Result<(), Failure> {
    let variant = base.variant;
    if args.each_depth {
        let why = format!("--each-depth is for games, and {variant} is a puzzle");
        return Err(Refusal::new(why).into());
    }
    let mut engine = catalog::build(base)?;
    let instances = instances(args)?;
    let known = engine.algorithms();
    let mut heuristics = engine.heuristics();
    for (name, setup) in &instances {
        let of = args.suite.as_ref();
        let of = of.map_or_else(String::new, |path| format!("{}: ", path.display()));
        let refuse = |why: String| Refusal::new(format!("{of}instance {name}: {why}"));
        let set = engine.set(setup, &[]);
        set.map_err(|refusal| match args.fen {
            Some(_) => of_fen(&refusal),
            None => refuse(refusal.to_string()),
        })?;
        let here = engine.heuristics();
        if let Some(stranger) = args.heuristics.iter().find(|wanted| !here.contains(wanted)) {
            let (stranger, here) = (name_of(stranger), names(&here));
            let why = format!("there is no {stranger} for this board, only {here}");
            return Err(refuse(why).into());
        }
        heuristics.retain(|heuristic| here.contains(heuristic));
        if let Setup::Random { .. } = setup {
            writeln!(progress, "{name} is position fen {}", engine.fen())?;
        }
    }
    let limits = Limits {
        movetime: Some(args.movetime.unwrap_or(DEFAULT_TIME)),
        depth: args.depth,
        ..Limits::default()
    };
    let contestants = contestants(args, variant, known, &heuristics)?;
    let mut columns = COLUMNS.to_vec();
    let names = instances.iter().map(|(name, _)| name.chars().count());
    columns[0].width = columns[0].width.max(names.max().unwrap_or_default());
    let mut table = Sheet::new(out, format, &columns)?;
    for contestant @ (algorithm, heuristic) in contestants {
        let settings = Settings {
            algorithm,
            heuristic,
            ..base.clone()
        };
        let title = format!("{} {}", name_of(&algorithm), name_of(&heuristic));
        writeln!(progress, "{title} …")?;
        // One engine for all instances: what it makes for the first it keeps for the others.
        let mut engine = catalog::build(&settings)?;
        let mut rows = Vec::new();
        for (name, setup) in &instances {
            engine.set(setup, &[])?;
            prepare(engine.as_mut(), &title, progress)?;
            let row = Row::of(engine.as_mut(), &limits)?;
            table.row(&row.cells(name, contestant))?;
            rows.push(row);
        }
        if rows.len() > 1 {
            table.row(&means(&rows, contestant))?;
        }
    }
    table.finish()?;
    Ok(())
}

/// Makes, without any limit, what the search would have to make first, and tells how long that took.
fn prepare(engine: &mut dyn Engine, title: &str, progress: &mut dyn Write) -> Result<(), Failure> {
    let begin = Instant::now();
    let mut troubles = Vec::new();
    engine.prepare(&mut Control::unlimited(), &mut |report| {
        if let Report::Error(trouble) | Report::Text(trouble) = report {
            troubles.push(trouble);
        }
    });
    for trouble in troubles {
        writeln!(progress, "{title}: {trouble}")?;
    }
    if begin.elapsed() >= WORTH_TELLING {
        let seconds = begin.elapsed().as_secs_f64();
        writeln!(
            progress,
            "{title}: its tables took {seconds:.1} s to make, which no search is charged with"
        )?;
    }
    Ok(())
}

fn contestants(
    args: &Args,
    variant: &str,
    known: &'static [Algorithm],
    heuristics: &[HeuristicName],
) -> Result<Vec<Contestant>, Refusal> {
    // `auto` is one of the others; but where there is only that it is set against none.
    let is_told_apart =
        |name: &&HeuristicName| !matches!(name, HeuristicName::Auto | HeuristicName::Zero);
    let mut all: Vec<HeuristicName> = heuristics.iter().filter(is_told_apart).copied().collect();
    if all.is_empty() {
        all = heuristics.to_vec();
    }
    let heuristics = match args.heuristics.as_slice() {
        [] => &all,
        wanted => wanted,
    };
    let is_alone = args.suite.is_some() && args.algorithms.is_empty();
    let algorithms = if is_alone {
        vec![Algorithm::Auto]
    } else {
        super::algorithms(args, variant, known)?
    };
    let pairs = |algorithm: Algorithm| -> Vec<Contestant> {
        match algorithm {
            Algorithm::Bfs | Algorithm::Iddfs => vec![(algorithm, HeuristicName::Zero)],
            Algorithm::Auto if args.heuristics.is_empty() => vec![(algorithm, HeuristicName::Auto)],
            _ => heuristics
                .iter()
                .map(|&heuristic| (algorithm, heuristic))
                .collect(),
        }
    };
    Ok(algorithms.into_iter().flat_map(pairs).collect())
}

fn names(heuristics: &[HeuristicName]) -> String {
    let names: Vec<String> = heuristics.iter().map(name_of).collect();
    names.join(", ")
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
    /// Why the search did not come to its end, if it did not.
    unfinished: Option<String>,
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
            Report::Error(reason) | Report::Text(reason) => row.unfinished = Some(reason),
            _ => {}
        })?;
        row.seconds = begin.elapsed().as_secs_f64();
        if !row.is_optimal && row.unfinished.is_none() && control.poll().is_err() {
            let seconds = limits.movetime.unwrap_or(DEFAULT_TIME) as f64 / 1000.0;
            row.unfinished = Some(format!("{seconds} s were over (--movetime)"));
        }
        Ok(row)
    }

    fn cells(&self, name: &str, (algorithm, heuristic): Contestant) -> Vec<Value> {
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
            json!(self.unfinished),
        ]
    }
}

fn means(rows: &[Row], (algorithm, heuristic): Contestant) -> Vec<Value> {
    let mean =
        |of: &dyn Fn(&Row) -> f64| rounded(rows.iter().map(of).sum::<f64>() / rows.len() as f64);
    let solved = rows.iter().filter_map(|row| row.steps);
    let count = solved.clone().count().max(1);
    let optimal = rows.iter().filter(|row| row.is_optimal).count();
    let unfinished = rows.iter().filter(|row| row.unfinished.is_some()).count();
    let unfinished = (unfinished > 0).then(|| format!("{unfinished} of {}", rows.len()));
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
        json!(unfinished),
    ]
}

/// With as many digits as matter.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
