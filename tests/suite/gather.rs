//! Tests `puli gather`, which prints positions with their verdicts, and `puli fit`, which fits a network to them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs Puli. Returns the exit status, the standard output and the standard error.
fn puli(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Runs `puli gather` with these arguments.
fn gather(arguments: &[&str]) -> (Option<i32>, String, String) {
    puli(&[&["gather"], arguments].concat())
}

/// Returns the verdict, the goats in hand and the side to move of every position in the output of `puli gather`.
fn rows(stdout: &str) -> Vec<[u32; 3]> {
    let row = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words.len(), 5, "{line}");
        let sets = [words[3], words[4]].map(|word| u64::from_str_radix(word, 16).unwrap());
        assert_eq!(sets[0] & sets[1], 0, "{line}");
        [0, 1, 2].map(|index| words[index].parse().unwrap())
    };
    stdout.lines().skip(1).map(row).collect()
}

#[test]
fn gathers_positions_of_solved_and_unsolved_boards() {
    for (arguments, goats) in [
        (&["kaooa", "--games", "30"][..], 7),
        (&["haretavl", "--games", "10"], 3),
        (&["refskak", "--games", "4", "--outcomes"], 13),
        (&["sumi-naga", "--games", "4", "--outcomes"], 20),
    ] {
        let (status, stdout, stderr) = gather(arguments);
        assert_eq!(status, Some(0), "{arguments:?}: {stderr}");
        let head = format!("game {}", arguments[0]);
        assert_eq!(stdout.lines().next(), Some(&*head));
        let rows = rows(&stdout);
        assert!(rows.len() > 20, "{arguments:?}: {} positions", rows.len());
        for [verdict, hand, side] in rows {
            assert!(verdict <= 2 && hand <= goats && side <= 1);
        }
        // A second run prints the same positions, because its seed is the same.
        assert_eq!(gather(arguments).1, stdout);
    }
    // The prey of Haretavl win every game.
    let (_, stdout, _) = gather(&["haretavl", "--games", "10"]);
    assert!(rows(&stdout).iter().all(|row| row[0] == 2));
    let (_, stdout, _) = gather(&["kaooa", "--games", "30"]);
    let has = |verdict| rows(&stdout).iter().any(|row| row[0] == verdict);
    assert!(has(0) && has(1) && has(2));
}

#[test]
fn gathers_points_with_values_or_results() {
    // The crows of Kaooa win from the start, where their 7 pieces count 28 points.
    for (arguments, start) in [
        (&["kaooa", "--games", "30"][..], "start 2 0 28 165 curve"),
        (
            &["kaooa", "--games", "4", "--outcomes"],
            "start ? 0 28 165 curve",
        ),
    ] {
        let arguments = [arguments, &["--points"]].concat();
        let (status, stdout, stderr) = gather(&arguments);
        assert_eq!(status, Some(0), "{arguments:?}: {stderr}");
        let mut lines = stdout.lines();
        assert_eq!(lines.next(), Some("game kaooa"));
        assert_eq!(lines.next(), Some(start));
        let mut sides = [0, 0];
        for line in lines {
            let numbers: Vec<i32> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            let &[verdict, side, points, log_odds] = &numbers[..] else {
                panic!("{line}");
            };
            // The curve of Kaooa is even at 16.3 points.
            assert_eq!(log_odds > 0, points > 16, "{line}");
            assert!((0..=2).contains(&verdict) && points.abs() < 100, "{line}");
            sides[side as usize] += 1;
        }
        assert!(sides.iter().all(|&number| number > 10), "{sides:?}");
        assert_eq!(gather(&arguments).1, stdout);
    }
}

#[test]
fn rejects_bad_gather_arguments_with_reason() {
    for (arguments, reason) in [
        (&["chess"][..], "chess"),
        (&["sumi-naga"], "or the results of games with --outcomes"),
        (&["kaooa", "--tables", "nowhere"], "kaooa has no tables: "),
        (&["aadu-puli", "--tables", "nowhere"], "nowhere"),
        (
            &["kaooa", "--algorithm", "astar"],
            "kaooa has no algorithm 'astar'",
        ),
    ] {
        let (status, stdout, stderr) = gather(arguments);
        assert_eq!((status, &*stdout), (Some(2), ""), "{arguments:?}");
        assert!(stderr.contains(reason), "{arguments:?}: {stderr}");
    }
}

