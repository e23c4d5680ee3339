//! Tables of games that begin with drops: tigers or several goats that are dropped at once.

use std::path::Path;

use super::probe::Tables;
use crate::error::EngineError;
use crate::games::hunt::{Board, Hunt, Position};
use crate::oracle::{Oracle, Verdict};
use crate::solve::bitset::drops;
use crate::solve::bitset::rank::{MAX_DIMENSIONS, MAX_TIGERS};
use crate::value::Side;

/// Tables for a game that may begin with drops, and in which the goats may be the second player.
#[derive(Debug)]
pub(crate) struct DropPhaseTables {
    game: Hunt,
    tables: Tables,
}

impl DropPhaseTables {
    /// Opens a game's tables in a folder. See [`Tables::open`].
    pub(crate) fn open(
        game: &Hunt,
        folder: &Path,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        Self::open_within(game, folder, 0)
    }

    /// Opens a game's tables with a cache of `memory` bytes. See [`Tables::open_within`].
    pub(crate) fn open_within(
        game: &Hunt,
        folder: &Path,
        memory: u64,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let board = can_have_tables(game.board)?;
        let (tables, errors) = Tables::open_within(folder, board, memory)?;
        let opened = Self {
            game: *game,
            tables,
        };
        Ok((opened, errors))
    }
}

impl Oracle<Hunt> for DropPhaseTables {
    fn probe(&self, position: &Position) -> Result<Option<Verdict>, EngineError> {
        if self.game.board.has_standard_rules {
            return self.tables.probe(position);
        }
        let known = drops::value(&self.game, position, &mut |settled| {
            self.tables.probe(settled)
        })?;
        Ok(known.map(|verdict| match self.game.board.goats_side {
            Side::P1 => verdict,
            Side::P2 => Verdict(verdict.0.map(|(winner, plies)| (winner.other(), plies))),
        }))
    }

    fn hits(&self) -> u64 {
        self.tables.hits()
    }
}

/// Minimum free points of boards with tables. Smaller games are solved in memory at once.
const MIN_DIMENSIONS: u32 = 15;

/// Returns the board of which this game's tables are made.
///
/// # Errors
/// If the rules differ from those of Aadu Puli in more than: numbers; start, with all prey in hand or all on the
/// board; steps of the prey; and the fate of prey that cannot move.
pub(crate) fn can_have_tables(board: &'static Board) -> Result<&'static Board, EngineError> {
    let hunters = board.spec.hunters;
    let free = board.points as u32 - hunters;
    let numbers_fit = (MIN_DIMENSIONS..=MAX_DIMENSIONS).contains(&free) && hunters <= MAX_TIGERS;
    let of_tables = board.table_board().filter(|_| numbers_fit);
    of_tables.ok_or_else(|| EngineError::new(format!(
        "{} has no tables: they are made of games with {MIN_DIMENSIONS} to {MAX_DIMENSIONS} points beside up to {MAX_TIGERS} hunters, \
         which stand on the board or are dropped at once; all prey begin in hand, or all on the board; anybody may go anywhere, \
         captures are free, nobody has a goal, and a game without end is a draw",
        board.name
    )))
}
