//! Expectimax for two players (Michie, 1966): the side at the root chooses, its opponent moves at random, every legal
//! move being equally likely.

use super::memory::Memory;
use super::observer::{ExitReason, SearchObserver};
use super::root::{Root, RootMove};
use super::tree_search::TreeSearch;
use super::{Evaluator, Search, SearchResult};
use crate::control::{Control, Stopped};
use crate::rules::{Game, Outcome};
use crate::value::{Bound, Score, Side, Window};

/// Expectations nearer than this, in points, are equal: what is left is rounding, which depends on the order of the
/// moves.
const EQUAL: f64 = 1e-9;

/// Expectimax with a memory and a watcher.
#[derive(Debug, Default)]
pub struct Expectimax<E, M, W> {
    /// Who judges the leaves.
    pub evaluator: E,
    /// What it remembers.
    pub memory: M,
    /// What watches it.
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
        let mut best: Option<(RootMove<G::Move>, f64)> = None;
        let mut found = SearchResult {
            score: Score::Points(0.0),
            bound: Bound::Exact,
            line: Vec::new(),
            leaves: 0,
        };
        let mut walk = TreeSearch::new(
            game,
            &self.evaluator,
            root,
            depth,
            control,
            &self.memory,
            &mut self.observer,
        );
        for &candidate in &root.moves {
            let points = walk.expectimax(candidate.m, player, depth - 1, 1)?;
            let is_better = best.is_none_or(|(chosen, best)| {
                let slack = if candidate.rank < chosen.rank {
                    -EQUAL
                } else {
                    EQUAL
                };
                gain(player, points, best) > slack
            });
            if is_better {
                best = Some((candidate, points));
                found.score = Score::Points(points);
                found.line = vec![candidate.m];
                progress(&found, walk.control);
            }
        }
        found.leaves = walk.leaves;
        Ok(found)
    }

    fn forget(&mut self) {
        self.memory.forget();
    }

    fn hashfull(&self) -> u32 {
        self.memory.hashfull()
    }
}

/// How much better `points` is than `other` for `player`.
#[inline]
fn gain(player: Side, points: f64, other: f64) -> f64 {
    match player {
        Side::P1 => points - other,
        Side::P2 => other - points,
    }
}

impl<G: Game, E: Evaluator<G>, M: Memory<f64>, W: SearchObserver<G::Move>>
    TreeSearch<'_, G, E, M, W>
{
    /// The expected points after `m`, `depth` more plies searched, with `player` choosing and the other drawing.
    fn expectimax(
        &mut self,
        m: G::Move,
        player: Side,
        depth: u32,
        ply: u32,
    ) -> Result<f64, Stopped> {
        self.observer.enter(m, Window::FULL);
        self.through(
            m,
            #[inline(always)]
            |walk| walk.expectimax_inside(player, depth, ply),
        )
    }

    #[inline(always)]
    fn expectimax_inside(
        &mut self,
        player: Side,
        depth: u32,
        ply: u32,
    ) -> Result<(f64, ExitReason), Stopped> {
        if let Some(outcome) = self.end(depth, ply) {
            let points = points(self.game, self.evaluator, self.path.position(), outcome);
            return Ok((points, ExitReason::Leaf));
        }
        let key = self
            .memory_key(depth)
            .map(|key| key ^ key_salt(depth, player));
        if let Some(points) = key.and_then(|key| self.memory.get(key)) {
            return Ok((points, ExitReason::Remembered));
        }
        let chooses = self.game.side(self.path.position()) == player;
        let base = self.moves.len();
        self.game.moves(self.path.position(), &mut self.moves);
        let count = self.moves.len() - base;
        let mut best = f64::NAN;
        let mut sum = 0.0;
        for index in base..base + count {
            let points = self.expectimax(self.moves[index], player, depth - 1, ply + 1)?;
            sum += points;
            if best.is_nan() || gain(player, points, best) > 0.0 {
                best = points;
            }
        }
        self.moves.truncate(base);
        let points = if chooses { best } else { sum / count as f64 };
        if let Some(key) = key {
            self.memory.put(key, points);
        }
        Ok((points, ExitReason::Searched))
    }
}

/// The points of a leaf, where the game has ended so or goes on: of a win those that are at stake in it.
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

/// Keeps apart in one memory what was expected at different depths and for different players.
#[inline]
fn key_salt(depth: u32, player: Side) -> u64 {
    u64::from(depth * 2 + player as u32 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
