//! `puli compare` for puzzles: searches each instance with each algorithm and heuristic. The table has one row per
//! search, and a row of means after the instances of a suite.
//!
//! In tables of 80 characters, marks after the time replace the columns `specialized` and `unfinished`: `*` for a
//! solver of this puzzle only, and a letter for the reason why the search did not finish. Notes below the table
//! explain the marks.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::instances::{Instance, instances};
use super::puzzle_row::{Configuration, DEFAULT_TIME_MS, Marks, Row, TIME_WIDTH, rounded};
use super::{Args, averages};
use crate::catalog;
use crate::commands::table_writer::{Column, Format, TableWriter};
use crate::commands::{Failure, fen_error};
use crate::control::{Control, Limits};
use crate::engine::{Engine, Report, Setup};
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
    Column::number("b_star", 6),
];

/// The columns to hide, in this order, until a table fits into 80 characters. [`Marks`] replace the second and
/// third.
const DROPPABLE: &[&str] = &[
    "b_star",
    "specialized",
    "unfinished",
    "peak_mib",
    "examined",
    "generated",
];

/// Maximum width of an instance's name in an 80-character table, in characters.
const MAX_INSTANCE_WIDTH: usize = 8;

/// Minimum reported time for building databases.
const MIN_REPORTED_SETUP: Duration = Duration::from_millis(100);

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
        ("--counts", args.counts.is_some()),
    ];
    if let Some((option, _)) = for_games.iter().find(|(_, is_given)| *is_given) {
        let why = format!("{option} requires a game: {variant} is a puzzle");
        return Err(EngineError::new(why).into());
    }
    let mut engine = catalog::build(base)?;
    let instances = instances(args, engine.as_ref())?;
    let supported = engine.algorithms();
    let heuristics = shared_heuristics(args, engine.as_mut(), &instances, progress)?;
    let limits = Limits {
        movetime: Some(args.movetime.unwrap_or(DEFAULT_TIME_MS)),
        depth: args.depth,
        ..Limits::default()
    };
    let configurations = configurations(args, variant, supported, &heuristics)?;
    let columns = columns(args, &instances, &configurations);
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
    // The length of the shortest known solution of each instance.
    let mut shortest: Vec<Option<usize>> = vec![None; instances.len()];
    for configuration @ (algorithm, heuristic) in configurations {
        let settings = Settings {
            algorithm,
            heuristic,
            ..base.clone()
        };
        let title = format!("{} {}", name_of(&algorithm), name_of(&heuristic));
        writeln!(progress, "{title} …")?;
        // One engine searches all instances, so that its databases are built once.
        let mut engine = catalog::build(&settings)?;
        let mut rows = Vec::new();
        for ((name, setup), shortest) in instances.iter().zip(&mut shortest) {
            engine.set(setup, &[])?;
            prepare(engine.as_mut(), &title, progress)?;
            let mut row = Row::of(engine.as_mut(), &limits)?;
            row.is_longer =
                matches!((row.steps, *shortest), (Some(steps), Some(shortest)) if shortest < steps);
            *shortest = [*shortest, row.steps].into_iter().flatten().min();
            if args.random.is_none() {
                table.row(&row.cells(name, configuration, &mut marks))?;
            }
            rows.push(row);
        }
        if args.random.is_some() {
            table.row(&averages::cells(&rows, configuration))?;
        } else if rows.len() > 1 {
            table.row(&means(&rows, configuration, &mut marks))?;
        }
    }
    table.note("")?;
    if args.random.is_some() {
        table.note(
            "Means over the solved puzzles. plus_minus: half the 95% interval of generated. \
             b_star: effective branching factor.",
        )?;
        table.finish()?;
        return Ok(());
    }
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

/// Returns the heuristics available for every instance. Rejects invalid instances before the table starts, and writes
/// the FENs of random instances to `progress`.
fn shared_heuristics(
    args: &Args,
    engine: &mut dyn Engine,
    instances: &[Instance],
    progress: &mut dyn Write,
) -> Result<Vec<HeuristicName>, Failure> {
    let mut heuristics = engine.heuristics();
    for (name, setup) in instances {
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
        let is_random = matches!(setup, Setup::Random { .. } | Setup::Scramble { .. });
        if is_random && args.random.is_none() {
            writeln!(progress, "{name} is position fen {}", engine.fen())?;
        }
    }
    Ok(heuristics)
}

/// Returns the columns, wide enough for the names of instances, algorithms and heuristics. Unless `is_wide`, hides the
/// columns that do not fit into 80 characters.
fn columns(args: &Args, instances: &[Instance], configurations: &[Configuration]) -> Vec<Column> {
    let longest = |names: &mut dyn Iterator<Item = String>| {
        let lengths = names.map(|name| name.chars().count());
        lengths.max().unwrap_or_default()
    };
    let (all, droppable) = match args.random {
        Some(_) => (averages::COLUMNS, averages::DROPPABLE),
        None => (COLUMNS, DROPPABLE),
    };
    let mut columns = all.to_vec();
    for column in &mut columns {
        let needed = match column.name {
            "instance" => longest(&mut instances.iter().map(|(name, _)| name.clone())),
            "algorithm" => longest(&mut configurations.iter().map(|(name, _)| name_of(name))),
            "heuristic" => longest(&mut configurations.iter().map(|(_, name)| name_of(name))),
            _ => 0,
        };
        column.width = column.width.max(needed);
    }
    if !args.wide {
        for column in columns
            .iter_mut()
            .filter(|column| column.name == "instance")
        {
            // The column of names is useless for a single instance.
            column.is_shown = instances.len() > 1;
            column.width = column.width.min(MAX_INSTANCE_WIDTH);
        }
        super::fit(&mut columns, droppable);
    }
    columns
}

/// Builds the databases and other data for the search, outside of its time. Reports a long time.
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

/// Returns the pairs of algorithm and heuristic to run, among the algorithms `supported` by the puzzle and its
/// `heuristics`.
fn configurations(
    args: &Args,
    variant: &str,
    supported: &'static [Algorithm],
    heuristics: &[HeuristicName],
) -> Result<Vec<Configuration>, EngineError> {
    // By default, an algorithm with a heuristic runs with every heuristic except `auto` and `zero`, or with these two
    // if there is no other.
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

/// Returns the row of means over all instances. `steps` is the mean over the solved instances.
fn means(rows: &[Row], (algorithm, heuristic): Configuration, marks: &mut Marks) -> Vec<Value> {
    let mean =
        |of: &dyn Fn(&Row) -> f64| rounded(rows.iter().map(of).sum::<f64>() / rows.len() as f64);
    let solved = rows.iter().filter_map(|row| row.steps);
    let count = solved.clone().count().max(1);
    let optimal = rows.iter().filter(|row| row.is_optimal).count();
    let unfinished = rows.iter().filter(|row| row.unfinished.is_some()).count();
    let factors: Vec<f64> = rows.iter().filter_map(Row::branching_factor).collect();
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
        json!(averages::mean(&factors).map(rounded)),
    ]
}
