//! The command line, as clap reads it.

use clap::{ArgAction, Parser, Subcommand};
use puli::catalog;
#[cfg(feature = "board")]
use puli::commands::board;
use puli::commands::{
    atlas, boards, compare, fit, gather, play, plot, solve, tables, trace, train, verify,
};
use puli::engine::Engine;
use puli::error::Refusal;
use puli::settings::Settings;

/// An engine for games and puzzles. Without a subcommand it speaks the UCI and UGI protocols on its standard input and
/// output; say 'help' there for its commands.
#[derive(Debug, Parser)]
#[command(name = "puli", version, disable_version_flag = true)]
pub struct Cli {
    /// Prints the version; with -v also what it is built for, and which instructions it runs by here
    #[arg(short = 'V', long)]
    pub version: bool,

    /// Obeys this line of the protocol instead of standard input, and exits after the last search; may be repeated
    #[arg(short = 'c', long = "command", value_name = "COMMAND")]
    pub commands: Vec<String>,

    /// Begins with this game, as `setoption name UCI_Variant value V` does, or with that of a board file
    #[arg(long, value_name = "GAME|FILE", value_parser = puli::commands::Games, hide_possible_values = true)]
    pub variant: Option<String>,

    /// Begins with an option of the protocol set; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,

    /// Logs more to standard error: -v every search that begins, -vv every line in and out (or set `RUST_LOG`)
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub verbose: u8,

    /// What to do instead of speaking the protocol.
    #[command(subcommand)]
    pub task: Option<Task>,
}

impl Cli {
    /// Whether something is said about a session.
    pub fn speaks(&self) -> bool {
        !self.commands.is_empty() || !self.options.is_empty() || self.variant.is_some()
    }

    /// The options that a session begins with, in the order in which they were given but for the variant, which comes
    /// last; and the engine for them.
    ///
    /// # Errors
    /// When there is no such option, or it does not take that value.
    pub fn settings(&self) -> Result<(Settings, Box<dyn Engine>), Refusal> {
        let mut settings = Settings::default();
        for option in &self.options {
            settings.set_named(option)?;
        }
        if let Some(variant) = &self.variant {
            let named = |why: Refusal| Refusal::new(format!("--variant '{variant}': {why}"));
            settings.choose_game(variant).map_err(named)?;
        }
        let engine = catalog::build(&settings)?;
        Ok((settings, engine))
    }
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Searches a fixed set of positions on one thread and counts the nodes
    Bench,
    /// Writes a table of all hunt games, and with --solve what perfect play makes of them
    Atlas(atlas::Args),
    /// Serves a page on this machine where people play, analyse and learn, and opens it
    #[cfg(feature = "board")]
    Board(board::Args),
    /// Lists the boards of the hunt games, and checks board files
    Boards(boards::Args),
    /// Compares the algorithms on one position, side by side in a table
    Compare(compare::Args),
    /// Writes the completions of a shell for this command line
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Writes the manual page, or into a folder one for every subcommand
    Man {
        /// The folder
        #[arg(long, value_name = "DIR")]
        out: Option<std::path::PathBuf>,
        /// Replace pages that exist
        #[arg(long, requires = "out")]
        force: bool,
    },
    /// Makes the pattern databases of a puzzle, for option `TablebasePath`
    Tables(tables::Args),
    /// Plays with you at the terminal; or whole games of 2048, to tell how they went
    Play(play::Args),
    /// Draws pictures of what the other subcommands have measured
    Plot(plot::Args),
    /// Draws what a search did in a small tree: windows, values, cut-offs
    Trace(trace::Args),
    /// Teaches a network to play: progress, checkpoints, and --resume to go on
    Train(train::Args),
    /// Solves a game for all its positions, and keeps the answers in tables
    Solve(solve::Args),
    /// Writes positions of a hunt game with their values, to fit an evaluation to
    Gather(gather::Args),
    /// Makes the network of a hunt game from positions with their values
    Fit(fit::Args),
    /// Checks solved tables
    Verify(verify::Args),
}
