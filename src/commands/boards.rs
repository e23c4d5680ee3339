//! `puli boards`: the boards of the hunt games that are built in, and what a board file says.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args as Arguments, Subcommand};

use serde_json::{Value as Json, json};

use super::Failure;
use super::sheet::{Column, Format, Sheet};
use crate::catalog;
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

/// What every table of boards begins with.
pub const MEASURES: [Column; 7] = [
    Column::words("game", 26),
    Column::numbers("points", 6),
    Column::numbers("edges", 5),
    Column::numbers("jumps", 5),
    Column::numbers("symmetries", 10),
    Column::numbers("hunters", 7),
    Column::numbers("prey", 4),
];

/// A board under [`MEASURES`].
pub fn measures(board: &Board) -> Vec<Json> {
    vec![
        json!(board.name),
        json!(board.points),
        json!(board.edges()),
        json!(board.jumps()),
        json!(board.symmetries.len()),
        json!(board.sketch.hunters),
        json!(board.sketch.prey),
    ]
}

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
            let text = board::text_of(game).ok_or_else(|| board::unknown(game))?;
            Ok(out.write_all(text.as_bytes())?)
        }
    }
}

fn list(out: &mut dyn Write) -> Result<(), Failure> {
    let columns = [&MEASURES[..], &[Column::words("title", 5)]].concat();
    let mut table = Sheet::new(out, Format::Table, &columns)?;
    for board in board::ALL.iter() {
        let mut row = measures(board);
        row.push(json!(board.title));
        table.row(&row)?;
    }
    Ok(table.finish()?)
}

/// What a board file says, for the one who wrote it.
fn tell(board: &'static Board, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{}: {}", board.name, board.sketch.about)?;
    writeln!(
        out,
        "{} points, {} edges, {} jumps, {} symmetries",
        board.points,
        board.edges(),
        board.jumps(),
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
