//! What the solver promises: resumption to the byte, damage found, foreign files refused.

use std::path::Path;

use super::*;
use crate::games::hunt::board::AADU_PULI;
use crate::solved::probe::Tables;

fn task(folder: &Path, goats: u32) -> Task {
    Task {
        scope: Scope {
            board: &AADU_PULI,
            goats,
        },
        last_hand: goats,
        folder: folder.to_path_buf(),
        memory: 1024,
    }
}

fn solve(folder: &Path, goats: u32) {
    Solver::new(task(folder, goats))
        .unwrap()
        .run(&|_| ())
        .unwrap();
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_run_that_was_cut_short_ends_with_the_same_bytes() {
    let whole = tempfile::tempdir().unwrap();
    solve(whole.path(), 2);
    let expected = files(whole.path());
    assert_eq!(expected.len(), 4);
    for kept in 0..expected.len() {
        let cut = tempfile::tempdir().unwrap();
        for (name, bytes) in &expected[..kept] {
            std::fs::write(cut.path().join(name), bytes).unwrap();
        }
        let (name, bytes) = &expected[kept];
        let unfinished = cut.path().join(format!("{name}.unfinished-1-0"));
        std::fs::write(unfinished, &bytes[..bytes.len() / 2]).unwrap();
        solve(cut.path(), 2);
        assert!(files(cut.path()) == expected, "{kept} files kept");
    }
}

#[test]
fn a_flipped_byte_anywhere_is_found_and_the_layer_made_again() {
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), 1);
    let expected = files(folder.path());
    let ranking = Ranking::new(&AADU_PULI);
    let label = Label {
        scope: task(folder.path(), 1).scope,
        hand: 0,
        tigers_to_move: true,
    };
    let path = folder.path().join(label.file_name());
    let sound = std::fs::read(&path).unwrap();
    for at in (0..sound.len()).step_by(97).chain([sound.len() - 1]) {
        let mut damaged = sound.clone();
        damaged[at] ^= 1 << (at % 8);
        std::fs::write(&path, damaged).unwrap();
        let loaded = LayerFile::open(folder.path(), label, &ranking)
            .and_then(|file| file.unwrap().load(&ranking));
        assert!(loaded.is_err(), "byte {at}");
    }
    solve(folder.path(), 1);
    assert!(files(folder.path()) == expected);
}

#[test]
fn tables_of_another_game_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), 1);
    let name = |goats: u32| format!("aadu-puli-{goats:02}-00t.puli");
    std::fs::rename(folder.path().join(name(1)), folder.path().join(name(2))).unwrap();
    let refusal = Tables::open(folder.path(), &AADU_PULI).unwrap_err();
    assert!(refusal.0.contains("goats 1"), "{refusal}");
}

#[test]
fn a_task_beyond_the_memory_allowed_is_refused() {
    let mut task = task(Path::new("nowhere"), 2);
    task.memory = 1;
    assert!(Solver::new(task).is_err());
}
