//! Tests the events of `puli trace --format jsonl`: on small trees and puzzles against lists made by hand, on random trees
//! against the definitions of the events and counts, and the numbers of the lessons.

use std::collections::HashMap;
use std::process::Command;

use fastrand::Rng;
use serde_json::Value as Json;

/// Runs `puli trace` and returns its output.
fn output(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_puli"))
        .env_remove("RUST_LOG")
        .arg("trace")
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?} {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the events of a trace with moves in notation order.
fn events(arguments: &[&str]) -> Vec<Json> {
    let fixed = ["--format", "jsonl", "--ordering", "none"];
    let arguments: Vec<&str> = fixed.iter().chain(arguments).copied().collect();
    output(&arguments)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn tree<'a>(fen: &'a str, arguments: &[&'a str]) -> Vec<Json> {
    events(&[&["--fen", fen], arguments].concat())
}

/// Returns a value as text: `3`, `p1#3`, or nothing for an infinite one.
fn value(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::Object(win) => format!("{}#{}", win["win"].as_str().unwrap(), win["plies"]),
        number => number.to_string(),
    }
}

fn window(window: &Json) -> String {
    match window {
        Json::Null => String::new(),
        window => format!("({},{})", value(&window[0]), value(&window[1])),
    }
}

/// Returns the events in short: `1.2(3,)` enters the second child of the first child, `1.2<=2` leaves it.
fn short(events: &[Json]) -> String {
    let mut names: HashMap<u64, String> = HashMap::new();
    let mut parts = Vec::new();
    for event in events {
        let name = |key: &str| {
            event[key]
                .as_u64()
                .map_or("none", |node| names[&node].as_str())
        };
        let n = if event["e"] == "make" { "" } else { name("n") };
        match event["e"].as_str().unwrap() {
            "make" => {
                let m = event["move"].as_str().unwrap_or("root");
                let name = match event["parent"].as_u64() {
                    Some(parent) if names[&parent] != "root" => format!("{}.{m}", names[&parent]),
                    _ => m.to_string(),
                };
                names.insert(event["n"].as_u64().unwrap(), name);
            }
            "enter" => {
                let purpose = match event["purpose"].as_str().unwrap() {
                    "full" => "",
                    "null" => "?",
                    _ => "!",
                };
                parts.push(format!("{n}{}{purpose}", window(&event["window"])));
            }
            "leave" if event["value"].is_null() => parts.push(format!("back {n}")),
            "leave" => {
                let relation = match event["bound"].as_str().unwrap() {
                    "exact" => "=",
                    "lower" => ">=",
                    _ => "<=",
                };
                let how = match event["how"].as_str().unwrap() {
                    "remembered" => "*",
                    _ => "",
                };
                parts.push(format!("{n}{relation}{}{how}", value(&event["value"])));
            }
            "cut" => {
                let skipped: Vec<&str> = event["skipped"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|m| m.as_str().unwrap())
                    .collect();
                parts.push(format!("skip {}", skipped.join(",")));
            }
            "pass" => parts.push(format!(
                "pass {}? {}..{}",
                value(&event["test"]),
                value(&event["low"]),
                value(&event["high"])
            )),
            "iteration" => parts.push(format!("iteration {}", event["depth"])),
            "table" if event["found"] == "answers" => {
                parts.push(format!("{n} is {}", name("first")));
            }
            "open" => parts.push(format!("open {n} {}", event["f"])),
            "expand" => parts.push(format!("expand {n} {}", event["f"])),
            "seen" => parts.push(format!("{n} is {}", name("as"))),
            "bound" => parts.push(format!("bound {} from {}", event["bound"], name("from"))),
            "beyond" => parts.push(format!("beyond {n} {}", event["f"])),
            "end" => {
                let line: Vec<&str> = event["line"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|m| m.as_str().unwrap())
                    .collect();
                parts.push(format!("end {} {}", value(&event["value"]), line.join(" ")));
            }
            _ => {}
        }
    }
    parts.join("; ")
}

#[test]
fn events_are_those_of_lists_made_by_hand() {
    for (fen, algorithm, expected) in [
        (
            "[[5,9],[7,8],[2,6]]",
            "minimax",
            "root; 1; 1.1; 1.1=5; 1.2; 1.2=9; 1=5; 2; 2.1; 2.1=7; 2.2; 2.2=8; 2=7; 3; 3.1; 3.1=2; 3.2; 3.2=6; 3=2; root=7; end 7 2 1",
        ),
        (
            "[[5,9],[7,8],[2,6]]",
            "expectimax",
            "root; 1; 1.1; 1.1=5; 1.2; 1.2=9; 1=7; 2; 2.1; 2.1=7; 2.2; 2.2=8; 2=7.5; 3; 3.1; 3.1=2; 3.2; 3.2=6; 3=4; root=7.5; end 7.5 2",
        ),
        // The third child cannot be better than 7 after its first leaf.
        (
            "[[5,9],[7,8],[2,6]]",
            "alphabeta",
            "root(,); 1(,); 1.1(,); 1.1=5; 1.2(,5); 1.2=9; 1=5; 2(5,); 2.1(5,); 2.1=7; 2.2(5,7); 2.2=8; 2=7; 3(7,); 3.1(7,); 3.1=2; skip 2; 3<=2; root=7; end 7 2 1",
        ),
        // The second child is better than 5, so it is searched twice.
        (
            "[[5,9],[7,8],[2,6]]",
            "scout",
            "root(,); 1(,); 1.1(,); 1.1=5; 1.2(4.99,5)?; 1.2=9; 1=5; 2(5,5.01)?; 2.1(5,5.01)?; 2.1=7; 2.2(5,5.01)?; 2.2=8; 2>=7; 2(5,)!; 2.1(5,); 2.1=7; 2.2(6.99,7)?; 2.2=8; 2=7; 3(7,7.01)?; 3.1(7,7.01)?; 3.1=2; skip 2; 3<=2; root=7; end 7 2 1",
        ),
        (
            "[[5,9],[7,8],[2,6]]",
            "pvs",
            "root(,); 1(,); 1.1(,); 1.1=5; 1.2(4.99,5)?; 1.2=9; 1=5; 2(5,5.01)?; 2.1(5,5.01)?; 2.1=7; 2.2(5,5.01)?; 2.2=8; 2>=7; 2(5,)!; 2.1(5,); 2.1=7; 2.2(6.99,7)?; 2.2=8; 2=7; 3(7,7.01)?; 3.1(7,7.01)?; 3.1=2; skip 2; 3<=2; root=7; end 7 2 1",
        ),
        (
            "[[5,3],[4,[6]]]",
            "pvs",
            "root(,); 1(,); 1.1(,); 1.1=5; 1.2(4.99,5)?; 1.2=3; 1.2(,5)!; 1.2=3; 1=3; 2(3,3.01)?; 2.1(3,3.01)?; 2.1=4; 2.2(3,3.01)?; 2.2.1(3,3.01)?; 2.2.1=6; 2.2>=6; 2>=4; 2(3,)!; 2.1(3,); 2.1=4; 2.2(3.99,4)?; 2.2.1(3.99,4)?; 2.2.1=6; 2.2>=6; 2=4; root=4; end 4 2 1",
        ),
        // At least 5, at least 7, at most 7; then the first child is asked whether it is worth 7 as well.
        (
            "[[5,9],[7,8],[2,6]]",
            "mtdf",
            "pass 0? ..; root(-0.01,0)?; 1(-0.01,0)?; 1.1(-0.01,0)?; 1.1=5; 1.2(-0.01,0)?; 1.2=9; 1>=5; skip 2,3; root>=5; pass 5.01? 5..; root(5,5.01)?; 1(5,5.01)?; 1.1(5,5.01)?; 1.1=5; skip 2; 1<=5; 2(5,5.01)?; 2.1(5,5.01)?; 2.1=7; 2.2(5,5.01)?; 2.2=8; 2>=7; skip 3; root>=7; pass 7.01? 7..; root(7,7.01)?; 1(7,7.01)?; 1 is 1; 1<=5*; 2(7,7.01)?; 2.1(7,7.01)?; 2.1=7; skip 2; 2<=7; 3(7,7.01)?; 3.1(7,7.01)?; 3.1=2; skip 2; 3<=2; root<=7; pass 7? 7..7; root(6.99,7)?; 1(6.99,7)?; 1 is 1; 1<=5*; root=7; end 7 2 1",
        ),
        // An equal value cuts off.
        (
            "[[3,12],[3,1]]",
            "alphabeta",
            "root(,); 1(,); 1.1(,); 1.1=3; 1.2(,3); 1.2=12; 1=3; 2(3,); 2.1(3,); 2.1=3; skip 2; 2<=3; root=3; end 3 1 1",
        ),
        (
            "[[3,12],[3,1]]",
            "scout",
            "root(,); 1(,); 1.1(,); 1.1=3; 1.2(2.99,3)?; 1.2=12; 1=3; 2(3,3.01)?; 2.1(3,3.01)?; 2.1=3; skip 2; 2<=3; root=3; end 3 1 1",
        ),
        (
            "[[3,12],[3,1]]",
            "mtdf",
            "pass 0? ..; root(-0.01,0)?; 1(-0.01,0)?; 1.1(-0.01,0)?; 1.1=3; 1.2(-0.01,0)?; 1.2=12; 1>=3; skip 2; root>=3; pass 3.01? 3..; root(3,3.01)?; 1(3,3.01)?; 1.1(3,3.01)?; 1.1=3; skip 2; 1<=3; 2(3,3.01)?; 2.1(3,3.01)?; 2.1=3; skip 2; 2<=3; root<=3; end 3 1 1",
        ),
        ("7", "alphabeta", "root(,); root=7; end 7 "),
        ("[4]", "minimax", "root; 1; 1=4; root=4; end 4 1"),
    ] {
        assert_eq!(
            short(&tree(fen, &["--algorithm", algorithm])),
            expected,
            "{algorithm} {fen}"
        );
    }
    // At the depth limit, Scout takes the value of a leaf from the null window. PVS searches the leaf again.
    for (algorithm, again) in [("scout", ""), ("pvs", "1.2(,5)!; 1.2=3; ")] {
        let expected = format!(
            "root(,); 1(,); 1.1(,); 1.1=5; 1.2(4.99,5)?; 1.2=3; {again}1=3; root=3; end 3 1 2"
        );
        let arguments = ["--algorithm", algorithm, "--depth", "2"];
        assert_eq!(short(&tree("[[5,3]]", &arguments)), expected);
    }
    assert_eq!(
        short(&tree("[[3,12],[3,1]]", &["--cut-on", "worse"])),
        "root(,); 1(,); 1.1(,); 1.1=3; 1.2(,3); 1.2=12; 1=3; 2(3,); 2.1(3,); 2.1=3; 2.2(3,3); 2.2=1; 2<=1; root=3; end 3 1 1"
    );
    assert_eq!(
        short(&tree(
            "[[3,12],[3,1]]",
            &["--algorithm", "mtdf", "--guess", "3"]
        )),
        "pass 3? ..; root(2.99,3)?; 1(2.99,3)?; 1.1(2.99,3)?; 1.1=3; 1.2(2.99,3)?; 1.2=12; 1>=3; skip 2; root>=3; pass 3.01? 3..; root(3,3.01)?; 1(3,3.01)?; 1.1(3,3.01)?; 1.1=3; skip 2; 1<=3; 2(3,3.01)?; 2.1(3,3.01)?; 2.1=3; skip 2; 2<=3; root<=3; end 3 1 1"
    );
    assert_eq!(
        short(&tree(
            "[2,[1,6]]",
            &["--algorithm", "minimax", "--deepen", "--depth", "2"]
        )),
        "iteration 1; root; 1; 1=2; 2; 2=0; root=2; iteration 2; root; 1; 1=2; 2; 2.1; 2.1=1; 2.2; 2.2=6; 2=1; root=2; end 2 1"
    );
}

#[test]
fn events_of_puzzles_are_those_of_lists_made_by_hand() {
    let missionaries = |algorithm| {
        let fen = "2 1 left of 2 1 boat 2";
        short(&events(&[
            "--variant",
            "missionaries",
            "--fen",
            fen,
            "--algorithm",
            algorithm,
        ]))
    };
    assert_eq!(
        missionaries("bfs"),
        "open root 0; expand root 0; open 1c 1; open 1m 1; open 1m1c 1; open 2m 1; expand 1c 1; expand 1m 1; expand 1m1c 1; open 1m1c.1c 2; open 1m1c.1m 2; expand 2m 1; 2m.1m is 1m1c.1c; expand 1m1c.1c 2; 1m1c.1c.1m is 2m; open 1m1c.1c.1m1c 3; end 3 1m1c 1c 1m1c"
    );
    assert_eq!(
        missionaries("astar"),
        "open root 3; expand root 3; open 1c 5; open 1m 5; open 1m1c 3; open 2m 3; expand 2m 3; open 2m.1m 3; expand 2m.1m 3; 2m.1m.1c is 1m1c; open 2m.1m.1m1c 3; end 3 2m 1m 1m1c"
    );
    assert_eq!(
        missionaries("iddfs"),
        "bound 1 from none; expand root 0; beyond 1c 1; beyond 1m 1; beyond 1m1c 1; beyond 2m 1; bound 2 from 1c; expand root 0; expand 1c 1; back 1c; expand 1m 1; back 1m; expand 1m1c 1; beyond 1m1c.1c 2; beyond 1m1c.1m 2; back 1m1c; expand 2m 1; beyond 2m.1m 2; back 2m; bound 3 from 1m1c.1c; expand root 0; expand 1c 1; back 1c; expand 1m 1; back 1m; expand 1m1c 1; expand 1m1c.1c 2; beyond 1m1c.1c.1m 3; end 3 1m1c 1c 1m1c"
    );
    let tiles = |fen| {
        short(&events(&[
            "--variant",
            "8-puzzle",
            "--fen",
            fen,
            "--algorithm",
            "idastar",
        ]))
    };
    assert_eq!(
        tiles("1,2,5/3,4,0/6,7,8"),
        "bound 3 from none; expand root 3; expand up 3; expand up.left 3; end 3 up left left"
    );
    assert_eq!(tiles("0,1,2/3,4,5/6,7,8"), "end 0 ");
}

/// Returns the text of a random tree with values from 0 to 9.
fn random_tree(random: &mut Rng, depth: usize) -> String {
    if depth == 0 || random.usize(..8) == 0 {
        return random.usize(..10).to_string();
    }
    let children: Vec<String> = (0..=random.usize(..3))
        .map(|_| random_tree(random, depth - 1))
        .collect();
    format!("[{}]", children.join(","))
}

/// Returns a value as a number: a win is worth more than all points, and more the sooner it comes.
fn number(value: &Json) -> f64 {
    match value["plies"].as_f64() {
        Some(plies) if value["win"] == "p1" => 1e9 - plies,
        Some(plies) => plies - 1e9,
        None => value.as_f64().unwrap(),
    }
}

/// Checks the events of a search against their definitions, and that they give its counts.
fn check(events: &[Json], about: &str) {
    let mut made = 0;
    let mut path: Vec<u64> = Vec::new();
    let mut last_left = None;
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for (index, event) in events.iter().enumerate() {
        assert_eq!(event["i"], index, "{about}");
        let node = event["n"].as_u64();
        match event["e"].as_str().unwrap() {
            "begin" => assert_eq!((index, &event["schema"]), (0, &Json::from(1)), "{about}"),
            "iteration" => counts.clear(),
            "make" => {
                assert_eq!(node, Some(made), "{about}");
                assert_eq!(event["parent"].as_u64(), path.last().copied(), "{about}");
                made += 1;
            }
            "enter" => {
                *counts.entry("nodes").or_default() += u64::from(!path.is_empty());
                path.push(node.unwrap());
            }
            "leave" => {
                assert_eq!(path.pop(), node, "{about}");
                last_left = Some((node, event["value"].clone()));
            }
            "back" => {
                assert_eq!(node, path.last().copied(), "{about}");
                let child = (event["child"].as_u64(), event["value"].clone());
                assert_eq!(last_left.take(), Some(child), "{about}");
            }
            "cut" => {
                assert_eq!(node, path.last().copied(), "{about}");
                assert!(!event["skipped"].as_array().unwrap().is_empty(), "{about}");
                let [alpha, beta] = [0, 1].map(|end| number(&event["window"][end]));
                let is_closed = match event["rule"].as_str().unwrap() {
                    "equal" => alpha >= beta,
                    _ => alpha > beta,
                };
                assert!(is_closed, "{about}: {event}");
                *counts.entry("cuts").or_default() += 1;
            }
            "leaf" => *counts.entry("leaves").or_default() += 1,
            "again" => *counts.entry("again").or_default() += 1,
            "table" => {
                *counts.entry("hits").or_default() += u64::from(event["found"] == "answers");
            }
            "end" => {
                assert!(path.is_empty(), "{about}");
                for key in ["nodes", "leaves", "again", "hits", "cuts"] {
                    let counted = counts.get(key).copied().unwrap_or_default();
                    assert_eq!(event["counts"]["last"][key], counted, "{about} {key}");
                }
            }
            _ => {}
        }
    }
    assert_eq!(events.last().unwrap()["e"], "end", "{about}");
}

#[test]
fn events_of_random_trees_agree_with_their_definitions() {
    let mut random = Rng::with_seed(61);
    for _ in 0..12 {
        let fen = random_tree(&mut random, 4);
        let exact = tree(&fen, &["--algorithm", "minimax"]);
        for arguments in [
            &["--algorithm", "minimax"][..],
            &["--algorithm", "minimax", "--memory"],
            &["--algorithm", "alphabeta"],
            &["--algorithm", "alphabeta", "--memory", "--deepen"],
            &["--algorithm", "alphabeta", "--cut-on", "worse"],
            &["--algorithm", "alphabeta", "--cut-on", "worse", "--memory"],
            &["--algorithm", "scout"],
            &["--algorithm", "scout", "--memory"],
            &["--algorithm", "pvs"],
            &["--algorithm", "pvs", "--memory", "--deepen"],
            &["--algorithm", "mtdf"],
            &["--algorithm", "mtdf", "--guess", "5", "--deepen"],
        ] {
            let events = tree(&fen, &[arguments, &["--depth", "4"]].concat());
            let about = format!("{fen} {arguments:?}");
            check(&events, &about);
            assert_eq!(
                events.last().unwrap()["value"],
                exact.last().unwrap()["value"],
                "{about}"
            );
        }
        check(&tree(&fen, &["--algorithm", "expectimax"]), &fen);
    }
    for arguments in [
        &[
            "--variant",
            "tic-tac-toe",
            "--fen",
            "3 3 3 XO1/1X1/2O x",
            "--memory",
        ][..],
        &["--variant", "2048", "--depth", "2"],
        &[
            "--variant",
            "aadu-puli",
            "--depth",
            "2",
            "--algorithm",
            "scout",
            "--memory",
        ],
    ] {
        check(&events(arguments), &format!("{arguments:?}"));
    }
}

#[test]
fn counts_are_those_of_lessons() {
    let lesson_1 = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]";
    for (algorithm, last, all, leaves) in [
        ("minimax", 25, 46, [12, 12]),
        ("alphabeta", 16, 33, [6, 6]),
        ("mtdf", 20, 43, [7, 6]),
    ] {
        let events = tree(lesson_1, &["--algorithm", algorithm, "--deepen"]);
        let counts = &events.last().unwrap()["counts"];
        assert_eq!(counts["last"]["nodes"], last, "{algorithm}");
        assert_eq!(counts["all"]["nodes"], all, "{algorithm}");
        assert_eq!(counts["last"]["leaves"], leaves[0], "{algorithm}");
        assert_eq!(counts["last"]["different"], leaves[1], "{algorithm}");
    }
    for (fen, algorithm, heuristic, made) in [
        ("0,5,1/3,4,2/6,7,8", "bfs", "zero", 225),
        ("0,5,1/3,4,2/6,7,8", "astar", "manhattan", 31),
        ("0,5,1/3,4,2/6,7,8", "idastar", "manhattan", 35),
        ("0,4,7/1,5,2/6,8,3", "bfs", "zero", 19_893),
        ("0,4,7/1,5,2/6,8,3", "astar", "misplaced", 1493),
        ("0,4,7/1,5,2/6,8,3", "astar", "manhattan", 218),
        ("0,4,7/1,5,2/6,8,3", "astar", "linear-conflict", 126),
        ("7,2,4/5,0,6/8,3,1", "astar", "manhattan", 2471),
        ("7,2,4/5,0,6/8,3,1", "idastar", "manhattan", 6289),
    ] {
        let arguments = [
            "--variant",
            "8-puzzle",
            "--fen",
            fen,
            "--algorithm",
            algorithm,
            "--heuristic",
            heuristic,
            "--events",
            "10",
        ];
        let events = events(&arguments);
        assert_eq!(events.len(), 10, "{arguments:?}");
        let end = events.last().unwrap();
        assert_eq!(end["counts"]["all"]["nodes"], made, "{arguments:?}");
        assert_eq!(end["truncated"], true, "{arguments:?}");
    }
}

