//! The 2048 board in packed form, with four bits for each cell, and lookup tables for slides.

pub(crate) mod tile_remap;

use std::sync::LazyLock;

use tile_remap::TileRemap;

/// Sixteen cells of four bits each, row by row from the top left cell in the lowest bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells(pub u64);

/// The power of the tile on each cell, or 0 for an empty cell. The tile 2 has power 1, and the tile 2048 has power 11.
///
/// A board always has four rows of four cells. On smaller boards, the last rows and columns stay empty.
///
/// A power that does not fit in four bits is split: `MAX_PACKED_POWER` is stored in `low`, and the rest in `excess`.
/// Nearly all boards have no such tile, and their slides are fastest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    /// The powers of the cells, limited to `MAX_PACKED_POWER`.
    pub low: Cells,
    /// The excess of each power over `MAX_PACKED_POWER`, or 0.
    pub excess: Cells,
}

/// The lowest bit of every cell.
const LOW_BITS: u64 = 0x1111_1111_1111_1111;

/// The power of the largest possible tile on sixteen cells, 131072. Two tiles of this power do not merge; they occur
/// only in positions set up by the user.
pub(crate) const MAX_POWER: u8 = 17;

/// The largest power that fits in four bits.
pub(crate) const MAX_PACKED_POWER: u8 = 15;

/// The power of the tile 8192, the largest tile that all networks learn. Boards with larger tiles are
/// [downgraded](Board::downgraded) for evaluation.
pub(crate) const BASE_LEARNED_POWER: u8 = 13;

/// The power of the tile 16384, the largest tile that some networks learn.
pub(crate) const EXTENDED_LEARNED_POWER: u8 = 14;

impl Cells {
    /// Returns the value of the cell with index `cell`.
    #[inline]
    pub fn get(self, cell: usize) -> u8 {
        (self.0 >> (4 * cell) & 15) as u8
    }

    /// Exchanges rows and columns.
    #[inline]
    #[must_use]
    pub fn transposed(self) -> Self {
        // First transpose each 2×2 square of cells, then the 2×2 arrangement of these squares.
        let b = self.0;
        let b = b & 0xF0F0_0F0F_F0F0_0F0F
            | (b & 0x0000_F0F0_0000_F0F0) << 12
            | (b & 0x0F0F_0000_0F0F_0000) >> 12;
        Self(
            b & 0xFF00_FF00_00FF_00FF
                | (b & 0x0000_0000_FF00_FF00) << 24
                | (b & 0x00FF_00FF_0000_0000) >> 24,
        )
    }

    /// Reverses the order of the columns.
    #[inline]
    #[must_use]
    pub(crate) fn mirrored(self) -> Self {
        let b = (self.0 & 0x00FF_00FF_00FF_00FF) << 8 | self.0 >> 8 & 0x00FF_00FF_00FF_00FF;
        Self((b & 0x0F0F_0F0F_0F0F_0F0F) << 4 | b >> 4 & 0x0F0F_0F0F_0F0F_0F0F)
    }

    /// Reverses the order of the rows.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        let b = self.0.rotate_left(32);
        Self((b & 0x0000_FFFF_0000_FFFF) << 16 | b >> 16 & 0x0000_FFFF_0000_FFFF)
    }

    /// Returns the images of the board under the eight symmetries of the square.
    #[inline]
    pub fn symmetries(self) -> [Self; 8] {
        let transposed = self.transposed();
        [
            self,
            self.mirrored(),
            self.flipped(),
            self.mirrored().flipped(),
            transposed,
            transposed.mirrored(),
            transposed.flipped(),
            transposed.mirrored().flipped(),
        ]
    }
}

impl Board {
    /// Creates a board from the powers of its cells.
    pub fn of(powers: [u8; 16]) -> Self {
        let cells = powers.into_iter().enumerate();
        cells.fold(Self::default(), |board, (cell, power)| {
            board.with(cell, power)
        })
    }

    /// Returns the power of the tile on a cell, or 0 if the cell is empty.
    #[inline]
    pub fn power(self, cell: usize) -> u8 {
        self.low.get(cell) + self.excess.get(cell)
    }

    /// Returns the powers of all cells.
    pub fn powers(self) -> [u8; 16] {
        std::array::from_fn(|cell| self.power(cell))
    }

    /// Returns the power of the largest tile, or 0 for an empty board.
    pub fn largest(self) -> u8 {
        self.powers().into_iter().fold(0, u8::max)
    }

    /// Returns `true` if a power does not fit in four bits.
    #[inline]
    pub fn has_excess(self) -> bool {
        self.excess.0 != 0
    }

