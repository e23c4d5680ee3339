//! Integration tests of the library: rules, searches, solvers and training. `tests/suite` has those of the program.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot continue should say so and fail"
)]

mod agreement;
mod atlas;
mod auto;
mod conformance;
mod draws;
mod exact_2048;
mod exact_points;
mod hunt_rules;
mod oracle;
mod pattern_files;
mod perft;
mod puzzles;
mod pvs;
mod small_games;
mod tic_tac_toe;
mod training;
mod tutorial;
mod twenty48;

#[expect(dead_code, reason = "the other test program uses the rest")]
#[path = "../support/mod.rs"]
mod support;
