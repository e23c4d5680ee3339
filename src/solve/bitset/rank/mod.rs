//! The index of a position: its tiger set up to the board's symmetries, and its goat set with one binary digit per
//! point free of tigers.

use crate::bits::combinations;
use crate::games::hunt::Board;
use crate::games::hunt::board::{MAX_POINTS, Points};

/// Maximum number of tigers.
pub(crate) const MAX_TIGERS: u32 = 5;
/// Maximum digits of a goat set's index.
pub(crate) const MAX_DIMENSIONS: u32 = u32::BITS;

/// Binomial coefficients `[n][k]`.
type Binomials = [[u32; MAX_TIGERS as usize + 1]; MAX_POINTS + 1];

/// Marks a point without a digit.
const NO_DIGIT: u8 = u8::MAX;

/// A tiger set that represents all its images under the board's symmetries.
#[derive(Clone, Debug)]
pub struct TigerSet {
    /// The tigers' points.
    pub tigers: Points,
    /// The number of sets that it represents, itself included.
    pub(crate) images: u32,
    /// The symmetries, except the identity, that map the set to itself.
    pub(crate) stabilizers: Vec<usize>,
    /// The digit of each point; [`NO_DIGIT`] for points with a tiger.
    digit_of: [u8; MAX_POINTS],
    /// The point of each digit.
    point_of: Vec<u8>,
}

impl TigerSet {
    /// Returns the digit of a point free of tigers, as a number with only this bit.
    #[inline]
    pub(crate) fn digit(&self, point: usize) -> u32 {
        debug_assert!(self.digit_of[point] != NO_DIGIT, "a tiger stands here");
        1 << self.digit_of[point]
    }

    /// Returns the position of a point's digit, or `None` if a tiger stands there.
    pub(crate) fn dimension(&self, point: usize) -> Option<u32> {
        let digit = self.digit_of[point];
        (digit != NO_DIGIT).then_some(u32::from(digit))
    }

    /// Returns the point of the digit at position `dimension`.
    pub fn point(&self, dimension: u32) -> usize {
        self.point_of[dimension as usize] as usize
    }

    /// Returns the goat set with this index.
    pub fn goats(&self, mut number: u32) -> Points {
        let mut goats = 0;
        while number != 0 {
            goats |= 1 << self.point_of[number.trailing_zeros() as usize];
            number &= number - 1;
        }
        goats
    }
}

/// The index of a set's representative and the symmetry that maps to it. No board has 2²³ sets of five tigers or more
/// than 512 symmetries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CanonicalRef(u32);

impl CanonicalRef {
    const UNKNOWN: Self = Self(u32::MAX);
    /// Bits of the symmetry's number.
    const SYMMETRY_BITS: u32 = 9;

    fn new(set: usize, symmetry: usize) -> Self {
        Self((set as u32) << Self::SYMMETRY_BITS | symmetry as u32)
    }

    #[inline]
    fn read(self) -> (usize, usize) {
        let symmetry = self.0 & !(!0 << Self::SYMMETRY_BITS);
        ((self.0 >> Self::SYMMETRY_BITS) as usize, symmetry as usize)
    }
}

/// The numbering of one board's positions.
///
/// As far as possible, a point has the same digit for every tiger set, so most tiger moves exchange only two digits.
/// Each point owns a digit, except a few *stand-ins*, which take the digits of the points where tigers stand.
/// Stand-ins and the points of the lowest digits are whole orbits under the symmetries if possible.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The board.
    pub board: &'static Board,
    /// The number of digits of a goat set's index.
    pub(crate) dimensions: u32,
    /// The representatives of all tiger sets.
    pub sets: Vec<TigerSet>,
    /// The representative of each tiger set, by its rank.
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
        let (owners, stand_ins) = ranking.digit_owners(count as usize);
        for tigers in combinations(board.points as u32, count) {
            if ranking.representatives[ranking.number(tigers)] == CanonicalRef::UNKNOWN {
                ranking.add(tigers, &owners, &stand_ins);
            }
        }
        ranking
    }

    /// Returns the number of goat sets per tiger set.
    #[cfg(test)]
    pub(crate) fn goat_sets(&self) -> usize {
        1 << self.dimensions
    }

    /// Returns the index of the representative of `tigers`, and the symmetry that maps to it.
    #[inline]
    pub(crate) fn representative(&self, tigers: Points) -> (usize, usize) {
        self.representatives[self.number(tigers)].read()
    }

    /// Returns the image of a set of points.
    #[inline]
    pub fn image(&self, symmetry: usize, points: Points) -> Points {
        self.board.symmetries[symmetry].set_images.of(points)
    }

    /// Returns the index of the tiger set's representative and the index of the goat set.
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

    /// Returns the rank of a set in the colexicographic order of all sets of its size (combinatorial number system).
    #[inline]
    fn number(&self, mut points: Points) -> usize {
        let (mut number, mut taken) = (0, 0);
        while points != 0 {
            taken += 1;
            number += self.binomials[points.trailing_zeros() as usize][taken];
            points &= points - 1;
        }
        number as usize
    }

    /// Returns the points that own the digits, lowest first, and the stand-ins.
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
        let mut stand_ins = Vec::new();
        for index in by_size {
            if stand_ins.len() + orbits[index].len() <= tigers {
                stand_ins.append(&mut orbits[index]);
            }
        }
        let mut owners: Vec<usize> = orbits.concat();
        while stand_ins.len() < tigers {
            stand_ins.extend(owners.pop());
        }
        (owners, stand_ins)
    }

    /// Adds a representative with its images.
    fn add(&mut self, tigers: Points, owners: &[usize], stand_ins: &[usize]) {
        let is_free = |point: &&usize| tigers >> **point & 1 == 0;
        let mut free_stand_ins = stand_ins.iter().filter(is_free);
        let point_of: Vec<u8> = owners
            .iter()
            .filter_map(|owner| {
                let point = if is_free(&owner) {
                    Some(owner)
                } else {
                    free_stand_ins.next()
                };
                point.map(|&point| point as u8)
            })
            .collect();
        let mut digit_of = [NO_DIGIT; MAX_POINTS];
        for (digit, &point) in point_of.iter().enumerate() {
            digit_of[point as usize] = digit as u8;
        }
        let index = self.sets.len();
        let mut set = TigerSet {
            tigers,
            images: 0,
            stabilizers: Vec::new(),
            digit_of,
            point_of,
        };
        let symmetries = &self.board.symmetries;
        for (symmetry, mapping) in symmetries.iter().enumerate() {
            // The inverse: it maps the image to the representative.
            let inverse = symmetries
                .iter()
                .position(|inverse| inverse.images == mapping.origins);
            let image = self.image(symmetry, tigers);
            if image == tigers && symmetry != 0 {
                set.stabilizers.push(symmetry);
            }
            let number = self.number(image);
            let entry = &mut self.representatives[number];
            if let (CanonicalRef::UNKNOWN, Some(inverse)) = (*entry, inverse) {
                *entry = CanonicalRef::new(index, inverse);
                set.images += 1;
            }
        }
        self.sets.push(set);
    }
}

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
