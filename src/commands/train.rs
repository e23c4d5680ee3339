//! `puli train`: teaches a network to play, with progress, checkpoints, and the way back to where it stopped.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;

use super::Failure;
use crate::error::Refusal;
use crate::games::twenty48::network::Network;
use crate::games::twenty48::network::file::{self, Kind, Origin};
use crate::games::twenty48::network::learner::Learner;
use crate::games::twenty48::network::training::{self, Course};
use crate::games::twenty48::network::tuples::{FourByFive, FourBySix, Shape, Tuples};
use crate::games::twenty48::tally::Tally;

/// What `puli train` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game to learn
    #[arg(value_enum)]
    game: Learnable,
    /// Games to play
    #[arg(long)]
    games: Option<u64>,
    /// Minutes to play
    #[arg(long, value_parser = minutes)]
    minutes: Option<Duration>,
    /// The network: four tuples of five cells, or of six
    #[arg(long, value_enum, default_value = "4x5")]
    tuples: Tuples,
    /// Threads that play at once; with one, the same seed makes the same network
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// The seed of the tiles
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Points to which weights are rounded in the file
    #[arg(long, default_value_t = 0.125, value_parser = step)]
    step: f64,
    /// The file for the network; all that is needed to go on lies beside it, in FILE.checkpoint
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Goes on where the training of FILE stopped
    #[arg(long)]
    resume: bool,
    /// Seconds between two checkpoints
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint: u64,
}

/// The games that can be learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Learnable {
    #[value(name = "2048")]
    Twenty48,
}

/// How often a line tells how the training goes.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// The tiles whose rates are told, as powers of two: 2048 to 16384.
const TOLD: std::ops::RangeInclusive<u8> = 11..=14;

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes: f64 = text.parse().map_err(|_| "expected a number of minutes")?;
    Duration::try_from_secs_f64(minutes * 60.0).map_err(|error| error.to_string())
}

fn step(text: &str) -> Result<f64, String> {
    let step: f64 = text.parse().map_err(|_| "expected a number of points")?;
    (0.001..=1000.0)
        .contains(&step)
        .then_some(step)
        .ok_or_else(|| "expected 0.001 to 1000 points".into())
}

/// Trains, and leaves the network and its checkpoint in their files. Progress goes to `progress`.
pub fn run(args: &Args, command: &str, progress: &mut dyn Write) -> Result<(), Failure> {
    let Learnable::Twenty48 = args.game;
    match args.tuples {
        Tuples::FourByFive => train::<FourByFive>(args, command, progress),
        Tuples::FourBySix => train::<FourBySix>(args, command, progress),
    }
}

fn train<S: Shape>(args: &Args, command: &str, progress: &mut dyn Write) -> Result<(), Failure> {
    let (mut origin, learner) = if args.resume {
        resume::<S>(args, command)?
    } else {
        begin::<S>(args, command)?
    };
    let (games, moves) = (origin.games, origin.moves);
    let course = Course {
        first_game: games,
        games: args.games,
        time: args.minutes,
        threads: args.threads as usize,
        seed: origin.seed,
        interval: REPORT_INTERVAL,
    };
    let start = Instant::now();
    let mut saved = start;
    let all = training::train(&learner, &course, &mut |all, recent| {
        let speed = all.moves as f64 / start.elapsed().as_secs_f64();
        writeln!(progress, "{}", describe(games + all.games, recent, speed))?;
        progress.flush()?;
        if saved.elapsed().as_secs() >= args.checkpoint {
            (origin.games, origin.moves) = (games + all.games, moves + all.moves);
            save(&learner, &origin, args)?;
            saved = Instant::now();
        }
        Ok::<(), Failure>(())
    })?;
    (origin.games, origin.moves) = (games + all.games, moves + all.moves);
    save(&learner, &origin, args)?;
    let speed = all.moves as f64 / start.elapsed().as_secs_f64();
    writeln!(progress, "in all: {}", describe(origin.games, &all, speed))?;
    writeln!(progress, "{} written", args.out.display())?;
    Ok(())
}

/// A new training.
fn begin<S: Shape>(args: &Args, command: &str) -> Result<(Origin, Learner<S>), Refusal> {
    if args.games.is_none() && args.minutes.is_none() {
        return Err(Refusal::new(
            "expected --games or --minutes: how long to train",
        ));
    }
    let checkpoint = checkpoint(&args.out);
    if checkpoint.exists() {
        let (path, out) = (checkpoint.display(), args.out.display());
        return Err(Refusal::new(format!(
            "{path} exists: --resume goes on with it; remove it to begin {out} anew"
        )));
    }
    let origin = Origin {
        tuples: S::NAME,
        command: command.to_string(),
        seed: args.seed,
        games: 0,
        moves: 0,
    };
    Ok((origin, Learner::new()?))
}

/// A training where it stopped, with the seed it had.
fn resume<S: Shape>(args: &Args, command: &str) -> Result<(Origin, Learner<S>), Refusal> {
    let path = checkpoint(&args.out);
    let refuse = |why: String| Refusal::new(format!("cannot go on with {}: {why}", path.display()));
    let bytes = file::read(&path)?;
    let (mut origin, body) = file::open(&bytes, Kind::Training).map_err(refuse)?;
    if origin.tuples != S::NAME {
        return Err(refuse(format!(
            "its tuples have {} cells; --tuples must fit",
            origin.tuples.cells()
        )));
    }
    origin.command = format!("{}; {command}", origin.command);
    Ok((origin, Learner::resumed(body)?))
}

fn save<S: Shape>(learner: &Learner<S>, origin: &Origin, args: &Args) -> Result<(), Refusal> {
    let [weights, errors] = learner.snapshot();
    file::write(
        &checkpoint(&args.out),
        Kind::Training,
        origin,
        &[&weights, &errors],
    )?;
    let weights: Vec<f32> = learner.weights().collect();
    Network::new(origin.clone(), args.step, weights.iter().copied()).save(&args.out)
}

fn checkpoint(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".checkpoint");
    name.into()
}

/// One line on the last games and the speed in moves a second.
fn describe(games: u64, recent: &Tally, speed: f64) -> String {
    let rates: String = TOLD
        .map(|power| format!(", {} {:.1}%", 1 << power, 100.0 * recent.rate(power)))
        .collect();
    format!(
        "{games} games: mean {:.0} ± {:.0}{rates}, {speed:.0} moves/s",
        recent.mean(),
        recent.standard_error()
    )
}
