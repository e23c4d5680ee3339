//! Fuzz tests of whole sessions. A session must never panic, an error must not change the state, and every search must
//! end with one `bestmove` and a legal move.

use std::io::Write;
use std::time::Duration;

use fastrand::Rng;

use super::mutation::{nearly_valid_line, valid_line};
use super::run_cases;
use crate::support::session::{self, SessionPipes};

/// Lines per session.
const LINES_PER_SESSION: usize = 25;

/// Timeout, far above the time that any answer takes.
const TIMEOUT: Duration = Duration::from_secs(120);

/// An unknown command between other lines. Its error marks the end of the output of the earlier lines.
const MARK: &str = "=mark=";

/// Returns a random line, and `true` if the line must be answered by `bestmove`. Returns `None` for lines that are not
/// tested.
fn line(random: &mut Rng) -> Option<(String, bool)> {
    let line = if random.u8(..3) == 0 {
        nearly_valid_line(random)
    } else {
        valid_line(random).to_string()
    };
    let separators = [' ', '\t', '\r', '\x0b', '\x0c'];
    let mut words = line.split(separators).filter(|word| !word.is_empty());
    let (first, second) = (words.next(), words.next());
    // These lines end the session or take long.
    let is_untested = matches!(first, Some("quit" | "bench"))
        || line.contains("24-puzzle")
        || line.contains(MARK);
    let needs_bestmove = first == Some("go") && second != Some("perft");
    (!is_untested).then_some((line, needs_bestmove))
}

/// A running session. The session processes `stop` before earlier lines, so each `stop` is sent with its `go`, and
/// then the test waits for the answer.
struct Session(SessionPipes);

impl Session {
    fn send(&mut self, lines: &str) {
        let lines = lines.as_bytes();
        self.0.input.write_all(lines).expect("a session that reads");
    }

    /// Returns the lines up to the next mark.
    fn read_to_mark(&self) -> Vec<String> {
        let mut received = Vec::new();
        loop {
            let line = self.0.lines.recv_timeout(TIMEOUT);
            let line = line.unwrap_or_else(|_| panic!("nothing more after {received:#?}"));
            if is_error(&line) && line.ends_with(&format!("found '{MARK}'")) {
                return received;
            }
            received.push(line);
        }
    }

    /// Closes the input and waits for the end of the session, which must print nothing more.
    fn end(self) {
        let SessionPipes {
            input,
            lines,
            session,
        } = self.0;
        drop(input);
        session.join().expect("no panic").expect("no failure");
        assert_eq!(lines.iter().count(), 0, "nothing after the last mark");
    }
}

fn is_error(line: &str) -> bool {
    line.starts_with("info string error: ")
}

/// Returns the legal moves in the output of `d`.
fn legal_moves(board_text: &[String]) -> Vec<&str> {
    let list = board_text
        .iter()
        .find_map(|line| line.strip_prefix("Legal moves: "));
    list.expect("a list")
        .split(' ')
        .filter(|m| *m != "none")
        .collect()
}

#[test]
fn sessions_survive_and_answer_every_go_once() {
    run_cases(60, |random| {
        let lines: Vec<(String, bool)> = (0..LINES_PER_SESSION)
            .filter_map(|_| line(random))
            .collect();
        let mut session = Session(session::start());
        for (line, needs_bestmove) in &lines {
            let stop = if *needs_bestmove || line.trim_start().starts_with("go") {
                "stop\n"
            } else {
                ""
            };
            session.send(&format!("d\n{MARK}\n{line}\n{stop}{MARK}\nd\n{MARK}\n"));
            let [before, answer, after] = [(); 3].map(|()| session.read_to_mark());
            let context = format!("{line:?} in {before:#?}: {answer:#?}");
            assert!(
                answer.iter().all(|line| !line.contains("broke off")),
                "{context}"
            );
            let errors = answer.iter().filter(|line| is_error(line)).count();
            let best: Vec<&String> = answer
                .iter()
                .filter(|line| line.starts_with("bestmove "))
                .collect();
            assert_eq!(best.len(), usize::from(*needs_bestmove), "{context}");
            if *needs_bestmove {
                assert_eq!(before, after, "{context}");
                let m = best[0].split(' ').nth(1).expect("a move");
                let moves = legal_moves(&before);
                // The search of a puzzle may be stopped before it finds a solution.
                let may_have_none = moves.is_empty() || errors > 0 || is_puzzle(&before);
                assert!(
                    moves.contains(&m) || m == "(none)" && may_have_none,
                    "{context}"
                );
            } else if errors > 0 {
                assert_eq!((errors, answer.len()), (1, 1), "{context}");
                assert_eq!(before, after, "{context}");
            }
        }
        session.end();
    });
}

fn is_puzzle(board_text: &[String]) -> bool {
    board_text.iter().any(|line| line == "Side to move: solver")
}
