//! Chains of leaps: in a game with `leap chain`, a tiger that has captured a goat may leap again in the same turn.
//!
//! A captured goat leaves the board at once. So a tiger may land on its point, or on the tiger's own first point, later
//! in the chain. It leaps over no point twice, not even over a stack, of which a leap captures one goat. The capture that
//! wins ends the chain. If captures are mandatory, a chain goes on until the tiger cannot capture.
//!
//! A chain of two or more leaps is one move, and its text names all its points. A board has more chains than a move has
//! values: 2,266,296 of up to 20 leaps on 5×5 points. So a move contains the number of its chain in the position.

use super::board::{Board, Points};
use super::mobility;
use super::position::{Move, Position, points_of};
use super::rules::Hunt;
use crate::bits::iter_ones;

/// Exclusive upper bound on the number of a chain. Further chains of a position are not generated.
const MAX_CHAINS: u32 = (1 << 15) - 2;

/// The path of a tiger in one turn: a step, a leap, or a chain of leaps.
pub(super) struct TigerPath<'a> {
    board: &'a Board,
    /// The points from the origin to the present point.
    pub(super) points: Vec<usize>,
    /// The points of the other tigers.
    other_tigers: Points,
    /// The points of the goats before the turn.
    goats: Points,
    /// The points with several goats before the turn. They keep one when a goat is captured.
    stacks: Points,
    /// The points over which the tiger has leapt.
    pub(super) leapt: Points,
    /// Number of captures to the win.
    captures_left: u32,
}

impl TigerPath<'_> {
    /// Returns the points to which the tiger can leap.
    fn landings(&self) -> Points {
        let at = self.points[self.points.len() - 1];
        if self.captures_left == 0 {
            return 0;
        }
        let remaining = self.goats & !(self.leapt & !self.stacks);
        let empty = self.board.all() & !(remaining | self.other_tigers);
        let goats = self.goats & !self.leapt;
        iter_ones(self.board.ends.at(at)).fold(0, |landings, number| {
            let triple = &self.board.triples[number];
            let (_, to) = triple.jump(1 << at);
            landings | (goats >> triple.middle & empty >> to & 1) << to
        })
    }

    /// Leaps to `to`, calls `visit` for this path and its continuations in notation order, and leaps back. Stops and
    /// returns `true` when `visit` returns `true`.
    fn leap(&mut self, to: usize, visit: &mut dyn FnMut(&Self) -> bool) -> bool {
        let at = self.points[self.points.len() - 1];
        let captured = self.board.between(at, to);
        self.points.push(to);
        self.leapt ^= captured;
        self.captures_left -= 1;
        let landings = self.landings();
        let may_end = landings == 0 || !self.board.must_capture;
        let is_found =
            may_end && visit(self) || points_of(landings).any(|landing| self.leap(landing, visit));
        self.captures_left += 1;
        self.leapt ^= captured;
        self.points.pop();
        is_found
    }
}

impl Position {
    /// Returns `true` if the legal move `m` is a chain of two or more leaps.
    #[inline(always)]
    pub(super) fn is_chain(&self, m: Move) -> bool {
        m.is_special() && self.tigers_to_move && self.tigers_hand == 0
    }
}

impl Hunt {
    /// Calls `visit` with each move of the tigers and its path, in notation order, until `visit` returns `true`. All
    /// tigers must be on the board.
    pub(super) fn each_tiger_path(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(Move, &TigerPath) -> bool,
    ) {
        let board = self.board;
        let must_capture = board.must_capture && mobility::captures(board, position) != 0;
        let step_targets = if must_capture {
            0
        } else {
            position.empty(board)
        };
        let mut chains = 0;
        for from in points_of(position.tigers) {
            let mut path = TigerPath {
                board,
                points: vec![from],
                other_tigers: position.tigers ^ 1 << from,
                goats: position.goats,
                stacks: position.stacks(board),
                leapt: 0,
                captures_left: board
                    .captures_to_win
                    .saturating_sub(self.captured(position)),
            };
            let landings = path.landings();
            for to in points_of(board.steps[from] & step_targets | landings) {
                let is_found = if landings >> to & 1 == 1 {
                    path.leap(to, &mut |path| {
                        if let [from, to] = path.points[..] {
                            return visit(Move::go(from, to), path);
                        }
                        let number = chains;
                        chains += 1;
                        number < MAX_CHAINS && visit(Move::numbered(number), path)
                    })
                } else {
                    path.points.push(to);
                    let is_found = visit(Move::go(from, to), &path);
                    path.points.pop();
                    is_found
                };
                if is_found {
                    return;
                }
            }
        }
    }

    /// Appends the moves of the tigers, with chains.
    #[cold]
    pub(super) fn push_tiger_paths(&self, position: &Position, out: &mut Vec<Move>) {
        self.each_tiger_path(position, &mut |m, _| {
            out.push(m);
            false
        });
    }

    /// Returns the points of the chain `m`, a legal move of `position`, and the points over which it leaps.
    pub(super) fn chain(&self, position: &Position, m: Move) -> (Vec<usize>, Points) {
        let mut found = (Vec::new(), 0);
        self.each_tiger_path(position, &mut |other, path| {
            if other == m {
                found = (path.points.clone(), path.leapt);
            }
            other == m
        });
        found
    }

    /// Returns the chain over `points`, if it is a legal move of `position`.
    pub(super) fn chain_over(&self, position: &Position, points: &[usize]) -> Option<Move> {
        let mut found = None;
        if self.board.has_chains && position.tigers_to_move && position.tigers_hand == 0 {
            self.each_tiger_path(position, &mut |m, path| {
                found = (path.points == points).then_some(m);
                found.is_some()
            });
        }
        found
    }

    /// Returns the position after the chain `m`.
    pub(super) fn play_chain(&self, position: &Position, m: Move) -> Position {
        let (points, leapt) = self.chain(position, m);
        let tigers = match points[..] {
            [from, .., to] => position.tigers & !(1 << from) | 1 << to,
            _ => position.tigers,
        };
        let mut next = Position {
            tigers,
            tigers_to_move: false,
            ..*position
        };
        for captured in points_of(leapt) {
            next.take_goat(self.board, captured);
        }
        next
    }
}
