//! `puli compare` for puzzles: searches each instance with each algorithm and heuristic. The table has one row per
//! search, and a row of means after the instances of a suite.
//!
//! Tables of 80 characters have no room for the columns `specialized` and `unfinished`. Marks after the time replace
//! them. `*` means that the solver works for this puzzle only. A letter stands for the reason why the search did not
//! finish. Notes below the table explain the marks.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Args;
use super::instances::{Instance, instances};
use crate::catalog;
use crate::commands::table_writer::{Column, Format, TableWriter, compact};
use crate::commands::{Failure, fen_error};
use crate::control::{Control, Limits};
use crate::engine::{Count, Engine, Report, Setup};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::settings::{Algorithm, HeuristicName, Settings, name_of};

const COLUMNS: &[Column] = &[
    Column::text("instance", 8),
    Column::text("algorithm", 9),
    Column::text("heuristic", 9),
    Column::number("steps", 5),
    Column::text("optimal", 10),
    Column::number("examined", 10),
    Column::number("generated", 9),
    Column::number("peak_mib", 8),
    Column::number("time_ms", TIME_WIDTH),
    Column::text("unfinished", 10),
    Column::text("specialized", 11),
];

/// The columns that may be hidden, in this order, until a table fits into 80 characters. [`Marks`] replace the first
/// two.
const DROPPABLE: &[&str] = &[
    "specialized",
    "unfinished",
    "peak_mib",
    "examined",
    "generated",
];

/// Width of the column `time_ms`, in characters: a time and two marks.
const TIME_WIDTH: usize = 9;
/// Width of a time without marks, in characters.
const BARE_TIME_WIDTH: usize = TIME_WIDTH - 2;

/// Maximum width of an instance's name in an 80-character table, in characters.
const MAX_INSTANCE_WIDTH: usize = 8;

/// Default of `--movetime` for puzzles, in milliseconds.
const DEFAULT_TIME_MS: i64 = 10_000;

/// Building databases is reported if it takes at least this time.
const MIN_REPORTED_SETUP: Duration = Duration::from_millis(100);

/// A pair of algorithm and heuristic, which gives one row per instance.
type Configuration = (Algorithm, HeuristicName);

