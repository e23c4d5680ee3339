//! `puli play`: one game at the terminal between people and the engine, or many games of 2048 by the engine alone.

mod engine_link;
mod game;
mod game_loop;
mod leaving;
mod messages;
mod prompt;
pub mod saved_game;
pub(crate) mod statistics;

use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::{Failure, Games};
use crate::catalog;
use crate::durable;
use crate::error::EngineError;
use crate::escape::path_name;
use crate::random::Random;
use crate::settings::Settings;

use engine_link::{EngineLink, Log};
use game::GameContext;
use game_loop::Start;
use leaving::SignalHandler;
use prompt::Prompt;
use saved_game::SavedGame;

/// The arguments of `puli play`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Play <GAME>, a name of option `UCI_Variant`, or the game of the board file <FILE> [default: list the games]
    #[arg(value_name = "GAME|FILE", value_parser = Games, hide_possible_values = true)]
    game: Option<String>,
    /// Choose the player of the first side: goats, X, the tile mover, the solver
    #[arg(long, value_enum, default_value = "person")]
    p1: PlayerKind,
    /// Choose the player of the second side: tigers, O [default: engine; in 2048 tiles appear at random]
    #[arg(long, value_enum)]
    p2: Option<PlayerKind>,
    /// Set the engine's level to <N>, 1 to 9: levels 1 to 4 search 1 to 4 plies, the others 0.1, 0.3, 1, 3 and 10
    /// seconds per move
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=9))]
    level: u8,
    /// Start from the position <FEN>, as in `position fen`
    #[arg(long, value_name = "FEN", conflicts_with = "load", requires = "game")]
    fen: Option<String>,
    /// Continue the game saved in <FILE>; GAME may be omitted
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Seed random moves and the choice among equal moves with <N>; only levels 1 to 4 are reproducible, because
    /// higher levels depend on time [default: random; with --games 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Log all protocol lines in both directions to <FILE>, or to standard error if it is `-`
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Replace the file of --log if it exists
    #[arg(long, requires = "log")]
    force: bool,
    /// Set the engine option <NAME> to <VALUE>; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The options for many games.
    #[command(flatten)]
    statistics: statistics::Args,
}

/// A kind of player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlayerKind {
    /// A person at the terminal
    Person,
    /// Puli
    Engine,
}

/// Plays a game. Invalid arguments are rejected before anything is written to `out`.
pub fn run(args: &Args, out: &mut dyn Write, progress: &mut dyn Write) -> Result<(), Failure> {
    let mut settings = Settings {
        // Without --seed, runs differ in tiles and in the choice among equal moves.
        seed: args
            .seed
            .unwrap_or_else(|| Random::unseeded().u64(1..1 << 32)),
        ..Settings::default()
    };
    for option in &args.options {
        settings.set_named(option)?;
    }
    if args.game.is_none() && args.load.is_none() {
        return list_games(&settings, out);
    }
    if let Some(saved) = &args.load
        && args.game.is_none()
    {
        SavedGame::load_boards(saved, &mut settings)?;
    }
    if let Some(game) = &args.game {
        settings.choose_game(game).map_err(|error| {
            if SavedGame::is_saved_game(Path::new(game)) {
                EngineError::new(format!("{game} is a saved game: use --load {game}"))
            } else {
                error
            }
        })?;
    }
    let variant = settings.variant;
    if let Some(games) = args.statistics.games {
        if variant != "2048" {
            return Err(EngineError::new("--games requires the game 2048").into());
        }
        let seed = args.seed.unwrap_or(1);
        return statistics::run(&args.statistics, games, seed, out, progress);
    }
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let saved_game = args.load.as_deref();
    let saved_game = saved_game
        .map(|path| SavedGame::read(path, &settings))
        .transpose()?;
    if let (Some(game), Some(path), Some(saved_game)) = (&args.game, &args.load, &saved_game)
        && saved_game.variant != variant
    {
        let (path, saved) = (path_name(path), saved_game.variant);
        return Err(EngineError::new(format!(
            "{path}: expected a game of '{game}', found '{saved}'"
        ))
        .into());
    }
    let start = match (&args.fen, saved_game) {
        (_, Some(saved_game)) => Start::Saved(saved_game),
        (Some(fen), None) => Start::Fen(fen.clone()),
        (None, None) => Start::Default,
    };
    let engine_link = EngineLink::start(&settings, log(args)?)?;
    let signals = SignalHandler::listen(settings.clone(), engine_link.sender()?);
    signals.lock().file.clone_from(&args.load);
    let context = GameContext {
        settings,
        engine_link,
        signals,
        prompt: Prompt::new(is_terminal)?,
        has_colors: is_terminal && std::env::var_os("NO_COLOR").is_none(),
        players: [Some(args.p1), args.p2],
        level: args.level,
        out,
    };
    game_loop::play(context, variant, start)
}

/// Lists the games and explains how to start one.
fn list_games(settings: &Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let mut text = String::from(
        "Play a game with 'puli play NAME', or the game of a board file with 'puli play FILE':\n\n",
    );
    for variant in catalog::names_with(settings) {
        let settings = Settings {
            variant,
            // Only the title is needed, so the minimum transposition table suffices.
            hash: 1,
            ..settings.clone()
        };
        let title = catalog::build(&settings)?.state().about.title;
        text += &format!("  {variant:25}  {title}\n");
    }
    text += "\n'puli play --help' lists the options.\n";
    Ok(out.write_all(text.as_bytes())?)
}

/// Opens the log of option `--log`, if it is given.
fn log(args: &Args) -> Result<Option<Log>, Failure> {
    Ok(match args.log.as_deref() {
        None => None,
        Some(path) if path.as_os_str() == "-" => Some(Box::new(io::stderr())),
        Some(path) => {
            // The log must not replace an input file.
            let inputs = args.load.as_deref().into_iter();
            let inputs = inputs.chain(args.game.as_deref().map(Path::new));
            durable::require_new(path, &inputs.collect::<Vec<_>>(), args.force)?;
            let mut options = OpenOptions::new();
            options.write(true).truncate(true);
            let file = options.create_new(!args.force).create(true).open(path);
            let with_path = |error| io::Error::other(format!("{}: {error}", path_name(path)));
            Some(Box::new(file.map_err(with_path)?))
        }
    })
}
