//! Tests files that are pipes, devices or gigabytes large. Puli rejects them at once, and the session continues.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::process::{Process, puli};

/// A line that is processed after all earlier lines, and the start of its answer.
const MARK: &str = "=mark=";
const MARK_ERROR: &str = "info string error: column 1: expected a command";

fn pipe(path: PathBuf) -> PathBuf {
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    path
}

/// Creates a sparse file of `bytes` bytes that starts with `head`.
fn sparse_file(path: PathBuf, head: &[u8], bytes: u64) -> PathBuf {
    fs::write(&path, head).unwrap();
    let file = File::options().append(true).open(&path).unwrap();
    file.set_len(bytes).unwrap();
    path
}

#[test]
fn bad_evaluation_file_gets_one_error_line() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| folder.path().join(name);
    let shipped = include_bytes!("../../src/games/twenty48/network/shipped.net");
    // A header for a body of 8 GB, which the file has.
    let mut claims = shipped[..200].to_vec();
    claims[44..52].copy_from_slice(&(8_u64 << 30).to_le_bytes());
    let strange = [
        "/dev/zero".into(),
        "/dev/urandom".into(),
        "/dev/stdin".into(),
        folder.path().to_path_buf(),
        pipe(of("pipe")),
        sparse_file(of("zeros"), b"", 3 << 30),
        sparse_file(of("shipped"), &shipped[..200], 3 << 30),
        sparse_file(of("claims"), &claims, (8 << 30) + 4096),
    ];
    let mut engine = Process::start();
    engine.send("setoption name UCI_Variant value 2048");
    for path in strange {
        engine.send(&format!("setoption name EvalFile value {}", path.display()));
        engine.send(MARK);
        let printed = engine.read_until(MARK_ERROR);
        let is_refused = matches!(&printed[..], [one, _] if one.starts_with("info string error:"));
        assert!(is_refused, "{}: {printed:?}", path.display());
    }
    engine.send("position fen 0,0,0,2/0,0,0,0/0,0,0,0/2,0,0,0 p 0\ngo depth 2");
    assert!(
        !engine
            .read_until("bestmove")
            .last()
            .unwrap()
            .contains("(none)")
    );
    engine.end();
}

/// Searches with the tables in `folder` and returns the error lines.
fn error_lines(folder: &Path, setup: &str) -> Vec<String> {
    let mut engine = Process::start();
    engine.send(&format!(
        "setoption name TablebasePath value {}\n{setup}",
        folder.display()
    ));
    let printed = engine.read_until("bestmove");
    assert!(!printed.last().unwrap().contains("(none)"), "{printed:?}");
    engine.end();
    let is_error = |line: &String| line.starts_with("info string error:");
    printed.into_iter().filter(is_error).collect()
}

#[test]
fn pipes_and_huge_files_as_tables_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| folder.path().join(name);
    pipe(of("aadu-puli-15-00g.puli"));
    sparse_file(
        of("aadu-puli-15-00t.puli"),
        b"PuliTabl\x01\0\0\0\xff\xff\xff\xff",
        3 << 30,
    );
    let printed = error_lines(folder.path(), "go depth 4");
    assert!(
        matches!(&printed[..], [one] if one.contains("regular file")),
        "{printed:?}"
    );

    let puzzle = "setoption name UCI_Variant value 15-puzzle\nposition scramble 6 seed 1\ngo";
    let folder = tempfile::tempdir().unwrap();
    let homes = ["1-2-3-4-5-6-7", "8-9-10-11-12-13-14-15"];
    let [small, large] = homes.map(|homes| format!("tiles-4x4-0-of-{homes}.pattern"));
    pipe(folder.path().join(&small));
    pipe(folder.path().join(&large));
    let printed = error_lines(folder.path(), puzzle);
    assert!(
        matches!(&printed[..], [one] if one.contains("regular file")),
        "{printed:?}"
    );
    for name in [small, large] {
        fs::remove_file(folder.path().join(&name)).unwrap();
        sparse_file(folder.path().join(&name), b"PULIPATT", 3 << 30);
    }
    let printed = error_lines(folder.path(), puzzle);
    assert!(
        matches!(&printed[..], [one] if one.contains("expected format version")),
        "{printed:?}"
    );
}

