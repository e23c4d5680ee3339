//! Tests `puli solve` and `puli verify`. A run that was killed is resumed and writes the same bytes as an uninterrupted
//! run. `puli verify` finds damaged and missing tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::files_in;

/// Returns Puli's command with these arguments and `folder`. Its output is discarded.
fn puli(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
    command.args(arguments).arg(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

const SOLVE: &[&str] = &["solve", "aadu-puli", "--goats", "1", "--out"];
const VERIFY: &[&str] = &["verify", "--positions", "1000"];

/// Returns the name and the content of every file in `folder`.
fn tables(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |path: PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.expect("names are ASCII").to_owned();
        (name, fs::read(path).expect("the table can be read"))
    };
    files_in(folder).into_iter().map(read).collect()
}

/// Minimum number of times that a run is killed.
const MIN_KILLS: usize = 10;

/// Returns the number of finished tables in `folder`.
fn finished_tables(folder: &Path) -> usize {
    let files = files_in(folder).into_iter();
    files
        .filter(|path| path.extension() == Some("puli".as_ref()))
        .count()
}

#[test]
fn killed_run_resumes_with_same_bytes() {
    let uninterrupted = tempfile::tempdir().unwrap();
    let start = Instant::now();
    assert!(
        puli(SOLVE, uninterrupted.path())
            .status()
            .unwrap()
            .success()
    );
    let duration = start.elapsed();
    let expected = tables(uninterrupted.path());
    let mut random = fastrand::Rng::with_seed(10);
    // The number of finished tables at each kill. It is 0 if the run was killed in the movement phase.
    let mut finished = Vec::new();
    while finished.len() < MIN_KILLS
        || !finished.contains(&0)
        || finished.iter().all(|&tables| tables == 0)
    {
        let folder = tempfile::tempdir().unwrap();
        // The first kill comes at a random time, the second as soon as the resumed run has finished another table.
        for kill in 0..2 {
            let before = finished_tables(folder.path());
            let mut child = puli(SOLVE, folder.path()).spawn().unwrap();
            if kill == 0 {
                // Prefer early times, because the movement phase comes first and should often be interrupted.
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
    let with_checkpoints = [&solve[..], &["--checkpoint", "0", "--out"]].concat();
    let arguments = [&solve[..], &["--out"]].concat();
    let uninterrupted = tempfile::tempdir().unwrap();
    assert!(
        puli(&arguments, uninterrupted.path())
            .status()
            .unwrap()
            .success()
    );
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("aadu-puli-02-00g.part");
    let mut child = puli(&with_checkpoints, folder.path()).spawn().unwrap();
    while !checkpoint.exists() && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(checkpoint.exists(), "it was killed before its end");
    let (status, stdout, _) = run_command(&mut puli(&arguments, folder.path()));
    assert_eq!(status, Some(0));
    assert!(stdout.contains("resumes: "), "{stdout}");
    assert!(tables(folder.path()) == tables(uninterrupted.path()));
}

#[test]
fn run_reports_value_of_start_as_text_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let (_, stdout, _) = run_command(&mut puli(SOLVE, folder.path()));
    assert_eq!(stdout.lines().last(), Some("start: tigers win in 14 plies"));
    // A second run uses the existing tables and reports the same value as a run that computes them.
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
        let (status, stdout, _) = run_command(&mut puli(&json, folder));
        assert_eq!(status, Some(0));
        let lines: Vec<serde_json::Value> = stdout
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

    // The start has two goats in hand, so its value does not follow from the movement phase alone.
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
    let (_, stdout, _) = run_command(&mut puli(&movement, third.path()));
    assert_eq!(stdout.lines().last(), Some("start: not known"));
}

#[test]
fn survey_of_large_game_has_consistent_counts() {
    let run = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
        command.args(["solve", "adugo", "--prey", "6", "--checks", "20000"]);
        run_command(command.args(options))
    };
    let (status, stdout, _) = run(&[]);
    assert_eq!(status, Some(0));
    assert!(stdout.contains("0 in hand, dogs to move: "), "{stdout}");
    assert!(
        stdout.contains("40000 random positions verified"),
        "{stdout}"
    );
    assert!(
        stdout.lines().last().unwrap().starts_with("start: "),
        "{stdout}"
    );
    let (_, stdout, _) = run(&["--format", "json"]);
    let lines: Vec<serde_json::Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [forecast, layers @ .., verdict] = &lines[..] else {
        panic!("{stdout}");
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
    let (status, _, stderr) = run(&["--memory", "10"]);
    assert_eq!(status, Some(1), "{stderr}");
    assert!(
        stderr.contains(" of memory, and 10 MiB may be used: --memory "),
        "{stderr}"
    );

    // With temporary files, the result is the same, the forecast needs less memory, and no files remain.
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    let (status, on_disk, stderr) = run(&["--format", "json", "--disk", disk.to_str().unwrap()]);
    assert_eq!(status, Some(0), "{stderr}");
    let (forecast_line, results) = on_disk.split_once('\n').unwrap();
    assert_eq!(results, stdout.split_once('\n').unwrap().1);
    let forecast: serde_json::Value = serde_json::from_str(forecast_line).unwrap();
    let forecast = &forecast["forecast"];
    assert!(forecast["memory_mib"].as_u64() < expected["memory_mib"].as_u64());
    assert!(forecast["disk_mib"].as_u64() > Some(0), "{forecast}");
    assert_eq!(files_in(&disk), [] as [PathBuf; 0]);

    // The file of the survey is checked if its wins fit in memory.
    let kept = folder.path().join("kept");
    fs::create_dir(&kept).unwrap();
    let file = kept.join("adugo.survey");
    assert_eq!(run(&["--keep", file.to_str().unwrap()]).0, Some(0));
    let verify = |memory: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
        command.args(["verify", kept.to_str().unwrap(), "--game", "adugo"]);
        run_command(command.args(["--prey", "6", "--positions", "1000", "--memory", memory]))
    };
    let (status, stdout, stderr) = verify("1");
    assert_eq!((status, &*stdout), (Some(1), ""), "{stderr}");
    assert!(
        stderr.contains("and 1 MiB may be used: --memory "),
        "{stderr}"
    );
    let (status, stdout, stderr) = verify("6144");
    assert_eq!(status, Some(0), "{stderr}");
    assert!(
        stdout.contains("counts and 2000 values consistent"),
        "{stdout}"
    );
}

#[test]
fn rejects_temporary_files_where_they_are_useless_or_impossible() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "precious").unwrap();
    let file = file.to_str().unwrap();
    for game in ["kaooa", "8-puzzle"] {
        let (status, _, stderr) = run_solve(&[game, "--disk", file]);
        assert_eq!(status, Some(2), "{stderr}");
        let message = format!("--disk: {game} is solved position by position, in memory");
        assert!(stderr.contains(&message), "{stderr}");
    }
    let (status, _, stderr) = run_solve(&["adugo", "--prey", "6", "--disk", file]);
    assert_eq!(status, Some(1), "{stderr}");
    assert!(stderr.contains("cannot be created"), "{stderr}");
    assert_eq!(fs::read(file).unwrap(), b"precious");
}

