//! The permutations of a board's points that keep its lines and rules.

use std::array::from_fn;

use super::{Board, Points, XorTable};

/// A permutation of the points that keeps the lines, and whatever else the rules tell points apart by.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// `images[i]` is the image of point `i`.
    pub images: Vec<u8>,
    /// The inverse of `images`.
    pub origins: Vec<u8>,
    /// The images of sets of points.
    pub turned: XorTable<Points>,
}

impl Symmetry {
    fn new(images: Vec<u8>) -> Self {
        let mut origins = vec![0; images.len()];
        for (point, &image) in images.iter().enumerate() {
            origins[image as usize] = point as u8;
        }
        let image = |point: usize| images.get(point).map_or(0, |&image| 1 << image);
        Self {
            turned: XorTable::new(from_fn(image)),
            images,
            origins,
        }
    }
}

/// No board that people play on has as many: a cube has 48, a ring of 64 points 128.
const MAX_SYMMETRIES: usize = 512;
/// So many images of points are tried at most.
const MAX_TRIES: usize = 1 << 22;

/// What has been found of a board's symmetries.
#[derive(Default)]
struct Found {
    images: Vec<Vec<u8>>,
    tries: usize,
}

impl Found {
    fn are_too_many(&self) -> bool {
        self.images.len() > MAX_SYMMETRIES || self.tries > MAX_TRIES
    }
}

impl Board {
    /// All permutations that keep steps, jumps, zone, goals and directions, the identity first; that alone where there are too
    /// many: with fewer of them searches and tables are as true, but larger.
    pub(super) fn find_symmetries(&self) -> Vec<Symmetry> {
        let mut found = Found::default();
        self.extend_symmetry(&self.neighbors_in_turn(), &mut Vec::new(), &mut found);
        if found.are_too_many() {
            found.images = vec![(0..self.points as u8).collect()];
        }
        found.images.sort_unstable();
        found.images.into_iter().map(Symmetry::new).collect()
    }

    /// Whether every leap's image is one, over the image of the point that it passes.
    fn keeps_leaps(&self, images: &[u8]) -> bool {
        let image = |point: u8| usize::from(images[usize::from(point)]);
        self.triples.iter().all(|triple| {
            let [first, last] = triple.ends.map(image);
            self.between(first, last) == 1 << image(triple.middle)
        })
    }

    /// The points, each but the first beside one that comes before it, as far as lines lead: where those before it are is
    /// known, few images are left.
    fn neighbors_in_turn(&self) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        while order.len() < self.points {
            let is_new = |point: &usize| !order.contains(point);
            let beside = |point: &usize| {
                order
                    .iter()
                    .any(|&other| self.steps[other] >> point & 1 == 1)
            };
            let mut new = (0..self.points).filter(is_new);
            let next = new.clone().find(beside).or_else(|| new.next());
            order.extend(next);
        }
        order
    }

    /// Finds the images of the points in this order, of which so many have theirs.
    fn extend_symmetry(&self, order: &[usize], images: &mut Vec<usize>, found: &mut Found) {
        let Some(&point) = order.get(images.len()) else {
            let mut by_point = vec![0; order.len()];
            for (&point, &image) in order.iter().zip(&*images) {
                by_point[point] = image as u8;
            }
            if self.keeps_leaps(&by_point) {
                found.images.push(by_point);
            }
            return;
        };
        let is_in = |set: Points, point: usize| set >> point & 1;
        for image in 0..self.points {
            found.tries += 1;
            if found.are_too_many() {
                return;
            }
            let is_alike = || {
                let sets = [self.zone, self.tigers_goal, self.goats_goal];
                sets.into_iter()
                    .all(|set| is_in(set, point) == is_in(set, image))
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
            if !images.contains(&image) && is_alike() && keeps_steps() {
                images.push(image);
                self.extend_symmetry(order, images, found);
                images.pop();
            }
        }
    }
}
