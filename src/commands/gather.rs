//! `puli gather`: positions of a hunt game with what they are worth, from games of players of every strength: what `puli fit`
//! makes the network of `auto` of.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::in_memory;
use super::progress::Progress;
use super::rule_overrides::RuleOverrides;
use super::{Failure, is_not_for};
use crate::control::{Budget, Control, Limits};
use crate::error::EngineError;
use crate::games::hunt::network::sample::LabeledPosition;
use crate::games::hunt::network::tiger_config::Stands;
use crate::games::hunt::{Board, Evaluation, Hunt, Move, Position};
use crate::oracle::Oracle;
use crate::path::Path;
use crate::random::Random;
use crate::rules::{Game, Outcome, Rules};
use crate::search::algorithms::{self, ALGORITHMS};
use crate::search::deepening::{self, DeepeningOptions};
use crate::search::{Root, Search};
use crate::settings::{Algorithm, Settings};
use crate::solve::explicit::in_memory::{Forecast, SolvedGame};
use crate::solve::tables::drop_phase::DropPhaseTables;

/// What is written, for people who read it.
const FORMAT: &str = "\
The first line names the game. Then comes a position a line, in words: its value (0: the hunters win, 1: a draw, 2: the prey \
win), the prey in hand, the side to move (0: prey, 1: hunters), and the points of the hunters and of the prey, as hexadecimal \
numbers whose bit i is the point of number i, row by row from the top.";

/// What `puli gather` takes.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = FORMAT)]
pub struct Args {
    /// A game that `puli boards` lists, or a board file
    #[arg(value_name = "GAME|FILE", value_parser = super::Games, hide_possible_values = true)]
    game: String,
    /// The folder of its solved tables. Without it the game is solved in memory first
    #[arg(long, value_name = "DIR", conflicts_with = "outcomes")]
    tables: Option<PathBuf>,
    /// Take a position to be worth what its game comes to: for games that nobody has solved
    #[arg(long)]
    outcomes: bool,
    /// MiB of memory that solving may take, by default 8192; or what was read of tables, by default 1024
    #[arg(long)]
    memory: Option<u64>,
    /// Games to play
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// The number of the first game, each of which follows from the seed and its number: for parts of a whole
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..1 << 32))]
    first: u64,
    /// The seed of everything drawn by lot
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 32))]
    seed: u64,
    /// Nodes a move of a player who searches, on average
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(4..))]
    nodes: u64,
    /// How he searches: auto, or another algorithm for games
    #[arg(long, value_enum, default_value = "auto")]
    algorithm: Algorithm,
}

/// MiB that may be taken where nothing is said.
const SOLVING_MEMORY: u64 = 8192;
/// The same where tables are asked.
const TABLES_MEMORY: u64 = 1024;

/// A game begins with fewer random plies than this.
const MAX_RANDOM_PLIES: u32 = 26;
/// Each side plays at random so often at most, another share in every game, so that both come to win and lose.
const MAX_BLUNDERS: f64 = 0.2;
/// In so many games neither does: what is drawn may stay so, and be decided by who knows more.
const NO_BLUNDER_SHARE: f64 = 0.3;
/// How many of the positions are looked at.
const SAMPLE_SHARE: f64 = 0.3;
/// Positions at most so many random plies beside the game are looked at too: a search mostly meets those.
const MAX_SIDE_PLIES: u32 = 4;
/// Of positions after the moves of one, which are all written where some of them lose its value, so many are where none does.
const EQUAL_GROUP_SHARE: f64 = 0.15;
/// A longer game is of no more use.
const LONGEST: u32 = 160;

/// Plays the games, and writes what was met.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let board = RuleOverrides::default().board(&args.game)?;
    let mut gathering = Gathering::new(args, board)?;
    writeln!(out, "game {}", board.name)?;
    let progress = Progress::new(args.games, "games");
    for game in args.first..args.first.saturating_add(args.games) {
        gathering.play(game, out)?;
        progress.set(game - args.first + 1);
    }
    Ok(())
}

/// Who knows what a position is worth.
enum LabelSource {
    Tables(Box<DropPhaseTables>),
    Whole(Box<SolvedGame<Hunt>>),
    /// Nobody, before the game is over.
    Outcomes,
}

