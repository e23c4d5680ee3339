//! Numbers for sets of cells, and for the ways in which tiles are laid out on a set.

use super::MAX_TILES;
use crate::bits::iter_ones;

/// Cells as bits.
pub type Cells = u64;

/// The number of a set of cells among the sets of as many, in the combinatorial number system (Knuth, TAOCP 7.2.1.3).
pub fn set_number(set: Cells) -> usize {
    iter_ones(set)
        .enumerate()
        .map(|(before, cell)| CHOICES[cell][before + 1])
        .sum()
}

/// The set of the tiles' cells, and the number of the layout of the tiles on it.
pub fn placement(cells: &[u8]) -> (Cells, usize) {
    let set = cells.iter().fold(0, |set: Cells, &cell| set | 1 << cell);
    (set, layout_number(cells, set))
}

/// The number of a layout: for every tile from the last, how many of those before it in the table lie on earlier cells, in
/// the factorial number system. So it is the last tile that weighs most.
pub fn layout_number(cells: &[u8], set: Cells) -> usize {
    let mut left = set;
    let mut number = 0;
    for (slot, &cell) in cells.iter().enumerate().rev() {
        let earlier = (left & ((1 << cell) - 1)).count_ones() as usize;
        number += earlier * factorial(slot);
        left &= !(1 << cell);
    }
    number
}

/// The orders of so many things.
pub fn factorial(count: usize) -> usize {
    (1..=count).product()
}

/// By the number of things and the number chosen: how many choices there are.
const CHOICES: [[usize; MAX_TILES + 1]; 64] = choices();

const fn choices() -> [[usize; MAX_TILES + 1]; 64] {
    let mut choices = [[0; MAX_TILES + 1]; 64];
    let mut count = 0;
    while count < choices.len() {
        choices[count][0] = 1;
        let mut chosen = 1;
        while count > 0 && chosen <= MAX_TILES {
            choices[count][chosen] = choices[count - 1][chosen - 1] + choices[count - 1][chosen];
            chosen += 1;
        }
        count += 1;
    }
    choices
}

/// What every layout becomes when the tile at one place, in reading order, goes to another, past those between.
pub fn passing(tiles: usize, from: usize, to: usize) -> Vec<u16> {
    let moved = |&place: &u8| match usize::from(place) {
        place if place == from => to as u8,
        place if from < place && place <= to => place as u8 - 1,
        place if to <= place && place < from => place as u8 + 1,
        place => place as u8,
    };
    let number = |layout: [u8; MAX_TILES]| {
        let moved: Vec<u8> = layout[..tiles].iter().map(moved).collect();
        layout_number(&moved, (1 << tiles) - 1) as u16
    };
    layouts(tiles).into_iter().map(number).collect()
}

/// All layouts in the order of their numbers: the place of every tile.
pub fn layouts(tiles: usize) -> Vec<[u8; MAX_TILES]> {
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
