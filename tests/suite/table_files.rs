//! Solved tables in every state of ruin, over a real pipe: what is wrong with them is one error line, and play goes on as
//! it does without them.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::files_in;

/// One goat is left, in hand: tables of one goat know all about it.
const POSITION: &str = "T/2TT2/6/6/4 g 1";

const AADU_PULI: &str = "aadu-puli";

/// The tables of a game with so few goats.
fn solve(game: &str, goats: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(["solve", game, "--goats", goats, "--out"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    folder
}

/// What the engine says of the position, with the tables of a folder or without.
fn play(folder: Option<&Path>) -> Vec<String> {
    play_with(folder, "")
}

/// The same after other lines.
fn play_with(folder: Option<&Path>, first: &str) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_puli"))
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let tables = folder.map_or(String::new(), |folder| {
        format!("setoption name TablebasePath value {}\n", folder.display())
    });
    let input = format!("{tables}{first}position fen {POSITION}\ngo depth 6\n");
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(input.as_bytes()).unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(String::from).collect()
}

fn errors(lines: &[String]) -> Vec<&String> {
    let is_error = |line: &&String| line.starts_with("info string error:");
    lines.iter().filter(is_error).collect()
}

/// The moves found and their scores, ply by ply, and the move played.
fn found(lines: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for line in lines {
        if line.starts_with("bestmove") {
            found.push(line.clone());
        } else if let Some((depth, rest)) = line.split_once(" score ") {
            let score = rest.split(" nodes ").next().unwrap();
            found.push(format!("{depth} {score}"));
        }
    }
    found
}

/// Puts something in place of every table of one goat, and expects one error line that says so, and the play of an
/// engine without tables.
fn is_told_and_not_believed(ruin: impl Fn(&Path, Vec<u8>), what: &str) {
    let folder = solve(AADU_PULI, "1");
    for path in files_in(folder.path()) {
        let sound = fs::read(&path).unwrap();
        ruin(&path, sound);
    }
    let lines = play(Some(folder.path()));
    let errors = errors(&lines);
    assert_eq!(errors.len(), 1, "{what}: {lines:#?}");
    assert!(errors[0].contains(what), "{what}: {errors:?}");
    assert_eq!(found(&lines), found(&play(None)), "{what}");
}

/// Where the cubes of a table begin, and where the last one ends: the file's end tells.
fn cubes(table: &[u8]) -> Vec<usize> {
    let text = String::from_utf8_lossy(&table[16..2000]);
    let sets = text.lines().find_map(|line| line.strip_prefix("sets "));
    let sets: usize = sets.unwrap().parse().unwrap();
    let end = table.len() - 12 - 4 - 8 * sets;
    let beginnings = table[end..].as_chunks::<8>().0[..sets].iter();
    let beginnings = beginnings.map(|bytes| u64::from_le_bytes(*bytes) as usize);
    beginnings.chain([end]).collect()
}

#[test]
fn sound_tables_are_played_from_and_say_nothing() {
    let folder = solve(AADU_PULI, "1");
    let lines = play(Some(folder.path()));
    assert_eq!(errors(&lines), Vec::<&String>::new());
    assert!(
        lines.iter().any(|line| line.contains(" score mate -7 ")),
        "{lines:#?}"
    );
    assert!(
        lines.iter().any(|line| line.contains(" tbhits ")),
        "{lines:#?}"
    );
}

#[test]
fn an_algorithm_that_is_not_for_games_asks_them_as_auto_does() {
    let folder = solve(AADU_PULI, "1");
    let lines = play_with(Some(folder.path()), "setoption name Algorithm value bfs\n");
    assert!(
        lines[0].starts_with("info string bfs does not run here, auto runs instead"),
        "{lines:#?}"
    );
    assert_eq!(found(&lines), found(&play(Some(folder.path()))));
}

#[test]
fn a_flipped_byte_is_told_wherever_it_is() {
    let flip = |at: fn(&[u8]) -> Vec<usize>| {
        move |path: &Path, mut bytes: Vec<u8>| {
            for at in at(&bytes) {
                bytes[at] ^= 0x10;
            }
            fs::write(path, bytes).unwrap();
        }
    };
    is_told_and_not_believed(flip(|_| vec![0]), "is not a table");
    is_told_and_not_believed(flip(|_| vec![8]), "has version");
    is_told_and_not_believed(flip(|_| vec![100]), "is damaged in its header");
    is_told_and_not_believed(flip(cubes_first), "is damaged in cube");
    is_told_and_not_believed(flip(cubes_last), "is damaged in cube");
    is_told_and_not_believed(
        flip(|table| vec![table.len() - 1000]),
        "is damaged in its table of cubes",
    );
    is_told_and_not_believed(flip(|table| vec![table.len() - 1]), "damaged at its end");
}

/// The first byte of the index of every cube.
fn cubes_first(table: &[u8]) -> Vec<usize> {
    let mut beginnings = cubes(table);
    beginnings.pop();
    beginnings
}

/// The last byte of the values of every cube.
fn cubes_last(table: &[u8]) -> Vec<usize> {
    cubes(table)[1..].iter().map(|end| end - 1).collect()
}

#[test]
fn a_file_that_is_no_table_is_told() {
    is_told_and_not_believed(|path, _| fs::write(path, "").unwrap(), "is not a table");
    let garbage = |path: &Path, bytes: Vec<u8>| fs::write(path, vec![b'#'; bytes.len()]).unwrap();
    is_told_and_not_believed(garbage, "is not a table");
    let cut = |path: &Path, bytes: Vec<u8>| fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    is_told_and_not_believed(cut, "is cut short");
    let longer = |path: &Path, mut bytes: Vec<u8>| {
        bytes.push(0);
        fs::write(path, bytes).unwrap();
    };
    is_told_and_not_believed(longer, "is cut short, or damaged at its end");
    let directory = |path: &Path, _| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    };
    is_told_and_not_believed(directory, "cannot be read");
}

#[test]
fn a_table_of_another_game_is_told() {
    for (game, goats, what) in [
        ("bagh-chal", "1", "'board bagh-chal'"),
        (AADU_PULI, "2", "'goats 2'"),
    ] {
        let other = solve(game, goats);
        let other = &files_in(other.path())[0];
        let bytes = fs::read(other).unwrap();
        is_told_and_not_believed(|path, _| fs::write(path, &bytes).unwrap(), what);
    }
}

#[test]
fn a_layer_missing_between_others_is_told() {
    let folder = solve(AADU_PULI, "1");
    fs::remove_file(folder.path().join("aadu-puli-01-00t.puli")).unwrap();
    let lines = play(Some(folder.path()));
    let errors = errors(&lines);
    assert!(
        matches!(errors[..], [one] if one.ends_with("00t.puli is missing")),
        "{lines:#?}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("bestmove ") && !line.contains("none"))
    );
}

#[test]
fn a_folder_that_is_not_there_or_empty_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path(), Path::new("/there/is/no/such/folder")] {
        let lines = play(Some(path));
        assert_eq!(errors(&lines).len(), 1, "{lines:#?}");
        assert_eq!(found(&lines), found(&play(None)));
    }
}
