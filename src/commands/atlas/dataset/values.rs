//! The exact values of a game: from tables, from solving it in memory, or from the recorded results.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;

use crate::commands::atlas::Args;
use crate::commands::atlas::row;
use crate::commands::atlas::solved_values::{self, SolvedValues};
use crate::commands::progress::Progress;
use crate::commands::{Failure, require_folder};
use crate::error::EngineError;
use crate::games::hunt::{Board, Hunt, Position};
use crate::oracle::{self, Oracle, Verdict};
use crate::path::Path;
use crate::random::Random;
use crate::rules::{Game, Notation, Rules};
use crate::solve::bitset::layer::TableGame;
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::survey::{MovementSurvey, SurveyContext};
use crate::solve::explicit::in_memory::SolvedGame;
use crate::solve::explicit::position_table::PositionTable;
use crate::solve::explicit::solution::InMemoryPlan;
use crate::solve::tables::drop_phase::{HuntTables, require_table_board};
use crate::solve::tables::solver::fits;
use crate::value::Side;

/// Exclusive upper bound of the number of random plies to a position that is drawn by a random game.
const RANDOM_PLIES_BOUND: u32 = 120;
/// Maximum number of random games per drawn position. Random games of a small game often end in the same positions.
const MAX_GAMES_PER_POSITION: usize = 20;
/// Number of random won positions of each side that a survey checks by the rules.
const SURVEY_CHECKS: u64 = 1_000_000;

/// The result of perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// `prey` or `hunters`, or `None` for a draw.
    pub winner: Option<&'static str>,
    /// Plies to the win. `None` for a draw and for a win by endless play.
    pub plies: Option<u32>,
}

/// The statistics of one layer: a number of pieces in hand and on the board, and the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerCount {
    pub prey_in_hand: u32,
    pub hunters_in_hand: u32,
    pub hunters_to_move: bool,
    pub stats: LayerStats,
}

/// The results of a survey.
pub(super) struct SurveyValues {
    start: Value,
    first_moves: Vec<String>,
    layers: Vec<LayerCount>,
}

/// The origin of the values of a game.
pub(super) enum Origin {
    /// All reachable positions are in memory.
    Memory(Box<SolvedGame<Hunt>>),
    /// A table per layer.
    Layers(Box<HuntTables>),
    /// One table with all positions.
    Table(Box<PositionTable<Hunt>>),
    /// Counts, and the value of the start.
    Survey(SurveyValues),
    /// The results in `atlas.csv`.
    Recorded(&'static SolvedValues),
    Unknown,
}

/// A game with its values.
pub(super) struct GameValues {
    pub game: Hunt,
    pub origin: Origin,
    /// The recorded results, or `None` if the game is not solved.
    pub recorded: Option<&'static SolvedValues>,
}

impl GameValues {
    /// Finds the values of a game: in the folder of `--tables`, by solving it within `--memory` and `--max-positions`, or
    /// in `atlas.csv`. Prints a line if the game cannot be solved.
    ///
    /// # Errors
    /// If a table is damaged, or if the value of the start differs from the recorded one.
    pub(super) fn find(
        board: &'static Board,
        args: &Args,
        out: &mut dyn Write,
    ) -> Result<Self, Failure> {
        let game = Hunt::new(board);
        let recorded = solved_values::of(board);
        let folder = args.dataset.tables.as_deref();
        let from_tables = folder.map(|folder| open_tables(&game, folder, args.memory));
        let origin = match from_tables.transpose()?.flatten() {
            Some(origin) => origin,
            None => match solve(&game, args) {
                Ok(origin) => origin,
                Err(why) => {
                    writeln!(out, "{}: not solved: {why}", board.name)?;
                    recorded.map_or(Origin::Unknown, Origin::Recorded)
                }
            },
        };
        let values = Self {
            game,
            origin,
            recorded,
        };
        values.expect_recorded_start()?;
        Ok(values)
    }

    /// Checks that the value of the start is the recorded one.
    fn expect_recorded_start(&self) -> Result<(), EngineError> {
        let (Some(found), Some(recorded)) = (self.start()?, self.recorded) else {
            return Ok(());
        };
        if (found.winner, found.plies) == (recorded.winner, recorded.plies) {
            return Ok(());
        }
        let describe = |winner, plies| solved_values::describe(self.board(), winner, plies);
        Err(EngineError::failed(format!(
            "{}: expected the recorded value '{}', found '{}'",
            self.board().name,
            describe(recorded.winner, recorded.plies),
            describe(found.winner, found.plies)
        )))
    }

