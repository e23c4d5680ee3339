//! What is no file at all, or far too large a one, under the name of one: pipes, devices and gigabytes are refused at once,
//! and the session goes on.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::process::{Process, puli};

/// A line that no command overtakes, and the begin of its answer.
const MARK: &str = "=mark=";
const MARKED: &str = "info string error: column 1: expected a command";

fn pipe(path: PathBuf) -> PathBuf {
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    path
}

/// A file of so many bytes that begins with these; the rest are zeros that no disk holds.
fn vast(path: PathBuf, head: &[u8], bytes: u64) -> PathBuf {
    fs::write(&path, head).unwrap();
    let file = File::options().append(true).open(&path).unwrap();
    file.set_len(bytes).unwrap();
    path
}

#[test]
fn an_evaluation_file_that_is_none_is_one_error_line_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| folder.path().join(name);
    let shipped = include_bytes!("../../src/games/twenty48/network/shipped.net");
    // A head that tells of a body of 8 GB, which the file has.
    let mut claims = shipped[..200].to_vec();
    claims[44..52].copy_from_slice(&(8_u64 << 30).to_le_bytes());
    let strange = [
        "/dev/zero".into(),
        "/dev/urandom".into(),
        "/dev/stdin".into(),
        folder.path().to_path_buf(),
        pipe(of("pipe")),
        vast(of("zeros"), b"", 3 << 30),
        vast(of("shipped"), &shipped[..200], 3 << 30),
        vast(of("claims"), &claims, (8 << 30) + 4096),
    ];
    let mut engine = Process::start();
    engine.say("setoption name UCI_Variant value 2048");
    for path in strange {
        engine.say(&format!("setoption name EvalFile value {}", path.display()));
        engine.say(MARK);
        let said = engine.hear(MARKED);
        let is_refused = matches!(&said[..], [one, _] if one.starts_with("info string error:"));
        assert!(is_refused, "{}: {said:?}", path.display());
    }
    engine.say("position fen 0,0,0,2/0,0,0,0/0,0,0,0/2,0,0,0 p 0\ngo depth 2");
    assert!(!engine.hear("bestmove").last().unwrap().contains("(none)"));
    engine.end();
}

/// Searches with what a folder holds in place of tables, and says what was complained of.
fn complaints(folder: &Path, setup: &str) -> Vec<String> {
    let mut engine = Process::start();
    engine.say(&format!(
        "setoption name TablebasePath value {}\n{setup}",
        folder.display()
    ));
    let said = engine.hear("bestmove");
    assert!(!said.last().unwrap().contains("(none)"), "{said:?}");
    engine.end();
    let is_error = |line: &String| line.starts_with("info string error:");
    said.into_iter().filter(is_error).collect()
}

#[test]
fn pipes_and_vast_files_in_place_of_tables_are_told_and_the_search_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| folder.path().join(name);
    pipe(of("aadu-puli-15-00g.puli"));
    vast(
        of("aadu-puli-15-00t.puli"),
        b"PuliTabl\x01\0\0\0\xff\xff\xff\xff",
        3 << 30,
    );
    let told = complaints(folder.path(), "go depth 4");
    assert!(
        matches!(&told[..], [one] if one.contains("regular file")),
        "{told:?}"
    );

    let puzzle = "setoption name UCI_Variant value 15-puzzle\nposition scramble 6 seed 1\ngo";
    let folder = tempfile::tempdir().unwrap();
    let homes = ["1-2-3-4-5-6-7", "8-9-10-11-12-13-14-15"];
    let [small, large] = homes.map(|homes| format!("tiles-4x4-0-of-{homes}.pattern"));
    pipe(folder.path().join(&small));
    pipe(folder.path().join(&large));
    let told = complaints(folder.path(), puzzle);
    assert!(
        matches!(&told[..], [one] if one.contains("regular file")),
        "{told:?}"
    );
    for name in [small, large] {
        fs::remove_file(folder.path().join(&name)).unwrap();
        vast(folder.path().join(&name), b"PULIPATT", 3 << 30);
    }
    let told = complaints(folder.path(), puzzle);
    assert!(
        matches!(&told[..], [one] if one.contains("not version")),
        "{told:?}"
    );
}