/// Runs each requested algorithm with each requested heuristic. If no algorithm is requested, runs all algorithms on a
/// single instance, but only `auto` on a suite. For the default heuristics, see [`configurations`].
pub(super) fn run(
    args: &Args,
    base: &Settings,
    format: Format,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> Result<(), Failure> {
    let variant = base.variant;
    let for_games = [
        ("--each-depth", args.each_depth),
        ("--ordering", args.ordering.is_some()),
    ];
    if let Some((option, _)) = for_games.iter().find(|(_, is_given)| *is_given) {
        let why = format!("{option} requires a game: {variant} is a puzzle");
        return Err(EngineError::new(why).into());
    }
    let mut engine = catalog::build(base)?;
    let instances = instances(args, engine.as_ref())?;
    let supported = engine.algorithms();
    let mut heuristics = engine.heuristics();
    // Keeps the heuristics that are available for every instance, and rejects invalid instances before the table
    // starts.
    for (name, setup) in &instances {
        let suite = args.suite.as_ref();
        let suite = suite.map_or_else(String::new, |path| format!("{}: ", path_name(path)));
        let rejected = |why: String| EngineError::new(format!("{suite}instance {name}: {why}"));
        let set = engine.set(setup, &[]);
        set.map_err(|error| match args.fen {
            Some(_) => fen_error(&error),
            None => rejected(error.to_string()),
        })?;
        let available = engine.heuristics();
        if let Some(unsupported) = args
            .heuristics
            .iter()
            .find(|heuristic| !available.contains(heuristic))
        {
            let (unsupported, available) = (name_of(unsupported), names(&available));
            let why =
                format!("unknown heuristic '{unsupported}' for this board: expected {available}");
            return Err(rejected(why).into());
        }
        heuristics.retain(|heuristic| available.contains(heuristic));
        if let Setup::Random { .. } | Setup::Scramble { .. } = setup {
            writeln!(progress, "{name} is position fen {}", engine.fen())?;
        }
    }
    let limits = Limits {
        movetime: Some(args.movetime.unwrap_or(DEFAULT_TIME_MS)),
        depth: args.depth,
        ..Limits::default()
    };
    let configurations = configurations(args, variant, supported, &heuristics)?;
    let columns = columns(args.wide, &instances, &configurations);
    let has_reason_column = columns
        .iter()
        .any(|column| column.name == "unfinished" && column.is_shown);
    let mut marks = Marks {
        format,
        has_letters: format == Format::Table && !has_reason_column,
        is_any_specialized: false,
        reasons: Vec::new(),
    };
    let mut table = TableWriter::new(out, format, &columns)?;
    if !args.wide {
        table.fix_widths();
    }
    // The length of the shortest solution of each instance so far.
    let mut shortest: Vec<Option<usize>> = vec![None; instances.len()];
    for configuration @ (algorithm, heuristic) in configurations {
        let settings = Settings {
            algorithm,
            heuristic,
            ..base.clone()
        };
        let title = format!("{} {}", name_of(&algorithm), name_of(&heuristic));
        writeln!(progress, "{title} …")?;
        // All instances are searched by one engine, so that its databases are built once.
        let mut engine = catalog::build(&settings)?;
        let mut rows = Vec::new();
        for ((name, setup), shortest) in instances.iter().zip(&mut shortest) {
            engine.set(setup, &[])?;
            prepare(engine.as_mut(), &title, progress)?;
            let mut row = Row::of(engine.as_mut(), &limits)?;
            row.is_longer =
                matches!((row.steps, *shortest), (Some(steps), Some(shortest)) if shortest < steps);
            *shortest = [*shortest, row.steps].into_iter().flatten().min();
            table.row(&row.cells(name, configuration, &mut marks))?;
            rows.push(row);
        }
        if rows.len() > 1 {
            table.row(&means(&rows, configuration, &mut marks))?;
        }
    }
    table.note("")?;
    table.note(
        "optimal: yes if proved by this search, no if an earlier row has a shorter solution. \
         generated: nodes generated.",
    )?;
    for note in marks.notes() {
        table.note(&note)?;
    }
    table.finish()?;
    Ok(())
}

/// Returns the columns, wide enough for the names of instances, algorithms and heuristics. Unless `is_wide`, hides the
/// columns that do not fit into 80 characters.
fn columns(is_wide: bool, instances: &[Instance], configurations: &[Configuration]) -> Vec<Column> {
    let longest = |names: &mut dyn Iterator<Item = String>| {
        let lengths = names.map(|name| name.chars().count());
        lengths.max().unwrap_or_default()
    };
    let mut columns = COLUMNS.to_vec();
    for column in &mut columns {
        let needed = match column.name {
            "instance" => longest(&mut instances.iter().map(|(name, _)| name.clone())),
            "algorithm" => longest(&mut configurations.iter().map(|(name, _)| name_of(name))),
            "heuristic" => longest(&mut configurations.iter().map(|(_, name)| name_of(name))),
            _ => 0,
        };
        column.width = column.width.max(needed);
    }
    if !is_wide {
        // The column of names is useless for a single instance.
        columns[0].is_shown = instances.len() > 1;
        columns[0].width = columns[0].width.min(MAX_INSTANCE_WIDTH);
        super::fit(&mut columns, DROPPABLE);
    }
    columns
}

/// Builds the databases and other data that the search needs. The time of the search does not include this work.
/// Reports the time if it is long.
fn prepare(engine: &mut dyn Engine, title: &str, progress: &mut dyn Write) -> Result<(), Failure> {
    let start = Instant::now();
    let mut messages = Vec::new();
    engine.prepare(&mut Control::unlimited(), &mut |report| {
        if let Report::Error(message) | Report::Text(message) = report {
            messages.push(message);
        }
    });
    for message in messages {
        writeln!(progress, "{title}: {message}")?;
    }
    if start.elapsed() >= MIN_REPORTED_SETUP {
        let seconds = start.elapsed().as_secs_f64();
        writeln!(
            progress,
            "{title}: databases built in {seconds:.1} s, not included in time_ms"
        )?;
    }
    Ok(())
}

/// Returns the pairs of algorithm and heuristic to run. The puzzle supports the algorithms `supported` and the
/// heuristics `heuristics`.
fn configurations(
    args: &Args,
    variant: &str,
    supported: &'static [Algorithm],
    heuristics: &[HeuristicName],
) -> Result<Vec<Configuration>, EngineError> {
    // By default, an algorithm that uses a heuristic runs with every heuristic except `auto` and `zero`. It runs with
    // these if there is no other heuristic.
    let is_default =
        |name: &&HeuristicName| !matches!(name, HeuristicName::Auto | HeuristicName::Zero);
    let mut defaults: Vec<HeuristicName> = heuristics.iter().filter(is_default).copied().collect();
    if defaults.is_empty() {
        defaults = heuristics.to_vec();
    }
    let heuristics = match args.heuristics.as_slice() {
        [] => &defaults,
        given => given,
    };
    let is_auto_only = args.suite.is_some() && args.algorithms.is_empty();
    let algorithms = if is_auto_only {
        vec![Algorithm::Auto]
    } else {
        super::algorithms(args, variant, supported)?
    };
    let pairs = |algorithm: Algorithm| -> Vec<Configuration> {
        match algorithm {
            // These searches use no heuristic.
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

/// The result and the cost of one search.
#[derive(Default)]
struct Row {
    /// The number of moves of the solution. `None` if none was found.
    steps: Option<usize>,
    /// `true` if the search has proved that no solution is shorter.
    is_optimal: bool,
    /// `true` if an earlier row has a shorter solution.
    is_longer: bool,
    /// `true` if the solver works for this puzzle only.
    is_specialized: bool,
    /// Nodes expanded.
    examined: u64,
    /// Nodes generated.
    generated: u64,
    /// Peak memory in bytes.
    stored: u64,
    /// The time of the search.
    seconds: f64,
    /// The reason why the search did not finish.
    unfinished: Option<String>,
}

impl Row {
    /// Searches the engine's position.
    fn of(engine: &mut dyn Engine, limits: &Limits) -> Result<Self, Failure> {
        let budget = limits.budget(engine.status().turn, Duration::ZERO);
        let mut control = Control::new(limits, budget, Arc::default());
        let mut row = Self {
            is_specialized: engine.is_specialized(),
            ..Self::default()
        };
        let start = Instant::now();
        engine.go(limits, &mut control, &mut |report| match report {
            Report::Info(info) => {
                row.generated = info.nodes;
                // A report has either a solution or a lower bound on its length. The number of moves does not tell them
                // apart, because a solved position has an empty solution.
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
        row.seconds = start.elapsed().as_secs_f64();
        if !row.is_optimal && row.unfinished.is_none() && control.poll().is_err() {
            let seconds = limits.movetime.unwrap_or(DEFAULT_TIME_MS) as f64 / 1000.0;
            row.unfinished = Some(format!("time limit of {seconds} s (--movetime)"));
        }
        Ok(row)
    }

    /// Returns the cells of the row, one for each of [`COLUMNS`].
    fn cells(
        &self,
        name: &str,
        (algorithm, heuristic): Configuration,
        marks: &mut Marks,
    ) -> Vec<Value> {
        let optimal = match self {
            Self {
                is_optimal: true, ..
            } => json!(true),
            Self {
                is_longer: true, ..
            } => json!(false),
            Self { steps: Some(_), .. } if marks.format != Format::Json => json!("not proved"),
            _ => Value::Null,
        };
        vec![
            json!(name),
            json!(name_of(&algorithm)),
            json!(name_of(&heuristic)),
            json!(self.steps),
            optimal,
            json!(self.examined),
            json!(self.generated),
            json!(rounded(self.stored as f64 / f64::from(1 << 20))),
            marks.time(
                self.seconds,
                self.is_specialized,
                self.unfinished.as_deref(),
            ),
            json!(self.unfinished),
            json!(self.is_specialized),
        ]
    }
}

/// The marks after times, and what they mean.
struct Marks {
    format: Format,
    /// `true` if a letter after the time replaces the column `unfinished`.
    has_letters: bool,
    /// `true` if a time so far is marked with `*`.
    is_any_specialized: bool,
    /// The reasons so far why searches did not finish. The letter `a` stands for the first, `b` for the second, ….
    reasons: Vec<String>,
}

impl Marks {
    /// Returns the cell of a time in ms: a text with marks in terminal and Markdown tables, else a number.
    fn time(&mut self, seconds: f64, is_specialized: bool, unfinished: Option<&str>) -> Value {
        let time = rounded(seconds * 1000.0);
        if matches!(self.format, Format::Csv | Format::Json) {
            return json!(time);
        }
        self.is_any_specialized |= is_specialized;
        let star = if is_specialized { '*' } else { ' ' };
        let letter = unfinished
            .filter(|_| self.has_letters)
            .map_or(' ', |reason| {
                let known = self.reasons.iter().position(|known| known == reason);
                let index = known.unwrap_or_else(|| {
                    self.reasons.push(reason.into());
                    self.reasons.len() - 1
                });
                (b'a'..=b'z').nth(index).map_or('?', char::from)
            });
        let text = format!("{}{star}{letter}", compact(time, BARE_TIME_WIDTH));
        match self.format {
            Format::Markdown => json!(text.trim_end()),
            _ => json!(text),
        }
    }

    /// Returns the explanations of the marks, one paragraph each.
    fn notes(&self) -> Vec<String> {
        let star = self.is_any_specialized.then(|| {
            "*: a solver for this puzzle only; its time is not comparable with that of a general search."
                .to_string()
        });
        let letters = ('a'..='z').zip(&self.reasons);
        let letters = letters.map(|(letter, reason)| format!("{letter}: unfinished, {reason}."));
        star.into_iter().chain(letters).collect()
    }
}

/// Returns the cells of the row of means over all instances. `steps` is the mean over the solved instances.
fn means(rows: &[Row], (algorithm, heuristic): Configuration, marks: &mut Marks) -> Vec<Value> {
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
        marks.time(
            rows.iter().map(|row| row.seconds).sum::<f64>() / rows.len() as f64,
            rows[0].is_specialized,
            unfinished.as_deref(),
        ),
        json!(unfinished),
        json!(rows[0].is_specialized),
    ]
}

/// Rounds to two decimals.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
