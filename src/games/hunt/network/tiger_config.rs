//! Tiger configurations: the sets of points that the tigers can occupy. Symmetric sets are one configuration.
//!
//! Each configuration has a number, which selects the weights of a network. Its representative is the *canonical* set:
//! the smallest image of a set under the symmetries of the board. A network evaluates the *canonical form* of a
//! position, its image under a symmetry that maps the tigers to the canonical set. If several symmetries do so, the
//! tigers have a *stabilizer*, and the symmetry with the smallest image of the goats is used.

use crate::bits::combinations;
use crate::error::EngineError;
use crate::games::hunt::board::{Board, Points, binomial};
use crate::games::hunt::position::{Position, points_of};

/// Maximum number of tiger sets, with symmetric sets counted separately. It limits the size of a network.
pub(crate) const MAX_TIGER_CONFIGS: u64 = 1 << 16;

/// The tiger configurations of a board, and the symmetry from each tiger set to its canonical set.
#[derive(Clone, Debug)]
pub(crate) struct TigerConfigs {
    board: &'static Board,
    /// All tiger sets, ordered by size and then by rank among the sets of this size.
    by_rank: Vec<TigerSet>,
    /// Index in `by_rank` of the first set of each size.
    size_offsets: Vec<u32>,
    /// `binomials[k][point]` is the number of sets of `k` points that are all below `point`.
    binomials: Vec<Vec<u32>>,
    /// Canonical tiger set of each configuration.
    canonical: Vec<Points>,
    /// Stabilizer of each canonical set: the indices of the symmetries that map it to itself, the identity first.
    stabilizers: Vec<Vec<u16>>,
}

/// The configuration of a tiger set, and the symmetry to the canonical set.
#[derive(Clone, Copy, Debug)]
struct TigerSet {
    /// Number of the configuration to which the set belongs.
    number: u16,
    /// Index of a symmetry that maps the set to the canonical set.
    symmetry: u16,
    /// `true` if several symmetries map the set to the canonical set, so that the goats select the
    /// symmetry.
    has_stabilizer: bool,
}

/// The part of a canonical position that selects weights. It is equal for all symmetric images of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CanonicalPosition {
    /// Number of the tigers' configuration.
    pub(crate) tiger_config: usize,
    /// Image of the goats under the symmetry that maps the position to its canonical form.
    pub(crate) goats: Points,
}

/// The part of the canonical form that depends only on the tigers: their configuration, and the symmetry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CanonicalView {
    /// Number of the tigers' configuration.
    pub(crate) tiger_config: usize,
    /// Index of the symmetry, or of one of the candidates if `has_stabilizer` is `true`.
    symmetry: usize,
    /// `true` if several symmetries map the tigers to the canonical set, so that the goats select the symmetry.
    pub(crate) has_stabilizer: bool,
}

impl TigerConfigs {
    /// Enumerates the configurations of a board.
    ///
    /// # Errors
    /// If the board has more than [`MAX_TIGER_CONFIGS`] tiger sets, or a rule that networks do not support.
    pub(crate) fn new(board: &'static Board) -> Result<Self, EngineError> {
        if let Some(keyword) = board.spec.keyword_without_network() {
            return Err(EngineError::new(format!(
                "{}: networks do not support boards with '{keyword}'",
                board.name
            )));
        }
        let tigers = u64::from(board.tigers.count_ones() + board.tigers_in_hand);
        let points = board.points as u64;
        let sizes = tigers - u64::from(board.tigers_in_hand)..=tigers;
        let tiger_sets: u64 = sizes.clone().map(|size| binomial(points, size)).sum();
        if tiger_sets > MAX_TIGER_CONFIGS {
            return Err(EngineError::new(format!(
                "{}: {tigers} hunters can stand on {points} points in {tiger_sets} ways, a network supports at most {MAX_TIGER_CONFIGS}",
                board.name
            )));
        }
        let binomials = |k| (0..points).map(|point| binomial(point, k) as u32).collect();
        let mut tiger_configs = Self {
            board,
            by_rank: Vec::new(),
            size_offsets: vec![0; *sizes.start() as usize],
            binomials: (0..=tigers).map(binomials).collect(),
            canonical: Vec::new(),
            stabilizers: Vec::new(),
        };
        for size in sizes {
            tiger_configs
                .size_offsets
                .push(tiger_configs.by_rank.len() as u32);
            tiger_configs.add_sets_of_size(size);
        }
        Ok(tiger_configs)
    }

