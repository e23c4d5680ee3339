//! The records of a dataset: one JSON object per game and per position, and the CSV files made from them.

use std::io;

use serde_json::{Map, Value as Json, json};

use super::values::{GameValues, LayerCount, Origin, Value};
use crate::commands::Failure;
use crate::commands::atlas::Args;
use crate::commands::atlas::row::{min_prey, percentage, positions_at_most, role_name};
use crate::commands::table_writer::{Column, Format, TableWriter};
use crate::error::EngineError;
use crate::games::hunt::Position;
use crate::games::hunt::spec::Role;
use crate::rules::{Notation, Rules};
use crate::solve::bitset::layer_stats::LayerStats;

/// The columns of `games.csv`, and the keys of `game.json`, which also has `layers`.
const GAME_COLUMNS: [&str; 28] = [
    "game",
    "about",
    "origin",
    "year",
    "hunters_name",
    "prey_name",
    "hunters",
    "prey",
    "first",
    "symmetries",
    "method",
    "winner",
    "plies",
    "first_moves",
    "least_prey",
    "positions_at_most",
    "counted",
    "positions",
    "prey_wins",
    "hunters_wins",
    "neither",
    "prey_percent",
    "hunters_percent",
    "longest",
    "records",
    "drawn",
    "sources",
    "differences",
];

/// The columns of `layers.csv`, and after the first the keys of an element of `layers`.
const LAYER_COLUMNS: [&str; 12] = [
    "game",
    "counted",
    "prey_in_hand",
    "hunters_in_hand",
    "to_move",
    "prey_on_board",
    "positions",
    "prey_wins",
    "hunters_wins",
    "neither",
    "longest_prey",
    "longest_hunters",
];

/// The columns of `positions.csv`. All but the last are keys of `positions.jsonl`.
const POSITION_COLUMNS: [&str; 7] = [
    "game",
    "number",
    "position",
    "to_move",
    "winner",
    "plies",
    "legal_moves",
];

/// The columns of `moves.csv`. The first two identify the position, the others are keys of an element of `moves`.
const MOVE_COLUMNS: [&str; 6] = ["game", "number", "move", "after", "winner", "plies"];

/// A JSON object with its keys in order.
pub(super) type Record = Map<String, Json>;

/// Returns the record of a position: its value, and the value after each legal move.
///
/// # Errors
/// If the value of the position, or after a move, is unknown.
pub(super) fn position_record(
    values: &GameValues,
    number: usize,
    position: &Position,
) -> Result<Record, EngineError> {
    let game = &values.game;
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut rated = Vec::with_capacity(moves.len());
    for m in moves {
        let after = game.play(position, m);
        let Value { winner, plies } = values.value(&after)?;
        rated.push(json!({
            "move": game.show_move_at(position, m),
            "after": game.show_position(&after),
            "winner": winner,
            "plies": plies,
        }));
    }
    let Value { winner, plies } = values.value(position)?;
    Ok(object([
        ("game", json!(game.board.name)),
        ("number", json!(number)),
        ("position", json!(game.show_position(position))),
        ("to_move", json!(role_name(position.tigers_to_move))),
        ("winner", json!(winner)),
        ("plies", json!(plies)),
        ("moves", json!(rated)),
    ]))
}

fn object<const N: usize>(entries: [(&str, Json); N]) -> Record {
    let entries = entries.into_iter();
    entries
        .map(|(key, value)| (key.to_string(), value))
        .collect()
}

/// Returns the entries of a game's record that do not depend on the method: the game, and its value if it is known.
///
/// # Errors
/// If the value of the start cannot be read.
pub(super) fn value_record(values: &GameValues) -> Result<Record, EngineError> {
    let mut record = object([("game", json!(values.board().name))]);
    if let Some(Value { winner, plies }) = values.start()? {
        record.extend(object([("winner", json!(winner)), ("plies", json!(plies))]));
    }
    Ok(record)
}

/// Returns the record of a game. `records` is the number of its position records. Finding the least prey may solve the
/// game several times with other numbers of prey.
///
/// # Errors
/// If the value of the start cannot be read.
pub(super) fn game_record(
    values: &GameValues,
    records: usize,
    args: &Args,
) -> Result<Record, Failure> {
    let board = values.board();
    let spec = &board.spec;
    let layers = values.layers();
    let start = values.start()?;
    let least_prey = match &values.origin {
        Origin::Memory(_) => match min_prey(board, args) {
            Ok(Some(prey)) => json!(prey),
            Ok(None) => json!("none"),
            Err(_) => Json::Null,
        },
        _ => Json::Null,
    };
    let total = values.total(&layers);
    let text = |text: &str| {
        if text.is_empty() {
            Json::Null
        } else {
            json!(text)
        }
    };
    let mut record = object([
        ("game", json!(board.name)),
        ("about", text(&spec.about)),
        ("origin", text(&spec.origin)),
        ("year", json!(spec.year)),
        ("hunters_name", json!(spec.names[0])),
        ("prey_name", json!(spec.names[1])),
        ("hunters", json!(spec.hunters)),
        ("prey", json!(spec.prey)),
        ("first", json!(role_name(spec.first == Role::Hunters))),
        ("symmetries", json!(board.symmetries.len())),
        ("method", json!(values.method())),
        ("winner", json!(start.and_then(|start| start.winner))),
        ("plies", json!(start.and_then(|start| start.plies))),
        ("first_moves", json!(values.first_moves()?)),
        ("least_prey", least_prey),
        ("positions_at_most", json!(positions_at_most(board))),
    ]);
    record.extend(counts(values, total.as_ref()));
    let counted = values.counted();
    record.extend(object([
        ("records", json!(records)),
        ("drawn", json!(values.drawn())),
        ("sources", json!(spec.sources)),
        ("differences", json!(spec.differences)),
        (
            "layers",
            layers
                .iter()
                .map(|layer| layer_json(counted, layer))
                .collect(),
        ),
    ]));
    Ok(record)
}

