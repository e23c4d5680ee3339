//! Exact pruning two to four plies above the leaves: proves that goat placements fail low, without searching them.
//!
//! From the goats' view, the reference value is 4 points per goat, minus the tigers' steps, minus 2 per capture. A
//! placed goat reduces the tigers' mobility only by blocking the steps of adjacent tigers to its point and the
//! captures that land there. So one tiger move often refutes most placements at once: after it, the value is at most
//! alpha for almost every point of the goat.
//!
//! In this file, `bound` is alpha in points. A *reply* is a tiger move after a goat placement. A *threat* is a capture
//! that the tigers can make after their reply. A placement is *refuted* if a reply is proved to keep the value at most
//! `bound`. All other placements are *unproved*. Every bound proved here holds for full minimax at the same depth.

use arrayvec::ArrayVec;

use super::board::{Board, MAX_DEGREE, MAX_TIGERS, Points};
use super::mobility::{MobilityState, landings};
use super::position::{Move, Position, goats_left, points_of};
use super::rules::Hunt;
use crate::bits::iter_ones;
use crate::processor;

/// Maximum number of replies tried by [`Hunt::quick_unproved_placements`]. Two replies refute all placements in nine
/// of ten nodes of an exact search of Aadu Puli. Usually the first reply refutes every placement except on its own
/// target, and the second reply refutes this placement.
const MAX_QUICK_REPLIES: usize = 2;

/// For each point, the number of tiger steps that a goat there would block: the number of adjacent tigers.
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
        let levels = self.adjacent.iter().filter(|set| *set & points != 0);
        levels.count() as i32
    }
}

/// A tiger move after which the value is at most the bound, unless the placed goat blocks a step or a capture.
struct TigerReply {
    m: Move,
    /// Number of steps that goats may block before the value exceeds the bound, without the threats. Negative if the
    /// bound holds only because of the threats.
    spare: i32,
    /// Value of the threats in points, 2 per capture.
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

    /// Returns the points in steps and threats that the tigers can lose before the value exceeds the bound.
    #[inline(always)]
    fn margin(&self) -> i32 {
        self.spare + self.threats
    }
}

/// All tiger replies of a position, retrieved in order of decreasing margin.
struct TigerReplies {
    all: ArrayVec<TigerReply, MAX_REPLIES>,
    /// Rank of each reply in `all`: its margin times [`RANK_STRIDE`], plus a tie-break that is larger for earlier
    /// replies. A taken reply has rank [`TAKEN_RANK`].
    ranks: ArrayVec<i32, MAX_REPLIES>,
}

/// Maximum number of tiger moves. Adjacent points are on one line only, so a tiger has at most one step or jump
/// towards each neighbor.
const MAX_REPLIES: usize = MAX_TIGERS * MAX_DEGREE;
/// Factor of the margin in a rank.
const RANK_STRIDE: i32 = MAX_REPLIES as i32;
/// Rank of a taken reply, below every other rank.
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

    /// Takes and returns the reply with the largest margin, the earliest among equal margins.
    #[inline(always)]
    fn take_best(&mut self) -> Option<&TigerReply> {
        let mut best = TAKEN_RANK;
        for &rank in &self.ranks {
            best = best.max(rank);
        }
        if best == TAKEN_RANK {
            return None;
        }
        let index = (RANK_STRIDE - 1 - best % RANK_STRIDE) as usize;
        self.ranks[index] = TAKEN_RANK;
        Some(&self.all[index])
    }
}

/// A tiger reply, with the sets of points that determine which goat placements it refutes.
struct ReplyCoverage {
    /// As in [`TigerReply`].
    spare: i32,
    /// As in [`TigerReply`].
    threats: i32,
    /// Tigers after the reply.
    tigers: Points,
    /// Target point of the reply, as a set. A goat there makes the reply illegal.
    target: Points,
    /// Points where a goat blocks a threat.
    landings: Points,
    blocking: Blocking,
    /// Empty points after the reply.
    empty: Points,
}

/// A placement four plies above the leaves, with its unproved second placements.
#[derive(Clone, Copy)]
struct FirstPlacement {
    /// Point of the placed goat, as a set.
    point: Points,
    /// Points adjacent to `point`.
    near: Points,
    /// Points of the second placements not refuted by any second reply so far.
    unproved_seconds: Points,
}

