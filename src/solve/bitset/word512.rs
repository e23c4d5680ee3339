//! 512 bits at once: the values of a small cube of goat sets, and permutations of its dimensions.
//!
//! A goat set is a number with one binary digit per point. The sets form a cube with one dimension per digit, and the
//! lowest dimensions of the cube fit one word. Moving a piece exchanges, mirrors or permutes dimensions. A word does
//! this for all its sets at once, by the butterfly of bit permutations (Warren, "Hacker's Delight", chapter 7).

/// Dimensions of a word of single bits.
pub(crate) const DIMENSIONS: u32 = 9;

/// 512 bits. Bit `i` is in lane `i / 64`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Word512(pub [u64; 8]);

/// The bits of a lane whose digit `d` is zero, for the six dimensions inside a lane.
const ZERO_DIGIT: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// The words whose digit 6, 7 or 8 is zero: the dimensions that number the lanes.
const ZERO_LANES: [Word512; 3] = [
    Word512([!0, 0, !0, 0, !0, 0, !0, 0]),
    Word512([!0, !0, 0, 0, !0, !0, 0, 0]),
    Word512([!0, !0, !0, !0, 0, 0, 0, 0]),
];

// Plain loops over the lanes compile to single vector instructions. Array methods that take a closure did not.
impl Word512 {
    /// All bits zero.
    pub const NONE: Self = Self([0; 8]);
    /// All bits one.
    pub const ALL: Self = Self([!0; 8]);

    /// Returns a word of equal bytes.
    #[inline(always)]
    pub(crate) fn of_bytes(byte: u8) -> Self {
        Self([u64::from_ne_bytes([byte; 8]); 8])
    }

    /// Returns the bits whose digit `d` is zero.
    #[inline(always)]
    pub(crate) fn zero_digit(d: u32) -> Self {
        if d < 6 {
            Self([ZERO_DIGIT[d as usize]; 8])
        } else {
            ZERO_LANES[(d - 6) as usize]
        }
    }

    /// Returns the goat sets that satisfy `fits`, by their digits inside the word.
    pub(crate) fn of_sets(fits: impl Fn(u32) -> bool) -> Self {
        let mut word = Self::NONE;
        for number in (0..1 << DIMENSIONS).filter(|&number| fits(number)) {
            word.add(number);
        }
        word
    }

    /// Returns `true` if no bit is set.
    #[inline(always)]
    pub fn is_none(&self) -> bool {
        let mut any = 0;
        for lane in self.0 {
            any |= lane;
        }
        any == 0
    }

    /// Returns `true` if the bit of a goat set is set. Digits outside the word are ignored.
    #[inline(always)]
    pub fn contains(&self, number: u32) -> bool {
        let bit = number % (1 << DIMENSIONS);
        self.0[(bit / 64) as usize] >> (bit % 64) & 1 == 1
    }

    /// Sets the bit of a goat set.
    #[inline(always)]
    pub fn add(&mut self, number: u32) {
        let bit = number % (1 << DIMENSIONS);
        self.0[(bit / 64) as usize] |= 1 << (bit % 64);
    }

    /// Clears the bit of a goat set unless `is_kept`.
    #[inline(always)]
    pub fn keep(&mut self, number: u32, is_kept: bool) {
        let bit = number % (1 << DIMENSIONS);
        self.0[(bit / 64) as usize] &= !(u64::from(!is_kept) << (bit % 64));
    }

    /// Returns the number of set bits.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|lane| lane.count_ones()).sum()
    }

    /// Returns the bits of `self` where `mask` is set, and those of `other` elsewhere.
    #[inline(always)]
    #[must_use]
    pub fn select(self, mask: Self, other: Self) -> Self {
        self & mask | other & !mask
    }

    /// Swaps every bit with the bit whose digit `d` differs.
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

    #[inline(always)]
    fn flip_inside<const D: usize>(mut self) -> Self {
        let shift = 1 << D;
        for lane in &mut self.0 {
            *lane = (*lane >> shift) & ZERO_DIGIT[D] | (*lane & ZERO_DIGIT[D]) << shift;
        }
        self
    }

    /// Exchanges dimensions `d` and `e`.
    #[inline(always)]
    #[must_use]
    pub fn swap(self, d: u32, e: u32) -> Self {
        let unequal = Self::zero_digit(d) ^ Self::zero_digit(e);
        self.flip(d).flip(e).select(unequal, self)
    }

    /// Exchanges dimension `d` with the dimension that separates `low` from `high`, two words that differ in one outer
    /// digit.
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

    /// Returns the places of `byte` among the 64 bytes, as bits.
    #[inline(always)]
    pub(crate) fn places_of(&self, byte: u8) -> u64 {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        /// Moves the highest bit of every byte into the highest byte.
        const GATHER: u64 = 0x0002_0408_1020_4081;
        let pattern = u64::from_ne_bytes([byte; 8]);
        let mut places = 0;
        for (index, lane) in self.0.into_iter().enumerate() {
            let other = lane.to_le() ^ pattern;
            // The highest bit of every nonzero byte.
            let unequal = (other & LOW) + LOW | other;
            places |= ((!unequal & !LOW).wrapping_mul(GATHER) >> 56) << (8 * index);
        }
        places
    }

    /// Returns the larger byte at each place.
    #[inline(always)]
    #[must_use]
    pub(crate) fn larger_bytes(mut self, other: &Self) -> Self {
        for (byte, other) in self.bytes_mut().iter_mut().zip(other.bytes()) {
            *byte = (*byte).max(*other);
        }
        self
    }

    /// Returns the smaller byte at each place.
    #[inline(always)]
    #[must_use]
    pub(crate) fn smaller_bytes(mut self, other: &Self) -> Self {
        for (byte, other) in self.bytes_mut().iter_mut().zip(other.bytes()) {
            *byte = (*byte).min(*other);
        }
        self
    }
}

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

    fn swapped(index: usize, d: u32, e: u32) -> usize {
        let differs = (index >> d ^ index >> e) & 1;
        index ^ (differs << d | differs << e)
    }

    proptest! {
        #[test]
        fn flips_and_swaps_move_bits_by_their_digits(lanes: [u64; 8], d in 0..DIMENSIONS, e in 0..DIMENSIONS) {
            let word = Word512(lanes);
            for index in 0..512 {
                prop_assert_eq!(bit(&word.flip(d), index), bit(&word, index ^ 1 << d));
                if d != e {
                    prop_assert_eq!(bit(&word.swap(d, e), index), bit(&word, swapped(index, d, e)));
                }
            }
        }

        #[test]
        fn finds_every_place_of_a_byte(mut lanes: [u64; 8], byte in 0..4_u8, high: bool) {
            // Few different bytes, some of which differ in one bit only.
            let byte = byte | u8::from(high) << 7;
            for lane in &mut lanes {
                *lane &= 0x8303_8383_0383_8381;
            }
            let word = Word512(lanes);
            let places = word.places_of(byte);
            for (index, &there) in word.bytes().iter().enumerate() {
                prop_assert_eq!(places >> index & 1 == 1, there == byte);
            }
        }

        #[test]
        fn exchange_swaps_inner_and_outer_dimension(low: [u64; 8], high: [u64; 8], d in 0..DIMENSIONS) {
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