    /// Returns the board.
    pub(super) fn board(&self) -> &'static Board {
        self.game.board
    }

    /// Returns the name of the method, or `None` if the game is not solved.
    pub(super) fn method(&self) -> Option<&'static str> {
        match self.origin {
            Origin::Memory(_) => Some("memory"),
            Origin::Layers(_) | Origin::Table(_) => Some("tables"),
            Origin::Survey(_) => Some("survey"),
            Origin::Recorded(_) => Some("recorded"),
            Origin::Unknown => None,
        }
    }

    /// Returns `true` if the values of single positions are known.
    pub(super) fn has_positions(&self) -> bool {
        self.oracle().is_some()
    }

    fn oracle(&self) -> Option<&dyn Oracle<Hunt>> {
        match &self.origin {
            Origin::Memory(solved) => Some(&**solved),
            Origin::Layers(tables) => Some(&**tables),
            Origin::Table(table) => Some(&**table),
            Origin::Survey(_) | Origin::Recorded(_) | Origin::Unknown => None,
        }
    }

    /// Returns the verdict on a position.
    ///
    /// # Errors
    /// If a table cannot be read, or if the position has no value.
    fn verdict(&self, position: &Position) -> Result<Verdict, EngineError> {
        if let Some(outcome) = self.game.outcome(position) {
            return Ok(Verdict::terminal(outcome));
        }
        let oracle = self.oracle();
        let verdict = oracle.map(|oracle| oracle.probe(position)).transpose()?;
        verdict.flatten().ok_or_else(|| {
            EngineError::failed(format!(
                "{}: no value of position '{}'",
                self.board().name,
                self.game.show_position(position)
            ))
        })
    }

    /// Returns the value of a position; see [`GameValues::verdict`].
    pub(super) fn value(&self, position: &Position) -> Result<Value, EngineError> {
        self.verdict(position)
            .map(|verdict| value_of(verdict, self.board().goats_side))
    }

    /// Returns the value of the start, or `None` if it is unknown.
    pub(super) fn start(&self) -> Result<Option<Value>, EngineError> {
        Ok(match &self.origin {
            Origin::Survey(survey) => Some(survey.start),
            Origin::Recorded(recorded) => Some(Value {
                winner: recorded.winner,
                plies: recorded.plies,
            }),
            Origin::Unknown => None,
            _ => Some(self.value(&self.game.start())?),
        })
    }

    /// Returns the first moves that keep the value: the shortest wins, the draws, or the longest losses. Returns `None`
    /// if they are unknown.
    pub(super) fn first_moves(&self) -> Result<Option<Vec<String>>, EngineError> {
        if let Origin::Survey(survey) = &self.origin {
            return Ok(Some(survey.first_moves.clone()));
        }
        let Some(oracle) = self.oracle() else {
            return Ok(None);
        };
        let path = Path::new(self.game.start());
        let moves = path.moves(&self.game);
        let rated = oracle::rate_without_history(&self.game, &path, &moves, oracle)?;
        Ok(rated.map(|rated| {
            let best = rated.first().map(|best| best.verdict);
            let kept = rated.iter().filter(|rated| Some(rated.verdict) == best);
            kept.map(|rated| self.game.show_move_at(path.position(), rated.m))
                .collect()
        }))
    }

    /// Returns the set of positions that [`GameValues::layers`] counts.
    pub(super) fn counted(&self) -> Option<&'static str> {
        match &self.origin {
            Origin::Memory(solved) if solved.is_folded() => Some("reachable up to symmetry"),
            Origin::Memory(_) => Some("reachable"),
            Origin::Layers(_) | Origin::Survey(_) => Some("all up to symmetry"),
            Origin::Table(_) | Origin::Recorded(_) | Origin::Unknown => None,
        }
    }

    /// Returns the statistics of each layer whose positions are counted.
    pub(super) fn layers(&self) -> Vec<LayerCount> {
        match &self.origin {
            Origin::Memory(solved) => count_layers(&self.game, solved),
            Origin::Layers(tables) => layer_counts(tables.layer_stats()),
            Origin::Survey(survey) => survey.layers.clone(),
            Origin::Table(_) | Origin::Recorded(_) | Origin::Unknown => Vec::new(),
        }
    }

    /// Returns the sum of `layers`, or `None` if `layers` does not contain all layers. Tables of a game with prey in hand
    /// have no file for some layers.
    pub(super) fn total(&self, layers: &[LayerCount]) -> Option<LayerStats> {
        let is_complete = match self.origin {
            Origin::Memory(_) | Origin::Survey(_) => true,
            Origin::Layers(_) => self.board().goats_placed != 0,
            Origin::Table(_) | Origin::Recorded(_) | Origin::Unknown => false,
        };
        let sum = |sum: LayerStats, layer: &LayerCount| sum.merged(&layer.stats);
        is_complete.then(|| layers.iter().fold(LayerStats::default(), sum))
    }

    /// Returns the way in which [`GameValues::draw`] draws positions.
    pub(super) fn drawn(&self) -> Option<&'static str> {
        match self.origin {
            Origin::Memory(_) => Some("uniformly"),
            Origin::Layers(_) | Origin::Table(_) => Some("random games"),
            _ => None,
        }
    }

    /// Returns the start and at most `count` other positions in which the game is not over, drawn by `seed`. Positions
    /// are distinct up to symmetry if they are counted up to symmetry.
    pub(super) fn draw(&self, seed: u64, count: usize) -> Vec<Position> {
        // The name selects the random numbers, so that a position does not depend on the other games.
        let stream = crc32fast::hash(self.board().name.as_bytes());
        let mut random = Random::stream(seed, stream.into());
        let mut positions = vec![self.game.start()];
        match &self.origin {
            Origin::Memory(solved) => {
                positions.extend(draw_uniformly(&self.game, solved, count, &mut random));
            }
            Origin::Layers(_) | Origin::Table(_) => {
                positions.extend(draw_by_games(&self.game, count, &mut random));
            }
            Origin::Survey(_) | Origin::Recorded(_) | Origin::Unknown => {}
        }
        positions
    }
}

