//! The specification of a hunt game, read from its board file: points, lines, pieces and rules.

mod checks;
mod entry;
mod overrides;
mod reader;

pub use entry::{SpecError, SpecErrors};
pub use overrides::with_rule;

use std::collections::BTreeSet;
use std::fmt;

/// A set of points of a spec: bit `i` is set if the set contains point `i`. Points are numbered in reading order from
/// 0.
pub type PointSet = u64;

/// Maximum number of points that can have several prey. A position has a byte for each.
pub const MAX_STACKS: usize = 4;

/// Maximum number of points of a board, the number of bits of a [`PointSet`].
pub const MAX_POINTS: usize = 64;

/// One of the two roles of a hunt game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The few pieces that step, and capture prey by jumping over them.
    Hunters,
    /// The many pieces that step and try to surround the hunters. In many games they start in hand.
    Prey,
}

/// A direction on the board, in terms of its coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Towards larger y.
    Up,
    /// Towards smaller y.
    Down,
    /// Towards smaller x.
    Left,
    /// Towards larger x.
    Right,
}

/// Directions in which prey may step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PreySteps {
    /// In both directions of every line.
    Any,
    /// Only forward.
    Forward(Direction),
    /// Forward or sideways, never backward.
    ForwardOrSideways(Direction),
}

/// The turns in which hunters in hand are dropped, that is, placed on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HuntersDrop {
    /// All in the hunters' first turn.
    First,
    /// One in each of the hunters' turns.
    Alternate,
}

/// The result of infinite play. Play counts as infinite at the third occurrence of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum InfinitePlay {
    /// The game is drawn.
    Draw,
    /// This role wins.
    Won(Role),
}

/// A row of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The y coordinate. Rows are ordered from the top.
    pub y: f64,
    /// The x coordinates from left to right.
    pub xs: Vec<f64>,
}

/// A hunt game as specified by its board file.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent rules, each a keyword of the file"
)]
#[derive(Clone, Debug, PartialEq)]
pub struct BoardSpec {
    /// Name of the game. The protocol calls it the variant.
    pub name: String,
    /// One-line description for display.
    pub about: String,
    /// Country or region of the game, for display. Empty if unknown.
    pub origin: String,
    /// Year of the oldest known description of the game, which may differ in details.
    pub year: Option<u32>,
    /// Sources of the rules, for display: author, year, page.
    pub sources: Vec<String>,
    /// Differences between the sources, and the choice of this file, for display.
    pub differences: Vec<String>,
    /// Names of the hunters and of the prey in this game, such as `tigers` and `goats`.
    pub names: [String; 2],
    /// Points, row by row from the top.
    pub rows: Vec<Row>,
    /// Lines of points. A step joins two consecutive points of a line, a jump the first and the last of three.
    pub lines: Vec<Vec<u8>>,
    /// Number of hunters.
    pub hunters: u32,
    /// Points occupied by hunters at the start.
    pub hunters_at: PointSet,
    /// The turns in which the hunters in hand are dropped.
    pub hunters_drop: HuntersDrop,
    /// Number of prey.
    pub prey: u32,
    /// Points occupied by prey at the start. The other prey are in hand.
    pub prey_at: PointSet,
    /// Start points of several prey, in ascending order, and the number of prey on each.
    pub prey_stacks: Vec<(u8, u32)>,
    /// The role that moves first.
    pub first: Role,
    /// Number of prey dropped in the first prey turn.
    pub first_drops: u32,
    /// Number of captures that win for the hunters. `None` if the game has no captures.
    pub captures: Option<u32>,
    /// `true` if a hunter may leap several times in one turn.
    pub has_chains: bool,
    /// `true` if captures are mandatory.
    pub capture_is_forced: bool,
    /// `true` if a step in place of a capture removes all hunters that could have captured.
    pub has_huffs: bool,
    /// Directions in which prey may step.
    pub prey_steps: PreySteps,
    /// `true` if the direction turns round after a turn that leaves no prey a step ahead.
    pub prey_turn: bool,
    /// `true` if prey that cannot move pass, `false` if they lose.
    pub stuck_prey_pass: bool,
    /// Points that prey may enter.
    pub prey_zone: PointSet,
    /// Points where prey may step onto prey.
    pub prey_joins: PointSet,
    /// A hunter that comes to any of these points wins.
    pub hunters_goal: PointSet,
    /// A hunter that comes to any of these points loses the game.
    pub hunters_trap: PointSet,
    /// Prey on all of these points win. Empty if prey have no goal.
    pub prey_goal: PointSet,
    /// Result of infinite play.
    pub(crate) infinite_play: InfinitePlay,
}

