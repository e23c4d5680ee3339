//! Tests of the solver: resumed runs write the same bytes, damage is found, foreign files are kept.

use std::path::Path;

use super::*;
use crate::games::hunt::Board;
use crate::games::hunt::board::AADU_PULI;
use crate::solve::bitset::survey::tests::run_to_stage;
use crate::solve::tables::probe::Tables;

fn task(folder: &Path, goats: u32) -> Task {
    Task {
        scope: Scope {
            board: &AADU_PULI,
            goats,
        },
        last_hand: goats,
        folder: folder.to_path_buf(),
        memory: 1024,
        threads: 2,
        checkpoint: Duration::MAX,
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
fn interrupted_run_writes_the_same_bytes() {
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
fn flipped_byte_is_found_and_layer_solved_again() {
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), 1);
    let expected = files(folder.path());
    let ranking = Ranking::new(&AADU_PULI);
    let layer_id = LayerId {
        scope: task(folder.path(), 1).scope,
        hand: 0,
        tigers_to_move: true,
    };
    let path = folder.path().join(layer_id.file_name());
    let sound = std::fs::read(&path).unwrap();
    for at in (0..sound.len()).step_by(311).chain([sound.len() - 1]) {
        let mut damaged = sound.clone();
        damaged[at] ^= 1 << (at % 8);
        std::fs::write(&path, damaged).unwrap();
        let loaded = LayerFile::open(folder.path(), layer_id, &ranking)
            .and_then(|file| file.unwrap().load(&ranking));
        assert!(loaded.is_err(), "byte {at}");
    }
    solve(folder.path(), 1);
    assert!(files(folder.path()) == expected);
}

#[test]
fn rejects_tables_of_another_game() {
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), 1);
    let name = |goats: u32| format!("aadu-puli-{goats:02}-00t.puli");
    std::fs::rename(folder.path().join(name(1)), folder.path().join(name(2))).unwrap();
    let error = Tables::open(folder.path(), &AADU_PULI).unwrap_err();
    assert!(error.0.contains("goats 1"), "{error}");
}

#[test]
fn rejects_task_beyond_allowed_memory() {
    let mut task = task(Path::new("nowhere"), 2);
    task.memory = 1;
    assert!(Solver::new(task).is_err());
}

/// Returns a task on a crowded board that either side can win: one capture decides, and two points are empty.
fn crowded() -> Task {
    let mut sketch = AADU_PULI.spec.clone();
    (sketch.prey, sketch.captures) = (18, Some(1));
    let board = Board::of(sketch).unwrap();
    Task {
        scope: Scope { board, goats: 18 },
        last_hand: 0,
        ..task(Path::new("nowhere"), 18)
    }
}

/// Returns the first layer of a run.
fn first_layer(scope: Scope) -> LayerId {
    LayerId {
        scope,
        hand: 0,
        tigers_to_move: false,
    }
}

#[test]
fn interrupted_movement_phase_writes_the_same_bytes() {
    let run = |folder: &Path| {
        let task = Task {
            folder: folder.to_path_buf(),
            ..crowded()
        };
        let resumed = std::sync::Mutex::new(None);
        let solver = Solver::new(task).unwrap();
        let ended = solver.run(&|on_event| {
            if let SolverEvent::Resumed(stage) = on_event {
                *resumed.lock().unwrap() = Some(stage);
            }
        });
        ended.unwrap();
        resumed.into_inner().unwrap()
    };
    let whole = tempfile::tempdir().unwrap();
    assert_eq!(run(whole.path()), None);
    let expected = files(whole.path());
    let Task { scope, .. } = crowded();
    let layer_id = first_layer(scope);
    let survey = Survey::for_tables(scope, Ranking::new(scope.board));
    let mut winners = Vec::new();
    for number in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let (ranking, blocks) = (survey.ranking(), movement::blocks(survey.ranking(), &scope));
        let plies = PlyJournal::open(folder.path(), &layer_id, ranking, &blocks, None);
        let part = layer_id.checkpoint_path(folder.path());
        let mut plies = plies.unwrap();
        if !run_to_stage(&survey, &part, number, Some(&mut plies)) {
            break;
        }
        // What the run found after its last checkpoint is found again.
        let kept = PlyJournal::path(folder.path(), &layer_id);
        drop(plies);
        let mut more = std::fs::read(&kept).unwrap();
        let whole = more.len();
        more.extend([7; 1000]);
        if number % 3 == 0 {
            std::fs::write(&kept, &more).unwrap();
        }
        // A damaged checkpoint is ignored: everything is found again.
        if number % 3 == 1 {
            more[whole - 5] ^= 1;
            std::fs::write(&kept, &more).unwrap();
        }
        let resumed = run(folder.path());
        assert_eq!(resumed.is_none(), number % 3 == 1);
        winners.extend(resumed.map(|stage| stage.winner));
        assert!(files(folder.path()) == expected, "stage {number}");
    }
    assert!(winners.contains(&Side::P1) && winners.contains(&Side::P2));
}

