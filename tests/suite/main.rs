//! Integration tests of the program: its protocol, its subcommands, its files and its web server. `tests/library` has those
//! of the library. Two programs compile at the same time, and each links faster than many.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot continue should say so and fail"
)]

mod chance_trees;
mod exercise;
#[cfg(unix)]
mod file_arguments;
mod fuzz;
mod gather;
#[cfg(unix)]
mod irregular_files;
#[cfg(unix)]
mod memory;
mod order;
mod own_files;
mod play;
mod plot;
mod position_tables;
mod process;
mod protocol_doc;
mod puzzle_compare;
mod puzzle_searchmoves;
mod puzzle_stops;
mod robustness;
mod search_output;
#[cfg(all(feature = "board", target_os = "linux"))]
mod serve_process;
mod solve;
mod state;
mod table_files;
mod trace;
mod trace_events;
mod transcripts;
mod ugi;
mod versions;
#[cfg(feature = "board")]
mod web;
#[cfg(all(feature = "board", target_os = "linux"))]
mod web_process;

#[expect(dead_code, reason = "the other test program uses the rest")]
#[path = "../support/mod.rs"]
mod support;