impl BoardSpec {
    /// Returns the same game with `prey` pieces of prey.
    ///
    /// The number of captures that win for the hunters is limited to `prey`. If all prey must be captured, it
    /// becomes `prey`. The number of prey dropped in the first turn is limited to the prey in hand.
    #[must_use]
    pub(crate) fn with_prey(&self, prey: u32) -> Self {
        let mut spec = self.clone();
        let must_capture_all = self.captures == Some(self.prey);
        let limited = |captures: u32| {
            if must_capture_all {
                prey
            } else {
                captures.min(prey)
            }
        };
        spec.captures = self.captures.map(limited);
        let in_hand = prey.saturating_sub(self.prey_on_board());
        spec.first_drops = self.first_drops.min(in_hand.max(1));
        spec.prey = prey;
        spec
    }

    /// Returns the title: the description up to its first comma, colon, semicolon or parenthesis. Without a
    /// description, the title is the name.
    pub fn title(&self) -> String {
        let title = self.about.split([',', '(', ':', ';']).next();
        let title = title.map(str::trim).filter(|title| !title.is_empty());
        title.unwrap_or(&self.name).to_string()
    }

    /// Returns `true` if both specs have the same name, rules, pieces and names of the pieces.
    ///
    /// Descriptions, origins, years, sources, coordinates, and the order and direction of lines may differ. The steps of the
    /// prey must be equal.
    pub(crate) fn is_same_game(&self, other: &Self) -> bool {
        let normalized = |spec: &Self| {
            let mut normalized = spec.clone();
            normalized.about.clear();
            normalized.origin.clear();
            normalized.year = None;
            normalized.sources.clear();
            normalized.differences.clear();
            for row in &mut normalized.rows {
                row.y = 0.0;
                row.xs.fill(0.0);
            }
            for line in &mut normalized.lines {
                if line.first() > line.last() {
                    line.reverse();
                }
            }
            normalized.lines.sort_unstable();
            normalized
        };
        let prey_steps = |spec: &Self| -> BTreeSet<[usize; 2]> {
            let directed_edges = spec.edges().flat_map(|[from, to]| [[from, to], [to, from]]);
            directed_edges
                .filter(|&[from, to]| spec.prey_may_step(from, to))
                .collect()
        };
        self.name == other.name
            && normalized(self) == normalized(other)
            && prey_steps(self) == prey_steps(other)
    }

