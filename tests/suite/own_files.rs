//! Tests `puli features`, and the files of own weights and own estimates.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value as Json;
use tempfile::TempDir;

/// Runs the program. `{}` in an argument stands for a file with `text`.
fn puli(arguments: &[&str], text: &str) -> Output {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("own.txt");
    fs::write(&path, text).unwrap();
    let arguments = arguments
        .iter()
        .map(|argument| argument.replace("{}", path.to_str().unwrap()));
    Command::new(env!("CARGO_BIN_EXE_puli"))
        .env_remove("RUST_LOG")
        .args(arguments)
        .output()
        .unwrap()
}

fn stdout_of(arguments: &[&str], text: &str) -> String {
    let output = puli(arguments, text);
    assert!(output.status.success(), "{arguments:?} {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the events of a trace.
fn events(arguments: &[&str], text: &str) -> Vec<Json> {
    let arguments = [&["trace", "--format", "jsonl"], arguments].concat();
    let text = stdout_of(&arguments, text);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn features_have_numbers_and_weights() {
    assert_eq!(
        stdout_of(&["features", "aadu-puli"], ""),
        "feature         number  weight  points\n\
         goats               15       4      60\n\
         tiger steps          6      -1      -6\n\
         tiger captures       0      -2       0\n\
         \n\
         Weights and points are those of the goats. The evaluation is the sum: 54.\n"
    );
    let fen = [
        "features",
        "tic-tac-toe",
        "--fen",
        "X2/3/3 o",
        "--format",
        "json",
    ];
    let rows: Vec<Json> = serde_json::from_str(&stdout_of(&fen, "")).unwrap();
    let shown = rows
        .iter()
        .map(|row| format!("{} {} {}", row["feature"], row["number"], row["points"]));
    assert_eq!(
        shown.collect::<Vec<_>>(),
        ["\"lines open to x\" 8 8", "\"lines open to o\" 5 -5"]
    );
    for (game, reason) in [
        (
            "tree",
            "tree has no features: expected a hunt game or an m,n,k game",
        ),
        ("8-puzzle", "8-puzzle has no features"),
        ("2048", "2048 has no features"),
        ("no-such-game", "no-such-game"),
    ] {
        let output = puli(&["features", game], "");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{game}");
        assert!(stderr.contains(reason), "{stderr}");
    }
}

#[test]
fn usual_weights_change_nothing() {
    for game in ["aadu-puli", "tic-tac-toe", "hare-and-hounds", "kaooa"] {
        let weights = stdout_of(&["features", game, "--format", "weights"], "");
        let search = ["--variant", game, "--depth", "3"];
        let mut usual = events(&search, "");
        let mut own = events(&[&search[..], &["--weights", "{}"]].concat(), &weights);
        let named = own[0]["options"]
            .as_object_mut()
            .unwrap()
            .remove("weights")
            .unwrap();
        assert_eq!(named.as_object().unwrap().len(), weights.lines().count());
        assert_eq!(usual.remove(0), own.remove(0));
        assert_eq!(usual, own, "{game}");
    }
}

#[test]
fn leaves_have_values_by_own_weights() {
    let weights = "# own\n  goats   4.5\n\ntiger captures\t-0.25\n";
    let search = [
        "--variant",
        "aadu-puli",
        "--fen",
        "1/3TT1/1TG2G/3G2/4 g 12",
        "--depth",
        "2",
    ];
    for algorithm in ["minimax", "pvs"] {
        let search = [&search[..], &["--algorithm", algorithm]].concat();
        let usual = events(&search, "");
        let own = events(&[&search[..], &["--weights", "{}"]].concat(), weights);
        let leaves = own.iter().filter(|event| event["e"] == "leaf");
        let mut different = 0;
        for leaf in leaves.clone() {
            let terms = leaf["terms"].as_array().unwrap();
            let sum: f64 = terms.iter().map(|term| term[1].as_f64().unwrap()).sum();
            assert_eq!(leaf["value"].as_f64(), Some(sum), "{leaf}");
            different += usize::from(sum.fract() != 0.0);
        }
        assert!(leaves.count() > 10 && different > 0);
        assert_ne!(usual.last().unwrap()["value"], own.last().unwrap()["value"]);
    }
    let compare = ["compare", "--depth", "3", "--hash", "1", "--format", "json"];
    let rows = |weights: &[&str]| -> Vec<Json> {
        serde_json::from_str(&stdout_of(&[&compare[..], weights].concat(), "goats 5\n")).unwrap()
    };
    for (usual, own) in rows(&[]).iter().zip(rows(&["--weights", "{}"])) {
        let algorithm = usual["algorithm"].as_str().unwrap();
        let added = own["score"].as_f64().unwrap() - usual["score"].as_f64().unwrap();
        match algorithm {
            // auto has its own evaluation, and averages mix positions with captured goats.
            "auto" => assert!(added.abs() < f64::EPSILON, "{own}"),
            "expectimax" => assert!(added > 14.0, "{own}"),
            _ => assert!((added - 15.0).abs() < f64::EPSILON, "{own}"),
        }
    }
}

#[test]
fn own_estimates_are_a_heuristic() {
    let fen = "1,2,5/3,4,0/6,7,8";
    let table =
        "1,2,5/3,4,0/6,7,8 3\n1,2,0/3,4,5/6,7,8 2\n1,0,2/3,4,5/6,7,8 1\n0,1,2/3,4,5/6,7,8 7\n";
    let search = [
        "--variant",
        "8-puzzle",
        "--fen",
        fen,
        "--algorithm",
        "astar",
        "--estimate-table",
        "{}",
    ];
    let found = events(&search, table);
    assert_eq!(found[0]["heuristic"], "own");
    let opened: Vec<String> = found
        .iter()
        .filter(|event| event["e"] == "open")
        .map(|event| event["h"].to_string())
        .collect();
    // The start, two states outside of the table, and the way. The goal has the estimate 0 in any case.
    assert_eq!(opened[0], "3");
    assert_eq!(opened.last().unwrap(), "0");
    let end = found.last().unwrap();
    assert_eq!(
        (&end["value"], &end["proved"]),
        (&Json::from(3), &Json::from(false))
    );
    let compare = [
        "compare",
        "--variant",
        "8-puzzle",
        "--fen",
        fen,
        "--algorithm",
        "astar",
        "--format",
        "json",
    ];
    let rows: Vec<Json> = serde_json::from_str(&stdout_of(
        &[&compare[..], &["--estimate-table", "{}"]].concat(),
        table,
    ))
    .unwrap();
    let own: Vec<&Json> = rows
        .iter()
        .filter(|row| row["heuristic"] == "own")
        .collect();
    assert_eq!((own.len(), &own[0]["steps"]), (1, &Json::from(3)));
    assert!(rows.iter().any(|row| row["heuristic"] == "manhattan"));
}

#[test]
fn errors_name_file_line_and_expectation() {
    let trace = [
        "trace",
        "--variant",
        "aadu-puli",
        "--depth",
        "1",
        "--weights",
        "{}",
    ];
    let puzzle = [
        "trace",
        "--variant",
        "8-puzzle",
        "--explain",
        "--estimate-table",
        "{}",
    ];
    for (arguments, text, reason) in [
        (
            &trace[..],
            "goats 4\ngoat 5\n",
            "own.txt, line 2: expected a feature (goats, tiger steps, tiger captures), found 'goat' (did you mean goats?)",
        ),
        (
            &trace,
            "goats\n",
            "own.txt, line 1: expected the name of a feature and its weight, found 'goats'",
        ),
        (
            &trace,
            "\n# x\ngoats 1e2\n",
            "own.txt, line 3: expected a weight from -1000 to 1000 with at most two digits after its point, found '1e2'",
        ),
        (
            &trace,
            "goats 1000.01\n",
            "line 1: expected a weight from -1000 to 1000",
        ),
        (&trace, "goats 1.234\n", "found '1.234'"),
        (
            &trace,
            "goats 1\ngoats 2\n",
            "own.txt, line 2: expected each feature once, but line 1 has 'goats'",
        ),
        (
            &["trace", "--weights", "{}"],
            "goats 1\n",
            "--weights: tree has no features; see 'puli features'",
        ),
        (
            &["compare", "--variant", "8-puzzle", "--weights", "{}"],
            "x 1\n",
            "--weights: 8-puzzle has no features",
        ),
        (
            &["trace", "--weights", "/no/such/file", "--variant", "kaooa"],
            "",
            "--weights: ",
        ),
        (
            &puzzle,
            "1,0,2/3,4,5/6,7,8\n",
            "own.txt, line 1: expected a position and its estimate, found '1,0,2/3,4,5/6,7,8'",
        ),
        (
            &puzzle,
            "1,0,2/3,4,5/6,7,8 -1\n",
            "own.txt, line 1: expected an estimate from 0 to 1000000 moves, found '-1'",
        ),
        (
            &puzzle,
            "1,0,2/3,4,5/6,7,8 1\n1,0,2 1\n",
            "own.txt, line 2: expected a position, found '1,0,2': column ",
        ),
        (
            &["compare", "--estimate-table", "{}"],
            "",
            "--estimate-table: requires a puzzle, which aadu-puli is not",
        ),
    ] {
        let output = puli(arguments, text);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains(reason), "{arguments:?}: {stderr}");
    }
}

#[test]
fn options_of_the_protocol_follow_the_game() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("weights.txt");
    fs::write(&path, "goats 5\n").unwrap();
    let set = format!("setoption name WeightsFile value {}", path.display());
    let lines = [
        &set,
        "features",
        "setoption name Algorithm value minimax",
        "eval",
        "setoption name UCI_Variant value tic-tac-toe",
        "setoption name UCI_Variant value tree",
        "features",
        "setoption name WeightsFile value <empty>",
        "setoption name UCI_Variant value tic-tac-toe",
        "features",
    ];
    let arguments: Vec<&str> = lines.iter().flat_map(|line| ["-c", line]).collect();
    // One command is rejected, so the exit status is 1.
    let output = puli(&arguments, "");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("{\"name\":\"goats\",\"number\":15,\"weight\":5,\"points\":75}"),
        "{text}"
    );
    assert!(
        text.contains("goats: 75\n") && text.contains("Evaluation: 69\n"),
        "{text}"
    );
    let error =
        "weights.txt, line 1: expected a feature (lines open to x, lines open to o), found 'goats'";
    assert_eq!(text.matches(error).count(), 1, "{text}");
    assert!(text.contains("features {\"features\":[]}"), "{text}");
    assert!(
        text.contains("{\"name\":\"lines open to x\",\"number\":8,\"weight\":1,\"points\":8}"),
        "{text}"
    );
}