/// Returns the output of a UGI session with these commands.
fn session_output(commands: &[&str]) -> String {
    let arguments = commands.iter().flat_map(|command| ["-c", command]);
    puli(&arguments.collect::<Vec<_>>()).1
}

/// Writes positions of Kaooa and a network fitted to them. Returns both paths.
fn fit_network(folder: &Path) -> [String; 2] {
    let paths = ["positions", "kaooa.net"].map(|name| folder.join(name).display().to_string());
    let (_, stdout, _) = gather(&["kaooa", "--games", "300", "--algorithm", "pvs"]);
    fs::write(&paths[0], stdout).unwrap();
    let (status, stdout, stderr) = puli(&["fit", "kaooa", &paths[0], "--out", &paths[1]]);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("epoch 5: loss "), "{stdout}");
    paths
}

#[test]
fn auto_uses_network_fitted_to_positions() {
    let folder = tempfile::tempdir().unwrap();
    let [positions, network] = fit_network(folder.path());
    let variant = "setoption name UCI_Variant value kaooa";
    let eval_file = format!("setoption name EvalFile value {network}");
    let before = session_output(&[variant, "eval"]);
    assert!(before.contains("Evaluation of auto: "), "{before}");
    assert!(!before.contains("nearness: "), "{before}");
    let after = session_output(&[
        variant,
        &eval_file,
        "position startpos moves a1",
        "eval",
        "go nodes 2000",
    ]);
    assert!(after.contains("Evaluation of auto: "), "{after}");
    assert!(after.contains("bestmove "), "{after}");
    // Setting the option to nothing removes the network and keeps the position.
    let without_network = session_output(&[
        variant,
        &eval_file,
        "position startpos moves a1",
        "setoption name EvalFile value",
        "eval",
    ]);
    assert_eq!(
        without_network,
        session_output(&[variant, "position startpos moves a1", "eval"])
    );
    // The network of another game is rejected, and the evaluation remains the same.
    let after_rejection = session_output(&[&eval_file, "eval"]);
    assert!(
        after_rejection.contains("it is for kaooa, expected aadu-puli"),
        "{after_rejection}"
    );
    assert!(
        after_rejection.ends_with(&session_output(&["eval"])),
        "{after_rejection}"
    );
    // A second fit to the same positions gives the same network.
    let bytes = fs::read(&network).unwrap();
    fs::remove_file(&network).unwrap();
    let second_fit = puli(&["fit", "kaooa", &positions, "--out", &network]);
    assert_eq!(second_fit.0, Some(0));
    assert_eq!(fs::read(&network).unwrap(), bytes);
}

/// Returns the validation loss in a line of `puli fit`'s output.
fn validation_loss(stdout: &str, line_start: &str) -> f64 {
    let line = stdout
        .lines()
        .find(|line| line.starts_with(line_start))
        .unwrap();
    let (_, loss) = line.rsplit_once("held out ").unwrap();
    loss.parse().unwrap()
}

#[test]
fn fit_continues_from_existing_network() {
    let folder = tempfile::tempdir().unwrap();
    let [positions, network] = fit_network(folder.path());
    let second = folder.path().join("second.net").display().to_string();
    let fit = |from: &str, more: &[&str]| {
        let mut arguments = vec![
            "fit", "kaooa", &positions, "--from", from, "--force", "--out", &second,
        ];
        arguments.extend(more);
        puli(&arguments)
    };
    let (status, stdout, stderr) = fit(&network, &["--epochs", "2", "--rate", "0.002"]);
    assert_eq!(status, Some(0), "{stderr}");
    let (before, after) = (
        validation_loss(&stdout, "before training: "),
        validation_loss(&stdout, "epoch 2: "),
    );
    assert!(after <= before, "{stdout}");
    // The loss before training equals the loss after the last epoch of the first fit, up to rounding.
    let (_, stdout, _) = puli(&["fit", "kaooa", &positions, "--force", "--out", &second]);
    let first = validation_loss(&stdout, "epoch 5: ");
    assert!((before - first).abs() < 0.01, "{before}, {first}");
    // A network of another game is rejected as a start.
    fs::remove_file(&second).unwrap();
    let (status, _, stderr) = fit("src/games/hunt/networks/aadu-puli.net", &[]);
    assert_eq!(status, Some(2));
    assert!(
        stderr.contains("it is for aadu-puli, expected kaooa"),
        "{stderr}"
    );
    assert!(!Path::new(&second).exists());
}

