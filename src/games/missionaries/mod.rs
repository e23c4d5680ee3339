//! Missionaries and cannibals (Amarel, 1968): a boat carries all people from the left bank of a river to the right
//! bank.
//!
//! Wherever there are missionaries, cannibals must not outnumber them. This applies to both banks and to the boat.

mod scene;

use std::collections::HashSet;
use std::sync::Arc;

use crate::control::Stopped;
use crate::error::ParseError;
use crate::lex::Tokenizer;
use crate::pathfinding::{EnginePuzzle, Heuristic, NoSolver, ZeroHeuristic};
use crate::random::Random;
use crate::rules::{Notation, Puzzle, Rules};
use crate::settings::HeuristicName;
use crate::try_alloc::BuildError;

/// Maximum number of missionaries, and of cannibals.
const MAX_PEOPLE: u8 = 40;
/// Maximum number of seats in the boat.
const MAX_SEATS: u8 = 10;

/// The size of the puzzle: the numbers of missionaries, cannibals and seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct River {
    /// Number of missionaries on both banks.
    pub missionaries: u8,
    /// Number of cannibals on both banks.
    pub cannibals: u8,
    /// Maximum number of people in the boat.
    pub(crate) seats: u8,
}

/// The numbers of people on the left bank, and the boat's bank. All other people are on the right bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Missionaries on the left bank.
    pub missionaries: u8,
    /// Cannibals on the left bank.
    pub cannibals: u8,
    /// `true` if the boat is at the left bank.
    pub(crate) boat_left: bool,
}

/// A move: the numbers of missionaries and cannibals who cross the river in the boat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    missionaries: u8,
    cannibals: u8,
}

impl From<u16> for Crossing {
    fn from(bits: u16) -> Self {
        let [missionaries, cannibals] = bits.to_be_bytes();
        Self {
            missionaries,
            cannibals,
        }
    }
}

impl From<Crossing> for u16 {
    fn from(crossing: Crossing) -> Self {
        Self::from_be_bytes([crossing.missionaries, crossing.cannibals])
    }
}

impl Default for River {
    /// The classic puzzle: three missionaries, three cannibals, two seats.
    fn default() -> Self {
        Self {
            missionaries: 3,
            cannibals: 3,
            seats: 2,
        }
    }
}

impl River {
    /// Returns `true` if both banks are safe: they have no missionaries, or cannibals do not outnumber them.
    fn is_safe(self, position: &Position) -> bool {
        let is_bank_safe = |missionaries, cannibals| missionaries == 0 || missionaries >= cannibals;
        is_bank_safe(position.missionaries, position.cannibals)
            && is_bank_safe(
                self.missionaries - position.missionaries,
                self.cannibals - position.cannibals,
            )
    }

    /// Returns all positions that are reachable from `from`, including `from`.
    fn reachable(&self, from: &Position) -> Vec<Position> {
        let mut seen = HashSet::from([*from]);
        let mut positions = vec![*from];
        let mut moves = Vec::new();
        let mut next_index = 0;
        while let Some(position) = positions.get(next_index).copied() {
            next_index += 1;
            moves.clear();
            self.moves(&position, &mut moves);
            positions.extend(
                moves
                    .iter()
                    .map(|&m| self.play(&position, m))
                    .filter(|child| seen.insert(*child)),
            );
        }
        positions
    }
}

impl Rules for River {
    type Position = Position;
    type Move = Crossing;

    fn start(&self) -> Position {
        Position {
            missionaries: self.missionaries,
            cannibals: self.cannibals,
            boat_left: true,
        }
    }

    /// Appends the crossings after which both banks are safe. The boat must not be empty, and in the boat cannibals
    /// must not outnumber missionaries.
    fn moves(&self, position: &Position, out: &mut Vec<Crossing>) {
        let (missionaries_here, cannibals_here) = if position.boat_left {
            (position.missionaries, position.cannibals)
        } else {
            (
                self.missionaries - position.missionaries,
                self.cannibals - position.cannibals,
            )
        };
        for missionaries in 0..=self.seats.min(missionaries_here) {
            for cannibals in 0..=(self.seats - missionaries).min(cannibals_here) {
                let crossing = Crossing {
                    missionaries,
                    cannibals,
                };
                let is_boat_occupied = missionaries + cannibals > 0;
                let is_boat_safe = missionaries == 0 || missionaries >= cannibals;
                if is_boat_occupied && is_boat_safe && self.is_safe(&self.play(position, crossing))
                {
                    out.push(crossing);
                }
            }
        }
    }

    fn play(&self, position: &Position, m: Crossing) -> Position {
        let (missionaries, cannibals) = if position.boat_left {
            (
                position.missionaries - m.missionaries,
                position.cannibals - m.cannibals,
            )
        } else {
            (
                position.missionaries + m.missionaries,
                position.cannibals + m.cannibals,
            )
        };
        Position {
            missionaries,
            cannibals,
            boat_left: !position.boat_left,
        }
    }

