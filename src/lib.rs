//! Puli, an engine for the games people learn search on and the hunt games people have played for centuries.

pub mod bench;
pub mod catalog;
pub mod commands;
pub mod control;
pub mod discard;
pub mod engine;
pub mod error;
pub mod games;
pub mod lex;
pub mod ones;
pub mod oracle;
pub mod path;
pub mod pathfinding;
pub mod protocol;
pub mod room;
pub mod rules;
pub mod scene;
pub mod sealed;
pub mod search;
pub mod session;
pub mod settings;
pub mod solved;
pub mod value;
