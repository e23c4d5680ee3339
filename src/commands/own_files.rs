//! The options `--weights` and `--estimate-table`: files of own weights and own estimates.

use std::path::PathBuf;

use crate::catalog;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::settings::Settings;

/// The files of a search.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct OwnFiles {
    /// Games: evaluate with the weights of <FILE>, except in auto. A line is the name of a feature and its weight, as
    /// 'puli features GAME --format weights' prints them. Other features keep their weights. '#' starts a comment
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Puzzles: add the heuristic own, with the estimates of <FILE>. A line is a position as in --fen and a number of
    /// moves. Other positions have the estimate 0. '#' starts a comment
    #[arg(long, value_name = "FILE")]
    estimate_table: Option<PathBuf>,
}

impl OwnFiles {
    /// Returns `true` if there are own estimates.
    pub(super) fn has_estimates(&self) -> bool {
        self.estimate_table.is_some()
    }

    /// Adds the files to `settings`. Returns the engine for them.
    ///
    /// # Errors
    /// If a file is unusable, or if the game has no use for it.
    pub(super) fn build(&self, settings: &mut Settings) -> Result<Box<dyn Engine>, EngineError> {
        let text = |path: &Option<PathBuf>| {
            let path = path
                .as_ref()
                .map(|path| path.to_string_lossy().into_owned());
            path.unwrap_or_default()
        };
        settings.weights_file = text(&self.weights);
        settings.estimate_file = text(&self.estimate_table);
        let engine = catalog::build(settings).map_err(|error| named(&error))?;
        let variant = settings.variant;
        if self.weights.is_some() && engine.features().is_empty() {
            let why = format!("--weights: {variant} has no features; see 'puli features'");
            return Err(EngineError::new(why));
        }
        if self.estimate_table.is_some() && !engine.is_puzzle() {
            let why = format!("--estimate-table: requires a puzzle, which {variant} is not");
            return Err(EngineError::new(why));
        }
        Ok(engine)
    }
}

/// Names the option of the command line in place of the option of the protocol.
fn named(error: &EngineError) -> EngineError {
    let text = error.to_string();
    let options = [
        ("WeightsFile:", "--weights:"),
        ("EstimateFile:", "--estimate-table:"),
    ];
    let found = options.iter().find_map(|(option, flag)| {
        let rest = text.strip_prefix(option)?;
        Some(EngineError::new(format!("{flag}{rest}")))
    });
    found.unwrap_or_else(|| error.clone())
}