/// Returns the value of a verdict. `prey` is the side of the prey.
fn value_of(verdict: Verdict, prey: Side) -> Value {
    let name = |winner: Side| if winner == prey { "prey" } else { "hunters" };
    Value {
        winner: verdict.winner().map(name),
        plies: verdict.plies(),
    }
}

/// Opens the tables of a game, or returns `None` if the folder has none.
fn open_tables(
    game: &Hunt,
    folder: &std::path::Path,
    memory: u64,
) -> Result<Option<Origin>, EngineError> {
    require_folder(folder)?;
    let Ok(board) = require_table_board(game.board) else {
        let table = PositionTable::find(folder, game)?;
        return Ok(table.map(|table| Origin::Table(Box::new(table))));
    };
    let table_game = TableGame {
        board,
        goats: board.goats,
    };
    if !LayerId::stored(table_game).any(|layer_id| layer_id.path(folder).exists()) {
        return Ok(None);
    }
    // A cache of more than a quarter of the memory has no advantage for a few thousand positions.
    let (tables, errors) = HuntTables::open_within(game, folder, memory << 18)?;
    errors.into_iter().try_for_each(Err)?;
    Ok(Some(Origin::Layers(Box::new(tables))))
}

/// Solves a game in memory: position by position if the forecast fits or no survey is possible, otherwise by a survey.
///
/// # Errors
/// If the game needs more than `--memory`, or has more than `--max-positions` positions.
fn solve(game: &Hunt, args: &Args) -> Result<Origin, EngineError> {
    let plan = InMemoryPlan::new(game, game.start(), args.memory)?;
    let is_large = plan.forecast.memory > u128::from(args.memory) << 20;
    if is_large && let Ok(survey) = MovementSurvey::new(*game) {
        return run_survey(&survey, args).map(Origin::Survey);
    }
    row::run(&plan, args).map(|solved| Origin::Memory(Box::new(solved)))
}

