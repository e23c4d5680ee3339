//! A saved game: protocol commands that set the position, which a session can read too.

use std::io::{self, Write};
use std::path::Path;

use crate::catalog;
use crate::commands::{Failure, fen_error};
use crate::durable::{self, Source};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::settings::Settings;

const BOARDS: &str = "setoption name VariantPath value ";
const VARIANT: &str = "setoption name UCI_Variant value ";
const POSITION: &str = "position ";
const MOVES: &str = " moves";
const FEN: &str = "fen ";

/// Maximum size of a saved game. A game of 2048 with a million moves has 8 MB.
const MAX_BYTES: u64 = 64 << 20;

/// Moves the column in a position error from the whole command to the FEN in [`SavedGame::of_fen`].
pub(crate) fn error_in_fen(failure: Failure) -> Failure {
    let of_line = match &failure {
        Failure::Engine(error) => error.0.strip_prefix("column "),
        Failure::Io(_) => None,
    };
    let shifted = of_line.and_then(|place| {
        let (column, expected) = place.split_once(": ")?;
        let before = POSITION.len() + FEN.len();
        let column = column.parse::<usize>().ok()?.checked_sub(before)?;
        Some(EngineError::new(format!("column {column}: {expected}")))
    });
    shifted.map_or(failure, |error| fen_error(&error).into())
}

/// A game as its start position and moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// A name of the catalog, or of a game in a board file.
    pub variant: &'static str,
    /// `startpos`, or `fen` and the FEN.
    pub setup: String,
    /// The moves from there, in the notation of the protocol.
    pub moves: Vec<String>,
}

impl SavedGame {
    /// Returns a game that starts at a FEN.
    pub(crate) fn of_fen(variant: &'static str, fen: &str) -> Self {
        Self {
            variant,
            setup: format!("{FEN}{fen}"),
            moves: Vec::new(),
        }
    }

    /// Returns the `position` command that sets the game.
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

    /// Writes the game atomically. An existing file is replaced only if it is a saved game.
    pub fn write(&self, path: &Path, settings: &Settings) -> Result<(), Failure> {
        if path.exists() && Self::read(path, settings).is_err() {
            let error = format!("{} exists and is not a saved game", path_name(path));
            return Err(EngineError::new(error).into());
        }
        let text = self.text(settings)?;
        durable::write(path, |draft| draft.write_all(text.as_bytes()))?;
        Ok(())
    }

    /// Returns the text that [`SavedGame::write`] writes.
    pub fn text(&self, settings: &Settings) -> Result<String, Failure> {
        let mut text = format!("{}\n{}\n", self.variant_command(), self.position_command());
        if let Some(boards) = Some(&settings.variant_path).filter(|path| !path.is_empty()) {
            // An absolute path stays valid in other working directories.
            let boards = std::path::absolute(boards)
                .map_err(|error| with_path(Path::new(boards), &error))?;
            text = format!("{BOARDS}{}\n{text}", boards.to_string_lossy());
        }
        Ok(text)
    }

    /// Returns `true` if this game starts with all moves of `other`.
    pub fn continues(&self, other: &Self) -> bool {
        (self.variant, &self.setup) == (other.variant, &other.setup)
            && self.moves.starts_with(&other.moves)
    }

    /// Returns the path of the board files in a saved game, if it has one.
    pub fn boards(path: &Path) -> Result<Option<String>, Failure> {
        let text = text(path)?;
        let mut lines = text.lines();
        Ok(lines.find_map(|line| Some(line.strip_prefix(BOARDS)?.trim().to_string())))
    }

    /// Returns `true` if the file is a saved game.
    pub fn is_saved_game(path: &Path) -> bool {
        text(path).is_ok_and(|text| variant_and_position(&text).is_some())
    }

    /// Reads a saved game whose variant is known to `settings`. The moves are not checked.
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
    let after = |begin| text.lines().find_map(|line: &str| line.strip_prefix(begin));
    Some((after(VARIANT)?.trim(), after(POSITION)?))
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
