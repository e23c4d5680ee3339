//! `puli play`: a game at a terminal, a person against the engine or any two of them; or many games of 2048 at once.

mod engine_link;
mod game_loop;
mod leaving;
mod messages;
mod prompt;
mod saved_game;
pub mod statistics;

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
use game_loop::{GameLoop, Start};
use leaving::Leaving;
use prompt::Prompt;
use saved_game::SavedGame;

/// What `puli play` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game, as option `UCI_Variant` names it, or a board file; without one the games are listed
    #[arg(value_name = "GAME|FILE", value_parser = Games, hide_possible_values = true)]
    game: Option<String>,
    /// Who plays the first side: the goats, X, the one who slides, the solver
    #[arg(long, value_enum, default_value = "person")]
    p1: PlayerKind,
    /// Who plays the second side: the tigers, O [default: engine; in 2048 the tiles fall by themselves]
    #[arg(long, value_enum)]
    p2: Option<PlayerKind>,
    /// How strong the engine is, from 1 to 9: up to 4 so many plies, then 0.1, 0.3, 1, 3 and 10 seconds a move
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=9))]
    level: u8,
    /// Begins here, as `position fen` reads it
    #[arg(long, conflicts_with = "load", requires = "game")]
    fen: Option<String>,
    /// Goes on with a game that `save` has written: no other has to be named
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Seed the dice and the choice among equal moves with <N>; levels 1 to 4 then repeat their moves, the others go by the
    /// clock [default: another each time; with --games 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Writes every line of the protocol that goes to and fro to this file, or with `-` to standard error
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Replace the file of --log if it exists
    #[arg(long, requires = "log")]
    force: bool,
    /// Sets an option of the engine; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Without anybody.
    #[command(flatten)]
    statistics: statistics::Args,
}

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlayerKind {
    /// You, or whoever sits there
    Person,
    /// Puli
    Engine,
}

/// Plays. What was asked for wrongly is refused before anything is written to `out`.
pub fn run(args: &Args, out: &mut dyn Write, progress: &mut dyn Write) -> Result<(), Failure> {
    let mut settings = Settings {
        // Dice, and the choice among equal moves: another game each time.
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
        && let Some(boards) = SavedGame::boards(saved)?
    {
        let read = settings.set("VariantPath", Some(&boards));
        read.map_err(|why| EngineError::new(format!("{}: {why}", path_name(saved))))?;
    }
    if let Some(game) = &args.game {
        settings.choose_game(game).map_err(|why| {
            if SavedGame::are_in(Path::new(game)) {
                EngineError::new(format!("{game} is a saved game: try --load {game}"))
            } else {
                why
            }
        })?;
    }
    let variant = settings.variant;
    if let Some(games) = args.statistics.games {
        if variant != "2048" {
            return Err(EngineError::new("--games is for 2048").into());
        }
        let seed = args.seed.unwrap_or(1);
        return statistics::run(&args.statistics, games, seed, out, progress);
    }
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let notes = args.load.as_deref();
    let notes = notes
        .map(|path| SavedGame::read(path, &settings))
        .transpose()?;
    if let (Some(game), Some(path), Some(notes)) = (&args.game, &args.load, &notes)
        && notes.variant != variant
    {
        let (path, saved) = (path_name(path), notes.variant);
        return Err(
            EngineError::new(format!("{path}: a game of '{saved}', not of '{game}'")).into(),
        );
    }
    let start = match (&args.fen, notes) {
        (_, Some(notes)) => Start::Noted(notes),
        (Some(fen), None) => Start::Fen(fen.clone()),
        (None, None) => Start::Usual,
    };
    let wire = EngineLink::start(&settings, log(args)?)?;
    let leaving = Leaving::listen(settings.clone(), wire.speaker()?);
    leaving.lock().file.clone_from(&args.load);
    let table = GameLoop {
        settings,
        engine_link: wire,
        leaving,
        prompt: Prompt::new(is_terminal)?,
        has_colors: is_terminal && std::env::var_os("NO_COLOR").is_none(),
        players: [Some(args.p1), args.p2],
        level: args.level,
        out,
    };
    table.play(variant, start)
}

/// Lists the games, and says how to start one. Whoever types `puli play` alone asks for this, so that it is no failure.
fn list_games(settings: &Settings, out: &mut dyn Write) -> Result<(), Failure> {
    let mut text = String::from(
        "Play a game with 'puli play NAME', or with a board file, 'puli play FILE':\n\n",
    );
    for variant in catalog::names_with(settings) {
        let settings = Settings {
            variant,
            // Nothing is searched.
            hash: 1,
            ..settings.clone()
        };
        let title = catalog::build(&settings)?.state().about.title;
        text += &format!("  {variant:25}  {title}\n");
    }
    text += "\n'puli play --help' lists the options.\n";
    Ok(out.write_all(text.as_bytes())?)
}

fn log(args: &Args) -> Result<Option<Log>, Failure> {
    Ok(match args.log.as_deref() {
        None => None,
        Some(path) if path.as_os_str() == "-" => Some(Box::new(io::stderr())),
        Some(path) => {
            let inputs = args.load.as_deref().into_iter();
            let inputs = inputs.chain(args.game.as_deref().map(Path::new));
            durable::require_new(path, &inputs.collect::<Vec<_>>(), args.force)?;
            let mut options = OpenOptions::new();
            options.write(true).truncate(true);
            let file = options.create_new(!args.force).create(true).open(path);
            let named = |why| io::Error::other(format!("{}: {why}", path_name(path)));
            Some(Box::new(file.map_err(named)?))
        }
    })
}
