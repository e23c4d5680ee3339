//! The command line, as clap reads it.

use clap::{ArgAction, Parser, Subcommand};
use puli::commands::{compare, gather, play, solve, tables, trace, train, verify};

/// An engine for games and puzzles. Without a subcommand it speaks the UCI and UGI protocols on its standard input and
/// output; say 'help' there for its commands.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Cli {
    /// Obeys this line of the protocol instead of standard input, and exits after the last search; may be repeated
    #[arg(short = 'c', long = "command", value_name = "COMMAND")]
    pub commands: Vec<String>,

    /// Logs more to standard error: -v every search that begins, -vv every line in and out (or set `RUST_LOG`)
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub verbose: u8,

    /// What to do instead of speaking the protocol.
    #[command(subcommand)]
    pub task: Option<Task>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Searches a fixed set of positions on one thread and counts the nodes
    Bench,
    /// Compares the algorithms on one position, side by side in a table
    Compare(compare::Args),
    /// Makes the pattern databases of a puzzle, for option `TablebasePath`
    Tables(tables::Args),
    /// Plays whole games against the tiles and tells how they went
    Play(play::Args),
    /// Draws what a search did in a small tree: windows, values, cut-offs
    Trace(trace::Args),
    /// Teaches a network to play: progress, checkpoints, and --resume to go on
    Train(train::Args),
    /// Solves a hunt game for all its positions, and keeps the answers in tables
    Solve(solve::Args),
    /// Writes positions of a hunt game with their values by solved tables, to fit an evaluation to
    Gather(gather::Args),
    /// Checks solved tables
    Verify(verify::Args),
}
