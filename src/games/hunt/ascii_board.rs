//! Draws a board as text from the coordinates of its points and its lines.

use super::spec::BoardSpec;

/// Distance in columns between the two closest points of a row, unless the diagram would be too wide.
const MIN_COLUMN_GAP: f64 = 4.0;
/// Maximum distance in columns between the leftmost and the rightmost point.
const MAX_WIDTH_COLUMNS: f64 = 72.0;

/// Distance in text lines between the two closest rows.
const MIN_LINE_GAP: f64 = 2.0;
/// Maximum distance in text lines between two consecutive rows.
const MAX_LINE_GAP: f64 = 4.0;

/// Returns a diagram of the empty board in which each point is an `o`. Points are numbered in reading order.
///
/// The letter of each row is on its left. If all rows have the same x coordinates, the numbers are written once
/// above the board, otherwise to the right of each point.
pub(crate) fn draw(spec: &BoardSpec) -> String {
    let cells = cells(spec);
    let width = cells.iter().map(|&(column, _)| column).max().unwrap_or(0) + 3;
    let height = cells.iter().map(|&(_, line)| line).max().unwrap_or(0) + 1;
    let mut drawing = vec![vec![' '; width]; height];
    for [from, to] in spec.edges() {
        draw_line(&mut drawing, cells[from], cells[to]);
    }
    for &(column, line) in &cells {
        drawing[line][column] = 'o';
    }
    let is_grid = spec.rows.iter().all(|row| row.xs == spec.rows[0].xs);
    let mut letters = vec![' '; height];
    let mut text = String::new();
    let mut points = cells.iter();
    for (row, letter) in spec.rows.iter().zip('a'..='z') {
        for (number, &(column, line)) in (1..=row.xs.len()).zip(points.by_ref()) {
            letters[line] = letter;
            if !is_grid {
                write_number(&mut drawing[line], column + 1, number);
            }
        }
    }
    if is_grid {
        let mut head = vec![' '; width];
        for (number, &(column, _)) in (1..=spec.rows[0].xs.len()).zip(&cells) {
            write_number(&mut head, column, number);
        }
        text += format!("     {}", head.iter().collect::<String>()).trim_end();
        text.push('\n');
    }
    for (letter, line) in letters.iter().zip(&drawing) {
        let line: String = line.iter().collect();
        text += format!(" {letter}   {line}").trim_end();
        text.push('\n');
    }
    text
}

/// Writes a number at `column`. Digits that would overwrite a point, and all digits after them, are omitted.
fn write_number(line: &mut [char], column: usize, number: usize) {
    for (cell, digit) in line[column..].iter_mut().zip(number.to_string().chars()) {
        if *cell == 'o' {
            return;
        }
        *cell = digit;
    }
}

/// Returns the column and text line of each point.
fn cells(spec: &BoardSpec) -> Vec<(usize, usize)> {
    let rows = &spec.rows;
    let xs = || rows.iter().flat_map(|row| row.xs.iter().copied());
    let (left, right) = (xs().fold(f64::MAX, f64::min), xs().fold(f64::MIN, f64::max));
    let gaps = rows
        .iter()
        .flat_map(|row| row.xs.windows(2).map(|pair| pair[1] - pair[0]));
    let min_gap = gaps.fold(f64::MAX, f64::min);
    let scale =
        (MIN_COLUMN_GAP / min_gap).min(MAX_WIDTH_COLUMNS / (right - left).max(f64::MIN_POSITIVE));
    let row_gaps = || rows.windows(2).map(|pair| pair[0].y - pair[1].y);
    let min_gap = row_gaps().fold(f64::MAX, f64::min);
    let mut line = 0;
    let mut lines = vec![0];
    for gap in row_gaps() {
        line += (MIN_LINE_GAP * gap / min_gap).round().min(MAX_LINE_GAP) as usize;
        lines.push(line);
    }
    let mut cells = Vec::new();
    for (row, &line) in rows.iter().zip(&lines) {
        let mut next = 0;
        for x in &row.xs {
            // On a board scaled down to the maximum width, points can be closer than 3 columns, so they are moved
            // apart.
            let column = (((x - left) * scale).round() as usize).max(next);
            cells.push((column, line));
            next = column + 3;
        }
    }
    cells
}

/// Draws a straight line between two points, given as column and text line. Keeps existing characters, except that
/// two crossing diagonals become an `X`.
fn draw_line(drawing: &mut [Vec<char>], from: (usize, usize), to: (usize, usize)) {
    let (dx, dy) = (to.0 as f64 - from.0 as f64, to.1 as f64 - from.1 as f64);
    let stroke = match (dx == 0.0, dy == 0.0) {
        (_, true) => '-',
        (true, _) => '|',
        _ if (dx > 0.0) == (dy > 0.0) => '\\',
        _ => '/',
    };
    let length = if dy == 0.0 { dx.abs() } else { dy.abs() } as usize;
    for step in 1..length {
        let part = step as f64 / length as f64;
        let column = (from.0 as f64 + dx * part).round() as usize;
        let line = (from.1 as f64 + dy * part).round() as usize;
        let cell = &mut drawing[line][column];
        *cell = match (*cell, stroke) {
            (' ', stroke) => stroke,
            ('/', '\\') | ('\\', '/') => 'X',
            (old, _) => old,
        };
    }
}
