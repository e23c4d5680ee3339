//! Tests failed allocations: Puli reports an error line, and the session continues with its old memory or without
//! the new one.

use std::process::{Command, Stdio};

use crate::support::process::Process;

/// A 15-puzzle of 80 moves, among the hardest. Its solution needs far more nodes than fit into memory.
const HARD_15_PUZZLE: &str = "15,11,13,12/14,10,8,9/7,2,5,1/3,6,4,0";

/// Starts a session with `mebibytes` MiB of memory, including the stack of its search.
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
fn search_out_of_memory_reports_error_and_continues() {
    let mut session = session(500);
    session.send("setoption name UCI_Variant value 15-puzzle");
    for algorithm in ["bfs", "astar", "greedy"] {
        session.send(&format!("setoption name Algorithm value {algorithm}"));
        session.send("setoption name Heuristic value misplaced");
        session.send(&format!("position fen {HARD_15_PUZZLE}"));
        session.send("go");
        let lines = session.read_until("bestmove");
        let is_solved = lines[lines.len() - 1] != "bestmove (none)";
        // Greedy search may find a solution before it runs out of memory.
        assert!(
            is_solved && algorithm == "greedy"
                || has_error(&lines, "out of memory: cannot allocate"),
            "{lines:?}"
        );
    }
    session.send("setoption name Algorithm value idastar");
    session.send("position scramble 10 seed 1");
    session.send("go");
    assert_ne!(
        session.read_until("bestmove").pop().as_deref(),
        Some("bestmove (none)")
    );
    session.send("quit");
    assert_eq!(session.status(), Some(0));
}

#[test]
fn search_continues_without_databases_if_out_of_memory() {
    let mut session = session(370);
    session.send("setoption name UCI_Variant value 24-puzzle");
    session.send("position scramble 60 seed 7");
    session.send("go");
    let lines = session.read_until("bestmove");
    assert!(
        has_error(&lines, "searching without pattern databases"),
        "{lines:?}"
    );
    assert_ne!(lines[lines.len() - 1], "bestmove (none)");
    // The heuristic was requested, so there is no replacement for its databases.
    session.send("setoption name Heuristic value pattern-database");
    session.send("setoption name Algorithm value astar");
    session.send("go");
    let lines = session.read_until("bestmove");
    assert!(
        has_error(&lines, "out of memory: cannot allocate"),
        "{lines:?}"
    );
    assert_eq!(lines[lines.len() - 1], "bestmove (none)");
    session.send("quit");
    assert_eq!(session.status(), Some(0));
}

#[test]
fn failed_hash_allocation_keeps_old_table() {
    let mut session = session(500);
    session.send("setoption name Algorithm value alphabeta");
    session.send("setoption name Hash value 16");
    session.send("go depth 5");
    let nodes = |lines: Vec<String>| {
        let last = lines.iter().rfind(|line| line.starts_with("info depth 5"));
        let words: Vec<String> = last.map_or(Vec::new(), |line| {
            line.split(' ').map(String::from).collect()
        });
        let at = words.iter().position(|word| word == "nodes");
        at.and_then(|at| words[at + 1].parse::<u64>().ok())
    };
    let first = nodes(session.read_until("bestmove"));
    session.send("setoption name Hash value 2000");
    session.read_until("info string error: ");
    session.send("go depth 5");
    let second = nodes(session.read_until("bestmove"));
    assert!(
        first.is_some() && second < first,
        "{first:?}, then {second:?}"
    );
}
