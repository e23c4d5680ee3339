//! The module `puli._native` of the Python package: rules and exact values in the process of Python.

mod arrays;
mod batch;
mod batch_class;
mod erased;
mod exact;
mod fault;
mod game;
mod kinds;
mod names;
mod position;
mod select;

use pyo3::prelude::*;

/// The rules and exact values of games, without a process. `puli` exports its classes.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::batch_class::Batch;
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::position::{Position, Value};
}
