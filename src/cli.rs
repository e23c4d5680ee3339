//! The command line, defined with clap.

use clap::builder::{StyledStr, Styles};
use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use puli::catalog;
use puli::commands::{
    Games, atlas, boards, compare, exercise, features, fit, gather, play, plot, solve, tables,
    trace, train, verify,
};
#[cfg(feature = "board")]
use puli::commands::{board, serve};
use puli::engine::Engine;
use puli::error::EngineError;
use puli::settings::Settings;

/// The headings of `puli --help` and the subcommands below each, the most used first.
const GROUPS: [(&str, &[&str]); 4] = [
    (
        "Play and learn",
        &["play", "board", "boards", "trace", "features", "exercise"],
    ),
    (
        "Analyze and solve",
        &["compare", "solve", "atlas", "plot", "serve"],
    ),
    (
        "Make and check",
        &["verify", "tables", "train", "gather", "fit"],
    ),
    ("For scripts", &["bench", "completions", "man", "help"]),
];

/// Maximum width of a help text, in columns: that of a standard terminal.
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
/// Without a subcommand, puli reads commands of the UCI and UGI protocols from standard input and answers on standard
/// output; the command 'help' lists them.
#[derive(Debug, Parser)]
#[command(name = "puli", version, disable_version_flag = true, after_help = EXAMPLES)]
pub struct Cli {
    /// Print the version; with -v also the target and the CPU instruction sets
    #[arg(short = 'V')]
    pub short_version: bool,

    /// Print the version as -V does, and the versions of the file formats and of the protocol's extensions
    #[arg(long)]
    pub version: bool,

    /// Run the protocol command <LINE> instead of reading standard input, and exit after the last search; may be
    /// repeated
    #[arg(short = 'c', long = "command", value_name = "LINE")]
    pub commands: Vec<String>,

    /// Start with <GAME>, as `setoption name UCI_Variant` does, or with the game of the board file <FILE> [default:
    /// aadu-puli]
    #[arg(long, value_name = "GAME|FILE", value_parser = Games, hide_possible_values = true)]
    pub variant: Option<String>,

    /// Start with the protocol option <NAME> set to <VALUE>, such as `Threads=2`; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,

    /// Log to standard error: -v logs each search, -vv also each line of the protocol [environment: `RUST_LOG`]
    #[arg(short, long, action = ArgAction::Count, global = true, help_heading = "Logging", display_order = 998)]
    pub verbose: u8,

    /// The subcommand; `None` runs the protocol.
    #[command(subcommand)]
    pub subcommand: Option<Task>,
}

impl Cli {
    /// Returns `true` if an option configures a protocol session.
    pub fn has_session_options(&self) -> bool {
        !self.commands.is_empty() || !self.options.is_empty() || self.variant.is_some()
    }

