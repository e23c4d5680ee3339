//! The index of a position: the index of its tiger set, and the index of its goat set.
//!
//! Tiger sets that are images of each other under the board's symmetries share one index. The index of a goat set has
//! one binary digit per point of the goats' zone that is free of tigers: 1 if a goat is on this point. Most games have
//! no zone: the goats may enter every point.
//!
//! All tiger sets have equal numbers of digits. If more tigers than the minimum are in the zone, fewer points of the
//! zone are free and need a digit. Then the highest digits are *unused*: always 0.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::bits::combinations;
use crate::games::hunt::Board;
use crate::games::hunt::board::{MAX_POINTS, Points};

/// Maximum number of tigers.
pub(crate) const MAX_TIGERS: u32 = 5;
/// Maximum number of digits of a goat set's index.
pub(crate) const MAX_DIMENSIONS: u32 = u32::BITS;

/// Binomial coefficients `[n][k]`.
type Binomials = [[u32; MAX_TIGERS as usize + 1]; MAX_POINTS + 1];

/// Marks a point without a digit, because a tiger is on it or it is outside the goats' zone.
const NO_DIGIT: u8 = u8::MAX;

/// A tiger set that represents all its images under the board's symmetries, and the digits of its goat sets.
#[derive(Clone, Debug)]
pub struct TigerSet {
    /// The tigers' points.
    pub tigers: Points,
    /// The number of tiger sets that this set represents, including itself.
    pub(crate) images: u32,
    /// The indices of the symmetries, except the identity, that map the set to itself.
    pub(crate) stabilizers: Vec<usize>,
    /// The number of each point's digit, or [`NO_DIGIT`].
    dimension_of: [u8; MAX_POINTS],
    /// The point of each digit. Unused digits have no element.
    point_of: Vec<u8>,
}

impl TigerSet {
    /// Returns the digit of a point as a mask. Goats must be able to enter the point, and it must
    /// be free of tigers.
    #[inline]
    pub(crate) fn digit(&self, point: usize) -> u32 {
        debug_assert!(self.dimension_of[point] != NO_DIGIT, "no goat stands here");
        1 << self.dimension_of[point]
    }

    /// Returns the number of digits in use: the number of tiger-free points that goats may enter.
    #[inline]
    pub(crate) fn used_digits(&self) -> u32 {
        self.point_of.len() as u32
    }

    /// Returns the number of a point's digit, or `None` if it has none.
    pub(crate) fn dimension(&self, point: usize) -> Option<u32> {
        let dimension = self.dimension_of[point];
        (dimension != NO_DIGIT).then_some(u32::from(dimension))
    }

    /// Returns the point of the digit with number `dimension`, which must be in use.
    pub fn point(&self, dimension: u32) -> usize {
        self.point_of[dimension as usize] as usize
    }

    /// Returns the goat set with the index `number`.
    pub fn goats(&self, mut number: u32) -> Points {
        let mut goats = 0;
        while number != 0 {
            goats |= 1 << self.point_of[number.trailing_zeros() as usize];
            number &= number - 1;
        }
        goats
    }
}

/// A reference from a tiger set to its representative, in 32 bits: the representative's index, and the index of
/// a symmetry that maps the tiger set to it.
///
/// The symmetry takes 9 bits, for at most 512 symmetries. The representative takes 23 bits, for all sets of five
/// tigers on a board of 64 points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CanonicalRef(u32);

impl CanonicalRef {
    /// Marks a tiger set without a known representative.
    const UNKNOWN: Self = Self(u32::MAX);
    /// Number of bits of the symmetry's index.
    const SYMMETRY_BITS: u32 = 9;

    fn new(set: usize, symmetry: usize) -> Self {
        Self((set as u32) << Self::SYMMETRY_BITS | symmetry as u32)
    }

    /// Returns the index of the representative and the index of the symmetry.
    #[inline]
    fn read(self) -> (usize, usize) {
        let symmetry = self.0 & !(!0 << Self::SYMMETRY_BITS);
        ((self.0 >> Self::SYMMETRY_BITS) as usize, symmetry as usize)
    }
}

