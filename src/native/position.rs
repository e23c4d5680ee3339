//! The classes `Position` and `Value`.

use puli::engine::state::State;
use puli::error::EngineError;
use puli::oracle::{ExactValue, Verdict};
use puli::protocol::state;
use puli::protocol::values::result;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::erased::AnyPosition;
use crate::fault::{Fault, invalid};
use crate::game::{Game, check_move};

/// An exact value: the result of perfect play.
#[pyclass(frozen, eq, get_all, module = "puli._native")]
#[derive(Debug, PartialEq)]
pub(crate) struct Value {
    /// `p1win`, `p2win` or `draw`; `None` in 2048.
    verdict: Option<&'static str>,
    /// Plies to a forced win; `None` in a draw, if infinite play wins, and with `points`.
    plies: Option<u32>,
    /// In trees, the points that the first player gets. In 2048, the expected points still to come.
    points: Option<f64>,
}

#[pymethods]
impl Value {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = |value: Bound<'_, PyAny>| value.repr().map(|text| text.to_string());
        Ok(format!(
            "Value(verdict={}, plies={}, points={})",
            shown(self.verdict.into_pyobject(py)?)?,
            shown(self.plies.into_pyobject(py)?)?,
            shown(self.points.into_pyobject(py)?)?,
        ))
    }
}

impl From<ExactValue> for Value {
    fn from(value: ExactValue) -> Self {
        let verdict = value.verdict();
        Self {
            verdict: verdict.map(|verdict| result(verdict.winner())),
            plies: verdict.and_then(Verdict::plies),
            points: value.points(),
        }
    }
}

/// A position of a `Game`. It does not change, and it does not know the positions before it.
///
/// >>> import puli
/// >>> position = puli.Game("tic-tac-toe").start().play("b2")
/// >>> position.turn, position.outcome, position.moves[:3], position.fen
/// ('p2', None, ('a1', 'b1', 'c1'), '3 3 3 3/1X1/3 o 1')
/// >>> position.play("b2")
/// Traceback (most recent call last):
/// puli.errors.EngineError: 'b2' is not legal here: b2 is taken
///
/// Positions with the same `symmetric_key` have the same value, because a symmetry of the board maps one to the other.
///
/// >>> corners = [puli.Game("tic-tac-toe").start().play(corner) for corner in ("a1", "c3")]
/// >>> len({corner.key for corner in corners}), len({corner.symmetric_key for corner in corners})
/// (2, 1)
#[pyclass(frozen, module = "puli._native")]
pub(crate) struct Position {
    game: Py<Game>,
    position: Box<dyn AnyPosition>,
}

impl Position {
    pub(crate) fn new(game: Py<Game>, position: Box<dyn AnyPosition>) -> Self {
        Self { game, position }
    }

    fn text<'py>(&self, py: Python<'py>, number: u16) -> Bound<'py, PyString> {
        let show = || self.position.show_move(number);
        match &self.game.get().names {
            Some(names) => names.text(py, number, show),
            None => PyString::new(py, &show()),
        }
    }

    /// Returns the position after a move, given by its text.
    fn after_text(&self, text: &str) -> Result<Box<dyn AnyPosition>, Fault> {
        check_move(text)?;
        let names = self.game.get().names.as_ref();
        let known = names.and_then(|names| names.number(text));
        if let Some(after) = known.and_then(|number| self.position.play(number)) {
            return Ok(after);
        }
        let after = self.position.read_and_play(text);
        Ok(after.map_err(|why| EngineError::new(format!("'{text}' {why}")))?)
    }

    /// Returns the position after a move, given by its number.
    fn after_number(&self, m: &Bound<'_, PyAny>) -> Result<Box<dyn AnyPosition>, Fault> {
        let Ok(number) = m.extract::<u16>() else {
            return invalid("expected the text of a move, or its number from 0 to 65535");
        };
        let after = self.position.play(number);
        Ok(after.ok_or_else(|| {
            EngineError::new(format!("{number} is not the number of a legal move"))
        })?)
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The position as `Game.position` reads it.
    #[getter]
    fn fen(&self) -> String {
        self.position.fen()
    }

    /// The side to move: `p1`, `p2`, or `chance` if a tile is drawn next.
    #[getter]
    fn turn(&self) -> &'static str {
        state::turn(self.position.turn())
    }

    /// The outcome: `p1win`, `p2win` or `draw`; `None` if the game is not over.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        let outcome = self.position.outcome();
        outcome.map(|outcome| result(outcome.winner()))
    }

    /// The exact value; `None` if it is not known. `Game.solve` makes the values known that can be reached from the start.
    #[getter]
    fn value(&self) -> Option<Value> {
        self.position.value().map(Value::from)
    }

    /// The key, a hash of 64 bits.
    #[getter]
    fn key(&self) -> u64 {
        self.position.key()
    }

    /// The key of the representative of this position and its symmetric images. Not all games have symmetries.
    #[getter]
    fn symmetric_key(&self) -> u64 {
        self.position.symmetric_key()
    }

    /// The legal moves.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let texts: Vec<_> = self
            .position
            .moves()
            .into_iter()
            .map(|number| self.text(py, number))
            .collect();
        PyTuple::new(py, texts)
    }

    /// The numbers of the legal moves in a `Batch`, in the order of `moves`. Other games have other numbers.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.position.moves())
    }

    /// Returns the position after a move, which is a text or a number. `EngineError` is raised if the move is not legal, and
    /// `ValueError` if it is neither.
    #[pyo3(signature = (m, /))]
    fn play(&self, m: &Bound<'_, PyAny>) -> Result<Self, Fault> {
        let after = match m.cast::<PyString>() {
            Ok(text) => self.after_text(text.to_str()?),
            Err(_) => self.after_number(m),
        }?;
        Ok(Self::new(self.game.clone_ref(m.py()), after))
    }

    /// Returns the `puli.State`, which has the pieces, a picture and, if the game is solved, the values of the moves.
    fn state<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Fault> {
        let state = self.position.state()?;
        Ok(state_object(py, self.game.get().variant(), &state)?)
    }

    fn _repr_svg_<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Fault> {
        Ok(self.state(py)?.call_method0("_repr_svg_")?)
    }

    fn __str__(&self) -> String {
        self.position.draw()
    }

    fn __repr__(&self) -> String {
        format!(
            "Position({:?}, {:?})",
            self.game.get().variant(),
            self.position.fen()
        )
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.position.is_same(&*other.position)
    }

    fn __hash__(&self) -> u64 {
        self.position.key()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let position = self.game.bind(py).getattr("position")?;
        Ok((position, (self.position.source(),)))
    }
}

/// Returns the `puli.State` of a state.
pub(crate) fn state_object<'py>(
    py: Python<'py>,
    variant: &str,
    state: &State,
) -> PyResult<Bound<'py, PyAny>> {
    let json = state::object(variant, state).to_string();
    let object = py.import("json")?.call_method1("loads", (json,))?;
    let class = py.import("puli.state")?.getattr("State")?;
    class.call_method1("from_json", (object,))
}
