//! The first part of a step of the retrograde analysis, for one tiger set: collects the predecessors of the frontier.
//! Module `escapes` has the second part.
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

use crate::durable::TemporaryFile;
use crate::error::EngineError;
use crate::processor;
use crate::solve::bitset::blocks::Blocks;
use crate::solve::bitset::cube_permutation::BulkTigerMove;
use crate::solve::bitset::ply_positions::{PositionCollector, SparsePositions};
use crate::solve::bitset::position_list::{ListBuilder, ListStorage, PositionList};
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
    storage: &'a ListStorage,
    /// Indexed by tiger set. The moves of a tiger set are in the order of use.
    pub(super) tiger_moves: Vec<Vec<Move>>,
    pub(super) goat_steps: Vec<GoatSteps>,
    pub(super) pool: ScratchPool,
}

/// A tiger's move, for whole words and for single goat sets.
pub(super) struct Move {
    pub(super) bulk_move: BulkTigerMove,
    pub(super) scalar_move: ScalarMove,
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
    pub(super) fn of(self, tiger_move: &Move) -> Option<T> {
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
pub(super) const MAX_SCALAR_SETS: u32 = 8;

impl<'a> Analysis<'a> {
    /// Prepares the tiger moves and goat steps of every tiger set.
    pub(super) fn new(ranking: &'a Ranking, blocks: Blocks, storage: &'a ListStorage) -> Self {
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
            storage,
            tiger_moves: sets.map(tiger_moves).collect(),
            goat_steps: (0..ranking.sets.len())
                .map(|set| GoatSteps::new(ranking, set))
                .collect(),
            pool: ScratchPool::default(),
        }
    }

    /// Returns an empty list of positions of one tiger set.
    fn new_list<'b>(
        &self,
        recent: &'b mut SparsePositions,
        file: Option<&'b TemporaryFile>,
    ) -> ListBuilder<'b> {
        ListBuilder::new(recent, self.blocks.len(), file)
    }

    /// Calls `collect` for every tiger set, in parallel. `collect` adds positions to the collector of its scratch
    /// memory. Then `extend` adds the reachable positions to `known`. Returns the positions that were new in `known`.
    pub(super) fn extend(
        &self,
        known: &mut [Word512],
        collect: impl Fn(usize, &mut Scratch) -> Result<(), EngineError> + Sync,
    ) -> Result<Vec<PositionList>, EngineError> {
        let file = self.storage.new_file()?;
        known
            .par_chunks_exact_mut(self.blocks.len())
            .enumerate()
            .map(|(set, known)| {
                let mut pooled = self.pool.take();
                let scratch = pooled.scratch(&self.blocks);
                processor::run(
                    #[inline(always)]
                    || {
                        collect(set, scratch)?;
                        let known = Cell::from_mut(known).as_slice_of_cells();
                        let mut found = self.new_list(&mut scratch.recent, file.as_ref());
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
                                found.push(outer, word);
                            },
                        );
                        found.finish()
                    },
                )
            })
            .collect()
    }

    /// Calls `collect` for every tiger set, in parallel. `collect` adds positions to the collector of its scratch
    /// memory. Returns the reachable ones.
    pub(super) fn collect(
        &self,
        collect: impl Fn(usize, &mut Scratch) -> Result<(), EngineError> + Sync,
    ) -> Result<Vec<PositionList>, EngineError> {
        let file = self.storage.new_file()?;
        let sets = (0..self.ranking.sets.len()).into_par_iter();
        sets.map(|set| {
            let mut pooled = self.pool.take();
            let scratch = pooled.scratch(&self.blocks);
            processor::run(
                #[inline(always)]
                || {
                    collect(set, scratch)?;
                    let mut found = self.new_list(&mut scratch.recent, file.as_ref());
                    scratch.collector.drain(
                        |_| {},
                        #[inline(always)]
                        |outer, word| {
                            if self.blocks.find(outer).is_some() {
                                found.push(outer, word & *self.blocks.reachable_mask(outer));
                            }
                        },
                    );
                    found.finish()
                },
            )
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
    pub(crate) fn add_decisive_captures(
        &self,
        frontier: &mut [PositionList],
    ) -> Result<(), EngineError> {
        let file = self.storage.new_file()?;
        for (positions, set) in frontier.iter_mut().zip(&self.ranking.sets) {
            let mut all = PositionCollector::new(&self.blocks);
            for (outer, word) in positions.to_sparse()?.iter() {
                all.add(outer, word);
            }
            let min_goats = *self.blocks.goats.start();
            for &outer in self.blocks.used(set.used_digits()) {
                if outer.count_ones() < min_goats {
                    all.add(outer, !*self.blocks.reachable_mask(outer));
                }
            }
            let mut recent = SparsePositions::default();
            let mut found = self.new_list(&mut recent, file.as_ref());
            all.drain(|_| {}, |outer, word| found.push(outer, word));
            *positions = found.finish()?;
        }
        Ok(())
    }

    /// Collects the positions of a tiger set, with goats to move, from which a move leads to a position of `after`.
    #[inline(always)]
    pub(super) fn collect_before_goats(
        &self,
        set: usize,
        after: &[PositionList],
        scratch: &mut Scratch,
    ) -> Result<(), EngineError> {
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
        )
    }

    /// Collects the positions of a tiger set, with tigers to move, from which a move leads to a position of `after`.
    #[inline(always)]
    pub(super) fn collect_before_tigers(
        &self,
        set: usize,
        after: AfterMove<&[PositionList]>,
        scratch: &mut Scratch,
    ) -> Result<(), EngineError> {
        let Scratch {
            collector,
            groups,
            dense_words,
            buffer,
            ..
        } = scratch;
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
            if bulk_move.has_single_word_groups() {
                after.visit_parts(
                    #[inline(always)]
                    |part| {
                        for (outer, word) in part.iter() {
                            if let Some(group) = bulk_move.group_after(outer) {
                                let before = bulk_move.block_before(group);
                                collector.add(before, bulk_move.permute_word(word));
                            }
                        }
                    },
                )?;
                continue;
            }
            after.visit_parts(
                #[inline(always)]
                |part| {
                    for (outer, word) in part.iter() {
                        if word.count() <= MAX_SCALAR_SETS {
                            scalar_move.find_before(
                                outer,
                                word,
                                #[inline(always)]
                                |number| collector.add_set(number),
                            );
                        } else if let Some(group) = bulk_move.group_after(outer) {
                            dense_words[outer as usize] = word;
                            groups.insert(group);
                        }
                    }
                },
            )?;
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
                        |outer, word| collector.add(outer, word),
                    );
                },
            );
            after.visit_parts(
                #[inline(always)]
                |part| {
                    for &outer in &part.outers {
                        dense_words[outer as usize] = Word512::NONE;
                    }
                },
            )?;
        }
        Ok(())
    }
}

/// Prefetches the word at index `place`, because consecutively used words are far apart in memory. If `place` is out
/// of range, prefetches the last word, which takes less time than a mispredicted branch.
#[inline(always)]
pub(super) fn prefetch<T>(words: &[T], place: u32) {
    let last = words.len().saturating_sub(1);
    if let Some(word) = words.get((place as usize).min(last)) {
        processor::prefetch(word);
    }
}
