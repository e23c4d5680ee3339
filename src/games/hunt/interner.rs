//! A store of boards and networks. It keeps each different value once, until the process exits.

use std::sync::{Mutex, PoisonError};

/// A set of `'static` values without duplicates.
///
/// A hunt game refers to its board by a `'static` reference, and an evaluator refers to its network by one. Such
/// references make games and evaluators `Copy`, so searches copy them without updating a reference count. Values are
/// never freed: memory grows with the number of different boards and networks that a process uses, not with the number
/// of games.
pub(crate) struct Interner<T: 'static>(Mutex<Vec<&'static T>>);

impl<T> Interner<T> {
    /// Creates an empty set.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Returns the stored value for which `is_same` returns `true` with `key`. If there is none, creates a value from
    /// `key` and stores it.
    ///
    /// # Errors
    /// The error of `create`, in which case nothing is stored.
    pub(crate) fn intern<K, E>(
        &self,
        key: K,
        is_same: impl Fn(&T, &K) -> bool,
        create: impl FnOnce(K) -> Result<T, E>,
    ) -> Result<&'static T, E> {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = values.iter().find(|value| is_same(value, &key)) {
            return Ok(value);
        }
        let value: &'static T = Box::leak(Box::new(create(key)?));
        values.push(value);
        Ok(value)
    }
}
