//! The options that define games by board files: `VariantPath` and `VariantText`.

use std::path::Path;

use crate::catalog;
use crate::error::EngineError;
use crate::settings::{BoardFile, Settings};

impl Settings {
    /// Selects the game named `game`. Without such a game, `game` is the path of a board file, which
    /// is read as by `VariantPath`.
    pub fn choose_game(&mut self, game: &str) -> Result<(), EngineError> {
        if let Some(name) = catalog::find_with(self, game) {
            self.variant = name;
            return Ok(());
        }
        let path = Path::new(game);
        if path.is_dir() || !path.exists() {
            let unknown = catalog::named(game).map(drop);
            return unknown.map_err(|why| {
                EngineError::new(format!("there is no board file '{game}', and {why}"))
            });
        }
        let boards = catalog::read_boards(path)?;
        if let Some(board) = boards.first() {
            self.variant = board.game;
        }
        self.take_boards(game, boards);
        Ok(())
    }

    /// Reads the board files at a path. If one of them is invalid, nothing changes.
    pub(super) fn read_boards(&mut self, path: Option<&str>) -> Result<(), EngineError> {
        let boards = path.map_or(Ok(Vec::new()), |path| catalog::read_boards(Path::new(path)))?;
        if !self.keeps_variant(boards.iter().chain(&self.board_text)) {
            return Err(EngineError::new(format!(
                "{} is the variant, and no file there has it: choose another first",
                self.variant
            )));
        }
        self.take_boards(path.unwrap_or_default(), boards);
        Ok(())
    }

    /// Adds the game of a board file's text. It replaces the game of the previous text. If the text is invalid, nothing
    /// changes.
    pub(super) fn take_board_text(&mut self, text: Option<String>) -> Result<(), EngineError> {
        let board = text.map(catalog::read_board_text).transpose()?;
        if !self.keeps_variant(self.boards.iter().chain(&board)) {
            return Err(EngineError::new(format!(
                "{} is the variant, and the text has another game: choose another variant first",
                self.variant
            )));
        }
        self.board_text = board;
        Ok(())
    }

    /// Returns `true` if the variant is built in or among the games of `boards`.
    fn keeps_variant<'a>(&self, mut boards: impl Iterator<Item = &'a BoardFile>) -> bool {
        catalog::find(self.variant).is_some() || boards.any(|board| board.game == self.variant)
    }

    fn take_boards(&mut self, path: &str, boards: Vec<BoardFile>) {
        self.variant_path = path.into();
        self.boards = boards;
    }
}
