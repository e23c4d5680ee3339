//! State of the depth-first textbook searches: the path, the node count, the transposition table and the principal
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
    /// Counts nodes and stops the search at its limits.
    pub control: &'a mut Control,
    /// The transposition table.
    pub memory: &'a M,
    /// The observer.
    pub observer: &'a mut W,
    /// A stack of the moves of all nodes on the path.
    pub moves: Vec<G::Move>,
    /// Cutoff statistics for move ordering.
    pub(crate) ordering: MoveOrdering,
    /// The principal variations of the nodes on the path.
    pub lines: PvTable<G::Move>,
    /// Number of leaves: positions that were evaluated, and positions in which the game is over.
    pub leaves: u64,
    /// Minimum excess of alpha over beta for a cutoff, in hundredths of a point.
    pub cut_margin: i32,
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
            ordering: MoveOrdering::new(root.order),
            lines,
            leaves: 0,
            cut_margin: root.cut_rule.margin(),
        }
    }

    /// Returns the value of the current node if it is a leaf: the game is over or the depth is reached.
    #[inline(always)]
    pub(crate) fn leaf_value(&mut self, depth: u32, ply: u32) -> Option<Value> {
        let outcome = self.leaf_outcome(depth, ply)?;
        Some(match outcome {
            Some(outcome) => outcome.value(ply),
            None => self.evaluator.evaluate(self.game, self.path.position()),
        })
    }

    /// Returns `None` if the current node is not a leaf. Otherwise counts the leaf and returns its outcome
    /// (`Some(None)` if the game is not over).
    #[expect(
        clippy::option_option,
        reason = "no leaf, a leaf at the depth limit, and a finished game"
    )]
    #[inline(always)]
    pub(crate) fn leaf_outcome(&mut self, depth: u32, ply: u32) -> Option<Option<Outcome>> {
        let outcome = self.path.outcome(self.game);
        if outcome.is_none() && depth > 0 {
            return None;
        }
        self.leaves += 1;
        self.control.deepest = self.control.deepest.max(ply);
        Some(outcome)
    }

    /// Returns the key of the current node for the transposition table.
    ///
    /// Returns `None` without a table, or if a repetition below the node may end the game: its value then depends
    /// on the path, which the key does not contain.
    #[inline]
    pub(crate) fn memory_key<P: PackedEntry>(&self, depth: u32) -> Option<u64>
    where
        M: Memory<P>,
    {
        (M::ENABLED && !self.path.may_repeat_within(self.game, depth))
            .then(|| self.game.key(self.path.position()))
    }

    /// Plays `m`, calls `search_node` for the value of the position after it, and takes `m` back.
    #[inline(always)]
    pub(crate) fn search_child<V: Copy + Into<Score>>(
        &mut self,
        m: G::Move,
        search_node: impl FnOnce(&mut Self) -> Result<(V, ExitReason), Stopped>,
    ) -> Result<V, Stopped> {
        processor::run(
            #[inline(always)]
            || {
                let child = self.game.play(self.path.position(), m);
                self.path.push(self.game, child);
                self.control.visit()?;
                let (value, reason) = search_node(self)?;
                self.observer.leave(value.into(), reason);
                self.path.pop();
                Ok(value)
            },
        )
    }

    /// Reports a probe of the table to the observer.
    #[inline(always)]
    pub(crate) fn observe_look_up(
        &mut self,
        key: Option<u64>,
        entry: Option<TtEntry>,
        ply: u32,
        answers: bool,
    ) {
        if W::IS_RECORDING
            && let Some(key) = key
        {
            let entry = entry.map(|entry| entry.seen(ply));
            self.observer.look_up(key, entry, answers);
        }
    }

    /// Reports to the observer that `entry` will be stored.
    #[inline(always)]
    pub(crate) fn observe_store(&mut self, key: u64, entry: TtEntry, ply: u32)
    where
        M: Memory<TtEntry>,
    {
        if W::IS_RECORDING {
            let dropped = self.memory.displaced(key);
            self.observer.store(key, entry.seen(ply), dropped);
        }
    }

    /// Returns the line that starts with the root move `m` and follows the best moves in the transposition table.
    /// It has at most `depth` moves.
    pub(crate) fn line_from_table(&mut self, m: G::Move, depth: u32) -> Vec<G::Move>
    where
        M: Memory<TtEntry>,
    {
        let start = self.path.len();
        let mut line = vec![m];
        let child = self.game.play(self.path.position(), m);
        self.path.push(self.game, child);
        while line.len() < depth as usize {
            let remaining_depth = depth - line.len() as u32;
            let entry = self
                .memory_key(remaining_depth)
                .and_then(|key| self.memory.get(key));
            let best = entry.and_then(|entry| entry.best).map(G::Move::from);
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

    /// Returns the principal variation that starts with the root move `m`.
    pub(crate) fn line(&self, m: RootMove<G::Move>) -> Vec<G::Move> {
        std::iter::once(m.m).chain(self.lines.at(1)).collect()
    }
}

/// A triangular table of principal variations with one row per ply. The line of ply `p` is its best move followed by
/// the line of ply `p + 1`.
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

    /// Clears the line of `ply`, because the node is a leaf or has no best move yet.
    #[inline]
    pub(crate) fn clear(&mut self, ply: u32) {
        self.rows[ply as usize].clear();
    }

    /// Sets the line of `ply` to `m` followed by the line of the next ply.
    #[inline]
    pub(crate) fn update_pv(&mut self, ply: u32, m: M) {
        let (upper, lower) = self.rows.split_at_mut(ply as usize + 1);
        let row = &mut upper[ply as usize];
        row.clear();
        row.push(m);
        row.extend_from_slice(&lower[0]);
    }

    /// Returns the line of `ply`.
    pub(crate) fn at(&self, ply: u32) -> impl Iterator<Item = M> {
        self.rows[ply as usize].iter().copied()
    }
}