/// Surveys a game.
fn run_survey(survey: &MovementSurvey, args: &Args) -> Result<SurveyValues, EngineError> {
    let positions = survey.positions();
    if positions > args.max_positions {
        return Err(EngineError::new(format!(
            "{positions} positions exceed --max-positions"
        )));
    }
    fits(survey.memory(rayon::current_num_threads()), args.memory)?;
    let progress = Progress::new(positions, "positions won");
    progress.note(survey.board().name.as_str());
    let context = SurveyContext {
        watch: &mut |found| progress.add(found.count()),
        checks: SURVEY_CHECKS,
        checkpointer: None,
        plies: None,
    };
    let found = survey.result(survey.run(None, context)?)?;
    let layers = found.stats.iter().zip([false, true]);
    let layers = layers.map(|(stats, tigers_to_move)| (0, tigers_to_move, &stats[..]));
    Ok(SurveyValues {
        // In a survey, the prey are the first player.
        start: value_of(found.start, Side::P1),
        first_moves: found.best.iter().map(|&m| survey.show_move(m)).collect(),
        layers: layer_counts(layers),
    })
}

/// Returns the counts of layers with all hunters on the board: prey in hand, `true` if tigers are to move, statistics.
fn layer_counts<'a>(
    layers: impl Iterator<Item = (u32, bool, &'a [LayerStats])>,
) -> Vec<LayerCount> {
    let counts = layers.flat_map(|(prey_in_hand, hunters_to_move, stats)| {
        stats.iter().map(move |&stats| LayerCount {
            prey_in_hand,
            hunters_in_hand: 0,
            hunters_to_move,
            stats,
        })
    });
    counts.collect()
}

/// Counts the positions of each layer of a game solved in memory.
fn count_layers(game: &Hunt, solved: &SolvedGame<Hunt>) -> Vec<LayerCount> {
    let mut layers: BTreeMap<(u8, u8, bool, u32), LayerStats> = BTreeMap::new();
    for (position, verdict) in solved.positions() {
        let on_board = position.goats_on_board();
        let key = (
            position.hand,
            position.tigers_hand,
            position.tigers_to_move,
            on_board,
        );
        let stats = layers.entry(key).or_default();
        stats.on_board = on_board;
        match verdict.winner() {
            None => stats.draws += 1,
            Some(winner) => {
                let index = usize::from(winner == game.board.goats_side);
                stats.wins[index] += 1;
                let plies = verdict.plies().unwrap_or(0);
                stats.longest[index] = stats.longest[index].max(plies);
            }
        }
    }
    let layers = layers.into_iter();
    let counts = layers.map(
        |((hand, tigers_hand, hunters_to_move, _), stats)| LayerCount {
            prey_in_hand: hand.into(),
            hunters_in_hand: tigers_hand.into(),
            hunters_to_move,
            stats,
        },
    );
    counts.collect()
}

/// Draws positions from all positions of a solved game except the start and finished games, each with the same
/// probability (reservoir sampling; Vitter 1985, algorithm R). Returns them in the order of the solved game.
fn draw_uniformly(
    game: &Hunt,
    solved: &SolvedGame<Hunt>,
    count: usize,
    random: &mut Random,
) -> Vec<Position> {
    let start = if solved.is_folded() {
        game.canonical(&game.start())
    } else {
        game.start()
    };
    let positions = solved.positions().map(|(position, _)| position);
    let mut drawn: Vec<(u64, Position)> = Vec::with_capacity(count);
    let mut seen = 0_u64;
    for position in positions {
        if position == start || game.outcome(&position).is_some() {
            continue;
        }
        if drawn.len() < count {
            drawn.push((seen, position));
        } else {
            let place = random.u64(..=seen) as usize;
            if let Some(slot) = drawn.get_mut(place) {
                *slot = (seen, position);
            }
        }
        seen += 1;
    }
    drawn.sort_unstable_by_key(|&(number, _)| number);
    drawn.into_iter().map(|(_, position)| position).collect()
}

/// Draws the last positions of random games of random length, all distinct up to symmetry.
fn draw_by_games(game: &Hunt, count: usize, random: &mut Random) -> Vec<Position> {
    let mut seen = HashSet::from([game.canonical(&game.start())]);
    let mut drawn = Vec::new();
    let mut moves = Vec::new();
    for _ in 0..count * MAX_GAMES_PER_POSITION {
        if drawn.len() == count {
            break;
        }
        let mut position = game.start();
        for _ in 0..random.u32(1..RANDOM_PLIES_BOUND) {
            moves.clear();
            game.moves(&position, &mut moves);
            let next = random.choice(&moves).map(|&m| game.play(&position, m));
            match next.filter(|next| game.outcome(next).is_none()) {
                Some(next) => position = next,
                None => break,
            }
        }
        if seen.insert(game.canonical(&position)) {
            drawn.push(position);
        }
    }
    drawn
}
