//! The champion's evaluation of hunt games that were looked at closely: what stands on each line of the board, judged by
//! numbers that were fitted to the values of positions under perfect play. The others are judged by the tutorial's points.
//!
//! A line is worth a number for every way it can be occupied, by phase: how many goats have been captured, and how many
//! are in hand. The sum over all lines, and a number for the side to move, is the logarithm of the odds that the goats
//! win, where a draw counts half, in hundredths. `scripts/fit-evaluation` makes the numbers.
//!
//! # How the numbers were made
//!
//! `auto` looks at the board line by line: every way to occupy a line is worth a number, by how many goats have been
//! captured (0, 1, 2, 3, or more) and by phase (goats to step; goats to place, between the last one and all in hand). Lines that
//! symmetries of the board lead to each other share their numbers. The sum, and a number for the side to move, is the logarithm
//! of the odds that the goats win under perfect play, a draw being half a win, in hundredths. A move changes few lines, so that
//! those before the horizon are judged without being played. The code is `src/games/hunt/lines.rs` and `fitted.rs`, the numbers are
//! `src/games/hunt/fitted/*.txt`. `eval` shows what each line of a position counts, and this the weightiest occupations of all:
//!
//! ```text
//! scripts/fit-evaluation show src/games/hunt/fitted/aadu-puli.txt
//! ```
//!
//! The numbers were fitted to what the engine itself has made: positions from its own games, some random plies aside, and the
//! verdicts of its solved tables on them. A first fit from games of `pvs`, which plays by the tutorial's evaluation, made a
//! player whose games were added for the second:
//!
//! ```text
//! puli gather aadu-puli --tables tables --games 6000 --algorithm pvs --seed 1 > first.positions
//! scripts/fit-evaluation fit first.positions > src/games/hunt/fitted/aadu-puli.txt    # and build again
//! puli gather aadu-puli --tables tables --games 12000 --seed 2 > second.positions
//! scripts/fit-evaluation fit first.positions second.positions > src/games/hunt/fitted/aadu-puli.txt
//! ```
//!
//! For Bagh Chal the two were 15,000 and 40,000 games. Of 400 positions of which some moves lose the value, half of them won and half
//! drawn, `auto` without tables kept the value of this share at 100 ms a move, on a machine shared with other work:
//!
//! | | with these numbers | with the tutorial's evaluation |
//! | --- | --- | --- |
//! | Aadu Puli | 95.2% ± 2.1 | 85.5% ± 3.5 |
//! | Bagh Chal | 96.2% ± 1.9 | 88.5% ± 3.1 |
//!
//! ```text
//! scripts/keep-value target/release/puli --tables tables --movetime 100ms --variant bagh-chal
//! ```
//!
//! Demala Diviyan Keliya and the Mysore game with three tigers have numbers from 6,000 games of `pvs` each, tables of theirs
//! and one fit. Against itself with the tutorial's points `auto` won 13, drew 45 and lost 2 of 60 games of the first, and
//! won 29, drew 25 and lost 6 of the second (`scripts/match --movetime 10ms --max-plies 150 --random-plies 6`).
//!
//! Against `scout` with memory at 100 ms a move, from twenty openings of six random plies, `auto` won 73 of 175 games of Aadu Puli, drew
//! 98 and lost 4: with the goats it won 73 and drew 16, with the tigers it drew 82 and lost 4. That is 140 Elo, with 95% between 123
//! and 159. A game of 300 plies counted as a draw, as 91 did; three games at once shared two cores with other work.
//!
//! ```text
//! scripts/match --engine1 target/release/puli --name1 auto --engine2 target/release/puli --name2 scout --option2 Algorithm=scout \
//!     --option2 Memory=true --variant aadu-puli --movetime 100ms --margin 2s --max-plies 300 --random-plies 6 --random-openings 20 \
//!     --games 200 --concurrency 3
//! ```

use std::sync::OnceLock;

use super::board::{self, Board};
use super::lines::{Lines, Reading};
use super::position::{Move, Position, goats_left};
use crate::value::{Side, Value};

/// 0, 1, 2 or 3 goats captured, or more.
const STAGES: usize = 5;
/// Goats to step; the last goat in hand; all of them in hand. Numbers for hands between are mixed from the last two.
const PHASES: usize = 3;

/// The numbers of a board.
#[derive(Clone, Debug)]
pub struct Fitted {
    board: &'static Board,
    lines: Lines,
    /// By goats in hand, then by stage.
    parts: Vec<Part>,
    /// What `eval` calls the lines.
    names: Vec<String>,
}

