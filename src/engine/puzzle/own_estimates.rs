//! Estimates that a user has written into a file.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::engine::own_files;
use crate::error::EngineError;
use crate::pathfinding::{EnginePuzzle, Heuristic};
use crate::rules::Rules;

/// A table of positions with their estimates. Other positions have the estimate 0.
pub(super) struct OwnEstimates<P: Rules>(HashMap<P::Position, u32>);

impl<P: EnginePuzzle> OwnEstimates<P> {
    /// Reads the file at `path`, with positions in the notation of `puzzle`. Returns `None` if `path` is empty.
    ///
    /// # Errors
    /// If the file is unusable. The error names the line.
    pub(super) fn read(puzzle: &P, path: &str) -> Result<Option<Arc<Self>>, EngineError> {
        if path.is_empty() {
            return Ok(None);
        }
        let read = |text: &str| match puzzle.read_position(text) {
            Ok((_, position)) => Ok(position),
            Err(error) => Err(EngineError::new(error.to_string())),
        };
        let estimates = own_files::read_estimates(Path::new(path), read)?;
        Ok(Some(Arc::new(Self(estimates.into_iter().collect()))))
    }
}

impl<P: EnginePuzzle> Heuristic<P> for OwnEstimates<P> {
    fn estimate(&self, puzzle: &P, position: &P::Position) -> u32 {
        // The estimate of the goal is always 0.
        if puzzle.is_solved(position) {
            return 0;
        }
        self.0.get(position).copied().unwrap_or_default()
    }

    /// Returns `false`, because nothing is known of the estimates.
    fn is_admissible(&self) -> bool {
        false
    }
}
