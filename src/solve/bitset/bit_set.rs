//! A set of small integers: insert in any order, drain in ascending order.

/// A set of numbers below a bound, with one bit per number.
///
/// Unlike a list, it needs no sorting and no check for duplicates. With a bound of a million, it takes 122 KiB and
/// fits the CPU's cache.
#[derive(Clone, Debug)]
pub(crate) struct BitSet(Vec<u64>);

impl BitSet {
    /// Creates an empty set of numbers below `bound`.
    pub(crate) fn new(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    /// Inserts a number.
    #[inline(always)]
    pub(crate) fn insert(&mut self, number: u32) {
        self.0[(number / 64) as usize] |= 1 << (number % 64);
    }

    /// Empties the set and calls `visit` with its numbers in ascending order.
    ///
    /// For each run of 64 consecutive numbers, first calls `prepare` and then `visit` with every number in the
    /// set. So `prepare` can prefetch data for `visit`.
    #[inline(always)]
    pub(crate) fn drain(&mut self, mut prepare: impl FnMut(u32), mut visit: impl FnMut(u32)) {
        for (bits, base) in self.0.iter_mut().zip((0..).step_by(64)) {
            let bits = std::mem::take(bits);
            for_each_bit(
                bits,
                #[inline(always)]
                |bit| prepare(base + bit),
            );
            for_each_bit(
                bits,
                #[inline(always)]
                |bit| visit(base + bit),
            );
        }
    }
}

/// Calls `visit` with the positions of the one bits in ascending order.
#[inline(always)]
pub(crate) fn for_each_bit(mut bits: u64, mut visit: impl FnMut(u32)) {
    while bits != 0 {
        visit(bits.trailing_zeros());
        bits &= bits - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn drains_each_number_once_in_ascending_order() {
        let mut set = BitSet::new(200);
        for number in [199, 3, 64, 63, 3, 0] {
            set.insert(number);
        }
        let (prepared, mut drained) = (RefCell::new(Vec::new()), Vec::new());
        set.drain(
            |number| prepared.borrow_mut().push(number),
            |number| {
                assert!(prepared.borrow().contains(&number), "{number}");
                drained.push(number);
            },
        );
        assert_eq!(drained, [0, 3, 63, 64, 199]);
        assert_eq!(prepared.into_inner(), drained);
        set.drain(|_| panic!("nothing is left"), |_| panic!("nothing is left"));
    }
}
