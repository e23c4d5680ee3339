//! What can be told up to four plies before the horizon without a search: the evaluation is the tigers' mobility, and
//! a goat more can take only so much of it away.
//!
//! Everything here is exact: what is claimed of a move's value at a depth is true of minimax's value at that depth.

use arrayvec::ArrayVec;

use super::board::{Board, MAX_DEGREE, MAX_TIGERS, Points};
use super::mobility::{MobilityState, landings};
use super::position::{Move, Position, goats_left, points_of};
use super::rules::Hunt;
use crate::bits::iter_ones;
use crate::processor;

/// How many answers a glance takes in. Nine of ten nodes of an exact search of Aadu Puli need two: one that leaves doubt about a
/// goat in its way alone, and another for that.
const FEW_ANSWERS: usize = 2;

/// How many tigers' steps a goat on each point would take.
struct Blocking {
    /// `next_to[n]`: the points next to more than `n` tigers.
    next_to: [Points; MAX_TIGERS],
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
            next_to: [one, two, three, four],
        }
    }

    /// The points where a goat takes at most `steps` steps.
    #[inline(always)]
    fn at_most(&self, steps: i32) -> Points {
        match usize::try_from(steps) {
            Err(_) => 0,
            Ok(steps) => !self.next_to.get(steps).copied().unwrap_or(0),
        }
    }

    /// The most steps that a goat on one of these points takes.
    #[inline(always)]
    fn most(&self, points: Points) -> i32 {
        let numbers = self.next_to.iter().filter(|set| *set & points != 0);
        numbers.count() as i32
    }
}

/// A tigers' move that is worth enough to be an answer to goats that are still to be placed.
struct TigerReply {
    m: Move,
    /// How many steps the goats may still take away before the move is worth too little, its threats not counted.
    spare: i32,
    /// What its threats to capture are worth, in points.
    threats: i32,
}

impl TigerReply {
    /// A tigers' move, if it is worth enough.
    #[inline(always)]
    fn new(outlook: &MobilityState<'_>, position: &Position, m: Move, most: i32) -> Option<Self> {
        let (from, to) = (m.from(), m.to());
        let mobility = outlook.after_tiger_move(from, to);
        let goats = goats_left(&after(outlook.board(), position, m));
        let candidate = Self {
            m,
            spare: spare_steps(goats, mobility.steps, most),
            threats: 2 * mobility.captures as i32,
        };
        (candidate.worth() >= 0).then_some(candidate)
    }

    /// How much better it is than it has to be, in points.
    #[inline(always)]
    fn worth(&self) -> i32 {
        self.spare + self.threats
    }
}

/// All candidates, to be taken best first.
struct TigerReplies {
    all: ArrayVec<TigerReply, MAX_CANDIDATES>,
    /// By candidate what orders it, the worth before the number from the end; less than nothing once it is taken.
    ranks: ArrayVec<i32, MAX_CANDIDATES>,
}

const MAX_CANDIDATES: usize = MAX_TIGERS * MAX_DEGREE;
/// Below a candidate's worth its rank has its number from the end.
const NUMBERS: i32 = MAX_CANDIDATES as i32;
const TAKEN: i32 = -1;

impl TigerReplies {
    #[inline(always)]
    fn new(outlook: &MobilityState<'_>, position: &Position, most: i32) -> Self {
        let mut all = ArrayVec::new();
        let mut ranks = ArrayVec::new();
        for m in outlook.tiger_moves() {
            if let Some(candidate) = TigerReply::new(outlook, position, m, most) {
                ranks.push(candidate.worth() * NUMBERS + NUMBERS - 1 - all.len() as i32);
                all.push(candidate);
            }
        }
        Self { all, ranks }
    }

    /// The best that was not taken yet, of equals the first.
    #[inline(always)]
    fn take(&mut self) -> Option<&TigerReply> {
        let mut best = TAKEN;
        for &rank in &self.ranks {
            best = best.max(rank);
        }
        if best == TAKEN {
            return None;
        }
        let number = (NUMBERS - 1 - best % NUMBERS) as usize;
        self.ranks[number] = TAKEN;
        Some(&self.all[number])
    }
}

/// What goats can do about a candidate.
struct Answer {
    spare: i32,
    threats: i32,
    /// The tigers after it.
    tigers: Points,
    /// The point that the tiger takes.
    taken: Points,
    /// Where a goat can end a threat.
    landings: Points,
    blocking: Blocking,
    /// The empty points after it.
    empty: Points,
}

/// A first goat, and what it leaves to a second one.
#[derive(Clone, Copy)]
struct First {
    point: Points,
    /// The points next to it.
    near: Points,
    /// Where a second goat leaves doubt.
    seconds: Points,
}

type Firsts = ArrayVec<First, { Points::BITS as usize }>;

