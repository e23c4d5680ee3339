//! Solving in memory, as several subcommands do it: after a forecast, with progress.

use super::progress::Progress;
use crate::error::EngineError;
use crate::rules::Game;
use crate::solve::explicit::in_memory::{Forecast, SolvedGame};

/// Solves a game from a start on within `memory` MiB, and says on a terminal how far it is under this name.
///
/// # Errors
/// Where the forecast does not fit, with its figures, or memory runs out.
pub fn solve<G: Game>(
    name: &str,
    game: &G,
    start: G::Position,
    forecast: &Forecast,
    memory: u64,
) -> Result<SolvedGame<G>, EngineError> {
    forecast.fits(memory)?;
    let most = u64::try_from(forecast.positions).unwrap_or(u64::MAX);
    let progress = Progress::new(most, "positions");
    progress.note(name);
    SolvedGame::solve(game.clone(), start, memory, &mut |extent| {
        progress.set(extent.examined);
    })
}