#[test]
fn counts_with_table_are_those_of_comparison() {
    let search = [
        "--variant",
        "tic-tac-toe",
        "--algorithm",
        "minimax",
        "--depth",
        "6",
    ];
    let options = ["--memory", "--deepen", "--events", "1", "--format", "jsonl"];
    let traced: Json = serde_json::from_str(&output(&[&search[..], &options].concat())).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_puli"))
        .arg("compare")
        .args(search)
        .args(["--format", "json"])
        .output()
        .unwrap();
    let rows: Vec<Json> = serde_json::from_slice(&output.stdout).unwrap();
    let compared = rows.iter().find(|row| row["memory"] == true).unwrap();
    assert_eq!(traced["counts"]["last"]["leaves"], compared["leaves"]);
    assert_eq!(traced["counts"]["all"]["nodes"], compared["nodes"]);
}

#[test]
fn counts_are_whole_after_last_event() {
    let arguments = [
        "--variant",
        "tic-tac-toe",
        "--algorithm",
        "alphabeta",
        "--depth",
        "5",
        "--memory",
    ];
    let whole = events(&arguments);
    let cut = events(&[&arguments[..], &["--events", "1000"]].concat());
    assert_eq!(cut.len(), 1000);
    assert_eq!(cut[..999], whole[..999]);
    // With room for exactly all events, none is missing.
    let room = whole.len().to_string();
    assert_eq!(
        events(&[&arguments[..], &["--events", &room]].concat()),
        whole
    );
    let (whole, cut) = (whole.last().unwrap(), cut.last().unwrap());
    assert_eq!(
        (&whole["counts"], &whole["value"]),
        (&cut["counts"], &cut["value"])
    );
    assert_eq!(
        (&whole["truncated"], &cut["truncated"]),
        (&false.into(), &true.into())
    );
}

