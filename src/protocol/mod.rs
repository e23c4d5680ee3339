//! The protocol's words: what a line asks ([`Command`], read by [`parse()`]) how it is answered ([`reply`]),
//! and how the [`options`] are named.

pub mod command;
pub mod options;
pub mod parse;
pub mod reply;
pub mod state;
pub mod trace;

pub use command::{Command, Dialect, Query};
pub use parse::parse;
