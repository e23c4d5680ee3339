//! The real `puli solve` and `puli verify`: killed at any moment a run goes on where it was and ends with the same bytes,
//! and damage is found.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

fn puli(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
    command.args(arguments).arg(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

const SOLVE: &[&str] = &["solve", "aadu-puli", "--goats", "1", "--out"];
const VERIFY: &[&str] = &["verify", "--positions", "1000"];

fn tables(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut tables: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| {
            let entry = entry.expect("the folder can be read");
            let name = entry.file_name().into_string().expect("names are ASCII");
            (name, fs::read(entry.path()).expect("the table can be read"))
        })
        .collect();
    tables.sort();
    tables
}

/// How many runs are killed in the midst of their work.
const KILLS: usize = 10;

#[test]
fn killed_at_any_moment_a_run_resumes_and_ends_with_the_same_bytes() {
    let whole = tempfile::tempdir().unwrap();
    let start = Instant::now();
    assert!(puli(SOLVE, whole.path()).status().unwrap().success());
    let duration = start.elapsed();
    let expected = tables(whole.path());
    let mut random = fastrand::Rng::with_seed(10);
    // How many layers were finished at each kill; none are while the movement phase is solved.
    let mut finished = Vec::new();
    while finished.len() < KILLS || finished.iter().all(|&layers| layers == finished[0]) {
        let folder = tempfile::tempdir().unwrap();
        loop {
            let mut child = puli(SOLVE, folder.path()).spawn().unwrap();
            thread::sleep(duration.mul_f64(random.f64()));
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success());
                break;
            }
            // On Unix this is SIGKILL.
            child.kill().unwrap();
            child.wait().unwrap();
            let is_whole =
                |(name, _): &&(String, _)| !name.contains("unfinished") && !name.contains("lock");
            finished.push(tables(folder.path()).iter().filter(is_whole).count());
        }
        assert!(tables(folder.path()) == expected);
    }
    assert!(finished.contains(&0), "{finished:?}");
}

#[test]
fn verify_passes_sound_tables_and_finds_a_flipped_byte() {
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

#[test]
fn an_empty_folder_and_too_many_goats_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        puli(VERIFY, folder.path()).status().unwrap().code(),
        Some(1)
    );
    let greedy = ["solve", "aadu-puli", "--goats", "16", "--out"];
    assert_eq!(
        puli(&greedy, folder.path()).status().unwrap().code(),
        Some(1)
    );
}
