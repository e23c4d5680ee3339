//! Steps backwards: predecessors of the found positions, and the predecessors from which no move escapes.

use std::cell::Cell;

use rayon::prelude::*;

use crate::processor;
use crate::solve::bitset::blocks::Blocks;
use crate::solve::bitset::cube_permutation::CubeMove;
use crate::solve::bitset::ply_positions::{PositionCollector, SparsePositions};
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::scalar_moves::ScalarMove;
use crate::solve::bitset::scratch::{Scratch, ScratchPool};
use crate::solve::bitset::steps::GoatSteps;
use crate::solve::bitset::tiger_moves::TigerStep;
use crate::solve::bitset::word512::{DIMENSIONS, Word512};

/// The prepared moves and memory of one retrograde analysis.
pub(crate) struct Analysis<'a> {
    pub ranking: &'a Ranking,
    /// The stored words of a cube of single bits.
    pub blocks: Blocks,
    tiger_moves: Vec<Vec<Move>>,
    goat_steps: Vec<GoatSteps>,
    pool: ScratchPool,
}

/// A tiger's move, for whole words and for single goat sets.
struct Move {
    words: CubeMove,
    sets: ScalarMove,
}

impl Move {
    fn new(step: &TigerStep) -> Self {
        Self {
            words: CubeMove::new(step, DIMENSIONS),
            sets: ScalarMove::new(step),
        }
    }
}

/// Returns the approximate size of a tiger's move in bytes, for cubes of `dimensions` dimensions.
pub(crate) fn move_memory(dimensions: u32) -> u64 {
    CubeMove::memory(dimensions, DIMENSIONS) + ScalarMove::memory(dimensions)
}

/// Maximum sets of a word that are moved one by one instead of with its group. In Aadu Puli a word of one ply has
/// three on average.
const MAX_SCALAR_SETS: u32 = 8;

impl<'a> Analysis<'a> {
    /// Prepares the tiger moves and goat steps of every tiger set.
    pub(super) fn new(ranking: &'a Ranking, blocks: Blocks) -> Self {
        let tiger_moves = |set| {
            let steps_of_set = TigerStep::all(ranking, set);
            let mut moves: Vec<Move> = steps_of_set.iter().map(Move::new).collect();
            // Moves that are legal most often refute candidates soonest, and single-word moves are the cheapest.
            moves.sort_by_key(|one| (one.words.conditions(), !one.words.has_single_word_groups()));
            moves
        };
        let sets = (0..ranking.sets.len()).into_par_iter();
        Self {
            ranking,
            blocks,
            tiger_moves: sets.map(tiger_moves).collect(),
            goat_steps: (0..ranking.sets.len())
                .map(|set| GoatSteps::new(ranking, set))
                .collect(),
            pool: ScratchPool::default(),
        }
    }

    /// Calls `collect` for every tiger set. Adds the collected positions that can arise and are new to `known`, and
    /// returns them.
    pub(super) fn extend(
        &self,
        known: &mut [Word512],
        collect: impl Fn(usize, &[Word512], &mut Scratch) + Sync,
    ) -> Vec<SparsePositions> {
        known
            .par_chunks_exact_mut(self.blocks.len())
            .enumerate()
            .map(|(set, known)| {
                let mut pooled = self.pool.take();
                let scratch = pooled.scratch(&self.blocks);
                processor::run(
                    #[inline(always)]
                    || {
                        collect(set, known, scratch);
                        let known = Cell::from_mut(known).as_slice_of_cells();
                        scratch.found.clear();
                        scratch.collector.drain(
                            #[inline(always)]
                            |outer| prefetch(known, self.blocks.place(outer)),
                            #[inline(always)]
                            |outer, word| {
                                let Some(place) = self.blocks.find(outer) else {
                                    return;
                                };
                                let known = &known[place];
                                let word = word & *self.blocks.reachable_mask(outer) & !known.get();
                                known.set(known.get() | word);
                                scratch.found.push(outer, word);
                            },
                        );
                    },
                );
                // A list that grew by itself would have been copied repeatedly and have spare capacity.
                scratch.found.clone()
            })
            .collect()
    }

    /// Collects the positions in which the side to move has no move.
    #[inline(always)]
    pub(crate) fn collect_stuck(&self, set: usize, tigers_to_move: bool, scratch: &mut Scratch) {
        let blocks = &self.blocks;
        if tigers_to_move {
            for Move {
                words: tiger_move, ..
            } in &self.tiger_moves[set]
            {
                for group in tiger_move.groups(blocks) {
                    let (movable, buffer) = (&mut scratch.spread, &mut scratch.buffer);
                    tiger_move.transform_group(
                        group,
                        Word512::NONE,
                        #[inline(always)]
                        |_| Word512::ALL,
                        buffer,
                        #[inline(always)]
                        |outer, word| movable[outer as usize] = movable[outer as usize] | word,
                    );
                }
            }
        } else {
            let steps = &self.goat_steps[set];
            for &outer in &blocks.stored {
                scratch.spread[outer as usize] = steps.predecessors(
                    outer,
                    #[inline(always)]
                    |_| Word512::ALL,
                );
            }
        }
        for &outer in &blocks.stored {
            scratch
                .collector
                .add(outer, !scratch.spread[outer as usize]);
        }
        scratch.spread.fill(Word512::NONE);
    }

