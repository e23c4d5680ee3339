//! `puli compare`: the table of algorithms for one position, or for many puzzles, a line as each search finishes.

mod games;
mod puzzles;

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use super::sheet::Format;
use crate::catalog;
use crate::engine::{Setup, Spanned};
use crate::settings::{Algorithm, DEFAULT_VARIANT, HeuristicName, Settings};

/// What `puli compare` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game
    #[arg(long, default_value = DEFAULT_VARIANT)]
    variant: String,
    /// The position, as `position fen` takes it; the start position without it
    #[arg(long)]
    pub fen: Option<String>,
    /// Iterations for every algorithm [default: 6, unless a time is given]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=255))]
    pub depth: Option<u32>,
    /// Milliseconds for every algorithm
    #[arg(long)]
    pub movetime: Option<i64>,
    /// MiB for every transposition table
    #[arg(long, default_value_t = 64)]
    hash: u64,
    /// Puzzles: a file of positions instead of one
    #[arg(long, conflicts_with = "fen")]
    pub suite: Option<PathBuf>,
    /// Puzzles: only this algorithm; may be repeated
    #[arg(long = "algorithm", value_enum)]
    pub algorithms: Vec<Algorithm>,
    /// Puzzles: only this estimate; may be repeated
    #[arg(long = "heuristic", value_enum)]
    pub heuristics: Vec<HeuristicName>,
    /// How to write the table
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
}

/// Compares what the variant has: algorithms, and for puzzles estimates too. Progress goes to `progress`.
pub fn run(args: &Args, out: &mut dyn Write, progress: &mut dyn Write) -> Result<(), Failure> {
    let variant = catalog::named(&args.variant)?;
    let settings = Settings {
        variant,
        ..Settings::default()
    };
    if catalog::build(&settings)?.is_puzzle() {
        puzzles::run(args, variant, out, progress)
    } else {
        games::run(args, variant, out, progress)
    }
}

fn setup(fen: Option<&String>) -> Setup {
    fen.map_or(Setup::Start, |fen| {
        Setup::Fen(Spanned {
            offset: 0,
            text: fen.clone(),
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_algorithm_finds_the_value_of_the_tutorials_start() {
        let args = Args {
            variant: "aadu-puli".into(),
            fen: None,
            depth: Some(4),
            movetime: None,
            hash: 1,
            suite: None,
            algorithms: Vec::new(),
            heuristics: Vec::new(),
            format: Format::Json,
        };
        let mut out = Vec::new();
        run(&args, &mut out, &mut std::io::sink()).unwrap();
        let rows: Vec<Value> = serde_json::from_slice(&out).unwrap();
        let exact: Vec<&Value> = rows
            .iter()
            .filter(|row| !["expectimax", "auto"].contains(&row["algorithm"].as_str().unwrap()))
            .collect();
        assert_eq!(exact.len(), 8);
        for row in exact {
            assert_eq!(row["score"], 49, "{row}");
        }
    }
}
