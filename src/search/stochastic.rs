//! Expectimax with the real chances of the dice (Michie, 1966), for games in which the points lie on the moves.

use super::memory::{Memory, PackedEntry};
use super::observer::{ExitReason, SearchObserver};
use super::root::{Root, RootMove};
use super::worst_case::WorstCase;
use super::{Search, SearchResult};
use crate::control::{Control, Stopped};
use crate::rules::{Stochastic, Turn};
use crate::value::{Bound, Score, Side, Window};

/// Expectations nearer than this, in points, are equal: what is left is rounding.
const EQUAL: f64 = 1e-9;
/// The share of points that may differ besides, since an [`Expectation`] that is remembered is rounded.
const ROUNDED: f64 = 1.0 / (1_u64 << 34) as f64;

/// Which positions a search does not look into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChancePruning {
    /// None: every position to the depth.
    Exact,
    /// Those that luck, whatever the player does, reaches with a probability below 10^(-depth / 2), where `depth` is
    /// that of the iteration. They are judged by the static evaluation as they are.
    ///
    /// An approximation: it gives up depth where it hardly matters for depth where it does. What it neglects at a node
    /// weighs as much as the node is likely, and the bound falls tenfold with each move of the player and each tile.
    Unlikely,
}

impl ChancePruning {
    /// The least probability of a position that is looked into at an iteration of `depth` plies.
    fn least_probability(self, depth: u32) -> f64 {
        match self {
            Self::Exact => 0.0,
            Self::Unlikely => 10_f64.powf(-0.5 * f64::from(depth)),
        }
    }
}

/// Expectimax with a memory and a watcher.
#[derive(Debug)]
pub struct StochasticExpectimax<M, W> {
    /// What it remembers.
    pub memory: M,
    /// What watches it.
    pub observer: W,
    /// Whether what is unlikely is judged without going deeper; if not, the expectations are exact.
    pub cut_off: ChancePruning,
    /// Whether the last search saw every game to its end.
    exhausted: bool,
}

impl<M, W> StochasticExpectimax<M, W> {
    /// A search that has seen nothing yet.
    pub fn new(memory: M, watch: W, cut_off: ChancePruning) -> Self {
        Self {
            memory,
            observer: watch,
            cut_off,
            exhausted: false,
        }
    }
}

/// What was found out about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation {
    /// The points expected from the position on, to 36 binary digits.
    pub points: f64,
    /// Plies searched below it, or [`Expectation::TO_THE_END`].
    pub depth: u8,
    /// How unlikely the position was when it was searched, in halvings: a more likely one is searched wider.
    pub halvings: u8,
}

impl Expectation {
    /// The depth of a position all of whose games were seen to their ends.
    pub const TO_THE_END: u8 = u8::MAX;
}

impl PackedEntry for Expectation {
    #[inline]
    fn pack(self) -> u64 {
        // Rounding to the nearest of the numbers that end in sixteen zeros.
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
        // A textbook's search judges every position by itself.
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
                // An expectation has no parts that bound it; a best move has.
                if chances.is_empty() {
                    progress(&found, reckoning.control);
                }
            }
        }
        // Where chance moves at the root, all of it is expected, though the line begins with its worst whim. Of several lines each
        // has the value of its own.
        if root.lines == 1 && root.moves.len() == chances.len() {
            found.score = Score::Points(expected);
        }
        found.leaves = reckoning.leaves;
        self.exhausted = reckoning.unfinished == 0;
        Ok(found)
    }

    fn forget(&mut self) {
        self.memory.forget();
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
        // Only where few positions are left is such a depth ever reached; there the end of all games is near.
        if depth < 16 { depth + 1 } else { depth * 2 }
    }
}

/// How much better `points` is than `other` for `side`.
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
    /// What sets the memories of this search apart from those of others with another bound; 0 where there is none.
    iteration: u32,
    /// The players' moves of all nodes on the way, end to end.
    moves: Vec<S::Move>,
    /// The whims of chance of all nodes on the way, end to end.
    chances: Vec<(S::Move, f64)>,
    leaves: u64,
    /// Leaves at which the game went on.
    unfinished: u64,
    /// Points scored on the way from the root, for the watcher, whose values are those of whole lines.
    gained: f64,
}

impl<S: Stochastic, M: Memory<Expectation>, W: SearchObserver<S::Move>> ExpectimaxRun<'_, S, M, W> {
    /// The points that `m` scores and those expected after it, `depth` more plies searched. `probability` is that of
    /// reaching the position after it if the players want to.
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
        // A memory that cuts off nothing does not care how likely a position is.
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

    /// What is known of a position: all of its games to their ends, or as many plies as asked for and no fewer chances.
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

    /// The expectation where chance moves.
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

    /// The best expectation for the player who chooses; none without a move.
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

    /// The value of a game that is over.
    fn over(&mut self, position: &S::Position, ply: u32) -> f64 {
        self.leaves += 1;
        self.control.deepest = self.control.deepest.max(ply);
        self.rules.evaluate(position)
    }

    /// Keeps apart in one memory what was expected of a position at different depths, which one iteration asks for in
    /// turn, and below different bounds.
    #[inline]
    fn key_salt(&self, depth: u32) -> u64 {
        u64::from(depth | self.iteration << 8).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