    /// Returns the board with one more tile on `cell`, which must be empty.
    #[inline]
    #[must_use]
    pub fn with(self, cell: usize, power: u8) -> Self {
        let with_power = |cells: Cells, power: u8| Cells(cells.0 | u64::from(power) << (4 * cell));
        Self {
            low: with_power(self.low, power.min(MAX_PACKED_POWER)),
            excess: with_power(self.excess, power.saturating_sub(MAX_PACKED_POWER)),
        }
    }

    /// Returns a word with the lowest bit of each empty cell set, including the cells outside of smaller boards.
    #[inline]
    pub fn empty(self) -> u64 {
        let halves = self.low.0 | self.low.0 >> 2;
        !(halves | halves >> 1) & LOW_BITS
    }

    /// Exchanges rows and columns.
    #[inline]
    #[must_use]
    pub fn transposed(self) -> Self {
        Self {
            low: self.low.transposed(),
            excess: if self.has_excess() {
                self.excess.transposed()
            } else {
                self.excess
            },
        }
    }

    /// Returns `true` if a power exceeds `max`, which must be [`BASE_LEARNED_POWER`] or [`EXTENDED_LEARNED_POWER`].
    #[inline(always)]
    pub(crate) fn has_power_above(self, max: u8) -> bool {
        debug_assert!(max == BASE_LEARNED_POWER || max == EXTENDED_LEARNED_POWER);
        // All three upper bits of a cell are set only for the powers 14 and 15. For 15, the lowest bit is also set.
        let Cells(low) = self.low;
        let above_13 = low >> 1 & low >> 2 & low >> 3;
        let above_max = if max == EXTENDED_LEARNED_POWER {
            above_13 & low
        } else {
            above_13
        };
        above_max & LOW_BITS != 0
    }

    /// Returns the board for evaluation by a network that has learned powers up to `max`: this board if no power
    /// exceeds `max`, otherwise the result of [`Board::downgrade`]. `max` must be [`BASE_LEARNED_POWER`] or
    /// [`EXTENDED_LEARNED_POWER`].
    #[inline(always)]
    #[must_use]
    pub(crate) fn downgraded(self, max: u8) -> Self {
        if self.has_power_above(max) {
            self.downgrade(max)
        } else {
            self
        }
    }

    /// Returns the board with large tiles replaced by smaller tiles until no power exceeds `max`, as described at
    /// [`TileRemap::downgrading`]. Equal tiles stay equal, and larger tiles stay larger.
    #[cold]
    #[must_use]
    pub(crate) fn downgrade(self, max: u8) -> Self {
        TileRemap::downgrading(self, max).apply(self)
    }
}

/// The direction of a slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// All directions, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];
}

/// The results of a slide for all rows of four cells, indexed by the row as 16 bits.
///
/// The lower half of an entry is the row after the slide. The upper half is the points divided by 4; the division is
/// exact, because every merged tile is a multiple of 4. An entry can also be [`OVERFLOW`].
type Table = [u32; 1 << 16];

/// The entry of a row in which two tiles of power [`MAX_PACKED_POWER`] merge, because the merged tile does not fit in
/// four bits. No number of points sets this bit.
const OVERFLOW: u32 = 1 << 31;

/// The lookup tables for slides on a board of one size. Columns slide as the rows of the transposed board.
#[derive(Clone, Copy, Debug)]
pub struct Slides {
    rows: usize,
    columns: usize,
    /// The table for slides to the left and up, which move tiles to the first cell of a row.
    to_front: &'static Table,
    /// The table for slides to the right, which move tiles to the last column of the board.
    to_last_column: &'static Table,
    /// The table for slides down, which move tiles to the last row of the board.
    to_last_row: &'static Table,
}

/// The table for slides to the first cell of a row.
static TO_FRONT: LazyLock<Box<Table>> = LazyLock::new(|| build_table(0));

/// The tables for slides to the last cell of a row, for rows of two, three and four cells.
static TO_BACK: LazyLock<[Box<Table>; 3]> = LazyLock::new(|| [2, 3, 4].map(build_table));

impl Slides {
    /// Returns the slides on a board with 2 to 4 rows and 2 to 4 columns.
    pub fn new(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            to_front: &TO_FRONT,
            to_last_column: &TO_BACK[columns - 2],
            to_last_row: &TO_BACK[rows - 2],
        }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns a word with the lowest bit of each cell of the board set.
    #[inline]
    pub fn cells(&self) -> u64 {
        let row = LOW_BITS & ((1 << (4 * self.columns)) - 1);
        let all = row | row << 16 | row << 32 | row << 48;
        all & u64::MAX >> (16 * (4 - self.rows))
    }

