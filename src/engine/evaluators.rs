//! The evaluators of a game: the reference evaluation, the default evaluation of `auto`, and own weights.

use std::path::Path;

use super::own_files;
use crate::error::EngineError;
use crate::rules::Game;
use crate::search::{Evaluator, algorithms};
use crate::settings::Settings;

/// A function that returns the default evaluator for some options, or `None` for the reference
/// evaluator.
pub type DefaultEvaluatorFn<G, T> = fn(&G, &Settings) -> Result<Option<T>, EngineError>;

/// The evaluators of a game.
pub(super) struct Evaluators<G, T> {
    /// The evaluator of the textbook searches.
    pub reference: T,
    /// The reference evaluation with the weights of option `WeightsFile`.
    own: Option<T>,
    /// The evaluator of `auto`, if it is not the reference evaluator.
    pub default: Option<T>,
    /// Creates the default evaluator when options change.
    create: Option<DefaultEvaluatorFn<G, T>>,
}

impl<G: Game, T: Evaluator<G>> Evaluators<G, T> {
    /// Creates the evaluators of `game`.
    ///
    /// # Errors
    /// If a file of the options is unusable.
    pub(super) fn new(
        game: &G,
        reference: T,
        create: Option<DefaultEvaluatorFn<G, T>>,
        settings: &Settings,
    ) -> Result<Self, EngineError> {
        let own = own_evaluator(game, &reference, settings)?;
        let default = create.map_or(Ok(None), |create| create(game, settings))?;
        Ok(Self {
            reference,
            own,
            default,
            create,
        })
    }

    /// Returns the evaluators for other options.
    ///
    /// # Errors
    /// If a file of the options is unusable.
    pub(super) fn with_options(&self, game: &G, settings: &Settings) -> Result<Self, EngineError> {
        Self::new(game, self.reference.clone(), self.create, settings)
    }

    /// Returns the evaluator of the search that the options select.
    pub(super) fn of(&self, settings: &Settings) -> &T {
        if !algorithms::uses_default_evaluator(settings.algorithm) {
            return self.textbook();
        }
        self.default.as_ref().unwrap_or(&self.reference)
    }

    /// Returns the evaluator of the textbook searches and of `pvs`.
    pub(super) fn textbook(&self) -> &T {
        self.own.as_ref().unwrap_or(&self.reference)
    }
}

/// Returns `true` if the files of both options are the same.
pub(super) fn has_same_files(one: &Settings, other: &Settings) -> bool {
    one.eval_file == other.eval_file && one.weights_file == other.weights_file
}

/// Returns the evaluator with the weights of option `WeightsFile`. Returns `None` without a file, and in games without
/// features.
fn own_evaluator<G: Game, T: Evaluator<G>>(
    game: &G,
    reference: &T,
    settings: &Settings,
) -> Result<Option<T>, EngineError> {
    let features = reference.features(game, &game.start());
    if settings.weights_file.is_empty() || features.is_empty() {
        return Ok(None);
    }
    let weights = own_files::read_weights(Path::new(&settings.weights_file), &features)?;
    Ok(reference.with_weights(&weights))
}
