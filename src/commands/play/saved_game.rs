//! A saved game: a file of protocol commands that select the variant and set the position.
//!
//! For example:
//!
//! ```text
//! setoption name UCI_Variant value aadu-puli
//! position startpos moves c1 b3c3
//! ```

use std::io::{self, Write};
use std::path::Path;

use crate::catalog;
use crate::commands::{Failure, fen_error};
use crate::durable::{self, Source};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::settings::Settings;

// The beginnings of the lines, and the words inside `position`.
const OPTION: &str = "setoption name ";
/// The options that define a game by a board file.
const BOARD_OPTIONS: [&str; 2] = ["VariantPath", "VariantText"];
const VARIANT: &str = "setoption name UCI_Variant value ";
const POSITION: &str = "position ";
const MOVES: &str = " moves";
const FEN: &str = "fen ";

/// Maximum size of a saved game, in bytes. A game of 2048 with a million moves has 8 MB.
const MAX_BYTES: u64 = 64 << 20;

/// Converts an error of the command `position fen FEN` into an error of option `--fen FEN`, with the column counted
/// from the start of the FEN.
pub(crate) fn error_in_fen(failure: Failure) -> Failure {
    let after_column = match &failure {
        Failure::Engine(error) => error.0.strip_prefix("column "),
        Failure::Io(_) => None,
    };
    let shifted = after_column.and_then(|text| {
        let (column, expected) = text.split_once(": ")?;
        let prefix_length = POSITION.len() + FEN.len();
        let column = column.parse::<usize>().ok()?.checked_sub(prefix_length)?;
        Some(EngineError::new(format!("column {column}: {expected}")))
    });
    shifted.map_or(failure, |error| fen_error(&error).into())
}

/// A game that can be saved: its variant, start position and moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// The name of a built-in game, or of a game in a board file.
    pub variant: &'static str,
    /// `startpos`, or `fen` and the FEN.
    pub setup: String,
    /// The moves from that position, in the notation of the protocol.
    pub moves: Vec<String>,
}

impl SavedGame {
    /// Returns a game at its start position.
    pub(super) fn of_start(variant: &'static str) -> Self {
        Self {
            variant,
            setup: "startpos".into(),
            moves: Vec::new(),
        }
    }

    /// Returns a game that starts at the position `fen`.
    pub(crate) fn of_fen(variant: &'static str, fen: &str) -> Self {
        Self {
            variant,
            setup: format!("{FEN}{fen}"),
            moves: Vec::new(),
        }
    }

    /// Returns the `position` command with the start position and the moves.
    pub(crate) fn position_command(&self) -> String {
        let mut line = format!("{POSITION}{}", self.setup);
        if !self.moves.is_empty() {
            line += MOVES;
        }
        for m in &self.moves {
            line.push(' ');
            line += m;
        }
        line
    }

    /// Returns the command that selects the variant.
    pub fn variant_command(&self) -> String {
        format!("{VARIANT}{}", self.variant)
    }

    /// Writes the game to `path`, atomically.
    ///
    /// # Errors
    /// If the file exists and is not a saved game, or cannot be written.
    pub fn write(&self, path: &Path, settings: &Settings) -> Result<(), Failure> {
        if path.exists() && Self::read(path, settings).is_err() {
            let error = format!("{} exists and is not a saved game", path_name(path));
            return Err(EngineError::new(error).into());
        }
        let text = self.text(settings)?;
        durable::write(path, |out| out.write_all(text.as_bytes()))?;
        Ok(())
    }

    /// Returns the text written by [`SavedGame::write`].
    pub fn text(&self, settings: &Settings) -> Result<String, Failure> {
        let mut text = format!("{}\n{}\n", self.variant_command(), self.position_command());
        if let Some(boards) = Some(&settings.variant_path).filter(|path| !path.is_empty()) {
            // A relative path would be wrong after loading in another working directory.
            let boards = std::path::absolute(boards)
                .map_err(|error| with_path(Path::new(boards), &error))?;
            text = format!(
                "{OPTION}VariantPath value {}\n{text}",
                boards.to_string_lossy()
            );
        }
        if let Some(board) = &settings.board_text {
            let board = serde_json::Value::from(&*board.text);
            text = format!("{OPTION}VariantText value {board}\n{text}");
        }
        Ok(text)
    }

