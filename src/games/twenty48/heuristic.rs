//! The hand-written evaluation, for boards without a network. It rewards empty cells and pairs of tiles that can merge.
//! It penalizes rows and columns in which the tiles both increase and decrease.

use super::board::{Board, Slides};

/// Points for each empty cell.
const EMPTY_CELL_POINTS: f64 = 12.0;

/// Points for each pair of equal tiles in a row or column with no other tile between them.
const PAIR_POINTS: f64 = 6.0;

/// Penalty in points for each power by which a row or column is not monotonic: the smaller of its total increase and
/// total decrease in powers. For example, 4 32 8 rises by 3 powers and falls by 2, so the penalty is for 2 powers.
const DISORDER_POINTS: f64 = 2.0;

/// Returns an estimate of the future points from a board after a slide, at least 0, because points are never lost.
pub fn value(slides: &Slides, board: Board) -> f64 {
    terms(slides, board)
        .into_iter()
        .map(|(_, points)| points)
        .sum::<f64>()
        .max(0.0)
}

/// Returns the terms of the evaluation with their names. [`value`] is their sum, or 0 if the sum is negative.
pub fn terms(slides: &Slides, board: Board) -> [(&'static str, f64); 3] {
    let transposed = board.transposed();
    let lines = (0..slides.rows())
        .map(|row| line(board, row, slides.columns()))
        .chain((0..slides.columns()).map(|column| line(transposed, column, slides.rows())));
    let (mut pairs, mut disorder) = (0.0, 0.0);
    for line in lines {
        let tiles = line.into_iter().filter(|&power| power > 0);
        let (mut increase, mut decrease) = (0.0, 0.0);
        for (previous, next) in tiles.clone().zip(tiles.skip(1)) {
            let difference = f64::from(next) - f64::from(previous);
            if difference == 0.0 {
                pairs += PAIR_POINTS;
            } else if difference > 0.0 {
                increase += difference;
            } else {
                decrease -= difference;
            }
        }
        disorder += DISORDER_POINTS * increase.min(decrease);
    }
    let empty = EMPTY_CELL_POINTS * f64::from((board.empty() & slides.cells()).count_ones());
    [("room", empty), ("pairs", pairs), ("disorder", -disorder)]
}

/// Returns the powers of a row of `length` cells, followed by zeros.
fn line(board: Board, row: usize, length: usize) -> [u8; 4] {
    std::array::from_fn(|cell| {
        if cell < length {
            board.power(4 * row + cell)
        } else {
            0
        }
    })
}
