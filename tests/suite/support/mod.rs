//! What several suites need: dice that fall alike on every run, and positions from random games.

pub mod dialogue;
pub mod dice;
pub mod endgame;
pub mod process;
pub mod random_evaluation;
pub mod resealing;
pub mod timing;
pub mod transcript;
pub mod variants;

use std::fs;
use std::path::PathBuf;

use puli::path::Path;
use puli::rules::Game;

pub use dice::Dice;

/// Returns the paths in `folder` in ascending order, without lock files, which stay on Windows.
pub fn files_in(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_none_or(|end| end != "lock"))
        .collect();
    files.sort();
    files
}

/// The way of a random game of `plies` plies from `start`, or of fewer where it is over before.
pub fn random_path<G: Game>(game: &G, start: G::Position, plies: usize, seed: u64) -> Path<G> {
    let mut dice = Dice::new(seed);
    let mut path = Path::new(start);
    for _ in 0..plies {
        let moves = path.moves(game);
        if moves.is_empty() {
            break;
        }
        let child = game.play(path.position(), *dice.pick(&moves));
        path.push(game, child);
    }
    path
}
