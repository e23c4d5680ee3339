//! Tests of the session with a fake engine.

mod fake_engine;
mod local;

use std::io::{PipeWriter, Read, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;
use std::time::Duration;

use super::*;
use fake_engine::{fake_engine, let_go};

/// Timeout of a hanging test.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// A session on a thread, connected by pipes.
struct TestSession {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    session: JoinHandle<io::Result<u64>>,
}

impl TestSession {
    fn begin() -> Self {
        let (session_input, input) = io::pipe().expect("a pipe");
        let (output, session_output) = io::pipe().expect("a pipe");
        let session = thread::spawn(move || {
            run(
                io::BufReader::new(session_input),
                session_output,
                fake_engine,
            )
        });
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in io::BufReader::new(output).lines() {
                sender.send(line.expect("text")).expect("a listener");
            }
        });
        Self {
            input: Some(input),
            lines,
            session,
        }
    }

    /// Starts a session whose search ignores signals until the test releases it by `number`.
    fn with_a_deaf_search(number: u64) -> Self {
        let mut dialogue = Self::begin();
        dialogue.say(&format!(
            "setoption name Seed value {number}\nposition fen deaf\ngo infinite"
        ));
        dialogue.handle("info depth");
        dialogue
    }

    /// Starts a session as [`Self::with_a_deaf_search`] does, and stops its search, so that the fallback answer is sent.
    fn with_a_search_answered_for(number: u64) -> Self {
        let mut dialogue = Self::with_a_deaf_search(number);
        dialogue.say("stop");
        dialogue.handle("info string leaves 5");
        dialogue.handle("bestmove m");
        dialogue
    }

    fn say(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("an open input");
        input
            .write_all(lines.as_bytes())
            .expect("a session that reads");
        input.write_all(b"\n").expect("a session that reads");
    }

    fn handle(&self, expected: &str) {
        let line = self.lines.recv_timeout(MAX_WAIT).expect("an answer");
        assert!(
            line.starts_with(expected),
            "expected {expected}, heard {line}"
        );
    }

    fn hear_nothing(&self) {
        let heard = self.lines.recv_timeout(Duration::from_millis(50));
        assert!(heard.is_err(), "{heard:?}");
    }

    /// Ends the input and returns the number of error lines.
    fn end(mut self) -> u64 {
        self.input = None;
        self.session.join().expect("no panic").expect("no failure")
    }
}

/// Returns all output for these lines.
fn answers(lines: impl Into<Vec<u8>>) -> Vec<String> {
    answers_of(lines, fake_engine)
}

/// Returns all output of a session with this engine.
fn answers_of(lines: impl Into<Vec<u8>>, build: Build) -> Vec<String> {
    let (mut output, session_output) = io::pipe().expect("a pipe");
    let input = io::Cursor::new(lines.into());
    let session = thread::spawn(move || run(input, session_output, build));
    let mut text = String::new();
    output.read_to_string(&mut text).expect("text");
    session.join().expect("no panic").expect("no failure");
    text.lines().map(String::from).collect()
}

const INFO: &str = "info depth 1 seldepth 1 score mate 1 nodes 1 nps 1 hashfull 0 time 1000 pv m";

#[test]
fn end_of_input_stops_unbounded_searches_only() {
    assert_eq!(answers("go depth 1"), [INFO, "bestmove m"]);
    let why = "info string stopped an unlimited search at the end of the input: give it a depth, nodes or a time";
    // The fake engine plays as the first player, so the last clock is not its own.
    for endless in ["go", "go infinite", "go ponder", "go p2time 1000"] {
        let output = answers(format!("position fen endless\n{endless}"));
        assert_eq!(output, [INFO, why, "bestmove m"]);
    }
    assert_eq!(
        answers("position fen endless\ngo movetime 20"),
        [INFO, "bestmove m"]
    );
    assert_eq!(
        answers("position fen endless\ngo ponder movetime 20"),
        [INFO, "bestmove m"]
    );
}

#[test]
fn a_script_behaves_like_a_dialogue() {
    let output = answers("go depth 1\nposition fen refuse\ngo\nd\nposition startpos\nd");
    assert_eq!(
        output,
        [
            INFO,
            "bestmove m",
            "info string error: not today",
            "bestmove (none)",
            "Fen: refuse",
            "Fen: quick"
        ]
    );
}

