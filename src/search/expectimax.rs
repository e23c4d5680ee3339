//! Expectimax for two players (Michie 1966): the side at the root maximizes, and its opponent plays every legal
//! move with equal probability.

use super::memory::Memory;
use super::observer::{ExitReason, SearchObserver};
use super::root::{Root, RootMove};
use super::tree_search::TreeSearch;
use super::{Evaluator, Search, SearchResult};
use crate::control::{Control, Stopped};
use crate::rules::{Game, Outcome};
use crate::value::{Bound, Score, Side, Window};

/// Difference of expectations, in points, up to which they count as equal. Rounding depends on the order of the
/// moves.
const EQUAL: f64 = 1e-9;

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

    fn clear(&mut self) {
        self.memory.clear();
    }

    fn hashfull(&self) -> u32 {
        self.memory.hashfull()
    }
}

/// Returns the advantage of `points` over `other` for `player`.
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
    /// Returns the expected points after `m`, searched `depth` plies deeper. `player` chooses and the opponent
    /// moves at random.
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

/// Returns the points of a leaf: the evaluation, or the outcome, where a win counts its payoff.
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

/// Returns the key salt that separates expectations of different depths and players in one table.
#[inline]
fn key_salt(depth: u32, player: Side) -> u64 {
    u64::from(depth * 2 + player as u32 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
