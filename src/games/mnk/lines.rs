//! The lines of a board, and the lines that a set of cells contains.
//!
//! A line is k cells in a row, where k stones in a row win. There are four axes of lines: horizontal, vertical
//! and two diagonals. A line is identified by its axis and its first cell.

use super::cells::Cells;

/// One of the four axes of lines, with the lines that fit on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis<const WORDS: usize> {
    /// The difference between the indices of consecutive cells of a line.
    pub(super) step: usize,
    /// The first cells of all lines that fit on the board.
    pub(super) starts: Cells<WORDS>,
}

impl<const WORDS: usize> Axis<WORDS> {
    /// Creates the axis of lines of `length` cells. Each cell of a line is `up` rows above and `right` columns to the
    /// right of the previous cell.
    pub(super) fn new([rows, columns]: [usize; 2], length: usize, up: usize, right: isize) -> Self {
        let steps = length as isize - 1;
        let mut starts = Cells::NONE;
        for row in 0..rows {
            for column in 0..columns {
                let last_column = column as isize + right * steps;
                if row + up * (length - 1) < rows && (0..columns as isize).contains(&last_column) {
                    starts.insert(row * columns + column);
                }
            }
        }
        // An axis without lines gets step 0, because its real step can be too large: method `lines` shifts sets by
        // up to `length` times the step, and `shifted_down` limits shifts.
        let step = (up * columns).wrapping_add_signed(right);
        Self {
            step: if starts.is_empty() { 0 } else { step },
            starts,
        }
    }

    /// Returns the cells of the line of `length` cells whose first cell is `start`.
    #[inline]
    pub(super) fn line(&self, start: usize, length: usize) -> impl Iterator<Item = usize> {
        let step = self.step;
        (0..length).map(move |index| start + index * step)
    }

    /// Returns the first cells of all lines whose `length` cells are all in the set `cells`.
    #[inline]
    pub(super) fn lines(&self, cells: Cells<WORDS>, length: usize) -> Cells<WORDS> {
        // A run is `run_length` consecutive cells of the axis in `cells`; `runs` contains the first cell of every
        // run. Two consecutive runs form a run of twice the length, so each step doubles `run_length`. In the last
        // step, the two runs may overlap.
        let mut runs = cells;
        let mut run_length = 1;
        while run_length < length {
            let shift = run_length.min(length - run_length);
            runs = runs & runs.shifted_down(self.step * shift);
            run_length += shift;
        }
        runs & self.starts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::key::mix64;
    use crate::games::mnk::Mnk;

    /// Counts the lines in a set by testing each cell of each line.
    fn count_lines_cell_by_cell<const WORDS: usize>(game: &Mnk<WORDS>, cells: Cells<WORDS>) -> u32 {
        let contains_cell = |row: isize, column: isize| {
            (0..game.rows as isize).contains(&row)
                && (0..game.columns as isize).contains(&column)
                && cells.contains(row as usize * game.columns + column as usize)
        };
        let mut count = 0;
        for row in 0..game.rows as isize {
            for column in 0..game.columns as isize {
                for (up, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let is_complete = (0..game.length as isize)
                        .all(|index| contains_cell(row + index * up, column + index * right));
                    // A line of one cell is on all four axes.
                    count += u32::from(is_complete);
                }
            }
        }
        count
    }

    fn check_lines<const WORDS: usize>(rows: usize, columns: usize, length: usize) {
        let game = Mnk::<WORDS>::new(rows, columns, length);
        for seed in 0..200_u64 {
            // The sets contain from 0% to 99% of the cells.
            let percent = seed % 100;
            let mut cells = Cells::NONE;
            for cell in 0..rows * columns {
                if mix64(seed << 32 | cell as u64 | 1 << 62) % 100 < percent {
                    cells.insert(cell);
                }
            }
            let expected = count_lines_cell_by_cell(&game, cells);
            assert_eq!(
                game.count_lines(cells),
                expected,
                "{rows} {columns} {length}"
            );
            assert_eq!(game.has_line(cells), expected > 0);
        }
    }

    #[test]
    fn shifts_find_all_lines() {
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
