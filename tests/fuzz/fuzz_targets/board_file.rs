//! A board file is rejected with a place for each error, or its game can be built, drawn and set up.

#![no_main]

use std::cell::Cell;

use libfuzzer_sys::fuzz_target;
use puli::catalog;
use puli::engine::{Setup, LocatedText};
use puli::games::hunt::spec::BoardSpec;
use puli::settings::{BoardFile, Settings};

/// Maximum number of boards that one process derives. A board is kept until the process exits.
const MAX_BOARDS: usize = 5000;

/// Maximum number of moves to try at the start. A first turn that drops several pieces has thousands.
const MAX_MOVES: usize = 100;

thread_local! {
    static BOARD_COUNT: Cell<usize> = const { Cell::new(0) };
}

fuzz_target!(|text: &str| {
    let spec = match BoardSpec::read(text) {
        Ok(spec) => spec,
        Err(errors) => {
            assert!(errors.iter().count() > 0);
            for error in errors.iter() {
                assert!(error.line <= text.lines().count(), "{error}");
            }
            return;
        }
    };
    spec.warnings();
    BOARD_COUNT.set(BOARD_COUNT.get() + 1);
    if BOARD_COUNT.get() > MAX_BOARDS {
        return;
    }
    let Ok(board) = catalog::read_board(text) else {
        return;
    };
    let settings = Settings {
        variant: &board.name,
        boards: vec![BoardFile {
            game: &board.name,
            text: text.into(),
        }],
        hash: 1,
        ..Settings::default()
    };
    let mut engine = catalog::build(&settings).expect("a valid board");
    let fen = engine.fen();
    assert!(!engine.draw().is_empty());
    engine.explain_evaluation();
    let state = engine.state();
    let start = Setup::Fen(LocatedText {
        offset: 0,
        text: fen.clone(),
    });
    for (name, _) in state.moves.iter().take(MAX_MOVES) {
        let m = LocatedText {
            offset: 0,
            text: name.clone(),
        };
        engine.set(&start, &[m]).expect("a legal move");
    }
    engine.set(&start, &[]).expect("the start position");
    assert_eq!(engine.fen(), fen);
});
