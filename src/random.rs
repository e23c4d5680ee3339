//! Pseudorandom numbers from a seed.
//!
//! [`Random`] draws only numbers of fixed width, so that a seed gives the same numbers on every machine. The seed is
//! mixed first, so that similar seeds, such as 1 and 2, give independent numbers.

use std::ops::RangeBounds;

/// Sets the seed of this thread's unseeded generators, for hosts without a source of random numbers, such as
/// WebAssembly.
pub fn seed_unseeded(seed: u64) {
    fastrand::seed(seed);
}

/// A pseudorandom generator.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    /// Creates the generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::stream(seed, 0)
    }

    /// Creates the generator of stream `number` for `seed`, for example one stream for each game of a match.
    /// Number 0 gives the same generator as [`Random::new`].
    ///
    /// The seed is mixed by the finalizer of `SplitMix64` (Steele, Lea and Flood 2014, "Fast splittable
    /// pseudorandom number generators").
    #[must_use]
    pub fn stream(seed: u64, number: u64) -> Self {
        let steps = number.wrapping_add(1);
        let bits = seed.wrapping_add(steps.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self(fastrand::Rng::with_seed(bits ^ bits >> 31))
    }

    /// Creates a generator with a different seed on each call.
    #[must_use]
    pub(crate) fn unseeded() -> Self {
        Self(fastrand::Rng::new())
    }

    /// Returns a uniformly distributed number in `range`.
    ///
    /// # Panics
    /// If the range is empty.
    #[inline]
    pub fn u32(&mut self, range: impl RangeBounds<u32>) -> u32 {
        self.0.u32(range)
    }

    /// Returns a uniformly distributed number in `range`.
    ///
    /// # Panics
    /// If the range is empty.
    #[inline]
    pub fn u64(&mut self, range: impl RangeBounds<u64>) -> u64 {
        self.0.u64(range)
    }

    /// Returns a number at least 0 and below 1.
    #[inline]
    pub fn f32(&mut self) -> f32 {
        self.0.f32()
    }

    /// Returns a number at least 0 and below 1.
    #[inline]
    pub fn f64(&mut self) -> f64 {
        self.0.f64()
    }

    /// Returns `true` with probability 1/2.
    #[inline]
    pub fn bool(&mut self) -> bool {
        self.0.bool()
    }

    /// Returns a uniformly distributed index below `length`.
    ///
    /// # Panics
    /// If `length` is 0.
    #[inline]
    pub fn index(&mut self, length: usize) -> usize {
        self.0.u64(..length as u64) as usize
    }

    /// Returns a uniformly chosen element, or `None` if `elements` is empty.
    #[inline]
    pub fn choice<'a, T>(&mut self, elements: &'a [T]) -> Option<&'a T> {
        (!elements.is_empty()).then(|| &elements[self.index(elements.len())])
    }

    /// Returns an element with a probability proportional to its weight, or `None` if `elements` is empty.
    pub fn weighted<T: Copy>(&mut self, elements: &[(T, f64)]) -> Option<T> {
        let sum: f64 = elements.iter().map(|(_, weight)| weight).sum();
        let mut left = self.f64() * sum;
        let drawn = elements.iter().find(|(_, weight)| {
            left -= weight;
            left < 0.0
        });
        // Rounding errors can leave a rest after the last element.
        drawn.or(elements.last()).map(|&(element, _)| element)
    }

    /// Shuffles `elements` (Fisher and Yates; Knuth, *The Art of Computer Programming*, volume 2, algorithm 3.4.2
    /// P).
    pub fn shuffle<T>(&mut self, elements: &mut [T]) {
        for last in (1..elements.len()).rev() {
            elements.swap(last, self.index(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers must not depend on the width of `usize`.
    #[test]
    fn seed_gives_equal_numbers_on_all_machines() {
        let mut random = Random::new(1);
        let indices: Vec<_> = (0..8).map(|_| random.index(1000)).collect();
        let mut order: Vec<u8> = (0..8).collect();
        random.shuffle(&mut order);
        assert_eq!(indices, [371, 672, 907, 693, 121, 703, 567, 398]);
        assert_eq!(order, [4, 6, 1, 0, 2, 5, 7, 3]);
    }

    #[test]
    fn seeds_and_parts_give_different_numbers() {
        let mut first_numbers = std::collections::HashSet::new();
        for seed in [0, 1, 2, 1 << 32, u64::MAX] {
            for number in [0, 1, 2, 1 << 32, u64::MAX] {
                assert!(
                    first_numbers.insert(Random::stream(seed, number).u64(..)),
                    "{seed} {number}"
                );
            }
        }
        assert_eq!(Random::new(7).u64(..), Random::stream(7, 0).u64(..));
    }

    #[test]
    fn weighted_choice_follows_weights() {
        let mut random = Random::new(1);
        let mut counts = [0; 3];
        for _ in 0..20_000 {
            counts[random.weighted(&[(0, 1.0), (1, 0.0), (2, 3.0)]).unwrap()] += 1;
        }
        // The standard deviation is 61.
        assert!((4700..5300).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[1], 0);
        assert_eq!(random.weighted::<usize>(&[]), None);
    }

    /// Draws pairs of values below 16 from neighboring seeds and parts. All 256 pairs are equally likely: a χ² of
    /// 255 degrees of freedom exceeds 400 with probability 10⁻⁸.
    #[test]
    fn neighboring_seeds_are_independent() {
        for make_pair in [
            |seed| [Random::new(seed), Random::new(seed + 1)],
            |seed| [Random::new(seed), Random::stream(seed, 1)],
        ] {
            let mut counts = [0_u32; 256];
            for seed in 1..=20_000 {
                let [one, other] = make_pair(seed).map(|mut random| random.index(16));
                counts[one << 4 | other] += 1;
            }
            let expected = 20_000.0 / 256.0;
            let squares = counts.map(|count| (f64::from(count) - expected).powi(2));
            let chi = squares.iter().sum::<f64>() / expected;
            assert!((120.0..400.0).contains(&chi), "{chi}");
        }
    }
}
