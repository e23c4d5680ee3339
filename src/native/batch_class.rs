//! The class `Batch`.

use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arrays::{array, numbers, table};
use crate::batch::{AnyBatch, NO_MOVE};
use crate::erased::check_count;
use crate::exact::UNKNOWN;
use crate::fault::{Fault, invalid};
use crate::game::Game;
use crate::position::Position;

/// Maximum number of plies of a random game.
const MAX_PLIES: u32 = 100_000;

/// Number of plies that are played between two checks for Ctrl-C.
const PLIES_PER_CHECK: usize = 1 << 20;

/// Two arrays of the same length.
type Pair<'py, A, B> = (Bound<'py, PyArray1<A>>, Bound<'py, PyArray1<B>>);

/// Positions of one game. Each call works on all positions, without the interpreter's lock. It requires numpy.
///
/// Outcomes and values are 1 if the first player wins, -1 if the second player wins, 0 for a draw, and `Batch.UNKNOWN` otherwise.
///
/// >>> import puli
/// >>> game = puli.Game("tic-tac-toe")
/// >>> batch = game.batch(3)
/// >>> batch = batch.play(batch.random_moves(seed=1))
/// >>> batch.turns(), batch.outcomes()
/// (array([-1, -1, -1], dtype=int8), array([-128, -128, -128], dtype=int8))
/// >>> outcomes, plies = batch.random_playouts(max_plies=9, seed=1)
/// >>> sorted(outcomes.tolist()), batch.play(outcomes)
/// Traceback (most recent call last):
/// ValueError: moves: expected an array of uint16 with one dimension
///
/// A batch does not change, and it does not know the positions before its own. Only `random_playouts` counts occurrences.
#[pyclass(frozen, sequence, module = "puli._native")]
pub(crate) struct Batch {
    game: Py<Game>,
    batch: Box<dyn AnyBatch>,
}

impl Batch {
    pub(crate) fn new(game: Py<Game>, batch: Box<dyn AnyBatch>) -> Self {
        Self { game, batch }
    }

    fn with(&self, py: Python<'_>, batch: Box<dyn AnyBatch>) -> Self {
        Self::new(self.game.clone_ref(py), batch)
    }
}

#[pymethods]
impl Batch {
    /// The outcome of a game that is not over, and the value of a position that is not known.
    #[classattr]
    const UNKNOWN: i8 = UNKNOWN;

    /// The number of no move. `play` leaves such a position as it is.
    #[classattr]
    const NO_MOVE: u16 = NO_MOVE;

    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    fn __len__(&self) -> usize {
        self.batch.len()
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Position> {
        let from_end = if index < 0 {
            self.batch.len() as isize
        } else {
            0
        };
        let found = usize::try_from(index + from_end).ok();
        let found = found.filter(|&index| index < self.batch.len());
        let index = found.ok_or_else(|| PyIndexError::new_err(format!("no position {index}")))?;
        Ok(Position::new(
            self.game.clone_ref(py),
            self.batch.get(index),
        ))
    }

    fn __repr__(&self) -> String {
        let (variant, count) = (self.game.get().variant(), self.batch.len());
        format!("<Batch of {count} positions of {variant:?}>")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Vec<String>,))> {
        let positions = self.game.bind(py).getattr("positions")?;
        Ok((positions, (self.batch.sources(),)))
    }

