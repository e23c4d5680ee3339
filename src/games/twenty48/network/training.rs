//! Games that a network plays against the tiles to learn from.

use std::sync::atomic::{AtomicBool, Ordering};

use fastrand::Rng;

use super::learner::Learner;
use super::tuples::Shape;
use crate::games::twenty48::board::{Board, Slides};

/// What a finished game came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The points made.
    pub score: u32,
    /// The player's moves.
    pub moves: u64,
    /// The power of two of the largest tile.
    pub largest: u8,
}

/// Puts a tile on one of the empty cells, all equally likely: 2 with 0.9, 4 with 0.1.
#[inline]
pub fn spawned(board: Board, cells: u64, random: &mut Rng) -> Board {
    let mut empty = board.empty() & cells;
    for _ in 0..random.u32(0..empty.count_ones()) {
        empty &= empty - 1;
    }
    let power = if random.u32(0..10) == 0 { 2 } else { 1 };
    Board(board.0 | (empty & empty.wrapping_neg()) * power)
}

/// Plays one game greedily and learns from every move: the value of the board that a move leaves is moved towards the
/// points of the next move and the value of the board which that leaves. `None` if `stop` was raised before the end.
pub fn play_and_learn<S: Shape>(
    learner: &Learner<S>,
    slides: &Slides,
    random: &mut Rng,
    stop: &AtomicBool,
) -> Option<Played> {
    let cells = slides.cells();
    let mut board = spawned(spawned(Board::default(), cells, random), cells, random);
    let (mut score, mut moves) = (0, 0);
    let mut before = None;
    while let Some((after, points, value)) = best_slide(learner, slides, board) {
        if let Some(before) = &before {
            learner.learn(before, points as f32 + value - learner.value_of(before));
        }
        before = Some(Learner::<S>::active(after));
        score += points;
        moves += 1;
        board = spawned(after, cells, random);
        if moves % 1024 == 0 && stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    if let Some(before) = &before {
        // Nothing was scored after it.
        learner.learn(before, -learner.value_of(before));
    }
    let largest = (0..16).map(|cell| board.power(cell)).max().unwrap_or(0);
    Some(Played {
        score,
        moves,
        largest,
    })
}

/// The slide with the most points and prospects: the board after it, up to symmetry, its points, its value.
#[inline]
fn best_slide<S: Shape>(
    learner: &Learner<S>,
    slides: &Slides,
    board: Board,
) -> Option<(Board, u32, f32)> {
    let mut best: Option<(Board, u32, f32)> = None;
    let turned = board.transposed();
    let boards = slides.all_up_to_symmetry(board);
    for ((after, points), before) in boards.into_iter().zip([board, board, turned, turned]) {
        if after == before {
            continue;
        }
        let value = learner.value(after);
        if best.is_none_or(|(_, most, prospects)| points as f32 + value > most as f32 + prospects) {
            best = Some((after, points, value));
        }
    }
    best
}
