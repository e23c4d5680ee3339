//! What is told of lines without a search, Maker against Breaker.

use std::cmp::Reverse;

use crate::games::mnk::cells::{Cells, PerCell};

/// The weight of a line of which nothing is lacking: that of one with n cells lacking is so much shifted right by n.
pub const WHOLE: u64 = 1 << 32;
/// The cells that Maker lacks of each line.
pub type Lines<const WORDS: usize> = Vec<Cells<WORDS>>;

/// What is told of lines without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Breaker can keep Maker from all of them.
    Holds,
    /// Maker completes one.
    Falls,
    /// Neither is known.
    Open,
}

/// Leaves of the lines only what matters, the shortest first, and tells what is known of them without a search, Maker to
/// move or Breaker.
pub fn told<const WORDS: usize>(lines: &mut Lines<WORDS>, maker_moves: bool) -> Told {
    lines.sort_unstable_by_key(|line| (line.count(), line.0));
    // A line that has all the cells of another is broken with it.
    let mut kept = 0;
    for at in 0..lines.len() {
        let line = lines[at];
        if !lines[..kept]
            .iter()
            .any(|&shorter| (shorter & !line).is_empty())
        {
            lines[kept] = line;
            kept += 1;
        }
    }
    lines.truncate(kept);
    let lacking = |at: usize| lines.get(at).map_or(u32::MAX, Cells::count);
    match (lacking(0), lacking(1)) {
        (0, _) | (1, 1) => return Told::Falls,
        (1, _) if maker_moves => return Told::Falls,
        (1, _) => return Told::Open,
        _ => {}
    }
    drop_lines_with_pairs(lines);
    let enough = if maker_moves { WHOLE / 2 } else { WHOLE };
    if weight(lines) < enough || can_be_paired(lines) {
        Told::Holds
    } else {
        Told::Open
    }
}

/// Drops the lines with two cells that are on no other line, which Breaker keeps by those, until none is left that has.
fn drop_lines_with_pairs<const WORDS: usize>(lines: &mut Lines<WORDS>) {
    loop {
        let (mut once, mut more) = (Cells::NONE, Cells::NONE);
        for &line in lines.iter() {
            more = more | once & line;
            once = once | line;
        }
        let before = lines.len();
        lines.retain(|&line| (line & !more).count() < 2);
        if lines.len() == before {
            return;
        }
    }
}

/// Whether every line can be given two of its cells that no other line is given: a matching, by augmenting paths.
fn can_be_paired<const WORDS: usize>(lines: &[Cells<WORDS>]) -> bool {
    let all = all_cells(lines);
    if 2 * lines.len() > all.count() as usize {
        return false;
    }
    let mut pairing = Pairing {
        lines,
        owners: PerCell::new(None),
        seen: Cells::NONE,
    };
    (0..2 * lines.len()).all(|cell| {
        pairing.seen = Cells::NONE;
        pairing.gives_cell_to(cell / 2)
    })
}

/// Cells that were given to lines.
struct Pairing<'a, const WORDS: usize> {
    lines: &'a [Cells<WORDS>],
    /// The line that has each cell.
    owners: PerCell<Option<u16>, WORDS>,
    /// The cells that need not be looked at again.
    seen: Cells<WORDS>,
}

impl<const WORDS: usize> Pairing<'_, WORDS> {
    /// Gives a line one more cell: one that nobody has, or one whose owner can be given another.
    fn gives_cell_to(&mut self, line: usize) -> bool {
        for cell in self.lines[line].iter() {
            if self.seen.contains(cell) {
                continue;
            }
            self.seen.insert(cell);
            let owner = self.owners[cell].map(usize::from);
            let is_free = match owner {
                None => true,
                Some(owner) => owner != line && self.gives_cell_to(owner),
            };
            if is_free {
                self.owners[cell] = Some(line as u16);
                return true;
            }
        }
        false
    }
}

/// The lines without those through a cell.
pub fn without<const WORDS: usize>(lines: &[Cells<WORDS>], cell: usize) -> Lines<WORDS> {
    let lines = lines.iter().copied();
    lines.filter(|line| !line.contains(cell)).collect()
}

/// The cells that lie on lines.
fn all_cells<const WORDS: usize>(lines: &[Cells<WORDS>]) -> Cells<WORDS> {
    lines.iter().fold(Cells::NONE, |all, &line| all | line)
}

