//! The entries of a board file, and the errors in them. An entry is one line: a keyword and its values.

use std::fmt;

use crate::error::ParseError;
use crate::escape::is_unsafe;
use crate::lex::Tokenizer;

/// An error in a board file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// Line number from 1, or 0 for an error that belongs to no line, such as a missing keyword.
    pub line: usize,
    /// The expected text, and the column of the error in the line.
    pub cause: ParseError,
}

impl SpecError {
    /// Creates an error that belongs to no line.
    pub(crate) fn of_file(expected: impl Into<String>) -> Self {
        Self {
            line: 0,
            cause: ParseError::new(0, expected),
        }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "expected {}", self.cause.expected),
            line => write!(f, "line {line}, {}", self.cause),
        }
    }
}

impl std::error::Error for SpecError {}

/// The errors of a board file, ordered by line and column. Errors that belong to no line come last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecErrors(Vec<SpecError>);

/// Maximum number of errors described in a one-line message, which only counts further errors.
const MAX_LISTED_ERRORS: usize = 5;

impl SpecErrors {
    /// Sorts the errors. Returns `None` if there are none.
    pub fn of(mut errors: Vec<SpecError>) -> Option<Self> {
        // An error without a line has line 0. Subtracting 1 wraps to `usize::MAX`, which sorts it last.
        errors.sort_by_key(|error| (error.line.wrapping_sub(1), error.cause.offset));
        (!errors.is_empty()).then_some(Self(errors))
    }

    /// Iterates over the errors.
    pub fn iter(&self) -> impl Iterator<Item = &SpecError> {
        self.0.iter()
    }
}

impl fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().take(MAX_LISTED_ERRORS).enumerate() {
            let separator = if index > 0 { "; " } else { "" };
            write!(f, "{separator}{error}")?;
        }
        match self.0.len().saturating_sub(MAX_LISTED_ERRORS) {
            0 => Ok(()),
            1 => f.write_str("; and 1 more error"),
            more => write!(f, "; and {more} more errors"),
        }
    }
}

impl std::error::Error for SpecErrors {}

/// All keywords of board files, in the order in which the built-in files use them.
pub(crate) const KEYWORDS: [&str; 27] = [
    "game",
    "about",
    "origin",
    "year",
    "source",
    "differs",
    "names",
    "row",
    "line",
    "hunters",
    "hunters-drop",
    "prey",
    "first",
    "first-drops",
    "captures",
    "leap",
    "capture",
    "huff",
    "prey-steps",
    "prey-turn",
    "prey-stuck",
    "prey-zone",
    "prey-stacks",
    "hunters-goal",
    "hunters-trap",
    "prey-goal",
    "repetition",
];

/// Returns `true` if several lines of a file may have this keyword.
pub(super) fn may_repeat(keyword: &str) -> bool {
    matches!(keyword, "row" | "line" | "source" | "differs")
}

/// A line of a board file: a keyword and its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    /// Line number from 1.
    number: usize,
    /// First word of the line.
    pub(crate) keyword: &'a str,
    /// Remaining words of the line.
    pub words: Tokenizer<'a>,
}

impl<'a> Entry<'a> {
    /// Creates an error on this line.
    pub(super) fn error(&self, cause: ParseError) -> SpecError {
        SpecError {
            line: self.number,
            cause,
        }
    }

    /// Creates an error at `word`, a word of this line, in place of `expected`.
    pub(super) fn expected(&self, word: &str, expected: &str) -> SpecError {
        self.error(self.words.misread(word, expected))
    }

    /// Returns the next word. `expected` describes it in the error.
    ///
    /// # Errors
    /// If the line has no more words.
    pub(super) fn next(&mut self, expected: &str) -> Result<&'a str, SpecError> {
        let word = self.words.expect(expected);
        word.map_err(|error| self.error(error))
    }

    /// Reads the next word and returns its value in `choices`.
    ///
    /// # Errors
    /// If the line has no more words or the word is not in `choices`.
    pub(super) fn choice<T: Copy>(&mut self, choices: &[(&str, T)]) -> Result<T, SpecError> {
        let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
        let expected = names.join(" or ");
        let word = self.next(&expected)?;
        let choice = choices.iter().find(|(name, _)| *name == word);
        choice
            .map(|&(_, value)| value)
            .ok_or_else(|| self.expected(word, &expected))
    }

    /// Parses the next word as a number in `min..=max`. `what` describes the number in the error.
    ///
    /// # Errors
    /// If the line has no more words or the word is not such a number.
    pub(super) fn number(&mut self, what: &str, min: u32, max: u32) -> Result<u32, SpecError> {
        let expected = format!("{what}, {min} to {max}");
        let word = self.next(&expected)?;
        let number = word.parse().ok().filter(|n| (min..=max).contains(n));
        number.ok_or_else(|| self.expected(word, &expected))
    }

    /// Parses the next word as a coordinate. `what` describes the coordinate in the error.
    ///
    /// # Errors
    /// If the line has no more words, or if the word is not a number from −[`MAX_COORDINATE`] to [`MAX_COORDINATE`].
    pub(crate) fn coordinate(&mut self, what: &str) -> Result<f64, SpecError> {
        let word = self.next(what)?;
        let number = word
            .parse()
            .ok()
            .filter(|n: &f64| n.abs() <= MAX_COORDINATE);
        number.ok_or_else(|| self.expected(word, what))
    }

    /// Checks that the line has no more words.
    pub(super) fn end(&mut self) -> Result<(), SpecError> {
        let end = self.words.end();
        end.map_err(|error| self.error(error))
    }
}

/// Maximum absolute value of a coordinate.
const MAX_COORDINATE: f64 = 10_000.0;

/// Splits a board file into entries. Also returns errors for control characters, unknown keywords and repeated
/// keywords.
///
/// Skips comments and empty lines. Some keywords may be repeated, see [`may_repeat`]; for any other repeated keyword, only the
/// first entry is returned. Entries with unknown keywords are returned, too.
pub(super) fn entries(text: &str) -> (Vec<Entry<'_>>, Vec<SpecError>) {
    let (mut entries, mut errors): (Vec<Entry>, Vec<SpecError>) = Default::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        let mut words = Tokenizer::new(line);
        let Some(keyword) = words.next_word() else {
            continue;
        };
        let entry = Entry {
            number: index + 1,
            keyword,
            words,
        };
        if let Some(unsafe_at) = line.find(|c| c != '\t' && is_unsafe(c)) {
            let found = line[unsafe_at..].chars().take(1).collect::<String>();
            let expected = format!("text without control characters, found '{found}'");
            errors.push(entry.error(ParseError::new(unsafe_at, expected)));
        }
        let is_known = KEYWORDS.contains(&keyword);
        let may_repeat = !is_known || may_repeat(keyword);
        let first = entries.iter().find(|other| other.keyword == keyword);
        if !is_known {
            let expected = format!("one of {}", KEYWORDS.join(", "));
            errors.push(entry.expected(keyword, &expected));
        } else if let Some(first) = first.filter(|_| !may_repeat) {
            let expected = format!("'{keyword}' only once, it is also on line {}", first.number);
            errors.push(entry.error(ParseError::new(entry.words.offset(keyword), expected)));
            continue;
        }
        entries.push(entry);
    }
    (entries, errors)
}
