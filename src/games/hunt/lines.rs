//! What stands on the lines of a board: a number in base three for each of them, all side by side in one word, so that
//! a move changes every one with an addition.

use std::array::from_fn;

use super::board::{Board, MOST_POINTS, Points};
use super::position::Position;
use crate::error::Refusal;

/// The numbers of all lines, side by side.
pub type Reading = u128;

/// What may stand on a point, in the order of the digits.
const PIECES: [char; 3] = ['.', 'G', 'T'];

/// Lines that symmetries of the board lead to each other.
#[derive(Clone, Debug)]
pub struct LineKind {
    /// The points of one of them, in order.
    pub points: Vec<usize>,
    /// Where the numbers of this kind begin, those of all kinds end to end.
    pub first: usize,
    /// Whether a symmetry turns the line around, so that a number and its reverse mean the same.
    is_turned: bool,
}

impl LineKind {
    /// How many numbers there are.
    pub fn numbers(&self) -> usize {
        PIECES.len().pow(self.points.len() as u32)
    }

    /// The least of the numbers that mean the same as this one.
    pub fn canonical(&self, number: usize) -> usize {
        if self.is_turned {
            number.min(self.reversed(number))
        } else {
            number
        }
    }

    fn reversed(&self, number: usize) -> usize {
        let digits = self.digits(number).rev();
        digits.fold(0, |number, digit| number * PIECES.len() + digit)
    }

    /// The digits of a number, that of the first point first.
    fn digits(&self, number: usize) -> impl DoubleEndedIterator<Item = usize> {
        let places = (0..self.points.len() as u32).rev();
        places.map(move |place| number / PIECES.len().pow(place) % PIECES.len())
    }

    /// A number as what stands on the line: `.` for nobody, `G` and `T`.
    pub fn show(&self, number: usize) -> String {
        self.digits(number).map(|digit| PIECES[digit]).collect()
    }

    /// What [`LineKind::show`] shows.
    pub fn read(&self, text: &str) -> Option<usize> {
        let number = text.chars().try_fold(0, |number, c| {
            let digit = PIECES.iter().position(|&piece| piece == c)?;
            Some(number * PIECES.len() + digit)
        });
        number.filter(|_| text.chars().count() == self.points.len())
    }
}

/// One line, and where its number lies.
#[derive(Clone, Debug)]
pub struct Line {
    /// The index of its kind.
    pub kind: usize,
    /// Its points, in the order that makes its number comparable with others of the kind.
    pub points: Vec<usize>,
    shift: u32,
    mask: usize,
    /// As [`LineKind::first`].
    first: usize,
}

impl Line {
    /// Its number in a reading, counted from the first number of the first kind.
    #[inline]
    pub fn number(&self, reading: Reading) -> usize {
        self.first + ((reading >> self.shift) as usize & self.mask)
    }
}

/// The lines of a board.
#[derive(Clone, Debug)]
pub struct Lines {
    /// The lines by kind.
    pub kinds: Vec<LineKind>,
    /// The lines, in the order of the board.
    pub lines: Vec<Line>,
    by_point: [Reading; MOST_POINTS],
    by_byte: Box<[[Reading; 256]; 4]>,
}

/// So many points can be read.
const MOST_READ: usize = 32;

impl Lines {
    /// The lines of this board, unless it has more of them than a reading has room for.
    pub fn new(board: &Board) -> Result<Self, Refusal> {
        let bits: u32 = board.lines.iter().map(|points| bits(points.len())).sum();
        if board.points > MOST_READ || bits > Reading::BITS {
            return Err(Refusal::new(format!(
                "{} has {} points, and what can stand on its lines takes {bits} bits: {MOST_READ} points and {} bits are the \
                 most that can be judged line by line",
                board.name,
                board.points,
                Reading::BITS
            )));
        }
        let mut kinds = Vec::new();
        let mut lines: Vec<Line> = Vec::new();
        let mut shift = 0;
        for points in &board.lines {
            let line = Line::new(board, points, shift, &mut kinds);
            shift += line.mask.count_ones();
            lines.push(line);
        }
        let by_point = from_fn(|point| {
            let digits = lines.iter().filter_map(|line| {
                let place = line.points.iter().rev().position(|&p| p == point)?;
                Some(Reading::from(3_u32.pow(place as u32)) << line.shift)
            });
            digits.sum()
        });
        let of_byte = |slice: usize, byte: usize| {
            let members = (0..8).filter(|point| byte >> point & 1 == 1);
            let digits = members.filter_map(|point| by_point.get(slice * 8 + point));
            digits.sum()
        };
        Ok(Self {
            by_byte: Box::new(from_fn(|slice| from_fn(|byte| of_byte(slice, byte)))),
            kinds,
            lines,
            by_point,
        })
    }

