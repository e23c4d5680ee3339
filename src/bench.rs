//! `bench`: a fixed set of searches over all variants, whose number of nodes signs what the searches do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::control::{Budget, Control, Limits, Signals};
use crate::engine::{Build, Report, Setup, Spanned};
use crate::error::Refusal;
use crate::settings::Settings;

/// One search of the set.
struct Case {
    variant: &'static str,
    /// The start position where it is empty.
    fen: &'static str,
    algorithm: &'static str,
    depth: u32,
}

const fn case(
    variant: &'static str,
    fen: &'static str,
    algorithm: &'static str,
    depth: u32,
) -> Case {
    Case {
        variant,
        fen,
        algorithm,
        depth,
    }
}

/// The set. A new variant adds its line here.
const CASES: &[Case] = &[
    case("aadu-puli", "", "minimax", 5),
    case("aadu-puli", "", "expectimax", 5),
    case("aadu-puli", "", "alphabeta", 7),
    case("aadu-puli", "", "scout", 8),
    case("aadu-puli", "", "mtdf", 8),
    case("aadu-puli", "", "auto", 10),
    case("bagh-chal", "", "auto", 7),
    case("tic-tac-toe", "", "minimax", 6),
    case("tic-tac-toe", "4 4 4 4/4/4/4 x", "auto", 7),
    case("tree", "", "alphabeta", 4),
    case("2048", "0,0,0/0,0,0 t 0", "expectimax", 32),
    case("2048", CROWDED, "auto", 6),
    case("2048", CROWDED, "alphabeta", 6),
];

/// 2048 in the middle of a game.
const CROWDED: &str = "2,4,8,16/4,32,64,128/0,0,256,2/0,0,0,4 p 3000";

/// Runs the set, on one thread and with a fixed table, until it is done or stopped: a line a search, and the sum.
///
/// # Errors
/// When a search of the set cannot be set up.
pub fn run(
    build: Build,
    signals: &Arc<Signals>,
    report: &mut dyn FnMut(Report),
) -> Result<(), Refusal> {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for (index, case) in CASES.iter().enumerate() {
        let settings = case.settings()?;
        let mut engine = build(&settings)?;
        engine.set(&case.setup(), &[])?;
        let limits = Limits::depth(case.depth);
        let mut control = Control::new(&limits, Budget::default(), Arc::clone(signals));
        let start = Instant::now();
        let mut searched = 0;
        engine.go(&limits, &mut control, &mut |said| {
            if let Report::Info(info) = said {
                searched = info.nodes;
            }
        })?;
        if signals.is_stopped() {
            return Err(Refusal::new("the bench was stopped before its end"));
        }
        time += start.elapsed();
        nodes += searched;
        report(Report::Benched(
            index + 1,
            CASES.len(),
            case.name(),
            searched,
        ));
    }
    report(Report::AllBenched(nodes, time));
    Ok(())
}

impl Case {
    fn settings(&self) -> Result<Settings, Refusal> {
        let mut settings = Settings {
            hash: 16,
            ..Settings::default()
        };
        settings.set("UCI_Variant", Some(self.variant))?;
        settings.set("Algorithm", Some(self.algorithm))?;
        Ok(settings)
    }

    fn setup(&self) -> Setup {
        if self.fen.is_empty() {
            return Setup::Start;
        }
        Setup::Fen(Spanned {
            offset: 0,
            text: self.fen.to_string(),
        })
    }

    fn name(&self) -> String {
        format!("{} {} depth {}", self.variant, self.algorithm, self.depth)
    }
}
