//! Tests `puli gather` and `puli fit`: positions with solved or played values, and the networks fitted to them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

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

fn gathered(arguments: &[&str]) -> (Option<i32>, String, String) {
    puli(&[&["gather"], arguments].concat())
}

/// Returns the verdict, the goats in hand and the side to move of every position.
fn rows(printed: &str) -> Vec<[u32; 3]> {
    let row = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words.len(), 5, "{line}");
        let sets = [words[3], words[4]].map(|word| u64::from_str_radix(word, 16).unwrap());
        assert_eq!(sets[0] & sets[1], 0, "{line}");
        [0, 1, 2].map(|place| words[place].parse().unwrap())
    };
    printed.lines().skip(1).map(row).collect()
}

#[test]
fn gathers_positions_of_solved_and_unsolved_boards() {
    for (arguments, goats) in [
        (&["kaooa", "--games", "30"][..], 7),
        (&["haretavl", "--games", "10"], 3),
        (&["refskak", "--games", "4", "--outcomes"], 13),
        (&["sumi-naga", "--games", "4", "--outcomes"], 20),
    ] {
        let (status, printed, complaint) = gathered(arguments);
        assert_eq!(status, Some(0), "{arguments:?}: {complaint}");
        let head = format!("game {}", arguments[0]);
        assert_eq!(printed.lines().next(), Some(&*head));
        let rows = rows(&printed);
        assert!(rows.len() > 20, "{arguments:?}: {} positions", rows.len());
        for [verdict, hand, side] in rows {
            assert!(verdict <= 2 && hand <= goats && side <= 1);
        }
        // The output depends only on the seed.
        assert_eq!(gathered(arguments).1, printed);
    }
    // The prey of Haretavl win every game.
    let (_, printed, _) = gathered(&["haretavl", "--games", "10"]);
    assert!(rows(&printed).iter().all(|row| row[0] == 2));
    let (_, printed, _) = gathered(&["kaooa", "--games", "30"]);
    let has = |verdict| rows(&printed).iter().any(|row| row[0] == verdict);
    assert!(has(0) && has(1) && has(2));
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
        let (status, printed, complaint) = gathered(arguments);
        assert_eq!((status, &*printed), (Some(2), ""), "{arguments:?}");
        assert!(complaint.contains(reason), "{arguments:?}: {complaint}");
    }
}

/// Returns the output of a session with these commands.
fn session_output(commands: &[&str]) -> String {
    let arguments = commands.iter().flat_map(|command| ["-c", command]);
    puli(&arguments.collect::<Vec<_>>()).1
}

/// Writes positions of Kaooa and a network fitted to them. Returns both paths.
fn fit_network(folder: &Path) -> [String; 2] {
    let paths = ["positions", "kaooa.net"].map(|name| folder.join(name).display().to_string());
    let (_, printed, _) = gathered(&["kaooa", "--games", "300", "--algorithm", "pvs"]);
    fs::write(&paths[0], printed).unwrap();
    let (status, printed, complaint) = puli(&["fit", "kaooa", &paths[0], "--out", &paths[1]]);
    assert_eq!(status, Some(0), "{complaint}");
    assert!(printed.contains("epoch 5: loss "), "{printed}");
    paths
}