/// The program with these arguments, silent.
fn at_work(arguments: &[&str], folder: &Path) -> Command {
    let mut command = puli();
    command.args(arguments).arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// Waits for a process, and gives its status and what it said on its standard error.
fn end(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

#[test]
fn of_two_that_solve_in_one_folder_one_is_refused_and_the_tables_are_whole() {
    let solve = ["solve", "aadu-puli", "--goats", "1", "--out"];
    let expected = tempfile::tempdir().unwrap();
    assert!(at_work(&solve, expected.path()).status().unwrap().success());
    for _ in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let start = || {
            at_work(&solve, folder.path())
                .stderr(Stdio::piped())
                .spawn()
        };
        let children = [start().unwrap(), start().unwrap(), start().unwrap()];
        let ends = children.map(end);
        for (status, said) in &ends {
            // Whoever came when another had finished finds the tables there.
            let is_refused = *status == Some(1) && said.contains("another puli");
            assert!(*status == Some(0) || is_refused, "{ends:?}");
        }
        assert!(
            ends.iter().any(|(status, _)| *status == Some(0)),
            "{ends:?}"
        );
        for entry in fs::read_dir(expected.path()).unwrap() {
            let entry = entry.unwrap();
            let found = fs::read(folder.path().join(entry.file_name())).unwrap();
            assert!(found == fs::read(entry.path()).unwrap());
        }
        let count = |folder: &Path| fs::read_dir(folder).unwrap().count();
        assert_eq!(count(folder.path()), count(expected.path()));
    }
}

#[test]
fn a_full_disk_ends_the_work_with_an_error_line_and_nothing_unfinished() {
    // A limit on the length of files, where it does not kill, is met as a full disk is.
    let limited = |arguments: &str, folder: &Path, blocks: u32| {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {arguments} \"$1\"");
        let mut command = Command::new("bash");
        command
            .args(["-c", &script, env!("CARGO_BIN_EXE_puli")])
            .arg(folder);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        end(command.spawn().unwrap())
    };
    let folder = tempfile::tempdir().unwrap();
    for (arguments, target, blocks) in [
        (
            "solve aadu-puli --goats 2 --out",
            folder.path().to_path_buf(),
            64,
        ),
        (
            "tables 15-puzzle --pattern 6-6-3 --out",
            folder.path().to_path_buf(),
            64,
        ),
        (
            "train 2048 --games 1 --out",
            folder.path().join("network"),
            64,
        ),
    ] {
        let (status, said) = limited(arguments, &target, blocks);
        assert_eq!(status, Some(1), "{arguments}: {said}");
        let names = fs::read_dir(folder.path()).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        let is_whole = |name: &String| !name.contains("unfinished") && !name.contains("lock");
        let names: Vec<String> = names
            .into_iter()
            .map(|name| name.into_string().unwrap())
            .collect();
        assert!(names.iter().all(is_whole), "{arguments}: {names:?}");
        let name = folder.path().display().to_string();
        assert!(said.contains(&name), "{arguments}: {said}");
    }
}

#[test]
fn options_that_name_files_check_them_in_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| folder.path().join(name);
    let hunt = fs::read("src/games/hunt/networks/aadu-puli.net").unwrap();
    let tiles = fs::read("src/games/twenty48/network/shipped.net").unwrap();
    let mut files = vec![
        ("missing", None),
        ("nonsense", Some(b"no network".to_vec())),
        ("empty", Some(Vec::new())),
    ];
    for (name, network) in [("hunt", &hunt), ("tiles", &tiles)] {
        let mut damaged = network.clone();
        damaged[network.len() / 2] ^= 1;
        let short = network[..network.len() / 2].to_vec();
        files.extend([
            (name, Some(network.clone())),
            ("damaged", Some(damaged)),
            ("short", Some(short)),
        ]);
    }
    for variant in ["tic-tac-toe", "aadu-puli", "2048", "15-puzzle"] {
        let mut engine = Process::start();
        engine.say(&format!("setoption name UCI_Variant value {variant}"));
        let mut refusal = |option: &str, path: &Path| {
            engine.say(&format!(
                "setoption name {option} value {}\n{MARK}",
                path.display()
            ));
            let said = engine.hear(MARKED);
            let told = said[..said.len() - 1].to_vec();
            assert!(told.len() <= 1, "{told:?}");
            let is_named =
                |line: &String| line.contains(option) && line.contains(&path.display().to_string());
            assert!(told.iter().all(is_named), "{variant}: {told:?}");
            told.len()
        };
        let fits = |name: &str| name == "hunt" && variant != "2048" || name == "tiles";
        for (number, (name, bytes)) in files.iter().enumerate() {
            let path = of(&number.to_string());
            if let Some(bytes) = bytes {
                fs::write(&path, bytes).unwrap();
            }
            assert_eq!(
                refusal("EvalFile", &path),
                usize::from(!fits(name)),
                "{variant} {name}"
            );
        }
        assert_eq!(refusal("EvalFile", folder.path()), 1);
        let file = of("1");
        for path in [of("missing"), file] {
            assert_eq!(refusal("TablebasePath", &path), 1);
        }
        assert_eq!(refusal("TablebasePath", folder.path()), 0);
        engine.end();
    }
}

#[test]
fn a_network_that_is_gone_is_told_by_its_option_when_the_game_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gone.net");
    for (network, game) in [
        ("src/games/hunt/networks/aadu-puli.net", "aadu-puli"),
        ("src/games/twenty48/network/shipped.net", "2048"),
    ] {
        fs::copy(network, &path).unwrap();
        let mut engine = Process::start();
        engine.say("setoption name UCI_Variant value tic-tac-toe");
        engine.say(&format!(
            "setoption name EvalFile value {}\n{MARK}",
            path.display()
        ));
        assert_eq!(engine.hear(MARKED).len(), 1);
        fs::remove_file(&path).unwrap();
        engine.say(&format!(
            "setoption name UCI_Variant value {game}\n{MARK}\nd"
        ));
        let said = engine.hear(MARKED);
        assert!(
            said.len() == 2
                && said[0].contains("EvalFile: ")
                && said[0].contains(&*path.to_string_lossy()),
            "{said:?}"
        );
        assert!(
            engine
                .hear("Fen")
                .last()
                .unwrap()
                .contains("3 3 3 3/3/3 x 1")
        );
        engine.end();
    }
}
