//! Alpha-beta, Scout and textbook PVS, with or without a transposition table.
//!
//! Alpha-beta (Knuth and Moore 1975) is fail-soft: a value outside the window is a bound of the true value (Fishburn
//! 1983). Scout (Pearl 1980) has the form of `NegaScout` (Reinefeld 1983). PVS (Marsland and Campbell 1982) has no
//! tuned parts here: it is the form of [`super::pvs`] that can be observed.

use super::best::Best;
use super::memory::{Memory, TtEntry};
use super::observer::{ExitReason, PassPurpose, SearchObserver};
use super::root::Root;
use super::tree_search::TreeSearch;
use super::{Search, SearchResult, Tactics};
use crate::control::{Control, Stopped};
use crate::rules::Game;
use crate::value::{Value, Window};

/// The window for the moves after the first move of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Alpha-beta: the open window, as narrowed by the earlier moves.
    Plain,
    /// Scout: a null window, which tests for a better move than the best so far. If it fails high, the open window
    /// follows, except at a leaf, whose value is exact.
    Scout,
    /// PVS: as Scout, but the open window follows at a leaf, too.
    Pvs,
}

/// Alpha-beta, Scout or textbook PVS, generic over its transposition table and its observer.
#[derive(Debug)]
pub struct AlphaBeta<T, M, W> {
    /// The algorithm.
    pub form: Form,
    /// The evaluator, with the game's move ordering and pruning.
    pub tactics: T,
    /// The transposition table.
    pub memory: M,
    /// The observer.
    pub observer: W,
}

impl<G: Game, T: Tactics<G>, M: Memory<TtEntry>, W: SearchObserver<G::Move>> Search<G>
    for AlphaBeta<T, M, W>
{
    fn run(
        &mut self,
        game: &G,
        root: &mut Root<G>,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
    ) -> Result<SearchResult<G::Move>, Stopped> {
        let mut best = Best::none(root.side(game));
        let mut tree = TreeSearch::new(
            game,
            &self.tactics,
            root,
            depth,
            control,
            &self.memory,
            &mut self.observer,
        );
        tree.observer
            .begin_pass(depth, PassPurpose::Whole, Window::FULL, &root.moves);
        for &candidate in &root.moves {
            let (open, is_first) = (best.open_window(candidate), best.is_none());
            let value = tree.search_move(self.form, candidate.m, is_first, open, depth - 1, 1)?;
            if best.offer(candidate, value) {
                best.found.line = tree.line(candidate);
                progress(&best.found, tree.control);
            }
        }
        tree.observer
            .end_pass(best.found.score, ExitReason::Searched);
        best.found.leaves = tree.leaves;
        if let Some(&m) = best.found.line.first() {
            root.bring_forward(m);
        }
        Ok(best.found)
    }

    fn clear(&mut self) {
        self.memory.clear();
    }

    fn hashfull(&self) -> u32 {
        self.memory.hashfull()
    }
}

impl<G: Game, T: Tactics<G>, M: Memory<TtEntry>, W: SearchObserver<G::Move>>
    TreeSearch<'_, G, T, M, W>
{
    /// Returns the value of a move of a node. `open` is the window after the node's earlier moves. The value is
    /// exact inside `open`.
    fn search_move(
        &mut self,
        form: Form,
        m: G::Move,
        is_first: bool,
        open: Window,
        depth: u32,
        ply: u32,
    ) -> Result<Value, Stopped> {
        if form == Form::Plain || is_first || open.is_null() {
            return self.alphabeta(form, m, depth, ply, open);
        }
        let null_window = open.scout(self.game.side(self.path.position()));
        let value = self.alphabeta(form, m, depth, ply, null_window)?;
        let is_inside_window = value > open.alpha && value < open.beta;
        // The value of a leaf is exact, so a second search would return the same value.
        let is_exact_leaf = depth == 0 && form == Form::Scout;
        if !is_inside_window || is_exact_leaf {
            if is_inside_window {
                self.lines.clear(ply);
            }
            return Ok(value);
        }
        self.alphabeta(form, m, depth, ply, open)
    }

    /// Returns the value of the position after `m`, searched `depth` plies deeper. The value is exact inside `window`,
    /// and otherwise a bound.
    pub(crate) fn alphabeta(
        &mut self,
        form: Form,
        m: G::Move,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        self.observer.enter(m, window);
        self.search_child(
            m,
            #[inline(always)]
            |tree| tree.alphabeta_node(form, depth, ply, window),
        )
    }

    #[inline(always)]
    fn alphabeta_node(
        &mut self,
        form: Form,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<(Value, ExitReason), Stopped> {
        let is_pv_node = !window.is_null();
        if is_pv_node {
            self.lines.clear(ply);
        }
        if let Some(value) = self.leaf_value(depth, ply) {
            return Ok((value, ExitReason::Leaf));
        }
        let key = self.memory_key(depth);
        let stored = key.and_then(|key| self.memory.get(key));
        // Deeper entries are ignored, so that the result does not depend on earlier searches.
        let usable = stored.filter(|entry| u32::from(entry.depth) == depth);
        let answer = usable.and_then(|entry| entry.cutoff_value(ply, window, self.cut_margin));
        self.observe_look_up(key, stored, ply, answer.is_some());
        if let Some(value) = answer {
            return Ok((value, ExitReason::Remembered));
        }
        let side = self.game.side(self.path.position());
        let base = self.moves.len();
        self.game.moves(self.path.position(), &mut self.moves);
        self.order(base, ply, stored.and_then(|entry| entry.best));
        let mut best = side.worst();
        let mut best_move = None;
        let mut open = window;
        let mut reason = ExitReason::Searched;
        for index in base..self.moves.len() {
            let m = self.moves[index];
            let value = self.search_move(form, m, index == base, open, depth - 1, ply + 1)?;
            if side.prefers(value, best) {
                best = value;
                if is_pv_node && value > window.alpha && value < window.beta {
                    self.lines.update_pv(ply, m);
                }
                let narrowed = open.narrowed(side, value);
                if narrowed != open {
                    best_move = Some(m);
                }
                open = narrowed;
                if open.is_closed(self.cut_margin) {
                    self.ordering.cut_off(side, ply, depth, m.into());
                    if index + 1 < self.moves.len() {
                        reason = ExitReason::CutOff;
                    }
                    break;
                }
            }
        }
        self.moves.truncate(base);
        if let Some(key) = key {
            let bound = window.bound(best);
            let entry = TtEntry {
                value: best.counted_from_node(ply),
                depth: depth as u8,
                bound,
                best: best_move.map(Into::into),
            };
            self.observe_store(key, entry, ply);
            self.memory.put(key, entry);
        }
        Ok((best, reason))
    }

    fn order(&mut self, base: usize, ply: u32, hash_move: Option<u16>) {
        self.ordering.sort(
            self.game,
            self.evaluator,
            self.path.position(),
            ply,
            hash_move,
            &mut self.moves[base..],
        );
        if W::IS_RECORDING {
            let position = self.path.position();
            let moves = &self.moves[base..];
            let reasons = moves.iter().map(|&m| {
                self.ordering
                    .reason(self.game, self.evaluator, position, ply, hash_move, m)
            });
            let reasons: Vec<_> = reasons.collect();
            self.observer.order(moves, &reasons);
        }
    }
}
