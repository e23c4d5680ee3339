//! The interface of games solved in memory, with verdicts or expected points as values.

use super::expected_points::ExpectedPoints;
use super::in_memory::{self, InMemoryForecast, SolvedGame};
use super::reachable::{Saver, Watch};
use crate::error::EngineError;
use crate::rules::{Game, Rules, Stochastic};

/// The position of a solved game.
pub(crate) type PositionOf<S> = <<S as Solution>::Game as Rules>::Position;

/// The exact values of all positions reachable from a root.
pub(crate) trait Solution: Send + Sync + Sized + 'static {
    /// The rules of the game.
    type Game: Rules;

    /// Solves the game from `root` in at most `memory` MiB. Calls `watch` regularly and stops at its first error.
    /// Resumes from the file of `saver`, except for expected points: such games are solved in seconds.
    ///
    /// # Errors
    /// If the memory does not suffice, `watch` fails, or the file is damaged or belongs to another game.
    fn solve_from(
        game: Self::Game,
        root: PositionOf<Self>,
        memory: u64,
        saver: Option<&mut Saver>,
        watch: Watch<'_>,
    ) -> Result<Self, EngineError>;

    /// Returns `true` if `position` has a value.
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

/// A game to solve in memory, with its forecast, for subcommands and engines.
pub(crate) struct InMemoryPlan<'a, S: Solution> {
    /// The rules.
    pub game: &'a S::Game,
    /// The first position.
    pub root: PositionOf<S>,
    /// Allowed memory in MiB.
    pub memory: u64,
    /// Time and memory.
    pub forecast: InMemoryForecast,
}

impl<'a, S: Solution> InMemoryPlan<'a, S> {
    /// Forecasts the solving of `game` from `root`.
    ///
    /// # Errors
    /// If no upper bound is known for the number of positions.
    pub(crate) fn new(
        game: &'a S::Game,
        root: PositionOf<S>,
        memory: u64,
    ) -> Result<Self, EngineError> {
        Ok(Self {
            game,
            root,
            memory,
            forecast: S::forecast_from(game, root)?,
        })
    }

    /// Checks that the memory may suffice; see [`InMemoryForecast::fits`].
    pub(crate) fn fits(&self) -> Result<(), EngineError> {
        self.forecast.fits(self.memory)
    }

    /// Solves the game; see [`Solution::solve_from`].
    ///
    /// # Errors
    /// As [`Solution::solve_from`], and if the forecast exceeds the memory by far.
    pub(crate) fn run(
        &self,
        saver: Option<&mut Saver>,
        watch: Watch<'_>,
    ) -> Result<S, EngineError> {
        self.fits()?;
        S::solve_from(self.game.clone(), self.root, self.memory, saver, watch)
    }
}

impl<G: Game> Solution for SolvedGame<G> {
    type Game = G;

    fn solve_from(
        game: G,
        root: G::Position,
        memory: u64,
        saver: Option<&mut Saver>,
        watch: Watch<'_>,
    ) -> Result<Self, EngineError> {
        Self::solve_saved(game, root, memory, saver, watch)
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
        _saver: Option<&mut Saver>,
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
