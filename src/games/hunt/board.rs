//! The boards of the hunt games as data, and what follows from their lines: steps, captures, names and symmetries.

use std::array::from_fn;
use std::ops::BitXor;
use std::sync::LazyLock;

/// Boards have at most this many points, so that a set of points fits 32 bits.
pub const MOST_POINTS: usize = 25;

/// No point has more neighbours.
pub const MOST_DEGREE: usize = 8;

/// A set of points: bit `i` is point `i`.
pub type Points = u32;

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

/// A function of sets of points that is the symmetric difference over their members, looked up eight points at a
/// time. Where what belongs to different points is disjoint, that is the union.
#[derive(Clone, Debug)]
pub struct Difference<T> {
    by_point: [T; MOST_POINTS],
    by_byte: [[T; 256]; 4],
}

impl<T: Copy + Default + BitXor<Output = T>> Difference<T> {
    fn new(by_point: [T; MOST_POINTS]) -> Self {
        let of_byte = |slice: usize, byte: usize| {
            let inside = |point: &usize| byte >> point & 1 == 1;
            let members = (0..8).filter(inside).map(|point| slice * 8 + point);
            members
                .filter_map(|point| by_point.get(point))
                .fold(T::default(), |difference, &one| difference ^ one)
        };
        Self {
            by_byte: from_fn(|slice| from_fn(|byte| of_byte(slice, byte))),
            by_point,
        }
    }

    /// What belongs to one point.
    #[inline]
    pub fn at(&self, point: usize) -> T {
        self.by_point[point]
    }

    /// What belongs to an odd number of the points of a set.
    #[inline]
    pub fn of(&self, set: Points) -> T {
        let [a, b, c, d] = set.to_le_bytes().map(usize::from);
        let [first, second, third, fourth] = &self.by_byte;
        first[a] ^ second[b] ^ third[c] ^ fourth[d]
    }
}

/// What a hunt game is, before anything is derived.
struct Sketch {
    name: &'static str,
    title: &'static str,
    /// Points per row from the top, in the order of their numbers.
    rows: &'static [usize],
    /// A step joins consecutive points of a line, a jump the first and the last of three consecutive ones.
    lines: &'static [&'static [usize]],
    tigers: &'static [usize],
    goats: u32,
    captures_to_win: u32,
    drawing: &'static str,
    places: &'static [Row],
}

/// Where a row's points are drawn: y upwards, then the x of each point.
pub type Row = (f64, &'static [f64]);

/// A permutation of the points that keeps lines and start.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// `images[i]` is the image of point `i`.
    pub images: Vec<u8>,
    /// The inverse of `images`.
    pub origins: Vec<u8>,
    /// The images of sets of points.
    pub turned: Difference<Points>,
}

impl Symmetry {
    fn new(images: Vec<u8>) -> Self {
        let mut origins = vec![0; images.len()];
        for (point, &image) in images.iter().enumerate() {
            origins[image as usize] = point as u8;
        }
        let image = |point: usize| images.get(point).map_or(0, |&image| 1 << image);
        Self {
            turned: Difference::new(from_fn(image)),
            images,
            origins,
        }
    }
}

/// A board with everything derived from its lines.
#[derive(Clone, Debug)]
pub struct Board {
    /// The variant's name on the wire.
    pub name: &'static str,
    /// What people call the game.
    pub title: &'static str,
    /// Points per row from the top, in the order of their numbers.
    pub rows: &'static [usize],
    /// How many points there are.
    pub points: usize,
    /// Where the tigers begin.
    pub tigers: Points,
    /// How many goats there are at the start, all in hand.
    pub goats: u32,
    /// How many goats the tigers must capture to win.
    pub captures_to_win: u32,
    /// The empty board, a `o` for every point in the order of their numbers.
    pub drawing: &'static str,
    /// Where the points are drawn, row by row from the top.
    pub places: &'static [Row],
    /// A step joins consecutive points of a line, a jump goes from the first of three consecutive ones to the third.
    pub lines: &'static [&'static [usize]],
    /// The points one step away from each point.
    pub steps: [Points; MOST_POINTS],
    /// All threes of consecutive points on a line.
    pub triples: Vec<Triple>,
    /// The triples that a point is an end of.
    pub ends: Difference<Triples>,
    /// The triples that a point is the middle of.
    pub middles: Difference<Triples>,
    /// The point between the ends of a jump, as a set of one; empty for two points no jump joins.
    pub between: [[Points; 32]; 32],
    /// The permutations of the points that keep lines and start, the identity first.
    pub symmetries: Vec<Symmetry>,
}

