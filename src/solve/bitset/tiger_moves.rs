//! Tiger moves, with their effect on the digits of goat sets.
//!
//! After a move, the points free of tigers are others, and the tiger set is replaced by its representative under the
//! board's symmetries. So a goat that stays on its point gets another digit.

use super::rank::Ranking;
use crate::games::hunt::board::Points;
use crate::games::hunt::{Board, points_of};

/// A step or jump of one tiger, from one tiger set to another. The goats are arbitrary, so it may be illegal.
#[derive(Clone, Debug)]
pub(crate) struct TigerStep {
    /// Index of the representative of the tiger set after the move.
    pub set_after: usize,
    /// Indexed by a digit's number before the move: the number of the same point's digit after the move. The entered
    /// point has no digit after the move. Its element is the digit of the point that the tiger left.
    pub digits: Vec<u32>,
    /// The digit of the entered point before the move, as a mask.
    pub(crate) entered: u32,
    /// The digit of the captured goat before the move, as a mask; zero without a capture.
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
        let digits = (0..ranking.dimensions).map(|dimension| {
            let point = before.point(dimension);
            let point = if point == to { from } else { point };
            after.digit(images[point] as usize).trailing_zeros()
        });
        Self {
            set_after,
            digits: digits.collect(),
            entered: before.digit(to),
            captured: jumped.map_or(0, |point| before.digit(point)),
        }
    }
}

/// The point that a tiger leaves, the point that it enters, and the point of the captured goat.
type TigerPath = (usize, usize, Option<usize>);

/// Returns the moves of the tiger set `tigers` that are legal with some goat set.
fn tiger_paths(board: &Board, tigers: Points) -> impl Iterator<Item = TigerPath> {
    points_of(tigers).flat_map(move |from| {
        let steps = points_of(board.steps[from] & !tigers).map(move |to| (from, to, None));
        let jumps = board
            .triples
            .iter()
            .filter(move |triple| triple.ends.contains(&(from as u8)))
            .map(move |triple| (triple.jump(1 << from).1, usize::from(triple.middle)))
            .filter(move |&(to, jumped)| tigers & (1 << to | 1 << jumped) == 0)
            .map(move |(to, jumped)| (from, to, Some(jumped)));
        steps.chain(jumps)
    })
}
