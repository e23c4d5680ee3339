//! The errors of this module, and their exceptions in Python.

use std::collections::TryReserveError;

use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

/// The exceptions of the package.
mod exceptions {
    pyo3::import_exception!(puli.errors, EngineError);
    pyo3::import_exception!(puli.errors, NativeModuleError);
}

pub(crate) use exceptions::NativeModuleError;
use puli::error::EngineError;

/// An error that becomes a Python exception.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The rules reject a variant, a position or a move: `puli.EngineError`.
    Rejected(EngineError),
    /// An argument is invalid: `ValueError`.
    Invalid(String),
    /// An allocation failed, or a result is too large: `MemoryError`.
    Memory(String),
    /// An exception of Python, such as `KeyboardInterrupt`.
    Python(PyErr),
}

/// Creates the error of an invalid argument.
pub(crate) fn invalid<T>(why: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Invalid(why.into()))
}

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Self {
        Self::Rejected(error)
    }
}

impl From<TryReserveError> for Fault {
    fn from(_: TryReserveError) -> Self {
        Self::Memory("out of memory".into())
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Rejected(error) => exceptions::EngineError::new_err(error.to_string()),
            Fault::Invalid(why) => PyValueError::new_err(why),
            Fault::Memory(why) => PyMemoryError::new_err(why),
            Fault::Python(error) => error,
        }
    }
}
