//! `puli atlas --dataset`: a folder with the values of the games and of sampled positions, for researchers. It can be
//! checked without Puli by `check.py` in the folder, and against the values by `--check-dataset`.
//!
//! The dataset is written to a folder beside its own, `DIR.unfinished`, which is renamed when it is complete. A game
//! there is complete if it has a `game.json`. Another run with the same options keeps the complete games that are solved.

mod check;
mod records;
mod sums;
mod values;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

pub(super) use self::check::check;
use self::records::Record;
use self::values::GameValues;
use super::Args;
use super::solved_values::describe;
use crate::commands::Failure;
use crate::commands::table_writer::{Column, Format, TableWriter};
use crate::durable::{self, PathLock, Source};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::{Board, board};

/// The version of the files. It changes if a program that reads them must change.
const FORMAT: u32 = 1;

/// Maximum number of drawn positions per game. A record has about a kilobyte, and all records of a game are in memory.
const MAX_POSITIONS: u64 = 100_000;

/// Maximum size of a `dataset.json` or `game.json`, in bytes. A game with hundreds of layers has 100 KB.
const MAX_JSON_BYTES: u64 = 1 << 22;

/// The files of a dataset that are the same in each, except for their version.
const FIXED_FILES: [(&str, &str); 4] = [
    ("LICENSE.txt", include_str!("CC0-1.0.txt")),
    ("check.py", include_str!("check.py")),
    ("game.schema.json", include_str!("game.schema.json")),
    ("position.schema.json", include_str!("position.schema.json")),
];

/// The README of a dataset, without the table of its games.
const README: &str = include_str!("readme.md");

/// The names of a game's files, in its folder in `games`.
const GAME_FILES: [&str; 5] = [
    "board.txt",
    "positions.jsonl",
    "positions.csv",
    "moves.csv",
    "game.json",
];

/// The arguments of `puli atlas` about datasets.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct DatasetArgs {
    /// Write a dataset to the new folder <DIR>: games, values, and positions with the value of each move. Solves the
    /// games that fit, and repeats nothing after an interruption
    #[arg(long, value_name = "DIR", group = "data", conflicts_with_all = ["out", "format", "solve", "cluster", "results"])]
    pub(super) dataset: Option<PathBuf>,
    /// Check the dataset in the folder <DIR>: checksums, and all values against the solved games
    #[arg(long, value_name = "DIR", group = "data", conflicts_with_all = ["dataset", "out", "format", "solve", "cluster", "results", "games"])]
    pub(super) check_dataset: Option<PathBuf>,
    /// Read the values of a game from its tables in the folder <DIR>, if there are any
    #[arg(long, value_name = "DIR", requires = "data")]
    tables: Option<PathBuf>,
    /// Draw <N> positions of each game besides its start [default: 1000]
    #[arg(long, value_name = "N", requires = "dataset", value_parser = clap::value_parser!(u64).range(..=MAX_POSITIONS))]
    positions: Option<u64>,
    /// Seed the random choice of positions with <SEED> [default: 1]
    #[arg(long, value_name = "SEED", requires = "dataset")]
    seed: Option<u64>,
}

/// Default of `--positions`.
const DEFAULT_POSITIONS: u64 = 1000;

/// Writes the dataset of the selected games to a new folder. Prints one line per game.
///
/// # Errors
/// If the folder exists and is not empty, or an unfinished dataset has other options.
pub(super) fn write(folder: &Path, args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    // A trailing slash would put the lock and the unfinished dataset into the folder itself.
    let folder = &folder.components().collect::<PathBuf>();
    require_free(folder)?;
    let lock = PathLock::on_file(folder)?;
    let selected = board::ALL.iter().copied();
    let boards: Vec<&'static Board> = selected.filter(|board| args.selects(board)).collect();
    let staging = staging_folder(folder)?;
    prepare(&staging, &description(&boards, args), &lock)?;
    let mut games = Vec::new();
    for &board in &boards {
        let game_folder = staging.join("games").join(&board.name);
        let game = match complete_game(&game_folder, board)? {
            Some(game) => game,
            None => write_game(&game_folder, board, args, out)?,
        };
        writeln!(out, "{}: {}", board.name, summary(board, &game))?;
        out.flush()?;
        games.push(game);
    }
    for (name, text) in FIXED_FILES {
        write_file(&staging.join(name), text.as_bytes())?;
    }
    write_file(&staging.join("README.md"), &readme(&games)?)?;
    write_file(&staging.join("games.csv"), &records::games_csv(&games)?)?;
    write_file(&staging.join("layers.csv"), &records::layers_csv(&games)?)?;
    let text = sums::of_folder(&staging)?;
    write_file(&staging.join(sums::NAME), text.as_bytes())?;
    expect_files(&staging, &boards)?;
    move_folder(&staging, folder)?;
    drop(lock);
    let records: u64 = games
        .iter()
        .filter_map(|game| game["records"].as_u64())
        .sum();
    writeln!(
        out,
        "{} written: {} games, {records} positions",
        path_name(folder),
        games.len()
    )?;
    Ok(())
}

