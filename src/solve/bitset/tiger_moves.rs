//! The effect of a tiger's move on the digits that stand for the goats.

use super::rank::Ranking;
use crate::games::hunt::board::Points;
use crate::games::hunt::{Board, points_of};

/// A move of one tiger, from one tiger set to another, for any goats.
#[derive(Clone, Debug)]
pub(crate) struct TigerStep {
    /// Index of the representative of the tiger set after the move.
    pub source: usize,
    /// By digit before the move: the digit after it of the same goat. The entered point, empty before, maps to the
    /// point left.
    pub digits: Vec<u32>,
    /// The digit of the entered point before the move, as a number with only this bit.
    pub(crate) entered: u32,
    /// The digit of the captured goat before the move; zero without a capture.
    pub captured: u32,
}

impl TigerStep {
    /// Returns all moves of the tiger set with index `set`.
    pub(crate) fn all(ranking: &Ranking, set: usize) -> Vec<Self> {
        tiger_paths(ranking.board, ranking.sets[set].tigers)
            .map(|path| Self::new(ranking, set, path))
            .collect()
    }

    /// Returns the number of moves of all tiger sets.
    pub(crate) fn count(ranking: &Ranking) -> usize {
        let sets = ranking.sets.iter();
        sets.map(|set| tiger_paths(ranking.board, set.tigers).count())
            .sum()
    }

    fn new(ranking: &Ranking, set: usize, (from, to, over): TigerPath) -> Self {
        let before = &ranking.sets[set];
        let (source, symmetry) = ranking.representative(before.tigers ^ (1 << from | 1 << to));
        let (after, images) = (
            &ranking.sets[source],
            &ranking.board.symmetries[symmetry].images,
        );
        let digits = (0..ranking.dimensions).map(|dimension| {
            let point = before.point(dimension);
            let point = if point == to { from } else { point };
            after.digit(images[point] as usize).trailing_zeros()
        });
        Self {
            source,
            digits: digits.collect(),
            entered: before.digit(to),
            captured: over.map_or(0, |point| before.digit(point)),
        }
    }
}

/// The points that a tiger leaves and enters, and the point of the captured goat.
type TigerPath = (usize, usize, Option<usize>);

/// Returns the moves of `tigers` that any goats permit.
fn tiger_paths(board: &Board, tigers: Points) -> impl Iterator<Item = TigerPath> {
    points_of(tigers).flat_map(move |from| {
        let steps = points_of(board.steps[from] & !tigers).map(move |to| (from, to, None));
        let jumps = board
            .triples
            .iter()
            .filter(move |triple| triple.ends.contains(&(from as u8)))
            .map(move |triple| (triple.jump(1 << from).1, usize::from(triple.middle)))
            .filter(move |&(to, over)| tigers & (1 << to | 1 << over) == 0)
            .map(move |(to, over)| (from, to, Some(over)));
        steps.chain(jumps)
    })
}
