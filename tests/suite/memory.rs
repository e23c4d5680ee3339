//! Memory that the system refuses is an error line, and the session goes on: with what it had, or without what it wanted.

use std::process::{Command, Stdio};

use crate::support::process::Process;

/// A board that needs far more nodes than there is room for: one of the hardest there are.
const HARDEST: &str = "15,11,13,12/14,10,8,9/7,2,5,1/3,6,4,0";

/// A session that is given so many MiB, the stack of its search among them.
fn session(mebibytes: u32) -> Process {
    let kibibytes = mebibytes << 10;
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("ulimit -v {kibibytes} && exec \"$0\""))
        .arg(env!("CARGO_BIN_EXE_puli"))
        .env_remove("RUST_LOG")
        .stderr(Stdio::null());
    Process::start_as(shell)
}

fn has_error(lines: &[String], words: &str) -> bool {
    let is_it = |line: &String| line.starts_with("info string error: ") && line.contains(words);
    lines.iter().any(is_it)
}

#[test]
fn a_search_whose_nodes_find_no_room_says_so_and_the_session_goes_on() {
    let mut session = session(500);
    session.say("setoption name UCI_Variant value 15-puzzle");
    for algorithm in ["bfs", "astar", "greedy"] {
        session.say(&format!("setoption name Algorithm value {algorithm}"));
        session.say("setoption name Heuristic value misplaced");
        session.say(&format!("position fen {HARDEST}"));
        session.say("go");
        let lines = session.hear("bestmove");
        let is_solved = lines[lines.len() - 1] != "bestmove (none)";
        // A greedy search may find its way in time.
        assert!(
            is_solved && algorithm == "greedy"
                || has_error(&lines, "out of memory: cannot allocate"),
            "{lines:?}"
        );
    }
    session.say("setoption name Algorithm value idastar");
    session.say("position scramble 10 seed 1");
    session.say("go");
    assert_ne!(
        session.hear("bestmove").pop().as_deref(),
        Some("bestmove (none)")
    );
    session.say("quit");
    assert_eq!(session.status(), Some(0));
}

#[test]
fn databases_that_find_no_room_are_done_without() {
    let mut session = session(370);
    session.say("setoption name UCI_Variant value 24-puzzle");
    session.say("position scramble 60 seed 7");
    session.say("go");
    let lines = session.hear("bestmove");
    assert!(
        has_error(&lines, "searching without pattern databases"),
        "{lines:?}"
    );
    assert_ne!(lines[lines.len() - 1], "bestmove (none)");
    // Where they are what was asked for there is nothing else to search by.
    session.say("setoption name Heuristic value pattern-database");
    session.say("setoption name Algorithm value astar");
    session.say("go");
    let lines = session.hear("bestmove");
    assert!(
        has_error(&lines, "out of memory: cannot allocate"),
        "{lines:?}"
    );
    assert_eq!(lines[lines.len() - 1], "bestmove (none)");
    session.say("quit");
    assert_eq!(session.status(), Some(0));
}

#[test]
fn a_hash_that_cannot_be_had_leaves_the_old_table_and_what_is_in_it() {
    let mut session = session(500);
    session.say("setoption name Algorithm value alphabeta");
    session.say("setoption name Hash value 16");
    session.say("go depth 5");
    let nodes = |lines: Vec<String>| {
        let last = lines.iter().rfind(|line| line.starts_with("info depth 5"));
        let words: Vec<String> = last.map_or(Vec::new(), |line| {
            line.split(' ').map(String::from).collect()
        });
        let at = words.iter().position(|word| word == "nodes");
        at.and_then(|at| words[at + 1].parse::<u64>().ok())
    };
    let first = nodes(session.hear("bestmove"));
    session.say("setoption name Hash value 2000");
    session.hear("info string error: ");
    session.say("go depth 5");
    let second = nodes(session.hear("bestmove"));
    assert!(
        first.is_some() && second < first,
        "{first:?}, then {second:?}"
    );
}
