//! Tests `puli trace`, which prints or draws the tree of a search. All formats must agree with the values by minimax or
//! expectimax, and unsupported searches are rejected.

use std::process::{Command, Output};

use serde_json::{Value, json};

/// Runs `puli trace`.
fn trace(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_puli"))
        .env_remove("RUST_LOG")
        .arg("trace")
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn rejects_searches_without_node_reports() {
    let help = String::from_utf8(trace(&["--help"]).stdout).unwrap();
    for algorithm in ["minimax", "expectimax", "alphabeta", "scout", "mtdf", "pvs"] {
        let output = trace(&["--algorithm", algorithm]);
        assert_eq!(output.status.code(), Some(0), "{algorithm}");
        assert!(help.contains(algorithm), "{algorithm}");
    }
    for algorithm in ["bfs", "iddfs", "greedy", "astar", "idastar"] {
        let output = trace(&["--algorithm", algorithm]);
        assert_eq!(output.status.code(), Some(2), "{algorithm}");
        assert!(output.stdout.is_empty(), "{algorithm}");
        assert!(help.contains(algorithm), "{algorithm}");
    }
    let output = trace(&["--algorithm", "auto"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("invalid value"), "{stderr}");
}

#[test]
fn rejects_algorithm_unsupported_by_game() {
    for (variant, algorithm, reason) in [
        ("2048", "scout", "2048 has no algorithm 'scout'"),
        ("2048", "mtdf", "2048 has no algorithm 'mtdf'"),
        (
            "8-puzzle",
            "alphabeta",
            "8-puzzle has no algorithm 'alphabeta'",
        ),
        (
            "8-puzzle",
            "astar",
            "a search for a solution is not drawn as a tree: give --explain or --format jsonl",
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
        assert_eq!(output.status.code(), Some(2), "{variant} {algorithm}");
        assert!(output.stdout.is_empty(), "{variant} {algorithm}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(reason), "{stderr}");
    }
}

#[test]
fn names_option_of_unreadable_position() {
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
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("--fen: column 1: "), "{stderr}");
    }
}

/// Returns the nodes of a traced tree in JSON.
fn nodes(arguments: &[&str]) -> Vec<Value> {
    let output = trace(&[arguments, &["--format", "json"]].concat());
    let trace: Value = serde_json::from_slice(&output.stdout).unwrap();
    trace["nodes"].as_array().unwrap().clone()
}

#[test]
fn expectimax_leaves_have_values_in_points() {
    let fen = "XO1/1X1/2O x";
    let game = ["--variant", "tic-tac-toe", "--fen", fen, "--depth", "5"];
    let tree = nodes(&[&game[..], &["--algorithm", "expectimax", "--memory"]].concat());
    let ends = tree.iter().filter(|node| node["children"] == json!([]));
    let leaves: Vec<&Value> = ends.collect();
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
fn marks_nodes_with_skipped_moves_as_cutoffs() {
    let (mut cutoffs, mut searched_with_bound) = (0, 0);
    for algorithm in ["alphabeta", "scout", "pvs"] {
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
                        cutoffs += 1;
                        // A cutoff leaves some moves unvisited. Scout and PVS may visit these moves in a later
                        // search.
                        assert!(algorithm != "alphabeta" || children.iter().any(unvisited));
                    }
                    (left, bound) if left == "searched" && bound != "exact" => {
                        searched_with_bound += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(
        cutoffs > 0 && searched_with_bound > 0,
        "{cutoffs} {searched_with_bound}"
    );
}

/// The algorithm and the arguments of a trace.
struct Case {
    algorithm: &'static str,
    arguments: Vec<&'static str>,
}

/// Returns traces of every algorithm, without and with memory, for trees, board games and 2048.
fn cases() -> Vec<Case> {
    let games: [&[&str]; 8] = [
        &["tree", "--depth", "4"],
        &["tree", "--depth", "3"],
        &["tree", "--fen", "[[3,17],[2,-12],[15,[25,0]]]"],
        &["tic-tac-toe", "--fen", "XO1/1X1/2O x", "--depth", "4"],
        &["tic-tac-toe", "--fen", "XO1/1X1/X1O o", "--depth", "3"],
        &["aadu-puli", "--depth", "2"],
        &["2048"],
        &[
            "2048",
            "--fen",
            "2,2,4,8/16,4,2,32/8,2,64,4/4,0,0,128 t 0",
            "--depth",
            "3",
        ],
    ];
    let mut cases = Vec::new();
    for game in games {
        for algorithm in ["minimax", "alphabeta", "scout", "mtdf", "pvs", "expectimax"] {
            if game[0] == "2048" && ["scout", "mtdf", "pvs"].contains(&algorithm) {
                continue;
            }
            for memory in [&[][..], &["--memory"]] {
                let start = ["--algorithm", algorithm, "--variant"];
                cases.push(Case {
                    algorithm,
                    arguments: [&start, game, memory].concat(),
                });
            }
        }
    }
    cases
}

/// Returns the trace in this format.
fn output_of(case: &Case, format: &str) -> String {
    let output = trace(&[&case.arguments[..], &["--format", format]].concat());
    assert!(output.status.success(), "{:?} {output:?}", case.arguments);
    String::from_utf8(output.stdout).unwrap()
}

/// Maps a value of a trace to a number. The number of a win is larger than all points, and largest for the earliest
/// win. A win of the second player has a negative number.
fn scaled(value: &Value) -> f64 {
    match value["win"].as_str() {
        Some(winner) => {
            let distance = 1e12 - value["plies"].as_f64().unwrap();
            if winner == "p1" { distance } else { -distance }
        }
        None => value.as_f64().unwrap(),
    }
}

/// Returns the true value of every node, computed from the values of the leaves by minimax and expectation.
fn true_values(nodes: &[Value]) -> Vec<f64> {
    let mut values = vec![f64::NAN; nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        let children = node["children"].as_array().unwrap();
        let child_values = children.iter().map(|child| {
            let child = child.as_u64().unwrap() as usize;
            (values[child], nodes[child]["probability"].as_f64())
        });
        values[index] = match node["kind"].as_str().unwrap() {
            _ if children.is_empty() => scaled(&node["value"]),
            "max" => child_values
                .map(|(value, _)| value)
                .fold(f64::NEG_INFINITY, f64::max),
            "min" => child_values
                .map(|(value, _)| value)
                .fold(f64::INFINITY, f64::min),
            "chance" => {
                let sum: f64 = child_values.clone().map(|(_, p)| p.unwrap()).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{node}: {sum}");
                child_values.map(|(value, p)| value * p.unwrap()).sum()
            }
            kind => panic!("{kind} with children"),
        };
    }
    values
}

/// Returns `true` if two values are equal up to a relative error of one millionth. Expectations in the transposition
/// table are rounded.
fn is_near(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-6 * left.abs().max(1.0)
}

#[test]
fn trace_bounds_windows_and_lines_match_minimax() {
    for case in cases() {
        let trace: Value = serde_json::from_str(&output_of(&case, "json")).unwrap();
        let nodes = trace["nodes"].as_array().unwrap();
        let truth = true_values(nodes);
        assert!(
            is_near(scaled(&trace["value"]), truth[0]),
            "{:?}",
            case.arguments
        );
        for (index, node) in nodes.iter().enumerate() {
            let context = format!("{:?}, node {index}: {node}", case.arguments);
            let is_end = node["children"] == json!([]);
            let is_at_limit = is_end && node["kind"] != "leaf";
            for visit in node["visits"].as_array().unwrap() {
                assert_eq!(visit["left"] == "limit", is_at_limit, "{context}");
                assert_eq!(visit["left"] == "leaf", node["kind"] == "leaf", "{context}");
            }
            assert!(is_end || node["kind"] != "leaf", "{context}");
            assert_eq!(is_end, !node["value"].is_null(), "{context}");
            for visit in node["visits"].as_array().unwrap() {
                let value = scaled(&visit["value"]);
                assert!(
                    match visit["bound"].as_str().unwrap() {
                        "exact" => is_near(value, truth[index]),
                        "lower" => value <= truth[index],
                        _ => value >= truth[index],
                    },
                    "{context}: {visit}, but minimax says {}",
                    truth[index]
                );
                let [alpha, beta] = [0, 1].map(|end| &visit["window"][end]);
                let alpha = if alpha.is_null() {
                    f64::NEG_INFINITY
                } else {
                    scaled(alpha)
                };
                let beta = if beta.is_null() {
                    f64::INFINITY
                } else {
                    scaled(beta)
                };
                assert!(alpha < beta, "{context}: {visit}");
                if visit["left"] == "cut" {
                    assert!(value <= alpha || value >= beta, "{context}: {visit}");
                }
            }
        }
        let is_chance = nodes[0]["kind"] == "chance";
        assert_eq!(
            trace["line"] == json!([]),
            is_chance,
            "{:?}",
            case.arguments
        );
        let mut node = 0;
        for m in trace["line"].as_array().unwrap() {
            let children = nodes[node]["children"].as_array().unwrap().iter();
            let mut children = children.map(|child| child.as_u64().unwrap() as usize);
            node = children.find(|&child| nodes[child]["move"] == *m).unwrap();
            assert!(is_near(truth[node], truth[0]), "{:?} {m}", case.arguments);
        }
    }
}

/// A line of a trace in format `text`: a node of the tree.
struct TextLine<'t> {
    /// The distance of the node from the root.
    level: usize,
    /// The move, the kind and the value of the node.
    head: &'t str,
    /// The indices of the node's visits in the order of all visits.
    visits: Vec<usize>,
    is_visited: bool,
}

/// Parses the tree of a trace in format `text`.
fn parse_text_lines(text: &str) -> Vec<TextLine<'_>> {
    let tree = text.lines().take_while(|line| !line.is_empty());
    tree.map(|line| {
        let prefix = line.chars().take_while(|c| "│├└─ ".contains(*c)).count();
        let start: usize = line.chars().take(prefix).map(char::len_utf8).sum();
        let (head, visits) = line[start..].split_once("   ").unwrap();
        let numbers = visits.split('#').skip(1);
        let number = |text: &str| {
            let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap()
        };
        TextLine {
            level: prefix / 3,
            head,
            visits: numbers.map(number).collect(),
            is_visited: visits != "not visited",
        }
    })
    .collect()
}

/// Parses a value in format `text`, and returns it on the scale of [`scaled`].
fn parse_value(text: &str) -> f64 {
    let plies = |text: &str| 1e12 - text.parse::<f64>().unwrap();
    match (text.strip_prefix("win in "), text.strip_prefix("loss in ")) {
        (Some(text), _) => plies(text),
        (_, Some(text)) => -plies(text),
        _ => text
            .replace('−', "-")
            .parse()
            .unwrap_or_else(|_| panic!("{text}")),
    }
}

#[test]
fn text_trace_lists_moves_in_visit_order() {
    for case in cases() {
        let text = output_of(&case, "text");
        let trace: Value = serde_json::from_str(&output_of(&case, "json")).unwrap();
        let nodes = trace["nodes"].as_array().unwrap();
        let truth = true_values(nodes);
        let lines = parse_text_lines(&text);
        assert_eq!(lines.len(), nodes.len());
        // The path from the root to the node of the current line. For each node, it holds the index, the first visits
        // of its children so far, and `true` if the node is visited.
        let mut path: Vec<(usize, Vec<usize>, bool)> = Vec::new();
        let mut numbers: Vec<usize> = Vec::new();
        for line in &lines {
            let context = format!("{:?}: {}", case.arguments, line.head);
            let words: Vec<&str> = line.head.split(' ').collect();
            let first = line.visits.first().copied().unwrap_or(usize::MAX);
            path.truncate(line.level);
            let index = match path.last_mut() {
                None => 0,
                Some((parent, seen, is_visited)) => {
                    assert!(*is_visited || !line.is_visited, "{context}");
                    assert!(
                        seen.last().is_none_or(|before| *before <= first),
                        "{context}"
                    );
                    seen.push(first);
                    let mut children = nodes[*parent]["children"].as_array().unwrap().iter();
                    let named = |child: &&Value| {
                        nodes[child.as_u64().unwrap() as usize]["move"] == words[0]
                    };
                    children.find(named).unwrap().as_u64().unwrap() as usize
                }
            };
            path.push((index, Vec::new(), line.is_visited));
            let node = &nodes[index];
            assert_eq!(
                line.visits.len(),
                node["visits"].as_array().unwrap().len(),
                "{context}"
            );
            numbers.extend(&line.visits);
            // After the move, `head` consists of the kind, the value, and possibly a remark about the depth limit.
            let kind = words
                .iter()
                .position(|word| node["kind"] == **word)
                .expect(&context);
            let statement = words[kind + 1..].join(" ");
            let limit = statement.strip_suffix(" at the depth limit");
            let is_end = node["children"] == json!([]);
            assert_eq!(
                limit.is_some(),
                is_end && node["kind"] != "leaf",
                "{context}"
            );
            let value = limit.unwrap_or(&statement);
            let truth = truth[index];
            let rounded = |value: f64| (value - truth).abs() <= 1e-4 || is_near(value, truth);
            let is_true = if let Some(bound) = value.strip_prefix("≥ ") {
                truth >= parse_value(bound)
            } else if let Some(bound) = value.strip_prefix("≤ ") {
                truth <= parse_value(bound)
            } else if let Some((lower, upper)) = value.split_once(" to ") {
                truth >= parse_value(lower) && truth <= parse_value(upper)
            } else {
                value == "·" && !line.is_visited || rounded(parse_value(value))
            };
            assert!(is_true, "{context}, but it is {truth}");
            let fraction = line
                .head
                .split_once(" (")
                .and_then(|(_, rest)| rest.split_once(')'));
            let probability = fraction.map(|(fraction, _)| {
                let (numerator, denominator) = fraction.split_once('/').unwrap_or((fraction, "1"));
                numerator.parse::<f64>().unwrap() / denominator.parse::<f64>().unwrap()
            });
            let expected = node["probability"].as_f64();
            assert_eq!(probability.is_some(), expected.is_some(), "{context}");
            assert!(
                is_near(probability.unwrap_or(0.0), expected.unwrap_or(0.0)),
                "{context}"
            );
        }
        numbers.sort_unstable();
        assert!(
            numbers.iter().copied().eq(1..=numbers.len()),
            "{:?}",
            case.arguments
        );
        assert!(!text.contains("never"), "{text}");
        let has_windows = !["minimax", "expectimax"].contains(&case.algorithm);
        assert_eq!(text.contains("its window (α, β)"), has_windows, "{text}");
    }
}

#[test]
fn root_line_lists_passes_of_mtdf() {
    let mut ties = 0;
    for case in cases().iter().filter(|case| case.algorithm == "mtdf") {
        let text = output_of(case, "text");
        let trace: Value = serde_json::from_str(&output_of(case, "json")).unwrap();
        let passes = trace["nodes"][0]["visits"].as_array().unwrap();
        let root = text.lines().next().unwrap();
        assert_eq!(root.matches("pass ").count(), passes.len(), "{root}");
        ties += passes.iter().filter(|pass| pass["left"] == "ties").count();
        // MTD(f) ends when its lower and its upper bound are equal, so it needs at least one pass for each.
        assert!(passes.len() > 1, "{root}");
        let best_bound = |bound: &str, better: fn(f64, f64) -> f64| {
            let values = passes.iter().filter(|pass| pass["bound"] == bound);
            values
                .map(|pass| scaled(&pass["value"]))
                .reduce(better)
                .unwrap()
        };
        let value = scaled(&trace["value"]);
        assert!(is_near(best_bound("lower", f64::max), value), "{root}");
        assert!(is_near(best_bound("upper", f64::min), value), "{root}");
    }
    assert!(ties > 0);
}

#[test]
fn dot_and_svg_show_visit_order_and_probabilities() {
    for case in cases() {
        let (dot, svg) = (output_of(&case, "dot"), output_of(&case, "svg"));
        let trace: Value = serde_json::from_str(&output_of(&case, "json")).unwrap();
        let nodes = trace["nodes"].as_array().unwrap();
        let number = |text: &str| {
            let (_, number) = text.split_once("\\n#")?;
            number.split_once('"')?.0.parse::<usize>().ok()
        };
        let mut numbers = vec![usize::MAX; nodes.len()];
        let mut last_visited = vec![0; nodes.len()];
        // Read the first visit of every node before the edges, because most edges precede their nodes in the output.
        for line in dot.lines() {
            let name = line
                .trim_start()
                .strip_prefix('n')
                .and_then(|rest| rest.split_once(" ["));
            if let Some((name, rest)) = name
                && let Ok(index) = name.parse::<usize>()
            {
                numbers[index] = number(rest).unwrap_or(usize::MAX);
                let is_visited = nodes[index]["visits"] != json!([]);
                assert_eq!(numbers[index] < usize::MAX, is_visited, "{line}");
                let is_limit =
                    nodes[index]["children"] == json!([]) && nodes[index]["kind"] != "leaf";
                assert_eq!(rest.contains("depth limit"), is_limit, "{line}");
                assert_eq!(
                    rest.contains("shape=box"),
                    nodes[index]["kind"] == "leaf",
                    "{line}"
                );
            }
        }
        for line in dot.lines() {
            let Some((from, rest)) = line.split_once(" -> n") else {
                continue;
            };
            let from: usize = from.trim().trim_start_matches('n').parse().unwrap();
            let (to, label) = rest.split_once(' ').unwrap();
            let to: usize = to.parse().unwrap();
            assert!(last_visited[from] <= numbers[to], "{line}");
            last_visited[from] = numbers[to];
            assert_eq!(
                label.contains(" ("),
                nodes[from]["kind"] == "chance",
                "{line}"
            );
        }
        // In SVG, a move of the chance player is shown with its probability in parentheses.
        let labels = svg
            .lines()
            .filter(|line| line.contains("class=\"label"))
            .filter(|line| line.contains(" ("));
        let has_chance = nodes.iter().any(|node| node["probability"].is_number());
        assert_eq!(labels.count() > 0, has_chance, "{:?}", case.arguments);
    }
}

#[test]
fn default_traces_have_limited_size() {
    let output = trace(&["--variant", "2048"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("max ") && text.contains("expectimax, depth "),
        "{text}"
    );
    for variant in ["aadu-puli", "tic-tac-toe", "bagh-chal"] {
        let output = trace(&["--variant", variant]);
        assert!(output.status.success(), "{variant} {output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().count() <= 1004, "{variant}");
    }
}
