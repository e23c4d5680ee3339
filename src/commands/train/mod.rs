//! `puli train`: trains an n-tuple network for 2048. The network estimates the future points as a sum of weights, one
//! per tuple of cells, selected by the tiles on these cells.
//!
//! The network learns from its own games. At the intervals of `--checkpoint`, training pauses: the network and a
//! checkpoint for `--resume` are written, and the network is tested in games without learning.

mod training_run;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde_json::json;

use self::training_run::TrainingRun;
use super::progress::Progress;
use super::{Failure, interrupt};
use crate::durable;
use crate::escape::path_name;
use crate::games::twenty48::network::CompressionEffort;
use crate::games::twenty48::network::file::{self, FileKind};
use crate::games::twenty48::network::learner::Learner;
use crate::games::twenty48::network::options::{self, TrainingOptions};
use crate::games::twenty48::network::training::{self, Restarts, TrainingConfig, TrainingEvent};
use crate::games::twenty48::network::tuples::{TupleShape, Tuples, with_shape};
use crate::games::twenty48::results::Results;
use crate::settings::name_of;

/// The arguments of `puli train`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Train a network for <GAME>
    #[arg(value_enum)]
    game: TrainableGame,
    /// Train for <N> games; with --resume, for <N> more games [default with --resume: the games left]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Train for <MINUTES> minutes
    #[arg(long, value_name = "MINUTES", value_parser = parse_minutes)]
    minutes: Option<Duration>,
    /// Train a well-tested network; the preset fixes its tuples and sets the defaults of --games or --minutes,
    /// --lambda, --restarts, --step and --prune
    #[arg(long, value_enum, conflicts_with = "tuples")]
    preset: Option<Preset>,
    /// Use <TUPLES>, the number of tuples and of cells in each [default: 8x5, or the preset's, or FILE's with
    /// --resume]
    #[arg(long, value_enum)]
    tuples: Option<Tuples>,
    /// Start with an expected score of <POINTS> points for each board (optimistic initialization), 0 to 1000000;
    /// ignored with --resume
    #[arg(long, value_name = "POINTS", default_value_t = 0.0, value_parser = parse_optimism)]
    optimism: f32,
    /// Set the λ of TD(λ) to <SHARE>, from 0 (learn from the next move only) to 1 (learn from the end of the game);
    /// 0.5 learns faster than both [default: 0, or 0.5 with a preset; with --resume unchanged]
    #[arg(long, value_name = "SHARE", value_parser = parse_lambda)]
    lambda: Option<f32>,
    /// Replay the late part of each game with a tile of at least 8192, at most <TIMES> times from the board where its
    /// largest tile was made; with 8x6, also at most <TIMES> times from the first board with all tiles from 256 to
    /// 16384 [default: 0, or 3 with a preset; with --resume unchanged]
    #[arg(long, value_name = "TIMES", value_parser = clap::value_parser!(u32).range(..=i64::from(*options::RESTART_RANGE.end())))]
    restarts: Option<u32>,
    /// Test the network at every checkpoint and at the end in <GAMES> games with another seed, without learning; 0
    /// disables tests
    #[arg(long, alias = "examine", value_name = "GAMES", default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=100_000))]
    test_games: u64,
    /// Play on <N> threads, 1 to 256; only 1 thread makes the result reproducible
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Seed the tiles with <SEED> [default: 1; with --resume unchanged]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Round weights in the file to multiples of <POINTS> points, 0.001 to 1000 [default: 0.125, or the
    /// preset's; with --resume unchanged]
    #[arg(long, value_name = "POINTS", value_parser = parse_step)]
    step: Option<f64>,
    /// Omit a weight from the file if its errors sum to less than <POINTS> points, because it was rarely used
    /// [default: 0, or the preset's; with --resume unchanged]
    #[arg(long, value_name = "POINTS", value_parser = parse_prune)]
    prune: Option<f32>,
    /// Write the network to <FILE>, and the state of the training to FILE.checkpoint
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Resume the training of FILE with its options, except those given
    #[arg(long)]
    resume: bool,
    /// Write a checkpoint every <SECONDS> seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint: u64,
    /// Write progress in this format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The format of progress lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines of text
    Text,
    /// One JSON object per line, the input of `puli plot learning`
    Json,
}

/// The games with trainable networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TrainableGame {
    #[value(name = "2048")]
    Twenty48,
}

/// Presets of networks with known good results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Preset {
    /// The built-in network: 4x6, 150,000 games, weights rounded to 64 points, rare weights omitted
    Small,
    /// 4x6, 30 minutes, all weights
    Large,
    /// 8x6, 120 minutes, all weights
    Record,
}