/// The tables do not contain the start if the hunters are placed in their first turn, or if the prey place several
/// pieces in their first turn. The value of the start then follows from the positions after these drops.
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
        // In this game, the hunters move before any prey are placed.
        "hunters 2 at a1 b2\nprey 3\nfirst hunters\nprey-stuck pass\n",
        "hunters 2\nprey 3\nfirst prey\nfirst-drops 2\n",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("drops.txt");
        fs::write(&file, format!("{}\n{rules}", lines.join("\n"))).unwrap();
        let run = |options: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
            let (status, stdout, stderr) =
                run_command(command.arg("solve").arg(&file).args(options));
            assert_eq!(status, Some(0), "{stderr}");
            stdout.lines().last().map(String::from)
        };
        let tables = folder.path().join("tables");
        let start_line = run(&["--out", tables.to_str().unwrap()]);
        assert_eq!(start_line, run(&[]), "{rules}");
        // With these tables, the engine reports the value of the start, and it can search. This must hold for each side
        // as the first player.
        let mut eval = Command::new(env!("CARGO_BIN_EXE_puli"));
        let option = format!("TablebasePath={}", tables.display());
        eval.arg("--variant").arg(&file).args(["--option", &option]);
        let (status, stdout, stderr) =
            run_command(eval.args(["-c", "eval", "-c", "state", "-c", "go nodes 1"]));
        assert_eq!(status, Some(0), "{stderr}");
        let verdict = start_line.unwrap().replace("start", "Tables");
        assert!(stdout.lines().any(|line| line == verdict), "{stdout}");
        assert!(stdout.contains("\"tables\":true"), "{stdout}");
        assert!(!stdout.contains("error"), "{stdout}");
    }
}

