//! A training, new or resumed: the learning network, its options, and its two files, the network and the checkpoint.

use std::io::Write;
use std::sync::Arc;

use serde_json::json;

use super::{Args, DEFAULT_SEED, Format, as_record, checkpoint_path, scores};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::twenty48::board::BASE_LEARNED_POWER;
use crate::games::twenty48::network::file::{self, FileKind, Origin};
use crate::games::twenty48::network::learner::Learner;
use crate::games::twenty48::network::options::TrainingOptions;
use crate::games::twenty48::network::training;
use crate::games::twenty48::network::tuples::TupleShape;
use crate::games::twenty48::network::{CompressionEffort, Network};
use crate::settings::name_of;

/// A training.
pub(crate) struct TrainingRun<S> {
    /// The learning network, shared by all threads.
    pub learner: Arc<Learner<S>>,
    /// The data about the training for the files: its commands, the seed, and the numbers of games and moves.
    pub origin: Origin,
    /// The training options, including the goal: the total number of games.
    pub options: TrainingOptions,
}

impl<S: TupleShape> TrainingRun<S> {
    /// Starts a new training.
    ///
    /// # Errors
    /// If the network file or its checkpoint exists, if neither games nor minutes are given, or if memory is short.
    pub(super) fn start(args: &Args) -> Result<Self, EngineError> {
        if args.games.is_none() && args.minutes.is_none() {
            return Err(EngineError::new("expected --games or --minutes"));
        }
        let checkpoint = checkpoint_path(&args.out);
        if checkpoint.exists() {
            let (path, out) = (path_name(&checkpoint), path_name(&args.out));
            return Err(EngineError::new(format!(
                "{path} exists: resume it with --resume, or remove it to start {out} again"
            )));
        }
        if args.out.exists() {
            let out = path_name(&args.out);
            return Err(EngineError::new(format!(
                "{out} exists without a checkpoint: remove it, or choose another file with --out"
            )));
        }
        let seed = args.seed.unwrap_or(DEFAULT_SEED);
        let options = args.options(TrainingOptions {
            goal: args.games,
            ..args.default_options()
        });
        Ok(Self {
            learner: Arc::new(Learner::with_initial_value(args.optimism)?),
            origin: Origin {
                tuples: S::NAME,
                command: args.recipe(S::NAME, seed, &options),
                seed,
                games: 0,
                moves: 0,
            },
            options,
        })
    }

    /// Resumes a training from its checkpoint, with its seed and the options not given. The training continues
    /// for the given games or minutes, otherwise to its goal.
    ///
    /// # Errors
    /// If the checkpoint is missing or damaged, if other tuples or another seed are given, or if there is no goal and
    /// neither games nor minutes are given.
    pub(crate) fn resume(args: &Args) -> Result<Self, EngineError> {
        let path = checkpoint_path(&args.out);
        let rejected =
            |error: &str| EngineError::new(format!("cannot resume {}: {error}", path_name(&path)));
        if args.out.exists() {
            // Reject a file that is no network, because it would be replaced.
            file::tuples(&args.out, FileKind::Network)?;
        }
        let bytes = file::read(&path, FileKind::Training)?;
        let opened = file::open(&bytes, FileKind::Training).map_err(|error| rejected(&error))?;
        let mut origin = opened.origin;
        if origin.tuples != S::NAME {
            let name = name_of(&origin.tuples);
            let option = args.preset.map_or("--tuples", |_| "--preset");
            return Err(rejected(&format!(
                "its tuples are {name}: {option} must match"
            )));
        }
        if args.seed.is_some_and(|seed| seed != origin.seed) {
            let seed = origin.seed;
            return Err(rejected(&format!("its seed is {seed}: --seed must match")));
        }
        let (before, body) =
            TrainingOptions::split_from(opened.body, opened.version, args.default_options())
                .map_err(|error| rejected(&error))?;
        if !TrainingOptions::is_complete(opened.version) {
            let (lambda, restarts) = (before.lambda, before.restarts);
            log::warn!(
                "{} is of an older version and does not contain all options: using --lambda {lambda} and --restarts {restarts} \
                 unless given",
                path_name(&path)
            );
        }
        if opened.version < file::FIRST_EXTENDED_VERSION
            && S::MAX_LEARNED_POWER > BASE_LEARNED_POWER
        {
            log::warn!(
                "{} is of an older version without weights for tiles above 8192: they start untrained",
                path_name(&path)
            );
        }
        let mut options = args.options(before);
        let is_longer = args.games.is_some() || args.minutes.is_some();
        if is_longer || options != before {
            let recipe = args.recipe(origin.tuples, origin.seed, &options);
            origin.command = cut_in_middle(&format!("{}; {recipe}", origin.command));
        }
        if is_longer {
            // A goal that is already reached does not limit this run.
            let remaining_goal = before.goal.filter(|&goal| goal > origin.games);
            let given = args.games.map(|games| origin.games.saturating_add(games));
            options.goal = given.or(remaining_goal);
        } else if options.goal.is_none() {
            return Err(rejected(
                "expected --games or --minutes, because the training has no total number of games",
            ));
        }
        let learner = Learner::from_bytes(body).map_err(|error| rejected(&error.0))?;
        Ok(Self {
            learner: Arc::new(learner),
            origin,
            options,
        })
    }

    /// Writes the checkpoint and the network, compressed with `effort`.
    pub(super) fn save(&self, args: &Args, effort: CompressionEffort) -> Result<(), EngineError> {
        let options = self.options.to_bytes();
        let length = options.len() as u64 + Learner::<S>::length();
        let path = checkpoint_path(&args.out);
        file::write(&path, FileKind::Training, &self.origin, length, |out| {
            out.write_all(&options)?;
            self.learner.write(out)
        })?;
        let weights = self.learner.weights(self.options.prune);
        Network::new(self.origin.clone(), self.options.step, weights).save(&args.out, effort)
    }

    /// Tests the network in `--test-games` games without learning and returns a line about them, or an empty text
    /// for 0 games.
    pub(crate) fn test_report(&self, args: &Args) -> String {
        if args.test_games == 0 {
            return String::new();
        }
        // The test games use another seed than the training games: 0, or 1 if the training has seed 0.
        let seed = u64::from(self.origin.seed == 0);
        let results = training::evaluate_network(&self.learner, seed, args.test_games);
        let games = self.origin.games;
        match args.format {
            Format::Text => format!(
                "{games} games: {} in {} test games of seed {seed}\n",
                scores(&results),
                results.games
            ),
            Format::Json => {
                let mut held_out = as_record(&results);
                held_out["seed"] = json!(seed);
                format!("{}\n", json!({"games": games, "held_out": held_out}))
            }
        }
    }
}

/// Returns the commands of all runs, cut in the middle to the maximum length in the file.
fn cut_in_middle(commands: &str) -> String {
    const GAP: &str = " … ";
    let half = (file::MAX_COMMAND_BYTES - GAP.len()) / 2;
    if commands.len() <= file::MAX_COMMAND_BYTES {
        return commands.to_string();
    }
    let is_boundary = |at: &usize| commands.is_char_boundary(*at);
    let first = (0..=half).rev().find(is_boundary).unwrap_or_default();
    let last = (commands.len() - half..commands.len()).find(is_boundary);
    let last = last.unwrap_or(commands.len());
    format!("{}{GAP}{}", &commands[..first], &commands[last..])
}
