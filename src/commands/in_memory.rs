//! Solves a game in memory with a progress line, for `puli atlas`, `puli gather` and `puli solve`.

use super::progress::Progress;
use crate::error::EngineError;
use crate::solve::explicit::in_memory::Saver;
use crate::solve::explicit::solution::{InMemoryPlan, Solution};

/// Computes the values of all positions of a plan. A terminal shows a progress line with `name`. `saver` saves the progress.
///
/// # Errors
/// If the forecast exceeds the memory, or if an allocation fails.
pub(super) fn solve<S: Solution>(
    name: &str,
    plan: &InMemoryPlan<S>,
    saver: Option<&mut Saver>,
) -> Result<S, EngineError> {
    plan.fits()?;
    let max_positions = u64::try_from(plan.forecast.positions).unwrap_or(u64::MAX);
    let progress = Progress::new(max_positions, "positions");
    progress.note(name);
    plan.run(saver, &mut |extent| {
        progress.set(extent.examined);
        Ok(())
    })
}
