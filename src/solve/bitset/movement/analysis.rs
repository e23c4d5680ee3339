//! The two parts of a step of the retrograde analysis, for one tiger set: collect the predecessors of the frontier,
//! then remove the positions from which a move escapes.
//!
//! A tiger's move permutes the words of a group together (see `cube_permutation`). All groups of a move have the same
//! number of words. The predecessors are computed in one of three ways:
//!
//! - word by word, if each group has one word
//! - goat set by goat set ([`ScalarMove`]), if groups have several words, and the word has at most [`MAX_SCALAR_SETS`]
//!   positions
//! - group by group ([`BulkTigerMove::transform_group`]) for all other words

use std::cell::Cell;

use rayon::prelude::*;

use crate::processor;
use crate::solve::bitset::blocks::Blocks;
use crate::solve::bitset::cube_permutation::BulkTigerMove;
use crate::solve::bitset::ply_positions::{PositionCollector, SparsePositions};
use crate::solve::bitset::position_list::PositionList;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::scalar_moves::ScalarMove;
use crate::solve::bitset::scratch::{Scratch, ScratchPool};
use crate::solve::bitset::steps::GoatSteps;
use crate::solve::bitset::tiger_moves::TigerStep;
use crate::solve::bitset::word512::{DIMENSIONS, Word512};

/// The moves and the scratch memory of a retrograde analysis.
pub(crate) struct Analysis<'a> {
    pub ranking: &'a Ranking,
    /// The stored blocks of each cube. A cube has one bit per goat set.
    pub blocks: Blocks,
    /// Indexed by tiger set. The moves of a tiger set are in the order of use.
    tiger_moves: Vec<Vec<Move>>,
    goat_steps: Vec<GoatSteps>,
    pub(super) pool: ScratchPool,
}

/// A tiger's move, for whole words and for single goat sets.
struct Move {
    bulk_move: BulkTigerMove,
    scalar_move: ScalarMove,
}

/// Sets of positions after a tiger's move: after a step, and after a leap. `None` leaves out these moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct AfterMove<T> {
    pub(super) step: Option<T>,
    pub(super) leap: Option<T>,
}

impl<T: Copy> AfterMove<T> {
    /// The same set for steps and leaps.
    pub(super) fn any(set: T) -> Self {
        Self {
            step: Some(set),
            leap: Some(set),
        }
    }

    /// A set for leaps only.
    pub(super) fn leap(set: T) -> Self {
        Self {
            step: None,
            leap: Some(set),
        }
    }

    /// Returns the set for a move.
    #[inline(always)]
    fn of(self, tiger_move: &Move) -> Option<T> {
        if tiger_move.scalar_move.is_leap() {
            self.leap
        } else {
            self.step
        }
    }
}

impl Move {
    fn new(step: &TigerStep) -> Self {
        Self {
            bulk_move: BulkTigerMove::new(step, DIMENSIONS),
            scalar_move: ScalarMove::new(step),
        }
    }
}

/// Returns the approximate size of a [`Move`] in bytes. `dimensions` is the number of digits of a goat set.
pub(crate) fn move_memory(dimensions: u32) -> u64 {
    BulkTigerMove::memory(dimensions, DIMENSIONS) + ScalarMove::memory(dimensions)
}

/// Maximum number of positions in a word that are moved one by one. A word with more positions is moved together with
/// the other words of its group. In Aadu Puli, a word of a sparse list contains three positions on average.
const MAX_SCALAR_SETS: u32 = 8;

