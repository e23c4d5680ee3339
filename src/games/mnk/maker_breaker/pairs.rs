//! Pairing strategies: if Maker takes one cell of a pair, Breaker takes the other.
//!
//! Lines that overlap in two cells can share a pair. In a row of seven cells, all three lines of five contain the
//! middle three cells, so one pair blocks all of them. Pairs are therefore assigned to groups of lines.

use std::cmp::Reverse;

use crate::games::mnk::cells::{Cells, PerCell};

/// The fixed-point representation of 1: the weight of a complete line.
pub(crate) const UNIT_WEIGHT: u64 = 1 << 32;

/// Returns the weight 2⁻ⁿ of a line with n missing cells, at most 19.
pub(crate) fn weight_of<const WORDS: usize>(line: Cells<WORDS>) -> u64 {
    UNIT_WEIGHT >> line.count()
}

/// Lines that a single pair can block.
#[derive(Clone, Copy, Debug)]
struct Group<const WORDS: usize> {
    /// The cells common to all lines of the group, at least two.
    common: Cells<WORDS>,
    /// The cells of all lines of the group.
    all: Cells<WORDS>,
    /// The number of cells of its pair that are assigned to the group, at most two.
    assigned: u8,
    /// Whether no pair was found for the group.
    is_unpaired: bool,
}

/// Returns the groups and the group number of each line. Consecutive lines form a group while they have at least
/// two common cells.
fn groups<const WORDS: usize>(lines: &[Cells<WORDS>]) -> (Vec<Group<WORDS>>, Vec<usize>) {
    let mut groups: Vec<Group<WORDS>> = Vec::with_capacity(lines.len());
    let mut numbers = Vec::with_capacity(lines.len());
    for &line in lines {
        match groups.last_mut() {
            Some(last) if (last.common & line).count() >= 2 => {
                last.common = last.common & line;
                last.all = last.all | line;
            }
            _ => groups.push(Group {
                common: line,
                all: line,
                assigned: 0,
                is_unpaired: false,
            }),
        }
        numbers.push(groups.len() - 1);
    }
    (groups, numbers)
}

/// Removes all lines that Breaker blocks by a pairing strategy whose cells are on none of the other lines. These
/// lines do not affect the result.
///
/// Every line has at least two cells. The function computes a matching by augmenting paths. A group without a pair
/// blocks the cells of its lines for the other groups, and groups that lose cells search for a new pair. The set of
/// removed groups is maximal.
pub(crate) fn drop_pairs<const WORDS: usize>(lines: &mut Vec<Cells<WORDS>>) {
    let (groups, numbers) = groups(lines);
    let mut waiting: Vec<usize> = (0..groups.len()).collect();
    let mut pairing = Pairing::new(groups);
    while let Some(group) = waiting.pop() {
        if !pairing.groups[group].is_unpaired && !pairing.assign_pair(group) {
            pairing.block(group, &mut waiting);
        }
    }
    let mut numbers = numbers.into_iter();
    lines.retain(|_| {
        let number = numbers.next();
        number.is_none_or(|number| pairing.groups[number].is_unpaired)
    });
}

/// Returns the weight of the lines that remain if Breaker answers within pairs and otherwise plays by weight.
///
/// Pairs are assigned to groups in descending order of weight. On the other lines, cells of pairs count as Maker's,
/// and a line that contains both cells of a pair is blocked. Breaker wins if the weight is below 1/2 with Maker to
/// move.
pub(crate) fn weight_outside_pairs<const WORDS: usize>(lines: &[Cells<WORDS>]) -> u64 {
    let (groups, numbers) = groups(lines);
    let mut weights = vec![0; groups.len()];
    for (&line, &group) in lines.iter().zip(&numbers) {
        weights[group] += weight_of(line);
    }
    let mut heaviest: Vec<usize> = (0..groups.len()).collect();
    heaviest.sort_by_key(|&group| Reverse(weights[group]));
    let mut pairing = Pairing::new(groups);
    for group in heaviest {
        if !pairing.assign_pair(group) {
            pairing.release(group);
        }
    }
    let pairs = pairing.pairs();
    let paired = pairs.iter().fold(Cells::NONE, |all, &pair| all | pair);
    let lines = lines.iter().zip(numbers);
    lines
        .filter(|&(_, group)| pairing.groups[group].is_unpaired)
        .filter(|&(&line, _)| !pairs.iter().any(|&pair| (pair & !line).is_empty()))
        .map(|(&line, _)| weight_of(line & !paired))
        .sum()
}

