//! Whatever is called a line or a position is read, or refused with a place in it; what was read is shown as it is read.

use puli::catalog;
use puli::engine::{Setup, Spanned};
use puli::protocol::parse;
use puli::settings::Settings;

use super::every_case;
use super::mutation::{half_right, mutated, right};

fn fen(text: &str) -> Setup {
    Setup::Fen(Spanned {
        offset: 0,
        text: text.into(),
    })
}

#[test]
fn every_line_is_read_or_refused_at_a_place_in_it() {
    every_case(20_000, |random| {
        let line = half_right(random);
        if let Err(misread) = parse(&line) {
            assert!(misread.offset <= line.len(), "{line:?}: {misread}");
        }
    });
}

#[test]
fn every_position_is_read_and_shown_alike_or_refused_and_nothing_changes() {
    let engines = catalog::names().map(|variant| {
        let settings = Settings {
            variant,
            ..Settings::default()
        };
        std::cell::RefCell::new(catalog::build(&settings).expect("an engine"))
    });
    let engines: Vec<_> = engines.collect();
    every_case(2_000, |random| {
        let line = right(random);
        let text = line.strip_prefix("position fen ").unwrap_or("");
        let text = text.split(" moves").next().unwrap_or("");
        let mut text = text.to_string();
        for engine in &engines {
            let mut engine = engine.borrow_mut();
            if random.bool() {
                text = engine.fen();
            }
            for _ in 0..random.usize(..4) {
                text = mutated(&text, random);
            }
            let before = engine.fen();
            if engine.set(&fen(&text), &[]).is_ok() {
                let shown = engine.fen();
                engine.set(&fen(&shown), &[]).expect("what was shown");
                assert_eq!(engine.fen(), shown, "{text:?}");
                assert!(!engine.draw().is_empty());
                engine.state();
                engine.status();
            } else {
                assert_eq!(engine.fen(), before, "{text:?}");
            }
        }
    });
}
