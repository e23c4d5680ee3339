//! Tests `puli solve` and `puli verify`. A killed run resumes and produces the same bytes, and damaged tables are
//! found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::files_in;

fn puli(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
    command.args(arguments).arg(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

const SOLVE: &[&str] = &["solve", "aadu-puli", "--goats", "1", "--out"];
const VERIFY: &[&str] = &["verify", "--positions", "1000"];

fn tables(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |path: PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.expect("names are ASCII").to_owned();
        (name, fs::read(path).expect("the table can be read"))
    };
    files_in(folder).into_iter().map(read).collect()
}

/// Minimum number of runs to kill.
const KILLS: usize = 10;

/// Returns the number of finished tables in `folder`.
fn finished_tables(folder: &Path) -> usize {
    let files = files_in(folder).into_iter();
    files
        .filter(|path| path.extension() == Some("puli".as_ref()))
        .count()
}

#[test]
fn killed_run_resumes_with_same_bytes() {
    let whole = tempfile::tempdir().unwrap();
    let start = Instant::now();
    assert!(puli(SOLVE, whole.path()).status().unwrap().success());
    let duration = start.elapsed();
    let expected = tables(whole.path());
    let mut random = fastrand::Rng::with_seed(10);
    // Finished tables at each kill: none during the movement phase.
    let mut finished = Vec::new();
    while finished.len() < KILLS
        || !finished.contains(&0)
        || finished.iter().all(|&tables| tables == 0)
    {
        let folder = tempfile::tempdir().unwrap();
        // The first kill comes at a random moment, the second after the next table is finished.
        for kill in 0..2 {
            let before = finished_tables(folder.path());
            let mut child = puli(SOLVE, folder.path()).spawn().unwrap();
            if kill == 0 {
                // Early moments are more likely, because the movement phase comes first.
                thread::sleep(duration.mul_f64(random.f64().powi(2)));
            } else {
                while finished_tables(folder.path()) == before
                    && child.try_wait().unwrap().is_none()
                {
                    thread::sleep(Duration::from_millis(1));
                }
            }
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success());
                break;
            }
            // On Unix this is SIGKILL.
            child.kill().unwrap();
            child.wait().unwrap();
            finished.push(finished_tables(folder.path()));
        }
        assert!(puli(SOLVE, folder.path()).status().unwrap().success());
        assert!(tables(folder.path()) == expected);
    }
}

#[test]
fn verify_accepts_valid_tables_and_finds_flipped_byte() {
    let folder = tempfile::tempdir().unwrap();
    assert!(puli(SOLVE, folder.path()).status().unwrap().success());
    assert!(puli(VERIFY, folder.path()).status().unwrap().success());
    let (name, mut bytes) = tables(folder.path()).swap_remove(1);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(folder.path().join(name), bytes).unwrap();
    assert_eq!(
        puli(VERIFY, folder.path()).status().unwrap().code(),
        Some(1)
    );
}

