//! The board of a hunt game: tables of steps, captures, names and symmetries, computed once from the board file.
//!
//! A point is a number from 0, in reading order, and a set of points is a 64-bit bitboard. Three consecutive points
//! of a line are a *triple*; captures are jumps from one end of a triple to the other. Triples are numbered too, so
//! the captures of a position are a set of triples.

mod built_in;
mod drops;
mod symmetry;
mod table_rules;
mod xor_table;

use std::array::from_fn;

use self::drops::check_multi_drops;
use super::ascii_board;
use super::interner::Interner;
use super::rules_text::terms_of;
use super::spec::{BoardSpec, InfinitePlay, Role};
use crate::bits::iter_ones;
use crate::error::EngineError;
use crate::value::Side;

pub use super::spec::{MAX_POINTS, MAX_STACKS, PointSet as Points};
#[cfg(test)]
pub use built_in::with_rules;
pub use built_in::{AADU_PULI, ALL, BAGH_CHAL, named, names, text_of, unknown};
pub use symmetry::Symmetry;
pub use xor_table::XorTable;

/// Maximum number of tigers that static pruning supports.
pub(crate) const MAX_TIGERS: usize = 4;
/// Maximum number of neighbors of a point that static pruning supports.
pub(crate) const MAX_DEGREE: usize = 8;

/// Exclusive upper bound on the number of a multi-drop, a drop of several pieces in one turn. A move has 15 bits for
/// this number, and two values are reserved for the pass and for "no move".
pub(crate) const MAX_MULTI_DROPS: u64 = (1 << 15) - 2;

/// A set of triples: bit `i` is set if the set contains `Board::triples[i]`.
pub(crate) type Triples = u64;

/// Three consecutive points of a line. A tiger on one end captures a goat in the middle if the other end is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Triple {
    /// The points between which a tiger jumps.
    pub ends: [u8; 2],
    /// The point of the captured goat.
    pub middle: u8,
}

impl Triple {
    /// Returns the origin and the landing point of a jump over the middle. The origin is the end that is in `tigers`;
    /// exactly one end must be.
    #[inline]
    pub(crate) fn jump(&self, tigers: Points) -> (usize, usize) {
        let [first, last] = self.ends.map(usize::from);
        if tigers >> first & 1 == 1 {
            (first, last)
        } else {
            (last, first)
        }
    }
}

