//! `puli play 2048 --games N`: whole games against the tiles, and what came of them.

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
use crate::engine::stochastic;
use crate::error::EngineError;
use crate::games::twenty48::Twenty48;
use crate::games::twenty48::board::LARGEST;
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

/// What `puli play 2048 --games N` takes.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Many games of 2048 at once")]
#[group(skip)]
pub struct Args {
    /// 2048: plays so many whole games without anybody, and tells how they went
    #[arg(
        long,
        value_parser = clap::value_parser!(u64).range(1..),
        requires = "game",
        conflicts_with_all = ["fen", "load", "log", "options", "p1", "p2", "level"]
    )]
    pub games: Option<u64>,
    /// The player's own moves to look ahead: with 2 he sees his move, the tile, and his move after it [default: 2,
    /// unless a time is given]
    #[arg(long, requires = "games", value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: Option<u32>,
    /// Milliseconds for every move
    #[arg(long, requires = "games", value_parser = clap::value_parser!(i64).range(1..))]
    movetime: Option<i64>,
    /// Games played at the same time
    #[arg(long, requires = "games", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// How to search: auto, expectimax, minimax or alphabeta
    #[arg(long, requires = "games", value_enum, default_value = "auto")]
    algorithm: Algorithm,
    /// Where the tiles come from
    #[arg(long, requires = "games", value_enum, default_value = "random")]
    tiles: Tiles,
    /// The network to play with, instead of the one inside the program
    #[arg(long, requires = "games", value_name = "FILE", default_value = "")]
    eval_file: String,
    /// MiB for every thread's transposition table
    #[arg(long, requires = "games", default_value_t = 16, value_parser = clap::value_parser!(u64).range(HASH))]
    hash: u64,
    /// How to write the result
    #[arg(long, requires = "games", value_enum, default_value = "text")]
    format: Format,
}

/// Where the tiles come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tiles {
    /// Drawn by the rules' chances; the first two always are
    Random,
    /// The worst for the player, as far as his own search sees
    Worst,
}

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One JSON object.
    Json,
}

/// How often a line tells how far the games are.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// The tiles whose rates are told, as powers of two: 512 to 131072.
const TOLD: std::ops::RangeInclusive<u8> = 9..=LARGEST;

