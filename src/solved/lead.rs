//! Where a tiger's move leads: what becomes of the digits that stand for the goats.

use super::rank::Ranking;
use crate::games::hunt::points_of;

/// One move of one tiger, from a set of tigers to another, whatever goats there are.
#[derive(Clone, Debug)]
pub struct Lead {
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

impl Lead {
    /// All moves of a set of tigers.
    pub fn all(ranking: &Ranking, set: usize) -> Vec<Self> {
        let board = ranking.board;
        let tigers = ranking.sets[set].tigers;
        let mut moves = Vec::new();
        for from in points_of(tigers) {
            let steps = points_of(board.steps[from] & !tigers).map(|to| (to, None));
            let jumps = board
                .triples
                .iter()
                .filter(|triple| triple.ends.contains(&(from as u8)))
                .map(|triple| (triple.jump(1 << from).1, usize::from(triple.middle)))
                .filter(|&(to, over)| tigers & (1 << to | 1 << over) == 0)
                .map(|(to, over)| (to, Some(over)));
            for (to, over) in steps.chain(jumps) {
                moves.push(Self::new(ranking, set, (from, to, over)));
            }
        }
        moves
    }

    fn new(ranking: &Ranking, set: usize, (from, to, over): (usize, usize, Option<usize>)) -> Self {
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