/// Returns a command with these arguments and no output.
fn silent(arguments: &[&str], folder: &Path) -> Command {
    let mut command = puli();
    command.args(arguments).arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// Waits for a process. Returns its status and standard error.
fn end(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), printed)
}

#[test]
fn second_solver_in_same_folder_is_rejected() {
    let solve = ["solve", "aadu-puli", "--goats", "1", "--out"];
    let expected = tempfile::tempdir().unwrap();
    assert!(silent(&solve, expected.path()).status().unwrap().success());
    for _ in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let start = || silent(&solve, folder.path()).stderr(Stdio::piped()).spawn();
        let children = [start().unwrap(), start().unwrap(), start().unwrap()];
        let ends = children.map(end);
        for (status, printed) in &ends {
            // A run that starts after another has finished finds its tables.
            let is_refused = *status == Some(1) && printed.contains("another puli");
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
fn full_disk_ends_with_error_and_no_partial_files() {
    // A limit on file size that does not kill the process acts like a full disk.
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
        let (status, printed) = limited(arguments, &target, blocks);
        assert_eq!(status, Some(1), "{arguments}: {printed}");
        let names = fs::read_dir(folder.path()).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        let is_whole = |name: &String| !name.contains("unfinished") && !name.contains("lock");
        let names: Vec<String> = names
            .into_iter()
            .map(|name| name.into_string().unwrap())
            .collect();
        assert!(names.iter().all(is_whole), "{arguments}: {names:?}");
        let name = folder.path().display().to_string();
        assert!(printed.contains(&name), "{arguments}: {printed}");
    }
}

#[test]
fn file_options_check_files_in_every_game() {
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
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        let mut refusal = |option: &str, path: &Path| {
            engine.send(&format!(
                "setoption name {option} value {}\n{MARK}",
                path.display()
            ));
            let lines = engine.read_until(MARK_ERROR);
            let errors = lines[..lines.len() - 1].to_vec();
            assert!(errors.len() <= 1, "{errors:?}");
            let is_named =
                |line: &String| line.contains(option) && line.contains(&path.display().to_string());
            assert!(errors.iter().all(is_named), "{variant}: {errors:?}");
            errors.len()
        };
        let is_accepted = |name: &str| name == "hunt" && variant != "2048" || name == "tiles";
        for (number, (name, bytes)) in files.iter().enumerate() {
            let path = of(&number.to_string());
            if let Some(bytes) = bytes {
                fs::write(&path, bytes).unwrap();
            }
            assert_eq!(
                refusal("EvalFile", &path),
                usize::from(!is_accepted(name)),
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
fn missing_network_is_reported_on_variant_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gone.net");
    for (network, game) in [
        ("src/games/hunt/networks/aadu-puli.net", "aadu-puli"),
        ("src/games/twenty48/network/shipped.net", "2048"),
    ] {
        fs::copy(network, &path).unwrap();
        let mut engine = Process::start();
        engine.send("setoption name UCI_Variant value tic-tac-toe");
        engine.send(&format!(
            "setoption name EvalFile value {}\n{MARK}",
            path.display()
        ));
        assert_eq!(engine.read_until(MARK_ERROR).len(), 1);
        fs::remove_file(&path).unwrap();
        engine.send(&format!(
            "setoption name UCI_Variant value {game}\n{MARK}\nd"
        ));
        let printed = engine.read_until(MARK_ERROR);
        assert!(
            printed.len() == 2
                && printed[0].contains("EvalFile: ")
                && printed[0].contains(&*path.to_string_lossy()),
            "{printed:?}"
        );
        assert!(
            engine
                .read_until("Fen")
                .last()
                .unwrap()
                .contains("3 3 3 3/3/3 x 1")
        );
        engine.end();
    }
}