impl Preset {
    fn tuples(self) -> Tuples {
        match self {
            Self::Small | Self::Large => Tuples::FourBySix,
            Self::Record => Tuples::EightBySix,
        }
    }

    fn options(self) -> TrainingOptions {
        let learns_well = TrainingOptions {
            lambda: 0.5,
            restarts: 3,
            ..TrainingOptions::default()
        };
        match self {
            Self::Small => TrainingOptions {
                step: 64.0,
                prune: 1.8e5,
                ..learns_well
            },
            Self::Large | Self::Record => learns_well,
        }
    }
}

impl Args {
    /// Returns the arguments, completed with the tuples and the number of games or minutes of the
    /// preset.
    fn with_preset(&self) -> Self {
        let mut args = self.clone();
        let Some(preset) = args.preset else {
            return args;
        };
        args.tuples = Some(preset.tuples());
        let is_bounded = args.games.is_some() || args.minutes.is_some() || args.resume;
        let (games, minutes) = match preset {
            Preset::Small => (Some(150_000), None),
            Preset::Large => (None, Some(30)),
            Preset::Record => (None, Some(120)),
        };
        if !is_bounded {
            args.games = games;
            args.minutes = minutes.map(|minutes| Duration::from_secs(60 * minutes));
        }
        args
    }

    /// Returns the command that repeats the training, for the network file. It has no paths, so that equal
    /// trainings have equal commands.
    fn recipe(&self, tuples: Tuples, seed: u64, options: &TrainingOptions) -> String {
        let mut recipe = format!("puli train 2048 --tuples {}", name_of(&tuples));
        if let Some(games) = self.games {
            recipe += &format!(" --games {games}");
        }
        if let Some(time) = self.minutes {
            recipe += &format!(" --minutes {}", time.as_secs_f64() / 60.0);
        }
        let TrainingOptions {
            lambda,
            restarts,
            step,
            prune,
            goal: _,
        } = options;
        let (optimism, threads) = (self.optimism, self.threads);
        recipe
            + &format!(
                " --optimism {optimism} --lambda {lambda} --restarts {restarts} --threads {threads} --seed {seed} --step {step} \
                 --prune {prune}"
            )
            + if self.resume { " --resume" } else { "" }
    }

    /// Returns the options of the preset, or the defaults.
    fn default_options(&self) -> TrainingOptions {
        self.preset.map(Preset::options).unwrap_or_default()
    }

    /// Returns the options on the command line. Missing options are taken from `before`.
    fn options(&self, before: TrainingOptions) -> TrainingOptions {
        TrainingOptions {
            goal: before.goal,
            lambda: self.lambda.unwrap_or(before.lambda),
            restarts: self.restarts.unwrap_or(before.restarts),
            step: self.step.unwrap_or(before.step),
            prune: self.prune.unwrap_or(before.prune),
        }
    }
}

/// Default seed.
const DEFAULT_SEED: u64 = 1;

/// The minimum tile with which a game is replayed (`--restarts`), 8192, as an exponent of 2.
const MIN_RESTART_TILE: u8 = 13;

/// Interval between two progress lines.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// The tiles for which the share of games that reached them is reported, 2048 to 32768, as exponents of 2.
const REPORTED_TILES: std::ops::RangeInclusive<u8> = 11..=15;

/// Parses a number of minutes.
fn parse_minutes(text: &str) -> Result<Duration, String> {
    let minutes: f64 = text.parse().map_err(|_| "expected a number of minutes")?;
    Duration::try_from_secs_f64(minutes * 60.0).map_err(|error| error.to_string())
}

/// Parses a rounding step, in points.
fn parse_step(text: &str) -> Result<f64, String> {
    let step: f64 = text.parse().map_err(|_| "expected a number of points")?;
    options::STEP_RANGE
        .contains(&step)
        .then_some(step)
        .ok_or_else(|| "expected 0.001 to 1000 points".into())
}

fn parse_optimism(text: &str) -> Result<f32, String> {
    parse_up_to(1e6, " points", text)
}

fn parse_lambda(text: &str) -> Result<f32, String> {
    parse_up_to(*options::LAMBDA_RANGE.end(), "", text)
}

fn parse_prune(text: &str) -> Result<f32, String> {
    parse_up_to(*options::PRUNE_RANGE.end(), " points", text)
}

