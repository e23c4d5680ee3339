//! The move picker of a node. It returns the hash move (*hint*) first, then the other moves by score, and finally
//! the moves that it postponed because other threads were searching them.

use super::deferred_moves::DeferredMoves;

use super::ordering::pick;
use super::worker::{Node, PvsWorker};
use crate::processor;
use crate::rules::Game;
use crate::search::Tactics;

/// Minimum depth at which moves are recorded in [`DeferredMoves`]. At smaller depths, recording a move takes more time
/// than it saves.
const MIN_DEFER_DEPTH: u32 = 7;
/// Weight of the game's own score of a move. The score by the cutoff statistics has weight 1.
const GAME_SCORE_WEIGHT: i32 = 94;

/// The progress through the moves of a node. The moves are `moves[base..end]` of the worker.
pub(super) struct MovePicker {
    /// The key of the node.
    key: u64,
    /// Index of the node's first move.
    pub(super) base: usize,
    /// Index of the next move to pick.
    pub(super) next: usize,
    /// Index after the node's last move.
    end: usize,
    /// Index after the moves in final order: `next`, or `next + 1` if the next move is already chosen.
    picked: usize,
    /// `true` if the first move is the hint.
    has_hint: bool,
    /// Number of postponed moves. They are stored directly after the first move.
    postponed: usize,
}

impl<G: Game, T: Tactics<G>> PvsWorker<'_, G, T> {
    /// Creates the picker of the moves from index `base` on. If they include the hint, the hint comes first, and the
    /// other moves are scored only after its search.
    #[inline]
    pub(super) fn picker(
        &mut self,
        node: Node,
        base: usize,
        hint: Option<G::Move>,
        key: u64,
    ) -> MovePicker {
        let hint_index = hint.and_then(|hint| self.moves[base..].iter().position(|&m| m == hint));
        if let Some(index) = hint_index {
            self.moves[base..=base + index].rotate_right(1);
        } else {
            self.score_moves(node, base);
        }
        MovePicker {
            key,
            base,
            next: base,
            end: self.moves.len(),
            picked: base + usize::from(hint_index.is_some()),
            has_hint: hint_index.is_some(),
            postponed: 0,
        }
    }

    /// Returns the next move to search, and `true` if it is the first move of the node. Postpones moves that another
    /// thread is searching.
    #[inline(always)]
    pub(super) fn pick(&mut self, node: Node, picker: &mut MovePicker) -> Option<(G::Move, bool)> {
        while picker.next < picker.end {
            let index = picker.next;
            if picker.has_hint && index == picker.base + 1 {
                self.score_moves(node, index);
            }
            let m = self.best_unpicked(picker);
            picker.next += 1;
            let is_first = index == picker.base;
            let is_being_searched = !is_first
                && node.depth >= MIN_DEFER_DEPTH
                && self
                    .deferred_moves
                    .is_some_and(|deferred| deferred.contains(picker.key, m.into()));
            if !is_being_searched {
                return Some((m, is_first));
            }
            // Postponed moves swap places with already searched moves, from the second place on.
            picker.postponed += 1;
            self.moves.swap(index, picker.base + picker.postponed);
        }
        let m = self.moves[picker.base + picker.postponed];
        picker.postponed = picker.postponed.checked_sub(1)?;
        Some((m, false))
    }

    /// Returns the next move in final order without picking it. Returns `None` if only postponed moves are left.
    #[inline(always)]
    pub(super) fn peek(&mut self, picker: &mut MovePicker) -> Option<G::Move> {
        (picker.next < picker.end).then(|| self.best_unpicked(picker))
    }

    /// Returns the move at `next`. If it is not chosen yet, first swaps the best remaining move to `next`.
    #[inline(always)]
    fn best_unpicked(&mut self, picker: &mut MovePicker) -> G::Move {
        if picker.picked == picker.next {
            pick(&mut self.moves, &mut self.scores, picker.next);
            picker.picked += 1;
        }
        self.moves[picker.next]
    }

    /// Scores the moves from index `from` on.
    #[inline]
    fn score_moves(&mut self, node: Node, from: usize) {
        self.scores.resize(from, 0);
        let moves = &self.moves[from..];
        if !T::MOVES_TRANSFER {
            self.scores.resize(self.moves.len(), 0);
            return;
        }
        processor::run(
            #[inline(always)]
            || {
                self.tactics
                    .score_moves(self.game, self.path.position(), moves, &mut self.scores);
            },
        );
        for (score, &m) in self.scores[from..].iter_mut().zip(moves) {
            *score = *score * GAME_SCORE_WEIGHT
                + self
                    .history
                    .score(node.side, node.ply, node.last_move, m.into());
        }
    }

    /// Updates the statistics: `m` caused a cutoff, and the moves picked before it did not.
    pub(super) fn update_history(&mut self, node: Node, picker: &MovePicker, m: G::Move) {
        let Node {
            side,
            last_move,
            depth,
            ply,
            ..
        } = node;
        self.history.cut_off(side, ply, depth, last_move, m.into());
        for &tried in &self.moves[picker.base..picker.next] {
            if tried != m {
                self.history.failed(side, depth, tried.into());
            }
        }
    }

    /// Calls `operation` if the node is deep enough. The operation inserts a move of this node into
    /// [`DeferredMoves`] or removes it.
    #[inline]
    pub(super) fn mark_deferred(
        &self,
        node: Node,
        picker: &MovePicker,
        m: G::Move,
        operation: fn(&DeferredMoves, u64, u16),
    ) {
        if node.depth >= MIN_DEFER_DEPTH
            && let Some(deferred) = self.deferred_moves
        {
            operation(deferred, picker.key, m.into());
        }
    }
}
