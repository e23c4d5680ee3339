//! Expectimax with chance nodes (Michie 1966), for games in which moves gain points.

use super::memory::{Memory, PackedEntry};
use super::observer::{ExitReason, SearchObserver};
use super::root::{Root, RootMove};
use super::worst_case::WorstCase;
use super::{Search, SearchResult};
use crate::control::{Control, Stopped};
use crate::rules::{Stochastic, Turn};
use crate::value::{Bound, Score, Side, Window};

/// Difference of expectations, in points, up to which they count as equal.
const EQUAL: f64 = 1e-9;
/// Relative difference up to which expectations also count as equal, because stored expectations are rounded.
const ROUNDED: f64 = 1.0 / (1_u64 << 34) as f64;

/// The positions that a search does not look into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChancePruning {
    /// None: every position is searched to the depth.
    Exact,
    /// Positions whose probability, over all chance nodes on the way, is below 10^(-depth / 2), where `depth` is
    /// that of the iteration. They get their static evaluation.
    ///
    /// This is an approximation. Its error at a node is weighted by the node's probability, and the bound falls
    /// tenfold with each move and tile.
    Unlikely,
}

impl ChancePruning {
    /// Returns the minimum probability of a searched position in an iteration of `depth` plies.
    fn least_probability(self, depth: u32) -> f64 {
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
    /// The pruning of unlikely positions. Without it, expectations are exact.
    pub cut_off: ChancePruning,
    /// `true` if the last search saw every game to its end.
    exhausted: bool,
}

impl<M, W> StochasticExpectimax<M, W> {
    /// Creates a search.
    pub fn new(memory: M, watch: W, cut_off: ChancePruning) -> Self {
        Self {
            memory,
            observer: watch,
            cut_off,
            exhausted: false,
        }
    }
}

/// A stored expectation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation {
    /// Expected points from the position on, rounded to 36 significant bits.
    pub points: f64,
    /// Plies searched below the position, or [`Expectation::TO_THE_END`].
    pub depth: u8,
    /// Improbability of the position when it was searched, in bits. More likely positions are searched wider.
    pub(crate) halvings: u8,
}

impl Expectation {
    /// The depth of a position whose games were all seen to their ends.
    pub(crate) const TO_THE_END: u8 = u8::MAX;
}

impl PackedEntry for Expectation {
    #[inline]
    fn pack(self) -> u64 {
        // Round to the nearest number whose last 16 bits are zero.
        let points = self.points.to_bits().saturating_add(1 << 15);
        points & !0xFFFF | u64::from(self.depth) << 8 | u64::from(self.halvings)
    }

