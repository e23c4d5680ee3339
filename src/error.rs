//! The two kinds of errors of a request. A [`ParseError`] means that its text cannot be parsed, an [`EngineError`]
//! that the parsed request cannot be executed.

use std::fmt;

use crate::escape::escaped;

/// An error in the syntax of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Byte offset of the error from the start of the text.
    pub offset: usize,
    /// The expected text at `offset` and, if it helps, the text found there.
    pub expected: String,
}

impl ParseError {
    /// Creates the error that `expected` is missing at byte `offset`.
    pub fn new(offset: usize, expected: impl Into<String>) -> Self {
        Self {
            offset,
            expected: escaped(&expected.into()).into_owned(),
        }
    }

    /// Creates the error that `expected` is missing at the start of `rest`, a slice of `whole`.
    pub fn at(whole: &str, rest: &str, expected: impl Into<String>) -> Self {
        let offset = (rest.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
        Self::new(offset.min(whole.len()), expected)
    }

    /// Returns the error for a longer text that contains the parsed text at byte `offset`.
    #[must_use]
    pub(crate) fn shifted(mut self, offset: usize) -> Self {
        self.offset += offset;
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: expected {}", self.offset + 1, self.expected)
    }
}

impl std::error::Error for ParseError {}

/// The error of a parsed request that cannot be executed, with a message for the user. The state of the engine is
/// unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError(pub String, Cause);

/// The two causes of an [`EngineError`]. They determine the exit status of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The request is wrong; a different request may succeed. Exit status 2.
    Request,
    /// The work failed: out of memory or disk space, a locked folder, or an error found by a check. Exit status 1.
    Work,
}

impl EngineError {
    /// Creates the error of a wrong request. Unsafe characters of `reason` are escaped, so the message is one
    /// line.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(escaped(&reason.into()).into_owned(), Cause::Request)
    }

    /// Creates the error of failed work. Unsafe characters of `reason` are escaped, so the message is one line.
    pub fn failed(reason: impl Into<String>) -> Self {
        Self::new(reason).caused_by(Cause::Work)
    }

    /// Creates the error of several failures found by a check, one per line.
    pub(crate) fn of_lines(reasons: impl IntoIterator<Item = String>) -> Self {
        let lines = reasons.into_iter().map(|reason| Self::new(reason).0);
        Self(lines.collect::<Vec<_>>().join("\n"), Cause::Work)
    }

    /// Returns the cause.
    pub fn cause(&self) -> Cause {
        self.1
    }

    /// Returns the error with another cause.
    #[must_use]
    pub(crate) fn caused_by(self, cause: Cause) -> Self {
        Self(self.0, cause)
    }

    /// Creates the error that `name` is not among the `known` names of this `kind`. The message suggests a similar
    /// name.
    pub fn unknown<'a>(kind: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.collect();
        Self::new(format!(
            "there is no {kind} '{name}'{}, only {}",
            suggestion(name, &known),
            known.join(", ")
        ))
    }
}

/// Returns ` (did you mean NAME?)` with the most similar of the `known` names, or an empty string if none is
/// similar.
pub(crate) fn suggestion(name: &str, known: &[&str]) -> String {
    let meant = nearest(name, known).map(|meant| format!(" (did you mean {meant}?)"));
    meant.unwrap_or_default()
}

/// Minimum Jaro similarity, from 0 to 1, of a suggested name.
const MIN_SIMILARITY: f64 = 0.8;

/// Returns the known name most similar to `name`, ignoring case. Without a similar name, returns the first
/// known name that contains `name`.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let similarity = |known: &str| strsim::jaro(&name, &known.to_lowercase());
    let nearest = known
        .iter()
        .max_by(|a, b| similarity(a).total_cmp(&similarity(b)))?;
    if similarity(nearest) >= MIN_SIMILARITY {
        return Some(nearest);
    }
    let mut known = known.iter();
    let is_part =
        |known: &&&str| name.len() >= MIN_PART_BYTES && known.to_lowercase().contains(&name);
    known.find(is_part).copied()
}

/// Minimum length of `name`, in bytes, for a search of known names that contain it in [`nearest`].
const MIN_PART_BYTES: usize = 3;

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EngineError {}

impl From<ParseError> for EngineError {
    fn from(parse_error: ParseError) -> Self {
        Self::new(parse_error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_suggests_the_similar_name() {
        let known = ["aadu-puli", "bagh-chal", "tic-tac-toe", "2048", "kaooa"];
        for (typed, meant) in [
            ("aadupuli", Some("aadu-puli")),
            ("Aadu-Pulli", Some("aadu-puli")),
            ("baghchal", Some("bagh-chal")),
            ("tictactoe", Some("tic-tac-toe")),
            ("kaoa", Some("kaooa")),
            ("2084", Some("2048")),
            ("kaooas or tac", None),
            ("Tac", Some("tic-tac-toe")),
            ("chess", None),
            ("", None),
        ] {
            let message = EngineError::unknown("board", typed, known.into_iter()).0;
            let meant = meant.map(|meant| format!(" (did you mean {meant}?)"));
            let expected = format!(
                "there is no board '{typed}'{}, only aadu-puli, bagh-chal, tic-tac-toe, 2048, kaooa",
                meant.unwrap_or_default()
            );
            assert_eq!(message, expected);
        }
    }
}
