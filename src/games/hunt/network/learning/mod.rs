//! Training of networks on labeled positions.
//!
//! The network predicts the probability that the goats win. The loss is the cross-entropy with the label; a draw has
//! the label 1/2. Training is stochastic gradient descent with Adagrad, which has a step size per weight (Duchi, Hazan
//! and Singer, Adaptive subgradient methods, 2011).
//!
//! In training, the row of a goat is a sum of rows: one for the pair of tiger configuration and goat point
//! (`goats`), and one for each pair of tiger point and goat point (`pairs`). Many tiger configurations share the
//! rows of `pairs`, which helps for rare configurations. The finished network stores only the sum.

mod head;
mod layer;

use super::sample::Sample;
use super::tiger_config::TigerConfigs;
use super::{BUCKETS, CAPTURE_BUCKETS, FIRST_LAYER_UNITS, GoatRow, Network, UNIT_ONE, Weights};
use crate::games::hunt::board::Board;
use crate::games::hunt::position::points_of;
use crate::processor;
use crate::random::Random;
use head::Head;
use layer::Layer;

/// One number for each unit of the first layer.
type FirstLayerRow = [f32; FIRST_LAYER_UNITS];

/// A network in training.
#[derive(Clone, Debug)]
pub(crate) struct Learner {
    board: &'static Board,
    tiger_configs: TigerConfigs,
    /// Rows of a goat for the tiger configuration and the goat's point.
    goats: Layer,
    /// Rows of a goat for the point of one tiger and the goat's point.
    pairs: Layer,
    /// Rows of the tiger configurations.
    tigers: Layer,
    /// Rows of the numbers of goats in hand.
    hands: Layer,
    /// Rows of the capture buckets.
    captures: Layer,
    /// Head of each output bucket.
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
            // All heads start with equal weights, so that a first-layer unit has the same meaning for all heads.
            heads: vec![Head::new(random); BUCKETS],
            board,
            tiger_configs,
        }
    }

    /// Creates a learner that continues the training of a finished network. The rows of `pairs` start at 0, because the
    /// rows of `goats` in the network already contain their contribution.
    pub(crate) fn resume(network: &Network) -> Self {
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
            pairs: Layer::with_weights(vec![[0.0; FIRST_LAYER_UNITS]; points * points]),
            tigers: Layer::from_rounded(tiger_configs, one),
            hands: Layer::from_rounded(hands, one),
            captures: Layer::from_rounded(captures, one),
            heads: heads.iter().map(Head::from_finished).collect(),
            board: network.board,
            tiger_configs: network.tiger_configs.clone(),
        }
    }

    /// Returns the sums of the first layer for a sample.
    #[inline(always)]
    fn units(&self, sample: &Sample) -> FirstLayerRow {
        let mut units = [0.0; FIRST_LAYER_UNITS];
        let (points, config) = (self.board.points, usize::from(sample.tiger_config));
        self.tigers.add_to(config, &mut units);
        self.hands.add_to(sample.hand.into(), &mut units);
        self.captures
            .add_to(sample.capture_bucket.into(), &mut units);
        let tigers = self.tiger_configs.tigers(config);
        for goat in points_of(sample.goats) {
            self.goats.add_to(config * points + goat, &mut units);
            for tiger in points_of(tigers) {
                self.pairs.add_to(tiger * points + goat, &mut units);
            }
        }
        units
    }

    /// Takes one gradient step for each of `samples`, in order, with the learning rate `rate`. Returns the sum of
    /// their losses ([`Learner::loss`]) before the steps.
    ///
    /// A `rate` of 0 changes no weight, but Adagrad still records the gradients, which affect later step
    /// sizes.
    pub(crate) fn train(&mut self, samples: &[Sample], rate: f32) -> f64 {
        processor::run(
            #[inline(always)]
            || {
                let losses = samples.iter().map(|sample| self.train_one(sample, rate));
                losses.sum()
            },
        )
    }

    /// Takes a gradient step for one sample and returns its loss before the step.
    #[inline(always)]
    fn train_one(&mut self, sample: &Sample, rate: f32) -> f64 {
        let units = self.units(sample);
        let head = &mut self.heads[usize::from(sample.output_bucket)];
        let activations = head.forward(&units);
        let probability = activations.probability();
        let gradient = head.train(&activations, probability - target(sample), rate);
        let (points, config) = (self.board.points, usize::from(sample.tiger_config));
        self.tigers.train(config, &gradient, rate);
        self.hands.train(sample.hand.into(), &gradient, rate);
        self.captures
            .train(sample.capture_bucket.into(), &gradient, rate);
        let tigers = self.tiger_configs.tigers(config);
        for goat in points_of(sample.goats) {
            self.goats.train(config * points + goat, &gradient, rate);
            for tiger in points_of(tigers) {
                self.pairs.train(tiger * points + goat, &gradient, rate);
            }
        }
        loss(probability, sample)
    }

    /// Returns the sum of the losses of `samples`, without training.
    ///
    /// The loss of a sample is its cross-entropy in nats, minus the entropy of its label. So a perfect prediction has
    /// loss 0, even for draws (label 1/2).
    pub(crate) fn loss(&self, samples: &[Sample]) -> f64 {
        let losses = samples.iter().map(|sample| {
            let head = &self.heads[usize::from(sample.output_bucket)];
            loss(head.forward(&self.units(sample)).probability(), sample)
        });
        losses.sum()
    }

    /// Returns the trained network, with all weights rounded to integers.
    pub(crate) fn network(&self, command: String) -> Network {
        let points = self.board.points;
        let goat_row = |row: usize| -> GoatRow {
            let (config, goat) = (row / points, row % points);
            let mut sum = self.goats.rows[row];
            for tiger in points_of(self.tiger_configs.tigers(config)) {
                self.pairs.add_to(tiger * points + goat, &mut sum);
            }
            // A cast with `as` limits the weight to the range of `i8`.
            sum.map(|weight| (weight * f32::from(UNIT_ONE)).round() as i8)
        };
        let weights = Weights {
            goats: (0..self.goats.rows.len()).map(goat_row).collect(),
            tiger_configs: self.tigers.rounded(UNIT_ONE.into()),
            hands: self.hands.rounded(UNIT_ONE.into()),
            captures: self.captures.rounded(UNIT_ONE.into()),
            heads: self.heads.iter().map(Head::rounded).collect(),
        };
        Network::new(self.board, self.tiger_configs.clone(), command, weights)
    }
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
