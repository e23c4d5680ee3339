//! What follows from a hunt game's sketch: steps, captures, names and symmetries.

mod built_in;
mod difference;
mod symmetry;

use std::array::from_fn;
use std::sync::{Mutex, PoisonError};

use super::ascii_board;
use super::spec::{BoardSpec, HuntersDrop, InfinitePlay, Role};
use crate::bits::iter_ones;
use crate::error::EngineError;
use crate::value::Side;

pub use super::spec::{MAX_POINTS, PointSet as Points};
#[cfg(test)]
pub use built_in::with_rules;
pub use built_in::{AADU_PULI, ALL, BAGH_CHAL, named, names, text_of, unknown};
pub use difference::XorTable;
pub use symmetry::Symmetry;

/// Boards with more tigers, or points with more neighbours, are searched without foresight.
pub const MAX_TIGERS: usize = 4;
/// See [`MAX_TIGERS`].
pub const MAX_DEGREE: usize = 8;

/// Several pieces that are put down at once have a number below this, so that a move fits 16 bits.
pub const MAX_SETS: u64 = (1 << 15) - 2;

/// A set of triples: bit `i` is the triple `Board::triples[i]`.
pub type Triples = u64;

/// Three consecutive points of a line. A tiger on one end captures a goat in the middle when the other end is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triple {
    /// Where a tiger may stand, and where it may land.
    pub ends: [u8; 2],
    /// Where the goat stands.
    pub middle: u8,
}

impl Triple {
    /// Where the one of these tigers that stands on an end jumps from and to.
    #[inline]
    pub fn jump(&self, tigers: Points) -> (usize, usize) {
        let [first, last] = self.ends.map(usize::from);
        if tigers >> first & 1 == 1 {
            (first, last)
        } else {
            (last, first)
        }
    }
}

/// A board with everything derived from its sketch.
///
/// Tigers are the hunters here, and goats the prey, whatever people call them.
#[expect(
    clippy::struct_excessive_bools,
    reason = "rules that a search looks up at every move, each with a yes or a no"
)]
#[derive(Clone, Debug)]
pub struct Board {
    /// The game as its file says it.
    pub spec: BoardSpec,
    /// The variant's name on the wire.
    pub name: String,
    /// What people call the game.
    pub title: String,
    /// Points per row from the top, in the order of their numbers.
    pub rows: Vec<usize>,
    /// How many points there are.
    pub points: usize,
    /// Where tigers stand at the start.
    pub tigers: Points,
    /// How many tigers are in hand at the start.
    pub tigers_in_hand: u32,
    /// How many goats there are.
    pub goats: u32,
    /// Where goats stand at the start; the others are in hand.
    pub goats_placed: Points,
    /// The goats' side: the first player's if they begin.
    pub goats_side: Side,
    /// How many goats the tigers must capture to win; more than there are where there are no captures.
    pub captures_to_win: u32,
    /// Where goats may be put.
    pub zone: Points,
    /// A tiger on one of these has won.
    pub tigers_goal: Points,
    /// Goats on all of these have won; a point that no board has where goats have no goal.
    pub goats_goal: Points,
    /// Whether the rules are those of Aadu Puli but for the numbers: goats first and all in hand, tigers on the board, goats
    /// step any way and lose when they cannot, captures free, nobody has a goal, and a game without end is a draw.
    pub is_plain: bool,
    /// Whether the foresight near the horizon can be had: it rests on plain rules, and on few tigers and neighbours.
    pub has_foresight: bool,
    /// Whether a position fits a word: 25 points for either party, and what is in hand.
    pub fits_a_word: bool,
    /// What the textbook's evaluation counts: the goats, the tigers' steps and captures, both parties' ways to a goal.
    pub terms: [String; 5],
    /// The empty board, a `o` for every point in the order of their numbers.
    pub ascii_board: String,
    /// A step joins consecutive points of a line, a jump goes from the first of three consecutive ones to the third.
    pub lines: Vec<Vec<usize>>,
    /// The points one step away from each point.
    pub steps: [Points; MAX_POINTS],
    /// Those of them that goats may step to.
    pub goat_steps: [Points; MAX_POINTS],
    /// All threes of consecutive points on a line.
    pub triples: Vec<Triple>,
    /// The triples that a point is an end of.
    pub ends: XorTable<Triples>,
    /// The triples that a point is the middle of.
    pub middles: XorTable<Triples>,
    /// The set of all points.
    all: Points,
    /// Whether goats are placed one a turn, in the first turn too.
    pub places_one: bool,
    /// Whether tigers who can capture must.
    pub must_capture: bool,
    /// Whether goats that cannot move pass, and do not lose.
    pub stuck_goats_pass: bool,
    /// Whether goats may pass while some are in hand: their zone may be full, where it is not the whole board.
    pub may_pass_in_hand: bool,
    /// Whether anybody has a goal.
    pub has_goals: bool,
    /// The point between the ends of a jump by origin and target, as a set that is empty where none joins them. A search
    /// looks here for every move.
    between: Box<[Points; MAX_POINTS * MAX_POINTS]>,
    /// The permutations of the points that keep lines and rules, the identity first.
    pub symmetries: Vec<Symmetry>,
}

