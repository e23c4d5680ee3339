//! Where a tiger's move leads: what becomes of the digits that stand for the goats.

use super::rank::Ranking;
use crate::games::hunt::board::Points;
use crate::games::hunt::{Board, points_of};

/// One move of one tiger, from a set of tigers to another, whatever goats there are.
#[derive(Clone, Debug)]
pub struct TigerStep {
    /// The tigers after the move: the index of their representative.
    pub source: usize,
    /// By the digit before the move: the one after it that stands for the same goat. The point entered, which is empty before,
    /// goes with the point left.
    pub digits: Vec<u32>,
    /// The digit before the move of the point entered, as a number.
    pub entered: u32,
    /// That of the goat captured; zero without one.
    pub captured: u32,
}

impl TigerStep {
    /// All moves of a set of tigers.
    pub fn all(ranking: &Ranking, set: usize) -> Vec<Self> {
        ways(ranking.board, ranking.sets[set].tigers)
            .map(|way| Self::new(ranking, set, way))
            .collect()
    }

    /// How many moves all sets of tigers have.
    pub fn count(ranking: &Ranking) -> usize {
        let sets = ranking.sets.iter();
        sets.map(|set| ways(ranking.board, set.tigers).count())
            .sum()
    }

    fn new(ranking: &Ranking, set: usize, (from, to, over): Way) -> Self {
        let before = &ranking.sets[set];
        let (source, symmetry) = ranking.fold(before.tigers ^ (1 << from | 1 << to));
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

/// The points that a tiger leaves and enters, and that of the goat it captures.
type Way = (usize, usize, Option<usize>);

/// How tigers can go from where they stand, whatever goats there are.
fn ways(board: &Board, tigers: Points) -> impl Iterator<Item = Way> {
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
