//! Tests sessions with too little memory. If an allocation fails, Puli reports an error and the session continues: with
//! the old transposition table, without pattern databases, or without a solution.

use std::process::{Command, Stdio};

use crate::support::process::Process;

/// One of the hardest positions of the 15-puzzle: the shortest solution has 80 moves. A search with an open list runs
/// out of memory before it finds this solution.
const HARD_15_PUZZLE: &str = "15,11,13,12/14,10,8,9/7,2,5,1/3,6,4,0";

/// Starts a session whose virtual memory is limited to `mebibytes` MiB, including the stacks of its threads.
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

/// Returns `true` if `lines` contain an error line with `words`.
fn has_error(lines: &[String], words: &str) -> bool {
    let is_match = |line: &String| line.starts_with("info string error: ") && line.contains(words);
    lines.iter().any(is_match)
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
    // If the option requests the pattern databases explicitly, the search does not continue without them.
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
    // Returns the number of nodes in the last info line of depth 5.
    let nodes = |lines: Vec<String>| {
        let last = lines.iter().rfind(|line| line.starts_with("info depth 5"));
        let words: Vec<String> = last.map_or(Vec::new(), |line| {
            line.split(' ').map(String::from).collect()
        });
        let index = words.iter().position(|word| word == "nodes");
        index.and_then(|index| words[index + 1].parse::<u64>().ok())
    };
    let first = nodes(session.read_until("bestmove"));
    session.send("setoption name Hash value 2000");
    session.read_until("info string error: ");
    session.send("go depth 5");
    let second = nodes(session.read_until("bestmove"));
    // The second search needs fewer nodes because the old table still holds the results of the first.
    assert!(
        first.is_some() && second < first,
        "{first:?}, then {second:?}"
    );
}