/// Checks that the folder does not exist, or is empty.
fn require_free(folder: &Path) -> Result<(), EngineError> {
    let is_free = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        // A broken link exists, too.
        Err(_) => fs::symlink_metadata(folder).is_err(),
    };
    if is_free && folder.file_name().is_some() {
        return Ok(());
    }
    Err(EngineError::new(format!(
        "--dataset: {} exists: expected a new or empty folder",
        path_name(folder)
    )))
}

/// Returns the folder of the unfinished dataset.
fn staging_folder(folder: &Path) -> Result<PathBuf, EngineError> {
    let mut name = folder.as_os_str().to_owned();
    name.push(".unfinished");
    let staging = PathBuf::from(name);
    let cannot = |error: io::Error| {
        EngineError::new(format!("cannot create {}: {error}", path_name(&staging)))
    };
    fs::create_dir_all(staging.join("games")).map_err(cannot)?;
    Ok(staging)
}

/// Returns the content of `dataset.json`.
fn description(boards: &[&Board], args: &Args) -> Json {
    let names: Vec<&str> = boards.iter().map(|board| board.name.as_str()).collect();
    json!({
        "title": "Values of hunt games",
        "format": FORMAT,
        "version": env!("CARGO_PKG_VERSION"),
        "license": "CC0-1.0",
        "seed": args.dataset.seed.unwrap_or(1),
        "positions_per_game": args.dataset.positions.unwrap_or(DEFAULT_POSITIONS),
        "games": names,
    })
}

/// Writes `dataset.json`, or checks that an existing one is equal. Then removes the partial files of a killed run.
///
/// # Errors
/// If the folder holds another dataset or other files. Then nothing is removed.
fn prepare(staging: &Path, description: &Json, lock: &PathLock) -> Result<(), EngineError> {
    let path = staging.join("dataset.json");
    let names = sums::files_in(staging)?;
    let is_same = match Source::find(&path)? {
        Some(source) => {
            let text = source.text(MAX_JSON_BYTES)?;
            serde_json::from_str::<Json>(&text).ok().as_ref() == Some(description)
        }
        // A run that was killed while it wrote `dataset.json` leaves only partial versions of it.
        None => names
            .iter()
            .all(|name| durable::is_unfinished(name) && name.starts_with("dataset.json.")),
    };
    if !is_same {
        return Err(EngineError::new(format!(
            "{} is not an unfinished dataset with the same options: move it away",
            path_name(staging)
        )));
    }
    // Without a lock, another process may be writing these files.
    if lock.is_exclusive() {
        for name in names.iter().filter(|name| durable::is_unfinished(name)) {
            // A file that remains is an error at the end.
            drop(fs::remove_file(staging.join(name)));
        }
    }
    if names.contains("dataset.json") {
        return Ok(());
    }
    write_file(&path, format!("{description:#}\n").as_bytes())
}

/// Returns the record of a game if it is complete: of these rules, and solved. Otherwise, removes its files. A game with a
/// recorded value may fit this time, for example because `--memory` is larger.
fn complete_game(folder: &Path, board: &Board) -> Result<Option<Record>, EngineError> {
    let text = |name: &str| {
        let source = Source::find(&folder.join(name)).ok()??;
        source.text(MAX_JSON_BYTES).ok()
    };
    let game = text("game.json").and_then(|text| serde_json::from_str::<Record>(&text).ok());
    let is_solved = |game: &Record| {
        let method = game.get("method").and_then(Json::as_str);
        method.is_some_and(|method| method != "recorded")
    };
    let is_same = text("board.txt").as_deref() == board::text_of(&board.name);
    let game = game.filter(|game| is_solved(game) && is_same);
    if game.is_none() && folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| {
            EngineError::new(format!("cannot remove {}: {error}", path_name(folder)))
        })?;
    }
    Ok(game)
}

