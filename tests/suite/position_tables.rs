//! Tests tables of games that are solved position by position: `puli solve --out`, `puli verify` and `TablebasePath`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use puli::catalog;
use puli::engine::{Engine, LocatedText, Setup};
use puli::settings::Settings;

use crate::support::files_in;

/// Maximum time to solve a game in memory.
const MAX_WAIT: Duration = Duration::from_secs(300);

/// Positions of random games that are compared, per game.
const COMPARED: usize = 20;

fn puli(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(arguments)
        .arg(folder)
        .output()
        .unwrap()
}

/// Returns the engine of a variant, with the tables in `folder` alone or with the solver in memory alone.
fn engine(variant: &'static str, folder: Option<&Path>) -> Box<dyn Engine> {
    let mut settings = Settings {
        variant,
        hash: 1,
        ..Settings::default()
    };
    if let Some(folder) = folder {
        settings.tablebase_path = folder.display().to_string();
        settings.solve_limit = 0;
    }
    catalog::build(&settings).unwrap()
}

fn located(text: &str) -> LocatedText {
    let text = text.into();
    LocatedText { offset: 0, text }
}

/// Solves the game of `fen` into a folder, verifies the folder, and compares the answers of both engines.
fn expect_same_answers(variant: &'static str, fen: Option<&str>, in_memory: &mut dyn Engine) {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["solve", variant];
    arguments.extend(fen.into_iter().flat_map(|fen| ["--fen", fen]));
    arguments.push("--out");
    let solved = puli(&arguments, folder.path());
    assert!(solved.status.success(), "{variant}: {solved:?}");
    assert_eq!(files_in(folder.path()).len(), 1, "{variant}");
    let verified = puli(&["verify", "--positions", "50000"], folder.path());
    assert!(verified.status.success(), "{variant}: {verified:?}");

    let mut by_table = engine(variant, Some(folder.path()));
    let setup = fen.map_or(Setup::Start, |fen| Setup::Fen(located(fen)));
    let mut random = fastrand::Rng::with_seed(58);
    let mut moves: Vec<LocatedText> = Vec::new();
    for _ in 0..=COMPARED {
        in_memory.set(&setup, &moves).unwrap();
        by_table.set(&setup, &moves).unwrap();
        by_table.solve_if_small(MAX_WAIT);
        let (expected, found) = (in_memory.state(), by_table.state());
        assert_eq!(found.solved, expected.solved, "{variant} {}", found.fen);
        assert_eq!(found.expected, expected.expected, "{variant} {}", found.fen);
        match random.choice(&found.moves) {
            Some((m, _)) if moves.len() < 60 => moves.push(located(m)),
            _ => moves.clear(),
        }
    }
}

#[test]
fn all_games_within_the_limit_have_tables_with_equal_answers() {
    let mut solved = 0;
    for variant in catalog::all().chain(["tictactoe"]) {
        let mut in_memory = engine(variant, None);
        in_memory.solve_if_small(MAX_WAIT);
        if in_memory.state().solved.is_some() {
            expect_same_answers(variant, None, in_memory.as_mut());
            solved += 1;
        }
    }
    assert!(solved >= 16, "{solved} games");
}

#[test]
fn boards_that_a_fen_sets_have_their_own_tables() {
    for (variant, fen) in [
        ("tic-tac-toe", "3 4 3 4/4/4 x"),
        ("8-puzzle", "0,1/2,3/4,5 goal 0,1/2,3/4,5"),
        ("8-puzzle", "1,0,2/3,4,5 goal 1,0,2/3,4,5"),
        ("missionaries", "4 4 left of 4 4 boat 3"),
        ("tree", "[[-3.25,[17,[0.5,-2]]],2,[[12]]] min"),
        ("2048", "0,0/0,0 t 0"),
        ("2048", "0,0,0/0,0,0 t 0"),
    ] {
        let mut in_memory = engine(variant, None);
        in_memory.set(&Setup::Fen(located(fen)), &[]).unwrap();
        in_memory.solve_if_small(MAX_WAIT);
        let state = in_memory.state();
        assert!(state.solved.is_some() || state.expected.is_some(), "{fen}");
        expect_same_answers(variant, Some(fen), in_memory.as_mut());
    }
    let folder = tempfile::tempdir().unwrap();
    let fen = "3 3 3 3/1X1/3 o";
    let output = puli(
        &["solve", "tic-tac-toe", "--fen", fen, "--out"],
        folder.path(),
    );
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        error.contains("--fen must set its start, '3 3 3 3/3/3 x 1'"),
        "{error}"
    );
}

