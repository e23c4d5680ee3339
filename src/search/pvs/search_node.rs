//! One thread's search of a node, in ten steps:
//!
//! 1. The end of the game, repetition included, has its value.
//! 2. At the horizon the evaluation has the word; one ply before it the game tells the best leaf without playing.
//! 3. Where even a win with the next move could not matter, nothing does.
//! 4. Solved tables know the value for certain.
//! 5. The game may see at a glance that nothing here matters.
//! 6. The transposition table may know the value, where it does not depend on the way here.
//! 7. Near the horizon of a selective search, a position that is judged to be far beyond the window stands as it is.
//! 8. The moves are listed, but for those of which the game can tell that they do not matter.
//! 9. They are searched, the likeliest first: the others have to prove better in a null window before they are searched
//!    for their value, and in a selective search late ones less deep before that.
//! 10. What was found is remembered.

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
use crate::value::{Bound, Side, Value, Window};

/// Sets what is remembered for the second player apart, where a repetition is worth something else to the two.
const SECOND_PLAYER_SALT: u64 = 0xa076_1d64_78bd_642f;
/// Nodes this near to the horizon cost less than asking the table about them.
const MIN_TT_DEPTH: u32 = 3;
/// Nodes this near to the horizon cost less than asking the solved tables, which may have to read a file.
const MIN_PROBE_DEPTH: u32 = 4;
/// In a selective search this many moves of a node are searched to the full depth at once.
const UNREDUCED_MOVES: usize = 3;
/// In a selective search nodes nearer to the horizon are searched to the full depth.
const MIN_LMR_DEPTH: u32 = 4;
/// In a selective search nodes farther from the horizon are searched whatever they are judged to be worth.
const MAX_RFP_DEPTH: u32 = 6;

