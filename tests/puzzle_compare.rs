//! `puli compare` for puzzles: the table of algorithm by heuristic, suites of instances, and what it refuses.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say so and fail"
)]

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

/// A board whose shortest solution has 37 moves.
const BOARD: &str = "14,5,9,6/8,10,1,2/7,0,4,3/12,13,15,11";

fn compare(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_puli"))
        .env_remove("RUST_LOG")
        .arg("compare")
        .args(arguments)
        .output()
        .unwrap()
}

fn rows(arguments: &[&str]) -> Vec<Value> {
    let output = compare(&[arguments, &["--format", "json"]].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The words of a refusal; nothing is printed but that.
fn refusal(arguments: &[&str]) -> String {
    let output = compare(arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn suite(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("puli-{name}-{}", std::process::id()));
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn estimates_that_say_too_much_are_quick_and_not_shortest() {
    let mut arguments = vec![
        "--variant",
        "15-puzzle",
        "--fen",
        BOARD,
        "--algorithm",
        "astar",
    ];
    for heuristic in ["manhattan", "reversal", "squared-discounted", "squared"] {
        arguments.extend(["--heuristic", heuristic]);
    }
    let rows = rows(&arguments);
    let optimal: Vec<_> = rows
        .iter()
        .map(|row| row["optimal"].as_str().unwrap())
        .collect();
    assert_eq!(optimal, ["yes", "yes", "no", "no"]);
    let steps: Vec<_> = rows
        .iter()
        .map(|row| row["steps"].as_u64().unwrap())
        .collect();
    assert_eq!(steps[..2], [37, 37]);
    assert!(steps[2..].iter().all(|&steps| steps >= 37), "{steps:?}");
    let examined: Vec<_> = rows
        .iter()
        .map(|row| row["examined"].as_u64().unwrap())
        .collect();
    assert!(
        examined.is_sorted_by(|before, after| before > after),
        "{examined:?}"
    );
    for row in &rows {
        let ratio = row["generated"].as_f64().unwrap() / row["examined"].as_f64().unwrap();
        assert!((1.8..2.3).contains(&ratio), "{row}");
        assert!(row["peak_mib"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn every_algorithm_has_its_rows_without_a_wish() {
    let rows = rows(&["--variant", "8-puzzle", "--fen", "1,4,2/3,0,5/6,7,8"]);
    // auto, bfs and iddfs once; greedy, astar and idastar with eight estimates.
    assert_eq!(rows.len(), 3 + 3 * 8);
    for row in rows {
        let is_greedy = row["algorithm"] == "greedy";
        assert!(
            is_greedy || row["steps"] == 2 && row["optimal"] == "yes",
            "{row}"
        );
    }
}

#[test]
fn a_suite_has_a_row_for_each_instance_and_the_means() {
    let text = "# three ways to write one down\nid\ttiles\n\na\t1 0 2 3 4 5 6 7 8\t1\n1,4,2/3,0,5/6,7,8\n1,0/2,3\n";
    let path = suite("suite", text);
    let rows = rows(&["--variant", "8-puzzle", "--suite", &path]);
    fs::remove_file(path).unwrap();
    let names: Vec<_> = rows
        .iter()
        .map(|row| row["instance"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a", "5", "6", "mean"]);
    let steps: Vec<_> = rows
        .iter()
        .map(|row| row["steps"].as_f64().unwrap())
        .collect();
    assert_eq!(steps, [1.0, 2.0, 1.0, 1.33]);
    assert_eq!(rows[3]["optimal"], "3 of 3");
}

#[test]
fn what_cannot_be_compared_is_refused_before_anything_is_printed() {
    let unsolvable = suite("unsolvable", "0,1,2/3,4,5/6,7,8\n0,1,2/3,4,5/6,8,7\n");
    let empty = suite("empty", "# nothing\n");
    let cases: [(&[&str], &str); 5] = [
        (
            &["--variant", "8-puzzle", "--suite", &unsolvable],
            "instance 2: the goal cannot be reached",
        ),
        (
            &["--variant", "8-puzzle", "--suite", &empty],
            "holds no instances",
        ),
        (
            &["--variant", "8-puzzle", "--suite", "no/such/file"],
            "no/such/file: ",
        ),
        (
            &["--variant", "8-puzzle", "--algorithm", "pvs"],
            "pvs is not for puzzles",
        ),
        (
            &["--variant", "tic-tac-toe", "--heuristic", "zero"],
            "are for puzzles, which tic-tac-toe is not",
        ),
    ];
    for (arguments, expected) in cases {
        let found = refusal(arguments);
        assert!(found.contains(expected), "{found}");
    }
    for path in [unsolvable, empty] {
        fs::remove_file(path).unwrap();
    }
}
