//! Tests of the solver: a resumed run writes the same bytes as an uninterrupted run, damaged files are detected, and
//! files of other games are not overwritten.

use std::path::Path;

use super::*;
use crate::games::hunt::Board;
use crate::games::hunt::board::AADU_PULI;
use crate::solve::bitset::survey::tests::run_to_stage;
use crate::solve::tables::probe::Tables;

fn task(folder: &Path, goats: u32) -> Task {
    Task {
        table_game: TableGame {
            board: &AADU_PULI,
            goats,
        },
        last_hand: goats,
        folder: folder.to_path_buf(),
        memory: 1024,
        threads: 2,
        storage: ListStorage::Memory,
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
            let file_name = entry.file_name().into_string().unwrap();
            (file_name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn run_with_missing_layers_writes_the_same_bytes() {
    let whole = tempfile::tempdir().unwrap();
    solve(whole.path(), 2);
    let expected = files(whole.path());
    assert_eq!(expected.len(), 4);
    for kept_files in 0..expected.len() {
        let folder = tempfile::tempdir().unwrap();
        for (file_name, bytes) in &expected[..kept_files] {
            std::fs::write(folder.path().join(file_name), bytes).unwrap();
        }
        let (file_name, bytes) = &expected[kept_files];
        let unfinished_path = folder.path().join(format!("{file_name}.unfinished-1-0"));
        std::fs::write(unfinished_path, &bytes[..bytes.len() / 2]).unwrap();
        solve(folder.path(), 2);
        assert!(files(folder.path()) == expected, "{kept_files} files kept");
    }
}

#[test]
fn flipped_byte_is_found_and_layer_solved_again() {
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), 1);
    let expected = files(folder.path());
    let ranking = Ranking::new(&AADU_PULI);
    let layer_id = LayerId {
        table_game: task(folder.path(), 1).table_game,
        hand: 0,
        tigers_to_move: true,
    };
    let path = folder.path().join(layer_id.file_name());
    let undamaged = std::fs::read(&path).unwrap();
    for offset in (0..undamaged.len())
        .step_by(311)
        .chain([undamaged.len() - 1])
    {
        let mut damaged = undamaged.clone();
        damaged[offset] ^= 1 << (offset % 8);
        std::fs::write(&path, damaged).unwrap();
        let loaded = LayerFile::open(folder.path(), layer_id, &ranking)
            .and_then(|file| file.unwrap().load(&ranking));
        assert!(loaded.is_err(), "byte {offset}");
    }
    solve(folder.path(), 1);
    assert!(files(folder.path()) == expected);
}

#[test]
fn rejects_tables_of_another_game() {
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), 1);
    let file_name = |goats: u32| format!("aadu-puli-{goats:02}-00t.puli");
    std::fs::rename(
        folder.path().join(file_name(1)),
        folder.path().join(file_name(2)),
    )
    .unwrap();
    let error = Tables::open(folder.path(), &AADU_PULI).unwrap_err();
    assert!(error.0.contains("goats 1"), "{error}");
}

#[test]
fn rejects_task_beyond_allowed_memory() {
    let mut task = task(Path::new("nowhere"), 2);
    task.memory = 1;
    assert!(Solver::new(task).is_err());
}

/// Returns a task with wins of both sides in its movement phase. With 18 goats, only two points are empty, so the
/// tigers are easily blocked, but one capture wins.
fn crowded_task() -> Task {
    let mut spec = AADU_PULI.spec.clone();
    (spec.prey, spec.captures) = (18, Some(1));
    let board = Board::of(spec).unwrap();
    Task {
        table_game: TableGame { board, goats: 18 },
        last_hand: 0,
        ..task(Path::new("nowhere"), 18)
    }
}

/// Returns the layer that is solved first: no goats in hand, goats to move.
fn first_layer(table_game: TableGame) -> LayerId {
    LayerId {
        table_game,
        hand: 0,
        tigers_to_move: false,
    }
}

#[test]
fn interrupted_movement_phase_writes_the_same_bytes() {
    let run = |folder: &Path| {
        let task = Task {
            folder: folder.to_path_buf(),
            ..crowded_task()
        };
        let resumed = std::sync::Mutex::new(None);
        let solver = Solver::new(task).unwrap();
        let result = solver.run(&|event| {
            if let SolverEvent::Resumed(stage) = event {
                *resumed.lock().unwrap() = Some(stage);
            }
        });
        result.unwrap();
        resumed.into_inner().unwrap()
    };
    let whole = tempfile::tempdir().unwrap();
    assert_eq!(run(whole.path()), None);
    let expected = files(whole.path());
    let Task { table_game, .. } = crowded_task();
    let layer_id = first_layer(table_game);
    let survey = MovementSurvey::for_tables(table_game, Ranking::new(table_game.board));
    let mut resumed_winners = Vec::new();
    for stage in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let (ranking, blocks) = (
            survey.ranking(),
            movement::blocks(survey.ranking(), &table_game),
        );
        let plies = PlyJournal::open(folder.path(), &layer_id, ranking, &blocks, None);
        let checkpoint_path = layer_id.checkpoint_path(folder.path());
        let mut plies = plies.unwrap();
        if !run_to_stage(&survey, &checkpoint_path, stage, Some(&mut plies)) {
            break;
        }
        // Bytes of the journal after the last checkpoint are ignored, and their results are found again.
        let journal_path = PlyJournal::path(folder.path(), &layer_id);
        drop(plies);
        let mut journal = std::fs::read(&journal_path).unwrap();
        let valid_length = journal.len();
        journal.extend([7; 1000]);
        if stage % 3 == 0 {
            std::fs::write(&journal_path, &journal).unwrap();
        }
        // If the journal is damaged before the last checkpoint, the movement phase is solved again from the start.
        if stage % 3 == 1 {
            journal[valid_length - 5] ^= 1;
            std::fs::write(&journal_path, &journal).unwrap();
        }
        let resumed = run(folder.path());
        assert_eq!(resumed.is_none(), stage % 3 == 1);
        resumed_winners.extend(resumed.map(|stage| stage.winner));
        assert!(files(folder.path()) == expected, "stage {stage}");
    }
    assert!(resumed_winners.contains(&Side::P1) && resumed_winners.contains(&Side::P2));
}

