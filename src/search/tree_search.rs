//! State shared by all depth-first searches: the path, the node count, the transposition table and the principal
//! variation.

use super::evaluator::Evaluator;
use super::memory::{Memory, PackedEntry, TtEntry};
use super::observer::{ExitReason, SearchObserver};
use super::ordering::MoveOrdering;
use super::root::{Root, RootMove};
use crate::control::{Control, Stopped};
use crate::path::Path;
use crate::processor;
use crate::rules::{Game, Outcome};
use crate::value::{Score, Value};

/// One depth-first search of the tree below a root.
pub(crate) struct TreeSearch<'a, G: Game, E, M, W> {
    /// The rules.
    pub game: &'a G,
    /// The evaluator.
    pub evaluator: &'a E,
    /// The path from the start of the game to the current node.
    pub path: Path<G>,
    /// Counts nodes and ends the search.
    pub control: &'a mut Control,
    /// The transposition table.
    pub memory: &'a M,
    /// The observer.
    pub observer: &'a mut W,
    /// The moves of all nodes on the path, end to end.
    pub moves: Vec<G::Move>,
    /// Cutoff statistics for move ordering.
    pub(crate) ordering: MoveOrdering,
    /// The best lines so far.
    pub lines: PvTable<G::Move>,
    /// Number of leaves: positions that were evaluated or decided.
    pub leaves: u64,
}

impl<'a, G: Game, E: Evaluator<G>, M, W: SearchObserver<G::Move>> TreeSearch<'a, G, E, M, W> {
    /// Creates a search of `depth` plies at the root.
    pub(crate) fn new(
        game: &'a G,
        evaluator: &'a E,
        root: &Root<G>,
        depth: u32,
        control: &'a mut Control,
        memory: &'a M,
        observer: &'a mut W,
    ) -> Self {
        control.deepest = 0;
        let lines = PvTable::new(depth);
        Self {
            game,
            evaluator,
            path: root.path.clone(),
            control,
            memory,
            observer,
            moves: Vec::new(),
            ordering: MoveOrdering::new(),
            lines,
            leaves: 0,
        }
    }

    /// Returns the value of the current node if it is a leaf: the game is over or the depth is reached.
    #[inline(always)]
    pub(crate) fn leaf(&mut self, depth: u32, ply: u32) -> Option<Value> {
        let outcome = self.end(depth, ply)?;
        Some(match outcome {
            Some(outcome) => outcome.value(ply),
            None => self.evaluator.evaluate(self.game, self.path.position()),
        })
    }

    /// Returns `Some` if the current node is a leaf, with its outcome if the game is over. Counts the leaf.
    #[expect(
        clippy::option_option,
        reason = "no leaf, a leaf at the depth limit, and a finished game"
    )]
    #[inline(always)]
    pub(crate) fn end(&mut self, depth: u32, ply: u32) -> Option<Option<Outcome>> {
        let outcome = self.path.outcome(self.game);
        if outcome.is_none() && depth > 0 {
            return None;
        }
        self.leaves += 1;
        self.control.deepest = self.control.deepest.max(ply);
        Some(outcome)
    }

    /// Returns the key for the transposition table, or `None` if the value of this node may depend on the path
    /// (repetition).
    #[inline]
    pub(crate) fn memory_key<P: PackedEntry>(&self, depth: u32) -> Option<u64>
    where
        M: Memory<P>,
    {
        (M::ENABLED && !self.path.may_repeat_within(self.game, depth))
            .then(|| self.game.key(self.path.position()))
    }

    /// Plays `m`, calls `inside` for the value there, and takes the move back.
    #[inline(always)]
    pub(crate) fn through<V: Copy + Into<Score>>(
        &mut self,
        m: G::Move,
        inside: impl FnOnce(&mut Self) -> Result<(V, ExitReason), Stopped>,
    ) -> Result<V, Stopped> {
        processor::run(
            #[inline(always)]
            || {
                let child = self.game.play(self.path.position(), m);
                self.path.push(self.game, child);
                self.control.visit()?;
                let (value, left) = inside(self)?;
                self.observer.leave(value.into(), left);
                self.path.pop();
                Ok(value)
            },
        )
    }

    /// Returns the line stored in the transposition table after the root move `m`, at most `depth` moves long.
    pub(crate) fn remembered_line(&mut self, m: G::Move, depth: u32) -> Vec<G::Move>
    where
        M: Memory<TtEntry>,
    {
        let start = self.path.len();
        let mut line = vec![m];
        let child = self.game.play(self.path.position(), m);
        self.path.push(self.game, child);
        while line.len() < depth as usize {
            let left = depth - line.len() as u32;
            let proof = self.memory_key(left).and_then(|key| self.memory.get(key));
            let best = proof.and_then(|proof| proof.best).map(G::Move::from);
            let Some(next) = best.filter(|best| self.path.moves(self.game).contains(best)) else {
                break;
            };
            line.push(next);
            let child = self.game.play(self.path.position(), next);
            self.path.push(self.game, child);
        }
        while self.path.len() > start {
            self.path.pop();
        }
        line
    }

    /// Returns the best line from the root, starting with `m`.
    pub(crate) fn line(&self, m: RootMove<G::Move>) -> Vec<G::Move> {
        std::iter::once(m.m).chain(self.lines.at(1)).collect()
    }
}

/// A triangular table of principal variations: the line from ply `p` is the best move there followed by the line
/// from ply `p + 1`.
#[derive(Clone, Debug)]
pub(crate) struct PvTable<M> {
    rows: Vec<Vec<M>>,
}

impl<M: Copy> PvTable<M> {
    /// Creates a table for lines of at most `depth` moves.
    pub(crate) fn new(depth: u32) -> Self {
        Self {
            rows: vec![Vec::new(); depth as usize + 2],
        }
    }

    /// Clears the line from `ply`: a leaf, or no move found yet.
    #[inline]
    pub(crate) fn clear(&mut self, ply: u32) {
        self.rows[ply as usize].clear();
    }

    /// Sets the line from `ply` to `m` followed by the line from the next ply.
    #[inline]
    pub(crate) fn update_pv(&mut self, ply: u32, m: M) {
        let (upper, lower) = self.rows.split_at_mut(ply as usize + 1);
        let row = &mut upper[ply as usize];
        row.clear();
        row.push(m);
        row.extend_from_slice(&lower[0]);
    }

    /// Returns the line from `ply`.
    pub(crate) fn at(&self, ply: u32) -> impl Iterator<Item = M> {
        self.rows[ply as usize].iter().copied()
    }
}
