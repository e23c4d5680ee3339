//! Solves a game in memory with a progress line, for `puli atlas`, `puli gather` and `puli solve`.

use super::progress::Progress;
use crate::error::EngineError;
use crate::rules::Game;
use crate::solve::explicit::in_memory::{InMemoryForecast, Saver, SolvedGame};

/// Computes the values of all positions of `game` that can be reached from `start`, in at most `memory` MiB. A terminal
/// shows a progress line with `name`. `forecast` is the expected number of positions and the memory that they need. `saver` saves
/// the progress.
///
/// # Errors
/// If the forecast exceeds `memory`, or if an allocation fails.
pub(super) fn solve<G: Game>(
    name: &str,
    game: &G,
    start: G::Position,
    forecast: &InMemoryForecast,
    memory: u64,
    saver: Option<&mut Saver>,
) -> Result<SolvedGame<G>, EngineError> {
    forecast.fits(memory)?;
    let max_positions = u64::try_from(forecast.positions).unwrap_or(u64::MAX);
    let progress = Progress::new(max_positions, "positions");
    progress.note(name);
    SolvedGame::solve_saved(game.clone(), start, memory, saver, &mut |extent| {
        progress.set(extent.examined);
        Ok(())
    })
}