    fn key(&self, position: &Position) -> u64 {
        let bits = u64::from(position.missionaries) << 9
            | u64::from(position.cannibals) << 1
            | u64::from(position.boat_left);
        bits.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
    }

    /// Counts all numbers of people on the left bank, with the boat at either bank, safe or not.
    fn positions_at_most(&self) -> Option<u128> {
        let possible_counts = |people: u8| u128::from(people) + 1;
        Some(2 * possible_counts(self.missionaries) * possible_counts(self.cannibals))
    }
}

impl Puzzle for River {
    fn is_solved(&self, position: &Position) -> bool {
        *position == self.goal()
    }

    fn unsolvable_reason(&self, position: &Position) -> Option<String> {
        let is_solvable = self.reachable(position).contains(&self.goal());
        (!is_solvable).then(|| {
            "the goal cannot be reached: no sequence of safe crossings brings all people across"
                .into()
        })
    }

    fn inverse(&self, m: Crossing) -> Option<Crossing> {
        Some(m)
    }
}

impl EnginePuzzle for River {
    type Solver = NoSolver;

    fn goal(&self) -> Position {
        Position {
            missionaries: 0,
            cannibals: 0,
            boat_left: false,
        }
    }

    fn random(&self, random: &mut Random) -> Position {
        // Every crossing can be undone, so the positions reachable from the goal can reach the goal.
        let positions = self.reachable(&self.goal());
        positions[random.index(positions.len())]
    }

    fn lower_bound(&self, position: &Position) -> u32 {
        FullBoats.estimate(self, position)
    }

    fn has_heuristic(&self, name: HeuristicName) -> bool {
        matches!(name, HeuristicName::Auto | HeuristicName::Zero)
    }

    fn heuristic(
        &self,
        name: HeuristicName,
        _watch: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<Option<Arc<dyn Heuristic<Self>>>, BuildError> {
        Ok(match name {
            HeuristicName::Auto => Some(Arc::new(FullBoats)),
            HeuristicName::Zero => Some(Arc::new(ZeroHeuristic)),
            _ => None,
        })
    }
}

/// A lower bound: the number of crossings if cannibals may outnumber missionaries, so that the boat always crosses full
/// and returns with one rower.
#[derive(Clone, Copy, Debug)]
struct FullBoats;

impl Heuristic<River> for FullBoats {
    fn estimate(&self, river: &River, position: &Position) -> u32 {
        let people = u32::from(position.missionaries) + u32::from(position.cannibals);
        let seats = u32::from(river.seats);
        // The number of crossings with `people` and the boat at the left bank. The last crossing takes up to `seats`
        // people, each earlier pair of crossings `seats - 1`.
        let crossings_from_left = |people: u32| match people.saturating_sub(seats) {
            0 => 1,
            remaining => 2 * remaining.div_ceil((seats - 1).max(1)) + 1,
        };
        match (position.boat_left, people) {
            (true, _) => crossings_from_left(people),
            (false, 0) => 0,
            // One rower has to return first.
            (false, _) => 1 + crossings_from_left(people + 1),
        }
    }
}

impl Notation for River {
    fn read_position(&self, text: &str) -> Result<(Self, Position), ParseError> {
        let mut words = Tokenizer::new(text);
        let people = |words: &mut Tokenizer, what: &str, max: u8| {
            let expected = format!("{what}, 0 to {max}");
            let word = words.expect(&expected)?;
            let number = word.parse().ok().filter(|&number: &u8| number <= max);
            number.ok_or_else(|| words.misread(word, &expected))
        };
        let missionaries = people(
            &mut words,
            "the number of missionaries on the left bank",
            MAX_PEOPLE,
        )?;
        let cannibals = people(
            &mut words,
            "the number of cannibals on the left bank",
            MAX_PEOPLE,
        )?;
        let bank = words.expect("the bank of the boat, left or right")?;
        let boat_left = match bank {
            "left" => true,
            "right" => false,
            _ => return Err(words.misread(bank, "the bank of the boat, left or right")),
        };
        let mut river = Self::default();
        if let Some(word) = words.next_word() {
            if word != "of" {
                return Err(words.misread(word, "'of' or nothing more"));
            }
            river.missionaries = people(
                &mut words,
                "the number of missionaries on both banks",
                MAX_PEOPLE,
            )?;
            river.cannibals = people(
                &mut words,
                "the number of cannibals on both banks",
                MAX_PEOPLE,
            )?;
            let boat = words.expect("boat")?;
            if boat != "boat" {
                return Err(words.misread(boat, "boat"));
            }
            river.seats = people(&mut words, "the number of seats in the boat", MAX_SEATS)?;
            if river.seats == 0 {
                return Err(ParseError::new(
                    text.trim_end().len() - 1,
                    "at least one seat in the boat",
                ));
            }
        }
        words.end()?;
        let position = Position {
            missionaries,
            cannibals,
            boat_left,
        };
        if missionaries > river.missionaries || cannibals > river.cannibals {
            return Err(ParseError::new(
                0,
                format!(
                    "at most {} missionaries and {} cannibals on the left bank",
                    river.missionaries, river.cannibals
                ),
            ));
        }
        if !river.is_safe(&position) {
            return Err(ParseError::new(
                0,
                "no bank where cannibals outnumber missionaries",
            ));
        }
        Ok((river, position))
    }

