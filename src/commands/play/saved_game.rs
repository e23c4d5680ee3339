//! A game on paper: the lines of the protocol that set it, so that `puli` itself reads the file too.

use std::io::{self, Write};
use std::path::Path;

use crate::catalog;
use crate::commands::{Failure, of_fen};
use crate::durable::{self, Source};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::settings::Settings;

const BOARDS: &str = "setoption name VariantPath value ";
const VARIANT: &str = "setoption name UCI_Variant value ";
const POSITION: &str = "position ";
const MOVES: &str = " moves";
const FEN: &str = "fen ";

/// Maximum bytes of a saved game: a game of 2048 with a million moves has 8 MB.
const MAX_BYTES: u64 = 64 << 20;

/// What the session said of a whole line, as somebody reads it who gave the FEN of [`SavedGame::of_fen`] alone.
pub fn told_of_fen(failure: Failure) -> Failure {
    let of_line = match &failure {
        Failure::Refused(refusal) => refusal.0.strip_prefix("column "),
        Failure::Output(_) => None,
    };
    let shifted = of_line.and_then(|place| {
        let (column, expected) = place.split_once(": ")?;
        let before = POSITION.len() + FEN.len();
        let column = column.parse::<usize>().ok()?.checked_sub(before)?;
        Some(EngineError::new(format!("column {column}: {expected}")))
    });
    shifted.map_or(failure, |told| of_fen(&told).into())
}

/// A game: where it begins, and the moves since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// Of the catalog, or of a board file.
    pub variant: &'static str,
    /// `startpos`, or `fen` and what follows it.
    pub setup: String,
    /// The moves.
    pub moves: Vec<String>,
}

impl SavedGame {
    /// A game that begins with this position.
    pub fn of_fen(variant: &'static str, fen: &str) -> Self {
        Self {
            variant,
            setup: format!("{FEN}{fen}"),
            moves: Vec::new(),
        }
    }

    /// The `position` command.
    pub fn position(&self) -> String {
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

    /// The option's command.
    pub fn variant(&self) -> String {
        format!("{VARIANT}{}", self.variant)
    }

    /// Writes the game to a file, whole or not at all, in the place of nothing but another game.
    pub fn write(&self, path: &Path, settings: &Settings) -> Result<(), Failure> {
        if path.exists() && Self::read(path, settings).is_err() {
            let why = format!("{} is there, and no game of Puli", path_name(path));
            return Err(EngineError::new(why).into());
        }
        let text = self.text(settings)?;
        durable::write(path, |draft| draft.write_all(text.as_bytes()))?;
        Ok(())
    }

    /// Returns what [`SavedGame::write`] writes.
    pub fn text(&self, settings: &Settings) -> Result<String, Failure> {
        let mut text = format!("{}\n{}\n", self.variant(), self.position());
        if let Some(boards) = Some(&settings.variant_path).filter(|path| !path.is_empty()) {
            // The game may be taken up in another folder.
            let boards =
                std::path::absolute(boards).map_err(|why| named(Path::new(boards), &why))?;
            text = format!("{BOARDS}{}\n{text}", boards.to_string_lossy());
        }
        Ok(text)
    }

    /// Returns whether this game has all moves of `other`, and perhaps more.
    pub fn continues(&self, other: &Self) -> bool {
        (self.variant, &self.setup) == (other.variant, &other.setup)
            && self.moves.starts_with(&other.moves)
    }

    /// The board files that a saved game was played with, if there were any.
    pub fn boards(path: &Path) -> Result<Option<String>, Failure> {
        let text = text(path)?;
        let mut lines = text.lines();
        Ok(lines.find_map(|line| Some(line.strip_prefix(BOARDS)?.trim().to_string())))
    }

    /// Whether this is a file that [`SavedGame::write`] has written.
    pub fn are_in(path: &Path) -> bool {
        text(path).is_ok_and(|text| variant_and_position(&text).is_some())
    }

    /// Reads what [`SavedGame::write`] has written, of a game that there is with these settings. Whether the moves are legal is the
    /// engine's to say.
    pub fn read(path: &Path, settings: &Settings) -> Result<Self, Failure> {
        let text = text(path)?;
        let refuse = |why| Failure::from(EngineError::new(format!("{}: {why}", path_name(path))));
        let Some((variant, position)) = variant_and_position(&text) else {
            return Err(refuse(format!(
                "expected the lines '{VARIANT}…' and '{POSITION}…' of a saved game"
            )));
        };
        let known = catalog::find_with(settings, variant);
        let (setup, moves) = position.split_once(MOVES).unwrap_or((position, ""));
        Ok(Self {
            variant: known
                .map_or_else(|| catalog::named(variant), Ok)
                .map_err(|why| {
                    refuse(format!(
                        "a game of '{variant}', which is not at hand: {why}"
                    ))
                })?,
            setup: setup.trim().into(),
            moves: moves.split_whitespace().map(String::from).collect(),
        })
    }
}

fn text(path: &Path) -> Result<String, EngineError> {
    Source::named(path)?.text(MAX_BYTES)
}

/// What a saved game says of its variant, and how it begins and goes on.
fn variant_and_position(text: &str) -> Option<(&str, &str)> {
    let after = |begin| text.lines().find_map(|line: &str| line.strip_prefix(begin));
    Some((after(VARIANT)?.trim(), after(POSITION)?))
}

fn named(path: &Path, why: &io::Error) -> Failure {
    EngineError::new(format!("{}: {why}", path_name(path))).into()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_saved_game_is_read_back_and_no_other_file_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game");
        let settings = Settings::default();
        for moves in [vec![], vec!["c1".to_string(), "b3c3".into()]] {
            let notes = SavedGame {
                variant: "aadu-puli",
                setup: "fen T/2TT2/6/6/4 g 15".into(),
                moves,
            };
            notes.write(&path, &settings).expect("room");
            assert_eq!(SavedGame::read(&path, &settings).expect("a game"), notes);
        }
        fs::write(&path, "my thesis").expect("room");
        let notes = SavedGame {
            variant: "tree",
            setup: "startpos".into(),
            moves: Vec::new(),
        };
        assert!(notes.write(&path, &settings).is_err());
        assert_eq!(fs::read_to_string(&path).expect("text"), "my thesis");
    }

    #[test]
    fn a_game_that_is_saved_again_is_replaced_and_never_written_into() {
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
