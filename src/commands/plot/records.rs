//! Reads the measurements of other subcommands and scripts: the rows of a CSV file, or JSON objects in sequence
//! or in arrays.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::durable;
use crate::error::EngineError;
use crate::escape::{escaped, path_name};

/// Maximum size of a file, in bytes. Its records need several times as much memory.
const MAX_BYTES: u64 = 256 << 20;

/// A CSV row or a JSON object: values by field name.
pub(crate) type Record = Map<String, Value>;

/// The records of one file, with a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Source {
    /// The file name without extension.
    pub name: String,
    /// The records in file order.
    pub records: Vec<Record>,
}

impl Source {
    /// Reads a file, or standard input if the path is `-`.
    pub(super) fn open(path: &Path) -> Result<Self, EngineError> {
        let in_file = |why: String| EngineError::new(format!("{}: {why}", path_name(path)));
        let text = if path == Path::new("-") {
            standard_input().map_err(in_file)?
        } else {
            durable::Source::named(path)?.text(MAX_BYTES)?
        };
        let stem = path.file_stem().map(PathBuf::from).unwrap_or_default();
        Ok(Self {
            name: path_name(&stem),
            records: records(&text).map_err(in_file)?,
        })
    }

    /// Returns the records with a number in `field`, and the number.
    pub(super) fn numbers<'a>(&'a self, field: &'a str) -> impl Iterator<Item = (&'a Record, f64)> {
        let number = move |record: &'a Record| Some((record, number(record, field)?));
        self.records.iter().filter_map(number)
    }
}

/// Reads standard input, at most [`MAX_BYTES`].
fn standard_input() -> Result<String, String> {
    let mut text = String::new();
    let mut input = std::io::stdin().take(MAX_BYTES + 1);
    let read = input.read_to_string(&mut text);
    let length = read.map_err(|error| error.to_string())? as u64;
    if length > MAX_BYTES {
        return Err(format!("too large: expected at most {MAX_BYTES} bytes"));
    }
    Ok(text)
}

/// Returns the number in a field of a record, if there is one: a JSON number, or the text of a CSV cell.
pub(super) fn number(record: &Record, field: &str) -> Option<f64> {
    let number = match record.get(field)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

/// Returns the nonempty string in a field of a record, if there is one.
pub(super) fn word<'a>(record: &'a Record, field: &str) -> Option<&'a str> {
    record
        .get(field)
        .and_then(Value::as_str)
        .filter(|word| !word.is_empty())
}

/// Returns `true` if a field is `true` in JSON or `yes` in CSV.
pub(crate) fn is_yes(record: &Record, field: &str) -> bool {
    match record.get(field) {
        Some(Value::Bool(answer)) => *answer,
        Some(Value::String(answer)) => answer == "yes",
        _ => false,
    }
}

/// Parses records from CSV or JSON. Errors name the line.
pub(super) fn records(text: &str) -> Result<Vec<Record>, String> {
    let text = text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with(['[', '{']) {
        return rows(text);
    }
    let mut records = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let values = match value.map_err(|error| error.to_string())? {
            Value::Array(values) => values,
            value => vec![value],
        };
        for value in values {
            let record = match escape_strings(value) {
                Value::Object(record) => record,
                other => return Err(format!("expected objects, found {other}")),
            };
            records.push(record);
        }
    }
    Ok(records)
}

/// Escapes the control characters in all strings of a value, because charts contain these strings.
fn escape_strings(value: Value) -> Value {
    match value {
        Value::String(text) => escaped(&text).into(),
        Value::Array(values) => values.into_iter().map(escape_strings).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (escaped(&name).into_owned(), escape_strings(value)))
            .collect(),
        other => other,
    }
}

/// Parses the rows of a CSV file.
fn rows(text: &str) -> Result<Vec<Record>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| error.to_string())?.clone();
    // Reject a header with a single name that contains another separator, with a hint.
    if let Some(only) = names.get(0).filter(|_| names.len() == 1)
        && let Some(separator) = [';', '\t', '|'].into_iter().find(|&c| only.contains(c))
    {
        return Err(format!(
            "line 1: expected names separated by ',', not by '{}'",
            escaped(&separator.to_string())
        ));
    }
    let mut records = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| error.to_string())?;
        let cells = names.iter().zip(&row);
        records.push(
            cells
                .map(|(name, cell)| (escaped(name).into_owned(), escaped(cell).into()))
                .collect(),
        );
    }
    Ok(records)
}

/// Returns the error of a chart without data, for this reason.
pub(crate) fn no_data(reason: &str) -> EngineError {
    EngineError::new(format!("no data to draw: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_csv_and_all_json_forms_alike() {
        let csv = records("depth,nodes,best\n1,6,\n2,30,c1\n").unwrap();
        let lines =
            records("{\"depth\":1,\"nodes\":6}\n{\"depth\":2,\"nodes\":30,\"best\":\"c1\"}")
                .unwrap();
        let array =
            records(" [{\"depth\":1,\"nodes\":6},\n {\"depth\":2,\"nodes\":30,\"best\":\"c1\"}]")
                .unwrap();
        assert_eq!(lines, array);
        for records in [csv, lines] {
            let read = |record| {
                (
                    number(record, "depth"),
                    number(record, "nodes"),
                    word(record, "best"),
                )
            };
            let read: Vec<_> = records.iter().map(read).collect();
            assert_eq!(
                read,
                [
                    (Some(1.0), Some(6.0), None),
                    (Some(2.0), Some(30.0), Some("c1"))
                ]
            );
        }
    }

    #[test]
    fn reports_errors_with_their_line() {
        assert!(records("a,b\n1,2\n3\n").unwrap_err().contains("line: 3"));
        assert!(records("{\"a\":1}\n{\"a\"").unwrap_err().contains("line 2"));
        assert!(records("[1]").unwrap_err().contains("found 1"));
        for (text, separator) in [("a;b\n1;2\n", "';'"), ("a\tb\n1\t2\n", r"'\u0009'")] {
            let error = records(text).unwrap_err();
            assert_eq!(
                error,
                format!("line 1: expected names separated by ',', not by {separator}")
            );
        }
        assert_eq!(records("a\n1;2\n").map(|records| records.len()), Ok(1));
    }
}
