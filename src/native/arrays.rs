//! Arrays of numpy.

use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::fault::{Fault, NativeModuleError, invalid};

/// Checks that numpy is installed, which the bindings of numpy take for granted.
///
/// # Errors
/// `NativeModuleError` if numpy is not installed.
pub(crate) fn require_numpy(py: Python<'_>) -> PyResult<()> {
    static IS_INSTALLED: PyOnceLock<()> = PyOnceLock::new();
    let import = || {
        let imported = py.import("numpy");
        imported
            .map(drop)
            .map_err(|error| NativeModuleError::new_err(format!("batches require numpy: {error}")))
    };
    IS_INSTALLED.get_or_try_init(py, import).copied()
}

/// Returns numbers as an array of one dimension.
pub(crate) fn array<T: Element>(py: Python<'_>, numbers: Vec<T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, numbers)
}

/// Returns numbers as an array of `shape`, its rows and columns.
pub(crate) fn table<T: Element>(
    py: Python<'_>,
    numbers: Vec<T>,
    shape: [usize; 2],
) -> PyResult<Bound<'_, PyArray2<T>>> {
    array(py, numbers).reshape(shape)
}

/// Copies the numbers of an argument, which must be an array of one dimension and of this type.
///
/// # Errors
/// `ValueError` for another type or another number of dimensions.
pub(crate) fn numbers<T: Element + Copy>(
    argument: &Bound<'_, PyAny>,
    name: &str,
    dtype: &str,
) -> Result<Vec<T>, Fault> {
    let Ok(array) = argument.extract::<PyReadonlyArray1<'_, T>>() else {
        return invalid(format!(
            "{name}: expected an array of {dtype} with one dimension"
        ));
    };
    let array = array.as_array();
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(array.len())?;
    numbers.extend(array.iter());
    Ok(numbers)
}
