//! `puli boards`: the boards of the hunt games that are built in, and what a board file says.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args as Arguments, Subcommand};

use super::Failure;
use serde_json::json;

use super::sheet::{Column, Format, Sheet};
use crate::catalog;
use crate::error::Refusal;
use crate::games::hunt::{Board, Hunt, board};
use crate::rules::{Notation, Rules};
use crate::scene::Depict;

/// Which boards to tell of.
#[derive(Clone, Debug, Arguments)]
pub struct Args {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Clone, Debug, Subcommand)]
enum Task {
    /// Lists the boards that are built in (so it does without a word)
    List,
    /// Reads board files and tells what they say: points, edges, jumps, symmetries, rules and a drawing
    Check {
        /// A board file, or a folder of them
        #[arg(value_name = "FILE")]
        path: PathBuf,
    },
    /// Prints the board file of a game that is built in, to be changed
    Show {
        /// Its name
        game: String,
    },
}

const COLUMNS: [Column; 8] = [
    Column::words("game", 26),
    Column::numbers("points", 6),
    Column::numbers("edges", 5),
    Column::numbers("jumps", 5),
    Column::numbers("symmetries", 10),
    Column::numbers("hunters", 7),
    Column::numbers("prey", 4),
    Column::words("title", 5),
];

/// Lists the boards, or tells what files say.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.task {
        None | Some(Task::List) => list(out),
        Some(Task::Check { path }) => {
            for file in catalog::read_boards(path)? {
                tell(catalog::read_board(&file.text)?, out)?;
            }
            Ok(())
        }
        Some(Task::Show { game }) => {
            let text = board::text_of(game).ok_or_else(|| {
                let known: Vec<&str> = board::names().collect();
                Refusal::new(format!(
                    "there is no board '{game}', only {}",
                    known.join(", ")
                ))
            })?;
            Ok(out.write_all(text.as_bytes())?)
        }
    }
}

fn list(out: &mut dyn Write) -> Result<(), Failure> {
    let mut table = Sheet::new(out, Format::Table, &COLUMNS)?;
    for board in board::ALL.iter() {
        table.row(&[
            json!(board.name),
            json!(board.points),
            json!(edges(board)),
            json!(jumps(board)),
            json!(board.symmetries.len()),
            json!(board.sketch.hunters),
            json!(board.sketch.prey),
            json!(board.title),
        ])?;
    }
    Ok(table.finish()?)
}

fn edges(board: &Board) -> usize {
    board.sketch.edges().count()
}

/// Jumps either way: from each end of three neighbours to the other.
fn jumps(board: &Board) -> usize {
    2 * board.sketch.threes().count()
}

/// What a board file says, for the one who wrote it.
fn tell(board: &'static Board, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{}: {}", board.name, board.sketch.about)?;
    writeln!(
        out,
        "{} points, {} edges, {} jumps, {} symmetries",
        board.points,
        edges(board),
        jumps(board),
        board.symmetries.len()
    )?;
    let game = Hunt::new(board);
    let start = game.start();
    writeln!(
        out,
        "\n{}\n\nstart: {}\n",
        game.draw(&start),
        game.show_position(&start)
    )?;
    for rule in game.about().rules {
        writeln!(out, "{rule}")?;
    }
    for warning in board.sketch.warnings() {
        writeln!(out, "warning: {warning}")?;
    }
    writeln!(out)?;
    Ok(())
}
