//! Results of a Maker–Breaker position that follow without a search.

use std::cmp::Reverse;

use super::pairs::{UNIT_WEIGHT, drop_pairs, weight_of};
use crate::games::mnk::cells::{Cells, PerCell};

/// The cells that Maker lacks on each line.
pub(super) type Lines<const WORDS: usize> = Vec<Cells<WORDS>>;

/// The result of a position as far as it is known without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Breaker can block all lines.
    BreakerWins,
    /// Maker can complete a line.
    MakerWins,
    /// The result requires a search.
    Unknown,
}

/// Classifies the position and removes lines that do not affect its result.
///
/// `maker_moves` is the side to move. If the result is unknown and [`forced`] returns a cell, Breaker must take it.
/// Overlapping lines must be adjacent.
pub(crate) fn classify<const WORDS: usize>(lines: &mut Lines<WORDS>, maker_moves: bool) -> Status {
    if lines.iter().any(Cells::is_empty) {
        return Status::MakerWins;
    }
    let singles = lines.iter().filter(|line| line.count() == 1);
    let last_cells = singles.fold(Cells::NONE, |all, &line| all | line);
    if !last_cells.is_empty() {
        if maker_moves || last_cells.count() > 1 {
            return Status::MakerWins;
        }
        lines.retain(|&line| (line & last_cells).is_empty());
        lines.push(last_cells);
        return Status::Unknown;
    }
    remove_supersets(lines);
    if maker_moves && has_fork(lines) {
        return Status::MakerWins;
    }
    drop_pairs(lines);
    let limit = if maker_moves {
        UNIT_WEIGHT / 2
    } else {
        UNIT_WEIGHT
    };
    if weight(lines) < limit {
        Status::BreakerWins
    } else {
        Status::Unknown
    }
}

/// Returns the cell that Breaker must take, for lines that [`classify`] returned with Breaker to move.
pub(super) fn forced<const WORDS: usize>(lines: &[Cells<WORDS>]) -> Option<usize> {
    let last = lines.last().filter(|line| line.count() == 1)?;
    last.iter().next()
}

/// Removes lines that contain all missing cells of another line, because blocking the other line blocks them too.
///
/// Comparing each line with the last retained one is enough: on a board, all lines between two such lines also
/// contain these cells.
fn remove_supersets<const WORDS: usize>(lines: &mut Lines<WORDS>) {
    let contains_all = |longer: Cells<WORDS>, shorter: Cells<WORDS>| (shorter & !longer).is_empty();
    let mut retained = 0;
    for at in 0..lines.len() {
        let line = lines[at];
        while retained > 0 && contains_all(lines[retained - 1], line) {
            retained -= 1;
        }
        if retained == 0 || !contains_all(line, lines[retained - 1]) {
            lines[retained] = line;
            retained += 1;
        }
    }
    lines.truncate(retained);
}

/// Returns `true` if two lines that lack two cells each share exactly one of them. Maker takes this cell and has
/// two threats.
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

/// Returns the lines that do not contain `cell`.
pub(super) fn without<const WORDS: usize>(lines: &[Cells<WORDS>], cell: usize) -> Lines<WORDS> {
    let lines = lines.iter().copied();
    lines.filter(|line| !line.contains(cell)).collect()
}

/// Returns the union of the lines.
fn all_cells<const WORDS: usize>(lines: &[Cells<WORDS>]) -> Cells<WORDS> {
    lines.iter().fold(Cells::NONE, |all, &line| all | line)
}

/// Returns the total weight of the lines.
pub(super) fn weight<const WORDS: usize>(lines: &[Cells<WORDS>]) -> u64 {
    lines.iter().copied().map(weight_of).sum()
}

/// Returns the weight of the lines through each cell. Here a line with n missing cells weighs 4⁻ⁿ, so that short
/// lines dominate.
pub(super) fn weights<const WORDS: usize>(lines: &[Cells<WORDS>]) -> PerCell<u64, WORDS> {
    let mut weights = PerCell::new(0);
    for &line in lines {
        let weight = UNIT_WEIGHT >> (2 * line.count()).min(32);
        line.iter().for_each(|cell| weights[cell] += weight);
    }
    weights
}

