//! The table that is in a folder already, of which no row is believed before it is like one that would be written now.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value as Json};

use super::row::{MORE, Row, START, VALUES, columns, facts};
use crate::commands::boards::MEASURES;
use crate::durable::Source;
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::board;

/// Maximum bytes of `atlas.json`, whose rows have some hundred bytes each.
const MAX_BYTES: u64 = 1 << 20;

/// The rows of `atlas.json`, by their games; none where there is no such file.
pub fn read(folder: &Path) -> Result<HashMap<String, Row>, EngineError> {
    let path = folder.join("atlas.json");
    let Some(source) = Source::find(&path)? else {
        return Ok(HashMap::new());
    };
    rows(&source.text(MAX_BYTES)?).map_err(|why| {
        EngineError::new(format!(
            "{} is no table to go on with: {why}; move it away to begin a new one",
            path_name(&path)
        ))
    })
}

fn rows(text: &str) -> Result<HashMap<String, Row>, String> {
    let objects: Vec<Map<String, Json>> =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut rows = HashMap::new();
    for (index, object) in objects.into_iter().enumerate() {
        let in_row = |why| format!("row {}: {why}", index + 1);
        let (game, row) = row(object).map_err(in_row)?;
        if rows.insert(game.clone(), row).is_some() {
            return Err(in_row(format!("{game} has a row already")));
        }
    }
    Ok(rows)
}

/// A game and its row, whose facts are those that the rules tell, and whose results may be results.
fn row(mut object: Map<String, Json>) -> Result<(String, Row), String> {
    let mut row = Row::new();
    for column in columns() {
        let name = column.name;
        let cell = object.remove(name);
        row.push(cell.ok_or_else(|| format!("it has no '{name}'"))?);
    }
    if let Some(name) = object.keys().next() {
        return Err(format!("'{name}' is no column"));
    }
    let game = row[0].as_str().unwrap_or_default();
    let board = board::named(game).ok_or_else(|| format!("there is no game {}", row[0]))?;
    for (column, (told, fact)) in columns().iter().zip(row.iter().zip(facts(board))) {
        if *told != fact {
            let name = column.name;
            return Err(format!("{game} has {name} {fact}, and it says {told}"));
        }
    }
    let is_solved = !row[START].is_null();
    let first = MEASURES.len() + MORE.len() - RESULTS.len();
    for (column, (may_be_none, is_right)) in (first..).zip(RESULTS) {
        let told = &row[column];
        let is_sound = if told.is_null() {
            may_be_none || !is_solved
        } else {
            is_solved && is_right(told)
        };
        if !is_sound {
            let name = columns()[column].name;
            return Err(format!("{game} cannot have {name} {told}"));
        }
    }
    Ok((board.name.clone(), row))
}

/// Whether a cell could be a certain result.
type Check = fn(&Json) -> bool;

/// Of each result: whether there may be none of a game that is solved, and whether a cell could be one.
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
    fn a_file_that_is_no_such_table_is_refused_and_the_place_named() {
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
        let refused = |rows: &[Map<String, Json>]| {
            std::fs::write(&path, serde_json::to_vec(rows).unwrap()).unwrap();
            read(folder.path()).unwrap_err().to_string()
        };
        for row in [&solved, &unsolved] {
            std::fs::write(&path, serde_json::to_vec(&[row]).unwrap()).unwrap();
            let rows = read(folder.path()).unwrap();
            assert_eq!(rows[&board.name], row.values().cloned().collect::<Row>());
        }
        for (name, cell, why) in [
            ("game", "chess".into(), "row 2: there is no game \"chess\""),
            ("game", Json::Null, "row 2: there is no game null"),
            ("points", 9.into(), "has points "),
            ("positions at most", 1.into(), "has positions at most "),
            ("positions", Json::Null, "cannot have positions null"),
            ("prey win %", 100.1.into(), "cannot have prey win % 100.1"),
            ("start", "win".into(), "cannot have start \"win\""),
            ("start", Json::Null, "cannot have positions 227"),
            ("plies", "7".into(), "cannot have plies \"7\""),
            ("colour", "red".into(), "row 2: 'colour' is no column"),
            ("game", board.name.as_str().into(), "has a row already"),
        ] {
            let said = refused(&with(name, cell));
            assert!(said.contains(why) && said.contains("atlas.json"), "{said}");
        }
        let mut short = solved.clone();
        short.remove("start");
        assert!(refused(&[short]).contains("row 1: it has no 'start'"));
        for text in ["", "{}", "[1]", "[{\"game\":\"kaooa\"", "game,points\n"] {
            std::fs::write(&path, text).unwrap();
            let said = read(folder.path()).unwrap_err().to_string();
            assert!(said.contains("no table to go on with"), "{said}");
        }
    }
}
