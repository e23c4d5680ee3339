//! Pairing strategies: if Maker takes one cell of a pair, Breaker takes the other, so Maker never has both.
//!
//! Maker cannot complete a line that contains both cells of a pair. Lines with at least two common cells can share a
//! pair, so pairs are assigned to groups of lines. For example, a row of seven cells has three lines of five cells.
//! All of them contain the middle three cells, so a pair of these cells blocks all three lines.

use std::cmp::Reverse;

use crate::games::mnk::cells::{Cells, PerCell};

/// The weight 1 in fixed-point representation. It is the weight of a complete line.
pub(crate) const UNIT_WEIGHT: u64 = 1 << 32;

/// Returns the weight 2⁻ⁿ of a line with n missing cells, at most 19.
pub(crate) fn weight_of<const WORDS: usize>(line: Cells<WORDS>) -> u64 {
    UNIT_WEIGHT >> line.count()
}

/// A group of lines that a single pair can block.
#[derive(Clone, Copy, Debug)]
struct Group<const WORDS: usize> {
    /// The cells common to all lines of the group, at least two.
    common: Cells<WORDS>,
    /// The cells of all lines of the group.
    all: Cells<WORDS>,
    /// The number of cells assigned to the group for its pair, at most two.
    assigned: u8,
    /// `true` if the search found no pair for the group.
    is_unpaired: bool,
}

/// Divides lines into groups. Returns the groups, and the index of the group of each line.
///
/// A line joins the group of the previous line if it has at least two cells in common with all lines of the group.
fn groups<const WORDS: usize>(lines: &[Cells<WORDS>]) -> (Vec<Group<WORDS>>, Vec<usize>) {
    let mut groups: Vec<Group<WORDS>> = Vec::with_capacity(lines.len());
    let mut group_of_line = Vec::with_capacity(lines.len());
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
        group_of_line.push(groups.len() - 1);
    }
    (groups, group_of_line)
}

/// Removes lines that Breaker blocks by a pairing strategy. No remaining line contains a cell of the pairs, so the
/// removed lines do not affect the result.
///
/// Every line must have at least two cells. Two cells are assigned to each group by augmenting paths, as in a
/// bipartite matching. The lines of a group without a pair remain, so no pair may contain a cell of these lines. A
/// group that loses a cell for this reason searches for another cell. The largest possible set of groups is removed.
pub(crate) fn drop_pairs<const WORDS: usize>(lines: &mut Vec<Cells<WORDS>>) {
    let (groups, group_of_line) = groups(lines);
    let mut pending: Vec<usize> = (0..groups.len()).collect();
    let mut pairing = Pairing::new(groups);
    while let Some(group) = pending.pop() {
        if !pairing.groups[group].is_unpaired && !pairing.assign_pair(group) {
            pairing.block(group, &mut pending);
        }
    }
    let mut group_of_line = group_of_line.into_iter();
    lines.retain(|_| {
        let group = group_of_line.next();
        group.is_none_or(|group| pairing.groups[group].is_unpaired)
    });
}

/// Returns the total weight of the lines that no pair blocks. If Maker is to move and the weight is below 1/2, Breaker
/// wins.
///
/// Breaker's strategy: if Maker takes one cell of a pair, take the other, and otherwise play by the weights. Pairs are
/// assigned to groups in descending order of weight, as long as cells are available. A pair also blocks lines of other
/// groups that contain both of its cells. In a line that contains one of them, this cell counts as Maker's.
pub(crate) fn weight_outside_pairs<const WORDS: usize>(lines: &[Cells<WORDS>]) -> u64 {
    let (groups, group_of_line) = groups(lines);
    let mut weights = vec![0; groups.len()];
    for (&line, &group) in lines.iter().zip(&group_of_line) {
        weights[group] += weight_of(line);
    }
    let mut heaviest_first: Vec<usize> = (0..groups.len()).collect();
    heaviest_first.sort_by_key(|&group| Reverse(weights[group]));
    let mut pairing = Pairing::new(groups);
    for group in heaviest_first {
        if !pairing.assign_pair(group) {
            pairing.release(group);
        }
    }
    let pairs = pairing.pairs();
    let paired = pairs.iter().fold(Cells::NONE, |all, &pair| all | pair);
    let lines = lines.iter().zip(group_of_line);
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
    /// All owned cells.
    owned: Cells<WORDS>,
    /// The cells of the lines of unpaired groups. No group may own them.
    blocked: Cells<WORDS>,
    /// The cells visited by the current search for an augmenting path, and the blocked cells.
    visited: Cells<WORDS>,
}

impl<const WORDS: usize> Pairing<WORDS> {
    /// Creates an empty assignment.
    fn new(groups: Vec<Group<WORDS>>) -> Self {
        Self {
            groups,
            owners: PerCell::new(None),
            owned: Cells::NONE,
            blocked: Cells::NONE,
            visited: Cells::NONE,
        }
    }

    /// Assigns cells to a group until it has two cells. Returns `false` if this is impossible.
    fn assign_pair(&mut self, group: usize) -> bool {
        while self.groups[group].assigned < 2 {
            self.visited = self.blocked;
            if !self.assign_cell(group) {
                return false;
            }
            self.groups[group].assigned += 1;
        }
        true
    }

    /// Assigns one more cell to a group: a cell without owner, or a cell whose owner can get another cell in
    /// exchange. Returns `false` if there is no such cell.
    fn assign_cell(&mut self, group: usize) -> bool {
        let cells = self.groups[group].common & !self.visited;
        if let Some(cell) = (cells & !self.owned).iter().next() {
            self.owners[cell] = Some(group as u16);
            self.owned.insert(cell);
            return true;
        }
        for cell in cells.iter() {
            if self.visited.contains(cell) {
                continue;
            }
            self.visited.insert(cell);
            let owner = self.owners[cell].map(usize::from);
            if owner.is_some_and(|owner| owner != group && self.assign_cell(owner)) {
                self.owners[cell] = Some(group as u16);
                return true;
            }
        }
        false
    }

    /// Marks a group as unpaired. Its cells no longer have an owner.
    fn release(&mut self, group: usize) {
        let own = self.cells_of(group);
        own.iter().for_each(|cell| self.owners[cell] = None);
        self.owned = self.owned & !own;
        self.groups[group].is_unpaired = true;
    }

    /// Marks a group as unpaired and blocks the cells of its lines. Appends each group that loses a cell to `pending`.
    fn block(&mut self, group: usize, pending: &mut Vec<usize>) {
        self.release(group);
        let all = self.groups[group].all;
        for cell in (all & self.owned).iter() {
            if let Some(owner) = self.owners[cell].take() {
                self.groups[usize::from(owner)].assigned -= 1;
                pending.push(owner.into());
            }
        }
        self.owned = self.owned & !all;
        self.blocked = self.blocked | all;
    }

    /// Returns the cells assigned to a group.
    fn cells_of(&self, group: usize) -> Cells<WORDS> {
        let cells = (self.groups[group].common & self.owned).iter();
        cells
            .filter(|&cell| self.owners[cell] == Some(group as u16))
            .collect()
    }

    /// Returns the pairs of all groups with a pair.
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
        let mut remaining = row;
        drop_pairs(&mut remaining);
        assert_eq!(remaining, []);
    }

    #[test]
    fn pairs_avoid_cells_of_remaining_lines() {
        // The lines with the cells 0 to 2 form two groups, which need two pairs but have only three cells. The lines of
        // both groups remain, because every pair of one group contains a cell of the other group's lines.
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
