//! `puli solve`: makes the tables of a hunt game.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use clap::ValueEnum;

use super::Failure;
use super::status::{StatusLine, bar};
use crate::error::Refusal;
use crate::games::hunt::Board;
use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
use crate::solved::file::Label;
use crate::solved::layer::Scope;
use crate::solved::solver::{News, Solver, Task};
use crate::solved::tally::Tally;
use crate::value::Side;

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

/// How often a line that grows is drawn again on a terminal.
const REDRAW: Duration = Duration::from_millis(200);

/// What the solver's thread sends to the one that prints.
enum Line {
    Begins(Label, Option<u64>),
    Ply(Side, u32, u64),
    Words(String),
    Layer(Label, Vec<Tally>, String),
}

/// Solves what is missing in the folder and tells of every layer. Progress goes to `progress`.
pub fn run(args: &Args, out: &mut dyn Write, progress: &mut dyn Write) -> Result<(), Failure> {
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
    })?;
    let forecast = solver.forecast(pool.current_num_threads());
    writeln!(
        out,
        "{} with {goats} goats: {} positions, about {} up to symmetry; expected: {:.0} s on {} threads, {} MiB of memory, {} MiB on disk",
        board.name,
        forecast.positions,
        forecast.values,
        forecast.seconds,
        pool.current_num_threads(),
        forecast.memory >> 20,
        forecast.disk >> 20,
    )?;
    let start = Instant::now();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let solver = &solver;
        let working = scope.spawn(move || {
            // The printing thread only goes away when its output is closed; then nobody listens any more.
            let news = |news: News| drop(sender.send(Line::from(news)));
            pool.install(|| solver.run(&news))
        });
        let mut told = Teller::new(out, progress, solver);
        let printed = loop {
            match receiver.recv_timeout(REDRAW) {
                Ok(line) => match told.tell(line) {
                    Ok(()) => {}
                    Err(error) => break Err(error),
                },
                Err(RecvTimeoutError::Timeout) => match told.redraw() {
                    Ok(()) => {}
                    Err(error) => break Err(error),
                },
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            }
        };
        let ended = working
            .join()
            .unwrap_or_else(|_| Err(Refusal::new("the solver has failed")));
        printed?;
        ended?;
        Ok::<(), Failure>(())
    })?;
    writeln!(out, "solved in {:.1} s", start.elapsed().as_secs_f64())?;
    Ok(())
}

impl From<News<'_>> for Line {
    fn from(news: News) -> Self {
        match news {
            News::Begins(label, parts) => Self::Begins(label, parts),
            News::Ply(winner, plies, count) => Self::Ply(winner, plies, count),
            News::Unusable(refusal) => Self::Words(format!("made again: {refusal}")),
            News::Kept(file) => Self::Layer(file.label, file.tallies.clone(), "kept".into()),
            News::Finished(label, tallies, time, bytes) => {
                let spent = format!("{:.1} s, {bytes} bytes", time.as_secs_f64());
                Self::Layer(label, tallies.to_vec(), spent)
            }
        }
    }
}

/// Prints what the solver tells.
struct Teller<'a> {
    out: &'a mut dyn Write,
    status: StatusLine<'a>,
    solver: &'a Solver,
    layer: Option<(Label, Option<u64>, Instant)>,
    ply: Option<(Side, u32, u64)>,
}

impl<'a> Teller<'a> {
    fn new(out: &'a mut dyn Write, progress: &'a mut dyn Write, solver: &'a Solver) -> Self {
        Self {
            out,
            status: StatusLine::new(progress),
            solver,
            layer: None,
            ply: None,
        }
    }

    fn tell(&mut self, line: Line) -> io::Result<()> {
        match line {
            Line::Begins(label, parts) => {
                self.layer = Some((label, parts, Instant::now()));
                self.ply = None;
                log::info!("{} begins", name(&label));
            }
            Line::Ply(winner, plies, count) => {
                self.ply = Some((winner, plies, count));
                log::debug!("{} in {plies} plies: {count}", winner_name(winner));
            }
            Line::Words(words) => {
                self.status.clear()?;
                writeln!(self.out, "{words}")?;
            }
            Line::Layer(label, tallies, spent) => {
                self.status.clear()?;
                self.tell_layer(&label, &tallies, &spent)?;
            }
        }
        self.out.flush()
    }

    fn tell_layer(&mut self, label: &Label, tallies: &[Tally], spent: &str) -> io::Result<()> {
        if label.hand == 0 {
            for tally in tallies {
                let on_board = format!("  {} on board", tally.on_board);
                writeln!(self.out, "{}", counts(&on_board, tally))?;
            }
        }
        let sum = tallies.iter().fold(Tally::default(), Tally::with);
        writeln!(self.out, "{}; {spent}", counts(&name(label), &sum))
    }

    /// On a terminal: the bar, and the time left where it can be told.
    fn redraw(&mut self) -> io::Result<()> {
        let Some((label, parts, start)) = self.layer.filter(|_| self.status.is_watched) else {
            return Ok(());
        };
        let elapsed = start.elapsed().as_secs_f64();
        let words = match (parts, self.ply) {
            (Some(parts), _) => bar(self.solver.done.load(Ordering::Relaxed), parts, elapsed),
            (None, Some((winner, plies, count))) => {
                let winner = winner_name(winner);
                format!("{winner} in {plies} plies: {count} positions, {elapsed:.0} s")
            }
            (None, None) => format!("{elapsed:.0} s"),
        };
        self.status.show(&format!("{}: {words}", name(&label)))
    }
}

fn name(label: &Label) -> String {
    let side = if label.tigers_to_move {
        "tigers"
    } else {
        "goats"
    };
    format!("{} in hand, {side} to move", label.hand)
}

fn winner_name(winner: Side) -> &'static str {
    match winner {
        Side::P1 => "goats win",
        Side::P2 => "tigers win",
    }
}

fn counts(what: &str, tally: &Tally) -> String {
    format!(
        "{what}: {} positions, tigers win {} (longest {}), goats win {} (longest {}), draws {}",
        tally.positions(),
        tally.wins[0],
        tally.longest[0],
        tally.wins[1],
        tally.longest[1],
        tally.draws
    )
}