    /// Adds all tiger sets of `size` points, and their configurations.
    fn add_sets_of_size(&mut self, size: u64) {
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
            // Sets are enumerated in ascending order, so the canonical set, the smallest image, has already been
            // added.
            let number = if canonical == set {
                let indices = images.clone().enumerate();
                let stabilizer = indices.filter(|&(_, image)| image == set);
                self.stabilizers
                    .push(stabilizer.map(|(index, _)| index as u16).collect());
                self.canonical.push(set);
                self.canonical.len() - 1
            } else {
                self.by_rank[first + self.rank(canonical)].number.into()
            };
            self.by_rank.push(TigerSet {
                number: number as u16,
                symmetry: symmetry as u16,
                has_stabilizer: self.stabilizers[number].len() > 1,
            });
        }
    }

    /// Returns the number of configurations.
    pub(crate) fn count(&self) -> usize {
        self.canonical.len()
    }

    /// Returns the indices of the rows of pairs that belong to the row `index` of a goat, one for each tiger. The board has
    /// `points` points.
    pub(super) fn pair_rows(&self, points: usize, index: usize) -> impl Iterator<Item = usize> {
        let (config, goat) = (index / points, index % points);
        points_of(self.tigers(config)).map(move |tiger| tiger * points + goat)
    }

    /// Returns the indices of the rows of goats that are not on a tiger's point, in ascending order. The board has
    /// `points` points.
    pub(super) fn possible_goat_rows(&self, points: usize) -> impl Iterator<Item = usize> {
        let rows = 0..self.count() * points;
        rows.filter(move |&index| self.is_possible_goat_row(points, index))
    }

    /// Returns `true` if the row `index` of a goat is not on a tiger's point. The board has `points` points.
    pub(super) fn is_possible_goat_row(&self, points: usize, index: usize) -> bool {
        self.tigers(index / points) >> (index % points) & 1 == 0
    }

    /// Returns the canonical tiger set of configuration `number`.
    pub(crate) fn tigers(&self, number: usize) -> Points {
        self.canonical[number]
    }

    /// Returns the rank of a set: the number of smaller sets of the same size.
    #[inline(always)]
    fn rank(&self, set: Points) -> usize {
        let terms = points_of(set).zip(&self.binomials[1..]);
        terms
            .map(|(point, binomials)| binomials[point] as usize)
            .sum()
    }

    /// Returns the view of all positions with these tigers.
    #[inline(always)]
    pub(crate) fn view(&self, tigers: Points) -> CanonicalView {
        let first = self.size_offsets[tigers.count_ones() as usize] as usize;
        let tiger_set = self.by_rank[first + self.rank(tigers)];
        CanonicalView {
            tiger_config: tiger_set.number.into(),
            symmetry: tiger_set.symmetry.into(),
            has_stabilizer: tiger_set.has_stabilizer,
        }
    }

    /// Returns the image of the goats in the canonical form of a position. `view` is the view of its tigers.
    #[inline(always)]
    pub(crate) fn goats(&self, view: &CanonicalView, goats: Points) -> Points {
        let image = self.image(view, goats);
        if view.has_stabilizer {
            return self.smallest_image(view, image);
        }
        image
    }

    /// Returns the image of the goats under the symmetry of `view`.
    #[inline(always)]
    pub(super) fn image(&self, view: &CanonicalView, goats: Points) -> Points {
        self.board.symmetries[view.symmetry].set_images.of(goats)
    }

    /// Returns the smallest image of `goats` under the stabilizer of the canonical tigers of `view`.
    fn smallest_image(&self, view: &CanonicalView, goats: Points) -> Points {
        let stabilizer = &self.stabilizers[view.tiger_config];
        let others = stabilizer[1..].iter();
        let images = others.map(|&index| self.symmetry_image(index.into(), goats));
        images.fold(goats, Points::min)
    }

    /// Returns the image of `set` under the symmetry `index`.
    #[inline(always)]
    pub(super) fn symmetry_image(&self, index: usize, set: Points) -> Points {
        self.board.symmetries[index].set_images.of(set)
    }

    /// Returns the index of the symmetry, besides the identity, in the stabilizer of the canonical tigers of `view`.
    /// Returns `None` if there is none or more than one.
    #[inline(always)]
    pub(super) fn reflection(&self, view: &CanonicalView) -> Option<usize> {
        // Most tigers have no stabilizer. Then its list need not be read.
        if !view.has_stabilizer {
            return None;
        }
        match self.stabilizers[view.tiger_config][..] {
            [_, reflection] => Some(reflection.into()),
            _ => None,
        }
    }

    /// Returns the index of the symmetry that maps the position to its canonical form.
    pub(crate) fn canonical_symmetry(
        &self,
        view: &CanonicalView,
        tigers: Points,
        goats: Points,
    ) -> usize {
        let symmetries = &self.board.symmetries;
        let canonical = self.tigers(view.tiger_config);
        let candidates = (0..symmetries.len())
            .filter(|&index| symmetries[index].set_images.of(tigers) == canonical);
        candidates
            .min_by_key(|&index| symmetries[index].set_images.of(goats))
            .unwrap_or(view.symmetry)
    }

    /// Returns the tiger configuration and the goats of the canonical form of a position.
    pub(crate) fn canonical_position(&self, position: &Position) -> CanonicalPosition {
        let view = self.view(position.tigers);
        CanonicalPosition {
            tiger_config: view.tiger_config,
            goats: self.goats(&view, position.goats),
        }
    }
}
