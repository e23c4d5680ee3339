//! Reads files of own weights and own estimates: a line for each entry, with its number last.

use std::path::Path;

use crate::durable::Source;
use crate::error::{EngineError, suggestion};
use crate::escape::path_name;
use crate::lex::shortened;
use crate::search::evaluator::Feature;

/// Maximum size of a file, in bytes. The positions of the 8-puzzle take 4 MB.
const MAX_BYTES: u64 = 64 << 20;

/// Maximum size of a weight, in points. The sum of all features stays below a forced win.
const MAX_WEIGHT: f64 = 1000.0;

/// Maximum estimate, in moves.
const MAX_ESTIMATE: u32 = 1_000_000;

/// An entry of a file: the number of its line from 1, its name or position, and the number at its end.
struct Entry<'a> {
    line: usize,
    subject: &'a str,
    number: &'a str,
}

/// A file of entries.
struct File<'a> {
    /// The option that names the file.
    option: &'static str,
    path: &'a Path,
}

impl File<'_> {
    fn text(&self) -> Result<String, EngineError> {
        let rejected = |error: EngineError| EngineError::new(format!("{}: {error}", self.option));
        Source::named(self.path)
            .and_then(|source| source.text(MAX_BYTES))
            .map_err(rejected)
    }

    /// Returns the error of a line.
    fn error(&self, line: usize, expected: &str) -> EngineError {
        let (option, path) = (self.option, path_name(self.path));
        EngineError::new(format!(
            "{option}: {path}, line {line}: expected {expected}"
        ))
    }

    /// Returns the entries of a text. Skips empty lines and comments, which begin with `#`.
    fn entries<'t>(&self, text: &'t str, form: &str) -> Result<Vec<Entry<'t>>, EngineError> {
        let lines = (1..)
            .zip(text.lines())
            .map(|(line, text)| (line, text.trim()));
        let lines = lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#'));
        lines
            .map(|(line, text)| {
                let parts = text.rsplit_once(char::is_whitespace);
                let (subject, number) = parts.ok_or_else(|| {
                    self.error(line, &format!("{form}, found '{}'", shortened(text)))
                })?;
                let subject = subject.trim_end();
                Ok(Entry {
                    line,
                    subject,
                    number,
                })
            })
            .collect()
    }
}

/// Returns the weight of each of `features`, in hundredths of a point. A feature that the file does not name keeps its
/// usual weight.
///
/// # Errors
/// If the file is unreadable, or if a line is no name of a feature and a weight. The error names the line.
pub(super) fn read_weights(path: &Path, features: &[Feature]) -> Result<Vec<i32>, EngineError> {
    let option = "WeightsFile";
    let file = File { option, path };
    let names: Vec<&str> = features.iter().map(|feature| feature.name).collect();
    let mut weights: Vec<i32> = features.iter().map(|feature| feature.weight).collect();
    let mut lines = vec![None; names.len()];
    for entry in file.entries(&file.text()?, "the name of a feature and its weight")? {
        let index = names.iter().position(|name| *name == entry.subject);
        let index = index.ok_or_else(|| {
            let found = shortened(entry.subject);
            let similar = suggestion(entry.subject, &names);
            let expected = format!("a feature ({}), found '{found}'{similar}", names.join(", "));
            file.error(entry.line, &expected)
        })?;
        if let Some(first) = lines[index].replace(entry.line) {
            let expected = format!("each feature once, but line {first} has '{}'", names[index]);
            return Err(file.error(entry.line, &expected));
        }
        weights[index] = hundredths(entry.number).ok_or_else(|| {
            let found = shortened(entry.number);
            let expected = format!(
                "a weight from -{MAX_WEIGHT} to {MAX_WEIGHT} with at most two digits after its point, found '{found}'"
            );
            file.error(entry.line, &expected)
        })?;
    }
    Ok(weights)
}

/// Reads a number with at most two decimals. Returns `None` for other texts and for larger numbers.
fn hundredths(text: &str) -> Option<i32> {
    let is_plain = text
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-'));
    let decimals = text
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    let number: f64 = text.parse().ok().filter(|_| is_plain && decimals <= 2)?;
    (number.abs() <= MAX_WEIGHT).then(|| (number * 100.0).round() as i32)
}

/// Returns the positions of a file with their estimates, in moves. `read` reads a position.
///
/// # Errors
/// If the file is unreadable, or if a line is no position and an estimate. The error names the line.
pub(super) fn read_estimates<P>(
    path: &Path,
    read: impl Fn(&str) -> Result<P, EngineError>,
) -> Result<Vec<(P, u32)>, EngineError> {
    let option = "EstimateFile";
    let file = File { option, path };
    let text = file.text()?;
    let entries = file.entries(&text, "a position and its estimate")?;
    let entries = entries.into_iter().map(|entry| {
        let position = read(entry.subject).map_err(|error| {
            let found = shortened(entry.subject);
            file.error(entry.line, &format!("a position, found '{found}': {error}"))
        })?;
        let is_number = entry.number.bytes().all(|byte| byte.is_ascii_digit());
        let estimate = entry.number.parse::<u32>().ok();
        let estimate = estimate.filter(|&estimate| is_number && estimate <= MAX_ESTIMATE);
        let estimate = estimate.ok_or_else(|| {
            let found = shortened(entry.number);
            let expected = format!("an estimate from 0 to {MAX_ESTIMATE} moves, found '{found}'");
            file.error(entry.line, &expected)
        })?;
        Ok((position, estimate))
    });
    entries.collect()
}
