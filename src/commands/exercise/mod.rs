//! `puli exercise`: worksheets about searches. The exercises are generated from a seed and answered by the engine's
//! search, so a seed gives the same sheet on every machine.

mod check;
mod game_kinds;
mod material;
mod puzzle_kinds;
mod sheet;
mod svg;
mod tree;

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;

use super::Failure;
use crate::error::EngineError;
use crate::random::Random;

/// Maximum number of tries for a nontrivial exercise.
const MAX_TRIES: u64 = 2000;

/// The arguments of `puli exercise`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The kind of exercise
    #[arg(
        value_enum,
        value_name = "KIND",
        required_unless_present = "check",
        conflicts_with = "check"
    )]
    kind: Option<Kind>,
    /// Generate the exercises of seed <SEED>. The same seed gives the same sheet
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Generate <N> exercises, at most 100
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    count: u32,
    /// Generate exercises of level <LEVEL>: 1 (easy) to 3
    #[arg(long, value_name = "LEVEL", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3))]
    level: u32,
    /// Write the answers too
    #[arg(long)]
    answers: bool,
    /// Write the sheet in this format
    #[arg(long, value_enum, default_value = "markdown")]
    format: SheetFormat,
    /// Mark the answers in <FILE>: a sheet in the format json with answers filled in
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

/// The kinds of exercises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Back up the values of a tree
    Minimax,
    /// Write alpha and beta at the nodes of a tree
    Windows,
    /// Strike out the leaves that alpha-beta skips
    Cuts,
    /// Count the leaves before and after sorting the best children first
    Order,
    /// Name the children that Scout searches again
    Scout,
    /// Follow the tests of MTD(f)
    Mtdf,
    /// Average the values below chance nodes
    Expectimax,
    /// Evaluate positions of Aadu Puli
    Evaluation,
    /// Find the only winning move in Hare and Hounds
    Backward,
    /// Name the next state of breadth-first search
    Queue,
    /// Name the next state of A*
    Astar,
    /// Judge four estimates of the distance to the goal
    Estimates,
    /// Name the bounds of the iterations of IDA*
    Idastar,
    /// Distinguish solvable from unsolvable puzzles
    Parity,
}

/// The format of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SheetFormat {
    /// Pages of paper size A4, black on white, one below the other
    Svg,
    /// Text
    Markdown,
    /// The form that --check marks
    Json,
}

/// The identification of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SheetId {
    kind: Kind,
    seed: u64,
    level: u32,
    count: u32,
}

/// An exercise with its answers.
#[derive(Clone, Debug, PartialEq)]
struct Exercise {
    /// The tree, if the exercise has one.
    tree: Option<tree::Tree>,
    /// The material as text: the tree, or a position with its drawing.
    material: String,
    /// The question.
    question: String,
    /// The places to fill in.
    blanks: Vec<Blank>,
}

/// A place to fill in.
#[derive(Clone, Debug, PartialEq)]
struct Blank {
    /// The subject of the answer: a node by the moves to it, or a short phrase.
    at: String,
    /// The right answer.
    answer: String,
    /// The sentence that explains the answer.
    why: String,
}

/// Runs `puli exercise`.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(path) = &args.check {
        return check::run(path, out);
    }
    let Some(kind) = args.kind else {
        return Err(EngineError::new("expected a kind of exercise").into());
    };
    let id = SheetId {
        kind,
        seed: args.seed,
        level: args.level,
        count: args.count,
    };
    let exercises = exercises(id)?;
    let text = match args.format {
        SheetFormat::Markdown => sheet::markdown(id, &exercises, args.answers),
        SheetFormat::Json => sheet::json(id, &exercises, args.answers),
        SheetFormat::Svg => svg::draw(id, &exercises, args.answers),
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Returns the exercises of a sheet. Skips trivial exercises.
fn exercises(id: SheetId) -> Result<Vec<Exercise>, EngineError> {
    (0..id.count)
        .map(|number| {
            for attempt in 0..MAX_TRIES {
                let stream = u64::from(number) * MAX_TRIES + attempt;
                let mut random = Random::stream(id.seed ^ (id.kind as u64) << 56, stream);
                if let Some(exercise) = exercise(id, &mut random)? {
                    return Ok(exercise);
                }
            }
            Err(EngineError::failed(
                "no exercise was found; take another seed",
            ))
        })
        .collect()
}

/// Generates an exercise. Returns `None` if it is trivial.
fn exercise(id: SheetId, random: &mut Random) -> Result<Option<Exercise>, EngineError> {
    let level = id.level;
    match id.kind {
        Kind::Minimax => game_kinds::minimax(level, random),
        Kind::Windows => game_kinds::windows(level, random),
        Kind::Cuts => game_kinds::cuts(level, random),
        Kind::Order => game_kinds::order(level, random),
        Kind::Scout => game_kinds::scout(level, random),
        Kind::Mtdf => game_kinds::mtdf(level, random),
        Kind::Expectimax => game_kinds::expectimax(level, random),
        Kind::Evaluation => game_kinds::evaluation(level, random),
        Kind::Backward => game_kinds::backward(random),
        Kind::Queue => puzzle_kinds::queue(level, random),
        Kind::Astar => puzzle_kinds::astar(level, random),
        Kind::Estimates => puzzle_kinds::estimates(level, random),
        Kind::Idastar => puzzle_kinds::idastar(level, random),
        Kind::Parity => puzzle_kinds::parity(level, random),
    }
}
