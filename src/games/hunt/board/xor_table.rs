//! Fast lookup of functions that map a set of points to the XOR of its members' values.

use std::array::from_fn;
use std::ops::BitXor;

use super::{MAX_POINTS, Points};

/// A map from a set of points to the XOR of its members' values, with one lookup per eight points.
///
/// If the members' values are disjoint sets, the XOR is their union.
#[derive(Clone, Debug)]
pub struct XorTable<T> {
    by_point: [T; MAX_POINTS],
    by_byte: [[T; 256]; 8],
    /// `true` if any point from 32 on has a value other than the default.
    is_wide: bool,
}

impl<T: Copy + Default + PartialEq + BitXor<Output = T>> XorTable<T> {
    pub(super) fn new(by_point: [T; MAX_POINTS]) -> Self {
        let of_byte = |slice: usize, byte: usize| {
            let inside = |point: &usize| byte >> point & 1 == 1;
            let members = (0..8).filter(inside).map(|point| slice * 8 + point);
            members
                .filter_map(|point| by_point.get(point))
                .fold(T::default(), |difference, &one| difference ^ one)
        };
        Self {
            by_byte: from_fn(|slice| from_fn(|byte| of_byte(slice, byte))),
            is_wide: by_point[32..].iter().any(|&one| one != T::default()),
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

    /// Returns the XOR for points 32 to 63. It is not inlined, which keeps the callers small.
    #[cold]
    #[inline(never)]
    fn of_high(&self, set: Points) -> T {
        self.of_bytes(set, 4)
    }

    /// Returns the XOR for four bytes of `set`, from byte `first` on.
    #[inline]
    fn of_bytes(&self, set: Points, first: usize) -> T {
        let bytes = set.to_le_bytes();
        let of_byte = |byte: usize| self.by_byte[byte][usize::from(bytes[byte])];
        of_byte(first) ^ of_byte(first + 1) ^ of_byte(first + 2) ^ of_byte(first + 3)
    }
}
