//! Moves backwards for a whole cube of goat sets at once: a tiger's move turns one cube into another, a goat's step
//! stays inside it.

use rayon::prelude::*;

use super::blocks::{Blocks, combinations};
use super::rank::Ranking;
use super::tiger_moves::TigerStep;
use super::word512::{DIMENSIONS, Word512};
use crate::bits::submasks;

/// One move of one tiger, from a set of tigers to another, seen from before the move: for every set of goats, which
/// value of the cube after the move it finds.
///
/// The digits of the two cubes stand for the same points in another order. Digits that stay inside the word, or outside
/// it, are cheap to reorder; those that cross take an exchange of words each.
#[derive(Clone, Debug)]
pub struct CubeMove {
    /// The tigers after the move: the index of their representative.
    pub source: usize,
    /// Exchanges of dimensions inside a word.
    swaps: Vec<(u32, u32)>,
    /// The dimension inside a word that takes part in each crossing.
    crossings: Vec<u32>,
    /// The outer digits of each word of a group, by the crossing digits before the move, and after it.
    targets: Vec<u32>,
    sources: Vec<u32>,
    /// The other outer digits after the move, by the lower and by the upper half of those before it.
    lower: Vec<u32>,
    upper: Vec<u32>,
    /// The same backwards, and the outer digits after the move that cross.
    lower_back: Vec<u32>,
    upper_back: Vec<u32>,
    crossing_sources: u32,
    /// Outer digits that a group does not run through: crossing ones, the point entered, and the goat captured.
    skipped: u32,
    entered: u32,
    captured: u32,
    captured_inside: Option<u32>,
    /// The sets, of a word, in which the point entered is empty and the goat captured is gone.
    possible: Word512,
}

/// Room for the words of a group while they are turned.
#[derive(Clone, Debug)]
pub struct Turned(Box<[Word512]>);

impl Default for Turned {
    /// Room for the largest group, in which every dimension inside a word crosses.
    fn default() -> Self {
        Self(vec![Word512::NONE; 1 << DIMENSIONS].into())
    }
}

const HALF: u32 = 8;

impl CubeMove {
    /// For every set of tigers all their moves, whatever goats there are, for cubes in blocks of `2^inside` sets.
    pub fn of_every_set(ranking: &Ranking, inside: u32) -> Vec<Vec<Self>> {
        let all = |set| {
            let leads = TigerStep::all(ranking, set);
            leads.iter().map(|lead| Self::new(lead, inside)).collect()
        };
        (0..ranking.sets.len()).into_par_iter().map(all).collect()
    }

    /// About how many bytes one takes, for cubes of so many dimensions in blocks of `2^inside` sets.
    pub fn memory(dimensions: u32, inside: u32) -> u64 {
        let outer = dimensions - inside;
        let looked_up = (1 << outer.min(HALF)) + (1 << outer.saturating_sub(HALF));
        (size_of::<Self>() + 2 * looked_up * size_of::<u32>()) as u64
    }

    /// One move, for cubes in blocks of `2^inside` sets.
    pub fn new(lead: &TigerStep, inside: u32) -> Self {
        let &TigerStep {
            source,
            ref digits,
            entered,
            captured,
        } = lead;
        let (mut crossings, mut entering) = (Vec::new(), Vec::new());
        let (mut crossing_targets, mut crossing_sources) = (Vec::new(), Vec::new());
        let mut inner: Vec<u32> = Vec::new();
        let mut outer = vec![0; digits.len() - inside as usize];
        let mut back = outer.clone();
        for (dimension, &lead) in digits.iter().enumerate() {
            let dimension = dimension as u32;
            match (dimension < inside, lead < inside) {
                (true, true) => inner.push(lead),
                (true, false) => {
                    inner.push(u32::MAX);
                    crossings.push(dimension);
                    crossing_sources.push(1 << (lead - inside));
                }
                (false, true) => {
                    entering.push(lead);
                    crossing_targets.push(1 << (dimension - inside));
                }
                (false, false) => {
                    outer[(dimension - inside) as usize] = 1 << (lead - inside);
                    back[(lead - inside) as usize] = 1 << (dimension - inside);
                }
            }
        }
        for (&dimension, &lead) in crossings.iter().zip(&entering) {
            inner[dimension as usize] = lead;
        }
        let base = DIMENSIONS - inside;
        let inside_of = |digit: u32| {
            let dimension = digit.trailing_zeros();
            (dimension < inside).then_some(base + dimension)
        };
        let possible = [entered, captured]
            .into_iter()
            .filter_map(inside_of)
            .fold(Word512::ALL, |sets, d| sets & Word512::zero_digit(d));
        let (entered_outside, captured_outside) = (entered >> inside, captured >> inside);
        Self {
            source,
            swaps: swaps_for(&inner)
                .into_iter()
                .map(|(d, e)| (base + d, base + e))
                .collect(),
            crossings: crossings.iter().map(|d| base + d).collect(),
            skipped: crossing_targets.iter().sum::<u32>() | entered_outside | captured_outside,
            targets: combinations(&crossing_targets),
            sources: combinations(&crossing_sources),
            lower: combinations(&outer[..outer.len().min(HALF as usize)]),
            upper: combinations(&outer[outer.len().min(HALF as usize)..]),
            lower_back: combinations(&back[..back.len().min(HALF as usize)]),
            upper_back: combinations(&back[back.len().min(HALF as usize)..]),
            crossing_sources: crossing_sources.iter().sum(),
            entered: entered_outside,
            captured: captured_outside,
            captured_inside: inside_of(captured),
            possible,
        }
    }

