//! Tests of checkpoints: a solver resumed from any checkpoint has the same result, damage is reported with its offset,
//! and files of other games stay unchanged.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::*;
use crate::games::hunt::{Hunt, board};
use crate::games::mnk;
use crate::games::tiles::Tiles;
use crate::games::tree::Tree;
use crate::solve::explicit::puzzle_distances::PuzzleGame;

fn saver(path: &Path) -> Saver {
    Saver::new(path, Duration::ZERO, "game")
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    (folder, path)
}

/// Solves a game with checkpoints at every call of the watch, and stops at call `calls`.
fn run<G: Game>(
    game: &G,
    fold: Fold<G>,
    path: &Path,
    mut calls: usize,
) -> Result<Reachable<G>, EngineError> {
    let mut watch = |_| {
        calls = calls.saturating_sub(1);
        let killed = || EngineError::new("killed");
        (calls > 0).then_some(()).ok_or_else(killed)
    };
    let mut saver = saver(path);
    let saver = Some(&mut saver);
    Reachable::solve_saved(game.clone(), game.start(), fold, 1 << 30, saver, &mut watch)
}

/// Stops the solver at each of its first calls of the watch in turn, and resumes it. Returns the number of runs.
fn expect_same_result<G: Game>(game: &G, fold: Fold<G>) -> usize {
    let (_folder, path) = folder();
    let watch: Watch<'_> = &mut |_| Ok(());
    let whole = Reachable::solve(game.clone(), game.start(), fold, 1 << 30, watch).unwrap();
    let expected: Vec<_> = whole.iter().collect();
    let mut runs = 0;
    let mut stages = Vec::new();
    // A run may end while it restores positions, so later runs have more calls.
    let resumed = loop {
        runs += 1;
        if let Ok(resumed) = run(game, fold, &path, 2 + runs) {
            break resumed;
        }
        let saved = saver(&path).open().unwrap();
        stages.extend(saved.map(|saved| saved.stage));
    };
    assert_eq!(resumed.iter().collect::<Vec<_>>(), expected);
    // The file of a finished run contains the result.
    assert_eq!(saver(&path).open().unwrap().unwrap().stage, Stage::Finished);
    let mut silent = saver(&path);
    let before = fs::read(&path).unwrap();
    let again = Reachable::solve_saved(
        game.clone(),
        game.start(),
        fold,
        1 << 30,
        Some(&mut silent),
        &mut |_| Ok(()),
    );
    assert_eq!(again.unwrap().iter().collect::<Vec<_>>(), expected);
    assert!(fs::read(&path).unwrap() == before);
    println!("{runs} runs: {stages:?}");
    runs
}

#[test]
fn solver_resumed_from_any_checkpoint_has_same_result() {
    let kaooa = Hunt::new(board::named("kaooa").unwrap());
    assert!(expect_same_result(&kaooa, no_symmetry) > 5);
    assert!(expect_same_result(&kaooa, Hunt::canonical) > 3);
    // Draws, points, and a puzzle whose goal has moves.
    assert!(expect_same_result(&mnk::Small::default(), no_symmetry) > 3);
    expect_same_result(&Tree::default(), no_symmetry);
    expect_same_result(&PuzzleGame(Tiles::new(3, 2)), no_symmetry);
}

#[test]
fn damaged_and_foreign_files_are_rejected_and_unchanged() {
    let (_folder, path) = folder();
    let game = mnk::Small::default();
    let error = || match run(&game, no_symmetry, &path, usize::MAX) {
        Ok(_) => panic!("the file is valid"),
        Err(error) => error.0,
    };
    run(&game, no_symmetry, &path, usize::MAX).unwrap();
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(61).chain([8, whole.len() - 1]) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&path, &damaged).unwrap();
        let expected = match at {
            0..8 => "is no solution position by position",
            8..12 => "has version",
            _ => "is damaged",
        };
        let why = error();
        assert!(why.contains(expected), "byte {at}: {why}");
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
    let middle = whole.len() / 2;
    fs::write(&path, &whole[..middle]).unwrap();
    assert!(error().contains("is damaged at byte "));
    fs::write(&path, [&whole[..], b"more"].concat()).unwrap();
    assert!(error().ends_with(&format!("is damaged at byte {}", whole.len())));

    // The file of another game, and a file with the text of this game but the moves of another.
    fs::write(&path, &whole).unwrap();
    let other = Saver::new(&path, Duration::ZERO, "other").open();
    assert!(other.unwrap_err().0.ends_with("of another game"));
    let other_game = mnk::Small::new(4, 3, 3);
    let Err(other) = run(&other_game, no_symmetry, &path, usize::MAX) else {
        panic!("the moves are those of the game")
    };
    assert!(other.0.contains("is of another version of Puli"), "{other}");
    assert!(fs::read(&path).unwrap() == whole);
}