#[test]
fn rejects_bad_positions_with_line_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions").display().to_string();
    let out = folder.path().join("out.net").display().to_string();
    for (text, reason) in [
        ("", "line 1: expected 'game kaooa'"),
        ("game aadu-puli\n", "line 1: expected 'game kaooa'"),
        (
            "game kaooa\n1 7 0 1 2\n",
            "line 2: expected a position of kaooa",
        ),
        (
            "game kaooa\n1 7 1 0 0\nx\n",
            "line 3: expected a position of kaooa",
        ),
        ("game kaooa\n1 7 1 0 0\n", "positions are too few"),
    ] {
        fs::write(&path, text).unwrap();
        let (status, _, stderr) = puli(&["fit", "kaooa", &path, "--out", &out]);
        assert_eq!(status, Some(2), "{text}");
        assert!(stderr.contains(reason), "{text}: {stderr}");
        assert!(!Path::new(&out).exists());
    }
    for positions in ["nowhere", "/dev/zero", &folder.path().display().to_string()] {
        let (status, _, stderr) = puli(&["fit", "kaooa", positions, "--out", &out]);
        assert_eq!(status, Some(2));
        let reason = format!("{positions} cannot be read");
        assert!(stderr.contains(&reason), "{stderr}");
    }
}

#[test]
fn equal_fits_give_equal_files_in_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::create_dir(path("elsewhere")).unwrap();
    let (_, stdout, _) = gather(&["kaooa", "--games", "30"]);
    let inputs = [path("positions"), path("elsewhere/the same positions")];
    for input in &inputs {
        fs::write(input, &stdout).unwrap();
    }
    let fit = |input: &str, out: &str, more: &[&str]| {
        let out = path(out);
        let words = ["fit", "kaooa", input, "--epochs", "1", "--out", &out];
        let (status, _, stderr) = puli(&[&words, more].concat());
        assert_eq!(status, Some(0), "{stderr}");
        fs::read(out).unwrap()
    };
    let [first, second] = [(&inputs[0], "one.net"), (&inputs[1], "elsewhere/other.net")]
        .map(|(input, out)| fit(input, out, &[]));
    assert!(first == second);
    assert!(fit(&inputs[0], "third.net", &["--seed", "2"]) != first);
    let fit_from = |from: &str, out: &str| fit(&inputs[0], out, &["--from", &path(from)]);
    let first_continued = fit_from("one.net", "further.net");
    assert!(first_continued == fit_from("elsewhere/other.net", "elsewhere/further.net"));
    for bytes in [first, first_continued] {
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("puli fit kaooa --epochs 1"));
        assert!(!text.contains(folder.path().to_str().unwrap()));
    }
    // Fewer units, a penalty and a coarser step each make the file smaller.
    let sizes = [
        "--units 128",
        "--units 32",
        "--units 32 --sparsity 0.01",
        "--units 32 --step 8",
    ];
    let sizes = sizes.map(|options| {
        let options: Vec<&str> = options.split(' ').collect();
        fit(&inputs[0], &format!("{}.net", options.join("")), &options).len()
    });
    assert!(sizes[0] > 2 * sizes[1], "{sizes:?}");
    assert!(sizes[1] > sizes[2] && sizes[1] > sizes[3], "{sizes:?}");
}

#[test]
fn rejects_impossible_options_of_networks() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.net").display().to_string();
    for (option, value, reason) in [
        ("--units", "48", "expected 32, 64 or 128"),
        ("--step", "3", "expected 1, 2, 4 or 8"),
        ("--sparsity", "-1", "expected a number from 0 to 1"),
    ] {
        let option = format!("{option}={value}");
        let (status, _, stderr) = puli(&["fit", "kaooa", "nowhere", "--out", &out, &option]);
        assert_eq!(status, Some(2), "{option}");
        assert!(stderr.contains(reason), "{option}: {stderr}");
    }
    // The network of --from has its number of units already.
    let words = [
        "fit", "kaooa", "nowhere", "--out", &out, "--from", &out, "--units", "32",
    ];
    let (status, _, stderr) = puli(&words);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("--units"), "{stderr}");
}