    /// Returns the positions as FENs.
    fn fens<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, py.detach(|| self.batch.fens()))
    }

    /// Returns the keys (uint64).
    fn keys<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<u64>>, Fault> {
        Ok(array(py, py.detach(|| self.batch.keys())?))
    }

    /// Returns the keys of the representatives of symmetric positions (uint64).
    fn symmetric_keys<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<u64>>, Fault> {
        Ok(array(py, py.detach(|| self.batch.symmetric_keys())?))
    }

    /// Returns the sides to move (int8): 1 for the first player, -1 for the second player, 0 for chance.
    fn turns<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<i8>>, Fault> {
        Ok(array(py, py.detach(|| self.batch.turns())?))
    }

    /// Returns the outcomes (int8), `UNKNOWN` if the game is not over.
    fn outcomes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<i8>>, Fault> {
        Ok(array(py, py.detach(|| self.batch.outcomes())?))
    }

    /// Returns the exact values (int8), and the plies to forced wins (int32), -1 if there are none.
    ///
    /// >>> import puli
    /// >>> game = puli.Game("tic-tac-toe")
    /// >>> positions = game.solve()
    /// >>> game.positions(["XX1/OO1/3 x", "3/3/3 x"]).values()
    /// (array([1, 0], dtype=int8), array([ 1, -1], dtype=int32))
    fn values<'py>(&self, py: Python<'py>) -> Result<Pair<'py, i8, i32>, Fault> {
        let (winners, plies) = py.detach(|| self.batch.values())?;
        Ok((array(py, winners), array(py, plies)))
    }

    /// Returns the points of the exact values of trees and of 2048 (float64), NaN if they are not known.
    fn points<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray1<f64>>, Fault> {
        Ok(array(py, py.detach(|| self.batch.points())?))
    }

    /// Returns the numbers of the legal moves (uint16), and where they begin (int64): those of position `i` are
    /// `moves[begins[i]:begins[i + 1]]`. `MemoryError` is raised for more than 268435456 moves.
    ///
    /// >>> import puli
    /// >>> moves, begins = puli.Game("tic-tac-toe").positions(["XXO/OOX/X2 o", "3/3/3 x"]).moves()
    /// >>> moves[begins[0]:begins[1]], begins
    /// (array([1, 2], dtype=uint16), array([ 0,  2, 11]))
    fn moves<'py>(&self, py: Python<'py>) -> Result<Pair<'py, u16, i64>, Fault> {
        let lists = py.detach(|| self.batch.moves())?;
        Ok((array(py, lists.moves), array(py, lists.offsets)))
    }

    /// Returns a random legal move of each position (uint16), `NO_MOVE` if it has none. Tiles are drawn with their probabilities.
    fn random_moves<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
    ) -> Result<Bound<'py, PyArray1<u16>>, Fault> {
        Ok(array(py, py.detach(|| self.batch.random_moves(seed))?))
    }

    /// Returns the positions after one move each, given by number (uint16). `EngineError` is raised if a move is not legal.
    fn play(&self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> Result<Self, Fault> {
        let moves = numbers(moves, "moves", "uint16")?;
        let after = py.detach(|| self.batch.play(&moves))?;
        Ok(self.with(py, after))
    }

    /// Returns the positions with these indices (int64), in their order. An index can occur several times.
    fn take(&self, py: Python<'_>, indices: &Bound<'_, PyAny>) -> Result<Self, Fault> {
        let indices = numbers(indices, "indices", "int64")?;
        check_count(indices.len())?;
        let taken = py.detach(|| self.batch.take(&indices))?;
        Ok(self.with(py, taken))
    }

    /// Returns the boards (int8), one row per position and one column per place: 1 for a piece of the first player, -1 for one of the
    /// second player, 0 for an empty place. The pieces of a stack add up.
    ///
    /// The places have the order of the points of `puli.State.raw["board"]`, or are row by row from `a1`. Tiles are row by row from
    /// the top left, by their numbers, in 2048 by their powers of two. Missionaries and cannibals are counted on the left bank,
    /// followed by 1 if the boat is there.
    fn boards<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray2<i8>>, Fault> {
        let contents = py.detach(|| self.batch.contents())?;
        let shape = [self.batch.len(), self.game.get().game.places()];
        Ok(table(py, contents, shape)?)
    }

    /// Returns the pieces in hand of the first and the second player, and their captured pieces (uint8), four columns.
    fn reserves<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArray2<u8>>, Fault> {
        let reserves = py.detach(|| self.batch.reserves())?;
        Ok(table(py, reserves, [self.batch.len(), 4])?)
    }

    /// Plays each position to its end with random moves. Returns the outcomes (int8), and the numbers of plies (int32).
    ///
    /// A game of `max_plies` plies, at most 100000, ends without an outcome. Equal seeds give equal games.
    fn random_playouts<'py>(
        &self,
        py: Python<'py>,
        max_plies: u32,
        seed: u64,
    ) -> Result<Pair<'py, i8, i32>, Fault> {
        if max_plies > MAX_PLIES {
            return invalid(format!(
                "max_plies: expected at most {MAX_PLIES}, found {max_plies}"
            ));
        }
        let count = self.batch.len();
        let (mut outcomes, mut plies) = (vec![UNKNOWN; count], vec![0; count]);
        let games = (PLIES_PER_CHECK / (max_plies as usize + 1)).max(1);
        let parts = outcomes.chunks_mut(games).zip(plies.chunks_mut(games));
        for (part, (outcomes, plies)) in parts.enumerate() {
            py.detach(|| {
                self.batch
                    .playouts(part * games, max_plies, seed, outcomes, plies)
            });
            py.check_signals()?;
        }
        Ok((array(py, outcomes), array(py, plies)))
    }
}
