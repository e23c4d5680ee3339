//! Tests sessions with damaged, wrong or missing table files. The program reports one error line and searches as
//! without tables.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::files_in;

/// A position whose only goat is still in hand. All later positions are in the tables for one goat.
const POSITION: &str = "T/2TT2/6/6/4 g 1";

const AADU_PULI: &str = "aadu-puli";

/// Solves `game` with `goats` goats and returns the folder of the tables.
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

/// Searches [`POSITION`], with the tables in `folder` or without tables. Returns the output.
fn search(folder: Option<&Path>) -> Vec<String> {
    search_after(folder, "")
}

/// Sends the commands `first` and then searches like [`search`].
fn search_after(folder: Option<&Path>, first: &str) -> Vec<String> {
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

/// Returns the depths, scores and best moves in the output of a search.
fn results(lines: &[String]) -> Vec<String> {
    let mut results = Vec::new();
    for line in lines {
        if line.starts_with("bestmove") {
            results.push(line.clone());
        } else if let Some((depth, rest)) = line.split_once(" score ") {
            let score = rest.split(" nodes ").next().unwrap();
            results.push(format!("{depth} {score}"));
        }
    }
    results
}

/// Calls `damage` with the path and the content of every table of Aadu Puli with one goat. Expects one error line that
/// contains `message`, and the same search as without tables.
fn expect_error_and_search_without_tables(damage: impl Fn(&Path, Vec<u8>), message: &str) {
    let folder = solve(AADU_PULI, "1");
    for path in files_in(folder.path()) {
        let undamaged = fs::read(&path).unwrap();
        damage(&path, undamaged);
    }
    let lines = search(Some(folder.path()));
    let errors = errors(&lines);
    assert_eq!(errors.len(), 1, "{message}: {lines:#?}");
    assert!(errors[0].contains(message), "{message}: {errors:?}");
    assert_eq!(results(&lines), results(&search(None)), "{message}");
}

/// Returns where each cube of a table begins and where the last one ends. The offsets are stored at the end of the
/// file.
fn cube_offsets(table: &[u8]) -> Vec<usize> {
    let text = String::from_utf8_lossy(&table[16..2000]);
    let sets = text.lines().find_map(|line| line.strip_prefix("sets "));
    let sets: usize = sets.unwrap().parse().unwrap();
    let end = table.len() - 12 - 4 - 8 * sets;
    let offsets = table[end..].as_chunks::<8>().0[..sets].iter();
    let offsets = offsets.map(|bytes| u64::from_le_bytes(*bytes) as usize);
    offsets.chain([end]).collect()
}

#[test]
fn valid_tables_are_used_without_message() {
    let folder = solve(AADU_PULI, "1");
    let lines = search(Some(folder.path()));
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
fn unavailable_algorithm_falls_back_to_auto_with_tables() {
    let folder = solve(AADU_PULI, "1");
    let lines = search_after(Some(folder.path()), "setoption name Algorithm value bfs\n");
    assert!(
        lines[0].starts_with("info string bfs is not available for this game, auto runs instead"),
        "{lines:#?}"
    );
    assert_eq!(results(&lines), results(&search(Some(folder.path()))));
}

#[test]
fn reports_flipped_byte_in_every_part() {
    let flip = |offsets_of: fn(&[u8]) -> Vec<usize>| {
        move |path: &Path, mut bytes: Vec<u8>| {
            for offset in offsets_of(&bytes) {
                bytes[offset] ^= 0x10;
            }
            fs::write(path, bytes).unwrap();
        }
    };
    expect_error_and_search_without_tables(flip(|_| vec![0]), "is not a table");
    expect_error_and_search_without_tables(flip(|_| vec![8]), "has version");
    expect_error_and_search_without_tables(flip(|_| vec![100]), "is damaged in its header");
    expect_error_and_search_without_tables(flip(first_bytes), "is damaged in cube");
    expect_error_and_search_without_tables(flip(last_bytes), "is damaged in cube");
    expect_error_and_search_without_tables(
        flip(|table| vec![table.len() - 1000]),
        "is damaged in its table of cubes",
    );
    expect_error_and_search_without_tables(
        flip(|table| vec![table.len() - 1]),
        "damaged at its end",
    );
}

/// Returns the offset of the first byte of every cube, which belongs to its list of chunks.
fn first_bytes(table: &[u8]) -> Vec<usize> {
    let mut offsets = cube_offsets(table);
    offsets.pop();
    offsets
}

/// Returns the offset of the last byte of every cube, which belongs to its last chunk.
fn last_bytes(table: &[u8]) -> Vec<usize> {
    cube_offsets(table)[1..].iter().map(|end| end - 1).collect()
}

#[test]
fn reports_file_of_wrong_format() {
    expect_error_and_search_without_tables(
        |path, _| fs::write(path, "").unwrap(),
        "is not a table",
    );
    let garbage = |path: &Path, bytes: Vec<u8>| fs::write(path, vec![b'#'; bytes.len()]).unwrap();
    expect_error_and_search_without_tables(garbage, "is not a table");
    let cut = |path: &Path, bytes: Vec<u8>| fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    expect_error_and_search_without_tables(cut, "is cut short");
    let longer = |path: &Path, mut bytes: Vec<u8>| {
        bytes.push(0);
        fs::write(path, bytes).unwrap();
    };
    expect_error_and_search_without_tables(longer, "is cut short, or damaged at its end");
    let directory = |path: &Path, _| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    };
    expect_error_and_search_without_tables(directory, "cannot be read");
}

#[test]
fn reports_table_of_other_game() {
    for (game, goats, message) in [
        ("bagh-chal", "1", "'board bagh-chal'"),
        (AADU_PULI, "2", "'goats 2'"),
    ] {
        let other = solve(game, goats);
        let other = &files_in(other.path())[0];
        let bytes = fs::read(other).unwrap();
        expect_error_and_search_without_tables(|path, _| fs::write(path, &bytes).unwrap(), message);
    }
}

#[test]
fn reports_missing_layer() {
    let folder = solve(AADU_PULI, "1");
    fs::remove_file(folder.path().join("aadu-puli-01-00t.puli")).unwrap();
    let lines = search(Some(folder.path()));
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
fn reports_missing_or_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path(), Path::new("/there/is/no/such/folder")] {
        let lines = search(Some(path));
        assert_eq!(errors(&lines).len(), 1, "{lines:#?}");
        assert_eq!(results(&lines), results(&search(None)));
    }
}
