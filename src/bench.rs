//! `puli bench`: searches a fixed set of positions and adds up the visited nodes.
//!
//! The sum is the *signature* of the searches: a code change that preserves it has most likely not changed any
//! search.
//!
//! For each variant, each algorithm searches the start position to depth 1, 2, 3, … until a search takes `MIN_NODES`
//! nodes. In a puzzle, the number of scrambling moves grows instead of the depth. Some middlegame positions follow.

use std::sync::Arc;
use std::time::Duration;

use crate::catalog;
use crate::clock::Instant;
use crate::control::{Budget, Control, Limits, Signals};
use crate::engine::{Build, Engine, LocatedText, Report, Setup};
use crate::error::EngineError;
use crate::settings::{Algorithm, Settings, name_of};

/// Minimum number of nodes of the last search of an algorithm on a variant.
const MIN_NODES: u64 = 20_000;
/// Increment of the number of random moves that scramble the start position of a puzzle.
const SCRAMBLE_STEP: u32 = 4;
/// Maximum number of random moves that scramble the start position of a puzzle.
const MAX_SCRAMBLE: u32 = 40;

/// An algorithm and its positions: one line of the report.
struct Case {
    variant: &'static str,
    algorithm: Algorithm,
    /// A FEN and a search depth, or `None` for the start position of the variant and growing depths.
    fixed_position: Option<(&'static str, u32)>,
}

/// Additional cases: middlegame positions, boards of other sizes, and puzzles with `auto`.
const EXTRA_CASES: &[Case] = &[
    fixed_position(
        "aadu-puli",
        "1/1TG1T1/GGT1GG/1GG1G1/4 g 3",
        Algorithm::Auto,
        10,
    ),
    fixed_position(
        "bagh-chal",
        "T1G1T/1G1G1/GG2G/1G1G1/T1G1T g 8",
        Algorithm::Auto,
        8,
    ),
    fixed_position("tic-tac-toe", "4 4 4 4/4/4/4 x", Algorithm::Auto, 7),
    fixed_position(
        "tic-tac-toe",
        "9 9 5 9/9/9/3XO4/3XX4/4O4/9/9/9 o",
        Algorithm::Pvs,
        3,
    ),
    fixed_position("2048", "0,0,0/0,0,0 t 0", Algorithm::Expectimax, 32),
    fixed_position("2048", MIDDLEGAME_2048, Algorithm::Auto, 6),
    fixed_position("2048", MIDDLEGAME_2048, Algorithm::AlphaBeta, 6),
    fixed_position("8-puzzle", "8,0,6/5,4,7/2,3,1", Algorithm::Auto, 255),
    fixed_position("15-puzzle", KORF_1, Algorithm::Auto, 255),
    fixed_position("missionaries", "3 3 left", Algorithm::Auto, 255),
];

/// Instance 1 of Korf's hundred 15-puzzles (Korf 1985).
const KORF_1: &str = "14,13,15,7/11,12,9,5/6,0,2,1/4,8,10,3";

/// A middlegame position of 2048.
const MIDDLEGAME_2048: &str = "2,4,8,16/4,32,64,128/0,0,256,2/0,0,0,4 p 3000";

const fn fixed_position(
    variant: &'static str,
    fen: &'static str,
    algorithm: Algorithm,
    depth: u32,
) -> Case {
    Case {
        variant,
        algorithm,
        fixed_position: Some((fen, depth)),
    }
}

/// Runs all cases on one thread with a 16 MiB table. Reports the nodes of each case and their sum.
///
/// # Errors
/// If a search cannot be set up or is stopped.
pub fn run(
    build: Build,
    signals: &Arc<Signals>,
    report: &mut dyn FnMut(Report),
) -> Result<(), EngineError> {
    let mut cases = Vec::new();
    for variant in catalog::names() {
        let engine = build(&settings(variant, Algorithm::Auto))?;
        // `EXTRA_CASES` contains puzzles with `auto`, which would take longest here, because it builds pattern
        // databases first.
        let runs_in_extra_cases =
            |&&algorithm: &&Algorithm| engine.is_puzzle() && algorithm == Algorithm::Auto;
        let algorithms = engine.algorithms().iter();
        cases.extend(
            algorithms
                .filter(|algorithm| !runs_in_extra_cases(algorithm))
                .map(|&algorithm| Case {
                    variant,
                    algorithm,
                    fixed_position: None,
                }),
        );
    }
    let total = cases.len() + EXTRA_CASES.len();
    let mut sum = 0;
    let mut time = Duration::ZERO;
    for (index, case) in cases.iter().chain(EXTRA_CASES).enumerate() {
        let mut engine = build(&settings(case.variant, case.algorithm))?;
        let start = Instant::now();
        let nodes = case.nodes(engine.as_mut(), signals)?;
        time += start.elapsed();
        sum += nodes;
        report(Report::Benched(index + 1, total, case.name(), nodes));
    }
    report(Report::AllBenched(sum, time));
    Ok(())
}

fn settings(variant: &'static str, algorithm: Algorithm) -> Settings {
    Settings {
        variant,
        algorithm,
        hash: 16,
        // Small games are not solved, because the bench counts nodes of searches.
        solve_limit: 0,
        ..Settings::default()
    }
}

impl Case {
    /// Returns the nodes of all searches of the case.
    fn nodes(&self, engine: &mut dyn Engine, signals: &Arc<Signals>) -> Result<u64, EngineError> {
        if let Some((fen, depth)) = self.fixed_position {
            let fen = Setup::Fen(LocatedText {
                offset: 0,
                text: fen.into(),
            });
            return Ok(search(engine, &fen, &Limits::depth(depth), signals)?.nodes);
        }
        let mut nodes = 0;
        let mut step = 0;
        loop {
            step += 1;
            engine.clear();
            let moves = step * SCRAMBLE_STEP;
            let last = if engine.is_puzzle() {
                let seed = Some(1);
                let scrambled = Setup::Scramble { moves, seed };
                search(engine, &scrambled, &Limits::default(), signals)?
            } else {
                search(engine, &Setup::Start, &Limits::depth(step), signals)?
            };
            nodes += last.nodes;
            let is_exhausted = if engine.is_puzzle() {
                moves >= MAX_SCRAMBLE
            } else {
                last.depth < step
            };
            if last.nodes >= MIN_NODES || is_exhausted {
                return Ok(nodes);
            }
        }
    }

    fn name(&self) -> String {
        let (variant, algorithm) = (self.variant, name_of(&self.algorithm));
        match self.fixed_position {
            None => format!("{variant} {algorithm}"),
            Some((fen, depth)) => format!("{variant} {algorithm} depth {depth} of {fen}"),
        }
    }
}

/// The depth of a search, and its visited nodes.
#[derive(Default)]
struct Reached {
    depth: u32,
    nodes: u64,
}

fn search(
    engine: &mut dyn Engine,
    setup: &Setup,
    limits: &Limits,
    signals: &Arc<Signals>,
) -> Result<Reached, EngineError> {
    engine.set(setup, &[])?;
    let mut control = Control::new(limits, Budget::default(), Arc::clone(signals));
    let mut reached = Reached::default();
    engine.go(limits, &mut control, &mut |report| {
        if let Report::Info(info) = report {
            reached = Reached {
                depth: info.depth,
                nodes: info.nodes,
            };
        }
    })?;
    if signals.is_stopped() {
        return Err(EngineError::new(
            "bench stopped before all searches finished",
        ));
    }
    Ok(reached)
}
