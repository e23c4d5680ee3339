//! Plays transcripts of sessions, such as the examples in `protocol.md` and the files in `tests/transcripts`.
//!
//! In a transcript, a line that starts with `> ` is input. All other lines are the expected output. In these, `…`
//! matches any text, and a line that consists of `…` only matches any number of lines.

use std::sync::mpsc::Receiver;
use std::time::Duration;

/// Timeout, far above the time that any answer takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Matches any text in an expected line.
const WILDCARD: &str = "…";

/// Returns `true` if `line` matches `pattern`. Each `…` in the pattern matches any text.
pub fn matches_pattern(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split(WILDCARD);
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Sends the input of a transcript by `send` and compares `answers` with the expected output. Returns `true` if the
/// transcript ends with `…`, so that more output may follow.
pub fn play(
    name: &str,
    transcript: &[&str],
    mut send: impl FnMut(&str),
    answers: &Receiver<String>,
) -> bool {
    let mut may_skip = false;
    for line in transcript {
        if let Some(input) = line.strip_prefix("> ") {
            send(input);
        } else if *line == WILDCARD {
            may_skip = true;
        } else {
            expect(name, line, may_skip, answers);
            may_skip = false;
        }
    }
    may_skip
}

/// Reads the next line, which must match `pattern`. If `may_skip`, any lines may come before it.
fn expect(name: &str, pattern: &str, may_skip: bool, answers: &Receiver<String>) {
    let mut skipped = Vec::new();
    loop {
        let Ok(line) = answers.recv_timeout(TIMEOUT) else {
            panic!("{name}: timeout: expected\n{pattern}\nafter {skipped:#?}");
        };
        if matches_pattern(pattern, &line) {
            return;
        }
        assert!(may_skip, "{name}: expected\n{pattern}\nfound\n{line}");
        skipped.push(line);
    }
}
