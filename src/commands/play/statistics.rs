//! `puli play 2048 --games N`: lets the engine play `N` games of 2048 and prints statistics of their scores.
//!
//! Each thread has a [`Player`] with its own search and takes the number of its next game from a shared counter. The
//! tiles of a game depend only on the seed and the number of the game.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde_json::json;

use crate::catalog;
use crate::commands::Failure;
use crate::commands::progress::Progress;
use crate::control::{Control, Limits, MAX_DEPTH};
use crate::engine::states::CHANCE_ALGORITHMS;
use crate::engine::stochastic;
use crate::error::EngineError;
use crate::games::twenty48::Twenty48;
use crate::games::twenty48::board::MAX_POWER;
use crate::games::twenty48::results::{GameResult, Results};
use crate::games::twenty48::rules::{Move, Position};
use crate::games::twenty48::tiles;
use crate::path::Path;
use crate::random::Random;
use crate::rules::{Rules, Stochastic};
use crate::search::deepening::{self, DeepeningOptions};
use crate::search::worst_case::{ScoredPosition, WorstCase};
use crate::search::{Root, Search};
use crate::settings::{Algorithm, HASH, Settings, name_of};
use crate::value::Side;

/// The options of `puli play 2048 --games N`.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Many games of 2048 at once")]
#[group(skip)]
pub(crate) struct Args {
    /// 2048: let the engine play <N> games and print statistics
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..),
        requires = "game",
        conflicts_with_all = ["fen", "load", "log", "options", "p1", "p2", "level"]
    )]
    pub games: Option<u64>,
    /// Search <N> moves of the player ahead, 1 to 127: 2 covers a move, the tile and the next move [default: 2, or no
    /// limit with --movetime]
    #[arg(long, value_name = "N", requires = "games", value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: Option<u32>,
    /// Search <MS> milliseconds per move
    #[arg(long, value_name = "MS", requires = "games", value_parser = clap::value_parser!(i64).range(1..))]
    movetime: Option<i64>,
    /// Play <N> games in parallel, 1 to 256
    #[arg(long, value_name = "N", requires = "games", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Search with <ALGORITHM>: auto, expectimax, minimax or alphabeta
    #[arg(long, requires = "games", value_enum, default_value = "auto")]
    algorithm: Algorithm,
    /// Choose the source of tiles
    #[arg(long, requires = "games", value_enum, default_value = "random")]
    tiles: TileSource,
    /// Evaluate with the network in <FILE> [default: the built-in network]
    #[arg(
        long,
        requires = "games",
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    eval_file: String,
    /// Use a transposition table of <MIB> MiB per thread
    #[arg(long, value_name = "MIB", requires = "games", default_value_t = 16, value_parser = clap::value_parser!(u64).range(HASH))]
    hash: u64,
    /// Write the result in this format
    #[arg(long, requires = "games", value_enum, default_value = "text")]
    format: Format,
}

/// The choice of the tile after each slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TileSource {
    /// Drawn by the probabilities of the rules
    Random,
    /// The worst tile that the player's search finds; the first two are drawn
    Worst,
}

/// The format of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines of text
    Text,
    /// One JSON object
    Json,
}

/// Interval between two progress lines, which replace the progress bar if there is no terminal.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// The exponents of the tiles with printed shares of games: 512 to 131072.
const REPORTED_TILES: std::ops::RangeInclusive<u8> = 9..=MAX_POWER;

/// Plays `games` games and writes the statistics to `out` and progress to `progress`.
///
/// # Errors
/// If an option is invalid, the network or a transposition table cannot be loaded or allocated, or writing fails.
pub(crate) fn run(
    args: &Args,
    games: u64,
    seed: u64,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> Result<(), Failure> {
    if !CHANCE_ALGORITHMS.contains(&args.algorithm) {
        let supported: Vec<String> = CHANCE_ALGORITHMS.iter().map(name_of).collect();
        return Err(EngineError::new(format!(
            "--algorithm: expected {} for 2048",
            supported.join(", ")
        ))
        .into());
    }
    let settings = Settings {
        variant: catalog::named("2048")?,
        algorithm: args.algorithm,
        eval_file: args.eval_file.clone(),
        hash: args.hash,
        ..Settings::default()
    };
    let game = catalog::twenty48(&settings)?;
    let players = (0..args.threads).map(|_| Player::new(&game, &settings, args));
    let players = players.collect::<Result<Vec<_>, EngineError>>()?;
    let start = Instant::now();
    let results = play_games(players, seed, games, start, progress)?;
    let seconds = start.elapsed().as_secs_f64();
    // This is slightly below the speed of `threads` busy threads, because a thread is idle after its last game.
    let moves_per_second = results.moves as f64 / seconds;
    match args.format {
        Format::Text => {
            writeln!(out, "games: {}", results.games)?;
            writeln!(
                out,
                "mean score: {:.0} ± {:.0} (standard error)",
                results.mean(),
                results.standard_error()
            )?;
            writeln!(out, "best score: {}", results.best)?;
            for power in REPORTED_TILES {
                writeln!(out, "{}: {:.1}%", 1 << power, 100.0 * results.rate(power))?;
            }
            writeln!(out, "moves: {} in {seconds:.1} s", results.moves)?;
            writeln!(
                out,
                "moves per second: {moves_per_second:.0} on {} threads",
                args.threads
            )?;
        }
        Format::Json => {
            let rates: serde_json::Map<_, _> = REPORTED_TILES
                .map(|power| ((1 << power).to_string(), json!(results.rate(power))))
                .collect();
            let result = json!({
                "games": results.games,
                "seed": seed,
                "mean_score": results.mean(),
                "standard_error": results.standard_error(),
                "best_score": results.best,
                "rates": rates,
                "moves": results.moves,
                "seconds": seconds,
                "moves_per_second": moves_per_second,
                "threads": args.threads,
            });
            writeln!(out, "{result}")?;
        }
    }
    Ok(())
}

/// Plays `games` games, on one thread per player, and returns their statistics. `start` is the start of the first
/// interval of progress lines.
fn play_games(
    players: Vec<Player>,
    seed: u64,
    games: u64,
    start: Instant,
    progress: &mut dyn Write,
) -> Result<Results, Failure> {
    let next_game = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for mut player in players {
            let (sender, next_game) = (sender.clone(), &next_game);
            scope.spawn(move || {
                loop {
                    let number = next_game.fetch_add(1, Ordering::Relaxed);
                    // `send` fails if the receiver was dropped because the progress could not be
                    // written.
                    if number >= games || sender.send(player.play_game(seed, number)).is_err() {
                        break;
                    }
                }
            });
        }
        // The receiver ends when all senders are dropped.
        drop(sender);
        let mut results = Results::default();
        let mut last_report = start;
        let bar = Progress::new(games, "games");
        for result in receiver {
            results.add(result);
            bar.set(results.games);
            bar.note(format!("mean score {:.0}", results.mean()));
            if !bar.is_visible() && last_report.elapsed() >= PROGRESS_INTERVAL {
                last_report = Instant::now();
                writeln!(
                    progress,
                    "{} of {} games, mean score {:.0} …",
                    results.games,
                    games,
                    results.mean()
                )?;
            }
        }
        Ok(results)
    })
}