/// The numbers for one hand and stage.
#[derive(Clone, Debug)]
struct Part {
    lines: Vec<i16>,
    /// With the goats to move, and the tigers.
    to_move: [i16; 2],
}

/// One row of the file: the numbers of one way to occupy a line, by phase, then by stage.
type Row = [i16; PHASES * STAGES];

/// A built-in game with its numbers, read when they are first wanted.
struct Known {
    game: &'static str,
    text: &'static str,
    fitted: OnceLock<Option<Fitted>>,
}

impl Known {
    const fn new(game: &'static str, text: &'static str) -> Self {
        Self {
            game,
            text,
            fitted: OnceLock::new(),
        }
    }

    fn fitted(&'static self) -> Option<&'static Fitted> {
        let read = || Fitted::read(board::named(self.game)?, self.text);
        self.fitted.get_or_init(read).as_ref()
    }
}

/// The games whose numbers were fitted.
static ALL: [Known; 4] = [
    Known::new("aadu-puli", include_str!("fitted/aadu-puli.txt")),
    Known::new("bagh-chal", include_str!("fitted/bagh-chal.txt")),
    Known::new(
        "demala-diviyan-keliya",
        include_str!("fitted/demala-diviyan-keliya.txt"),
    ),
    Known::new(
        "mysore-three-tigers",
        include_str!("fitted/mysore-three-tigers.txt"),
    ),
];

/// The evaluation of positions on a board, where one was fitted.
pub fn of(board: &Board) -> Option<&'static Fitted> {
    let known = ALL.iter().find(|known| known.game == board.name)?;
    let built_in = board::named(known.game)?;
    let is_it = built_in.sketch.is_same_game(&board.sketch);
    is_it.then(|| known.fitted())?
}

/// A board has one at most.
impl PartialEq for Fitted {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
    }
}

impl Fitted {
    /// Reads the numbers of a board; none if anything is amiss.
    fn read(board: &'static Board, text: &str) -> Option<Self> {
        let lines = Lines::new(board).ok()?;
        let mut rows: Vec<Row> = vec![[0; PHASES * STAGES]; lines.numbers()];
        let mut to_move = [[0; PHASES * STAGES]; 2];
        let mut kinds = lines.kinds.iter();
        let mut kind = None;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (what, rest) = line.split_once(' ')?;
            match (what, kind) {
                ("line", _) => kind = kinds.next(),
                ("goats-to-move", _) => to_move[0] = read_row(rest)?,
                ("tigers-to-move", _) => to_move[1] = read_row(rest)?,
                (occupied, Some(kind)) => {
                    rows[kind.first + kind.read(occupied)?] = read_row(rest)?;
                }
                (_, None) => return None,
            }
        }
        for kind in &lines.kinds {
            for number in 0..kind.numbers() {
                rows[kind.first + number] = rows[kind.first + kind.canonical(number)];
            }
        }
        // The numbers are the goats' everywhere, and values the first player's.
        let sign = if board.goats_side == Side::P1 { 1 } else { -1 };
        let hands = 0..=board.goats as usize;
        let parts = hands.flat_map(|hand| (0..STAGES).map(move |stage| (hand, stage)));
        let part = |(hand, stage)| {
            let mixed = |row: &Row| sign * mix(row, hand as i32, stage, board.goats as i32);
            Part {
                lines: rows.iter().map(mixed).collect(),
                to_move: [mixed(&to_move[0]), mixed(&to_move[1])],
            }
        };
        let name = |points: &[usize]| match points {
            [first, .., last] => {
                format!("{}-{}", board.point_name(*first), board.point_name(*last))
            }
            _ => String::new(),
        };
        Some(Self {
            names: lines.lines.iter().map(|line| name(&line.points)).collect(),
            parts: parts.map(part).collect(),
            board,
            lines,
        })
    }

    /// The value of a position in which the game goes on.
    #[inline]
    pub fn value(&self, position: &Position) -> Value {
        let side = usize::from(position.tigers_to_move);
        let part = self.part(position.hand, self.captured(position));
        part.value(&self.lines, self.lines.read(position), side)
    }

    /// What [`Fitted::value`] is made of.
    pub fn terms(&self, position: &Position) -> Vec<(&str, f64)> {
        let part = self.part(position.hand, self.captured(position));
        let reading = self.lines.read(position);
        let points = |hundredths: i16| f64::from(hundredths) / 100.0;
        let lines = self.lines.lines.iter().zip(&self.names);
        let mut terms: Vec<(&str, f64)> = lines
            .map(|(line, name)| (name.as_str(), points(part.lines[line.number(reading)])))
            .collect();
        let side = usize::from(position.tigers_to_move);
        terms.push(("to move", points(part.to_move[side])));
        terms
    }

    /// A position with what is needed to judge its moves without playing them.
    #[inline]
    pub fn prospect<'a>(&'a self, position: &'a Position) -> Prospect<'a> {
        let captured = self.captured(position);
        let goat_placed = u8::from(!position.tigers_to_move && position.hand > 0);
        Prospect {
            fitted: self,
            position,
            reading: self.lines.read(position),
            quiet: self.part(position.hand - goat_placed, captured),
            capture: self.part(position.hand, captured + 1),
        }
    }

    #[inline]
    fn captured(&self, position: &Position) -> usize {
        (self.board.goats - goats_left(position)) as usize
    }

    #[inline]
    fn part(&self, hand: u8, captured: usize) -> &Part {
        &self.parts[usize::from(hand) * STAGES + captured.min(STAGES - 1)]
    }
}

