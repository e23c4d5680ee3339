//! `puli atlas --check-dataset`: reads a dataset and compares it with the values of the games.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::records::{self, Record};
use super::values::GameValues;
use super::{FORMAT, GAME_FILES, MAX_JSON_BYTES, MAX_POSITIONS, contents, expect_files, sums};
use crate::commands::Failure;
use crate::commands::atlas::Args;
use crate::durable::Source;
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::{Board, board};
use crate::rules::Notation;

/// Maximum size of a file of records, in bytes: [`MAX_POSITIONS`] records of 2 KB, twice the usual size.
const MAX_RECORDS_BYTES: u64 = MAX_POSITIONS << 11;

/// Checks all files of a dataset and prints one line per game.
///
/// # Errors
/// If a file is damaged, or differs from the values. The error names the file and, in a file of records, the line.
pub(in crate::commands::atlas) fn check(
    folder: &Path,
    args: &Args,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let boards = read_boards(folder)?;
    let files = sums::check(folder)?;
    expect_files(folder, &boards)?;
    writeln!(out, "{files} files have the listed checksums")?;
    let mut games = Vec::new();
    let mut checked = 0;
    for &board in &boards {
        let game = GameFolder::read(folder, board)?;
        let result = game.check(args, out)?;
        checked += u32::from(result.is_whole);
        writeln!(out, "{}: {}", board.name, result.text)?;
        out.flush()?;
        games.push(game.record);
    }
    let tables = [
        ("games.csv", records::games_csv(&games)?),
        ("layers.csv", records::layers_csv(&games)?),
    ];
    for (name, expected) in tables {
        expect_content(&folder.join(name), &expected)?;
    }
    writeln!(
        out,
        "{checked} of {} games checked with all positions",
        boards.len()
    )?;
    Ok(())
}

/// Reads the games of `dataset.json`.
fn read_boards(folder: &Path) -> Result<Vec<&'static Board>, EngineError> {
    let path = folder.join("dataset.json");
    let description = read_record(&path)?;
    let fail = |expected: &str| {
        Err(EngineError::new(format!(
            "{}: expected {expected}",
            path_name(&path)
        )))
    };
    if description.get("format").and_then(Json::as_u64) != Some(FORMAT.into()) {
        return fail(&format!("format {FORMAT}"));
    }
    let names = description.get("games").and_then(Json::as_array);
    let Some(names) = names else {
        return fail("an array of games");
    };
    let mut boards: Vec<&'static Board> = Vec::new();
    for name in names {
        match name.as_str().and_then(board::named) {
            Some(board) if !boards.iter().any(|other| other.name == board.name) => {
                boards.push(board);
            }
            Some(_) => return fail(&format!("different games, found {name} twice")),
            None => return fail(&format!("a game of this version, found {name}")),
        }
    }
    Ok(boards)
}

/// Reads a file with one JSON object.
fn read_record(path: &Path) -> Result<Record, EngineError> {
    let text = Source::named(path)?.text(MAX_JSON_BYTES)?;
    serde_json::from_str(&text)
        .map_err(|error| EngineError::new(format!("{}: {error}", path_name(path))))
}

/// Checks the content of a file that follows from other files.
fn expect_content(path: &Path, expected: &[u8]) -> Result<(), EngineError> {
    let found = Source::named(path)?.bytes(MAX_RECORDS_BYTES)?;
    if found == expected {
        return Ok(());
    }
    let same = found
        .iter()
        .zip(expected)
        .take_while(|(one, other)| one == other);
    let line = 1 + same.filter(|(byte, _)| **byte == b'\n').count();
    Err(EngineError::failed(format!(
        "{}, line {line}: differs from the JSON files or the rules",
        path_name(path)
    )))
}

/// What was checked of a game.
struct Checked {
    text: String,
    /// `true` if all positions were checked.
    is_whole: bool,
}

/// The records of a game in a dataset.
struct GameFolder {
    folder: std::path::PathBuf,
    board: &'static Board,
    record: Record,
    positions: Vec<Record>,
}

