//! Draws a board with letters, from its coordinates and lines alone.

use super::spec::BoardSpec;

/// Columns between neighbours of a row at the least, and columns of a drawing at the most.
const COLUMNS_BETWEEN: f64 = 4.0;
const MAX_COLUMNS: f64 = 72.0;

/// Lines between rows at the least, and at the most where rows are far apart.
const LINES_BETWEEN: f64 = 2.0;
const MAX_LINES_BETWEEN: f64 = 4.0;

/// The empty board with an `o` for every point in the order of their numbers, the letters of the rows before them, and the
/// numbers of the points: above the board where its points stand in columns, else behind each point.
pub fn of(sketch: &BoardSpec) -> String {
    let at = places(sketch);
    let width = at.iter().map(|&(column, _)| column).max().unwrap_or(0) + 3;
    let height = at.iter().map(|&(_, line)| line).max().unwrap_or(0) + 1;
    let mut drawing = vec![vec![' '; width]; height];
    for [from, to] in sketch.edges() {
        stroke(&mut drawing, at[from], at[to]);
    }
    for &(column, line) in &at {
        drawing[line][column] = 'o';
    }
    let stands_in_columns = sketch.rows.iter().all(|row| row.xs == sketch.rows[0].xs);
    let mut letters = vec![' '; height];
    let mut text = String::new();
    let mut points = at.iter();
    for (row, letter) in sketch.rows.iter().zip('a'..='z') {
        for (number, &(column, line)) in (1..=row.xs.len()).zip(points.by_ref()) {
            letters[line] = letter;
            if !stands_in_columns {
                write_number(&mut drawing[line], column + 1, number);
            }
        }
    }
    if stands_in_columns {
        let mut head = vec![' '; width];
        for (number, &(column, _)) in (1..=sketch.rows[0].xs.len()).zip(&at) {
            write_number(&mut head, column, number);
        }
        text += format!("     {}", head.iter().collect::<String>()).trim_end();
        text.push('\n');
    }
    for (letter, drawn) in letters.iter().zip(&drawing) {
        let drawn: String = drawn.iter().collect();
        text += format!(" {letter}   {drawn}").trim_end();
        text.push('\n');
    }
    text
}

/// Writes a number, but over no point.
fn write_number(line: &mut [char], column: usize, number: usize) {
    for (place, digit) in line[column..].iter_mut().zip(number.to_string().chars()) {
        if *place == 'o' {
            return;
        }
        *place = digit;
    }
}

/// The column and the line of every point.
fn places(sketch: &BoardSpec) -> Vec<(usize, usize)> {
    let rows = &sketch.rows;
    let xs = || rows.iter().flat_map(|row| row.xs.iter().copied());
    let (left, right) = (xs().fold(f64::MAX, f64::min), xs().fold(f64::MIN, f64::max));
    let gaps = rows
        .iter()
        .flat_map(|row| row.xs.windows(2).map(|pair| pair[1] - pair[0]));
    let nearest = gaps.fold(f64::MAX, f64::min);
    let scale =
        (COLUMNS_BETWEEN / nearest).min(MAX_COLUMNS / (right - left).max(f64::MIN_POSITIVE));
    let falls = || rows.windows(2).map(|pair| pair[0].y - pair[1].y);
    let least = falls().fold(f64::MAX, f64::min);
    let mut line = 0;
    let mut lines = vec![0];
    for fall in falls() {
        line += (LINES_BETWEEN * fall / least)
            .round()
            .min(MAX_LINES_BETWEEN) as usize;
        lines.push(line);
    }
    let mut places = Vec::new();
    for (row, &line) in rows.iter().zip(&lines) {
        let mut next = 0;
        for x in &row.xs {
            // Points that the scale would put on one column stand side by side.
            let column = (((x - left) * scale).round() as usize).max(next);
            places.push((column, line));
            next = column + 3;
        }
    }
    places
}

/// Draws a line between two places; where it meets another it leaves that as it is, but for crossing slants.
fn stroke(drawing: &mut [Vec<char>], from: (usize, usize), to: (usize, usize)) {
    let (dx, dy) = (to.0 as f64 - from.0 as f64, to.1 as f64 - from.1 as f64);
    let c = match (dx == 0.0, dy == 0.0) {
        (_, true) => '-',
        (true, _) => '|',
        _ if (dx > 0.0) == (dy > 0.0) => '\\',
        _ => '/',
    };
    let strokes = if dy == 0.0 { dx.abs() } else { dy.abs() } as usize;
    for stroke in 1..strokes {
        let part = stroke as f64 / strokes as f64;
        let column = (from.0 as f64 + dx * part).round() as usize;
        let line = (from.1 as f64 + dy * part).round() as usize;
        let place = &mut drawing[line][column];
        *place = match (*place, c) {
            (' ', c) => c,
            ('/', '\\') | ('\\', '/') => 'X',
            (there, _) => there,
        };
    }
}