/// A board, the rules of its game, and the tables computed from them.
///
/// In code, hunters are tigers and prey are goats, whatever names the game uses.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent rules that searches read at every move"
)]
#[derive(Clone, Debug)]
pub struct Board {
    /// The parsed board file.
    pub spec: BoardSpec,
    /// Name of the game. The protocol calls it the variant.
    pub name: String,
    /// Title for display.
    pub title: String,
    /// Number of points of each row, from the top.
    pub rows: Vec<usize>,
    /// Number of points.
    pub points: usize,
    /// Points occupied by tigers at the start.
    pub tigers: Points,
    /// Number of tigers in hand at the start.
    pub(crate) tigers_in_hand: u32,
    /// Number of goats.
    pub goats: u32,
    /// Points occupied by goats at the start. The other goats are in hand.
    pub(crate) goats_placed: Points,
    /// Number of goats on the board at the start.
    pub(crate) goats_at_start: u32,
    /// `true` if a point can have several goats.
    pub(crate) has_stacks: bool,
    /// Points that can have several goats, at most [`MAX_STACKS`].
    pub(crate) stacks: Points,
    /// For each point of `stacks`, the number of goats under the top one at the start.
    pub(crate) stacked_at_start: [u8; MAX_STACKS],
    /// Points where goats may step onto goats.
    pub(crate) joins: Points,
    /// Side of the goats: the first player if the goats move first.
    pub goats_side: Side,
    /// Number of captures that win for the tigers. `u32::MAX` without captures.
    pub(crate) captures_to_win: u32,
    /// Points that goats may enter.
    pub zone: Points,
    /// A tiger that comes to any of these points wins.
    pub(crate) tigers_goal: Points,
    /// `true` if the only tiger starts on a point of its goal.
    pub(crate) starts_on_goal: bool,
    /// `true` if the start may occur again because the only tiger comes back to its goal, which then wins: the tiger starts
    /// there, and the goats begin.
    pub(crate) may_return_to_start: bool,
    /// A tiger that comes to any of these points loses the game.
    pub(crate) tigers_trap: Points,
    /// Goats on all of these points win. If the goats have no goal, this is `Points::MAX`, which goats can never fill.
    pub(crate) goats_goal: Points,
    /// `true` if the game has the standard rules, the rules of Aadu Puli. The points, the lines and the numbers
    /// of pieces may differ.
    ///
    /// Standard rules: goats move first and start in hand, one goat is dropped per turn on any empty point, tigers
    /// start on the board, goats step in any direction and lose if they cannot move, captures are possible and
    /// optional, there are no goals, and infinite play is a draw.
    pub(crate) has_standard_rules: bool,
    /// `true` if static pruning is valid: the rules are standard, there are at most [`MAX_TIGERS`] tigers, and each
    /// point has at most [`MAX_DEGREE`] neighbors.
    pub(crate) allows_static_pruning: bool,
    /// `true` if a position fits in 64 bits: the board has at most 25 points, all tigers start on it, the start cannot
    /// occur again with another winner, and goats neither turn nor stand in stacks.
    pub(crate) fits_in_u64: bool,
    /// Names of the terms of the reference evaluation, in this order: goats, tiger steps, tiger captures, the tigers'
    /// distance to their goal, the goats' distance to their goal, tigers.
    pub terms: [String; 6],
    /// Diagram of the empty board, with an `o` for each point.
    pub(crate) diagram: String,
    /// Lines of points. A step joins two consecutive points of a line, a jump the first and the last of three.
    pub lines: Vec<Vec<usize>>,
    /// For each point, the adjacent points.
    pub steps: [Points; MAX_POINTS],
    /// For each point, the adjacent points to which a goat may step.
    pub(crate) goat_steps: [Points; MAX_POINTS],
    /// For each point, the adjacent points to which a goat may step after the direction has turned.
    pub(crate) turned_goat_steps: [Points; MAX_POINTS],
    /// `true` if the direction of the goats' steps turns round after a turn that leaves no goat a step ahead.
    pub(crate) goats_turn: bool,
    /// All triples of consecutive points on a line. Empty without captures.
    pub(crate) triples: Vec<Triple>,
    /// For each point, the triples with this point at an end.
    pub ends: XorTable<Triples>,
    /// For each point, the triples with this point in the middle.
    pub(crate) middles: XorTable<Triples>,
    /// The set of all points.
    all: Points,
    /// `true` if a goat turn never drops more than one goat, not even the first turn.
    pub(crate) places_one: bool,
    /// `true` if captures are mandatory.
    pub(crate) must_capture: bool,
    /// `true` if a step in place of a capture removes all tigers that could have captured.
    pub(crate) has_huffs: bool,
    /// `true` if a move may change more than its own piece and the captured ones: tigers are removed, goats turn, goats
    /// stand in stacks, or the start may occur again with another winner.
    pub(crate) has_side_effects: bool,
    /// `true` if goats neither turn nor join nor pass.
    pub(crate) has_simple_goat_steps: bool,
    /// `true` if a goat turn drops one goat and is no pass, while goats are in hand.
    pub(crate) has_simple_drops: bool,
    /// `true` if a tiger may capture several goats in one turn.
    pub(crate) has_chains: bool,
    /// `true` if goats that cannot move pass, `false` if they lose.
    pub(crate) stuck_goats_pass: bool,
    /// `true` if a full zone can force the goats to pass while goats are in hand.
    pub(crate) may_pass_in_hand: bool,
    /// `true` if either side has a goal, or the tigers have a trap or can be removed.
    pub(crate) has_goals: bool,
    /// Captured point of each jump as a set, at index `origin * MAX_POINTS + target`. Empty if no jump joins the two
    /// points. Searches read this table for every move.
    between: Box<[Points; MAX_POINTS * MAX_POINTS]>,
    /// Symmetries of the board and its rules, the identity first.
    pub symmetries: Vec<Symmetry>,
}

