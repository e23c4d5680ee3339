//! What is told of lines without a search, Maker against Breaker.

use std::cmp::Reverse;

use super::pairs::{WHOLE, drop_pairs, weight_of};
use crate::games::mnk::cells::{Cells, PerCell};

/// The cells that Maker lacks of each line.
pub type Lines<const WORDS: usize> = Vec<Cells<WORDS>>;

/// What is told of lines without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Breaker can keep Maker from all of them.
    BreakerWins,
    /// Maker completes one.
    MakerWins,
    /// Neither is known.
    Unknown,
}

/// Leaves of the lines only what matters, and tells what is known of them without a search, Maker to move or Breaker, who
/// must take the cell that [`forced`] gives if there is one. Lines that overlap are expected to lie next to each other.
pub fn classify<const WORDS: usize>(lines: &mut Lines<WORDS>, maker_moves: bool) -> Status {
    if lines.iter().any(Cells::is_empty) {
        return Status::MakerWins;
    }
    let singles = lines.iter().filter(|line| line.count() == 1);
    let scalar_moves = singles.fold(Cells::NONE, |all, &line| all | line);
    if !scalar_moves.is_empty() {
        if maker_moves || scalar_moves.count() > 1 {
            return Status::MakerWins;
        }
        lines.retain(|&line| (line & scalar_moves).is_empty());
        lines.push(scalar_moves);
        return Status::Unknown;
    }
    remove_supersets(lines);
    if maker_moves && has_fork(lines) {
        return Status::MakerWins;
    }
    drop_pairs(lines);
    let enough = if maker_moves { WHOLE / 2 } else { WHOLE };
    if weight(lines) < enough {
        Status::BreakerWins
    } else {
        Status::Unknown
    }
}

/// The cell that Breaker must take, of lines that [`classify`] left.
pub fn forced<const WORDS: usize>(lines: &[Cells<WORDS>]) -> Option<usize> {
    let last = lines.last().filter(|line| line.count() == 1)?;
    last.iter().next()
}

/// Drops lines that have all the cells of another, since they are broken with it: where that is the last one kept, as
/// it is on a board, where all between two such lines have those cells too.
fn remove_supersets<const WORDS: usize>(lines: &mut Lines<WORDS>) {
    let has_all = |longer: Cells<WORDS>, shorter: Cells<WORDS>| (shorter & !longer).is_empty();
    let mut kept = 0;
    for at in 0..lines.len() {
        let line = lines[at];
        while kept > 0 && has_all(lines[kept - 1], line) {
            kept -= 1;
        }
        if kept == 0 || !has_all(line, lines[kept - 1]) {
            lines[kept] = line;
            kept += 1;
        }
    }
    lines.truncate(kept);
}

/// Whether two lines that lack two cells have one in common, so that Maker, who takes it, threatens two.
fn has_fork<const WORDS: usize>(lines: &[Cells<WORDS>]) -> bool {
    let threats: Lines<WORDS> = lines
        .iter()
        .copied()
        .filter(|line| line.count() == 2)
        .collect();
    let meets = |(at, &line): (usize, &Cells<WORDS>)| {
        let mut others = threats[..at].iter();
        others.any(|&other| (line & other).count() == 1)
    };
    threats.iter().enumerate().any(meets)
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
    lines.iter().copied().map(weight_of).sum()
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
    use super::super::pairs::weight_beside_pairs;
    use super::*;
    use crate::games::key::scattered;

    /// Whether Maker gets a line, by trying everything.
    fn falls(lines: &[Cells<1>], maker_moves: bool) -> bool {
        if lines.iter().any(Cells::is_empty) {
            return true;
        }
        if lines.is_empty() {
            return false;
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

    /// Lines that overlap as those of a board do: two to four runs of five to seven of nine cells, each with all lines of
    /// three or four of it that Breaker has no stone on, less the stones of Maker.
    fn some_runs(seed: u64) -> Lines<1> {
        let number = |of: u64| scattered(seed << 20 | 1 << 19 | of);
        let mut lines: Lines<1> = Vec::new();
        for run in 0..2 + number(0) % 3 {
            let mut cells: Vec<usize> = (0..9).collect();
            cells.sort_by_key(|&cell| number(1 + run << 8 | cell as u64));
            cells.truncate(5 + (number(1 + run) % 3) as usize);
            lines.extend(
                cells
                    .windows(3 + (number(300 + run) % 2) as usize)
                    .map(|line| line.iter().copied().collect::<Cells<1>>()),
            );
        }
        let [maker, maker_breaker] = [200, 201].map(|of| Cells::only((number(of) % 9) as usize));
        lines.retain(|&line| (line & maker_breaker).is_empty());
        lines.iter().map(|&line| line & !maker).collect()
    }

    /// The same cells in a set of more words, apart.
    fn widened(lines: &[Cells<1>]) -> Lines<6> {
        let wide = |line: &Cells<1>| line.iter().map(|cell| 40 * cell).collect();
        lines.iter().map(wide).collect()
    }

    /// Of sets of lines that pairs and weights hold, how many; each checked against trying everything.
    fn count_held(some: impl Fn(u64) -> Lines<1>) -> u32 {
        let mut held = 0;
        for lines in (0..2000).map(some) {
            let mut left = lines.clone();
            if classify(&mut left, true) == Status::Unknown
                && weight_beside_pairs(&left) < WHOLE / 2
            {
                held += 1;
                assert!(!falls(&lines, true), "{lines:?}");
            }
            assert_eq!(
                weight_beside_pairs(&widened(&left)),
                weight_beside_pairs(&left),
                "{lines:?}"
            );
        }
        held
    }

    #[test]
    fn what_pairs_leave_so_little_of_that_breaker_holds_he_does() {
        let held = [count_held(some_lines), count_held(some_runs)];
        assert!(held.iter().all(|&held| held > 5), "{held:?}");
    }

    /// Checks what is told of lines against trying everything, and counts it.
    fn check_told(lines: &Lines<1>, counts: &mut [u32; 3]) {
        for maker_moves in [true, false] {
            let falls = falls(lines, maker_moves);
            let mut left = lines.clone();
            let classify = classify(&mut left, maker_moves);
            counts[classify as usize] += 1;
            match classify {
                Status::BreakerWins => assert!(!falls, "{lines:?}"),
                Status::MakerWins => assert!(falls, "{lines:?}"),
                Status::Unknown => assert_eq!(falls, self::falls(&left, maker_moves), "{lines:?}"),
            }
            if let Some(cell) = forced(&left) {
                let others_fall =
                    |other: usize| other == cell || self::falls(&without(lines, other), true);
                assert!((0..9).all(others_fall), "{lines:?}");
            }
            let mut wide = widened(lines);
            assert_eq!(
                super::classify(&mut wide, maker_moves),
                classify,
                "{lines:?}"
            );
            assert_eq!(wide, widened(&left), "{lines:?}");
        }
    }

    #[test]
    fn what_is_told_of_lines_without_a_search_is_so() {
        let mut counts = [0; 3];
        (0..2000).for_each(|seed| check_told(&some_lines(seed), &mut counts));
        assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
    }

    #[test]
    fn what_is_told_of_lines_that_overlap_is_so() {
        let mut counts = [0; 3];
        (0..2000).for_each(|seed| check_told(&some_runs(seed), &mut counts));
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