impl LabelSource {
    fn new(args: &Args, board: &'static Board) -> Result<Self, EngineError> {
        if args.outcomes {
            return Ok(Self::Outcomes);
        }
        let game = Hunt::new(board);
        if let Some(folder) = &args.tables {
            let (tables, complaints) = DropPhaseTables::open_within(
                &game,
                folder,
                args.memory.unwrap_or(TABLES_MEMORY) << 20,
            )?;
            complaints.into_iter().try_for_each(Err)?;
            return Ok(Self::Tables(Box::new(tables)));
        }
        let start = game.start();
        let solved = Forecast::of(&game, start).and_then(|forecast| {
            in_memory::solve(
                &board.name,
                &game,
                start,
                &forecast,
                args.memory.unwrap_or(SOLVING_MEMORY),
            )
        });
        let whole = solved.map_err(|refusal| {
            EngineError::new(format!(
                "{} cannot be solved in memory: {refusal}. --tables names a folder where it is solved, and --outcomes takes \
                 what the games come to",
                board.name
            ))
        })?;
        Ok(Self::Whole(Box::new(whole)))
    }

    /// What a position is worth to the goats: 0, 1 for a draw, 2; nothing where it is not known.
    fn verdict(&self, game: &Hunt, position: &Position) -> Result<Option<u8>, EngineError> {
        let winner = match (game.outcome(position), self) {
            (Some(outcome), _) => Some(outcome.winner()),
            (None, Self::Outcomes) => None,
            (None, Self::Tables(tables)) => {
                let verdict = tables.ask(position)?;
                verdict.map(|verdict| verdict.0.map(|(winner, _)| winner))
            }
            (None, Self::Whole(whole)) => whole.value(position).map(|value| value.winner),
        };
        Ok(winner.map(|winner| worth(winner.map(|winner| winner == game.board.goats_side))))
    }
}

/// A verdict as it is written: whether the goats win, or nobody.
fn worth(goats_win: Option<bool>) -> u8 {
    goats_win.map_or(1, |goats_win| 2 * u8::from(goats_win))
}

/// Who plays a side of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Player {
    /// Any move.
    Random,
    /// Any move that keeps the value.
    Perfect,
    /// Of the moves that keep the value the one after which most answers lose theirs.
    Trapper,
    Search,
}

/// As often as each of them plays.
const PLAYERS: [Player; 6] = [
    Player::Random,
    Player::Perfect,
    Player::Trapper,
    Player::Search,
    Player::Search,
    Player::Search,
];

struct Gathering {
    game: Hunt,
    judge: LabelSource,
    search: Box<dyn Search<Hunt>>,
    seed: u64,
    nodes: u64,
}

impl Gathering {
    fn new(args: &Args, board: &'static Board) -> Result<Self, EngineError> {
        let settings = Settings {
            algorithm: args.algorithm,
            memory: true,
            hash: 16,
            ..Settings::default()
        };
        if !ALGORITHMS.contains(&args.algorithm) {
            return Err(is_not_for(args.algorithm, &board.name, ALGORITHMS));
        }
        // What no network can see is not worth writing down.
        Stands::new(board)?;
        let tactics = if algorithms::uses_default_evaluator(args.algorithm) {
            Evaluation::default_evaluator(board).unwrap_or(Evaluation::Tutorial)
        } else {
            Evaluation::Tutorial
        };
        Ok(Self {
            game: Hunt::new(board),
            search: algorithms::build(&settings, tactics)??,
            judge: LabelSource::new(args, board)?,
            seed: args.seed,
            nodes: args.nodes,
        })
    }

    /// Plays one game and writes some of what it comes by.
    fn play(&mut self, number: u64, out: &mut dyn Write) -> Result<(), Failure> {
        let mut random = Random::part(self.seed, number);
        let players = [0, 1].map(|_| PLAYERS[random.index(PLAYERS.len())]);
        let most = if random.f64() < NO_BLUNDER_SHARE {
            0.0
        } else {
            MAX_BLUNDERS
        };
        let blunders = [0, 1].map(|_| random.f64() * most);
        let drop_phase = random.u32(..MAX_RANDOM_PLIES);
        let mut path = Path::new(self.game.start());
        let mut untold = Vec::new();
        self.search.clear();
        for ply in 0..LONGEST {
            let moves = path.moves(&self.game);
            if moves.is_empty() {
                break;
            }
            if ply >= drop_phase && random.f64() < SAMPLE_SHARE {
                if matches!(self.judge, LabelSource::Outcomes) {
                    untold.push(*path.position());
                } else {
                    self.look_at(path.position(), &mut random, out)?;
                    let aside = self.aside(path.position(), &mut random);
                    self.look_at(&aside, &mut random, out)?;
                }
            }
            let side = self.game.side(path.position()) as usize;
            let player = if ply < drop_phase || random.f64() < blunders[side] {
                Player::Random
            } else {
                players[side]
            };
            let m = self.choose(&path, moves, player, &mut random)?;
            let next = self.game.play(path.position(), m);
            path.push(&self.game, next);
        }
        let winner = path.outcome(&self.game).and_then(Outcome::winner);
        let verdict = worth(winner.map(|winner| winner == self.game.board.goats_side));
        for position in untold {
            writeln!(out, "{}", LabeledPosition { position, verdict })?;
        }
        Ok(())
    }

