//! How a network learns from positions whose values are known: logistic regression through one hidden layer, by stochastic
//! gradient descent with a step for every weight that shrinks as it learns (Duchi, Hazan and Singer, Adaptive subgradient
//! methods, 2011).
//!
//! While it learns, what a goat adds is the sum of what belongs to the stand of all tigers and what belongs to the point of
//! each: so positions with the tigers elsewhere teach something too. In the network that is made of it they are one number.

use super::sample::Sample;
use super::stand::Stands;
use super::{CAPTURES, HIDDEN, KINDS, MOST, Network, ONE, OUT, Row, Short, Weights};
use crate::games::hunt::board::Board;
use crate::games::hunt::position::points_of;
use crate::processor;

/// What the square of a unit counts while learning, so that steps suit all weights.
const SCALE: f32 = 4.0;
/// How much larger the steps of what units count are than those of the units.
const OUT_RATE: f32 = 4.0;

type Wide = [f32; HIDDEN];

/// Weights, and for each of them the sum of the squares of its gradients.
#[derive(Clone, Debug)]
struct Layer {
    rows: Vec<Wide>,
    squares: Vec<Wide>,
}

impl Layer {
    fn new(count: usize, spread: f32, random: &mut fastrand::Rng) -> Self {
        let mut row = || std::array::from_fn(|_| (random.f32() - 0.5) * spread);
        Self::of((0..count).map(|_| row()).collect())
    }

    fn of(rows: Vec<Wide>) -> Self {
        let squares = vec![[1e-6; HIDDEN]; rows.len()];
        Self { rows, squares }
    }

    /// Rows that begin alike.
    fn alike(count: usize, spread: f32, random: &mut fastrand::Rng) -> Self {
        let one = Self::new(1, spread, random);
        Self::of(one.rows.repeat(count))
    }

    fn rounded(&self, one: f32) -> Vec<Row> {
        let rows = self.rows.iter();
        rows.map(|row| row.map(|weight| rounded(weight, one)))
            .collect()
    }

    #[inline(always)]
    fn add_to(&self, row: usize, units: &mut Wide) {
        for (unit, weight) in units.iter_mut().zip(&self.rows[row]) {
            *unit += weight;
        }
    }

    #[inline(always)]
    fn learn(&mut self, row: usize, gradient: &Wide, rate: f32) {
        let rows = self.rows[row].iter_mut().zip(&mut self.squares[row]);
        for ((weight, square), gradient) in rows.zip(gradient) {
            *square += gradient * gradient;
            *weight -= rate * gradient / square.sqrt();
        }
    }
}

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
    outs: Layer,
    biases: [f32; KINDS],
    bias_squares: [f32; KINDS],
}

impl Learner {
    /// A network that knows nothing yet.
    pub fn new(board: &'static Board, stands: Stands, seed: u64) -> Self {
        let random = &mut fastrand::Rng::with_seed(seed);
        let points = board.points;
        Self {
            goats: Layer::new(stands.count() * points, 0.02, random),
            pairs: Layer::new(points * points, 0.1, random),
            tigers: Layer::new(stands.count(), 0.1, random),
            hands: Layer::new(board.goats as usize + 1, 0.2, random),
            captures: Layer::new(CAPTURES, 0.2, random),
            outs: Layer::alike(KINDS, 0.3, random),
            biases: [0.0; KINDS],
            bias_squares: [1e-6; KINDS],
            board,
            stands,
        }
    }

    #[inline(always)]
    fn units(&self, sample: &Sample) -> Wide {
        let mut units = [0.0; HIDDEN];
        let (points, stand) = (self.board.points, usize::from(sample.stand));
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

    /// The chance of the goats.
    #[inline(always)]
    fn chance(&self, units: &Wide, kind: usize) -> f32 {
        let mut sum = 0.0;
        for (unit, out) in units.iter().zip(&self.outs.rows[kind]) {
            let clipped = unit.clamp(0.0, 1.0);
            sum += clipped * clipped * out;
        }
        1.0 / (1.0 + (-(SCALE * sum + self.biases[kind])).exp())
    }

    /// Learns from samples, one after another; gives the sum of their losses before each, as [`Learner::loss`] counts them.
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
        let kind = usize::from(sample.kind);
        let chance = self.chance(&units, kind);
        let error = chance - target(sample);
        let (mut inward, mut outward) = ([0.0; HIDDEN], [0.0; HIDDEN]);
        for unit in 0..HIDDEN {
            let clipped = units[unit].clamp(0.0, 1.0);
            // Beyond its bounds a unit has no slope.
            let slope = if units[unit] < 1.0 {
                2.0 * clipped
            } else {
                0.0
            };
            inward[unit] = SCALE * error * slope * self.outs.rows[kind][unit];
            outward[unit] = SCALE * error * clipped * clipped;
        }
        self.outs.learn(kind, &outward, OUT_RATE * rate);
        self.bias_squares[kind] += error * error;
        self.biases[kind] -= OUT_RATE * rate * error / self.bias_squares[kind].sqrt();
        let (points, stand) = (self.board.points, usize::from(sample.stand));
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
            let chance = self.chance(&self.units(sample), sample.kind.into());
            loss(chance, sample)
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
            outs: self.outs.rounded(SCALE * OUT as f32),
            biases: self.biases.map(|bias| rounded(bias, 100.0)).to_vec(),
        };
        Network::new(self.board, self.stands.clone(), command, weights)
    }
}

/// A weight in whole numbers, so many to one.
fn rounded(weight: f32, one: f32) -> i16 {
    let most = f32::from(MOST);
    (weight * one).round().clamp(-most, most) as i16
}

/// What the chance of the goats should be.
fn target(sample: &Sample) -> f32 {
    f32::from(sample.verdict) / 2.0
}

fn loss(chance: f32, sample: &Sample) -> f64 {
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
