//! Whole sessions at random: no panic, what an error answers has changed nothing, and every `go` has one legal answer.

use std::io::Write;
use std::time::Duration;

use fastrand::Rng;

use super::every_case;
use super::mutation::{half_right, right};
use crate::support::dialogue::{self, Ends};

/// Lines of one session.
const LINES: usize = 25;

/// Far longer than any answer takes, unless there is none.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is said between the lines. No session knows it, so that its error line marks a place in the answers.
const MARK: &str = "=mark=";

/// What is said, and whether it is a `go` that owes a `bestmove`.
fn line(random: &mut Rng) -> Option<(String, bool)> {
    let line = if random.u8(..3) == 0 {
        half_right(random)
    } else {
        right(random).to_string()
    };
    let blank = [' ', '\t', '\r', '\x0b', '\x0c'];
    let mut words = line.split(blank).filter(|word| !word.is_empty());
    let (first, second) = (words.next(), words.next());
    // These end the session or take long, on purpose.
    let is_left_out = matches!(first, Some("quit" | "bench"))
        || line.contains("24-puzzle")
        || line.contains(MARK);
    let owes = first == Some("go") && second != Some("perft");
    (!is_left_out).then_some((line, owes))
}

/// A session that is spoken to line by line: `stop` overtakes, so that nobody may say it before the search has begun.
struct Dialogue(Ends);

impl Dialogue {
    fn say(&mut self, lines: &str) {
        let lines = lines.as_bytes();
        self.0.input.write_all(lines).expect("a session that reads");
    }

    /// What is said up to the next mark.
    fn hear(&self) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.0.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("nothing more after {heard:#?}"));
            if is_error(&line) && line.ends_with(&format!("found '{MARK}'")) {
                return heard;
            }
            heard.push(line);
        }
    }

    fn end(self) {
        let Ends {
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

/// The moves that `d` lists.
fn legal(drawn: &[String]) -> Vec<&str> {
    let listed = drawn
        .iter()
        .find_map(|line| line.strip_prefix("Legal moves: "));
    listed
        .expect("a list")
        .split(' ')
        .filter(|m| *m != "none")
        .collect()
}

#[test]
fn no_session_breaks_and_every_go_is_answered_by_one_legal_move() {
    every_case(60, |random| {
        let lines: Vec<(String, bool)> = (0..LINES).filter_map(|_| line(random)).collect();
        let mut dialogue = Dialogue(dialogue::begin());
        for (line, owes) in &lines {
            let stop = if *owes || line.trim_start().starts_with("go") {
                "stop\n"
            } else {
                ""
            };
            dialogue.say(&format!("d\n{MARK}\n{line}\n{stop}{MARK}\nd\n{MARK}\n"));
            let [before, answer, after] = [(); 3].map(|()| dialogue.hear());
            let what = format!("{line:?} in {before:#?}: {answer:#?}");
            assert!(
                answer.iter().all(|line| !line.contains("broke off")),
                "{what}"
            );
            let errors = answer.iter().filter(|line| is_error(line)).count();
            let best: Vec<&String> = answer
                .iter()
                .filter(|line| line.starts_with("bestmove "))
                .collect();
            assert_eq!(best.len(), usize::from(*owes), "{what}");
            if *owes {
                assert_eq!(before, after, "{what}");
                let m = best[0].split(' ').nth(1).expect("a move");
                let moves = legal(&before);
                // A puzzle may be stopped before there is a solution.
                let may_have_none = moves.is_empty() || errors > 0 || is_puzzle(&before);
                assert!(
                    moves.contains(&m) || m == "(none)" && may_have_none,
                    "{what}"
                );
            } else if errors > 0 {
                assert_eq!((errors, answer.len()), (1, 1), "{what}");
                assert_eq!(before, after, "{what}");
            }
        }
        dialogue.end();
    });
}

fn is_puzzle(drawn: &[String]) -> bool {
    drawn.iter().any(|line| line == "Side to move: solver")
}
