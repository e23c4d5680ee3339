//! Expectimax with chance nodes (Michie 1966), for games with chance such as 2048. The value of a chance node is
//! the expectation of the remaining points.

use super::best::{BestExpectation, advantage};
use super::memory::{Memory, PackedEntry};
use super::observer::{ExitReason, PassPurpose, SearchObserver, SeenEntry};
use super::root::Root;
use super::worst_case::WorstCase;
use super::{Search, SearchResult};
use crate::control::{Control, Stopped};
use crate::rules::{Stochastic, Turn};
use crate::value::{Bound, Score, Side, Window};

/// Maximum relative difference of expectations that count as equal, because the table rounds
/// [`Expectation::points`].
const ROUNDING_ERROR: f64 = 1.0 / (1_u64 << 34) as f64;

/// The positions that are evaluated statically instead of searched to the full depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChancePruning {
    /// None: the search is exact.
    Exact,
    /// Improbable positions: their probability from the root is below 10^(-depth / 2), where `depth` is the depth of
    /// the iteration.
    ///
    /// The error of this approximation is small, because the error at a position is weighted by its probability.
    /// Two plies of depth, a move and a tile, divide the minimum probability by ten.
    Unlikely,
}

impl ChancePruning {
    /// Returns the minimum probability of a searched position in an iteration of `depth` plies.
    fn min_probability(self, depth: u32) -> f64 {
        match self {
            Self::Exact => 0.0,
            Self::Unlikely => 10_f64.powf(-0.5 * f64::from(depth)),
        }
    }
}

/// Expectimax, generic over its transposition table and its observer.
#[derive(Debug)]
pub struct StochasticExpectimax<M, W> {
    /// The transposition table.
    pub memory: M,
    /// The observer.
    pub observer: W,
    /// The pruning of improbable positions. Without it, expectations are exact.
    pub pruning: ChancePruning,
    /// `true` if every leaf of the last search was the end of the game.
    is_exhausted: bool,
}

impl<M, W> StochasticExpectimax<M, W> {
    /// Creates a search.
    pub fn new(memory: M, observer: W, pruning: ChancePruning) -> Self {
        Self {
            memory,
            observer,
            pruning,
            is_exhausted: false,
        }
    }
}

/// A table entry: the expectation of a position, and the depth to which it was searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation {
    /// Points expected after the position, rounded to 36 significant bits.
    pub points: f64,
    /// Plies searched below the position, or `Expectation::TO_THE_END` if the search reached the end of all
    /// games.
    pub depth: u8,
    /// Minus the binary logarithm of the position's probability in that search. A higher probability means less
    /// pruning below.
    pub(crate) improbability_bits: u8,
}

impl Expectation {
    /// The value of `depth` if the search reached the end of all games.
    pub(crate) const TO_THE_END: u8 = u8::MAX;
}

impl PackedEntry for Expectation {
    #[inline]
    fn pack(self) -> u64 {
        // Round to the nearest number whose last 16 bits are zero.
        let points = self.points.to_bits().saturating_add(1 << 15);
        points & !0xFFFF | u64::from(self.depth) << 8 | u64::from(self.improbability_bits)
    }

    #[inline]
    fn unpack(bits: u64) -> Self {
        Self {
            points: f64::from_bits(bits & !0xFFFF),
            depth: (bits >> 8) as u8,
            improbability_bits: bits as u8,
        }
    }
}

