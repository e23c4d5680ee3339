//! Tests `puli plot` and `compare --format svg`: equal data give equal pictures, and a picture shows its data.

use std::process::{Command, Output};

fn puli(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn picture(arguments: &[&str]) -> String {
    let output = puli(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).expect("an SVG is text")
}

fn data(name: &str) -> String {
    format!("{}/tests/data/plot/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Every kind of plot, a data file for it, and words in its picture.
const KINDS: &[(&str, &str, &[&str])] = &[
    (
        "nodes",
        "depths.csv",
        &[
            "minimax",
            "alphabeta with memory",
            "depth (plies)",
            "nodes",
            "10⁴",
        ],
    ),
    ("time", "depths.csv", &["minimax", "time (s)", "0.01"]),
    (
        "heuristics",
        "heuristics.csv",
        &[
            "astar, manhattan",
            "idastar, linear-conflict",
            "not finished",
            "nodes generated",
        ],
    ),
    (
        "elo",
        "match.json",
        &[
            "auto – scout (40 games)",
            "Elo of the first player, with 95% confidence interval",
        ],
    ),
    (
        "sprt",
        "match.json",
        &[
            "Elo 10 accepted",
            "Elo 0 accepted",
            "log-likelihood ratio",
            "pairs of games",
        ],
    ),
    (
        "learning",
        "learning.jsonl",
        &[
            "mean score",
            "test games, other seed",
            "2048 reached",
            "training games",
        ],
    ),
    (
        "tiles",
        "tiles.json",
        &["tiles (200 games)", "2048", "games with the tile (%)"],
    ),
    (
        "layers",
        "layers.jsonl",
        &[
            "won by the goats",
            "drawn",
            "won by the tigers",
            "goats in hand, tigers to move",
        ],
    ),
];

#[test]
fn every_kind_shows_data_and_is_reproducible() {
    for (kind, file, words) in KINDS {
        let first = picture(&["plot", kind, &data(file)]);
        assert_eq!(first, picture(&["plot", kind, &data(file)]), "{kind}");
        assert!(
            first.starts_with("<svg ") && first.ends_with("</svg>\n"),
            "{kind}"
        );
        for word in *words {
            assert!(
                first.contains(word),
                "{kind} does not show '{word}':\n{first}"
            );
        }
        assert!(!first.contains("NaN") && !first.contains("inf"), "{kind}");
        let [light, dark] =
            ["light", "dark"].map(|theme| picture(&["plot", kind, &data(file), "--theme", theme]));
        assert!(first.contains("prefers-color-scheme") && !light.contains("prefers-color-scheme"));
        assert_ne!(light, dark, "{kind}");
    }
}

#[test]
fn line_passes_through_data_points() {
    // The axis ends at 10 and 10,000 nodes. 100 and 1000 lie evenly between them, at least 30 pixels apart.
    let text = picture(&["plot", "nodes", &data("powers.csv")]);
    let heights: Vec<i32> = text
        .lines()
        .filter(|line| line.starts_with("<circle") && line.contains("r=\"3\""))
        .filter_map(|line| line.split("cy=\"").nth(1)?.split('"').next()?.parse().ok())
        .skip(1)
        .collect();
    let [ten, hundred, thousand, most] = heights[..] else {
        panic!("{heights:?}");
    };
    assert!(ten > most + 90, "{heights:?}");
    assert!(
        ((ten - hundred) - (hundred - thousand)).abs() <= 1,
        "{heights:?}"
    );
    assert!(
        ((hundred - thousand) - (thousand - most)).abs() <= 1,
        "{heights:?}"
    );
}

#[test]
fn rejects_bad_plot_data_with_reason() {
    for (arguments, why) in [
        (vec!["nodes", "/no/such/file"], "/no/such/file"),
        (vec!["elo", "CSV"], "no record has elo"),
        (vec!["layers", "CSV"], "hand, to_move and layers"),
        (vec!["learning", "CSV"], "games and mean_score"),
        (
            vec!["heuristics", "CSV"],
            "algorithm, heuristic and generated",
        ),
        (vec!["nodes", "BAD"], "line: 3"),
    ] {
        let (csv, bad) = (data("depths.csv"), data("bad.csv"));
        let name = |word: &&str| match *word {
            "CSV" => csv.clone(),
            "BAD" => bad.clone(),
            word => word.to_string(),
        };
        let named: Vec<String> = std::iter::once("plot".to_string())
            .chain(arguments.iter().map(name))
            .collect();
        let named: Vec<&str> = named.iter().map(String::as_str).collect();
        let output = puli(&named);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(complaint.contains(why), "{arguments:?}: {complaint}");
    }
}

#[test]
fn picture_does_not_overwrite_its_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let measured = folder.path().join("depths.csv");
    std::fs::copy(data("depths.csv"), &measured).expect("a copy");
    let before = std::fs::read(&measured).expect("the copy");
    let name = measured.to_str().expect("text");
    let output = puli(&["plot", "nodes", name, "--out", name]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read(&measured).expect("the copy"), before);
}

#[test]
fn compare_draws_one_point_per_depth() {
    let text = picture(&["compare", "--depth", "3", "--format", "svg", "--hash", "1"]);
    for word in [
        "aadu-puli: nodes to each depth",
        "minimax",
        "expectimax with memory",
        "pvs",
    ] {
        assert!(text.contains(word), "{word}");
    }
    let rows = picture(&[
        "compare",
        "--depth",
        "3",
        "--format",
        "csv",
        "--hash",
        "1",
        "--each-depth",
        "--algorithm",
        "minimax",
    ]);
    let nodes: Vec<&str> = rows
        .lines()
        .skip(1)
        .take(3)
        .filter_map(|row| row.split(',').nth(4))
        .collect();
    // Sums over the iterations: 20, 160 and 2586 are the nodes at the tutorial's start.
    assert_eq!(nodes, ["20", "160", "2586"], "{rows}");
    let puzzle = [
        "compare",
        "--variant",
        "8-puzzle",
        "--seed",
        "1",
        "--algorithm",
        "astar",
        "--format",
        "svg",
    ];
    assert!(picture(&puzzle).contains("astar, manhattan"));
}

#[test]
fn completions_and_manual_pages_are_written() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = picture(&["completions", shell]);
        assert!(text.contains("puli") && text.contains("compare"), "{shell}");
    }
    assert!(picture(&["man"]).contains(".TH PULI 1"));
    let folder = tempfile::tempdir().expect("a folder");
    picture(&["man", "--out", folder.path().to_str().expect("a name")]);
    let page = std::fs::read_to_string(folder.path().join("puli-compare.1")).expect("a page");
    assert!(page.contains(".TH PULI-COMPARE 1") && page.contains("each\\-depth"));
}

#[test]
fn version_names_instruction_set() {
    assert_eq!(
        picture(&["-V"]),
        format!("puli {}\n", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(picture(&["--version"]), picture(&["-V"]));
    let printed = picture(&["-V", "-v"]);
    assert!(
        printed.contains("\nprocessor: ") && printed.contains(std::env::consts::ARCH),
        "{printed}"
    );
    let limited = Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(["-V", "-v"])
        .env("PULI_PROCESSOR", "x86-64")
        .output()
        .expect("the program runs");
    if cfg!(target_arch = "x86_64") {
        assert!(
            String::from_utf8_lossy(&limited.stdout).contains("\nprocessor: x86-64 (here: x86-64")
        );
    }
}
