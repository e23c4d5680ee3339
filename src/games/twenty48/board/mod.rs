//! The 2048 board in packed form, and the lookup tables for its slides.

pub(crate) mod tile_remap;

use std::sync::LazyLock;

use tile_remap::TileRemap;

/// Sixteen cells of four bits each, row by row from the top left. The first cell is in the lowest bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells(pub u64);

/// The tile on each cell as a power of two, or 0 for an empty cell. On smaller boards, the missing rows and columns
/// stay empty.
///
/// Nearly all boards fit in four bits per cell. A larger power is stored as [`MAX_PACKED_POWER`] in `low`, and its
/// excess in `excess`. Boards without such tiles need no extra work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    /// The powers, at most [`MAX_PACKED_POWER`].
    pub low: Cells,
    /// The difference between each power and [`MAX_PACKED_POWER`], or 0 if the power is not larger.
    pub excess: Cells,
}

/// The lowest bit of every cell.
const LOW_BITS: u64 = 0x1111_1111_1111_1111;

/// The power of the largest possible tile, 131072. A larger tile needs more than sixteen cells. Two tiles of this
/// power, which no game reaches, do not merge.
pub(crate) const MAX_POWER: u8 = 17;

/// The largest power that fits in four bits.
pub(crate) const MAX_PACKED_POWER: u8 = 15;

/// The largest power, 8192, that every network learns. Networks see larger tiles [downgraded](Board::downgraded).
pub(crate) const BASE_LEARNED_POWER: u8 = 13;

/// The largest power, 16384, that any network learns.
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
        // Exchanges the cells within each 2×2 square first, then the squares.
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

    /// Exchanges left and right.
    #[inline]
    #[must_use]
    pub(crate) fn mirrored(self) -> Self {
        let b = (self.0 & 0x00FF_00FF_00FF_00FF) << 8 | self.0 >> 8 & 0x00FF_00FF_00FF_00FF;
        Self((b & 0x0F0F_0F0F_0F0F_0F0F) << 4 | b >> 4 & 0x0F0F_0F0F_0F0F_0F0F)
    }

    /// Exchanges top and bottom.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        let b = self.0.rotate_left(32);
        Self((b & 0x0000_FFFF_0000_FFFF) << 16 | b >> 16 & 0x0000_FFFF_0000_FFFF)
    }

    /// Returns the cells under the eight symmetries of the square.
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

    /// Returns `true` if some power does not fit in four bits.
    #[inline]
    pub fn has_excess(self) -> bool {
        self.excess.0 != 0
    }

    /// Returns the board with one more tile, on the empty cell `cell`.
    #[inline]
    #[must_use]
    pub fn with(self, cell: usize, power: u8) -> Self {
        let put = |cells: Cells, power: u8| Cells(cells.0 | u64::from(power) << (4 * cell));
        Self {
            low: put(self.low, power.min(MAX_PACKED_POWER)),
            excess: put(self.excess, power.saturating_sub(MAX_PACKED_POWER)),
        }
    }

    /// Returns the lowest bit of each empty cell, for all sixteen cells.
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

    /// Returns `true` if some power exceeds `max`, which is [`BASE_LEARNED_POWER`] or [`EXTENDED_LEARNED_POWER`].
    #[inline(always)]
    pub(crate) fn has_power_above(self, max: u8) -> bool {
        debug_assert!(max == BASE_LEARNED_POWER || max == EXTENDED_LEARNED_POWER);
        // The three upper bits of a cell are all set only for powers 14 and 15.
        let Cells(low) = self.low;
        let large = low >> 1 & low >> 2 & low >> 3;
        let large = if max == EXTENDED_LEARNED_POWER {
            large & low
        } else {
            large
        };
        large & LOW_BITS != 0
    }

    /// Returns the board as seen by a network that learned powers up to `max`, which is [`BASE_LEARNED_POWER`] or
    /// [`EXTENDED_LEARNED_POWER`]. The board is unchanged if no power exceeds `max`.
    #[inline(always)]
    #[must_use]
    pub(crate) fn downgraded(self, max: u8) -> Self {
        if self.has_power_above(max) {
            self.downgrade(max)
        } else {
            self
        }
    }

    /// Halves all tiles above a missing tile, repeatedly, until no power exceeds `max`
    /// ([`TileRemap::downgrading`]). Equality and order of the tiles are preserved.
    #[cold]
    #[must_use]
    pub(crate) fn downgrade(self, max: u8) -> Self {
        TileRemap::downgrading(self, max).apply(self)
    }
}

/// The directions of a slide, in the order of the notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// All directions, in the order of the notation.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];
}

/// The result of a slide for each 16-bit row. The lower half is the new row and the upper half a quarter of the
/// points. Points are sums of tiles of at least 4, so the division is exact. An entry can also be [`OVERFLOW`].
type Table = [u32; 1 << 16];

/// The entry of a row in which two tiles of power [`MAX_PACKED_POWER`] merge, so that the result does not fit in 16
/// bits. Points never reach this bit.
const OVERFLOW: u32 = 1 << 31;

/// The slides of a board of one size.
#[derive(Clone, Copy, Debug)]
pub struct Slides {
    rows: usize,
    columns: usize,
    /// The table for slides to the left and up. The missing cells of a smaller board stay empty.
    to_front: &'static Table,
    /// The table for slides to the right, to the last column.
    to_last_column: &'static Table,
    /// The table for slides down, to the last row.
    to_last_row: &'static Table,
}

static TO_FRONT: LazyLock<Box<Table>> = LazyLock::new(|| build_table(0));

/// The tables of the opposite direction, for rows of two, three and four cells.
static TO_BACK: LazyLock<[Box<Table>; 3]> = LazyLock::new(|| [2, 3, 4].map(build_table));

impl Slides {
    /// Creates the slides of a board with 2 to 4 rows and 2 to 4 columns.
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

    /// Returns the lowest bit of every cell of the board.
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

    /// Returns the results of all four slides up to symmetry: left, right, and then up and down, both transposed.
    /// Evaluations that are invariant under symmetry save the transposition back.
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

/// Slides all rows with `table`, in which the first `reversed` cells slide away from the front.
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

/// Slides all rows if some tile is or becomes too large for the tables.
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

/// Slides a row to its front or, if `reversed` is not 0, its first `reversed` cells away from it. Returns the row
/// and the points.
fn slide_row(mut row: [u8; 4], reversed: usize) -> ([u8; 4], u32) {
    row[..reversed].reverse();
    let (mut row, points) = slide_row_to_front(row);
    row[..reversed].reverse();
    (row, points)
}

/// Slides a row to its front, merging each tile at most once. Returns the row and the points.
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
