//! The words of a text and where they stand: what the protocol and the notations of the games share.

use std::str::FromStr;

use nom::bytes::complete::{take_while, take_while1};
use nom::combinator::opt;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::error::ParseError;
use crate::escape::escaped;

/// Whether `c` separates words.
pub fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\x0b' | '\x0c')
}

/// The next word, blanks before it skipped.
pub fn word(input: &str) -> IResult<&str, &str> {
    preceded(take_while(is_blank), take_while1(|c| !is_blank(c))).parse(input)
}

/// A reader of one text, word by word; every error it makes knows its column.
#[derive(Clone, Copy, Debug)]
pub struct Tokenizer<'a> {
    whole: &'a str,
    rest: &'a str,
}

impl<'a> Tokenizer<'a> {
    /// Reads `text` from its beginning.
    pub fn new(text: &'a str) -> Self {
        Self {
            whole: text,
            rest: text,
        }
    }

    /// The next word, if there is one.
    pub fn next_word(&mut self) -> Option<&'a str> {
        let (rest, word) = opt(word).parse(self.rest).ok()?;
        self.rest = rest;
        word
    }

    /// The next word, left where it is.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next_word()
    }

    /// The next word, or the error that `expected` was missing.
    pub fn expect(&mut self, expected: &str) -> Result<&'a str, ParseError> {
        self.next_word().ok_or_else(|| {
            ParseError::new(
                self.whole.trim_end().len(),
                format!("{expected}, found the end"),
            )
        })
    }

    /// The next word as a number of type `T`.
    pub fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, ParseError> {
        let word = self.expect(expected)?;
        word.parse().map_err(|_| self.misread(word, expected))
    }

    /// The error that `expected` should have stood where `word`, a slice of this text, stands.
    pub fn misread(&self, word: &str, expected: &str) -> ParseError {
        ParseError::at(
            self.whole,
            word,
            format!("{expected}, found '{}'", shortened(word)),
        )
    }

    /// Fails unless nothing but blanks is left.
    pub fn end(&mut self) -> Result<(), ParseError> {
        match self.next_word() {
            None => Ok(()),
            Some(word) => Err(self.misread(word, "nothing more")),
        }
    }

    /// The offset of `part`, a slice of this text.
    pub fn offset(&self, part: &str) -> usize {
        part.as_ptr() as usize - self.whole.as_ptr() as usize
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a str {
        self.rest
    }
}

/// `text`, cut where it is too long for an error message, control characters made visible.
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    let short: String = text.chars().take(LONGEST).collect();
    let mut short = escaped(&short).into_owned();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_error_quotes_is_cut_and_shown_as_it_is() {
        assert_eq!(shortened("ஆடு's \"\\\""), "ஆடு's \"\\\"");
        assert_eq!(shortened("a\0b\x1b[31m"), "a\\u0000b\\u001b[31m");
        assert_eq!(shortened(&"x".repeat(41)), format!("{}…", "x".repeat(40)));
    }
}
