//! `puli compare` for puzzles: algorithm by estimate, for one position or for a file of them.

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
    Column::words("instance", 8),
    Column::words("algorithm", 9),
    Column::words("heuristic", 9),
    Column::numbers("steps", 5),
    Column::words("optimal", 10),
    Column::numbers("examined", 10),
    Column::numbers("generated", 9),
    Column::numbers("peak_mib", 8),
    Column::numbers("time_ms", TIME_WIDTH),
    Column::words("unfinished", 10),
    Column::words("specialized", 11),
];

/// The columns that a table of 80 characters omits, the least important first. Marks stand for the first two.
const DROPPABLE: &[&str] = &[
    "specialized",
    "unfinished",
    "peak_mib",
    "examined",
    "generated",
];

/// The characters of a time and its marks.
const TIME_WIDTH: usize = 9;
/// The characters of a time without its marks.
const BARE_TIME_WIDTH: usize = TIME_WIDTH - 2;

/// The widest name of an instance in a table of 80 characters.
const MAX_INSTANCE_WIDTH: usize = 8;

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
        return Err(EngineError::new(why).into());
    }
    let mut engine = catalog::build(base)?;
    let instances = instances(args, engine.as_ref())?;
    let known = engine.algorithms();
    let mut heuristics = engine.heuristics();
    for (name, setup) in &instances {
        let of = args.suite.as_ref();
        let of = of.map_or_else(String::new, |path| format!("{}: ", path_name(path)));
        let refuse = |why: String| EngineError::new(format!("{of}instance {name}: {why}"));
        let set = engine.set(setup, &[]);
        set.map_err(|refusal| match args.fen {
            Some(_) => fen_error(&refusal),
            None => refuse(refusal.to_string()),
        })?;
        let here = engine.heuristics();
        if let Some(stranger) = args
            .heuristics
            .iter()
            .find(|searched| !here.contains(searched))
        {
            let (stranger, here) = (name_of(stranger), names(&here));
            let why = format!("there is no {stranger} for this board, only {here}");
            return Err(refuse(why).into());
        }
        heuristics.retain(|heuristic| here.contains(heuristic));
        if let Setup::Random { .. } | Setup::Scramble { .. } = setup {
            writeln!(progress, "{name} is position fen {}", engine.fen())?;
        }
    }
    let limits = Limits {
        movetime: Some(args.movetime.unwrap_or(DEFAULT_TIME)),
        depth: args.depth,
        ..Limits::default()
    };
    let contestants = contestants(args, variant, known, &heuristics)?;
    let columns = columns(args.wide, &instances, &contestants);
    let has_reasons = columns
        .iter()
        .any(|column| column.name == "unfinished" && column.is_shown);
    let mut marks = Marks {
        format,
        has_letters: format == Format::Table && !has_reasons,
        is_any_specialized: false,
        reasons: Vec::new(),
    };
    let mut table = TableWriter::new(out, format, &columns)?;
    if !args.wide {
        table.fix_widths();
    }
    let mut shortest: Vec<Option<usize>> = vec![None; instances.len()];
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
        for ((name, setup), shortest) in instances.iter().zip(&mut shortest) {
            engine.set(setup, &[])?;
            prepare(engine.as_mut(), &title, progress)?;
            let mut row = Row::of(engine.as_mut(), &limits)?;
            row.is_longer =
                matches!((row.steps, *shortest), (Some(steps), Some(known)) if known < steps);
            *shortest = [*shortest, row.steps].into_iter().flatten().min();
            table.row(&row.cells(name, contestant, &mut marks))?;
            rows.push(row);
        }
        if rows.len() > 1 {
            table.row(&means(&rows, contestant, &mut marks))?;
        }
    }
    table.note("")?;
    table.note(
        "optimal: yes if this search proved it, no if an earlier row has a shorter solution. \
         generated: positions made.",
    )?;
    for note in marks.notes() {
        table.note(&note)?;
    }
    table.finish()?;
    Ok(())
}

/// Returns the columns, as wide as their words, and those that fit unless the table may be `wide`.
fn columns(is_wide: bool, instances: &[Instance], contestants: &[Contestant]) -> Vec<Column> {
    let longest = |names: &mut dyn Iterator<Item = String>| {
        let lengths = names.map(|name| name.chars().count());
        lengths.max().unwrap_or_default()
    };
    let mut columns = COLUMNS.to_vec();
    for column in &mut columns {
        let needed = match column.name {
            "instance" => longest(&mut instances.iter().map(|(name, _)| name.clone())),
            "algorithm" => longest(&mut contestants.iter().map(|(name, _)| name_of(name))),
            "heuristic" => longest(&mut contestants.iter().map(|(_, name)| name_of(name))),
            _ => 0,
        };
        column.width = column.width.max(needed);
    }
    if !is_wide {
        // The name of a single instance has been reported.
        columns[0].is_shown = instances.len() > 1;
        columns[0].width = columns[0].width.min(MAX_INSTANCE_WIDTH);
        super::fit(&mut columns, DROPPABLE);
    }
    columns
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
) -> Result<Vec<Contestant>, EngineError> {
    // `auto` is one of the others; but where there is only that it is set against none.
    let is_told_apart =
        |name: &&HeuristicName| !matches!(name, HeuristicName::Auto | HeuristicName::Zero);
    let mut all: Vec<HeuristicName> = heuristics.iter().filter(is_told_apart).copied().collect();
    if all.is_empty() {
        all = heuristics.to_vec();
    }
    let heuristics = match args.heuristics.as_slice() {
        [] => &all,
        searched => searched,
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
    /// Whether a shorter solution is known.
    is_longer: bool,
    /// Whether the search is made for this puzzle alone.
    is_specialized: bool,
    examined: u64,
    generated: u64,
    stored: u64,
    seconds: f64,
    /// Why the search did not come to its end, if it did not.
    unfinished: Option<String>,
}

impl Row {
    fn of(engine: &mut dyn Engine, limits: &Limits) -> Result<Self, Failure> {
        let budget = limits.budget(engine.status().turn, Duration::ZERO);
        let mut control = Control::new(limits, budget, Arc::default());
        let mut row = Self {
            is_specialized: engine.is_specialized(),
            ..Self::default()
        };
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

    fn cells(
        &self,
        name: &str,
        (algorithm, heuristic): Contestant,
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

/// The marks behind times, and what they mean.
struct Marks {
    format: Format,
    /// Whether letters stand for the reasons why searches did not finish.
    has_letters: bool,
    is_any_specialized: bool,
    /// The reasons so far; the first has the letter a.
    reasons: Vec<String>,
}

impl Marks {
    /// Returns the cell of a time: with its marks in a table for a person, else in milliseconds.
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

    /// Returns what the marks mean, a paragraph each.
    fn notes(&self) -> Vec<String> {
        let star = self.is_any_specialized.then(|| {
            "*: a search made for this puzzle alone; do not compare its time with that of a general search."
                .to_string()
        });
        let letters = ('a'..='z').zip(&self.reasons);
        let letters = letters.map(|(letter, reason)| format!("{letter}: unfinished, {reason}."));
        star.into_iter().chain(letters).collect()
    }
}

fn means(rows: &[Row], (algorithm, heuristic): Contestant, marks: &mut Marks) -> Vec<Value> {
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

/// With as many digits as matter.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
