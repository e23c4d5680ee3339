//! `puli atlas`: a table of all hunt games that are built in, and with `--solve` what perfect play makes of them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::Failure;
use super::boards::{MEASURES, measures};
use super::progress::Progress;
use super::sheet::{Column, Format, Sheet};
use crate::error::Refusal;
use crate::games::hunt::sketch::Party;
use crate::games::hunt::{Board, Hunt, board};
use crate::solved::whole::{Forecast, Whole};
use crate::value::Side;

/// What `puli atlas` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The folder for `atlas.md`, `atlas.csv` and `atlas.json`
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Solve the games that fit in memory
    #[arg(long)]
    solve: bool,
    /// Find the least number of prey that wins, too, where all prey are in hand at first
    #[arg(long, requires = "solve")]
    least_prey: bool,
    /// MiB of memory that may be used
    #[arg(long, default_value_t = 8192)]
    memory: u64,
    /// Only games of which so many positions there can be at the most, up to symmetry, are solved
    #[arg(long, value_name = "POSITIONS", default_value_t = 100_000_000)]
    most: u64,
    /// Only these games
    #[arg(value_name = "GAME")]
    games: Vec<String>,
}

/// What stands behind the board's measures.
const MORE: [Column; 11] = [
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

fn columns() -> Vec<Column> {
    [&MEASURES[..], &MORE[..]].concat()
}

/// The files, by their endings.
const FORMATS: [(&str, Format); 3] = [
    ("md", Format::Markdown),
    ("csv", Format::Csv),
    ("json", Format::Json),
];

/// Fills the table game by game. The files are whole after each.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let chosen =
        |board: &&&'static Board| args.games.is_empty() || args.games.contains(&board.name);
    let boards: Vec<&'static Board> = board::ALL.iter().filter(chosen).copied().collect();
    let known = |game: &&String| boards.iter().all(|board| board.name != **game);
    if let Some(game) = args.games.iter().find(known) {
        return Err(board::unknown(game).into());
    }
    let cannot = |error| Refusal::new(format!("{} cannot be made: {error}", args.out.display()));
    fs::create_dir_all(&args.out).map_err(cannot)?;
    let mut rows = Vec::new();
    let columns = columns();
    let mut shown = Sheet::new(out, Format::Table, &columns)?;
    for board in boards {
        let row = row(board, args);
        shown.row(&row)?;
        rows.push(row);
        for (ending, format) in FORMATS {
            write_table(&args.out, ending, format, &rows)?;
        }
    }
    Ok(shown.finish()?)
}

fn write_table(
    folder: &Path,
    ending: &str,
    format: Format,
    rows: &[Vec<Json>],
) -> Result<(), Failure> {
    let mut text = Vec::new();
    let columns = columns();
    let mut sheet = Sheet::new(&mut text, format, &columns)?;
    for row in rows {
        sheet.row(row)?;
    }
    sheet.finish()?;
    let path = folder.join(format!("atlas.{ending}"));
    let cannot = |error| Refusal::new(format!("{} cannot be written: {error}", path.display()));
    Ok(fs::write(&path, text).map_err(cannot)?)
}