impl GameFolder {
    fn read(dataset: &Path, board: &'static Board) -> Result<Self, EngineError> {
        let folder = dataset.join("games").join(&board.name);
        let path = folder.join("positions.jsonl");
        let mut positions = Vec::new();
        for line in Source::named(&path)?.lines(MAX_RECORDS_BYTES)? {
            let (number, line) = line?;
            positions.push(serde_json::from_str(&line).map_err(|error| {
                EngineError::new(format!("{}, line {number}: {error}", path_name(&path)))
            })?);
        }
        Ok(Self {
            record: read_record(&folder.join("game.json"))?,
            folder,
            board,
            positions,
        })
    }

    /// Checks the files of the game against its values.
    fn check(&self, args: &Args, out: &mut dyn Write) -> Result<Checked, Failure> {
        let contents = contents(self.board, &self.positions, &self.record)?;
        for (name, expected) in GAME_FILES.iter().zip(contents) {
            expect_content(&self.folder.join(name), &expected)?;
        }
        let values = GameValues::find(self.board, args, out)?;
        self.check_record(&values, args)?;
        if self.positions.is_empty() {
            return Ok(Checked {
                text: "no positions".into(),
                is_whole: true,
            });
        }
        if !values.has_positions() {
            return Ok(Checked {
                text: "positions not checked: use --tables, --memory or --max-positions".into(),
                is_whole: false,
            });
        }
        let moves = self.check_positions(&values)?;
        Ok(Checked {
            text: format!("{} positions and {moves} moves", self.positions.len()),
            is_whole: true,
        })
    }

    /// Checks the record of the game. A record by another method can have other counts, so then only the value counts.
    fn check_record(&self, values: &GameValues, args: &Args) -> Result<(), Failure> {
        let expected = if self.record.get("method") == Some(&json!(values.method())) {
            records::game_record(values, self.positions.len(), args)?
        } else {
            records::value_record(values)?
        };
        let path = path_name(&self.folder.join("game.json"));
        for (key, expected) in &expected {
            let found = self.record.get(key);
            if found != Some(expected) {
                let [expected, found] = [Some(expected), found].map(shown);
                return Err(EngineError::failed(format!(
                    "{path}: expected {key} {expected}, found {found}"
                ))
                .into());
            }
        }
        Ok(())
    }

    /// Checks the records of the positions, and returns the number of their moves.
    fn check_positions(&self, values: &GameValues) -> Result<usize, EngineError> {
        let path = path_name(&self.folder.join("positions.jsonl"));
        let mut seen = HashSet::new();
        let mut moves = 0;
        for (number, record) in self.positions.iter().enumerate() {
            let fail =
                |why: String| EngineError::failed(format!("{path}, line {}: {why}", number + 1));
            let text = record.get("position").and_then(Json::as_str);
            let text = text.ok_or_else(|| fail("expected a position".into()))?;
            let read = values.game.read_position(text);
            let (_, position) = read.map_err(|error| fail(error.to_string()))?;
            if !seen.insert(position) {
                return Err(fail(format!("position '{text}' occurs twice")));
            }
            let expected = records::position_record(values, number, &position)
                .map_err(|error| fail(error.to_string()))?;
            if let Some(difference) = difference(&expected, record) {
                return Err(fail(difference));
            }
            moves += expected["moves"].as_array().map_or(0, Vec::len);
        }
        Ok(moves)
    }
}

/// Returns a value as JSON, shortened to the length of a line.
fn shown(value: Option<&Json>) -> String {
    let text = value.map_or_else(|| "nothing".into(), Json::to_string);
    text.chars().take(200).collect()
}

/// Describes the first difference of two records of a position, or returns `None` if they are equal.
fn difference(expected: &Record, found: &Record) -> Option<String> {
    if expected == found {
        return None;
    }
    let keys = expected.keys().chain(found.keys());
    let key = keys
        .into_iter()
        .find(|key| expected.get(*key) != found.get(*key))?;
    let [mut one, mut other] = [expected, found].map(|record| record.get(key));
    if let (Some(Json::Array(expected)), Some(Json::Array(found))) = (one, other) {
        let longest = expected.len().max(found.len());
        let place = (0..longest).find(|&place| expected.get(place) != found.get(place))?;
        (one, other) = (expected.get(place), found.get(place));
    }
    Some(format!(
        "expected {key} {}, found {}",
        shown(one),
        shown(other)
    ))
}
