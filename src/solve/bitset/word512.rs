//! A word of 512 bits: the values of 512 goat sets by one bit each, or of 64 goat sets by one byte each.
//!
//! The index of a goat set has one binary digit per point, and the nine lowest digits select a bit of the word. A
//! goat's step exchanges the digits of two points, and a capture changes one digit. [`Word512::swap`] and
//! [`Word512::flip`] do this for all goat sets of the word at once, by shifts and masks as in the bit permutations of
//! Warren, "Hacker's Delight", chapter 7.

/// Number of digits that select a bit of a word.
pub(crate) const DIMENSIONS: u32 = 9;

/// 512 bits in eight *lanes* of 64. Bit `i` is bit `i % 64` of lane `i / 64`: digits 0 to 5 of `i` select the bit
/// within its lane, and digits 6 to 8 select the lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Word512(pub [u64; 8]);

/// Element `d` is a mask of the bits of a lane with digit `d` of the index equal to 0, for `d` from 0
/// to 5.
const ZERO_DIGIT: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// Element `d - 6` is a mask of the bits of a word with digit `d` of the index equal to 0, for `d` from 6
/// to 8.
const ZERO_LANES: [Word512; 3] = [
    Word512([!0, 0, !0, 0, !0, 0, !0, 0]),
    Word512([!0, !0, 0, 0, !0, !0, 0, 0]),
    Word512([!0, !0, !0, !0, 0, 0, 0, 0]),
];

// Plain loops over the lanes compile to vector instructions; array methods with a closure do not.
impl Word512 {
    /// All bits zero.
    pub const NONE: Self = Self([0; 8]);
    /// All bits one.
    pub const ALL: Self = Self([!0; 8]);

    /// Returns a word of 64 equal bytes.
    #[inline(always)]
    pub(crate) fn of_bytes(byte: u8) -> Self {
        Self([u64::from_ne_bytes([byte; 8]); 8])
    }

    /// Returns a mask of the bits with digit `d` of the index equal to 0.
    #[inline(always)]
    pub(crate) fn zero_digit(d: u32) -> Self {
        if d < 6 {
            Self([ZERO_DIGIT[d as usize]; 8])
        } else {
            ZERO_LANES[(d - 6) as usize]
        }
    }

    /// Returns the word whose bit `i` is 1 if `fits(i)` is `true`.
    pub(crate) fn of_sets(fits: impl Fn(u32) -> bool) -> Self {
        let mut word = Self::NONE;
        for number in (0..1 << DIMENSIONS).filter(|&number| fits(number)) {
            word.add(number);
        }
        word
    }

    /// Returns `true` if no bit is 1.
    #[inline(always)]
    pub fn is_none(&self) -> bool {
        let mut any = 0;
        for lane in self.0 {
            any |= lane;
        }
        any == 0
    }

    /// Returns `true` if the bit of the goat set with index `number` is 1. The outer digits of the index are ignored.
    #[inline(always)]
    pub fn contains(&self, number: u32) -> bool {
        let bit = number % (1 << DIMENSIONS);
        self.0[(bit / 64) as usize] >> (bit % 64) & 1 == 1
    }

    /// Sets the bit of the goat set with index `number`. The outer digits of the index are ignored.
    #[inline(always)]
    pub fn add(&mut self, number: u32) {
        let bit = number % (1 << DIMENSIONS);
        self.0[(bit / 64) as usize] |= 1 << (bit % 64);
    }

    /// Clears the bit of the goat set with index `number`, unless `is_kept` is `true`. The outer digits of the index
    /// are ignored.
    #[inline(always)]
    pub fn keep(&mut self, number: u32, is_kept: bool) {
        let bit = number % (1 << DIMENSIONS);
        self.0[(bit / 64) as usize] &= !(u64::from(!is_kept) << (bit % 64));
    }

