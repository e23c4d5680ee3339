//! Batches of positions of one game: every operation is one call for all positions.

use std::sync::Arc;

use puli::error::EngineError;
use puli::oracle::ExactValue;
use puli::random::Random;
use puli::rules::{Notation, Rules};
use puli::scene::SceneProvider;

use crate::erased::{AnyPosition, MOVES_CAPACITY, Node, Shared};
use crate::exact::{outcome_number, turn_number, value_number};
use crate::fault::{Fault, invalid};
use crate::kinds::{Kind, PositionOf};

/// The number that stands for no move in arrays of moves: the position stays, unless it has a legal move with this number. Only a
/// node of a tree with 65535 children has one.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// Maximum number of legal moves of a batch. Their numbers take 512 MiB. A million positions of most games have fewer, but
/// a node of a tree has up to 65535 moves.
const MAX_MOVES: usize = 1 << 28;

/// The legal moves of a batch: those of position `i` are `moves[offsets[i]..offsets[i + 1]]`.
pub(crate) struct MoveLists {
    pub moves: Vec<u16>,
    pub offsets: Vec<i64>,
}

/// Positions of any kind of game.
pub(crate) trait AnyBatch: Send + Sync {
    fn len(&self) -> usize;
    fn get(&self, index: usize) -> Box<dyn AnyPosition>;
    fn fens(&self) -> Vec<String>;
    /// Returns the texts that `AnyGame::positions` reads back.
    fn sources(&self) -> Vec<String>;
    fn keys(&self) -> Result<Vec<u64>, Fault>;
    fn symmetric_keys(&self) -> Result<Vec<u64>, Fault>;
    fn turns(&self) -> Result<Vec<i8>, Fault>;
    fn outcomes(&self) -> Result<Vec<i8>, Fault>;
    /// Returns the winners and the plies of the exact values; `UNKNOWN` and -1 if there are none.
    fn values(&self) -> Result<(Vec<i8>, Vec<i32>), Fault>;
    /// Returns the points of the exact values; NaN if there are none.
    fn points(&self) -> Result<Vec<f64>, Fault>;
    fn moves(&self) -> Result<MoveLists, Fault>;
    fn random_moves(&self, seed: u64) -> Result<Vec<u16>, Fault>;
    fn play(&self, moves: &[u16]) -> Result<Box<dyn AnyBatch>, Fault>;
    fn take(&self, indices: &[i64]) -> Result<Box<dyn AnyBatch>, Fault>;
    fn contents(&self) -> Result<Vec<i8>, Fault>;
    fn reserves(&self) -> Result<Vec<u8>, Fault>;
    /// Plays random games from the positions `first..first + outcomes.len()`.
    fn playouts(
        &self,
        first: usize,
        max_plies: u32,
        seed: u64,
        outcomes: &mut [i8],
        plies: &mut [i32],
    );
}

/// Positions and their game.
pub(crate) struct Positions<K: Kind> {
    shared: Arc<Shared<K>>,
    positions: Vec<PositionOf<K>>,
}

impl<K: Kind> Positions<K> {
    pub(crate) fn boxed(
        shared: &Arc<Shared<K>>,
        positions: Vec<PositionOf<K>>,
    ) -> Box<dyn AnyBatch> {
        let shared = Arc::clone(shared);
        Box::new(Self { shared, positions })
    }

    /// Returns a number for each position.
    fn map<T>(&self, number: impl FnMut(&PositionOf<K>) -> T) -> Result<Vec<T>, Fault> {
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(self.positions.len())?;
        numbers.extend(self.positions.iter().map(number));
        Ok(numbers)
    }
}

impl<K: Kind> AnyBatch for Positions<K> {
    fn len(&self) -> usize {
        self.positions.len()
    }

    fn get(&self, index: usize) -> Box<dyn AnyPosition> {
        Node::boxed(&self.shared, self.positions[index])
    }

    fn fens(&self) -> Vec<String> {
        let rules = self.shared.rules();
        let positions = self.positions.iter();
        positions
            .map(|position| rules.show_position(position))
            .collect()
    }

    fn sources(&self) -> Vec<String> {
        let positions = self.positions.iter();
        positions
            .map(|position| self.shared.source(position))
            .collect()
    }

    fn keys(&self) -> Result<Vec<u64>, Fault> {
        let rules = self.shared.rules();
        self.map(|position| rules.key(position))
    }

    fn symmetric_keys(&self) -> Result<Vec<u64>, Fault> {
        self.map(|position| self.shared.kind.symmetric_key(position))
    }

    fn turns(&self) -> Result<Vec<i8>, Fault> {
        self.map(|position| turn_number(self.shared.kind.turn(position)))
    }

    fn outcomes(&self) -> Result<Vec<i8>, Fault> {
        self.map(|position| outcome_number(self.shared.kind.outcome(position)))
    }

