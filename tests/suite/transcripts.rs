//! Every example of `protocol.md`, and every file of `tests/transcripts`, played to a session line by line.
//!
//! In the page they are blocks fenced as ```` ```puli ````.

use crate::support::dialogue;
use crate::support::transcript;

use std::fs;
use std::io::Write;
use std::path::Path;

use transcript::fits;

/// Plays one transcript to a new session.
fn play(name: &str, transcript: &[&str]) {
    let dialogue::Ends {
        mut input,
        lines,
        session,
    } = dialogue::begin();
    let say = |said: &str| writeln!(input, "{said}").expect("a session that reads");
    let skips = transcript::play(name, transcript, say, &lines);
    drop(input);
    let rest: Vec<String> = lines.iter().collect();
    assert!(
        skips || rest.is_empty(),
        "{name}: not in the transcript: {rest:#?}"
    );
    session.join().expect("no panic").expect("no failure");
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
fn the_example_of_bench_shows_the_signature() {
    let read = |name: &str| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a file")
    };
    let shown = format!("Nodes searched  : {}\n", read("tests/signature").trim());
    assert!(read("protocol.md").contains(&shown), "{shown}");
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
