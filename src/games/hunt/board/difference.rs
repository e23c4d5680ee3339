//! Functions of sets of points that are looked up eight points at a time.

use std::array::from_fn;
use std::ops::BitXor;

use super::{MAX_POINTS, Points};

/// A function of sets of points that is the symmetric difference over their members, looked up eight points at a
/// time. Where what belongs to different points is disjoint, that is the union.
#[derive(Clone, Debug)]
pub struct XorTable<T> {
    by_point: [T; MAX_POINTS],
    by_byte: [[T; 256]; 8],
    /// Whether any point beyond the first 32 has something.
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

    /// What belongs to one point.
    #[inline]
    pub fn at(&self, point: usize) -> T {
        self.by_point[point]
    }

    /// What belongs to an odd number of the points of a set.
    #[inline(always)]
    pub fn of(&self, set: Points) -> T {
        let low = self.of_bytes(set, 0);
        if self.is_wide {
            low ^ self.of_high(set)
        } else {
            low
        }
    }

    /// The same of the points from the 33rd on. No part of the caller, which is small without it.
    #[cold]
    #[inline(never)]
    fn of_high(&self, set: Points) -> T {
        self.of_bytes(set, 4)
    }

    /// What four bytes of a set have, from the one of this number on.
    #[inline]
    fn of_bytes(&self, set: Points, first: usize) -> T {
        let bytes = set.to_le_bytes();
        let of_byte = |byte: usize| self.by_byte[byte][usize::from(bytes[byte])];
        of_byte(first) ^ of_byte(first + 1) ^ of_byte(first + 2) ^ of_byte(first + 3)
    }
}
