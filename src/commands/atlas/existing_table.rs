//! Reads the `atlas.json` of an earlier run and checks that its rows are possible results of this version.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value as Json};

use super::row::{ATLAS_COLUMNS, Row, START_COLUMN, VALUES, columns, facts};
use crate::commands::boards::BOARD_COLUMNS;
use crate::durable::Source;
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::board;

/// Maximum size of `atlas.json`, in bytes. A row has a few hundred bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Returns the rows of `atlas.json` by game. The map is empty if the file is missing.
pub(super) fn read(folder: &Path) -> Result<HashMap<String, Row>, EngineError> {
    let path = folder.join("atlas.json");
    let Some(source) = Source::find(&path)? else {
        return Ok(HashMap::new());
    };
    rows(&source.text(MAX_BYTES)?).map_err(|expected| {
        EngineError::new(format!(
            "cannot continue the table {}: {expected}; move it or pass --force",
            path_name(&path)
        ))
    })
}

/// Parses the rows of `atlas.json`, by game.
fn rows(text: &str) -> Result<HashMap<String, Row>, String> {
    let objects: Vec<Map<String, Json>> =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut rows = HashMap::new();
    for (index, object) in objects.into_iter().enumerate() {
        let in_row = |expected| format!("row {}: {expected}", index + 1);
        let (game, row) = row(object).map_err(in_row)?;
        if rows.insert(game.clone(), row).is_some() {
            return Err(in_row(format!("duplicate row of {game}")));
        }
    }
    Ok(rows)
}

/// Returns the name of a game and its row.
///
/// # Errors
/// If a fact differs from the rules of the game, or if a result is impossible.
fn row(mut object: Map<String, Json>) -> Result<(String, Row), String> {
    let mut row = Row::new();
    for column in columns() {
        let name = column.name;
        let cell = object.remove(name);
        row.push(cell.ok_or_else(|| format!("missing '{name}'"))?);
    }
    if let Some(name) = object.keys().next() {
        return Err(format!("unknown column '{name}'"));
    }
    let game = row[0].as_str().unwrap_or_default();
    let board = board::named(game).ok_or_else(|| format!("unknown game {}", row[0]))?;
    for (column, (cell, fact)) in columns().iter().zip(row.iter().zip(facts(board))) {
        if *cell != fact {
            let name = column.name;
            return Err(format!("expected {name} {fact} of {game}, found {cell}"));
        }
    }
    let is_solved = !row[START_COLUMN].is_null();
    // The results are the last columns.
    let first_result = BOARD_COLUMNS.len() + ATLAS_COLUMNS.len() - RESULTS.len();
    for (column, (is_optional, is_valid)) in (first_result..).zip(RESULTS) {
        let cell = &row[column];
        let is_accepted = if cell.is_null() {
            is_optional || !is_solved
        } else {
            is_solved && is_valid(cell)
        };
        if !is_accepted {
            let name = columns()[column].name;
            return Err(format!("{name} of {game} cannot be {cell}"));
        }
    }
    Ok((board.name.clone(), row))
}

/// A function that returns `true` if a cell is a possible result.
type Check = fn(&Json) -> bool;

/// For each result: `true` if its cell can be null in a solved game, and the check of the cell.
const RESULTS: [(bool, Check); 8] = [
    (false, Json::is_u64),
    (false, is_percentage),
    (false, is_percentage),
    (false, Json::is_u64),
    (false, is_value),
    (true, Json::is_u64),
    (false, Json::is_string),
    (true, Json::is_u64),
];

fn is_percentage(cell: &Json) -> bool {
    cell.as_f64()
        .is_some_and(|share| (0.0..=100.0).contains(&share))
}

fn is_value(cell: &Json) -> bool {
    cell.as_str().is_some_and(|value| VALUES.contains(&value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_invalid_table_with_its_row() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("atlas.json");
        assert!(read(folder.path()).unwrap().is_empty());
        let board = board::named("mysore-one-tiger").unwrap();
        let mut cells = facts(board);
        cells.resize(columns().len(), Json::Null);
        let names = columns().into_iter().map(|column| column.name.to_string());
        let unsolved: Map<String, Json> = names.zip(cells).collect();
        let mut solved = unsolved.clone();
        for (name, cell) in [
            ("positions", Json::from(227)),
            ("prey win %", 37.4.into()),
            ("hunters win %", 26.9.into()),
            ("longest", 7.into()),
            ("start", "draw".into()),
            ("best first moves", "d1 d2".into()),
        ] {
            solved[name] = cell;
        }
        let with = |name: &str, cell: Json| {
            let mut row = solved.clone();
            row.insert(name.into(), cell);
            vec![unsolved.clone(), row]
        };
        let error_of = |rows: &[Map<String, Json>]| {
            std::fs::write(&path, serde_json::to_vec(rows).unwrap()).unwrap();
            read(folder.path()).unwrap_err().to_string()
        };
        for row in [&solved, &unsolved] {
            std::fs::write(&path, serde_json::to_vec(&[row]).unwrap()).unwrap();
            let rows = read(folder.path()).unwrap();
            assert_eq!(rows[&board.name], row.values().cloned().collect::<Row>());
        }
        for (name, cell, expected) in [
            ("game", "chess".into(), "row 2: unknown game \"chess\""),
            ("game", Json::Null, "row 2: unknown game null"),
            ("points", 9.into(), "expected points "),
            ("positions at most", 1.into(), "expected positions at most "),
            (
                "positions",
                Json::Null,
                "positions of mysore-one-tiger cannot be null",
            ),
            (
                "prey win %",
                100.1.into(),
                "prey win % of mysore-one-tiger cannot be 100.1",
            ),
            (
                "start",
                "win".into(),
                "start of mysore-one-tiger cannot be \"win\"",
            ),
            (
                "start",
                Json::Null,
                "positions of mysore-one-tiger cannot be 227",
            ),
            (
                "plies",
                "7".into(),
                "plies of mysore-one-tiger cannot be \"7\"",
            ),
            ("color", "red".into(), "row 2: unknown column 'color'"),
            ("game", board.name.as_str().into(), "duplicate row"),
        ] {
            let error = error_of(&with(name, cell));
            assert!(
                error.contains(expected) && error.contains("atlas.json"),
                "{error}"
            );
        }
        let mut incomplete = solved.clone();
        incomplete.remove("start");
        assert!(error_of(&[incomplete]).contains("row 1: missing 'start'"));
        for text in ["", "{}", "[1]", "[{\"game\":\"kaooa\"", "game,points\n"] {
            std::fs::write(&path, text).unwrap();
            let error = read(folder.path()).unwrap_err().to_string();
            assert!(error.contains("cannot continue the table"), "{error}");
        }
    }
}
