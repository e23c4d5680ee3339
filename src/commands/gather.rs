//! `puli gather`: plays games of a hunt game and writes positions with their values, the training data of `puli fit`.
//!
//! For a variety of positions, each game draws its players from `PLAYERS`, starts with random plies, and contains
//! random moves. For each sampled position, all successors (the positions after each legal move) are written as one
//! group, so that the network learns to distinguish good from bad moves. With `--outcomes`, when values are
//! unknown, the sampled position itself is written with the result of its game. With `--points`, the points and the
//! log-odds of the sampled position are written, the data of `scripts/fit-curves`.
//!
//! In code, the hunters of any hunt game are tigers, and the prey are goats.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::in_memory;
use super::progress::Progress;
use super::rule_overrides::RuleOverrides;
use super::{Failure, unsupported_algorithm};
use crate::control::{Budget, Control, Limits};
use crate::error::EngineError;
use crate::games::hunt::evaluation::points_for_goats;
use crate::games::hunt::network::file;
use crate::games::hunt::network::sample::LabeledPosition;
use crate::games::hunt::network::tiger_config::TigerConfigs;
use crate::games::hunt::{Board, Evaluation, Hunt, Move, Position};
use crate::oracle::{Oracle, Verdict};
use crate::path::Path;
use crate::random::Random;
use crate::rules::{Game, Outcome, Rules};
use crate::search::algorithms::{self, ALGORITHMS};
use crate::search::deepening::{self, DeepeningOptions};
use crate::search::{Evaluator, Root, Search};
use crate::settings::{Algorithm, Settings};
use crate::solve::explicit::in_memory::SolvedGame;
use crate::solve::explicit::solution::InMemoryPlan;
use crate::solve::tables::drop_phase::HuntTables;
use crate::value::Side;

/// The output format, for `--help`.
const FORMAT: &str = "\
The first line names the game. Each following line is a position in five fields: its value (0: hunters win, 1: draw, 2: prey \
win), the number of prey in hand, the side to move (0: prey, 1: hunters), and the points of the hunters and of the prey. Points \
are hexadecimal bit sets: bit i is point i, row by row from the top.

With --points, a line has four fields: the value, the side to move, and from the view of the prey the points of the reference \
evaluation and 100 times the log-odds of the evaluation of auto. The second line is that of the start, after the word `start`; its \
value is `?` if it is unknown, and its fifth field is the kind of evaluation: `network` or `curve`.";

/// The arguments of `puli gather`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = FORMAT)]
pub struct Args {
    /// Play <GAME>, a name that `puli boards` lists, or the game of the board file <FILE>
    #[arg(value_name = "GAME|FILE", value_parser = super::Games, hide_possible_values = true)]
    game: String,
    /// Read the values from the tables in the folder <DIR> [default: solve the game in memory first]
    #[arg(long, value_name = "DIR", conflicts_with = "outcomes")]
    tables: Option<PathBuf>,
    /// Label each position with the result of its game, for unsolved games
    #[arg(long)]
    outcomes: bool,
    /// Use at most <MIB> MiB of memory to solve the game, or to cache tables [default: 8192; with --tables 1024]
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// Write the points of the reference evaluation and the log-odds of the evaluation of auto instead of positions. With
    /// --outcomes, label each position with the result of a game that two searches play from it
    #[arg(long)]
    points: bool,
    /// Play <N> games
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Start with game number <N>: each game depends only on the seed and its number, so runs can share the work
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..1 << 32))]
    first: u64,
    /// Seed all random choices with <SEED>
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 32))]
    seed: u64,
    /// Let searching players visit <NODES> nodes per move on average
    #[arg(long, value_name = "NODES", default_value_t = 300, value_parser = clap::value_parser!(u64).range(4..))]
    nodes: u64,
    /// Search with <ALGORITHM>
    #[arg(long, value_enum, default_value = "auto")]
    algorithm: Algorithm,
    /// Evaluate with the network in <FILE> instead of the built-in network
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

/// Default of `--memory` for solving, in MiB.
const DEFAULT_SOLVE_MIB: u64 = 8192;
/// Default of `--memory` with `--tables`, in MiB.
const DEFAULT_CACHE_MIB: u64 = 1024;

