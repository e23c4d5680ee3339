//! All integration tests in one program. One program links faster than many and compiles generic code once.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot continue should say so and fail"
)]

mod agreement;
mod atlas;
mod auto;
mod conformance;
mod draws;
#[cfg(unix)]
mod file_arguments;
mod fuzz;
mod gather;
mod hunt_rules;
#[cfg(unix)]
mod irregular_files;
#[cfg(unix)]
mod memory;
mod oracle;
mod order;
mod pattern_files;
mod perft;
mod play;
mod plot;
mod process;
mod protocol_doc;
mod puzzle_compare;
mod puzzle_searchmoves;
mod puzzle_stops;
mod puzzles;
mod pvs;
mod robustness;
mod search_output;

mod small_games;
mod solve;
mod state;
mod support;
mod table_files;
mod tic_tac_toe;
mod trace;
mod training;
mod transcripts;
mod tutorial;
mod twenty48;
mod ugi;
#[cfg(feature = "board")]
mod web;
#[cfg(all(feature = "board", target_os = "linux"))]
mod web_process;
