//! Checks the values of a position table, for all positions or for positions of random games.

use super::key_table::{KeyTable, table_error};
use crate::error::EngineError;
use crate::random::Random;
use crate::rules::Notation;

/// Maximum length of a random game, in plies, because games can be endless.
const MAX_SAMPLE_PLIES: usize = 200;

/// Number of checked positions between two reports.
const REPORT_INTERVAL: u64 = 4096;

/// A walk through the positions of a game.
pub(super) struct Walk<'a, R: Notation> {
    /// The rules.
    pub rules: &'a R,
    /// The values.
    pub table: &'a KeyTable,
    /// A function that returns the representative of a position, whose entry is in the table.
    pub represent: &'a dyn Fn(&R::Position) -> R::Position,
    /// A function that checks the value of one position.
    pub check: &'a mut dyn FnMut(&R::Position) -> Result<(), EngineError>,
    /// Called with the number of checked positions.
    pub watch: &'a mut dyn FnMut(u64),
}

impl<R: Notation> Walk<'_, R> {
    /// Checks all checksums, and the values of all positions if there are at most `max_positions`, otherwise of
    /// `max_positions` positions of random games. Returns the number of checked positions.
    ///
    /// # Errors
    /// If the file is damaged, a check fails, a reachable position is missing, or an unreachable
    /// position is included.
    pub(super) fn run(&mut self, max_positions: u64, seed: u64) -> Result<u64, EngineError> {
        self.table.check()?;
        if self.table.len() <= max_positions {
            self.check_all()
        } else {
            self.check_sample(max_positions, seed)
        }
    }

    fn check_all(&mut self) -> Result<u64, EngineError> {
        let start = (self.represent)(&self.rules.start());
        let (rules, table) = (self.rules, self.table);
        let mut is_found = vec![false; table.len() as usize];
        let mut open = vec![start];
        let mut checked = 0;
        let mut moves = Vec::new();
        let mut is_new = |position: &R::Position| {
            let found = table.find(rules.key(position))?;
            let (number, _) = found.ok_or_else(|| missing(table, rules, position))?;
            Ok::<_, EngineError>(!std::mem::replace(&mut is_found[number as usize], true))
        };
        is_new(&start)?;
        while let Some(position) = open.pop() {
            (self.check)(&position)?;
            checked += 1;
            if checked % REPORT_INTERVAL == 0 {
                (self.watch)(checked);
            }
            moves.clear();
            rules.moves(&position, &mut moves);
            for &m in &moves {
                let next = (self.represent)(&rules.play(&position, m));
                if is_new(&next)? {
                    open.push(next);
                }
            }
        }
        if checked < table.len() {
            let more = table.len() - checked;
            let what = format!("has {more} positions that are not reachable");
            return Err(table_error(table.path(), &what));
        }
        Ok(checked)
    }

    fn check_sample(&mut self, positions: u64, seed: u64) -> Result<u64, EngineError> {
        let mut random = Random::new(seed);
        let mut checked = 0;
        let mut moves = Vec::new();
        while checked < positions {
            let mut position = self.rules.start();
            for _ in 0..MAX_SAMPLE_PLIES.min((positions - checked) as usize) {
                (self.check)(&position)?;
                checked += 1;
                moves.clear();
                self.rules.moves(&position, &mut moves);
                let Some(&m) = random.choice(&moves) else {
                    break;
                };
                position = self.rules.play(&position, m);
            }
            (self.watch)(checked);
        }
        Ok(checked)
    }
}

/// Returns the error of a table without a reachable position.
pub(super) fn missing<R: Notation>(
    table: &KeyTable,
    rules: &R,
    position: &R::Position,
) -> EngineError {
    let shown = rules.show_position(position);
    table_error(table.path(), &format!("lacks the position '{shown}'"))
}

/// Returns the error of a position whose value `stored` is wrong. `expected` is the value by its moves, or `None` if
/// a value after a move is missing.
pub(super) fn mismatch<R: Notation>(
    table: &KeyTable,
    rules: &R,
    position: &R::Position,
    stored: &str,
    expected: Option<String>,
) -> EngineError {
    let shown = rules.show_position(position);
    let what = match expected {
        None => format!("lacks a position after '{shown}'"),
        Some(expected) => {
            format!("has value {stored} for '{shown}', expected {expected} by its moves")
        }
    };
    table_error(table.path(), &what)
}