/// What is told of a game: nothing where it was not to be solved, or does not fit.
fn row(board: &'static Board, args: &Args) -> Vec<Json> {
    let sketch = &board.sketch;
    let game = Hunt::new(board);
    let captures = match sketch.captures {
        None => String::from("none"),
        Some(captures) if captures == sketch.prey => String::from("all"),
        Some(captures) => captures.to_string(),
    };
    let mut row = measures(board);
    row.extend([
        json!(if sketch.first == Party::Prey {
            "prey"
        } else {
            "hunters"
        }),
        json!(captures),
        json!(u64::try_from(game.positions_at_most()).unwrap_or(u64::MAX)),
    ]);
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
    let best = whole.best_moves();
    let value = match start.winner {
        None => "draw",
        Some(winner) if winner == board.goats_side => "prey win",
        Some(_) => "hunters win",
    };
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

fn solved(board: &'static Board, args: &Args) -> Result<Whole, Refusal> {
    let game = Hunt::new(board);
    let forecast = Forecast::of(game)?;
    forecast.fits(args.memory)?;
    if forecast.positions > args.most.into() {
        return Err(Refusal::new("there are too many positions"));
    }
    let most = u64::try_from(forecast.positions).unwrap_or(u64::MAX);
    let progress = Progress::new(most, "positions");
    progress.note(board.name.as_str());
    Whole::solve(game, args.memory, &mut |extent| {
        progress.set(extent.examined);
    })
}

/// The least number of prey that wins, of those that can be solved, where all begin in hand.
fn least_prey(board: &'static Board, args: &Args) -> Option<u32> {
    if board.goats_placed != 0 {
        return None;
    }
    let most = board.points as u32 - board.sketch.hunters;
    for prey in 1..=most {
        let mut sketch = board.sketch.clone();
        let needs_all = sketch.captures == Some(sketch.prey);
        sketch.captures = sketch
            .captures
            .map(|captures| if needs_all { prey } else { captures.min(prey) });
        sketch.first_drops = sketch.first_drops.min(prey);
        sketch.prey = prey;
        let whole = solved(Board::of(sketch).ok()?, args).ok()?;
        if whole.start().winner == Some(board.goats_side) {
            return Some(prey);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_every_game_and_the_value_of_those_that_fit() {
        let folder = tempfile::tempdir().unwrap();
        let args = Args {
            out: folder.path().join("new"),
            solve: true,
            least_prey: false,
            memory: 1024,
            most: 100_000,
            games: Vec::new(),
        };
        run(&args, &mut Vec::new()).unwrap();
        let read = |ending| fs::read_to_string(args.out.join(format!("atlas.{ending}"))).unwrap();
        assert_eq!(read("md").lines().count(), 2 + board::ALL.len());
        assert_eq!(read("csv").lines().count(), 1 + board::ALL.len());
        let rows: Vec<Json> = serde_json::from_str(&read("json")).unwrap();
        assert_eq!(rows.len(), board::ALL.len());
        let row = |game: &str| rows.iter().find(|row| row["game"] == game).unwrap();
        let kaooa = row("kaooa");
        assert_eq!(
            (&kaooa["start"], &kaooa["plies"]),
            (&json!("prey win"), &json!(15))
        );
        assert_eq!(row("hare-and-hounds")["plies"], json!(23));
        assert_eq!(row("bagh-chal")["start"], Json::Null);
        assert_eq!(
            row("bagh-chal")["positions at most"],
            json!(265_052_818_800_u64)
        );
    }

    #[test]
    fn the_least_number_of_prey_that_wins_is_the_least() {
        let board = board::ALL
            .iter()
            .find(|board| board.name == "kaooa")
            .unwrap();
        let args = Args {
            out: PathBuf::new(),
            solve: true,
            least_prey: true,
            memory: 1024,
            most: u64::MAX,
            games: Vec::new(),
        };
        let least = least_prey(board, &args).unwrap();
        let winner = |prey: u32| {
            let mut sketch = board.sketch.clone();
            sketch.captures = Some(prey.min(4));
            sketch.prey = prey;
            let whole = solved(Board::of(sketch).unwrap(), &args).unwrap();
            whole.start().winner
        };
        assert_eq!(winner(least), Some(board.goats_side));
        assert!((1..least).all(|prey| winner(prey) != Some(board.goats_side)));
    }

    #[test]
    fn a_game_that_is_none_is_refused() {
        let args = Args {
            out: PathBuf::from("nowhere"),
            solve: false,
            least_prey: false,
            memory: 1,
            most: 1,
            games: vec!["chess".into()],
        };
        assert!(run(&args, &mut Vec::new()).is_err());
    }
}
