//! Averages of `puli compare --random`: one row for each algorithm and heuristic, over many puzzles.

use serde_json::{Value, json};

use super::puzzle_row::{Configuration, Row, rounded};
use crate::commands::table_writer::Column;
use crate::settings::name_of;

/// The columns of the table. `solved` and all later columns refer to the solved puzzles.
pub(super) const COLUMNS: &[Column] = &[
    Column::text("algorithm", 9),
    Column::text("heuristic", 9),
    Column::number("puzzles", 7),
    Column::number("solved", 6),
    Column::number("optimal", 7),
    Column::number("steps", 6),
    Column::number("generated", 12),
    Column::number("plus_minus", 10),
    Column::number("median", 9),
    Column::number("b_star", 6),
    Column::number("time_ms", 9),
];

/// The columns to hide, in this order, until a table fits into 80 characters.
pub(super) const DROPPABLE: &[&str] = &["puzzles", "time_ms", "optimal", "median"];

/// Half the width of a 95% interval, in standard errors.
const INTERVAL: f64 = 1.96;

/// Returns the cells of the row for `rows`, one for each of [`COLUMNS`].
pub(super) fn cells(rows: &[Row], (algorithm, heuristic): Configuration) -> Vec<Value> {
    let solved: Vec<(&Row, usize)> = rows
        .iter()
        .filter_map(|row| row.steps.map(|steps| (row, steps)))
        .collect();
    let of = |value: &dyn Fn(&Row, usize) -> f64| -> Vec<f64> {
        solved
            .iter()
            .map(|&(row, steps)| value(row, steps))
            .collect()
    };
    let shown = |value: Option<f64>| json!(value.map(rounded));
    let generated = of(&|row, _| row.generated as f64);
    // A search of a puzzle that starts solved has no branching factor.
    let branching: Vec<f64> = solved
        .iter()
        .filter_map(|(row, _)| row.branching_factor())
        .collect();
    vec![
        json!(name_of(&algorithm)),
        json!(name_of(&heuristic)),
        json!(rows.len()),
        json!(solved.len()),
        json!(solved.iter().filter(|(row, _)| row.is_optimal).count()),
        shown(mean(&of(&|_, steps| steps as f64))),
        shown(mean(&generated)),
        shown(half_interval(&generated)),
        shown(median(generated)),
        shown(mean(&branching)),
        shown(mean(&of(&|row, _| row.seconds * 1000.0))),
    ]
}

pub(super) fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 {
        return numbers.get(middle).copied();
    }
    mean(numbers.get(middle.checked_sub(1)?..=middle)?)
}

/// Returns half the width of the 95% interval of the mean, or `None` for fewer than two numbers.
fn half_interval(numbers: &[f64]) -> Option<f64> {
    let mean = mean(numbers)?;
    let count = numbers.len() as f64;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (numbers.len() > 1).then(|| INTERVAL * (squares / (count - 1.0) / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_those_of_hand() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(Vec::new()), None);
        assert_eq!(half_interval(&[5.0]), None);
        // The variance of 2, 4, 6 is 4, so the standard error of the mean is √(4/3).
        let half = half_interval(&[2.0, 4.0, 6.0]).unwrap();
        assert!((half - 1.96 * (4.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }
}