#[test]
fn ready_overtakes_a_search_and_other_lines_wait() {
    let mut dialogue = TestSession::begin();
    dialogue.say("position fen endless\ngo infinite\nd\nnonsense\nisready");
    dialogue.handle("readyok");
    dialogue.hear_nothing();
    dialogue.say("stop");
    for expected in [
        "info depth",
        "bestmove m",
        "Fen: endless",
        "info string error: column 1",
    ] {
        dialogue.handle(expected);
    }
    assert_eq!(dialogue.end(), 1);
}

#[test]
fn infinite_search_holds_bestmove_back_in_uci_only() {
    let mut dialogue = TestSession::begin();
    dialogue.say("go infinite");
    dialogue.handle("info depth");
    dialogue.hear_nothing();
    dialogue.say("stop");
    dialogue.handle("bestmove m");
    dialogue.say("ugi");
    while dialogue.lines.recv_timeout(MAX_WAIT).expect("an answer") != "ugiok" {}
    dialogue.say("go infinite");
    dialogue.handle("info depth");
    dialogue.handle("bestmove m");
    dialogue.end();
}

#[test]
fn pondering_holds_bestmove_back_until_ponderhit() {
    let mut dialogue = TestSession::begin();
    dialogue.say("setoption name Ponder value true\nponderhit\nstop\ngo ponder depth 1");
    dialogue.handle("info depth");
    dialogue.hear_nothing();
    dialogue.say("ponderhit");
    dialogue.handle("bestmove m ponder n");
    dialogue.end();
}

#[test]
fn engine_is_rebuilt_without_a_missing_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("gone");
    let sound = "src/games/hunt/networks/aadu-puli.net";
    std::fs::copy(sound, &path).expect("a network");
    let path = path.display();
    let output = answers(format!(
        "setoption name EvalFile value {path}\nposition fen panic\ngo\nd"
    ));
    assert_eq!(
        output,
        [
            "info string error: the search broke off: on purpose",
            "bestmove (none)",
            "info string error: EvalFile is forgotten: there is no file 'gone'",
            "Fen: panic",
        ]
    );
}

#[test]
fn session_ends_if_the_engine_cannot_be_rebuilt() {
    let (mut output, session_output) = io::pipe().expect("a pipe");
    let lines = "setoption name Threads value 7\nposition fen panic\ngo\nisready\nd";
    let input = io::Cursor::new(lines);
    let session = thread::spawn(move || run(input, session_output, fake_engine));
    let mut text = String::new();
    output.read_to_string(&mut text).expect("text");
    let last = "info string error: there is no engine any more: not with seven threads\n";
    assert!(text.ends_with(last), "{text}");
    session.join().expect("no panic").expect_err("no engine");
}

#[test]
fn session_survives_a_panic_in_a_search() {
    let output = answers("position fen panic\ngo\nd\ngo infinite\nposition startpos\ngo depth 1");
    let reported = "info string error: the search broke off: on purpose";
    assert_eq!(
        output,
        [
            reported,
            "bestmove (none)",
            "Fen: panic",
            reported,
            "bestmove (none)",
            INFO,
            "bestmove m"
        ]
    );
}

#[test]
fn quit_stops_the_search_and_drops_waiting_lines() {
    let mut dialogue = TestSession::begin();
    dialogue.say("position fen endless\ngo\nd\nquit\nd");
    dialogue.handle("info depth");
    dialogue.handle("bestmove m");
    assert_eq!(
        dialogue
            .session
            .join()
            .expect("no panic")
            .expect("no failure"),
        0
    );
    assert!(dialogue.lines.recv().is_err());
}

#[test]
fn stopped_search_without_answer_gets_the_fallback() {
    const NUMBER: u64 = 1;
    let mut dialogue = TestSession::with_a_deaf_search(NUMBER);
    dialogue.say("stop\nisready\nd");
    dialogue.handle("info string leaves 5");
    dialogue.handle("bestmove m");
    dialogue.handle("readyok");
    dialogue.hear_nothing();
    let_go(NUMBER);
    // Late reports and a second best move are not printed.
    dialogue.handle("Fen: deaf");
    dialogue.end();
}

