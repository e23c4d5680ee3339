//! `puli gather`: positions of a hunt game from games that the engine plays against itself, with what is known of them and
//! what an evaluation can see: what `scripts/fit-evaluation` fits the numbers of `auto` to.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::Failure;
use super::changes::Changes;
use super::in_memory;
use super::progress::Progress;
use crate::control::{Budget, Control, Limits};
use crate::error::Refusal;
use crate::games::hunt::lines::Lines;
use crate::games::hunt::{Board, Evaluation, Hunt, Move, Position};
use crate::oracle::Oracle;
use crate::path::Path;
use crate::rules::{Game, Outcome, Rules};
use crate::search::algorithms;
use crate::search::deepening::{self, Plan};
use crate::search::{Root, Search};
use crate::settings::{Algorithm, Settings};
use crate::solved::opening::Opened;
use crate::solved::whole::{Forecast, Whole};

/// What is written, for people who read it.
const FORMAT: &str = "\
The first lines say how many prey there are, and name a line of the board of each kind. Then comes a position a line, in
numbers: its value (0: the hunters win, 1: a draw, 2: the prey win), the prey in hand, the prey captured, the side to move
(0: prey, 1: hunters), and for every line of the board the number of what stands on it: its points from the first to the
last as digits in base three (0: nobody, 1: prey, 2: a hunter), the numbers of all kinds of lines counted end to end.";

/// What `puli gather` takes.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = FORMAT)]
pub struct Args {
    /// A game that `puli boards` lists, or a board file
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// The folder of its solved tables. Without it the game is solved in memory first
    #[arg(long, value_name = "DIR", conflicts_with = "outcomes")]
    tables: Option<PathBuf>,
    /// Take a position to be worth what its game comes to: for games that nobody has solved
    #[arg(long)]
    outcomes: bool,
    /// MiB of memory that solving may take
    #[arg(long, default_value_t = 8192)]
    memory: u64,
    /// Games to play
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// The number of the first game, each of which follows from the seed and its number: for parts of a whole
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The seed of everything drawn by lot
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes a move, on average over the games
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(4..))]
    nodes: u64,
    /// Who plays: auto, or another algorithm for games
    #[arg(long, value_enum, default_value = "auto")]
    algorithm: Algorithm,
}

/// A game begins with fewer random plies than this.
const OPENING: u32 = 30;
/// Each side plays at random so often at most, another share in every game, so that both come to win and lose.
const MOST_BLUNDERS: f64 = 0.24;
/// How many of the positions are written.
const WRITTEN: f64 = 0.25;
/// Positions at most so many random plies beside the game are written too: a search mostly meets those.
const ASIDE: u32 = 3;
/// A longer game is of no more use.
const LONGEST: u32 = 300;

/// Plays the games, and writes what lines the board has, and then the positions, each as its verdict (0: the tigers
/// win, 1: a draw, 2: the goats win) and what can be seen of it.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let board = Changes::default().board(&args.game)?;
    let mut gathering = Gathering::new(args, board)?;
    write_head(board, &gathering.lines, out)?;
    let progress = Progress::new(args.games, "games");
    for game in args.first..args.first.saturating_add(args.games) {
        gathering.play(game, out)?;
        progress.set(game - args.first + 1);
    }
    Ok(())
}

/// Who knows what a position is worth.
enum Judge {
    Tables(Box<Opened>),
    Whole(Box<Whole<Hunt>>),
    /// Nobody, before the game is over.
    Outcomes,
}

impl Judge {
    fn new(args: &Args, board: &'static Board) -> Result<Self, Refusal> {
        if args.outcomes {
            return Ok(Self::Outcomes);
        }
        let game = Hunt::new(board);
        if let Some(folder) = &args.tables {
            let (tables, complaints) = Opened::open(&game, folder)?;
            complaints.into_iter().try_for_each(Err)?;
            return Ok(Self::Tables(Box::new(tables)));
        }
        let start = game.start();
        let solved = Forecast::of(&game, start).and_then(|forecast| {
            in_memory::solve(&board.name, &game, start, &forecast, args.memory)
        });
        let whole = solved.map_err(|refusal| {
            Refusal::new(format!(
                "{} cannot be solved in memory: {refusal}. --tables names a folder where it is solved, and --outcomes takes \
                 what the games come to",
                board.name
            ))
        })?;
        Ok(Self::Whole(Box::new(whole)))
    }

    /// What a position is worth to the goats: 0, 1 for a draw, 2; nothing where it is not known.
    fn verdict(&self, board: &Board, position: &Position) -> Result<Option<u8>, Refusal> {
        let winner = match self {
            Self::Outcomes => None,
            Self::Tables(tables) => {
                let verdict = tables.ask(position)?;
                verdict.map(|verdict| verdict.0.map(|(winner, _)| winner))
            }
            Self::Whole(whole) => whole.value(position).map(|value| value.winner),
        };
        Ok(winner.map(|winner| worth(winner.map(|winner| winner == board.goats_side))))
    }
}

