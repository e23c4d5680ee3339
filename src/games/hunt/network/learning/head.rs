//! How it is learned what the units of a network are worth to one kind of positions.

use std::array::from_fn;

use super::Wide;
use super::layer::Layer;
use crate::games::hunt::network::head::{self, FINE, OUT, SECOND};
use crate::random::Random;

/// What the square of a unit counts while learning, so that steps suit all weights.
const SCALE: f32 = 4.0;
/// The whole number that stands for one in what is added to the value.
const ADDED: f32 = SCALE * OUT as f32;
/// The same of the bias.
const HUNDREDTHS: f32 = 100.0;
/// How much larger the steps of what units count are than those of the units.
const RATE: f32 = 4.0;
/// Parallel sums of an inner product, for the processor's sake.
const LANES: usize = 16;

type Narrow = [f32; SECOND];

/// What [`head::Head`] is made of, in numbers that learn.
#[derive(Clone, Debug)]
pub struct Head {
    outs: Layer,
    seconds: Layer,
    thresholds: Layer<SECOND>,
    tops: Layer<SECOND>,
    bias: Layer<1>,
}

/// What a head sees in a position.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    units: Wide,
    squares: Wide,
    /// The units of the second layer.
    seconds: Narrow,
    /// The logarithm of the odds that the goats win.
    value: f32,
}

impl Seen {
    /// The chance of the goats.
    #[inline(always)]
    pub fn chance(&self) -> f32 {
        1.0 / (1.0 + (-self.value).exp())
    }
}

impl Head {
    /// A head that knows nothing yet.
    pub fn new(random: &mut Random) -> Self {
        Self {
            outs: Layer::new(1, 0.3, random),
            seconds: Layer::new(SECOND, 0.3, random),
            thresholds: Layer::of(vec![[0.5; SECOND]]),
            tops: Layer::new(1, 0.6, random),
            bias: Layer::of(vec![[0.0]]),
        }
    }

    /// The head that was rounded to this one.
    pub fn of(head: &head::Head) -> Self {
        Self {
            outs: Layer::of_whole(&[head.outs], ADDED),
            seconds: Layer::of_whole(&head.seconds, FINE as f32),
            thresholds: Layer::of_whole(&[head.thresholds], FINE as f32),
            tops: Layer::of_whole(&[head.tops], ADDED),
            bias: Layer::of_whole(&[[head.bias]], HUNDREDTHS),
        }
    }

    /// What units are worth.
    #[inline(always)]
    pub fn see(&self, units: &Wide) -> Seen {
        let squares = units.map(square);
        let held = |unit: usize| {
            self.thresholds.rows[0][unit] + product(&squares, &self.seconds.rows[unit])
        };
        let seconds = from_fn(held);
        let mut sum = product(&squares, &self.outs.rows[0]);
        for (held, top) in seconds.iter().zip(&self.tops.rows[0]) {
            sum += square(*held) * top;
        }
        Seen {
            units: *units,
            squares,
            seconds,
            value: SCALE * sum + self.bias.rows[0][0],
        }
    }

    /// Learns that the chance was too high by `error`; gives the gradient by the units.
    #[inline(always)]
    pub fn learn(&mut self, seen: &Seen, error: f32, rate: f32) -> Wide {
        let rate = RATE * rate;
        let by_sum = SCALE * error;
        let by_seconds: Narrow =
            from_fn(|unit| by_sum * slope(seen.seconds[unit]) * self.tops.rows[0][unit]);
        let mut by_squares = self.outs.rows[0].map(|out| by_sum * out);
        for (unit, &by_second) in by_seconds.iter().enumerate() {
            // Beyond its bounds a unit has no slope, and nothing is learned through it.
            if by_second != 0.0 {
                for (by_square, weight) in by_squares.iter_mut().zip(&self.seconds.rows[unit]) {
                    *by_square += by_second * weight;
                }
                self.seconds
                    .learn(unit, &seen.squares.map(|square| by_second * square), rate);
            }
        }
        self.outs
            .learn(0, &seen.squares.map(|square| by_sum * square), rate);
        self.tops
            .learn(0, &seen.seconds.map(|held| by_sum * square(held)), rate);
        self.thresholds.learn(0, &by_seconds, rate);
        self.bias.learn(0, &[error], rate);
        from_fn(|unit| by_squares[unit] * slope(seen.units[unit]))
    }

    /// The same in whole numbers.
    pub fn rounded(&self) -> head::Head {
        let seconds = self.seconds.rounded(FINE as f32);
        head::Head {
            outs: self.outs.rounded(ADDED)[0],
            seconds: from_fn(|unit| seconds[unit]),
            thresholds: self.thresholds.rounded(FINE as f32)[0],
            tops: self.tops.rounded(ADDED)[0],
            bias: self.bias.rounded(HUNDREDTHS)[0][0],
        }
    }
}

/// What is seen of a unit.
#[inline(always)]
fn square(unit: f32) -> f32 {
    let clipped = unit.clamp(0.0, 1.0);
    clipped * clipped
}

/// How much more is seen of a unit for what is added to it.
#[inline(always)]
fn slope(unit: f32) -> f32 {
    if unit < 1.0 { 2.0 * unit.max(0.0) } else { 0.0 }
}

/// The inner product of two rows.
#[inline(always)]
fn product(one: &Wide, other: &Wide) -> f32 {
    let mut sums = [0.0; LANES];
    for (one, other) in one.chunks_exact(LANES).zip(other.chunks_exact(LANES)) {
        for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += one * other;
        }
    }
    sums.iter().sum()
}
