//! The board of 2048 in 64 bits, and the tables by which its rows slide.

use std::sync::LazyLock;

/// Sixteen cells of four bits, row by row from the top left, the first cell lowest. A cell holds the tile's power of
/// two, 0 when it is empty; the cells of a smaller board's missing rows and columns are empty for ever.
///
/// Tiles end at 32768, which four bits can just hold: two of these do not merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board(pub u64);

/// The lowest bit of every cell.
const LOW_BITS: u64 = 0x1111_1111_1111_1111;

/// The power of the largest tile.
pub const LARGEST: u8 = 15;

impl Board {
    /// The power of two on the cell with this index, 0 when it is empty.
    #[inline]
    pub fn power(self, cell: usize) -> u8 {
        (self.0 >> (4 * cell) & 15) as u8
    }

    /// The same board with a tile on an empty cell.
    #[inline]
    #[must_use]
    pub fn with(self, cell: usize, power: u8) -> Self {
        Self(self.0 | u64::from(power) << (4 * cell))
    }

    /// One bit, the lowest of the four, for every empty cell of the sixteen.
    #[inline]
    pub fn empty(self) -> u64 {
        let halves = self.0 | self.0 >> 2;
        !(halves | halves >> 1) & LOW_BITS
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

    /// The board seen in the eight ways that a square can be turned and mirrored.
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
/// which are sums of tiles from 4 on, so that nothing is lost.
type Table = [u32; 1 << 16];

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

static TO_FRONT: LazyLock<Box<Table>> = LazyLock::new(|| table(slid));

/// The tables of the other direction, for rows of two, three and four cells.
static TO_BACK: LazyLock<[Box<Table>; 3]> = LazyLock::new(|| {
    [2, 3, 4].map(|length| {
        table(|mut row| {
            row[..length].reverse();
            let (mut row, points) = slid(row);
            row[..length].reverse();
            (row, points)
        })
    })
});

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
    #[inline]
    pub fn all_up_to_symmetry(&self, board: Board) -> [(Board, u32); 4] {
        let turned = board.transposed();
        [
            self.left(board),
            self.right(board),
            self.up_turned(turned),
            self.down_turned(turned),
        ]
    }

    #[inline]
    fn left(&self, board: Board) -> (Board, u32) {
        through(self.to_front, board)
    }

    #[inline]
    fn right(&self, board: Board) -> (Board, u32) {
        through(self.to_last_column, board)
    }

    #[inline]
    fn up_turned(&self, turned: Board) -> (Board, u32) {
        through(self.to_front, turned)
    }

    #[inline]
    fn down_turned(&self, turned: Board) -> (Board, u32) {
        through(self.to_last_row, turned)
    }
}

#[inline]
fn turned_back((board, points): (Board, u32)) -> (Board, u32) {
    (board.transposed(), points)
}

/// Slides all rows by the same table.
#[inline]
fn through(table: &Table, Board(bits): Board) -> (Board, u32) {
    let row = |index: u32| table[(bits >> (16 * index) & 0xFFFF) as usize];
    let (a, b, c, d) = (row(0), row(1), row(2), row(3));
    let low = |entry: u32| u64::from(entry & 0xFFFF);
    let slid = low(a) | low(b) << 16 | low(c) << 32 | low(d) << 48;
    (
        Board(slid),
        ((a >> 16) + (b >> 16) + (c >> 16) + (d >> 16)) * 4,
    )
}

fn table(slid: impl Fn([u8; 4]) -> ([u8; 4], u32)) -> Box<Table> {
    let mut table = vec![0; 1 << 16].into_boxed_slice();
    for (bits, entry) in table.iter_mut().enumerate() {
        let (row, points) = slid([0, 4, 8, 12].map(|shift| (bits >> shift & 15) as u8));
        let packed = row
            .iter()
            .rev()
            .fold(0, |packed, &power| packed << 4 | u32::from(power));
        *entry = packed | points / 4 << 16;
    }
    table
        .try_into()
        .unwrap_or_else(|_| unreachable!("the length is that of the array"))
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn board(rows: [[u8; 4]; 4]) -> Board {
        let cells = rows.as_flattened().iter().enumerate();
        cells.fold(Board::default(), |board, (cell, &power)| {
            board.with(cell, power)
        })
    }

    #[test]
    fn a_tile_merges_once_and_the_first_ones_in_the_direction_merge() {
        let slides = Slides::new(4, 4);
        let before = board([[1, 1, 1, 1], [2, 1, 1, 0], [1, 1, 1, 0], [3, 0, 0, 3]]);
        let left = board([[2, 2, 0, 0], [2, 2, 0, 0], [2, 1, 0, 0], [4, 0, 0, 0]]);
        let right = board([[0, 0, 2, 2], [0, 0, 2, 2], [0, 0, 1, 2], [0, 0, 0, 4]]);
        assert_eq!(
            slides.slide(before, Direction::Left),
            (left, 4 + 4 + 4 + 4 + 16)
        );
        assert_eq!(
            slides.slide(before, Direction::Right),
            (right, 4 + 4 + 4 + 4 + 16)
        );
    }

    #[test]
    fn a_smaller_board_ends_at_its_own_edge() {
        let slides = Slides::new(2, 3);
        let before = board([[1, 1, 0, 0], [0, 2, 0, 0], [0; 4], [0; 4]]);
        let after = |direction| slides.slide(before, direction).0;
        assert_eq!(
            after(Direction::Right),
            board([[0, 0, 2, 0], [0, 0, 2, 0], [0; 4], [0; 4]])
        );
        assert_eq!(
            after(Direction::Down),
            board([[0, 1, 0, 0], [1, 2, 0, 0], [0; 4], [0; 4]])
        );
        assert_eq!(slides.cells().count_ones(), 6);
    }

    #[test]
    fn the_largest_tile_fits_and_does_not_merge() {
        let before = board([[15, 15, 14, 14], [0; 4], [0; 4], [0; 4]]);
        let after = board([[15, 15, 15, 0], [0; 4], [0; 4], [0; 4]]);
        assert_eq!(
            Slides::new(4, 4).slide(before, Direction::Left),
            (after, 32768)
        );
    }

    proptest! {
        #[test]
        fn every_direction_is_left_seen_from_elsewhere(bits: u64) {
            let (slides, board) = (Slides::new(4, 4), Board(bits));
            let left = |board| slides.slide(board, Direction::Left);
            let (right, points) = left(board.mirrored());
            prop_assert_eq!(slides.slide(board, Direction::Right), (right.mirrored(), points));
            let (up, points) = left(board.transposed());
            prop_assert_eq!(slides.slide(board, Direction::Up), (up.transposed(), points));
            let (down, points) = left(board.flipped().transposed());
            prop_assert_eq!(slides.slide(board, Direction::Down), (down.transposed().flipped(), points));
        }

        #[test]
        fn the_symmetries_move_every_cell_where_they_should(bits: u64) {
            let board = Board(bits);
            for cell in 0..16 {
                let (row, column) = (cell / 4, cell % 4);
                prop_assert_eq!(board.transposed().power(4 * column + row), board.power(cell));
                prop_assert_eq!(board.mirrored().power(4 * row + 3 - column), board.power(cell));
                prop_assert_eq!(board.flipped().power(4 * (3 - row) + column), board.power(cell));
                prop_assert_eq!(board.empty() >> (4 * cell) & 1 == 1, board.power(cell) == 0);
            }
        }
    }
}
