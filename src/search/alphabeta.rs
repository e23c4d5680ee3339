//! Alpha-beta (Knuth and Moore, 1975), fail-soft (Fishburn, 1983), and Scout (Pearl, 1980), its null-window form in
//! the shape of `NegaScout` (Reinefeld, 1983), each with or without a transposition table.

use super::memory::{Memory, TtEntry};
use super::observer::{ExitReason, SearchObserver};
use super::root::{Best, Root};
use super::tree_search::TreeSearch;
use super::{Search, SearchResult, Tactics};
use crate::control::{Control, Stopped};
use crate::rules::Game;
use crate::value::{Bound, Side, Value, Window};

/// How the moves after the first are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In what is left of the window.
    Plain,
    /// In a null window first; only one that proves better is searched again for its value.
    Scout,
}

/// Alpha-beta or Scout with a memory and a watcher.
#[derive(Debug)]
pub struct AlphaBeta<T, M, W> {
    /// Which of the two.
    pub form: Form,
    /// Who judges the leaves and knows the game.
    pub tactics: T,
    /// What it remembers.
    pub memory: M,
    /// What watches it.
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
        let side = root.side(game);
        let mut best = Best::none(side);
        let mut found = SearchResult {
            score: best.value.into(),
            bound: Bound::Exact,
            line: Vec::new(),
            leaves: 0,
        };
        let mut walk = TreeSearch::new(
            game,
            &self.tactics,
            root,
            depth,
            control,
            &self.memory,
            &mut self.observer,
        );
        for &candidate in &root.moves {
            let open = Window::FULL.narrowed(side, best.mark(candidate));
            let is_first = best.chosen.is_none();
            let value =
                walk.next_move(self.form, candidate.m, is_first, side, open, depth - 1, 1)?;
            if best.offer(candidate, value) {
                found.score = value.into();
                found.line = walk.line(candidate);
                progress(&found, walk.control);
            }
        }
        found.leaves = walk.leaves;
        if let Some(&m) = found.line.first() {
            root.bring_forward(m);
        }
        Ok(found)
    }

    fn forget(&mut self) {
        self.memory.forget();
    }

    fn hashfull(&self) -> u32 {
        self.memory.hashfull()
    }
}

impl<G: Game, T: Tactics<G>, M: Memory<TtEntry>, W: SearchObserver<G::Move>>
    TreeSearch<'_, G, T, M, W>
{
    /// The value of a node's next move for `side`, as far as it matters in `open`.
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of a node's loop, which has no other home"
    )]
    fn next_move(
        &mut self,
        form: Form,
        m: G::Move,
        is_first: bool,
        side: Side,
        open: Window,
        depth: u32,
        ply: u32,
    ) -> Result<Value, Stopped> {
        if form == Form::Plain || is_first || open.is_null() {
            return self.alphabeta(form, m, depth, ply, open);
        }
        let tested = open.scout(side);
        let value = self.alphabeta(form, m, depth, ply, tested)?;
        let proved_better = value > open.alpha && value < open.beta;
        // A leaf's value is exact already.
        if !proved_better || depth == 0 {
            if proved_better {
                self.lines.clear(ply);
            }
            return Ok(value);
        }
        self.alphabeta(form, m, depth, ply, open)
    }

    /// The value of the position after `m`, `depth` more plies searched, as far as it matters in `window`.
    pub fn alphabeta(
        &mut self,
        form: Form,
        m: G::Move,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        self.observer.enter(m, window);
        self.through(
            m,
            #[inline(always)]
            |walk| walk.alphabeta_inside(form, depth, ply, window),
        )
    }

    #[inline(always)]
    fn alphabeta_inside(
        &mut self,
        form: Form,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<(Value, ExitReason), Stopped> {
        let keeps_line = !window.is_null();
        if keeps_line {
            self.lines.clear(ply);
        }
        if let Some(value) = self.leaf(depth, ply) {
            return Ok((value, ExitReason::Leaf));
        }
        let key = self.memory_key(depth);
        let remembered = key.and_then(|key| self.memory.get(key));
        if let Some(value) = remembered.and_then(|proof| proof.cutoff_value(depth, ply, window)) {
            return Ok((value, ExitReason::Remembered));
        }
        let side = self.game.side(self.path.position());
        let base = self.moves.len();
        self.game.moves(self.path.position(), &mut self.moves);
        self.order(base, ply, remembered.and_then(|proof| proof.best));
        let mut best = side.worst();
        let mut best_move = None;
        let mut open = window;
        let mut left = ExitReason::Searched;
        for index in base..self.moves.len() {
            let m = self.moves[index];
            let value = self.next_move(form, m, index == base, side, open, depth - 1, ply + 1)?;
            if side.prefers(value, best) {
                best = value;
                if keeps_line && value > window.alpha && value < window.beta {
                    self.lines.update_pv(ply, m);
                }
                let narrowed = open.narrowed(side, value);
                if narrowed != open {
                    best_move = Some(m);
                }
                open = narrowed;
                if open.is_empty() {
                    self.ordering.cut_off(side, ply, depth, m.into());
                    if index + 1 < self.moves.len() {
                        left = ExitReason::CutOff;
                    }
                    break;
                }
            }
        }
        self.moves.truncate(base);
        if let Some(key) = key {
            let bound = window.bound(best);
            let proof = TtEntry {
                value: best.from_node(ply),
                depth: depth as u8,
                bound,
                best: best_move.map(Into::into),
            };
            self.memory.put(key, proof);
        }
        Ok((best, left))
    }

    fn order(&mut self, base: usize, ply: u32, remembered: Option<u16>) {
        self.ordering.sort(
            self.game,
            self.evaluator,
            self.path.position(),
            ply,
            remembered,
            &mut self.moves[base..],
        );
    }
}
