//! A table that gives each point a value and returns the XOR of the values of a set of points.

use std::array::from_fn;
use std::ops::BitXor;

use super::{MAX_POINTS, Points};

/// A value for each point, with precomputed XORs of the values for every byte of a point set.
///
/// [`XorTable::of`] returns the XOR of the values of all points of a set, with one lookup per eight points. If the
/// values are disjoint sets, the result is their union.
#[derive(Clone, Debug)]
pub struct XorTable<T> {
    by_point: [T; MAX_POINTS],
    /// `by_byte[i][b]` is the XOR for the set whose byte `i` is `b` and whose other bytes are 0.
    by_byte: [[T; 256]; 8],
    /// `true` if any point from 32 to 63 has a value other than `T::default()`.
    is_wide: bool,
}

impl<T: Copy + Default + PartialEq + BitXor<Output = T>> XorTable<T> {
    /// Creates the table from the value of each point.
    pub(super) fn new(by_point: [T; MAX_POINTS]) -> Self {
        let of_byte = |byte_index: usize, byte: usize| {
            let is_set = |bit: &usize| byte >> bit & 1 == 1;
            let points = (0..8).filter(is_set).map(|bit| byte_index * 8 + bit);
            points
                .filter_map(|point| by_point.get(point))
                .fold(T::default(), |xor, &value| xor ^ value)
        };
        Self {
            by_byte: from_fn(|byte_index| from_fn(|byte| of_byte(byte_index, byte))),
            is_wide: by_point[32..].iter().any(|&value| value != T::default()),
            by_point,
        }
    }

    /// Returns the value of one point.
    #[inline]
    pub fn at(&self, point: usize) -> T {
        self.by_point[point]
    }

    /// Returns the XOR of the values of all points in `set`.
    #[inline(always)]
    pub fn of(&self, set: Points) -> T {
        let low = self.of_bytes(set, 0);
        if self.is_wide {
            low ^ self.of_high(set)
        } else {
            low
        }
    }

    /// Returns the XOR for points 32 to 63. Not inlined, to keep callers small: few boards have such points.
    #[cold]
    #[inline(never)]
    fn of_high(&self, set: Points) -> T {
        self.of_bytes(set, 4)
    }

    /// Returns the XOR for the four bytes of `set` that start at byte `first`.
    #[inline]
    fn of_bytes(&self, set: Points, first: usize) -> T {
        let bytes = set.to_le_bytes();
        let of_byte = |byte: usize| self.by_byte[byte][usize::from(bytes[byte])];
        of_byte(first) ^ of_byte(first + 1) ^ of_byte(first + 2) ^ of_byte(first + 3)
    }
}
