//! The command line, as clap reads it.

use clap::builder::{StyledStr, Styles};
use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use puli::catalog;
#[cfg(feature = "board")]
use puli::commands::board;
use puli::commands::{
    Games, atlas, boards, compare, fit, gather, play, plot, solve, tables, trace, train, verify,
};
use puli::engine::Engine;
use puli::error::EngineError;
use puli::settings::Settings;

/// The headings of `puli --help` with the subcommands below each, in the order in which people need them.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Play and learn", &["play", "board", "boards", "trace"]),
    ("Analyze and solve", &["compare", "solve", "atlas", "plot"]),
    (
        "Make and check",
        &["verify", "tables", "train", "gather", "fit"],
    ),
    ("For scripts", &["bench", "completions", "man", "help"]),
];

/// The columns of a common terminal. Help texts are no wider.
const MAX_WIDTH: usize = 80;

const EXAMPLES: &str = "\
Examples:
  puli play aadu-puli               play tigers and goats against the engine
  puli play 15-puzzle               slide tiles
  puli board                        play in the browser
  puli compare --variant bagh-chal  compare search algorithms
  puli -c 'go depth 8'              search the start position of aadu-puli

'puli boards' lists the hunt games. 'puli help SUBCOMMAND' has the details.";

/// Play, analyze and solve hunt games such as tigers and goats, m,n,k games, 2048 and puzzles.
///
/// Without a subcommand, puli speaks the UCI and UGI protocols on standard input and output; 'help' there lists its commands.
#[derive(Debug, Parser)]
#[command(name = "puli", version, disable_version_flag = true, after_help = EXAMPLES)]
pub struct Cli {
    /// Print the version; with -v also the target and the processor instructions in use
    #[arg(short = 'V', long)]
    pub version: bool,

    /// Obey this line of the protocol instead of standard input, and exit after the last search; may be repeated
    #[arg(short = 'c', long = "command", value_name = "LINE")]
    pub commands: Vec<String>,

    /// Begin with this game, as `setoption name UCI_Variant` does, or with that of a board file [default: aadu-puli]
    #[arg(long, value_name = "GAME|FILE", value_parser = Games, hide_possible_values = true)]
    pub variant: Option<String>,

    /// Begin with this option of the protocol, such as `Threads=2`; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,

    /// Log to standard error: -v each search, -vv each line of the protocol too [environment: `RUST_LOG`]
    #[arg(short, long, action = ArgAction::Count, global = true, help_heading = "Logging", display_order = 998)]
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
    pub fn settings(&self) -> Result<(Settings, Box<dyn Engine>), EngineError> {
        let mut settings = Settings::default();
        for option in &self.options {
            settings.set_named(option)?;
        }
        if let Some(variant) = &self.variant {
            let named =
                |why: EngineError| EngineError::new(format!("--variant '{variant}': {why}"));
            settings.choose_game(variant).map_err(named)?;
        }
        let engine = catalog::build(&settings)?;
        Ok((settings, engine))
    }
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Play a game at the terminal, or run many games of 2048
    Play(play::Args),
    /// Serve a page for the browser to play, analyze and learn
    #[cfg(feature = "board")]
    Board(board::Args),
    /// List the boards of the hunt games, and check board files
    Boards(boards::Args),
    /// Draw the tree of a small search: windows, values, cutoffs
    Trace(trace::Args),
    /// Compare search algorithms on a position or on many puzzles
    Compare(compare::Args),
    /// Compute the value of every position of a game
    Solve(solve::Args),
    /// List all hunt games in a table, and solve those that fit
    Atlas(atlas::Args),
    /// Draw charts of what other subcommands and scripts measured
    Plot(plot::Args),
    /// Check the files of tables and networks in a folder
    Verify(verify::Args),
    /// Build the pattern databases of the 15-puzzle or 24-puzzle
    Tables(tables::Args),
    /// Train a network for 2048
    Train(train::Args),
    /// Write positions of a hunt game with their values, for fit
    Gather(gather::Args),
    /// Fit the network of a hunt game to positions with values
    Fit(fit::Args),
    /// Search a fixed set of positions and print the node count
    Bench,
    /// Write the completion script of a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Write the manual page, or one for every subcommand
    Man {
        /// The folder for a page for every subcommand; without it the main page goes to standard output
        #[arg(long, value_name = "DIR")]
        out: Option<std::path::PathBuf>,
        /// Replace pages that exist
        #[arg(long, requires = "out")]
        force: bool,
    },
}

/// Returns the command line with its help in groups.
pub fn command() -> Command {
    let command = Cli::command().max_term_width(MAX_WIDTH);
    let command = command.mut_subcommands(|task| task.max_term_width(MAX_WIDTH));
    let template = template(&command);
    command.help_template(template)
}

