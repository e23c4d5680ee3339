//! What every walk through a game's tree carries along: the path, the node count, the memory, and the best lines.

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

/// One walk, from the root down and back.
pub struct TreeSearch<'a, G: Game, E, M, W> {
    /// The rules.
    pub game: &'a G,
    /// Who judges the leaves.
    pub evaluator: &'a E,
    /// The way from the game's beginning to the node the walk is at.
    pub path: Path<G>,
    /// Counts nodes and ends the walk.
    pub control: &'a mut Control,
    /// What is remembered of other walks.
    pub memory: &'a M,
    /// Who watches.
    pub observer: &'a mut W,
    /// The moves of all nodes on the way, end to end.
    pub moves: Vec<G::Move>,
    /// What cut-offs tell of moves.
    pub ordering: MoveOrdering,
    /// The best lines found.
    pub lines: PvTable<G::Move>,
    /// Leaves evaluated or found decided.
    pub leaves: u64,
}

impl<'a, G: Game, E: Evaluator<G>, M, W: SearchObserver<G::Move>> TreeSearch<'a, G, E, M, W> {
    /// A walk that begins at the root and goes down `depth` plies.
    pub fn new(
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

    /// The value of the node reached, if it is a leaf: the game is over, or the depth used up.
    #[inline(always)]
    pub fn leaf(&mut self, depth: u32, ply: u32) -> Option<Value> {
        let outcome = self.end(depth, ply)?;
        Some(match outcome {
            Some(outcome) => outcome.value(ply),
            None => self.evaluator.evaluate(self.game, self.path.position()),
        })
    }

    /// Whether the node reached is a leaf, and if so, how the game has ended there if it has. Counts it.
    #[inline(always)]
    pub fn end(&mut self, depth: u32, ply: u32) -> Option<Option<Outcome>> {
        let outcome = self.path.outcome(self.game);
        if outcome.is_none() && depth > 0 {
            return None;
        }
        self.leaves += 1;
        self.control.deepest = self.control.deepest.max(ply);
        Some(outcome)
    }

    /// What the memory may be asked for at this node, if it may be asked at all: not where the value could depend on
    /// the way here.
    #[inline]
    pub fn memory_key<P: PackedEntry>(&self, depth: u32) -> Option<u64>
    where
        M: Memory<P>,
    {
        (M::ENABLED && !self.path.may_repeat_within(self.game, depth))
            .then(|| self.game.key(self.path.position()))
    }

    /// Goes down `m`, lets `inside` find the value there, and comes back.
    #[inline(always)]
    pub fn through<V: Copy + Into<Score>>(
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

    /// The line that the memory gives after the root move `m`, at most `depth` moves long.
    pub fn remembered_line(&mut self, m: G::Move, depth: u32) -> Vec<G::Move>
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

    /// The best line below the root, which begins with `m`.
    pub fn line(&self, m: RootMove<G::Move>) -> Vec<G::Move> {
        std::iter::once(m.m).chain(self.lines.at(1)).collect()
    }
}

/// The best lines of the nodes on the way, in a triangle: the line from ply `p` is the best move there and the line
/// from ply `p + 1`.
#[derive(Clone, Debug)]
pub struct PvTable<M> {
    rows: Vec<Vec<M>>,
}

impl<M: Copy> PvTable<M> {
    /// Room for lines of `depth` moves.
    pub fn new(depth: u32) -> Self {
        Self {
            rows: vec![Vec::new(); depth as usize + 2],
        }
    }

    /// No line from this ply: a leaf, or nothing found yet.
    #[inline]
    pub fn clear(&mut self, ply: u32) {
        self.rows[ply as usize].clear();
    }

    /// The best line from this ply is `m` and the line from the next.
    #[inline]
    pub fn update_pv(&mut self, ply: u32, m: M) {
        let (upper, lower) = self.rows.split_at_mut(ply as usize + 1);
        let row = &mut upper[ply as usize];
        row.clear();
        row.push(m);
        row.extend_from_slice(&lower[0]);
    }

    /// The best line from this ply.
    pub fn at(&self, ply: u32) -> impl Iterator<Item = M> {
        self.rows[ply as usize].iter().copied()
    }
}
