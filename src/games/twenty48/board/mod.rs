//! The board of 2048 in 64 bits, and the tables by which its rows slide.

pub mod tile_remap;

use std::sync::LazyLock;

use tile_remap::TileRemap;

/// Sixteen cells of four bits, row by row from the top left, the first cell lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells(pub u64);

/// What is on every cell: the tile's power of two, 0 when it is empty. The cells of a smaller board's missing rows and
/// columns are empty for ever.
///
/// Nearly all boards fit four bits a cell. Powers above [`FITTING`] count as that in `low`, and what they exceed it by is
/// in `beyond`, so that boards without them are as quick as if there were none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    /// The powers, none above [`FITTING`].
    pub low: Cells,
    /// What the powers exceed [`FITTING`] by.
    pub beyond: Cells,
}

/// The lowest bit of every cell.
const LOW_BITS: u64 = 0x1111_1111_1111_1111;

/// The power of the largest tile there is, 131072: sixteen cells have no room for what would make a larger one. Two of
/// these, which no game leads to, do not merge.
pub const LARGEST: u8 = 17;

/// The largest power that four bits hold.
pub const FITTING: u8 = 15;

/// The largest power, 8192, that all networks learn of: boards with larger tiles are few, and taken for ones with smaller tiles.
pub const FAMILIAR: u8 = 13;

/// The largest power, 16384, that some network learns of.
pub const KNOWN: u8 = 14;

impl Cells {
    /// What is on the cell with this index.
    #[inline]
    pub fn get(self, cell: usize) -> u8 {
        (self.0 >> (4 * cell) & 15) as u8
    }

    /// Rows become columns.
    #[inline]
    #[must_use]
    pub fn transposed(self) -> Self {
        // First the cells inside each square of two by two change places, then the squares.
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

    /// Left and right change places.
    #[inline]
    #[must_use]
    pub fn mirrored(self) -> Self {
        let b = (self.0 & 0x00FF_00FF_00FF_00FF) << 8 | self.0 >> 8 & 0x00FF_00FF_00FF_00FF;
        Self((b & 0x0F0F_0F0F_0F0F_0F0F) << 4 | b >> 4 & 0x0F0F_0F0F_0F0F_0F0F)
    }

    /// Top and bottom change places.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        let b = self.0.rotate_left(32);
        Self((b & 0x0000_FFFF_0000_FFFF) << 16 | b >> 16 & 0x0000_FFFF_0000_FFFF)
    }

    /// The cells seen in the eight ways that a square can be turned and mirrored.
    #[inline]
    pub fn symmetries(self) -> [Self; 8] {
        let turned = self.transposed();
        [
            self,
            self.mirrored(),
            self.flipped(),
            self.mirrored().flipped(),
            turned,
            turned.mirrored(),
            turned.flipped(),
            turned.mirrored().flipped(),
        ]
    }
}

impl Board {
    /// The board with these powers.
    pub fn of(powers: [u8; 16]) -> Self {
        let cells = powers.into_iter().enumerate();
        cells.fold(Self::default(), |board, (cell, power)| {
            board.with(cell, power)
        })
    }

    /// The power of two on the cell with this index, 0 when it is empty.
    #[inline]
    pub fn power(self, cell: usize) -> u8 {
        self.low.get(cell) + self.beyond.get(cell)
    }

    /// The powers on all cells.
    pub fn powers(self) -> [u8; 16] {
        std::array::from_fn(|cell| self.power(cell))
    }

    /// The power of two of the largest tile, 0 where there is none.
    pub fn largest(self) -> u8 {
        self.powers().into_iter().fold(0, u8::max)
    }

    /// Whether some tile is larger than four bits hold.
    #[inline]
    pub fn is_beyond(self) -> bool {
        self.beyond.0 != 0
    }

    /// The same board with a tile on an empty cell.
    #[inline]
    #[must_use]
    pub fn with(self, cell: usize, power: u8) -> Self {
        let put = |cells: Cells, power: u8| Cells(cells.0 | u64::from(power) << (4 * cell));
        Self {
            low: put(self.low, power.min(FITTING)),
            beyond: put(self.beyond, power.saturating_sub(FITTING)),
        }
    }

