//! Training of networks on labeled positions.
//!
//! The network predicts the probability that the goats win. The loss is the cross-entropy with the label; a draw has
//! the label 1/2. Training is stochastic gradient descent with Adagrad, which has a step size per weight (Duchi, Hazan
//! and Singer, Adaptive subgradient methods, 2011).
//!
//! In training, the row of a goat is a sum of rows: one for the pair of tiger configuration and goat point
//! (`goats`), and one for each pair of tiger point and goat point (`pairs`). Many tiger configurations share the
//! rows of `pairs`, which helps for rare configurations. A penalty keeps the rows of `goats` small, and makes most of
//! their weights 0 if it is large; the network file stores them separately.

mod head;
mod layer;

use std::array::from_fn;

use super::sample::Sample;
use super::tiger_config::TigerConfigs;
use super::weights::{Buckets, MAX_UNITS, Weights};
use super::{AnyWeights, Network, UNIT_ONE, add, with_weights};
use crate::games::hunt::board::Board;
use crate::games::hunt::position::points_of;
use crate::processor;
use crate::random::Random;
use head::Head;
use layer::Layer;

/// A network in training, with `UNITS` first-layer units.
#[derive(Clone, Debug)]
pub(crate) struct Learner<const UNITS: usize> {
    board: &'static Board,
    tiger_configs: TigerConfigs,
    options: LearningOptions,
    /// Rows of a goat for the tiger configuration and the goat's point.
    goats: Layer<UNITS>,
    /// Rows of a goat for the point of one tiger and the goat's point.
    pairs: Layer<UNITS>,
    /// Rows of the tiger configurations.
    tigers: Layer<UNITS>,
    /// Rows of the numbers of goats in hand.
    hands: Layer<UNITS>,
    /// Rows of the capture buckets.
    captures: Layer<UNITS>,
    /// Head of each output bucket.
    heads: Vec<Head<UNITS>>,
}

/// Options of the training that make the network file smaller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LearningOptions {
    /// Penalty per unit of absolute weight in the rows that a tiger configuration adds to those of the pairs.
    pub(crate) sparsity: f32,
    /// The step to which these rows are rounded, in stored numbers.
    pub(crate) step: i16,
}

/// A network in training, whatever its number of units.
pub(crate) trait Trainer {
    /// Takes one gradient step for each of `samples`, in order, with the learning rate `rate`. Returns the sum of
    /// their losses ([`Trainer::loss`]) before the steps.
    ///
    /// A `rate` of 0 changes no weight, but Adagrad still records the gradients, which affect later step
    /// sizes.
    fn train(&mut self, samples: &[Sample], rate: f32) -> f64;

    /// Returns the sum of the losses of `samples`, without training.
    ///
    /// The loss of a sample is its cross-entropy in nats, minus the entropy of its label. So a perfect prediction has
    /// loss 0, even for draws (label 1/2).
    fn loss(&self, samples: &[Sample]) -> f64;

    /// Returns the trained network, with all weights rounded to integers.
    fn network(&self, recipe: String) -> Network;
}

/// Starts the training of a network with random weights and `units` first-layer units, one of [`UNIT_COUNTS`].
pub(crate) fn start(
    board: &'static Board,
    tiger_configs: TigerConfigs,
    units: usize,
    options: LearningOptions,
    seed: u64,
) -> Box<dyn Trainer> {
    match units {
        32 => Box::new(Learner::<32>::new(board, tiger_configs, options, seed)),
        64 => Box::new(Learner::<64>::new(board, tiger_configs, options, seed)),
        _ => Box::new(Learner::<MAX_UNITS>::new(
            board,
            tiger_configs,
            options,
            seed,
        )),
    }
}

/// Continues the training of a finished network.
pub(crate) fn resume(network: &Network, options: LearningOptions) -> Box<dyn Trainer> {
    with_weights!(&network.weights, weights => Box::new(Learner::resume(network, weights, options)))
}

impl<const UNITS: usize> Learner<UNITS> {
    /// Creates a network with random weights.
    pub(crate) fn new(
        board: &'static Board,
        tiger_configs: TigerConfigs,
        options: LearningOptions,
        seed: u64,
    ) -> Self {
        let random = &mut Random::new(seed);
        let points = board.points;
        let buckets = Buckets::of(board);
        Self {
            options,
            goats: Layer::new(tiger_configs.count() * points, 0.02, random),
            pairs: Layer::new(points * points, 0.1, random),
            tigers: Layer::new(tiger_configs.count(), 0.1, random),
            hands: Layer::new(buckets.hand_rows, 0.2, random),
            captures: Layer::new(buckets.captures, 0.2, random),
            // All heads start with equal weights, so that a first-layer unit has the same meaning for all heads.
            heads: vec![Head::new(random); buckets.heads()],
            board,
            tiger_configs,
        }
    }

    /// Creates a learner that continues the training of a finished network with these weights.
    pub(crate) fn resume(
        network: &Network,
        weights: &Weights<UNITS>,
        options: LearningOptions,
    ) -> Self {
        let one = f32::from(UNIT_ONE);
        let points = network.board.points;
        let pairs = Layer::from_rounded(&weights.pairs, one);
        let mut goats = Layer::from_rounded(&weights.goats, one);
        for (index, row) in goats.rows.iter_mut().enumerate() {
            for pair in network.tiger_configs.pair_rows(points, index) {
                pairs.subtract_from(pair, row);
            }
        }
        Self {
            options,
            goats,
            pairs,
            tigers: Layer::from_rounded(&weights.tiger_configs, one),
            hands: Layer::from_rounded(&weights.hands, one),
            captures: Layer::from_rounded(&weights.captures, one),
            heads: weights.heads.iter().map(Head::from_finished).collect(),
            board: network.board,
            tiger_configs: network.tiger_configs.clone(),
        }
    }

