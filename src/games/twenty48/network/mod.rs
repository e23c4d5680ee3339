//! An n-tuple network: an evaluation that Puli has learned by playing.

pub mod learner;
pub mod training;
pub mod tuples;
