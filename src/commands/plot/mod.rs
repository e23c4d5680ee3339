//! `puli plot`: pictures of what the other subcommands have measured.

mod canvas;
mod chart;
mod figures;
mod records;
mod tiles;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::Failure;
use crate::durable;
use crate::error::EngineError;
use crate::escape::escaped;
use canvas::Theme;
use records::Source;

/// What `puli plot` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// What to draw
    #[arg(value_enum)]
    kind: Kind,
    /// What was measured, in CSV or JSON; '-' is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
    /// The picture, in place of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file of --out if it exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Light or dark
    #[arg(long, value_enum, default_value = "auto")]
    theme: Theme,
    /// What stands above, in place of the kind's own title
    #[arg(long)]
    title: Option<String>,
    /// Pixels across
    #[arg(long, default_value_t = SIZE.0, value_parser = clap::value_parser!(u32).range(320..=10_000))]
    width: u32,
    /// Pixels down [default: as many as suit the kind]
    #[arg(long, value_parser = clap::value_parser!(u32).range(240..=10_000))]
    height: Option<u32>,
}

/// What can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Nodes to each depth, a line for every algorithm, from `compare --each-depth`
    Nodes,
    /// Time to each depth, likewise
    Time,
    /// Nodes by algorithm and heuristic, from `compare` of puzzles
    Heuristics,
    /// Strength with its error, from reports of `scripts/match`
    Elo,
    /// The path of a sequential test, from such a report
    Sprt,
    /// Mean score and tiles made while a network learns, from `train --format json`
    Learning,
    /// How often each tile is made, from `play 2048 --games N --format json`
    Tiles,
    /// Wins and draws in each layer of a solved game, from `solve --format json`
    Layers,
}

const SIZE: (u32, u32) = (840, 480);

/// Reads what was measured and draws it.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(path) = &args.out {
        let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
        durable::require_new(path, &inputs, args.force)?;
    }
    let sources = args.files.iter().map(|path| Source::open(path));
    let sources = sources.collect::<Result<Vec<_>, EngineError>>()?;
    let mut chart = figures::figure(args.kind, &sources)?;
    if let Some(title) = &args.title {
        chart.title = escaped(title).into_owned();
    }
    let picture = draw(&chart, args.theme, (args.width, args.height))?;
    let Some(path) = &args.out else {
        return Ok(out.write_all(picture.as_bytes())?);
    };
    durable::write(path, |draft| draft.write_all(picture.as_bytes()))?;
    Ok(())
}

/// Draws records that were not written to a file.
pub fn drawn(kind: Kind, text: &str, title: &str) -> Result<String, EngineError> {
    let source = Source {
        name: String::new(),
        records: records::records(text).map_err(EngineError::new)?,
    };
    let mut chart = figures::figure(kind, &[source])?;
    chart.title = title.into();
    draw(&chart, Theme::Auto, (SIZE.0, None))
}

fn draw(
    chart: &chart::Chart,
    theme: Theme,
    (width, height): (u32, Option<u32>),
) -> Result<String, EngineError> {
    // Names below one another want room.
    let rows = chart.panels.iter().map(|panel| panel.y.ticks.len()).max();
    let suits = 130 + 24 * rows.unwrap_or(0) as u32;
    let panels = chart.panels.len() as u32;
    let height = height.unwrap_or_else(|| suits.max(SIZE.1) + (panels - 1) * 180);
    canvas::draw(chart, theme, (width, height)).map_err(EngineError::new)
}
