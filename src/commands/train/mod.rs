//! `puli train`: teaches a network to play, with progress, checkpoints, and the way back to where it stopped.

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

/// What `puli train` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game to learn
    #[arg(value_enum)]
    game: Learnable,
    /// Games to play; with --resume so many more, or where nothing is said those that are left
    #[arg(long)]
    games: Option<u64>,
    /// Minutes to play
    #[arg(long, value_parser = minutes)]
    minutes: Option<Duration>,
    /// A network that is known to learn well, with the length of its training and the step of its file where they are not given
    #[arg(long, value_enum, conflicts_with = "tuples")]
    preset: Option<Preset>,
    /// The network: its tuples, by their number and their cells
    /// [default: 8x5, with a preset its own, with --resume those of FILE]
    #[arg(long, value_enum)]
    tuples: Option<Tuples>,
    /// Points that every board is taken to be worth until it is seen (optimistic initialization): 0 or more. With --resume it
    /// changes nothing any more
    #[arg(long, value_name = "POINTS", default_value_t = 0.0, value_parser = optimism)]
    optimism: f32,
    /// How far a move learns from what comes of it (the λ of TD(λ)): 0 is the next move alone, to 1, the end of the game. A half
    /// learns sooner
    /// [default: 0, with a preset 0.5, with --resume as before]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    lambda: Option<f32>,
    /// How often at most a game goes back to where its largest tile was made, if that is 8192 or more, and is played on from
    /// there, so that late boards are learned from more often; with 8x6 as often again to where no tile from 256 to 16384 was
    /// missing first
    /// [default: 0, with a preset 3, with --resume as before]
    #[arg(long, value_name = "TIMES", value_parser = clap::value_parser!(u32).range(..=i64::from(*options::RESTARTS.end())))]
    restarts: Option<u32>,
    /// Games of another seed that are played without learning, to tell how good the network is at every checkpoint and
    /// at the end; 0 for none
    #[arg(long, value_name = "GAMES", default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=100_000))]
    examine: u64,
    /// Threads that play at once; with one, the same seed makes the same network
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// The seed of the tiles
    /// [default: 1, with --resume as before]
    #[arg(long)]
    seed: Option<u64>,
    /// Points to which weights are rounded in the file
    /// [default: 0.125, unless a preset says otherwise, with --resume as before]
    #[arg(long, value_parser = step)]
    step: Option<f64>,
    /// Leaves weights that have seen errors of fewer points in all out of the file, which hardly any board has
    /// [default: 0, unless a preset says otherwise, with --resume as before]
    #[arg(long, value_name = "POINTS", value_parser = pruning)]
    prune: Option<f32>,
    /// The file for the network; all that is needed to go on lies beside it, in FILE.checkpoint
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Goes on where the training of FILE stopped, as it was begun but for what is said otherwise
    #[arg(long)]
    resume: bool,
    /// Seconds between two checkpoints
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint: u64,
    /// How to tell the progress
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// How progress is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// A JSON object a line, as `puli plot learning` reads them.
    Json,
}

/// The games that can be learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Learnable {
    #[value(name = "2048")]
    Twenty48,
}

/// Networks that are known to learn well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Preset {
    /// As the one inside the program was made: 4x6, 150,000 games, weights rounded to 64 points,
    /// the hardly seen ones left out
    Small,
    /// 4x6, half an hour, all weights
    Large,
    /// 8x6, two hours, all weights
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
    /// What was asked for, with what a preset adds to it.
    fn completed(&self) -> Self {
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

    /// Returns the command that trains as these arguments do, with every option that the network depends on and without
    /// paths: equal trainings have equal recipes.
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

    /// What a training is like of which nothing more is said.
    fn usual_plan(&self) -> TrainingOptions {
        self.preset.map(Preset::options).unwrap_or_default()
    }

    /// What was asked for, and of what nothing was said as `before` has it.
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

/// The seed of the tiles if nothing else is said.
const FIRST_SEED: u64 = 1;

/// The largest tile, as a power of two, of the boards that games go back to: 8192.
const LATE: u8 = 13;

/// How often a line tells how the training goes.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// The tiles whose rates are told, as powers of two: 2048 to 32768.
const TOLD: std::ops::RangeInclusive<u8> = 11..=15;

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes: f64 = text.parse().map_err(|_| "expected a number of minutes")?;
    Duration::try_from_secs_f64(minutes * 60.0).map_err(|error| error.to_string())
}