impl<S: Stochastic, M: Memory<Expectation>, W: SearchObserver<S::Move>> Search<WorstCase<S>>
    for StochasticExpectimax<M, W>
{
    fn run(
        &mut self,
        game: &WorstCase<S>,
        root: &mut Root<WorstCase<S>>,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&SearchResult<S::Move>, &Control),
    ) -> Result<SearchResult<S::Move>, Stopped> {
        let position = &root.path.position().position;
        // The exact search is a textbook search and uses one evaluation for all positions.
        let adapted = match self.pruning {
            ChancePruning::Exact => None,
            ChancePruning::Unlikely => game.0.adapted_to(position),
        };
        let rules = adapted.as_ref().unwrap_or(&game.0);
        let side = root.side(game);
        self.is_exhausted = false;
        control.deepest = 0;
        let mut run_state = ExpectimaxRun {
            rules,
            control,
            memory: &self.memory,
            observer: &mut self.observer,
            min_probability: self.pruning.min_probability(depth),
            iteration: if self.pruning == ChancePruning::Exact {
                0
            } else {
                depth
            },
            moves: Vec::new(),
            chances: Vec::new(),
            leaves: 0,
            unfinished: 0,
            gained: 0.0,
        };
        let mut chances = Vec::new();
        if rules.turn(position) == Turn::Chance {
            rules.chances(position, &mut chances);
        }
        let mut best = BestExpectation::none(side, ROUNDING_ERROR);
        let mut expectation = 0.0;
        run_state
            .observer
            .begin_pass(depth, PassPurpose::Whole, Window::FULL, &root.moves);
        for &candidate in &root.moves {
            let chance = chances
                .iter()
                .find(|(m, _)| *m == candidate.m)
                .map_or(1.0, |&(_, chance)| chance);
            let points = run_state.search_child(position, candidate.m, depth - 1, 1, chance)?;
            expectation += chance * points;
            // Report a new best move, but nothing at a chance node, where no move is chosen.
            if best.offer(candidate, points) && chances.is_empty() {
                progress(&best.found, run_state.control);
            }
        }
        // At a chance node, the score of a single line is the expectation over all outcomes, although its first move is
        // the worst outcome. With several lines, each score is the score of the line's own outcome.
        if root.lines == 1 && root.moves.len() == chances.len() {
            best.found.score = Score::Points(expectation);
        }
        run_state
            .observer
            .end_pass(best.found.score, ExitReason::Searched);
        best.found.leaves = run_state.leaves;
        self.is_exhausted = run_state.unfinished == 0;
        Ok(best.found)
    }

    fn clear(&mut self) {
        self.memory.clear();
    }

    fn hashfull(&self) -> u32 {
        self.memory.hashfull()
    }

    fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    fn is_reference(&self) -> bool {
        self.pruning == ChancePruning::Exact
    }

    fn next_depth(&self, depth: u32, _last: u32) -> u32 {
        // Only positions near the end of the game are searched to depth 16, and one more ply rarely changes the result.
        if depth < 16 { depth + 1 } else { depth * 2 }
    }
}

/// The state of one iteration.
struct ExpectimaxRun<'a, S: Stochastic, M, W> {
    rules: &'a S,
    control: &'a mut Control,
    memory: &'a M,
    observer: &'a mut W,
    /// Minimum probability of a searched position; 0 without pruning.
    min_probability: f64,
    /// Depth of the iteration, which determines the minimum probability; 0 without pruning. Part of the table key.
    iteration: u32,
    /// A stack of the moves of all decision nodes on the path.
    moves: Vec<S::Move>,
    /// A stack of the outcomes of all chance nodes on the path.
    chances: Vec<(S::Move, f64)>,
    leaves: u64,
    /// Number of leaves at which the game was not over.
    unfinished: u64,
    /// Points gained since the root. Values reported to the observer include these points.
    gained: f64,
}

