//! Solving a game in memory, with a forecast and a progress line; shared by several subcommands.

use super::progress::Progress;
use crate::error::EngineError;
use crate::rules::Game;
use crate::solve::explicit::in_memory::{Forecast, SolvedGame};

/// Solves `game` from `start` within `memory` MiB. A terminal shows the progress under `name`.
///
/// # Errors
/// Fails if the forecast exceeds `memory`, or if an allocation fails.
pub(super) fn solve<G: Game>(
    name: &str,
    game: &G,
    start: G::Position,
    forecast: &Forecast,
    memory: u64,
) -> Result<SolvedGame<G>, EngineError> {
    forecast.fits(memory)?;
    let max_positions = u64::try_from(forecast.positions).unwrap_or(u64::MAX);
    let progress = Progress::new(max_positions, "positions");
    progress.note(name);
    SolvedGame::solve(game.clone(), start, memory, &mut |extent| {
        progress.set(extent.examined);
    })
}
