//! The second part of a step of the retrograde analysis: removes the positions from which a move escapes, that is, leads
//! to a position not known to be won.

use super::analysis::{AfterMove, Analysis, MAX_SCALAR_SETS, Move, prefetch};
use crate::solve::bitset::cube_permutation::BulkTigerMove;
use crate::solve::bitset::ply_positions::SparsePositions;
use crate::solve::bitset::scalar_moves::ScalarMove;
use crate::solve::bitset::scratch::Scratch;
use crate::solve::bitset::word512::{DIMENSIONS, Word512};

impl Analysis<'_> {
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
