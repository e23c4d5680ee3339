//! `puli solve`: makes the tables of a hunt game, and says who wins it.

mod teller;

use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde_json::json;

use super::Failure;
use crate::error::Refusal;
use crate::games::hunt::Board;
use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
use crate::solved::layer::Scope;
use crate::solved::solver::{News, Solver, Task};

use teller::{Line, Teller};

/// What `puli solve` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game
    #[arg(value_enum)]
    game: Solvable,
    /// The folder of the tables; a run that was cut short goes on there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How much of the game
    #[arg(long, value_enum, default_value = "all")]
    phase: Phase,
    /// Solve the game with fewer goats
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=20))]
    goats: Option<u32>,
    /// Threads [default: as many as there are processors]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// MiB of memory that may be used
    #[arg(long, default_value_t = 8192)]
    memory: u64,
    /// Seconds after which the movement phase is kept as far as it has come, for a run that is cut short in it
    #[arg(long, default_value_t = 120)]
    checkpoint: u64,
    /// How to write what was found; positions are counted up to symmetry
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The games that can be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Solvable {
    /// Aadu Puli Aattam
    AaduPuli,
    /// Bagh Chal
    BaghChal,
}

impl Solvable {
    fn board(self) -> &'static Board {
        match self {
            Self::AaduPuli => &AADU_PULI,
            Self::BaghChal => &BAGH_CHAL,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Phase {
    /// No goat in hand
    Movement,
    /// The whole game
    All,
}

/// How what was found is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// A JSON object a line: the forecast, every layer, and the verdict on the start last
    Json,
}

/// How often it is looked how far the solver is.
const REDRAW: Duration = Duration::from_millis(200);

/// Solves what is missing in the folder and tells of every layer, and of the start at the end.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let board = args.game.board();
    let goats = args.goats.unwrap_or(board.goats);
    if goats > board.goats {
        let most = board.goats;
        return Err(Refusal::new(format!("{} has {most} goats, not {goats}", board.name)).into());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.unwrap_or(0) as usize)
        .build()
        .map_err(|error| Refusal::new(format!("threads cannot be had: {error}")))?;
    let solver = Solver::new(Task {
        scope: Scope { board, goats },
        last_hand: if args.phase == Phase::All { goats } else { 0 },
        folder: args.out.clone(),
        memory: args.memory,
        checkpoint: Duration::from_secs(args.checkpoint),
    })?;
    let threads = pool.current_num_threads();
    let forecast = solver.forecast(threads);
    let start = Instant::now();
    let mut teller = Teller::new(out, args.format == Format::Json, &solver, &forecast);
    teller.forecast(threads)?;
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let solver = &solver;
        let working = scope.spawn(|| {
            // The printing thread only goes away when its output is closed; then nobody listens any more.
            let sender = sender;
            let news = |news: News| drop(sender.send(Line::from(news)));
            pool.install(|| solver.run(&news))
        });
        let printed = loop {
            let told = match receiver.recv_timeout(REDRAW) {
                Ok(line) => teller.tell(line),
                Err(RecvTimeoutError::Timeout) => {
                    teller.redraw();
                    Ok(())
                }
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            };
            if told.is_err() {
                break told;
            }
        };
        let ended = working
            .join()
            .unwrap_or_else(|_| Err(Refusal::new("the solver has failed")));
        printed?;
        ended?;
        Ok::<(), Failure>(())
    })?;
    // The layers without files were counted only if they were made just now.
    if args.format == Format::Json {
        let counted = teller.counted();
        let rest = pool.install(|| solver.count_the_rest(&counted))?;
        for (label, tallies) in rest {
            teller.count(label, &tallies);
        }
    }
    let verdict = solver.start()?;
    let found = teller.found();
    match args.format {
        Format::Text => {
            writeln!(out, "solved in {:.1} s", start.elapsed().as_secs_f64())?;
            writeln!(out, "start: {}", teller::in_words(verdict))?;
        }
        Format::Json => writeln!(
            out,
            "{}",
            json!({
                "start": teller::as_json(verdict),
                "positions": found.positions(),
                "prey": found.wins[1],
                "hunters": found.wins[0],
                "neither": found.draws,
            })
        )?,
    }
    Ok(())
}
