//! Exact pruning without search, at most four plies above the leaves.
//!
//! The reference evaluation depends on the tigers' mobility, and a placed goat reduces it by a bounded amount. A
//! tiger move that stays good enough after any goat placement refutes these placements. Every bound proved here
//! holds for full minimax at the same depth.

use arrayvec::ArrayVec;

use super::board::{Board, MAX_DEGREE, MAX_TIGERS, Points};
use super::mobility::{MobilityState, landings};
use super::position::{Move, Position, goats_left, points_of};
use super::rules::Hunt;
use crate::bits::iter_ones;
use crate::processor;

/// Number of replies tried by the quick check. Two suffice in nine of ten nodes of an exact search of Aadu Puli: the
/// first leaves only its own target unproved, and the second covers it.
const MAX_QUICK_REPLIES: usize = 2;

/// Number of tiger steps that a goat on each point would block.
struct Blocking {
    /// `adjacent[n]` holds the points adjacent to more than `n` tigers.
    adjacent: [Points; MAX_TIGERS],
}

impl Blocking {
    #[inline(always)]
    fn new(board: &Board, tigers: Points) -> Self {
        let [mut one, mut two, mut three, mut four] = [0; MAX_TIGERS];
        for from in points_of(tigers) {
            let near = board.steps[from];
            four |= three & near;
            three |= two & near;
            two |= one & near;
            one |= near;
        }
        Self {
            adjacent: [one, two, three, four],
        }
    }

    /// Returns the points where a goat blocks at most `steps` steps.
    #[inline(always)]
    fn points_blocking_at_most(&self, steps: i32) -> Points {
        match usize::try_from(steps) {
            Err(_) => 0,
            Ok(steps) => !self.adjacent.get(steps).copied().unwrap_or(0),
        }
    }

    /// Returns the maximum number of steps that a goat on a point of `points` blocks.
    #[inline(always)]
    fn max_blocked(&self, points: Points) -> i32 {
        let numbers = self.adjacent.iter().filter(|set| *set & points != 0);
        numbers.count() as i32
    }
}

/// A tiger move that keeps the value at or below the bound if no further goat interferes.
struct TigerReply {
    m: Move,
    /// Number of steps that the goats may still block before the value exceeds the bound, if no capture is
    /// threatened.
    spare: i32,
    /// Value of the threatened captures, in points.
    threats: i32,
}

impl TigerReply {
    /// Returns the reply `m`, or `None` if its value exceeds `bound` points.
    #[inline(always)]
    fn new(state: &MobilityState<'_>, position: &Position, m: Move, bound: i32) -> Option<Self> {
        let (from, to) = (m.from(), m.to());
        let mobility = state.after_tiger_move(from, to);
        let goats = goats_left(&after(state.board(), position, m));
        let reply = Self {
            m,
            spare: spare_steps(goats, mobility.steps, bound),
            threats: 2 * mobility.captures as i32,
        };
        (reply.margin() >= 0).then_some(reply)
    }

    /// Returns by how many points the value is below the bound.
    #[inline(always)]
    fn margin(&self) -> i32 {
        self.spare + self.threats
    }
}

/// All tiger replies, retrieved best first.
struct TigerReplies {
    all: ArrayVec<TigerReply, MAX_REPLIES>,
    /// Rank of each reply: the margin, then earlier replies first. [`TAKEN_RANK`] after the reply is taken.
    ranks: ArrayVec<i32, MAX_REPLIES>,
}

const MAX_REPLIES: usize = MAX_TIGERS * MAX_DEGREE;
/// Factor between the margin and the index from the end in a rank.
const RANK_STRIDE: i32 = MAX_REPLIES as i32;
const TAKEN_RANK: i32 = -1;

impl TigerReplies {
    #[inline(always)]
    fn new(state: &MobilityState<'_>, position: &Position, bound: i32) -> Self {
        let mut all = ArrayVec::new();
        let mut ranks = ArrayVec::new();
        for m in state.tiger_moves() {
            if let Some(reply) = TigerReply::new(state, position, m, bound) {
                ranks.push(reply.margin() * RANK_STRIDE + RANK_STRIDE - 1 - all.len() as i32);
                all.push(reply);
            }
        }
        Self { all, ranks }
    }