fn step(text: &str) -> Result<f64, String> {
    let step: f64 = text.parse().map_err(|_| "expected a number of points")?;
    options::STEPS
        .contains(&step)
        .then_some(step)
        .ok_or_else(|| "expected 0.001 to 1000 points".into())
}

fn optimism(text: &str) -> Result<f32, String> {
    up_to(1e6, " points", text)
}

fn share(text: &str) -> Result<f32, String> {
    up_to(*options::LAMBDAS.end(), "", text)
}

fn pruning(text: &str) -> Result<f32, String> {
    up_to(*options::PRUNING.end(), " points", text)
}

fn up_to(most: f32, unit: &str, text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    number
        .filter(|number| (0.0..=most).contains(number))
        .ok_or_else(|| format!("expected 0 to {most}{unit}"))
}

/// Trains, and leaves the network and its checkpoint in their files. Progress goes to `progress`.
pub fn run(args: &Args, progress: &mut dyn Write) -> Result<(), Failure> {
    let Learnable::Twenty48 = args.game;
    let args = &args.completed();
    let tuples = match args.tuples {
        Some(tuples) => tuples,
        None if args.resume => file::tuples(&checkpoint(&args.out), FileKind::Training)?,
        None => Tuples::EightByFive,
    };
    with_shape!(tuples, S => train::<S>(args, progress))
}

fn train<S: TupleShape>(args: &Args, progress: &mut dyn Write) -> Result<(), Failure> {
    interrupt::stop_cleanly_on_signal();
    let checkpoint = checkpoint(&args.out);
    // What cannot be written is told now and not after hours.
    let files = [
        (&*args.out, FileKind::Network.magic().as_slice()),
        (&*checkpoint, FileKind::Training.magic().as_slice()),
    ];
    let _claim = durable::prepare_file(&args.out, &files)?;
    for (path, _) in files {
        durable::check_writable(path)?;
    }
    let (weights, kept) = (S::WEIGHTS as u64, Learner::<S>::length());
    // The next checkpoint lies beside the one before until it is whole.
    let kept = if checkpoint.exists() { kept } else { 2 * kept };
    durable::require_space(durable::folder_of(&args.out), kept + 2 * weights)?;
    let mut training_run: TrainingRun<S> = if args.resume {
        TrainingRun::resumed(args)?
    } else {
        TrainingRun::opened(args)?
    };
    let (games, moves) = (training_run.origin.games, training_run.origin.moves);
    let options = training_run.options;
    let course = TrainingConfig {
        first_game: games,
        games: options.goal.map(|goal| goal.saturating_sub(games)),
        time: args.minutes,
        threads: args.threads as usize,
        seed: training_run.origin.seed,
        lambda: options.lambda,
        restarts: Restarts {
            times: options.restarts,
            least: LATE,
        },
        interval: REPORT_INTERVAL,
        checkpoint: Duration::from_secs(args.checkpoint),
    };
    let start = Instant::now();
    // Nobody plays while a checkpoint is written.
    let mut paused = Duration::ZERO;
    let speed = |all: &Results, paused| {
        all.moves as f64 / start.elapsed().saturating_sub(paused).as_secs_f64()
    };
    let learner = Arc::clone(&training_run.learner);
    let bar = match (course.games, course.time) {
        (Some(games), _) => Progress::new(games, "games"),
        (None, Some(time)) => Progress::expected(time),
        (None, None) => Progress::endless("games"),
    };
    let all = training::train(
        &learner,
        &course,
        &interrupt::stop_requested,
        &mut |moment| {
            match moment {
                TrainingEvent::Interval(all, recent) => {
                    let (games, speed) = (games + all.games, speed(all, paused));
                    let words = match args.format {
                        Format::Text => describe(games, recent, speed),
                        Format::Json => as_json(games, recent, speed, false),
                    };
                    bar.above(|| writeln!(progress, "{words}").and_then(|()| progress.flush()))?;
                }
                TrainingEvent::Running(all) => match (course.games, course.time) {
                    (None, Some(_)) => bar.set_elapsed(start.elapsed()),
                    _ => bar.set(all.games),
                },
                TrainingEvent::Idle(all) => {
                    let pause = Instant::now();
                    (training_run.origin.games, training_run.origin.moves) =
                        (games + all.games, moves + all.moves);
                    training_run.save(args, CompressionEffort::Quick)?;
                    let told = training_run.examined(args);
                    bar.above(|| {
                        progress
                            .write_all(told.as_bytes())
                            .and_then(|()| progress.flush())
                    })?;
                    paused += pause.elapsed();
                }
            }
            Ok::<(), Failure>(())
        },
    )?;
    drop(bar);
    let speed = speed(&all, paused);
    (training_run.origin.games, training_run.origin.moves) = (games + all.games, moves + all.moves);
    // Fifteen seconds for eight million weights; minutes for more.
    let effort = if S::WEIGHTS <= 1 << 23 {
        CompressionEffort::Thorough
    } else {
        CompressionEffort::Quick
    };
    training_run.save(args, effort)?;
    let games = training_run.origin.games;
    progress.write_all(training_run.examined(args).as_bytes())?;
    Ok(tell_end(args, games, &all, speed, progress)?)
}

