//! Tiger configurations up to symmetry, which select the goat weights of a network.

use crate::bits::combinations;
use crate::error::EngineError;
use crate::games::hunt::board::{Board, Points, binomial};
use crate::games::hunt::position::{Position, points_of};

/// Maximum number of tiger sets, symmetric ones included. It bounds the size of a network.
pub(crate) const MAX_TIGER_CONFIGS: u64 = 1 << 16;

/// The tiger configurations of a board, with the symmetry from each tiger set to its canonical image.
#[derive(Clone, Debug)]
pub(crate) struct TigerConfigs {
    board: &'static Board,
    /// Tiger sets by size, then by rank.
    by_rank: Vec<TigerConfig>,
    /// Index in `by_rank` of the first set of each size.
    size_offsets: Vec<u32>,
    /// `binomials[taken][point]`: number of sets of `taken` points below `point`.
    binomials: Vec<Vec<u32>>,
    /// Canonical tiger set of each configuration.
    canonical: Vec<Points>,
}

/// A set of tigers.
#[derive(Clone, Copy, Debug)]
struct TigerConfig {
    /// Number of the canonical image.
    number: u16,
    /// A symmetry that maps the set to its canonical image.
    symmetry: u16,
    /// `true` if several symmetries lead to the canonical image. The goats then select one of them.
    has_stabilizer: bool,
}

/// A position as the network sees it, equal for all symmetric images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CanonicalPosition {
    /// Number of the tigers' configuration.
    pub(crate) tiger_config: usize,
    /// Canonical image of the goats.
    pub(crate) goats: Points,
}

/// The symmetry that maps positions with given tigers to their canonical form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CanonicalView {
    /// Number of the tigers' configuration.
    pub(crate) tiger_config: usize,
    symmetry: usize,
    /// `true` if the symmetry also depends on the goats.
    pub(crate) has_stabilizer: bool,
}

impl TigerConfigs {
    /// Enumerates the configurations of a board.
    ///
    /// # Errors
    /// If the board has more than [`MAX_TIGER_CONFIGS`] tiger sets.
    pub(crate) fn new(board: &'static Board) -> Result<Self, EngineError> {
        let tigers = u64::from(board.tigers.count_ones() + board.tigers_in_hand);
        let points = board.points as u64;
        let sizes = tigers - u64::from(board.tigers_in_hand)..=tigers;
        let sets: u64 = sizes.clone().map(|size| binomial(points, size)).sum();
        if sets > MAX_TIGER_CONFIGS {
            return Err(EngineError::new(format!(
                "{}: {tigers} hunters can stand on {points} points in {sets} ways, a network supports at most {MAX_TIGER_CONFIGS}",
                board.name
            )));
        }
        let binomials = |taken| {
            (0..points)
                .map(|point| binomial(point, taken) as u32)
                .collect()
        };
        let mut tiger_configs = Self {
            board,
            by_rank: Vec::new(),
            size_offsets: vec![0; *sizes.start() as usize],
            binomials: (0..=tigers).map(binomials).collect(),
            canonical: Vec::new(),
        };
        for size in sizes {
            tiger_configs
                .size_offsets
                .push(tiger_configs.by_rank.len() as u32);
            tiger_configs.add(size);
        }
        Ok(tiger_configs)
    }

    /// Adds all tiger sets of a size.
    fn add(&mut self, size: u64) {
        let first = self.by_rank.len();
        for set in combinations(self.board.points as u32, size as u32) {
            let images = self
                .board
                .symmetries
                .iter()
                .map(|symmetry| symmetry.set_images.of(set));
            let (symmetry, canonical) = images
                .clone()
                .enumerate()
                .min_by_key(|image| image.1)
                .unwrap_or((0, set));
            // Sets are enumerated in ascending order, so the canonical image was added before.
            let number = if canonical == set {
                self.canonical.push(set);
                self.canonical.len() - 1
            } else {
                self.by_rank[first + self.rank(canonical)].number.into()
            };
            self.by_rank.push(TigerConfig {
                number: number as u16,
                symmetry: symmetry as u16,
                has_stabilizer: images.filter(|&image| image == canonical).count() > 1,
            });
        }
    }

    /// Returns the number of configurations.
    pub(crate) fn count(&self) -> usize {
        self.canonical.len()
    }

    /// Returns the canonical tiger set of a configuration.
    pub(crate) fn tigers(&self, number: usize) -> Points {
        self.canonical[number]
    }

    /// Returns the rank of a set among the sets of its size.
    #[inline(always)]
    fn rank(&self, set: Points) -> usize {
        let ranked = points_of(set).zip(&self.binomials[1..]);
        ranked
            .map(|(point, binomials)| binomials[point] as usize)
            .sum()
    }

    /// Returns the view of positions with these tigers.
    #[inline(always)]
    pub(crate) fn view(&self, tigers: Points) -> CanonicalView {
        let first = self.size_offsets[tigers.count_ones() as usize] as usize;
        let config = self.by_rank[first + self.rank(tigers)];
        CanonicalView {
            tiger_config: config.number.into(),
            symmetry: config.symmetry.into(),
            has_stabilizer: config.has_stabilizer,
        }
    }

    /// Returns the canonical image of the goats.
    #[inline(always)]
    pub(crate) fn goats(&self, view: &CanonicalView, tigers: Points, goats: Points) -> Points {
        if view.has_stabilizer {
            return self.canonical_goats(view, tigers, goats);
        }
        self.board.symmetries[view.symmetry].set_images.of(goats)
    }

    #[cold]
    fn canonical_goats(&self, view: &CanonicalView, tigers: Points, goats: Points) -> Points {
        let symmetry = self.canonical_symmetry(view, tigers, goats);
        self.board.symmetries[symmetry].set_images.of(goats)
    }

    /// Returns the symmetry that maps the position to its canonical form.
    pub(crate) fn canonical_symmetry(
        &self,
        view: &CanonicalView,
        tigers: Points,
        goats: Points,
    ) -> usize {
        let symmetries = &self.board.symmetries;
        let canonical = self.tigers(view.tiger_config);
        let canonical_symmetry =
            (0..symmetries.len()).filter(|&of| symmetries[of].set_images.of(tigers) == canonical);
        canonical_symmetry
            .min_by_key(|&of| symmetries[of].set_images.of(goats))
            .unwrap_or(view.symmetry)
    }

    /// Returns the image of a point under a view without stabilizer.
    #[inline(always)]
    pub(crate) fn point(&self, view: &CanonicalView, point: usize) -> usize {
        self.board.symmetries[view.symmetry].images[point].into()
    }

    /// Returns the canonical form of a position.
    pub(crate) fn canonical_position(&self, position: &Position) -> CanonicalPosition {
        let view = self.view(position.tigers);
        CanonicalPosition {
            tiger_config: view.tiger_config,
            goats: self.goats(&view, position.tigers, position.goats),
        }
    }
}