/// Exclusive upper bound of the number of random plies at the start of a game, drawn per game.
const RANDOM_PLIES_BOUND: u32 = 26;
/// Maximum probability of a random move (a blunder) after these plies, drawn per side and game, so that both sides win
/// and lose.
const MAX_BLUNDER_SHARE: f64 = 0.2;
/// Share of games without blunders, in which the value remains a draw for more plies.
const NO_BLUNDER_SHARE: f64 = 0.3;
/// Share of sampled positions of a game.
const SAMPLE_SHARE: f64 = 0.3;
/// Maximum number of random plies after a sampled position, to a second sampled position: searches visit more positions
/// after bad moves than after good moves, so the network must learn them too.
const MAX_DESCENDANT_PLIES: u32 = 4;
/// Share of written groups whose positions all have the same value. Groups with different values are always
/// written.
const EQUAL_GROUP_SHARE: f64 = 0.15;
/// Maximum length of a game, in plies.
const MAX_PLIES: u32 = 160;

/// Plays the games and writes labeled positions.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let board = RuleOverrides::default().board(&args.game)?;
    let mut sampler = Sampler::new(args, board)?;
    writeln!(out, "game {}", board.name)?;
    if args.points {
        sampler.write_start(out)?;
    }
    let progress = Progress::new(args.games, "games");
    for game in args.first..args.first.saturating_add(args.games) {
        sampler.play(game, out)?;
        progress.set(game - args.first + 1);
    }
    Ok(())
}

/// The source of the labels.
enum LabelSource {
    Tables(Box<HuntTables>),
    SolvedGame(Box<SolvedGame<Hunt>>),
    /// The result of the game.
    Outcomes,
}

impl LabelSource {
    fn new(args: &Args, board: &'static Board) -> Result<Self, EngineError> {
        if args.outcomes {
            return Ok(Self::Outcomes);
        }
        let game = Hunt::new(board);
        if let Some(folder) = &args.tables {
            let (tables, errors) = HuntTables::open_within(
                &game,
                folder,
                args.memory.unwrap_or(DEFAULT_CACHE_MIB) << 20,
            )?;
            errors.into_iter().try_for_each(Err)?;
            return Ok(Self::Tables(Box::new(tables)));
        }
        let start = game.start();
        // This fails if the forecast exceeds the memory limit.
        let memory = args.memory.unwrap_or(DEFAULT_SOLVE_MIB);
        let solved = InMemoryPlan::new(&game, start, memory)
            .and_then(|plan| in_memory::solve(&board.name, &plan, None));
        let solved_game = solved.map_err(|error| {
            EngineError::new(format!(
                "cannot solve {} in memory: {error}; use its tables with --tables, or the results of games with \
                 --outcomes",
                board.name
            ))
        })?;
        Ok(Self::SolvedGame(Box::new(solved_game)))
    }

    /// Returns the value of a position for the goats: 0 for a loss, 1 for a draw, 2 for a win, or `None` if it is
    /// unknown.
    fn verdict(&self, game: &Hunt, position: &Position) -> Result<Option<u8>, EngineError> {
        let winner = match (game.outcome(position), self) {
            (Some(outcome), _) => Some(outcome.winner()),
            (None, Self::Outcomes) => None,
            (None, Self::Tables(tables)) => {
                let verdict = tables.probe(position)?;
                verdict.map(Verdict::winner)
            }
            (None, Self::SolvedGame(solved_game)) => {
                solved_game.value(position).map(Verdict::winner)
            }
        };
        Ok(winner.map(|winner| value_code(winner.map(|winner| winner == game.board.goats_side))))
    }
}

/// Returns the code of a value: 0 if the goats lose, 1 for a draw (`goats_win` is `None`), 2 if the goats win.
fn value_code(goats_win: Option<bool>) -> u8 {
    goats_win.map_or(1, |goats_win| 2 * u8::from(goats_win))
}

/// A kind of player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Player {
    /// Plays a random move.
    Random,
    /// Plays a random move that keeps the value.
    Perfect,
    /// Plays the move that keeps the value and leaves the opponent the largest share of replies that worsen
    /// the opponent's value.
    Trapper,
    /// Plays the best move of a search.
    Search,
}

/// The players of a side, drawn with equal probability.
const PLAYERS: [Player; 6] = [
    Player::Random,
    Player::Perfect,
    Player::Trapper,
    Player::Search,
    Player::Search,
    Player::Search,
];

/// Plays games and writes samples of their positions.
struct Sampler {
    game: Hunt,
    labels: LabelSource,
    search: Box<dyn Search<Hunt>>,
    /// The evaluation of `auto`.
    default_evaluator: Evaluation,
    writes_points: bool,
    seed: u64,
    nodes: u64,
}