impl<S: Stochastic, M: Memory<Expectation>, W: SearchObserver<S::Move>> ExpectimaxRun<'_, S, M, W> {
    /// Returns the points that `m` gains plus the points expected after it, searched `depth` plies deeper.
    ///
    /// `probability` is the probability of the position after `m`, given the players' moves on this path.
    #[inline]
    fn search_child(
        &mut self,
        position: &S::Position,
        m: S::Move,
        depth: u32,
        ply: u32,
        probability: f64,
    ) -> Result<f64, Stopped> {
        let gain = self.rules.gain(position, m);
        let child = self.rules.play(position, m);
        self.observer.enter(m, Window::FULL);
        self.gained += gain;
        self.control.visit()?;
        let (points, reason) = self.node_value(&child, depth, ply, probability)?;
        self.observer
            .leave(Score::Points(self.gained + points), reason);
        self.gained -= gain;
        Ok(gain + points)
    }

    fn node_value(
        &mut self,
        position: &S::Position,
        depth: u32,
        ply: u32,
        probability: f64,
    ) -> Result<(f64, ExitReason), Stopped> {
        if depth == 0 || probability < self.min_probability {
            self.leaves += 1;
            self.control.deepest = self.control.deepest.max(ply);
            self.unfinished += u64::from(!self.rules.is_over(position));
            return Ok((self.rules.evaluate(position), ExitReason::Leaf));
        }
        // The probability affects only pruning.
        let improbability_bits = if self.min_probability > 0.0 {
            -probability.log2() as u8
        } else {
            0
        };
        let key = (M::ENABLED).then(|| self.rules.key(position));
        let stored = key.and_then(|key| self.stored(key, depth, improbability_bits));
        if W::IS_RECORDING
            && let Some(key) = key
        {
            let key = match stored {
                Some(entry) if entry.depth != Expectation::TO_THE_END => key ^ self.key_salt(depth),
                _ => key,
            };
            let entry = stored.map(|entry| self.seen(entry, depth));
            self.observer.look_up(key, entry, stored.is_some());
        }
        if let Some(entry) = stored {
            self.unfinished += u64::from(entry.depth != Expectation::TO_THE_END);
            return Ok((entry.points, ExitReason::Remembered));
        }
        let unfinished = self.unfinished;
        let points = match self.rules.turn(position) {
            Turn::Chance => self.chance_node(position, depth, ply, probability)?,
            Turn::Player(side) => {
                match self.decision_node(position, side, depth, ply, probability)? {
                    Some(points) => points,
                    None => return Ok((self.final_value(position, ply), ExitReason::Leaf)),
                }
            }
        };
        if let Some(key) = key {
            let (key, entry) = if self.unfinished == unfinished {
                let entry = Expectation {
                    points,
                    depth: Expectation::TO_THE_END,
                    improbability_bits: 0,
                };
                (key, entry)
            } else {
                let entry = Expectation {
                    points,
                    depth: depth as u8,
                    improbability_bits,
                };
                (key ^ self.key_salt(depth), entry)
            };
            if W::IS_RECORDING {
                let (seen, dropped) = (self.seen(entry, depth), self.memory.displaced(key));
                self.observer.store(key, seen, dropped);
            }
            self.memory.put(key, entry);
        }
        Ok((points, ExitReason::Searched))
    }

    /// Returns the stored expectation if its search reached the end of all games, or this depth with at most the
    /// pruning of `improbability_bits`.
    fn stored(&self, key: u64, depth: u32, improbability_bits: u8) -> Option<Expectation> {
        let complete = self
            .memory
            .get(key)
            .filter(|entry| entry.depth == Expectation::TO_THE_END);
        complete.or_else(|| {
            let entry = self.memory.get(key ^ self.key_salt(depth));
            entry.filter(|entry| {
                u32::from(entry.depth) == depth && entry.improbability_bits <= improbability_bits
            })
        })
    }

    /// Returns an entry in the form for observers, which includes the points gained since the root.
    fn seen(&self, entry: Expectation, depth: u32) -> SeenEntry<S::Move> {
        SeenEntry {
            value: Score::Points(self.gained + entry.points),
            bound: Bound::Exact,
            depth: depth.max(entry.depth.into()),
            best: None,
        }
    }

    /// Returns the expectation at a chance node.
    fn chance_node(
        &mut self,
        position: &S::Position,
        depth: u32,
        ply: u32,
        probability: f64,
    ) -> Result<f64, Stopped> {
        let base = self.chances.len();
        self.rules.chances(position, &mut self.chances);
        if W::IS_RECORDING {
            let outcomes: Vec<_> = self.chances[base..].iter().map(|&(m, _)| m).collect();
            self.observer.order(&outcomes, &[]);
        }
        let mut sum = 0.0;
        for index in base..self.chances.len() {
            let (m, chance) = self.chances[index];
            sum += chance
                * self.search_child(position, m, depth - 1, ply + 1, probability * chance)?;
        }
        self.chances.truncate(base);
        Ok(sum)
    }

    /// Returns the best expectation at a decision node, or `None` if there is no legal move.
    fn decision_node(
        &mut self,
        position: &S::Position,
        side: Side,
        depth: u32,
        ply: u32,
        probability: f64,
    ) -> Result<Option<f64>, Stopped> {
        let base = self.moves.len();
        self.rules.moves(position, &mut self.moves);
        self.observer.order(&self.moves[base..], &[]);
        let mut best: Option<f64> = None;
        for index in base..self.moves.len() {
            let points =
                self.search_child(position, self.moves[index], depth - 1, ply + 1, probability)?;
            if best.is_none_or(|best| advantage(side, points, best) > 0.0) {
                best = Some(points);
            }
        }
        self.moves.truncate(base);
        Ok(best)
    }

    /// Returns the value of a game that is over.
    fn final_value(&mut self, position: &S::Position, ply: u32) -> f64 {
        self.leaves += 1;
        self.control.deepest = self.control.deepest.max(ply);
        self.rules.evaluate(position)
    }

    /// Returns a salt for keys (by XOR), so that each depth and minimum probability has its own table entries.
    #[inline]
    fn key_salt(&self, depth: u32) -> u64 {
        u64::from(depth | self.iteration << 8).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
