//! Training of networks on labeled positions: logistic regression with hidden layers, by stochastic gradient descent
//! with a step size per weight (Duchi, Hazan and Singer, Adaptive subgradient methods, 2011).
//!
//! During training, the weight of a goat is a sum of factors for the whole tiger configuration and for each tiger's
//! point. The factors generalize to similar configurations, and the finished network stores only their sum.

mod head;
mod layer;

use super::sample::Sample;
use super::tiger_config::TigerConfigs;
use super::{BUCKETS, CAPTURE_BUCKETS, GoatRow, HIDDEN, Network, UNIT_ONE, Weights};
use crate::games::hunt::board::Board;
use crate::games::hunt::position::points_of;
use crate::processor;
use crate::random::Random;
use head::Head;
use layer::Layer;

type Wide = [f32; HIDDEN];

/// A network in training.
#[derive(Clone, Debug)]
pub(crate) struct Learner {
    board: &'static Board,
    tiger_configs: TigerConfigs,
    /// Weights of a goat, by tiger configuration and goat point.
    goats: Layer,
    /// Weights of a goat, by tiger point and goat point.
    pairs: Layer,
    tigers: Layer,
    hands: Layer,
    captures: Layer,
    /// Output heads, by bucket.
    heads: Vec<Head>,
}

impl Learner {
    /// Creates a network with random weights.
    pub(crate) fn new(board: &'static Board, tiger_configs: TigerConfigs, seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let points = board.points;
        Self {
            goats: Layer::new(tiger_configs.count() * points, 0.02, random),
            pairs: Layer::new(points * points, 0.1, random),
            tigers: Layer::new(tiger_configs.count(), 0.1, random),
            hands: Layer::new(board.goats as usize + 1, 0.2, random),
            captures: Layer::new(CAPTURE_BUCKETS, 0.2, random),
            // All heads start with equal weights, so that units have the same meaning in each.
            heads: vec![Head::new(random); BUCKETS],
            board,
            tiger_configs,
        }
    }

    /// Resumes training of a finished network. The factors of single tigers start at 0, since `goats` already
    /// contains them.
    pub(crate) fn of(network: &Network) -> Self {
        let Weights {
            goats,
            tiger_configs,
            hands,
            captures,
            heads,
        } = &network.weights;
        let one = f32::from(UNIT_ONE);
        let points = network.board.points;
        Self {
            goats: Layer::from_rounded(goats, one),
            pairs: Layer::of(vec![[0.0; HIDDEN]; points * points]),
            tigers: Layer::from_rounded(tiger_configs, one),
            hands: Layer::from_rounded(hands, one),
            captures: Layer::from_rounded(captures, one),
            heads: heads.iter().map(Head::of).collect(),
            board: network.board,
            tiger_configs: network.tiger_configs.clone(),
        }
    }

    #[inline(always)]
    fn units(&self, sample: &Sample) -> Wide {
        let mut units = [0.0; HIDDEN];
        let (points, config) = (self.board.points, usize::from(sample.tiger_config));
        self.tigers.add_to(config, &mut units);
        self.hands.add_to(sample.hand.into(), &mut units);
        self.captures.add_to(sample.captured.into(), &mut units);
        let tigers = self.tiger_configs.tigers(config);
        for goat in points_of(sample.goats) {
            self.goats.add_to(config * points + goat, &mut units);
            for tiger in points_of(tigers) {
                self.pairs.add_to(tiger * points + goat, &mut units);
            }
        }
        units
    }

    /// Trains on `samples` in order and returns the sum of their losses before each step, as defined by
    /// [`Learner::loss`].
    ///
    /// A `rate` of 0 changes no weight but updates the step sizes.
    pub(crate) fn train(&mut self, samples: &[Sample], rate: f32) -> f64 {
        processor::run(
            #[inline(always)]
            || {
                let losses = samples.iter().map(|sample| self.train_one(sample, rate));
                losses.sum()
            },
        )
    }

    #[inline(always)]
    fn train_one(&mut self, sample: &Sample, rate: f32) -> f64 {
        let units = self.units(sample);
        let head = &mut self.heads[usize::from(sample.bucket)];
        let activations = head.forward(&units);
        let chance = activations.chance();
        let inward = head.train(&activations, chance - target(sample), rate);
        let (points, config) = (self.board.points, usize::from(sample.tiger_config));
        self.tigers.train(config, &inward, rate);
        self.hands.train(sample.hand.into(), &inward, rate);
        self.captures.train(sample.captured.into(), &inward, rate);
        let tigers = self.tiger_configs.tigers(config);
        for goat in points_of(sample.goats) {
            self.goats.train(config * points + goat, &inward, rate);
            for tiger in points_of(tigers) {
                self.pairs.train(tiger * points + goat, &inward, rate);
            }
        }
        loss(chance, sample)
    }

    /// Returns the sum of the losses over `samples`.
    ///
    /// The loss of a sample is its cross-entropy in nats, minus the entropy of its label. A draw predicted at
    /// probability 1/2 has loss 0.
    pub(crate) fn loss(&self, samples: &[Sample]) -> f64 {
        let losses = samples.iter().map(|sample| {
            let head = &self.heads[usize::from(sample.bucket)];
            loss(head.forward(&self.units(sample)).chance(), sample)
        });
        losses.sum()
    }

    /// Returns the network with rounded weights.
    pub(crate) fn network(&self, command: String) -> Network {
        let points = self.board.points;
        let goat = |row: usize| -> GoatRow {
            let (config, goat) = (row / points, row % points);
            let mut sum = self.goats.rows[row];
            for tiger in points_of(self.tiger_configs.tigers(config)) {
                self.pairs.add_to(tiger * points + goat, &mut sum);
            }
            // `as` saturates at the bounds of `i8`.
            sum.map(|weight| (weight * f32::from(UNIT_ONE)).round() as i8)
        };
        let weights = Weights {
            goats: (0..self.goats.rows.len()).map(goat).collect(),
            tiger_configs: self.tigers.rounded(UNIT_ONE.into()),
            hands: self.hands.rounded(UNIT_ONE.into()),
            captures: self.captures.rounded(UNIT_ONE.into()),
            heads: self.heads.iter().map(Head::rounded).collect(),
        };
        Network::new(self.board, self.tiger_configs.clone(), command, weights)
    }
}

/// Returns the target probability of a win of the goats.
fn target(sample: &Sample) -> f32 {
    f32::from(sample.verdict) / 2.0
}

/// Returns the loss of a sample in nats for the predicted probability `chance`.
pub(super) fn loss(chance: f32, sample: &Sample) -> f64 {
    let (chance, target) = (
        f64::from(chance).clamp(1e-9, 1.0 - 1e-9),
        f64::from(target(sample)),
    );
    let entropy = if sample.verdict == 1 {
        std::f64::consts::LN_2
    } else {
        0.0
    };
    -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln()) - entropy
}
