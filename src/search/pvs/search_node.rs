//! The search of one node by one thread, in ten steps:
//!
//! 1. Game over, repetition included: return the outcome.
//! 2. Leaf: return the static value. Frontier node, one ply above the leaves: return the best value of its moves,
//!    evaluated without playing them where the game supports it.
//! 3. Win distance pruning (mate distance pruning in chess): return if even an immediate win would not change the
//!    result.
//! 4. Tablebase probe.
//! 5. Static cutoff: return if the game's own proof closes the window.
//! 6. TT cutoff, unless the value may depend on the path to the node.
//! 7. Reverse futility pruning, near the leaves of a selective search.
//! 8. Move generation with static pruning.
//! 9. Moves, best first. Moves after the first are searched with a null window first, in selective mode also at a
//!    reduced depth.
//! 10. TT store.

use super::SearchMode;
use super::deferred_moves::DeferredMoves;
use super::picker::MovePicker;
use super::worker::{Node, PvsWorker};
use crate::control::Stopped;
use crate::processor;
use crate::rules::{Game, Outcome};
use crate::search::Tactics;
use crate::search::memory::TtEntry;
use crate::search::tactics::{CanonicalKey, StaticPruning};
use crate::value::{Side, Value, Window};

/// Combined by XOR with the keys of searches for the second player if contempt is set: the value of a
/// repetition then depends on the side to move at the root.
const SECOND_PLAYER_SALT: u64 = 0xa076_1d64_78bd_642f;
/// Minimum depth for the transposition table. A shallower search takes less time than a probe.
const MIN_TT_DEPTH: u32 = 3;
/// Minimum depth for a tablebase probe, because a probe may have to read a file.
const MIN_PROBE_DEPTH: u32 = 4;
/// Number of moves per node that are always searched to the full depth.
const UNREDUCED_MOVES: usize = 3;
/// Minimum depth for late-move reductions.
const MIN_LMR_DEPTH: u32 = 4;
/// Maximum depth for reverse futility pruning.
const MAX_RFP_DEPTH: u32 = 6;

