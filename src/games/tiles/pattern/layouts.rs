//! Ranks of sets and layouts. The rank of a set is its index among all sets of the same size. The rank of a
//! layout is its index among all layouts of the same tiles.

use super::MAX_TILES;
use crate::bits::iter_ones;

/// A set of cells, one bit per cell.
pub(crate) type Cells = u64;

/// Returns the rank of a set, in the combinatorial number system (Knuth, TAOCP 7.2.1.3).
pub(crate) fn set_rank(set: Cells) -> usize {
    iter_ones(set)
        .enumerate()
        .map(|(cells_before, cell)| BINOMIALS[cell][cells_before + 1])
        .sum()
}

/// Returns the set of a placement and the rank of its layout. `cells` are the cells of the tiles, in the order of the
/// pattern.
pub(crate) fn placement(cells: &[u8]) -> (Cells, usize) {
    let set = cells.iter().fold(0, |set: Cells, &cell| set | 1 << cell);
    (set, layout_rank(cells, set))
}

/// Returns the rank of the layout of tiles on `cells`, in the factorial number system. `set` is the set of these
/// cells.
///
/// The rank has one digit per tile: the number of tiles before this tile both in the pattern and on the board.
/// The digit of the tile at index `i` in the pattern has the place value `i!`.
pub(crate) fn layout_rank(cells: &[u8], set: Cells) -> usize {
    let mut remaining = set;
    let mut rank = 0;
    for (index, &cell) in cells.iter().enumerate().rev() {
        let tiles_before = (remaining & ((1 << cell) - 1)).count_ones() as usize;
        rank += tiles_before * factorial(index);
        remaining &= !(1 << cell);
    }
    rank
}

/// Returns `count` factorial.
pub(crate) fn factorial(count: usize) -> usize {
    (1..=count).product()
}

/// Binomial coefficients: element `[n][k]` is `n` choose `k`.
const BINOMIALS: [[usize; MAX_TILES + 1]; 64] = binomials();

const fn binomials() -> [[usize; MAX_TILES + 1]; 64] {
    let mut binomials = [[0; MAX_TILES + 1]; 64];
    let mut count = 0;
    while count < binomials.len() {
        binomials[count][0] = 1;
        let mut chosen = 1;
        while count > 0 && chosen <= MAX_TILES {
            binomials[count][chosen] =
                binomials[count - 1][chosen - 1] + binomials[count - 1][chosen];
            chosen += 1;
        }
        count += 1;
    }
    binomials
}

/// Returns a table from the rank of each layout to its rank after the tile at place `from` has moved to place
/// `to`. A place is the index of a cell in the set of `tiles` cells, in reading order.
pub(crate) fn layout_permutation(tiles: usize, from: usize, to: usize) -> Vec<u16> {
    let moved = |&place: &u8| match usize::from(place) {
        place if place == from => to as u8,
        place if from < place && place <= to => place as u8 - 1,
        place if to <= place && place < from => place as u8 + 1,
        place => place as u8,
    };
    let rank = |layout: [u8; MAX_TILES]| {
        let moved: Vec<u8> = layout[..tiles].iter().map(moved).collect();
        layout_rank(&moved, (1 << tiles) - 1) as u16
    };
    layouts(tiles).into_iter().map(rank).collect()
}

/// Returns all layouts of `tiles` tiles, in the order of their ranks, each as the places of all tiles. A place is the
/// index of a cell in the set, in reading order.
pub(crate) fn layouts(tiles: usize) -> Vec<[u8; MAX_TILES]> {
    let mut layouts = vec![[0; MAX_TILES]];
    for index in (0..tiles).rev() {
        let extensions = |layout: [u8; MAX_TILES]| {
            let free =
                (0..tiles as u8).filter(move |place| !layout[index + 1..tiles].contains(place));
            free.map(move |place| {
                let mut extended = layout;
                extended[index] = place;
                extended
            })
        };
        layouts = layouts.into_iter().flat_map(extensions).collect();
    }
    layouts
}
