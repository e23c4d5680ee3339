//! Reads the numbers of commands.

use std::str::FromStr;

use crate::error::ParseError;
use crate::lex::Tokenizer;

pub(super) fn number<T: FromStr>(
    words: &mut Tokenizer,
    expected: &str,
    fits: impl Fn(&T) -> bool,
) -> Result<T, ParseError> {
    let word = words.expect(expected)?;
    word.parse()
        .ok()
        .filter(fits)
        .ok_or_else(|| words.misread(word, expected))
}
