//! The lines of a board file, one keyword each, and the mistakes in them.

use std::fmt;

use crate::error::ParseError;
use crate::escape::is_unsafe;
use crate::lex::Tokenizer;

/// A mistake in a board file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The line, from 1; 0 where something is missing from the whole file.
    pub line: usize,
    /// What would have been right, and where on the line.
    pub misread: ParseError,
}

impl SpecError {
    /// A mistake of the whole file.
    pub fn of_file(expected: impl Into<String>) -> Self {
        Self {
            line: 0,
            misread: ParseError::new(0, expected),
        }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "expected {}", self.misread.expected),
            line => write!(f, "line {line}, {}", self.misread),
        }
    }
}

impl std::error::Error for SpecError {}

/// All mistakes of a board file, in the order of their places; those of the whole file come last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecErrors(Vec<SpecError>);

/// So many are told where there is one line for all of them.
const TOLD: usize = 5;

impl SpecErrors {
    /// These mistakes, if there are any.
    pub fn of(mut faults: Vec<SpecError>) -> Option<Self> {
        // Line 0 is that of the whole file.
        faults.sort_by_key(|fault| (fault.line.wrapping_sub(1), fault.misread.offset));
        (!faults.is_empty()).then_some(Self(faults))
    }

    /// One by one.
    pub fn iter(&self) -> impl Iterator<Item = &SpecError> {
        self.0.iter()
    }
}

impl fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().take(TOLD).enumerate() {
            let separator = if index > 0 { "; " } else { "" };
            write!(f, "{separator}{fault}")?;
        }
        match self.0.len().saturating_sub(TOLD) {
            0 => Ok(()),
            1 => f.write_str("; and one mistake more"),
            more => write!(f, "; and {more} mistakes more"),
        }
    }
}

impl std::error::Error for SpecErrors {}

/// What a file may say, in the order in which people write it.
pub const KEYWORDS: [&str; 19] = [
    "game",
    "about",
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
    "prey-steps",
    "prey-stuck",
    "prey-zone",
    "hunters-goal",
    "prey-goal",
    "repetition",
];

/// A line of a file: its number, its words, and what stands behind its keyword.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// From 1.
    number: usize,
    /// What it is about.
    pub keyword: &'a str,
    /// What has not been read yet.
    pub words: Tokenizer<'a>,
}

impl<'a> Entry<'a> {
    /// A mistake on this line.
    pub fn fault(&self, misread: ParseError) -> SpecError {
        SpecError {
            line: self.number,
            misread,
        }
    }

    /// The mistake that `expected` should have stood where `word` stands.
    pub fn expected(&self, word: &str, expected: &str) -> SpecError {
        self.fault(self.words.misread(word, expected))
    }

    /// The next word, or the mistake that there is none.
    pub fn next(&mut self, expected: &str) -> Result<&'a str, SpecError> {
        let word = self.words.expect(expected);
        word.map_err(|misread| self.fault(misread))
    }

    /// The next word, which is one of these.
    pub fn choice<T: Copy>(&mut self, choices: &[(&str, T)]) -> Result<T, SpecError> {
        let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
        let expected = names.join(" or ");
        let word = self.next(&expected)?;
        let choice = choices.iter().find(|(name, _)| *name == word);
        choice
            .map(|&(_, value)| value)
            .ok_or_else(|| self.expected(word, &expected))
    }

    /// The next word, which is a number in this range.
    pub fn number(&mut self, what: &str, least: u32, most: u32) -> Result<u32, SpecError> {
        let expected = format!("{what}, {least} to {most}");
        let word = self.next(&expected)?;
        let number = word.parse().ok().filter(|n| (least..=most).contains(n));
        number.ok_or_else(|| self.expected(word, &expected))
    }

    /// The next word, which is a coordinate.
    pub fn coordinate(&mut self, what: &str) -> Result<f64, SpecError> {
        let word = self.next(what)?;
        let number = word.parse().ok().filter(|n: &f64| n.abs() <= FARTHEST);
        number.ok_or_else(|| self.expected(word, what))
    }

    /// Fails unless the line ends here.
    pub fn end(&mut self) -> Result<(), SpecError> {
        let end = self.words.end();
        end.map_err(|misread| self.fault(misread))
    }
}

/// No coordinate lies farther from the origin.
const FARTHEST: f64 = 10_000.0;

/// The lines of a file that say something, and the mistakes in how they begin: a keyword other than `row` and `line` stands
/// once, of which the first counts. Lines with unknown keywords are among them.
pub fn entries(text: &str) -> (Vec<Entry<'_>>, Vec<SpecError>) {
    let (mut entries, mut faults): (Vec<Entry>, Vec<SpecError>) = Default::default();
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
            faults.push(entry.fault(ParseError::new(unsafe_at, expected)));
        }
        let is_known = KEYWORDS.contains(&keyword);
        let may_repeat = !is_known || matches!(keyword, "row" | "line");
        let first = entries.iter().find(|other| other.keyword == keyword);
        if !is_known {
            let expected = format!("one of {}", KEYWORDS.join(", "));
            faults.push(entry.expected(keyword, &expected));
        } else if let Some(first) = first.filter(|_| !may_repeat) {
            let expected = format!(
                "'{keyword}' once, it stands on line {} already",
                first.number
            );
            faults.push(entry.fault(ParseError::new(entry.words.offset(keyword), expected)));
            continue;
        }
        entries.push(entry);
    }
    (entries, faults)
}