/// Writes the files of a game and returns its record. `game.json` is written last.
fn write_game(
    folder: &Path,
    board: &'static Board,
    args: &Args,
    out: &mut dyn Write,
) -> Result<Record, Failure> {
    let values = GameValues::find(board, args, out)?;
    fs::create_dir_all(folder)?;
    let mut positions = Vec::new();
    if values.has_positions() {
        let count = args.dataset.positions.unwrap_or(DEFAULT_POSITIONS);
        let drawn = values.draw(args.dataset.seed.unwrap_or(1), count as usize);
        for (number, position) in drawn.iter().enumerate() {
            positions.push(records::position_record(&values, number, position)?);
        }
    }
    let game = records::game_record(&values, positions.len(), args)?;
    let contents = contents(board, &positions, &game)?;
    for (name, content) in GAME_FILES.iter().zip(contents) {
        write_file(&folder.join(name), &content)?;
    }
    Ok(game)
}

/// Returns the contents of a game's files, in the order of [`GAME_FILES`].
fn contents(board: &Board, positions: &[Record], game: &Record) -> io::Result<[Vec<u8>; 5]> {
    let board_text = board::text_of(&board.name).unwrap_or_default();
    Ok([
        board_text.as_bytes().to_vec(),
        records::json_lines(positions),
        records::positions_csv(positions)?,
        records::moves_csv(positions)?,
        records::json_lines(std::slice::from_ref(game)),
    ])
}

fn write_file(path: &Path, content: &[u8]) -> Result<(), EngineError> {
    durable::write(path, |file| file.write_all(content)).map(drop)
}

/// Describes the value of a game and the number of its records, for the output.
fn summary(board: &Board, game: &Record) -> String {
    let text = |key: &str| game.get(key).and_then(Json::as_str);
    let number = |key: &str| game.get(key).and_then(Json::as_u64);
    let Some(method) = text("method") else {
        return "value unknown".into();
    };
    let plies = number("plies").map(|plies| plies as u32);
    format!(
        "{} ({method}), {} positions",
        describe(board, text("winner"), plies),
        number("records").unwrap_or(0)
    )
}

/// Returns the README with a table of the games.
fn readme(games: &[Record]) -> io::Result<Vec<u8>> {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = README.replace("{version}", version).into_bytes();
    let columns = ["game", "method", "winner", "plies", "records", "drawn"];
    let table_columns = columns.map(|name| Column::text(name, 0));
    let mut table = TableWriter::new(&mut text, Format::Markdown, &table_columns)?;
    for game in games {
        let cells = columns.map(|name| game.get(name).cloned().unwrap_or_default());
        table.row(&cells)?;
    }
    table.finish()?;
    Ok(text)
}

/// Returns the names of all files of a dataset with these games.
fn file_names(boards: &[&Board]) -> std::collections::BTreeSet<String> {
    let fixed = FIXED_FILES.iter().map(|(name, _)| *name);
    let made = [
        "README.md",
        "dataset.json",
        "games.csv",
        "layers.csv",
        sums::NAME,
    ];
    let of_game = |board: &&Board| {
        let name = board.name.clone();
        GAME_FILES.map(|file| format!("games/{name}/{file}"))
    };
    let common = fixed.chain(made).map(String::from);
    common.chain(boards.iter().flat_map(of_game)).collect()
}

/// Checks that a folder holds exactly the files of a dataset with these games.
fn expect_files(folder: &Path, boards: &[&Board]) -> Result<(), EngineError> {
    let expected = file_names(boards);
    let found = sums::files_in(folder)?;
    let Some(name) = expected.symmetric_difference(&found).next() else {
        return Ok(());
    };
    let path = path_name(&folder.join(name));
    Err(EngineError::failed(if found.contains(name) {
        format!("{path} is not part of the dataset: move it away")
    } else {
        format!("{path} is missing")
    }))
}

/// Renames the folder `from` to `to`, which is missing or empty.
fn move_folder(from: &Path, to: &Path) -> Result<(), EngineError> {
    // Not every system renames a folder to an existing one. Removing it fails if it is not empty or missing.
    drop(fs::remove_dir(to));
    fs::rename(from, to).map_err(|error| {
        let [from, to] = [from, to].map(path_name);
        EngineError::failed(format!("cannot rename {from} to {to}: {error}"))
    })
}

#[cfg(test)]
mod tests;
