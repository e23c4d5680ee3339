//! `puli gather` and `puli fit`: positions of any board whose values are known or played out, and the network made of them.

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

/// Of every position the verdict, the goats in hand and who is to move.
fn rows(told: &str) -> Vec<[u32; 3]> {
    let row = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words.len(), 5, "{line}");
        let sets = [words[3], words[4]].map(|word| u64::from_str_radix(word, 16).unwrap());
        assert_eq!(sets[0] & sets[1], 0, "{line}");
        [0, 1, 2].map(|place| words[place].parse().unwrap())
    };
    told.lines().skip(1).map(row).collect()
}

#[test]
fn positions_of_any_board_are_gathered_whether_it_is_solved_or_not() {
    for (arguments, goats) in [
        (&["kaooa", "--games", "30"][..], 7),
        (&["haretavl", "--games", "10"], 3),
        (&["refskak", "--games", "4", "--outcomes"], 13),
        (&["sumi-naga", "--games", "4", "--outcomes"], 20),
    ] {
        let (status, told, complaint) = gathered(arguments);
        assert_eq!(status, Some(0), "{arguments:?}: {complaint}");
        let head = format!("game {}", arguments[0]);
        assert_eq!(told.lines().next(), Some(&*head));
        let rows = rows(&told);
        assert!(rows.len() > 20, "{arguments:?}: {} positions", rows.len());
        for [verdict, hand, side] in rows {
            assert!(verdict <= 2 && hand <= goats && side <= 1);
        }
        // All of it follows from the seed.
        assert_eq!(gathered(arguments).1, told);
    }
    // All prey of Haretavl win, whatever happens.
    let (_, told, _) = gathered(&["haretavl", "--games", "10"]);
    assert!(rows(&told).iter().all(|row| row[0] == 2));
    let (_, told, _) = gathered(&["kaooa", "--games", "30"]);
    let has = |verdict| rows(&told).iter().any(|row| row[0] == verdict);
    assert!(has(0) && has(1) && has(2));
}

#[test]
fn what_cannot_be_gathered_is_refused_with_the_reason() {
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
        let (status, told, complaint) = gathered(arguments);
        assert_eq!((status, &*told), (Some(2), ""), "{arguments:?}");
        assert!(complaint.contains(reason), "{arguments:?}: {complaint}");
    }
}

/// What the engine says to these commands.
fn said(commands: &[&str]) -> String {
    let arguments = commands.iter().flat_map(|command| ["-c", command]);
    puli(&arguments.collect::<Vec<_>>()).1
}

/// A network for Kaooa in a folder, and the positions it was made of.
fn made(folder: &Path) -> [String; 2] {
    let paths = ["positions", "kaooa.net"].map(|name| folder.join(name).display().to_string());
    let (_, told, _) = gathered(&["kaooa", "--games", "300", "--algorithm", "pvs"]);
    fs::write(&paths[0], told).unwrap();
    let (status, told, complaint) = puli(&["fit", "kaooa", &paths[0], "--out", &paths[1]]);
    assert_eq!(status, Some(0), "{complaint}");
    assert!(told.contains("epoch 5: loss "), "{told}");
    paths
}

#[test]
fn auto_plays_by_a_network_that_was_made_of_positions() {
    let folder = tempfile::tempdir().unwrap();
    let [positions, network] = made(folder.path());
    let variant = "setoption name UCI_Variant value kaooa";
    let eval_file = format!("setoption name EvalFile value {network}");
    let before = said(&[variant, "eval"]);
    assert!(!before.contains("Evaluation of auto"), "{before}");
    let after = said(&[
        variant,
        &eval_file,
        "position startpos moves a1",
        "eval",
        "go nodes 2000",
    ]);
    assert!(after.contains("Evaluation of auto: "), "{after}");
    assert!(after.contains("bestmove "), "{after}");
    // With the option empty, it is as it was, and the position stays.
    let forgotten = said(&[
        variant,
        &eval_file,
        "position startpos moves a1",
        "setoption name EvalFile value",
        "eval",
    ]);
    assert_eq!(
        forgotten,
        said(&[variant, "position startpos moves a1", "eval"])
    );
    // What is no network of the game that is played is refused, and nothing changes.
    let refused = said(&[&eval_file, "eval"]);
    assert!(
        refused.contains("it is for another game than aadu-puli"),
        "{refused}"
    );
    assert!(refused.ends_with(&said(&["eval"])), "{refused}");
    // The same positions make the same network.
    let bytes = fs::read(&network).unwrap();
    fs::remove_file(&network).unwrap();
    let again = puli(&["fit", "kaooa", &positions, "--out", &network]);
    assert_eq!(again.0, Some(0));
    assert_eq!(fs::read(&network).unwrap(), bytes);
}

/// The loss that a line of `puli fit` tells of positions not learned from.
fn held_out(told: &str, begin: &str) -> f64 {
    let line = told.lines().find(|line| line.starts_with(begin)).unwrap();
    let (_, loss) = line.rsplit_once("held out ").unwrap();
    loss.parse().unwrap()
}

#[test]
fn a_network_goes_on_from_one_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let [positions, network] = made(folder.path());
    let second = folder.path().join("second.net").display().to_string();
    let fit = |from: &str, more: &[&str]| {
        let mut arguments = vec![
            "fit", "kaooa", &positions, "--from", from, "--force", "--out", &second,
        ];
        arguments.extend(more);
        puli(&arguments)
    };
    let (status, told, complaint) = fit(&network, &["--epochs", "2", "--rate", "0.002"]);
    assert_eq!(status, Some(0), "{complaint}");
    let (before, after) = (held_out(&told, "before: "), held_out(&told, "epoch 2: "));
    assert!(after <= before, "{told}");
    // What it begins with is what the first had come to, but for the rounding.
    let (_, told, _) = puli(&["fit", "kaooa", &positions, "--force", "--out", &second]);
    let first = held_out(&told, "epoch 5: ");
    assert!((before - first).abs() < 0.01, "{before}, {first}");
    // A network of another game is none to go on from.
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
fn what_cannot_be_fitted_is_refused_with_its_place() {
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
fn equal_fittings_make_equal_files_wherever_they_lie() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::create_dir(path("elsewhere")).unwrap();
    let (_, told, _) = gathered(&["kaooa", "--games", "30"]);
    let inputs = [path("positions"), path("elsewhere/the same positions")];
    for input in &inputs {
        fs::write(input, &told).unwrap();
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
