//! A fake engine. The FEN sets its behavior: searches end at once, never end, or panic.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crate::catalog;
use crate::control::{Control, Limits};
use crate::engine::state::State;
use crate::engine::{BestMove, Child, Engine, GameStatus, Info, LocatedText, Report, Setup};
use crate::error::EngineError;
use crate::settings::Settings;
use crate::value::{Bound, Score, Side};

/// Behaviors of the fake engine.
const BEHAVIOURS: [&str; 6] = ["quick", "endless", "panic", "refuse", "deaf", "slow"];

/// A game in which `position fen` sets the behavior of the next search or command: end at once, never end, or
/// ignore signals until [`RELEASED`].
struct FakeEngine {
    behavior: String,
    number: u64,
}

/// Releases searches and commands that ignore signals, by the number of the test session.
static RELEASED: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

pub(crate) fn let_go(number: u64) {
    RELEASED.lock().expect("no panic").insert(number);
}

fn wait_until_let_go(number: u64) {
    while !RELEASED.lock().expect("no panic").contains(&number) {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Creates an engine whose searches end at once.
pub(crate) fn fake_engine(settings: &Settings) -> Result<Box<dyn Engine>, EngineError> {
    if settings.eval_file.ends_with("gone") {
        return Err(EngineError::new("there is no file 'gone'"));
    }
    if settings.threads == 7 {
        return Err(EngineError::new("not with seven threads"));
    }
    Ok(Box::new(FakeEngine {
        behavior: "quick".into(),
        number: 0,
    }))
}

impl Engine for FakeEngine {
    fn set(&mut self, setup: &Setup, _moves: &[LocatedText]) -> Result<(), EngineError> {
        self.behavior = match setup {
            Setup::Fen(fen) if BEHAVIOURS.contains(&fen.text.as_str()) => fen.text.clone(),
            Setup::Start => "quick".into(),
            _ => return Err(EngineError::new("no such behaviour")),
        };
        Ok(())
    }

    fn configure(&mut self, settings: &Settings) -> Result<(), EngineError> {
        self.number = settings.seed;
        if self.behavior == "slow" {
            wait_until_let_go(self.number);
        }
        if settings.hash > 1000 {
            return Err(EngineError::new("that much memory cannot be had"));
        }
        Ok(())
    }

    fn clear(&mut self) {}

    fn children(&self) -> Vec<Child> {
        Vec::new()
    }

    fn status(&self) -> GameStatus {
        GameStatus {
            turn: Side::P1,
            outcome: None,
        }
    }

    fn go(
        &mut self,
        limits: &Limits,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<BestMove, EngineError> {
        match self.behavior.as_str() {
            "refuse" => return Err(EngineError::new("not today")),
            "panic" => panic!("on purpose"),
            "endless" => while control.poll().is_ok() {},
            "deaf" => {
                report(Report::Info(Info {
                    leaves: Some(5),
                    fallback: Some(a_choice()),
                    ..an_info(2)
                }));
                wait_until_let_go(self.number);
            }
            _ => {}
        }
        report(Report::Debug("a detail".into()));
        report(Report::Info(an_info(limits.mate.unwrap_or(1))));
        Ok(a_choice())
    }

    fn perft(&mut self, depth: u32, _control: &mut Control, report: &mut dyn FnMut(Report)) {
        report(Report::AllLeaves(depth.into()));
    }

    fn state(&self) -> State {
        let real = catalog::build(&Settings::default());
        real.expect("the default variant").state()
    }

    fn draw(&self) -> Vec<String> {
        vec![format!("Fen: {}", self.behavior)]
    }

    fn explain_evaluation(&self) -> Vec<String> {
        Vec::new()
    }

    fn fen(&self) -> String {
        self.behavior.clone()
    }
}

fn an_info(plies: u32) -> Info {
    Info {
        depth: 1,
        seldepth: 1,
        multipv: None,
        score: Score::Win(Side::P1, plies),
        bound: Bound::Exact,
        nodes: 1,
        leaves: None,
        hashfull: 0,
        table_hits: None,
        time: Duration::from_secs(1),
        line: vec!["m".into()],
        fallback: None,
    }
}

fn a_choice() -> BestMove {
    BestMove {
        best: Some("m".into()),
        ponder: Some("n".into()),
    }
}
