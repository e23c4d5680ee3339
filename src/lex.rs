//! The words of a text and where they stand: what the protocol and the notations of the games share.

use std::borrow::Cow;
use std::str::FromStr;

use nom::bytes::complete::{take_while, take_while1};
use nom::combinator::opt;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::error::Misread;

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
pub struct Words<'a> {
    whole: &'a str,
    rest: &'a str,
}

impl<'a> Words<'a> {
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
    pub fn expect(&mut self, expected: &str) -> Result<&'a str, Misread> {
        self.next_word().ok_or_else(|| {
            Misread::new(
                self.whole.trim_end().len(),
                format!("{expected}, found the end"),
            )
        })
    }

    /// The next word as a number of type `T`.
    pub fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, Misread> {
        let word = self.expect(expected)?;
        word.parse().map_err(|_| self.misread(word, expected))
    }

    /// The error that `expected` should have stood where `word`, a slice of this text, stands.
    pub fn misread(&self, word: &str, expected: &str) -> Misread {
        Misread::at(
            self.whole,
            word,
            format!("{expected}, found '{}'", shortened(word)),
        )
    }

    /// Fails unless nothing but blanks is left.
    pub fn end(&mut self) -> Result<(), Misread> {
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

/// The line as it may be printed: whatever input, a file's name or an error quotes, nobody forges a second line through
/// it, or hides, turns round or colours what a terminal shows.
pub fn visible(line: &str) -> Cow<'_, str> {
    if !line.chars().any(is_deceptive) {
        return Cow::Borrowed(line);
    }
    let mut shown = String::with_capacity(line.len() + 8);
    for c in line.chars() {
        if is_deceptive(c) {
            // As JSON writes it: a line of `state` stays what it was.
            shown.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Whether some reader takes `c` for the end of a line, or some terminal for a command: the control characters, the
/// separators of lines and paragraphs, and the marks that have no width or change the direction of text (Unicode's
/// categories Cc, Zl and Zp, and what of Cf is not needed to write words).
fn is_deceptive(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        )
}

/// `text`, cut where it is too long for an error message, control characters made visible.
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    let short: String = text.chars().take(LONGEST).collect();
    let mut short = visible(&short).into_owned();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_makes_a_second_line_or_hides_what_it_says() {
        assert_eq!(visible("a\nbestmove b"), "a\\u000abestmove b");
        assert_eq!(
            visible("a\u{2028}b\u{85}c\x1b[2J\t"),
            "a\\u2028b\\u0085c\\u001b[2J\\u0009"
        );
        assert_eq!(visible("\u{202e}evil\u{200b}"), "\\u202eevil\\u200b");
        for honest in ["ஆடு புலி ஆட்டம் – “…”", "info depth 1 pv c1", "it's", ""]
        {
            assert_eq!(visible(honest), honest);
        }
    }

    #[test]
    fn what_an_error_quotes_is_cut_and_shown_as_it_is() {
        assert_eq!(shortened("ஆடு's \"\\\""), "ஆடு's \"\\\"");
        assert_eq!(shortened("a\0b\x1b[31m"), "a\\u0000b\\u001b[31m");
        assert_eq!(shortened(&"x".repeat(41)), format!("{}…", "x".repeat(40)));
    }
}
