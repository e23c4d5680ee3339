//! `puli atlas`: a table with one row per built-in hunt game. The first cells of a row are facts about the rules. The
//! others are results of perfect play: they need `--solve`, and are empty if the game is too large to solve.

mod cluster;
mod dataset;
mod existing_table;
mod results;
mod row;
mod solved_values;
mod variants;

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use self::dataset::DatasetArgs;
use self::row::{MIN_PREY_COLUMN, Row, START_COLUMN, columns, row};
use super::Failure;
use super::table_writer::{Format, TableWriter};
use crate::durable::{self, PathLock};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::{Board, board};

/// The arguments of `puli atlas`.
#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct Args {
    /// Write `atlas.md`, `atlas.csv` and `atlas.json` to the folder <DIR>. Results in an existing table are kept, so
    /// an interrupted run can be repeated
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace an existing table
    #[arg(long, requires = "out", conflicts_with = "cluster")]
    force: bool,
    /// Write the table to standard output in this format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Solve the games that fit in memory
    #[arg(long)]
    solve: bool,
    /// Find the minimum number of prey that wins, for games that start with all prey in hand
    #[arg(long, alias = "least-prey", requires = "solve")]
    min_prey: bool,
    /// Use at most <MIB> MiB of memory to solve a game
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    memory: u64,
    /// Solve only games with an estimated number of positions of at most <N>. Symmetric positions count once
    #[arg(long, alias = "most", value_name = "N", default_value_t = 100_000_000)]
    max_positions: u64,
    /// Solve the games on a cluster, one machine per game. <ADDRESS> is a Dask scheduler, or `local`. Runs
    /// `scripts/atlas`, which has more options
    #[arg(long, value_name = "ADDRESS", requires_all = ["out", "solve"], conflicts_with = "format")]
    cluster: Option<String>,
    /// Print the page of the solved games, with sources, published values and checks
    #[arg(long, conflicts_with_all = ["out", "format", "solve", "cluster", "games"])]
    results: bool,
    #[command(flatten)]
    dataset: DatasetArgs,
    /// List only these games, and games already in the table [default: all]
    #[arg(value_name = "GAME", value_parser = super::Games, hide_possible_values = true)]
    games: Vec<String>,
}

impl Args {
    /// Returns `true` if the game is named, or if no game is named.
    fn selects(&self, board: &Board) -> bool {
        let named = |game: &String| game.eq_ignore_ascii_case(&board.name);
        self.games.is_empty() || self.games.iter().any(named)
    }
}

/// The extensions of the table's files, with their formats.
const FORMATS: [(&str, Format); 3] = [
    ("md", Format::Markdown),
    ("csv", Format::Csv),
    ("json", Format::Json),
];

/// Computes the table row by row. After each row, the files are complete tables that contain it.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(game) = args.games.iter().find(|game| board::named(game).is_none()) {
        return Err(board::unknown(game).into());
    }
    if args.results {
        return Ok(results::write(out)?);
    }
    if let Some(folder) = &args.dataset.dataset {
        return dataset::write(folder, args, out);
    }
    if let Some(folder) = &args.dataset.check_dataset {
        return dataset::check(folder, args, out);
    }
    if let Some(address) = &args.cluster {
        return cluster::run(args, address);
    }
    let lock = args.out.as_deref().map(lock_folder).transpose()?;
    let existing = args
        .out
        .as_deref()
        .map(|folder| read_existing(folder, args.force));
    let existing = existing.transpose()?;
    let existing = existing.unwrap_or_default();
    let is_selected = |board: &Board| args.selects(board);
    let mut rows: Vec<(&'static Board, Option<Row>)> = board::ALL
        .iter()
        .map(|board| (*board, existing.get(board.name.as_str()).cloned()))
        .filter(|(board, row)| is_selected(board) || row.is_some())
        .collect();
    let columns = columns();
    let mut table = TableWriter::new(out, args.format, &columns)?;
    let mut is_written = false;
    for index in 0..rows.len() {
        let (board, existing) = &rows[index];
        let row = completed_row(board, existing.as_ref(), is_selected(board), args);
        table.row(&row)?;
        let is_changed = existing.as_ref() != Some(&row);
        rows[index].1 = Some(row);
        if is_changed {
            write_tables(args, &rows)?;
            is_written = true;
        }
    }
    if !is_written {
        write_tables(args, &rows)?;
    }
    drop(lock);
    Ok(table.finish()?)
}