#[test]
fn stop_after_a_fallback_stops_the_next_search() {
    const NUMBER: u64 = 40;
    let mut dialogue = TestSession::with_a_search_answered_for(NUMBER);
    // The first search still ignores signals when these lines are sent.
    dialogue.say("position fen endless\ngo infinite\nstop\nd");
    dialogue.hear_nothing();
    let_go(NUMBER);
    dialogue.handle("info depth");
    dialogue.handle("bestmove m");
    dialogue.handle("Fen: endless");
    dialogue.end();
}

#[test]
fn readyok_keeps_its_order_after_a_fallback() {
    const NUMBER: u64 = 41;
    let mut dialogue = TestSession::with_a_search_answered_for(NUMBER);
    dialogue.say("d\nisready");
    let_go(NUMBER);
    dialogue.handle("Fen: deaf");
    dialogue.handle("readyok");
    dialogue.end();
}

#[test]
fn stop_behind_a_slow_command_is_not_lost() {
    const NUMBER: u64 = 42;
    let mut dialogue = TestSession::begin();
    dialogue.say(&format!(
        "position fen slow\nsetoption name Seed value {NUMBER}\nposition fen endless\ngo infinite\nisready\nstop"
    ));
    // `isready` waits at most one second.
    dialogue.handle("readyok");
    let_go(NUMBER);
    dialogue.handle("info depth");
    dialogue.handle("bestmove m");
    dialogue.end();
}

#[test]
fn quit_does_not_wait_after_a_fallback() {
    const NUMBER: u64 = 2;
    let mut dialogue = TestSession::with_a_deaf_search(NUMBER);
    dialogue.say("quit");
    dialogue.handle("info string leaves 5");
    dialogue.handle("bestmove m");
    // The search has not been released.
    assert_eq!(dialogue.end(), 0);
    let_go(NUMBER);
}

#[test]
fn slow_command_keeps_order_and_delays_readyok_briefly() {
    const NUMBER: u64 = 3;
    let mut dialogue = TestSession::begin();
    dialogue.say(&format!(
        "position fen slow\nsetoption name Seed value {NUMBER}\nd\nisready\nquery p1turn"
    ));
    // The search is released after this line, so it cannot have ended.
    dialogue.handle("readyok");
    dialogue.say("stop\nisready");
    dialogue.handle("readyok");
    let_go(NUMBER);
    dialogue.handle("Fen: slow");
    dialogue.handle("response true");
    dialogue.end();
}

#[test]
fn waiting_stop_overtakes_the_next_search() {
    for overtakes in ["stop", "isready\nstop", "quit"] {
        let mut dialogue = TestSession::begin();
        // Sent at once: the option is still being set when the last line is read.
        dialogue.say(&format!(
            "position fen endless\nsetoption name Ponder value false\ngo infinite\n{overtakes}"
        ));
        if overtakes.contains("isready") {
            dialogue.handle("readyok");
        }
        dialogue.handle("info depth");
        dialogue.handle("bestmove m");
        dialogue.end();
    }
}

#[test]
fn script_runs_up_to_quit() {
    assert_eq!(answers("d\nquit\nd"), ["Fen: quick"]);
}

#[test]
fn quit_does_not_wait_for_a_slow_command() {
    let mut dialogue = TestSession::begin();
    dialogue.say("position fen slow\nsetoption name Seed value 4\nquit");
    let session = dialogue.session.join().expect("no panic");
    assert_eq!(session.expect("no failure"), 0);
    let_go(4);
}

#[test]
fn search_stops_after_the_output_is_closed() {
    let (leave, closed) = mpsc::channel::<()>();
    let (session_input, mut input) = io::pipe().expect("a pipe");
    let (output, session_output) = io::pipe().expect("a pipe");
    let settings = Settings::default();
    let session = Session {
        input: io::BufReader::new(session_input),
        output: session_output,
        is_closed: Some(Box::new(move || closed.recv().is_err())),
        engine: fake_engine(&settings).expect("a puppet"),
        settings,
        bounds: Bounds::NONE,
        build: fake_engine,
    };
    let session = thread::spawn(move || session.run());
    writeln!(input, "position fen endless\ngo depth 255\nd").expect("a session that reads");
    // The other end of the output is closed, so the session ends, although the input stays open and the
    // search is bounded.
    drop(leave);
    assert_eq!(session.join().expect("no panic").expect("no failure"), 0);
    drop((input, output));
}

