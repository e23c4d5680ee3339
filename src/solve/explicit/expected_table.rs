//! Files of games with chance: the expected remaining points of every position, in the format of position tables.

use std::path::Path;

use super::expected_points::{Expectations, ExpectedPoints, value_by_moves};
use super::key_table::{KeyTable, table_error};
use super::position_table;
use super::table_header::{Header, ValueKind, write_values};
use super::table_walk::{Walk, mismatch, missing};
use crate::durable::Source;
use crate::error::EngineError;
use crate::rules::{Notation, Stochastic};
use crate::units;

/// Maximum difference between a stored value and the sum over the moves, relative to the value if it exceeds 1.
/// Rounding errors depend on the order of a sum.
const TOLERANCE: f64 = 1e-9;

/// The expected points of all positions of a game, in a file.
#[derive(Debug)]
pub struct ExpectedTable<S: Stochastic> {
    game: S,
    table: KeyTable,
}

/// Writes the values of all positions of a game solved from its start. Returns the number of positions, and the length
/// of the file in bytes.
///
/// # Errors
/// If two positions have equal keys but different values, or if the file cannot be written.
pub fn write<S: Stochastic + Notation>(
    path: &Path,
    variant: &str,
    solved: &ExpectedPoints<S>,
) -> Result<(u64, u64), EngineError> {
    let game = solved.game();
    let mut values = solved
        .positions()
        .map(|(position, value)| (game.key(position), value.to_bits()));
    let kind = (ValueKind::Expectations, start_key(game));
    write_values(path, variant, game, kind, (&mut values, solved.len()))
}

fn start_key<S: Stochastic>(game: &S) -> u64 {
    game.key(&game.without_score(&game.start()))
}

impl<S: Stochastic + Notation> ExpectedTable<S> {
    /// Opens the file of a game in a folder. Returns `None` if there is no such file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or belongs to another game.
    pub fn find(folder: &Path, game: &S) -> Result<Option<Self>, EngineError> {
        let source = position_table::find(folder, game)?;
        source.map(|source| Self::open(source, game)).transpose()
    }

    /// Opens the file of a game.
    ///
    /// # Errors
    /// If the file is damaged or belongs to another game.
    pub(crate) fn open(source: Source, game: &S) -> Result<Self, EngineError> {
        let path = source.path().to_path_buf();
        let (table, kind) = Header::open(source, game.identity(), start_key(game))?;
        if kind != ValueKind::Expectations {
            return Err(table_error(&path, "holds no expected points"));
        }
        Ok(Self {
            game: game.clone(),
            table,
        })
    }

    /// Checks all checksums, and values against the values of their successors, like
    /// [`PositionTable::check`](super::position_table::PositionTable::check).
    ///
    /// # Errors
    /// If the file is damaged, a value is wrong, a reachable position is missing, or an unreachable position is
    /// included.
    pub(crate) fn check(
        &self,
        max_positions: u64,
        seed: u64,
        watch: &mut dyn FnMut(u64),
    ) -> Result<u64, EngineError> {
        let mut walk = Walk {
            rules: &self.game,
            table: &self.table,
            represent: &|position| self.game.without_score(position),
            check: &mut |position| self.check_value(position),
            watch,
        };
        walk.run(max_positions, seed)
    }

    fn stored(&self, position: &S::Position) -> Result<Option<f64>, EngineError> {
        let key = self.game.key(&self.game.without_score(position));
        let found = self.table.find(key)?;
        Ok(found.map(|(_, bits)| f64::from_bits(bits)))
    }

    fn check_value(&self, position: &S::Position) -> Result<(), EngineError> {
        let stored = self.stored(position)?;
        let stored = stored.ok_or_else(|| missing(&self.table, &self.game, position))?;
        let mut after_moves = Ok(true);
        let expected = value_by_moves(&self.game, position, &mut |after| {
            match self.stored(&after) {
                Ok(Some(value)) => return value,
                Ok(None) if after_moves == Ok(true) => after_moves = Ok(false),
                Ok(None) => {}
                Err(error) => after_moves = Err(error),
            }
            0.0
        });
        let expected = after_moves?.then_some(expected);
        let is_near =
            |expected: f64| (stored - expected).abs() <= TOLERANCE * stored.abs().max(1.0);
        if expected.is_some_and(is_near) {
            return Ok(());
        }
        let (stored, expected) = (units::points(stored), expected.map(units::points));
        Err(mismatch(
            &self.table,
            &self.game,
            position,
            &stored,
            expected,
        ))
    }
}

impl<S: Stochastic + Notation> Expectations<S> for ExpectedTable<S> {
    /// Returns `None` if the file is damaged; `puli verify` reports the damage.
    fn value(&self, position: &S::Position) -> Option<f64> {
        self.stored(position).ok()?
    }

    fn describe(&self) -> String {
        format!("{} positions are in a table", self.table.len())
    }
}