#[test]
fn sentences_name_condition_of_every_cutoff() {
    let lesson_1 = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]";
    let text = output(&["--explain", "--ordering", "none", "--fen", lesson_1]);
    let cutoffs: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("Cut off"))
        .collect();
    assert_eq!(
        cutoffs,
        [
            "Cut off at node 1 1 2: it is worth 2 or less, but Max has 3 elsewhere. Never looked at: child 2.",
            "Cut off at node 1 2: it is worth 15 or more, but Min has 3 elsewhere. Never looked at: child 2.",
            "Cut off at node 2 1 1: it is worth 2 or less, but Max has 3 elsewhere. Never looked at: child 2.",
            "Cut off at node 2: it is worth 3 or less, but Max has 3 elsewhere, and an equal value is enough. Never looked at: child 2.",
        ]
    );
    assert!(text.ends_with("The value is 3. Best play: 1 1 1 1. Counted: 16 nodes below the root, 6 leaves. A deeper search finds the same value.\n"), "{text}");
    let game = output(&[
        "--explain",
        "--variant",
        "aadu-puli",
        "--depth",
        "1",
        "--events",
        "100000",
    ]);
    assert!(
        game.contains("The goats can choose at the root: "),
        "{game}"
    );
    assert!(
        game.lines()
            .all(|line| line.ends_with('.') || line.ends_with('?')),
        "{game}"
    );
}

