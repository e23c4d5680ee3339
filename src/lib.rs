//! Searches and solvers for hunt games, m,n,k games, game trees, 2048 and sliding puzzles.
//!
//! # Search a position
//!
//! ```
//! use puli::control::Control;
//! use puli::games::hunt::{Evaluation, Hunt, board::AADU_PULI};
//! use puli::{path::Path, rules::Notation, search, settings::Settings};
//!
//! let (game, position) = Hunt::new(&AADU_PULI).read_position("T/2TT2/6/6/4 g 15")?;
//! let mut root = search::Root::new(&game, Path::new(position), 0);
//! let mut search = search::algorithms::build(&Settings::default(), Evaluation::Reference)??;
//! let result = search.run(&game, &mut root, 4, &mut Control::unlimited(), &mut |_, _| {})?;
//! assert_eq!(result.score.to_string(), "49");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Solve a game
//!
//! ```
//! use puli::games::mnk::Small;
//! use puli::rules::Rules;
//! use puli::solve::explicit::in_memory::SolvedGame;
//!
//! let game = Small::default(); // tic-tac-toe
//! let memory_mib = 100;
//! let solved = SolvedGame::solve(game.clone(), game.start(), memory_mib, &mut |_| Ok(()))?;
//! assert_eq!(solved.start().winner(), None); // a draw
//! assert_eq!(solved.best_moves().len(), 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Write a game
//!
//! Twenty-one matches; a move takes one to three matches, and taking the last match wins.
//!
//! ```
//! use puli::rules::{Game, Outcome, Rules};
//! use puli::value::Side;
//!
//! #[derive(Clone, PartialEq)]
//! struct Matches;
//!
//! impl Rules for Matches {
//!     type Position = (u16, Side);
//!     type Move = u16;
//!     fn start(&self) -> (u16, Side) { (21, Side::P1) }
//!     fn moves(&self, &(left, _): &(u16, Side), out: &mut Vec<u16>) { out.extend(1..=left.min(3)) }
//!     fn play(&self, &(left, side): &(u16, Side), m: u16) -> (u16, Side) { (left - m, side.other()) }
//!     fn key(&self, &(left, side): &(u16, Side)) -> u64 { u64::from(left) << 1 | side as u64 }
//! }
//!
//! impl Game for Matches {
//!     fn side(&self, &(_, side): &(u16, Side)) -> Side { side }
//!     fn outcome(&self, &(left, side): &(u16, Side)) -> Option<Outcome> {
//!         (left == 0).then_some(Outcome::Won(side.other()))
//!     }
//! }
//! # use puli::solve::explicit::in_memory::SolvedGame;
//! # let solved = SolvedGame::solve(Matches, Matches.start(), 10, &mut |_| Ok(())).unwrap();
//! # assert_eq!(solved.start().winner(), Some(Side::P1));
//! ```
//!
//! [`rules`] contains the traits of games, [`search`] and [`pathfinding`] the algorithms, [`games`] the built-in games,
//! [`solve`] the solvers, and [`engine`] a game chosen by name at run time. Feature `cli`, on by default, adds the
//! protocol, the session and the subcommands; feature `board` adds the web server. Feature `protocol` is the part of
//! `cli` that needs no files or threads, and `wasm` builds this part for the site.

#![warn(unreachable_pub)]
#![cfg_attr(
    not(feature = "cli"),
    expect(
        dead_code,
        reason = "the program uses more of the crate than the library offers"
    )
)]

pub(crate) mod background_drop;
pub mod bench;
pub mod bits;
pub mod catalog;
pub mod clock;
#[cfg(feature = "cli")]
pub mod commands;
pub mod control;
pub mod durable;
pub mod engine;
pub(crate) mod english;
pub mod error;
pub mod escape;
pub mod games;
pub(crate) mod lex;
pub mod oracle;
pub mod path;
pub mod pathfinding;
pub mod processor;
#[cfg(feature = "protocol")]
pub mod protocol;
pub mod random;
pub mod rules;
pub mod scene;
pub mod search;
#[cfg(feature = "protocol")]
pub mod session;
pub mod settings;
pub mod solve;
pub mod trace;
pub(crate) mod try_alloc;
pub(crate) mod units;
pub mod value;
#[cfg(feature = "board")]
pub mod web;
