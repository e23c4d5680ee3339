//! Numbers in sentences.

use crate::value::{Score, Value};

/// Returns the length of a value in text. Of the ends of a null window, the tested value is the shorter one.
pub(super) fn digits(value: Value) -> usize {
    Score::from(value).to_string().len()
}

/// Returns a number with at most two decimals and a Unicode minus sign.
pub(super) fn rounded(number: f64) -> String {
    let rounded = (number * 100.0).round() / 100.0;
    (rounded + 0.0).to_string().replace('-', "−")
}

pub(super) fn plies(number: u32) -> String {
    counted(number.into(), "ply", "plies")
}

pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
