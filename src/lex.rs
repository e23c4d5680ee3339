//! Splits text into words, for the protocol and the notations of the games.

use std::str::FromStr;

use nom::bytes::complete::{take_while, take_while1};
use nom::combinator::opt;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::error::ParseError;
use crate::escape::escaped;

/// Returns `true` if `c` separates words.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\x0b' | '\x0c')
}

/// Parses the next word, and skips the blanks before it.
pub(crate) fn word(input: &str) -> IResult<&str, &str> {
    preceded(take_while(is_blank), take_while1(|c| !is_blank(c))).parse(input)
}

/// An iterator over the words of a text. Its errors contain the offset of the word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tokenizer<'a> {
    whole: &'a str,
    rest: &'a str,
}

impl<'a> Tokenizer<'a> {
    /// Creates a reader at the start of `text`.
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            whole: text,
            rest: text,
        }
    }

    /// Returns the next word, or `None` at the end.
    pub(crate) fn next_word(&mut self) -> Option<&'a str> {
        let (rest, word) = opt(word).parse(self.rest).ok()?;
        self.rest = rest;
        word
    }

    /// Returns the next word without consuming it.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next_word()
    }

    /// Returns the next word.
    ///
    /// # Errors
    /// If no word is left. `expected` describes the word in the message.
    pub(crate) fn expect(&mut self, expected: &str) -> Result<&'a str, ParseError> {
        self.next_word().ok_or_else(|| {
            ParseError::new(
                self.whole.trim_end().len(),
                format!("{expected}, found the end"),
            )
        })
    }

    /// Returns the next word as a number of type `T`.
    ///
    /// # Errors
    /// If no word is left or it is no such number. `expected` describes it in the message.
    pub(crate) fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, ParseError> {
        let word = self.expect(expected)?;
        word.parse().map_err(|_| self.misread(word, expected))
    }

    /// Returns the error that `expected` should be in the place of `word`, a slice of this text.
    pub(crate) fn misread(&self, word: &str, expected: &str) -> ParseError {
        ParseError::at(
            self.whole,
            word,
            format!("{expected}, found '{}'", shortened(word)),
        )
    }

    /// Checks that no words are left.
    ///
    /// # Errors
    /// If another word follows.
    pub(crate) fn end(&mut self) -> Result<(), ParseError> {
        match self.next_word() {
            None => Ok(()),
            Some(word) => Err(self.misread(word, "nothing more")),
        }
    }

    /// Returns the byte offset of `part`, a slice of this text.
    pub(crate) fn offset(&self, part: &str) -> usize {
        part.as_ptr() as usize - self.whole.as_ptr() as usize
    }

    /// Returns the unread text.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }
}

/// Returns `text` for quotes in error messages: at most 40 characters, with unsafe characters
/// escaped.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let short: String = text.chars().take(MAX_CHARS).collect();
    let mut short = escaped(&short).into_owned();
    if text.chars().nth(MAX_CHARS).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_is_shortened_and_escaped() {
        assert_eq!(shortened("ஆடு's \"\\\""), "ஆடு's \"\\\"");
        assert_eq!(shortened("a\0b\x1b[31m"), "a\\u0000b\\u001b[31m");
        assert_eq!(shortened(&"x".repeat(41)), format!("{}…", "x".repeat(40)));
    }
}
