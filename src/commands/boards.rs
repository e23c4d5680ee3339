//! `puli boards`: the boards of the hunt games that are built in, and what a board file says.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args as Arguments, Subcommand};

use serde_json::{Value as Json, json};

use super::Failure;
use super::table_writer::{Column, Format, TableWriter};
use crate::catalog;
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::rules_text::legend;
use crate::games::hunt::spec::BoardSpec;
use crate::games::hunt::{Board, Hunt, board};
use crate::rules::{Notation, Rules};
use crate::scene::SceneProvider;

/// The format of board files, in at most 80 columns.
const KEYWORDS: &str = "\
A board file has one keyword a line; '#' begins a comment. Points are named by
their rows from the top and their numbers from the left: a1 a2 …, b1 b2 ….

  game NAME               the name of the variant: a-z, digits and hyphens
  about TEXT              a line for people
  names HUNTERS PREY      their names, several in the plural: 'names fox hens'
  row Y  X X …            the points of a row: its height, then the place of
                          each point from the left; rows from the top
  line POINT POINT …      a step joins neighbors on a line, a leap goes over one
                          to the next, also round a bend. No point stands on a
                          line twice: a ring is two lines or more. Lines of two
                          points are steps alone. A move is named by the points
                          where it begins and ends: no two leaps may have the
                          same, nor a step and a leap
  hunters N [at POINT …]  the number of hunters, and where they stand; the
                          others are in hand
  hunters-drop first      those in hand come in the hunters' first turn, or with
                          'alternate' one a turn
  prey M [at POINT …]     the number of prey; of those in hand one is placed a
                          turn, and none steps before all are placed
  first prey              the side that begins, or 'hunters'
  first-drops N           the number of prey that the first turn places [1]
  captures K              the captures that the hunters need: a number, 'all'
                          [without this line], or 'none': no leaps
  capture free            or 'forced'
  leap single             one leap a move; 'chain' is not supported yet
  prey-steps any          or 'forward D', 'forward-or-sideways D', where D is
                          up, down, left or right
  prey-stuck lose         prey that cannot move lose, or 'pass'
  prey-zone POINT …       the only points that prey may enter
  hunters-goal POINT …    a hunter on one of them wins
  prey-goal POINT …       prey on all of them win
  repetition draw         or 'prey', 'hunters': who wins a game without end

Required are game, row, line, hunters and prey. Then:

  puli boards check FILE          print the drawing and the rules in words
  puli play FILE                  play at the terminal
  puli board --boards FILE        play on the page
  puli --variant FILE -c 'go depth 10'
  puli solve FILE";

/// Which boards to tell of.
#[derive(Clone, Debug, Arguments)]
#[command(after_long_help = KEYWORDS)]
pub struct Args {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Clone, Debug, Subcommand)]
enum Task {
    /// List the boards that are built in; the default
    List,
    /// Check board files: print the drawing and the rules, or every mistake
    #[command(after_long_help = KEYWORDS)]
    Check {
        /// A board file, or a folder of them
        #[arg(value_name = "FILE")]
        path: PathBuf,
    },
    /// Print the board file of a game that is built in, to be changed
    Show {
        /// The name of the game
        #[arg(value_parser = super::Games, hide_possible_values = true)]
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
        json!(board.spec.hunters),
        json!(board.spec.prey),
    ]
}

/// Lists the boards, or tells what files say.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.task {
        None | Some(Task::List) => list(out),
        Some(Task::Check { path }) => {
            let read = catalog::read_boards(path);
            for file in read.or_else(|why| Err(all_mistakes(path)?.unwrap_or(why)))? {
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

/// All mistakes of board files, each on a line of its own, if there are any.
fn all_mistakes(path: &Path) -> Result<Option<EngineError>, EngineError> {
    let mut mistakes = Vec::new();
    for file in catalog::board_files(path)? {
        if let Err(faults) = BoardSpec::read(&catalog::read_text(&file)?) {
            let told = faults.iter();
            mistakes.extend(told.map(|fault| format!("{}, {fault}", path_name(&file))));
        }
    }
    Ok((!mistakes.is_empty()).then(|| EngineError::of_lines(mistakes)))
}

fn list(out: &mut dyn Write) -> Result<(), Failure> {
    let columns = [&MEASURES[..], &[Column::words("title", 5)]].concat();
    let mut table = TableWriter::new(out, Format::Table, &columns)?;
    for board in board::ALL.iter() {
        let mut row = measures(board);
        row.push(json!(board.title));
        table.row(&row)?;
    }
    Ok(table.finish()?)
}

/// What a board file says, for the one who wrote it.
fn tell(board: &'static Board, out: &mut dyn Write) -> Result<(), Failure> {
    let about = &board.spec.about;
    if about.is_empty() {
        writeln!(out, "{}", board.name)?;
    } else {
        writeln!(out, "{}: {about}", board.name)?;
    }
    writeln!(
        out,
        "{} points, {} edges, {} jumps, {} {}",
        board.points,
        board.edges(),
        board.jumps(),
        board.symmetries.len(),
        if board.symmetries.len() == 1 {
            "symmetry"
        } else {
            "symmetries"
        }
    )?;
    let game = Hunt::new(board);
    let start = game.start();
    writeln!(
        out,
        "\n{}\n\n{}\nstart: {}\n",
        game.draw(&start),
        legend(board),
        game.show_position(&start)
    )?;
    for rule in game.about().rules {
        writeln!(out, "{rule}")?;
    }
    for warning in board.spec.warnings() {
        writeln!(out, "warning: {warning}")?;
    }
    writeln!(out)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keywords that the reader names to who has written another.
    #[test]
    fn every_keyword_is_explained() {
        let faults = BoardSpec::read("tigers 4\n").unwrap_err();
        let fault = faults.iter().next().unwrap();
        let known = fault.misread.expected.strip_prefix("one of ").unwrap();
        let (known, _) = known.split_once(", found").unwrap();
        for keyword in known.split(", ") {
            assert!(KEYWORDS.contains(&format!("\n  {keyword} ")), "{keyword}");
        }
    }
}