/// Runs a command. Returns its status, standard output and standard error.
fn run_command(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output();
    let output = output.expect("a run that ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn run_killed_in_movement_phase_resumes_there() {
    let solve = ["solve", "aadu-puli", "--goats", "2", "--phase", "movement"];
    let kept = [&solve[..], &["--checkpoint", "0", "--out"]].concat();
    let plain = [&solve[..], &["--out"]].concat();
    let whole = tempfile::tempdir().unwrap();
    assert!(puli(&plain, whole.path()).status().unwrap().success());
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("aadu-puli-02-00g.part");
    let mut child = puli(&kept, folder.path()).spawn().unwrap();
    while !part.exists() && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(part.exists(), "it was killed before its end");
    let (status, printed, _) = run_command(&mut puli(&plain, folder.path()));
    assert_eq!(status, Some(0));
    assert!(printed.contains("resumes: "), "{printed}");
    assert!(tables(folder.path()) == tables(whole.path()));
}

#[test]
fn run_reports_value_of_start_as_text_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let (_, printed, _) = run_command(&mut puli(SOLVE, folder.path()));
    assert_eq!(
        printed.lines().last(),
        Some("start: tigers win in 14 plies")
    );
    // The answer is the same for existing and for new tables.
    let json = [
        "solve",
        "aadu-puli",
        "--goats",
        "1",
        "--format",
        "json",
        "--out",
    ];
    let last = |folder: &Path| {
        let (status, printed, _) = run_command(&mut puli(&json, folder));
        assert_eq!(status, Some(0));
        let lines: Vec<serde_json::Value> = printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        lines.last().unwrap().clone()
    };
    let other = tempfile::tempdir().unwrap();
    assert_eq!(last(folder.path()), last(other.path()));
    let positions = 17_710 + 17_710 + 891;
    let expected = serde_json::json!({
        "start": {"winner": "hunters", "plies": 14},
        "positions": positions, "counted": "all up to symmetry",
        "prey": 0, "hunters": positions, "neither": 0,
    });
    assert_eq!(last(folder.path()), expected);

    // More than one goat in hand requires the layers of the placement phase.
    let movement = [
        "solve",
        "aadu-puli",
        "--goats",
        "2",
        "--phase",
        "movement",
        "--out",
    ];
    let third = tempfile::tempdir().unwrap();
    let (_, printed, _) = run_command(&mut puli(&movement, third.path()));
    assert_eq!(printed.lines().last(), Some("start: not known"));
}

#[test]
fn survey_of_large_game_has_consistent_counts() {
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
        command.args(["solve", "adugo", "--prey", "6", "--checks", "20000"]);
        run_command(command.args(more))
    };
    let (status, printed, _) = run(&[]);
    assert_eq!(status, Some(0));
    assert!(printed.contains("0 in hand, dogs to move: "), "{printed}");
    assert!(
        printed.contains("40000 random positions verified"),
        "{printed}"
    );
    assert!(
        printed.lines().last().unwrap().starts_with("start: "),
        "{printed}"
    );
    let (_, printed, _) = run(&["--format", "json"]);
    let lines: Vec<serde_json::Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [forecast, layers @ .., verdict] = &lines[..] else {
        panic!("{printed}");
    };
    let sum = |key: &str| -> u64 {
        let layer_stats = layers
            .iter()
            .flat_map(|line| line["layers"].as_array().unwrap());
        layer_stats
            .map(|layer_stats| layer_stats[key].as_u64().unwrap())
            .sum()
    };
    let expected = &forecast["forecast"];
    assert_eq!(expected["up_to_symmetry"], verdict["positions"]);
    assert!(expected["positions"].as_u64() > expected["up_to_symmetry"].as_u64());
    for key in ["positions", "prey", "hunters", "neither"] {
        assert_eq!(verdict[key], sum(key), "{key}");
    }
    let (status, _, complaint) = run(&["--memory", "10"]);
    assert_eq!(status, Some(1), "{complaint}");
    assert!(
        complaint.contains(" of memory, and 10 MiB may be used: --memory "),
        "{complaint}"
    );
}

/// The start precedes all tables if the hunters are placed in their first turn, or the prey place several pieces in
/// their first turn.
#[test]
fn start_with_drops_gets_value_from_tables() {
    let mut show = Command::new(env!("CARGO_BIN_EXE_puli"));
    let (_, board, _) = run_command(show.args(["boards", "show", "pulijudamu"]));
    let is_rule = |line: &&str| {
        !["hunters", "prey", "first"]
            .iter()
            .any(|rule| line.starts_with(rule))
    };
    let lines: Vec<&str> = board.lines().filter(is_rule).collect();
    for rules in [
        "hunters 2\nprey 3\nfirst hunters\nprey-stuck pass\n",
        "hunters 2 at a1 b2\nprey 4\nfirst prey\nfirst-drops 3\n",
        // These hunters move before any prey are placed.
        "hunters 2 at a1 b2\nprey 3\nfirst hunters\nprey-stuck pass\n",
        "hunters 2\nprey 3\nfirst prey\nfirst-drops 2\n",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("drops.txt");
        fs::write(&file, format!("{}\n{rules}", lines.join("\n"))).unwrap();
        let run = |more: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
            let (status, printed, complaint) =
                run_command(command.arg("solve").arg(&file).args(more));
            assert_eq!(status, Some(0), "{complaint}");
            printed.lines().last().map(String::from)
        };
        let tables = folder.path().join("tables");
        let solved = run(&["--out", tables.to_str().unwrap()]);
        assert_eq!(solved, run(&[]), "{rules}");
        // With these tables, the engine knows the value of the start and of every move, for either first player,
        // and play confirms it.
        let mut eval = Command::new(env!("CARGO_BIN_EXE_puli"));
        let option = format!("TablebasePath={}", tables.display());
        eval.arg("--variant").arg(&file).args(["--option", &option]);
        let (status, printed, complaint) =
            run_command(eval.args(["-c", "eval", "-c", "state", "-c", "go nodes 1"]));
        assert_eq!(status, Some(0), "{complaint}");
        let verdict = solved.unwrap().replace("start", "Tables");
        assert!(printed.lines().any(|line| line == verdict), "{printed}");
        assert!(printed.contains("\"tables\":true"), "{printed}");
        assert!(!printed.contains("error"), "{printed}");
    }
}

