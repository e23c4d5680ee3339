//! Solves a small game with chance in memory: the expected remaining points of every position.
//!
//! A depth-first search computes the value of a position from the values after its moves. The length of games is
//! bounded, so there are no cycles.

use std::collections::HashMap;

use super::in_memory::{InMemoryForecast, Precision, check_sample};
use super::reachable::{Extent, Watch};
use crate::clock::Instant;
use crate::error::EngineError;
use crate::rules::{Stochastic, Turn};
use crate::search::best::EQUAL_POINTS;
use crate::units;
use crate::value::Side;

/// Steps of the search between two calls of the watch.
const WATCH_INTERVAL: u64 = 1 << 12;

/// A growing hash table needs the old and the new table at once, both at most half full afterwards.
const TABLE_OVERHEAD: usize = 4;

/// A source of exact expectations.
pub trait Expectations<S: Stochastic> {
    /// Returns the expected points from a position on, or `None` if it is unreachable. Ignores the score so far.
    fn value(&self, position: &S::Position) -> Option<f64>;

    /// Describes the source of the values.
    fn describe(&self) -> String;
}

/// A game with chance, with the expected remaining points of all its positions.
pub struct ExpectedPoints<S: Stochastic> {
    game: S,
    start: S::Position,
    values: HashMap<S::Position, f64>,
}

impl<S: Stochastic> ExpectedPoints<S> {
    /// Memory to solve a position, in bytes.
    const POSITION_BYTES: usize = TABLE_OVERHEAD * Self::ENTRY_BYTES;
    /// Memory of an entry of the hash table and its control byte, in bytes.
    const ENTRY_BYTES: usize = size_of::<(S::Position, f64)>() + 1;

    /// Solves a game from `start` in at most `memory` MiB. Calls `watch` regularly and stops at its first error.
    ///
    /// # Errors
    /// If the memory does not suffice, `watch` fails, or the rules do not bound the length of a game.
    pub fn solve(
        game: S,
        start: S::Position,
        memory: u64,
        watch: Watch<'_>,
    ) -> Result<Self, EngineError> {
        if game.max_plies_left(&start).is_none() {
            return Err(EngineError::new(
                "games with chance and unbounded length cannot be solved in memory",
            ));
        }
        let start = game.without_score(&start);
        let mut solved = Self {
            game,
            start,
            values: HashMap::new(),
        };
        let mut pending = vec![start];
        let mut steps = 0_u64;
        while let Some(position) = pending.last().copied() {
            if steps.is_multiple_of(WATCH_INTERVAL) {
                solved.check(memory, watch)?;
            }
            steps += 1;
            if solved.values.contains_key(&position) {
                pending.pop();
                continue;
            }
            let known = pending.len();
            let value = value_by_moves(&solved.game, &position, &mut |after| {
                let value = solved.values.get(&after).copied();
                if value.is_none() {
                    pending.push(after);
                }
                value.unwrap_or_default()
            });
            if pending.len() == known {
                solved.values.try_reserve(1).map_err(|_| {
                    EngineError::failed("there is not enough memory for all positions of this game")
                })?;
                solved.values.insert(position, value);
                pending.pop();
            }
        }
        solved.check(memory, watch)?;
        Ok(solved)
    }

    /// Checks the memory, and calls `watch`.
    fn check(&self, memory: u64, watch: Watch<'_>) -> Result<(), EngineError> {
        let positions = self.values.len() as u64;
        let needed = positions * Self::POSITION_BYTES as u64;
        if needed > memory << 20 {
            return Err(EngineError::failed(format!(
                "this game has more than {positions} reachable positions; their values need more than {} of memory, and {} may be used",
                units::memory(needed.into()),
                units::memory((memory << 20).into())
            )));
        }
        watch(Extent {
            positions,
            examined: positions,
            moves: 0,
        })
    }

