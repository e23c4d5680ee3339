//! Functions and types that several tests use: reproducible random numbers, random games, processes, sessions and
//! transcripts.

pub mod checksum;
pub mod endgame;
pub mod perft_data;
pub mod process;
pub mod random;
pub mod random_evaluation;
pub mod session;
pub mod timing;
pub mod transcript;

use std::fs;
use std::path::PathBuf;

use proptest::prelude::ProptestConfig;
use puli::path::Path;
use puli::rules::Game;

pub use random::SplitMix;

/// Returns the example of a board file in the README: the game `kite`.
pub fn readme_board_file() -> String {
    let page = include_str!("../../README.md");
    let (_, file) = page.split_once("```text\ngame kite").expect("a file");
    let (file, _) = file.split_once("```").expect("its end");
    format!("game kite{file}")
}

/// Returns the sorted paths of the files in `folder`. Omits lock files, which remain on Windows.
pub fn files_in(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_none_or(|end| end != "lock"))
        .collect();
    files.sort();
    files
}

/// Returns the paths of all files in `folder` and its subfolders.
pub fn files_below(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// Returns the paths of all Rust files in `src` and its subfolders.
pub fn source_files() -> Vec<PathBuf> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let mut files = files_below(root.as_ref());
    files.retain(|path| path.extension().is_some_and(|end| end == "rs"));
    files
}

/// Returns a random game from `start`. It has `plies` plies, or fewer if the game ends.
pub fn random_path<G: Game>(game: &G, start: G::Position, plies: usize, seed: u64) -> Path<G> {
    let mut rng = SplitMix::new(seed);
    let mut path = Path::new(start);
    for _ in 0..plies {
        let moves = path.moves(game);
        if moves.is_empty() {
            break;
        }
        let child = game.play(path.position(), *rng.pick(&moves));
        path.push(game, child);
    }
    path
}

/// Returns a configuration with `count` random cases per test. The environment variable `PROPTEST_CASES` overrides
/// `count`.
pub fn proptest_config(count: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let is_overridden = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig {
        cases: if is_overridden { default.cases } else { count },
        failure_persistence: None,
        ..default
    }
}