#[test]
fn verify_reports_every_missing_layer() {
    let sound = tempfile::tempdir().unwrap();
    let two = ["solve", "aadu-puli", "--goats", "2", "--out"];
    assert!(puli(&two, sound.path()).status().unwrap().success());
    let all = tables(sound.path());
    for missing in 0..all.len() {
        let folder = tempfile::tempdir().unwrap();
        for (index, (name, bytes)) in all.iter().enumerate() {
            if index != missing {
                fs::write(folder.path().join(name), bytes).unwrap();
            }
        }
        let (status, printed, failed) = run_command(&mut puli(VERIFY, folder.path()));
        let name = &all[missing].0;
        assert_eq!(status, Some(1), "without {name}: {printed}");
        assert!(!printed.contains("all valid"), "without {name}: {printed}");
        assert!(printed.contains(&format!("{name}: missing")), "{printed}");
        assert!(failed.contains("1 layers are missing"), "{failed}");
    }
    // The movement phase alone is complete.
    for (name, _) in all.iter().filter(|(name, _)| !name.contains("-00")) {
        fs::remove_file(sound.path().join(name)).unwrap();
    }
    let (status, printed, _) = run_command(&mut puli(VERIFY, sound.path()));
    assert_eq!(status, Some(0));
    assert!(printed.contains("movement phase only"), "{printed}");
}

#[test]
fn verify_uses_rules_of_changed_tables() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    let verify = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
        run_command(command.args(VERIFY).arg(&tables).args(arguments))
    };
    let rules = ["--captures", "1"];
    let solve = [
        &["aadu-puli", "--goats", "2", "--out"][..],
        &[tables.to_str().unwrap()],
        &rules,
    ]
    .concat();
    assert_eq!(solved(&solve).0, Some(0));
    let (status, printed, failed) = verify(&[]);
    assert_eq!(status, Some(1), "{printed}");
    assert!(
        printed.contains("is of another game: it says 'captures 1'"),
        "{printed}"
    );
    assert!(failed.contains("--game"), "{failed}");
    let (status, printed, failed) = verify(&[&["--game", "aadu-puli"][..], &rules].concat());
    assert_eq!(status, Some(0), "{printed}{failed}");
    assert!(printed.contains("4 files, all valid"), "{printed}");
    // Of whose game there are rules has to be said.
    assert_eq!(verify(&rules).0, Some(2));
}

