//! The protocol: [`Command`] parsed by [`parse()`], the [`options`], and the texts of all answers ([`reply`],
//! [`state`], [`trace`]).

mod board_options;
pub mod command;
pub mod options;
pub mod parse;
pub(crate) mod reply;
pub mod state;
pub mod trace;

pub use command::{Command, Dialect, Query};
pub use parse::parse;
