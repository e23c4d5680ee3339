//! Which cells the networks look at together.

use std::array;
use std::marker::PhantomData;

use crate::games::twenty48::board::{Board, Cells, FAMILIAR, KNOWN};
use crate::settings::{NamedEnum, choices};

choices! {
    /// The networks there are: tuples of cells, each seen in all eight symmetries of the board.
    Tuples {
        /// Four tuples of five cells: 4 × 2²⁰ weights
        FourByFive = "4x5",
        /// Eight tuples of five cells: 8 × 2²⁰ weights
        EightByFive = "8x5",
        /// Four tuples of six cells: 4 × 2²⁴ weights
        FourBySix = "4x6",
        /// Eight tuples of six cells: 8 × 2²⁴ weights
        EightBySix = "8x6",
    }
}

/// The value of an expression in which a name stands for the [`TupleShape`] of these [`Tuples`].
macro_rules! with_shape {
    ($tuples:expr, $shape:ident => $value:expr) => {{
        use $crate::games::twenty48::network::tuples;
        macro_rules! with {
            ($name:ident) => {{
                type $shape = tuples::$name;
                $value
            }};
        }
        match $tuples {
            tuples::Tuples::FourByFive => with!(FourByFive),
            tuples::Tuples::EightByFive => with!(EightByFive),
            tuples::Tuples::FourBySix => with!(FourBySix),
            tuples::Tuples::EightBySix => with!(EightBySix),
        }
    }};
}
pub(crate) use with_shape;

impl Tuples {
    /// How many weights such a network has.
    pub fn weights(self) -> usize {
        with_shape!(self, S => S::WEIGHTS)
    }

    /// The largest power that such a network learns of.
    pub fn known(self) -> u8 {
        with_shape!(self, S => S::KNOWN)
    }

    /// The number that stands for them in files.
    pub fn code(self) -> u32 {
        match self {
            // These two had names before there were any with other than four tuples.
            Self::FourByFive => 5,
            Self::FourBySix => 6,
            Self::EightByFive => 0x85,
            Self::EightBySix => 0x86,
        }
    }

    /// The network that this number stands for in files.
    pub fn with_code(code: u32) -> Option<Self> {
        let mut all = Self::ALL.iter().map(|&(tuples, _)| tuples);
        all.find(|tuples| tuples.code() == code)
    }
}

/// The symmetries in which a board is seen.
const SYMMETRIES: usize = 8;

/// The most tuples that a network has.
pub const MAX_TUPLES: usize = 8;

/// The most weights that make up a board's value: those of every tuple in every symmetry.
pub const MAX_LOOKUPS: usize = SYMMETRIES * MAX_TUPLES;

/// The most runs of a tuple's cells.
const RUNS: usize = 3;

/// Cells in up to so many runs, so that a shift and a mask each gather them where they form a number, the first cell
/// lowest.
#[derive(Clone, Copy, Debug)]
pub struct Tuple {
    runs: [(u32, u64); RUNS],
}

impl Tuple {
    /// These cells, which must be in order.
    const fn over(cells: &[u32]) -> Self {
        let mut runs = [(0, 0); RUNS];
        let (mut place, mut run) = (0, 0);
        while place < cells.len() {
            let shift = 4 * (cells[place] - place as u32);
            if runs[run].1 != 0 && runs[run].0 != shift {
                run += 1;
            }
            runs[run] = (shift, runs[run].1 | 0xF << (4 * place));
            place += 1;
        }
        Self { runs }
    }

    /// The number that the powers on these cells form.
    #[inline(always)]
    fn index(&self, cells: Cells) -> usize {
        let [near, far, farthest] = self.runs.map(|(shift, mask)| cells.0 >> shift & mask);
        (near | far | farthest) as usize
    }
}

/// A network's tuples, known when the code that reads them is compiled.
pub trait TupleShape: Send + Sync + 'static {
    /// Its name at run time.
    const NAME: Tuples;
    /// How many cells a tuple has.
    const CELLS: usize;
    /// The tuples.
    const SEEN: &'static [Tuple];
    /// The largest power that it learns of, [`FAMILIAR`] or one more. Boards with that one are learned from as they stand, and after
    /// some games played as if they were lowered to [`FAMILIAR`].
    const KNOWN: u8 = FAMILIAR;

    /// How many weights a tuple has.
    const SIZE: usize = 1 << (4 * Self::CELLS);
    /// How many weights there are.
    const WEIGHTS: usize = Self::SIZE * Self::SEEN.len();
    /// How many weights make up a board's value: those of every tuple in every symmetry. A multiple of eight.
    const LOOKUPS: usize = SYMMETRIES * Self::SEEN.len();

    /// Calls `visit` with the number of each weight of the board's value. Boards with tiles that networks do not learn of are
    /// taken for ones with smaller tiles ([`Board::familiar`]).
    #[inline(always)]
    fn for_each_weight(board: Board, mut visit: impl FnMut(usize)) {
        for seen in board.familiar(Self::KNOWN).low.symmetries() {
            for (place, tuple) in Self::SEEN.iter().enumerate() {
                visit(place * Self::SIZE + tuple.index(seen));
            }
        }
    }
}