/// Creates and locks the folder.
fn lock_folder(folder: &Path) -> Result<PathLock, EngineError> {
    let cannot = |error| EngineError::new(format!("cannot create {}: {error}", path_name(folder)));
    fs::create_dir_all(folder).map_err(cannot)?;
    PathLock::on_folder(folder)
}

/// Returns the rows of the table in a folder, by game, or no rows without a table or if `force` is set.
///
/// # Errors
/// If another version wrote the table, or if there is no table and its files cannot be created.
fn read_existing(folder: &Path, force: bool) -> Result<HashMap<String, Row>, EngineError> {
    if !force && path_of(folder, "json").exists() {
        return existing_table::read(folder);
    }
    for (extension, _) in FORMATS {
        durable::require_new(&path_of(folder, extension), &[], force)?;
    }
    Ok(HashMap::new())
}

/// Returns the path of the table's file with this extension.
fn path_of(folder: &Path, extension: &str) -> PathBuf {
    folder.join(format!("atlas.{extension}"))
}

/// Writes all rows that are `Some` to each file of the table. Does nothing without `--out`.
fn write_tables(args: &Args, rows: &[(&Board, Option<Row>)]) -> Result<(), EngineError> {
    let Some(folder) = &args.out else {
        return Ok(());
    };
    let columns = columns();
    for (extension, format) in FORMATS {
        durable::write(&path_of(folder, extension), |out| {
            let mut table_writer = TableWriter::new(&mut *out, format, &columns)?;
            for row in rows.iter().filter_map(|(_, row)| row.as_ref()) {
                table_writer.row(row)?;
            }
            table_writer.finish()?;
            match format {
                Format::Markdown => {
                    writeln!(out, "\nSources, and differences between them:")?;
                    let rows = rows.iter().filter(|(_, row)| row.is_some());
                    write_sources(rows.map(|(board, _)| *board), out)
                }
                _ => Ok(()),
            }
        })?;
    }
    Ok(())
}

/// Writes the sources of the rules, and the differences between them, as a list in Markdown after an empty line.
fn write_sources<'a>(
    boards: impl Iterator<Item = &'a Board>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out)?;
    for board in boards {
        let texts = [&board.spec.sources[..], &board.spec.differences[..]].concat();
        if !texts.is_empty() {
            writeln!(out, "- `{}`: {}.", board.name, texts.join("; "))?;
        }
    }
    Ok(())
}