    fn values(&self) -> Result<(Vec<i8>, Vec<i32>), Fault> {
        let mut plies = Vec::new();
        plies.try_reserve_exact(self.positions.len())?;
        let winners = self.map(|position| {
            let value = self.shared.value(position);
            let end = value.and_then(|value| value.verdict()?.plies());
            plies.push(end.map_or(-1, |end| end as i32));
            value_number(value)
        })?;
        Ok((winners, plies))
    }

    fn points(&self) -> Result<Vec<f64>, Fault> {
        self.map(|position| {
            let value = self.shared.value(position);
            value.and_then(ExactValue::points).unwrap_or(f64::NAN)
        })
    }

    fn moves(&self) -> Result<MoveLists, Fault> {
        let rules = self.shared.rules();
        let mut lists = MoveLists {
            moves: Vec::new(),
            offsets: Vec::new(),
        };
        lists.offsets.try_reserve_exact(self.positions.len() + 1)?;
        lists.offsets.push(0);
        let mut legal = Vec::with_capacity(MOVES_CAPACITY);
        for position in &self.positions {
            legal.clear();
            rules.moves(position, &mut legal);
            if lists.moves.len() + legal.len() > MAX_MOVES {
                return Err(Fault::Memory(format!(
                    "expected at most {MAX_MOVES} legal moves: take fewer positions"
                )));
            }
            lists.moves.try_reserve(legal.len())?;
            lists.moves.extend(legal.iter().map(|&m| m.into()));
            lists.offsets.push(lists.moves.len() as i64);
        }
        Ok(lists)
    }

    fn random_moves(&self, seed: u64) -> Result<Vec<u16>, Fault> {
        let mut legal = Vec::with_capacity(MOVES_CAPACITY);
        let mut number = 0;
        self.map(|position| {
            let mut random = Random::stream(seed, number);
            number += 1;
            let m = self
                .shared
                .kind
                .random_move(position, &mut legal, &mut random);
            m.map_or(NO_MOVE, Into::into)
        })
    }

    fn play(&self, moves: &[u16]) -> Result<Box<dyn AnyBatch>, Fault> {
        if moves.len() != self.positions.len() {
            return invalid(format!(
                "expected {} moves, found {}",
                self.positions.len(),
                moves.len()
            ));
        }
        let rules = self.shared.rules();
        let mut after = Vec::new();
        after.try_reserve_exact(moves.len())?;
        let mut legal = Vec::with_capacity(MOVES_CAPACITY);
        for (index, (position, &number)) in self.positions.iter().zip(moves).enumerate() {
            legal.clear();
            rules.moves(position, &mut legal);
            let found = legal
                .iter()
                .copied()
                .find(|&m| Into::<u16>::into(m) == number);
            after.push(match found {
                Some(m) => rules.play(position, m),
                None if number == NO_MOVE => *position,
                None => {
                    let why =
                        format!("position {index}: the move with number {number} is not legal");
                    return Err(EngineError::new(why).into());
                }
            });
        }
        Ok(Self::boxed(&self.shared, after))
    }

    fn take(&self, indices: &[i64]) -> Result<Box<dyn AnyBatch>, Fault> {
        let mut taken = Vec::new();
        taken.try_reserve_exact(indices.len())?;
        for &index in indices {
            let position = usize::try_from(index).ok();
            let position = position.and_then(|index| self.positions.get(index));
            let Some(position) = position else {
                return invalid(format!(
                    "expected an index from 0 to {}, found {index}",
                    self.positions.len() as i64 - 1
                ));
            };
            taken.push(*position);
        }
        Ok(Self::boxed(&self.shared, taken))
    }

    fn contents(&self) -> Result<Vec<i8>, Fault> {
        let rules = self.shared.rules();
        let mut contents = Vec::new();
        contents.try_reserve_exact(self.shared.places() * self.positions.len())?;
        for position in &self.positions {
            rules.append_contents(position, &mut contents);
        }
        Ok(contents)
    }

    fn reserves(&self) -> Result<Vec<u8>, Fault> {
        let rules = self.shared.rules();
        let mut reserves = Vec::new();
        reserves.try_reserve_exact(4 * self.positions.len())?;
        for position in &self.positions {
            reserves.extend(rules.reserves(position));
        }
        Ok(reserves)
    }

    fn playouts(
        &self,
        first: usize,
        max_plies: u32,
        seed: u64,
        outcomes: &mut [i8],
        plies: &mut [i32],
    ) {
        let results = outcomes.iter_mut().zip(plies);
        for ((number, position), result) in
            self.positions.iter().enumerate().skip(first).zip(results)
        {
            let mut random = Random::stream(seed, number as u64);
            let (outcome, length) = self.shared.kind.playout(*position, max_plies, &mut random);
            (*result.0, *result.1) = (outcome_number(outcome), length as i32);
        }
    }
}
