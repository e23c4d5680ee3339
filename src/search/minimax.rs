//! Minimax: searches every move to the full depth, without pruning. Tests compare all other searches with it.

use super::best::Best;
use super::memory::{Memory, TtEntry};
use super::observer::{ExitReason, PassPurpose, SearchObserver};
use super::root::Root;
use super::tree_search::TreeSearch;
use super::{Evaluator, Search, SearchResult};
use crate::control::{Control, Stopped};
use crate::rules::Game;
use crate::value::{Bound, Value, Window};

/// Minimax, generic over its transposition table and its observer.
#[derive(Debug, Default)]
pub struct Minimax<E, M, W> {
    /// The evaluator.
    pub evaluator: E,
    /// The transposition table.
    pub memory: M,
    /// The observer.
    pub observer: W,
}

impl<G: Game, E: Evaluator<G>, M: Memory<TtEntry>, W: SearchObserver<G::Move>> Search<G>
    for Minimax<E, M, W>
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
            &self.evaluator,
            root,
            depth,
            control,
            &self.memory,
            &mut self.observer,
        );
        tree.observer
            .begin_pass(depth, PassPurpose::Whole, Window::FULL, &root.moves);
        for &candidate in &root.moves {
            let value = tree.minimax(candidate.m, depth - 1, 1)?;
            if best.offer(candidate, value) {
                best.found.line = tree.line(candidate);
                progress(&best.found, tree.control);
            }
        }
        tree.observer
            .end_pass(best.found.score, ExitReason::Searched);
        best.found.leaves = tree.leaves;
        Ok(best.found)
    }

    fn clear(&mut self) {
        self.memory.clear();
    }

    fn hashfull(&self) -> u32 {
        self.memory.hashfull()
    }
}

impl<G: Game, E: Evaluator<G>, M: Memory<TtEntry>, W: SearchObserver<G::Move>>
    TreeSearch<'_, G, E, M, W>
{
    /// Returns the value of the position after `m`, searched `depth` plies deeper.
    fn minimax(&mut self, m: G::Move, depth: u32, ply: u32) -> Result<Value, Stopped> {
        self.observer.enter(m, Window::FULL);
        self.search_child(
            m,
            #[inline(always)]
            |tree| tree.minimax_node(depth, ply),
        )
    }

    #[inline(always)]
    fn minimax_node(&mut self, depth: u32, ply: u32) -> Result<(Value, ExitReason), Stopped> {
        self.lines.clear(ply);
        if let Some(value) = self.leaf_value(depth, ply) {
            return Ok((value, ExitReason::Leaf));
        }
        let key = self.memory_key(depth);
        let stored = key.and_then(|key| self.memory.get(key));
        let answer = stored.filter(|entry| u32::from(entry.depth) == depth);
        self.observe_look_up(key, stored, ply, answer.is_some());
        if let Some(entry) = answer {
            return Ok((entry.value.counted_from_root(ply), ExitReason::Remembered));
        }
        let side = self.game.side(self.path.position());
        let base = self.moves.len();
        self.game.moves(self.path.position(), &mut self.moves);
        self.observer.order(&self.moves[base..], &[]);
        let mut best = side.worst();
        for index in base..self.moves.len() {
            let m = self.moves[index];
            let value = self.minimax(m, depth - 1, ply + 1)?;
            if side.prefers(value, best) {
                best = value;
                self.lines.update_pv(ply, m);
            }
        }
        self.moves.truncate(base);
        if let Some(key) = key {
            let entry = TtEntry {
                value: best.counted_from_node(ply),
                depth: depth as u8,
                bound: Bound::Exact,
                best: None,
            };
            self.observe_store(key, entry, ply);
            self.memory.put(key, entry);
        }
        Ok((best, ExitReason::Searched))
    }
}