    /// Adds the positions with one goat too few to continue: the tigers have won.
    pub(crate) fn add_decided(&self, found: &mut [SparsePositions]) {
        for found in found {
            let mut all = PositionCollector::new(&self.blocks);
            for (outer, word) in found.iter() {
                all.add(outer, word);
            }
            let least = *self.blocks.goats.start();
            for &outer in &self.blocks.stored {
                if outer.count_ones() < least {
                    all.add(outer, !*self.blocks.reachable_mask(outer));
                }
            }
            found.clear();
            all.drain(|_| {}, |outer, word| found.push(outer, word));
        }
    }

    /// Collects the positions of a tiger set from which a move leads to a found one.
    #[inline(always)]
    pub(crate) fn collect_predecessors(
        &self,
        set: usize,
        tigers_to_move: bool,
        found: &[SparsePositions],
        scratch: &mut Scratch,
    ) {
        if !tigers_to_move {
            let steps = &self.goat_steps[set];
            for (outer, word) in found[set].iter() {
                steps.for_each_predecessor(
                    outer,
                    word,
                    #[inline(always)]
                    |outer, word| scratch.collector.add(outer, word),
                );
            }
            return;
        }
        let (groups, spread, buffer) = (
            &mut scratch.groups,
            &mut scratch.spread,
            &mut scratch.buffer,
        );
        for Move {
            words: tiger_move,
            sets,
        } in &self.tiger_moves[set]
        {
            let found = &found[tiger_move.set_after];
            if found.is_empty() {
                continue;
            }
            if tiger_move.has_single_word_groups() {
                for (outer, word) in found.iter() {
                    if let Some(group) = tiger_move.group_after(outer) {
                        let target = tiger_move.block_before(group);
                        scratch.collector.add(target, tiger_move.permute_word(word));
                    }
                }
                continue;
            }
            for (outer, word) in found.iter() {
                if word.count() <= MAX_SCALAR_SETS {
                    sets.find_before(
                        outer,
                        word,
                        #[inline(always)]
                        |number| scratch.collector.add_set(number),
                    );
                } else if let Some(group) = tiger_move.group_after(outer) {
                    spread[outer as usize] = word;
                    groups.insert(group);
                }
            }
            groups.drain(
                #[inline(always)]
                |_| {},
                #[inline(always)]
                |group| {
                    tiger_move.transform_group(
                        group,
                        Word512::NONE,
                        #[inline(always)]
                        |outer| spread[outer as usize],
                        buffer,
                        #[inline(always)]
                        |outer, word| scratch.collector.add(outer, word),
                    );
                },
            );
            for &outer in &found.outers {
                spread[outer as usize] = Word512::NONE;
            }
        }
    }

    /// Removes from the collected positions the known ones and those from which a move leads out of `won`.
    #[inline(always)]
    pub(crate) fn remove_escapes(
        &self,
        set: usize,
        tigers_to_move: bool,
        won: &[Word512],
        known: &[Word512],
        scratch: &mut Scratch,
    ) {
        let blocks = &self.blocks;
        let cube = |set: usize| &won[set * blocks.len()..][..blocks.len()];
        let candidates = &mut scratch.candidates;
        candidates.clear();
        scratch.collector.drain(
            #[inline(always)]
            |outer| prefetch(known, blocks.place(outer)),
            #[inline(always)]
            |outer, word| {
                let word = word & *blocks.reachable_mask(outer);
                if let Some(place) = blocks.find(outer) {
                    candidates.push(outer, word & !known[place]);
                }
            },
        );
        if !tigers_to_move {
            let (won, steps) = (cube(set), &self.goat_steps[set]);
            for (outer, word) in candidates.iter() {
                let lost = steps.without_step_to(
                    outer,
                    word,
                    #[inline(always)]
                    |outer| {
                        blocks
                            .find(outer)
                            .map_or(Word512::NONE, |place| !won[place])
                    },
                );
                scratch.collector.add(outer, lost);
            }
            return;
        }
        self.remove_tiger_escapes(set, won, scratch);
    }

    /// Removes the candidates, with tigers to move, from which a move leads out of `won`, and collects the rest.
    #[inline(always)]
    fn remove_tiger_escapes(&self, set: usize, won: &[Word512], scratch: &mut Scratch) {
        let count = scratch.candidates.outers.len();
        scratch.left.clear();
        scratch.left.extend(0..count as u32);
        scratch
            .moving
            .resize(scratch.moving.len().max(count), (0, 0));
        for (&outer, number) in scratch.candidates.outers.iter().zip(1..) {
            scratch.candidate_at[outer as usize] = number;
        }
        for tiger_move in &self.tiger_moves[set] {
            let set_after = tiger_move.words.set_after;
            let won = &won[set_after * self.blocks.len()..][..self.blocks.len()];
            let moving = self.list_moving(&tiger_move.words, won, scratch);
            if tiger_move.words.has_single_word_groups() {
                remove_word_by_word(&tiger_move.words, won, moving, scratch);
            } else {
                self.remove_set_by_set(&tiger_move.sets, won, moving, scratch);
                self.remove_group_by_group(&tiger_move.words, won, scratch);
            }
        }
        let SparsePositions { outers, words } = &scratch.candidates;
        for (&outer, &lost) in outers.iter().zip(words.iter()) {
            scratch.candidate_at[outer as usize] = 0;
            scratch.collector.add(outer, lost);
        }
    }