impl<'a> Analysis<'a> {
    /// Prepares the tiger moves and goat steps of every tiger set.
    pub(super) fn new(ranking: &'a Ranking, blocks: Blocks) -> Self {
        let tiger_moves = |set| {
            let steps_of_set = TigerStep::all(ranking, set);
            let used_digits = ranking.sets[set].used_digits();
            let conditions = steps_of_set.iter().map(|step| step.conditions(used_digits));
            let mut moves: Vec<(u32, Move)> =
                conditions.zip(steps_of_set.iter().map(Move::new)).collect();
            // Moves with few conditions come first: they are legal most often, so most candidates escape by them. Among
            // equal numbers of conditions, moves with single-word groups come first, because they take the least time.
            moves.sort_by_key(|(conditions, Move { bulk_move, .. })| {
                (*conditions, !bulk_move.has_single_word_groups())
            });
            moves
                .into_iter()
                .map(|(_, tiger_move)| tiger_move)
                .collect()
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

    /// Calls `collect` for every tiger set, in parallel. `collect` adds positions to the collector of its scratch
    /// memory. Then `extend` adds the reachable positions to `known`. Returns the positions that were new in `known`.
    pub(super) fn extend(
        &self,
        known: &mut [Word512],
        collect: impl Fn(usize, &mut Scratch) + Sync,
    ) -> Vec<PositionList> {
        known
            .par_chunks_exact_mut(self.blocks.len())
            .enumerate()
            .map(|(set, known)| {
                let mut pooled = self.pool.take();
                let scratch = pooled.scratch(&self.blocks);
                processor::run(
                    #[inline(always)]
                    || {
                        collect(set, scratch);
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
                // `scratch.found` keeps its capacity for the next tiger set.
                PositionList::of(&scratch.found, self.blocks.len())
            })
            .collect()
    }

    /// Calls `collect` for every tiger set, in parallel. `collect` adds positions to the collector of its scratch
    /// memory. Returns the reachable ones.
    pub(super) fn collect(
        &self,
        collect: impl Fn(usize, &mut Scratch) + Sync,
    ) -> Vec<PositionList> {
        let sets = (0..self.ranking.sets.len()).into_par_iter();
        sets.map(|set| {
            let mut pooled = self.pool.take();
            let scratch = pooled.scratch(&self.blocks);
            processor::run(
                #[inline(always)]
                || {
                    collect(set, scratch);
                    scratch.found.clear();
                    scratch.collector.drain(
                        |_| {},
                        #[inline(always)]
                        |outer, word| {
                            if self.blocks.find(outer).is_some() {
                                let word = word & *self.blocks.reachable_mask(outer);
                                scratch.found.push(outer, word);
                            }
                        },
                    );
                },
            );
            PositionList::of(&scratch.found, self.blocks.len())
        })
        .collect()
    }

    /// Collects the positions of a tiger set in which the side to move has no legal move.
    #[inline(always)]
    pub(crate) fn collect_immobile(&self, set: usize, tigers_to_move: bool, scratch: &mut Scratch) {
        let blocks = &self.blocks;
        let used_blocks = blocks.used(self.ranking.sets[set].used_digits());
        // Mark the positions with a legal move in `dense_words`, then collect all other positions.
        if tigers_to_move {
            for Move { bulk_move, .. } in &self.tiger_moves[set] {
                for group in bulk_move.groups(blocks) {
                    let (mobile, buffer) = (&mut scratch.dense_words, &mut scratch.buffer);
                    bulk_move.transform_group(
                        group,
                        Word512::NONE,
                        #[inline(always)]
                        |_| Word512::ALL,
                        buffer,
                        #[inline(always)]
                        |outer, word| mobile[outer as usize] = mobile[outer as usize] | word,
                    );
                }
            }
        } else {
            let steps = &self.goat_steps[set];
            for &outer in used_blocks {
                scratch.dense_words[outer as usize] = steps.predecessors(
                    outer,
                    #[inline(always)]
                    |_| Word512::ALL,
                );
            }
        }
        for &outer in used_blocks {
            scratch
                .collector
                .add(outer, !scratch.dense_words[outer as usize]);
        }
        scratch.dense_words.fill(Word512::NONE);
    }

    /// Adds the positions in which the tigers have just won by a capture to `frontier`. These positions have fewer
    /// goats than every position of the layer, so tables do not contain them.
    pub(crate) fn add_decisive_captures(&self, frontier: &mut [PositionList]) {
        for (positions, set) in frontier.iter_mut().zip(&self.ranking.sets) {
            let mut all = PositionCollector::new(&self.blocks);
            for (outer, word) in positions.to_sparse().iter() {
                all.add(outer, word);
            }
            let min_goats = *self.blocks.goats.start();
            for &outer in self.blocks.used(set.used_digits()) {
                if outer.count_ones() < min_goats {
                    all.add(outer, !*self.blocks.reachable_mask(outer));
                }
            }
            let mut found = SparsePositions::default();
            all.drain(|_| {}, |outer, word| found.push(outer, word));
            *positions = PositionList::of(&found, self.blocks.len());
        }
    }

    /// Collects the positions of a tiger set, with goats to move, from which a move leads to a position of `after`.
    #[inline(always)]
    pub(super) fn collect_before_goats(
        &self,
        set: usize,
        after: &[PositionList],
        scratch: &mut Scratch,
    ) {
        let steps = &self.goat_steps[set];
        after[set].visit_parts(
            #[inline(always)]
            |part| {
                for (outer, word) in part.iter() {
                    steps.for_each_predecessor(
                        outer,
                        word,
                        #[inline(always)]
                        |outer, word| scratch.collector.add(outer, word),
                    );
                }
            },
        );
    }

    /// Collects the positions of a tiger set, with tigers to move, from which a move leads to a position of `after`.
    #[inline(always)]
    pub(super) fn collect_before_tigers(
        &self,
        set: usize,
        after: AfterMove<&[PositionList]>,
        scratch: &mut Scratch,
    ) {
        let (groups, dense_words, buffer, unpacked) = (
            &mut scratch.groups,
            &mut scratch.dense_words,
            &mut scratch.buffer,
            &mut scratch.unpacked,
        );
        for tiger_move in &self.tiger_moves[set] {
            let Some(after) = after.of(tiger_move) else {
                continue;
            };
            let Move {
                bulk_move,
                scalar_move,
            } = tiger_move;
            let after = &after[bulk_move.set_after];
            if after.is_empty() {
                continue;
            }
            let after = after.read(unpacked);
            if bulk_move.has_single_word_groups() {
                for (outer, word) in after.iter() {
                    if let Some(group) = bulk_move.group_after(outer) {
                        let before = bulk_move.block_before(group);
                        scratch.collector.add(before, bulk_move.permute_word(word));
                    }
                }
                continue;
            }
            for (outer, word) in after.iter() {
                if word.count() <= MAX_SCALAR_SETS {
                    scalar_move.find_before(
                        outer,
                        word,
                        #[inline(always)]
                        |number| scratch.collector.add_set(number),
                    );
                } else if let Some(group) = bulk_move.group_after(outer) {
                    dense_words[outer as usize] = word;
                    groups.insert(group);
                }
            }
            groups.drain(
                #[inline(always)]
                |_| {},
                #[inline(always)]
                |group| {
                    bulk_move.transform_group(
                        group,
                        Word512::NONE,
                        #[inline(always)]
                        |outer| dense_words[outer as usize],
                        buffer,
                        #[inline(always)]
                        |outer, word| scratch.collector.add(outer, word),
                    );
                },
            );
            for &outer in &after.outers {
                dense_words[outer as usize] = Word512::NONE;
            }
        }
    }

    /// Removes the positions, with goats to move, with a move that escapes from the collector. A move escapes if it leads
    /// to a position that is not in `won`.
    #[inline(always)]
    pub(super) fn remove_goat_escapes(&self, set: usize, won: &[Word512], scratch: &mut Scratch) {
        self.list_candidates(scratch);
        let blocks = &self.blocks;
        let won = &won[set * blocks.len()..][..blocks.len()];
        let steps = &self.goat_steps[set];
        for (outer, word) in scratch.candidates.iter() {
            let lost = steps.without_step_to(
                outer,
                word,
                #[inline(always)]
                |outer| {
                    // The positions to which a goat can escape. Only stored blocks contain reachable positions.
                    blocks
                        .find(outer)
                        .map_or(Word512::NONE, |place| !won[place])
                },
            );
            scratch.collector.add(outer, lost);
        }
    }

    /// Moves the reachable positions of the collector to `scratch.candidates`.
    #[inline(always)]
    pub(super) fn list_candidates(&self, scratch: &mut Scratch) {
        let blocks = &self.blocks;
        let candidates = &mut scratch.candidates;
        candidates.clear();
        scratch.collector.drain(
            |_| {},
            #[inline(always)]
            |outer, word| {
                if blocks.find(outer).is_some() {
                    candidates.push(outer, word & *blocks.reachable_mask(outer));
                }
            },
        );
    }

    /// Removes the candidates, with tigers to move, from which a move leads to a position that is not in `won`.
    /// Collects the other candidates.
    #[inline(always)]
    pub(super) fn remove_tiger_escapes(
        &self,
        set: usize,
        won: AfterMove<&[Word512]>,
        scratch: &mut Scratch,
    ) {
        let count = scratch.candidates.outers.len();
        scratch.remaining.clear();
        scratch.remaining.extend(0..count as u32);
        scratch
            .movable
            .resize(scratch.movable.len().max(count), (0, 0));
        for (&outer, number) in scratch.candidates.outers.iter().zip(1..) {
            scratch.candidate_at[outer as usize] = number;
        }
        for tiger_move in &self.tiger_moves[set] {
            let Some(won) = won.of(tiger_move) else {
                continue;
            };
            let Move {
                bulk_move,
                scalar_move,
            } = tiger_move;
            let set_after = bulk_move.set_after;
            let won = &won[set_after * self.blocks.len()..][..self.blocks.len()];
            let movable_count = self.list_movable(bulk_move, won, scratch);
            if bulk_move.has_single_word_groups() {
                remove_word_by_word(bulk_move, won, movable_count, scratch);
            } else {
                self.remove_set_by_set(scalar_move, won, movable_count, scratch);
                self.remove_group_by_group(bulk_move, won, scratch);
            }
        }
        let SparsePositions { outers, words } = &scratch.candidates;
        for (&outer, &lost) in outers.iter().zip(words.iter()) {
            scratch.candidate_at[outer as usize] = 0;
            scratch.collector.add(outer, lost);
        }
    }

    /// Removes the candidate words that have become empty from `scratch.remaining`. Lists the remaining words for which
    /// the move may be legal in `scratch.movable`, and returns their number.
    #[inline(always)]
    fn list_movable(
        &self,
        bulk_move: &BulkTigerMove,
        won: &[Word512],
        scratch: &mut Scratch,
    ) -> usize {
        let Scratch {
            candidates: SparsePositions { outers, words },
            remaining,
            movable,
            ..
        } = scratch;
        let has_single_word_groups = bulk_move.has_single_word_groups();
        // Branchless, because a branch would be mispredicted half the time: every element is written, but only
        // a kept element increases the count.
        let (mut remaining_count, mut movable_count) = (0, 0);
        for at in 0..remaining.len() {
            let index = remaining[at];
            remaining[remaining_count] = index;
            let has_positions = !words[index as usize].is_none();
            remaining_count += usize::from(has_positions);
            let group = bulk_move.group_before(outers[index as usize]);
            let is_movable = has_positions & group.is_some();
            let group = group.unwrap_or_default();
            movable[movable_count] = if has_single_word_groups {
                let place = self.blocks.place(bulk_move.block_after(group));
                prefetch(won, place);
                (index, place)
            } else {
                (index, group)
            };
            movable_count += usize::from(is_movable);
        }
        remaining.truncate(remaining_count);
        movable_count
    }

    /// Removes escaping positions, one by one, from candidate words with at most [`MAX_SCALAR_SETS`] positions. Adds
    /// the groups of the other candidate words to `scratch.groups`.
    #[inline(always)]
    fn remove_set_by_set(
        &self,
        scalar_move: &ScalarMove,
        won: &[Word512],
        movable_count: usize,
        scratch: &mut Scratch,
    ) {
        let blocks = &self.blocks;
        let SparsePositions { outers, words } = &mut scratch.candidates;
        for &(index, group) in &scratch.movable[..movable_count] {
            let (outer, word) = (outers[index as usize], words[index as usize]);
            if word.count() > MAX_SCALAR_SETS {
                scratch.groups.insert(group);
                continue;
            }
            scalar_move.find_after(
                outer,
                word,
                #[inline(always)]
                |set, after| {
                    // The loop below reads the prefetched words.
                    prefetch(won, blocks.place(after >> DIMENSIONS));
                    scratch.single_moves.push((index, set, after));
                },
            );
        }
        for (index, set, after) in scratch.single_moves.drain(..) {
            let place = blocks.find(after >> DIMENSIONS);
            let is_won = place.is_some_and(|place| won[place].contains(after));
            words[index as usize].keep(set, is_won);
        }
    }

    /// Removes escaping positions from the candidate words of the groups in `scratch.groups`.
    #[inline(always)]
    fn remove_group_by_group(
        &self,
        bulk_move: &BulkTigerMove,
        won: &[Word512],
        scratch: &mut Scratch,
    ) {
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
                let blocks_after = bulk_move.blocks_after(group);
                blocks_after.for_each(
                    #[inline(always)]
                    |outer| prefetch(won, blocks.place(outer)),
                );
            },
            #[inline(always)]
            |group| {
                bulk_move.transform_group(
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

/// Removes escaping positions from the listed candidate words, for a move whose groups are single words.
#[inline(always)]
fn remove_word_by_word(
    bulk_move: &BulkTigerMove,
    won: &[Word512],
    movable_count: usize,
    scratch: &mut Scratch,
) {
    for &(index, place) in &scratch.movable[..movable_count] {
        let after = won.get(place as usize);
        // A block that is not stored contains no won position, so every move to it escapes.
        let escapes = after.map_or(
            Word512::ALL,
            #[inline(always)]
            |won| !*won,
        );
        let word = &mut scratch.candidates.words[index as usize];
        *word = *word & !bulk_move.permute_word(escapes);
    }
}

/// Prefetches the word at index `place`, because consecutively used words are far apart in memory. If `place` is out
/// of range, prefetches the last word, which takes less time than a mispredicted branch.
#[inline(always)]
fn prefetch<T>(words: &[T], place: u32) {
    let last = words.len().saturating_sub(1);
    if let Some(word) = words.get((place as usize).min(last)) {
        processor::prefetch(word);
    }
}