type FirstPlacements = ArrayVec<FirstPlacement, { Points::BITS as usize }>;

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

    /// Returns the second placements that this reply refutes after the first placement `first`.
    ///
    /// The first goat blocks a step of each adjacent tiger. If a threat lands on its point, threats count as 0.
    #[inline(always)]
    fn refuted_seconds(&self, first: &FirstPlacement) -> Points {
        let threats = if self.landings & first.point == 0 {
            self.threats
        } else {
            0
        };
        self.refuted_placements((first.near & self.tigers).count_ones() as i32, threats)
    }

    /// Returns the placements that this reply refutes if other goats block `lost_steps` steps and leave threats
    /// of `threats` points in total.
    ///
    /// If the placed goat itself blocks a threat, threats count as 0.
    #[inline(always)]
    fn refuted_placements(&self, lost_steps: i32, threats: i32) -> Points {
        let spare = self.spare - lost_steps;
        let without_threats = self.blocking.points_blocking_at_most(spare);
        let with_threats = self.blocking.points_blocking_at_most(spare + threats) & !self.landings;
        (without_threats | with_threats) & !self.target
    }
}

/// Returns the position after a tiger move, with the tigers still to move.
#[inline(always)]
fn after(board: &Board, position: &Position, m: Move) -> Position {
    let (from, to) = (m.from(), m.to());
    Position {
        tigers: position.tigers ^ (1 << from | 1 << to),
        goats: position.goats & !board.between(from, to),
        ..*position
    }
}

/// Returns the number of the tigers' `steps` that may be blocked while the value, without captures, is at most
/// `bound` points. `goats` is the number of goats on the board and in hand.
///
/// At least one step must remain, because tigers without a move have lost.
#[inline(always)]
fn spare_steps(goats: u32, steps: u32, bound: i32) -> i32 {
    steps as i32 - (4 * goats as i32 - bound).max(1)
}

/// The goat placements that static pruning does not refute.
pub(crate) struct UnprovedPlacements {
    /// Points where a placed goat may lead to a value above the bound.
    pub(crate) placements: Points,
    /// Number of positions examined.
    pub(crate) visited: u32,
}

impl Hunt {
    /// Returns the goat placements whose value may exceed `bound` points. `depth` is the number of plies from
    /// `position` to the leaves, 2 to 4. All goat moves in these plies must be placements.
    ///
    /// At depth 2, a reply refutes a placement if the goat is not on the reply's target and blocks few enough steps and
    /// threats. At depth 3, the value must be at most `bound` after every second placement. At depth 4, a second tiger
    /// move must refute every second placement.
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

    /// Returns the placements that the [`MAX_QUICK_REPLIES`] replies with the largest margins do not refute: often
    /// none, at less cost than [`Self::unproved_placements`].
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

    /// Returns the placements that the `max_replies` replies with the largest margins do not refute. Stops early when
    /// all placements are refuted.
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
                    !coverage.refuted_placements(0, coverage.threats)
                } else {
                    // Assume that the second goat blocks the maximum number of steps and all threats.
                    !coverage.refuted_placements(coverage.blocking.max_blocked(coverage.empty), 0)
                }
            };
            if unproved.placements == 0 {
                break;
            }
        }
        unproved
    }

    /// Returns the first placements that are unproved at depth 4 if the tigers reply with `first_reply`: a second
    /// placement exists that no second tiger move is proved to refute.
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
        let target = 1 << first_reply.to();
        let mut firsts = FirstPlacements::new();
        for point in points_of(unproved.placements & !target) {
            firsts.push(FirstPlacement {
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
            let mut kept = 0;
            for index in 0..firsts.len() {
                let mut first = firsts[index];
                if coverage.target & first.point == 0 {
                    first.unproved_seconds &= !coverage.refuted_seconds(&first);
                }
                firsts[kept] = first;
                kept += usize::from(first.unproved_seconds != 0);
            }
            firsts.truncate(kept);
        }
        let mut unproved_firsts = target;
        for first in &firsts {
            unproved_firsts |= first.point;
        }
        unproved_firsts
    }

    /// Removes a placement from `unproved` if the tigers can capture the placed goat at once and the capture is proved
    /// to keep the value at most `bound` points.
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
        for index in iter_ones(state.captures_over(unproved.placements)) {
            let triple = board.triples[index];
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
            // After the capture, the remaining plies are: none at depth 2, a second placement at depth 3, a
            // second placement and a tiger move at depth 4.
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

    /// Returns `true` if a tiger move is proved to keep the value at most `bound` points, two plies above the leaves
    /// with the tigers to move. Also returns the number of positions examined.
    ///
    /// The proof ignores threats, so it holds for placements and steps of the goats.
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

    /// Returns a position with random pieces, 2 to 4 goats in hand and the goats to move.
    fn random_position(board: &Board, random: &mut Random) -> Position {
        let mut points: Vec<usize> = (0..board.points).collect();
        random.shuffle(&mut points);
        let set = |points: &[usize]| points.iter().map(|point| 1 << point).sum();
        let tigers = board.tigers.count_ones() as usize;
        let hand = random.u32(2..=4);
        let goats = random.index(1 + 12.min((board.goats - hand) as usize));
        Position {
            tigers: set(&points[..tigers]),
            goats: set(&points[tigers..tigers + goats]),
            hand: hand as u8,
            tigers_to_move: false,
            ..Position::default()
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
