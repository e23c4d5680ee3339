//! `puli fit`: fits the network of a hunt game to the labeled positions of `puli gather`.
//!
//! An epoch is one pass over all training positions in random order. The last positions of each file are held out from
//! training, to measure the loss on unseen positions.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::Failure;
use super::progress::Progress;
use super::rule_overrides::RuleOverrides;
use crate::durable::{self, Source};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::Board;
use crate::games::hunt::network::file;
use crate::games::hunt::network::learning::{self, LearningOptions, Trainer};
use crate::games::hunt::network::sample::{LabeledPosition, Sample};
use crate::games::hunt::network::tiger_config::TigerConfigs;
use crate::games::hunt::network::weights::{MAX_UNITS, STEPS, UNIT_COUNTS};
use crate::random::Random;

/// The arguments of `puli fit`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Fit the network of <GAME>, a name that `puli boards` lists, or of the board file <FILE>
    #[arg(value_name = "GAME|FILE", value_parser = super::Games, hide_possible_values = true)]
    game: String,
    /// Read labeled positions from <POSITIONS>, files of `puli gather`
    #[arg(value_name = "POSITIONS", required = true)]
    positions: Vec<PathBuf>,
    /// Write the network to <FILE> after each epoch
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace FILE if it exists
    #[arg(long)]
    force: bool,
    /// Start from the network in <FILE> instead of random weights
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Train for <N> epochs, passes over all positions
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Set the initial learning rate to <RATE> [default: 0.01; with --from 0.003]
    #[arg(long, value_name = "RATE", value_parser = parse_rate)]
    rate: Option<f32>,
    /// Give the first layer <N> units, 32, 64 or 128: fewer make a smaller and faster network [default: 128]
    #[arg(long, value_name = "N", conflicts_with = "from", value_parser = parse_units)]
    units: Option<usize>,
    /// Penalize the weights of single sets of hunter points by <PENALTY>: a larger one makes a smaller file
    #[arg(long, value_name = "PENALTY", default_value_t = 0.0, value_parser = parse_sparsity)]
    sparsity: f32,
    /// Round the weights of single sets of hunter points to multiples of <STEP>, 1, 2, 4 or 8
    #[arg(long, value_name = "STEP", default_value_t = 1, value_parser = parse_step)]
    step: i16,
    /// Seed the initial weights and the order of positions with <SEED>
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
}

/// Default initial learning rate.
const DEFAULT_RATE: f32 = 0.01;
/// Default initial learning rate with `--from`.
const DEFAULT_RATE_FROM: f32 = 0.003;
/// With `--from`, the number of positions first trained at rate 0. This changes no weight, but lets the optimizer
/// estimate the step size of each weight. Otherwise the first steps would be too long.
const WARM_UP_POSITIONS: usize = 1 << 20;
/// The last 1/50 of the positions of each file are held out.
const HELD_OUT_DIVISOR: usize = 50;
/// Maximum size of a file of positions in bytes, enough for about 2 billion positions.
const MAX_BYTES: u64 = 64 << 30;
/// Number of positions between two updates of the progress line.
const POSITIONS_PER_UPDATE: usize = 1 << 16;

/// Parses a learning rate.
fn parse_rate(text: &str) -> Result<f32, String> {
    let rate: f32 = text.parse().map_err(|_| "expected a number")?;
    let fits = rate > 0.0 && rate <= 1.0;
    fits.then_some(rate)
        .ok_or_else(|| "expected a number above 0, at most 1".into())
}

/// Parses a number of first-layer units.
fn parse_units(text: &str) -> Result<usize, String> {
    let units = text.parse().ok();
    let units = units.filter(|units| UNIT_COUNTS.contains(units));
    units.ok_or_else(|| "expected 32, 64 or 128".into())
}

/// Parses a penalty.
fn parse_sparsity(text: &str) -> Result<f32, String> {
    let penalty = text.parse().ok();
    let penalty = penalty.filter(|penalty| (0.0..=1.0).contains(penalty));
    penalty.ok_or_else(|| "expected a number from 0 to 1".into())
}

/// Parses the step of rounding.
fn parse_step(text: &str) -> Result<i16, String> {
    let step = text.parse().ok();
    let step = step.filter(|step| STEPS.contains(step));
    step.ok_or_else(|| "expected 1, 2, 4 or 8".into())
}

