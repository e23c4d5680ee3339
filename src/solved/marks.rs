//! Numbers marked in any order and told in theirs.

/// A set of numbers below some bound.
///
/// A bit for each: of a million numbers the marks stay in the processor's nearest memory while the words that they stand for
/// do not, and no number has to be sorted, nor any word looked at to tell whether it was marked before.
#[derive(Clone, Debug)]
pub struct Marks(Vec<u64>);

impl Marks {
    /// No number below this one is marked.
    pub fn new(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    /// Marks a number.
    #[inline(always)]
    pub fn mark(&mut self, number: u32) {
        self.0[(number / 64) as usize] |= 1 << (number % 64);
    }

    /// Tells the numbers marked, ascending, and forgets them.
    #[inline(always)]
    pub fn drain(&mut self, mut tell: impl FnMut(u32)) {
        for (bits, base) in self.0.iter_mut().zip((0..).step_by(64)) {
            let mut left = std::mem::take(bits);
            while left != 0 {
                tell(base + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }
}
