//! The mirror images and rotations of a board, under which positions are the same to a search.

use super::cells::Cells;
use super::rules::{Mnk, Position};
use crate::rules::Rules;
use crate::search::tactics::CanonicalKey;

/// With more stones on the board, positions that are images of each other follow from ones that were folded.
const MAX_FOLDED: u16 = 6;

impl<const WORDS: usize> Mnk<WORDS> {
    /// The position with its mirror images and rotations, if it has few stones.
    #[inline]
    pub(super) fn folded_by_images(&self, position: &Position<WORDS>) -> CanonicalKey {
        if position.placed > MAX_FOLDED {
            return CanonicalKey {
                key: self.key(position),
                symmetry: 0,
            };
        }
        let (least, symmetry) = self.least_image(position);
        CanonicalKey {
            key: self.key(&least),
            symmetry,
        }
    }

    /// The least of a position's images, and the symmetry that leads to it.
    pub(super) fn least_image(&self, position: &Position<WORDS>) -> (Position<WORDS>, usize) {
        let image = |symmetry| {
            let turned = |cells: Cells<WORDS>| -> Cells<WORDS> {
                let cells = cells.iter();
                cells.map(|cell| self.image(cell, symmetry)).collect()
            };
            position.stones.map(turned)
        };
        let images = (0..self.count_symmetries()).map(|symmetry| (image(symmetry), symmetry));
        let least = images.min_by_key(|(stones, _)| stones.map(|cells| cells.0));
        let (stones, symmetry) = least.unwrap_or((position.stones, 0));
        let least = Position {
            stones,
            ..*position
        };
        (least, symmetry)
    }

    /// How many symmetries the board has: its rows and columns may be reversed, and exchanged where there are as many.
    pub(super) fn count_symmetries(&self) -> usize {
        if self.rows == self.columns { 8 } else { 4 }
    }

    /// Where a symmetry takes a cell. Bit 2 of its number exchanges rows and columns, then bit 0 reverses the rows
    /// and bit 1 the columns.
    pub(super) fn image(&self, cell: usize, symmetry: usize) -> usize {
        let (mut row, mut column) = (cell / self.columns, cell % self.columns);
        if symmetry & 4 != 0 {
            (row, column) = (column, row);
        }
        self.reversed(row, column, symmetry)
    }

    /// Which cell a symmetry takes to this one.
    pub(super) fn origin(&self, cell: usize, symmetry: usize) -> usize {
        let turned = self.reversed(cell / self.columns, cell % self.columns, symmetry);
        self.image(turned, symmetry & 4)
    }

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
