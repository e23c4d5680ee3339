//! The symmetries of a board, and the canonical keys of symmetric positions for the transposition table.

use super::cells::Cells;
use super::rules::{Mnk, Position};
use crate::rules::Rules;
use crate::search::tactics::CanonicalKey;

/// Maximum number of stones of a position that gets a canonical key.
///
/// Symmetric positions with more stones usually arise from symmetric positions with this number of stones, of which
/// only one is searched. So positions with more stones rarely need a shared key.
const MAX_CANONICAL_STONES: u16 = 6;

impl<const WORDS: usize> Mnk<WORDS> {
    /// Returns the key of the position's canonical image, or its own key if it has more than
    /// [`MAX_CANONICAL_STONES`] stones.
    #[inline]
    pub(super) fn canonical_key_of(&self, position: &Position<WORDS>) -> CanonicalKey {
        if position.placed > MAX_CANONICAL_STONES {
            return CanonicalKey {
                key: self.key(position),
                symmetry: 0,
            };
        }
        let (smallest, symmetry) = self.canonical_image(position);
        CanonicalKey {
            key: self.key(&smallest),
            symmetry,
        }
    }

    /// Returns the canonical image of a position, and the symmetry that maps the position to it. The canonical
    /// image is the smallest image, compared by the words of the bit sets.
    pub(super) fn canonical_image(&self, position: &Position<WORDS>) -> (Position<WORDS>, usize) {
        let image = |symmetry| {
            let image_of = |cells: Cells<WORDS>| -> Cells<WORDS> {
                let cells = cells.iter();
                cells.map(|cell| self.image(cell, symmetry)).collect()
            };
            position.stones.map(image_of)
        };
        let images = (0..self.count_symmetries()).map(|symmetry| (image(symmetry), symmetry));
        let smallest = images.min_by_key(|(stones, _)| stones.map(|cells| cells.0));
        let (stones, symmetry) = smallest.unwrap_or((position.stones, 0));
        let smallest = Position {
            stones,
            ..*position
        };
        (smallest, symmetry)
    }

    /// Returns the number of symmetries of the board: reversals of rows and columns and, on square boards, the
    /// exchange of rows and columns.
    pub(super) fn count_symmetries(&self) -> usize {
        if self.rows == self.columns { 8 } else { 4 }
    }

    /// Returns the image of a cell. Bit 2 of `symmetry` exchanges rows and columns; then bit 0 reverses the rows and
    /// bit 1 the columns.
    pub(super) fn image(&self, cell: usize, symmetry: usize) -> usize {
        let (mut row, mut column) = (cell / self.columns, cell % self.columns);
        if symmetry & 4 != 0 {
            (row, column) = (column, row);
        }
        self.reversed(row, column, symmetry)
    }

    /// Returns the cell whose image is `cell`.
    pub(super) fn inverse_image(&self, cell: usize, symmetry: usize) -> usize {
        let reversed = self.reversed(cell / self.columns, cell % self.columns, symmetry);
        self.image(reversed, symmetry & 4)
    }

    /// Returns the cell at `row` and `column`, with the row reversed if bit 0 of `symmetry` is set, and the column if
    /// bit 1 is set.
    fn reversed(&self, row: usize, column: usize, symmetry: usize) -> usize {
        let row = if symmetry & 1 == 0 {
            row
        } else {
            self.rows - 1 - row
        };
        let column = if symmetry & 2 == 0 {
            column
        } else {
            self.columns - 1 - column
        };
        row * self.columns + column
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::Game;

    #[test]
    fn symmetries_are_those_that_differ_in_some_cell() {
        for (rows, columns) in [
            (1, 1),
            (1, 2),
            (1, 7),
            (7, 1),
            (2, 2),
            (2, 3),
            (3, 3),
            (3, 4),
        ] {
            let game = Mnk::<1>::new(rows, columns, 1);
            let image = |symmetry| -> Vec<usize> {
                let cells = 0..rows * columns;
                cells.map(|cell| game.image(cell, symmetry)).collect()
            };
            let images: BTreeSet<_> = (0..game.count_symmetries()).map(image).collect();
            assert_eq!(images.len(), game.symmetries(), "{rows}×{columns}");
        }
    }
}