/// Returns the row of a game: the existing row if it has all requested results, otherwise a new row.
fn completed_row(
    board: &'static Board,
    existing: Option<&Row>,
    is_selected: bool,
    args: &Args,
) -> Row {
    let needs_results = is_selected && args.solve;
    let Some(existing) = existing else {
        return row(board, args);
    };
    let has_min_prey =
        !args.min_prey || board.goats_placed != 0 || !existing[MIN_PREY_COLUMN].is_null();
    if !needs_results || (!existing[START_COLUMN].is_null() && has_min_prey) {
        return existing.clone();
    }
    let new = row(board, args);
    // The game could not be solved this time, for example because `--memory` is smaller than in the earlier run.
    if new[START_COLUMN].is_null() {
        existing.clone()
    } else {
        new
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;

    fn args(folder: &Path, games: &[&str]) -> Args {
        Args {
            out: Some(folder.to_path_buf()),
            force: false,
            format: Format::Table,
            solve: true,
            min_prey: false,
            memory: 1024,
            max_positions: 100_000,
            cluster: None,
            results: false,
            dataset: DatasetArgs::default(),
            games: games.iter().map(ToString::to_string).collect(),
        }
    }

    fn rows_in(folder: &Path) -> Vec<Json> {
        let text = fs::read(folder.join("atlas.json")).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    #[test]
    fn lists_all_games_and_solves_small_ones() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new");
        run(&args(&folder, &[]), &mut Vec::new()).unwrap();
        let read =
            |extension| fs::read_to_string(folder.join(format!("atlas.{extension}"))).unwrap();
        let text = read("md");
        let (table, sources) = text.split_once("\n\n").unwrap();
        assert_eq!(table.lines().count(), 2 + board::ALL.len());
        assert!(
            sources.contains("\n- `kaooa`: Gupta 1924, p. 167; in Ludii "),
            "{sources}"
        );
        assert_eq!(read("csv").lines().count(), 1 + board::ALL.len());
        let rows = rows_in(&folder);
        assert_eq!(rows.len(), board::ALL.len());
        let row = |game: &str| rows.iter().find(|row| row["game"] == game).unwrap();
        let kaooa = row("kaooa");
        assert_eq!(
            (&kaooa["start"], &kaooa["plies"]),
            (&json!("prey win"), &json!(15))
        );
        assert_eq!(row("hare-and-hounds")["plies"], json!(23));
        assert_eq!(row("bagh-chal")["start"], Json::Null);
        assert_eq!(
            row("bagh-chal")["positions at most"],
            json!(317_404_995_600_u64)
        );
    }

    #[test]
    fn prints_table_equal_to_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let args = Args {
            format: Format::Json,
            ..args(folder.path(), &["Kaooa", "haretavl"])
        };
        let mut table = Vec::new();
        run(&args, &mut table).unwrap();
        let written = fs::read(folder.path().join("atlas.json")).unwrap();
        assert_eq!(table, written);
        let (mut without_files, args) = (Vec::new(), Args { out: None, ..args });
        run(&args, &mut without_files).unwrap();
        assert_eq!(without_files, written);
    }

    #[test]
    fn keeps_existing_results() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        run(
            &args(folder, &["kaooa", "mysore-one-tiger"]),
            &mut Vec::new(),
        )
        .unwrap();
        let path = folder.join("atlas.json");
        let text = fs::read_to_string(&path).unwrap();
        let changed = text.replace("\"plies\":15", "\"plies\":16");
        assert_ne!(text, changed);
        // A wrong but possible result is kept until the game is solved again.
        fs::write(&path, &changed).unwrap();
        run(&args(folder, &["haretavl", "kaooa"]), &mut Vec::new()).unwrap();
        let games = |rows: &[Json]| -> Vec<String> {
            let name = |row: &Json| row["game"].as_str().unwrap().to_string();
            rows.iter().map(name).collect()
        };
        let rows = rows_in(folder);
        let expected: Vec<String> = board::names()
            .filter(|name| ["kaooa", "mysore-one-tiger", "haretavl"].contains(name))
            .map(ToString::to_string)
            .collect();
        assert_eq!(games(&rows), expected);
        let kaooa = |rows: &[Json]| rows.iter().find(|row| row["game"] == "kaooa").cloned();
        assert_eq!(kaooa(&rows).unwrap()["plies"], 16);
        // A run without `--solve` or with too little memory keeps the row.
        for (solve, min_prey) in [(false, false), (true, true)] {
            let less_work = Args {
                solve,
                min_prey,
                max_positions: 1,
                ..args(folder, &["kaooa"])
            };
            run(&less_work, &mut Vec::new()).unwrap();
            assert_eq!(rows_in(folder), rows);
        }
        let more_work = Args {
            min_prey: true,
            ..args(folder, &["kaooa"])
        };
        run(&more_work, &mut Vec::new()).unwrap();
        let solved_again = kaooa(&rows_in(folder)).unwrap();
        assert_eq!(solved_again["plies"], 15);
        assert!(solved_again["least prey that win"].is_u64());
    }

    #[test]
    fn rejects_unknown_game_before_writing() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new");
        let result = run(&args(&folder, &["kaooa", "chess"]), &mut Vec::new());
        assert!(result.unwrap_err().to_string().contains("'chess'"));
        assert!(!folder.exists());
    }
}