#[test]
fn verify_reports_every_missing_layer() {
    let complete = tempfile::tempdir().unwrap();
    let solve = ["solve", "aadu-puli", "--goats", "2", "--out"];
    assert!(puli(&solve, complete.path()).status().unwrap().success());
    let all = tables(complete.path());
    for missing in 0..all.len() {
        let folder = tempfile::tempdir().unwrap();
        for (index, (name, bytes)) in all.iter().enumerate() {
            if index != missing {
                fs::write(folder.path().join(name), bytes).unwrap();
            }
        }
        let (status, stdout, stderr) = run_command(&mut puli(VERIFY, folder.path()));
        let name = &all[missing].0;
        assert_eq!(status, Some(1), "without {name}: {stdout}");
        assert!(!stdout.contains("all valid"), "without {name}: {stdout}");
        assert!(stdout.contains(&format!("{name}: missing")), "{stdout}");
        assert!(stderr.contains("1 layers are missing"), "{stderr}");
    }
    // If only the tables of the movement phase exist, none is missing.
    for (name, _) in all.iter().filter(|(name, _)| !name.contains("-00")) {
        fs::remove_file(complete.path().join(name)).unwrap();
    }
    let (status, stdout, _) = run_command(&mut puli(VERIFY, complete.path()));
    assert_eq!(status, Some(0));
    assert!(stdout.contains("movement phase only"), "{stdout}");
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
    assert_eq!(run_solve(&solve).0, Some(0));
    let (status, stdout, stderr) = verify(&[]);
    assert_eq!(status, Some(1), "{stdout}");
    assert!(
        stdout.contains("is of another game: it says 'captures 1'"),
        "{stdout}"
    );
    assert!(stderr.contains("--game"), "{stderr}");
    let (status, stdout, stderr) = verify(&[&["--game", "aadu-puli"][..], &rules].concat());
    assert_eq!(status, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("4 files, all valid"), "{stdout}");
    // Options for rules are rejected without `--game`.
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
    let (status, stdout, _) = run_command(&mut puli(VERIFY, folder.path()));
    assert_eq!(status, Some(0), "{stdout}");
    assert!(stdout.contains("my.net: valid network"), "{stdout}");
    assert!(
        stdout.contains("my.net.checkpoint: valid training"),
        "{stdout}"
    );
    assert!(
        stdout.contains("all valid") && stdout.contains(".pattern: valid"),
        "{stdout}"
    );
    for path in files_in(folder.path()) {
        let undamaged = fs::read(&path).unwrap();
        let mut damaged = undamaged.clone();
        damaged[undamaged.len() / 2] ^= 1;
        fs::write(&path, damaged).unwrap();
        let (status, stdout, _) = run_command(&mut puli(VERIFY, folder.path()));
        let is_file_of_puli = !path.ends_with("notes.txt");
        assert_eq!(
            status,
            Some(i32::from(is_file_of_puli)),
            "{}: {stdout}",
            path.display()
        );
        fs::write(&path, undamaged).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn reports_out_of_memory_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut out_of_memory_runs = 0;
    for limit in (160..=520).step_by(40) {
        let script = format!(
            "ulimit -v {limit}000; exec \"$0\" solve aadu-puli --goats 2 --threads 2 --out \"$1\""
        );
        let folder = folder.path().join(limit.to_string());
        let mut command = Command::new("bash");
        command
            .args(["-c", &script, env!("CARGO_BIN_EXE_puli")])
            .arg(folder);
        let (status, _, stderr) = run_command(&mut command);
        let is_out_of_memory = status == Some(1) && stderr.contains("out of memory");
        assert!(
            is_out_of_memory || status == Some(0),
            "{limit} MB: {status:?} {stderr}"
        );
        out_of_memory_runs += usize::from(is_out_of_memory);
    }
    assert!(
        (1..10).contains(&out_of_memory_runs),
        "{out_of_memory_runs}"
    );
}

#[test]
fn rejects_empty_folder_and_too_many_goats() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        puli(VERIFY, folder.path()).status().unwrap().code(),
        Some(1)
    );
    let too_many_goats = ["solve", "aadu-puli", "--goats", "16", "--out"];
    assert_eq!(
        puli(&too_many_goats, folder.path())
            .status()
            .unwrap()
            .code(),
        Some(2)
    );
}