    /// Returns the best reply not yet taken; of equal ones, the earliest.
    #[inline(always)]
    fn take_best(&mut self) -> Option<&TigerReply> {
        let mut best = TAKEN_RANK;
        for &rank in &self.ranks {
            best = best.max(rank);
        }
        if best == TAKEN_RANK {
            return None;
        }
        let number = (RANK_STRIDE - 1 - best % RANK_STRIDE) as usize;
        self.ranks[number] = TAKEN_RANK;
        Some(&self.all[number])
    }
}

/// A tiger reply with the goat placements that it refutes.
struct ReplyCoverage {
    spare: i32,
    threats: i32,
    /// Tigers after the reply.
    tigers: Points,
    /// Point that the moved tiger occupies after the reply.
    target: Points,
    /// Points where a goat removes a capture threat.
    landings: Points,
    blocking: Blocking,
    /// Empty points after the reply.
    empty: Points,
}

/// A first goat, and the second placements that are unproved after it.
#[derive(Clone, Copy)]
struct FirstGoat {
    point: Points,
    /// Adjacent points.
    near: Points,
    /// Second placements for which no reply is proved sufficient.
    unproved_seconds: Points,
}

type FirstGoats = ArrayVec<FirstGoat, { Points::BITS as usize }>;

impl ReplyCoverage {
    #[inline(always)]
    fn new(state: &MobilityState<'_>, position: &Position, reply: &TigerReply) -> Self {
        let board = state.board();
        let m = reply.m;
        let after = after(board, position, m);
        let captures = state.captures_after_tiger_move(m.from(), m.to());
        Self {
            spare: reply.spare,
            threats: reply.threats,
            tigers: after.tigers,
            target: 1 << m.to(),
            landings: landings(board, captures, after.tigers),
            blocking: Blocking::new(board, after.tigers),
            empty: after.empty(board),
        }
    }

    /// Returns the second placements that this reply refutes after `first`.
    ///
    /// The first goat blocks steps and removes a threat where it can.
    #[inline(always)]
    fn covers_after(&self, first: &FirstGoat) -> Points {
        let threats = if self.landings & first.point == 0 {
            self.threats
        } else {
            0
        };
        self.covers((first.near & self.tigers).count_ones() as i32, threats)
    }

    /// Returns the placements that this reply refutes after `lost_steps` steps are blocked and `threats` points
    /// of threats remain.
    #[inline(always)]
    fn covers(&self, lost_steps: i32, threats: i32) -> Points {
        let spare = self.spare - lost_steps;
        let unthreatened = self.blocking.points_blocking_at_most(spare);
        let threatened = self.blocking.points_blocking_at_most(spare + threats) & !self.landings;
        (unthreatened | threatened) & !self.target
    }
}

/// Returns the position after a tiger move, without a change of the side to move.
#[inline(always)]
fn after(board: &Board, position: &Position, m: Move) -> Position {
    let (from, to) = (m.from(), m.to());
    Position {
        tigers: position.tigers ^ (1 << from | 1 << to),
        goats: position.goats & !board.between(from, to),
        ..*position
    }
}

/// Returns how many tiger steps may be blocked while the value stays at most `bound` points.
///
/// At least one step must remain, because tigers without a move have lost.
#[inline(always)]
fn spare_steps(goats: u32, steps: u32, bound: i32) -> i32 {
    steps as i32 - (4 * goats as i32 - bound).max(1)
}

/// The goat placements that static pruning could not refute.
pub(crate) struct UnprovedPlacements {
    /// Points where a placement may exceed the bound.
    pub(crate) placements: Points,
    /// Number of positions examined.
    pub(crate) visited: u32,
}

impl Hunt {
    /// Returns the goat placements that may exceed `bound` points, two to four plies above the leaves.
    ///
    /// A tiger move refutes a placement if its value is low enough, the goat is not on its target, and the goat
    /// blocks few enough steps. At depth 3 and 4 the next goat, also a placement, must not break the refutation.
    pub(crate) fn unproved_placements(
        &self,
        position: &Position,
        depth: u32,
        bound: i32,
    ) -> UnprovedPlacements {
        processor::run(
            #[inline(always)]
            || {
                let state = MobilityState::new(self.board, position);
                let all = MAX_REPLIES;
                let mut unproved = self.unproved_after_replies(&state, position, depth, bound, all);
                self.resolve_captures(&state, position, depth, bound, &mut unproved);
                unproved
            },
        )
    }