    /// Returns a keyword of the file whose part of a position no network sees, or `None` if there is none.
    pub(crate) fn keyword_without_network(&self) -> Option<&'static str> {
        let keywords = [
            ("huff", self.has_huffs),
            ("prey-turn", self.prey_turn),
            ("prey-stacks", self.stacks() != 0),
        ];
        let mut present = keywords.into_iter().filter(|&(_, is_present)| is_present);
        present.next().map(|(keyword, _)| keyword)
    }

    /// Returns the number of prey on the board at the start.
    pub fn prey_on_board(&self) -> u32 {
        let under = self.prey_stacks.iter().map(|&(_, height)| height - 1);
        self.prey_at.count_ones() + under.sum::<u32>()
    }

    /// Returns the points that can have several prey.
    pub(super) fn stacks(&self) -> PointSet {
        let start = self.prey_stacks.iter();
        start.fold(self.prey_joins, |set, &(point, _)| set | 1 << point)
    }

    /// Returns the number of points.
    pub fn points(&self) -> usize {
        self.rows.iter().map(|row| row.xs.len()).sum()
    }

    /// Returns the x and y coordinates of all points, in the order of their numbers.
    pub fn coordinates(&self) -> impl Iterator<Item = (f64, f64)> {
        let rows = self.rows.iter();
        rows.flat_map(|row| row.xs.iter().map(|&x| (x, row.y)))
    }

    /// Returns the protocol name of a point: letter of the row, then number in the row from 1.
    pub fn point_name(&self, point: usize) -> String {
        let mut number = point;
        for (row, letter) in self.rows.iter().zip('a'..='z') {
            if number < row.xs.len() {
                return format!("{letter}{}", number + 1);
            }
            number -= row.xs.len();
        }
        String::from("-")
    }

    /// Returns the names of the points of `set`.
    pub(super) fn point_names(&self, set: PointSet) -> Vec<String> {
        let points = (0..self.points()).filter(|&point| set >> point & 1 == 1);
        points.map(|point| self.point_name(point)).collect()
    }

    /// Returns the pairs of adjacent points: consecutive points of lines.
    pub fn edges(&self) -> impl Iterator<Item = [usize; 2]> {
        let pairs = self.lines.iter().flat_map(|line| line.windows(2));
        pairs.map(|pair| [usize::from(pair[0]), usize::from(pair[1])])
    }

    /// Returns the triples of consecutive points of all lines. A jump leads from one end of a triple over its middle
    /// to its other end.
    pub(crate) fn triples(&self) -> impl Iterator<Item = [usize; 3]> {
        let triples = self.lines.iter().flat_map(|line| line.windows(3));
        triples.map(|three| [three[0], three[1], three[2]].map(usize::from))
    }

    /// Returns `true` if prey may step from `from` to the adjacent point `to`, before the direction has turned.
    pub(crate) fn prey_may_step(&self, from: usize, to: usize) -> bool {
        self.prey_may_step_by(self.prey_steps, from, to)
    }

    /// Returns `true` if the directions `steps` allow prey to step from `from` to the adjacent point `to`.
    pub(crate) fn prey_may_step_by(&self, steps: PreySteps, from: usize, to: usize) -> bool {
        let at = |point| self.coordinates().nth(point).unwrap_or_default();
        let ((x, y), (next_x, next_y)) = (at(from), at(to));
        let ahead = |direction| match direction {
            Direction::Up => next_y - y,
            Direction::Down => y - next_y,
            Direction::Left => x - next_x,
            Direction::Right => next_x - x,
        };
        let is_in_zone = self.prey_zone >> to & 1 == 1;
        is_in_zone
            && match steps {
                PreySteps::Any => true,
                PreySteps::Forward(direction) => ahead(direction) > COORDINATE_TOLERANCE,
                PreySteps::ForwardOrSideways(direction) => ahead(direction) > -COORDINATE_TOLERANCE,
            }
    }
}

/// Maximum difference between two coordinates that count as equal, far below the precision of the built-in board
/// files (0.001).
const COORDINATE_TOLERANCE: f64 = 1e-6;

impl Direction {
    /// Returns the opposite direction.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// Returns the word for the direction in board files and positions.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

impl PreySteps {
    /// Returns the direction of forward steps, or `None` if prey step in any direction.
    pub(crate) fn direction(self) -> Option<Direction> {
        match self {
            Self::Any => None,
            Self::Forward(direction) | Self::ForwardOrSideways(direction) => Some(direction),
        }
    }

    /// Returns the steps in the opposite direction.
    #[must_use]
    pub(crate) fn turned(self) -> Self {
        match self {
            Self::Any => Self::Any,
            Self::Forward(direction) => Self::Forward(direction.opposite()),
            Self::ForwardOrSideways(direction) => Self::ForwardOrSideways(direction.opposite()),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hunters => "hunters",
            Self::Prey => "prey",
        })
    }
}

impl Role {
    /// Returns the opposite role.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Hunters => Self::Prey,
            Self::Prey => Self::Hunters,
        }
    }
}

#[cfg(test)]
mod tests;