    /// The position some random plies further on.
    fn aside(&self, position: &Position, random: &mut Random) -> Position {
        let mut path = Path::new(*position);
        for _ in 0..random.u32(1..=MAX_SIDE_PLIES) {
            let moves = path.moves(&self.game);
            let Some(&m) = random.choice(&moves) else {
                break;
            };
            let next = self.game.play(path.position(), m);
            path.push(&self.game, next);
        }
        *path.position()
    }

    fn choose(
        &mut self,
        path: &Path<Hunt>,
        mut moves: Vec<Move>,
        player: Player,
        random: &mut Random,
    ) -> Result<Move, EngineError> {
        random.shuffle(&mut moves);
        let any = moves[0];
        match player {
            Player::Random => Ok(any),
            Player::Search => {
                let nodes = random.u64(self.nodes / 4..=self.nodes * 7 / 4);
                Ok(self.search(path, nodes))
            }
            Player::Perfect => {
                let first = self.keeping(path.position(), moves)?.next();
                Ok(first.transpose()?.map_or(any, |(m, _)| m))
            }
            Player::Trapper => {
                let (mut trap, mut most) = (any, -1.0);
                for keeping in self.keeping(path.position(), moves)? {
                    let (m, after) = keeping?;
                    let share = self.losing(&after)?;
                    if share > most {
                        (trap, most) = (m, share);
                    }
                }
                Ok(trap)
            }
        }
    }

    /// Those of the moves of a position that keep its value, and where they lead: looked for as they are asked for.
    fn keeping(
        &self,
        position: &Position,
        moves: Vec<Move>,
    ) -> Result<impl Iterator<Item = Result<(Move, Position), EngineError>>, EngineError> {
        let value = self.judge.verdict(&self.game, position)?;
        Ok(moves.into_iter().filter_map(move |m| {
            let after = self.game.play(position, m);
            let verdict = self.judge.verdict(&self.game, &after);
            let keeps = verdict.map(|verdict| (verdict == value).then_some((m, after)));
            keeps.transpose()
        }))
    }

    /// The share of the moves of a position that lose its value.
    fn losing(&self, position: &Position) -> Result<f64, EngineError> {
        if self.game.outcome(position).is_some() {
            return Ok(0.0);
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let all = moves.len();
        let keeping: Result<Vec<_>, EngineError> = self.keeping(position, moves)?.collect();
        Ok((all - keeping?.len()) as f64 / all as f64)
    }

    fn search(&mut self, path: &Path<Hunt>, nodes: u64) -> Move {
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
            &DeepeningOptions::new(&limits, 1),
            control,
            &mut |_, _, _| {},
        );
        found.first().map_or(only, |line| line.found.line[0])
    }

    /// Writes the positions after the moves of one, those that are compared with each other: always where some of them lose
    /// its value, now and then where none does.
    fn look_at(
        &self,
        position: &Position,
        random: &mut Random,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if self.game.outcome(position).is_some() {
            return Ok(());
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut known = Vec::with_capacity(moves.len());
        for m in moves {
            let position = self.game.play(position, m);
            if let Some(verdict) = self.judge.verdict(&self.game, &position)? {
                known.push(LabeledPosition { position, verdict });
            }
        }
        let same_search = known
            .windows(2)
            .all(|pair| pair[0].verdict == pair[1].verdict);
        if same_search && random.f64() >= EQUAL_GROUP_SHARE {
            return Ok(());
        }
        for known in known {
            // What the rules decide nobody has to judge.
            if self.game.outcome(&known.position).is_none() {
                writeln!(out, "{known}")?;
            }
        }
        Ok(())
    }
}
