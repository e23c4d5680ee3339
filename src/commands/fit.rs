//! `puli fit`: makes the network of a hunt game of positions whose values are known.

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
use crate::games::hunt::network::learning::Learner;
use crate::games::hunt::network::sample::{LabeledPosition, Sample};
use crate::games::hunt::network::tiger_config::Stands;
use crate::random::Random;

/// What `puli fit` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A game that `puli boards` lists, or a board file
    #[arg(value_name = "GAME|FILE", value_parser = super::Games, hide_possible_values = true)]
    game: String,
    /// What `puli gather` wrote of it
    #[arg(value_name = "POSITIONS", required = true)]
    positions: Vec<PathBuf>,
    /// The file for the network; it is there after the first epoch, and better after each
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace FILE if it exists
    #[arg(long)]
    force: bool,
    /// A network of the game to go on from, instead of one that knows nothing
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// How often it learns from every position
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// How far it goes for a position at first; by default 0.01, or 0.003 where it goes on from a network
    #[arg(long, value_parser = rate)]
    rate: Option<f32>,
    /// The seed of the order of the positions, and of what the network begins with
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How far it goes for a position at first where nothing is said.
const RATE: f32 = 0.01;
/// The same where it goes on from a network.
const RATE_ON: f32 = 0.003;
/// A network to go on from sees so many positions before it learns, lest its first steps be as long as a beginner's.
const SEEN_FIRST: usize = 1 << 20;
/// Of each file one position in so many, the last ones, are not learned from.
const HELD_OUT: usize = 50;
/// Maximum bytes of a file of positions: two thousand million positions.
const MAX_BYTES: u64 = 64 << 30;
/// Positions between two looks at how far it is.
const PORTION: usize = 1 << 16;

fn rate(text: &str) -> Result<f32, String> {
    let rate: f32 = text.parse().map_err(|_| "expected a number")?;
    let fits = rate > 0.0 && rate <= 1.0;
    fits.then_some(rate)
        .ok_or_else(|| "expected more than 0, and at most 1".into())
}

/// Learns, and leaves the network in its file.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let board = RuleOverrides::default().board(&args.game)?;
    let stands = Stands::new(board)?;
    let before = args.from.as_deref().map(|path| file::load(board, path));
    let before = before.transpose()?;
    let inputs = args.positions.iter().chain(&args.from);
    let inputs = inputs.map(PathBuf::as_path).chain([Path::new(&args.game)]);
    durable::require_new(&args.out, &inputs.collect::<Vec<_>>(), args.force)?;
    let (mut lessons, mut held_out) = (Vec::new(), Vec::new());
    let mut digest = crc32fast::Hasher::new();
    for path in &args.positions {
        let mut samples = read(board, &stands, path, &mut digest)?;
        let kept = samples.len() - samples.len() / HELD_OUT;
        held_out.extend(samples.drain(kept..));
        lessons.append(&mut samples);
    }
    if held_out.is_empty() {
        return Err(Failure::Refused(EngineError::new(format!(
            "{} positions are too few to learn from: at least {HELD_OUT} in a file",
            lessons.len()
        ))));
    }
    writeln!(
        out,
        "{} positions to learn from, {} held out",
        lessons.len(),
        held_out.len()
    )?;
    let unseen = |learner: &Learner| learner.loss(&held_out) / held_out.len() as f64;
    let mut random = Random::part(args.seed, 1);
    let mut learner = if let Some(network) = before {
        let mut learner = Learner::of(network);
        random.shuffle(&mut lessons);
        learner.learn(&lessons[..lessons.len().min(SEEN_FIRST)], 0.0);
        writeln!(out, "before: held out {:.5}", unseen(&learner))?;
        learner
    } else {
        Learner::new(board, stands, args.seed)
    };
    let epochs = args.epochs as usize;
    let whole = epochs * lessons.len();
    let usual = if before.is_some() { RATE_ON } else { RATE };
    let rate = args.rate.unwrap_or(usual);
    let positions = lessons.len() + held_out.len();
    let recipe = recipe(args, board, rate, positions, digest.finalize())?;
    let progress = Progress::new(whole as u64, "positions");
    for epoch in 0..epochs {
        random.shuffle(&mut lessons);
        let mut loss = 0.0;
        let mut done = epoch * lessons.len();
        for portion in lessons.chunks(PORTION) {
            // Towards the end it goes less and less far, and comes to rest.
            let left = 1.0 - done as f32 / whole as f32;
            loss += learner.learn(portion, rate * left);
            done += portion.len();
            progress.set(done as u64);
        }
        loss /= lessons.len() as f64;
        let network = learner.network(recipe.clone());
        network.save(&args.out)?;
        let (epoch, unseen) = (epoch + 1, unseen(&learner));
        progress.above(|| {
            writeln!(out, "epoch {epoch}: loss {loss:.5}, held out {unseen:.5}")?;
            out.flush()
        })?;
    }
    drop(progress);
    writeln!(out, "{} written", path_name(&args.out))?;
    Ok(())
}

/// Returns the command that makes the network, without paths: checksums stand for the contents of files, so equal
/// fittings have equal recipes.
fn recipe(
    args: &Args,
    board: &Board,
    rate: f32,
    positions: usize,
    digest: u32,
) -> Result<String, EngineError> {
    let (game, epochs, seed) = (&board.name, args.epochs, args.seed);
    let mut recipe = format!("puli fit {game} --epochs {epochs} --rate {rate} --seed {seed}");
    recipe += &format!(", {positions} positions of CRC-32 {digest:08x}");
    if let Some(path) = &args.from {
        recipe += &format!(", from a network of CRC-32 {:08x}", file::checksum(path)?);
    }
    Ok(recipe)
}

/// The positions of a file, whose lines are added to `digest`.
fn read(
    board: &'static Board,
    stands: &Stands,
    path: &Path,
    digest: &mut crc32fast::Hasher,
) -> Result<Vec<Sample>, Failure> {
    let refuse = |why: String| EngineError::new(format!("{}{why}", path_name(path)));
    let mut lines = Source::named(path)?.lines(MAX_BYTES)?;
    let mut samples = Vec::new();
    let head = lines.next().transpose()?;
    let head = head.map(|(_, line)| line).unwrap_or_default();
    let mut add = |line: &str| {
        digest.update(line.as_bytes());
        digest.update(b"\n");
    };
    add(&head);
    if head != format!("game {}", board.name) {
        let why = format!(
            ", line 1: expected 'game {}', as `puli gather` begins",
            board.name
        );
        return Err(refuse(why).into());
    }
    for line in lines {
        let (number, line) = line?;
        add(&line);
        let known = LabeledPosition::read(board, &line).ok_or_else(|| {
            refuse(format!(
                ", line {number}: expected a position of {}",
                board.name
            ))
        })?;
        samples.push(Sample::new(board, stands, &known));
    }
    Ok(samples)
}
