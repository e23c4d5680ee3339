//! The rotations and reflections that map a board to itself.

use super::Tiles;

/// A map from the row and the column of a cell to the row and the column of its image.
type Symmetry = fn(&Tiles, usize, usize) -> (usize, usize);

const SYMMETRIES: [Symmetry; 8] = [
    |_, row, column| (row, column),
    |_, row, column| (column, row),
    |tiles, row, column| (tiles.height - 1 - row, column),
    |tiles, row, column| (row, tiles.width - 1 - column),
    |tiles, row, column| (tiles.height - 1 - row, tiles.width - 1 - column),
    |tiles, row, column| (column, tiles.height - 1 - row),
    |tiles, row, column| (tiles.width - 1 - column, row),
    |tiles, row, column| (tiles.width - 1 - column, tiles.height - 1 - row),
];

/// Returns the symmetries of the board, each as the images of all cells, the identity first.
pub(super) fn symmetries(tiles: &Tiles) -> Vec<Vec<u8>> {
    let images = |symmetry: &Symmetry| {
        let cell = |cell: usize| {
            let (row, column) = symmetry(tiles, cell / tiles.width, cell % tiles.width);
            (row * tiles.width + column) as u8
        };
        (0..tiles.cell_count()).map(cell).collect()
    };
    let is_square = tiles.width == tiles.height;
    let exchanges_rows_and_columns = |index: &usize| matches!(index, 1 | 5..);
    let indices =
        (0..SYMMETRIES.len()).filter(|index| is_square || !exchanges_rows_and_columns(index));
    indices.map(|index| images(&SYMMETRIES[index])).collect()
}

/// Returns the symmetries that map the blank's home to itself, the identity first.
pub(crate) fn symmetries_fixing_blank(tiles: &Tiles) -> Vec<Vec<u8>> {
    let blank = tiles.home(0);
    symmetries(tiles)
        .into_iter()
        .filter(|images| usize::from(images[blank]) == blank)
        .collect()
}