/// Tic-tac-toe for [`backward_analysis_settles_all_wins_of_tic_tac_toe`]: the squares from a3 to c1, and the side to move.
type Squares = [char; 9];

/// Returns `true` if `player` has three in a row.
fn has_row(squares: &Squares, player: char) -> bool {
    let rows = [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [0, 3, 6],
        [1, 4, 7],
        [2, 5, 8],
        [0, 4, 8],
        [2, 4, 6],
    ];
    rows.iter()
        .any(|row| row.iter().all(|&square| squares[square] == player))
}

/// Returns the positions after `squares` by their FENs, each with the winner and the plies to the end, or `None` for a draw.
fn solve_tic_tac_toe(
    squares: Squares,
    mover: char,
    solved: &mut HashMap<String, Option<(char, u64)>>,
) -> Option<(char, u64)> {
    let other = if mover == 'X' { 'O' } else { 'X' };
    let fen = fen_of(&squares, mover);
    if let Some(value) = solved.get(&fen) {
        return *value;
    }
    let empty: Vec<usize> = (0..9).filter(|&square| squares[square] == ' ').collect();
    let value = if has_row(&squares, other) {
        Some((other, 0))
    } else {
        let mut values = Vec::new();
        for square in empty {
            let mut after = squares;
            after[square] = mover;
            values.push(solve_tic_tac_toe(after, other, solved));
        }
        let wins = values.iter().flatten().filter(|value| value.0 == mover);
        let losses = values.iter().flatten().filter(|value| value.0 == other);
        match wins.map(|value| value.1).min() {
            Some(plies) => Some((mover, plies + 1)),
            None if !values.is_empty() && values.iter().flatten().count() == values.len() => {
                losses.map(|value| (other, value.1 + 1)).max()
            }
            None => None,
        }
    };
    solved.insert(fen, value);
    value
}

