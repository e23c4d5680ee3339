//! A network that learns, from its first game or from where it stopped, and the files that it is kept in.

use std::io::Write;
use std::sync::Arc;

use serde_json::json;

use super::{Args, FIRST_SEED, Format, as_record, checkpoint, scores};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::twenty48::board::FAMILIAR;
use crate::games::twenty48::network::file::{self, FileKind, Origin};
use crate::games::twenty48::network::learner::Learner;
use crate::games::twenty48::network::options::TrainingOptions;
use crate::games::twenty48::network::training;
use crate::games::twenty48::network::tuples::TupleShape;
use crate::games::twenty48::network::{CompressionEffort, Network};
use crate::settings::name_of;

/// A network that learns.
pub struct TrainingRun<S> {
    pub learner: Arc<Learner<S>>,
    pub origin: Origin,
    /// How it is taught, and how far.
    pub options: TrainingOptions,
}

impl<S: TupleShape> TrainingRun<S> {
    /// A new training.
    pub fn opened(args: &Args) -> Result<Self, EngineError> {
        if args.games.is_none() && args.minutes.is_none() {
            return Err(EngineError::new(
                "expected --games or --minutes: how long to train",
            ));
        }
        let checkpoint = checkpoint(&args.out);
        if checkpoint.exists() {
            let (path, out) = (path_name(&checkpoint), path_name(&args.out));
            return Err(EngineError::new(format!(
                "{path} exists: --resume goes on with it; remove it to begin {out} anew"
            )));
        }
        if args.out.exists() {
            let out = path_name(&args.out);
            return Err(EngineError::new(format!(
                "{out} exists, and no training to go on with: remove it, or give --out another name"
            )));
        }
        let seed = args.seed.unwrap_or(FIRST_SEED);
        let options = args.options(TrainingOptions {
            goal: args.games,
            ..args.usual_plan()
        });
        Ok(Self {
            learner: Arc::new(Learner::expecting(args.optimism)?),
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

    /// A training where it stopped, with the seed it had, to be taught as it was but for what is asked for now: to the goal it
    /// had, or by as much as is asked for now.
    pub fn resumed(args: &Args) -> Result<Self, EngineError> {
        let path = checkpoint(&args.out);
        let refuse =
            |why: &str| EngineError::new(format!("cannot go on with {}: {why}", path_name(&path)));
        if args.out.exists() {
            // What lies there is replaced only if it is a network.
            file::tuples(&args.out, FileKind::Network)?;
        }
        let bytes = file::read(&path, FileKind::Training)?;
        let opened = file::open(&bytes, FileKind::Training).map_err(|why| refuse(&why))?;
        let mut origin = opened.origin;
        if origin.tuples != S::NAME {
            let name = name_of(&origin.tuples);
            let option = args.preset.map_or("--tuples", |_| "--preset");
            return Err(refuse(&format!("its tuples are {name}; {option} must fit")));
        }
        if args.seed.is_some_and(|seed| seed != origin.seed) {
            let seed = origin.seed;
            return Err(refuse(&format!("its seed is {seed}; --seed must fit")));
        }
        let (before, body) =
            TrainingOptions::split_from(opened.body, opened.version, args.usual_plan())
                .map_err(|why| refuse(&why))?;
        if !TrainingOptions::is_whole(opened.version) {
            let (lambda, restarts) = (before.lambda, before.restarts);
            log::warn!(
                "{} is of an older Puli and does not tell how the training was begun: λ is {lambda} and restarts {restarts} where \
                 --lambda and --restarts do not say otherwise",
                path_name(&path)
            );
        }
        if opened.version < file::KNOWING && S::KNOWN > FAMILIAR {
            log::warn!(
                "{} is of an older Puli, which did not learn of tiles beyond 8192: it begins to here",
                path_name(&path)
            );
        }
        let mut options = args.options(before);
        let is_longer = args.games.is_some() || args.minutes.is_some();
        if is_longer || options != before {
            let recipe = args.recipe(origin.tuples, origin.seed, &options);
            origin.command = shortened(&format!("{}; {recipe}", origin.command));
        }
        if is_longer {
            // A goal that was reached bounds nothing any more.
            let ahead = before.goal.filter(|&goal| goal > origin.games);
            let asked = args.games.map(|games| origin.games.saturating_add(games));
            options.goal = asked.or(ahead);
        } else if options.goal.is_none() {
            return Err(refuse(
                "expected --games or --minutes: it has no number of games to reach",
            ));
        }
        let learner = Learner::resumed(body).map_err(|refusal| refuse(&refusal.0))?;
        Ok(Self {
            learner: Arc::new(learner),
            origin,
            options,
        })
    }

    pub fn save(&self, args: &Args, effort: CompressionEffort) -> Result<(), EngineError> {
        let options = self.options.to_bytes();
        let length = options.len() as u64 + Learner::<S>::length();
        let path = checkpoint(&args.out);
        file::write(&path, FileKind::Training, &self.origin, length, |out| {
            out.write_all(&options)?;
            self.learner.write(out)
        })?;
        let weights = self.learner.weights(self.options.prune);
        Network::new(self.origin.clone(), self.options.step, weights).save(&args.out, effort)
    }

    /// A line on how good the network is in games that it has not learned from; nothing if none are wanted.
    pub fn examined(&self, args: &Args) -> String {
        if args.examine == 0 {
            return String::new();
        }
        let seed = u64::from(self.origin.seed == 0);
        let results = training::evaluate_network(&self.learner, seed, args.examine);
        let games = self.origin.games;
        match args.format {
            Format::Text => format!(
                "{games} games: {}, in {} games of seed {seed} without learning\n",
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

/// The commands that made a network, as far as its file has room for them: the first and the last.
fn shortened(commands: &str) -> String {
    const GAP: &str = " … ";
    let half = (file::MAX_TEXT_BYTES - GAP.len()) / 2;
    if commands.len() <= file::MAX_TEXT_BYTES {
        return commands.to_string();
    }
    let is_boundary = |at: &usize| commands.is_char_boundary(*at);
    let first = (0..=half).rev().find(is_boundary).unwrap_or_default();
    let last = (commands.len() - half..commands.len()).find(is_boundary);
    let last = last.unwrap_or(commands.len());
    format!("{}{GAP}{}", &commands[..first], &commands[last..])
}