    /// How many numbers there are, of all kinds together.
    pub fn numbers(&self) -> usize {
        self.kinds.iter().map(LineKind::numbers).sum()
    }

    /// What a goat adds on a point; a tiger adds it twice.
    #[inline]
    pub fn at(&self, point: usize) -> Reading {
        self.by_point[point]
    }

    /// What stands on all lines.
    #[inline]
    pub fn read(&self, position: &Position) -> Reading {
        self.of(position.goats) + 2 * self.of(position.tigers)
    }

    #[inline]
    fn of(&self, set: Points) -> Reading {
        let [a, b, c, d, ..] = set.to_le_bytes().map(usize::from);
        let [first, second, third, fourth] = &*self.by_byte;
        first[a] + second[b] + third[c] + fourth[d]
    }
}

impl Line {
    fn new(board: &Board, points: &[usize], shift: u32, kinds: &mut Vec<LineKind>) -> Self {
        let images = |points: &[usize]| -> Vec<Vec<usize>> {
            let image = |images: &[u8]| points.iter().map(|&p| images[p] as usize).collect();
            let symmetries = board.symmetries.iter();
            symmetries.map(|symmetry| image(&symmetry.images)).collect()
        };
        let mut points = points.to_vec();
        let leads_to = |points: &[usize], kind: &LineKind| images(points).contains(&kind.points);
        let mut kind = kinds.iter().position(|kind| leads_to(&points, kind));
        if kind.is_none() {
            let turned: Vec<usize> = points.iter().rev().copied().collect();
            kind = kinds.iter().position(|kind| leads_to(&turned, kind));
            if kind.is_some() {
                points = turned;
            }
        }
        let kind = kind.unwrap_or_else(|| {
            let first = kinds.iter().map(LineKind::numbers).sum();
            let turned: Vec<usize> = points.iter().rev().copied().collect();
            kinds.push(LineKind {
                is_turned: images(&points).contains(&turned),
                points: points.clone(),
                first,
            });
            kinds.len() - 1
        });
        Self {
            kind,
            shift,
            mask: (1 << bits(points.len())) - 1,
            points,
            first: kinds[kind].first,
        }
    }
}

/// The bits that the number of a line of so many points takes.
fn bits(points: usize) -> u32 {
    PIECES.len().saturating_pow(points as u32).ilog2() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::Hunt;
    use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
    use crate::rules::{Game, Rules};

    #[test]
    fn lines_are_of_few_kinds() {
        let kinds = |board: &Board| Lines::new(board).unwrap().kinds.len();
        // Three rows of six, the last row, two slants and their mirror images, a side and its mirror image.
        assert_eq!(kinds(&AADU_PULI), 7);
        // Outer, inner and middle lines, long and short diagonals.
        assert_eq!(kinds(&BAGH_CHAL), 5);
    }

    #[test]
    fn a_reading_says_what_stands_on_every_line() {
        for board in [&*AADU_PULI, &*BAGH_CHAL] {
            let (game, lines) = (Hunt::new(board), Lines::new(board).unwrap());
            let mut random = fastrand::Rng::with_seed(1);
            for _ in 0..50 {
                let mut position = game.start();
                while game.outcome(&position).is_none() && random.u32(..100) > 0 {
                    let reading = lines.read(&position);
                    for line in &lines.lines {
                        let piece = |point: &usize| match point {
                            point if position.goats >> point & 1 == 1 => 'G',
                            point if position.tigers >> point & 1 == 1 => 'T',
                            _ => '.',
                        };
                        let expected: String = line.points.iter().map(piece).collect();
                        let kind = &lines.kinds[line.kind];
                        let number = line.number(reading) - kind.first;
                        assert_eq!(kind.show(number), expected);
                        assert_eq!(kind.read(&expected), Some(number));
                    }
                    let mut moves = Vec::new();
                    game.moves(&position, &mut moves);
                    position = game.play(&position, moves[random.usize(..moves.len())]);
                }
            }
        }
    }

    #[test]
    fn only_what_stands_on_a_line_is_read() {
        let lines = Lines::new(&AADU_PULI).unwrap();
        let row = &lines.kinds[0];
        assert_eq!(row.read("G....T"), Some(243 + 2));
        assert_eq!(row.canonical(243 + 2), row.canonical(2 * 243 + 1));
        for wrong in ["G....", "G....TT", "G....x", ""] {
            assert_eq!(row.read(wrong), None, "{wrong}");
        }
    }
}