#[test]
fn keeps_checkpoint_of_other_rules() {
    let folder = tempfile::tempdir().unwrap();
    let Task { table_game, .. } = crowded_task();
    let layer_id = first_layer(table_game);
    let survey = MovementSurvey::for_tables(table_game, Ranking::new(table_game.board));
    let checkpoint_path = layer_id.checkpoint_path(folder.path());
    assert!(run_to_stage(&survey, &checkpoint_path, 2, None));
    let bytes = std::fs::read(&checkpoint_path).unwrap();
    let mut spec = table_game.board.spec.clone();
    spec.captures = Some(2);
    let other_task = Task {
        table_game: TableGame {
            board: Board::of(spec).unwrap(),
            ..table_game
        },
        folder: folder.path().to_path_buf(),
        ..crowded_task()
    };
    let solver = Solver::new(other_task).unwrap();
    let error = solver.run(&|_| ()).unwrap_err();
    assert!(error.0.contains("of another game"), "{error}");
    assert!(std::fs::read(&checkpoint_path).unwrap() == bytes);
}

#[test]
fn ignores_damaged_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let task = Task {
        folder: folder.path().to_path_buf(),
        checkpoint: Duration::ZERO,
        ..crowded_task()
    };
    let path = first_layer(task.table_game).checkpoint_path(folder.path());
    std::fs::write(&path, "PuliTabl, but not much of it").unwrap();
    let errors = std::sync::Mutex::new(Vec::new());
    Solver::new(task)
        .unwrap()
        .run(&|event| {
            if let SolverEvent::Unusable(error) = event {
                errors.lock().unwrap().push(error.to_string());
            }
        })
        .unwrap();
    let errors = errors.into_inner().unwrap();
    assert!(
        matches!(&errors[..], [one] if one.contains(".part")),
        "{errors:?}"
    );
    assert_eq!(files(folder.path()).len(), 2);
}

#[test]
fn rejects_tables_of_a_board_with_other_lines() {
    // This board has the steps and the number of symmetries of Aadu Puli, but not its leaps over the two middle points
    // of the third row.
    let mut spec = AADU_PULI.spec.clone();
    let row = [7, 8, 9, 10, 11, 12];
    spec.lines.retain(|line| *line != row);
    let parts = [&row[..3], &row[2..4], &row[3..]];
    spec.lines.extend(parts.map(<[u8]>::to_vec));
    let other = Board::of(spec).unwrap();
    assert_eq!(other.triples.len() + 2, AADU_PULI.triples.len());
    assert!(*other != **AADU_PULI && other.steps == AADU_PULI.steps);
    assert_eq!(other.symmetries.len(), AADU_PULI.symmetries.len());
    let layer_id = |board| LayerId {
        table_game: TableGame { board, goats: 1 },
        hand: 0,
        tigers_to_move: true,
    };
    for (board, other_board) in [(*AADU_PULI, other), (other, *AADU_PULI)] {
        let folder = tempfile::tempdir().unwrap();
        let task = Task {
            table_game: layer_id(board).table_game,
            ..task(folder.path(), 1)
        };
        Solver::new(task).unwrap().run(&|_| ()).unwrap();
        let open = |board| LayerFile::open(folder.path(), layer_id(board), &Ranking::new(board));
        assert!(open(board).unwrap().is_some());
        let error = open(other_board).unwrap_err();
        assert!(error.0.contains("is of another game"), "{error}");
        // The solver does not overwrite the file either.
        let bytes = std::fs::read(layer_id(board).path(folder.path())).unwrap();
        let other_task = Task {
            table_game: layer_id(other_board).table_game,
            ..self::task(folder.path(), 1)
        };
        let error = Solver::new(other_task).unwrap().run(&|_| ()).unwrap_err();
        assert!(error.0.contains("is of another game"), "{error}");
        let unchanged = std::fs::read(layer_id(board).path(folder.path())).unwrap();
        assert!(unchanged == bytes);
    }
    // The headers of Aadu Puli and Bagh Chal have no line for leaps.
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), 1);
    let (_, table) = files(folder.path()).swap_remove(0);
    assert!(!String::from_utf8_lossy(&table[..2000]).contains("leaps"));
}
