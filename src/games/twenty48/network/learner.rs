//! Temporal-coherence learning: weights that several threads improve at once, each at a rate of its own.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering};

use super::tuples::{Active, MOST_LOOKUPS, Shape};
use crate::error::Refusal;
use crate::processor;
use crate::room;
use crate::value::Value;

/// A network that learns.
///
/// Temporal-difference learning of afterstates (Szubert and Jaśkowski, 2014) in which every weight's rate is the
/// coherence of the errors it has seen, |sum| / sum of magnitudes: all in one direction, it still has far to go; in
/// both, it is noise (Beal and Smith, 1999; for 2048 Jaśkowski, 2018).
///
/// Threads share it without a lock. Each weight is read and written whole, but what another thread added in between is
/// lost: with millions of weights that is rare, and learning averages over far greater noise (Recht et al., 2011).
#[derive(Debug)]
pub struct Learner<S> {
    weights: Vec<Weight>,
    shape: std::marker::PhantomData<S>,
}

/// A weight with all that it learns by in one place, for whoever reads it changes it soon. All are the bits of an `f32`.
#[derive(Debug, bytemuck::Zeroable)]
struct Weight {
    /// Points.
    value: AtomicU32,
    /// The sum of the errors it has seen.
    sum: AtomicU32,
    /// The sum of their magnitudes.
    magnitudes: AtomicU32,
}

/// What a weight and its errors take in a file.
const BYTES_OF_WEIGHT: usize = 3 * size_of::<f32>();

#[inline(always)]
fn load(number: &AtomicU32) -> f32 {
    f32::from_bits(number.load(Ordering::Relaxed))
}

#[inline(always)]
fn store(number: &AtomicU32, value: f32) {
    number.store(value.to_bits(), Ordering::Relaxed);
}

#[inline(always)]
fn add(number: &AtomicU32, more: f32) {
    store(number, load(number) + more);
}

impl<S: Shape> Learner<S> {
    /// A network that knows nothing: every board is worth nothing more.
    pub fn new() -> Result<Self, Refusal> {
        let count = S::WEIGHTS;
        let refuse = |_| Refusal::new(format!("no memory for {count} weights"));
        Ok(Self {
            weights: room::zeroed_in_huge_pages(count).map_err(refuse)?,
            shape: std::marker::PhantomData,
        })
    }

    /// A network that expects so many points from every board that it has not seen (optimistic initialization: Guei, Chen
    /// and Wu, 2021).
    pub fn expecting(points: f32) -> Result<Self, Refusal> {
        let learner = Self::new()?;
        if points != 0.0 {
            let value = points / S::LOOKUPS as f32;
            let weights = learner.weights.iter();
            weights.for_each(|weight| store(&weight.value, value));
        }
        Ok(learner)
    }

    /// A network that goes on where another stopped: the weights, and the errors seen by each. The error says what is
    /// wrong with them.
    pub fn resumed(body: &[u8]) -> Result<Self, Refusal> {
        let count = S::WEIGHTS;
        if body.len() != count * BYTES_OF_WEIGHT {
            return Err(Refusal::new(format!(
                "a training of {count} weights has {} bytes",
                count * BYTES_OF_WEIGHT
            )));
        }
        let (values, errors) = body.split_at(count * size_of::<f32>());
        let learner = Self::new()?;
        let most = Value::MOST_POINTS as f32;
        let numbers = values.as_chunks().0.iter().zip(errors.as_chunks().0);
        for (weight, (value, errors)) in learner.weights.iter().zip(numbers) {
            let value = f32::from_le_bytes(*value);
            let errors: [[u8; 4]; 2] = bytemuck::cast::<[u8; 8], _>(*errors);
            let [sum, magnitudes] = errors.map(f32::from_le_bytes);
            if !(-most..=most).contains(&value) {
                return Err(Refusal::new("it has weights that are no points"));
            }
            // What was rounded in a long sum may exceed what was rounded in another, so they are not compared.
            if !sum.is_finite() || !magnitudes.is_finite() || magnitudes < 0.0 {
                return Err(Refusal::new("it has errors that are no points"));
            }
            // Memory that holds nothing but zeros need not be touched.
            if value != 0.0 || sum != 0.0 || magnitudes != 0.0 {
                store(&weight.value, value);
                store(&weight.sum, sum);
                store(&weight.magnitudes, magnitudes);
            }
        }
        Ok(learner)
    }