impl Sampler {
    fn new(args: &Args, board: &'static Board) -> Result<Self, EngineError> {
        let settings = Settings {
            algorithm: args.algorithm,
            memory: true,
            hash: 16,
            ..Settings::default()
        };
        if !ALGORITHMS.contains(&args.algorithm) {
            return Err(unsupported_algorithm(
                args.algorithm,
                &board.name,
                ALGORITHMS,
            ));
        }
        if !args.points {
            // Fail now instead of in `puli fit` if the board has too many tiger configurations for a network.
            TigerConfigs::new(board)?;
        }
        let default_evaluator = match &args.eval_file {
            Some(path) => Evaluation::Network(file::load(board, path)?),
            None => Evaluation::default_evaluator(board),
        };
        let evaluation = if algorithms::uses_default_evaluator(args.algorithm) {
            default_evaluator
        } else {
            Evaluation::Reference
        };
        Ok(Self {
            game: Hunt::new(board),
            search: algorithms::build(&settings, evaluation)??,
            default_evaluator,
            labels: LabelSource::new(args, board)?,
            writes_points: args.points,
            seed: args.seed,
            nodes: args.nodes,
        })
    }

    /// Plays game number `number` and writes a sample of its positions.
    fn play(&mut self, number: u64, out: &mut dyn Write) -> Result<(), Failure> {
        let mut random = Random::stream(self.seed, number);
        let players = [0, 1].map(|_| PLAYERS[random.index(PLAYERS.len())]);
        let max_blunder_share = if random.f64() < NO_BLUNDER_SHARE {
            0.0
        } else {
            MAX_BLUNDER_SHARE
        };
        let blunder_shares = [0, 1].map(|_| random.f64() * max_blunder_share);
        let random_plies = random.u32(..RANDOM_PLIES_BOUND);
        let mut path = Path::new(self.game.start());
        let mut unlabeled = Vec::new();
        self.search.clear();
        for ply in 0..MAX_PLIES {
            let moves = path.moves(&self.game);
            if moves.is_empty() {
                break;
            }
            if ply >= random_plies && random.f64() < SAMPLE_SHARE {
                if self.writes_points {
                    self.write_points(path.position(), out)?;
                    let random_descendant = self.random_descendant(path.position(), &mut random);
                    self.write_points(&random_descendant, out)?;
                } else if matches!(self.labels, LabelSource::Outcomes) {
                    unlabeled.push(*path.position());
                } else {
                    self.sample_successors(path.position(), &mut random, out)?;
                    let random_descendant = self.random_descendant(path.position(), &mut random);
                    self.sample_successors(&random_descendant, &mut random, out)?;
                }
            }
            let side = self.game.side(path.position()) as usize;
            let player = if ply < random_plies || random.f64() < blunder_shares[side] {
                Player::Random
            } else {
                players[side]
            };
            let m = self.choose(&path, moves, player, &mut random)?;
            let next = self.game.play(path.position(), m);
            path.push(&self.game, next);
        }
        let winner = path.outcome(&self.game).and_then(Outcome::winner);
        let verdict = value_code(winner.map(|winner| winner == self.game.board.goats_side));
        for position in unlabeled {
            writeln!(out, "{}", LabeledPosition { position, verdict })?;
        }
        Ok(())
    }

    /// Writes the value of the start, if it is known, its evaluations, and the kind of the evaluation of `auto`.
    fn write_start(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let start = self.game.start();
        let verdict = self.labels.verdict(&self.game, &start)?;
        let verdict = verdict.map_or_else(|| String::from("?"), |verdict| verdict.to_string());
        let evaluations = self.evaluations(&start);
        let kind = match self.default_evaluator {
            Evaluation::Network(_) => "network",
            _ => "curve",
        };
        Ok(writeln!(out, "start {verdict} {evaluations} {kind}")?)
    }

    /// Returns the side to move, the points of the reference evaluation and the value of the evaluation of `auto`, as
    /// in a line of the output.
    fn evaluations(&self, position: &Position) -> String {
        let side = u8::from(position.tigers_to_move);
        let points = points_for_goats(&self.game, position);
        let value = self.default_evaluator.evaluate(&self.game, position).0;
        let is_for_goats = self.game.board.goats_side == Side::P1;
        let for_goats = if is_for_goats { value } else { -value };
        format!("{side} {points} {for_goats}")
    }

    /// Writes the value and the evaluations of a position. Writes nothing if the game is over or the value is unknown.
    fn write_points(&mut self, position: &Position, out: &mut dyn Write) -> Result<(), Failure> {
        if self.game.outcome(position).is_some() {
            return Ok(());
        }
        let verdict = match self.labels {
            LabelSource::Outcomes => Some(self.result_of_play(position)),
            _ => self.labels.verdict(&self.game, position)?,
        };
        if let Some(verdict) = verdict {
            writeln!(out, "{verdict} {}", self.evaluations(position))?;
        }
        Ok(())
    }

