//! Probes positions that precede the tables of a game: before all tigers are on the board, or with several goats
//! dropped at once.
//!
//! Tables hold *settled* positions only: all tigers on the board, and goats placed one per turn. For an earlier
//! position, [`drops`] searches all drops down to the settled positions and probes these.

use std::path::Path;

use super::probe::Tables;
use crate::error::EngineError;
use crate::games::hunt::{Board, Hunt, Position};
use crate::oracle::{Oracle, Verdict};
use crate::solve::bitset::drops;
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::rank::{MAX_DIMENSIONS, MAX_TIGERS, goat_points};
use crate::value::Side;

/// The tables of any hunt game, which may begin with drops and have the goats as the second player. In the table
/// files, the goats are always the first player.
#[derive(Debug)]
pub(crate) struct HuntTables {
    game: Hunt,
    tables: Tables,
}

impl HuntTables {
    /// Opens a game's tables in a folder. Also returns the errors of unusable files. See [`Tables::open`].
    pub(crate) fn open(
        game: &Hunt,
        folder: &Path,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        Self::open_within(game, folder, 0)
    }

    /// Opens a game's tables with a chunk cache of at least `memory` bytes. See [`Tables::open_within`].
    pub(crate) fn open_within(
        game: &Hunt,
        folder: &Path,
        memory: u64,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let board = require_table_board(game.board)?;
        let (tables, errors) = Tables::open_within(folder, board, memory)?;
        let opened = Self {
            game: *game,
            tables,
        };
        Ok((opened, errors))
    }

    /// Returns the goats in hand, `true` if tigers are to move, and the statistics of each layer that has a file.
    pub(crate) fn layer_stats(&self) -> impl Iterator<Item = (u32, bool, &[LayerStats])> {
        let layers = self.tables.layers();
        layers.map(|layer| {
            let layer_id = &layer.layer_id;
            (layer_id.hand, layer_id.tigers_to_move, &layer.stats[..])
        })
    }
}

impl Oracle<Hunt> for HuntTables {
    fn probe(&self, position: &Position) -> Result<Option<Verdict>, EngineError> {
        if self.game.board.has_standard_rules {
            return self.tables.probe(position);
        }
        let verdict = drops::value(&self.game, position, &mut |settled_position| {
            self.tables.probe(settled_position)
        })?;
        Ok(verdict.map(|verdict| match self.game.board.goats_side {
            Side::P1 => verdict,
            Side::P2 => {
                Verdict::of_win(verdict.win().map(|(winner, plies)| (winner.other(), plies)))
            }
        }))
    }

    fn hits(&self) -> u64 {
        self.tables.hits()
    }
}

/// Minimum number of tiger-free points that goats may enter, on a board with tables. Smaller games are solved in
/// memory in a moment.
const MIN_DIMENSIONS: u32 = 15;

/// Returns the board of the tables for `board`: the same board with the goats as the first player and without
/// drops.
///
/// # Errors
/// If `board` does not support tables. Its rules may differ from Aadu Puli's only in these points: the numbers of
/// pieces, drops at the start, the prey's start in hand or on the board, the prey's zone and steps, chains of leaps of
/// one tiger, and the result if the prey cannot move.
pub(crate) fn require_table_board(board: &'static Board) -> Result<&'static Board, EngineError> {
    let hunters = board.spec.hunters;
    let goat_points = goat_points(board);
    let numbers_fit = *goat_points.start() >= MIN_DIMENSIONS
        && *goat_points.end() <= MAX_DIMENSIONS
        && hunters <= MAX_TIGERS;
    let table_board = board.for_tables().filter(|_| numbers_fit);
    table_board.ok_or_else(|| EngineError::new(format!(
        "{} has no tables: they require {MIN_DIMENSIONS} to {MAX_DIMENSIONS} points for the prey beside at most \
         {MAX_TIGERS} hunters; hunters that start on the board or are dropped at once; prey that all start in hand or all \
         on the board; no goals, no forced captures, and no 'huff', 'prey-turn' or stacks; one hunter and all prey on the board for \
         'leap chain'; and that infinite play is a draw",
        board.name
    )))
}