impl PartialEq for Board {
    /// Returns `true` if both boards have the same game: name, lines, start, numbers of pieces and rules.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.spec.is_same_game(&other.spec)
    }
}

/// All boards used by the process. Equal board files share a board.
static BOARDS: Interner<Board> = Interner::new();

impl Board {
    /// Returns the board of `spec`, which is never freed. Equal specs return the same board.
    ///
    /// The `'static` reference keeps [`Hunt`](super::Hunt) `Copy`. Positions and moves contain no reference to their
    /// board.
    ///
    /// # Errors
    /// If the board has more than 64 triples, or more than `MAX_MULTI_DROPS` possible multi-drops.
    pub fn of(spec: BoardSpec) -> Result<&'static Self, EngineError> {
        let is_same = |board: &Self, spec: &BoardSpec| board.spec == *spec;
        BOARDS.intern(spec, is_same, Self::derive)
    }

    /// Returns the number of boards used by the process.
    pub(crate) fn count() -> usize {
        BOARDS.len()
    }

    /// Computes the board of `spec` without adding it to [`BOARDS`].
    ///
    /// # Errors
    /// As for [`Self::of`].
    pub(super) fn derive(spec: BoardSpec) -> Result<Self, EngineError> {
        let triples = triples(&spec)?;
        let triples_where = |matches: &dyn Fn(&Triple, u8) -> bool| {
            XorTable::new(from_fn(|point| {
                let numbered = triples.iter().enumerate();
                numbered
                    .filter(|(_, triple)| matches(triple, point as u8))
                    .fold(0, |set: Triples, (number, _)| set | 1 << number)
            }))
        };
        let points = spec.points();
        check_multi_drops(&spec)?;
        let goats_goal = if spec.prey_goal == 0 {
            Points::MAX
        } else {
            spec.prey_goal
        };
        let starts_on_goal = spec.hunters_goal & spec.hunters_at != 0;
        let may_return_to_start = starts_on_goal && spec.first == Role::Prey;
        let stacks = spec.stacks();
        let has_huffs = spec.has_huffs && spec.captures.is_some();
        let mut board = Self {
            name: spec.name.clone(),
            title: spec.title(),
            rows: spec.rows.iter().map(|row| row.xs.len()).collect(),
            points,
            tigers: spec.hunters_at,
            tigers_in_hand: spec.hunters - spec.hunters_at.count_ones(),
            goats: spec.prey,
            goats_placed: spec.prey_at,
            goats_at_start: spec.prey_on_board(),
            has_stacks: stacks != 0,
            stacks,
            stacked_at_start: stacked_at_start(&spec),
            joins: spec.prey_joins,
            goats_side: if spec.first == Role::Prey {
                Side::P1
            } else {
                Side::P2
            },
            captures_to_win: spec.captures.unwrap_or(u32::MAX),
            zone: spec.prey_zone,
            tigers_goal: spec.hunters_goal,
            starts_on_goal,
            may_return_to_start,
            tigers_trap: spec.hunters_trap,
            goats_goal,
            has_standard_rules: false,
            allows_static_pruning: false,
            fits_in_u64: points <= 25
                && spec.hunters == spec.hunters_at.count_ones()
                && !may_return_to_start
                && !spec.prey_turn
                && stacks == 0,
            diagram: ascii_board::draw(&spec),
            terms: terms_of(&spec),
            lines: Vec::new(),
            steps: [0; MAX_POINTS],
            goat_steps: [0; MAX_POINTS],
            turned_goat_steps: [0; MAX_POINTS],
            goats_turn: spec.prey_turn,
            ends: triples_where(&|triple, point| triple.ends.contains(&point)),
            middles: triples_where(&|triple, point| triple.middle == point),
            triples,
            all: Points::MAX >> (MAX_POINTS - points),
            places_one: spec.first_drops == 1,
            must_capture: spec.capture_is_forced,
            has_chains: spec.has_chains && spec.captures.is_some(),
            stuck_goats_pass: spec.stuck_prey_pass,
            may_pass_in_hand: false,
            has_goals: has_huffs || spec.hunters_goal | spec.hunters_trap | spec.prey_goal != 0,
            has_huffs,
            has_side_effects: has_huffs || spec.prey_turn || stacks != 0 || may_return_to_start,
            has_simple_goat_steps: !spec.stuck_prey_pass && !spec.prey_turn && spec.prey_joins == 0,
            has_simple_drops: false,
            between: empty_jump_table(),
            symmetries: Vec::new(),
            spec,
        };
        let to_usize = |line: &Vec<u8>| line.iter().map(|&point| usize::from(point)).collect();
        board.lines = board.spec.lines.iter().map(to_usize).collect();
        board.add_steps();
        board.may_pass_in_hand = board.stuck_goats_pass && board.zone != board.all();
        board.has_simple_drops = board.places_one && !board.may_pass_in_hand;
        board.has_standard_rules = board.follows_standard_rules();
        let degree = board.steps.iter().map(|set| set.count_ones()).max();
        board.allows_static_pruning = board.has_standard_rules
            && board.tigers.count_ones() as usize <= MAX_TIGERS
            && degree.is_some_and(|degree| degree as usize <= MAX_DEGREE);
        for triple in &board.triples {
            let [first, last] = triple.ends.map(usize::from);
            let between = 1 << triple.middle;
            board.between[first * MAX_POINTS + last] = between;
            board.between[last * MAX_POINTS + first] = between;
        }
        board.symmetries = board.find_symmetries();
        Ok(board)
    }

    /// Computes the steps of tigers and goats.
    fn add_steps(&mut self) {
        let turned = self.spec.prey_steps.turned();
        for [from, to] in self.spec.edges() {
            for (from, to) in [(from, to), (to, from)] {
                self.steps[from] |= 1 << to;
                if self.spec.prey_may_step(from, to) {
                    self.goat_steps[from] |= 1 << to;
                }
                if self.goats_turn && self.spec.prey_may_step_by(turned, from, to) {
                    self.turned_goat_steps[from] |= 1 << to;
                }
            }
        }
    }

    /// Returns the board of the same game with `goats` goats, for games without goats on the board at the start.
    ///
    /// The number of captures that win for the tigers is limited to `goats`. If it is the number of all goats, it
    /// becomes `goats`.
    ///
    /// # Panics
    /// If `goats` is 0 or larger than the number of goats of this board.
    #[must_use]
    pub(crate) fn with_goats(&self, goats: u32) -> &'static Self {
        assert!((1..=self.goats).contains(&goats), "1 to {}", self.goats);
        Self::of(self.spec.with_prey(goats))
            .unwrap_or_else(|error| unreachable!("a board with fewer goats: {error}"))
    }

    /// Returns the tigers' side.
    #[inline]
    pub fn tigers_side(&self) -> Side {
        self.goats_side.other()
    }

    /// Returns the winner of infinite play, or `None` for a draw.
    pub(crate) fn infinite_play_winner(&self) -> Option<Side> {
        match self.spec.infinite_play {
            InfinitePlay::Draw => None,
            InfinitePlay::Won(Role::Prey) => Some(self.goats_side),
            InfinitePlay::Won(Role::Hunters) => Some(self.tigers_side()),
        }
    }

    /// Returns `true` if `other` has the same steps and jumps.
    pub(crate) fn has_same_lines(&self, other: &Self) -> bool {
        (self.points, self.steps, &self.between) == (other.points, other.steps, &other.between)
    }

    /// Returns the point that a jump between two points captures, as a set. Empty if no jump joins the points.
    #[inline]
    pub fn between(&self, from: usize, to: usize) -> Points {
        self.between[from * MAX_POINTS | to]
    }

    /// Returns the number of a point of `stacks`, or `None` for other points.
    #[inline]
    pub(super) fn stack_number(&self, point: usize) -> Option<usize> {
        let is_stack = self.stacks >> point & 1 == 1;
        is_stack.then(|| (self.stacks & ((1 << point) - 1)).count_ones() as usize)
    }

    /// Returns the directions of the goats' steps before and after they turn. Returns `None` if they do not turn.
    pub(super) fn directions(&self) -> Option<[&'static str; 2]> {
        let direction = self.spec.prey_steps.direction().filter(|_| self.goats_turn);
        direction.map(|direction| [direction.name(), direction.opposite().name()])
    }

    /// Returns the minimum number of steps from any of `pieces` to any point of `goal`, in any direction and through
    /// occupied points.
    ///
    /// Returns `None` if `goal` is empty or unreachable.
    pub(crate) fn steps_to_goal(&self, goal: Points, pieces: Points) -> Option<u32> {
        let (mut reached, mut steps) = (goal, 0);
        while reached != 0 {
            if reached & pieces != 0 {
                return Some(steps);
            }
            let next = iter_ones(reached).fold(reached, |set, point| set | self.steps[point]);
            if next == reached {
                return None;
            }
            (reached, steps) = (next, steps + 1);
        }
        None
    }

    /// Returns the number of pairs of adjacent points.
    pub fn edges(&self) -> usize {
        self.spec.edges().count()
    }

    /// Returns the number of jumps on the board. A triple counts as two jumps, one in each direction.
    pub(crate) fn jumps(&self) -> usize {
        2 * self.spec.triples().count()
    }

    /// Returns the set of all points.
    #[inline]
    pub fn all(&self) -> Points {
        self.all
    }

    /// Returns the protocol name of a point: letter of the row, then number in the row from 1.
    pub fn point_name(&self, point: usize) -> String {
        self.spec.point_name(point)
    }

    /// Returns the point with the protocol name `name`, ignoring case.
    pub fn point(&self, name: &str) -> Option<usize> {
        (0..self.points).find(|&point| self.point_name(point).eq_ignore_ascii_case(name))
    }
}