/// A player with its own search.
struct Player {
    /// 2048 as a two-player game, for all searches. The second player chooses the tiles, or is chance in
    /// searches of `auto` and `expectimax`.
    game: WorstCase<Twenty48>,
    search: Box<dyn Search<WorstCase<Twenty48>>>,
    tiles: TileSource,
    /// The depth and the time of each search.
    limits: Limits,
}

impl Player {
    fn new(game: &Twenty48, settings: &Settings, args: &Args) -> Result<Self, EngineError> {
        let depth = args.depth.or_else(|| args.movetime.is_none().then_some(2));
        Ok(Self {
            game: WorstCase(game.clone()),
            search: stochastic::search(settings)??,
            tiles: args.tiles,
            limits: Limits {
                depth: depth.map(depth_in_plies),
                movetime: args.movetime,
                ..Limits::default()
            },
        })
    }

    /// Plays game number `number`, with random tiles from stream `number` of `seed`.
    fn play_game(&mut self, seed: u64, number: u64) -> GameResult {
        let cells = self.game.0.slides.cells();
        let mut random = Random::stream(seed, number);
        let board = tiles::start(cells, &mut random);
        let mut position = Position {
            board,
            tile_to_come: false,
            score: 0,
        };
        let mut moves = 0;
        self.search.clear();
        // After each slide, `position` expects a tile.
        while let Some(slide) = self.best_move(&position) {
            moves += 1;
            position = self.game.0.play(&position, slide);
            match self.tiles {
                TileSource::Random => {
                    position.board = tiles::add_random(position.board, cells, &mut random);
                    position.tile_to_come = false;
                }
                TileSource::Worst => match self.best_move(&position) {
                    Some(tile) => position = self.game.0.play(&position, tile),
                    None => break,
                },
            }
        }
        GameResult::new(position.board, position.score, moves)
    }

    /// Returns the best move for the side to move, a slide or the worst tile for the player. Returns `None` if the
    /// game is over.
    fn best_move(&mut self, position: &Position) -> Option<Move> {
        let mut root = Root::new(&self.game, Path::new(ScoredPosition::new(*position)), 0);
        // A single move needs no search.
        if root.moves.len() < 2 || self.game.0.is_over(position) {
            return root.moves.first().map(|only| only.m);
        }
        let budget = self.limits.budget(Side::P1, Duration::ZERO);
        let mut control = Control::new(&self.limits, budget, Arc::default());
        if let (Some(depth), None) = (self.limits.depth, self.limits.movetime) {
            // Without a time limit, the search always reaches `depth`, and iterative deepening would only add
            // time.
            let found = self
                .search
                .run(&self.game, &mut root, depth, &mut control, &mut |_, _| {});
            return found.ok().and_then(|found| found.line.first().copied());
        }
        let fallback = root.moves[0].m;
        let options = DeepeningOptions::new(&self.limits, 1);
        let search = self.search.as_mut();
        let lines = deepening::deepen(
            &self.game,
            &mut root,
            search,
            &options,
            &mut control,
            &mut |_, _, _| {},
        );
        lines
            .first()
            .and_then(|line| line.found.line.first().copied())
            .or(Some(fallback))
    }
}

/// Returns the search depth in plies for `moves` moves of the player.
///
/// With the tiles between them, `moves` moves are `2 * moves - 1` plies. The last move is not searched, because the
/// static evaluation of a position before a move is already the value of the best move.
fn depth_in_plies(moves: u32) -> u32 {
    (2 * moves - 2).clamp(1, MAX_DEPTH)
}
