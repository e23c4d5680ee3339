//! Exact expectations of a position and its moves, for games with chance that are solved in memory or in a table.

use std::path::Path;
use std::sync::Arc;

use super::memory_solver::MemorySolver;
use super::state::{ExpectedInfo, ExpectedMove};
use crate::error::EngineError;
use crate::rules::{Notation, Stochastic};
use crate::search::best::EQUAL_POINTS;
use crate::search::root::RootMove;
use crate::solve::explicit::expected_points::{Expectations, ExpectedPoints, value_of_move};
use crate::solve::explicit::expected_table::ExpectedTable;
use crate::units;
use crate::value::Side;

/// The sources of exact expectations: a table file, and the solver in memory.
pub(super) struct ExpectedValues<S: Stochastic + Notation> {
    /// Solves small games.
    pub in_memory: MemorySolver<ExpectedPoints<S>>,
    /// The file with the expectations of all positions, if there is one.
    table: Option<Arc<ExpectedTable<S>>>,
    /// The error of an unusable file, until it is reported.
    pub table_error: Option<EngineError>,
}

impl<S: Stochastic + Notation> ExpectedValues<S> {
    /// Opens the file of a game in `folder`, unless `folder` is empty or has none.
    pub(super) fn open(game: &S, folder: &str) -> Self {
        let mut values = Self {
            in_memory: MemorySolver::default(),
            table: None,
            table_error: None,
        };
        values.open_table(game, folder);
        values
    }

    /// Replaces the open file, for another game or folder. Works like [`ExpectedValues::open`].
    pub(super) fn open_table(&mut self, game: &S, folder: &str) {
        let opened = match folder {
            "" => Ok(None),
            _ => ExpectedTable::find(Path::new(folder), game),
        };
        (self.table, self.table_error) = match opened {
            Ok(table) => (table.map(Arc::new), None),
            Err(error) => (None, Some(error)),
        };
    }

    /// Returns the source with the value of a position: the table or the game solved in memory.
    pub(super) fn with(&self, position: &S::Position) -> Option<Arc<dyn Expectations<S>>> {
        if let Some(table) = &self.table
            && table.value(position).is_some()
        {
            return Some(Arc::<ExpectedTable<S>>::clone(table));
        }
        let solved = self.in_memory.solved(position)?;
        Some(Arc::<ExpectedPoints<S>>::clone(solved))
    }
}

/// Returns the moves with their exact expectations, best first for `side`. Moves of equal value are sorted by rank.
/// Returns `None` if any value is unknown.
pub(super) fn rate<S: Stochastic>(
    solved: &dyn Expectations<S>,
    game: &S,
    position: &S::Position,
    moves: &[RootMove<S::Move>],
    side: Side,
) -> Option<Vec<(S::Move, f64)>> {
    let rated = moves.iter().map(|candidate| {
        let points = value_of_move(solved, game, position, candidate.m)?;
        Some((*candidate, points))
    });
    let mut rated = rated.collect::<Option<Vec<_>>>()?;
    rated.sort_by(|(_, one), (_, other)| match side {
        Side::P1 => other.total_cmp(one),
        Side::P2 => one.total_cmp(other),
    });
    // Equal expectations can differ by rounding errors, because their sums are added in different
    // orders.
    let are_equal = |one: &(_, f64), other: &(_, f64)| (one.1 - other.1).abs() <= EQUAL_POINTS;
    for equal in rated.chunk_by_mut(are_equal) {
        equal.sort_by_key(|(candidate, _)| candidate.rank);
    }
    let rated = rated.into_iter();
    Some(
        rated
            .map(|(candidate, points)| (candidate.m, points))
            .collect(),
    )
}

/// Returns the exact values of a position and of its moves, if they are known.
pub(super) fn info<S: Stochastic + Notation>(
    game: &S,
    solved: &dyn Expectations<S>,
    position: &S::Position,
    side: Side,
) -> Option<ExpectedInfo> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let moves = moves.into_iter().zip(0..);
    let moves: Vec<_> = moves.map(|(m, rank)| RootMove { m, rank }).collect();
    let moves = rate(solved, game, position, &moves, side)?.into_iter();
    let moves = moves.map(|(m, points)| ExpectedMove {
        name: game.show_move_at(position, m),
        points,
    });
    Some(ExpectedInfo {
        points: solved.value(position)?,
        moves: moves.collect(),
    })
}

/// Returns the exact values as lines for `d` and `eval`.
pub(super) fn describe(info: &ExpectedInfo) -> Vec<String> {
    let mut lines = vec![format!("Tables: {}", words(info.points))];
    let moves = info.moves.iter();
    lines.extend(moves.map(|m| format!("  {}: {}", m.name, units::points(m.points))));
    lines
}

/// Returns an expectation in words.
pub(crate) fn words(points: f64) -> String {
    format!("{} still to come on average", units::points(points))
}
