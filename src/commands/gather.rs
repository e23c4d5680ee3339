//! `puli gather`: positions of a hunt game from games that the engine plays against itself, with what solved tables
//! know of them and what stands on the lines of the board: what `scripts/fit-evaluation` fits the champion's numbers to.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::Failure;
use super::progress::Progress;
use crate::control::{Budget, Control, Limits};
use crate::error::Refusal;
use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
use crate::games::hunt::lines::Lines;
use crate::games::hunt::{Board, Evaluation, Hunt, Move, Position};
use crate::path::Path;
use crate::rules::{Game, Rules};
use crate::search::algorithms;
use crate::search::deepening::{self, Plan};
use crate::search::{Root, Search};
use crate::settings::{Algorithm, Settings};
use crate::solved::probe::Tables;
use crate::value::Side;

/// What `puli gather` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game: aadu-puli or bagh-chal
    game: String,
    /// The folder of its solved tables
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
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

/// Plays the games, and writes how many goats there are, the kinds of lines, a `line` with its points each, and then the
/// positions, each as its verdict (0: the tigers win, 1: a draw, 2: the goats win), the goats in hand, the goats captured, the side to move (0:
/// goats), and the number of every line.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let boards = [&*AADU_PULI, &*BAGH_CHAL].into_iter();
    let board = boards
        .clone()
        .find(|board| board.name == args.game)
        .ok_or_else(|| {
            let names: Vec<&str> = boards.map(|board| board.name.as_str()).collect();
            Refusal::new(format!("only {} can be gathered", names.join(" and ")))
        })?;
    let mut gathering = Gathering::new(args, board)?;
    writeln!(out, "goats {}", board.goats)?;
    for kind in &gathering.lines.kinds {
        let points = kind.points.iter().map(|&point| board.point_name(point));
        writeln!(out, "line {}", points.collect::<Vec<_>>().join(" "))?;
    }
    let progress = Progress::new(args.games, "games");
    for game in args.first..args.first.saturating_add(args.games) {
        gathering.play(game, out)?;
        progress.set(game - args.first + 1);
    }
    Ok(())
}

struct Gathering {
    game: Hunt,
    lines: Lines,
    tables: Tables,
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
        let (tables, complaints) = Tables::open(&args.tables, board)?;
        complaints.into_iter().try_for_each(Err)?;
        let tactics = Evaluation::champion(board)
            .filter(|_| algorithms::is_champion(args.algorithm))
            .unwrap_or(Evaluation::Tutorial);
        Ok(Self {
            game: Hunt::new(board),
            lines: Lines::new(board),
            tables,
            search: algorithms::build(&settings, tactics)??,
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
        self.search.forget();
        for ply in 0..LONGEST {
            let moves = path.moves(&self.game);
            if moves.is_empty() {
                break;
            }
            if ply >= opening && random.f64() < WRITTEN {
                self.write(path.position(), out)?;
                let aside = self.aside(path.position(), &mut random);
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

    /// Writes a position, unless the game is over there or the tables do not know it.
    fn write(&self, position: &Position, out: &mut dyn Write) -> Result<(), Failure> {
        if self.game.outcome(position).is_some() {
            return Ok(());
        }
        let Some(verdict) = self.tables.probe(position)? else {
            return Ok(());
        };
        let verdict = match verdict.0 {
            Some((Side::P1, _)) => 2,
            Some((Side::P2, _)) => 0,
            None => 1,
        };
        write!(
            out,
            "{verdict} {} {} {}",
            position.hand,
            self.game.captured(position),
            u8::from(position.tigers_to_move)
        )?;
        let reading = self.lines.read(position);
        for line in &self.lines.lines {
            let kind = &self.lines.kinds[line.kind];
            let number = kind.canonical(line.number(reading) - kind.first);
            write!(out, " {}", kind.first + number)?;
        }
        writeln!(out)?;
        Ok(())
    }
}