    /// One bit, the lowest of the four, for every empty cell of the sixteen.
    #[inline]
    pub fn empty(self) -> u64 {
        let halves = self.low.0 | self.low.0 >> 2;
        !(halves | halves >> 1) & LOW_BITS
    }

    /// Rows become columns.
    #[inline]
    #[must_use]
    pub fn transposed(self) -> Self {
        Self {
            low: self.low.transposed(),
            beyond: if self.is_beyond() {
                self.beyond.transposed()
            } else {
                self.beyond
            },
        }
    }

    /// Whether some tile is above `most`: [`FAMILIAR`] or [`KNOWN`].
    #[inline(always)]
    pub fn exceeds(self, most: u8) -> bool {
        debug_assert!(most == FAMILIAR || most == KNOWN);
        // 14 and 15, and those alone, have the three upper bits.
        let Cells(low) = self.low;
        let large = low >> 1 & low >> 2 & low >> 3;
        let large = if most == KNOWN { large & low } else { large };
        large & LOW_BITS != 0
    }

    /// The board that a network takes this one for that knows tiles up to `most`, [`FAMILIAR`] or [`KNOWN`]: itself where no tile
    /// is above, else [lowered](Board::lowered) to that.
    #[inline(always)]
    #[must_use]
    pub fn familiar(self, most: u8) -> Self {
        if self.exceeds(most) {
            self.halved(most)
        } else {
            self
        }
    }

    /// The board on which every tile above a gap counts half, as often as it takes until no power is above `most`
    /// ([`TileRemap::lowering`]): which tiles are alike and which is larger stays the same.
    #[cold]
    #[must_use]
    pub fn halved(self, most: u8) -> Self {
        TileRemap::lowering(self, most).see(self)
    }
}

/// The ways to slide, in the order of the notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "they say it themselves")]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// All four, in the order of the notation.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];
}

/// What becomes of every row, by its sixteen bits: below, the row that it slides to; above, a quarter of the points,
/// which are sums of tiles from 4 on, so that nothing is lost; or [`BEYOND`].
type Table = [u32; 1 << 16];

/// Instead of a row that does not fit sixteen bits: two tiles of the power [`FITTING`] merge. No points reach this bit.
const BEYOND: u32 = 1 << 31;

/// How the boards of one size slide.
#[derive(Clone, Copy, Debug)]
pub struct Slides {
    rows: usize,
    columns: usize,
    /// To the left and up: the cells that a smaller board lacks are empty and stay so.
    to_front: &'static Table,
    /// To the right, where the last column is.
    to_last_column: &'static Table,
    /// Down, where the last row is.
    to_last_row: &'static Table,
}

static TO_FRONT: LazyLock<Box<Table>> = LazyLock::new(|| table(0));

/// The tables of the other direction, for rows of two, three and four cells.
static TO_BACK: LazyLock<[Box<Table>; 3]> = LazyLock::new(|| [2, 3, 4].map(table));