/// What came of a training that has learned from so many games in all.
fn tell_end(
    args: &Args,
    games: u64,
    now: &Results,
    speed: f64,
    progress: &mut dyn Write,
) -> io::Result<()> {
    if args.format == Format::Json {
        return writeln!(progress, "{}", as_json(games, now, speed, true));
    }
    if now.games == 0 {
        writeln!(progress, "in all: {games} games, none of them now")?;
    } else if now.games < games {
        let (played, words) = (now.games, describe(games, now, speed));
        writeln!(
            progress,
            "in all: {words}, in the {played} games played now"
        )?;
    } else {
        writeln!(progress, "in all: {}", describe(games, now, speed))?;
    }
    let more = if interrupt::stop_requested() {
        "; the same command with --resume goes on"
    } else {
        ""
    };
    writeln!(progress, "{} written{more}", path_name(&args.out))
}

fn checkpoint(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".checkpoint");
    name.into()
}

/// The mean score, and how many games reached the tiles that are told.
fn scores(results: &Results) -> String {
    let rates: String = TOLD
        .map(|power| format!(", {} {:.1}%", 1 << power, 100.0 * results.rate(power)))
        .collect();
    format!(
        "mean {:.0} ± {:.0}{rates}",
        results.mean(),
        results.standard_error()
    )
}

/// One line on the last games and the speed in moves a second.
fn describe(games: u64, recent: &Results, speed: f64) -> String {
    format!("{games} games: {}, {speed:.0} moves/s", scores(recent))
}

/// The mean score and the rates for programs.
fn as_record(results: &Results) -> serde_json::Value {
    let rates: serde_json::Map<_, _> = TOLD
        .map(|power| ((1 << power).to_string(), json!(results.rate(power))))
        .collect();
    json!({
        "games": results.games,
        "mean_score": results.mean(),
        "standard_error": results.standard_error(),
        "rates": rates,
    })
}

/// One line on the last games for programs; `in_all` tells the sum over the whole run from the last games.
/// `games` are those learned from, in earlier runs too, `of_games` those of which the line tells.
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
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn completed(words: &str) -> Args {
        let line = format!("train 2048 --out network {words}");
        Line::parse_from(line.split(' ')).args.completed()
    }

    #[test]
    fn a_preset_fills_in_what_is_not_said() {
        let record = completed("--preset record");
        assert_eq!(record.tuples, Some(Tuples::EightBySix));
        assert_eq!(record.minutes, Some(Duration::from_secs(7200)));
        let options = |args: &Args| args.options(args.usual_plan());
        let usual = TrainingOptions::default();
        let well = TrainingOptions {
            lambda: 0.5,
            restarts: 3,
            ..usual
        };
        assert_eq!(options(&record), well);
        let said = completed("--preset record --games 10 --lambda 0 --restarts 1");
        assert_eq!((said.games, said.minutes), (Some(10), None));
        let less = TrainingOptions {
            lambda: 0.0,
            restarts: 1,
            ..usual
        };
        assert_eq!(options(&said), less);
        let small = completed("--preset small");
        assert_eq!((small.games, small.minutes), (Some(150_000), None));
        let rounded = TrainingOptions {
            step: 64.0,
            prune: 1.8e5,
            ..well
        };
        assert_eq!(options(&small), rounded);
        assert_eq!(completed("--preset large --resume").minutes, None);
        assert_eq!(options(&completed("--games 10")), usual);
    }
}
