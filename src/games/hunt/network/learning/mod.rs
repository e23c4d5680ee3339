//! How a network learns from positions whose values are known: logistic regression through hidden layers, by stochastic
//! gradient descent with a step for every weight that shrinks as it learns (Duchi, Hazan and Singer, Adaptive subgradient
//! methods, 2011).
//!
//! While it learns, what a goat adds is the sum of what belongs to the stand of all tigers and what belongs to the point of
//! each: so positions with the tigers elsewhere teach something too. In the network that is made of it they are one number.

mod head;
mod layer;

use super::sample::Sample;
use super::tiger_config::Stands;
use super::{CAPTURES, HIDDEN, KINDS, Network, ONE, Short, Weights};
use crate::games::hunt::board::Board;
use crate::games::hunt::position::points_of;
use crate::processor;
use crate::random::Random;
use head::Head;
use layer::Layer;

type Wide = [f32; HIDDEN];

/// A network that learns.
#[derive(Clone, Debug)]
pub struct Learner {
    board: &'static Board,
    stands: Stands,
    /// What a goat adds, by the stand of the tigers and its point.
    goats: Layer,
    /// What a goat adds, by the point of a tiger and its own.
    pairs: Layer,
    tigers: Layer,
    hands: Layer,
    captures: Layer,
    /// What the units are worth, by kind.
    heads: Vec<Head>,
}

impl Learner {
    /// A network that knows nothing yet.
    pub fn new(board: &'static Board, stands: Stands, seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let points = board.points;
        Self {
            goats: Layer::new(stands.count() * points, 0.02, random),
            pairs: Layer::new(points * points, 0.1, random),
            tigers: Layer::new(stands.count(), 0.1, random),
            hands: Layer::new(board.goats as usize + 1, 0.2, random),
            captures: Layer::new(CAPTURES, 0.2, random),
            // Kinds that begin alike have units that mean the same.
            heads: vec![Head::new(random); KINDS],
            board,
            stands,
        }
    }

    /// A network that goes on from one that was learned. What belongs to the point of a tiger is part there of what belongs to
    /// the stand of all.
    pub fn of(network: &Network) -> Self {
        let Weights {
            goats,
            stands,
            hands,
            captures,
            heads,
        } = &network.weights;
        let one = f32::from(ONE);
        let points = network.board.points;
        Self {
            goats: Layer::of_whole(goats, one),
            pairs: Layer::of(vec![[0.0; HIDDEN]; points * points]),
            tigers: Layer::of_whole(stands, one),
            hands: Layer::of_whole(hands, one),
            captures: Layer::of_whole(captures, one),
            heads: heads.iter().map(Head::of).collect(),
            board: network.board,
            stands: network.stands.clone(),
        }
    }

    #[inline(always)]
    fn units(&self, sample: &Sample) -> Wide {
        let mut units = [0.0; HIDDEN];
        let (points, stand) = (self.board.points, usize::from(sample.tiger_config));
        self.tigers.add_to(stand, &mut units);
        self.hands.add_to(sample.hand.into(), &mut units);
        self.captures.add_to(sample.captured.into(), &mut units);
        let tigers = self.stands.tigers(stand);
        for goat in points_of(sample.goats) {
            self.goats.add_to(stand * points + goat, &mut units);
            for tiger in points_of(tigers) {
                self.pairs.add_to(tiger * points + goat, &mut units);
            }
        }
        units
    }

    /// Learns from samples, one after another; gives the sum of their losses before each, as [`Learner::loss`] counts them. At
    /// the rate 0 no weight changes, but how far each is to go for the samples that follow is learned.
    pub fn learn(&mut self, samples: &[Sample], rate: f32) -> f64 {
        processor::run(
            #[inline(always)]
            || {
                let losses = samples.iter().map(|sample| self.learn_from(sample, rate));
                losses.sum()
            },
        )
    }

    #[inline(always)]
    fn learn_from(&mut self, sample: &Sample, rate: f32) -> f64 {
        let units = self.units(sample);
        let head = &mut self.heads[usize::from(sample.kind)];
        let seen = head.see(&units);
        let chance = seen.chance();
        let inward = head.learn(&seen, chance - target(sample), rate);
        let (points, stand) = (self.board.points, usize::from(sample.tiger_config));
        self.tigers.learn(stand, &inward, rate);
        self.hands.learn(sample.hand.into(), &inward, rate);
        self.captures.learn(sample.captured.into(), &inward, rate);
        let tigers = self.stands.tigers(stand);
        for goat in points_of(sample.goats) {
            self.goats.learn(stand * points + goat, &inward, rate);
            for tiger in points_of(tigers) {
                self.pairs.learn(tiger * points + goat, &inward, rate);
            }
        }
        loss(chance, sample)
    }

    /// The sum of the losses over samples: the information in nats that their verdicts have beyond what was foreseen, of which a
    /// draw foreseen as an even chance has none.
    pub fn loss(&self, samples: &[Sample]) -> f64 {
        let losses = samples.iter().map(|sample| {
            let head = &self.heads[usize::from(sample.kind)];
            loss(head.see(&self.units(sample)).chance(), sample)
        });
        losses.sum()
    }

    /// The network that was learned.
    pub fn network(&self, command: String) -> Network {
        let points = self.board.points;
        let goat = |row: usize| -> Short {
            let (stand, goat) = (row / points, row % points);
            let mut sum = self.goats.rows[row];
            for tiger in points_of(self.stands.tigers(stand)) {
                self.pairs.add_to(tiger * points + goat, &mut sum);
            }
            // Casts end at the bounds of the type.
            sum.map(|weight| (weight * f32::from(ONE)).round() as i8)
        };
        let weights = Weights {
            goats: (0..self.goats.rows.len()).map(goat).collect(),
            stands: self.tigers.rounded(ONE.into()),
            hands: self.hands.rounded(ONE.into()),
            captures: self.captures.rounded(ONE.into()),
            heads: self.heads.iter().map(Head::rounded).collect(),
        };
        Network::new(self.board, self.stands.clone(), command, weights)
    }
}

/// What the chance of the goats should be.
fn target(sample: &Sample) -> f32 {
    f32::from(sample.verdict) / 2.0
}

/// The information in nats that a verdict has beyond the chance of the goats that was foreseen.
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
