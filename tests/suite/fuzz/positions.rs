//! Fuzz tests of parsers. Every line and position is parsed or rejected with the column of the error. A parsed
//! position is printed and parsed again without a change.

use puli::catalog;
use puli::engine::{LocatedText, Setup};
use puli::protocol::parse;
use puli::settings::Settings;

use super::mutation::{mutated, nearly_valid_line, valid_line};
use super::run_cases;

fn fen(text: &str) -> Setup {
    Setup::Fen(LocatedText {
        offset: 0,
        text: text.into(),
    })
}

#[test]
fn every_line_is_parsed_or_rejected_with_column() {
    run_cases(20_000, |random| {
        let line = nearly_valid_line(random);
        if let Err(error) = parse(&line) {
            assert!(error.offset <= line.len(), "{line:?}: {error}");
        }
    });
}

#[test]
fn every_position_round_trips_or_is_rejected() {
    let engines = catalog::names().map(|variant| {
        let settings = Settings {
            variant,
            ..Settings::default()
        };
        std::cell::RefCell::new(catalog::build(&settings).expect("an engine"))
    });
    let engines: Vec<_> = engines.collect();
    run_cases(2_000, |random| {
        let line = valid_line(random);
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
                let printed = engine.fen();
                engine
                    .set(&fen(&printed), &[])
                    .expect("the printed position");
                assert_eq!(engine.fen(), printed, "{text:?}");
                assert!(!engine.draw().is_empty());
                engine.state();
                engine.status();
            } else {
                assert_eq!(engine.fen(), before, "{text:?}");
            }
        }
    });
}