    /// The bytes that [`Learner::write`] writes.
    pub fn length() -> u64 {
        (S::WEIGHTS * BYTES_OF_WEIGHT) as u64
    }

    /// Writes weights and errors as [`Learner::resumed`] reads them.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_each(out, |weight| load(&weight.value).to_le_bytes())?;
        self.write_each(out, |weight| {
            let errors = [&weight.sum, &weight.magnitudes].map(|number| load(number).to_le_bytes());
            bytemuck::cast::<_, [u8; 8]>(errors)
        })
    }

    fn write_each<const N: usize>(
        &self,
        out: &mut dyn Write,
        bytes_of: impl Fn(&Weight) -> [u8; N],
    ) -> io::Result<()> {
        const AT_ONCE: usize = 1 << 16;
        let mut bytes = Vec::with_capacity(AT_ONCE * N);
        for weights in self.weights.chunks(AT_ONCE) {
            bytes.clear();
            bytes.extend(weights.iter().flat_map(&bytes_of));
            out.write_all(&bytes)?;
        }
        Ok(())
    }

    /// The weights that have seen errors of at least so many points in all; the others, which hardly any board has, as 0.
    pub fn weights(&self, least: f32) -> impl Iterator<Item = f32> + Clone {
        let is_seen = move |weight: &Weight| load(&weight.magnitudes) >= least;
        let weights = self.weights.iter();
        weights.map(move |weight| {
            if is_seen(weight) {
                load(&weight.value)
            } else {
                0.0
            }
        })
    }

    /// The points expected from each of four afterstates on, whose weights are best asked for before: then nothing but memory
    /// is waited for, and for many of them at a time.
    #[inline(always)]
    pub fn values(&self, active: &[Active; 4]) -> [f32; 4] {
        let mut sums = [0.0; 4];
        for lookup in 0..S::LOOKUPS {
            for (sum, active) in sums.iter_mut().zip(active) {
                *sum += self.weight(active[lookup]);
            }
        }
        sums
    }

    /// Asks for the weights of a board ahead.
    #[inline(always)]
    pub fn fetch(&self, active: &Active) {
        for &index in &active[..S::LOOKUPS] {
            processor::fetch(&self.weights[index as usize]);
        }
    }

    /// Moves the value of a board towards `target`, each weight by its share of the error at its own rate, and gives what it has
    /// become: the sum of what its lookups have changed, in which a weight that the board looks up twice, such as that of no
    /// tiles at all, counts as if these were two. Rates are those from before the move.
    #[inline(always)]
    pub fn learn(&self, active: &Active, target: f32) -> f32 {
        let mut weights = [[0.0; MOST_LOOKUPS]; 3];
        let [values, sums, magnitudes] = &mut weights;
        for (lookup, &index) in active[..S::LOOKUPS].iter().enumerate() {
            let weight = &self.weights[index as usize];
            values[lookup] = load(&weight.value);
            sums[lookup] = load(&weight.sum);
            magnitudes[lookup] = load(&weight.magnitudes);
        }
        let value = sum(&values[..S::LOOKUPS]);
        let error = target - value;
        let share = error / S::LOOKUPS as f32;
        let mut changes = [0.0; MOST_LOOKUPS];
        let errors = sums.iter().zip(magnitudes);
        for (change, (sum, magnitudes)) in changes.iter_mut().zip(errors).take(S::LOOKUPS) {
            let coherence = sum.abs() / *magnitudes;
            *change = share * if *magnitudes == 0.0 { 1.0 } else { coherence };
        }
        for (change, &index) in changes.iter().zip(&active[..S::LOOKUPS]) {
            let weight = &self.weights[index as usize];
            add(&weight.value, *change);
            add(&weight.sum, error);
            add(&weight.magnitudes, error.abs());
        }
        value + sum(&changes[..S::LOOKUPS])
    }

    #[inline(always)]
    fn weight(&self, index: u32) -> f32 {
        load(&self.weights[index as usize].value)
    }
}

/// The sum of a multiple of eight numbers, in eight parts that need not wait for each other.
#[inline(always)]
fn sum(numbers: &[f32]) -> f32 {
    let mut parts = [0.0; 8];
    for eight in numbers.as_chunks::<8>().0 {
        for (part, number) in parts.iter_mut().zip(eight) {
            *part += number;
        }
    }
    let pair = |first| parts[first] + parts[first + 4];
    pair(0) + pair(1) + (pair(2) + pair(3))
}
