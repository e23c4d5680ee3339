//! Chooses the method for solving a hunt game.

use std::path::PathBuf;
use std::time::Duration;

use super::bitset::layer::TableGame;
use super::bitset::position_list::ListStorage;
use super::bitset::rank::Ranking;
use super::bitset::survey::MovementSurvey;
use super::explicit::in_memory::positions;
use super::tables::drop_phase::require_table_board;
use super::tables::forecast::SolveForecast;
use super::tables::solver::{Solver, Task};
use crate::error::EngineError;
use crate::games::hunt::{Board, Hunt};

/// Maximum number of positions for [`Plan::Explicit`] if [`Plan::MovementSurvey`] is also possible. With more
/// positions, the explicit solver takes minutes.
pub(crate) const MAX_EXPLICIT_POSITIONS: u128 = 10_000_000;

/// The game to solve, the output and the resources.
#[derive(Clone, Debug)]
pub struct Request {
    /// The board.
    pub board: &'static Board,
    /// Total number of goats, at most the board's number. A smaller number requires a board that supports
    /// tables.
    pub goats: u32,
    /// Folder to write tables to, or `None` to solve in memory.
    pub folder: Option<PathBuf>,
    /// Solve only the positions without goats in hand. Applies to tables only.
    pub(crate) is_movement_only: bool,
    /// Use [`Plan::Explicit`] even if a survey is possible. This is required to verify all values, or to solve from
    /// another start position. Ignored if a folder is given.
    pub(crate) is_explicit: bool,
    /// Allowed memory for tables in MiB.
    pub memory: u64,
    /// Number of threads for tables.
    pub threads: usize,
    /// The place of long lists of positions. Ignored by [`Plan::Explicit`].
    pub storage: ListStorage,
    /// Minimum interval between checkpoints of tables.
    pub checkpoint: Duration,
}

/// A method to solve a game, ready to run.
#[derive(Debug)]
pub enum Plan {
    /// Finds every reachable position in memory ([`explicit`](super::explicit)). With a folder, all values are written
    /// to one table.
    Explicit(Hunt),
    /// Counts each side's wins in the movement phase in memory, with one bit per position ([`MovementSurvey`]).
    MovementSurvey(Box<MovementSurvey>),
    /// Writes tables of the game to a folder, one per layer ([`Solver`]).
    Tables(Hunt, Box<Solver>),
}

/// Chooses the method for a request.
///
/// # Errors
/// - If `goats` exceeds the board's number, or is smaller than the number of goats that start on the board.
/// - If `goats` is smaller than the board's number, and the board does not support tables.
/// - If one table per layer is to be written, and it needs more memory than `memory` or than the system provides.
pub fn plan(request: &Request) -> Result<Plan, EngineError> {
    let game = Hunt::new(board_with_goats(request.board, request.goats)?);
    if let Some(folder) = &request.folder
        && has_layers(request.board)
    {
        let table_game = TableGame {
            board: require_table_board(request.board)?,
            goats: request.goats,
        };
        let solver = Solver::new(Task {
            table_game,
            last_hand: last_hand(&table_game, request.is_movement_only),
            folder: folder.clone(),
            memory: request.memory,
            threads: request.threads,
            storage: request.storage.clone(),
            checkpoint: request.checkpoint,
        })?;
        return Ok(Plan::Tables(game, Box::new(solver)));
    }
    if !request.is_explicit
        && request.folder.is_none()
        && positions(&game)? > MAX_EXPLICIT_POSITIONS
        && let Ok(survey) = MovementSurvey::new(game)
    {
        return Ok(Plan::MovementSurvey(Box::new(
            survey.with_storage(request.storage.clone()),
        )));
    }
    Ok(Plan::Explicit(game))
}

/// Returns `true` if the tables of a game consist of one file per layer. For other games, one file contains all
/// positions.
pub(crate) fn has_layers(board: &'static Board) -> bool {
    require_table_board(board).is_ok()
}

/// Forecasts the resources for solving the whole game of `board` into tables with `threads` threads. `board` must
/// support tables.
pub(crate) fn tables_forecast(board: &'static Board, threads: usize) -> SolveForecast {
    let table_game = TableGame {
        board,
        goats: board.goats,
    };
    SolveForecast::new(
        &Ranking::new(board),
        &table_game,
        last_hand(&table_game, false),
        &ListStorage::Memory,
        threads,
    )
}

/// Returns the maximum number of goats in hand of the layers to solve.
fn last_hand(table_game: &TableGame, is_movement_only: bool) -> u32 {
    if is_movement_only || table_game.board.goats_placed != 0 {
        0
    } else {
        table_game.goats
    }
}

/// Returns `board` with `goats` goats in total.
fn board_with_goats(board: &'static Board, goats: u32) -> Result<&'static Board, EngineError> {
    let (name, max) = (&board.name, board.goats);
    if goats > max {
        return Err(EngineError::new(format!(
            "{name} has {max} goats, not {goats}"
        )));
    }
    let placed = board.goats_at_start;
    if goats < placed {
        return Err(EngineError::new(format!(
            "{placed} prey begin on the board, not {goats}"
        )));
    }
    if goats == max {
        return Ok(board);
    }
    require_table_board(board)?;
    Ok(board.with_goats(goats))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::board::named;

    fn request(name: &str) -> Request {
        let board = named(name).unwrap();
        Request {
            board,
            goats: board.goats,
            folder: None,
            is_movement_only: false,
            is_explicit: false,
            memory: 8192,
            threads: 2,
            storage: ListStorage::Memory,
            checkpoint: Duration::MAX,
        }
    }

    #[test]
    fn chooses_method_by_size_rules_and_options() {
        let method = |request: &Request| match plan(request).unwrap() {
            Plan::Explicit(_) => "explicit",
            Plan::MovementSurvey(_) => "survey",
            Plan::Tables(..) => "tables",
        };
        assert_eq!(method(&request("kaooa")), "explicit");
        assert_eq!(method(&request("adugo")), "survey");
        let explicit = Request {
            is_explicit: true,
            ..request("adugo")
        };
        assert_eq!(method(&explicit), "explicit");
        // Surveys do not support goats in hand.
        assert_eq!(method(&request("aadu-puli")), "explicit");
        let tables = Request {
            folder: Some(PathBuf::from("tables")),
            ..request("aadu-puli")
        };
        assert_eq!(method(&tables), "tables");
        let one_table = Request {
            folder: Some(PathBuf::from("tables")),
            ..request("wolf-and-sheep")
        };
        assert_eq!(method(&one_table), "explicit");
    }

    #[test]
    fn rejects_goats_and_memory_that_do_not_fit() {
        let error = |request: Request| plan(&request).unwrap_err().0;
        let more = Request {
            goats: 16,
            ..request("aadu-puli")
        };
        assert_eq!(error(more), "aadu-puli has 15 goats, not 16");
        let fewer = Request {
            goats: 3,
            ..request("kaooa")
        };
        assert!(error(fewer).contains("has no tables"));
        let memory = Request {
            folder: Some(PathBuf::from("tables")),
            memory: 10,
            ..request("aadu-puli")
        };
        assert!(error(memory).contains("10 MiB may be used"));
    }
}
