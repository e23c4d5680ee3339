//! The protocol's words: what a line asks ([`Command`], read by [`parse()`]) and how it is answered ([`reply`]).

pub mod command;
pub mod parse;
pub mod reply;

pub use command::{Command, Dialect, Query};
pub use parse::parse;
