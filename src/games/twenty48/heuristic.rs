//! The hand-written evaluation, for boards that no network knows: room, pairs that could merge, and order.

use super::board::{Board, Slides};

/// Points for an empty cell.
const ROOM: f64 = 12.0;

/// Points for two neighbours that could merge.
const PAIR: f64 = 6.0;

/// Points off for every power of two by which a line goes up and down.
const DISORDER: f64 = 2.0;

/// The points expected from a board on that a slide has left: never below zero, as no point is ever lost.
pub fn value(slides: &Slides, board: Board) -> f64 {
    terms(slides, board)
        .into_iter()
        .map(|(_, points)| points)
        .sum::<f64>()
        .max(0.0)
}

/// What the value is made of.
pub fn terms(slides: &Slides, board: Board) -> [(&'static str, f64); 3] {
    let turned = board.transposed();
    let lines = (0..slides.rows())
        .map(|row| line(board, row, slides.columns()))
        .chain((0..slides.columns()).map(|column| line(turned, column, slides.rows())));
    let (mut pairs, mut disorder) = (0.0, 0.0);
    for line in lines {
        let tiles = line.into_iter().filter(|&power| power > 0);
        let (mut up, mut down) = (0.0, 0.0);
        for (one, other) in tiles.clone().zip(tiles.skip(1)) {
            let difference = f64::from(other) - f64::from(one);
            if difference == 0.0 {
                pairs += PAIR;
            } else if difference > 0.0 {
                up += difference;
            } else {
                down -= difference;
            }
        }
        disorder += DISORDER * up.min(down);
    }
    let room = ROOM * f64::from((board.empty() & slides.cells()).count_ones());
    [("room", room), ("pairs", pairs), ("disorder", -disorder)]
}

/// The powers on a row, 0 beyond its length.
fn line(board: Board, row: usize, length: usize) -> [u8; 4] {
    std::array::from_fn(|cell| {
        if cell < length {
            board.power(4 * row + cell)
        } else {
            0
        }
    })
}