#[test]
fn verify_checks_pattern_tables_and_networks_too() {
    let folder = tempfile::tempdir().unwrap();
    let tables = ["tables", "15-puzzle", "--pattern", "5-5-5", "--out"];
    assert!(puli(&tables, folder.path()).status().unwrap().success());
    let train = ["train", "2048", "--games", "1", "--out"];
    let network = folder.path().join("my.net");
    assert!(puli(&train, &network).status().unwrap().success());
    fs::write(folder.path().join("notes.txt"), "of no concern").unwrap();
    let (status, printed, _) = run_command(&mut puli(VERIFY, folder.path()));
    assert_eq!(status, Some(0), "{printed}");
    assert!(printed.contains("my.net: valid network"), "{printed}");
    assert!(
        printed.contains("my.net.checkpoint: valid training"),
        "{printed}"
    );
    assert!(
        printed.contains("all valid") && printed.contains(".pattern: valid"),
        "{printed}"
    );
    for path in files_in(folder.path()) {
        let sound = fs::read(&path).unwrap();
        let mut damaged = sound.clone();
        damaged[sound.len() / 2] ^= 1;
        fs::write(&path, damaged).unwrap();
        let (status, printed, _) = run_command(&mut puli(VERIFY, folder.path()));
        let is_ours = !path.ends_with("notes.txt");
        assert_eq!(
            status,
            Some(i32::from(is_ours)),
            "{}: {printed}",
            path.display()
        );
        fs::write(&path, sound).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn reports_out_of_memory_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut refused = 0;
    for limit in (160..=520).step_by(40) {
        let script = format!(
            "ulimit -v {limit}000; exec \"$0\" solve aadu-puli --goats 2 --threads 2 --out \"$1\""
        );
        let folder = folder.path().join(limit.to_string());
        let mut command = Command::new("bash");
        command
            .args(["-c", &script, env!("CARGO_BIN_EXE_puli")])
            .arg(folder);
        let (status, _, failed) = run_command(&mut command);
        let is_refused = status == Some(1) && failed.contains("out of memory");
        assert!(
            is_refused || status == Some(0),
            "{limit} MB: {status:?} {failed}"
        );
        refused += usize::from(is_refused);
    }
    assert!((1..10).contains(&refused), "{refused}");
}

#[test]
fn rejects_empty_folder_and_too_many_goats() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        puli(VERIFY, folder.path()).status().unwrap().code(),
        Some(1)
    );
    let greedy = ["solve", "aadu-puli", "--goats", "16", "--out"];
    assert_eq!(
        puli(&greedy, folder.path()).status().unwrap().code(),
        Some(2)
    );
}

/// Runs `puli solve` with `arguments`. Returns its status, standard output and standard error.
fn solved(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
    run_command(command.arg("solve").args(arguments))
}

#[test]
fn solves_small_games_in_memory_with_known_values() {
    for (arguments, start) in [
        (&["hare-and-hounds"][..], "start: hounds win in 23 plies"),
        (
            &["hare-and-hounds", "--first", "hunters"],
            "start: hounds win in 24 plies",
        ),
        (&["kaooa"], "start: crows win in 15 plies"),
        (&["haretavl"], "start: dogs win in 17 plies"),
        (&["mysore-one-tiger"], "start: draw"),
    ] {
        let (status, printed, _) = solved(arguments);
        assert_eq!(status, Some(0), "{arguments:?}");
        assert_eq!(printed.lines().last(), Some(start), "{arguments:?}");
    }
    let (_, printed, _) = solved(&["huli-mane-ata", "--format", "json"]);
    let last = printed.lines().last().unwrap();
    let expected = serde_json::json!({
        "start": {"winner": "prey", "plies": 21},
        "positions": 12_262, "counted": "reachable", "prey": 4_839, "hunters": 2_148, "neither": 12_262 - 4_839 - 2_148,
    });
    let last: serde_json::Value = serde_json::from_str(last).unwrap();
    assert_eq!(last, expected);
}