/// Returns the template of `puli --help`: clap's own, but with the subcommands in [`GROUPS`].
fn template(command: &Command) -> StyledStr {
    let styles = Styles::default();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut built = command.clone();
    built.build();
    let names = built.get_subcommands().map(|task| task.get_name().len());
    let width = names.max().unwrap_or_default();
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n\n");
    for (heading, names) in GROUPS {
        text += &format!("{header}{heading}:{header:#}\n");
        for task in names.iter().filter_map(|name| built.find_subcommand(name)) {
            let (name, about) = (task.get_name(), task.get_about());
            let about = about.map(ToString::to_string).unwrap_or_default();
            text += &format!("  {literal}{name:width$}{literal:#}  {about}\n");
        }
        text.push('\n');
    }
    text += &format!("{header}Options:{header:#}\n{{options}}{{after-help}}");
    text.into()
}

/// Reads the command line of this process.
///
/// # Errors
/// Help that was asked for, or a complaint.
pub fn parse() -> Result<Cli, clap::Error> {
    let read = command().try_get_matches();
    read.and_then(|matches| Cli::from_arg_matches(&matches))
        .map_err(suggesting_play)
}

/// Adds what to type to the complaint about a subcommand that is the name of a game.
fn suggesting_play(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && let Some(game) = catalog::find(name)
    {
        let tip = StyledStr::from(format!("'{game}' is a game: puli play {game}"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        error.remove(ContextKind::SuggestedSubcommand);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a command and all its subcommands, with their full names.
    fn walked(command: &Command, name: &str, found: &mut Vec<(String, Command)>) {
        found.push((name.into(), command.clone()));
        for task in command.get_subcommands() {
            if task.get_name() != "help" {
                walked(task, &format!("{name} {}", task.get_name()), found);
            }
        }
    }

    fn every_command() -> Vec<(String, Command)> {
        let mut root = command();
        root.build();
        let mut found = Vec::new();
        walked(&root, "puli", &mut found);
        found
    }

    /// Returns both helps of every command, as a terminal of 80 columns or more shows them.
    fn every_help() -> Vec<(String, String)> {
        let helps = |(name, command): (String, Command)| {
            let mut command = command.term_width(MAX_WIDTH);
            [command.render_help(), command.render_long_help()]
                .map(|help| (name.clone(), help.to_string()))
        };
        every_command().into_iter().flat_map(helps).collect()
    }

    #[test]
    fn every_subcommand_is_in_one_group() {
        let mut root = command();
        root.build();
        let names = GROUPS.iter().flat_map(|(_, names)| *names);
        let mut grouped: Vec<&str> = names.copied().collect();
        if !cfg!(feature = "board") {
            grouped.retain(|name| *name != "board");
        }
        grouped.sort_unstable();
        let help = root.render_long_help().to_string();
        let mut known: Vec<&str> = root.get_subcommands().map(Command::get_name).collect();
        known.sort_unstable();
        assert_eq!(grouped, known);
        for name in known {
            assert!(help.contains(&format!("\n  {name} ")), "{name}: {help}");
        }
    }

    #[test]
    fn no_help_is_wider_than_80_columns() {
        for (name, help) in every_help() {
            for line in help.lines() {
                assert!(line.chars().count() <= MAX_WIDTH, "{name}: {line}");
            }
        }
    }

    #[test]
    fn verbose_is_the_last_option_of_every_help() {
        for (name, help) in every_help() {
            let option = |line: &&str| line.trim_start().starts_with('-');
            let options = help.lines().filter(option);
            let mut options =
                options.filter(|line| !line.contains("--help") && !line.contains("- "));
            let last = options.next_back().unwrap_or_default();
            assert!(last.contains("--verbose"), "{name}: {help}");
        }
    }

    #[test]
    fn summaries_are_short_imperatives() {
        for (name, command) in every_command() {
            let about = command.get_about().map(ToString::to_string);
            let about = about.unwrap_or_default();
            let first = about.split([' ', ',']).next().unwrap_or_default();
            let is_imperative = first.starts_with(char::is_uppercase) && !first.ends_with('s');
            assert!(is_imperative && !about.ends_with('.'), "{name}: {about}");
        }
    }

    #[test]
    fn a_game_in_place_of_a_subcommand_is_told_to_be_played() {
        let error = command().try_get_matches_from(["puli", "kaooa"]);
        let text = suggesting_play(error.unwrap_err()).to_string();
        assert!(
            text.contains("'kaooa' is a game: puli play kaooa"),
            "{text}"
        );
        let error = command().try_get_matches_from(["puli", "paly"]);
        let text = suggesting_play(error.unwrap_err()).to_string();
        assert!(text.contains("'play'"), "{text}");
    }
}
