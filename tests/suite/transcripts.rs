//! Plays transcripts of sessions and compares the output: every file in `tests/transcripts`, and every example in
//! `protocol.md`. There, the examples are the code blocks that start with ```` ```puli ````.

use crate::support::session;
use crate::support::transcript;

use std::fs;
use std::io::Write;
use std::path::Path;

use transcript::matches_pattern;

/// Plays a transcript in a new session, which must print nothing after the end of the transcript.
fn play(name: &str, transcript: &[&str]) {
    let session::SessionPipes {
        mut input,
        lines,
        session,
    } = session::start();
    let send = |line: &str| writeln!(input, "{line}").expect("a session that reads");
    let may_print_more = transcript::play(name, transcript, send, &lines);
    drop(input);
    let remaining: Vec<String> = lines.iter().collect();
    assert!(
        may_print_more || remaining.is_empty(),
        "{name}: not in the transcript: {remaining:#?}"
    );
    session.join().expect("no panic").expect("no failure");
}

/// Returns the transcripts on a page, each with the number of its first line.
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
fn session_reproduces_protocol_examples() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol.md");
    let page = fs::read_to_string(path).expect("the page");
    let blocks = blocks(&page);
    assert!(blocks.len() > 10, "{} examples", blocks.len());
    for (line, block) in blocks {
        play(&format!("protocol.md:{line}"), &block);
    }
}

#[test]
fn bench_example_shows_signature() {
    let read = |name: &str| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a file")
    };
    let signature_line = format!("Nodes searched  : {}\n", read("tests/signature").trim());
    assert!(
        read("protocol.md").contains(&signature_line),
        "{signature_line}"
    );
}

#[test]
fn session_reproduces_transcripts() {
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
fn ellipsis_alone_matches_any_text() {
    assert!(matches_pattern("info … pv c1", "info depth 3 pv c1"));
    assert!(matches_pattern("a…b…", "a1b2b3"));
    assert!(
        matches_pattern("a", "a") && !matches_pattern("a", "ab") && !matches_pattern("a…c", "ab")
    );
}
