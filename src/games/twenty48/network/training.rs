//! Games that a network plays against the tiles to learn from, on several threads at once.

use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::learner::Learner;
use super::tuples::Shape;
use crate::games::twenty48::board::{Board, Slides};
use crate::games::twenty48::results::{Played, Results};
use crate::games::twenty48::tiles;
use crate::processor;

/// How long to train. Both bounds may be set; the first to bind wins.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The number of the first game; it and the seed decide the game's tiles.
    pub first_game: u64,
    /// Games to play.
    pub games: Option<u64>,
    /// Time to play.
    pub time: Option<Duration>,
    /// Threads that play.
    pub threads: usize,
    /// The seed of the tiles.
    pub seed: u64,
    /// How often to report.
    pub interval: Duration,
    /// How often to pause between games, for a checkpoint.
    pub checkpoint: Duration,
}

/// What a training tells on its way.
#[derive(Debug)]
pub enum Moment<'a> {
    /// Games go on: all so far. Told many times a second.
    Going(&'a Results),
    /// Some time has passed: all games so far, and those since this was told last.
    Passing(&'a Results, &'a Results),
    /// No game is being played: the network has learned from all of these and from nothing else.
    Between(&'a Results),
}

/// Trains until a bound is met or `ends` says so, and gives the games it has learned from, the first of the course and
/// those that follow it without a gap. `report` hears how it goes, and its error ends the training.
pub fn train<S: Shape, E>(
    learner: &Learner<S>,
    course: &Course,
    ends: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Moment) -> Result<(), E>,
) -> Result<Results, E> {
    let start = Instant::now();
    let stop = AtomicBool::new(false);
    let next_game = AtomicU64::new(course.first_game);
    let end = course
        .games
        .map_or(u64::MAX, |games| course.first_game.saturating_add(games));
    // Held for reading while a game is played, for writing where none may be.
    let pause = RwLock::new(());
    let (finished, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..course.threads {
            let finished = finished.clone();
            let (stop, next_game, pause) = (&stop, &next_game, &pause);
            scope.spawn(move || {
                let slides = Slides::new(4, 4);
                let mut left = Vec::new();
                loop {
                    let playing = pause.read();
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let game = next_game.fetch_add(1, Ordering::Relaxed);
                    // A game that was begun is played to its end: half of one would be learned from twice.
                    let played = (game < end).then(|| {
                        let played = play(learner, &slides, course.seed, game, &mut left);
                        learn(learner, &left);
                        played
                    });
                    if played.is_none_or(|played| finished.send(played).is_err()) {
                        break;
                    }
                    drop(playing);
                }
            });
        }
        drop(finished);
        let (mut all, mut recent) = (Results::default(), Results::default());
        let (mut reported, mut kept) = (start, start);
        let outcome = loop {
            match results.recv_timeout(Duration::from_millis(100)) {
                Ok(played) => {
                    all.add(played);
                    recent.add(played);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Ok(all),
            }
            if ends() || course.time.is_some_and(|time| start.elapsed() >= time) {
                stop.store(true, Ordering::Relaxed);
            }
            let mut told = report(Moment::Going(&all));
            if told.is_ok() && reported.elapsed() >= course.interval {
                told = report(Moment::Passing(&all, &std::mem::take(&mut recent)));
                reported = Instant::now();
            }
            if told.is_ok() && kept.elapsed() >= course.checkpoint {
                let nobody_plays = pause.write();
                for played in results.try_iter() {
                    all.add(played);
                    recent.add(played);
                }
                told = report(Moment::Between(&all));
                drop(nobody_plays);
                kept = Instant::now();
            }
            if let Err(error) = told {
                break Err(error);
            }
        };
        stop.store(true, Ordering::Relaxed);
        outcome
    })
}

/// What a slide leaves: the board, up to symmetry, and the points it makes.
type Left = (Board, u32);

/// Plays one game greedily; `left` then holds what each slide has left.
fn play<S: Shape>(
    learner: &Learner<S>,
    slides: &Slides,
    seed: u64,
    game: u64,
    left: &mut Vec<Left>,
) -> Played {
    left.clear();
    let cells = slides.cells();
    let mut random = tiles::of_game(seed, game);
    let mut board = tiles::start(cells, &mut random);
    let mut score = 0;
    processor::run(
        #[inline(always)]
        || {
            while let Some((after, points)) = best_slide(learner, slides, board) {
                left.push((after, points));
                score += points;
                board = tiles::appear(after, cells, &mut random);
            }
        },
    );
    Played::new(board, score, left.len() as u64)
}

/// Learns from every move of a game, the last one first, so that what the end has taught is known to the moves that led
/// there (Matsuzaki, 2017): the value of the board that a slide leaves is moved towards the points of the next slide
/// and the value of the board that one leaves.
fn learn<S: Shape>(learner: &Learner<S>, left: &[Left]) {
    // Nothing was scored after the last one.
    let mut target = 0.0;
    let moves = left.iter().rev();
    let mut moves = moves
        .map(|&(after, points)| (S::active(after), points))
        .peekable();
    processor::run(
        #[inline(always)]
        || {
            while let Some((active, points)) = moves.next() {
                if let Some((next, _)) = moves.peek() {
                    learner.fetch(next);
                }
                target = learner.learn(&active, target) + points as f32;
            }
        },
    );
}

/// The slide with the most points and prospects.
#[inline(always)]
fn best_slide<S: Shape>(learner: &Learner<S>, slides: &Slides, board: Board) -> Option<Left> {
    let turned = board.transposed();
    let left = slides.all_up_to_symmetry(board);
    let values = learner.values(left.map(|(after, _)| after));
    let before = [board, board, turned, turned];
    let mut best = (f32::NEG_INFINITY, None);
    for ((left, value), before) in left.into_iter().zip(values).zip(before) {
        let (after, points) = left;
        let prospects = points as f32 + value;
        if after != before && prospects > best.0 {
            best = (prospects, Some(left));
        }
    }
    best.1
}

/// What a network makes of so many games greedily played, the first of a seed, from which it learns nothing.
pub fn examine<S: Shape>(learner: &Learner<S>, seed: u64, games: u64) -> Results {
    let (slides, mut left) = (Slides::new(4, 4), Vec::new());
    let mut results = Results::default();
    for game in 0..games {
        results.add(play(learner, &slides, seed, game, &mut left));
    }
    results
}
