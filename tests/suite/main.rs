//! All integration tests in one program: one program links and compiles its generic code once, thirty-seven did it each.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot continue should say so and fail"
)]

mod agreement;
mod atlas;
mod auto;
#[cfg(feature = "board")]
mod board;
#[cfg(all(feature = "board", target_os = "linux"))]
mod board_process;
mod conformance;
mod conformance_ugi;
mod draws;
#[cfg(unix)]
mod files;
mod fuzz;
mod gather;
mod hunt_rules;
mod lines;
#[cfg(unix)]
mod memory;
mod oracle;
mod order;
mod pattern_files;
mod perft;
mod play;
mod plot;
mod process;
mod protocol_page;
mod puzzle_compare;
mod puzzle_searchmoves;
mod puzzle_stops;
mod puzzles;
mod pvs;
mod robustness;
mod solve;
mod state;
#[cfg(unix)]
mod strange_files;
mod support;
mod table_files;
mod tic_tac_toe;
mod trace;
mod training;
mod transcripts;
mod tutorial;
mod twenty48;