/// Returns the position in the notation of m,n,k games.
fn fen_of(squares: &Squares, mover: char) -> String {
    let rows = squares.chunks(3).map(|row| {
        let mut text = String::new();
        let mut empty = 0;
        for &square in row {
            if square == ' ' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            empty = 0;
            text.push(square);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    });
    let rows: Vec<String> = rows.collect();
    format!("3 3 3 {} {}", rows.join("/"), mover.to_lowercase())
}

#[test]
fn backward_analysis_settles_all_wins_of_tic_tac_toe() {
    let mut solved = HashMap::new();
    solve_tic_tac_toe([' '; 9], 'X', &mut solved);
    let arguments = ["--variant", "tic-tac-toe", "--algorithm", "backward"];
    let list = events(&arguments);
    let (end, list) = list.split_last().unwrap();
    assert_eq!(end["counts"]["last"]["nodes"], solved.len());
    assert_eq!(end["value"], 0, "tic-tac-toe is a draw");
    assert_eq!(end["proved"], true);
    let mut plies_before = 0;
    let mut settled = 0;
    for event in list.iter().filter(|event| event["e"] == "settle") {
        // The last word is the number of the move.
        let (fen, _) = event["fen"].as_str().unwrap().rsplit_once(' ').unwrap();
        let (winner, plies) = solved[fen].unwrap_or_else(|| panic!("{fen} is a draw"));
        let player = if winner == 'X' { "p1" } else { "p2" };
        assert_eq!(event["value"]["win"], player, "{fen}");
        assert_eq!(event["value"]["plies"], plies, "{fen}");
        assert!(plies >= plies_before, "{fen} comes late");
        plies_before = plies;
        settled += 1;
        let mover = fen.chars().last().unwrap().to_ascii_uppercase();
        match event["because"].as_str().unwrap() {
            "over" => assert_eq!(plies, 0, "{fen}"),
            "all" => assert!(plies > 0 && winner != mover, "{fen}"),
            m => {
                assert_eq!(winner, mover, "{fen}");
                let after = after_move(fen, m, mover);
                assert_eq!(solved[&after], Some((winner, plies - 1)), "{fen} {m}");
            }
        }
    }
    assert_eq!(settled, solved.values().flatten().count());
    assert_eq!(end["counts"]["last"]["settled"], settled);
}

/// Returns the position after `mover` takes the square `m`.
fn after_move(fen: &str, m: &str, mover: char) -> String {
    let rows = fen.split(' ').nth(3).unwrap();
    let expanded = rows
        .replace('1', " ")
        .replace('2', "  ")
        .replace('3', "   ");
    let mut squares: Squares = [' '; 9];
    for (square, piece) in squares.iter_mut().zip(expanded.replace('/', "").chars()) {
        *square = piece;
    }
    let (column, rank) = (m.as_bytes()[0] - b'a', m.as_bytes()[1] - b'1');
    squares[usize::from(2 - rank) * 3 + usize::from(column)] = mover;
    fen_of(&squares, if mover == 'X' { 'O' } else { 'X' })
}

#[test]
fn backward_analysis_agrees_with_numbers_of_lessons() {
    let end_of = |arguments: &[&str]| events(arguments).pop().unwrap();
    let hare = ["--variant", "hare-and-hounds", "--algorithm", "backward"];
    let list = events(&hare);
    let longest = list.iter().rev().find(|event| event["e"] == "settle");
    let end = list.last().unwrap();
    assert_eq!(end["counts"]["last"]["nodes"], 2510);
    assert_eq!(end["value"]["plies"], 23);
    assert_eq!(end["line"].as_array().unwrap().len(), 23);
    assert_eq!(longest.unwrap()["value"]["plies"], 28);
    let kaooa = ["--variant", "kaooa", "--algorithm", "backward"];
    assert_eq!(end_of(&kaooa)["value"]["plies"], 15);
    // A depth below the distance leaves the start open.
    let shallow = end_of(&[&hare[..], &["--depth", "22"]].concat());
    assert_eq!(
        (&shallow["value"], &shallow["proved"]),
        (&Json::Null, &false.into())
    );
    let cut = events(&[&hare[..], &["--events", "10"]].concat());
    assert_eq!(cut.len(), 10);
    assert_eq!(cut[9]["truncated"], true);
    assert_eq!(cut[9]["counts"], end["counts"]);
}
