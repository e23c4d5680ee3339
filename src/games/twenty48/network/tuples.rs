//! The tuples of the networks, and the weight indices of a board.
//!
//! A tuple of n cells has 16ⁿ weights, because a cell has four bits. The powers on the tuple's cells form the index
//! of a weight, with the first cell in the lowest bits.

use std::array;
use std::marker::PhantomData;

use crate::games::twenty48::board::{BASE_LEARNED_POWER, Board, Cells, EXTENDED_LEARNED_POWER};
use crate::settings::{NamedEnum, choices};

choices! {
    /// The available networks. Each tuple is applied in all eight symmetries of the board.
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

/// Evaluates the expression `$value` with the type `$shape` bound to the [`TupleShape`] of the value `$tuples` of
/// [`Tuples`].
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
    /// Returns the number of weights of the network.
    pub fn weights(self) -> usize {
        with_shape!(self, S => S::WEIGHTS)
    }

    /// Returns the power of the largest tile that the network learns.
    pub(crate) fn max_learned_power(self) -> u8 {
        with_shape!(self, S => S::MAX_LEARNED_POWER)
    }

    /// Returns the number that identifies these tuples in files.
    pub fn code(self) -> u32 {
        match self {
            // The first file format allowed only four tuples and stored the number of their cells.
            Self::FourByFive => 5,
            Self::FourBySix => 6,
            Self::EightByFive => 0x85,
            Self::EightBySix => 0x86,
        }
    }

    /// Returns the tuples with this number in files, or `None` if the number is unknown.
    pub(crate) fn with_code(code: u32) -> Option<Self> {
        let mut all = Self::ALL.iter().map(|&(tuples, _)| tuples);
        all.find(|tuples| tuples.code() == code)
    }
}

/// The number of symmetries of the board.
const SYMMETRIES: usize = 8;

/// The maximum number of tuples of a network.
pub(crate) const MAX_TUPLES: usize = 8;

/// The maximum number of weights in the sum for a board, one for each tuple and symmetry.
pub(crate) const MAX_LOOKUPS: usize = SYMMETRIES * MAX_TUPLES;

/// The maximum number of runs of a tuple. A run is a sequence of the tuple's cells with consecutive indices.
const MAX_RUNS: usize = 3;

/// A tuple of cells, stored as runs.
#[derive(Clone, Copy, Debug)]
pub struct Tuple {
    /// The shift and the mask that move the powers of each run's cells to their place in the index.
    runs: [(u32, u64); MAX_RUNS],
}

impl Tuple {
    /// Creates a tuple of these cells, which must be in ascending order and form at most [`MAX_RUNS`] runs.
    const fn new(cells: &[u32]) -> Self {
        let mut runs = [(0, 0); MAX_RUNS];
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

    /// Returns the index formed by the powers on the cells of the tuple.
    #[inline(always)]
    fn index(&self, cells: Cells) -> usize {
        let [first, second, third] = self.runs.map(|(shift, mask)| cells.0 >> shift & mask);
        (first | second | third) as usize
    }
}

/// The tuples of a network as a type, so that the compiler generates specialized code for each
/// network.
pub trait TupleShape: Send + Sync + 'static {
    /// The value of [`Tuples`] for this type.
    const NAME: Tuples;
    /// The number of cells of each tuple.
    const CELLS: usize;
    /// The tuples.
    const TUPLES: &'static [Tuple];
    /// The power of the largest tile that the network learns: `BASE_LEARNED_POWER` or `EXTENDED_LEARNED_POWER`.
    /// Boards with larger tiles are downgraded to this power.
    const MAX_LEARNED_POWER: u8 = BASE_LEARNED_POWER;

    /// The number of weights of each tuple.
    const TUPLE_WEIGHTS: usize = 1 << (4 * Self::CELLS);
    /// The number of weights of all tuples.
    const WEIGHTS: usize = Self::TUPLE_WEIGHTS * Self::TUPLES.len();
    /// The number of weights in the sum for a board, one for each tuple and symmetry: a multiple of eight.
    const LOOKUPS: usize = SYMMETRIES * Self::TUPLES.len();

    /// Calls `visit` with the index of each weight in the sum for the board. A board with a power above
    /// [`MAX_LEARNED_POWER`](Self::MAX_LEARNED_POWER) is downgraded (`Board::downgraded`) first.
    #[inline(always)]
    fn for_each_weight(board: Board, mut visit: impl FnMut(usize)) {
        for image in board.downgraded(Self::MAX_LEARNED_POWER).low.symmetries() {
            for (number, tuple) in Self::TUPLES.iter().enumerate() {
                visit(number * Self::TUPLE_WEIGHTS + tuple.index(image));
            }
        }
    }
}

