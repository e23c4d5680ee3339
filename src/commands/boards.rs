//! `puli boards`: lists the built-in boards of hunt games, and checks and prints board files.

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

/// The format of board files, for `--help`, in at most 80 columns.
const KEYWORDS: &str = "\
A board file has one keyword per line; '#' starts a comment. Points are named by
row from the top and by number from the left: a1 a2 …, b1 b2 ….

  game NAME               the name of the variant: a-z, digits and hyphens
  about TEXT              one line of description
  origin TEXT             the country or region of the game
  year N                  the year of the oldest source that describes the game
  source TEXT             whose rules these are: author, year, page; may be
                          repeated
  differs TEXT            where the sources disagree, and which rule this file
                          has; may be repeated
  names HUNTERS PREY      names of the sides, in the plural for several pieces:
                          'names fox hens'
  row Y  X X …            the points of a row: its height, then the horizontal
                          position of each point; rows from the top
  line POINT POINT …      pieces step to a neighbor on a line, and leap over a
                          neighbor to the next point, also around a bend. A line
                          contains each point once: split a ring into two lines.
                          A line of two points allows steps only. A move is
                          named by its start and end: no two leaps, and no step
                          and leap, may have both in common
  hunters N [at POINT …]  the number of hunters, and where they start; the
                          others are in hand
  hunters-drop first      all hunters in hand enter in the hunters' first turn;
                          'alternate': one per turn
  prey M [at POINT …]     the number of prey; prey in hand enter one per turn,
                          and no prey moves before all have entered. 'c3*5' is
                          a stack of five on c3: a step or a leap takes one of
                          them, and a turn leaps over a stack only once
  first prey              the side that moves first: 'prey' or 'hunters'
  first-drops N           the number of prey that enter in the first turn [1]
  captures K              the captures that win for the hunters: a number, 'all'
                          [default], or 'none' for a game without leaps
  capture free            'free' or 'forced': hunters that can capture must
  huff none               'remove': after a step in place of a leap, every hunter
                          that could have leapt is removed; the side without a
                          hunter has lost
  leap single             'chain': a hunter may leap again in the same move, and
                          what it leaps over leaves the board at once
  prey-steps any          'any', 'forward D' or 'forward-or-sideways D', where D
                          is up, down, left or right
  prey-turn               whenever no prey could step ahead after a turn, D turns
                          round
  prey-stuck lose         prey without a legal move 'lose' or 'pass'
  prey-zone POINT …       prey may enter only these points
  prey-stacks POINT …     prey may also step onto prey on these points; with
                          'c3*5', at most four points can have stacks
  hunters-goal POINT …    hunters win when a hunter comes to one of these points;
                          a single hunter may start there
  hunters-trap POINT …    hunters lose when a hunter comes to one of these points
  prey-goal POINT …       prey win with prey on all of these points
  repetition draw         the result of an endless game: 'draw', or a win for
                          'prey' or 'hunters'

Required are game, row, line, hunters and prey. Then:

  puli boards check FILE          print the drawing and the rules
  puli play FILE                  play at the terminal
  puli board --boards FILE        play on the page
  puli --variant FILE -c 'go depth 10'
  puli solve FILE";

/// The arguments of `puli boards`.
#[derive(Clone, Debug, Arguments)]
#[command(after_long_help = KEYWORDS)]
pub struct Args {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Clone, Debug, Subcommand)]
enum Task {
    /// List the built-in boards, as without a subcommand
    List,
    /// Check board files: print the drawing and the rules, or all errors
    #[command(after_long_help = KEYWORDS)]
    Check {
        /// Check the board file <FILE>, or all files of the folder <FILE>
        #[arg(value_name = "FILE")]
        path: PathBuf,
    },
    /// Print the board file of a built-in game, as a template
    Show {
        /// Print the board file of <GAME>
        #[arg(value_name = "GAME", value_parser = super::Games, hide_possible_values = true)]
        game: String,
    },
}

/// The columns about a board: the first columns of the tables of `puli boards` and `puli atlas`.
pub(crate) const BOARD_COLUMNS: [Column; 7] = [
    Column::text("game", 26),
    Column::number("points", 6),
    Column::number("edges", 5),
    Column::number("jumps", 5),
    Column::number("symmetries", 10),
    Column::number("hunters", 7),
    Column::number("prey", 4),
];

/// Returns the cells of a board for the columns [`BOARD_COLUMNS`].
pub(crate) fn board_cells(board: &Board) -> Vec<Json> {
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

/// Lists the built-in boards, or checks or prints board files.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.task {
        None | Some(Task::List) => list(out),
        Some(Task::Check { path }) => {
            // `read_boards` stops at the first error, but this command prints all errors.
            let files = catalog::read_boards(path);
            for file in files.or_else(|error| Err(all_errors(path)?.unwrap_or(error)))? {
                describe(catalog::read_board(&file.text)?, out)?;
            }
            Ok(())
        }
        Some(Task::Show { game }) => {
            let text = board::text_of(game).ok_or_else(|| board::unknown(game))?;
            Ok(out.write_all(text.as_bytes())?)
        }
    }
}

/// Returns one error with a line for each error in the board file or folder `path`, if there are errors.
fn all_errors(path: &Path) -> Result<Option<EngineError>, EngineError> {
    let mut errors = Vec::new();
    for file in catalog::board_files(path)? {
        if let Err(spec_errors) = BoardSpec::read(&catalog::read_text(&file)?) {
            errors.extend(
                spec_errors
                    .iter()
                    .map(|error| format!("{}, {error}", path_name(&file))),
            );
        }
    }
    Ok((!errors.is_empty()).then(|| EngineError::of_lines(errors)))
}

/// Prints the table of the built-in boards.
fn list(out: &mut dyn Write) -> Result<(), Failure> {
    let columns = [&BOARD_COLUMNS[..], &[Column::text("title", 5)]].concat();
    let mut table = TableWriter::new(out, Format::Table, &columns)?;
    for board in board::ALL.iter() {
        let mut row = board_cells(board);
        row.push(json!(board.title));
        table.row(&row)?;
    }
    Ok(table.finish()?)
}

/// Prints the drawing, the rules and the warnings of a board.
fn describe(board: &'static Board, out: &mut dyn Write) -> Result<(), Failure> {
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
        legend(&board.spec),
        game.show_position(&start)
    )?;
    for rule in game.about().rules {
        writeln!(out, "{rule}")?;
    }
    for source in &board.spec.sources {
        writeln!(out, "source: {source}")?;
    }
    for difference in &board.spec.differences {
        writeln!(out, "differs: {difference}")?;
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

    #[test]
    fn explains_every_keyword() {
        let spec_errors = BoardSpec::read("tigers 4\n").unwrap_err();
        let error = spec_errors.iter().next().unwrap();
        let keywords = error.cause.expected.strip_prefix("one of ").unwrap();
        let (keywords, _) = keywords.split_once(", found").unwrap();
        for keyword in keywords.split(", ") {
            assert!(KEYWORDS.contains(&format!("\n  {keyword} ")), "{keyword}");
        }
    }
}
