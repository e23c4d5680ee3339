//! Tests sessions and commands with files that are unsuitable: pipes, devices, files of gigabytes, damaged files, and
//! files on a full disk. Puli reports an error soon, and a session continues.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::process::{Process, puli};

/// An invalid command. Its error marks the end of the output of all earlier commands.
const MARK: &str = "=mark=";
/// The start of the error that [`MARK`] causes.
const MARK_ERROR: &str = "info string error: column 1: expected a command";

/// Creates a named pipe.
fn create_fifo(path: PathBuf) -> PathBuf {
    let status = Command::new("mkfifo").arg(&path).status();
    assert!(status.unwrap().success());
    path
}

/// Creates a file of `bytes` bytes that starts with `head`. The other bytes are zeros, which take no disk space.
fn sparse_file(path: PathBuf, head: &[u8], bytes: u64) -> PathBuf {
    fs::write(&path, head).unwrap();
    let file = File::options().append(true).open(&path).unwrap();
    file.set_len(bytes).unwrap();
    path
}

#[test]
fn bad_evaluation_file_gets_one_error_line() {
    let folder = tempfile::tempdir().unwrap();
    let path_of = |name: &str| folder.path().join(name);
    let shipped = puli_engine_2048_network::TWENTY48;
    // The header states that the body has 8 GiB, and the file is really that long.
    let mut huge_header = shipped[..200].to_vec();
    huge_header[44..52].copy_from_slice(&(8_u64 << 30).to_le_bytes());
    let unsuitable = [
        "/dev/zero".into(),
        "/dev/urandom".into(),
        "/dev/stdin".into(),
        folder.path().to_path_buf(),
        create_fifo(path_of("pipe")),
        sparse_file(path_of("zeros"), b"", 3 << 30),
        sparse_file(path_of("shipped"), &shipped[..200], 3 << 30),
        sparse_file(path_of("huge"), &huge_header, (8 << 30) + 4096),
    ];
    let mut engine = Process::start();
    engine.send("setoption name UCI_Variant value 2048");
    for path in unsuitable {
        engine.send(&format!("setoption name EvalFile value {}", path.display()));
        engine.send(MARK);
        let output = engine.read_until(MARK_ERROR);
        let has_one_error =
            matches!(&output[..], [one, _] if one.starts_with("info string error:"));
        assert!(has_one_error, "{}: {output:?}", path.display());
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
    let output = engine.read_until("bestmove");
    assert!(!output.last().unwrap().contains("(none)"), "{output:?}");
    engine.end();
    let is_error = |line: &String| line.starts_with("info string error:");
    output.into_iter().filter(is_error).collect()
}

#[test]
fn pipes_and_huge_files_as_tables_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path_of = |name: &str| folder.path().join(name);
    create_fifo(path_of("aadu-puli-15-00g.puli"));
    sparse_file(
        path_of("aadu-puli-15-00t.puli"),
        b"PuliTabl\x01\0\0\0\xff\xff\xff\xff",
        3 << 30,
    );
    let output = error_lines(folder.path(), "go depth 4");
    assert!(
        matches!(&output[..], [one] if one.contains("regular file")),
        "{output:?}"
    );

    let puzzle = "setoption name UCI_Variant value 15-puzzle\nposition scramble 6 seed 1\ngo";
    let folder = tempfile::tempdir().unwrap();
    let tiles = ["1-2-3-4-5-6-7", "8-9-10-11-12-13-14-15"];
    let [small, large] = tiles.map(|tiles| format!("tiles-4x4-0-of-{tiles}.pattern"));
    create_fifo(folder.path().join(&small));
    create_fifo(folder.path().join(&large));
    let output = error_lines(folder.path(), puzzle);
    assert!(
        matches!(&output[..], [one] if one.contains("regular file")),
        "{output:?}"
    );
    for name in [small, large] {
        fs::remove_file(folder.path().join(&name)).unwrap();
        sparse_file(folder.path().join(&name), b"PULIPATT", 3 << 30);
    }
    let output = error_lines(folder.path(), puzzle);
    assert!(
        matches!(&output[..], [one] if one.contains("expected format version")),
        "{output:?}"
    );
}

