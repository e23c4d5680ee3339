//! Whatever is said to a session: it never panics, it answers every bad line with one error line, and a line answered
//! by an error has changed nothing.

use std::io::{self, Cursor, Read};
use std::thread;

use proptest::prelude::*;
use puli::catalog;
use puli::protocol::parse;
use puli::session;

/// Everything a session answers to this input.
fn answers(input: Vec<u8>) -> Vec<String> {
    let (mut output, session_output) = io::pipe().expect("a pipe");
    let session =
        thread::spawn(move || session::run(Cursor::new(input), session_output, catalog::build));
    let mut said = String::new();
    output.read_to_string(&mut said).expect("text");
    session.join().expect("no panic").expect("no failure");
    said.lines().map(String::from).collect()
}

/// Whether a line asks for a search, well or badly: then there is a `bestmove` at the end of the answer.
fn begins_search(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    words.next() == Some("go") && words.next() != Some("perft")
}

fn is_error(line: &str) -> bool {
    line.starts_with("info string error: ")
}

/// Says `line` between two looks at the whole state, `setup` before, and returns the state before it, what was
/// answered to it, and the state after it.
fn around(setup: &str, line: &[u8]) -> [Vec<String>; 3] {
    // Each look ends with a bad line of its own, which nothing else says.
    const MARK: &str = "d\neval\nquery result\n=mark=\n";
    let mut input = format!("{setup}\n=mark=\n{MARK}").into_bytes();
    input.extend(line);
    input.extend(format!("\n=mark=\n{MARK}").bytes());
    let mut said = answers(input);
    // Its tables are made once in a process, and by whichever test needs them first.
    said.retain(|line| !line.starts_with("walking-distance: "));
    let mut parts = said
        .split(|line| line.contains("found '=mark='"))
        .skip(1)
        .map(<[String]>::to_vec);
    [(); 3].map(|()| parts.next().expect("an answer to every mark"))
}

/// Words that commands are made of, right and wrong, and none that takes long.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(vec![
            "position", "startpos", "fen", "moves", "go", "depth", "nodes", "movetime", "mate", "searchmoves",
            "infinite", "ponder", "wtime", "btime", "winc", "binc", "movestogo", "setoption", "name", "value",
            "perft", "query", "gameover", "result", "p1turn", "d", "eval", "isready", "stop", "ponderhit", "uci",
            "ugi", "ucinewgame", "debug", "on", "off", "random", "scramble", "seed", "help",
        ]).prop_map(String::from),
        3 => prop::sample::select(vec![
            "Hash", "Algorithm", "minimax", "auto", "mtdf", "Memory", "true", "false", "UCI_Variant", "tree",
            "tic-tac-toe", "bagh-chal", "aadu-puli", "Clear", "MultiPV", "Seed", "Threads",
            "T/2TT2/6/6/4", "g", "15", "3/3/3", "x", "[[3,17],[2,12]]", "max", "c1", "b3c3", "a1", "1", "2", "0",
            "-1", "99999999999999999999",
        ]).prop_map(String::from),
        1 => "[^\n]{0,12}",
    ]
}

/// Returns `line` with the large numbers of a `go` replaced, which ask for searches that take days.
fn quick(line: &str) -> String {
    let is_go = line.split_ascii_whitespace().next() == Some("go");
    let words = line.split(' ').map(|word| match word {
        "15" | "99999999999999999999" if is_go => "2",
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

fn line() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..8).prop_map(|words| quick(&words.join(" ")))
}

/// Commands that are nearly right, which is where a parser ends and an engine begins.
fn nearly_right() -> impl Strategy<Value = String> {
    let beginning = prop::sample::select(vec![
        "position fen ",
        "position startpos moves ",
        "setoption name ",
        "go ",
        "go searchmoves ",
        "query ",
        "setoption name UCI_Variant value ",
        "setoption name Hash value ",
        "position fen T/2TT2/6/6/4 ",
    ]);
    (beginning, line()).prop_map(|(beginning, line)| quick(&format!("{beginning}{line}")))
}

fn variant() -> impl Strategy<Value = &'static str> {
    prop::sample::select(catalog::names().collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_bytes_leave_a_session_that_answers(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut input = bytes;
        input.extend(b"\nisready\n");
        let said = answers(input);
        prop_assert_eq!(said.last().map(String::as_str), Some("readyok"));
    }

    #[test]
    fn a_line_that_cannot_be_read_is_one_error_and_changes_nothing(
        variant in variant(),
        line in prop_oneof![line(), nearly_right()],
    ) {
        prop_assume!(parse(&line).is_err());
        let setup = format!("setoption name UCI_Variant value {variant}");
        let [before, answer, after] = around(&setup, line.as_bytes());
        prop_assert_eq!(answer.len(), 1 + usize::from(begins_search(&line)), "{}: {:?}", line, answer);
        prop_assert!(is_error(&answer[0]) && answer[0].contains("column "), "{}: {:?}", line, answer);
        prop_assert_eq!(before, after);
    }

    #[test]
    fn a_line_answered_by_an_error_has_changed_nothing(
        variant in variant(),
        line in nearly_right(),
    ) {
        let setup = format!("setoption name UCI_Variant value {variant}");
        let [before, answer, after] = around(&setup, line.as_bytes());
        if answer.iter().any(|line| is_error(line)) {
            if begins_search(&line) {
                prop_assert!(answer.last().is_some_and(|line| line.starts_with("bestmove ")), "{}: {:?}", line, answer);
            } else {
                prop_assert_eq!(answer.len(), 1, "{}: {:?}", line, answer);
            }
            prop_assert_eq!(before, after);
        }
        prop_assert!(!answer.iter().any(|line| line.contains("broke off")), "{}: {:?}", line, answer);
    }

    #[test]
    fn shuffled_commands_leave_a_session_that_answers(lines in prop::collection::vec(prop_oneof![line(), nearly_right()], 0..20)) {
        let script = format!("{}\n=end=\n", lines.join("\n"));
        let said = answers(script.into_bytes());
        prop_assert!(said.last().is_some_and(|line| line.contains("found '=end='")), "{:?}", said.last());
        prop_assert!(!said.iter().any(|line| line.contains("broke off")), "{:?}", said);
    }
}
