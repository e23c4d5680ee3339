//! `bench`: a fixed set of searches over all variants, whose number of nodes signs what the searches do.
//!
//! Every variant of the catalog is searched by every algorithm that it runs, deeper and deeper, or further and further
//! from the goal, until that takes enough nodes; and some positions of the middle of a game are searched beside.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::catalog;
use crate::control::{Budget, Control, Limits, Signals};
use crate::engine::{Build, Engine, Report, Setup, Spanned};
use crate::error::EngineError;
use crate::settings::{Algorithm, Settings, name_of};

/// A variant is done with an algorithm once a search takes so many nodes.
const ENOUGH: u64 = 20_000;
/// By how many moves further from the goal every search of a puzzle begins than the one before, and the most of them.
const SCRAMBLE: u32 = 4;
const MAX_SCRAMBLED: u32 = 40;

/// What is searched by one algorithm.
struct Case {
    variant: &'static str,
    algorithm: Algorithm,
    /// A position and a depth; without them the variant from its start on.
    aside: Option<(&'static str, u32)>,
}

/// Positions of the middle of a game or on a board of another size, and puzzles for `auto`.
const ASIDE: &[Case] = &[
    aside(
        "aadu-puli",
        "1/1TG1T1/GGT1GG/1GG1G1/4 g 3",
        Algorithm::Auto,
        10,
    ),
    aside(
        "bagh-chal",
        "T1G1T/1G1G1/GG2G/1G1G1/T1G1T g 8",
        Algorithm::Auto,
        8,
    ),
    aside("tic-tac-toe", "4 4 4 4/4/4/4 x", Algorithm::Auto, 7),
    aside(
        "tic-tac-toe",
        "9 9 5 9/9/9/3XO4/3XX4/4O4/9/9/9 o",
        Algorithm::Pvs,
        3,
    ),
    aside("2048", "0,0,0/0,0,0 t 0", Algorithm::Expectimax, 32),
    aside("2048", CROWDED, Algorithm::Auto, 6),
    aside("2048", CROWDED, Algorithm::AlphaBeta, 6),
    aside("8-puzzle", "8,0,6/5,4,7/2,3,1", Algorithm::Auto, 255),
    aside("15-puzzle", KORFS_FIRST, Algorithm::Auto, 255),
    aside("missionaries", "3 3 left", Algorithm::Auto, 255),
];

/// The first of Korf's hundred (1985).
const KORFS_FIRST: &str = "14,13,15,7/11,12,9,5/6,0,2,1/4,8,10,3";

/// 2048 in the middle of a game.
const CROWDED: &str = "2,4,8,16/4,32,64,128/0,0,256,2/0,0,0,4 p 3000";

const fn aside(variant: &'static str, fen: &'static str, algorithm: Algorithm, depth: u32) -> Case {
    Case {
        variant,
        algorithm,
        aside: Some((fen, depth)),
    }
}

/// Runs the set, on one thread and with a fixed table, until it is done or stopped: a line a case, and the sum.
///
/// # Errors
/// When a search of the set cannot be set up.
pub fn run(
    build: Build,
    signals: &Arc<Signals>,
    report: &mut dyn FnMut(Report),
) -> Result<(), EngineError> {
    let mut cases = Vec::new();
    for variant in catalog::names() {
        let engine = build(&settings(variant, Algorithm::Auto))?;
        // What `auto` makes before it begins with a puzzle takes longer than all the rest: it is searched aside.
        let has_aside =
            |&&algorithm: &&Algorithm| engine.is_puzzle() && algorithm == Algorithm::Auto;
        let algorithms = engine.algorithms().iter();
        cases.extend(
            algorithms
                .filter(|one| !has_aside(one))
                .map(|&algorithm| Case {
                    variant,
                    algorithm,
                    aside: None,
                }),
        );
    }
    let all = cases.len() + ASIDE.len();
    let mut sum = 0;
    let mut time = Duration::ZERO;
    for (index, case) in cases.iter().chain(ASIDE).enumerate() {
        let mut engine = build(&settings(case.variant, case.algorithm))?;
        let start = Instant::now();
        let nodes = case.nodes(engine.as_mut(), signals)?;
        time += start.elapsed();
        sum += nodes;
        report(Report::Benched(index + 1, all, case.name(), nodes));
    }
    report(Report::AllBenched(sum, time));
    Ok(())
}

fn settings(variant: &'static str, algorithm: Algorithm) -> Settings {
    Settings {
        variant,
        algorithm,
        hash: 16,
        ..Settings::default()
    }
}

impl Case {
    /// The nodes of all searches of the case.
    fn nodes(&self, engine: &mut dyn Engine, signals: &Arc<Signals>) -> Result<u64, EngineError> {
        if let Some((fen, depth)) = self.aside {
            let fen = Setup::Fen(Spanned {
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
            let moves = step * SCRAMBLE;
            let last = if engine.is_puzzle() {
                let seed = Some(1);
                let scrambled = Setup::Scramble { moves, seed };
                search(engine, &scrambled, &Limits::default(), signals)?
            } else {
                search(engine, &Setup::Start, &Limits::depth(step), signals)?
            };
            nodes += last.nodes;
            let is_at_the_end = if engine.is_puzzle() {
                moves >= MAX_SCRAMBLED
            } else {
                last.depth < step
            };
            if last.nodes >= ENOUGH || is_at_the_end {
                return Ok(nodes);
            }
        }
    }

    fn name(&self) -> String {
        let (variant, algorithm) = (self.variant, name_of(&self.algorithm));
        match self.aside {
            None => format!("{variant} {algorithm}"),
            Some((fen, depth)) => format!("{variant} {algorithm} depth {depth} of {fen}"),
        }
    }
}

/// How far a search came.
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
    engine.go(limits, &mut control, &mut |said| {
        if let Report::Info(info) = said {
            reached = Reached {
                depth: info.depth,
                nodes: info.nodes,
            };
        }
    })?;
    if signals.is_stopped() {
        return Err(EngineError::new("the bench was stopped before its end"));
    }
    Ok(reached)
}
