//! The hand-written evaluation for boards without a network: empty cells, mergeable pairs, and monotonic lines.

use super::board::{Board, Slides};

/// Points for each empty cell.
const EMPTY_CELL_POINTS: f64 = 12.0;

/// Points for each pair of neighbors that can merge.
const PAIR_POINTS: f64 = 6.0;

/// Penalty in points for each power of two that separates a line from a monotonic one.
const DISORDER_POINTS: f64 = 2.0;

/// Returns the expected future points of a board after a slide, at least 0 because points are never lost.
pub fn value(slides: &Slides, board: Board) -> f64 {
    terms(slides, board)
        .into_iter()
        .map(|(_, points)| points)
        .sum::<f64>()
        .max(0.0)
}

/// Returns the terms whose sum is the value before clamping, with their names.
pub fn terms(slides: &Slides, board: Board) -> [(&'static str, f64); 3] {
    let transposed = board.transposed();
    let lines = (0..slides.rows())
        .map(|row| line(board, row, slides.columns()))
        .chain((0..slides.columns()).map(|column| line(transposed, column, slides.rows())));
    let (mut pairs, mut disorder) = (0.0, 0.0);
    for line in lines {
        let tiles = line.into_iter().filter(|&power| power > 0);
        let (mut up, mut down) = (0.0, 0.0);
        for (one, other) in tiles.clone().zip(tiles.skip(1)) {
            let difference = f64::from(other) - f64::from(one);
            if difference == 0.0 {
                pairs += PAIR_POINTS;
            } else if difference > 0.0 {
                up += difference;
            } else {
                down -= difference;
            }
        }
        disorder += DISORDER_POINTS * up.min(down);
    }
    let empty = EMPTY_CELL_POINTS * f64::from((board.empty() & slides.cells()).count_ones());
    [("room", empty), ("pairs", pairs), ("disorder", -disorder)]
}

/// Returns the powers of a row. The cells beyond `length` are 0.
fn line(board: Board, row: usize, length: usize) -> [u8; 4] {
    std::array::from_fn(|cell| {
        if cell < length {
            board.power(4 * row + cell)
        } else {
            0
        }
    })
}
