//! The class `Game`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use puli::error::EngineError;
use puli::protocol::values::result;
use puli::settings::Settings;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::arrays::require_numpy;
use crate::batch_class::Batch;
use crate::erased::{AnyGame, check_count};
use crate::fault::{Fault, invalid};
use crate::names::MoveNames;
use crate::position::{Position, state_object};
use crate::select;

/// Maximum length of a position, of a name and of a board file, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// Maximum length of a move, in bytes. Errors quote moves.
const MAX_MOVE_BYTES: usize = 1000;

/// Maximum number of moves of a game in `Game.state`.
const MAX_GAME_PLIES: usize = 10_000;

/// Default of `max_positions`: that of option `SolveLimit`.
const DEFAULT_SOLVE_POSITIONS: u64 = 2_000_000;

/// Default of `memory_mib`: that of option `MemoryLimit`.
const DEFAULT_MEMORY_MIB: u64 = 4096;

/// Interval between two checks for Ctrl-C while a game is solved.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The rules of a game, without a process.
///
/// `variant` is a name, the path of a board file, or the text of a board file. `fen` is the start position. It can also select a
/// size: `Game("tic-tac-toe", "4 4 4 4/4/4/4 x 1")`.
///
/// >>> import puli
/// >>> game = puli.Game("kaooa")
/// >>> game.variant, game.players, game.start().fen
/// ('kaooa', ('crows', 'vulture'), '1/4/2/1/2 g 7 1')
///
/// `EngineError` is raised if the variant, the board file or the position is rejected.
#[pyclass(frozen, module = "puli._native")]
pub(crate) struct Game {
    settings: Settings,
    /// The start position, if it was given.
    fen: Option<String>,
    pub(crate) game: Box<dyn AnyGame>,
    /// The texts of moves, unless they depend on the position.
    pub(crate) names: Option<MoveNames>,
}

impl Game {
    pub(crate) fn variant(&self) -> &'static str {
        self.settings.variant
    }
}

fn check_length(text: &str, what: &str, max: usize) -> Result<(), Fault> {
    if text.len() > max {
        return invalid(format!(
            "expected {what} of at most {max} bytes, found {}",
            text.len()
        ));
    }
    Ok(())
}

fn check_fen(fen: &str) -> Result<(), Fault> {
    check_length(fen, "a position", MAX_TEXT_BYTES)
}