    /// Returns the placements that the [`MAX_QUICK_REPLIES`] best replies do not refute. Cheaper than
    /// [`Self::unproved_placements`], and often sufficient.
    pub(crate) fn quick_unproved_placements(
        &self,
        position: &Position,
        depth: u32,
        bound: i32,
    ) -> UnprovedPlacements {
        processor::run(
            #[inline(always)]
            || {
                let state = MobilityState::new(self.board, position);
                self.unproved_after_replies(&state, position, depth, bound, MAX_QUICK_REPLIES)
            },
        )
    }

    /// Returns the placements that the best `max_replies` tiger replies do not refute. The first replies often
    /// refute all.
    #[inline(always)]
    fn unproved_after_replies(
        &self,
        state: &MobilityState<'_>,
        position: &Position,
        depth: u32,
        bound: i32,
        max_replies: usize,
    ) -> UnprovedPlacements {
        let mut replies = TigerReplies::new(state, position, bound);
        let mut unproved = UnprovedPlacements {
            placements: position.empty(self.board),
            visited: replies.all.len() as u32,
        };
        for _ in 0..max_replies {
            let Some(reply) = replies.take_best() else {
                break;
            };
            unproved.placements &= if depth > 3 {
                self.unproved_after_reply(state, position, reply.m, bound, &mut unproved)
            } else {
                let coverage = ReplyCoverage::new(state, position, reply);
                if depth == 2 {
                    !coverage.covers(0, coverage.threats)
                } else {
                    !coverage.covers(coverage.blocking.max_blocked(coverage.empty), 0)
                }
            };
            if unproved.placements == 0 {
                break;
            }
        }
        unproved
    }

    /// Returns the first placements that `first_reply` does not refute against every second placement.
    #[inline(always)]
    fn unproved_after_reply(
        &self,
        state: &MobilityState<'_>,
        position: &Position,
        first_reply: Move,
        bound: i32,
        unproved: &mut UnprovedPlacements,
    ) -> Points {
        let position = &after(self.board, position, first_reply);
        let state = state.played(first_reply, position);
        let empty = position.empty(self.board);
        let in_the_way = 1 << first_reply.to();
        let mut firsts = FirstGoats::new();
        for point in points_of(unproved.placements & !in_the_way) {
            firsts.push(FirstGoat {
                point: 1 << point,
                near: self.board.steps[point],
                unproved_seconds: empty & !(1 << point),
            });
        }
        for m in state.tiger_moves() {
            if firsts.is_empty() {
                break;
            }
            let Some(reply) = TigerReply::new(&state, position, m, bound) else {
                continue;
            };
            unproved.visited += 1;
            let coverage = ReplyCoverage::new(&state, position, &reply);
            let mut remaining = 0;
            for index in 0..firsts.len() {
                let mut first = firsts[index];
                if coverage.target & first.point == 0 {
                    first.unproved_seconds &= !coverage.covers_after(&first);
                }
                firsts[remaining] = first;
                remaining += usize::from(first.unproved_seconds != 0);
            }
            firsts.truncate(remaining);
        }
        let mut remaining = in_the_way;
        for first in &firsts {
            remaining |= first.point;
        }
        remaining
    }

    /// Removes placements of goats whose immediate capture keeps the value at most `bound` points.
    #[inline(always)]
    fn resolve_captures(
        &self,
        state: &MobilityState<'_>,
        position: &Position,
        depth: u32,
        bound: i32,
        unproved: &mut UnprovedPlacements,
    ) {
        let board = self.board;
        for number in iter_ones(state.captures_over(unproved.placements)) {
            let triple = board.triples[number];
            let captured = 1 << triple.middle;
            if unproved.placements & captured == 0 {
                continue;
            }
            let (from, to) = triple.jump(position.tigers);
            let next = Position {
                hand: position.hand - 1,
                ..after(board, position, Move::go(from, to))
            };
            unproved.visited += 1;
            let mobility = self.mobility(&next);
            let spare = spare_steps(goats_left(&next), mobility.steps, bound);
            let is_refuted = match depth {
                2 => spare + 2 * mobility.captures as i32 >= 0,
                3 => spare >= Blocking::new(board, next.tigers).max_blocked(next.empty(board)),
                _ => {
                    let second = self.unproved_placements(&next, 2, bound);
                    unproved.visited += second.visited;
                    second.placements == 0
                }
            };
            if is_refuted {
                unproved.placements &= !captured;
            }
        }
    }

