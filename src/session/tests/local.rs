//! Tests that the session without threads gives the same answers as the session with threads.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use crate::engine::Build;
use crate::session::local::LocalSession;
use crate::session::tests::answers_of;
use crate::session::tests::fake_engine::fake_engine;

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A local session and its output.
struct Client {
    session: LocalSession,
    output: Output,
}

impl Client {
    fn new(build: Build) -> Self {
        let output = Output::default();
        let session = LocalSession::start(output.clone(), build).expect("an engine");
        Self { session, output }
    }

    /// Returns the answers to a line.
    fn ask(&mut self, line: &[u8]) -> Vec<String> {
        self.output.0.lock().expect("no panic").clear();
        assert!(self.session.line(line));
        let bytes = self.output.0.lock().expect("no panic").clone();
        let text = String::from_utf8(bytes).expect("text");
        text.lines().map(String::from).collect()
    }
}

/// Removes the numbers that depend on the clock.
fn without_times(lines: &[String]) -> Vec<String> {
    let words = |line: &String| -> String {
        let mut skip = false;
        let words = line.split(' ').filter(|word| {
            let is_kept = !skip;
            skip = ["nps", "time", "Nodes/second"].contains(word);
            is_kept
        });
        words.collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(words).collect()
}

#[test]
fn answers_are_those_of_the_threaded_session() {
    // Rebuilding the engine changes no answer.
    let rebuilt = |client: &mut Client| client.session.rebuild_engine_of("15-puzzle");
    let script = [
        "uci",
        "isready",
        "position startpos moves c1 b3c3",
        "go depth 6",
        "go perft 3",
        "position startpos moves z9",
        "nonsense",
        "setoption name UCI_Variant value 15-puzzle",
        "position scramble 20 seed 3",
        "go",
        "setoption name UCI_Variant value kite",
        "setoption name UCI_Variant value tree",
        "setoption name Algorithm value alphabeta",
        "go depth 4",
        "state",
        "query result",
    ];
    let mut client = Client::new(crate::catalog::build);
    let local: Vec<_> = script
        .iter()
        .flat_map(|line| {
            rebuilt(&mut client);
            client.ask(line.as_bytes())
        })
        .collect();
    let threaded = answers_of(script.join("\n"), crate::catalog::build);
    assert_eq!(without_times(&local), without_times(&threaded));
    assert!(!client.session.line(b"quit"));
    assert!(!client.session.line(b"isready"));
}

#[test]
fn an_answer_is_held_back_until_stop_or_ponderhit() {
    let mut client = Client::new(fake_engine);
    for (go, ends) in [
        ("go infinite", "stop"),
        ("go ponder", "ponderhit"),
        ("go ponder", "stop"),
    ] {
        let info = client.ask(go.as_bytes());
        assert!(info.iter().all(|line| line.starts_with("info")), "{info:?}");
        assert_eq!(client.ask(b"isready"), ["readyok"]);
        assert!(client.ask(b"d").is_empty(), "it must wait");
        let rest = client.ask(ends.as_bytes());
        assert_eq!(rest[0], "bestmove m");
        assert!(rest.len() > 1, "the waiting line is carried out");
    }
}

#[test]
fn lines_that_are_no_text_are_errors() {
    let mut client = Client::new(fake_engine);
    let answer = client.ask(b"ab\xff");
    assert!(
        answer[0].starts_with("info string error: column 3"),
        "{answer:?}"
    );
    assert!(client.ask(b"").is_empty());
    let answer = client.ask(&vec![b'x'; (1 << 20) + 1]);
    assert!(answer[0].starts_with("info string error"), "{answer:?}");
    assert_eq!(client.ask(b"isready"), ["readyok"]);
}