/// The numbers of the weights that make up a board's value: the first [`TupleShape::LOOKUPS`] of them.
pub type Active = [u32; MAX_LOOKUPS];

/// Before any is found.
pub const NONE_ACTIVE: Active = [0; MAX_LOOKUPS];

/// How many tuples a [`TupleIndexer`] reads a board by at once: no more than fit the shortest vectors that are worth it.
const AT_ONCE: usize = 4;

/// Finds the numbers of all weights of a board at once, by vectors: whoever reads the weights then waits for many at a time.
///
/// Its numbers say nothing that is not known when the code is compiled. But then every lookup would be simplified in its own way,
/// and none is like its neighbour any more: a training took a twelfth longer.
#[derive(Clone, Debug)]
pub struct TupleIndexer<S> {
    fours: Vec<Four>,
    shape: PhantomData<S>,
}

/// Four tuples side by side.
#[derive(Clone, Copy, Debug)]
struct Four {
    /// The shifts of each run, and the masks: apart, as vectors are read.
    shifts: [[u64; AT_ONCE]; RUNS],
    masks: [[u64; AT_ONCE]; RUNS],
    /// The first weight of each tuple.
    first: [u64; AT_ONCE],
}

impl<S: TupleShape> Default for TupleIndexer<S> {
    fn default() -> Self {
        const { assert!(S::SEEN.len().is_multiple_of(AT_ONCE)) };
        let fours = S::SEEN.as_chunks().0.iter().enumerate();
        let four = |(number, tuples): (usize, &[Tuple; AT_ONCE])| Four {
            shifts: array::from_fn(|run| tuples.each_ref().map(|tuple| tuple.runs[run].0.into())),
            masks: array::from_fn(|run| tuples.each_ref().map(|tuple| tuple.runs[run].1)),
            first: array::from_fn(|place| ((AT_ONCE * number + place) * S::SIZE) as u64),
        };
        Self {
            fours: fours.map(four).collect(),
            shape: PhantomData,
        }
    }
}

impl<S: TupleShape> TupleIndexer<S> {
    /// Finds the weights that [`TupleShape::for_each_weight`] visits, in its order.
    #[inline(always)]
    pub fn find(&self, board: Board, active: &mut Active) {
        let fours = S::SEEN.len() / AT_ONCE;
        let (found, _) = active.as_chunks_mut::<AT_ONCE>();
        let known = board.familiar(S::KNOWN).low;
        for (symmetry, seen) in known.symmetries().into_iter().enumerate() {
            for (number, four) in self.fours.iter().enumerate().take(fours) {
                let index = |place: usize| {
                    let runs = four.shifts.iter().zip(&four.masks);
                    let gathered =
                        runs.map(|(shifts, masks)| seen.0 >> shifts[place] & masks[place]);
                    gathered.fold(four.first[place], |index, cells| index | cells) as u32
                };
                found[symmetry * fours + number] = array::from_fn(index);
            }
        }
    }
}

/// Five cells: the first row and one below, the second row and one below, and the same folded to squares.
///
/// ```text
/// 1 1 1 1   . . . .   1 1 1 .   . . . .
/// 1 . . .   1 1 1 1   1 1 . .   1 1 1 .
/// . . . .   1 . . .   . . . .   1 1 . .
/// . . . .   . . . .   . . . .   . . . .
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FourByFive;

impl TupleShape for FourByFive {
    const NAME: Tuples = Tuples::FourByFive;
    const CELLS: usize = 5;
    const SEEN: &'static [Tuple] = &[
        Tuple::over(&[0, 1, 2, 3, 4]),
        Tuple::over(&[4, 5, 6, 7, 8]),
        Tuple::over(&[0, 1, 2, 4, 5]),
        Tuple::over(&[4, 5, 6, 8, 9]),
    ];
}

/// Those of [`FourByFive`], and four that reach further, parts of those of [`EightBySix`].
///
/// ```text
/// . . 1 1   1 1 1 .   . . . 1   1 1 . .
/// 1 1 1 .   . 1 . .   1 1 1 1   1 . . .
/// . . . .   . 1 . .   . . . .   1 1 . .
/// . . . .   . . . .   . . . .   . . . .
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EightByFive;