impl Answer {
    #[inline(always)]
    fn new(outlook: &MobilityState<'_>, position: &Position, candidate: &TigerReply) -> Self {
        let board = outlook.board();
        let m = candidate.m;
        let after = after(board, position, m);
        let captures = outlook.captures_after_tiger_move(m.from(), m.to());
        Self {
            spare: candidate.spare,
            threats: candidate.threats,
            tigers: after.tigers,
            taken: 1 << m.to(),
            landings: landings(board, captures, after.tigers),
            blocking: Blocking::new(board, after.tigers),
            empty: after.empty(board),
        }
    }

    /// Where a goat leaves the move possible and worth enough, when the first has done what it could.
    #[inline(always)]
    fn covers_after(&self, first: &First) -> Points {
        let threats = if self.landings & first.point == 0 {
            self.threats
        } else {
            0
        };
        self.covers((first.near & self.tigers).count_ones() as i32, threats)
    }

    /// The same when `taken` steps are gone, and so much is left of the threats.
    #[inline(always)]
    fn covers(&self, taken: i32, threats: i32) -> Points {
        let spare = self.spare - taken;
        let unthreatened = self.blocking.at_most(spare);
        let threatened = self.blocking.at_most(spare + threats) & !self.landings;
        (unthreatened | threatened) & !self.taken
    }
}

/// What a tigers' move makes of a position, whoever is to move.
#[inline(always)]
fn after(board: &Board, position: &Position, m: Move) -> Position {
    let (from, to) = (m.from(), m.to());
    Position {
        tigers: position.tigers ^ (1 << from | 1 << to),
        goats: position.goats & !board.between(from, to),
        ..*position
    }
}

/// How many of the tigers' steps may be lost for the value to stay at most `most` points. At least one step has to be
/// left: shut in, the tigers would have lost.
#[inline(always)]
fn spare_steps(goats: u32, steps: u32, most: i32) -> i32 {
    steps as i32 - (4 * goats as i32 - most).max(1)
}

/// Where goats to be placed may make the value exceed a bound; elsewhere they do not.
pub struct UnprovedPlacements {
    /// The points.
    pub placements: Points,
    /// How many positions were looked at.
    pub visited: u32,
}

impl Hunt {
    /// Goats to place, two to four plies before the horizon: where a goat might make the value exceed `most` points.
    ///
    /// A tigers' move answers a placement if it is worth enough now, and the goat stands neither in its way nor next
    /// to so many tigers that too little is left; nor can the goat after it, which has to be placed too.
    pub fn doubtful_placements(
        &self,
        position: &Position,
        depth: u32,
        most: i32,
    ) -> UnprovedPlacements {
        processor::run(
            #[inline(always)]
            || {
                let outlook = MobilityState::new(self.board, position);
                let all = MAX_CANDIDATES;
                let mut doubt = self.doubt_after_answers(&outlook, position, depth, most, all);
                self.resolve_captures(&outlook, position, depth, most, &mut doubt);
                doubt
            },
        )
    }

    /// The same by the best few answers alone: sooner told, and often all that there is to tell.
    pub fn placements_at_a_glance(
        &self,
        position: &Position,
        depth: u32,
        most: i32,
    ) -> UnprovedPlacements {
        processor::run(
            #[inline(always)]
            || {
                let outlook = MobilityState::new(self.board, position);
                self.doubt_after_answers(&outlook, position, depth, most, FEW_ANSWERS)
            },
        )
    }

    /// Where doubt remains after so many answers, the best first: the first of them often end all doubt.
    #[inline(always)]
    fn doubt_after_answers(
        &self,
        outlook: &MobilityState<'_>,
        position: &Position,
        depth: u32,
        most: i32,
        answers: usize,
    ) -> UnprovedPlacements {
        let mut candidates = TigerReplies::new(outlook, position, most);
        let mut doubt = UnprovedPlacements {
            placements: position.empty(self.board),
            visited: candidates.all.len() as u32,
        };
        for _ in 0..answers {
            let Some(candidate) = candidates.take() else {
                break;
            };
            doubt.placements &= if depth > 3 {
                self.doubt_after(outlook, position, candidate.m, most, &mut doubt)
            } else {
                let answer = Answer::new(outlook, position, candidate);
                if depth == 2 {
                    !answer.covers(0, answer.threats)
                } else {
                    !answer.covers(answer.blocking.most(answer.empty), 0)
                }
            };
            if doubt.placements == 0 {
                break;
            }
        }
        doubt
    }

