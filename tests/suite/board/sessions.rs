//! The protocol over the socket, and what becomes of a session whose page leaves or whose engine fails.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use puli::catalog;
use puli::engine::Engine;
use puli::error::EngineError;
use puli::settings::Settings;
use puli::web::ServerConfig;

use super::caller::{answers, channels, next, say, welcomed};
use super::{board, board_of, transcript};

#[test]
fn every_transcript_is_true_over_the_socket_too() {
    let server = board();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    for entry in fs::read_dir(folder).expect("the transcripts") {
        let path = entry.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a transcript");
        let lines: Vec<&str> = text.lines().collect();
        let (say, hear) = channels(&server);
        let speak = |line: &str| say.send(line.into()).expect("a socket");
        transcript::play(&path.display().to_string(), &lines, speak, &hear);
    }
}

#[test]
fn pages_do_not_hear_of_one_another_and_quit_ends_a_page_s_own_session_only() {
    let server = board();
    let (mut one, mut other) = (welcomed(&server), welcomed(&server));
    assert!(answers(&mut one, "position startpos moves c1").is_empty());
    assert_eq!(answers(&mut one, "query p1turn"), ["response false"]);
    assert_eq!(answers(&mut other, "query p1turn"), ["response true"]);
    say(&mut one, "go infinite");
    say(&mut one, "quit");
    loop {
        let line = next(&mut one);
        if line.starts_with("bestmove") {
            break;
        }
        assert!(line.starts_with("info "), "{line}");
    }
    assert_eq!(next(&mut one), "close 1000 the session is over");
    assert_eq!(answers(&mut other, "query p1turn"), ["response true"]);
}

/// An engine for everything but game trees, over which it fails.
fn fragile(settings: &Settings) -> Result<Box<dyn Engine>, EngineError> {
    assert!(settings.variant != "tree", "no trees here");
    catalog::build(settings)
}

#[test]
fn an_engine_that_fails_is_told_and_replaced() {
    let server = board_of(ServerConfig::new(Settings::default(), fragile));
    let mut socket = welcomed(&server);
    assert!(answers(&mut socket, "position startpos moves c1").is_empty());
    let heard = answers(&mut socket, "setoption name UCI_Variant value tree");
    assert!(
        heard.len() == 1
            && heard[0].starts_with("info string error: ")
            && heard[0].contains("no trees here"),
        "{heard:?}"
    );
    assert_eq!(answers(&mut socket, "query p1turn"), ["response false"]);
    say(&mut socket, "go depth 2");
    while !next(&mut socket).starts_with("bestmove") {}
}

/// How many engines were asked for so far.
static ASKED: AtomicUsize = AtomicUsize::new(0);

/// Refuses the first session its engine.
fn late(settings: &Settings) -> Result<Box<dyn Engine>, EngineError> {
    if settings.hash == 1 || ASKED.fetch_add(1, Ordering::SeqCst) > 0 {
        return catalog::build(settings);
    }
    Err(EngineError::new("not yet"))
}

#[test]
fn a_session_that_fails_is_told_and_replaced() {
    let server = board_of(ServerConfig::new(Settings::default(), late));
    let mut socket = welcomed(&server);
    assert_eq!(
        next(&mut socket),
        "info string error: the engine failed (not yet) and was restarted"
    );
    assert_eq!(answers(&mut socket, "query p1turn"), ["response true"]);
}