#[test]
fn solves_games_other_than_hunts() {
    for (arguments, last_line, expected) in [
        (
            &["tic-tac-toe"][..],
            "start: draw",
            "5478 reachable positions: ",
        ),
        (&["TicTacToe"], "start: draw", "5478 reachable positions: "),
        (
            &["tic-tac-toe", "--fen", "4 3 3 3/3/3/3 x"],
            "start: X wins in 7 plies",
            "best: ",
        ),
        (
            &["tic-tac-toe", "--fen", "XX1/OO1/3 x"],
            "start: X wins in 1 ply",
            "best: c3",
        ),
        (
            &["8-puzzle", "--verify", "--fen", "8,0,6/5,4,7/2,3,1"],
            "start: solved in 31 moves",
            " 31 moves: 2\n",
        ),
        (
            &["8-puzzle"],
            "start: is solved",
            "181440 reachable positions: ",
        ),
        (
            &["missionaries", "--verify"],
            "start: solved in 11 moves",
            "16 reachable positions: 16 can be solved (longest 12), 0 cannot",
        ),
        (
            &["missionaries", "--fen", "4 4 left of 4 4 boat 2"],
            "start: cannot be solved",
            "11 reachable positions: 0 can be solved",
        ),
        (
            &["hare-and-hounds", "--fen", "G2/G3T/G2 t 0", "--verify"],
            "start: hounds win in 24 plies",
            "verified: every value follows",
        ),
    ] {
        let (status, printed, failed) = solved(arguments);
        assert_eq!(status, Some(0), "{arguments:?}: {failed}");
        assert_eq!(printed.lines().last(), Some(last_line), "{arguments:?}");
        assert!(printed.contains(expected), "{arguments:?}: {printed}");
        assert!(
            printed.contains(", expected: "),
            "a forecast comes first: {printed}"
        );
        // If the forecast already solves the game, it is exact.
        let mut lines = printed.lines();
        let found = lines.find_map(|line| Some(line.split_once(" reachable positions")?.0));
        let found = found.filter(|found| found.parse::<u32>().is_ok_and(|found| found < 50_000));
        if let Some(found) = found {
            let forecast = format!(": {found} positions, expected: ");
            assert!(printed.contains(&forecast), "{printed}");
        }
    }
    let last = |arguments: &[&str]| -> serde_json::Value {
        let (_, expected, _) = solved(&[arguments, &["--format", "json"]].concat());
        serde_json::from_str(expected.lines().last().unwrap()).unwrap()
    };
    let expected = last(&["tic-tac-toe"]);
    assert_eq!(
        expected["start"],
        serde_json::json!({"winner": null, "plies": null})
    );
    assert_eq!(expected["positions"], 5478);
    let expected = last(&["8-puzzle", "--fen", "1,2,0/3,4,5/6,7,8"]);
    assert_eq!(
        expected["start"],
        serde_json::json!({"winner": "p1", "plies": 2})
    );
    assert_eq!(
        (&expected["p1"], &expected["neither"]),
        (&181_440.into(), &0.into())
    );
    assert_eq!(expected["by_distance"][31], 2);
}

#[test]
fn rule_options_act_like_lines_of_board_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut show = Command::new(env!("CARGO_BIN_EXE_puli"));
    let (_, text, _) = run_command(show.args(["boards", "show", "huli-mane-ata"]));
    let changed = text
        .replace("prey 5", "prey 4")
        .replace("captures 2", "captures 1")
        + "prey-stuck pass\n";
    assert_ne!(changed, text);
    let file = folder.path().join("mine.txt");
    fs::write(&file, changed).unwrap();
    let json = ["--format", "json"];
    let by_file = [&[file.to_str().unwrap()][..], &json].concat();
    let rules = ["--prey", "4", "--captures", "1", "--prey-stuck", "pass"];
    let by_words = [&["huli-mane-ata"][..], &rules, &json].concat();
    let last = |arguments: &[&str]| {
        let (status, printed, failed) = solved(arguments);
        assert_eq!(status, Some(0), "{failed}");
        printed.lines().last().unwrap().to_string()
    };
    assert_eq!(last(&by_file), last(&by_words));
    assert_ne!(
        last(&by_file),
        last(&[&["huli-mane-ata"][..], &json].concat())
    );
}