/// Parses a number from 0 to `max`. The error names the `unit`.
fn parse_up_to(max: f32, unit: &str, text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    number
        .filter(|number| (0.0..=max).contains(number))
        .ok_or_else(|| format!("expected 0 to {max}{unit}"))
}

/// Trains, and writes the network and its checkpoint to files and progress to `progress`.
pub fn run(args: &Args, progress: &mut dyn Write) -> Result<(), Failure> {
    let TrainableGame::Twenty48 = args.game;
    let args = &args.with_preset();
    let tuples = match args.tuples {
        Some(tuples) => tuples,
        None if args.resume => file::tuples(&checkpoint_path(&args.out), FileKind::Training)?,
        None => Tuples::EightByFive,
    };
    with_shape!(tuples, S => train::<S>(args, progress))
}

/// Trains a network with the tuples `S`.
fn train<S: TupleShape>(args: &Args, progress: &mut dyn Write) -> Result<(), Failure> {
    interrupt::stop_cleanly_on_signal();
    let checkpoint = checkpoint_path(&args.out);
    // Report an unwritable file or a full disk before training, not after hours.
    let files = [
        (&*args.out, FileKind::Network.magic().as_slice()),
        (&*checkpoint, FileKind::Training.magic().as_slice()),
    ];
    let _lock = durable::prepare_file(&args.out, &files)?;
    for (path, _) in files {
        durable::check_writable(path)?;
    }
    let (weights, checkpoint_bytes) = (S::WEIGHTS as u64, Learner::<S>::length());
    // While a checkpoint is written, the previous checkpoint still exists, so two need space. If there is a
    // checkpoint already, only one more needs space.
    let checkpoint_bytes = if checkpoint.exists() {
        checkpoint_bytes
    } else {
        2 * checkpoint_bytes
    };
    durable::require_space(
        durable::folder_of(&args.out),
        checkpoint_bytes + 2 * weights,
    )?;
    let mut training_run: TrainingRun<S> = if args.resume {
        TrainingRun::resume(args)?
    } else {
        TrainingRun::start(args)?
    };
    // The games and moves of earlier runs.
    let (games, moves) = (training_run.origin.games, training_run.origin.moves);
    let options = training_run.options;
    let config = TrainingConfig {
        first_game: games,
        games: options.goal.map(|goal| goal.saturating_sub(games)),
        time: args.minutes,
        threads: args.threads as usize,
        seed: training_run.origin.seed,
        lambda: options.lambda,
        restarts: Restarts {
            times: options.restarts,
            min_power: MIN_RESTART_TILE,
        },
        interval: REPORT_INTERVAL,
        checkpoint: Duration::from_secs(args.checkpoint),
    };
    let start = Instant::now();
    // The speed excludes the time for writing checkpoints and testing the network.
    let mut paused = Duration::ZERO;
    let moves_per_second = |all: &Results, paused| {
        all.moves as f64 / start.elapsed().saturating_sub(paused).as_secs_f64()
    };
    let learner = Arc::clone(&training_run.learner);
    let bar = match (config.games, config.time) {
        (Some(games), _) => Progress::new(games, "games"),
        (None, Some(time)) => Progress::expected(time),
        (None, None) => Progress::endless("games"),
    };
    let all = training::train(
        &learner,
        &config,
        &interrupt::stop_requested,
        &mut |event| {
            match event {
                TrainingEvent::Interval(all, recent) => {
                    let (games, speed) = (games + all.games, moves_per_second(all, paused));
                    let line = match args.format {
                        Format::Text => describe(games, recent, speed),
                        Format::Json => as_json(games, recent, speed, false),
                    };
                    bar.above(|| writeln!(progress, "{line}").and_then(|()| progress.flush()))?;
                }
                TrainingEvent::Running(all) => match (config.games, config.time) {
                    (None, Some(_)) => bar.set_elapsed(start.elapsed()),
                    _ => bar.set(all.games),
                },
                TrainingEvent::Idle(all) => {
                    let pause = Instant::now();
                    (training_run.origin.games, training_run.origin.moves) =
                        (games + all.games, moves + all.moves);
                    training_run.save(args, CompressionEffort::Quick)?;
                    let report = training_run.test_report(args);
                    bar.above(|| {
                        progress
                            .write_all(report.as_bytes())
                            .and_then(|()| progress.flush())
                    })?;
                    paused += pause.elapsed();
                }
            }
            Ok::<(), Failure>(())
        },
    )?;
    drop(bar);
    let speed = moves_per_second(&all, paused);
    (training_run.origin.games, training_run.origin.moves) = (games + all.games, moves + all.moves);
    // Thorough compression takes 15 seconds for 8 million weights, and minutes for larger networks.
    let effort = if S::WEIGHTS <= 1 << 23 {
        CompressionEffort::Thorough
    } else {
        CompressionEffort::Quick
    };
    training_run.save(args, effort)?;
    let games = training_run.origin.games;
    progress.write_all(training_run.test_report(args).as_bytes())?;
    Ok(print_summary(args, games, &all, speed, progress)?)
}

