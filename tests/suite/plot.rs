//! Tests the pictures of `puli plot` and `puli compare --format svg`, and some other output of the command line.

use std::process::{Command, Output};

fn puli(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(arguments)
        .output()
        .expect("the program runs")
}

/// Runs Puli, which must succeed, and returns its standard output.
fn stdout_of(arguments: &[&str]) -> String {
    let output = puli(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    String::from_utf8(output.stdout).expect("an SVG is text")
}

/// Returns the path of a data file for plots.
fn data(name: &str) -> String {
    format!("{}/tests/data/plot/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Every kind of plot, with a data file for it and words that the picture must contain.
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
        let svg = stdout_of(&["plot", kind, &data(file)]);
        assert_eq!(svg, stdout_of(&["plot", kind, &data(file)]), "{kind}");
        assert!(
            svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
            "{kind}"
        );
        for word in *words {
            assert!(svg.contains(word), "{kind} does not show '{word}':\n{svg}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{kind}");
        let [light, dark] = ["light", "dark"]
            .map(|theme| stdout_of(&["plot", kind, &data(file), "--theme", theme]));
        assert!(svg.contains("prefers-color-scheme") && !light.contains("prefers-color-scheme"));
        assert_ne!(light, dark, "{kind}");
    }
}

#[test]
fn line_passes_through_data_points() {
    // The data are 10, 100, 1000 and 10,000 nodes. On the logarithmic axis, their distances must be equal, and at least
    // 30 pixels.
    let text = stdout_of(&["plot", "nodes", &data("powers.csv")]);
    let heights: Vec<i32> = text
        .lines()
        .filter(|line| line.starts_with("<circle") && line.contains("r=\"3\""))
        .filter_map(|line| line.split("cy=\"").nth(1)?.split('"').next()?.parse().ok())
        .skip(1)
        .collect();
    let [ten, hundred, thousand, ten_thousand] = heights[..] else {
        panic!("{heights:?}");
    };
    assert!(ten > ten_thousand + 90, "{heights:?}");
    assert!(
        ((ten - hundred) - (hundred - thousand)).abs() <= 1,
        "{heights:?}"
    );
    assert!(
        ((hundred - thousand) - (thousand - ten_thousand)).abs() <= 1,
        "{heights:?}"
    );
}

#[test]
fn rejects_bad_plot_data_with_reason() {
    for (arguments, reason) in [
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
        let arguments_with_paths: Vec<String> = std::iter::once("plot".to_string())
            .chain(arguments.iter().map(name))
            .collect();
        let arguments_with_paths: Vec<&str> =
            arguments_with_paths.iter().map(String::as_str).collect();
        let output = puli(&arguments_with_paths);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr.contains(reason), "{arguments:?}: {stderr}");
    }
}

#[test]
fn plot_does_not_overwrite_its_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("depths.csv");
    std::fs::copy(data("depths.csv"), &copy).expect("a copy");
    let before = std::fs::read(&copy).expect("the copy");
    let name = copy.to_str().expect("text");
    let output = puli(&["plot", "nodes", name, "--out", name]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read(&copy).expect("the copy"), before);
}

#[test]
fn compare_draws_one_point_per_depth() {
    let text = stdout_of(&["compare", "--depth", "3", "--format", "svg", "--hash", "1"]);
    for word in [
        "aadu-puli: nodes to each depth",
        "minimax",
        "expectimax with memory",
        "pvs",
    ] {
        assert!(text.contains(word), "{word}");
    }
    let rows = stdout_of(&[
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
    // The column contains the sums over the iterations. At the tutorial's start, minimax visits 20, 140 and 2426 nodes.
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
    assert!(stdout_of(&puzzle).contains("astar, manhattan"));
}

#[test]
fn completions_and_manual_pages_are_written() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = stdout_of(&["completions", shell]);
        assert!(text.contains("puli") && text.contains("compare"), "{shell}");
    }
    assert!(stdout_of(&["man"]).contains(".TH PULI 1"));
    let folder = tempfile::tempdir().expect("a folder");
    stdout_of(&["man", "--out", folder.path().to_str().expect("a name")]);
    let page = std::fs::read_to_string(folder.path().join("puli-compare.1")).expect("a page");
    assert!(page.contains(".TH PULI-COMPARE 1") && page.contains("each\\-depth"));
}

#[test]
fn version_names_instruction_set() {
    assert_eq!(
        stdout_of(&["-V"]),
        format!("puli {}\n", env!("CARGO_PKG_VERSION"))
    );
    let printed = stdout_of(&["-V", "-v"]);
    assert!(
        printed.contains("\nprocessor: ") && printed.contains(std::env::consts::ARCH),
        "{printed}"
    );
    let without_extensions = Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(["-V", "-v"])
        .env("PULI_PROCESSOR", "x86-64")
        .output()
        .expect("the program runs");
    if cfg!(target_arch = "x86_64") {
        assert!(
            String::from_utf8_lossy(&without_extensions.stdout)
                .contains("\nprocessor: x86-64 (here: x86-64")
        );
    }
}