    /// Returns the sums of the first layer for a sample.
    #[inline(always)]
    fn units(&self, sample: &Sample) -> [f32; UNITS] {
        let mut units = [0.0; UNITS];
        let (points, config) = (self.board.points, usize::from(sample.tiger_config));
        self.tigers.add_to(config, &mut units);
        self.hands.add_to(sample.hand_row.into(), &mut units);
        self.captures.add_to(sample.capture.into(), &mut units);
        let tigers = self.tiger_configs.tigers(config);
        for goat in points_of(sample.goats) {
            self.goats.add_to(config * points + goat, &mut units);
            for tiger in points_of(tigers) {
                self.pairs.add_to(tiger * points + goat, &mut units);
            }
        }
        units
    }

    /// Takes a gradient step for one sample and returns its loss before the step.
    #[inline(always)]
    fn train_one(&mut self, sample: &Sample, rate: f32) -> f64 {
        let units = self.units(sample);
        let head = &mut self.heads[usize::from(sample.head)];
        let activations = head.forward(&units);
        let probability = activations.probability();
        let gradient = head.train(&activations, probability - target(sample), rate);
        let (points, config) = (self.board.points, usize::from(sample.tiger_config));
        let sparsity = self.options.sparsity;
        self.tigers.train(config, &gradient, rate);
        self.hands.train(sample.hand_row.into(), &gradient, rate);
        self.captures.train(sample.capture.into(), &gradient, rate);
        let tigers = self.tiger_configs.tigers(config);
        for goat in points_of(sample.goats) {
            let row = config * points + goat;
            self.goats.train_sparse(row, &gradient, rate, sparsity);
            for tiger in points_of(tigers) {
                self.pairs.train(tiger * points + goat, &gradient, rate);
            }
        }
        loss(probability, sample)
    }
}

impl<const UNITS: usize> Trainer for Learner<UNITS>
where
    AnyWeights: From<Weights<UNITS>>,
{
    fn train(&mut self, samples: &[Sample], rate: f32) -> f64 {
        processor::run(
            #[inline(always)]
            || {
                let losses = samples.iter().map(|sample| self.train_one(sample, rate));
                losses.sum()
            },
        )
    }

    fn loss(&self, samples: &[Sample]) -> f64 {
        let losses = samples.iter().map(|sample| {
            let head = &self.heads[usize::from(sample.head)];
            loss(head.forward(&self.units(sample)).probability(), sample)
        });
        losses.sum()
    }

    fn network(&self, recipe: String) -> Network {
        let points = self.board.points;
        // A cast with `as` limits the weight to the range of `i8`.
        let rounded =
            |row: &[f32; UNITS]| row.map(|weight| (weight * f32::from(UNIT_ONE)).round() as i8);
        let pairs: Vec<[i8; UNITS]> = self.pairs.rows.iter().map(rounded).collect();
        let step = self.options.step;
        let goat_row = |index: usize| -> [i8; UNITS] {
            let mut exact = self.goats.rows[index];
            let mut base = [0; UNITS];
            for row in self.tiger_configs.pair_rows(points, index) {
                self.pairs.add_to(row, &mut exact);
                add(&mut base, &pairs[row]);
            }
            // A goat is never on a tiger's point: a file has no difference for it.
            if !self.tiger_configs.is_possible_goat_row(points, index) {
                return base.map(|sum| sum as i8);
            }
            from_fn(|unit| nearest(base[unit], step, exact[unit] * f32::from(UNIT_ONE)))
        };
        let weights = Weights {
            step,
            goats: (0..self.goats.rows.len()).map(goat_row).collect(),
            pairs,
            tiger_configs: self.tigers.rounded(UNIT_ONE.into()),
            hands: self.hands.rounded(UNIT_ONE.into()),
            captures: self.captures.rounded(UNIT_ONE.into()),
            heads: self.heads.iter().map(Head::rounded).collect(),
        };
        Network::new(
            self.board,
            self.tiger_configs.clone(),
            recipe,
            weights.into(),
        )
    }
}

/// Returns the 8-bit number nearest to `exact` that differs from `base` by a multiple of `step`, a power of two.
fn nearest(base: i16, step: i16, exact: f32) -> i8 {
    let offset = base.rem_euclid(step);
    let steps = (exact - f32::from(offset)) / f32::from(step);
    let max_steps = (128 / step) as f32;
    (offset + step * steps.round().clamp(-max_steps, max_steps - 1.0) as i16) as i8
}

/// Returns the probability of a win of the goats according to the label: 0, 1/2 for a draw, or 1.
fn target(sample: &Sample) -> f32 {
    f32::from(sample.verdict) / 2.0
}

/// Returns the loss of a sample in nats if the predicted probability of a win of the goats is `probability`.
pub(super) fn loss(probability: f32, sample: &Sample) -> f64 {
    let (probability, target) = (
        f64::from(probability).clamp(1e-9, 1.0 - 1e-9),
        f64::from(target(sample)),
    );
    let entropy = if sample.verdict == 1 {
        std::f64::consts::LN_2
    } else {
        0.0
    };
    -(target * probability.ln() + (1.0 - target) * (1.0 - probability).ln()) - entropy
}
