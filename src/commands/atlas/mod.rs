//! `puli atlas`: a table of all hunt games that are built in, and with `--solve` what perfect play makes of them.

mod cluster;
mod existing_table;
mod row;

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use self::row::{LEAST, Row, START, columns, row};
use super::Failure;
use super::table_writer::{Format, TableWriter};
use crate::durable::{self, PathLock};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::{Board, board};

/// What `puli atlas` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The folder for `atlas.md`, `atlas.csv` and `atlas.json`. A table that is there stays, and what it knows is not solved
    /// again: a run that was cut short goes on
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Begin a new table in place of files that exist
    #[arg(long, requires = "out", conflicts_with = "cluster")]
    force: bool,
    /// How to write the table to standard output
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Solve the games that fit in memory
    #[arg(long)]
    solve: bool,
    /// Find the least number of prey that wins, too, where all prey are in hand at first
    #[arg(long, requires = "solve")]
    least_prey: bool,
    /// MiB of memory that may be used
    #[arg(long, default_value_t = 8192)]
    memory: u64,
    /// Only games of which so many positions there can be at the most, up to symmetry, are solved
    #[arg(long, value_name = "POSITIONS", default_value_t = 100_000_000)]
    most: u64,
    /// Hands the games out to the machines of a cluster, each whole: the address of a Dask scheduler, or `local`. It is done
    /// by `scripts/atlas`, which tells the rest
    #[arg(long, value_name = "ADDRESS", requires_all = ["out", "solve"], conflicts_with = "format")]
    cluster: Option<String>,
    /// Only these games, and those that the table holds already
    #[arg(value_name = "GAME", value_parser = super::Games, hide_possible_values = true)]
    games: Vec<String>,
}

/// The files, by their endings.
const FORMATS: [(&str, Format); 3] = [
    ("md", Format::Markdown),
    ("csv", Format::Csv),
    ("json", Format::Json),
];

/// Fills the table game by game. The files are whole after each.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(game) = args.games.iter().find(|game| board::named(game).is_none()) {
        return Err(board::unknown(game).into());
    }
    if let Some(address) = &args.cluster {
        return cluster::out(args, address);
    }
    let claim = args.out.as_deref().map(claim).transpose()?;
    let known = args.out.as_deref().map(|folder| known(folder, args.force));
    let known = known.transpose()?;
    let known = known.unwrap_or_default();
    let is_chosen = |board: &Board| {
        let named = |game: &String| game.eq_ignore_ascii_case(&board.name);
        args.games.is_empty() || args.games.iter().any(named)
    };
    let mut rows: Vec<(&'static Board, Option<Row>)> = board::ALL
        .iter()
        .map(|board| (*board, known.get(board.name.as_str()).cloned()))
        .filter(|(board, row)| is_chosen(board) || row.is_some())
        .collect();
    let columns = columns();
    let mut shown = TableWriter::new(out, args.format, &columns)?;
    let mut are_written = false;
    for place in 0..rows.len() {
        let (board, known) = &rows[place];
        let row = finished(board, known.as_ref(), is_chosen(board), args);
        shown.row(&row)?;
        let is_news = known.as_ref() != Some(&row);
        rows[place].1 = Some(row);
        if is_news {
            write_tables(args, &rows)?;
            are_written = true;
        }
    }
    if !are_written {
        write_tables(args, &rows)?;
    }
    drop(claim);
    Ok(shown.finish()?)
}

/// Makes the folder, and sees that nobody else writes there.
fn claim(folder: &Path) -> Result<PathLock, EngineError> {
    let cannot = |error| EngineError::new(format!("{} cannot be made: {error}", path_name(folder)));
    fs::create_dir_all(folder).map_err(cannot)?;
    PathLock::on_folder(folder)
}

