//! Whole sessions at random: no panic, what an error answers has changed nothing, and every `go` has one legal answer.

use std::io::{self, Cursor, Read};
use std::thread;

use fastrand::Rng;
use puli::catalog;
use puli::session;

use crate::every_case;
use crate::mutation::{half_right, right};

/// Lines of one session.
const LINES: usize = 25;

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

fn answers(script: String) -> Vec<String> {
    let (mut output, session_output) = io::pipe().expect("a pipe");
    let input = Cursor::new(script);
    let session = thread::spawn(move || session::run(input, session_output, catalog::build));
    let mut said = String::new();
    output.read_to_string(&mut said).expect("text");
    session.join().expect("no panic").expect("no failure");
    said.lines().map(String::from).collect()
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
        let mut script = String::new();
        for (line, owes) in &lines {
            // A search that is limited too little is stopped; any other is, now and then.
            let stop = if *owes || line.trim_start().starts_with("go") {
                "stop\n"
            } else {
                ""
            };
            script += &format!("d\n{MARK}\n{line}\n{stop}{MARK}\nd\n{MARK}\n");
        }
        let said = answers(script);
        let mut parts =
            said.split(|line| is_error(line) && line.ends_with(&format!("found '{MARK}'")));
        for (line, owes) in &lines {
            let mut part = || parts.next().expect("an answer to every mark");
            let (before, answer, after) = (part(), part(), part());
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
                let moves = legal(before);
                // A puzzle may be stopped before there is a solution.
                let may_have_none = moves.is_empty() || errors > 0 || is_puzzle(before);
                assert!(
                    moves.contains(&m) || m == "(none)" && may_have_none,
                    "{what}"
                );
            } else if errors > 0 {
                assert_eq!((errors, answer.len()), (1, 1), "{what}");
                assert_eq!(before, after, "{what}");
            }
        }
        assert_eq!(
            parts.map(<[String]>::len).sum::<usize>(),
            0,
            "nothing after the last mark"
        );
    });
}

fn is_puzzle(drawn: &[String]) -> bool {
    drawn.iter().any(|line| line == "Side to move: solver")
}