#[test]
fn keeps_checkpoint_of_other_rules() {
    let folder = tempfile::tempdir().unwrap();
    let Task { scope, .. } = crowded();
    let layer_id = first_layer(scope);
    let survey = Survey::for_tables(scope, Ranking::new(scope.board));
    let part = layer_id.checkpoint_path(folder.path());
    assert!(run_to_stage(&survey, &part, 2, None));
    let bytes = std::fs::read(&part).unwrap();
    let mut sketch = scope.board.spec.clone();
    sketch.captures = Some(2);
    let by_other_rules = Task {
        scope: Scope {
            board: Board::of(sketch).unwrap(),
            ..scope
        },
        folder: folder.path().to_path_buf(),
        ..crowded()
    };
    let solver = Solver::new(by_other_rules).unwrap();
    let error = solver.run(&|_| ()).unwrap_err();
    assert!(error.0.contains("of another game"), "{error}");
    assert!(std::fs::read(&part).unwrap() == bytes);
}

#[test]
fn ignores_damaged_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let task = Task {
        folder: folder.path().to_path_buf(),
        checkpoint: Duration::ZERO,
        ..crowded()
    };
    let path = first_layer(task.scope).checkpoint_path(folder.path());
    std::fs::write(&path, "PuliTabl, but not much of it").unwrap();
    let told = std::sync::Mutex::new(Vec::new());
    Solver::new(task)
        .unwrap()
        .run(&|on_event| {
            if let SolverEvent::Unusable(error) = on_event {
                told.lock().unwrap().push(error.to_string());
            }
        })
        .unwrap();
    let told = told.into_inner().unwrap();
    assert!(
        matches!(&told[..], [one] if one.contains(".part")),
        "{told:?}"
    );
    assert_eq!(files(folder.path()).len(), 2);
}

#[test]
fn rejects_tables_of_a_board_with_other_lines() {
    // The steps and the number of symmetries are equal. Only the leaps over the two middle points of the third row
    // differ.
    let mut sketch = AADU_PULI.spec.clone();
    let row = [7, 8, 9, 10, 11, 12];
    sketch.lines.retain(|line| *line != row);
    let parts = [&row[..3], &row[2..4], &row[3..]];
    sketch.lines.extend(parts.map(<[u8]>::to_vec));
    let other = Board::of(sketch).unwrap();
    assert_eq!(other.triples.len() + 2, AADU_PULI.triples.len());
    assert!(*other != **AADU_PULI && other.steps == AADU_PULI.steps);
    assert_eq!(other.symmetries.len(), AADU_PULI.symmetries.len());
    let layer_id = |board| LayerId {
        scope: Scope { board, goats: 1 },
        hand: 0,
        tigers_to_move: true,
    };
    for (made, asked) in [(*AADU_PULI, other), (other, *AADU_PULI)] {
        let folder = tempfile::tempdir().unwrap();
        let task = Task {
            scope: layer_id(made).scope,
            ..task(folder.path(), 1)
        };
        Solver::new(task).unwrap().run(&|_| ()).unwrap();
        let open = |board| LayerFile::open(folder.path(), layer_id(board), &Ranking::new(board));
        assert!(open(made).unwrap().is_some());
        let error = open(asked).unwrap_err();
        assert!(error.0.contains("is of another game"), "{error}");
        // The file is not overwritten either.
        let bytes = std::fs::read(layer_id(made).path(folder.path())).unwrap();
        let by_other_rules = Task {
            scope: layer_id(asked).scope,
            ..self::task(folder.path(), 1)
        };
        let error = Solver::new(by_other_rules)
            .unwrap()
            .run(&|_| ())
            .unwrap_err();
        assert!(error.0.contains("is of another game"), "{error}");
        let kept = std::fs::read(layer_id(made).path(folder.path())).unwrap();
        assert!(kept == bytes);
    }
    // The headers of Aadu Puli and Bagh Chal have no line for leaps.
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), 1);
    let (_, table) = files(folder.path()).swap_remove(0);
    assert!(!String::from_utf8_lossy(&table[..2000]).contains("leaps"));
}