/// The weight indices of a board. Only the first [`TupleShape::LOOKUPS`] entries are used.
pub(crate) type WeightIndices = [u32; MAX_LOOKUPS];

/// The initial value of variables for indices, which no board has.
pub const NO_INDICES: WeightIndices = [0; MAX_LOOKUPS];

/// The number of tuples that a [`TupleIndexer`] processes at the same time in vector registers. It divides the number
/// of tuples of each network.
const LANES: usize = 4;

/// Computes all weight indices of a board with vector instructions.
///
/// The caller can then load all weights at the same time, instead of waiting for each.
///
/// The fields depend only on `S` but are no constants: with constants, the compiler generates no vector
/// instructions, and training takes 1/12 longer.
#[derive(Clone, Debug)]
pub(crate) struct TupleIndexer<S> {
    groups: Vec<TupleGroup>,
    shape: PhantomData<S>,
}

/// Four tuples, arranged for vector instructions.
#[derive(Clone, Copy, Debug)]
struct TupleGroup {
    /// The shift of each run of each tuple.
    shifts: [[u64; LANES]; MAX_RUNS],
    /// The mask of each run of each tuple.
    masks: [[u64; LANES]; MAX_RUNS],
    /// The index of the first weight of each tuple.
    first_weights: [u64; LANES],
}

impl<S: TupleShape> Default for TupleIndexer<S> {
    fn default() -> Self {
        const { assert!(S::TUPLES.len().is_multiple_of(LANES)) };
        let groups = S::TUPLES.as_chunks().0.iter().enumerate();
        let group = |(number, tuples): (usize, &[Tuple; LANES])| TupleGroup {
            shifts: array::from_fn(|run| tuples.each_ref().map(|tuple| tuple.runs[run].0.into())),
            masks: array::from_fn(|run| tuples.each_ref().map(|tuple| tuple.runs[run].1)),
            first_weights: array::from_fn(|lane| {
                ((LANES * number + lane) * S::TUPLE_WEIGHTS) as u64
            }),
        };
        Self {
            groups: groups.map(group).collect(),
            shape: PhantomData,
        }
    }
}

impl<S: TupleShape> TupleIndexer<S> {
    /// Computes the indices visited by [`TupleShape::for_each_weight`], in the same order.
    #[inline(always)]
    pub(crate) fn compute(&self, board: Board, indices: &mut WeightIndices) {
        let groups = S::TUPLES.len() / LANES;
        let (chunks, _) = indices.as_chunks_mut::<LANES>();
        let downgraded = board.downgraded(S::MAX_LEARNED_POWER).low;
        for (symmetry, image) in downgraded.symmetries().into_iter().enumerate() {
            for (number, group) in self.groups.iter().enumerate().take(groups) {
                let index = |lane: usize| {
                    let runs = group.shifts.iter().zip(&group.masks);
                    let extracted =
                        runs.map(|(shifts, masks)| image.0 >> shifts[lane] & masks[lane]);
                    extracted.fold(group.first_weights[lane], |index, cells| index | cells) as u32
                };
                chunks[symmetry * groups + number] = array::from_fn(index);
            }
        }
    }
}

/// Four tuples of five cells: a row with one cell below it, and a compact shape, each at the edge and in the middle.
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
    const TUPLES: &'static [Tuple] = &[
        Tuple::new(&[0, 1, 2, 3, 4]),
        Tuple::new(&[4, 5, 6, 7, 8]),
        Tuple::new(&[0, 1, 2, 4, 5]),
        Tuple::new(&[4, 5, 6, 8, 9]),
    ];
}

/// Eight tuples of five cells: the four tuples of [`FourByFive`] and the four tuples below, which are parts of tuples
/// of [`EightBySix`].
///
/// ```text
/// . . 1 1   1 1 1 .   . . . 1   1 1 . .
/// 1 1 1 .   . 1 . .   1 1 1 1   1 . . .
/// . . . .   . 1 . .   . . . .   1 1 . .
/// . . . .   . . . .   . . . .   . . . .
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightByFive;

