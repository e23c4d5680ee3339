//! A saved game is rejected, or read as it is written.

#![no_main]

use std::fs;
use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use puli::commands::play::saved_game::SavedGame;
use puli::protocol::parse;
use puli::settings::Settings;
use puli_fuzz::temporary_folder;
use tempfile::TempDir;

thread_local! {
    static FOLDER: TempDir = temporary_folder();
}

fuzz_target!(|bytes: &[u8]| {
    let path: PathBuf = FOLDER.with(|folder| folder.path().join("game"));
    let settings = Settings::default();
    fs::write(&path, bytes).expect("space");
    let is_saved_game = SavedGame::is_saved_game(&path);
    SavedGame::boards(&path).ok();
    let Ok(game) = SavedGame::read(&path, &settings) else {
        return;
    };
    assert!(is_saved_game);
    parse(&game.variant_command()).expect("a command");
    let text = game.text(&settings).expect("no path");
    fs::write(&path, &text).expect("space");
    assert_eq!(
        SavedGame::read(&path, &settings).expect("a saved game"),
        game
    );
});
