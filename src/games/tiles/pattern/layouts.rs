//! Ranks of sets of cells, and of layouts: the arrangements of tiles on a set.

use super::MAX_TILES;
use crate::bits::iter_ones;

/// A set of cells, one bit per cell.
pub(crate) type Cells = u64;

/// Returns the rank of a set among the sets of its size, in the combinatorial number system (Knuth, TAOCP 7.2.1.3).
pub(crate) fn set_rank(set: Cells) -> usize {
    iter_ones(set)
        .enumerate()
        .map(|(before, cell)| BINOMIALS[cell][before + 1])
        .sum()
}

/// Returns the set of the tiles' cells, and the rank of their layout on it.
pub(crate) fn placement(cells: &[u8]) -> (Cells, usize) {
    let set = cells.iter().fold(0, |set: Cells, &cell| set | 1 << cell);
    (set, layout_rank(cells, set))
}

/// Returns the rank of a layout in the factorial number system.
///
/// The digit of a tile is the number of earlier tiles of the pattern that are on earlier cells. The last tile has
/// the highest digit.
pub(crate) fn layout_rank(cells: &[u8], set: Cells) -> usize {
    let mut left = set;
    let mut rank = 0;
    for (slot, &cell) in cells.iter().enumerate().rev() {
        let earlier = (left & ((1 << cell) - 1)).count_ones() as usize;
        rank += earlier * factorial(slot);
        left &= !(1 << cell);
    }
    rank
}

/// Returns `count` factorial.
pub(crate) fn factorial(count: usize) -> usize {
    (1..=count).product()
}

/// Binomial coefficients, by the size of the whole and the size of the choice.
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

/// Returns the new rank of every layout when the tile at place `from`, in reading order, moves to place `to`.
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

/// Returns all layouts by rank. A layout is the place of every tile in reading order.
pub(crate) fn layouts(tiles: usize) -> Vec<[u8; MAX_TILES]> {
    let mut layouts = vec![[0; MAX_TILES]];
    for slot in (0..tiles).rev() {
        let longer = |layout: [u8; MAX_TILES]| {
            let free =
                (0..tiles as u8).filter(move |place| !layout[slot + 1..tiles].contains(place));
            free.map(move |place| {
                let mut longer = layout;
                longer[slot] = place;
                longer
            })
        };
        layouts = layouts.into_iter().flat_map(longer).collect();
    }
    layouts
}
