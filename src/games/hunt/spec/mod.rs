//! What a hunt game is, as its board file says it and before anything is derived: points, lines, pieces and rules.

mod checks;
mod entry;
mod overrides;
mod reader;

pub use entry::{SpecError, SpecErrors};
pub use overrides::with_rule;

use std::collections::BTreeSet;
use std::fmt;

/// A set of points of a sketch: bit `i` is point `i`, in reading order.
pub type PointSet = u64;

/// No board has more points.
pub const MAX_POINTS: usize = 64;

/// One of the two parties of a hunt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The few, who step and leap.
    Hunters,
    /// The many, who are placed, step and blockade.
    Prey,
}

/// A direction on the board, by its coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To larger y.
    Up,
    /// To smaller y.
    Down,
    /// To smaller x.
    Left,
    /// To larger x.
    Right,
}

/// Which steps the prey may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PreySteps {
    /// Along every line, either way.
    Any,
    /// Only ahead.
    Forward(Direction),
    /// Ahead or across, never back.
    ForwardOrSideways(Direction),
}

/// When hunters that do not begin on the board come to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HuntersDrop {
    /// All of them in the hunters' first turn.
    First,
    /// One a turn.
    Alternate,
}

/// Whose win a game without end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InfinitePlay {
    /// Nobody's.
    Draw,
    /// This party's.
    Won(Role),
}

/// A row of points: its y, and the x of each of its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The row's height; rows go from the top down.
    pub y: f64,
    /// From left to right.
    pub xs: Vec<f64>,
}

/// A hunt game as its file says it.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardSpec {
    /// The variant's name on the wire.
    pub name: String,
    /// A line for people.
    pub about: String,
    /// What people call the hunters and the prey.
    pub names: [String; 2],
    /// The points, row by row from the top.
    pub rows: Vec<Row>,
    /// A step joins neighbours on a line, a leap goes from the first to the third of three neighbours.
    pub lines: Vec<Vec<u8>>,
    /// How many hunters there are.
    pub hunters: u32,
    /// Where those that begin on the board stand.
    pub hunters_at: PointSet,
    /// When the others come.
    pub hunters_drop: HuntersDrop,
    /// How many prey there are.
    pub prey: u32,
    /// Where those that begin on the board stand; the others are placed one a turn.
    pub prey_at: PointSet,
    /// Who begins.
    pub first: Role,
    /// How many prey the first turn places.
    pub first_drops: u32,
    /// How many captures the hunters need; `None`: there are no leaps.
    pub captures: Option<u32>,
    /// Whether hunters who can capture must.
    pub capture_is_forced: bool,
    /// Which steps the prey may take.
    pub prey_steps: PreySteps,
    /// Whether prey that cannot move pass, and do not lose.
    pub stuck_prey_pass: bool,
    /// Points that prey may enter.
    pub prey_zone: PointSet,
    /// A hunter on one of these wins.
    pub hunters_goal: PointSet,
    /// Prey on all of these win.
    pub prey_goal: PointSet,
    /// Whose win a game without end is.
    pub endless: InfinitePlay,
}

impl BoardSpec {
    /// The same game with another number of prey. Hunters who need all need all of these, and others no more than there are;
    /// the first turn places no more than there are either.
    #[must_use]
    pub fn with_prey(&self, prey: u32) -> Self {
        let mut sketch = self.clone();
        let needs_all = self.captures == Some(self.prey);
        let needed = |captures: u32| if needs_all { prey } else { captures.min(prey) };
        sketch.captures = self.captures.map(needed);
        let in_hand = prey.saturating_sub(self.prey_at.count_ones());
        sketch.first_drops = self.first_drops.min(in_hand.max(1));
        sketch.prey = prey;
        sketch
    }

    /// What people call the game: what the line for people begins with, or else the name.
    pub fn title(&self) -> String {
        let head = self.about.split([',', '(', ':', ';']).next();
        let head = head.map(str::trim).filter(|head| !head.is_empty());
        head.unwrap_or(&self.name).to_string()
    }

    /// Whether it is the same game under the same names: lines may stand in another order or the other way round, points
    /// may be drawn elsewhere, and the line for people may say something else.
    pub fn is_same_game(&self, other: &Self) -> bool {
        let plain = |sketch: &Self| {
            let mut plain = sketch.clone();
            plain.about.clear();
            for row in &mut plain.rows {
                row.y = 0.0;
                row.xs.fill(0.0);
            }
            for line in &mut plain.lines {
                if line.first() > line.last() {
                    line.reverse();
                }
            }
            plain.lines.sort_unstable();
            plain
        };
        let steps = |sketch: &Self| -> BTreeSet<[usize; 2]> {
            let ways = sketch
                .edges()
                .flat_map(|[from, to]| [[from, to], [to, from]]);
            ways.filter(|&[from, to]| sketch.prey_may_step(from, to))
                .collect()
        };
        self.name == other.name && plain(self) == plain(other) && steps(self) == steps(other)
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.rows.iter().map(|row| row.xs.len()).sum()
    }

    /// The points with their coordinates, in the order of their numbers.
    pub fn coordinates(&self) -> impl Iterator<Item = (f64, f64)> {
        let rows = self.rows.iter();
        rows.flat_map(|row| row.xs.iter().map(|&x| (x, row.y)))
    }

    /// The wire name of a point: its row's letter, and its number in the row from 1.
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

    /// The pairs of neighbours on the lines, each once for every line it stands on.
    pub fn edges(&self) -> impl Iterator<Item = [usize; 2]> {
        let pairs = self.lines.iter().flat_map(|line| line.windows(2));
        pairs.map(|pair| [usize::from(pair[0]), usize::from(pair[1])])
    }

    /// The threes of neighbours on the lines: a leap goes from one end over the middle to the other.
    pub fn threes(&self) -> impl Iterator<Item = [usize; 3]> {
        let threes = self.lines.iter().flat_map(|line| line.windows(3));
        threes.map(|three| [three[0], three[1], three[2]].map(usize::from))
    }

    /// Whether prey may step from a point to its neighbour.
    pub fn prey_may_step(&self, from: usize, to: usize) -> bool {
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
            && match self.prey_steps {
                PreySteps::Any => true,
                PreySteps::Forward(direction) => ahead(direction) > LEVEL,
                PreySteps::ForwardOrSideways(direction) => ahead(direction) > -LEVEL,
            }
    }
}

/// Coordinates that differ by less stand level: they are written with three decimals.
const LEVEL: f64 = 1e-6;

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hunters => "hunters",
            Self::Prey => "prey",
        })
    }
}

impl Role {
    /// The other one.
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
