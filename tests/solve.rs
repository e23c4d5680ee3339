//! The real `puli solve` and `puli verify`: killed at any moment a run goes on where it was and ends with the same bytes,
//! and damage is found.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

fn puli(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
    command.args(arguments).arg(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

const SOLVE: &[&str] = &["solve", "aadu-puli", "--goats", "2", "--out"];
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

#[test]
fn killed_at_any_moment_a_run_resumes_and_ends_with_the_same_bytes() {
    let whole = tempfile::tempdir().unwrap();
    assert!(puli(SOLVE, whole.path()).status().unwrap().success());
    let killed = tempfile::tempdir().unwrap();
    let mut random = fastrand::Rng::with_seed(10);
    for _ in 0..10 {
        let mut child = puli(SOLVE, killed.path()).spawn().unwrap();
        thread::sleep(Duration::from_millis(random.u64(1..400)));
        // On Unix this is SIGKILL. A run that has ended already has nothing to kill.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(puli(SOLVE, killed.path()).status().unwrap().success());
    assert!(tables(killed.path()) == tables(whole.path()));
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