/// Returns Puli's command with these arguments and `folder`. Its standard output is discarded.
fn silent(arguments: &[&str], folder: &Path) -> Command {
    let mut command = puli();
    command.args(arguments).arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// Waits for a process to exit. Returns its exit status and its standard error.
fn end(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), stderr)
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
        for (status, output) in &ends {
            // A run that starts after another run has finished uses its tables and succeeds.
            let was_locked = *status == Some(1) && output.contains("another puli");
            assert!(*status == Some(0) || was_locked, "{ends:?}");
        }
        assert!(
            ends.iter().any(|(status, _)| *status == Some(0)),
            "{ends:?}"
        );
        for entry in fs::read_dir(expected.path()).unwrap() {
            let entry = entry.unwrap();
            let actual = fs::read(folder.path().join(entry.file_name())).unwrap();
            assert!(actual == fs::read(entry.path()).unwrap());
        }
        let count = |folder: &Path| fs::read_dir(folder).unwrap().count();
        assert_eq!(count(folder.path()), count(expected.path()));
    }
}

#[test]
fn full_disk_ends_with_error_and_no_partial_files() {
    // `ulimit -f` limits the size of files to `blocks` blocks of 1 KiB. With the signal XFSZ ignored, writing more
    // fails like on a full disk.
    let run_with_file_limit = |arguments: &str, folder: &Path, blocks: u32| {
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
        let (status, output) = run_with_file_limit(arguments, &target, blocks);
        assert_eq!(status, Some(1), "{arguments}: {output}");
        let names = fs::read_dir(folder.path()).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        let is_finished = |name: &String| !name.contains("unfinished") && !name.contains("lock");
        let names: Vec<String> = names
            .into_iter()
            .map(|name| name.into_string().unwrap())
            .collect();
        assert!(names.iter().all(is_finished), "{arguments}: {names:?}");
        let name = folder.path().display().to_string();
        assert!(output.contains(&name), "{arguments}: {output}");
    }
}

#[test]
fn file_options_are_checked_in_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let path_of = |name: &str| folder.path().join(name);
    let hunt = fs::read("src/games/hunt/networks/aadu-puli.net").unwrap();
    let tiles = fs::read("src/games/twenty48/networks/2048.net").unwrap();
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
        let mut error_count = |option: &str, path: &Path| {
            engine.send(&format!(
                "setoption name {option} value {}\n{MARK}",
                path.display()
            ));
            let lines = engine.read_until(MARK_ERROR);
            let errors = lines[..lines.len() - 1].to_vec();
            assert!(errors.len() <= 1, "{errors:?}");
            let names_option_and_path =
                |line: &String| line.contains(option) && line.contains(&path.display().to_string());
            assert!(
                errors.iter().all(names_option_and_path),
                "{variant}: {errors:?}"
            );
            errors.len()
        };
        let is_accepted = |name: &str| name == "hunt" && variant != "2048" || name == "tiles";
        for (index, (name, bytes)) in files.iter().enumerate() {
            let path = path_of(&index.to_string());
            if let Some(bytes) = bytes {
                fs::write(&path, bytes).unwrap();
            }
            assert_eq!(
                error_count("EvalFile", &path),
                usize::from(!is_accepted(name)),
                "{variant} {name}"
            );
        }
        assert_eq!(error_count("EvalFile", folder.path()), 1);
        let file = path_of("1");
        for path in [path_of("missing"), file] {
            assert_eq!(error_count("TablebasePath", &path), 1);
        }
        assert_eq!(error_count("TablebasePath", folder.path()), 0);
        engine.end();
    }
}

#[test]
fn missing_network_is_reported_on_variant_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gone.net");
    for (network, game) in [
        ("src/games/hunt/networks/aadu-puli.net", "aadu-puli"),
        ("src/games/twenty48/networks/2048.net", "2048"),
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
        let output = engine.read_until(MARK_ERROR);
        assert!(
            output.len() == 2
                && output[0].contains("EvalFile: ")
                && output[0].contains(&*path.to_string_lossy()),
            "{output:?}"
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