impl Slides {
    /// For boards of 2 to 4 rows and columns.
    pub fn new(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            to_front: &TO_FRONT,
            to_last_column: &TO_BACK[columns - 2],
            to_last_row: &TO_BACK[rows - 2],
        }
    }

    /// How many rows the board has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns the board has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The lowest bit of every cell that the board has.
    #[inline]
    pub fn cells(&self) -> u64 {
        let row = LOW_BITS & ((1 << (4 * self.columns)) - 1);
        let all = row | row << 16 | row << 32 | row << 48;
        all & u64::MAX >> (16 * (4 - self.rows))
    }

    /// The board after a slide, and the points of the tiles merged. A slide that changes nothing is not a move.
    #[inline]
    pub fn slide(&self, board: Board, direction: Direction) -> (Board, u32) {
        match direction {
            Direction::Left => self.left(board),
            Direction::Right => self.right(board),
            Direction::Up => turned_back(self.up_turned(board.transposed())),
            Direction::Down => turned_back(self.down_turned(board.transposed())),
        }
    }

    /// Where the four slides lead from `board`, whose transposed form is `turned`, up to symmetry: left, right, and
    /// then up and down, transposed. Where only values that know no direction are wanted this saves turning back.
    #[inline(always)]
    pub fn all_up_to_symmetry(&self, board: Board) -> [(Board, u32); 4] {
        let turned = board.transposed();
        [
            self.left(board),
            self.right(board),
            self.up_turned(turned),
            self.down_turned(turned),
        ]
    }

    #[inline(always)]
    fn left(&self, board: Board) -> (Board, u32) {
        through(self.to_front, 0, board)
    }

    #[inline(always)]
    fn right(&self, board: Board) -> (Board, u32) {
        through(self.to_last_column, self.columns, board)
    }

    #[inline(always)]
    fn up_turned(&self, turned: Board) -> (Board, u32) {
        through(self.to_front, 0, turned)
    }

    #[inline(always)]
    fn down_turned(&self, turned: Board) -> (Board, u32) {
        through(self.to_last_row, self.rows, turned)
    }
}

#[inline]
fn turned_back((board, points): (Board, u32)) -> (Board, u32) {
    (board.transposed(), points)
}

/// Slides all rows by the same table, which knows rows whose first `turned` cells slide the other way.
#[inline(always)]
fn through(table: &Table, turned: usize, board: Board) -> (Board, u32) {
    let row = |index: u32| table[(board.low.0 >> (16 * index) & 0xFFFF) as usize];
    let (a, b, c, d) = (row(0), row(1), row(2), row(3));
    if board.is_beyond() || (a | b | c | d) & BEYOND != 0 {
        return by_the_rule(turned, board);
    }
    let low = |entry: u32| u64::from(entry & 0xFFFF);
    let slid = low(a) | low(b) << 16 | low(c) << 32 | low(d) << 48;
    let slid = Board {
        low: Cells(slid),
        beyond: Cells(0),
    };
    (slid, ((a >> 16) + (b >> 16) + (c >> 16) + (d >> 16)) * 4)
}

/// Slides all rows where some tile is, or becomes, larger than the tables hold.
#[cold]
fn by_the_rule(turned: usize, board: Board) -> (Board, u32) {
    let (mut powers, mut points) = (board.powers(), 0);
    for row in powers.as_chunks_mut().0 {
        let (after, gained) = slid_either_way(*row, turned);
        *row = after;
        points += gained;
    }
    (Board::of(powers), points)
}

fn table(turned: usize) -> Box<Table> {
    let mut table = vec![0; 1 << 16].into_boxed_slice();
    for (bits, entry) in table.iter_mut().enumerate() {
        let row = [0, 4, 8, 12].map(|shift| (bits >> shift & 15) as u8);
        let (row, points) = slid_either_way(row, turned);
        let packed = row
            .iter()
            .rev()
            .fold(0, |packed, &power| packed << 4 | u32::from(power));
        *entry = if row.iter().any(|&power| power > FITTING) {
            BEYOND
        } else {
            packed | points / 4 << 16
        };
    }
    table
        .try_into()
        .unwrap_or_else(|_| unreachable!("the length is that of the array"))
}

/// The row slid to its front, or the first `turned` cells away from it.
fn slid_either_way(mut row: [u8; 4], turned: usize) -> ([u8; 4], u32) {
    row[..turned].reverse();
    let (mut row, points) = slid(row);
    row[..turned].reverse();
    (row, points)
}

/// The rule itself: the row slid to its front, each tile merging at most once, and the points.
fn slid(row: [u8; 4]) -> ([u8; 4], u32) {
    let mut slid = [0; 4];
    let (mut length, mut points) = (0, 0);
    let mut may_merge = false;
    for power in row.into_iter().filter(|&power| power > 0) {
        if may_merge && slid[length - 1] == power && power < LARGEST {
            slid[length - 1] += 1;
            points += 2 << power;
            may_merge = false;
        } else {
            slid[length] = power;
            length += 1;
            may_merge = true;
        }
    }
    (slid, points)
}

#[cfg(test)]
mod tests;
