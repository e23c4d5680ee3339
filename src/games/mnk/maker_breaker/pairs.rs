//! Pairs of cells that keep Maker from lines: whichever of two Maker takes, Breaker takes the other.
//!
//! Lines that overlap in two cells can share a pair: of a row of seven cells all three lines of five have the middle
//! three in common, and one pair keeps Maker from all of them. So pairs are given to groups of lines, not to lines.

use std::cmp::Reverse;

use crate::games::mnk::cells::{Cells, PerCell};

/// The weight of a line of which nothing is lacking.
pub const WHOLE: u64 = 1 << 32;

/// What a line weighs that lacks these cells, at most nineteen: half as much with each.
pub fn weight_of<const WORDS: usize>(line: Cells<WORDS>) -> u64 {
    WHOLE >> line.count()
}

/// Lines that one pair can keep Maker from.
#[derive(Clone, Copy, Debug)]
struct Group<const WORDS: usize> {
    /// The cells that are on every line of it, at least two.
    common: Cells<WORDS>,
    /// The cells that are on some line of it.
    all: Cells<WORDS>,
    /// The cells of its pair that it has been given, two at most.
    given: u8,
    /// Whether there is no pair for it.
    is_left: bool,
}

/// The number of each line's group: those that lie next to each other in `lines` are together where two cells or more
/// are on all of them.
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
                given: 0,
                is_left: false,
            }),
        }
        numbers.push(groups.len() - 1);
    }
    (groups, numbers)
}

/// Drops the groups of lines that can be given pairs of cells on no line that is left: those Breaker holds, whatever is
/// played on the others, and they matter no more. Of groups of which this can be said, it drops all.
///
/// The lines have two cells or more. A matching, by augmenting paths: a group for which there is no pair is left, the
/// cells of its lines are lost to the others, and those whose pairs they were look for new ones.
pub fn drop_pairs<const WORDS: usize>(lines: &mut Vec<Cells<WORDS>>) {
    let (groups, numbers) = groups(lines);
    let mut waiting: Vec<usize> = (0..groups.len()).collect();
    let mut pairing = Pairing::new(groups);
    while let Some(group) = waiting.pop() {
        if !pairing.groups[group].is_left && !pairing.completes(group) {
            pairing.leave(group, &mut waiting);
        }
    }
    let mut numbers = numbers.into_iter();
    lines.retain(|_| {
        let number = numbers.next();
        number.is_none_or(|number| pairing.groups[number].is_left)
    });
}

/// What lines weigh where Breaker answers to one cell of a pair with the other, and plays by weight elsewhere: groups are
/// given pairs of their own, the heaviest first, as long as there are some; the cells of pairs count as Maker's on the
/// lines that are left, and a line that has both of a pair is broken. With less than a half, Maker to move, Breaker holds.
pub fn weight_beside_pairs<const WORDS: usize>(lines: &[Cells<WORDS>]) -> u64 {
    let (groups, numbers) = groups(lines);
    let mut weights = vec![0; groups.len()];
    for (&line, &group) in lines.iter().zip(&numbers) {
        weights[group] += weight_of(line);
    }
    let mut heaviest: Vec<usize> = (0..groups.len()).collect();
    heaviest.sort_by_key(|&group| Reverse(weights[group]));
    let mut pairing = Pairing::new(groups);
    for group in heaviest {
        if !pairing.completes(group) {
            pairing.give_back(group);
        }
    }
    let pairs = pairing.pairs();
    let paired = pairs.iter().fold(Cells::NONE, |all, &pair| all | pair);
    let lines = lines.iter().zip(numbers);
    lines
        .filter(|&(_, group)| pairing.groups[group].is_left)
        .filter(|&(&line, _)| !pairs.iter().any(|&pair| (pair & !line).is_empty()))
        .map(|(&line, _)| weight_of(line & !paired))
        .sum()
}

/// Cells that were given to groups.
struct Pairing<const WORDS: usize> {
    groups: Vec<Group<WORDS>>,
    /// The group that has each cell.
    owners: PerCell<Option<u16>, WORDS>,
    /// The cells that some group has.
    owned: Cells<WORDS>,
    /// The cells that lie on lines which are left.
    lost: Cells<WORDS>,
    /// The cells that need not be looked at again.
    seen: Cells<WORDS>,
}

impl<const WORDS: usize> Pairing<WORDS> {
    /// No cell is given to any of the groups.
    fn new(groups: Vec<Group<WORDS>>) -> Self {
        Self {
            groups,
            owners: PerCell::new(None),
            owned: Cells::NONE,
            lost: Cells::NONE,
            seen: Cells::NONE,
        }
    }

    /// Gives a group the cells of its pair that it still lacks, if that can be done.
    fn completes(&mut self, group: usize) -> bool {
        while self.groups[group].given < 2 {
            self.seen = self.lost;
            if !self.gives_cell_to(group) {
                return false;
            }
            self.groups[group].given += 1;
        }
        true
    }

    /// Gives a group one more cell: one that nobody has, or one whose owner can be given another.
    fn gives_cell_to(&mut self, group: usize) -> bool {
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
            if owner.is_some_and(|owner| owner != group && self.gives_cell_to(owner)) {
                self.owners[cell] = Some(group as u16);
                return true;
            }
        }
        false
    }

    /// Takes back the cells of a group for which there is no pair.
    fn give_back(&mut self, group: usize) {
        let own = self.cells_of(group);
        own.iter().for_each(|cell| self.owners[cell] = None);
        self.owned = self.owned & !own;
        self.groups[group].is_left = true;
    }

    /// Does without a pair for a group; those that lose cells by that are `waiting` again.
    fn leave(&mut self, group: usize, waiting: &mut Vec<usize>) {
        self.give_back(group);
        let all = self.groups[group].all;
        for cell in (all & self.owned).iter() {
            if let Some(owner) = self.owners[cell].take() {
                self.groups[usize::from(owner)].given -= 1;
                waiting.push(owner.into());
            }
        }
        self.owned = self.owned & !all;
        self.lost = self.lost | all;
    }

    /// The cells that a group has been given.
    fn cells_of(&self, group: usize) -> Cells<WORDS> {
        let cells = (self.groups[group].common & self.owned).iter();
        cells
            .filter(|&cell| self.owners[cell] == Some(group as u16))
            .collect()
    }

    /// The pairs of the groups that have one.
    fn pairs(&self) -> Vec<Cells<WORDS>> {
        let groups = (0..self.groups.len()).filter(|&group| !self.groups[group].is_left);
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
    fn one_pair_keeps_maker_from_all_lines_that_overlap_in_two_cells() {
        let row: Vec<Cells<1>> = (0..3).map(|start| (start..start + 5).collect()).collect();
        assert_eq!(groups(&row).0.len(), 1);
        let mut left = row;
        drop_pairs(&mut left);
        assert_eq!(left, []);
    }

    #[test]
    fn a_pair_on_a_line_that_is_left_is_none() {
        // The last two have three cells for two pairs, and the first has one cell that is not on them.
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
