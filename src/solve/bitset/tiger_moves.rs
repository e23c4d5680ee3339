//! Tiger moves, with their effect on the digits of goat sets.
//!
//! After a move, other points are free of tigers, and the tiger set is replaced by its representative under the board's
//! symmetries. Both change the digits of the points on which goats stay.

use super::rank::Ranking;
use crate::games::hunt::board::Points;
use crate::games::hunt::{Board, points_of};

/// A step or jump of one tiger, from one tiger set to another. It is legal with some goat sets only.
#[derive(Clone, Debug)]
pub(crate) struct TigerStep {
    /// Index of the representative of the tiger set after the move.
    pub set_after: usize,
    /// Indexed by a digit's number before the move: the number of the same point's digit after the move. The entered
    /// point has no digit after the move; its element is the digit of the vacated point, which has no digit before the
    /// move. If one of the two points is outside the goats' zone, an unused digit replaces its digit.
    pub digits: Vec<u32>,
    /// Mask of the digits that are 0 before the move: the digit of the entered point, and unused digits.
    pub(crate) empty: u32,
    /// Mask of the captured goat's digit before the move; zero without a capture.
    pub captured: u32,
}

impl TigerStep {
    /// Returns all moves of the tiger set with index `set`.
    pub(crate) fn all(ranking: &Ranking, set: usize) -> Vec<Self> {
        tiger_paths(ranking.board, ranking.sets[set].tigers)
            .map(|path| Self::new(ranking, set, path))
            .collect()
    }

    /// Returns the total number of moves of all tiger sets.
    pub(crate) fn count(ranking: &Ranking) -> usize {
        let sets = ranking.sets.iter();
        sets.map(|set| tiger_paths(ranking.board, set.tigers).count())
            .sum()
    }

    fn new(ranking: &Ranking, set: usize, (from, to, jumped): TigerPath) -> Self {
        let before = &ranking.sets[set];
        let (set_after, symmetry) = ranking.representative(before.tigers ^ (1 << from | 1 << to));
        let (after, images) = (
            &ranking.sets[set_after],
            &ranking.board.symmetries[symmetry].images,
        );
        let used = before.used_digits();
        // The digits after the move whose points have no digit before the move: the digit of the vacated point, and
        // unused digits.
        let unused_after = after.used_digits()..ranking.dimensions;
        let left = after.dimension(images[from] as usize);
        let mut others = left.into_iter().chain(unused_after);
        let digits = (0..ranking.dimensions).map(|dimension| {
            let point = (dimension < used).then(|| before.point(dimension));
            match point.filter(|&point| point != to) {
                Some(point) => after.digit(images[point] as usize).trailing_zeros(),
                // The numbers of such digits before and after the move are equal.
                None => others.next().unwrap_or_default(),
            }
        });
        Self {
            set_after,
            digits: digits.collect(),
            empty: before.dimension(to).map_or(0, |dimension| 1 << dimension)
                | (used..ranking.dimensions).fold(0, |mask, dimension| mask | 1 << dimension),
            captured: jumped.map_or(0, |point| before.digit(point)),
        }
    }

    /// Returns the number of conditions on a goat set for the move to be legal: a goat is on the captured point, and no
    /// goat is on the entered point if goats may enter that point. Each condition excludes half of the goat sets.
    pub(crate) fn conditions(&self, used_digits: u32) -> u32 {
        let used = u32::MAX >> (u32::BITS - used_digits);
        (self.captured | self.empty & used).count_ones()
    }
}

/// The point that a tiger leaves, the point that it enters, and the point of the captured goat.
type TigerPath = (usize, usize, Option<usize>);

/// Returns the moves of the tiger set `tigers` that are legal with a goat set inside the zone.
fn tiger_paths(board: &Board, tigers: Points) -> impl Iterator<Item = TigerPath> {
    points_of(tigers).flat_map(move |from| {
        let steps = points_of(board.steps[from] & !tigers).map(move |to| (from, to, None));
        let jumps = board
            .triples
            .iter()
            .filter(move |triple| triple.ends.contains(&(from as u8)))
            .map(move |triple| (triple.jump(1 << from).1, usize::from(triple.middle)))
            .filter(move |&(to, jumped)| {
                (tigers | !board.zone) >> jumped & 1 == 0 && tigers >> to & 1 == 0
            })
            .map(move |(to, jumped)| (from, to, Some(jumped)));
        steps.chain(jumps)
    })
}