impl PartialEq for Board {
    /// A name does not tell enough: boards are equal when their lines, their start, their numbers and their rules are, too.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.spec.is_same_game(&other.spec)
    }
}

/// Boards that were derived already: they live as long as the program.
static DERIVED: Mutex<Vec<&'static Board>> = Mutex::new(Vec::new());

impl Board {
    /// The board of a sketch. It is kept for good, so that positions need not own it; a sketch seen before has the same
    /// board again.
    pub fn of(sketch: BoardSpec) -> Result<&'static Self, EngineError> {
        let mut derived = DERIVED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(board) = derived
            .iter()
            .find(|board| board.spec.is_same_game(&sketch))
        {
            return Ok(board);
        }
        let board: &'static Self = Box::leak(Box::new(Self::derive(sketch)?));
        derived.push(board);
        Ok(board)
    }

    pub(super) fn derive(sketch: BoardSpec) -> Result<Self, EngineError> {
        let triples = triples(&sketch)?;
        let set_where = |matches: &dyn Fn(&Triple, u8) -> bool| {
            XorTable::new(from_fn(|point| {
                let numbered = triples.iter().enumerate();
                numbered
                    .filter(|(_, triple)| matches(triple, point as u8))
                    .fold(0, |set: Triples, (number, _)| set | 1 << number)
            }))
        };
        let points = sketch.points();
        let most = match sketch.hunters_drop {
            HuntersDrop::First => sketch
                .first_drops
                .max(sketch.hunters - sketch.hunters_at.count_ones()),
            HuntersDrop::Alternate => sketch.first_drops,
        };
        let sets: u64 = (2..=u64::from(most))
            .map(|size| choose(points as u64, size))
            .sum();
        if sets > MAX_SETS {
            return Err(EngineError::new(format!(
                "{most} pieces can be put on {points} points in {sets} ways, and {MAX_SETS} are the most"
            )));
        }
        let goats_goal = if sketch.prey_goal == 0 {
            Points::MAX
        } else {
            sketch.prey_goal
        };
        let mut board = Self {
            name: sketch.name.clone(),
            title: sketch.title(),
            rows: sketch.rows.iter().map(|row| row.xs.len()).collect(),
            points,
            tigers: sketch.hunters_at,
            tigers_in_hand: sketch.hunters - sketch.hunters_at.count_ones(),
            goats: sketch.prey,
            goats_placed: sketch.prey_at,
            goats_side: if sketch.first == Role::Prey {
                Side::P1
            } else {
                Side::P2
            },
            captures_to_win: sketch.captures.unwrap_or(u32::MAX),
            zone: sketch.prey_zone,
            tigers_goal: sketch.hunters_goal,
            goats_goal,
            is_plain: false,
            has_foresight: false,
            fits_a_word: points <= 25 && sketch.hunters == sketch.hunters_at.count_ones(),
            ascii_board: ascii_board::of(&sketch),
            terms: super::rules_text::terms_of(&sketch),
            lines: Vec::new(),
            steps: [0; MAX_POINTS],
            goat_steps: [0; MAX_POINTS],
            ends: set_where(&|triple, point| triple.ends.contains(&point)),
            middles: set_where(&|triple, point| triple.middle == point),
            triples,
            all: Points::MAX >> (MAX_POINTS - points),
            places_one: sketch.first_drops == 1,
            must_capture: sketch.capture_is_forced,
            stuck_goats_pass: sketch.stuck_prey_pass,
            may_pass_in_hand: false,
            has_goals: sketch.hunters_goal | sketch.prey_goal != 0,
            between: nothing_between(),
            symmetries: Vec::new(),
            spec: sketch,
        };
        let wide = |line: &Vec<u8>| line.iter().map(|&point| usize::from(point)).collect();
        board.lines = board.spec.lines.iter().map(wide).collect();
        for [from, to] in board.spec.edges() {
            for (from, to) in [(from, to), (to, from)] {
                board.steps[from] |= 1 << to;
                if board.spec.prey_may_step(from, to) {
                    board.goat_steps[from] |= 1 << to;
                }
            }
        }
        board.may_pass_in_hand = board.stuck_goats_pass && board.zone != board.all();
        board.is_plain = board.has_plain_rules();
        let degree = board.steps.iter().map(|set| set.count_ones()).max();
        board.has_foresight = board.is_plain
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

    /// The same board for a game with fewer goats, none of which stands on it at the start. The tigers still win by as many
    /// captures, or by all there are.
    ///
    /// # Panics
    /// When there are to be more goats than the game has, or none.
    #[must_use]
    pub fn with_goats(&self, goats: u32) -> &'static Self {
        assert!((1..=self.goats).contains(&goats), "1 to {}", self.goats);
        Self::of(self.spec.with_prey(goats))
            .unwrap_or_else(|refusal| unreachable!("a board with fewer goats: {refusal}"))
    }

    fn has_plain_rules(&self) -> bool {
        let is_first = self.spec.first == Role::Prey;
        is_first && (self.goats_placed, self.tigers_in_hand) == (0, 0) && self.moves_plainly()
    }

    /// The board that tables of this game are made of, if it can have any: values do not ask how the position arose, and there
    /// goats begin, one a turn where they are in hand, and the tigers stand on the board, wherever.
    pub fn of_tables(&'static self) -> Option<&'static Self> {
        if self.is_plain {
            return Some(self);
        }
        if !self.has_tables() {
            return None;
        }
        let mut sketch = self.spec.clone();
        (sketch.first, sketch.first_drops) = (Role::Prey, 1);
        let free = iter_ones(self.all() & !(self.tigers | self.goats_placed));
        for point in free.take(self.tigers_in_hand as usize) {
            sketch.hunters_at |= 1 << point;
        }
        Self::of(sketch).ok()
    }

    /// Whether [`Self::of_tables`] has a board.
    pub fn has_tables(&self) -> bool {
        let placed = self.goats_placed.count_ones();
        let drop_at_once = self.tigers_in_hand == 0 || self.spec.hunters_drop == HuntersDrop::First;
        (placed == 0 || placed == self.goats) && drop_at_once && self.moves_in_tables()
    }

    /// Whether goats step any way and lose when they cannot, captures are free, nobody has a goal, and a game without end
    /// is a draw.
    fn moves_plainly(&self) -> bool {
        (self.spec.first_drops, self.steps) == (1, self.goat_steps)
            && !self.stuck_goats_pass
            && self.moves_in_tables()
    }

    /// Whether anybody may go anywhere, captures are free, nobody has a goal, and a game without end is a draw.
    fn moves_in_tables(&self) -> bool {
        let sketch = &self.spec;
        (self.zone, self.tigers_goal, sketch.prey_goal) == (self.all(), 0, 0)
            && sketch.captures.is_some()
            && !sketch.capture_is_forced
            && sketch.endless == InfinitePlay::Draw
    }

    /// The tigers' side.
    #[inline]
    pub fn tigers_side(&self) -> Side {
        self.goats_side.other()
    }

    /// Who has won a game without end; nobody where it is a draw.
    pub fn endless(&self) -> Option<Side> {
        match self.spec.endless {
            InfinitePlay::Draw => None,
            InfinitePlay::Won(Role::Prey) => Some(self.goats_side),
            InfinitePlay::Won(Role::Hunters) => Some(self.tigers_side()),
        }
    }

    /// Whether pieces step and leap as on another board, whatever else is different.
    pub fn has_lines_of(&self, other: &Self) -> bool {
        (self.points, self.steps, &self.between) == (other.points, other.steps, &other.between)
    }

    /// The point that a jump between two points passes, as a set of one; empty where no jump joins them.
    #[inline]
    pub fn between(&self, from: usize, to: usize) -> Points {
        self.between[from * MAX_POINTS | to]
    }

    /// How many tigers come to the board in a turn of theirs, of so many in hand.
    #[inline]
    pub fn tigers_dropped(&self, in_hand: u32) -> u32 {
        match self.spec.hunters_drop {
            HuntersDrop::First => in_hand,
            HuntersDrop::Alternate => in_hand.min(1),
        }
    }

    /// How many goats are placed in a turn of theirs, of so many in hand.
    #[inline]
    pub fn goats_dropped(&self, in_hand: u32) -> u32 {
        let is_first_turn = in_hand + self.goats_placed.count_ones() == self.goats;
        if is_first_turn {
            self.spec.first_drops
        } else {
            in_hand.min(1)
        }
    }

    /// In how many turns of theirs the goats place so many in hand.
    #[inline]
    pub fn turns_to_place(&self, in_hand: u32) -> u32 {
        if self.places_one {
            return in_hand;
        }
        let now = self.goats_dropped(in_hand);
        u32::from(now > 0) + in_hand.saturating_sub(now)
    }

    /// How many steps the nearest of these pieces is away from the nearest point of a goal, whoever stands in between; none
    /// where there is no goal, or nobody to reach it.
    pub fn steps_to_goal(&self, goal: Points, pieces: Points) -> Option<u32> {
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

    /// How many steps there are, each counted once for both ways.
    pub fn edges(&self) -> usize {
        self.spec.edges().count()
    }

    /// How many jumps the lines give: either way, from each end of three neighbours to the other.
    pub fn jumps(&self) -> usize {
        2 * self.spec.threes().count()
    }

    /// The set of all points.
    #[inline]
    pub fn all(&self) -> Points {
        self.all
    }

    /// The wire name of a point: its row's letter, and its number in the row from 1.
    pub fn point_name(&self, point: usize) -> String {
        let mut number = point;
        for (row, &length) in self.rows.iter().enumerate() {
            if number < length {
                return format!("{}{}", (b'a' + row as u8) as char, number + 1);
            }
            number -= length;
        }
        String::from("-")
    }

    /// The point with this wire name.
    pub fn point(&self, name: &str) -> Option<usize> {
        (0..self.points).find(|&point| self.point_name(point).eq_ignore_ascii_case(name))
    }
}

/// The threes of neighbours that hunters leap over; none where nothing is captured.
fn triples(sketch: &BoardSpec) -> Result<Vec<Triple>, EngineError> {
    if sketch.captures.is_none() {
        return Ok(Vec::new());
    }
    let triple = |[first, middle, last]: [usize; 3]| Triple {
        ends: [first as u8, last as u8],
        middle: middle as u8,
    };
    let triples: Vec<Triple> = sketch.threes().map(triple).collect();
    if triples.len() > Triples::BITS as usize {
        return Err(EngineError::new(format!(
            "the board has {} threes of neighbours on a line, and {} are the most where there are captures",
            triples.len(),
            Triples::BITS
        )));
    }
    Ok(triples)
}

/// The table of a board without jumps, made where it stays: it is large for a stack.
fn nothing_between() -> Box<[Points; MAX_POINTS * MAX_POINTS]> {
    let table = vec![0; MAX_POINTS * MAX_POINTS].into_boxed_slice();
    table.try_into().unwrap_or_else(|_| unreachable!("so long"))
}

/// The number of sets of `taken` of `from` things, or the largest number there is.
pub(super) fn choose(from: u64, taken: u64) -> u64 {
    (0..taken).fold(1_u64, |ways, k| {
        ways.saturating_mul(from.saturating_sub(k)) / (k + 1)
    })
}

#[cfg(test)]
mod tests;