impl PartialEq for Board {
    /// A name tells nothing: boards are equal when their points, their lines, their start and their numbers are.
    fn eq(&self, other: &Self) -> bool {
        let numbers = |board: &Self| {
            (
                board.name,
                board.rows,
                board.tigers,
                board.goats,
                board.captures_to_win,
            )
        };
        std::ptr::eq(self, other) || numbers(self) == numbers(other) && self.has_lines_of(other)
    }
}

/// Aadu Puli Aattam, tigers and goats on 23 points.
pub static AADU_PULI: LazyLock<Board> = LazyLock::new(|| {
    Board::derive(&Sketch {
        name: "aadu-puli",
        title: "Aadu Puli Aattam",
        rows: &[1, 6, 6, 6, 4],
        lines: &[
            &[1, 2, 3, 4, 5, 6],
            &[7, 8, 9, 10, 11, 12],
            &[13, 14, 15, 16, 17, 18],
            &[19, 20, 21, 22],
            &[0, 2, 8, 14, 19],
            &[0, 3, 9, 15, 20],
            &[0, 4, 10, 16, 21],
            &[0, 5, 11, 17, 22],
            &[1, 7, 13],
            &[6, 12, 18],
        ],
        tigers: &[0, 3, 4],
        goats: 15,
        captures_to_win: 15,
        drawing: include_str!("aadu-puli.txt"),
        places: &[
            (8.0, &[4.0]),
            (4.8, &[-0.3, 2.4, 3.467, 4.533, 5.6, 8.3]),
            (3.2, &[-0.3, 1.6, 3.2, 4.8, 6.4, 8.3]),
            (1.6, &[-0.3, 0.8, 2.933, 5.067, 7.2, 8.3]),
            (0.0, &[0.0, 2.667, 5.333, 8.0]),
        ],
    })
});

/// Bagh Chal, tigers and goats on 5×5 points.
pub static BAGH_CHAL: LazyLock<Board> = LazyLock::new(|| {
    Board::derive(&Sketch {
        name: "bagh-chal",
        title: "Bagh Chal",
        rows: &[5, 5, 5, 5, 5],
        lines: &[
            &[0, 1, 2, 3, 4],
            &[5, 6, 7, 8, 9],
            &[10, 11, 12, 13, 14],
            &[15, 16, 17, 18, 19],
            &[20, 21, 22, 23, 24],
            &[0, 5, 10, 15, 20],
            &[1, 6, 11, 16, 21],
            &[2, 7, 12, 17, 22],
            &[3, 8, 13, 18, 23],
            &[4, 9, 14, 19, 24],
            &[0, 6, 12, 18, 24],
            &[4, 8, 12, 16, 20],
            &[2, 6, 10],
            &[2, 8, 14],
            &[10, 16, 22],
            &[14, 18, 22],
        ],
        tigers: &[0, 4, 20, 24],
        goats: 20,
        captures_to_win: 5,
        drawing: include_str!("bagh-chal.txt"),
        places: &[
            (4.0, &[0.0, 1.0, 2.0, 3.0, 4.0]),
            (3.0, &[0.0, 1.0, 2.0, 3.0, 4.0]),
            (2.0, &[0.0, 1.0, 2.0, 3.0, 4.0]),
            (1.0, &[0.0, 1.0, 2.0, 3.0, 4.0]),
            (0.0, &[0.0, 1.0, 2.0, 3.0, 4.0]),
        ],
    })
});

impl Sketch {
    fn triples(&self) -> Vec<Triple> {
        let threes = self.lines.iter().flat_map(|line| line.windows(3));
        let triple = |three: &[usize]| Triple {
            ends: [three[0] as u8, three[2] as u8],
            middle: three[1] as u8,
        };
        threes.map(triple).collect()
    }
}

