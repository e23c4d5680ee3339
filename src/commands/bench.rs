//! `bench`: a fixed set of searches over all variants, whose number of nodes signs what the searches do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::control::{Budget, Control, Limits, Signals};
use crate::engine::{Report, Settings, Setup, Spanned};
use crate::error::Refusal;
use crate::games::catalog;

/// One search of the set: the variant, the position (the start where it is empty), the options, the depth.
struct Case {
    variant: &'static str,
    fen: &'static str,
    options: &'static [(&'static str, &'static str)],
    depth: u32,
}

const fn case(
    variant: &'static str,
    fen: &'static str,
    options: &'static [(&'static str, &'static str)],
    depth: u32,
) -> Case {
    Case {
        variant,
        fen,
        options,
        depth,
    }
}

/// A new variant adds its line here.
const CASES: &[Case] = &[
    case(
        "aadu-puli",
        "",
        &[("Algorithm", "minimax"), ("Memory", "false")],
        5,
    ),
    case(
        "aadu-puli",
        "",
        &[("Algorithm", "expectimax"), ("Memory", "false")],
        5,
    ),
    case(
        "aadu-puli",
        "",
        &[("Algorithm", "alphabeta"), ("Memory", "false")],
        7,
    ),
    case("aadu-puli", "", &[("Algorithm", "scout")], 8),
    case("aadu-puli", "", &[("Algorithm", "mtdf")], 8),
    case("aadu-puli", "T/2TT2/6/6/4 g 15", &[], 10),
    case("bagh-chal", "", &[], 7),
    case("tic-tac-toe", "", &[("Algorithm", "minimax"), ("Memory", "false")], 6),
    case("tic-tac-toe", "4 4 4 4/4/4/4 x", &[], 7),
    case("tree", "", &[("Algorithm", "alphabeta"), ("Memory", "false")], 4),
];

/// Runs the set, on one thread and with a fixed table, until it is done or stopped: a line a search, and the sum.
///
/// # Errors
/// When a search of the set cannot be set up.
pub fn run(signals: &Arc<Signals>, report: &mut dyn FnMut(Report)) -> Result<(), Refusal> {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for (index, case) in CASES.iter().enumerate() {
        let settings = case.settings()?;
        let mut engine = catalog::build(&settings)?;
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
        let of = format!("{}/{}", index + 1, CASES.len());
        report(Report::Text(format!(
            "bench {of} {} nodes {searched}",
            case.name()
        )));
    }
    let per_second = nodes as f64 / time.as_secs_f64().max(1e-9);
    report(Report::Line(format!("Nodes searched  : {nodes}")));
    report(Report::Line(format!("Nodes/second    : {per_second:.0}")));
    Ok(())
}

impl Case {
    fn settings(&self) -> Result<Settings, Refusal> {
        let mut settings = Settings {
            hash: 16,
            ..Settings::default()
        };
        settings.set("UCI_Variant", Some(self.variant))?;
        for (name, value) in self.options {
            settings.set(name, Some(value))?;
        }
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
        let options: String = self
            .options
            .iter()
            .map(|(_, value)| format!("{value} "))
            .collect();
        format!("{} {options}depth {}", self.variant, self.depth)
    }
}