    /// Returns `true` if this game starts with all moves of `other`.
    pub fn continues(&self, other: &Self) -> bool {
        (self.variant, &self.setup) == (other.variant, &other.setup)
            && self.moves.starts_with(&other.moves)
    }

    /// Sets the options of a saved game that define its game: `VariantPath` and `VariantText`.
    pub fn load_boards(path: &Path, settings: &mut Settings) -> Result<(), Failure> {
        for line in text(path)?.lines() {
            let option = line
                .strip_prefix(OPTION)
                .and_then(|option| option.split_once(" value "));
            if let Some((name, value)) = option
                && BOARD_OPTIONS.contains(&name)
            {
                let set = settings.set(name, Some(value.trim()));
                set.map_err(|error| EngineError::new(format!("{}: {error}", path_name(path))))?;
            }
        }
        Ok(())
    }

    /// Returns `true` if the file is a saved game.
    pub fn is_saved_game(path: &Path) -> bool {
        text(path).is_ok_and(|text| variant_and_position(&text).is_some())
    }

    /// Reads a saved game without checking its position and moves. Its variant must be built in or in the board files
    /// of `settings`.
    pub fn read(path: &Path, settings: &Settings) -> Result<Self, Failure> {
        let text = text(path)?;
        let rejected =
            |error| Failure::from(EngineError::new(format!("{}: {error}", path_name(path))));
        let Some((variant, position)) = variant_and_position(&text) else {
            return Err(rejected(format!(
                "expected the lines '{VARIANT}…' and '{POSITION}…' of a saved game"
            )));
        };
        let known = catalog::find_with(settings, variant);
        let (setup, moves) = position.split_once(MOVES).unwrap_or((position, ""));
        Ok(Self {
            variant: known
                .map_or_else(|| catalog::named(variant), Ok)
                .map_err(|error| rejected(format!("saved game of an unknown variant: {error}")))?,
            setup: setup.trim().into(),
            moves: moves.split_whitespace().map(String::from).collect(),
        })
    }
}

fn text(path: &Path) -> Result<String, EngineError> {
    Source::named(path)?.text(MAX_BYTES)
}

/// Returns the values of the variant line and of the position line.
fn variant_and_position(text: &str) -> Option<(&str, &str)> {
    let value = |prefix| {
        text.lines()
            .find_map(|line: &str| line.strip_prefix(prefix))
    };
    Some((value(VARIANT)?.trim(), value(POSITION)?))
}

fn with_path(path: &Path, error: &io::Error) -> Failure {
    EngineError::new(format!("{}: {error}", path_name(path))).into()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn reads_back_saved_game_and_keeps_other_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game");
        let settings = Settings::default();
        for moves in [vec![], vec!["c1".to_string(), "b3c3".into()]] {
            let game = SavedGame {
                variant: "aadu-puli",
                setup: "fen T/2TT2/6/6/4 g 15".into(),
                moves,
            };
            game.write(&path, &settings).expect("room");
            assert_eq!(SavedGame::read(&path, &settings).expect("a game"), game);
        }
        fs::write(&path, "my thesis").expect("room");
        let game = SavedGame {
            variant: "tree",
            setup: "startpos".into(),
            moves: Vec::new(),
        };
        assert!(game.write(&path, &settings).is_err());
        assert_eq!(fs::read_to_string(&path).expect("text"), "my thesis");
    }

    #[test]
    fn replaces_file_of_game_instead_of_writing_into_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, other_name] = ["game", "the same file"].map(|name| folder.path().join(name));
        let settings = Settings::default();
        let before = SavedGame::of_fen("aadu-puli", "T/2TT2/6/6/4 g 15");
        before.write(&path, &settings).expect("room");
        fs::hard_link(&path, &other_name).expect("a disk with links");
        let mut now = before.clone();
        now.moves.push("c1".into());
        now.write(&path, &settings).expect("room");
        assert_eq!(SavedGame::read(&path, &settings).expect("a game"), now);
        assert_eq!(
            SavedGame::read(&other_name, &settings).expect("a game"),
            before
        );
    }
}