/// What lines weigh together.
pub fn weight<const WORDS: usize>(lines: &[Cells<WORDS>]) -> u64 {
    lines.iter().map(|line| WHOLE >> line.count()).sum()
}

/// What the lines through each cell weigh, the short ones more.
pub fn weights<const WORDS: usize>(lines: &[Cells<WORDS>]) -> PerCell<u64, WORDS> {
    let mut weights = PerCell::new(0);
    for &line in lines {
        let weight = WHOLE >> (2 * line.count()).min(32);
        line.iter().for_each(|cell| weights[cell] += weight);
    }
    weights
}

/// The cells of lines that are worth taking, the weightiest first: none of which another is on all the same lines.
pub fn best_cells<const WORDS: usize>(lines: &[Cells<WORDS>]) -> Vec<usize> {
    let weights = weights(lines);
    let all = all_cells(lines);
    // Of each cell those that are on all its lines.
    let mut shared = PerCell::<_, WORDS>::new(all);
    for &line in lines {
        for cell in line.iter() {
            shared[cell] = shared[cell] & line;
        }
    }
    // Where both are on all lines of each other, the first is as good as any.
    let beats = |other: usize, cell| other < cell || !shared[other].contains(cell);
    let is_best = |cell: &usize| {
        let mut others = shared[*cell].iter().filter(|other| other != cell);
        !others.any(|other| beats(other, *cell))
    };
    let mut cells: Vec<usize> = all.iter().filter(is_best).collect();
    cells.sort_by_key(|&cell| Reverse(weights[cell]));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::key::scattered;

    /// Whether Maker gets a line, by trying everything.
    fn falls(lines: &[Cells<1>], maker_moves: bool) -> bool {
        if lines.iter().any(Cells::is_empty) {
            return true;
        }
        let mut cells = all_cells(lines).iter();
        if maker_moves {
            cells.any(|cell| {
                let left: Lines<1> = lines
                    .iter()
                    .map(|&line| line & !Cells::only(cell))
                    .collect();
                falls(&left, false)
            })
        } else {
            cells.all(|cell| falls(&without(lines, cell), true))
        }
    }

    /// Sets of two to nine lines of one to four of nine cells, by number.
    fn some_lines(seed: u64) -> Lines<1> {
        let number = |of: u64| scattered(seed << 16 | of);
        let line = |line: u64| {
            let cells = 1 + number(line) % 4;
            (0..cells).fold(Cells::NONE, |set, cell| {
                set | Cells::only((number(line << 8 | cell + 1) % 9) as usize)
            })
        };
        (1..3 + number(0) % 8).map(line).collect()
    }

    #[test]
    fn what_is_told_of_lines_without_a_search_is_so() {
        let mut counts = [0; 3];
        for seed in 0..2000 {
            let lines = some_lines(seed);
            for maker_moves in [true, false] {
                let falls = falls(&lines, maker_moves);
                let mut left = lines.clone();
                let told = told(&mut left, maker_moves);
                counts[told as usize] += 1;
                match told {
                    Told::Holds => assert!(!falls, "{lines:?}"),
                    Told::Falls => assert!(falls, "{lines:?}"),
                    Told::Open => assert_eq!(falls, self::falls(&left, maker_moves), "{lines:?}"),
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
    }

    #[test]
    fn cells_that_are_passed_over_are_never_needed() {
        let mut passed_over = 0;
        for seed in 0..2000 {
            let lines = some_lines(seed);
            let best = best_cells(&lines);
            passed_over += all_cells(&lines).count() - best.len() as u32;
            let after = |&cell: &usize| {
                lines
                    .iter()
                    .map(|&line| line & !Cells::only(cell))
                    .collect()
            };
            let takes_best = best.iter().any(|cell| {
                let left: Lines<1> = after(cell);
                falls(&left, false)
            });
            let is_whole = lines.iter().any(Cells::is_empty);
            assert_eq!(falls(&lines, true), is_whole || takes_best, "{lines:?}");
            let answer_fails = |&cell: &usize| falls(&without(&lines, cell), true);
            assert_eq!(
                falls(&lines, false),
                best.iter().all(answer_fails),
                "{lines:?}"
            );
        }
        assert!(passed_over > 1000, "{passed_over}");
    }
}
