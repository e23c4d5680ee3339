//! Tests game trees with chance nodes: the values of all searches against a plain recursive computation, worksheets, and
//! errors.

use std::process::{Command, Output};

use fastrand::Rng;
use serde_json::Value as Json;

/// Runs the program.
fn puli(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_puli"))
        .env_remove("RUST_LOG")
        .args(arguments)
        .output()
        .unwrap()
}

fn stdout_of(arguments: &[&str]) -> String {
    let output = puli(arguments);
    assert!(output.status.success(), "{arguments:?} {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A tree, computed without the engine.
enum Tree {
    Leaf(f64),
    Choice(Vec<Tree>),
    Chance(Vec<(f64, Tree)>),
}

impl Tree {
    /// Returns a random tree with values in hundredths.
    fn random(random: &mut Rng, height: usize) -> Self {
        if height == 0 || random.usize(..8) == 0 {
            return Self::Leaf(f64::from(random.i32(-500..=500)) / 100.0);
        }
        let count = 1 + random.usize(..3);
        if random.usize(..3) > 0 {
            return Self::Choice(
                (0..count)
                    .map(|_| Self::random(random, height - 1))
                    .collect(),
            );
        }
        let outcomes = (0..count).map(|_| {
            let weight = f64::from(random.i32(1..=9));
            (weight, Self::random(random, height - 1))
        });
        Self::Chance(outcomes.collect())
    }

    fn text(&self) -> String {
        match self {
            Self::Leaf(value) => value.to_string(),
            Self::Choice(children) => {
                let children: Vec<String> = children.iter().map(Self::text).collect();
                format!("[{}]", children.join(","))
            }
            Self::Chance(outcomes) => {
                let outcomes = outcomes.iter();
                let outcomes: Vec<String> = outcomes
                    .map(|(weight, child)| format!("{weight}:{}", child.text()))
                    .collect();
                format!("({})", outcomes.join(","))
            }
        }
    }

    /// Reads what [`Tree::text`] writes. Returns the tree and the rest of the text.
    fn read(text: &str) -> (Self, &str) {
        let is_chance = text.starts_with('(');
        if !is_chance && !text.starts_with('[') {
            let end = text.find([',', ']', ')']).unwrap_or(text.len());
            return (Self::Leaf(text[..end].parse().unwrap()), &text[end..]);
        }
        let (mut rest, mut outcomes) = (&text[1..], Vec::new());
        loop {
            let mut weight = 1.0;
            if is_chance {
                let (number, after) = rest.split_once(':').unwrap();
                (weight, rest) = (number.parse().unwrap(), after);
            }
            let (child, after) = Self::read(rest);
            outcomes.push((weight, child));
            rest = &after[1..];
            if !after.starts_with(',') {
                break;
            }
        }
        let tree = if is_chance {
            Self::Chance(outcomes)
        } else {
            Self::Choice(outcomes.into_iter().map(|(_, child)| child).collect())
        };
        (tree, rest)
    }

    fn children(&self) -> Vec<&Self> {
        match self {
            Self::Leaf(_) => Vec::new(),
            Self::Choice(children) => children.iter().collect(),
            Self::Chance(outcomes) => outcomes.iter().map(|(_, child)| child).collect(),
        }
    }

    /// Returns the value. Chance is averaged or, for `averages` of `false`, takes the worst outcome for max.
    fn value(&self, is_max: bool, averages: bool) -> f64 {
        let value = |child: &Self| child.value(!is_max, averages);
        let worst = |children: &[&Self]| {
            children
                .iter()
                .map(|child| value(child))
                .fold(f64::INFINITY, f64::min)
        };
        match self {
            Self::Leaf(value) => *value,
            Self::Choice(_) if is_max => {
                let values = self.children().into_iter().map(value);
                values.fold(f64::NEG_INFINITY, f64::max)
            }
            Self::Chance(outcomes) if averages => {
                let total: f64 = outcomes.iter().map(|(weight, _)| weight).sum();
                let parts = outcomes
                    .iter()
                    .map(|(weight, child)| weight / total * value(child));
                parts.sum()
            }
            _ => worst(&self.children()),
        }
    }
}

/// Returns the last event of a trace.
fn end_of(fen: &str, algorithm: &str, memory: bool) -> Json {
    let fen = format!("--fen={fen}");
    let memory = if memory { &["--memory"][..] } else { &[] };
    let arguments = [
        "trace",
        &fen,
        "--algorithm",
        algorithm,
        "--depth",
        "8",
        "--events",
        "1",
    ];
    let text = stdout_of(&[&arguments[..], &["--format", "jsonl"], memory].concat());
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn searches_agree_with_plain_recursion() {
    let mut random = Rng::with_seed(8);
    let mut chances = 0;
    for number in 0..30 {
        let tree = Tree::random(&mut random, 1 + number % 4);
        let is_max = number % 3 > 0;
        let fen = tree.text() + if is_max { "" } else { " min" };
        chances += usize::from(fen.contains('('));
        for algorithm in ["expectimax", "minimax", "alphabeta", "scout", "mtdf", "pvs"] {
            // Without chance nodes, expectimax is the search against a random opponent.
            let averages = algorithm == "expectimax";
            if averages && !fen.contains('(') {
                continue;
            }
            for memory in [false, true] {
                let end = end_of(&fen, algorithm, memory);
                let value = end["value"].as_f64().unwrap();
                let expected = tree.value(is_max, averages);
                assert!(
                    (value - expected).abs() < 1e-6,
                    "{algorithm} {fen}: {value} {expected}"
                );
                assert_eq!(end["proved"], true, "{fen}");
            }
        }
    }
    assert!(chances > 10, "{chances}");
}

#[test]
fn events_show_probabilities_and_sums() {
    let fen = "[(1:3,1:17),(9:8,1:30)]";
    let text = stdout_of(&[
        "trace",
        "--fen",
        fen,
        "--algorithm",
        "expectimax",
        "--format",
        "jsonl",
    ]);
    let events: Vec<Json> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let short: Vec<String> = events
        .iter()
        .filter_map(|event| match event["e"].as_str().unwrap() {
            "make" => Some(format!(
                "{} {}",
                event["kind"].as_str().unwrap(),
                event["p"]
            )),
            "back" => Some(format!("{} {}", event["value"], event["sum"])),
            "leave" if event["best"].is_string() => Some(format!("best {}", event["best"])),
            "end" => Some(format!("end {} {}", event["value"], event["line"])),
            _ => None,
        })
        .collect();
    assert_eq!(
        short.join("; "),
        "max null; chance null; max 0.5; 3 1.5; max 0.5; 17 10; 10 null; chance null; max 0.9; 8 7.2; max 0.1; 30 10.2; 10.2 null; best \"2\"; end 10.2 [\"2\"]"
    );
    let sentences = stdout_of(&[
        "trace",
        "--fen",
        fen,
        "--algorithm",
        "expectimax",
        "--explain",
    ]);
    assert!(
        sentences.contains("Chance goes to node 2 1 with probability 0.9."),
        "{sentences}"
    );
}

#[test]
fn auto_is_expectimax_and_others_fear_chance() {
    let fen = "[(1:3,1:17),(9:8,1:30)]";
    let text = stdout_of(&[
        "compare",
        "--variant",
        "tree",
        "--fen",
        fen,
        "--depth",
        "2",
        "--format",
        "json",
    ]);
    let rows: Vec<Json> = serde_json::from_str(&text).unwrap();
    assert_eq!(rows.len(), 11, "{text}");
    for row in rows {
        let averages = ["expectimax", "auto"].contains(&row["algorithm"].as_str().unwrap());
        let expected = if averages { 10.2 } else { 8.0 };
        assert_eq!(
            (row["score"].as_f64(), &row["best"]),
            (Some(expected), &Json::from("2")),
            "{row}"
        );
    }
    let output = puli(&["compare", "--variant", "tree", "--fen", fen, "--depth", "2"]);
    let note = String::from_utf8(output.stdout).unwrap().replace('\n', " ");
    assert!(note.contains("expectimax averages over chance"), "{note}");
}

#[test]
fn worksheets_have_chance_nodes() {
    for level in ["1", "2", "3"] {
        let text = stdout_of(&[
            "exercise",
            "expectimax",
            "--level",
            level,
            "--count",
            "6",
            "--answers",
            "--format",
            "json",
        ]);
        let sheet: Json = serde_json::from_str(&text).unwrap();
        for exercise in sheet["exercises"].as_array().unwrap() {
            let material = exercise["material"].as_str().unwrap();
            let (tree, _) = Tree::read(material);
            assert_eq!(tree.text(), material);
            for blank in exercise["blanks"].as_array().unwrap() {
                let at = blank["at"].as_str().unwrap();
                let moves: Vec<usize> = at.split(' ').filter_map(|m| m.parse().ok()).collect();
                let node = moves.iter().fold(&tree, |node, m| node.children()[m - 1]);
                let expected = node
                    .value(moves.len().is_multiple_of(2), true)
                    .round()
                    .to_string();
                assert_eq!(blank["answer"], expected, "{at} {material}");
            }
        }
        let has_weights = text.contains("3:") || text.contains("2:");
        assert_eq!(has_weights, level != "1", "{text}");
        let svg = stdout_of(&[
            "exercise",
            "expectimax",
            "--level",
            level,
            "--format",
            "svg",
        ]);
        assert!(svg.contains("<circle"), "{svg}");
    }
}

#[test]
fn errors_name_the_place() {
    for (arguments, reason) in [
        (
            &["trace", "--fen", "[(1:3,0:17)]"][..],
            "--fen: column 7: expected a weight from 1 to 10000000, found '0'",
        ),
        (
            &["compare", "--variant", "tree", "--fen", "[(1:3,1:17]"],
            "--fen: column 11: expected , or ), found ']'",
        ),
        (
            &["solve", "tree", "--fen", "[(1:3,1:17)]"],
            "a tree with chance nodes cannot be solved: search it with expectimax",
        ),
        (
            &[
                "trace",
                "--fen",
                "[(3,17)]",
                "--algorithm",
                "backward",
                "--explain",
            ],
            "a tree with chance nodes cannot be solved: search it with expectimax",
        ),
    ] {
        let output = puli(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(reason), "{arguments:?}: {stderr}");
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
    }
}
