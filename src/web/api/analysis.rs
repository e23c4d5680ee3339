//! Analysis of a position without an exact value: a search with a limit of nodes and a time limit.
//!
//! Each search has an engine of its own, so the answer does not depend on earlier requests.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::control::{Control, Limits, Signals};
use crate::engine::{Build, Info, Report, Setup};
use crate::error::EngineError;
use crate::protocol::values::{bound, score};
use crate::settings::Settings;
use crate::value::Side;

/// Nodes of a search unless the request gives another number.
pub(super) const DEFAULT_NODES: u64 = 100_000;

/// Maximum number of nodes that a request may give.
pub(super) const MAX_NODES: u64 = 1_000_000;

/// Size of the transposition table of a search, in MiB.
const HASH_MIB: u64 = 16;

/// Maximum memory of a search of a puzzle, in MiB.
const MEMORY_MIB: u64 = 128;

/// A search to run.
pub(super) struct Request {
    pub settings: Settings,
    pub build: Build,
    pub setup: Setup,
    /// The side from whose view the engine reports scores.
    pub view: Side,
    /// Maximum number of nodes.
    pub nodes: u64,
    /// Time limit.
    pub time: Duration,
    /// Stop the search early.
    pub signals: Arc<Signals>,
}

impl Request {
    /// Searches the position. Returns `null` if the search was stopped before it had a result.
    ///
    /// # Errors
    /// If the engine rejects the position or cannot search it.
    pub(super) fn run(self) -> Result<Json, EngineError> {
        let settings = Settings {
            hash: HASH_MIB.min(self.settings.hash),
            memory_limit: MEMORY_MIB.min(self.settings.memory_limit),
            // The search must not wait for a solver.
            solve_limit: 0,
            multi_pv: 1,
            ..self.settings
        };
        let mut engine = (self.build)(&settings)?;
        engine.set(&self.setup, &[])?;
        let limits = Limits {
            nodes: Some(self.nodes),
            movetime: Some(self.time.as_millis() as i64),
            ..Limits::default()
        };
        let budget = limits.budget(engine.status().turn, Duration::ZERO);
        let mut control = Control::new(&limits, budget, self.signals);
        let mut last: Option<Info> = None;
        let mut report = |report: Report| match report {
            Report::Info(info) => last = Some(info),
            Report::Error(error) => log::warn!("{}: {error}", settings.variant),
            _ => {}
        };
        let best = engine.go(&limits, &mut control, &mut report)?;
        Ok(last.map_or(Json::Null, |info| {
            json!({
                "bestmove": best.best,
                "score": score(info.score.seen_by(self.view)),
                "bound": bound(info.bound.seen_by(self.view)),
                "unit": engine.unit(),
                "depth": info.depth,
                "nodes": info.nodes,
                "pv": info.line,
            })
        }))
    }
}

/// Stops a search when the request that waits for it ends early.
pub(super) struct StopOnDrop(pub Arc<Signals>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
