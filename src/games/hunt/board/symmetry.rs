//! Symmetries of a board: permutations of its points that preserve the game, found by backtracking.

use std::array::from_fn;

use super::{Board, MAX_STACKS, Points, XorTable};
use crate::bits::iter_ones;

/// A permutation of the points that maps steps to steps, jumps to jumps, and the goats' zone, the stacks, the goals and the trap
/// to themselves.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// `images[i]` is the image of point `i`.
    pub(crate) images: Vec<u8>,
    /// Inverse of `images`.
    pub(crate) origins: Vec<u8>,
    /// Computes the image of a set of points.
    pub(crate) set_images: XorTable<Points>,
    /// For each point of `Board::stacks`, the number of its image among these points.
    stack_images: [u8; MAX_STACKS],
}

impl Symmetry {
    /// Creates the symmetry that maps point `i` to `images[i]`. It maps `stacks` to itself.
    fn new(images: Vec<u8>, stacks: Points) -> Self {
        let mut stack_images = [0; MAX_STACKS];
        for (point, image) in iter_ones(stacks).zip(&mut stack_images) {
            let smaller = stacks & ((1 << images[point]) - 1);
            *image = smaller.count_ones() as u8;
        }
        let mut origins = vec![0; images.len()];
        for (point, &image) in images.iter().enumerate() {
            origins[image as usize] = point as u8;
        }
        let image = |point: usize| images.get(point).map_or(0, |&image| 1 << image);
        Self {
            set_images: XorTable::new(from_fn(image)),
            images,
            origins,
            stack_images,
        }
    }
}

impl Symmetry {
    /// Returns the image of [`Position::stacked`](crate::games::hunt::Position::stacked).
    pub(crate) fn stacked_image(&self, stacked: [u8; MAX_STACKS]) -> [u8; MAX_STACKS] {
        let mut images = [0; MAX_STACKS];
        for (under, &image) in stacked.iter().zip(&self.stack_images) {
            images[usize::from(image)] |= under;
        }
        images
    }
}

/// Maximum number of symmetries. Practical boards have far fewer: a cube has 48, a ring of 64 points has 128.
const MAX_SYMMETRIES: usize = 512;
/// Maximum number of images tried for all points together. It limits the search time.
const MAX_TRIED_IMAGES: usize = 1 << 22;

/// State of the backtracking search for symmetries.
#[derive(Default)]
struct SymmetrySearch {
    /// The `images` of the symmetries found so far.
    images: Vec<Vec<u8>>,
    /// Number of images tried so far.
    tried_images: usize,
}

impl SymmetrySearch {
    fn exceeds_limits(&self) -> bool {
        self.images.len() > MAX_SYMMETRIES || self.tried_images > MAX_TRIED_IMAGES
    }
}

impl Board {
    /// Returns all symmetries, the identity first.
    ///
    /// Returns only the identity if the search exceeds [`MAX_SYMMETRIES`] or [`MAX_TRIED_IMAGES`]. Searches and
    /// tablebases are correct with any subset of the symmetries, but tablebases become larger.
    pub(super) fn find_symmetries(&self) -> Vec<Symmetry> {
        let mut search = SymmetrySearch::default();
        self.extend_symmetry(&self.search_order(), &mut Vec::new(), &mut search);
        if search.exceeds_limits() {
            search.images = vec![(0..self.points as u8).collect()];
        }
        search.images.sort_unstable();
        let symmetry = |images| Symmetry::new(images, self.stacks);
        search.images.into_iter().map(symmetry).collect()
    }

    /// Returns the number of goats that start under the top one of a point.
    fn start_height(&self, point: usize) -> u8 {
        self.stack_number(point)
            .map_or(0, |number| self.stacked_at_start[number])
    }

    /// Returns `true` if the image of every jump is a jump that captures on the image of the captured point.
    fn keeps_jumps(&self, images: &[u8]) -> bool {
        let image = |point: u8| usize::from(images[usize::from(point)]);
        self.triples.iter().all(|triple| {
            let [first, last] = triple.ends.map(image);
            self.between(first, last) == 1 << image(triple.middle)
        })
    }

    /// Returns the order in which the search assigns images to points. If possible, a point follows one of its
    /// neighbors: its image must then be adjacent to a known image, which leaves few candidates.
    fn search_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        while order.len() < self.points {
            let is_unordered = |point: &usize| !order.contains(point);
            let is_adjacent = |point: &usize| {
                order
                    .iter()
                    .any(|&other| self.steps[other] >> point & 1 == 1)
            };
            let mut candidates = (0..self.points).filter(is_unordered);
            let next = candidates
                .clone()
                .find(is_adjacent)
                .or_else(|| candidates.next());
            order.extend(next);
        }
        order
    }

    /// Extends a partial symmetry in all possible ways and adds the complete symmetries to `search`. `images`
    /// contains the images of the first points of `order`.
    fn extend_symmetry(
        &self,
        order: &[usize],
        images: &mut Vec<usize>,
        search: &mut SymmetrySearch,
    ) {
        let Some(&point) = order.get(images.len()) else {
            let mut by_point = vec![0; order.len()];
            for (&point, &image) in order.iter().zip(&*images) {
                by_point[point] = image as u8;
            }
            if self.keeps_jumps(&by_point) {
                search.images.push(by_point);
            }
            return;
        };
        let is_in = |set: Points, point: usize| set >> point & 1;
        for image in 0..self.points {
            search.tried_images += 1;
            if search.exceeds_limits() {
                return;
            }
            let has_same_properties = || {
                // If the start is an exception from the goal, a symmetry must keep the start, too.
                let keeps_heights =
                    !self.starts_on_goal || self.start_height(point) == self.start_height(image);
                let [tigers, goats] = if self.starts_on_goal {
                    [self.tigers, self.goats_placed]
                } else {
                    [0; 2]
                };
                let sets = [
                    self.zone,
                    self.stacks,
                    self.joins,
                    self.tigers_goal,
                    self.tigers_trap,
                    self.goats_goal,
                    tigers,
                    goats,
                ];
                sets.into_iter()
                    .all(|set| is_in(set, point) == is_in(set, image))
                    && keeps_heights
                    && self.steps[point].count_ones() == self.steps[image].count_ones()
            };
            let keeps_steps = || {
                order.iter().zip(&*images).all(|(&other, &other_image)| {
                    is_in(self.steps[point], other) == is_in(self.steps[image], other_image)
                        && is_in(self.goat_steps[point], other)
                            == is_in(self.goat_steps[image], other_image)
                        && is_in(self.goat_steps[other], point)
                            == is_in(self.goat_steps[other_image], image)
                        && (self.between(point, other) == 0)
                            == (self.between(image, other_image) == 0)
                })
            };
            if !images.contains(&image) && has_same_properties() && keeps_steps() {
                images.push(image);
                self.extend_symmetry(order, images, search);
                images.pop();
            }
        }
    }
}