/// Prints the result of a run. `games` is the number of games of all runs of this training, `this_run` the results of
/// this run.
fn print_summary(
    args: &Args,
    games: u64,
    this_run: &Results,
    speed: f64,
    progress: &mut dyn Write,
) -> io::Result<()> {
    if args.format == Format::Json {
        return writeln!(progress, "{}", as_json(games, this_run, speed, true));
    }
    if this_run.games == 0 {
        writeln!(progress, "total: {games} games, 0 in this run")?;
    } else if this_run.games < games {
        let (played, line) = (this_run.games, describe(games, this_run, speed));
        writeln!(progress, "total: {line}; {played} games in this run")?;
    } else {
        writeln!(progress, "total: {}", describe(games, this_run, speed))?;
    }
    let more = if interrupt::stop_requested() {
        "; continue with the same command and --resume"
    } else {
        ""
    };
    writeln!(progress, "{} written{more}", path_name(&args.out))
}

/// Returns the path of the checkpoint of the network file `out`.
fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".checkpoint");
    name.into()
}

/// Returns a text with the mean score and the shares of games that reached [`REPORTED_TILES`].
fn scores(results: &Results) -> String {
    let rates: String = REPORTED_TILES
        .map(|power| format!(", {} {:.1}%", 1 << power, 100.0 * results.rate(power)))
        .collect();
    format!(
        "mean {:.0} ± {:.0}{rates}",
        results.mean(),
        results.standard_error()
    )
}

/// Returns a line of text about the `recent` games. `games` is the number of training games so far, `speed` the moves
/// per second.
fn describe(games: u64, recent: &Results, speed: f64) -> String {
    format!("{games} games: {}, {speed:.0} moves/s", scores(recent))
}

/// Returns a JSON object with the mean score and the shares of games that reached [`REPORTED_TILES`].
fn as_record(results: &Results) -> serde_json::Value {
    let rates: serde_json::Map<_, _> = REPORTED_TILES
        .map(|power| ((1 << power).to_string(), json!(results.rate(power))))
        .collect();
    json!({
        "games": results.games,
        "mean_score": results.mean(),
        "standard_error": results.standard_error(),
        "rates": rates,
    })
}

/// Returns a JSON line about the `recent` games. `games` is the number of training games so far, `speed` the moves
/// per second. In the last line of a run, `in_all` is `true`, and `recent` contains all games of the run.
fn as_json(games: u64, recent: &Results, speed: f64, in_all: bool) -> String {
    let mut line = as_record(recent);
    line["of_games"] = json!(recent.games);
    line["games"] = json!(games);
    line["moves_per_second"] = json!(speed);
    line["in_all"] = json!(in_all);
    line.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::parse_arguments;

    fn parse(line: &str) -> Args {
        let line = format!("2048 --out network {line}");
        let words: Vec<&str> = line.split(' ').collect();
        parse_arguments::<Args>(&words).with_preset()
    }

    #[test]
    fn fills_in_preset_options() {
        let record = parse("--preset record");
        assert_eq!(record.tuples, Some(Tuples::EightBySix));
        assert_eq!(record.minutes, Some(Duration::from_secs(7200)));
        let options = |args: &Args| args.options(args.default_options());
        let default = TrainingOptions::default();
        let learns_well = TrainingOptions {
            lambda: 0.5,
            restarts: 3,
            ..default
        };
        assert_eq!(options(&record), learns_well);
        let given = parse("--preset record --games 10 --lambda 0 --restarts 1");
        assert_eq!((given.games, given.minutes), (Some(10), None));
        let overridden = TrainingOptions {
            lambda: 0.0,
            restarts: 1,
            ..default
        };
        assert_eq!(options(&given), overridden);
        let small = parse("--preset small");
        assert_eq!((small.games, small.minutes), (Some(150_000), None));
        let rounded = TrainingOptions {
            step: 64.0,
            prune: 1.8e5,
            ..learns_well
        };
        assert_eq!(options(&small), rounded);
        assert_eq!(parse("--preset large --resume").minutes, None);
        assert_eq!(options(&parse("--games 10")), default);
    }
}
