//! Reads the command `trace`.

use super::command::{Command, TraceForm};
use super::numbers::number;
use crate::control::MAX_DEPTH;
use crate::error::ParseError;
use crate::lex::Tokenizer;
use crate::settings::{CutRule, NamedEnum};
use crate::trace::TraceRequest;
use crate::value::Value;

/// Maximum size of the first guess of MTD(f), in points.
const MAX_GUESS: i32 = 100_000;

const WORDS: &str = "events, backward, explain, positions, deepen, max, cut-on, guess or the end";

/// Reads the words after `trace`.
pub(super) fn parse(words: &mut Tokenizer) -> Result<Command, ParseError> {
    match words.expect("depth")? {
        "depth" => {}
        word => return Err(words.misread(word, "depth")),
    }
    let fits = |depth: &u32| (1..=MAX_DEPTH).contains(depth);
    let depth = number(words, "a depth from 1 to 255", fits)?;
    let mut request = TraceRequest::new(depth);
    let mut form = TraceForm::Tree;
    while let Some(word) = words.next_word() {
        let lists_events = form != TraceForm::Tree;
        match word {
            "events" if !lists_events => form = TraceForm::Events,
            "backward" if lists_events => request.is_backward = true,
            "explain" if lists_events => form = TraceForm::ExplainedEvents,
            "positions" if lists_events => request.shows_positions = true,
            "deepen" if lists_events => request.deepens = true,
            "max" if lists_events => {
                request.max_events = number(words, "a number of events from 1", |max| *max > 0)?;
            }
            "cut-on" => request.cut_rule = cut_rule(words)?,
            "guess" => {
                let fits = |guess: &i32| guess.abs() <= MAX_GUESS;
                let points = number(words, "points from -100000 to 100000", fits)?;
                request.first_guess = Value::points(points);
            }
            word => return Err(words.misread(word, WORDS)),
        }
    }
    Ok(Command::Trace(request, form))
}

fn cut_rule(words: &mut Tokenizer) -> Result<CutRule, ParseError> {
    let expected = "equal or worse";
    let word = words.expect(expected)?;
    CutRule::named(word).ok_or_else(|| words.misread(word, expected))
}
