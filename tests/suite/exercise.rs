//! Tests `puli exercise`: worksheets that depend on nothing but their seed, and the marking of answers.

use std::process::{Command, Output};

use serde_json::{Value as Json, json};

const KINDS: [&str; 14] = [
    "minimax",
    "windows",
    "cuts",
    "order",
    "scout",
    "mtdf",
    "expectimax",
    "evaluation",
    "backward",
    "queue",
    "astar",
    "estimates",
    "idastar",
    "parity",
];

/// Runs `puli exercise`.
fn exercise(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_puli"))
        .env_remove("RUST_LOG")
        .arg("exercise")
        .args(arguments)
        .output()
        .unwrap()
}

fn sheet(arguments: &[&str]) -> String {
    let output = exercise(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?} {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json_sheet(arguments: &[&str]) -> Json {
    serde_json::from_str(&sheet(&[arguments, &["--format", "json"]].concat())).unwrap()
}

/// Marks a sheet. Returns the exit status, the marks, and the error.
fn check(sheet: &Json) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.json");
    std::fs::write(&path, sheet.to_string()).unwrap();
    let output = exercise(&["--check", path.to_str().unwrap()]);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn sheets_depend_only_on_seed_and_answers_are_right() {
    for kind in KINDS {
        let arguments = [kind, "--count", "2", "--level", "2", "--seed", "7"];
        for format in ["svg", "markdown", "json"] {
            let arguments = [&arguments[..], &["--format", format]].concat();
            assert_eq!(sheet(&arguments), sheet(&arguments), "{arguments:?}");
        }
        let other = [kind, "--count", "2", "--level", "2", "--seed", "8"];
        assert_ne!(sheet(&arguments), sheet(&other), "{kind}");
        let answered = json_sheet(&[&arguments[..], &["--answers"]].concat());
        let (status, marks, _) = check(&answered);
        assert_eq!(status, Some(0), "{kind}: {marks}");
        let open = json_sheet(&arguments);
        let (status, marks, error) = check(&open);
        assert_eq!(status, Some(1), "{kind}: {marks}");
        assert!(marks.contains("not answered"), "{marks}");
        assert!(error.contains("wrong or missing"), "{error}");
    }
}

#[test]
fn marks_say_what_is_right_and_why() {
    let mut answered = json_sheet(&["minimax", "--count", "1", "--answers"]);
    let blank = &mut answered["exercises"][0]["blanks"][0];
    let right = blank["answer"].as_str().unwrap().to_string();
    blank["answer"] = json!("99");
    let (status, marks, _) = check(&answered);
    assert_eq!(status, Some(1));
    let mark = marks.lines().next().unwrap();
    assert!(
        mark.contains(&format!("wrong: 99; {right} is right.")),
        "{mark}"
    );
    assert!(mark.contains("The value of"), "{mark}");
}

#[test]
fn answers_of_trees_are_those_of_plain_minimax() {
    /// Returns the minimax value of a tree in JSON.
    fn value(tree: &Json, is_max: bool) -> i64 {
        let Some(children) = tree.as_array() else {
            return tree.as_i64().unwrap();
        };
        let values = children.iter().map(|child| value(child, !is_max));
        if is_max { values.max() } else { values.min() }.unwrap()
    }
    for level in ["1", "2", "3"] {
        let sheet = json_sheet(&["minimax", "--count", "8", "--level", level, "--answers"]);
        for exercise in sheet["exercises"].as_array().unwrap() {
            let tree: Json = serde_json::from_str(exercise["material"].as_str().unwrap()).unwrap();
            for blank in exercise["blanks"].as_array().unwrap() {
                let at = blank["at"].as_str().unwrap();
                if at == "line of best play" {
                    continue;
                }
                let moves: Vec<usize> = at.split(' ').filter_map(|m| m.parse().ok()).collect();
                let node = moves.iter().fold(&tree, |node, m| &node[m - 1]);
                let expected = value(node, moves.len().is_multiple_of(2)).to_string();
                assert_eq!(blank["answer"], expected, "{exercise}");
            }
        }
    }
}

#[test]
fn refuses_what_is_no_sheet() {
    for (sheet, reason) in [
        (json!({}), "expected a 'kind'"),
        (json!({"kind": "minimax"}), "expected a number as 'level'"),
        (
            json!({"kind": "chess", "level": 1, "count": 1, "seed": 1}),
            "chess",
        ),
        (
            json!({"kind": "minimax", "level": 1, "count": 1000, "seed": 1}),
            "expected a number as 'count'",
        ),
        (
            json!({"kind": "minimax", "level": 1, "count": 1, "seed": 1}),
            "expected exercises",
        ),
        (
            json!({"kind": "minimax", "level": 1, "count": 1, "seed": 1, "exercises": [{}]}),
            "exercise 1: expected blanks",
        ),
    ] {
        let (status, marks, error) = check(&sheet);
        assert_eq!((status, marks.as_str()), (Some(2), ""), "{sheet}");
        assert!(
            error.contains("--check: ") && error.contains(reason),
            "{error}"
        );
    }
    let output = exercise(&[]);
    assert_eq!(output.status.code(), Some(2));
}
