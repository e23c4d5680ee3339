//! Rules that decide a Maker–Breaker position without a search, or remove irrelevant lines.

use std::cmp::Reverse;

use super::pairs::{UNIT_WEIGHT, drop_pairs, weight_of};
use crate::games::mnk::cells::{Cells, PerCell};

/// The lines that Maker can still complete. Each line is the set of its cells without a stone of Maker.
pub(super) type Lines<const WORDS: usize> = Vec<Cells<WORDS>>;

/// The result of a position without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Breaker can block all lines.
    BreakerWins,
    /// Maker can complete a line against any defense.
    MakerWins,
    /// The result requires a search.
    Unknown,
}

/// Classifies the position and removes lines that do not affect its result.
///
/// `maker_moves` is `true` if Maker is to move. If the result is unknown with Breaker to move, [`forced`] returns the
/// cell that Breaker must take. The lines along one straight row of cells must be consecutive.
pub(crate) fn classify<const WORDS: usize>(lines: &mut Lines<WORDS>, maker_moves: bool) -> Status {
    if lines.iter().any(Cells::is_empty) {
        return Status::MakerWins;
    }
    let threats = lines.iter().filter(|line| line.count() == 1);
    let last_cells = threats.fold(Cells::NONE, |all, &line| all | line);
    if !last_cells.is_empty() {
        if maker_moves || last_cells.count() > 1 {
            return Status::MakerWins;
        }
        // Breaker must take the last missing cell, which is stored as the last line for `forced`.
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

/// Returns the cell that Breaker must take, or `None` if Breaker has a choice. `lines` must be the result of
/// [`classify`] with Breaker to move.
pub(super) fn forced<const WORDS: usize>(lines: &[Cells<WORDS>]) -> Option<usize> {
    let last = lines.last().filter(|line| line.count() == 1)?;
    last.iter().next()
}

/// Removes each line that contains all missing cells of another line: a stone that blocks the other line also blocks
/// it.
///
/// On a board, if a line contains the missing cells of another line, so do all lines between them in the list. So it
/// suffices to compare each line with the last retained line.
fn remove_supersets<const WORDS: usize>(lines: &mut Lines<WORDS>) {
    let contains_all = |longer: Cells<WORDS>, shorter: Cells<WORDS>| (shorter & !longer).is_empty();
    let mut retained = 0;
    for index in 0..lines.len() {
        let line = lines[index];
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

/// Returns `true` if Maker, to move, has a fork: a cell that makes two threats.
///
/// There is a fork if two lines have two missing cells each, exactly one of them in common.
fn has_fork<const WORDS: usize>(lines: &[Cells<WORDS>]) -> bool {
    let pairs: Lines<WORDS> = lines
        .iter()
        .copied()
        .filter(|line| line.count() == 2)
        .collect();
    let shares_one_cell = |(index, &pair): (usize, &Cells<WORDS>)| {
        let mut others = pairs[..index].iter();
        others.any(|&other| (pair & other).count() == 1)
    };
    pairs.iter().enumerate().any(shares_one_cell)
}

/// Returns the lines that do not contain `cell`.
pub(super) fn without<const WORDS: usize>(lines: &[Cells<WORDS>], cell: usize) -> Lines<WORDS> {
    let lines = lines.iter().copied();
    lines.filter(|line| !line.contains(cell)).collect()
}

/// Returns the missing cells of all lines.
fn all_cells<const WORDS: usize>(lines: &[Cells<WORDS>]) -> Cells<WORDS> {
    lines.iter().fold(Cells::NONE, |all, &line| all | line)
}

/// Returns the total weight of the lines.
pub(super) fn weight<const WORDS: usize>(lines: &[Cells<WORDS>]) -> u64 {
    lines.iter().copied().map(weight_of).sum()
}

/// Returns the total weight of the lines through each cell, for move ordering. Here a line with n missing cells weighs
/// 4⁻ⁿ instead of 2⁻ⁿ, so that lines with few missing cells dominate.
pub(super) fn cell_weights<const WORDS: usize>(lines: &[Cells<WORDS>]) -> PerCell<u64, WORDS> {
    let mut weights = PerCell::new(0);
    for &line in lines {
        let weight = UNIT_WEIGHT >> (2 * line.count()).min(32);
        line.iter().for_each(|cell| weights[cell] += weight);
    }
    weights
}

/// Returns the relevant cells for a side, in descending order of weight.
///
/// A cell is skipped if all of its lines contain another cell, which is at least as good for Maker and Breaker.
pub(crate) fn best_cells<const WORDS: usize>(lines: &[Cells<WORDS>]) -> Vec<usize> {
    let weights = cell_weights(lines);
    let all = all_cells(lines);
    // For each cell, the cells that are on all of its lines, including the cell itself.
    let mut on_all_lines = PerCell::<_, WORDS>::new(all);
    for &line in lines {
        for cell in line.iter() {
            on_all_lines[cell] = on_all_lines[cell] & line;
        }
    }
    // If two cells are on exactly the same lines, only the cell with the lower index is retained.
    let dominates = |other: usize, cell| other < cell || !on_all_lines[other].contains(cell);
    let is_undominated = |cell: &usize| {
        let mut others = on_all_lines[*cell].iter().filter(|other| other != cell);
        !others.any(|other| dominates(other, *cell))
    };
    let mut cells: Vec<usize> = all.iter().filter(is_undominated).collect();
    cells.sort_by_key(|&cell| Reverse(weights[cell]));
    cells
}

#[cfg(test)]
mod tests {
    use super::super::pairs::weight_outside_pairs;
    use super::*;
    use crate::games::key::mix64;

    /// Returns `true` if Maker can complete a line, by an exhaustive search.
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
                let remaining: Lines<1> = lines
                    .iter()
                    .map(|&line| line & !Cells::only(cell))
                    .collect();
                maker_wins(&remaining, false)
            })
        } else {
            cells.all(|cell| maker_wins(&without(lines, cell), true))
        }
    }

    /// Returns pseudorandom lines on nine cells. Each line lacks at most four cells.
    fn random_lines(seed: u64) -> Lines<1> {
        let number = |index: u64| mix64(seed << 16 | index);
        let line = |line: u64| {
            let cells = 1 + number(line) % 4;
            (0..cells).fold(Cells::NONE, |set, cell| {
                set | Cells::only((number(line << 8 | cell + 1) % 9) as usize)
            })
        };
        (1..3 + number(0) % 8).map(line).collect()
    }

    /// Returns pseudorandom lines that overlap like the lines of a board.
    ///
    /// The board consists of two to four rows, each of five to seven cells. All rows share nine cells. Each row has all
    /// lines of three or four consecutive cells. Maker and Breaker have one stone each.
    fn random_overlapping_lines(seed: u64) -> Lines<1> {
        let number = |index: u64| mix64(seed << 20 | 1 << 19 | index);
        let mut lines: Lines<1> = Vec::new();
        for row in 0..2 + number(0) % 3 {
            let mut cells: Vec<usize> = (0..9).collect();
            cells.sort_by_key(|&cell| number(1 + row << 8 | cell as u64));
            cells.truncate(5 + (number(1 + row) % 3) as usize);
            lines.extend(
                cells
                    .windows(3 + (number(300 + row) % 2) as usize)
                    .map(|line| line.iter().copied().collect::<Cells<1>>()),
            );
        }
        let [maker, breaker] = [200, 201].map(|index| Cells::only((number(index) % 9) as usize));
        lines.retain(|&line| (line & breaker).is_empty());
        lines.iter().map(|&line| line & !maker).collect()
    }

    /// Returns the lines as larger sets, with their cells spread over several words.
    fn widened(lines: &[Cells<1>]) -> Lines<6> {
        let wide = |line: &Cells<1>| line.iter().map(|cell| 40 * cell).collect();
        lines.iter().map(wide).collect()
    }

    /// Returns the number of positions, out of 2000, in which only [`weight_outside_pairs`] proves that Breaker wins.
    /// Checks each of them by an exhaustive search.
    fn count_breaker_wins(generate: impl Fn(u64) -> Lines<1>) -> u32 {
        let mut count = 0;
        for lines in (0..2000).map(generate) {
            let mut remaining = lines.clone();
            if classify(&mut remaining, true) == Status::Unknown
                && weight_outside_pairs(&remaining) < UNIT_WEIGHT / 2
            {
                count += 1;
                assert!(!maker_wins(&lines, true), "{lines:?}");
            }
            assert_eq!(
                weight_outside_pairs(&widened(&remaining)),
                weight_outside_pairs(&remaining),
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

    /// Checks the classification of lines by an exhaustive search. Increases the count of the resulting status by 1.
    fn check_classification(lines: &Lines<1>, counts: &mut [u32; 3]) {
        for maker_moves in [true, false] {
            let expected = maker_wins(lines, maker_moves);
            let mut remaining = lines.clone();
            let status = classify(&mut remaining, maker_moves);
            counts[status as usize] += 1;
            match status {
                Status::BreakerWins => assert!(!expected, "{lines:?}"),
                Status::MakerWins => assert!(expected, "{lines:?}"),
                Status::Unknown => {
                    assert_eq!(expected, maker_wins(&remaining, maker_moves), "{lines:?}");
                }
            }
            if let Some(cell) = forced(&remaining) {
                let others_lose =
                    |other: usize| other == cell || maker_wins(&without(lines, other), true);
                assert!((0..9).all(others_lose), "{lines:?}");
            }
            let mut wide = widened(lines);
            assert_eq!(classify(&mut wide, maker_moves), status, "{lines:?}");
            assert_eq!(wide, widened(&remaining), "{lines:?}");
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
            let best_wins = best.iter().any(|cell| {
                let remaining: Lines<1> = after(cell);
                maker_wins(&remaining, false)
            });
            let is_complete = lines.iter().any(Cells::is_empty);
            assert_eq!(
                maker_wins(&lines, true),
                is_complete || best_wins,
                "{lines:?}"
            );
            let breaker_loses = |&cell: &usize| maker_wins(&without(&lines, cell), true);
            assert_eq!(
                maker_wins(&lines, false),
                best.iter().all(breaker_loses),
                "{lines:?}"
            );
        }
        assert!(skipped > 1000, "{skipped}");
    }
}
