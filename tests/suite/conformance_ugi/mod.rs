//! The Universal Game Interface as tournament runners speak it: the real program over pipes, asked after every position
//! and held to its clock.

mod clocks;
mod runner;
use crate::support::process as support;
mod words;

use puli::catalog;
use puli::engine::state::State;
use puli::rules::Turn;
use puli::scene::Group;
use puli::settings::Settings;

/// The variants for two players without dice.
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
