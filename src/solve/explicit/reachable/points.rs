//! Values in points, such as the values of game trees: minimax from the leaves backwards.

use super::graph::Graph;
use super::{Extent, Reachable, UNDECIDED, Watch};
use crate::error::EngineError;
use crate::rules::Game;
use crate::value::{Side, Value};

/// Number of positions between two calls of the watch.
const WATCH_INTERVAL: u64 = 1 << 16;

/// Packs points into a number other than [`UNDECIDED`]. The order of the points is preserved.
pub(super) fn packed(points: Value) -> u32 {
    points.0 as u32 ^ 1 << 31
}

/// The inverse of [`packed`].
pub(super) fn unpacked(value: u32) -> Value {
    Value((value ^ 1 << 31) as i32)
}

/// The error of games with results other than points.
pub(super) fn not_only_points() -> EngineError {
    EngineError::new(
        "this game mixes points with wins or endless play, so it cannot be solved in memory",
    )
}

impl<G: Game> Reachable<G> {
    /// Propagates points backwards from the terminal positions. A position gets its value when all its moves have
    /// values. `open` counts the moves without a value.
    pub(super) fn propagate_points(
        &mut self,
        reverse_moves: &Graph,
        mut open: Vec<u32>,
        watch: Watch<'_>,
    ) -> Result<(), EngineError> {
        let positions = self.positions.len() as u64;
        let is_end = |&place: &u32| open[place as usize] == 0;
        let mut ready: Vec<u32> = (0..positions as u32).filter(is_end).collect();
        let mut valued = 0;
        while let Some(place) = ready.pop() {
            valued += 1;
            if valued % WATCH_INTERVAL == 0 {
                watch(Extent {
                    positions,
                    examined: positions,
                    moves: reverse_moves.targets.len() as u64,
                })?;
            }
            let value = self.values[place as usize];
            for &parent in reverse_moves.of(place) {
                let best = &mut self.values[parent as usize];
                let is_better = match self.game.side(&self.positions[parent as usize]) {
                    Side::P1 => value > *best,
                    Side::P2 => value < *best,
                };
                if *best == UNDECIDED || is_better {
                    *best = value;
                }
                open[parent as usize] -= 1;
                if open[parent as usize] == 0 {
                    ready.push(parent);
                }
            }
        }
        if valued < positions {
            return Err(not_only_points());
        }
        Ok(())
    }
}