    /// Lists in `left` the remaining candidates, and in `moving` the ones with a legal move: each with the place of
    /// the word that it leads to, or with its group of words. Returns the number of entries in `moving`.
    #[inline(always)]
    fn list_moving(&self, tiger_move: &CubeMove, won: &[Word512], scratch: &mut Scratch) -> usize {
        let Scratch {
            candidates: SparsePositions { outers, words },
            left,
            moving,
            ..
        } = scratch;
        let has_single_word_groups = tiger_move.has_single_word_groups();
        // Branchless: a branch would be mispredicted half the time.
        let (mut remaining, mut moving_count) = (0, 0);
        for at in 0..left.len() {
            let index = left[at];
            left[remaining] = index;
            let is_left = !words[index as usize].is_none();
            remaining += usize::from(is_left);
            let group = tiger_move.group_before(outers[index as usize]);
            let is_moving = is_left & group.is_some();
            let group = group.unwrap_or_default();
            moving[moving_count] = if has_single_word_groups {
                let place = self.blocks.place(tiger_move.block_after(group));
                prefetch(won, place);
                (index, place)
            } else {
                (index, group)
            };
            moving_count += usize::from(is_moving);
        }
        left.truncate(remaining);
        moving_count
    }

    /// Removes escaping sets of sparse candidate words one by one, and marks the groups of the other candidates.
    #[inline(always)]
    fn remove_set_by_set(
        &self,
        sets: &ScalarMove,
        won: &[Word512],
        moving: usize,
        scratch: &mut Scratch,
    ) {
        let blocks = &self.blocks;
        let SparsePositions { outers, words } = &mut scratch.candidates;
        for &(index, group) in &scratch.moving[..moving] {
            let (outer, word) = (outers[index as usize], words[index as usize]);
            if word.count() > MAX_SCALAR_SETS {
                scratch.groups.insert(group);
                continue;
            }
            sets.find_after(
                outer,
                word,
                #[inline(always)]
                |set, after| {
                    // Prefetch now; the words are read after all have been requested.
                    prefetch(won, blocks.place(after >> DIMENSIONS));
                    scratch.singles.push((index, set, after));
                },
            );
        }
        for (index, set, after) in scratch.singles.drain(..) {
            let place = blocks.find(after >> DIMENSIONS);
            let is_won = place.is_some_and(|place| won[place].contains(after));
            words[index as usize].keep(set, is_won);
        }
    }

    /// Removes escaping candidates of the marked groups.
    #[inline(always)]
    fn remove_group_by_group(&self, tiger_move: &CubeMove, won: &[Word512], scratch: &mut Scratch) {
        let blocks = &self.blocks;
        let Scratch {
            candidates: SparsePositions { words, .. },
            candidate_at,
            groups,
            buffer,
            ..
        } = scratch;
        groups.drain(
            #[inline(always)]
            |group| {
                let sources = tiger_move.blocks_after(group);
                sources.for_each(
                    #[inline(always)]
                    |outer| prefetch(won, blocks.place(outer)),
                );
            },
            #[inline(always)]
            |group| {
                tiger_move.transform_group(
                    group,
                    Word512::NONE,
                    #[inline(always)]
                    |outer| blocks.find(outer).map_or(Word512::ALL, |place| !won[place]),
                    buffer,
                    #[inline(always)]
                    |outer, escapes| {
                        if let Some(index) = candidate_at[outer as usize].checked_sub(1) {
                            let word = &mut words[index as usize];
                            *word = *word & !escapes;
                        }
                    },
                );
            },
        );
    }
}

/// Removes escaping candidates by a move whose groups are single words.
#[inline(always)]
fn remove_word_by_word(
    tiger_move: &CubeMove,
    won: &[Word512],
    moving: usize,
    scratch: &mut Scratch,
) {
    for &(index, place) in &scratch.moving[..moving] {
        let after = won.get(place as usize);
        let escapes = after.map_or(
            Word512::ALL,
            #[inline(always)]
            |won| !*won,
        );
        let word = &mut scratch.candidates.words[index as usize];
        *word = *word & !tiger_move.permute_word(escapes);
    }
}

/// Prefetches the word at a place: words that are used together are far apart in memory. An invalid place prefetches
/// the last word, which is cheaper than a mispredicted branch.
#[inline(always)]
fn prefetch<T>(words: &[T], place: u32) {
    let last = words.len().saturating_sub(1);
    if let Some(word) = words.get((place as usize).min(last)) {
        processor::fetch(word);
    }
}