/// Returns the numbers of positions: `total` if it is known, otherwise the recorded numbers.
fn counts(values: &GameValues, total: Option<&LayerStats>) -> Record {
    if let Some(total) = total {
        let ([hunters, prey], all) = (total.wins, total.positions());
        return object([
            ("counted", json!(values.counted())),
            ("positions", json!(all)),
            ("prey_wins", json!(prey)),
            ("hunters_wins", json!(hunters)),
            ("neither", json!(total.draws)),
            ("prey_percent", percentage(prey, all)),
            ("hunters_percent", percentage(hunters, all)),
            ("longest", json!(total.longest[0].max(total.longest[1]))),
        ]);
    }
    let recorded = values.recorded;
    let recorded_percent = |role: usize| {
        let share = recorded.map(|values| values.shares[role].parse::<f64>());
        json!(share.and_then(Result::ok))
    };
    object([
        ("counted", json!(recorded.map(|values| &values.counted))),
        ("positions", json!(recorded.map(|values| values.positions))),
        ("prey_wins", Json::Null),
        ("hunters_wins", Json::Null),
        ("neither", Json::Null),
        ("prey_percent", recorded_percent(0)),
        ("hunters_percent", recorded_percent(1)),
        ("longest", json!(recorded.and_then(|values| values.longest))),
    ])
}

fn layer_json(counted: Option<&str>, layer: &LayerCount) -> Json {
    let LayerStats {
        on_board,
        wins: [hunters, prey],
        draws,
        longest: [longest_hunters, longest_prey],
    } = layer.stats;
    json!({
        "counted": counted,
        "prey_in_hand": layer.prey_in_hand,
        "hunters_in_hand": layer.hunters_in_hand,
        "to_move": role_name(layer.hunters_to_move),
        "prey_on_board": on_board,
        "positions": layer.stats.positions(),
        "prey_wins": prey,
        "hunters_wins": hunters,
        "neither": draws,
        "longest_prey": longest_prey,
        "longest_hunters": longest_hunters,
    })
}

/// Returns records as JSON Lines.
pub(super) fn json_lines(records: &[Record]) -> Vec<u8> {
    let lines = records.iter().map(|record| {
        let mut line = json!(record).to_string();
        line.push('\n');
        line
    });
    lines.collect::<String>().into_bytes()
}

/// Returns `games.csv`.
pub(super) fn games_csv(games: &[Record]) -> io::Result<Vec<u8>> {
    table(
        &GAME_COLUMNS,
        games.iter().map(|game| row(game, &GAME_COLUMNS)),
    )
}

/// Returns `layers.csv`.
pub(super) fn layers_csv(games: &[Record]) -> io::Result<Vec<u8>> {
    let rows = games.iter().flat_map(|game| {
        let name = &game["game"];
        elements(game, "layers").map(move |layer| {
            let mut cells = vec![name.clone()];
            cells.extend(row(layer, &LAYER_COLUMNS[1..]));
            cells
        })
    });
    table(&LAYER_COLUMNS, rows)
}

/// Returns `positions.csv` of the records of a game.
pub(super) fn positions_csv(positions: &[Record]) -> io::Result<Vec<u8>> {
    let (_, keys) = POSITION_COLUMNS
        .split_last()
        .unwrap_or((&POSITION_COLUMNS[0], &[]));
    let rows = positions.iter().map(|position| {
        let mut cells = row(position, keys);
        cells.push(json!(elements(position, "moves").count()));
        cells
    });
    table(&POSITION_COLUMNS, rows)
}

/// Returns `moves.csv` of the records of a game.
pub(super) fn moves_csv(positions: &[Record]) -> io::Result<Vec<u8>> {
    let rows = positions.iter().flat_map(|position| {
        elements(position, "moves").map(|rated| {
            let mut cells = row(position, &MOVE_COLUMNS[..2]);
            cells.extend(row(rated, &MOVE_COLUMNS[2..]));
            cells
        })
    });
    table(&MOVE_COLUMNS, rows)
}

/// Returns the objects of the array `key` of a record.
fn elements<'a>(record: &'a Record, key: &str) -> impl Iterator<Item = &'a Record> {
    let elements = record.get(key).and_then(Json::as_array);
    elements.into_iter().flatten().filter_map(Json::as_object)
}

/// Returns the cells of a record. An array of moves is separated by spaces, an array of texts by semicolons.
fn row(record: &Record, columns: &[&'static str]) -> Vec<Json> {
    let cell = |&column: &&str| match record.get(column) {
        None => Json::Null,
        Some(Json::Array(texts)) => {
            let texts: Vec<&str> = texts.iter().filter_map(Json::as_str).collect();
            let separator = if column == "first_moves" { " " } else { "; " };
            json!(texts.join(separator))
        }
        Some(cell) => cell.clone(),
    };
    columns.iter().map(cell).collect()
}

/// Returns a table as CSV. Its columns have no width and no alignment.
fn table(columns: &[&'static str], rows: impl Iterator<Item = Vec<Json>>) -> io::Result<Vec<u8>> {
    let columns: Vec<Column> = columns.iter().map(|name| Column::text(name, 0)).collect();
    let mut text = Vec::new();
    let mut table = TableWriter::new(&mut text, Format::Csv, &columns)?;
    for row in rows {
        table.row(&row)?;
    }
    table.finish()?;
    Ok(text)
}
