//! The move picker of a node: the hash move, then the other moves by score, then deferred moves.

use super::deferred_moves::DeferredMoves;

use super::ordering::pick;
use super::worker::{Node, PvsWorker};
use crate::processor;
use crate::rules::Game;
use crate::search::Tactics;

/// Minimum depth at which moves are marked for other threads.
const MIN_DEFER_DEPTH: u32 = 7;
/// Weight of one unit of the game's own score against the cutoff statistics.
const RATING_UNITS: i32 = 94;

/// State of the moves of a node, which are a part of the worker's move list.
pub(super) struct MovePicker {
    /// The key of the node.
    key: u64,
    pub(super) base: usize,
    pub(super) next: usize,
    end: usize,
    /// Moves before this index are in final order; it is `next` or `next + 1`.
    picked: usize,
    is_hinted: bool,
    /// Number of moves, after the first, that are deferred until other threads have searched them.
    postponed: usize,
}

impl<G: Game, T: Tactics<G>> PvsWorker<'_, G, T> {
    /// Creates the picker of the moves from `base` on. The hint comes first if it is among them.
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

    /// Returns the next move, and `true` if it is the first. Moves that another thread is searching come last.
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
            // The slots after the first move hold moves already searched.
            picker.postponed += 1;
            self.moves.swap(index, picker.base + picker.postponed);
        }
        let m = self.moves[picker.base + picker.postponed];
        picker.postponed = picker.postponed.checked_sub(1)?;
        Some((m, false))
    }

    /// Returns the move after the next without picking it, if the moves are scored.
    #[inline(always)]
    pub(super) fn peek(&mut self, picker: &mut MovePicker) -> Option<G::Move> {
        (picker.next < picker.end).then(|| self.in_order(picker))
    }

    /// Returns the next move: the hint, or the best scored of the rest.
    #[inline(always)]
    fn in_order(&mut self, picker: &mut MovePicker) -> G::Move {
        if picker.picked == picker.next {
            pick(&mut self.moves, &mut self.ratings, picker.next);
            picker.picked += 1;
        }
        self.moves[picker.next]
    }

    /// Scores the moves from index `from` on.
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
                    .history
                    .rating(node.side, node.ply, node.before, m.into());
        }
    }

    /// Records that `m` caused a cutoff, and that the moves picked before it failed.
    pub(super) fn update_history(&mut self, node: Node, picker: &MovePicker, m: G::Move) {
        let Node {
            side,
            before,
            depth,
            ply,
            ..
        } = node;
        self.history.cut_off(side, ply, depth, before, m.into());
        for &tried in &self.moves[picker.base..picker.next] {
            if tried != m {
                self.history.failed(side, depth, tried.into());
            }
        }
    }

    /// Marks or unmarks a move for the other threads, if the node is deep enough.
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