/// Returns the error of the engine about the tables in `folder`.
fn engine_error(folder: &Path) -> String {
    let commands = format!(
        "setoption name TablebasePath value {}\nsetoption name UCI_Variant value kaooa\ngo nodes 1",
        folder.display()
    );
    let mut arguments = Vec::new();
    for command in commands.lines() {
        arguments.extend(["-c", command]);
    }
    let output = Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("bestmove "), "{text}");
    let mut errors = text
        .lines()
        .filter_map(|line| line.strip_prefix("info string error: "));
    let error = errors.next().unwrap_or_default().to_string();
    assert_eq!(errors.next(), None, "{text}");
    error
}

#[test]
fn damaged_and_foreign_tables_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    assert!(
        puli(&["solve", "kaooa", "--out"], folder.path())
            .status
            .success()
    );
    assert_eq!(engine_error(folder.path()), "");
    let path = folder.path().join("kaooa.puli");
    let valid = fs::read(&path).unwrap();
    let other = tempfile::tempdir().unwrap();
    assert!(
        puli(&["solve", "huli-mane-ata", "--out"], other.path())
            .status
            .success()
    );
    let foreign = fs::read(other.path().join("huli-mane-ata.puli")).unwrap();
    let flipped = |at: usize| {
        let mut bytes = valid.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let end = valid.len();
    for (bytes, reason) in [
        (Vec::new(), "is not a table of positions"),
        (flipped(0), "is not a table of positions"),
        (flipped(8), "has version"),
        (flipped(40), "is damaged in its header"),
        (flipped(end - 20), "is damaged in its list of chunks"),
        (flipped(end - 1), "is cut short, or damaged at its end"),
        (valid[..end - 1].to_vec(), "is cut short"),
        (valid[..end / 2].to_vec(), "is cut short"),
        (
            foreign,
            "is of another game: it says 'huli-mane-ata', not 'kaooa'",
        ),
    ] {
        fs::write(&path, bytes).unwrap();
        let error = engine_error(folder.path());
        assert!(error.contains(reason), "{reason}: {error}");
        let verified = puli(&["verify"], folder.path());
        assert_eq!(verified.status.code(), Some(1), "{reason}");
    }
    // Damage inside a chunk is found by a probe. `auto` then solves the game in memory.
    fs::write(&path, flipped(end / 2)).unwrap();
    let verified = puli(&["verify"], folder.path());
    let text = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(text.contains("is damaged in chunk 0"), "{text}");
    fs::write(&path, &valid).unwrap();
    assert!(puli(&["verify"], folder.path()).status.success());
}

#[test]
fn wrong_expectations_and_points_are_found() {
    for (variant, fen) in [("2048", "0,0/0,0 t 0"), ("tree", "[[3,17],[2,12]]")] {
        let folder = tempfile::tempdir().unwrap();
        let solved = puli(&["solve", variant, "--fen", fen, "--out"], folder.path());
        assert!(solved.status.success(), "{solved:?}");
        let path = &files_in(folder.path())[0];
        let name = path.file_name().unwrap().to_owned();
        // Tables of other boards under the same name have another identity.
        let other = tempfile::tempdir().unwrap();
        let other_fen = if variant == "2048" {
            "0,0/0,0/0,0 t 0"
        } else {
            "[[3,17],[2,13]]"
        };
        let solved = puli(
            &["solve", variant, "--fen", other_fen, "--out"],
            other.path(),
        );
        assert!(solved.status.success(), "{solved:?}");
        let foreign = fs::read(&files_in(other.path())[0]).unwrap();
        let valid = fs::read(path).unwrap();
        let mut damaged = valid.clone();
        let middle = valid.len() / 2;
        damaged[middle] ^= 0x10;
        for (bytes, reason) in [
            (foreign, "must have the name of its game"),
            (damaged, "is damaged in "),
        ] {
            fs::write(folder.path().join(&name), bytes).unwrap();
            let verified = puli(&["verify"], folder.path());
            let text = String::from_utf8_lossy(&verified.stdout).into_owned();
            assert_eq!(verified.status.code(), Some(1), "{variant}: {text}");
            assert!(text.contains(reason), "{variant}: {text}");
        }
    }
}