/// A verdict as it is written: whether the goats win, or nobody.
fn worth(goats_win: Option<bool>) -> u8 {
    goats_win.map_or(1, |goats_win| 2 * u8::from(goats_win))
}

/// Writes how many goats there are, and the kinds of lines, a `line` with its points each.
fn write_head(board: &Board, lines: &Lines, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "goats {}", board.goats)?;
    for kind in &lines.kinds {
        let points = kind.points.iter().map(|&point| board.point_name(point));
        writeln!(out, "line {}", points.collect::<Vec<_>>().join(" "))?;
    }
    Ok(())
}

/// The goats in hand, the goats captured, the side to move (0: goats), and the number of every line.
fn seen(game: &Hunt, lines: &Lines, position: &Position) -> String {
    let mut text = format!(
        "{} {} {}",
        position.hand,
        game.captured(position),
        u8::from(position.tigers_to_move)
    );
    let reading = lines.read(position);
    for line in &lines.lines {
        let kind = &lines.kinds[line.kind];
        let number = kind.canonical(line.number(reading) - kind.first);
        text += &format!(" {}", kind.first + number);
    }
    text
}

struct Gathering {
    game: Hunt,
    lines: Lines,
    judge: Judge,
    search: Box<dyn Search<Hunt>>,
    seed: u64,
    nodes: u64,
}

impl Gathering {
    fn new(args: &Args, board: &'static Board) -> Result<Self, Refusal> {
        let settings = Settings {
            algorithm: args.algorithm,
            memory: true,
            hash: 16,
            ..Settings::default()
        };
        let lines = Lines::new(board)?;
        let tactics = if algorithms::is_champion(args.algorithm) {
            Evaluation::champion(board).unwrap_or(Evaluation::Tutorial)
        } else {
            Evaluation::Tutorial
        };
        Ok(Self {
            game: Hunt::new(board),
            lines,
            search: algorithms::build(&settings, tactics)??,
            judge: Judge::new(args, board)?,
            seed: args.seed,
            nodes: args.nodes,
        })
    }

    /// Plays one game and writes some of its positions.
    fn play(&mut self, number: u64, out: &mut dyn Write) -> Result<(), Failure> {
        let mut random = fastrand::Rng::with_seed(self.seed << 32 | number);
        let blunders = [0, 1].map(|_| random.f64() * MOST_BLUNDERS);
        let nodes = random.u64(self.nodes / 4..=self.nodes * 7 / 4);
        let opening = random.u32(..OPENING);
        let mut path = Path::new(self.game.start());
        let mut untold = Vec::new();
        self.search.forget();
        for ply in 0..LONGEST {
            let moves = path.moves(&self.game);
            if moves.is_empty() {
                break;
            }
            if ply >= opening && random.f64() < WRITTEN {
                untold.extend(self.write(path.position(), out)?);
                let aside = self.aside(path.position(), &mut random);
                // What becomes of that, nobody sees.
                self.write(&aside, out)?;
            }
            let side = self.game.side(path.position());
            let m = if ply < opening || random.f64() < blunders[side as usize] {
                moves[random.usize(..moves.len())]
            } else {
                self.choose(&path, nodes)
            };
            let next = self.game.play(path.position(), m);
            path.push(&self.game, next);
        }
        let goats_side = self.game.board.goats_side;
        let winner = path.outcome(&self.game).and_then(Outcome::winner);
        let verdict = worth(winner.map(|winner| winner == goats_side));
        for seen in untold {
            writeln!(out, "{verdict} {seen}")?;
        }
        Ok(())
    }

    /// The position some random plies further on.
    fn aside(&self, position: &Position, random: &mut fastrand::Rng) -> Position {
        let mut path = Path::new(*position);
        for _ in 0..random.u32(1..=ASIDE) {
            let moves = path.moves(&self.game);
            let Some(&m) = random.choice(&moves) else {
                break;
            };
            let next = self.game.play(path.position(), m);
            path.push(&self.game, next);
        }
        *path.position()
    }

    fn choose(&mut self, path: &Path<Hunt>, nodes: u64) -> Move {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut root = Root::new(&self.game, path.clone(), 0);
        let only = root.moves[0].m;
        let control = &mut Control::new(&limits, Budget::default(), Arc::default());
        let found = deepening::deepen(
            &self.game,
            &mut root,
            self.search.as_mut(),
            &Plan::new(&limits, 1),
            control,
            &mut |_, _, _| {},
        );
        found.first().map_or(only, |line| line.found.line[0])
    }

    /// Writes a position, unless the game is over there or its value is not known. What is to be written once the game is
    /// over is returned.
    fn write(&self, position: &Position, out: &mut dyn Write) -> Result<Option<String>, Failure> {
        if self.game.outcome(position).is_some() {
            return Ok(None);
        }
        let seen = seen(&self.game, &self.lines, position);
        match self.judge.verdict(self.game.board, position)? {
            Some(verdict) => writeln!(out, "{verdict} {seen}")?,
            None if matches!(self.judge, Judge::Outcomes) => return Ok(Some(seen)),
            None => {}
        }
        Ok(None)
    }
}