pub(crate) fn check_move(text: &str) -> Result<(), Fault> {
    check_length(text, "a move", MAX_MOVE_BYTES)
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (variant, fen=None))]
    fn new(variant: &Bound<'_, PyAny>, fen: Option<String>) -> Result<Self, Fault> {
        let settings = match variant.cast::<PyString>() {
            Ok(text) => {
                let text = text.to_str()?;
                check_length(text, "a variant or a board file", MAX_TEXT_BYTES)?;
                select::by_text(text)
            }
            Err(_) => select::by_path(&variant.extract::<PathBuf>()?),
        }?;
        if let Some(fen) = &fen {
            check_fen(fen)?;
        }
        let game = select::build(&settings, fen.as_deref())?;
        let names = game.has_fixed_move_texts().then(MoveNames::default);
        Ok(Self {
            settings,
            fen,
            game,
            names,
        })
    }

    /// The name of the variant.
    #[getter(variant)]
    fn variant_name(&self) -> &'static str {
        self.variant()
    }

    /// The names of the players, the first player first.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.game.about().players)
    }

    /// The number of places of the board, the columns of `Batch.boards`. It is 0 for trees.
    #[getter]
    fn places(&self) -> usize {
        self.game.places()
    }

    /// The outcome of the third occurrence of a position: `draw`, `p1win` or `p2win`; `None` if repetition does not end the game.
    ///
    /// A `Position` does not know the positions before it, so only `state` and `Batch.random_playouts` count occurrences.
    #[getter]
    fn repetition(&self) -> Option<&'static str> {
        let outcome = self.game.repetition();
        outcome.map(|outcome| result(outcome.winner()))
    }

    /// The number of positions with an exact value, after `solve`; `None` before.
    #[getter]
    fn solved_positions(&self) -> Option<u64> {
        self.game.solved_positions()
    }

    /// Returns the start position.
    fn start(slf: &Bound<'_, Self>) -> Position {
        Position::new(slf.clone().unbind(), slf.get().game.start())
    }

    /// Returns the position of a FEN, or of `startpos moves` followed by moves. `EngineError` is raised if it is not a position of
    /// this game. A node of a tree has no FEN of this game, because a subtree is another tree.
    ///
    /// >>> import puli
    /// >>> puli.Game("tic-tac-toe").position("3/1X1/3 o").moves
    /// ('a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3')
    fn position(slf: &Bound<'_, Self>, fen: &str) -> Result<Position, Fault> {
        check_fen(fen)?;
        let position = slf.get().game.position(fen)?;
        Ok(Position::new(slf.clone().unbind(), position))
    }

    /// Returns the positions of FENs as a batch, at most 1048576. It requires numpy.
    ///
    /// >>> import puli
    /// >>> batch = puli.Game("tic-tac-toe").positions(["3/1X1/3 o", "3/3/3 x"])
    /// >>> len(batch), batch[1].fen
    /// (2, '3 3 3 3/3/3 x 1')
    fn positions(slf: &Bound<'_, Self>, fens: &Bound<'_, PyAny>) -> Result<Batch, Fault> {
        let py = slf.py();
        require_numpy(py)?;
        let mut texts = Vec::new();
        for fen in fens.try_iter()? {
            let fen: String = fen?.extract()?;
            check_fen(&fen)?;
            texts.push(fen);
            check_count(texts.len())?;
        }
        let game = &slf.get().game;
        let batch = py.detach(|| game.positions(&texts))?;
        Ok(Batch::new(slf.clone().unbind(), batch))
    }

    /// Returns a batch of `count` times the start position, at most 1048576. It requires numpy.
    fn batch(slf: &Bound<'_, Self>, count: usize) -> Result<Batch, Fault> {
        require_numpy(slf.py())?;
        check_count(count)?;
        let batch = slf.get().game.repeat(count)?;
        Ok(Batch::new(slf.clone().unbind(), batch))
    }

    /// Solves the game from its start, and returns the number of positions. Then positions have exact values.
    ///
    /// `EngineError` is raised if the game has more than `max_positions` positions, needs more than `memory_mib` MiB, or is a
    /// puzzle. Small games take less than a second.
    ///
    /// >>> import puli
    /// >>> game = puli.Game("kaooa")
    /// >>> game.solve()
    /// 30896
    /// >>> game.start().value
    /// Value(verdict='p1win', plies=15, points=None)
    #[pyo3(signature = (max_positions=DEFAULT_SOLVE_POSITIONS, memory_mib=DEFAULT_MEMORY_MIB))]
    fn solve(&self, py: Python<'_>, max_positions: u64, memory_mib: u64) -> Result<u64, Fault> {
        let memory_mib = memory_mib.min(u64::MAX >> 20);
        let mut interrupt = None;
        let mut next_check = Instant::now() + SIGNAL_INTERVAL;
        let solved = py.detach(|| {
            self.game.solve(memory_mib, &mut |extent| {
                if extent.positions > max_positions {
                    return Err(EngineError::failed(format!(
                        "the game has more than {max_positions} positions"
                    )));
                }
                if Instant::now() >= next_check {
                    next_check = Instant::now() + SIGNAL_INTERVAL;
                    if let Err(signal) = Python::attach(|py| py.check_signals()) {
                        interrupt = Some(signal);
                        return Err(EngineError::failed("interrupted"));
                    }
                }
                Ok(())
            })
        });
        match interrupt {
            Some(signal) => Err(signal.into()),
            None => Ok(solved?),
        }
    }

    /// Returns the `puli.State` after at most 10000 moves from a position, by default the start.
    ///
    /// It equals `Engine.state` of the same `Board`. The third occurrence of a position ends the game.
    ///
    /// >>> import puli
    /// >>> puli.Game("kaooa").state(moves=["a1"]).turn
    /// 'p2'
    #[pyo3(signature = (fen=None, moves=Vec::new()))]
    fn state<'py>(
        &self,
        py: Python<'py>,
        fen: Option<&str>,
        moves: Vec<String>,
    ) -> Result<Bound<'py, PyAny>, Fault> {
        if let Some(fen) = fen {
            check_fen(fen)?;
        }
        if moves.len() > MAX_GAME_PLIES {
            return invalid(format!(
                "expected at most {MAX_GAME_PLIES} moves, found {}",
                moves.len()
            ));
        }
        for text in &moves {
            check_move(text)?;
        }
        let state = self.game.state(fen, &moves)?;
        Ok(state_object(py, self.variant(), &state)?)
    }

    fn __repr__(&self) -> String {
        let fen = self.fen.as_ref();
        let fen = fen.map(|fen| format!(", {fen:?}")).unwrap_or_default();
        format!("Game({:?}{fen})", self.variant())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, Option<String>)) {
        let game = slf.get();
        let board = game.settings.board_text.as_ref();
        let source = board.map_or(game.variant(), |file| &*file.text);
        (slf.get_type().into_any(), (source.into(), game.fen.clone()))
    }
}
