//! `puli tables`: builds the pattern databases of a sliding puzzle, which `auto` loads from the folder of option
//! `TablebasePath`.
//!
//! The tiles are partitioned into patterns. The database of a pattern is a file. For each placement of the
//! pattern's tiles, it stores the minimum number of their moves to their homes.

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

/// The arguments of `puli tables`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Build the databases of <GAME>
    #[arg(value_name = "GAME", value_parser = ["15-puzzle", "24-puzzle"], ignore_case = true)]
    variant: String,
    /// Write one file per pattern to the folder <DIR>, which is created if necessary
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Partition the tiles into patterns of <SIZES> tiles, such as 6-6-3 [default: 7-8 for the 15-puzzle; 6-6-6-6, in
    /// three partitions, for the 24-puzzle]
    #[arg(long, value_name = "SIZES")]
    pattern: Option<String>,
    /// Solve to the goal with the rows <ROWS>, such as 1,2,3,4/… [default: the blank first, the tiles in order]
    #[arg(long, value_name = "ROWS")]
    goal: Option<String>,
    /// Use <N> threads, 1 to 256; each builds a pattern until fewer are left than threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
}

/// Interval between two updates of the progress line.
const REDRAW_INTERVAL: Duration = Duration::from_millis(20);

/// Builds missing and damaged databases, and keeps valid databases.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let (tiles, default_sizes) = puzzle(args)?;
    let partitions = partition::of_sizes(&tiles, args.pattern.as_deref().unwrap_or(default_sizes))?;
    let _lock = durable::prepare_folder(&args.out, &file::FILE_KINDS)?;
    let mut patterns = Vec::new();
    for pattern in partition::patterns(&tiles, &partitions) {
        match file::load(&args.out, &pattern, &mut || true) {
            Ok(Some(_)) => writeln!(
                out,
                "{} exists",
                path_name(&file::path(&args.out, &pattern))
            )?,
            Ok(None) => patterns.push(pattern),
            Err(error) if file::is_foreign(&file::path(&args.out, &pattern)) => {
                return Err(EngineError::new(format!("{error}: move it to another folder")).into());
            }
            Err(error) => {
                writeln!(out, "{error}; building it again")?;
                patterns.push(pattern);
            }
        }
    }
    for pattern in &patterns {
        durable::check_writable(&file::path(&args.out, pattern))?;
    }
    let bytes: usize = patterns.iter().map(Pattern::bytes).sum();
    durable::require_space(&args.out, bytes as u64)?;
    // The largest pattern takes longest, so start it first. If it started last, only one thread would work at the end.
    patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.placements()));
    let start = Instant::now();
    for path in build(args, &patterns)? {
        let size = std::fs::metadata(&path).map_or(0, |file| file.len());
        writeln!(
            out,
            "{} written: {:.1} MB",
            path_name(&path),
            size as f64 / 1e6
        )?;
    }
    writeln!(
        out,
        "{} tables built in {:.1} s",
        patterns.len(),
        start.elapsed().as_secs_f64()
    )?;
    Ok(())
}

/// Returns the board with its goal, and the default sizes of the patterns.
fn puzzle(args: &Args) -> Result<(Tiles, &'static str), EngineError> {
    let (tiles, default_sizes) = match catalog::named(&args.variant)? {
        "15-puzzle" => (Tiles::new(4, 4), "7-8"),
        "24-puzzle" => (Tiles::new(5, 5), "6-6-6-6"),
        other => {
            return Err(EngineError::new(format!(
                "no pattern databases for {other}: expected 15-puzzle or 24-puzzle"
            )));
        }
    };
    let Some(rows) = &args.goal else {
        return Ok((tiles, default_sizes));
    };
    let (goal, _) = tiles.read_position(&format!("{rows} goal {rows}"))?;
    if (goal.width, goal.height) != (tiles.width, tiles.height) {
        return Err(EngineError::new(format!(
            "--goal: expected {} rows and columns",
            tiles.width
        )));
    }
    Ok((goal, default_sizes))
}

/// Builds and saves the databases, with a progress line.
fn build(args: &Args, patterns: &[Pattern]) -> Result<Vec<PathBuf>, EngineError> {
    // The number of finished placements of each pattern.
    let placed: Vec<AtomicUsize> = patterns.iter().map(|_| AtomicUsize::new(0)).collect();
    let tasks: Vec<_> = patterns.iter().zip(&placed).collect();
    let build_table = |&(pattern, placed): &(&Pattern, &AtomicUsize),
                       worker_state: &WorkerState| {
        let on_progress = |placements, _all| {
            placed.fetch_max(placements, Ordering::Relaxed);
            true
        };
        match PatternTable::build_with_helpers(pattern.clone(), worker_state, &on_progress) {
            Ok(table) => file::save(&args.out, &table),
            Err(BuildError::OutOfMemory(out_of_memory)) => {
                Err(EngineError::new(out_of_memory.to_string()))
            }
            Err(BuildError::Stopped) => Err(EngineError::new("building a table was stopped")),
        }
    };
    let threads = args.threads as usize;
    thread::scope(|scope| {
        let work = scope.spawn(|| workers::map_tasks(&tasks, threads, build_table));
        let all: usize = patterns.iter().map(Pattern::placements).sum();
        let progress = Progress::new(all as u64, "placements");
        while !work.is_finished() {
            let done: usize = placed
                .iter()
                .map(|count| count.load(Ordering::Relaxed))
                .sum();
            progress.set(done as u64);
            thread::sleep(REDRAW_INTERVAL);
        }
        let saved = work.join().unwrap_or_else(|panic| resume_unwind(panic));
        saved.into_iter().collect()
    })
}
