//! Expectimax (Michie 1966). In a game with chance nodes, both players choose their best moves, and chance nodes are
//! averaged. In other games, the side to move at the root chooses its best move, and its opponent plays every legal move
//! with equal probability.

use super::best::{BestExpectation, advantage};
use super::memory::Memory;
use super::observer::{ExitReason, PassPurpose, SearchObserver, SeenEntry};
use super::root::Root;
use super::tree_search::TreeSearch;
use super::{Evaluator, Search, SearchResult};
use crate::control::{Control, Stopped};
use crate::rules::{Game, Outcome};
use crate::value::{Bound, Score, Side, Window};

/// Expectimax, generic over its transposition table and its observer.
#[derive(Debug, Default)]
pub struct Expectimax<E, M, W> {
    /// The evaluator.
    pub evaluator: E,
    /// The transposition table.
    pub memory: M,
    /// The observer.
    pub observer: W,
}

impl<G: Game, E: Evaluator<G>, M: Memory<f64>, W: SearchObserver<G::Move>> Search<G>
    for Expectimax<E, M, W>
{
    fn run(
        &mut self,
        game: &G,
        root: &mut Root<G>,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
    ) -> Result<SearchResult<G::Move>, Stopped> {
        let player = root.side(game);
        let chances = game.chances(root.path.position());
        let mut expectation = 0.0;
        let mut best = BestExpectation::none(player, 0.0);
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
            let points = tree.expectimax(candidate.m, player, depth - 1, 1)?;
            if best.offer(candidate, points) {
                if game.has_chance() {
                    best.found.line = tree.line(candidate);
                }
                // No move is chosen at a chance node, so no best move is reported.
                if chances.is_none() {
                    progress(&best.found, tree.control);
                }
            }
            expectation += points * probability(chances.as_deref(), &candidate.m);
        }
        // With several lines, each score is that of the line's own outcome.
        let is_whole = |chances: &Vec<_>| root.lines == 1 && root.moves.len() == chances.len();
        if chances.as_ref().is_some_and(is_whole) {
            best.found.score = Score::Points(expectation);
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

impl<G: Game, E: Evaluator<G>, M: Memory<f64>, W: SearchObserver<G::Move>>
    TreeSearch<'_, G, E, M, W>
{
    /// Returns the expected points after `m`, searched `depth` plies deeper. `player` chooses its best moves. The opponent
    /// moves at random unless the game has chance nodes.
    fn expectimax(
        &mut self,
        m: G::Move,
        player: Side,
        depth: u32,
        ply: u32,
    ) -> Result<f64, Stopped> {
        self.observer.enter(m, Window::FULL);
        self.search_child(
            m,
            #[inline(always)]
            |tree| tree.expectimax_node(player, depth, ply),
        )
    }

    #[inline(always)]
    fn expectimax_node(
        &mut self,
        player: Side,
        depth: u32,
        ply: u32,
    ) -> Result<(f64, ExitReason), Stopped> {
        let has_chance = self.game.has_chance();
        if has_chance {
            self.lines.clear(ply);
        }
        if let Some(outcome) = self.leaf_outcome(depth, ply) {
            let points = points(self.game, self.evaluator, self.path.position(), outcome);
            return Ok((points, ExitReason::Leaf));
        }
        let key = self
            .memory_key(depth)
            .map(|key| key ^ key_salt(depth, player));
        let stored = key.and_then(|key| self.memory.get(key));
        if W::IS_RECORDING
            && let Some(key) = key
        {
            let entry = stored.map(|points| seen(points, depth));
            self.observer.look_up(key, entry, stored.is_some());
        }
        if let Some(points) = stored {
            return Ok((points, ExitReason::Remembered));
        }
        let side = self.game.side(self.path.position());
        let chances = self.game.chances(self.path.position());
        let is_choice = chances.is_none() && (side == player || has_chance);
        let base = self.moves.len();
        self.game.moves(self.path.position(), &mut self.moves);
        let count = self.moves.len() - base;
        self.observer.order(&self.moves[base..], &[]);
        let mut best = f64::NAN;
        let mut sum = 0.0;
        for index in base..base + count {
            let m = self.moves[index];
            let points = self.expectimax(m, player, depth - 1, ply + 1)?;
            sum += match &chances {
                Some(chances) => points * chances[index - base].1,
                None => points,
            };
            if best.is_nan() || advantage(side, points, best) > 0.0 {
                best = points;
                if has_chance && is_choice {
                    self.lines.update_pv(ply, m);
                }
            }
        }
        self.moves.truncate(base);
        let points = match chances {
            Some(_) => sum,
            None if is_choice => best,
            None => sum / count as f64,
        };
        if let Some(key) = key {
            if W::IS_RECORDING {
                let dropped = self.memory.displaced(key);
                self.observer.store(key, seen(points, depth), dropped);
            }
            self.memory.put(key, points);
        }
        Ok((points, ExitReason::Searched))
    }
}

/// Returns the probability of a move at a chance node.
fn probability<M: PartialEq>(chances: Option<&[(M, f64)]>, wanted: &M) -> f64 {
    let mut chances = chances.unwrap_or_default().iter();
    chances
        .find(|(m, _)| m == wanted)
        .map_or(0.0, |&(_, probability)| probability)
}

/// Returns a table entry in the form for observers.
fn seen<M>(points: f64, depth: u32) -> SeenEntry<M> {
    SeenEntry {
        value: Score::Points(points),
        bound: Bound::Exact,
        depth,
        best: None,
    }
}

/// Returns the points of a leaf: its evaluation or, if the game is over, its outcome. A win counts
/// [`Evaluator::terminal_payoff`].
pub fn points<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    outcome: Option<Outcome>,
) -> f64 {
    let exact = match outcome {
        None => evaluator.evaluate(game, position),
        Some(Outcome::Points(value)) => value,
        Some(Outcome::Draw) => return 0.0,
        Some(Outcome::Won(Side::P1)) => return evaluator.terminal_payoff(game, position),
        Some(Outcome::Won(Side::P2)) => return -evaluator.terminal_payoff(game, position),
    };
    f64::from(exact.0) / 100.0
}

/// Returns a salt for keys (by XOR), so that each depth and player has its own table entries.
#[inline]
fn key_salt(depth: u32, player: Side) -> u64 {
    u64::from(depth * 2 + player as u32 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
