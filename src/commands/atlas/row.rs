//! A game in the table of the atlas: what its rules tell, and what perfect play makes of it.

use serde_json::{Value as Json, json};

use super::Args;
use crate::commands::boards::{MEASURES, measures};
use crate::commands::in_memory;
use crate::commands::table_writer::Column;
use crate::error::EngineError;
use crate::games::hunt::spec::Role;
use crate::games::hunt::{Board, Hunt};
use crate::rules::{Notation, Rules};
use crate::solve::explicit::in_memory::{Forecast, SolvedGame};
use crate::value::Side;

/// What stands behind the board's measures.
pub const MORE: [Column; 11] = [
    Column::words("first", 7),
    Column::words("captures", 8),
    Column::numbers("positions at most", 17),
    Column::numbers("positions", 12),
    Column::numbers("prey win %", 10),
    Column::numbers("hunters win %", 13),
    Column::numbers("longest", 7),
    Column::words("start", 20),
    Column::numbers("plies", 5),
    Column::words("best first moves", 20),
    Column::numbers("least prey that win", 19),
];

/// The head of the table.
pub fn columns() -> Vec<Column> {
    [&MEASURES[..], &MORE[..]].concat()
}

/// Where among the columns the start's value stands, and the least number of prey that win.
pub const START: usize = MEASURES.len() + 7;
pub const LEAST: usize = MEASURES.len() + 10;

/// What becomes of a start, in the table's words: nobody wins, the prey do, the hunters do.
pub const VALUES: [&str; 3] = ["draw", "prey win", "hunters win"];

/// What is told of a game, a cell for every column.
pub type Row = Vec<Json>;

/// What the rules of a game tell without solving it.
pub fn facts(board: &'static Board) -> Row {
    let sketch = &board.spec;
    let captures = match sketch.captures {
        None => String::from("none"),
        Some(captures) if captures == sketch.prey => String::from("all"),
        Some(captures) => captures.to_string(),
    };
    let first = if sketch.first == Role::Prey {
        "prey"
    } else {
        "hunters"
    };
    let most = Hunt::new(board).positions_at_most();
    let most = most.and_then(|most| u64::try_from(most).ok());
    let mut facts = measures(board);
    facts.extend([
        json!(first),
        json!(captures),
        json!(most.unwrap_or(u64::MAX)),
    ]);
    facts
}

/// What is told of a game: nothing but facts where it was not to be solved, or does not fit.
pub fn row(board: &'static Board, args: &Args) -> Row {
    let mut row = facts(board);
    let solved = args.solve.then(|| solved(board, args)).and_then(Result::ok);
    let Some(whole) = solved else {
        row.resize(MEASURES.len() + MORE.len(), Json::Null);
        return row;
    };
    let (count, start) = (whole.count(), whole.start());
    let of = |side: Side| usize::from(side == Side::P2);
    let (prey, hunters) = (of(board.goats_side), of(board.tigers_side()));
    let share = |wins: u64| {
        let percent = 100.0 * wins as f64 / count.positions() as f64;
        json!((percent * 10.0).round() / 10.0)
    };
    let value = match start.winner {
        None => VALUES[0],
        Some(winner) if winner == board.goats_side => VALUES[1],
        Some(_) => VALUES[2],
    };
    let game = Hunt::new(board);
    let best = whole.best_moves().into_iter();
    let best: Vec<String> = best.map(|m| game.show_move(m)).collect();
    let least = args.least_prey.then(|| least_prey(board, args)).flatten();
    row.extend([
        json!(count.positions()),
        share(count.wins[prey]),
        share(count.wins[hunters]),
        json!(count.longest[prey].max(count.longest[hunters])),
        json!(value),
        json!(start.plies),
        json!(best.join(" ")),
        json!(least),
    ]);
    row
}

fn solved(board: &'static Board, args: &Args) -> Result<SolvedGame<Hunt>, EngineError> {
    let game = Hunt::new(board);
    let forecast = Forecast::of(&game, game.start())?;
    if forecast.positions > args.most.into() {
        return Err(EngineError::new("there are too many positions"));
    }
    in_memory::solve(&board.name, &game, game.start(), &forecast, args.memory)
}

/// The least number of prey that wins, of those that can be solved, where all begin in hand.
fn least_prey(board: &'static Board, args: &Args) -> Option<u32> {
    if board.goats_placed != 0 {
        return None;
    }
    let most = board.points as u32 - board.spec.hunters;
    for prey in 1..=most {
        let fewer = Board::of(board.spec.with_prey(prey)).ok()?;
        let whole = solved(fewer, args).ok()?;
        if whole.start().winner == Some(board.goats_side) {
            return Some(prey);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::table_writer::Format;
    use crate::games::hunt::board;

    #[test]
    fn the_least_number_of_prey_that_wins_is_the_least() {
        let board = board::named("kaooa").unwrap();
        let args = Args {
            out: None,
            force: false,
            most: u64::MAX,
            format: Format::Table,
            solve: true,
            least_prey: false,
            memory: 1024,
            cluster: None,
            games: Vec::new(),
        };
        let least = least_prey(board, &args).unwrap();
        let winner = |prey: u32| {
            let mut sketch = board.spec.clone();
            sketch.captures = Some(prey.min(4));
            sketch.prey = prey;
            let whole = solved(Board::of(sketch).unwrap(), &args).unwrap();
            whole.start().winner
        };
        assert_eq!(winner(least), Some(board.goats_side));
        assert!((1..least).all(|prey| winner(prey) != Some(board.goats_side)));
    }
}
