//! The row of a game in the atlas: facts from its rules, and results of perfect play.

use serde_json::{Value as Json, json};

use super::Args;
use crate::commands::boards::{BOARD_COLUMNS, board_cells};
use crate::commands::in_memory;
use crate::commands::table_writer::Column;
use crate::error::EngineError;
use crate::games::hunt::spec::Role;
use crate::games::hunt::{Board, Hunt};
use crate::rules::{Notation, Rules};
use crate::solve::explicit::in_memory::SolvedGame;
use crate::solve::explicit::solution::InMemoryPlan;
use crate::value::Side;

/// The columns after [`BOARD_COLUMNS`]: three facts from the rules, then eight results.
pub(crate) const ATLAS_COLUMNS: [Column; 11] = [
    Column::text("first", 7),
    Column::text("captures", 8),
    Column::number("positions at most", 17),
    Column::number("positions", 12),
    Column::number("prey win %", 10),
    Column::number("hunters win %", 13),
    Column::number("longest", 7),
    Column::text("start", 20),
    Column::number("plies", 5),
    Column::text("best first moves", 20),
    Column::number("least prey that win", 19),
];

/// Returns all columns of the table.
pub(super) fn columns() -> Vec<Column> {
    [&BOARD_COLUMNS[..], &ATLAS_COLUMNS[..]].concat()
}

/// Index of the column with the value of the start position. Its cell is null if the game is not solved.
pub(crate) const START_COLUMN: usize = BOARD_COLUMNS.len() + 7;
/// Index of the column with the minimum number of prey that wins.
pub(crate) const MIN_PREY_COLUMN: usize = BOARD_COLUMNS.len() + 10;

/// The values of a start position: a draw, a win of the prey, a win of the hunters.
pub(crate) const VALUES: [&str; 3] = ["draw", "prey win", "hunters win"];

/// A row with one cell per column.
pub(crate) type Row = Vec<Json>;

/// Returns the cells that follow from the rules of a game.
pub(super) fn facts(board: &'static Board) -> Row {
    let spec = &board.spec;
    let captures = match spec.captures {
        None => String::from("none"),
        Some(captures) if captures == spec.prey => String::from("all"),
        Some(captures) => captures.to_string(),
    };
    let mut facts = board_cells(board);
    facts.extend([
        json!(role_name(spec.first == Role::Hunters)),
        json!(captures),
        json!(positions_at_most(board).unwrap_or(u64::MAX)),
    ]);
    facts
}

/// Returns the name of a role in tables.
pub(super) fn role_name(are_hunters: bool) -> &'static str {
    if are_hunters { "hunters" } else { "prey" }
}

/// Returns an upper bound on the number of positions, or `None` if it exceeds 64 bits.
pub(super) fn positions_at_most(board: &'static Board) -> Option<u64> {
    let max = Hunt::new(board).positions_at_most();
    max.and_then(|max| u64::try_from(max).ok())
}

/// Returns a share in percent, rounded to one decimal.
pub(super) fn percentage(part: u64, whole: u64) -> Json {
    json!((1000.0 * part as f64 / whole as f64).round() / 10.0)
}

/// Returns the row of a game. Its results are null unless solving is requested and the game fits in
/// memory.
pub(super) fn row(board: &'static Board, args: &Args) -> Row {
    let mut row = facts(board);
    let solved = args.solve.then(|| solved(board, args)).and_then(Result::ok);
    let Some(solution) = solved else {
        row.resize(BOARD_COLUMNS.len() + ATLAS_COLUMNS.len(), Json::Null);
        return row;
    };
    let (count, start) = (solution.count(), solution.start());
    let index = |side: Side| usize::from(side == Side::P2);
    let (prey, hunters) = (index(board.goats_side), index(board.tigers_side()));
    let percentage = |wins: u64| percentage(wins, count.positions());
    let value = match start.winner() {
        None => VALUES[0],
        Some(winner) if winner == board.goats_side => VALUES[1],
        Some(_) => VALUES[2],
    };
    let game = Hunt::new(board);
    let best = solution.best_moves().into_iter();
    let best: Vec<String> = best.map(|m| game.show_move_at(&game.start(), m)).collect();
    let min = args.min_prey.then(|| min_prey(board, args).ok().flatten());
    row.extend([
        json!(count.positions()),
        percentage(count.wins[prey]),
        percentage(count.wins[hunters]),
        json!(count.longest[prey].max(count.longest[hunters])),
        json!(value),
        json!(start.plies()),
        json!(best.join(" ")),
        json!(min.flatten()),
    ]);
    row
}

/// Solves a game in memory.
///
/// # Errors
/// If the game has more than `--max-positions` positions or needs more than `--memory`.
fn solved(board: &'static Board, args: &Args) -> Result<SolvedGame<Hunt>, EngineError> {
    let game = Hunt::new(board);
    run(&InMemoryPlan::new(&game, game.start(), args.memory)?, args)
}

/// Solves a game that has a forecast.
///
/// # Errors
/// As [`solved`].
pub(super) fn run(
    plan: &InMemoryPlan<'_, SolvedGame<Hunt>>,
    args: &Args,
) -> Result<SolvedGame<Hunt>, EngineError> {
    if plan.forecast.positions > args.max_positions.into() {
        return Err(EngineError::new("too many positions"));
    }
    in_memory::solve(&plan.game.board.name, plan, None)
}

/// Returns the minimum number of prey that wins, or `None` if no number wins.
///
/// # Errors
/// If a game with fewer prey cannot be solved, or if prey start on the board.
pub(super) fn min_prey(board: &'static Board, args: &Args) -> Result<Option<u32>, EngineError> {
    if board.goats_placed != 0 {
        return Err(EngineError::new("prey start on the board"));
    }
    let max_prey = board.points as u32 - board.spec.hunters;
    for prey in 1..=max_prey {
        let board_with_prey = Board::of(board.spec.with_prey(prey))?;
        let solution = solved(board_with_prey, args)?;
        if solution.start().winner() == Some(board.goats_side) {
            return Ok(Some(prey));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::atlas::dataset::DatasetArgs;
    use crate::commands::table_writer::Format;
    use crate::games::hunt::board;

    #[test]
    fn finds_minimum_number_of_prey_that_wins() {
        let board = board::named("kaooa").unwrap();
        let args = Args {
            out: None,
            force: false,
            max_positions: u64::MAX,
            format: Format::Table,
            solve: true,
            min_prey: false,
            memory: 1024,
            cluster: None,
            results: false,
            dataset: DatasetArgs::default(),
            games: Vec::new(),
        };
        let min = min_prey(board, &args).unwrap().unwrap();
        let winner = |prey: u32| {
            let mut spec = board.spec.clone();
            spec.captures = Some(prey.min(4));
            spec.prey = prey;
            let solution = solved(Board::of(spec).unwrap(), &args).unwrap();
            solution.start().winner()
        };
        assert_eq!(winner(min), Some(board.goats_side));
        assert!((1..min).all(|prey| winner(prey) != Some(board.goats_side)));
    }
}
