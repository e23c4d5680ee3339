//! Which cells the networks look at together.

use crate::games::twenty48::board::{Board, Cells};
use crate::settings::{Choice, choices};

choices! {
    /// The networks there are: four tuples, each seen in all eight symmetries of the board.
    Tuples {
        /// Four tuples of five cells: 4 × 2²⁰ weights
        FourByFive = "4x5",
        /// Four tuples of six cells: 4 × 2²⁴ weights
        FourBySix = "4x6",
    }
}

impl Tuples {
    /// How many weights such a network has.
    pub fn weights(self) -> usize {
        match self {
            Self::FourByFive => TUPLES * FourByFive::SIZE,
            Self::FourBySix => TUPLES * FourBySix::SIZE,
        }
    }

    /// How many cells a tuple has.
    pub fn cells(self) -> u32 {
        match self {
            Self::FourByFive => 5,
            Self::FourBySix => 6,
        }
    }

    /// The network whose tuples have so many cells.
    pub fn with_cells(cells: u32) -> Option<Self> {
        let mut all = Self::ALL.iter().map(|&(tuples, _)| tuples);
        all.find(|tuples| tuples.cells() == cells)
    }
}

/// How many tuples a network has.
pub const TUPLES: usize = 4;

/// How many weights make up a board's value: those of every tuple in every symmetry.
pub const LOOKUPS: usize = TUPLES * 8;

/// Cells in two runs, so that a shift and a mask each gather them: `near` in the board shifted right by `start`
/// bits, `far` in the board shifted by `gap` bits more.
#[derive(Clone, Copy, Debug)]
pub struct Tuple {
    start: u32,
    near: u64,
    gap: u32,
    far: u64,
}

impl Tuple {
    /// The number that the powers on these cells form.
    #[inline]
    fn index(self, cells: Cells) -> usize {
        let bits = cells.0 >> self.start;
        (bits & self.near | bits >> self.gap & self.far) as usize
    }
}

/// A network's tuples, known when the code that reads them is compiled.
pub trait Shape: Send + Sync + 'static {
    /// Its name at run time.
    const NAME: Tuples;
    /// How many weights a tuple has.
    const SIZE: usize;
    /// The tuples.
    const SEEN: [Tuple; TUPLES];

    /// Calls `visit` with the number of each weight of the board's value. Tiles beyond those that a weight can be looked
    /// up for are taken for smaller ones.
    #[inline]
    fn for_each_weight(board: Board, mut visit: impl FnMut(usize)) {
        for seen in board.known().symmetries() {
            for (tuple, cells) in Self::SEEN.into_iter().enumerate() {
                visit(tuple * Self::SIZE + cells.index(seen));
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

impl Shape for FourByFive {
    const NAME: Tuples = Tuples::FourByFive;
    const SIZE: usize = 1 << 20;
    const SEEN: [Tuple; TUPLES] = [
        straight(0, 5),
        straight(16, 5),
        folded(0, 3, 2),
        folded(16, 3, 2),
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

impl Shape for FourBySix {
    const NAME: Tuples = Tuples::FourBySix;
    const SIZE: usize = 1 << 24;
    const SEEN: [Tuple; TUPLES] = [
        straight(0, 6),
        straight(16, 6),
        folded(0, 3, 3),
        folded(16, 3, 3),
    ];
}

/// So many cells one after the other.
const fn straight(start: u32, cells: u32) -> Tuple {
    Tuple {
        start,
        near: (1 << (4 * cells)) - 1,
        gap: 0,
        far: 0,
    }
}

/// The first cells of one row and the first of the row below.
const fn folded(start: u32, upper: u32, lower: u32) -> Tuple {
    Tuple {
        start,
        near: (1 << (4 * upper)) - 1,
        gap: 16 - 4 * upper,
        far: ((1 << (4 * lower)) - 1) << (4 * upper),
    }
}
