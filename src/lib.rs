//! Puli, an engine for the games people learn search on and the hunt games people have played for centuries.
//!
//! A game's [`rules`] know nothing of how it is searched. The searches of [`search`] are handed an evaluator and run any
//! of them; those of [`pathfinding`] solve puzzles. An [`engine`] is some game, chosen at run time: the [`catalog`] has
//! them by name. What the value of a search means stands in [`value`], what ends it in [`control`].
//!
//! ```
//! use puli::control::Control;
//! use puli::games::hunt::{Evaluation, Hunt, board};
//! use puli::path::Path;
//! use puli::rules::{Notation, Rules};
//! use puli::search::{Root, algorithms};
//! use puli::settings::Settings;
//!
//! let game = Hunt::new(&board::AADU_PULI);
//! let (game, position) = game.read_position("T/2TT2/6/6/4 g 15")?;
//! let mut root = Root::new(&game, Path::new(position), 0);
//! let mut search = algorithms::build(&Settings::default(), Evaluation::Reference)??;
//! let found = search.run(&game, &mut root, 4, &mut Control::unlimited(), &mut |_, _| {});
//! let found = found.expect("nothing has stopped it");
//! assert_eq!(found.score.to_string(), "49");
//! assert!(!found.line.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `cli`, on by default, adds what the program is made of: the protocol, its session and the subcommands; the
//! feature `board`, the page and its server.

pub mod background_drop;
pub mod bench;
pub mod bits;
pub mod catalog;
#[cfg(feature = "cli")]
pub mod commands;
pub mod control;
pub mod durable;
pub mod engine;
pub mod error;
pub mod escape;
pub mod games;
pub mod lex;
pub mod oracle;
pub mod path;
pub mod pathfinding;
pub mod processor;
#[cfg(feature = "cli")]
pub mod protocol;
pub mod random;
pub mod rules;
pub mod scene;
pub mod search;
#[cfg(feature = "cli")]
pub mod session;
pub mod settings;
pub mod solve;
pub mod try_alloc;
pub mod units;
pub mod value;
#[cfg(feature = "board")]
pub mod web;