    /// Returns the number of one bits.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|lane| lane.count_ones()).sum()
    }

    /// Returns the bits of `self` where `mask` is 1, and the bits of `other` where `mask` is 0.
    #[inline(always)]
    #[must_use]
    pub fn select(self, mask: Self, other: Self) -> Self {
        self & mask | other & !mask
    }

    /// Swaps every bit with the bit whose index differs in digit `d` only.
    #[inline(always)]
    #[must_use]
    pub fn flip(self, d: u32) -> Self {
        let l = self.0;
        match d {
            0 => self.flip_inside::<0>(),
            1 => self.flip_inside::<1>(),
            2 => self.flip_inside::<2>(),
            3 => self.flip_inside::<3>(),
            4 => self.flip_inside::<4>(),
            5 => self.flip_inside::<5>(),
            6 => Self([l[1], l[0], l[3], l[2], l[5], l[4], l[7], l[6]]),
            7 => Self([l[2], l[3], l[0], l[1], l[6], l[7], l[4], l[5]]),
            _ => Self([l[4], l[5], l[6], l[7], l[0], l[1], l[2], l[3]]),
        }
    }

    /// Like [`Self::flip`], for a digit `D` below 6, which selects a bit within a lane.
    #[inline(always)]
    fn flip_inside<const D: usize>(mut self) -> Self {
        let shift = 1 << D;
        for lane in &mut self.0 {
            *lane = (*lane >> shift) & ZERO_DIGIT[D] | (*lane & ZERO_DIGIT[D]) << shift;
        }
        self
    }

    /// Exchanges digits `d` and `e` of all indices. For example, `swap(0, 1)` moves bit 1 to bit 2 and bit 2 to bit 1.
    #[inline(always)]
    #[must_use]
    pub fn swap(self, d: u32, e: u32) -> Self {
        let unequal = Self::zero_digit(d) ^ Self::zero_digit(e);
        self.flip(d).flip(e).select(unequal, self)
    }

    /// Exchanges digit `d` of the indices in two words with an outer digit, which is 0 in `low` and 1 in `high`: the
    /// bits of `low` with `d` = 1 and the bits of `high` with `d` = 0 change places.
    #[inline(always)]
    pub fn exchange(low: &mut Self, high: &mut Self, d: u32) {
        let zero = Self::zero_digit(d);
        let (from_low, from_high) = (low.flip(d), high.flip(d));
        (*low, *high) = (low.select(zero, from_high), from_low.select(zero, *high));
    }

    /// Returns the word as 64 bytes.
    #[inline(always)]
    pub fn bytes(&self) -> &[u8; 64] {
        bytemuck::cast_ref(self)
    }

    /// Returns the word as 64 mutable bytes.
    #[inline(always)]
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8; 64] {
        bytemuck::cast_mut(self)
    }

    /// Returns a mask of the bytes that are equal to `byte`: bit `i` is 1 if byte `i` is equal.
    #[inline(always)]
    pub(crate) fn places_of(&self, byte: u8) -> u64 {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        /// Multiplication by this factor moves the highest bits of the eight bytes into the highest byte, in order.
        const GATHER: u64 = 0x0002_0408_1020_4081;
        let pattern = u64::from_ne_bytes([byte; 8]);
        let mut places = 0;
        for (index, lane) in self.0.into_iter().enumerate() {
            let other = lane.to_le() ^ pattern;
            // The highest bit of every byte of `unequal` is 1 if the byte of `other` is not zero.
            let unequal = (other & LOW) + LOW | other;
            places |= ((!unequal & !LOW).wrapping_mul(GATHER) >> 56) << (8 * index);
        }
        places
    }

    /// Returns the larger byte of the two words for each of the 64 places.
    #[inline(always)]
    #[must_use]
    pub(crate) fn larger_bytes(mut self, other: &Self) -> Self {
        for (byte, other) in self.bytes_mut().iter_mut().zip(other.bytes()) {
            *byte = (*byte).max(*other);
        }
        self
    }

    /// Returns the smaller byte of the two words for each of the 64 places.
    #[inline(always)]
    #[must_use]
    pub(crate) fn smaller_bytes(mut self, other: &Self) -> Self {
        for (byte, other) in self.bytes_mut().iter_mut().zip(other.bytes()) {
            *byte = (*byte).min(*other);
        }
        self
    }
}

/// Implements a bit operator by applying it to each pair of lanes.
macro_rules! lanewise {
    ($operator:ident, $method:ident) => {
        impl std::ops::$operator for Word512 {
            type Output = Self;

            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                for lane in 0..8 {
                    self.0[lane] = self.0[lane].$method(other.0[lane]);
                }
                self
            }
        }
    };
}
lanewise!(BitAnd, bitand);
lanewise!(BitOr, bitor);
lanewise!(BitXor, bitxor);

impl std::ops::Not for Word512 {
    type Output = Self;

    #[inline(always)]
    fn not(mut self) -> Self {
        for lane in &mut self.0 {
            *lane = !*lane;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bit(word: &Word512, index: usize) -> bool {
        word.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// Returns `index` with digits `d` and `e` exchanged.
    fn swapped(index: usize, d: u32, e: u32) -> usize {
        let differs = (index >> d ^ index >> e) & 1;
        index ^ (differs << d | differs << e)
    }

    proptest! {
        #[test]
        fn flip_and_swap_change_digits_of_bit_indices(lanes: [u64; 8], d in 0..DIMENSIONS, e in 0..DIMENSIONS) {
            let word = Word512(lanes);
            for index in 0..512 {
                prop_assert_eq!(bit(&word.flip(d), index), bit(&word, index ^ 1 << d));
                if d != e {
                    prop_assert_eq!(bit(&word.swap(d, e), index), bit(&word, swapped(index, d, e)));
                }
            }
        }

        #[test]
        fn finds_all_equal_bytes(mut lanes: [u64; 8], byte in 0..4_u8, high: bool) {
            // The mask leaves few distinct bytes, so that equal bytes occur. Some differ in one bit only.
            let byte = byte | u8::from(high) << 7;
            for lane in &mut lanes {
                *lane &= 0x8303_8383_0383_8381;
            }
            let word = Word512(lanes);
            let places = word.places_of(byte);
            for (index, &found) in word.bytes().iter().enumerate() {
                prop_assert_eq!(places >> index & 1 == 1, found == byte);
            }
        }

        #[test]
        fn exchange_swaps_inner_and_outer_digit(low: [u64; 8], high: [u64; 8], d in 0..DIMENSIONS) {
            let before = [Word512(low), Word512(high)];
            let [mut low, mut high] = before;
            Word512::exchange(&mut low, &mut high, d);
            for (outside, word) in [low, high].iter().enumerate() {
                for index in 0..512 {
                    let inside = index >> d & 1;
                    let from = index & !(1 << d) | outside << d;
                    prop_assert_eq!(bit(word, index), bit(&before[inside], from));
                }
            }
        }
    }
}
