//! The symmetries of a board.

use super::Tiles;

/// Maps a row and a column to their images.
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

/// Returns the symmetries of the board, each as the image of every cell. The first is the identity.
pub(super) fn symmetries(tiles: &Tiles) -> Vec<Vec<u8>> {
    let images = |symmetry: &Symmetry| {
        let cell = |cell: usize| {
            let (row, column) = symmetry(tiles, cell / tiles.width, cell % tiles.width);
            (row * tiles.width + column) as u8
        };
        (0..tiles.cell_count()).map(cell).collect()
    };
    let is_square = tiles.width == tiles.height;
    let turns_the_board = |index: &usize| matches!(index, 1 | 5..);
    let indices = (0..SYMMETRIES.len()).filter(|index| is_square || !turns_the_board(index));
    indices.map(|index| images(&SYMMETRIES[index])).collect()
}

/// Returns the symmetries that keep the blank's home. A pattern table serves the images of its pattern under them.
pub(crate) fn symmetries_fixing_blank(tiles: &Tiles) -> Vec<Vec<u8>> {
    let blank = tiles.home(0);
    symmetries(tiles)
        .into_iter()
        .filter(|images| usize::from(images[blank]) == blank)
        .collect()
}
