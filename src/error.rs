//! The two ways a request can fail: it could not be read ([`Misread`]), or it was read and cannot be done ([`Refusal`]).

use std::fmt;

use crate::escape::escaped;

/// Text that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Where, in bytes from the start of the text that was read.
    pub offset: usize,
    /// What would have been right there, and what stood there instead where that helps.
    pub expected: String,
}

impl ParseError {
    /// `expected` was not found at `offset`.
    pub fn new(offset: usize, expected: impl Into<String>) -> Self {
        Self {
            offset,
            expected: escaped(&expected.into()).into_owned(),
        }
    }

    /// `expected` was not found where `rest`, a part of `whole`, begins.
    pub fn at(whole: &str, rest: &str, expected: impl Into<String>) -> Self {
        let offset = (rest.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
        Self::new(offset.min(whole.len()), expected)
    }

    /// The same place in a longer text, in which the text that was read begins at `offset`.
    #[must_use]
    pub fn shifted(mut self, offset: usize) -> Self {
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

/// A request that was understood and cannot be met; nothing has changed. The text is for the person who reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError(pub String, Cause);

/// The two causes of a refusal, which a command line tells apart by its exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The request was wrong: another one may do.
    Request,
    /// The work failed: no memory, no room on the disk, a locked folder, a mistake that was found.
    Work,
}

impl EngineError {
    /// Refuses a request for `reason`, in one line: unsafe characters of it are escaped.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(escaped(&reason.into()).into_owned(), Cause::Request)
    }

    /// Reports work that failed for `reason`, in one line.
    pub fn failed(reason: impl Into<String>) -> Self {
        Self::new(reason).caused_by(Cause::Work)
    }

    /// Reports several mistakes that were found, one a line.
    pub fn of_lines(reasons: impl IntoIterator<Item = String>) -> Self {
        let lines = reasons.into_iter().map(|reason| Self::new(reason).0);
        Self(lines.collect::<Vec<_>>().join("\n"), Cause::Work)
    }

    /// Returns the cause.
    pub fn cause(&self) -> Cause {
        self.1
    }

    /// Returns the same refusal with another cause, as where the text of another one is part of it.
    #[must_use]
    pub fn caused_by(self, cause: Cause) -> Self {
        Self(self.0, cause)
    }

    /// None of the names known of things of this kind is this one.
    pub fn unknown<'a>(kind: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.collect();
        Self::new(format!(
            "there is no {kind} '{name}'{}, only {}",
            suggestion(name, &known),
            known.join(", ")
        ))
    }
}

/// Returns the nearest of the known names as a question in brackets after a space, or nothing if none is near.
pub fn suggestion(name: &str, known: &[&str]) -> String {
    let meant = nearest(name, known).map(|meant| format!(" (did you mean {meant}?)"));
    meant.unwrap_or_default()
}

/// A name that is this much like another, between 0 and 1, may be meant for it.
const LIKE: f64 = 0.8;

/// The name that is most like this one, in any case, if any is like it at all.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let likeness = |known: &str| strsim::jaro(&name, &known.to_lowercase());
    let nearest = known
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    if likeness(nearest) >= LIKE {
        return Some(nearest);
    }
    let mut known = known.iter();
    let is_part = |known: &&&str| name.len() >= MIN_PART && known.to_lowercase().contains(&name);
    known.find(is_part).copied()
}

/// A part of a name must have this many letters to stand for it.
const MIN_PART: usize = 3;

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EngineError {}

impl From<ParseError> for EngineError {
    fn from(misread: ParseError) -> Self {
        Self::new(misread.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_mistyped_is_told_with_the_one_that_was_meant() {
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
            let said = EngineError::unknown("board", typed, known.into_iter()).0;
            let meant = meant.map(|meant| format!(" (did you mean {meant}?)"));
            let expected = format!(
                "there is no board '{typed}'{}, only aadu-puli, bagh-chal, tic-tac-toe, 2048, kaooa",
                meant.unwrap_or_default()
            );
            assert_eq!(said, expected);
        }
    }
}
