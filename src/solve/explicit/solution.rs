//! What an engine asks of a game that is solved in memory, whether its values are verdicts or expected points.

use super::expected_points::ExpectedPoints;
use super::in_memory::{self, InMemoryForecast, SolvedGame};
use super::reachable::Watch;
use crate::error::EngineError;
use crate::rules::{Game, Rules, Stochastic};

/// The position of a solved game.
pub(crate) type PositionOf<S> = <<S as Solution>::Game as Rules>::Position;

/// The exact values of all positions that can follow a root.
pub(crate) trait Solution: Send + Sync + Sized + 'static {
    /// The rules of the game.
    type Game: Rules;

    /// Solves the game from `root` in at most `memory` MiB. Calls `watch` regularly and stops at its first error.
    ///
    /// # Errors
    /// If the memory does not suffice or `watch` fails.
    fn solve_from(
        game: Self::Game,
        root: PositionOf<Self>,
        memory: u64,
        watch: Watch<'_>,
    ) -> Result<Self, EngineError>;

    /// Returns `true` if the value of `position` is known.
    fn holds(&self, position: &PositionOf<Self>) -> bool;

    /// Returns an upper bound on the positions reachable from `root`, or `None` if none is known.
    fn positions_from(game: &Self::Game, root: &PositionOf<Self>) -> Option<u128>;

    /// Forecasts time and memory.
    ///
    /// # Errors
    /// If no upper bound is known for the number of positions.
    fn forecast_from(
        game: &Self::Game,
        root: PositionOf<Self>,
    ) -> Result<InMemoryForecast, EngineError>;
}

impl<G: Game> Solution for SolvedGame<G> {
    type Game = G;

    fn solve_from(
        game: G,
        root: G::Position,
        memory: u64,
        watch: Watch<'_>,
    ) -> Result<Self, EngineError> {
        Self::solve(game, root, memory, watch)
    }

    fn holds(&self, position: &G::Position) -> bool {
        self.value(position).is_some()
    }

    fn positions_from(game: &G, root: &G::Position) -> Option<u128> {
        in_memory::positions_from(game, root)
    }

    fn forecast_from(game: &G, root: G::Position) -> Result<InMemoryForecast, EngineError> {
        InMemoryForecast::of(game, root)
    }
}

impl<S: Stochastic> Solution for ExpectedPoints<S> {
    type Game = S;

    fn solve_from(
        game: S,
        root: S::Position,
        memory: u64,
        watch: Watch<'_>,
    ) -> Result<Self, EngineError> {
        Self::solve(game, root, memory, watch)
    }

    fn holds(&self, position: &S::Position) -> bool {
        self.value(position).is_some()
    }

    fn positions_from(game: &S, root: &S::Position) -> Option<u128> {
        game.positions_at_most_from(root)
    }

    fn forecast_from(game: &S, root: S::Position) -> Result<InMemoryForecast, EngineError> {
        Self::forecast(game, root)
    }
}
