//! A store of boards and networks. It keeps each different value once, until the process exits.

use std::iter::successors;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A set of `'static` values without duplicates, as a list that only grows.
///
/// Hunt games refer to their boards, and evaluators to their networks, by `'static` references. This makes games and
/// evaluators `Copy`, so searches copy them without updating a reference count. Values are never freed: memory grows
/// with the number of different boards and networks that a process uses, not with the number of games.
pub(crate) struct Interner<T: 'static> {
    first: Link<T>,
    /// Held while a value is created, so that no other thread creates an equal one.
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

    /// Returns the stored value that `is_same` finds equal to `key`. If there is none, creates a value from `key` and
    /// stores it.
    ///
    /// # Errors
    /// The error of `create`. Then nothing is stored.
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
