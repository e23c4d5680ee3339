//! `puli tables`: makes the pattern databases that `auto` finds in the folder of option `TablebasePath`.

use std::io::Write;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Failure;
use super::progress::Progress;
use crate::catalog;
use crate::control::workers::{self, WorkerState};
use crate::durable;
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::tiles::pattern::{Pattern, PatternTable, file};
use crate::games::tiles::{Tiles, partition};
use crate::rules::Notation;
use crate::try_alloc::BuildError;

/// What `puli tables` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The puzzle
    #[arg(value_name = "GAME", value_parser = ["15-puzzle", "24-puzzle"], ignore_case = true)]
    variant: String,
    /// The folder for the files, one for every pattern; it is made if it is not there
    #[arg(long)]
    out: PathBuf,
    /// How many tiles the patterns have, as 6-6-3 [default: 7-8 for the 15-puzzle, 6-6-6-6, in three ways, for the 24-puzzle]
    #[arg(long)]
    pattern: Option<String>,
    /// The goal's rows, as 1,2,3,4/…; without them the blank comes first
    #[arg(long)]
    goal: Option<String>,
    /// Threads that work at the same time, on a pattern each as long as there are as many
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
}

/// How often it is looked how far the work is.
const LOOK: Duration = Duration::from_millis(20);

/// Makes what is missing or damaged, and keeps the rest.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let (tiles, usual) = puzzle(args)?;
    let partitions = partition::of_sizes(&tiles, args.pattern.as_deref().unwrap_or(usual))?;
    let _claim = durable::prepare_folder(&args.out, &file::kin())?;
    let mut patterns = Vec::new();
    for pattern in partition::patterns(&tiles, &partitions) {
        match file::load(&args.out, &pattern, &mut || true) {
            Ok(Some(_)) => writeln!(
                out,
                "{} is there",
                path_name(&file::path(&args.out, &pattern))
            )?,
            Ok(None) => patterns.push(pattern),
            Err(refusal) if file::is_foreign(&file::path(&args.out, &pattern)) => {
                return Err(EngineError::new(format!("{refusal}: move it away")).into());
            }
            Err(refusal) => {
                writeln!(out, "{refusal}; it is made anew")?;
                patterns.push(pattern);
            }
        }
    }
    for pattern in &patterns {
        durable::check_writable(&file::path(&args.out, pattern))?;
    }
    let bytes: usize = patterns.iter().map(Pattern::bytes).sum();
    durable::require_space(&args.out, bytes as u64)?;
    // The largest takes the longest.
    patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.placements()));
    let begin = Instant::now();
    for path in build(args, &patterns)? {
        let size = std::fs::metadata(&path).map_or(0, |file| file.len());
        writeln!(
            out,
            "{} is made: {:.1} MB",
            path_name(&path),
            size as f64 / 1e6
        )?;
    }
    writeln!(
        out,
        "{} made in {:.1} s",
        patterns.len(),
        begin.elapsed().as_secs_f64()
    )?;
    Ok(())
}

/// The board, and the sizes of its usual patterns.
fn puzzle(args: &Args) -> Result<(Tiles, &'static str), EngineError> {
    let (tiles, usual) = match catalog::named(&args.variant)? {
        "15-puzzle" => (Tiles::new(4, 4), "7-8"),
        "24-puzzle" => (Tiles::new(5, 5), "6-6-6-6"),
        other => {
            return Err(EngineError::new(format!(
                "{other} has no pattern databases to make; 15-puzzle and 24-puzzle have"
            )));
        }
    };
    let Some(rows) = &args.goal else {
        return Ok((tiles, usual));
    };
    let (goal, _) = tiles.read_position(&format!("{rows} goal {rows}"))?;
    if (goal.width, goal.height) != (tiles.width, tiles.height) {
        return Err(EngineError::new(format!(
            "expected a goal of {} rows and columns",
            tiles.width
        )));
    }
    Ok((goal, usual))
}

/// Makes and saves the tables, and shows on a terminal how far they are.
fn build(args: &Args, patterns: &[Pattern]) -> Result<Vec<PathBuf>, EngineError> {
    let done: Vec<AtomicUsize> = patterns.iter().map(|_| AtomicUsize::new(0)).collect();
    let tasks: Vec<_> = patterns.iter().zip(&done).collect();
    let make = |&(pattern, done): &(&Pattern, &AtomicUsize), common: &WorkerState| {
        let watch = |placements, _all| {
            done.fetch_max(placements, Ordering::Relaxed);
            true
        };
        match PatternTable::build_among(pattern.clone(), common, &watch) {
            Ok(table) => file::save(&args.out, &table),
            Err(BuildError::OutOfMemory(out_of_memory)) => {
                Err(EngineError::new(out_of_memory.to_string()))
            }
            Err(BuildError::Stopped) => Err(EngineError::new("a table was not finished")),
        }
    };
    let threads = args.threads as usize;
    thread::scope(|scope| {
        let work = scope.spawn(|| workers::map_tasks(&tasks, threads, make));
        let all: usize = patterns.iter().map(Pattern::placements).sum();
        let progress = Progress::new(all as u64, "placements");
        while !work.is_finished() {
            let placed: usize = done.iter().map(|done| done.load(Ordering::Relaxed)).sum();
            progress.set(placed as u64);
            thread::sleep(LOOK);
        }
        let saved = work.join().unwrap_or_else(|panic| resume_unwind(panic));
        saved.into_iter().collect()
    })
}