    /// All groups of words that the move turns together and that hold a block kept, by their common outer digits before
    /// the move.
    #[inline(always)]
    pub fn groups(&self, blocks: &Blocks) -> impl Iterator<Item = u32> {
        let others = self.captured.count_ones() + self.crossings.len() as u32 + blocks.inside;
        let (least, most) = (*blocks.goats.start(), *blocks.goats.end());
        let all = (1 << blocks.outside) - 1;
        // From each to the next: tried side by side, many of them at once, they took a fifth of the time of all.
        submasks(all & !self.skipped).filter(
            #[inline(always)]
            move |group| {
                let goats = group.count_ones();
                goats <= most && goats + others >= least
            },
        )
    }

    /// The group of the block `outer` before the move, if the move can be made in it.
    #[inline(always)]
    pub fn group_before(&self, outer: u32) -> Option<u32> {
        (outer & (self.entered | self.captured) == self.captured).then_some(outer & !self.skipped)
    }

    /// The group of the block `outer` after the move, if the move can lead there.
    #[inline(always)]
    pub fn group_after(&self, outer: u32) -> Option<u32> {
        let others = outer & !self.crossing_sources;
        let group = self.lower_back[(others & ((1 << HALF) - 1)) as usize % self.lower_back.len()]
            | self.upper_back[(others >> HALF) as usize];
        (group & self.skipped == 0).then_some(group)
    }

    /// Whether every word is turned by itself: no digit crosses into it or out of it.
    #[inline(always)]
    pub fn is_of_single_words(&self) -> bool {
        self.crossings.is_empty()
    }

    /// In how many sets the move can be made, to compare: half as many for every further point that has to be empty or taken.
    pub fn conditions(&self) -> u32 {
        1 + u32::from(self.captured != 0 || self.captured_inside.is_some())
    }

    /// The block before the move in a group of one.
    #[inline(always)]
    pub fn only_target(&self, group: u32) -> u32 {
        group | self.captured
    }

    /// The block after the move of a group of one.
    #[inline(always)]
    pub fn only_source(&self, group: u32) -> u32 {
        self.lower[(group & ((1 << HALF) - 1)) as usize % self.lower.len()]
            | self.upper[(group >> HALF) as usize]
    }

    /// The blocks after the move of a group, as many as it has before it.
    #[inline(always)]
    pub fn sources(&self, group: u32) -> impl Iterator<Item = u32> {
        let outer = self.only_source(group);
        self.sources.iter().map(
            #[inline(always)]
            move |source| outer | source,
        )
    }

    /// The values that the move finds in a group of one, whose word after the move is this, and zero where it cannot be made.
    #[inline(always)]
    pub fn turn_single(&self, mut word: Word512) -> Word512 {
        for &(d, e) in &self.swaps {
            word = word.swap(d, e);
        }
        word = word & self.possible;
        match self.captured_inside {
            Some(d) => word.flip(d),
            None => word,
        }
    }

    /// Hands `found` the values that the move finds in one group, block by block: `fetch` gives the words of the cube
    /// after the move, and `nothing` stands for "no such move". Blocks go by their outer digits.
    #[inline(always)]
    pub fn find(
        &self,
        group: u32,
        nothing: Word512,
        fetch: impl Fn(u32) -> Word512,
        turned: &mut Turned,
        mut found: impl FnMut(u32, Word512),
    ) {
        let words = &mut turned.0[..self.targets.len()];
        for (word, source) in words.iter_mut().zip(self.sources(group)) {
            *word = fetch(source);
        }
        self.turn(words);
        let fixed = self.entered | self.captured;
        for (target, word) in self.targets.iter().zip(words.iter()) {
            if target & fixed == 0 {
                let mut word = word.select(self.possible, nothing);
                if let Some(d) = self.captured_inside {
                    word = word.flip(d);
                }
                found(group | target | self.captured, word);
            }
        }
    }

    /// Gives the words of a group the order of digits before the move.
    #[inline(always)]
    fn turn(&self, words: &mut [Word512]) {
        for word in words.iter_mut() {
            for &(d, e) in &self.swaps {
                *word = word.swap(d, e);
            }
        }
        for (index, &d) in self.crossings.iter().enumerate() {
            let stride = 1 << index;
            for pairs in words.chunks_exact_mut(2 * stride) {
                let (low, high) = pairs.split_at_mut(stride);
                for (low, high) in low.iter_mut().zip(high) {
                    Word512::exchange(low, high, d);
                }
            }
        }
    }
}

/// Exchanges after which dimension `d` is what dimension `wanted[d]` was.
fn swaps_for(wanted: &[u32]) -> Vec<(u32, u32)> {
    let mut now: Vec<u32> = (0..wanted.len() as u32).collect();
    let mut swaps = Vec::new();
    for (d, lead) in wanted.iter().enumerate() {
        if let Some(e) = now.iter().position(|here| here == lead).filter(|&e| e != d) {
            now.swap(d, e);
            swaps.push((d as u32, e as u32));
        }
    }
    swaps
}