/// Returns the minimum and the maximum number of tiger-free points that goats may enter. They are equal if the goats
/// may enter every point.
pub(crate) fn goat_points(board: &Board) -> RangeInclusive<u32> {
    let (zone, hunters) = (board.zone.count_ones(), board.spec.hunters);
    zone.saturating_sub(hunters)..=zone.min(board.points as u32 - hunters)
}

/// The numbers of tiger sets with equal numbers of used digits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SetCounts {
    /// The number of tiger sets up to symmetry.
    pub(crate) canonical: u64,
    /// The number of all tiger sets.
    pub(crate) all: u64,
}

/// The numbering of one board's tiger sets and, for each tiger set, of the goat sets.
///
/// A point has the same digit for most tiger sets, so that most tiger moves exchange only two digits. With `n` tigers,
/// `n` points of the goats' zone are *reserve points*, and every other point of the zone owns a digit. If a tiger is on
/// a point that owns a digit, a free reserve point gets this digit. For example, on a board of 25 points with 4 tigers,
/// 21 points own a digit. If tigers are outside the zone, the remaining reserve points get the highest digits, which
/// are unused for other tiger sets.
///
/// If possible, the reserve points and the points with the lowest digits are whole orbits under the board's symmetries
/// (a point and all its images). Then a symmetry maps most inner digits to inner digits.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The board.
    pub board: &'static Board,
    /// The number of digits of a goat set's index: the maximum number of tiger-free points that goats may enter.
    pub(crate) dimensions: u32,
    /// The representatives of all tiger sets.
    pub sets: Vec<TigerSet>,
    /// The representative of each tiger set, indexed by its rank.
    representatives: Vec<CanonicalRef>,
    binomials: Binomials,
}

impl Ranking {
    /// Creates the numbering for a board.
    pub fn new(board: &'static Board) -> Self {
        let count = board.tigers.count_ones();
        let binomials = binomials();
        let mut ranking = Self {
            board,
            dimensions: *goat_points(board).end(),
            sets: Vec::new(),
            representatives: vec![
                CanonicalRef::UNKNOWN;
                binomials[board.points][count as usize] as usize
            ],
            binomials,
        };
        let (owners, reserve) = ranking.digit_owners(count as usize);
        for tigers in combinations(board.points as u32, count) {
            if ranking.representatives[ranking.rank(tigers)] == CanonicalRef::UNKNOWN {
                ranking.add(tigers, &owners, &reserve);
            }
        }
        ranking
    }

    /// Returns the numbers of tiger sets, by their numbers of digits in use.
    pub(crate) fn sets_by_used_digits(&self) -> BTreeMap<u32, SetCounts> {
        let mut counts: BTreeMap<u32, SetCounts> = BTreeMap::new();
        for set in &self.sets {
            let counts = counts.entry(set.used_digits()).or_default();
            counts.canonical += 1;
            counts.all += u64::from(set.images);
        }
        counts
    }

    /// Returns the number of goat sets for each tiger set.
    #[cfg(test)]
    pub(crate) fn goat_sets(&self) -> usize {
        1 << self.dimensions
    }

    /// Returns the index of the representative of `tigers`, and the index of a symmetry that maps `tigers` to it.
    #[inline]
    pub(crate) fn representative(&self, tigers: Points) -> (usize, usize) {
        self.representatives[self.rank(tigers)].read()
    }

    /// Returns the image of a set of points under the symmetry with index `symmetry`.
    #[inline]
    pub fn image(&self, symmetry: usize, points: Points) -> Points {
        self.board.symmetries[symmetry].set_images.of(points)
    }

    /// Returns the index of a position: the index of the representative of `tigers`, and the index of the image of
    /// `goats` under the symmetry that maps `tigers` to this representative.
    #[inline]
    pub(crate) fn locate(&self, tigers: Points, goats: Points) -> (usize, u32) {
        let (index, symmetry) = self.representative(tigers);
        let (set, mut goats) = (&self.sets[index], self.image(symmetry, goats));
        let mut number = 0;
        while goats != 0 {
            number |= set.digit(goats.trailing_zeros() as usize);
            goats &= goats - 1;
        }
        (index, number)
    }

