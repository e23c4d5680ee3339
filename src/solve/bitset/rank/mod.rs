//! The index of a position: the index of its tiger set, and the index of its goat set.
//!
//! Tiger sets that are images of each other under the board's symmetries share one index. The index of a goat set has
//! one binary digit per point free of tigers: 1 if a goat is on this point.

use crate::bits::combinations;
use crate::games::hunt::Board;
use crate::games::hunt::board::{MAX_POINTS, Points};

/// Maximum number of tigers.
pub(crate) const MAX_TIGERS: u32 = 5;
/// Maximum number of digits of a goat set's index.
pub(crate) const MAX_DIMENSIONS: u32 = u32::BITS;

/// Binomial coefficients `[n][k]`.
type Binomials = [[u32; MAX_TIGERS as usize + 1]; MAX_POINTS + 1];

/// Marks a point without a digit, because a tiger is on it.
const NO_DIGIT: u8 = u8::MAX;

/// A tiger set that represents all its images under the board's symmetries, and the digits of its goat sets.
#[derive(Clone, Debug)]
pub struct TigerSet {
    /// The tigers' points.
    pub tigers: Points,
    /// The number of tiger sets that it represents, including itself.
    pub(crate) images: u32,
    /// The indices of the symmetries, except the identity, that map the set to itself.
    pub(crate) stabilizers: Vec<usize>,
    /// Indexed by point: the number of its digit, or [`NO_DIGIT`] if a tiger is on the point.
    dimension_of: [u8; MAX_POINTS],
    /// Indexed by a digit's number: its point.
    point_of: Vec<u8>,
}

impl TigerSet {
    /// Returns the digit of a point free of tigers, as a mask.
    #[inline]
    pub(crate) fn digit(&self, point: usize) -> u32 {
        debug_assert!(self.dimension_of[point] != NO_DIGIT, "a tiger stands here");
        1 << self.dimension_of[point]
    }

    /// Returns the number of a point's digit, or `None` if a tiger is on the point.
    pub(crate) fn dimension(&self, point: usize) -> Option<u32> {
        let dimension = self.dimension_of[point];
        (dimension != NO_DIGIT).then_some(u32::from(dimension))
    }

    /// Returns the point of the digit with number `dimension`.
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

/// The index of a tiger set's representative and the index of a symmetry that maps the tiger set to it, in 32 bits.
///
/// The symmetry takes 9 bits, because a board has at most 512 symmetries. The representative takes 23 bits, which
/// suffice for all sets of five tigers on a board of 64 points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CanonicalRef(u32);

impl CanonicalRef {
    /// Marks a tiger set without a representative so far.
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

/// The numbering of one board's tiger sets and, for each tiger set, of the goat sets.
///
/// As far as possible, a point has the same digit for every tiger set, so that most tiger moves exchange only two
/// digits. This works as follows. With `n` tigers, `n` points are *reserve points*, and each other point owns a digit.
/// If a tiger is on a point that owns a digit, a reserve point free of tigers gets this digit. For example, on a board
/// of 25 points with 4 tigers, 21 points own a digit.
///
/// If possible, the reserve points are whole orbits under the board's symmetries, and so are the points with the lowest
/// digits. (An orbit is a point and all its images.) Then a symmetry maps most inner digits to inner digits.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The board.
    pub board: &'static Board,
    /// The number of digits of a goat set's index: the points free of tigers.
    pub(crate) dimensions: u32,
    /// The representatives of all tiger sets.
    pub sets: Vec<TigerSet>,
    /// Indexed by the rank of a tiger set: its representative.
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
            dimensions: board.points as u32 - count,
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

    /// Returns the points that own digits, in the order of their digits from the lowest, and the reserve points: as
    /// many as there are `tigers`. Whole orbits become reserve points, large ones first, as long as they fit.
    fn digit_owners(&self, tigers: usize) -> (Vec<usize>, Vec<usize>) {
        let mut orbits: Vec<Vec<usize>> = Vec::new();
        for point in 0..self.board.points {
            if !orbits.iter().any(|orbit| orbit.contains(&point)) {
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

    /// Adds `tigers` as a representative, and enters it for all its images.
    fn add(&mut self, tigers: Points, owners: &[usize], reserve: &[usize]) {
        let is_free = |point: &&usize| tigers >> **point & 1 == 0;
        let mut free_reserve = reserve.iter().filter(is_free);
        let point_of: Vec<u8> = owners
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