/// Fits the network and writes its file.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let board = RuleOverrides::default().board(&args.game)?;
    let tiger_configs = TigerConfigs::new(board)?;
    let initial_network = args.from.as_deref().map(|path| file::load(board, path));
    let initial_network = initial_network.transpose()?;
    let inputs = args.positions.iter().chain(&args.from);
    let inputs = inputs.map(PathBuf::as_path).chain([Path::new(&args.game)]);
    durable::require_new(&args.out, &inputs.collect::<Vec<_>>(), args.force)?;
    let (mut training, mut held_out) = (Vec::new(), Vec::new());
    // The checksum of all lines read.
    let mut digest = crc32fast::Hasher::new();
    for path in &args.positions {
        let mut samples = read(board, &tiger_configs, path, &mut digest)?;
        let training_count = samples.len() - samples.len() / HELD_OUT_DIVISOR;
        held_out.extend(samples.drain(training_count..));
        training.append(&mut samples);
    }
    if held_out.is_empty() {
        return Err(Failure::Engine(EngineError::new(format!(
            "{} positions are too few: expected at least {HELD_OUT_DIVISOR} in a file",
            training.len()
        ))));
    }
    writeln!(
        out,
        "{} positions for training, {} held out",
        training.len(),
        held_out.len()
    )?;
    let held_out_loss = |learner: &dyn Trainer| learner.loss(&held_out) / held_out.len() as f64;
    let mut random = Random::stream(args.seed, 1);
    let options = LearningOptions {
        sparsity: args.sparsity,
        step: args.step,
    };
    let mut learner = if let Some(network) = initial_network {
        let mut learner = learning::resume(network, options);
        random.shuffle(&mut training);
        learner.train(&training[..training.len().min(WARM_UP_POSITIONS)], 0.0);
        writeln!(
            out,
            "before training: held out {:.5}",
            held_out_loss(&*learner)
        )?;
        learner
    } else {
        let units = args.units.unwrap_or(MAX_UNITS);
        learning::start(board, tiger_configs, units, options, args.seed)
    };
    let epochs = args.epochs as usize;
    let total = epochs * training.len();
    let default_rate = if initial_network.is_some() {
        DEFAULT_RATE_FROM
    } else {
        DEFAULT_RATE
    };
    let rate = args.rate.unwrap_or(default_rate);
    let positions = training.len() + held_out.len();
    let recipe = recipe(args, board, rate, positions, digest.finalize())?;
    let progress = Progress::new(total as u64, "positions");
    for epoch in 0..epochs {
        random.shuffle(&mut training);
        let mut loss = 0.0;
        let mut done = epoch * training.len();
        for chunk in training.chunks(POSITIONS_PER_UPDATE) {
            // The learning rate decreases linearly to 0 at the end of the last epoch.
            let remaining = 1.0 - done as f32 / total as f32;
            loss += learner.train(chunk, rate * remaining);
            done += chunk.len();
            progress.set(done as u64);
        }
        loss /= training.len() as f64;
        let network = learner.network(recipe.clone());
        network.save(&args.out)?;
        let (epoch, held_out_loss) = (epoch + 1, held_out_loss(&*learner));
        progress.above(|| {
            writeln!(
                out,
                "epoch {epoch}: loss {loss:.5}, held out {held_out_loss:.5}"
            )?;
            out.flush()
        })?;
    }
    drop(progress);
    writeln!(out, "{} written", path_name(&args.out))?;
    Ok(())
}

/// Returns the command that makes the network, for the network file. It has CRC-32 checksums instead of paths, so that
/// equal inputs give equal texts.
fn recipe(
    args: &Args,
    board: &Board,
    rate: f32,
    positions: usize,
    digest: u32,
) -> Result<String, EngineError> {
    let (game, epochs, seed) = (&board.name, args.epochs, args.seed);
    let mut recipe = format!("puli fit {game} --epochs {epochs} --rate {rate} --seed {seed}");
    if args.from.is_none() {
        recipe += &format!(" --units {}", args.units.unwrap_or(MAX_UNITS));
    }
    recipe += &format!(" --sparsity {} --step {}", args.sparsity, args.step);
    recipe += &format!(", {positions} positions of CRC-32 {digest:08x}");
    if let Some(path) = &args.from {
        recipe += &format!(", from a network of CRC-32 {:08x}", file::checksum(path)?);
    }
    Ok(recipe)
}

/// Reads the labeled positions of a file and adds its lines to `digest`.
fn read(
    board: &'static Board,
    tiger_configs: &TigerConfigs,
    path: &Path,
    digest: &mut crc32fast::Hasher,
) -> Result<Vec<Sample>, Failure> {
    let in_file = |reason: String| EngineError::new(format!("{}, {reason}", path_name(path)));
    let mut lines = Source::named(path)?.lines(MAX_BYTES)?;
    let mut samples = Vec::new();
    let first_line = lines.next().transpose()?;
    let first_line = first_line.map(|(_, line)| line).unwrap_or_default();
    let mut add = |line: &str| {
        digest.update(line.as_bytes());
        digest.update(b"\n");
    };
    add(&first_line);
    if first_line != format!("game {}", board.name) {
        let reason = format!(
            "line 1: expected 'game {}', the first line of a file of puli gather",
            board.name
        );
        return Err(in_file(reason).into());
    }
    for line in lines {
        let (number, line) = line?;
        add(&line);
        let labeled = LabeledPosition::read(board, &line).ok_or_else(|| {
            in_file(format!(
                "line {number}: expected a position of {}",
                board.name
            ))
        })?;
        samples.push(Sample::new(board, tiger_configs, &labeled));
    }
    Ok(samples)
}
