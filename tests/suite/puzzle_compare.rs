//! Tests `puli compare`, mainly for puzzles: it solves positions with several algorithms and heuristics and prints a
//! table of the results.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

/// A board whose shortest solution has 37 moves.
const BOARD: &str = "14,5,9,6/8,10,1,2/7,0,4,3/12,13,15,11";

/// Runs `puli compare`.
fn compare(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_puli"))
        .env_remove("RUST_LOG")
        .arg("compare")
        .args(arguments)
        .output()
        .unwrap()
}

/// Runs `puli compare --format json` and returns the rows of the table.
fn rows(arguments: &[&str]) -> Vec<Value> {
    let output = compare(&[arguments, &["--format", "json"]].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the help of `puli compare` with single spaces instead of line breaks and indentation.
fn help() -> String {
    let help = String::from_utf8(compare(&["--help"]).stdout).unwrap();
    help.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs `puli compare` with bad arguments, which must print nothing but an error. Returns the error.
fn error_of(arguments: &[&str]) -> String {
    let output = compare(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Writes a temporary file with this text and returns its path.
fn write_suite(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("puli-{name}-{}", std::process::id()));
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn inadmissible_heuristics_are_faster_but_not_optimal() {
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
    let optimal: Vec<&Value> = rows.iter().map(|row| &row["optimal"]).collect();
    assert_eq!(optimal[..2], [true, true]);
    let steps: Vec<_> = rows
        .iter()
        .map(|row| row["steps"].as_u64().unwrap())
        .collect();
    assert_eq!(steps[..2], [37, 37]);
    for (optimal, steps) in optimal.into_iter().zip(&steps).skip(2) {
        match steps {
            37 => assert_eq!(*optimal, Value::Null),
            38.. => assert_eq!(*optimal, false),
            _ => panic!("{steps} moves are fewer than the fewest"),
        }
    }
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
fn compares_all_algorithms_by_default() {
    let rows = rows(&["--variant", "8-puzzle", "--fen", "1,4,2/3,0,5/6,7,8"]);
    // auto, bfs and iddfs have one row each. greedy, astar and idastar have a row for each of eight heuristics.
    assert_eq!(rows.len(), 3 + 3 * 8);
    for row in rows {
        let is_greedy = row["algorithm"] == "greedy";
        assert!(
            is_greedy || row["steps"] == 2 && row["optimal"] == true,
            "{row}"
        );
    }
}

#[test]
fn suite_prints_row_per_instance_and_means() {
    let text = "# three notations of a position\nid\ttiles\n\na\t1 0 2 3 4 5 6 7 8\t1\n1,4,2/3,0,5/6,7,8\n1,0/2,3\n";
    let path = write_suite("suite", text);
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
fn rejects_bad_comparison_before_printing() {
    let unsolvable = write_suite("unsolvable", "0,1,2/3,4,5/6,7,8\n0,1,2/3,4,5/6,8,7\n");
    let empty = write_suite("empty", "# nothing\n");
    let table = write_suite("table", "id\ttiles\na\t0 1 2 3 4 5 6 7\n");
    let cases: [(&[&str], &str); 10] = [
        (
            &["--variant", "8-puzzle", "--suite", &unsolvable],
            &format!("{unsolvable}: instance 2: the goal cannot be reached"),
        ),
        (
            &["--variant", "8-puzzle", "--suite", &table],
            &format!("{table}, line 2: expected a name, a tab and the tiles of a square board"),
        ),
        (
            &["--variant", "8-puzzle", "--suite", &empty],
            "contains no positions",
        ),
        (
            &["--variant", "8-puzzle", "--suite", "no/such/file"],
            "no/such/file cannot be read: ",
        ),
        (
            &["--variant", "8-puzzle", "--algorithm", "pvs"],
            "8-puzzle has no algorithm 'pvs': expected auto, bfs, iddfs, greedy, astar, idastar",
        ),
        (
            &["--variant", "24-puzzle", "--heuristic", "walking-distance"],
            "unknown heuristic 'walking-distance' for this board: expected auto, zero, misplaced, manhattan",
        ),
        (
            &["--variant", "missionaries", "--heuristic", "manhattan"],
            "unknown heuristic 'manhattan' for this board: expected auto, zero",
        ),
        (
            &["--algorithm", "astar"],
            "aadu-puli has no algorithm 'astar': expected minimax, expectimax, alphabeta",
        ),
        (
            &["--variant", "2048", "--algorithm", "scout"],
            "2048 has no algorithm 'scout'",
        ),
        (
            &["--variant", "tic-tac-toe", "--heuristic", "zero"],
            "require a puzzle, which tic-tac-toe is not",
        ),
    ];
    for (arguments, expected) in cases {
        let actual = error_of(arguments);
        assert!(actual.contains(expected), "{actual}");
    }
    for path in [unsolvable, empty] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn uses_and_prints_random_position_by_default() {
    let compare_with_seed = |seed: &str| {
        let output = compare(&[
            "--variant",
            "8-puzzle",
            "--algorithm",
            "auto",
            "--seed",
            seed,
            "--format",
            "json",
        ]);
        let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        (rows[0].clone(), String::from_utf8(output.stderr).unwrap())
    };
    let (row, stderr) = compare_with_seed("3");
    assert_eq!(row["instance"], "seed 3");
    assert!(row["steps"].as_u64().unwrap() > 5, "{row}");
    let printed_fen = stderr
        .lines()
        .find_map(|line| line.strip_prefix("seed 3 is position fen "));
    // The printed FEN gives the same position.
    let rows_of_fen = rows(&[
        "--variant",
        "8-puzzle",
        "--algorithm",
        "auto",
        "--fen",
        printed_fen.unwrap(),
    ]);
    assert_eq!(rows_of_fen[0]["generated"], row["generated"]);
    assert_ne!(
        compare_with_seed("4").1.lines().next(),
        stderr.lines().next()
    );
}

#[test]
fn unfinished_row_states_reason() {
    let hard_position = "15,11,13,12/14,10,8,9/7,2,5,1/3,6,4,0";
    let arguments = [
        "--variant",
        "15-puzzle",
        "--fen",
        hard_position,
        "--algorithm",
        "bfs",
    ];
    let stopped_by_time = rows(&[&arguments[..], &["--movetime", "50"]].concat());
    assert_eq!(
        stopped_by_time[0]["unfinished"],
        "time limit of 0.05 s (--movetime)"
    );
    let stopped_by_depth = rows(&[&arguments[..], &["--depth", "3"]].concat());
    assert_eq!(
        stopped_by_depth[0]["unfinished"],
        "there is no solution within the limit on its length"
    );
    let finished = rows(&[
        "--variant",
        "8-puzzle",
        "--fen",
        "1,0,2/3,4,5/6,7,8",
        "--algorithm",
        "bfs",
    ]);
    assert_eq!(finished[0]["unfinished"], Value::Null);
    let help = help();
    assert!(help.contains("10000 for puzzles]"), "{help}");
}

#[test]
fn time_limit_excludes_building_of_databases() {
    let fen = "1,0,2,3/4,5,6,7/8,9,10,11/12,13,14,15";
    let output = compare(&[
        "--variant",
        "15-puzzle",
        "--fen",
        fen,
        "--algorithm",
        "astar",
        "--heuristic",
        "pattern-database",
        // Building the databases takes longer than 50 ms, but this time limit holds for the search only.
        "--movetime",
        "50",
        "--format",
        "json",
    ]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("astar pattern-database: databases built in "),
        "{stderr}"
    );
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rows[0]["steps"], 1, "{rows:?}");
}

#[test]
fn games_compare_requested_searches_and_name_units() {
    let rows = rows(&[
        "--depth",
        "3",
        "--algorithm",
        "auto",
        "--algorithm",
        "scout",
    ]);
    let actual: Vec<_> = rows
        .iter()
        .map(|row| {
            let word = |key: &str| row[key].as_str().unwrap();
            (word("algorithm"), row["memory"] == true, word("unit"))
        })
        .collect();
    let expected = [
        ("auto", true, "log odds"),
        ("scout", false, "points"),
        ("scout", true, "points"),
    ];
    assert_eq!(actual, expected);
}

fn table(arguments: &[&str]) -> String {
    let output = compare(arguments);
    assert!(output.status.success(), "{arguments:?} {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn optimal_is_yes_no_or_not_proved() {
    let arguments = [
        "--variant",
        "15-puzzle",
        "--fen",
        BOARD,
        "--heuristic",
        "manhattan",
    ];
    let greedy_first = ["--algorithm", "greedy", "--algorithm", "idastar"];
    let greedy_last = ["--algorithm", "idastar", "--algorithm", "greedy"];
    let optimal = |order: &[&str]| -> Vec<Value> {
        let rows = rows(&[&arguments, order].concat());
        rows.iter().map(|row| row["optimal"].clone()).collect()
    };
    // Greedy search finds a longer solution than 37 moves. When it comes first, no shorter solution is known yet.
    // When it comes after IDA*, its solution is known to be longer than the shortest.
    assert_eq!(optimal(&greedy_first), [Value::Null, true.into()]);
    assert_eq!(optimal(&greedy_last), [true, false]);
    let csv = table(&[&arguments[..], &greedy_first, &["--format", "csv"]].concat());
    assert!(csv.contains("not proved") && csv.contains(",yes,"), "{csv}");
    let csv = table(&[&arguments[..], &greedy_last, &["--format", "csv"]].concat());
    assert!(csv.contains(",no,"), "{csv}");
}

#[test]
fn marks_solvers_that_serve_only_one_puzzle() {
    let mut arguments = vec!["--variant", "15-puzzle", "--fen", BOARD];
    for heuristic in ["manhattan", "linear-conflict"] {
        arguments.extend(["--heuristic", heuristic]);
    }
    for algorithm in ["astar", "idastar"] {
        arguments.extend(["--algorithm", algorithm]);
    }
    let specialized: Vec<_> = rows(&arguments)
        .iter()
        .map(|row| row["specialized"].as_bool().unwrap())
        .collect();
    assert_eq!(specialized, [false, false, true, false]);
    let text = table(&arguments);
    let marked: Vec<_> = text
        .lines()
        .skip(1)
        .take(4)
        .map(|line| line.contains('*'))
        .collect();
    assert_eq!(marked, specialized, "{text}");
    assert!(
        text.contains("\n*: a solver for this puzzle only"),
        "{text}"
    );
}

#[test]
fn counts_nodes_and_leaves_per_iteration_and_in_total() {
    let arguments = [
        "--variant",
        "tic-tac-toe",
        "--depth",
        "4",
        "--algorithm",
        "minimax",
        "--each-depth",
    ];
    let rows = rows(&arguments);
    let without_memory: Vec<&Value> = rows.iter().filter(|row| row["memory"] == false).collect();
    let counts = |key: &str| -> Vec<u64> {
        without_memory
            .iter()
            .map(|row| row[key].as_u64().unwrap())
            .collect()
    };
    // No game ends within four plies, so the numbers of leaves are 9, 9·8, 9·8·7 and 9·8·7·6.
    assert_eq!(counts("leaves"), [9, 72, 504, 3024]);
    assert_eq!(counts("leaves_total"), [9, 81, 585, 3609]);
    let inner = [0, 9, 81, 585];
    let roots = counts("nodes_last")[0] - 9;
    let last: Vec<u64> = counts("leaves")
        .iter()
        .zip(inner)
        .map(|(leaves, inner)| leaves + inner + roots)
        .collect();
    assert_eq!(counts("nodes_last"), last);
    let total: Vec<u64> = last
        .iter()
        .scan(0, |sum, last| {
            *sum += last;
            Some(*sum)
        })
        .collect();
    assert_eq!(counts("nodes"), total);
    let text = table(&arguments);
    let note = text.split_once("\n\n").unwrap().1.replace('\n', " ");
    let statement =
        "nodes: visited in all iterations. leaves: evaluated or game over in the last iteration.";
    assert!(note.contains(statement), "{note}");
    let help = help();
    for word in [
        "nodes_last ",
        "leaves_total ",
        "in all finished iterations",
        "--wide",
    ] {
        assert!(help.contains(word), "{word}: {help}");
    }
}

#[test]
fn tables_fit_into_eighty_columns() {
    let long = "a name that is much longer than a column";
    let path = write_suite(
        "long",
        &format!("{long}\t1 0 2 3 4 5 6 7 8\n2\t1 2 0 3 4 5 6 7 8\n"),
    );
    let mut runs: Vec<Vec<&str>> = Vec::new();
    let boards: Vec<&str> = puli::catalog::all().collect();
    for variant in boards {
        let variant_option = ["--variant", variant];
        match variant {
            "8-puzzle" => {
                runs.push(variant_option.to_vec());
                runs.push([&variant_option[..], &["--suite", &path]].concat());
                let suite_options = [
                    "--suite",
                    &path,
                    "--algorithm",
                    "astar",
                    "--heuristic",
                    "squared-discounted",
                ];
                runs.push([&variant_option[..], &suite_options, &["--movetime", "0"]].concat());
                runs.push(
                    [
                        &variant_option[..],
                        &["--seed", "2", "--depth", "1", "--algorithm", "greedy"],
                    ]
                    .concat(),
                );
            }
            "15-puzzle" | "24-puzzle" => {
                let options = [
                    "--heuristic",
                    "manhattan",
                    "--heuristic",
                    "squared-discounted",
                    "--movetime",
                    "1",
                ];
                runs.push(
                    [
                        &variant_option[..],
                        &options,
                        &["--algorithm", "astar", "--algorithm", "bfs"],
                    ]
                    .concat(),
                );
            }
            "missionaries" => runs.push(variant_option.to_vec()),
            _ => {
                runs.push([&variant_option[..], &["--depth", "1", "--hash", "1"]].concat());
                runs.push(
                    [
                        &variant_option[..],
                        &[
                            "--depth",
                            "2",
                            "--hash",
                            "1",
                            "--each-depth",
                            "--algorithm",
                            "minimax",
                        ],
                    ]
                    .concat(),
                );
            }
        }
    }
    assert!(runs.len() > 60);
    for run in &runs {
        let text = table(run);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{run:?}\n{text}");
        }
        let widths: Vec<usize> = text
            .lines()
            .take_while(|line| !line.is_empty())
            .map(|line| line.chars().count())
            .collect();
        let counts = text.lines().next().unwrap();
        assert!(
            counts.contains(" generated ") || counts.contains(" nodes "),
            "{text}"
        );
        assert!(widths.len() > 1, "{text}");
    }
    let wide = table(&["--variant", "8-puzzle", "--suite", &path, "--wide"]);
    assert!(
        wide.contains(long) && wide.contains("peak_mib") && wide.contains("unfinished"),
        "{wide}"
    );
    fs::remove_file(path).unwrap();
}

#[test]
fn compares_default_position_if_none_is_given() {
    let rows_of_2048 = rows(&["--variant", "2048", "--depth", "1"]);
    assert!(
        rows_of_2048
            .iter()
            .all(|row| ["up", "down", "left", "right"].contains(&row["best"].as_str().unwrap()))
    );
    // Three missionaries and three cannibals need eleven crossings.
    let rows_of_missionaries = rows(&["--variant", "missionaries"]);
    assert!(
        rows_of_missionaries
            .iter()
            .all(|row| row["algorithm"] == "greedy" || row["steps"] == 11),
        "{rows_of_missionaries:?}"
    );
    for variant in ["8-puzzle", "15-puzzle"] {
        let mut arguments = vec![
            "--variant",
            variant,
            "--heuristic",
            "manhattan",
            "--heuristic",
            "misplaced",
        ];
        for algorithm in ["bfs", "iddfs", "greedy", "astar", "idastar"] {
            arguments.extend(["--algorithm", algorithm]);
        }
        for row in rows(&arguments) {
            assert_eq!(row["unfinished"], Value::Null, "{row}");
            assert!(row["steps"].as_u64().unwrap() > 5, "{row}");
            // The default positions are so easy that each search takes at most a few seconds.
            assert!(row["generated"].as_u64().unwrap() < 5_000_000, "{row}");
        }
    }
}

#[test]
fn averages_are_those_of_single_puzzles() {
    let search = [
        "--variant",
        "8-puzzle",
        "--algorithm",
        "astar",
        "--heuristic",
        "manhattan",
    ];
    let averages = rows(&[&search[..], &["--random", "4", "--seed", "7"]].concat());
    let singles: Vec<Value> = (7..11)
        .flat_map(|seed| rows(&[&search[..], &["--seed", &seed.to_string()]].concat()))
        .collect();
    let [averages] = averages.as_slice() else {
        panic!("{averages:?}")
    };
    let numbers = |key: &str| -> Vec<f64> {
        singles
            .iter()
            .map(|row| row[key].as_f64().unwrap())
            .collect()
    };
    let is_close = |key: &str, expected: f64| {
        let found = averages[key].as_f64().unwrap();
        assert!((found - expected).abs() < 0.006, "{key} {found} {expected}");
    };
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / 4.0;
    let mut generated = numbers("generated");
    let expected = mean(&generated);
    assert_eq!(
        (&averages["puzzles"], &averages["solved"]),
        (&4.into(), &4.into())
    );
    assert_eq!(averages["optimal"], 4);
    is_close("steps", mean(&numbers("steps")));
    is_close("generated", expected);
    let squares: Vec<f64> = generated
        .iter()
        .map(|number| (number - expected).powi(2))
        .collect();
    is_close(
        "plus_minus",
        1.96 * (4.0 * mean(&squares) / 3.0 / 4.0).sqrt(),
    );
    generated.sort_by(f64::total_cmp);
    is_close("median", f64::midpoint(generated[1], generated[2]));
    let scrambled = rows(&[&search[..], &["--random", "5", "--moves", "3"]].concat());
    assert!(
        scrambled[0]["steps"].as_f64().unwrap() <= 3.0,
        "{scrambled:?}"
    );
}

#[test]
fn effective_branching_factors_are_those_of_lessons() {
    let search = ["--variant", "8-puzzle", "--fen", "0,4,7/1,5,2/6,8,3"];
    let factor = |algorithm: &str, heuristic: &str| {
        let one = ["--algorithm", algorithm, "--heuristic", heuristic];
        rows(&[&search[..], &one].concat())[0]["b_star"].clone()
    };
    assert_eq!(factor("bfs", "zero"), 1.65);
    assert_eq!(factor("astar", "misplaced"), 1.4);
    assert_eq!(factor("astar", "manhattan"), 1.23);
    assert_eq!(factor("astar", "linear-conflict"), 1.18);
}

#[test]
fn counts_choose_columns_of_games() {
    let columns = |counts: &str| {
        let output = compare(&["--depth", "2", "--counts", counts, "--wide"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let header = text.lines().next().unwrap();
        let wanted = ["nodes", "leaves", "nodes_last", "leaves_total"];
        let shown = header
            .split_whitespace()
            .filter(|name| wanted.contains(name));
        shown.map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(columns("last"), ["leaves", "nodes_last"]);
    assert_eq!(columns("all"), ["nodes", "leaves_total"]);
    assert_eq!(
        columns("both"),
        ["nodes", "leaves", "nodes_last", "leaves_total"]
    );
}

#[test]
fn rejects_random_puzzles_where_there_are_none() {
    assert!(error_of(&["--random", "3"]).contains("--random"));
    assert!(error_of(&["--variant", "8-puzzle", "--moves", "3"]).contains("--random"));
    assert!(error_of(&["--variant", "8-puzzle", "--random", "0"]).contains("1..=100000"));
    assert!(error_of(&["--variant", "8-puzzle", "--counts", "all"]).contains("--counts"));
}
