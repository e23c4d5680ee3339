//! The tigers' mobility, which is what the tutorial's evaluation counts, kept up to date move by move: what a search
//! spends most of its time on.

use super::board::{Board, Jumps, Points};
use super::rules::{Move, Position, points_of};

/// What the tigers can do, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mobility {
    /// Steps to empty points.
    pub steps: u32,
    /// Jumps over goats.
    pub captures: u32,
}

impl Mobility {
    /// Nowhere to go.
    pub const NONE: Self = Self {
        steps: 0,
        captures: 0,
    };
}

/// A position with what its mobility is made of.
///
/// A jump is possible when it begins on a tiger, leads over a goat and ends on an empty point: it is in three sets,
/// and a move changes each of them by what belongs to two points.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    board: &'static Board,
    position: &'a Position,
    empty: Points,
    from: Jumps,
    over: Jumps,
    to: Jumps,
    steps: u32,
}

impl<'a> Outlook<'a> {
    /// The outlook of a position.
    #[inline]
    pub fn new(board: &'static Board, position: &'a Position) -> Self {
        let empty = position.empty(board);
        Self {
            board,
            position,
            empty,
            from: board.jumps_from.of(position.tigers),
            over: board.jumps_over.of(position.goats),
            to: board.jumps_to.of(empty),
            steps: steps(board, position.tigers, empty),
        }
    }

    /// Points that nobody stands on.
    #[inline]
    pub fn empty(&self) -> Points {
        self.empty
    }

    /// What the tigers can do now.
    #[inline]
    pub fn mobility(&self) -> Mobility {
        Mobility {
            steps: self.steps,
            captures: self.captures().count_ones(),
        }
    }

    /// The captures that the tigers have.
    #[inline]
    pub fn captures(&self) -> Jumps {
        self.from & self.over & self.to
    }

    /// The captures that the tigers would have over goats placed on these points, one at a time.
    #[inline]
    pub fn captures_over(&self, placed: Points) -> Jumps {
        self.from & self.board.jumps_over.of(placed) & self.to
    }

    /// Where the tiger on `from` can capture its way to.
    #[inline]
    pub fn landings(&self, from: usize) -> Points {
        landings(self.board, self.captures() & self.board.jumps_from.at(from))
    }

    /// The tigers' moves, captures first.
    #[inline]
    pub fn tiger_moves(&self) -> impl Iterator<Item = Move> {
        let board = self.board;
        let mut captures = self.captures();
        let jumps = std::iter::from_fn(move || {
            let jump = board.jumps[(captures != 0).then(|| captures.trailing_zeros() as usize)?];
            captures &= captures - 1;
            Some(Move::go(jump.from as usize, jump.to as usize))
        });
        let empty = self.empty;
        let steps = points_of(self.position.tigers).flat_map(move |from| {
            points_of(board.steps[from] & empty).map(move |to| Move::go(from, to))
        });
        jumps.chain(steps)
    }

    /// What the tigers can do after a goat is placed on an empty point.
    #[inline]
    pub fn after_placement(&self, point: usize) -> Mobility {
        let over = self.over | self.board.jumps_over.at(point);
        let to = self.to & !self.board.jumps_to.at(point);
        Mobility {
            steps: self.steps - (self.board.steps[point] & self.position.tigers).count_ones(),
            captures: (self.from & over & to).count_ones(),
        }
    }

    /// What the tigers can do after a goat's step.
    #[inline]
    pub fn after_goat_step(&self, from: usize, to: usize) -> Mobility {
        let board = self.board;
        let over = self.over ^ board.jumps_over.at(from) ^ board.jumps_over.at(to);
        let landing = self.to ^ board.jumps_to.at(from) ^ board.jumps_to.at(to);
        let tigers = self.position.tigers;
        Mobility {
            steps: self.steps + (board.steps[from] & tigers).count_ones()
                - (board.steps[to] & tigers).count_ones(),
            captures: (self.from & over & landing).count_ones(),
        }
    }

    /// What the tigers can do after a tiger's step or capture.
    #[inline]
    pub fn after_tiger_move(&self, from: usize, to: usize) -> Mobility {
        let swapped = 1 << from | 1 << to;
        let empty = self.empty ^ swapped | self.board.between[from][to];
        Mobility {
            steps: steps(self.board, self.position.tigers ^ swapped, empty),
            captures: self.captures_after_tiger_move(from, to).count_ones(),
        }
    }

    /// The captures that the tigers have after a tiger's step or capture.
    #[inline]
    pub fn captures_after_tiger_move(&self, from: usize, to: usize) -> Jumps {
        let board = self.board;
        let captured = board.between[from][to];
        let mut over = self.over;
        let mut landing = self.to ^ board.jumps_to.at(from) ^ board.jumps_to.at(to);
        if captured != 0 {
            let point = captured.trailing_zeros() as usize;
            over &= !board.jumps_over.at(point);
            landing |= board.jumps_to.at(point);
        }
        (self.from ^ board.jumps_from.at(from) ^ board.jumps_from.at(to)) & over & landing
    }

    /// What the tigers can do after a legal move.
    #[inline]
    pub fn after(&self, m: Move) -> Mobility {
        let (from, to) = (m.from(), m.to());
        if self.position.tigers_to_move {
            self.after_tiger_move(from, to)
        } else if from == to {
            self.after_placement(to)
        } else {
            self.after_goat_step(from, to)
        }
    }
}

/// Where a set of jumps ends.
#[inline]
pub fn landings(board: &Board, mut jumps: Jumps) -> Points {
    let mut landings = 0;
    while jumps != 0 {
        landings |= 1 << board.jumps[jumps.trailing_zeros() as usize].to;
        jumps &= jumps - 1;
    }
    landings
}

#[inline]
fn steps(board: &Board, tigers: Points, empty: Points) -> u32 {
    points_of(tigers)
        .map(|from| (board.steps[from] & empty).count_ones())
        .sum()
}
