//! The protocol: [`Command`] parsed by [`parse()`], the [`options`], and the texts of all answers (`reply`,
//! [`state`], [`trace`]).

mod board_options;
pub mod command;
pub mod events;
mod numbers;
pub mod options;
pub mod parse;
pub(crate) mod reply;
pub mod state;
pub mod trace;
mod trace_words;
pub mod values;

pub use command::{Command, Dialect, Query};
pub use parse::parse;

/// The version of the commands, options and answers that Puli adds to UCI and UGI. It increases with each change that
/// existing clients could misread; additions leave it. `protocol.md` states what is stable.
pub const EXTENSIONS_VERSION: u32 = 1;