#[test]
fn auto_uses_network_fitted_to_positions() {
    let folder = tempfile::tempdir().unwrap();
    let [positions, network] = fit_network(folder.path());
    let variant = "setoption name UCI_Variant value kaooa";
    let eval_file = format!("setoption name EvalFile value {network}");
    let before = session_output(&[variant, "eval"]);
    assert!(!before.contains("Evaluation of auto"), "{before}");
    let after = session_output(&[
        variant,
        &eval_file,
        "position startpos moves a1",
        "eval",
        "go nodes 2000",
    ]);
    assert!(after.contains("Evaluation of auto: "), "{after}");
    assert!(after.contains("bestmove "), "{after}");
    // An empty option restores the evaluation without a network and keeps the position.
    let forgotten = session_output(&[
        variant,
        &eval_file,
        "position startpos moves a1",
        "setoption name EvalFile value",
        "eval",
    ]);
    assert_eq!(
        forgotten,
        session_output(&[variant, "position startpos moves a1", "eval"])
    );
    // A file that is no network of this game is rejected, and nothing changes.
    let refused = session_output(&[&eval_file, "eval"]);
    assert!(
        refused.contains("it is for another game than aadu-puli"),
        "{refused}"
    );
    assert!(refused.ends_with(&session_output(&["eval"])), "{refused}");
    // The same positions give the same network.
    let bytes = fs::read(&network).unwrap();
    fs::remove_file(&network).unwrap();
    let again = puli(&["fit", "kaooa", &positions, "--out", &network]);
    assert_eq!(again.0, Some(0));
    assert_eq!(fs::read(&network).unwrap(), bytes);
}

/// Returns the validation loss in a line of `puli fit`'s output.
fn validation_loss(printed: &str, begin: &str) -> f64 {
    let line = printed
        .lines()
        .find(|line| line.starts_with(begin))
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
    let (status, printed, complaint) = fit(&network, &["--epochs", "2", "--rate", "0.002"]);
    assert_eq!(status, Some(0), "{complaint}");
    let (before, after) = (
        validation_loss(&printed, "before training: "),
        validation_loss(&printed, "epoch 2: "),
    );
    assert!(after <= before, "{printed}");
    // The loss at the start equals the final loss of the first fit, up to rounding.
    let (_, printed, _) = puli(&["fit", "kaooa", &positions, "--force", "--out", &second]);
    let first = validation_loss(&printed, "epoch 5: ");
    assert!((before - first).abs() < 0.01, "{before}, {first}");
    // A network of another game is rejected as a start.
    fs::remove_file(&second).unwrap();
    let (status, _, complaint) = fit("src/games/hunt/networks/aadu-puli.net", &[]);
    assert_eq!(status, Some(2));
    assert!(
        complaint.contains("it is for another game than kaooa"),
        "{complaint}"
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
        let (status, _, complaint) = puli(&["fit", "kaooa", &path, "--out", &out]);
        assert_eq!(status, Some(2), "{text}");
        assert!(complaint.contains(reason), "{text}: {complaint}");
        assert!(!Path::new(&out).exists());
    }
    for positions in ["nowhere", "/dev/zero", &folder.path().display().to_string()] {
        let (status, _, complaint) = puli(&["fit", "kaooa", positions, "--out", &out]);
        assert_eq!(status, Some(2));
        let reason = format!("{positions} cannot be read");
        assert!(complaint.contains(&reason), "{complaint}");
    }
}

#[test]
fn equal_fits_give_equal_files_in_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::create_dir(path("elsewhere")).unwrap();
    let (_, printed, _) = gathered(&["kaooa", "--games", "30"]);
    let inputs = [path("positions"), path("elsewhere/the same positions")];
    for input in &inputs {
        fs::write(input, &printed).unwrap();
    }
    let fitted = |input: &str, out: &str, more: &[&str]| {
        let out = path(out);
        let words = ["fit", "kaooa", input, "--epochs", "1", "--out", &out];
        let (status, _, complaint) = puli(&[&words, more].concat());
        assert_eq!(status, Some(0), "{complaint}");
        fs::read(out).unwrap()
    };
    let [one, other] = [(&inputs[0], "one.net"), (&inputs[1], "elsewhere/other.net")]
        .map(|(input, out)| fitted(input, out, &[]));
    assert!(one == other);
    assert!(fitted(&inputs[0], "third.net", &["--seed", "2"]) != one);
    let on = |from: &str, out: &str| fitted(&inputs[0], out, &["--from", &path(from)]);
    let further = on("one.net", "further.net");
    assert!(further == on("elsewhere/other.net", "elsewhere/further.net"));
    for bytes in [one, further] {
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("puli fit kaooa --epochs 1"));
        assert!(!text.contains(folder.path().to_str().unwrap()));
    }
}