#[test]
fn every_go_gets_a_bestmove_even_if_invalid() {
    let nothing = "bestmove (none)";
    let output = answers("go depth three\ngo dept 3\ngo perft x\nposition fen refuse\ngo depth 1");
    assert_eq!(output.len(), 7, "{output:?}");
    let best_moves = output.iter().map(|line| line == nothing);
    let expected = [false, true, false, true, false, false, true];
    assert!(best_moves.eq(expected), "{output:?}");
}

#[test]
fn a_closed_output_ends_the_session_without_a_failure() {
    let (output, session_output) = io::pipe().expect("a pipe");
    drop(output);
    let input = io::Cursor::new("isready\n");
    assert_eq!(
        run(input, session_output, fake_engine).expect("no failure"),
        0
    );
}

#[test]
fn a_refused_option_changes_nothing() {
    let output = answers(
        "setoption name Hash value 2000\nsetoption name Hash value x\nsetoption name No value 1\nsetoption name Ponder value true\ngo depth 1",
    );
    assert_eq!(
        output[0],
        "info string error: column 27: that much memory cannot be had"
    );
    assert!(
        output[1].starts_with("info string error: column 27: option Hash takes"),
        "{}",
        output[1]
    );
    assert!(
        output[2].starts_with("info string error: column 16: expected an option's name"),
        "{}",
        output[2]
    );
    assert_eq!(output[4], "bestmove m ponder n");
}

#[test]
fn a_mate_is_asked_for_in_the_dialects_own_unit() {
    let score = |lines: &str| {
        answers(lines)
            .iter()
            .rev()
            .nth(1)
            .cloned()
            .unwrap_or_default()
    };
    // The fake engine reports a win in the requested number of plies.
    assert!(score("go mate 3").contains("score mate 3 "));
    assert!(score("ugi\ngo mate 3").contains("score mate 3 "));
    assert!(score("ugi\ngo mate 4").contains("score mate 4 "));
}

#[test]
fn details_are_told_only_in_debug_mode() {
    assert_eq!(answers("debug on\ngo depth 1")[0], "info string a detail");
    assert_eq!(answers("debug on\ndebug off\ngo depth 1")[0], INFO);
}

#[test]
fn full_queue_stops_an_endless_search_without_losing_lines() {
    // Blanks around a command make the line long.
    let padding = " ".repeat(input::MAX_LINE_BYTES - 1);
    let count = input::MAX_READ_AHEAD_BYTES / input::MAX_LINE_BYTES + 8;
    let mut dialogue = TestSession::begin();
    dialogue.say("position fen endless\ngo infinite");
    for _ in 0..count {
        dialogue.say(&format!("d{padding}"));
    }
    dialogue.handle("info depth");
    dialogue.handle("info string stopped an unlimited search, because too many lines wait");
    dialogue.handle("bestmove m");
    for _ in 0..count {
        dialogue.handle("Fen: endless");
    }
    dialogue.end();
}

#[test]
fn every_go_is_answered_by_one_bestmove_a_refused_one_too() {
    for refused in [
        "go depth",
        "go depth x",
        "go nonsense",
        "go depth 1 depth 2",
    ] {
        let output = answers(refused);
        assert!(
            output[0].starts_with("info string error: column"),
            "{output:?}"
        );
        assert_eq!(output[1..], ["bestmove (none)"], "{refused}");
    }
    // Unreadable and unterminated lines get an answer too.
    let too_long = [b"go depth 1".to_vec(), vec![b' '; 2 << 20]].concat();
    for bad_line in [b"go depth \xff".to_vec(), too_long] {
        let output = answers(bad_line);
        assert!(
            output[0].starts_with("info string error: column"),
            "{output:?}"
        );
        assert_eq!(output[1..], ["bestmove (none)"]);
    }
    assert_eq!(answers(b"d \xff".to_vec()).len(), 1);
    let output = answers("position fen refuse\ngo depth 1");
    assert_eq!(output, ["info string error: not today", "bestmove (none)"]);
    // `go perft` has no best move.
    assert_eq!(answers("go perft x").len(), 1);
}