    /// Where doubt remains about a first goat when the tigers give this answer, whatever the second goat does.
    #[inline(always)]
    fn doubt_after(
        &self,
        outlook: &MobilityState<'_>,
        position: &Position,
        answer: Move,
        most: i32,
        doubt: &mut UnprovedPlacements,
    ) -> Points {
        let position = &after(self.board, position, answer);
        let outlook = outlook.played(answer, position);
        let empty = position.empty(self.board);
        let in_the_way = 1 << answer.to();
        let mut firsts = Firsts::new();
        for point in points_of(doubt.placements & !in_the_way) {
            firsts.push(First {
                point: 1 << point,
                near: self.board.steps[point],
                seconds: empty & !(1 << point),
            });
        }
        for m in outlook.tiger_moves() {
            if firsts.is_empty() {
                break;
            }
            let Some(candidate) = TigerReply::new(&outlook, position, m, most) else {
                continue;
            };
            doubt.visited += 1;
            let reply = Answer::new(&outlook, position, &candidate);
            let mut doubtful = 0;
            for index in 0..firsts.len() {
                let mut first = firsts[index];
                if reply.taken & first.point == 0 {
                    first.seconds &= !reply.covers_after(&first);
                }
                firsts[doubtful] = first;
                doubtful += usize::from(first.seconds != 0);
            }
            firsts.truncate(doubtful);
        }
        let mut doubtful = in_the_way;
        for first in &firsts {
            doubtful |= first.point;
        }
        doubtful
    }

    /// Ends the doubt about goats that would be captured at once where nothing is gained by them.
    #[inline(always)]
    fn resolve_captures(
        &self,
        outlook: &MobilityState<'_>,
        position: &Position,
        depth: u32,
        most: i32,
        doubt: &mut UnprovedPlacements,
    ) {
        let board = self.board;
        for number in iter_ones(outlook.captures_over(doubt.placements)) {
            let triple = board.triples[number];
            let captured = 1 << triple.middle;
            if doubt.placements & captured == 0 {
                continue;
            }
            let (from, to) = triple.jump(position.tigers);
            let next = Position {
                hand: position.hand - 1,
                ..after(board, position, Move::go(from, to))
            };
            doubt.visited += 1;
            let mobility = self.mobility(&next);
            let spare = spare_steps(goats_left(&next), mobility.steps, most);
            let holds = match depth {
                2 => spare + 2 * mobility.captures as i32 >= 0,
                3 => spare >= Blocking::new(board, next.tigers).most(next.empty(board)),
                _ => {
                    let second = self.doubtful_placements(&next, 2, most);
                    doubt.visited += second.visited;
                    second.placements == 0
                }
            };
            if holds {
                doubt.placements &= !captured;
            }
        }
    }

    /// Tigers to move, two plies before the horizon: whether some move makes sure that the value is at most `most`
    /// points. The second number counts the positions looked at.
    #[inline(always)]
    pub fn tigers_refute(&self, position: &Position, most: i32) -> (bool, u32) {
        let outlook = MobilityState::new(self.board, position);
        let mut visited = 0;
        for m in outlook.tiger_moves() {
            visited += 1;
            let Some(candidate) = TigerReply::new(&outlook, position, m, most) else {
                continue;
            };
            let answer = Answer::new(&outlook, position, &candidate);
            if answer.spare >= answer.blocking.most(answer.empty) {
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

    /// Minimax by its definition.
    fn minimax(game: &Hunt, position: &Position, depth: u32) -> Value {
        if let Some(outcome) = game.outcome(position) {
            return outcome.value(0);
        }
        if depth == 0 {
            return Evaluation::Tutorial.evaluate(game, position);
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

    /// Everybody thrown on the board, the goats to place one of those in hand.
    fn thrown(board: &Board, random: &mut Random) -> Position {
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
    fn a_placement_left_out_is_worth_no_more_than_was_said() {
        let mut left_out = [0; 5];
        let mut settled_at_a_glance = 0;
        for board in [&*AADU_PULI, &*BAGH_CHAL] {
            let game = Hunt::new(board);
            let mut random = Random::new(1);
            for _ in 0..400 {
                let position = thrown(board, &mut random);
                if game.outcome(&position).is_some() {
                    continue;
                }
                for depth in 2..=4 {
                    let centre = Evaluation::Tutorial.evaluate(&game, &position).0 / 100;
                    let most = centre + random.u32(..11) as i32 - 4;
                    let doubt = game.doubtful_placements(&position, depth, most);
                    let glance = game.placements_at_a_glance(&position, depth, most);
                    assert_eq!(
                        doubt.placements & !glance.placements,
                        0,
                        "{position:?} {most}"
                    );
                    settled_at_a_glance += u32::from(glance.placements == 0);
                    for point in points_of(position.empty(board) & !doubt.placements) {
                        let child = game.play(&position, Move::place(point));
                        let value = minimax(&game, &child, depth - 1);
                        assert!(value <= Value::points(most), "{position:?} {point} {most}");
                        left_out[depth as usize] += 1;
                    }
                }
            }
        }
        assert!(
            left_out[2..].iter().all(|&number| number > 500),
            "{left_out:?}"
        );
        assert!(settled_at_a_glance > 500, "{settled_at_a_glance}");
    }
}
