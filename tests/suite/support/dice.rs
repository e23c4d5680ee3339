//! Dice that fall alike on every run.

use puli::games::key::mix64;

/// Random numbers, the same ones for the same seed (Steele, Lea and Flood, Fast splittable pseudorandom number
/// generators, 2014).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(mix64(seed))
    }

    /// A number below `end`, which is above 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix64(self.0) % end as u64) as usize
    }

    /// One of these, which are some.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