impl<G: Game, T: Tactics<G>> PvsWorker<'_, G, T> {
    /// The value of a node's next move for `side`, as far as it matters in `open`. A move after the first has to
    /// prove better in a null window before its value is wanted.
    pub fn search_move(
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

    /// The value of the node reached by the move `before`, as far as it matters in `window`.
    #[inline]
    fn descend(
        &mut self,
        before: u16,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        processor::run(
            #[inline(always)]
            move || self.search(before, depth, ply, window),
        )
    }

    #[inline(always)]
    fn search(
        &mut self,
        before: u16,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        if !window.is_null() {
            self.lines.clear(ply);
        }
        // Steps 1 and 2: the end of the game, and the horizon.
        if let Some(outcome) = self.outcome() {
            return Ok(outcome.value(ply));
        }
        let position = self.path.position();
        let depth = depth.min(self.game.max_plies_left(position).unwrap_or(depth));
        let trusts_table =
            self.style != SearchMode::Exact || !self.path.may_repeat_within(self.game, depth);
        if depth == 0 || depth == 1 && trusts_table {
            return self.frontier_value(depth, ply, window);
        }
        let node = Node {
            side: self.game.side(position),
            before,
            depth,
            ply,
        };
        // Step 3: no win can be sooner than the next ply.
        let soonest = Value::win(node.side, ply + 1);
        if window.narrowed(node.side, soonest) == window {
            return Ok(soonest);
        }
        // Step 4: what is known for certain.
        if let Some(value) = self.probe_tablebase(depth, ply) {
            return Ok(value);
        }
        // Step 5: what the game sees at a glance, sooner than the table answers.
        if trusts_table && let Some(value) = self.static_cutoff(depth, window)? {
            return Ok(value);
        }
        // Step 6: what the table knows. An open window wants the line too, which the table has not kept.
        let folded = (depth >= MIN_TT_DEPTH).then(|| self.canonical_key(self.path.position()));
        let remembered = folded.and_then(|folded| self.table.get(folded.key, depth));
        let settled = remembered
            .filter(|_| trusts_table && window.is_null())
            .and_then(|proof| tt_cutoff(proof, self.style, depth, ply, window));
        // Step 7: where the side to move is judged to be so far ahead, the opponent will not let it come to this.
        if let Some(value) = settled.or_else(|| self.reverse_futility(node, window)) {
            return Ok(value);
        }
        // Step 8: the moves, but for those that the game knows do not matter.
        let base = self.moves.len();
        let static_pruning = if trusts_table {
            self.prune_moves(node, window)?
        } else {
            self.game.moves(self.path.position(), &mut self.moves);
            StaticPruning::NONE
        };
        if let Some(value) = static_pruning.settled {
            self.moves.truncate(base);
            return Ok(value);
        }
        let mut best = static_pruning.pruned_bound.unwrap_or(node.side.worst());
        let hint = self.hint(folded, remembered);
        // Step 9: search them.
        let mut picker = self.picker(node, base, hint, folded.map_or(0, |folded| folded.key));
        let mut open = window;
        let mut best_move = None;
        while let Some((m, is_first)) = self.pick(node, &mut picker) {
            self.mark_deferred(node, &picker, m, DeferredMoves::enter);
            if !is_first {
                self.fetch_next(node, &mut picker);
            }
            let reduction = self.reduction(&picker, depth);
            let value = self.search_reduced(m, is_first, node, open, reduction)?;
            self.mark_deferred(node, &picker, m, DeferredMoves::leave);
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
        self.ratings.truncate(base);
        self.nearest_finished = self.nearest_finished.min(ply);
        // Step 10: remember what was found; where the value depends on the way, only the move is of use.
        if let Some(folded) = folded {
            let best_move = best_move.map(|m| {
                self.tactics
                    .move_image(self.game, m, folded.symmetry)
                    .into()
            });
            if trusts_table {
                let proof = TtEntry {
                    value: best.from_node(ply),
                    depth: depth as u8,
                    bound: window.bound(best),
                    // Where every move failed, the one that was best before is the best guess.
                    best: best_move.or(remembered.and_then(|proof| proof.best)),
                };
                self.table.put(folded.key, proof);
            } else if best_move.is_some() && remembered.is_none_or(|proof| proof.depth == 0) {
                self.table.put(folded.key, TtEntry::hint(best_move));
            }
        }
        Ok(best)
    }

    /// The value of the node here, as far as it matters, if the game sees it at a glance.
    #[inline(always)]
    fn static_cutoff(&mut self, depth: u32, window: Window) -> Result<Option<Value>, Stopped> {
        let position = self.path.position();
        let glance = self
            .tactics
            .static_cutoff(self.game, position, depth, window);
        self.control.visit_many(glance.visited.into())?;
        Ok(glance.settled)
    }

    /// Lists the moves, but for those of which the game can tell that they do not matter.
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

    /// What a position is remembered by.
    #[inline]
    fn canonical_key(&self, position: &G::Position) -> CanonicalKey {
        let fold = || self.tactics.canonical_key(self.game, position);
        let folded = self
            .repeated_positions
            .canonical_key(self.game, position, self.style, fold);
        // Values for the side that a repetition costs something are not those for the other.
        let slant = if self.repetition > Value::ZERO {
            SECOND_PLAYER_SALT
        } else {
            0
        };
        CanonicalKey {
            key: folded.key ^ slant,
            ..folded
        }
    }

    /// Asks for what the table knows of the move after this one, while this one is searched: a node in which the first move
    /// has failed mostly searches them all, and waits for memory at each otherwise.
    #[inline(always)]
    fn fetch_next(&mut self, node: Node, picker: &mut MovePicker) {
        if node.depth > MIN_TT_DEPTH
            && let Some(m) = self.peek(picker)
        {
            let child = self.game.play(self.path.position(), m);
            self.table.fetch(self.canonical_key(&child).key);
        }
    }

    /// How the game has ended here, if it has. A proof looks at the game without its history, in which nothing occurs
    /// for the third time but what has occurred twice already: see [`RepeatedPositions`].
    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        if self.style != SearchMode::Proof {
            let outcome = self.path.outcome(self.game);
            if self.repetition != Value::ZERO
                && outcome == Some(Outcome::Draw)
                && self.path.is_repetition()
            {
                return Some(Outcome::Points(self.repetition));
            }
            return outcome;
        }
        let position = self.path.position();
        if self.repeated_positions.contains(position) {
            return Some(Outcome::Draw);
        }
        self.game.outcome(position)
    }

    /// The move to try first, as it is called here: the one remembered, or, in a proof, the one that the search before
    /// it remembered.
    #[inline]
    fn hint(&self, folded: Option<CanonicalKey>, remembered: Option<TtEntry>) -> Option<G::Move> {
        let folded = folded?;
        let mut best = remembered.and_then(|proof| proof.best);
        if best.is_none() && self.style == SearchMode::Proof {
            best = self
                .table
                .get(SearchMode::selective_key(folded.key), 0)?
                .best;
        }
        Some(
            self.tactics
                .inverse_image(self.game, best?.into(), folded.symmetry),
        )
    }

    /// The value of the node here, if solved tables are asked and have it.
    #[inline]
    fn probe_tablebase(&self, depth: u32, ply: u32) -> Option<Value> {
        if depth < MIN_PROBE_DEPTH {
            return None;
        }
        self.advice?.value(&self.path, ply)
    }

    /// The value that a node is judged to have, if that settles the question of a null window by so much that a search is not
    /// worth it (reverse futility pruning): a rule of thumb, for the side to move will hardly lose so much in the plies left.
    /// Where the question is whether there is a forced win, there is no such rule.
    #[inline(always)]
    fn reverse_futility(&self, node: Node, window: Window) -> Option<Value> {
        let may_stand = self.style == SearchMode::Selective && window.is_null();
        if !may_stand || node.depth > MAX_RFP_DEPTH {
            return None;
        }
        let margin = self.tactics.margin()?;
        let goal = window.side_bound(node.side.other());
        if goal.forced().is_some() {
            return None;
        }
        let value = self.tactics.evaluate(self.game, self.path.position());
        let margin = margin * node.depth as i32;
        let at_least = match node.side {
            Side::P1 => Value(value.0 - margin),
            Side::P2 => Value(value.0 + margin),
        };
        let stands = window.narrowed(node.side, at_least).is_empty();
        stands.then_some(value)
    }

    /// The value of a node's next move, first looked for less deep: it has to prove better there to be searched fully.
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

    /// By how much a move is searched less deep at first. The evaluation swings with the side to move, so that only
    /// an even number of plies compares like with like.
    #[inline]
    fn reduction(&self, picker: &MovePicker, depth: u32) -> u32 {
        let number = picker.next - picker.base;
        let is_late = self.style == SearchMode::Selective && number > UNREDUCED_MOVES;
        if is_late && depth >= MIN_LMR_DEPTH {
            2
        } else {
            0
        }
    }

    /// The value of a leaf, or of a node one ply above the leaves.
    #[inline(always)]
    fn frontier_value(&mut self, depth: u32, ply: u32, window: Window) -> Result<Value, Stopped> {
        self.control.deepest = self.control.deepest.max(ply + depth);
        let position = self.path.position();
        if depth == 0 {
            return Ok(self.tactics.evaluate(self.game, position));
        }
        let horizon =
            self.tactics
                .frontier_value(self.game, position, ply, window, &mut self.moves);
        self.control.visit_many(horizon.visited.into())?;
        if let Some(best) = horizon.best
            && horizon.value > window.alpha
            && horizon.value < window.beta
        {
            self.lines.clear(ply + 1);
            self.lines.update_pv(ply, best);
        }
        Ok(horizon.value)
    }
}

/// The value at a node `ply` plies below the root, if the proof settles the question that `window` asks there. The
/// depth must be the same, or the value would depend on what happens to be in the table; but a forced win within the
/// depth is one at every other depth too.
#[inline]
fn tt_cutoff(
    proof: TtEntry,
    style: SearchMode,
    depth: u32,
    ply: u32,
    window: Window,
) -> Option<Value> {
    let value = proof.value.from_root(ply);
    let known = u32::from(proof.depth);
    let is_deep_enough = known == depth
        || style == SearchMode::Selective && known > depth
        // A win that lies deeper than was searched comes from solved tables, and something else may win sooner.
        || proof.value.forced().is_some_and(|(_, plies)| {
            plies <= depth && (style == SearchMode::Selective || plies <= known)
        });
    let is_settled = match proof.bound {
        Bound::Exact => true,
        Bound::Lower => value >= window.beta,
        Bound::Upper => value <= window.alpha,
    };
    (is_deep_enough && is_settled).then_some(value)
}