    fn show_position(&self, position: &Position) -> String {
        let bank = if position.boat_left { "left" } else { "right" };
        let mut text = format!("{} {} {bank}", position.missionaries, position.cannibals);
        if *self != Self::default() {
            text += &format!(
                " of {} {} boat {}",
                self.missionaries, self.cannibals, self.seats
            );
        }
        text
    }

    fn identity(&self) -> Option<String> {
        let (missionaries, cannibals, seats) = (self.missionaries, self.cannibals, self.seats);
        Some(format!("missionaries-{missionaries}-{cannibals}-{seats}"))
    }

    fn read_move(&self, text: &str) -> Result<Crossing, ParseError> {
        let read = || {
            let (missionaries, rest) = text
                .split_once('m')
                .map_or((Some(0), text), |(number, rest)| {
                    (parse_count(number), rest)
                });
            let cannibals = if rest.is_empty() {
                Some(0)
            } else {
                parse_count(rest.strip_suffix('c')?)
            };
            let crossing = Crossing {
                missionaries: missionaries?,
                cannibals: cannibals?,
            };
            (self.show_move(crossing) == text).then_some(crossing)
        };
        read().ok_or_else(|| ParseError::new(0, "a crossing such as 2c, 1m or 1m1c"))
    }

    fn show_move(&self, m: Crossing) -> String {
        let people = |number: u8, kind: char| {
            if number > 0 {
                format!("{number}{kind}")
            } else {
                String::new()
            }
        };
        people(m.missionaries, 'm') + &people(m.cannibals, 'c')
    }

    fn why_illegal(&self, position: &Position, m: Crossing) -> Option<String> {
        let banks = ["left", "right"];
        let left = [position.missionaries, position.cannibals];
        let right = [self.missionaries - left[0], self.cannibals - left[1]];
        let ([here, there], [mut from, mut to]) = if position.boat_left {
            (banks, [left, right])
        } else {
            ([banks[1], banks[0]], [right, left])
        };
        let passengers = [m.missionaries, m.cannibals];
        let seats = self.seats;
        if u32::from(passengers[0]) + u32::from(passengers[1]) > seats.into() {
            return Some(format!("the boat holds {seats}"));
        }
        for kind in 0..2 {
            if passengers[kind] > from[kind] {
                let people = count_text(from[kind], kind);
                return Some(format!("on the {here} bank there are only {people}"));
            }
            from[kind] -= passengers[kind];
            to[kind] += passengers[kind];
        }
        let places = [
            (passengers, String::from("in the boat")),
            (from, format!("on the {here} bank")),
            (to, format!("on the {there} bank")),
        ];
        let is_unsafe = |people: &[u8; 2]| (1..people[1]).contains(&people[0]);
        places
            .into_iter()
            .find(|(people, _)| is_unsafe(people))
            .map(|([missionaries, cannibals], place)| {
                let (cannibals, missionaries) =
                    (count_text(cannibals, 1), count_text(missionaries, 0));
                format!("{place} {cannibals} would outnumber {missionaries}")
            })
    }

    fn draw(&self, position: &Position) -> String {
        let people = |kind: &str, number: u8| kind.repeat(number.into());
        let width = usize::from(self.missionaries.max(self.cannibals));
        let river_with_boat = if position.boat_left {
            "| boat      |"
        } else {
            "|      boat |"
        };
        let row = |kind: &str, left: u8, all: u8, river: &str| {
            format!(
                "{:>width$} {river} {}",
                people(kind, left),
                people(kind, all - left)
            )
            .trim_end()
            .to_string()
        };
        let missionaries = row(
            "M",
            position.missionaries,
            self.missionaries,
            river_with_boat,
        );
        let cannibals = row("C", position.cannibals, self.cannibals, "|           |");
        format!("{missionaries}\n{cannibals}")
    }
}

/// Returns `count` with its noun, such as "2 cannibals". `kind` is 0 for missionaries and 1 for cannibals.
fn count_text(count: u8, kind: usize) -> String {
    let [singular, plural] = [["missionary", "missionaries"], ["cannibal", "cannibals"]][kind];
    format!("{count} {}", if count == 1 { singular } else { plural })
}

/// Parses a decimal number without a sign. Returns `None` for other text and for numbers above 255.
fn parse_count(text: &str) -> Option<u8> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}
