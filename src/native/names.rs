//! The texts of moves as Python strings, which are created once per game.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyString;

/// A cache of the texts of moves, for games in which a move has the same text in all positions.
#[derive(Default)]
pub(crate) struct MoveNames(Mutex<Names>);

#[derive(Default)]
struct Names {
    /// The texts, by the number of the move.
    texts: Vec<Option<Py<PyString>>>,
    numbers: HashMap<String, u16>,
}

impl MoveNames {
    /// Returns the text of the move with this number. `show` creates it the first time.
    pub(crate) fn text<'py>(
        &self,
        py: Python<'py>,
        number: u16,
        show: impl FnOnce() -> String,
    ) -> Bound<'py, PyString> {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let index = usize::from(number);
        if index >= names.texts.len() {
            names.texts.resize_with(index + 1, || None);
        }
        if let Some(text) = &names.texts[index] {
            return text.bind(py).clone();
        }
        let shown = show();
        let text = PyString::new(py, &shown);
        names.texts[index] = Some(text.clone().unbind());
        names.numbers.insert(shown, number);
        text
    }

    /// Returns the number of a move whose text is in the cache.
    pub(crate) fn number(&self, text: &str) -> Option<u16> {
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.numbers.get(text).copied()
    }
}