impl<G: Game, T: Tactics<G>> PvsWorker<'_, G, T> {
    /// Returns the value of a move of a node, exact inside `open`. `open` is the window after the node's earlier
    /// moves, and `side` is to move at the node.
    ///
    /// Searches a move after the first with a null window, and then with `open` if the move may be better.
    pub(crate) fn search_move(
        &mut self,
        m: G::Move,
        is_first: bool,
        side: Side,
        open: Window,
        depth: u32,
        ply: u32,
    ) -> Result<Value, Stopped> {
        if !is_first && !open.is_null() {
            let value = self.child(m, depth, ply, open.scout(side))?;
            if value <= open.alpha || value >= open.beta {
                return Ok(value);
            }
        }
        self.child(m, depth, ply, open)
    }

    /// Plays `m` and returns the value of the position after it.
    #[inline]
    fn child(
        &mut self,
        m: G::Move,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        let child = self.game.play(self.path.position(), m);
        self.path.push(self.game, child);
        self.control.visit()?;
        let value = self.descend(m.into(), depth, ply, window)?;
        self.path.pop();
        Ok(value)
    }

    /// Returns the value of the current node, exact inside `window`. `last_move` led to the node.
    #[inline]
    fn descend(
        &mut self,
        last_move: u16,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        processor::run(
            #[inline(always)]
            move || self.search(last_move, depth, ply, window),
        )
    }

    /// Searches the current node in the ten steps of the module's documentation.
    #[inline(always)]
    fn search(
        &mut self,
        last_move: u16,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        if !window.is_null() {
            self.lines.clear(ply);
        }
        // Step 1: game over.
        if let Some(outcome) = self.outcome() {
            return Ok(outcome.value(ply));
        }
        let position = self.path.position();
        let depth = depth.min(self.game.max_plies_left(position).unwrap_or(depth));
        // If a position can be repeated, the value may depend on the path. In exact mode, such values are neither read
        // from the table nor stored. The other modes ignore the path.
        let is_path_independent =
            self.mode != SearchMode::Exact || !self.path.may_repeat_within(self.game, depth);
        // Step 2: leaf or frontier node.
        if depth == 0 || depth == 1 && is_path_independent {
            return self.search_frontier(depth, ply, window);
        }
        let node = Node {
            side: self.game.side(position),
            last_move,
            depth,
            ply,
        };
        // Step 3: win distance pruning. The fastest win comes at the next ply.
        let fastest_win = Value::win(node.side, ply + 1);
        if window.narrowed(node.side, fastest_win) == window {
            return Ok(fastest_win);
        }
        // Step 4: tablebase probe.
        if let Some(value) = self.probe_tablebase(depth, ply) {
            return Ok(value);
        }
        // Step 5: static cutoff, which is cheaper than a probe of the transposition table.
        if is_path_independent && let Some(value) = self.static_cutoff(depth, window)? {
            return Ok(value);
        }
        // Step 6: TT cutoff, only in null windows: the table does not contain the principal variation that an open
        // window needs.
        let canonical = (depth >= MIN_TT_DEPTH).then(|| self.canonical_key(self.path.position()));
        let stored = canonical.and_then(|canonical| self.table.get(canonical.key, depth));
        let cutoff = stored
            .filter(|_| is_path_independent && window.is_null())
            .filter(|entry| is_deep_enough(entry, self.mode, depth))
            .and_then(|entry| entry.cutoff_value(ply, window, 0));
        // Step 7: reverse futility pruning.
        if let Some(value) = cutoff.or_else(|| self.reverse_futility(node, window)) {
            return Ok(value);
        }
        // Step 8: move generation with static pruning.
        let base = self.moves.len();
        let static_pruning = if is_path_independent {
            self.prune_moves(node, window)?
        } else {
            self.game.moves(self.path.position(), &mut self.moves);
            StaticPruning::NONE
        };
        if let Some(value) = static_pruning.cutoff_value {
            self.moves.truncate(base);
            return Ok(value);
        }
        let mut best = static_pruning.pruned_bound.unwrap_or(node.side.worst());
        let hint = self.hint(canonical, stored);
        // Step 9: the moves.
        let key = canonical.map_or(0, |canonical| canonical.key);
        let mut picker = self.picker(node, base, hint, key);
        let mut open = window;
        let mut best_move = None;
        while let Some((m, is_first)) = self.pick(node, &mut picker) {
            self.mark_deferred(node, &picker, m, DeferredMoves::insert);
            if !is_first {
                self.prefetch_next(node, &mut picker);
            }
            let reduction = self.reduction(&picker, depth);
            let value = self.search_reduced(m, is_first, node, open, reduction)?;
            self.mark_deferred(node, &picker, m, DeferredMoves::remove);
            if !node.side.prefers(value, best) {
                continue;
            }
            best = value;
            let narrowed = open.narrowed(node.side, value);
            if narrowed != open {
                best_move = Some(m);
            }
            open = narrowed;
            if !window.is_null() && value > window.alpha && value < window.beta {
                self.lines.update_pv(ply, m);
            }
            if open.is_empty() {
                self.update_history(node, &picker, m);
                break;
            }
        }
        self.moves.truncate(base);
        self.scores.truncate(base);
        self.min_finished_ply = self.min_finished_ply.min(ply);
        // Step 10: TT store. Only the best move is stored if the value may depend on the path.
        if let Some(canonical) = canonical {
            let image = |m| self.tactics.move_image(self.game, m, canonical.symmetry);
            let best_move = best_move.map(|m| image(m).into());
            if is_path_independent {
                let entry = TtEntry {
                    value: best.counted_from_node(ply),
                    depth: depth as u8,
                    bound: window.bound(best),
                    // After a fail low there is no best move, so keep the stored move.
                    best: best_move.or(stored.and_then(|entry| entry.best)),
                };
                self.table.put(canonical.key, entry);
            } else if best_move.is_some() && stored.is_none_or(|entry| entry.depth == 0) {
                self.table.put(canonical.key, TtEntry::hint(best_move));
            }
        }
        Ok(best)
    }

    /// Returns a value by the game's own proof for this node, if it closes the window.
    #[inline(always)]
    fn static_cutoff(&mut self, depth: u32, window: Window) -> Result<Option<Value>, Stopped> {
        let position = self.path.position();
        let found = self
            .tactics
            .static_cutoff(self.game, position, depth, window);
        self.control.visit_many(found.visited.into())?;
        Ok(found.cutoff_value)
    }

    /// Appends the moves of the node, except moves that the game proves irrelevant in `window`.
    #[inline(always)]
    fn prune_moves(&mut self, node: Node, window: Window) -> Result<StaticPruning, Stopped> {
        let position = self.path.position();
        let static_pruning = self.tactics.prune_moves(
            self.game,
            position,
            node.depth,
            node.ply,
            window,
            &mut self.moves,
        );
        self.control.visit_many(static_pruning.visited.into())?;
        Ok(static_pruning)
    }

    /// Returns the transposition table key of a position, and the symmetry of the canonical position.
    #[inline]
    fn canonical_key(&self, position: &G::Position) -> CanonicalKey {
        let canonical_key = || self.tactics.canonical_key(self.game, position);
        let canonical =
            self.repeated_positions
                .canonical_key(self.game, position, self.mode, canonical_key);
        // With contempt, the value of a repetition depends on the side to move at the root, so each side has
        // separate entries.
        let side_salt = if self.repetition_value > Value::ZERO {
            SECOND_PLAYER_SALT
        } else {
            0
        };
        CanonicalKey {
            key: canonical.key ^ side_salt,
            ..canonical
        }
    }

    /// Prefetches the table entry of the position after the next move. If the first move causes no cutoff, a node
    /// usually searches all moves, and each would wait for memory.
    #[inline(always)]
    fn prefetch_next(&mut self, node: Node, picker: &mut MovePicker) {
        if node.depth > MIN_TT_DEPTH
            && let Some(m) = self.peek(picker)
        {
            let child = self.game.play(self.path.position(), m);
            self.table.prefetch(self.canonical_key(&child).key);
        }
    }

    /// Returns the outcome if the game is over.
    ///
    /// In proof mode, positions that occurred twice before the search are draws, and other repetitions are ignored;
    /// see [`RepeatedPositions`].
    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        if self.mode != SearchMode::Proof {
            let outcome = self.path.outcome(self.game);
            if self.repetition_value != Value::ZERO
                && outcome == Some(Outcome::Draw)
                && self.path.is_repetition()
            {
                return Some(Outcome::Points(self.repetition_value));
            }
            return outcome;
        }
        let position = self.path.position();
        if self.repeated_positions.contains(position) {
            return Some(Outcome::Draw);
        }
        self.game.outcome(position)
    }

    /// Returns the move to search first: the stored best move or, in a proof without one, the best move stored by the
    /// selective search.
    #[inline]
    fn hint(&self, canonical: Option<CanonicalKey>, stored: Option<TtEntry>) -> Option<G::Move> {
        let canonical = canonical?;
        let mut best = stored.and_then(|entry| entry.best);
        if best.is_none() && self.mode == SearchMode::Proof {
            best = self
                .table
                .get(SearchMode::selective_key(canonical.key), 0)?
                .best;
        }
        Some(
            self.tactics
                .inverse_image(self.game, best?.into(), canonical.symmetry),
        )
    }

    /// Returns the tablebase value of this node, or `None` if no tablebase contains it.
    #[inline]
    fn probe_tablebase(&self, depth: u32, ply: u32) -> Option<Value> {
        if depth < MIN_PROBE_DEPTH {
            return None;
        }
        self.oracle?.value(&self.path, ply)
    }

    /// Returns the static evaluation if it closes a null window by a wide margin (reverse futility pruning).
    ///
    /// This assumes that the side to move loses at most `margin` per ply. It does not apply if the bound is a
    /// forced win.
    #[inline(always)]
    fn reverse_futility(&self, node: Node, window: Window) -> Option<Value> {
        let is_applicable = self.mode == SearchMode::Selective && window.is_null();
        if !is_applicable || node.depth > MAX_RFP_DEPTH {
            return None;
        }
        let margin = self.tactics.margin()?;
        let bound = window.side_bound(node.side.other());
        if bound.forced().is_some() {
            return None;
        }
        let value = self.tactics.evaluate(self.game, self.path.position());
        let margin = margin * node.depth as i32;
        let at_least = match node.side {
            Side::P1 => Value(value.0 - margin),
            Side::P2 => Value(value.0 + margin),
        };
        let closes_window = window.narrowed(node.side, at_least).is_empty();
        closes_window.then_some(value)
    }

    /// Like [`Self::search_move`], but with a `reduction` the move is first searched to the reduced depth, and
    /// to the full depth only if it may be better.
    #[inline]
    fn search_reduced(
        &mut self,
        m: G::Move,
        is_first: bool,
        node: Node,
        open: Window,
        reduction: u32,
    ) -> Result<Value, Stopped> {
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        if reduction > 0 {
            let value = self.child(m, depth - reduction, ply, open.scout(node.side))?;
            if !node.side.prefers(value, open.side_bound(node.side)) {
                return Ok(value);
            }
        }
        self.search_move(m, is_first, node.side, open, depth, ply)
    }

    /// Returns the depth reduction of the last picked move, in plies: 0 unless the move is late.
    ///
    /// The reduction is even, so that the same side is to move at the leaves: evaluations with different sides to
    /// move are not comparable.
    #[inline]
    fn reduction(&self, picker: &MovePicker, depth: u32) -> u32 {
        let number = picker.next - picker.base;
        let is_late = self.mode == SearchMode::Selective && number > UNREDUCED_MOVES;
        if is_late && depth >= MIN_LMR_DEPTH {
            2
        } else {
            0
        }
    }

    /// Returns the value of a leaf (`depth` 0) or of a frontier node (`depth` 1).
    #[inline(always)]
    fn search_frontier(&mut self, depth: u32, ply: u32, window: Window) -> Result<Value, Stopped> {
        self.control.deepest = self.control.deepest.max(ply + depth);
        let position = self.path.position();
        if depth == 0 {
            return Ok(self.tactics.evaluate(self.game, position));
        }
        let frontier = self
            .tactics
            .best_leaf(self.game, position, ply, window, &mut self.moves);
        self.control.visit_many(frontier.visited.into())?;
        if let Some(best) = frontier.best
            && frontier.value > window.alpha
            && frontier.value < window.beta
        {
            self.lines.clear(ply + 1);
            self.lines.update_pv(ply, best);
        }
        Ok(frontier.value)
    }
}

/// Returns `true` if `entry` may give the value of a node with this depth.
///
/// The entry must have exactly the depth of the node, so that the value does not depend on earlier searches, with two
/// exceptions: selective mode also accepts greater depths, and a forced win within `depth` plies is valid at every
/// depth.
#[inline]
fn is_deep_enough(entry: &TtEntry, mode: SearchMode, depth: u32) -> bool {
    let searched_depth = u32::from(entry.depth);
    searched_depth == depth
        || mode == SearchMode::Selective && searched_depth > depth
        // A win longer than the searched depth comes from tablebases, and a shorter win may exist.
        || entry.value.forced().is_some_and(|(_, plies)| {
            plies <= depth && (mode == SearchMode::Selective || plies <= searched_depth)
        })
}
