//! `puli compare` for games: searches one position with each algorithm. The table has one row per search.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::Args;
use crate::catalog;
use crate::commands::table_writer::{Column, Format, TableWriter};
use crate::commands::{Failure, example_setup, fen_error};
use crate::control::{Control, Limits};
use crate::engine::{Info, Report, Setup};
use crate::error::EngineError;
use crate::search::algorithms;
use crate::settings::{Algorithm, MoveOrder, Settings, name_of};
use crate::value::Score;

/// Default of `--depth`, in plies, if no `--movetime` is given.
const DEFAULT_DEPTH: u32 = 6;

const COLUMNS: &[Column] = &[
    Column::text("algorithm", 9),
    Column::text("memory", 6),
    Column::number("depth", 5),
    Column::number("time_ms", 9),
    Column::number("nodes", 10),
    Column::number("leaves", 10),
    Column::text("score", 10),
    Column::text("unit", 8),
    Column::text("best", 4),
    Column::number("nodes_last", 10),
    Column::number("leaves_total", 12),
];

/// The columns omitted in an 80-character table, least important first.
const DROPPABLE: &[&str] = &["unit", "leaves_total", "nodes_last", "leaves", "best"];

/// Runs each algorithm. Algorithms that do not require a transposition table run twice, without and with a
/// table.
pub(super) fn run(
    args: &Args,
    base: &Settings,
    format: Format,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> Result<(), Failure> {
    let variant = base.variant;
    let for_puzzles = args.suite.is_some() || args.seed.is_some() || args.random.is_some();
    if for_puzzles || !args.heuristics.is_empty() {
        let why = format!(
            "--suite, --seed, --random and --heuristic require a puzzle, which {variant} is not"
        );
        return Err(EngineError::new(why).into());
    }
    let depth = args
        .depth
        .or_else(|| args.movetime.is_none().then_some(DEFAULT_DEPTH));
    let limits = Limits {
        depth,
        movetime: args.movetime,
        ..Limits::default()
    };
    let setup = example_setup(variant, args.fen.as_ref());
    let settings = Settings {
        hash: args.hash,
        ordering: args.ordering.unwrap_or(base.ordering),
        ..base.clone()
    };
    // Invalid positions are rejected before the table starts.
    let mut engine = catalog::build(&settings)?;
    engine.set(&setup, &[]).map_err(|why| fen_error(&why))?;

    let algorithms = super::algorithms(args, variant, engine.algorithms())?;
    let mut columns = COLUMNS.to_vec();
    for column in &mut columns {
        let longest = match column.name {
            "algorithm" => algorithms.iter().map(|name| name_of(name).len()).max(),
            "best" => {
                let moves = engine.state().moves;
                moves.iter().map(|(text, _)| text.chars().count()).max()
            }
            _ => None,
        };
        column.width = column.width.max(longest.unwrap_or_default());
        column.is_shown = args.counts.is_none_or(|counts| counts.shows(column.name));
    }
    if !args.wide {
        super::fit(&mut columns, DROPPABLE);
    }
    let mut table = TableWriter::new(out, format, &columns)?;
    if !args.wide {
        table.fix_widths();
    }
    let mut units = Vec::new();
    for (algorithm, memory) in with_memories(&algorithms) {
        let settings = Settings {
            algorithm,
            memory,
            ..settings.clone()
        };
        let name = format!(
            "{}{}",
            name_of(&algorithm),
            if memory { " with memory" } else { "" }
        );
        writeln!(progress, "{name} …")?;
        for outcome in search(&settings, &setup, &limits, args.each_depth)? {
            let unit = format!("{} in {}", name_of(&algorithm), outcome.unit);
            if outcome.unit != "points" && !units.contains(&unit) {
                units.push(unit);
            }
            table.row(&outcome.cells(algorithm, memory))?;
        }
    }
    table.note("")?;
    table.note(
        "nodes: visited in all iterations. leaves: evaluated or game over in the last iteration. \
         --format csv also has nodes_last and leaves_total.",
    )?;
    table.note(match settings.ordering {
        MoveOrder::None => "Alpha-beta, Scout and MTD(f) try moves in notation order.",
        MoveOrder::Table => {
            "Alpha-beta, Scout and MTD(f) try the table's move first (--ordering table)."
        }
        MoveOrder::Full => {
            "Alpha-beta, Scout and MTD(f) order moves by the table, captures, killers and history: \
             --ordering none counts as a textbook does."
        }
    })?;
    let has_chance = engine.fen().contains('(');
    let has_expectimax = algorithms.contains(&Algorithm::Expectimax);
    table.note(&score_note(variant, &units, has_expectimax, has_chance))?;
    table.finish()?;
    Ok(())
}

/// Returns the note on the column `score`. `has_chance`: whether the tree has round brackets, which are chance nodes.
fn score_note(variant: &str, units: &[String], has_expectimax: bool, has_chance: bool) -> String {
    let mut score = String::from(match variant {
        "2048" => "score: points still to come",
        _ => "score: points for the side to move, or plies to a win or loss",
    });
    for unit in units {
        score += &format!("; {unit}");
    }
    if has_expectimax {
        score += match variant {
            "2048" => ". expectimax assumes random tiles, minimax and alphabeta the worst tiles",
            "tree" if has_chance => {
                ". expectimax averages over chance, the other searches but auto assume its worst outcome for max"
            }
            _ => {
                ". expectimax assumes random moves of the opponent, so its score is not comparable"
            }
        };
    }
    score + "."
}

/// Returns each algorithm with its values of option `Memory`.
fn with_memories(algorithms: &[Algorithm]) -> impl Iterator<Item = (Algorithm, bool)> {
    algorithms.iter().flat_map(|&algorithm| {
        algorithms::memory_values(algorithm)
            .iter()
            .map(move |&memory| (algorithm, memory))
    })
}

/// The result of a search at one depth. `None` values are unknown.
struct Outcome {
    /// The best move.
    best: Option<String>,
    /// The last report of the depth.
    info: Option<Info>,
    /// Nodes visited only by the iteration of this depth.
    nodes_last: Option<u64>,
    /// Leaves of all iterations up to this depth.
    leaves_total: Option<u64>,
    /// The unit of the score.
    unit: &'static str,
}

/// One iteration of a search.
struct Iteration {
    /// The last report of the iteration.
    info: Info,
    /// Nodes visited by all iterations up to the end of this iteration.
    nodes: u64,
}

impl Iteration {
    /// Returns `true` if `info` has the same result as this iteration: after a stopped iteration, the engine reports
    /// the last finished iteration again, with the nodes of both.
    fn is_repeated_by(&self, info: &Info) -> bool {
        let result = |info: &Info| (info.depth, info.score, info.bound, info.line.clone());
        result(&self.info) == result(info)
    }
}

/// Searches `setup` and returns the result of the last depth, or of every depth if `each_depth` is set.
fn search(
    settings: &Settings,
    setup: &Setup,
    limits: &Limits,
    each_depth: bool,
) -> Result<Vec<Outcome>, Failure> {
    let mut engine = catalog::build(settings)?;
    engine.set(setup, &[])?;
    let budget = limits.budget(engine.status().turn, Duration::ZERO);
    let mut control = Control::new(limits, budget, Arc::default());
    let mut iterations = Vec::<Iteration>::new();
    let best_move = engine.go(limits, &mut control, &mut |report| {
        if let Report::Info(info) = report {
            let mut nodes = info.nodes;
            // The engine reports an iteration again when it finds a better move; only the last report counts. It also
            // repeats the last finished iteration after a stopped iteration, with the nodes of both; the earlier node
            // count is kept.
            if let Some(last) = iterations.pop_if(|last| last.info.depth == info.depth)
                && last.is_repeated_by(&info)
            {
                nodes = last.nodes;
            }
            iterations.push(Iteration { info, nodes });
        }
    })?;
    let unit = engine.unit();
    let (mut nodes, mut leaves_total) = (0, 0);
    let mut outcomes: Vec<Outcome> = iterations
        .into_iter()
        .map(|iteration| {
            let nodes_last = iteration.nodes - nodes;
            nodes = iteration.nodes;
            leaves_total += iteration.info.leaves.unwrap_or_default();
            Outcome {
                best: iteration.info.line.first().cloned(),
                nodes_last: Some(nodes_last),
                leaves_total: iteration.info.leaves.map(|_| leaves_total),
                info: Some(iteration.info),
                unit,
            }
        })
        .collect();
    let mut last = outcomes.pop().unwrap_or(Outcome {
        best: None,
        info: None,
        nodes_last: None,
        leaves_total: None,
        unit,
    });
    last.best = best_move.best;
    if !each_depth {
        outcomes.clear();
    }
    outcomes.push(last);
    Ok(outcomes)
}

impl Outcome {
    /// Returns the cells of the row, one for each of [`COLUMNS`].
    fn cells(&self, algorithm: Algorithm, memory: bool) -> Vec<Value> {
        let last = self.info.as_ref();
        let time = last.map(|info| (info.time.as_secs_f64() * 1e4).round() / 10.0);
        vec![
            json!(name_of(&algorithm)),
            json!(memory),
            json!(last.map(|info| info.depth)),
            json!(time),
            json!(last.map(|info| info.nodes)),
            json!(last.and_then(|info| info.leaves)),
            last.map_or(Value::Null, |info| match info.score {
                Score::Points(points) if points.fract() == 0.0 => json!(points as i64),
                Score::Points(points) => json!((points * 1e4).round() / 1e4),
                win @ Score::Win(..) => json!(win.to_string()),
            }),
            last.map_or(Value::Null, |info| match info.score {
                Score::Points(_) => json!(self.unit),
                Score::Win(..) => json!("plies"),
            }),
            json!(self.best),
            json!(self.nodes_last),
            json!(self.leaves_total),
        ]
    }
}