/// Returns the cells worth taking, in descending order of weight. A cell is skipped if another cell is on all of
/// its lines.
pub(crate) fn best_cells<const WORDS: usize>(lines: &[Cells<WORDS>]) -> Vec<usize> {
    let weights = weights(lines);
    let all = all_cells(lines);
    // For each cell, the cells that are on all of its lines.
    let mut shared = PerCell::<_, WORDS>::new(all);
    for &line in lines {
        for cell in line.iter() {
            shared[cell] = shared[cell] & line;
        }
    }
    // If two cells are on the same lines, only the first is retained.
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
    use super::super::pairs::weight_outside_pairs;
    use super::*;
    use crate::games::key::mix64;

    /// Returns `true` if Maker completes a line, found by an exhaustive search.
    fn maker_wins(lines: &[Cells<1>], maker_moves: bool) -> bool {
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
                maker_wins(&left, false)
            })
        } else {
            cells.all(|cell| maker_wins(&without(lines, cell), true))
        }
    }

    /// Returns one to eight lines of one to four of nine cells, depending on `seed`.
    fn random_lines(seed: u64) -> Lines<1> {
        let number = |of: u64| mix64(seed << 16 | of);
        let line = |line: u64| {
            let cells = 1 + number(line) % 4;
            (0..cells).fold(Cells::NONE, |set, cell| {
                set | Cells::only((number(line << 8 | cell + 1) % 9) as usize)
            })
        };
        (1..3 + number(0) % 8).map(line).collect()
    }

    /// Returns lines that overlap like those of a board.
    ///
    /// The lines are parts of two to four runs of five to seven of nine cells. Each run contributes all lines of
    /// three or four cells without Breaker's stone, minus Maker's stone.
    fn random_overlapping_lines(seed: u64) -> Lines<1> {
        let number = |of: u64| mix64(seed << 20 | 1 << 19 | of);
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
        let [maker, breaker] = [200, 201].map(|of| Cells::only((number(of) % 9) as usize));
        lines.retain(|&line| (line & breaker).is_empty());
        lines.iter().map(|&line| line & !maker).collect()
    }

    /// Returns the same lines in a larger set, with the cells spread over several words.
    fn widened(lines: &[Cells<1>]) -> Lines<6> {
        let wide = |line: &Cells<1>| line.iter().map(|cell| 40 * cell).collect();
        lines.iter().map(wide).collect()
    }

    /// Returns the number of sets of lines that pairs and weights prove for Breaker. Checks each by an exhaustive
    /// search.
    fn count_breaker_wins(generate: impl Fn(u64) -> Lines<1>) -> u32 {
        let mut count = 0;
        for lines in (0..2000).map(generate) {
            let mut left = lines.clone();
            if classify(&mut left, true) == Status::Unknown
                && weight_outside_pairs(&left) < UNIT_WEIGHT / 2
            {
                count += 1;
                assert!(!maker_wins(&lines, true), "{lines:?}");
            }
            assert_eq!(
                weight_outside_pairs(&widened(&left)),
                weight_outside_pairs(&left),
                "{lines:?}"
            );
        }
        count
    }

    #[test]
    fn pairs_and_weights_prove_breaker_wins() {
        let counts = [
            count_breaker_wins(random_lines),
            count_breaker_wins(random_overlapping_lines),
        ];
        assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
    }

    /// Checks the classification of lines by an exhaustive search and counts it.
    fn check_classification(lines: &Lines<1>, counts: &mut [u32; 3]) {
        for maker_moves in [true, false] {
            let expected = maker_wins(lines, maker_moves);
            let mut left = lines.clone();
            let status = classify(&mut left, maker_moves);
            counts[status as usize] += 1;
            match status {
                Status::BreakerWins => assert!(!expected, "{lines:?}"),
                Status::MakerWins => assert!(expected, "{lines:?}"),
                Status::Unknown => {
                    assert_eq!(expected, maker_wins(&left, maker_moves), "{lines:?}");
                }
            }
            if let Some(cell) = forced(&left) {
                let others_lose =
                    |other: usize| other == cell || maker_wins(&without(lines, other), true);
                assert!((0..9).all(others_lose), "{lines:?}");
            }
            let mut wide = widened(lines);
            assert_eq!(classify(&mut wide, maker_moves), status, "{lines:?}");
            assert_eq!(wide, widened(&left), "{lines:?}");
        }
    }

    #[test]
    fn classifies_random_lines_correctly() {
        let mut counts = [0; 3];
        (0..2000).for_each(|seed| check_classification(&random_lines(seed), &mut counts));
        assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
    }

    #[test]
    fn classifies_overlapping_lines_correctly() {
        let mut counts = [0; 3];
        (0..2000)
            .for_each(|seed| check_classification(&random_overlapping_lines(seed), &mut counts));
        assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
    }

    #[test]
    fn skipped_cells_are_never_needed() {
        let mut skipped = 0;
        for seed in 0..2000 {
            let lines = random_lines(seed);
            let best = best_cells(&lines);
            skipped += all_cells(&lines).count() - best.len() as u32;
            let after = |&cell: &usize| {
                lines
                    .iter()
                    .map(|&line| line & !Cells::only(cell))
                    .collect()
            };
            let takes_best = best.iter().any(|cell| {
                let left: Lines<1> = after(cell);
                maker_wins(&left, false)
            });
            let is_whole = lines.iter().any(Cells::is_empty);
            assert_eq!(
                maker_wins(&lines, true),
                is_whole || takes_best,
                "{lines:?}"
            );
            let answer_loses = |&cell: &usize| maker_wins(&without(&lines, cell), true);
            assert_eq!(
                maker_wins(&lines, false),
                best.iter().all(answer_loses),
                "{lines:?}"
            );
        }
        assert!(skipped > 1000, "{skipped}");
    }
}