impl TupleShape for EightByFive {
    const NAME: Tuples = Tuples::EightByFive;
    const CELLS: usize = 5;
    const SEEN: &'static [Tuple] = &[
        Tuple::over(&[0, 1, 2, 3, 4]),
        Tuple::over(&[4, 5, 6, 7, 8]),
        Tuple::over(&[0, 1, 2, 4, 5]),
        Tuple::over(&[4, 5, 6, 8, 9]),
        Tuple::over(&[2, 3, 4, 5, 6]),
        Tuple::over(&[0, 1, 2, 5, 9]),
        Tuple::over(&[3, 4, 5, 6, 7]),
        Tuple::over(&[0, 1, 4, 8, 9]),
    ];
}

/// Six cells: two lines and two rectangles (Szubert and Jaśkowski, 2014, used rectangles and straight lines; lines
/// bent around the corner are Yeh et al., 2017).
///
/// ```text
/// 1 1 1 1   . . . .   1 1 1 .   . . . .
/// 1 1 . .   1 1 1 1   1 1 1 .   1 1 1 .
/// . . . .   1 1 . .   . . . .   1 1 1 .
/// . . . .   . . . .   . . . .   . . . .
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FourBySix;

impl TupleShape for FourBySix {
    const NAME: Tuples = Tuples::FourBySix;
    const CELLS: usize = 6;
    const SEEN: &'static [Tuple] = &[
        Tuple::over(&[0, 1, 2, 3, 4, 5]),
        Tuple::over(&[4, 5, 6, 7, 8, 9]),
        Tuple::over(&[0, 1, 2, 4, 5, 6]),
        Tuple::over(&[4, 5, 6, 8, 9, 10]),
    ];
}

/// Six cells: the eight tuples that Matsuzaki (2016) found most useful together.
///
/// ```text
/// 1 1 1 .   . . . .   1 1 1 1   . . 1 1   1 1 1 .   . . . 1   . 1 . 1   1 1 . .
/// 1 1 1 .   1 1 1 1   1 1 . .   1 1 1 .   . 1 . .   1 1 1 1   1 1 1 1   1 . . .
/// . . . .   1 1 . .   . . . .   . 1 . .   . 1 1 .   1 . . .   . . . .   1 1 1 .
/// . . . .   . . . .   . . . .   . . . .   . . . .   . . . .   . . . .   . . . .
/// ```
///
/// They alone learn of 16384: four tuples of six cells do not gain by it.
#[derive(Clone, Copy, Debug)]
pub struct EightBySix;

impl TupleShape for EightBySix {
    const NAME: Tuples = Tuples::EightBySix;
    const CELLS: usize = 6;
    const SEEN: &'static [Tuple] = &[
        Tuple::over(&[0, 1, 2, 4, 5, 6]),
        Tuple::over(&[4, 5, 6, 7, 8, 9]),
        Tuple::over(&[0, 1, 2, 3, 4, 5]),
        Tuple::over(&[2, 3, 4, 5, 6, 9]),
        Tuple::over(&[0, 1, 2, 5, 9, 10]),
        Tuple::over(&[3, 4, 5, 6, 7, 8]),
        Tuple::over(&[1, 3, 4, 5, 6, 7]),
        Tuple::over(&[0, 1, 4, 8, 9, 10]),
    ];
    const KNOWN: u8 = KNOWN;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network's numbers are those of its cells looked up one by one.
    #[test]
    fn runs_gather_the_cells_they_are_made_of() {
        let board = Cells(0xFEDC_BA98_7654_3210);
        for cells in [
            &[0, 1, 2, 3, 4][..],
            &[0, 1, 4, 8, 9, 10],
            &[1, 3, 4, 5, 6, 7],
            &[2, 3, 4, 5, 6, 9],
        ] {
            let places = cells.iter().enumerate();
            let expected = places.fold(0, |sum, (place, &cell)| {
                sum | (cell as usize) << (4 * place)
            });
            assert_eq!(Tuple::over(cells).index(board), expected, "{cells:?}");
        }
    }

    #[test]
    fn codes_in_files_name_their_networks() {
        for &(tuples, _) in Tuples::ALL {
            assert_eq!(Tuples::with_code(tuples.code()), Some(tuples));
        }
        assert_eq!(Tuples::with_code(7), None);
    }

    /// The tuples tell all weights of a board apart, in as many lookups as they say.
    #[test]
    fn every_lookup_is_a_weight_of_its_network() {
        let board = Board::of(std::array::from_fn(|cell| cell as u8));
        for &(tuples, name) in Tuples::ALL {
            with_shape!(tuples, S => {
                let mut seen = Vec::new();
                S::for_each_weight(board, |index| seen.push(index));
                assert_eq!(seen.len(), S::LOOKUPS, "{name}");
                assert!(seen.iter().all(|&index| index < S::WEIGHTS), "{name}");
                let mut active = NONE_ACTIVE;
                TupleIndexer::<S>::default().find(board, &mut active);
                assert_eq!(seen, active.map(|index| index as usize)[..S::LOOKUPS], "{name}");
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), S::LOOKUPS, "{name}: all cells differ, and so do all weights");
            });
        }
    }
}
