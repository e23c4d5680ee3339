//! `puli trace` draws what a search did, and refuses to draw what it did not.

use std::process::{Command, Output};

use serde_json::{Value, json};

fn trace(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_puli"))
        .env_remove("RUST_LOG")
        .arg("trace")
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn only_what_tells_of_every_node_can_be_traced() {
    let help = String::from_utf8(trace(&["--help"]).stdout).unwrap();
    for algorithm in ["minimax", "expectimax", "alphabeta", "scout", "mtdf"] {
        let output = trace(&["--algorithm", algorithm]);
        assert_eq!(output.status.code(), Some(0), "{algorithm}");
        assert!(help.contains(algorithm), "{algorithm}");
    }
    for algorithm in ["auto", "pvs", "bfs", "iddfs", "greedy", "astar", "idastar"] {
        let output = trace(&["--algorithm", algorithm]);
        assert_eq!(output.status.code(), Some(2), "{algorithm}");
        assert!(output.stdout.is_empty(), "{algorithm}");
        assert!(!help.contains(algorithm), "{algorithm}");
    }
}

#[test]
fn what_a_game_does_not_run_is_not_drawn_as_something_else() {
    for (variant, algorithm, why) in [
        ("2048", "scout", "scout is not for 2048"),
        ("2048", "mtdf", "mtdf is not for 2048"),
        (
            "8-puzzle",
            "alphabeta",
            "only the searches of two-player games",
        ),
    ] {
        let output = trace(&[
            "--variant",
            variant,
            "--algorithm",
            algorithm,
            "--depth",
            "1",
        ]);
        assert_eq!(output.status.code(), Some(1), "{variant} {algorithm}");
        assert!(output.stdout.is_empty(), "{variant} {algorithm}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn a_position_that_cannot_be_read_is_told_by_the_option_that_it_was_given_with() {
    for arguments in [
        &["trace", "--variant", "tic-tac-toe"][..],
        &["compare", "--variant", "tic-tac-toe"],
        &["compare", "--variant", "8-puzzle"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_puli"))
            .env_remove("RUST_LOG")
            .args(arguments)
            .args(["--fen", "?"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("--fen: column 1: "), "{said}");
    }
}

/// The nodes of a tree that was traced for a program.
fn nodes(arguments: &[&str]) -> Vec<Value> {
    let output = trace(&[arguments, &["--format", "json"]].concat());
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    told["nodes"].as_array().unwrap().clone()
}

#[test]
fn an_expectation_is_one_of_points_whatever_leaf_was_visited() {
    let fen = "XO1/1X1/2O x";
    let game = ["--variant", "tic-tac-toe", "--fen", fen, "--depth", "5"];
    let tree = nodes(&[&game[..], &["--algorithm", "expectimax", "--memory"]].concat());
    let leaves: Vec<&Value> = tree.iter().filter(|node| node["kind"] == "leaf").collect();
    let unvisited = leaves.iter().filter(|leaf| leaf["visits"] == json!([]));
    assert!(unvisited.count() > 0);
    for leaf in leaves {
        assert!(leaf["value"].is_number(), "{leaf}");
        for visit in leaf["visits"].as_array().unwrap() {
            assert_eq!(visit["value"], leaf["value"]);
        }
    }
}

#[test]
fn a_node_is_cut_off_where_something_was_left_out() {
    let (mut cut, mut last) = (0, 0);
    for algorithm in ["alphabeta", "scout"] {
        let tree = nodes(&["--algorithm", algorithm]);
        for node in &tree {
            let children = node["children"].as_array().unwrap();
            let unvisited = |child: &Value| {
                let child = &tree[child.as_u64().unwrap() as usize];
                child["visits"] == json!([])
            };
            for visit in node["visits"].as_array().unwrap() {
                match (&visit["left"], &visit["bound"]) {
                    (left, _) if left == "cut" => {
                        cut += 1;
                        // Scout may come again and search the others then.
                        assert!(algorithm == "scout" || children.iter().any(unvisited));
                    }
                    (left, bound) if left == "searched" && bound != "exact" => last += 1,
                    _ => {}
                }
            }
        }
    }
    assert!(cut > 0 && last > 0, "{cut} {last}");
}
