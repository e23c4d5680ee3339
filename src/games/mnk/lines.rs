//! Lines: where they can lie on a board, and which sets of cells hold them.

use super::cells::Cells;

/// One of the four directions of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis<const WORDS: usize> {
    /// From a cell's number to that of the next on the line.
    pub(super) step: usize,
    /// The cells where a whole line begins that fits the board.
    pub(super) starts: Cells<WORDS>,
}

impl<const WORDS: usize> Axis<WORDS> {
    /// The lines of `length` cells that go `up` rows and `right` columns from cell to cell.
    pub(super) fn new([rows, columns]: [usize; 2], length: usize, up: usize, right: isize) -> Self {
        let reach = length as isize - 1;
        let mut starts = Cells::NONE;
        for row in 0..rows {
            for column in 0..columns {
                let end = column as isize + right * reach;
                if row + up * (length - 1) < rows && (0..columns as isize).contains(&end) {
                    starts.insert(row * columns + column);
                }
            }
        }
        // Without a line nothing is ever lowered, and no step can lead beyond the room of a set.
        let step = (up * columns).wrapping_add_signed(right);
        Self {
            step: if starts.is_empty() { 0 } else { step },
            starts,
        }
    }

    /// The cells of the line of `length` that begins at this one.
    #[inline]
    pub(super) fn line(&self, start: usize, length: usize) -> impl Iterator<Item = usize> {
        let step = self.step;
        (0..length).map(move |at| start + at * step)
    }

    /// Where the lines begin whose cells are all in the set. Runs of cells are doubled until they are long enough.
    #[inline]
    pub(super) fn lines(&self, cells: Cells<WORDS>, length: usize) -> Cells<WORDS> {
        let mut runs = cells;
        let mut reached = 1;
        while reached < length {
            let more = reached.min(length - reached);
            runs = runs & runs.lowered(self.step * more);
            reached += more;
        }
        runs & self.starts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::key::scattered;
    use crate::games::mnk::Mnk;

    /// Walks the board cell by cell, the slow and obvious way.
    fn lines_by_walking<const WORDS: usize>(game: &Mnk<WORDS>, cells: Cells<WORDS>) -> u32 {
        let held = |row: isize, column: isize| {
            (0..game.rows as isize).contains(&row)
                && (0..game.columns as isize).contains(&column)
                && cells.contains(row as usize * game.columns + column as usize)
        };
        let mut count = 0;
        for row in 0..game.rows as isize {
            for column in 0..game.columns as isize {
                for (up, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let whole = (0..game.length as isize)
                        .all(|at| held(row + at * up, column + at * right));
                    // A line of one cell lies on all four axes.
                    count += u32::from(whole);
                }
            }
        }
        count
    }

    fn check_lines<const WORDS: usize>(rows: usize, columns: usize, length: usize) {
        let game = Mnk::<WORDS>::new(rows, columns, length);
        for seed in 0..200_u64 {
            // Sparse and dense sets alike.
            let percent = seed % 100;
            let mut cells = Cells::NONE;
            for cell in 0..rows * columns {
                if scattered(seed << 32 | cell as u64 | 1 << 62) % 100 < percent {
                    cells.insert(cell);
                }
            }
            let expected = lines_by_walking(&game, cells);
            assert_eq!(
                game.count_lines(cells),
                expected,
                "{rows} {columns} {length}"
            );
            assert_eq!(game.has_line(cells), expected > 0);
        }
    }

    #[test]
    fn lines_are_the_same_by_shifts_and_by_walking() {
        for rows in 1..=8 {
            for columns in 1..=8 {
                for length in 1..=9 {
                    check_lines::<1>(rows, columns, length);
                }
            }
        }
        for (rows, columns, length) in [(3, 19, 19), (2, 19, 5), (19, 3, 4)] {
            check_lines::<1>(rows, columns, length);
        }
        for (rows, columns, length) in [(19, 19, 5), (9, 9, 5), (15, 15, 15), (3, 3, 3), (7, 19, 8)]
        {
            check_lines::<6>(rows, columns, length);
        }
    }
}
