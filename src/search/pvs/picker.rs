//! The order in which a climb takes a node's moves: the remembered one, then the others by rating, best first; what
//! another thread is searching last.

use super::deferred_moves::DeferredMoves;

use super::ordering::pick;
use super::worker::{Node, PvsWorker};
use crate::processor;
use crate::rules::Game;
use crate::search::Tactics;

/// Nodes this near to the horizon are not worth telling other threads about.
const MIN_DEFER_DEPTH: u32 = 7;
/// What a point of the game's own rating of a move counts next to the experience with it.
const RATING_UNITS: i32 = 94;

/// Where a node is with its moves, which lie in a part of the climb's list.
pub(super) struct MovePicker {
    /// The node's key.
    key: u64,
    pub(super) base: usize,
    pub(super) next: usize,
    end: usize,
    /// The moves before this one are in order, which is `next` or the one after it.
    picked: usize,
    is_hinted: bool,
    /// How many moves, behind the first, wait until other threads have searched them.
    postponed: usize,
}

impl<G: Game, T: Tactics<G>> PvsWorker<'_, G, T> {
    /// Begins to pick from the moves from `base` on: the hint first, if it is among them.
    #[inline]
    pub(super) fn picker(
        &mut self,
        node: Node,
        base: usize,
        hint: Option<G::Move>,
        key: u64,
    ) -> MovePicker {
        let hinted = hint.and_then(|hint| self.moves[base..].iter().position(|&m| m == hint));
        if let Some(index) = hinted {
            self.moves[base..=base + index].rotate_right(1);
        } else {
            self.score_moves(node, base);
        }
        MovePicker {
            key,
            base,
            next: base,
            end: self.moves.len(),
            picked: base + usize::from(hinted.is_some()),
            is_hinted: hinted.is_some(),
            postponed: 0,
        }
    }

    /// The next move, and whether it is the first. Moves that another thread is at are kept for the end.
    #[inline(always)]
    pub(super) fn pick(&mut self, node: Node, picker: &mut MovePicker) -> Option<(G::Move, bool)> {
        while picker.next < picker.end {
            let index = picker.next;
            if picker.is_hinted && index == picker.base + 1 {
                self.score_moves(node, index);
            }
            let m = self.in_order(picker);
            picker.next += 1;
            let is_first = index == picker.base;
            let is_taken = !is_first
                && node.depth >= MIN_DEFER_DEPTH
                && self
                    .deferred_moves
                    .is_some_and(|busy| busy.is_at(picker.key, m.into()));
            if !is_taken {
                return Some((m, is_first));
            }
            // Behind the first move lie moves already searched.
            picker.postponed += 1;
            self.moves.swap(index, picker.base + picker.postponed);
        }
        let m = self.moves[picker.base + picker.postponed];
        picker.postponed = picker.postponed.checked_sub(1)?;
        Some((m, false))
    }

    /// The next move of all that are left, if there is one and they are rated.
    #[inline(always)]
    pub(super) fn peek(&mut self, picker: &mut MovePicker) -> Option<G::Move> {
        (picker.next < picker.end).then(|| self.in_order(picker))
    }

    /// The next move, which is the best of those from there on unless it is the hint.
    #[inline(always)]
    fn in_order(&mut self, picker: &mut MovePicker) -> G::Move {
        if picker.picked == picker.next {
            pick(&mut self.moves, &mut self.ratings, picker.next);
            picker.picked += 1;
        }
        self.moves[picker.next]
    }

    /// Rates the moves from `from` on.
    #[inline]
    fn score_moves(&mut self, node: Node, from: usize) {
        self.ratings.resize(from, 0);
        let moves = &self.moves[from..];
        if !T::MOVES_TRANSFER {
            self.ratings.resize(self.moves.len(), 0);
            return;
        }
        processor::run(
            #[inline(always)]
            || {
                self.tactics
                    .score_moves(self.game, self.path.position(), moves, &mut self.ratings);
            },
        );
        for (rating, &m) in self.ratings[from..].iter_mut().zip(moves) {
            *rating = *rating * RATING_UNITS
                + self
                    .experience
                    .rating(node.side, node.ply, node.before, m.into());
        }
    }

    /// Learns that `m` cut off, and that the moves picked before it did not.
    pub(super) fn update_history(&mut self, node: Node, picker: &MovePicker, m: G::Move) {
        let Node {
            side,
            before,
            depth,
            ply,
            ..
        } = node;
        self.experience.cut_off(side, ply, depth, before, m.into());
        for &tried in &self.moves[picker.base..picker.next] {
            if tried != m {
                self.experience.failed(side, depth, tried.into());
            }
        }
    }

    /// Tells the other threads about a move, where that is worth it.
    #[inline]
    pub(super) fn mark_deferred(
        &self,
        node: Node,
        picker: &MovePicker,
        m: G::Move,
        what: fn(&DeferredMoves, u64, u16),
    ) {
        if node.depth >= MIN_DEFER_DEPTH
            && let Some(busy) = self.deferred_moves
        {
            what(busy, picker.key, m.into());
        }
    }
}