/// Runs `puli solve` with `arguments`. Returns the exit status, the standard output and the standard error.
fn run_solve(arguments: &[&str]) -> (Option<i32>, String, String) {
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
        let (status, stdout, _) = run_solve(arguments);
        assert_eq!(status, Some(0), "{arguments:?}");
        assert_eq!(stdout.lines().last(), Some(start), "{arguments:?}");
    }
    let (_, stdout, _) = run_solve(&["huli-mane-ata", "--format", "json"]);
    let last = stdout.lines().last().unwrap();
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
        let (status, stdout, stderr) = run_solve(arguments);
        assert_eq!(status, Some(0), "{arguments:?}: {stderr}");
        assert_eq!(stdout.lines().last(), Some(last_line), "{arguments:?}");
        assert!(stdout.contains(expected), "{arguments:?}: {stdout}");
        assert!(
            stdout.contains(", expected: "),
            "a forecast comes first: {stdout}"
        );
        // For a game with fewer than 50,000 positions, the forecast has already counted all positions, so it is exact.
        let mut lines = stdout.lines();
        let actual = lines.find_map(|line| Some(line.split_once(" reachable positions")?.0));
        let actual =
            actual.filter(|actual| actual.parse::<u32>().is_ok_and(|actual| actual < 50_000));
        if let Some(actual) = actual {
            let forecast = format!(": {actual} positions, expected: ");
            assert!(stdout.contains(&forecast), "{stdout}");
        }
    }
    let last = |arguments: &[&str]| -> serde_json::Value {
        let (_, expected, _) = run_solve(&[arguments, &["--format", "json"]].concat());
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
fn rule_options_equal_lines_of_board_file() {
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
    let by_options = [&["huli-mane-ata"][..], &rules, &json].concat();
    let last = |arguments: &[&str]| {
        let (status, stdout, stderr) = run_solve(arguments);
        assert_eq!(status, Some(0), "{stderr}");
        stdout.lines().last().unwrap().to_string()
    };
    assert_eq!(last(&by_file), last(&by_options));
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
        (&["2048"], "far too little. --fen sets a smaller board"),
        (
            &["2048", "--fen", "0,0/0,0 t 0", "--keep", "file"],
            "--keep: games of chance",
        ),
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
        let (status, _, stderr) = run_solve(arguments);
        let is_about_memory = ["far too little", "may be used", "fit no memory", "10^30"]
            .iter()
            .any(|words| reason.contains(words));
        let expected = if is_about_memory { 1 } else { 2 };
        assert_eq!(status, Some(expected), "{arguments:?}: {stderr}");
        assert!(stderr.contains(reason), "{arguments:?}: {stderr}");
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let (status, _, stderr) = run_solve(&["juroku-musashi", "--out", out]);
    assert_eq!(status, Some(1), "{stderr}");
    let reason = "GiB of memory, and 8.0 GiB may be used";
    assert!(stderr.contains(reason), "{stderr}");
}

#[test]
fn solves_2048_on_small_boards() {
    let solve = |fen: &str, format: &str| {
        let arguments = ["2048", "--verify", "--fen", fen, "--format", format];
        let (status, stdout, stderr) = run_solve(&arguments);
        assert_eq!(status, Some(0), "{fen}: {stderr}");
        stdout
    };
    // The positions and the value that `tests/library/exact_2048.rs` computes by another program.
    let text = solve("0,0/0,0 t 0", "text");
    assert!(
        text.ends_with("start: 66.96 points still to come on average\n"),
        "{text}"
    );
    assert!(text.contains("\nverified: every value follows"), "{text}");
    let last = solve("0,0/0,0 t 0", "json");
    let last: serde_json::Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    let points = last["start"]["points"].as_f64().unwrap();
    assert!((points - 66.964_149).abs() < 1e-6, "{last}");
    assert!(last["positions"].as_u64().unwrap() > 500, "{last}");
    // Slides of equal value are all best.
    let text = solve("4,2/4,0 p 8", "text");
    assert!(text.contains("\nbest: up down\n"), "{text}");
}

/// These games have too many positions to be solved in memory. The error states the time and the memory that solving
/// into tables would take.
#[test]
fn rejects_game_too_large_for_memory_and_states_table_cost() {
    for (game, time, memory) in [("aadu-puli", " min", " GiB"), ("bagh-chal", " min", " GiB")] {
        let (status, stdout, stderr) = run_solve(&[game]);
        assert_eq!(status, Some(1), "{game}");
        let (_, forecast) = stdout.split_once("expected: ").expect("a forecast");
        assert!(
            forecast.contains(" h and ") || forecast.contains(" days and "),
            "{stdout}"
        );
        assert!(forecast.contains(" TiB of memory"), "{stdout}");
        let (_, advice) = stderr.split_once("With --out DIR").expect("advice");
        assert!(advice.contains(time) || advice.contains(" s,"), "{stderr}");
        assert!(advice.contains(memory), "{stderr}");
    }
}

/// The forecast estimates the number of positions up to symmetry by dividing by the number of symmetries. This is too
/// small if many positions are symmetric themselves. So such a forecast must say "about" instead of "at most".
#[test]
fn forecast_bound_is_not_exceeded() {
    for arguments in [
        &["refskak", "--prey", "4", "--reachable"][..],
        &["catch-the-hare", "--prey", "3", "--reachable"],
        &["tic-tac-toe", "--fen", "4 3 3 3/3/3/3 x"],
        &["hat-diviyan-keliya-large"],
    ] {
        let (status, stdout, stderr) = run_solve(&[arguments, &["--format", "json"]].concat());
        assert_eq!(status, Some(0), "{arguments:?}: {stderr}");
        let mut lines = stdout.lines();
        let mut next = || -> serde_json::Value {
            serde_json::from_str(lines.next().expect("a line")).expect("JSON")
        };
        let forecast = next()["forecast"].clone();
        let actual = next()["positions"].as_u64().expect("a number");
        let forecast_positions = forecast["positions"].as_u64().expect("a number");
        match forecast["precision"].as_str() {
            Some("exact") => assert_eq!(forecast_positions, actual, "{arguments:?}"),
            Some("at most") => assert!(actual <= forecast_positions, "{arguments:?}"),
            Some("about") => assert!(actual <= forecast_positions * 11 / 10, "{arguments:?}"),
            precision => panic!("{precision:?}"),
        }
    }
}

#[test]
fn killed_solver_resumes_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept");
    let kept = path.to_str().unwrap();
    let arguments = ["ludus-coriovalli", "--reachable"];
    let saved = [&arguments[..], &["--checkpoint", "0", "--keep", kept]].concat();
    let without_times = |text: &str| {
        let lines = text.lines();
        let lines = lines.filter(|line| !line.contains("expected:") && !line.contains("solved in"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let (status, whole, stderr) = run_solve(&arguments);
    assert_eq!(status, Some(0), "{stderr}");
    let mut killed = 0;
    for _ in 0..3 {
        let before = fs::metadata(&path).ok().map(|file| file.len());
        let mut child = Command::new(env!("CARGO_BIN_EXE_puli"))
            .arg("solve")
            .args(&saved)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Kill it after it has written another checkpoint.
        while fs::metadata(&path).ok().map(|file| file.len()) == before
            && child.try_wait().unwrap().is_none()
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        killed += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let verified = Command::new(env!("CARGO_BIN_EXE_puli"))
            .arg("verify")
            .arg(folder.path())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&verified.stdout).into_owned();
        assert!(text.contains("checksums valid, "), "{text}");
    }
    assert!(killed > 0);
    for _ in 0..2 {
        let (status, resumed, stderr) = run_solve(&saved);
        assert_eq!(status, Some(0), "{stderr}");
        assert_eq!(without_times(&resumed), without_times(&whole));
    }
    let (status, _, stderr) = run_solve(&["kaooa", "--keep", kept]);
    assert_eq!(status, Some(2));
    assert!(
        stderr
            .contains("is a solution position by position of another game; the file is unchanged"),
        "{stderr}"
    );
}
