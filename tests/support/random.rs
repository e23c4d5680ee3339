//! Reproducible random numbers.

use puli::games::key::mix64;

/// The generator `SplitMix64`. Equal seeds give equal numbers (Steele, Lea and Flood 2014: Fast splittable
/// pseudorandom number generators).
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    pub fn new(seed: u64) -> Self {
        Self(mix64(seed))
    }

    /// Returns a number below `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix64(self.0) % end as u64) as usize
    }

    /// Returns a random element of `from`, which must not be empty.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
