//! Tests the Universal Game Interface (UGI) in the way tournament managers use it: the program runs as a process, gets
//! queries after every move, and plays with clocks.

mod clocks;
mod runner;
use crate::support::process as support;
mod commands;

use puli::catalog;
use puli::engine::state::State;
use puli::rules::Turn;
use puli::scene::Group;
use puli::settings::Settings;

/// Returns the variants for two players without chance, except game trees.
fn games() -> Vec<&'static str> {
    let is_game = |variant: &&'static str| {
        let settings = Settings {
            variant,
            ..Settings::default()
        };
        let engine = catalog::build(&settings).expect("an engine");
        let State { about, turn, .. } = engine.state();
        !engine.is_puzzle() && turn != Turn::Chance && about.group != Group::Trees
    };
    catalog::names().filter(is_game).collect()
}