impl TupleShape for EightByFive {
    const NAME: Tuples = Tuples::EightByFive;
    const CELLS: usize = 5;
    const TUPLES: &'static [Tuple] = &[
        Tuple::new(&[0, 1, 2, 3, 4]),
        Tuple::new(&[4, 5, 6, 7, 8]),
        Tuple::new(&[0, 1, 2, 4, 5]),
        Tuple::new(&[4, 5, 6, 8, 9]),
        Tuple::new(&[2, 3, 4, 5, 6]),
        Tuple::new(&[0, 1, 2, 5, 9]),
        Tuple::new(&[3, 4, 5, 6, 7]),
        Tuple::new(&[0, 1, 4, 8, 9]),
    ];
}

/// Four tuples of six cells: two rows with two cells below each, and two rectangles. The rectangles are by Szubert and
/// Jaśkowski (2014), the rows with cells below them by Yeh et al. (2017).
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
    const TUPLES: &'static [Tuple] = &[
        Tuple::new(&[0, 1, 2, 3, 4, 5]),
        Tuple::new(&[4, 5, 6, 7, 8, 9]),
        Tuple::new(&[0, 1, 2, 4, 5, 6]),
        Tuple::new(&[4, 5, 6, 8, 9, 10]),
    ];
}

/// Eight tuples of six cells, selected by Matsuzaki (2016).
///
/// ```text
/// 1 1 1 .   . . . .   1 1 1 1   . . 1 1   1 1 1 .   . . . 1   . 1 . 1   1 1 . .
/// 1 1 1 .   1 1 1 1   1 1 . .   1 1 1 .   . 1 . .   1 1 1 1   1 1 1 1   1 . . .
/// . . . .   1 1 . .   . . . .   . 1 . .   . 1 1 .   1 . . .   . . . .   1 1 1 .
/// . . . .   . . . .   . . . .   . . . .   . . . .   . . . .   . . . .   . . . .
/// ```
///
/// Only this network learns 16384. For four tuples of six cells, learning 16384 brings no improvement.
#[derive(Clone, Copy, Debug)]
pub struct EightBySix;

impl TupleShape for EightBySix {
    const NAME: Tuples = Tuples::EightBySix;
    const CELLS: usize = 6;
    const TUPLES: &'static [Tuple] = &[
        Tuple::new(&[0, 1, 2, 4, 5, 6]),
        Tuple::new(&[4, 5, 6, 7, 8, 9]),
        Tuple::new(&[0, 1, 2, 3, 4, 5]),
        Tuple::new(&[2, 3, 4, 5, 6, 9]),
        Tuple::new(&[0, 1, 2, 5, 9, 10]),
        Tuple::new(&[3, 4, 5, 6, 7, 8]),
        Tuple::new(&[1, 3, 4, 5, 6, 7]),
        Tuple::new(&[0, 1, 4, 8, 9, 10]),
    ];
    const MAX_LEARNED_POWER: u8 = EXTENDED_LEARNED_POWER;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares indices with indices computed cell by cell.
    #[test]
    fn runs_extract_cells_of_tuple() {
        let board = Cells(0xFEDC_BA98_7654_3210);
        for cells in [
            &[0, 1, 2, 3, 4][..],
            &[0, 1, 4, 8, 9, 10],
            &[1, 3, 4, 5, 6, 7],
            &[2, 3, 4, 5, 6, 9],
        ] {
            let enumerated = cells.iter().enumerate();
            let expected = enumerated.fold(0, |sum, (place, &cell)| {
                sum | (cell as usize) << (4 * place)
            });
            assert_eq!(Tuple::new(cells).index(board), expected, "{cells:?}");
        }
    }

    #[test]
    fn file_codes_identify_tuples() {
        for &(tuples, _) in Tuples::ALL {
            assert_eq!(Tuples::with_code(tuples.code()), Some(tuples));
        }
        assert_eq!(Tuples::with_code(7), None);
    }

    /// The board has sixteen different powers, so no weight may be used twice.
    #[test]
    fn indices_are_distinct_and_in_range() {
        let board = Board::of(std::array::from_fn(|cell| cell as u8));
        for &(tuples, name) in Tuples::ALL {
            with_shape!(tuples, S => {
                let mut visited = Vec::new();
                S::for_each_weight(board, |index| visited.push(index));
                assert_eq!(visited.len(), S::LOOKUPS, "{name}");
                assert!(visited.iter().all(|&index| index < S::WEIGHTS), "{name}");
                let mut indices = NO_INDICES;
                TupleIndexer::<S>::default().compute(board, &mut indices);
                assert_eq!(visited, indices.map(|index| index as usize)[..S::LOOKUPS], "{name}");
                visited.sort_unstable();
                visited.dedup();
                assert_eq!(visited.len(), S::LOOKUPS, "{name}: a weight is used twice");
            });
        }
    }
}