/// Returns the rows of the table in a folder. Without one, the files to be written must be new, unless `force` is set.
fn known(folder: &Path, force: bool) -> Result<HashMap<String, Row>, EngineError> {
    if !force && path_of(folder, "json").exists() {
        return existing_table::read(folder);
    }
    for (ending, _) in FORMATS {
        durable::require_new(&path_of(folder, ending), &[], force)?;
    }
    Ok(HashMap::new())
}

fn path_of(folder: &Path, ending: &str) -> PathBuf {
    folder.join(format!("atlas.{ending}"))
}

fn write_tables(args: &Args, rows: &[(&Board, Option<Row>)]) -> Result<(), EngineError> {
    let Some(folder) = &args.out else {
        return Ok(());
    };
    let columns = columns();
    for (ending, format) in FORMATS {
        durable::write(&path_of(folder, ending), |draft| {
            let mut table_writer = TableWriter::new(draft, format, &columns)?;
            for row in rows.iter().filter_map(|(_, row)| row.as_ref()) {
                table_writer.row(row)?;
            }
            table_writer.finish()
        })?;
    }
    Ok(())
}

/// The row of a game with all that is asked for, of which a known row may have everything.
fn finished(board: &'static Board, known: Option<&Row>, is_chosen: bool, args: &Args) -> Row {
    let is_asked = is_chosen && args.solve;
    let Some(known) = known else {
        return row(board, args);
    };
    let has_least = !args.least_prey || board.goats_placed != 0 || !known[LEAST].is_null();
    if !is_asked || (!known[START].is_null() && has_least) {
        return known.clone();
    }
    let found = row(board, args);
    // With less memory it may not be solved now. What was known is known.
    if found[START].is_null() {
        known.clone()
    } else {
        found
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
            least_prey: false,
            memory: 1024,
            most: 100_000,
            cluster: None,
            games: games.iter().map(ToString::to_string).collect(),
        }
    }

    fn rows_in(folder: &Path) -> Vec<Json> {
        let text = fs::read(folder.join("atlas.json")).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    #[test]
    fn the_table_has_a_row_for_every_game_and_the_value_of_those_that_fit() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new");
        run(&args(&folder, &[]), &mut Vec::new()).unwrap();
        let read = |ending| fs::read_to_string(folder.join(format!("atlas.{ending}"))).unwrap();
        assert_eq!(read("md").lines().count(), 2 + board::ALL.len());
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
    fn the_same_table_goes_to_standard_output_without_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let args = Args {
            format: Format::Json,
            ..args(folder.path(), &["Kaooa", "haretavl"])
        };
        let mut shown = Vec::new();
        run(&args, &mut shown).unwrap();
        let written = fs::read(folder.path().join("atlas.json")).unwrap();
        assert_eq!(shown, written);
        let (mut alone, args) = (Vec::new(), Args { out: None, ..args });
        run(&args, &mut alone).unwrap();
        assert_eq!(alone, written);
    }

    #[test]
    fn what_is_known_is_not_solved_again_and_is_never_lost() {
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
        // A mistake that nothing but solving again could find.
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
        // Neither a run that solves nothing loses it, nor one that asks for more than it may take memory for.
        for (solve, least_prey) in [(false, false), (true, true)] {
            let less = Args {
                solve,
                least_prey,
                most: 1,
                ..args(folder, &["kaooa"])
            };
            run(&less, &mut Vec::new()).unwrap();
            assert_eq!(rows_in(folder), rows);
        }
        let more = Args {
            least_prey: true,
            ..args(folder, &["kaooa"])
        };
        run(&more, &mut Vec::new()).unwrap();
        let solved_again = kaooa(&rows_in(folder)).unwrap();
        assert_eq!(solved_again["plies"], 15);
        assert!(solved_again["least prey that win"].is_u64());
    }

    #[test]
    fn a_game_that_is_none_is_refused_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new");
        let refused = run(&args(&folder, &["kaooa", "chess"]), &mut Vec::new());
        assert!(refused.unwrap_err().to_string().contains("'chess'"));
        assert!(!folder.exists());
    }
}
