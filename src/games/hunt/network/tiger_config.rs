//! Where the tigers stand, up to the symmetries of the board: what the network's rows of numbers are chosen by.

use crate::bits::combinations;
use crate::error::EngineError;
use crate::games::hunt::board::{Board, Points, choose};
use crate::games::hunt::position::{Position, points_of};

/// Boards with more ways to place the tigers are not judged by a network: its file would have no end.
pub const MAX_TIGER_CONFIGS: u64 = 1 << 16;

/// The stands of the tigers of a board, each of them with the symmetry that leads to the least of its images.
#[derive(Clone, Debug)]
pub struct Stands {
    board: &'static Board,
    /// By the rank of the tigers' set among those of its size, smaller ones first.
    all: Vec<TigerConfig>,
    /// Where the sets of each size begin.
    firsts: Vec<u32>,
    /// `ways[taken][point]`: the sets of so many points below this one.
    ways: Vec<Vec<u32>>,
    /// The least images, in the order of their numbers.
    least: Vec<Points>,
}

/// One set of tigers.
#[derive(Clone, Copy, Debug)]
struct TigerConfig {
    /// The number of its least image.
    number: u16,
    /// A symmetry that leads there.
    symmetry: u16,
    /// Whether others do too, so that the goats decide between them.
    is_symmetrical: bool,
}

/// A position as the network sees it: one for all its images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The number of the tigers' stand.
    pub tiger_config: usize,
    /// The goats.
    pub goats: Points,
}

/// The symmetry by which the network sees positions with the tigers where they are.
#[derive(Clone, Copy, Debug)]
pub struct CanonicalView {
    /// The number of the tigers' stand.
    pub tiger_config: usize,
    symmetry: usize,
    /// Whether the goats decide on the symmetry too: then it is another one for other goats.
    pub is_symmetrical: bool,
}

impl Stands {
    /// The stands of a board's tigers, unless they are too many.
    pub fn new(board: &'static Board) -> Result<Self, EngineError> {
        let tigers = u64::from(board.tigers.count_ones() + board.tigers_in_hand);
        let points = board.points as u64;
        let sizes = tigers - u64::from(board.tigers_in_hand)..=tigers;
        let sets: u64 = sizes.clone().map(|size| choose(points, size)).sum();
        if sets > MAX_TIGER_CONFIGS {
            return Err(EngineError::new(format!(
                "{}'s {tigers} hunters can stand on {points} points in {sets} ways: {MAX_TIGER_CONFIGS} are the most that a network \
                 tells apart",
                board.name
            )));
        }
        let ways = |taken| {
            (0..points)
                .map(|point| choose(point, taken) as u32)
                .collect()
        };
        let mut stands = Self {
            board,
            all: Vec::new(),
            firsts: vec![0; *sizes.start() as usize],
            ways: (0..=tigers).map(ways).collect(),
            least: Vec::new(),
        };
        for size in sizes {
            stands.firsts.push(stands.all.len() as u32);
            stands.add(size);
        }
        Ok(stands)
    }

    /// Adds the sets of a size.
    fn add(&mut self, size: u64) {
        let first = self.all.len();
        for set in combinations(self.board.points as u32, size as u32) {
            let images = self
                .board
                .symmetries
                .iter()
                .map(|symmetry| symmetry.turned.of(set));
            let (symmetry, least) = images
                .clone()
                .enumerate()
                .min_by_key(|image| image.1)
                .unwrap_or((0, set));
            // Sets come in ascending order, which is that of their ranks, so that the least image was there before.
            let number = if least == set {
                self.least.push(set);
                self.least.len() - 1
            } else {
                self.all[first + self.rank(least)].number.into()
            };
            self.all.push(TigerConfig {
                number: number as u16,
                symmetry: symmetry as u16,
                is_symmetrical: images.filter(|&image| image == least).count() > 1,
            });
        }
    }

    /// How many stands there are.
    pub fn count(&self) -> usize {
        self.least.len()
    }

    /// The tigers of the stand of this number.
    pub fn tigers(&self, number: usize) -> Points {
        self.least[number]
    }

    /// The place of a set among those of its size.
    #[inline(always)]
    fn rank(&self, set: Points) -> usize {
        let ranked = points_of(set).zip(&self.ways[1..]);
        ranked.map(|(point, ways)| ways[point] as usize).sum()
    }

    /// How positions with these tigers are seen.
    #[inline(always)]
    pub fn sight(&self, tigers: Points) -> CanonicalView {
        let first = self.firsts[tigers.count_ones() as usize] as usize;
        let stand = self.all[first + self.rank(tigers)];
        CanonicalView {
            tiger_config: stand.number.into(),
            symmetry: stand.symmetry.into(),
            is_symmetrical: stand.is_symmetrical,
        }
    }

    /// The goats of a position as they are seen.
    #[inline(always)]
    pub fn goats(&self, sight: &CanonicalView, tigers: Points, goats: Points) -> Points {
        if sight.is_symmetrical {
            return self.least_goats(sight, tigers, goats);
        }
        self.board.symmetries[sight.symmetry].turned.of(goats)
    }

    #[cold]
    fn least_goats(&self, sight: &CanonicalView, tigers: Points, goats: Points) -> Points {
        let symmetry = self.leading(sight, tigers, goats);
        self.board.symmetries[symmetry].turned.of(goats)
    }

    /// The symmetry by which a position is seen.
    pub fn leading(&self, sight: &CanonicalView, tigers: Points, goats: Points) -> usize {
        let symmetries = &self.board.symmetries;
        let least = self.tigers(sight.tiger_config);
        let leading = (0..symmetries.len()).filter(|&of| symmetries[of].turned.of(tigers) == least);
        leading
            .min_by_key(|&of| symmetries[of].turned.of(goats))
            .unwrap_or(sight.symmetry)
    }

    /// Where a point is seen, by a sight that does not depend on the goats.
    #[inline(always)]
    pub fn point(&self, sight: &CanonicalView, point: usize) -> usize {
        self.board.symmetries[sight.symmetry].images[point].into()
    }

    /// A position as it is seen.
    pub fn see(&self, position: &Position) -> Seen {
        let sight = self.sight(position.tigers);
        Seen {
            tiger_config: sight.tiger_config,
            goats: self.goats(&sight, position.tigers, position.goats),
        }
    }
}
