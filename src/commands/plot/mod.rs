//! `puli plot`: draws charts of the measurements that other subcommands and scripts write.
//!
//! Module `records` reads the measurements, `figures` and `tiles` turn them into a `Chart`, and `canvas` draws it.

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

/// The arguments of `puli plot`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Draw this kind of chart
    #[arg(value_enum)]
    kind: Kind,
    /// Read measurements from <FILE> in CSV or JSON; '-' is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
    /// Write the chart to <FILE> instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file of --out if it exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Choose the colors
    #[arg(long, value_enum, default_value = "auto")]
    theme: Theme,
    /// Use <TEXT> as the title of the chart
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Make the chart <PIXELS> pixels wide, 320 to 10000
    #[arg(long, value_name = "PIXELS", default_value_t = DEFAULT_SIZE.0, value_parser = clap::value_parser!(u32).range(320..=10_000))]
    width: u32,
    /// Make the chart <PIXELS> pixels high, 240 to 10000 [default: depends on the chart]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(240..=10_000))]
    height: Option<u32>,
}

/// A kind of chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Nodes to each depth, one line per algorithm, from `compare --each-depth`
    Nodes,
    /// Time to each depth, one line per algorithm, from `compare --each-depth`
    Time,
    /// Nodes by algorithm and heuristic, from `compare` of puzzles
    Heuristics,
    /// Elo with its confidence interval, from reports of `scripts/match`
    Elo,
    /// The course of a sequential test, from a report of `scripts/match`
    Sprt,
    /// Mean score and tiles reached during training, from `train --format json`
    Learning,
    /// Rates of tiles, from `play 2048 --games N --format json`
    Tiles,
    /// Wins and draws in each layer of a solved game, from `solve --format json`
    Layers,
}

/// Default width and minimum default height, in pixels.
const DEFAULT_SIZE: (u32, u32) = (840, 480);

/// Reads measurements and draws the chart.
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
    durable::write(path, |out| out.write_all(picture.as_bytes()))?;
    Ok(())
}

/// Draws a chart of the records in `text`, in CSV or JSON.
pub(crate) fn draw_text(kind: Kind, text: &str, title: &str) -> Result<String, EngineError> {
    let source = Source {
        name: String::new(),
        records: records::records(text).map_err(EngineError::new)?,
    };
    let mut chart = figures::figure(kind, &[source])?;
    chart.title = title.into();
    draw(&chart, Theme::Auto, (DEFAULT_SIZE.0, None))
}

/// Draws a chart with this width and height in pixels, or with a default height.
fn draw(
    chart: &chart::Chart,
    theme: Theme,
    (width, height): (u32, Option<u32>),
) -> Result<String, EngineError> {
    // Each tick of the y axis, which can be a name, needs 24 pixels. Title and axis need 130 pixels.
    let ticks = chart.panels.iter().map(|panel| panel.y.ticks.len()).max();
    let min_height = 130 + 24 * ticks.unwrap_or(0) as u32;
    let panels = chart.panels.len() as u32;
    let height = height.unwrap_or_else(|| min_height.max(DEFAULT_SIZE.1) + (panels - 1) * 180);
    canvas::draw(chart, theme, (width, height)).map_err(EngineError::new)
}
