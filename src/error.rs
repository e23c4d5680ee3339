//! The two ways a request can fail: it could not be read ([`Misread`]), or it was read and cannot be done ([`Refusal`]).

use std::fmt;

/// Text that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// Where, in bytes from the start of the text that was read.
    pub offset: usize,
    /// What would have been right there, and what stood there instead where that helps.
    pub expected: String,
}

impl Misread {
    /// `expected` was not found at `offset`.
    pub fn new(offset: usize, expected: impl Into<String>) -> Self {
        Self {
            offset,
            expected: expected.into(),
        }
    }

    /// `expected` was not found where `rest`, a part of `whole`, begins.
    pub fn at(whole: &str, rest: &str, expected: impl Into<String>) -> Self {
        let offset = (rest.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
        Self::new(offset.min(whole.len()), expected)
    }

    /// The same place in a longer text, in which the text that was read begins at `offset`.
    #[must_use]
    pub fn shifted(mut self, offset: usize) -> Self {
        self.offset += offset;
        self
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: expected {}", self.offset + 1, self.expected)
    }
}

impl std::error::Error for Misread {}

/// A request that was understood and cannot be met; nothing has changed. The text is for the person who reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl Refusal {
    /// A refusal for this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

impl From<Misread> for Refusal {
    fn from(misread: Misread) -> Self {
        Self(misread.to_string())
    }
}
