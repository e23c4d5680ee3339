//! Every example of `protocol.md`, and every file of `tests/transcripts`, played to a session line by line.
//!
//! In a block fenced as ```` ```puli ```` (in a file: between empty lines of its own), `> ` begins what is said, and the
//! lines after it are the answer. In an answer `…` stands for any text, and on a line of its own for any lines.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use puli::catalog;
use puli::session;

/// Far longer than any answer here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Anything.
const ANYTHING: &str = "…";

/// Whether `line` is `pattern`, in which `…` stands for any text.
fn fits(pattern: &str, line: &str) -> bool {
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

/// Plays one transcript to a new session.
fn play(name: &str, transcript: &[&str]) {
    let (session_input, mut input) = io::pipe().expect("a pipe");
    let (output, session_output) = io::pipe().expect("a pipe");
    let session = thread::spawn(move || {
        session::run(
            BufReader::new(session_input),
            session_output,
            catalog::build,
        )
    });
    let (sender, answers) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            drop(sender.send(line.expect("text")));
        }
    });
    let mut skips = false;
    for line in transcript {
        if let Some(said) = line.strip_prefix("> ") {
            writeln!(input, "{said}").expect("a session that reads");
        } else if *line == ANYTHING {
            skips = true;
        } else {
            expect(name, line, skips, &answers);
            skips = false;
        }
    }
    drop(input);
    let rest: Vec<String> = answers.iter().collect();
    assert!(
        skips || rest.is_empty(),
        "{name}: not in the transcript: {rest:#?}"
    );
    session.join().expect("no panic").expect("no failure");
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

/// The blocks of a page that are transcripts, each with the line where it begins.
fn blocks(page: &str) -> Vec<(usize, Vec<&str>)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if line == "```puli" {
            let block = lines
                .by_ref()
                .map(|(_, line)| line)
                .take_while(|line| *line != "```");
            blocks.push((index + 1, block.collect()));
        }
    }
    blocks
}

#[test]
fn every_example_of_the_protocols_page_is_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol.md");
    let page = fs::read_to_string(path).expect("the page");
    let blocks = blocks(&page);
    assert!(blocks.len() > 10, "{} examples", blocks.len());
    for (line, block) in blocks {
        play(&format!("protocol.md:{line}"), &block);
    }
}

#[test]
fn every_transcript_is_true() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the transcripts") {
        let path = entry.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a transcript");
        play(
            &path.display().to_string(),
            &text.lines().collect::<Vec<_>>(),
        );
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn an_ellipsis_fits_any_text_and_nothing_else_does() {
    assert!(fits("info … pv c1", "info depth 3 pv c1"));
    assert!(fits("a…b…", "a1b2b3"));
    assert!(fits("a", "a") && !fits("a", "ab") && !fits("a…c", "ab"));
}
