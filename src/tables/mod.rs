//! Tables that are made once and looked into often.

pub mod pattern;
