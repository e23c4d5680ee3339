//! Backward analysis as a trace: the positions of a game in the order in which they are settled.

use crate::control::Control;
use crate::error::EngineError;
use crate::oracle;
use crate::path::Path;
use crate::rules::{Game, Notation};
use crate::scene::SceneProvider;
use crate::settings::Settings;
use crate::solve::explicit::in_memory::SolvedGame;
use crate::solve::explicit::solution::InMemoryPlan;
use crate::trace::counts::{BackwardTally, Counts, Tallies};
use crate::trace::{
    Event, EventSink, EventStream, OptionValue, Procedure, SettleReason, TraceRequest, Unit,
};
use crate::value::Side;

/// Checks that no backward analysis is requested, for engines that do not support it.
///
/// # Errors
/// If a backward analysis is requested.
pub(super) fn check_absent(request: TraceRequest) -> Result<(), EngineError> {
    if request.is_backward {
        return Err(EngineError::new(
            "only games of two players without chance can be settled backwards",
        ));
    }
    Ok(())
}

/// Settles all positions reachable from the last position of `path` with a forced win in at most `request.depth`
/// plies. The order is by the number of plies, then by key.
///
/// # Errors
/// If the positions do not fit in memory, if the game ends with points, or if `control` stops the run.
pub(super) fn settle<G: Game + Notation + SceneProvider>(
    game: &G,
    path: &Path<G>,
    settings: &Settings,
    request: TraceRequest,
    control: &mut Control,
    sink: EventSink,
) -> Result<(), EngineError> {
    let root = *path.position();
    let plan = InMemoryPlan::<SolvedGame<G>>::new(game, root, settings.memory_limit)?;
    let solved = plan.run(None, &mut |_| {
        let stopped = |_| EngineError::new("the search was stopped");
        control.poll().map_err(stopped)
    })?;
    let start = solved.start();
    if start.points().is_some() {
        return Err(EngineError::new(
            "a game that ends with points cannot be settled backwards: it needs wins and losses",
        ));
    }
    let mut stream = EventStream::new(sink, request.max_events);
    stream.emit(&Event::Begin {
        variant: settings.variant.to_string(),
        fen: game.show_position(&root),
        players: game.about().players,
        procedure: Procedure::Backward,
        heuristic: None,
        depth: request.depth,
        options: vec![("symmetry", OptionValue::Flag(solved.is_folded()))],
        unit: Unit::Points,
    });
    let (settled, is_complete) = settled_positions(game, &solved, request.depth);
    for one in &settled {
        if !stream.is_open() {
            break;
        }
        stream.emit(&Event::Settle {
            key: one.key,
            fen: game.show_position(&one.position),
            winner: one.winner,
            plies: one.plies,
            because: reason(game, &solved, one),
        });
    }
    let is_settled = start
        .plies()
        .map_or(is_complete, |plies| plies <= request.depth);
    let value = is_settled.then(|| start.score());
    let line = if is_settled {
        oracle::line(game, &Path::new(root), &solved)?
    } else {
        Vec::new()
    };
    let positions = solved.len() as u64;
    stream.end(&Event::End {
        value,
        line: game.show_line(&root, &line),
        counts: Counts {
            tallies: Tallies::Backward(BackwardTally {
                nodes: positions,
                settled: settled.len() as u64,
            }),
            kept: positions,
        },
        is_proved: is_settled,
        is_truncated: stream.is_truncated(),
    });
    Ok(())
}

/// A position with a forced win.
struct Settled<P> {
    plies: u32,
    key: u64,
    winner: Side,
    position: P,
}

/// Returns the forced wins in at most `depth` plies, in the order in which they are settled, and `true` if no longer
/// wins exist.
fn settled_positions<G: Game>(
    game: &G,
    solved: &SolvedGame<G>,
    depth: u32,
) -> (Vec<Settled<G::Position>>, bool) {
    let mut is_complete = true;
    let mut settled = Vec::new();
    for (position, verdict) in solved.positions() {
        match verdict.win() {
            Some((winner, plies)) if plies <= depth => {
                settled.push(Settled {
                    plies,
                    key: game.key(&position),
                    winner,
                    position,
                });
            }
            Some(_) => is_complete = false,
            None => {}
        }
    }
    settled.sort_by_key(|one| (one.plies, one.key));
    (settled, is_complete)
}

/// Returns the reason for the value of a position with a forced win.
fn reason<G: Game + Notation>(
    game: &G,
    solved: &SolvedGame<G>,
    settled: &Settled<G::Position>,
) -> SettleReason {
    match solved.best_moves_at(&settled.position).next() {
        None => SettleReason::Over,
        Some(m) if settled.winner == game.side(&settled.position) => {
            SettleReason::Move(game.show_move_at(&settled.position, m))
        }
        Some(_) => SettleReason::All,
    }
}
