//! Transcripts of dialogues, as `protocol.md` and the files of `tests/transcripts` have them.
//!
//! `> ` begins what is said, and the lines after it are the answer. In an answer `…` stands for any text, and on a line of
//! its own for any lines.

use std::sync::mpsc::Receiver;
use std::time::Duration;

/// Far longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Anything.
const ANYTHING: &str = "…";

/// Whether `line` is `pattern`, in which `…` stands for any text.
pub fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split(ANYTHING);
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

/// Says what a transcript says and expects its answers; tells whether any lines may follow the last one.
pub fn play(
    name: &str,
    transcript: &[&str],
    mut say: impl FnMut(&str),
    answers: &Receiver<String>,
) -> bool {
    let mut skips = false;
    for line in transcript {
        if let Some(said) = line.strip_prefix("> ") {
            say(said);
        } else if *line == ANYTHING {
            skips = true;
        } else {
            expect(name, line, skips, answers);
            skips = false;
        }
    }
    skips
}

fn expect(name: &str, pattern: &str, skips: bool, answers: &Receiver<String>) {
    let mut skipped = Vec::new();
    loop {
        let Ok(line) = answers.recv_timeout(PATIENCE) else {
            panic!("{name}: waited in vain for\n{pattern}\nafter {skipped:#?}");
        };
        if fits(pattern, &line) {
            return;
        }
        assert!(skips, "{name}: expected\n{pattern}\nfound\n{line}");
        skipped.push(line);
    }
}
