//! A `position` command of a variant is carried out and shown as it is read, or rejected without changing the engine.
//! The first line of the input is the name of the variant, the rest is what follows `position`.

#![no_main]

use std::cell::RefCell;
use std::collections::HashMap;

use libfuzzer_sys::{Corpus, fuzz_target};
use puli::catalog;
use puli::engine::{Engine, Setup, LocatedText};
use puli::protocol::{Command, parse};
use puli::settings::Settings;

thread_local! {
    /// The engines of the variants used so far.
    static ENGINES: RefCell<HashMap<&'static str, Box<dyn Engine>>> = RefCell::default();
}

fuzz_target!(|input: &str| -> Corpus {
    let Some((name, text)) = input.split_once('\n') else {
        return Corpus::Reject;
    };
    let Some(variant) = catalog::find(name) else {
        return Corpus::Reject;
    };
    let Ok(Some(Command::Position { setup, moves })) = parse(&format!("position {text}")) else {
        return Corpus::Keep;
    };
    // Random and scrambled positions contain no notation.
    if !matches!(setup, Setup::Start | Setup::Fen(_)) {
        return Corpus::Reject;
    }
    ENGINES.with_borrow_mut(|engines| {
        let engine = engines.entry(variant).or_insert_with(|| build(variant));
        check(engine.as_mut(), &setup, &moves);
    });
    Corpus::Keep
});

fn build(variant: &'static str) -> Box<dyn Engine> {
    let settings = Settings {
        variant,
        hash: 1,
        ..Settings::default()
    };
    catalog::build(&settings).expect("a built-in variant")
}

fn check(engine: &mut dyn Engine, setup: &Setup, moves: &[LocatedText]) {
    let before = engine.fen();
    if engine.set(setup, moves).is_err() {
        assert_eq!(engine.fen(), before);
        return;
    }
    let fen = engine.fen();
    assert!(!engine.draw().is_empty());
    engine.status();
    engine.explain_evaluation();
    let state = engine.state();
    set(engine, &fen, &[]);
    assert_eq!(engine.fen(), fen);
    // The first and the last legal move are read as they are shown.
    for (name, _) in state.moves.first().into_iter().chain(state.moves.last()) {
        set(engine, &fen, &[name]);
        let after = engine.fen();
        set(engine, &after, &[]);
        assert_eq!(engine.fen(), after);
    }
}

/// Sets a position that the engine has shown.
fn set(engine: &mut dyn Engine, fen: &str, moves: &[&str]) {
    let located = |text: &str| LocatedText {
        offset: 0,
        text: text.into(),
    };
    let moves: Vec<_> = moves.iter().copied().map(located).collect();
    engine
        .set(&Setup::Fen(located(fen)), &moves)
        .unwrap_or_else(|error| panic!("{fen} {moves:?}: {error}"));
}
