//! Tests the sessions of the server: the protocol over WebSocket, and recovery after a failure of the engine.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use puli::catalog;
use puli::engine::Engine;
use puli::error::EngineError;
use puli::settings::Settings;
use puli::web::ServerConfig;

use super::client::{ask, channels, open_session, receive, send};
use super::{start_server, start_server_with, transcript};

#[test]
fn session_over_websocket_reproduces_transcripts() {
    let server = start_server();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    for entry in fs::read_dir(folder).expect("the transcripts") {
        let path = entry.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a transcript");
        let lines: Vec<&str> = text.lines().collect();
        let (input, output) = channels(&server);
        let send_line = |line: &str| input.send(line.into()).expect("a socket");
        transcript::play(&path.display().to_string(), &lines, send_line, &output);
    }
}

#[test]
fn quit_ends_only_its_own_session() {
    let server = start_server();
    let (mut first, mut second) = (open_session(&server), open_session(&server));
    assert!(ask(&mut first, "position startpos moves c1").is_empty());
    assert_eq!(ask(&mut first, "query p1turn"), ["response false"]);
    assert_eq!(ask(&mut second, "query p1turn"), ["response true"]);
    send(&mut first, "go infinite");
    send(&mut first, "quit");
    loop {
        let line = receive(&mut first);
        if line.starts_with("bestmove") {
            break;
        }
        assert!(line.starts_with("info "), "{line}");
    }
    assert_eq!(receive(&mut first), "close 1000 the session is over");
    assert_eq!(ask(&mut second, "query p1turn"), ["response true"]);
}

/// Builds the engine of any variant except `tree`, for which it panics.
fn build_without_trees(settings: &Settings) -> Result<Box<dyn Engine>, EngineError> {
    assert!(settings.variant != "tree", "no trees here");
    catalog::build(settings)
}

#[test]
fn reports_and_replaces_failed_engine() {
    let server = start_server_with(ServerConfig::new(Settings::default(), build_without_trees));
    let mut socket = open_session(&server);
    assert!(ask(&mut socket, "position startpos moves c1").is_empty());
    let received = ask(&mut socket, "setoption name UCI_Variant value tree");
    assert!(
        received.len() == 1
            && received[0].starts_with("info string error: ")
            && received[0].contains("no trees here"),
        "{received:?}"
    );
    assert_eq!(ask(&mut socket, "query p1turn"), ["response false"]);
    send(&mut socket, "go depth 2");
    while !receive(&mut socket).starts_with("bestmove") {}
}

/// The number of engines that sessions of the server have requested.
static REQUESTED_ENGINES: AtomicUsize = AtomicUsize::new(0);

/// Returns an error for the first request, and builds an engine for every later one. The engines for
/// `variants.json`, which have `hash` 1, are always built.
fn fail_once(settings: &Settings) -> Result<Box<dyn Engine>, EngineError> {
    if settings.hash == 1 || REQUESTED_ENGINES.fetch_add(1, Ordering::SeqCst) > 0 {
        return catalog::build(settings);
    }
    Err(EngineError::new("not yet"))
}

#[test]
fn reports_and_replaces_failed_session() {
    let server = start_server_with(ServerConfig::new(Settings::default(), fail_once));
    let mut socket = open_session(&server);
    assert_eq!(
        receive(&mut socket),
        "info string error: the engine failed (not yet) and was restarted"
    );
    assert_eq!(ask(&mut socket, "query p1turn"), ["response true"]);
}