    /// Returns the code of the result of a game from `position`, in which both sides play the best moves of searches.
    fn result_of_play(&mut self, position: &Position) -> u8 {
        let mut path = Path::new(*position);
        for _ in 0..MAX_PLIES {
            if path.moves(&self.game).is_empty() {
                break;
            }
            let m = self.search(&path, self.nodes);
            let next = self.game.play(path.position(), m);
            path.push(&self.game, next);
        }
        let winner = path.outcome(&self.game).and_then(Outcome::winner);
        value_code(winner.map(|winner| winner == self.game.board.goats_side))
    }

    /// Returns the position after 1 to [`MAX_DESCENDANT_PLIES`] random plies.
    fn random_descendant(&self, position: &Position, random: &mut Random) -> Position {
        let mut path = Path::new(*position);
        for _ in 0..random.u32(1..=MAX_DESCENDANT_PLIES) {
            let moves = path.moves(&self.game);
            let Some(&m) = random.choice(&moves) else {
                break;
            };
            let next = self.game.play(path.position(), m);
            path.push(&self.game, next);
        }
        *path.position()
    }

    /// Returns the move of a player.
    fn choose(
        &mut self,
        path: &Path<Hunt>,
        mut moves: Vec<Move>,
        player: Player,
        random: &mut Random,
    ) -> Result<Move, EngineError> {
        random.shuffle(&mut moves);
        let random_move = moves[0];
        match player {
            Player::Random => Ok(random_move),
            Player::Search => {
                let nodes = random.u64(self.nodes / 4..=self.nodes * 7 / 4);
                Ok(self.search(path, nodes))
            }
            Player::Perfect => {
                let first = self.value_preserving(path.position(), moves)?.next();
                Ok(first.transpose()?.map_or(random_move, |(m, _)| m))
            }
            Player::Trapper => {
                let (mut trap, mut max_share) = (random_move, -1.0);
                for move_and_position in self.value_preserving(path.position(), moves)? {
                    let (m, after) = move_and_position?;
                    let share = self.losing_share(&after)?;
                    if share > max_share {
                        (trap, max_share) = (m, share);
                    }
                }
                Ok(trap)
            }
        }
    }

    /// Returns the moves that keep the value of a position, with the positions after them, as a lazy iterator.
    fn value_preserving(
        &self,
        position: &Position,
        moves: Vec<Move>,
    ) -> Result<impl Iterator<Item = Result<(Move, Position), EngineError>>, EngineError> {
        let value = self.labels.verdict(&self.game, position)?;
        Ok(moves.into_iter().filter_map(move |m| {
            let after = self.game.play(position, m);
            let verdict = self.labels.verdict(&self.game, &after);
            let keeps = verdict.map(|verdict| (verdict == value).then_some((m, after)));
            keeps.transpose()
        }))
    }

    /// Returns the share of legal moves that worsen the value for the side to move.
    fn losing_share(&self, position: &Position) -> Result<f64, EngineError> {
        if self.game.outcome(position).is_some() {
            return Ok(0.0);
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let all = moves.len();
        let preserving: Result<Vec<_>, EngineError> =
            self.value_preserving(position, moves)?.collect();
        Ok((all - preserving?.len()) as f64 / all as f64)
    }

    /// Returns the best move found by a search of at most `nodes` nodes.
    fn search(&mut self, path: &Path<Hunt>, nodes: u64) -> Move {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut root = Root::new(&self.game, path.clone(), 0);
        let fallback = root.moves[0].m;
        let control = &mut Control::new(&limits, Budget::default(), Arc::default());
        let found = deepening::deepen(
            &self.game,
            &mut root,
            self.search.as_mut(),
            &DeepeningOptions::new(&limits, 1),
            control,
            &mut |_, _, _| {},
        );
        found.first().map_or(fallback, |line| line.found.line[0])
    }

    /// Writes the successors of a position as one group, if their values differ or with probability
    /// [`EQUAL_GROUP_SHARE`].
    fn sample_successors(
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
        let mut labeled = Vec::with_capacity(moves.len());
        for m in moves {
            let position = self.game.play(position, m);
            if let Some(verdict) = self.labels.verdict(&self.game, &position)? {
                labeled.push(LabeledPosition { position, verdict });
            }
        }
        let are_equal = labeled
            .windows(2)
            .all(|pair| pair[0].verdict == pair[1].verdict);
        if are_equal && random.f64() >= EQUAL_GROUP_SHARE {
            return Ok(());
        }
        for labeled in labeled {
            // The network never evaluates a finished game.
            if self.game.outcome(&labeled.position).is_none() {
                writeln!(out, "{labeled}")?;
            }
        }
        Ok(())
    }
}