/// Returns the number of goats under the top one at the start, for each point that can have several goats.
fn stacked_at_start(spec: &BoardSpec) -> [u8; MAX_STACKS] {
    let mut stacked_at_start = [0; MAX_STACKS];
    for (point, under) in iter_ones(spec.stacks()).zip(&mut stacked_at_start) {
        let start = spec.prey_stacks.iter();
        let height = start.filter(|stack| usize::from(stack.0) == point);
        *under = height.map(|&(_, height)| height as u8 - 1).sum();
    }
    stacked_at_start
}

/// Returns all triples of the board's lines, or none if the game has no captures.
fn triples(spec: &BoardSpec) -> Result<Vec<Triple>, EngineError> {
    if spec.captures.is_none() {
        return Ok(Vec::new());
    }
    let triple = |[first, middle, last]: [usize; 3]| Triple {
        ends: [first as u8, last as u8],
        middle: middle as u8,
    };
    let triples: Vec<Triple> = spec.triples().map(triple).collect();
    if triples.len() > Triples::BITS as usize {
        return Err(EngineError::new(format!(
            "the lines have {} triples of consecutive points, at most {} are supported with captures",
            triples.len(),
            Triples::BITS
        )));
    }
    Ok(triples)
}

/// Allocates the jump table directly on the heap, because it takes 32 KiB.
fn empty_jump_table() -> Box<[Points; MAX_POINTS * MAX_POINTS]> {
    let table = vec![0; MAX_POINTS * MAX_POINTS].into_boxed_slice();
    table
        .try_into()
        .unwrap_or_else(|_| unreachable!("the length is equal"))
}

/// Returns the binomial coefficient, the number of subsets with `k` of `n` elements. Saturates at `u64::MAX`.
pub(super) fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1_u64, |subsets, i| {
        subsets.saturating_mul(n.saturating_sub(i)) / (i + 1)
    })
}

#[cfg(test)]
mod tests;
