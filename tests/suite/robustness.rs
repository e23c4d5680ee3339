//! Sends random input to sessions. A session must never panic. It must answer an invalid line with one error line,
//! and a line that causes an error must not change the state.

use std::io::{self, Cursor, Read};
use std::thread;

use proptest::prelude::*;
use puli::catalog;
use puli::protocol::parse;
use puli::session;

/// Returns all output of a session with this input.
fn session_output(input: Vec<u8>) -> Vec<String> {
    let (mut output, session_output) = io::pipe().expect("a pipe");
    let session =
        thread::spawn(move || session::run(Cursor::new(input), session_output, catalog::build));
    let mut text = String::new();
    output.read_to_string(&mut text).expect("text");
    session.join().expect("no panic").expect("no failure");
    text.lines().map(String::from).collect()
}

/// Returns `true` if `line` is a `go` that requests a search. Its answer ends with `bestmove`, even if the line is
/// invalid.
fn begins_search(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    words.next() == Some("go") && words.next() != Some("perft")
}

fn is_error(line: &str) -> bool {
    line.starts_with("info string error: ")
}

/// Sends `setup` and then `line`. Prints the whole state before and after `line`. Returns the state before it, its
/// answer, and the state after it.
fn states_and_answer(setup: &str, line: &[u8]) -> [Vec<String>; 3] {
    // The error about the unknown command `=mark=` marks the end of each part of the output.
    const PRINT_STATE: &str = "d\neval\nquery result\n=mark=\n";
    let mut input = format!("{setup}\n=mark=\n{PRINT_STATE}").into_bytes();
    input.extend(line);
    input.extend(format!("\n=mark=\n{PRINT_STATE}").bytes());
    let mut output = session_output(input);
    // The tables of the walking distance are built once per process, in the first session that needs them. Only this
    // session prints such a line, so remove it.
    output.retain(|line| !line.starts_with("walking-distance: "));
    let mut parts = output
        .split(|line| line.contains("found '=mark='"))
        .skip(1)
        .map(<[String]>::to_vec);
    [(); 3].map(|()| parts.next().expect("an answer to every mark"))
}

/// Generates words of valid and invalid commands, but none that take long.
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

/// Replaces the large numbers of a `go` by 2, because they would request searches of days.
fn with_small_numbers(line: &str) -> String {
    let is_go = line.split_ascii_whitespace().next() == Some("go");
    let words = line.split(' ').map(|word| match word {
        "15" | "99999999999999999999" if is_go => "2",
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Generates lines of up to seven random words.
fn line() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..8).prop_map(|words| with_small_numbers(&words.join(" ")))
}

/// Generates commands that start correctly. Many of them are parsed without an error, but fail in the engine.
fn nearly_valid() -> impl Strategy<Value = String> {
    let prefix = prop::sample::select(vec![
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
    (prefix, line()).prop_map(|(prefix, line)| with_small_numbers(&format!("{prefix}{line}")))
}

/// Generates names of variants.
fn variant() -> impl Strategy<Value = &'static str> {
    prop::sample::select(catalog::names().collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn session_survives_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut input = bytes;
        input.extend(b"\nisready\n");
        let output = session_output(input);
        prop_assert_eq!(output.last().map(String::as_str), Some("readyok"));
    }

    #[test]
    fn invalid_line_gets_one_error_and_changes_nothing(
        variant in variant(),
        line in prop_oneof![line(), nearly_valid()],
    ) {
        prop_assume!(parse(&line).is_err());
        let setup = format!("setoption name UCI_Variant value {variant}");
        let [before, answer, after] = states_and_answer(&setup, line.as_bytes());
        prop_assert_eq!(answer.len(), 1 + usize::from(begins_search(&line)), "{}: {:?}", line, answer);
        prop_assert!(is_error(&answer[0]) && answer[0].contains("column "), "{}: {:?}", line, answer);
        prop_assert_eq!(before, after);
    }

    #[test]
    fn failed_line_changes_nothing(
        variant in variant(),
        line in nearly_valid(),
    ) {
        let setup = format!("setoption name UCI_Variant value {variant}");
        let [before, answer, after] = states_and_answer(&setup, line.as_bytes());
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
    fn session_survives_random_commands(lines in prop::collection::vec(prop_oneof![line(), nearly_valid()], 0..20)) {
        let script = format!("{}\n=end=\n", lines.join("\n"));
        let output = session_output(script.into_bytes());
        prop_assert!(output.last().is_some_and(|line| line.contains("found '=end='")), "{:?}", output.last());
        prop_assert!(!output.iter().any(|line| line.contains("broke off")), "{:?}", output);
    }
}
