//! Chains of leaps in the movement phase, for games with one tiger.
//!
//! A tiger *in a chain* has leapt in this turn. It may stop, or leap again. The analysis of one side's wins keeps the
//! positions in a chain from which this side wins, `in_chain`:
//!
//! - For wins of the tigers: the tiger can stop, and the goats have lost; or a leap leads to another position of the set.
//! - For wins of the goats: if the tiger stops, the goats win; and every leap leads to another position of the set.
//!
//! A whole turn is one ply, so after each ply the set is extended until it is complete. With several tigers, it would
//! also depend on the tiger that has leapt.

use super::analysis::{AfterMove, Analysis};
use crate::error::EngineError;
use crate::solve::bitset::ply_positions::SparsePositions;
use crate::solve::bitset::position_list::PositionList;
use crate::solve::bitset::scratch::Scratch;
use crate::solve::bitset::word512::Word512;
use crate::value::Side;

impl Analysis<'_> {
    /// Extends `in_chain` after a ply has found `stops`: the positions with goats to move that `winner` wins. `won` is
    /// all of these positions found so far. Returns the positions that were new in `in_chain`, except `stops` if the
    /// winner is the tiger, in several sets of lists.
    ///
    /// Does nothing in a game without chains.
    pub(super) fn extend_chains(
        &self,
        winner: Side,
        stops: &[PositionList],
        won: &[Word512],
        in_chain: &mut [Word512],
    ) -> Result<Vec<Vec<PositionList>>, EngineError> {
        let mut found: Vec<Vec<PositionList>> = Vec::new();
        if !self.ranking.board.has_chains {
            return Ok(found);
        }
        if winner == Side::P2 {
            self.add_to(in_chain, stops)?;
        }
        loop {
            let latest = found.last().map_or(stops, Vec::as_slice);
            let new = if winner == Side::P2 {
                self.extend(
                    in_chain,
                    #[inline(always)]
                    |set, scratch| {
                        self.collect_before_tigers(set, AfterMove::leap(latest), scratch)
                    },
                )?
            } else {
                let is_first = found.is_empty();
                let unescaped = self.without_escapes_in_chain(latest, is_first, won, in_chain)?;
                self.add_to(in_chain, &unescaped)?
            };
            if new.iter().all(PositionList::is_empty) {
                return Ok(found);
            }
            found.push(new);
        }
    }

    /// Returns the positions in a chain that the goats win because of the positions `latest`: these positions themselves
    /// if the tiger can stop there (`is_stop`), otherwise those from which a leap leads to them. Every leap leads to a
    /// position of `in_chain`.
    fn without_escapes_in_chain(
        &self,
        latest: &[PositionList],
        is_stop: bool,
        won: &[Word512],
        in_chain: &[Word512],
    ) -> Result<Vec<PositionList>, EngineError> {
        let blocks = &self.blocks;
        self.collect(
            #[inline(always)]
            |set, scratch| {
                if is_stop {
                    collect_all(&latest[set], scratch)?;
                } else {
                    self.collect_before_tigers(set, AfterMove::leap(latest), scratch)?;
                }
                self.list_candidates(scratch);
                let won = &won[set * blocks.len()..][..blocks.len()];
                let SparsePositions { outers, words } = &mut scratch.candidates;
                for (&outer, word) in outers.iter().zip(words) {
                    let won = blocks.find(outer).map_or(Word512::NONE, |place| won[place]);
                    *word = *word & won;
                }
                self.remove_tiger_escapes(set, AfterMove::leap(in_chain), scratch);
                Ok(())
            },
        )
    }

    /// Adds positions to `known`. Returns those that were new.
    fn add_to(
        &self,
        known: &mut [Word512],
        positions: &[PositionList],
    ) -> Result<Vec<PositionList>, EngineError> {
        self.extend(
            known,
            #[inline(always)]
            |set, scratch| collect_all(&positions[set], scratch),
        )
    }
}

/// Collects all positions of a list.
#[inline(always)]
fn collect_all(positions: &PositionList, scratch: &mut Scratch) -> Result<(), EngineError> {
    positions.visit_parts(
        #[inline(always)]
        |part| {
            for (outer, word) in part.iter() {
                scratch.collector.add(outer, word);
            }
        },
    )
}
