//! The symmetries of a board.

use super::Tiles;

/// How a cell's row and column become another's.
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

/// The symmetries of the board: for each, where every cell goes.
pub fn symmetries(tiles: &Tiles) -> Vec<Vec<u8>> {
    let turned = |symmetry: &Symmetry| {
        let cell = |cell: usize| {
            let (row, column) = symmetry(tiles, cell / tiles.width, cell % tiles.width);
            (row * tiles.width + column) as u8
        };
        (0..tiles.cell_count()).map(cell).collect()
    };
    let is_square = tiles.width == tiles.height;
    let turns_the_board = |index: &usize| matches!(index, 1 | 5..);
    let indices = (0..SYMMETRIES.len()).filter(|index| is_square || !turns_the_board(index));
    indices.map(|index| turned(&SYMMETRIES[index])).collect()
}

/// Those that leave the blank's home where it is: a table serves them too.
pub fn still_symmetries(tiles: &Tiles) -> Vec<Vec<u8>> {
    let blank = tiles.home(0);
    symmetries(tiles)
        .into_iter()
        .filter(|turned| usize::from(turned[blank]) == blank)
        .collect()
}