    /// Returns the board after a slide and the points of the merged tiles. A slide that does not change the board
    /// is illegal.
    #[inline]
    pub fn slide(&self, board: Board, direction: Direction) -> (Board, u32) {
        match direction {
            Direction::Left => self.left(board),
            Direction::Right => self.right(board),
            Direction::Up => transpose_result(self.up_transposed(board.transposed())),
            Direction::Down => transpose_result(self.down_transposed(board.transposed())),
        }
    }

    /// Returns the results of the slides to the left and right, then the transposed results of the slides up and down.
    ///
    /// This is faster than four calls of [`Slides::slide`], and suffices for evaluations with equal values of a board
    /// and its transposed board.
    #[inline(always)]
    pub fn all_up_to_symmetry(&self, board: Board) -> [(Board, u32); 4] {
        let transposed = board.transposed();
        [
            self.left(board),
            self.right(board),
            self.up_transposed(transposed),
            self.down_transposed(transposed),
        ]
    }

    #[inline(always)]
    fn left(&self, board: Board) -> (Board, u32) {
        slide_rows(self.to_front, 0, board)
    }

    #[inline(always)]
    fn right(&self, board: Board) -> (Board, u32) {
        slide_rows(self.to_last_column, self.columns, board)
    }

    #[inline(always)]
    fn up_transposed(&self, transposed: Board) -> (Board, u32) {
        slide_rows(self.to_front, 0, transposed)
    }

    #[inline(always)]
    fn down_transposed(&self, transposed: Board) -> (Board, u32) {
        slide_rows(self.to_last_row, self.rows, transposed)
    }
}

#[inline]
fn transpose_result((board, points): (Board, u32)) -> (Board, u32) {
    (board.transposed(), points)
}

/// Slides all rows by `table`, which must be the result of [`build_table`] for `reversed`.
#[inline(always)]
fn slide_rows(table: &Table, reversed: usize, board: Board) -> (Board, u32) {
    let row = |index: u32| table[(board.low.0 >> (16 * index) & 0xFFFF) as usize];
    let (a, b, c, d) = (row(0), row(1), row(2), row(3));
    if board.has_excess() || (a | b | c | d) & OVERFLOW != 0 {
        return slide_rows_by_rule(reversed, board);
    }
    let low = |entry: u32| u64::from(entry & 0xFFFF);
    let slid = low(a) | low(b) << 16 | low(c) << 32 | low(d) << 48;
    let slid = Board {
        low: Cells(slid),
        excess: Cells(0),
    };
    (slid, ((a >> 16) + (b >> 16) + (c >> 16) + (d >> 16)) * 4)
}

/// Slides all rows without a table, for boards with a tile that does not fit in four bits before or after the slide.
#[cold]
fn slide_rows_by_rule(reversed: usize, board: Board) -> (Board, u32) {
    let (mut powers, mut points) = (board.powers(), 0);
    for row in powers.as_chunks_mut().0 {
        let (after, gained) = slide_row(*row, reversed);
        *row = after;
        points += gained;
    }
    (Board::of(powers), points)
}

/// Returns the table of [`slide_row`] for `reversed`.
fn build_table(reversed: usize) -> Box<Table> {
    let mut table = vec![0; 1 << 16].into_boxed_slice();
    for (bits, entry) in table.iter_mut().enumerate() {
        let row = [0, 4, 8, 12].map(|shift| (bits >> shift & 15) as u8);
        let (row, points) = slide_row(row, reversed);
        let packed = row
            .iter()
            .rev()
            .fold(0, |packed, &power| packed << 4 | u32::from(power));
        *entry = if row.iter().any(|&power| power > MAX_PACKED_POWER) {
            OVERFLOW
        } else {
            packed | points / 4 << 16
        };
    }
    table
        .try_into()
        .unwrap_or_else(|_| unreachable!("the length is that of the array"))
}

/// Slides a row and returns the new row and the points.
///
/// If `reversed` is 0, the tiles move to the first cell. Otherwise the row is the first `reversed` cells, and the tiles
/// move to its last cell: the cells are reversed before and after the slide.
fn slide_row(mut row: [u8; 4], reversed: usize) -> ([u8; 4], u32) {
    row[..reversed].reverse();
    let (mut row, points) = slide_row_to_front(row);
    row[..reversed].reverse();
    (row, points)
}

/// Slides a row to its first cell and returns the new row and the points. A tile merges at most once.
fn slide_row_to_front(row: [u8; 4]) -> ([u8; 4], u32) {
    let mut slid = [0; 4];
    let (mut length, mut points) = (0, 0);
    let mut can_merge = false;
    for power in row.into_iter().filter(|&power| power > 0) {
        if can_merge && slid[length - 1] == power && power < MAX_POWER {
            slid[length - 1] += 1;
            points += 2 << power;
            can_merge = false;
        } else {
            slid[length] = power;
            length += 1;
            can_merge = true;
        }
    }
    (slid, points)
}

#[cfg(test)]
mod tests;