    /// Forecasts time and memory from a sample of the positions.
    ///
    /// # Errors
    /// If no upper bound is known for the number of positions, or the rules do not bound the length of a game.
    pub fn forecast(game: &S, start: S::Position) -> Result<InMemoryForecast, EngineError> {
        let bound = game
            .positions_at_most_from(&start)
            .ok_or_else(|| EngineError::new("no upper bound is known for this game's positions"))?;
        let started = Instant::now();
        let mut sample = Extent::default();
        let mut watch = |extent: Extent| {
            sample = extent;
            check_sample(extent)
        };
        let is_whole = Self::solve(game.clone(), start, u64::MAX >> 20, &mut watch).is_ok();
        let sampled = u128::from(sample.positions.max(1));
        let (positions, precision) = if is_whole {
            (sampled, Precision::Exact)
        } else {
            (bound, Precision::AtMost)
        };
        Ok(InMemoryForecast {
            positions,
            precision,
            seconds: started.elapsed().as_secs_f64() * (positions as f64 / sampled as f64),
            memory: positions.saturating_mul(Self::POSITION_BYTES as u128),
        })
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns `true` if there are no positions. A solved game contains at least the start.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the game.
    pub(super) fn game(&self) -> &S {
        &self.game
    }

    /// Returns all positions, without scores, with their values.
    pub(crate) fn positions(&self) -> impl Iterator<Item = (&S::Position, f64)> {
        self.values
            .iter()
            .map(|(position, &value)| (position, value))
    }

    /// Returns a position whose value does not follow from its successors, if there is one. Calls `watch` with the
    /// number of checked positions.
    pub(crate) fn find_mismatch(&self, watch: &mut dyn FnMut(u64)) -> Option<&S::Position> {
        self.positions()
            .zip(1..)
            .find_map(|((position, value), number)| {
                if number % WATCH_INTERVAL == 0 {
                    watch(number);
                }
                let expected = value_by_moves(&self.game, position, &mut |after| {
                    self.value(&after).unwrap_or(f64::NAN)
                });
                // The sum is added in the same order, so it is equal to the last bit.
                (expected.to_bits() != value.to_bits()).then_some(position)
            })
    }

    /// Returns the moves with the best value at the start. Returns no moves if the start is a chance node.
    pub(crate) fn best_moves(&self) -> Vec<S::Move> {
        let mut moves = Vec::new();
        if matches!(self.game.turn(&self.start), Turn::Player(_)) {
            self.game.moves(&self.start, &mut moves);
        }
        let best = self.start();
        moves.retain(|&m| {
            let value = self.value_of_move(&self.start, m);
            value.is_some_and(|value| (value - best).abs() <= EQUAL_POINTS)
        });
        moves
    }

    /// Returns the memory of the positions and their values in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.values.capacity() * Self::ENTRY_BYTES
    }

    /// Returns the expected points from the start.
    pub fn start(&self) -> f64 {
        // The start always has a value.
        self.value(&self.start).unwrap_or_default()
    }

    /// Returns the expected points from a position on, or `None` if it is unreachable. Ignores the score so far.
    pub fn value(&self, position: &S::Position) -> Option<f64> {
        self.values.get(&self.game.without_score(position)).copied()
    }

    /// Returns the points gained by a move plus the expected points after it, or `None` if they are unknown.
    fn value_of_move(&self, position: &S::Position, m: S::Move) -> Option<f64> {
        value_of_move(self, &self.game, position, m)
    }
}

/// Returns the points gained by a move plus the expected points after it, or `None` if they are unknown.
pub(crate) fn value_of_move<S: Stochastic>(
    solved: &dyn Expectations<S>,
    game: &S,
    position: &S::Position,
    m: S::Move,
) -> Option<f64> {
    let after = solved.value(&game.play(position, m))?;
    Some(game.gain(position, m) + after)
}

impl<S: Stochastic> Expectations<S> for ExpectedPoints<S> {
    fn value(&self, position: &S::Position) -> Option<f64> {
        Self::value(self, position)
    }

    fn describe(&self) -> String {
        format!(
            "{} positions are solved, in {} of memory",
            self.len(),
            units::memory(self.memory() as u128)
        )
    }
}

/// Returns the value of a position from the values of its successors, which `value_after` returns.
pub(super) fn value_by_moves<S: Stochastic>(
    game: &S,
    position: &S::Position,
    value_after: &mut dyn FnMut(S::Position) -> f64,
) -> f64 {
    let mut value_of = |m: S::Move| {
        let after = game.without_score(&game.play(position, m));
        game.gain(position, m) + value_after(after)
    };
    if game.is_over(position) {
        return game.evaluate(position);
    }
    match game.turn(position) {
        Turn::Chance => {
            let mut chances = Vec::new();
            game.chances(position, &mut chances);
            let chances = chances.into_iter();
            chances.map(|(m, chance)| chance * value_of(m)).sum()
        }
        Turn::Player(side) => {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            let values = moves.into_iter().map(value_of);
            let best = match side {
                Side::P1 => values.reduce(f64::max),
                Side::P2 => values.reduce(f64::min),
            };
            best.unwrap_or_default()
        }
    }
}
