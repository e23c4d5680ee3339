//! A store of boards and networks that keeps each distinct value once and never frees it.

use std::iter::successors;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A set of distinct `'static` values, as a list that only grows.
///
/// Hunt games refer to their boards, and evaluators to their networks, by `'static` references. This makes games and
/// evaluators `Copy`, without reference counts. Memory grows with the number of distinct boards and networks, not
/// with the number of games.
pub(crate) struct Interner<T: 'static> {
    first: Link<T>,
    /// Held while a value is created, so that no other thread creates an equal value.
    writer: Mutex<()>,
}

/// The next value of the list, if there is one. Once set, it never changes.
type Link<T> = OnceLock<Box<Node<T>>>;

struct Node<T> {
    value: T,
    next: Link<T>,
}

impl<T> Interner<T> {
    /// Creates an empty set.
    pub(crate) const fn new() -> Self {
        Self {
            first: OnceLock::new(),
            writer: Mutex::new(()),
        }
    }

    /// Returns the stored value for which `is_same` returns `true`. If there is none, creates a value from `key` and
    /// stores it.
    ///
    /// # Errors
    /// The error of `create`; nothing is stored.
    pub(crate) fn intern<K, E>(
        &'static self,
        key: K,
        is_same: impl Fn(&T, &K) -> bool,
        create: impl FnOnce(K) -> Result<T, E>,
    ) -> Result<&'static T, E> {
        let _writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut link = &self.first;
        while let Some(node) = link.get() {
            if is_same(&node.value, &key) {
                return Ok(&node.value);
            }
            link = &node.next;
        }
        let node = Node {
            value: create(key)?,
            next: OnceLock::new(),
        };
        Ok(&link.get_or_init(|| Box::new(node)).value)
    }

    /// Returns the number of stored values.
    pub(crate) fn len(&self) -> usize {
        successors(self.first.get(), |node| node.next.get()).count()
    }
}