    #[inline]
    fn unpack(bits: u64) -> Self {
        Self {
            points: f64::from_bits(bits & !0xFFFF),
            depth: (bits >> 8) as u8,
            halvings: bits as u8,
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
        // A textbook search evaluates every position by the same evaluator.
        let seen = match self.cut_off {
            ChancePruning::Exact => None,
            ChancePruning::Unlikely => game.0.seen_from(position),
        };
        let rules = seen.as_ref().unwrap_or(&game.0);
        let side = root.side(game);
        self.exhausted = false;
        control.deepest = 0;
        let mut reckoning = ExpectimaxRun {
            rules,
            control,
            memory: &self.memory,
            observer: &mut self.observer,
            least_probability: self.cut_off.least_probability(depth),
            iteration: if self.cut_off == ChancePruning::Exact {
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
        let mut best: Option<(RootMove<S::Move>, f64)> = None;
        let mut found = SearchResult {
            score: Score::Points(0.0),
            bound: Bound::Exact,
            line: Vec::new(),
            leaves: 0,
        };
        let mut expected = 0.0;
        for &candidate in &root.moves {
            let chance = chances
                .iter()
                .find(|(m, _)| *m == candidate.m)
                .map_or(1.0, |&(_, chance)| chance);
            let points = reckoning.through(position, candidate.m, depth - 1, 1, chance)?;
            expected += chance * points;
            let is_better = best.is_none_or(|(chosen, best)| {
                let equal = EQUAL + ROUNDED * best.abs();
                let slack = if candidate.rank < chosen.rank {
                    -equal
                } else {
                    equal
                };
                advantage(side, points, best) > slack
            });
            if is_better {
                best = Some((candidate, points));
                found.score = Score::Points(points);
                found.line = vec![candidate.m];
                // Chance outcomes have no bounds; a best move has.
                if chances.is_empty() {
                    progress(&found, reckoning.control);
                }
            }
        }
        // At a chance node with one line, the score is the expectation of all outcomes, although the line starts
        // with the worst one. With several lines, each has the score of its own outcome.
        if root.lines == 1 && root.moves.len() == chances.len() {
            found.score = Score::Points(expected);
        }
        found.leaves = reckoning.leaves;
        self.exhausted = reckoning.unfinished == 0;
        Ok(found)
    }

    fn clear(&mut self) {
        self.memory.clear();
    }

    fn hashfull(&self) -> u32 {
        self.memory.hashfull()
    }

    fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    fn is_reference(&self) -> bool {
        self.cut_off == ChancePruning::Exact
    }

    fn next_depth(&self, depth: u32, _last: u32) -> u32 {
        // Only positions near the end of the game reach such depths.
        if depth < 16 { depth + 1 } else { depth * 2 }
    }
}

/// Returns the advantage of `points` over `other` for `side`.
#[inline]
fn advantage(side: Side, points: f64, other: f64) -> f64 {
    match side {
        Side::P1 => points - other,
        Side::P2 => other - points,
    }
}

struct ExpectimaxRun<'a, S: Stochastic, M, W> {
    rules: &'a S,
    control: &'a mut Control,
    memory: &'a M,
    observer: &'a mut W,
    least_probability: f64,
    /// Key salt of iterations with a probability bound; 0 without a bound.
    iteration: u32,
    /// The decision moves of all nodes on the path, end to end.
    moves: Vec<S::Move>,
    /// The chance outcomes of all nodes on the path, end to end.
    chances: Vec<(S::Move, f64)>,
    leaves: u64,
    /// Number of leaves at which the game was not over.
    unfinished: u64,
    /// Points gained since the root. The observer's values are those of whole lines.
    gained: f64,
}

impl<S: Stochastic, M: Memory<Expectation>, W: SearchObserver<S::Move>> ExpectimaxRun<'_, S, M, W> {
    /// Returns the points that `m` gains plus those expected after it, searched `depth` plies deeper. `probability`
    /// is that of reaching the position if the players cooperate.
    #[inline]
    fn through(
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
        let (points, left) = self.expected(&child, depth, ply, probability)?;
        self.observer
            .leave(Score::Points(self.gained + points), left);
        self.gained -= gain;
        Ok(gain + points)
    }

    fn expected(
        &mut self,
        position: &S::Position,
        depth: u32,
        ply: u32,
        probability: f64,
    ) -> Result<(f64, ExitReason), Stopped> {
        if depth == 0 || probability < self.least_probability {
            self.leaves += 1;
            self.control.deepest = self.control.deepest.max(ply);
            self.unfinished += u64::from(!self.rules.is_over(position));
            return Ok((self.rules.evaluate(position), ExitReason::Leaf));
        }
        // Without pruning, the probability of a position does not matter.
        let halvings = if self.least_probability > 0.0 {
            -probability.log2() as u8
        } else {
            0
        };
        let key = (M::ENABLED).then(|| self.rules.key(position));
        if let Some(known) = key.and_then(|key| self.remembered(key, depth, halvings)) {
            self.unfinished += u64::from(known.depth != Expectation::TO_THE_END);
            return Ok((known.points, ExitReason::Remembered));
        }
        let unfinished = self.unfinished;
        let points = match self.rules.turn(position) {
            Turn::Chance => self.drawn(position, depth, ply, probability)?,
            Turn::Player(side) => match self.chosen(position, side, depth, ply, probability)? {
                Some(points) => points,
                None => return Ok((self.over(position, ply), ExitReason::Leaf)),
            },
        };
        if let Some(key) = key {
            if self.unfinished == unfinished {
                self.memory.put(
                    key,
                    Expectation {
                        points,
                        depth: Expectation::TO_THE_END,
                        halvings: 0,
                    },
                );
            } else {
                self.memory.put(
                    key ^ self.key_salt(depth),
                    Expectation {
                        points,
                        depth: depth as u8,
                        halvings,
                    },
                );
            }
        }
        Ok((points, ExitReason::Searched))
    }

    /// Returns a stored expectation that was searched at least as deep, or to the end, and at least as wide.
    fn remembered(&self, key: u64, depth: u32, halvings: u8) -> Option<Expectation> {
        let whole = self
            .memory
            .get(key)
            .filter(|known| known.depth == Expectation::TO_THE_END);
        whole.or_else(|| {
            let known = self.memory.get(key ^ self.key_salt(depth));
            known.filter(|known| u32::from(known.depth) == depth && known.halvings <= halvings)
        })
    }

    /// Returns the expectation at a chance node.
    fn drawn(
        &mut self,
        position: &S::Position,
        depth: u32,
        ply: u32,
        probability: f64,
    ) -> Result<f64, Stopped> {
        let base = self.chances.len();
        self.rules.chances(position, &mut self.chances);
        let mut sum = 0.0;
        for index in base..self.chances.len() {
            let (m, chance) = self.chances[index];
            sum += chance * self.through(position, m, depth - 1, ply + 1, probability * chance)?;
        }
        self.chances.truncate(base);
        Ok(sum)
    }

    /// Returns the best expectation at a decision node, or `None` if there is no move.
    fn chosen(
        &mut self,
        position: &S::Position,
        side: Side,
        depth: u32,
        ply: u32,
        probability: f64,
    ) -> Result<Option<f64>, Stopped> {
        let base = self.moves.len();
        self.rules.moves(position, &mut self.moves);
        let mut best: Option<f64> = None;
        for index in base..self.moves.len() {
            let points =
                self.through(position, self.moves[index], depth - 1, ply + 1, probability)?;
            if best.is_none_or(|best| advantage(side, points, best) > 0.0) {
                best = Some(points);
            }
        }
        self.moves.truncate(base);
        Ok(best)
    }

    /// Returns the value of a game that is over.
    fn over(&mut self, position: &S::Position, ply: u32) -> f64 {
        self.leaves += 1;
        self.control.deepest = self.control.deepest.max(ply);
        self.rules.evaluate(position)
    }

    /// Returns the key salt that separates expectations of different depths and probability bounds in one table.
    #[inline]
    fn key_salt(&self, depth: u32) -> u64 {
        u64::from(depth | self.iteration << 8).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
