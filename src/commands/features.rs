//! `puli features`: lists the features of the textbook evaluation of a game, with their numbers and weights.

use std::io::Write;

use clap::ValueEnum;
use serde_json::{Value, json};

use super::table_writer::{Column, Format, TableWriter};
use super::{Failure, fen_error, setup};
use crate::catalog;
use crate::error::EngineError;
use crate::protocol::values;
use crate::search::Feature;
use crate::settings::Settings;

const COLUMNS: &[Column] = &[
    Column::text("feature", 7),
    Column::number("number", 6),
    Column::number("weight", 6),
    Column::number("points", 6),
];

/// The arguments of `puli features`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// List the features of <GAME>, or of the game of the board file <FILE>
    #[arg(value_name = "GAME|FILE", value_parser = super::Games, hide_possible_values = true)]
    variant: String,
    /// Count the features of the position <FEN>, as in `position fen` [default: the start position]
    #[arg(long, value_name = "FEN", allow_negative_numbers = true)]
    fen: Option<String>,
    /// Write the list in this format
    #[arg(long, value_enum, default_value = "table")]
    format: OutputFormat,
}

/// The format of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// Aligned columns for a terminal
    Table,
    /// Markdown
    Markdown,
    /// Comma-separated values with a header line (RFC 4180)
    Csv,
    /// A JSON array of objects
    Json,
    /// The file that --weights of trace and compare reads, with the usual weights
    Weights,
}

/// Lists the features of a game.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut settings = Settings::default();
    settings.choose_game(&args.variant)?;
    let mut engine = catalog::build(&settings)?;
    let setup = setup(args.fen.as_ref());
    engine.set(&setup, &[]).map_err(|why| fen_error(&why))?;
    let features = engine.features();
    if features.is_empty() {
        let variant = settings.variant;
        let why = format!("{variant} has no features: expected a hunt game or an m,n,k game");
        return Err(EngineError::new(why).into());
    }
    let format = match args.format {
        OutputFormat::Table => Format::Table,
        OutputFormat::Markdown => Format::Markdown,
        OutputFormat::Csv => Format::Csv,
        OutputFormat::Json => Format::Json,
        OutputFormat::Weights => {
            for feature in &features {
                writeln!(out, "{} {}", feature.name, points(feature.weight))?;
            }
            return Ok(out.flush()?);
        }
    };
    let mut columns = COLUMNS.to_vec();
    let longest = features.iter().map(|feature| feature.name.chars().count());
    columns[0].width = longest.max().unwrap_or_default();
    let mut table = TableWriter::new(out, format, &columns)?;
    for feature in &features {
        table.row(&[
            json!(feature.name),
            json!(feature.number),
            points(feature.weight),
            points(feature.value()),
        ])?;
    }
    let about = engine.state().about;
    let sum: i32 = features.iter().map(Feature::value).sum();
    table.note("")?;
    table.note(&format!(
        "Weights and points are those of the {}. The evaluation is the sum: {}.",
        about.players[0],
        points(sum)
    ))?;
    table.finish()?;
    Ok(())
}

/// Converts hundredths of a point to points.
fn points(hundredths: i32) -> Value {
    values::number(f64::from(hundredths) / 100.0)
}