/// An assignment of cells to groups.
struct Pairing<const WORDS: usize> {
    groups: Vec<Group<WORDS>>,
    /// The group that owns each cell.
    owners: PerCell<Option<u16>, WORDS>,
    /// The cells that are owned by a group.
    owned: Cells<WORDS>,
    /// The cells of the lines of unpaired groups.
    blocked: Cells<WORDS>,
    /// The cells that the current search skips.
    seen: Cells<WORDS>,
}

impl<const WORDS: usize> Pairing<WORDS> {
    /// Creates an assignment without any assigned cells.
    fn new(groups: Vec<Group<WORDS>>) -> Self {
        Self {
            groups,
            owners: PerCell::new(None),
            owned: Cells::NONE,
            blocked: Cells::NONE,
            seen: Cells::NONE,
        }
    }

    /// Assigns the missing cells of its pair to a group. Returns `false` if that is impossible.
    fn assign_pair(&mut self, group: usize) -> bool {
        while self.groups[group].assigned < 2 {
            self.seen = self.blocked;
            if !self.assign_cell(group) {
                return false;
            }
            self.groups[group].assigned += 1;
        }
        true
    }

    /// Assigns one more cell to a group: a free cell, or a cell whose owner can get another one. Returns `false` if
    /// that is impossible.
    fn assign_cell(&mut self, group: usize) -> bool {
        let cells = self.groups[group].common & !self.seen;
        if let Some(cell) = (cells & !self.owned).iter().next() {
            self.owners[cell] = Some(group as u16);
            self.owned.insert(cell);
            return true;
        }
        for cell in cells.iter() {
            if self.seen.contains(cell) {
                continue;
            }
            self.seen.insert(cell);
            let owner = self.owners[cell].map(usize::from);
            if owner.is_some_and(|owner| owner != group && self.assign_cell(owner)) {
                self.owners[cell] = Some(group as u16);
                return true;
            }
        }
        false
    }

    /// Marks a group as unpaired and releases its cells.
    fn release(&mut self, group: usize) {
        let own = self.cells_of(group);
        own.iter().for_each(|cell| self.owners[cell] = None);
        self.owned = self.owned & !own;
        self.groups[group].is_unpaired = true;
    }

    /// Marks a group as unpaired and blocks the cells of its lines. Appends the groups that lose cells to
    /// `waiting`.
    fn block(&mut self, group: usize, waiting: &mut Vec<usize>) {
        self.release(group);
        let all = self.groups[group].all;
        for cell in (all & self.owned).iter() {
            if let Some(owner) = self.owners[cell].take() {
                self.groups[usize::from(owner)].assigned -= 1;
                waiting.push(owner.into());
            }
        }
        self.owned = self.owned & !all;
        self.blocked = self.blocked | all;
    }

    /// Returns the cells that are assigned to a group.
    fn cells_of(&self, group: usize) -> Cells<WORDS> {
        let cells = (self.groups[group].common & self.owned).iter();
        cells
            .filter(|&cell| self.owners[cell] == Some(group as u16))
            .collect()
    }

    /// Returns the pairs of all groups that have one.
    fn pairs(&self) -> Vec<Cells<WORDS>> {
        let groups = (0..self.groups.len()).filter(|&group| !self.groups[group].is_unpaired);
        groups.map(|group| self.cells_of(group)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells<const COUNT: usize>(cells: [usize; COUNT]) -> Cells<1> {
        cells.into_iter().collect()
    }

    #[test]
    fn one_pair_blocks_overlapping_lines() {
        let row: Vec<Cells<1>> = (0..3).map(|start| (start..start + 5).collect()).collect();
        assert_eq!(groups(&row).0.len(), 1);
        let mut left = row;
        drop_pairs(&mut left);
        assert_eq!(left, []);
    }

    #[test]
    fn pairs_avoid_cells_of_remaining_lines() {
        // The last two lines have three cells for two pairs. The first line has only one cell that is on neither of
        // them.
        let mut lines = vec![
            cells([0, 1]),
            cells([1, 2, 3]),
            cells([1, 2]),
            cells([4, 5]),
        ];
        lines.swap(1, 3);
        drop_pairs(&mut lines);
        assert_eq!(lines, [cells([0, 1]), cells([1, 2]), cells([1, 2, 3])]);
    }
}