#[test]
fn rejects_unsolvable_game_with_reason() {
    for (arguments, reason) in [
        (
            &["no-such-game"][..],
            "no such file, and there is no board 'no-such-game', only aadu-puli",
        ),
        (
            &["kaooa", "--prey", "40"],
            "kaooa: --prey: expected a number of pieces, 1 to 9, found '40'",
        ),
        (
            &["kaooa", "--captures", "some"],
            "kaooa: --captures: expected 'all', 'none' or the number of captures",
        ),
        (&["sumi-naga"], "far too little"),
        (&["ludus-coriovalli", "--memory", "2"], "2 MiB may be used"),
        (&["kaooa", "--goats", "3"], "has no tables"),
        (&["kaooa", "--fen", "1/4 g"], "--fen: column"),
        (&["2048"], "has chance moves"),
        (&["tree"], "ends with points"),
        (&["15-puzzle"], "far too little"),
        (
            &["tic-tac-toe", "--fen", "5 5 5 5/5/5/5/5 x"],
            "far too little",
        ),
        (
            &[
                "tic-tac-toe",
                "--fen",
                &format!("19 19 5 {} x", ["19"; 19].join("/")),
            ],
            "more than 10^30 positions",
        ),
        (&["tic-tac-toe", "--fen", "4 4 4 4/4/4 x"], "--fen: column"),
        (&["tic-tac-toe", "--prey", "3"], "is not a hunt game"),
    ] {
        let (status, _, failed) = solved(arguments);
        let is_about_memory = ["far too little", "may be used", "fit no memory", "10^30"]
            .iter()
            .any(|words| reason.contains(words));
        let expected = if is_about_memory { 1 } else { 2 };
        assert_eq!(status, Some(expected), "{arguments:?}: {failed}");
        assert!(failed.contains(reason), "{arguments:?}: {failed}");
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    for (game, reason) in [
        ("hare-and-hounds", "has no tables"),
        ("huli-mane-ata", "has no tables"),
        ("juroku-musashi", "GiB of memory, and 8.0 GiB may be used"),
    ] {
        let (status, _, failed) = solved(&[game, "--out", out]);
        let expected = if reason.contains("memory") { 1 } else { 2 };
        assert_eq!(status, Some(expected), "{failed}");
        assert!(failed.contains(reason), "{failed}");
    }
}

/// A memory limit that is too small for every position of a game, but large enough for its tables.
#[test]
fn rejects_game_too_large_for_memory_with_table_cost() {
    for (game, time, memory) in [("aadu-puli", " min", " GiB"), ("bagh-chal", " min", " GiB")] {
        let (status, printed, complaint) = solved(&[game]);
        assert_eq!(status, Some(1), "{game}");
        let (_, forecast) = printed.split_once("expected: ").expect("a forecast");
        assert!(
            forecast.contains(" h and ") || forecast.contains(" days and "),
            "{printed}"
        );
        assert!(forecast.contains(" TiB of memory"), "{printed}");
        let (_, advice) = complaint.split_once("With --out DIR").expect("advice");
        assert!(
            advice.contains(time) || advice.contains(" s,"),
            "{complaint}"
        );
        assert!(advice.contains(memory), "{complaint}");
    }
}

/// Positions with symmetries make an estimate by symmetry too small. Such an estimate must not be called a bound.
#[test]
fn forecast_bound_is_not_exceeded() {
    for arguments in [
        &["refskak", "--prey", "4", "--reachable"][..],
        &["catch-the-hare", "--prey", "3", "--reachable"],
        &["tic-tac-toe", "--fen", "4 3 3 3/3/3/3 x"],
        &["hat-diviyan-keliya-large"],
    ] {
        let (status, printed, failed) = solved(&[arguments, &["--format", "json"]].concat());
        assert_eq!(status, Some(0), "{arguments:?}: {failed}");
        let mut lines = printed.lines();
        let mut next = || -> serde_json::Value {
            serde_json::from_str(lines.next().expect("a line")).expect("JSON")
        };
        let forecast = next()["forecast"].clone();
        let found = next()["positions"].as_u64().expect("a number");
        let forecast_positions = forecast["positions"].as_u64().expect("a number");
        match forecast["precision"].as_str() {
            Some("exact") => assert_eq!(forecast_positions, found, "{arguments:?}"),
            Some("at most") => assert!(found <= forecast_positions, "{arguments:?}"),
            Some("about") => assert!(found <= forecast_positions * 11 / 10, "{arguments:?}"),
            precision => panic!("{precision:?}"),
        }
    }
}