    /// Returns `true` if some tiger move keeps the value at most `bound` points, with the tigers to move two
    /// plies above the leaves. Also returns the number of positions examined.
    #[inline(always)]
    pub(crate) fn tigers_refute(&self, position: &Position, bound: i32) -> (bool, u32) {
        let state = MobilityState::new(self.board, position);
        let mut visited = 0;
        for m in state.tiger_moves() {
            visited += 1;
            let Some(reply) = TigerReply::new(&state, position, m, bound) else {
                continue;
            };
            let coverage = ReplyCoverage::new(&state, position, &reply);
            if coverage.spare >= coverage.blocking.max_blocked(coverage.empty) {
                return (true, visited);
            }
        }
        (false, visited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::Evaluation;
    use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
    use crate::random::Random;
    use crate::rules::{Game, Rules};
    use crate::search::Evaluator;
    use crate::value::{Side, Value};

    /// Plain minimax without pruning.
    fn minimax(game: &Hunt, position: &Position, depth: u32) -> Value {
        if let Some(outcome) = game.outcome(position) {
            return outcome.value(0);
        }
        if depth == 0 {
            return Evaluation::Reference.evaluate(game, position);
        }
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let values = moves
            .iter()
            .map(|&m| minimax(game, &game.play(position, m), depth - 1));
        match game.side(position) {
            Side::P1 => values.max(),
            Side::P2 => values.min(),
        }
        .unwrap_or(Value::ZERO)
    }

    /// Returns a position with random pieces and the goats to place one in hand.
    fn random_position(board: &Board, random: &mut Random) -> Position {
        let mut points: Vec<usize> = (0..board.points).collect();
        random.shuffle(&mut points);
        let set = |points: &[usize]| points.iter().map(|point| 1 << point).sum();
        let tigers = board.tigers.count_ones() as usize;
        let hand = random.u32(2..=4);
        let goats = random.index(1 + 12.min((board.goats - hand) as usize));
        Position {
            tigers_hand: 0,
            tigers: set(&points[..tigers]),
            goats: set(&points[tigers..tigers + goats]),
            hand: hand as u8,
            tigers_to_move: false,
        }
    }

    #[test]
    fn pruned_placements_do_not_exceed_the_bound() {
        let mut pruned = [0; 5];
        let mut quick_cutoffs = 0;
        for board in [&*AADU_PULI, &*BAGH_CHAL] {
            let game = Hunt::new(board);
            let mut random = Random::new(1);
            for _ in 0..400 {
                let position = random_position(board, &mut random);
                if game.outcome(&position).is_some() {
                    continue;
                }
                for depth in 2..=4 {
                    let center = Evaluation::Reference.evaluate(&game, &position).0 / 100;
                    let bound = center + random.u32(..11) as i32 - 4;
                    let unproved = game.unproved_placements(&position, depth, bound);
                    let quick = game.quick_unproved_placements(&position, depth, bound);
                    assert_eq!(
                        unproved.placements & !quick.placements,
                        0,
                        "{position:?} {bound}"
                    );
                    quick_cutoffs += u32::from(quick.placements == 0);
                    for point in points_of(position.empty(board) & !unproved.placements) {
                        let child = game.play(&position, Move::place(point));
                        let value = minimax(&game, &child, depth - 1);
                        assert!(
                            value <= Value::points(bound),
                            "{position:?} {point} {bound}"
                        );
                        pruned[depth as usize] += 1;
                    }
                }
            }
        }
        assert!(pruned[2..].iter().all(|&number| number > 500), "{pruned:?}");
        assert!(quick_cutoffs > 500, "{quick_cutoffs}");
    }
}