/// Plays the games and writes what came of them. Progress goes to `progress`.
pub fn run(
    args: &Args,
    games: u64,
    seed: u64,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> Result<(), Failure> {
    if !stochastic::ALGORITHMS.contains(&args.algorithm) {
        let known: Vec<String> = stochastic::ALGORITHMS.iter().map(name_of).collect();
        return Err(EngineError::new(format!("2048 is played by {}", known.join(", "))).into());
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
    let layer_stats = play(players, seed, games, start, progress)?;
    let seconds = start.elapsed().as_secs_f64();
    // Of one thread, or of all: games end at different times, so this is a little less than each could do.
    let rate = layer_stats.moves as f64 / seconds;
    match args.format {
        Format::Text => {
            writeln!(out, "games: {}", layer_stats.games)?;
            writeln!(
                out,
                "mean score: {:.0} ± {:.0} (standard error)",
                layer_stats.mean(),
                layer_stats.standard_error()
            )?;
            writeln!(out, "best score: {}", layer_stats.best)?;
            for power in TOLD {
                writeln!(
                    out,
                    "{}: {:.1}%",
                    1 << power,
                    100.0 * layer_stats.rate(power)
                )?;
            }
            writeln!(out, "moves: {} in {seconds:.1} s", layer_stats.moves)?;
            writeln!(out, "moves a second: {rate:.0} on {} threads", args.threads)?;
        }
        Format::Json => {
            let rates: serde_json::Map<_, _> = TOLD
                .map(|power| ((1 << power).to_string(), json!(layer_stats.rate(power))))
                .collect();
            let result = json!({
                "games": layer_stats.games,
                "seed": seed,
                "mean_score": layer_stats.mean(),
                "standard_error": layer_stats.standard_error(),
                "best_score": layer_stats.best,
                "rates": rates,
                "moves": layer_stats.moves,
                "seconds": seconds,
                "moves_per_second": rate,
                "threads": args.threads,
            });
            writeln!(out, "{result}")?;
        }
    }
    Ok(())
}

fn play(
    players: Vec<Player>,
    seed: u64,
    games: u64,
    start: Instant,
    progress: &mut dyn Write,
) -> Result<Results, Failure> {
    let next_game = AtomicU64::new(0);
    let (finished, results) = mpsc::channel();
    thread::scope(|scope| {
        for mut player in players {
            let (finished, next_game) = (finished.clone(), &next_game);
            scope.spawn(move || {
                loop {
                    let game = next_game.fetch_add(1, Ordering::Relaxed);
                    if game >= games || finished.send(player.play(seed, game)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(finished);
        let mut layer_stats = Results::default();
        let mut reported = start;
        let bar = Progress::new(games, "games");
        for played in results {
            layer_stats.add(played);
            bar.set(layer_stats.games);
            bar.note(format!("mean score {:.0}", layer_stats.mean()));
            if !bar.is_watched() && reported.elapsed() >= PROGRESS_INTERVAL {
                reported = Instant::now();
                writeln!(
                    progress,
                    "{} of {} games, mean score {:.0} …",
                    layer_stats.games,
                    games,
                    layer_stats.mean()
                )?;
            }
        }
        Ok(layer_stats)
    })
}

/// One who plays, with a search of his own. The tiles are drawn outside it.
struct Player {
    game: WorstCase<Twenty48>,
    search: Box<dyn Search<WorstCase<Twenty48>>>,
    tiles: Tiles,
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
                depth: depth.map(plies),
                movetime: args.movetime,
                ..Limits::default()
            },
        })
    }

    fn play(&mut self, seed: u64, game: u64) -> GameResult {
        let cells = self.game.0.slides.cells();
        let mut random = Random::part(seed, game);
        let board = tiles::start(cells, &mut random);
        let mut position = Position {
            board,
            tile_to_come: false,
            score: 0,
        };
        let mut moves = 0;
        self.search.clear();
        while let Some(slide) = self.best(&position) {
            moves += 1;
            position = self.game.0.play(&position, slide);
            match self.tiles {
                Tiles::Random => {
                    position.board = tiles::appear(position.board, cells, &mut random);
                    position.tile_to_come = false;
                }
                Tiles::Worst => match self.best(&position) {
                    Some(tile) => position = self.game.0.play(&position, tile),
                    None => break,
                },
            }
        }
        GameResult::new(position.board, position.score, moves)
    }

    /// The best slide, or the worst tile; none when the game is over.
    fn best(&mut self, position: &Position) -> Option<Move> {
        let mut root = Root::new(&self.game, Path::new(ScoredPosition::new(*position)), 0);
        if root.moves.len() < 2 || self.game.0.is_over(position) {
            return root.moves.first().map(|only| only.m);
        }
        let budget = self.limits.budget(Side::P1, Duration::ZERO);
        let mut control = Control::new(&self.limits, budget, Arc::default());
        if let (Some(depth), None) = (self.limits.depth, self.limits.movetime) {
            // No limit binds before the depth, so the iterations before it are of no use.
            let found = self
                .search
                .run(&self.game, &mut root, depth, &mut control, &mut |_, _| {});
            return found.ok().and_then(|found| found.line.first().copied());
        }
        let first = root.moves[0].m;
        let plan = DeepeningOptions::new(&self.limits, 1);
        let search = self.search.as_mut();
        let lines = deepening::deepen(
            &self.game,
            &mut root,
            search,
            &plan,
            &mut control,
            &mut |_, _, _| {},
        );
        lines
            .first()
            .and_then(|line| line.found.line.first().copied())
            .or(Some(first))
    }
}

/// The plies for so many of the player's own moves. After the last tile the static evaluation tries his last move, so
/// that ply need not be searched.
fn plies(moves: u32) -> u32 {
    (2 * moves - 2).clamp(1, MAX_DEPTH)
}