impl Board {
    fn derive(sketch: &Sketch) -> Self {
        let triples = sketch.triples();
        let set_where = |matches: &dyn Fn(&Triple, u8) -> bool| {
            Difference::new(from_fn(|point| {
                let numbered = triples.iter().enumerate();
                numbered
                    .filter(|(_, triple)| matches(triple, point as u8))
                    .fold(0, |set: Triples, (number, _)| set | 1 << number)
            }))
        };
        let mut board = Self {
            name: sketch.name,
            title: sketch.title,
            rows: sketch.rows,
            points: sketch.rows.iter().sum(),
            tigers: sketch.tigers.iter().map(|point| 1 << point).sum(),
            goats: sketch.goats,
            captures_to_win: sketch.captures_to_win,
            drawing: sketch.drawing,
            places: sketch.places,
            lines: sketch.lines,
            steps: [0; MOST_POINTS],
            ends: set_where(&|triple, point| triple.ends.contains(&point)),
            middles: set_where(&|triple, point| triple.middle == point),
            triples,
            between: [[0; 32]; 32],
            symmetries: Vec::new(),
        };
        for line in sketch.lines {
            for pair in line.windows(2) {
                board.steps[pair[0]] |= 1 << pair[1];
                board.steps[pair[1]] |= 1 << pair[0];
            }
        }
        for triple in &board.triples {
            let [first, last] = triple.ends.map(usize::from);
            board.between[first][last] = 1 << triple.middle;
            board.between[last][first] = 1 << triple.middle;
        }
        board.symmetries = board.find_symmetries();
        board
    }

    /// The same board for a game with fewer goats. The tigers still win by as many captures, or by all there are.
    ///
    /// # Panics
    /// When there are to be more goats than the game has, or none.
    #[must_use]
    pub fn with_goats(&self, goats: u32) -> Self {
        assert!((1..=self.goats).contains(&goats), "1 to {}", self.goats);
        Self {
            goats,
            captures_to_win: self.captures_to_win.min(goats),
            ..self.clone()
        }
    }

    /// Whether pieces step and leap as on another board, whatever else is different.
    pub fn has_lines_of(&self, other: &Self) -> bool {
        (self.points, self.steps, self.between) == (other.points, other.steps, other.between)
    }

    /// The set of all points.
    #[inline]
    pub fn all(&self) -> Points {
        (1 << self.points) - 1
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

    /// All permutations that keep steps, jumps and start, found point by point.
    fn find_symmetries(&self) -> Vec<Symmetry> {
        let mut found = Vec::new();
        self.extend_symmetry(&mut Vec::new(), &mut found);
        found.into_iter().map(Symmetry::new).collect()
    }

    fn extend_symmetry(&self, images: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
        let point = images.len();
        if point == self.points {
            found.push(images.clone());
            return;
        }
        for image in 0..self.points {
            let is_new = !images.contains(&(image as u8));
            let keeps_start = (self.tigers >> point) & 1 == (self.tigers >> image) & 1;
            let keeps_steps = || {
                (0..point).all(|other| {
                    let other_image = images[other] as usize;
                    (self.steps[point] >> other) & 1 == (self.steps[image] >> other_image) & 1
                        && (self.between[point][other] == 0)
                            == (self.between[image][other_image] == 0)
                })
            };
            if is_new && keeps_start && keeps_steps() {
                images.push(image as u8);
                self.extend_symmetry(images, found);
                images.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(board: &Board) -> (u32, usize, usize) {
        let steps = board.steps.iter().map(|set| set.count_ones()).sum();
        (steps, board.triples.len(), board.symmetries.len())
    }

    #[test]
    fn the_lines_give_the_known_numbers_of_steps_triples_and_symmetries() {
        assert_eq!(counts(&AADU_PULI), (2 * 38, 28, 2));
        assert_eq!(counts(&BAGH_CHAL), (112, 40, 8));
    }

    #[test]
    fn boards_are_equal_when_their_lines_are_whatever_their_name() {
        let board = || AADU_PULI.clone();
        assert_eq!(board(), *AADU_PULI);
        assert_ne!(board().with_goats(14), *AADU_PULI);
        assert_ne!(*AADU_PULI, *BAGH_CHAL);
        let mut without_a_leap = board();
        without_a_leap.between[1][3] = 0;
        let mut without_a_step = board();
        without_a_step.steps[1] = 0;
        let mut other_start = board();
        other_start.tigers = 0b111;
        for other in [&without_a_leap, &without_a_step, &other_start] {
            assert_ne!(*other, *AADU_PULI);
        }
    }

    #[test]
    fn every_name_finds_its_point() {
        for board in [&*AADU_PULI, &*BAGH_CHAL] {
            for point in 0..board.points {
                assert_eq!(board.point(&board.point_name(point)), Some(point));
            }
            assert_eq!(board.point("z9"), None);
        }
        assert_eq!(AADU_PULI.point("c1"), Some(7));
        assert_eq!(AADU_PULI.point("e4"), Some(22));
    }
}