impl Part {
    #[inline]
    fn value(&self, lines: &Lines, reading: Reading, side: usize) -> Value {
        let numbers = lines.lines.iter().map(|line| line.number(reading));
        let sum: i32 = numbers.map(|number| i32::from(self.lines[number])).sum();
        Value(sum + i32::from(self.to_move[side]))
    }
}

/// A position whose moves are to be judged.
#[derive(Clone, Copy, Debug)]
pub struct Prospect<'a> {
    fitted: &'a Fitted,
    position: &'a Position,
    reading: Reading,
    /// For the position after a move.
    quiet: &'a Part,
    /// For the position after a capture.
    capture: &'a Part,
}

impl Prospect<'_> {
    /// The value after a legal move.
    #[inline]
    pub fn after(&self, m: Move) -> Value {
        let lines = &self.fitted.lines;
        let (from, to) = (m.from(), m.to());
        if !self.position.tigers_to_move {
            let left = if from == to { 0 } else { lines.at(from) };
            let reading = self.reading + lines.at(to) - left;
            return self.quiet.value(lines, reading, 1);
        }
        let reading = self.reading + 2 * lines.at(to) - 2 * lines.at(from);
        match self.fitted.board.between(from, to) {
            0 => self.quiet.value(lines, reading, 0),
            captured => {
                let reading = reading - lines.at(captured.trailing_zeros() as usize);
                self.capture.value(lines, reading, 0)
            }
        }
    }
}

fn read_row(text: &str) -> Option<Row> {
    let numbers = text.split(' ').map(str::parse);
    let numbers: Vec<i16> = numbers.collect::<Result<_, _>>().ok()?;
    numbers.try_into().ok()
}

/// The number of a row for one hand and stage.
fn mix(row: &Row, hand: i32, stage: usize, all: i32) -> i16 {
    let [steps, last, first] = [0, 1, 2].map(|phase| i32::from(row[phase * STAGES + stage]));
    let mixed = match hand {
        0 => steps,
        _ => (last * (all - hand) + first * hand).div_euclid(all),
    };
    mixed as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::Hunt;
    use crate::rules::{Game, Rules};

    #[test]
    fn the_numbers_can_be_read() {
        for known in &ALL {
            assert!(known.fitted().is_some(), "{}", known.game);
        }
    }

    #[test]
    fn what_a_move_will_be_worth_is_what_it_is_worth() {
        for fitted in ALL.iter().filter_map(Known::fitted) {
            let game = Hunt::new(fitted.board);
            let mut random = fastrand::Rng::with_seed(1);
            for _ in 0..100 {
                let mut position = game.start();
                while game.outcome(&position).is_none() && random.u32(..100) > 0 {
                    let mut moves = Vec::new();
                    game.moves(&position, &mut moves);
                    let prospect = fitted.prospect(&position);
                    for &m in &moves {
                        let child = game.play(&position, m);
                        // Drops and passes are played to be judged.
                        if fitted.board.is_plain {
                            assert_eq!(prospect.after(m), fitted.value(&child), "{child:?}");
                        }
                        let terms: f64 = fitted.terms(&child).iter().map(|term| term.1).sum();
                        assert_eq!((terms * 100.0).round() as i32, fitted.value(&child).0);
                    }
                    position = game.play(&position, moves[random.usize(..moves.len())]);
                }
            }
        }
    }

    #[test]
    fn a_board_with_fewer_goats_has_no_numbers() {
        let small: &'static Board = board::AADU_PULI.with_goats(5);
        assert!(of(small).is_none());
        assert!(of(&board::BAGH_CHAL).is_some());
    }
}