    /// Returns the rank of a set of points in the colexicographic order of all sets of its size (combinatorial number
    /// system).
    #[inline]
    fn rank(&self, mut points: Points) -> usize {
        let (mut rank, mut size) = (0, 0);
        while points != 0 {
            size += 1;
            rank += self.binomials[points.trailing_zeros() as usize][size];
            points &= points - 1;
        }
        rank as usize
    }

    /// Returns the points that own digits, lowest digit first, and the `tigers` reserve points, all in the goats'
    /// zone. Whole orbits become reserve points, large orbits first, as long as they fit.
    fn digit_owners(&self, tigers: usize) -> (Vec<usize>, Vec<usize>) {
        let mut orbits: Vec<Vec<usize>> = Vec::new();
        for point in 0..self.board.points {
            let is_in_zone = self.board.zone >> point & 1 == 1;
            if is_in_zone && !orbits.iter().any(|orbit| orbit.contains(&point)) {
                let images = self.board.symmetries.iter();
                let mut orbit: Vec<usize> = images
                    .map(|symmetry| symmetry.images[point] as usize)
                    .collect();
                orbit.sort_unstable();
                orbit.dedup();
                orbits.push(orbit);
            }
        }
        let mut by_size: Vec<usize> = (0..orbits.len()).collect();
        by_size.sort_by_key(|&index| std::cmp::Reverse(orbits[index].len()));
        let mut reserve = Vec::new();
        for index in by_size {
            if reserve.len() + orbits[index].len() <= tigers {
                reserve.append(&mut orbits[index]);
            }
        }
        let mut owners: Vec<usize> = orbits.concat();
        while reserve.len() < tigers {
            reserve.extend(owners.pop());
        }
        (owners, reserve)
    }

    /// Adds `tigers` as a representative, and records it for all its images.
    fn add(&mut self, tigers: Points, owners: &[usize], reserve: &[usize]) {
        let is_free = |point: &&usize| tigers >> **point & 1 == 0;
        let mut free_reserve = reserve.iter().filter(is_free);
        let mut point_of: Vec<u8> = owners
            .iter()
            .filter_map(|owner| {
                let point = if is_free(&owner) {
                    Some(owner)
                } else {
                    free_reserve.next()
                };
                point.map(|&point| point as u8)
            })
            .collect();
        // Points are left if tigers are outside the zone.
        point_of.extend(free_reserve.map(|&point| point as u8));
        let mut dimension_of = [NO_DIGIT; MAX_POINTS];
        for (dimension, &point) in point_of.iter().enumerate() {
            dimension_of[point as usize] = dimension as u8;
        }
        let index = self.sets.len();
        let mut set = TigerSet {
            tigers,
            images: 0,
            stabilizers: Vec::new(),
            dimension_of,
            point_of,
        };
        let symmetries = &self.board.symmetries;
        for (symmetry, mapping) in symmetries.iter().enumerate() {
            // `symmetry` maps the representative to an image, so its inverse maps the image to the representative.
            let inverse = symmetries
                .iter()
                .position(|other| other.images == mapping.origins);
            let image = self.image(symmetry, tigers);
            if image == tigers && symmetry != 0 {
                set.stabilizers.push(symmetry);
            }
            let rank = self.rank(image);
            let entry = &mut self.representatives[rank];
            if let (CanonicalRef::UNKNOWN, Some(inverse)) = (*entry, inverse) {
                *entry = CanonicalRef::new(index, inverse);
                set.images += 1;
            }
        }
        self.sets.push(set);
    }
}

/// Returns the binomial coefficients, by Pascal's triangle.
fn binomials() -> Binomials {
    let mut table = [[0; MAX_TIGERS as usize + 1]; MAX_POINTS + 1];
    for n in 0..=MAX_POINTS {
        table[n][0] = 1;
        for k in 1..=n.min(MAX_TIGERS as usize) {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
        }
    }
    table
}

#[cfg(test)]
mod tests;