    /// Returns the settings of a new session and the engine for them. Options apply in the order given, `--variant`
    /// last.
    ///
    /// # Errors
    /// Fails if an option does not exist or rejects its value.
    pub fn settings(&self) -> Result<(Settings, Box<dyn Engine>), EngineError> {
        let mut settings = Settings::default();
        for option in &self.options {
            settings.set_named(option)?;
        }
        if let Some(variant) = &self.variant {
            let named =
                |error: EngineError| EngineError::new(format!("--variant '{variant}': {error}"));
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
    /// Serve a page in the browser to play, analyze and learn
    #[cfg(feature = "board")]
    Board(board::Args),
    /// Serve exact values and analysis as JSON over HTTP
    #[cfg(feature = "board")]
    Serve(serve::Args),
    /// List the boards of the hunt games, or check board files
    Boards(boards::Args),
    /// Draw the tree of a small search with windows, values and cutoffs
    Trace(trace::Args),
    /// List the features of a game's evaluation and their weights
    Features(features::Args),
    /// Make worksheets about searches, with their answers, or mark them
    Exercise(exercise::Args),
    /// Compare search algorithms on a position or on many puzzles
    Compare(compare::Args),
    /// Compute the value of every position of a game
    Solve(solve::Args),
    /// Tabulate all hunt games, and solve the small ones
    Atlas(atlas::Args),
    /// Draw charts of measurements by other subcommands and scripts
    Plot(plot::Args),
    /// Check the table and network files in a folder
    Verify(verify::Args),
    /// Build the pattern databases of the 15-puzzle or 24-puzzle
    Tables(tables::Args),
    /// Train a network for 2048
    Train(train::Args),
    /// Write labeled positions of a hunt game, the input of fit
    Gather(gather::Args),
    /// Fit the network of a hunt game to labeled positions
    Fit(fit::Args),
    /// Search a fixed set of positions and print the node count
    Bench,
    /// Print the completion script for a shell
    Completions {
        /// Complete commands of <SHELL>
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one for each subcommand
    Man {
        /// Write the pages of puli and all subcommands to the folder <DIR> instead of printing the main page
        #[arg(long, value_name = "DIR")]
        out: Option<std::path::PathBuf>,
        /// Replace existing pages
        #[arg(long, requires = "out")]
        force: bool,
    },
}

/// Returns the command line with its subcommands grouped in the help.
pub fn command() -> Command {
    let command = Cli::command().max_term_width(MAX_WIDTH);
    let command = command.mut_subcommands(|subcommand| subcommand.max_term_width(MAX_WIDTH));
    let template = template(&command);
    command.help_template(template)
}

/// Returns the template of `puli --help`: clap's default with the subcommands grouped by [`GROUPS`].
fn template(command: &Command) -> StyledStr {
    let styles = Styles::default();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut built = command.clone();
    built.build();
    let names = built
        .get_subcommands()
        .map(|subcommand| subcommand.get_name().len());
    let width = names.max().unwrap_or_default();
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n\n");
    for (heading, names) in GROUPS {
        text += &format!("{header}{heading}:{header:#}\n");
        for subcommand in names.iter().filter_map(|name| built.find_subcommand(name)) {
            let (name, about) = (subcommand.get_name(), subcommand.get_about());
            let about = about.map(ToString::to_string).unwrap_or_default();
            text += &format!("  {literal}{name:width$}{literal:#}  {about}\n");
        }
        text.push('\n');
    }
    text += &format!("{header}Options:{header:#}\n{{options}}{{after-help}}");
    text.into()
}

/// Parses the command line of this process.
///
/// # Errors
/// Fails if the command line is invalid. A request for help is an `Err` too, as in clap.
pub fn parse() -> Result<Cli, clap::Error> {
    let read = command().try_get_matches();
    read.and_then(|matches| Cli::from_arg_matches(&matches))
        .map_err(suggest_play)
}

/// Adds `puli play GAME` as a tip if the unknown subcommand is the name of a game.
fn suggest_play(mut error: clap::Error) -> clap::Error {
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

    /// Appends a command and all its subcommands to `found`, with their full names.
    fn collect_commands(command: &Command, name: &str, found: &mut Vec<(String, Command)>) {
        found.push((name.into(), command.clone()));
        for subcommand in command.get_subcommands() {
            if subcommand.get_name() != "help" {
                collect_commands(
                    subcommand,
                    &format!("{name} {}", subcommand.get_name()),
                    found,
                );
            }
        }
    }

    fn all_commands() -> Vec<(String, Command)> {
        let mut root = command();
        root.build();
        let mut found = Vec::new();
        collect_commands(&root, "puli", &mut found);
        found
    }

    /// Returns the short and the long help of every command at a width of 80 columns.
    fn all_helps() -> Vec<(String, String)> {
        let helps = |(name, command): (String, Command)| {
            let mut command = command.term_width(MAX_WIDTH);
            [command.render_help(), command.render_long_help()]
                .map(|help| (name.clone(), help.to_string()))
        };
        all_commands().into_iter().flat_map(helps).collect()
    }

    #[test]
    fn lists_every_subcommand_in_one_group() {
        let mut root = command();
        root.build();
        let names = GROUPS.iter().flat_map(|(_, names)| *names);
        let mut grouped: Vec<&str> = names.copied().collect();
        if !cfg!(feature = "board") {
            grouped.retain(|name| !matches!(*name, "board" | "serve"));
        }
        grouped.sort_unstable();
        let help = root.render_long_help().to_string();
        let mut actual: Vec<&str> = root.get_subcommands().map(Command::get_name).collect();
        actual.sort_unstable();
        assert_eq!(grouped, actual);
        for name in actual {
            assert!(help.contains(&format!("\n  {name} ")), "{name}: {help}");
        }
    }

    #[test]
    fn wraps_help_at_80_columns() {
        for (name, help) in all_helps() {
            for line in help.lines() {
                assert!(line.chars().count() <= MAX_WIDTH, "{name}: {line}");
            }
        }
    }

    #[test]
    fn lists_verbose_last_in_every_help() {
        for (name, help) in all_helps() {
            let option = |line: &&str| line.trim_start().starts_with('-');
            let options = help.lines().filter(option);
            let mut options =
                options.filter(|line| !line.contains("--help") && !line.contains("- "));
            let last = options.next_back().unwrap_or_default();
            assert!(last.contains("--verbose"), "{name}: {help}");
        }
    }

    #[test]
    fn words_summaries_as_imperatives() {
        for (name, command) in all_commands() {
            let about = command.get_about().map(ToString::to_string);
            let about = about.unwrap_or_default();
            let first = about.split([' ', ',']).next().unwrap_or_default();
            let is_imperative = first.starts_with(char::is_uppercase) && !first.ends_with('s');
            assert!(is_imperative && !about.ends_with('.'), "{name}: {about}");
        }
    }

    #[test]
    fn suggests_play_if_subcommand_is_a_game() {
        let error = command().try_get_matches_from(["puli", "kaooa"]);
        let text = suggest_play(error.unwrap_err()).to_string();
        assert!(
            text.contains("'kaooa' is a game: puli play kaooa"),
            "{text}"
        );
        let error = command().try_get_matches_from(["puli", "paly"]);
        let text = suggest_play(error.unwrap_err()).to_string();
        assert!(text.contains("'play'"), "{text}");
    }
}
