//! Plays transcripts of sessions, as in `protocol.md` and the files of `tests/transcripts`.
//!
//! A line after `> ` is input. The other lines are the expected output. In them, `…` stands for any text, and a
//! line of only `…` for any lines.

use std::sync::mpsc::Receiver;
use std::time::Duration;

/// Timeout, far above the time that any answer takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Stands for any text.
const WILDCARD: &str = "…";

/// Returns `true` if `line` matches `pattern`, in which `…` stands for any text.
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

/// Sends the input of a transcript and compares the output. Returns `true` if any lines may follow the last one.
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
