//! Games that a network plays against the tiles to learn from, on several threads at once.

use std::ops::Range;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::random::Random;

use super::learner::Learner;
use super::tuples::{Active, NONE_ACTIVE, TupleShape};
use crate::games::twenty48::board::{Board, FAMILIAR, KNOWN, Slides};
use crate::games::twenty48::results::{GameResult, Results};
use crate::games::twenty48::tiles;
use crate::processor;

/// How long to train. Both bounds may be set; the first to bind wins.
#[derive(Clone, Copy, Debug)]
pub struct TrainingConfig {
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
    /// How much of what the moves to come have taught a move learns from, the rest being the value of the board that the next
    /// slide leaves: the λ of TD(λ) (Sutton, 1988), 0 to 1.
    pub lambda: f32,
    /// What is played of a game again.
    pub restarts: Restarts,
    /// How often to report.
    pub interval: Duration,
    /// How often to pause between games, for a checkpoint.
    pub checkpoint: Duration,
}

/// How often a game goes back to where its largest tile was made, and is played on from there with other tiles (restarts:
/// Matsuzaki, 2021; carousel shaping: Jaśkowski, 2018): few games come to the late boards, and this teaches more of them. Where
/// the network knows 16384, a game goes back as often again to where no tile from 256 to 16384 was missing first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Restarts {
    /// How often at most, to either.
    pub times: u32,
    /// The largest tile must be at least 2 to this power.
    pub least: u8,
}

/// What a training tells on its way.
#[derive(Debug)]
pub enum TrainingEvent<'a> {
    /// Games go on: all so far. Told many times a second.
    Running(&'a Results),
    /// Some time has passed: all games so far, and those since this was told last.
    Interval(&'a Results, &'a Results),
    /// No game is being played: the network has learned from all of these and from nothing else.
    Idle(&'a Results),
}

/// Trains until a bound is met or `ends` says so, and gives the games it has learned from, the first of the course and
/// those that follow it without a gap. `report` hears how it goes, and its error ends the training.
pub fn train<S: TupleShape, E>(
    learner: &Learner<S>,
    course: &TrainingConfig,
    ends: &dyn Fn() -> bool,
    report: &mut dyn FnMut(TrainingEvent) -> Result<(), E>,
) -> Result<Results, E> {
    let start = Instant::now();
    let stop = AtomicBool::new(false);
    // Every thread looks at the clock for itself: it may be long until the one that reports is given a core again.
    let is_time_up = || course.time.is_some_and(|time| start.elapsed() >= time);
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
            let (stop, is_time_up, next_game, pause) = (&stop, &is_time_up, &next_game, &pause);
            scope.spawn(move || {
                let slides = Slides::new(4, 4);
                let mut round = new_round();
                loop {
                    let playing = pause.read();
                    if stop.load(Ordering::Relaxed) || is_time_up() {
                        break;
                    }
                    let first = next_game.fetch_add(ROUND as u64, Ordering::Relaxed);
                    // Games that were begun are played to their end: half of one would be learned from twice.
                    let numbers = first..end.min(first.saturating_add(ROUND as u64));
                    let games = begin(&slides, course.seed, numbers, HALVED_FROM_GAME, &mut round);
                    let played = train_round(learner, &slides, course, games);
                    let mut results = played.into_iter();
                    if results.len() == 0 || !results.all(|game| finished.send(game).is_ok()) {
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
            if ends() {
                stop.store(true, Ordering::Relaxed);
            }
            let mut told = report(TrainingEvent::Running(&all));
            if told.is_ok() && reported.elapsed() >= course.interval {
                told = report(TrainingEvent::Interval(&all, &std::mem::take(&mut recent)));
                reported = Instant::now();
            }
            if told.is_ok() && kept.elapsed() >= course.checkpoint {
                let nobody_plays = pause.write();
                for played in results.try_iter() {
                    all.add(played);
                    recent.add(played);
                }
                told = report(TrainingEvent::Idle(&all));
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
type Afterstate = (Board, u32);

/// How many games a thread plays side by side, by the same weights: while it waits for those of one it goes on with the other.
/// It learns from them one after the other then.
const ROUND: usize = 2;

/// The number of the first game in which the slides from boards with 16384 are chosen as if these were halved, unless they [are
/// crowded](is_crowded). Before it they are chosen by the boards as they stand: games end sooner after the merge, and more of them
/// begin.
const HALVED_FROM_GAME: u64 = 120_000;

/// How many moves ahead a game that is learned from asks for weights.
const AHEAD: usize = 4;

/// A game that is played greedily. The network learns from the board that it takes the one there is for ([`Board::familiar`]), and
/// plays that or, from [`HALVED_FROM_GAME`] on, mostly one lowered further, to [`FAMILIAR`]: the slides are the same.
#[derive(Debug)]
struct Game {
    random: Random,
    board: Board,
    /// What the network takes the board for.
    familiar: Board,
    /// What the network plays the board as.
    played: Board,
    /// Whether that is no more than [`FAMILIAR`], where the board is not crowded.
    is_lowered: bool,
    score: u32,
    /// What each slide has left of what the network took the board for.
    left: Vec<Afterstate>,
    /// What the slide left that made the largest tile; the board at the start before there was any.
    made: Board,
    /// The largest tile.
    largest: u8,
    /// The first crowded board that a slide left of what the network took the board for, where it knows 16384.
    crowded: Option<Board>,
    /// What the four slides would leave of what the board is played as.
    options: [Afterstate; 4],
    /// The weights that those are judged by; any where nothing moves.
    active: [Active; 4],
    is_over: bool,
}

fn new_round() -> [Game; ROUND] {
    std::array::from_fn(|_| Game {
        random: Random::new(0),
        board: Board::default(),
        familiar: Board::default(),
        played: Board::default(),
        is_lowered: false,
        score: 0,
        left: Vec::new(),
        made: Board::default(),
        largest: 0,
        crowded: None,
        options: [Afterstate::default(); 4],
        active: [NONE_ACTIVE; 4],
        is_over: false,
    })
}

impl Game {
    /// Begins the game of this number, which is played lowered if it is as late as that.
    fn begin(&mut self, slides: &Slides, seed: u64, number: u64, lowered_from: u64) {
        self.is_lowered = number >= lowered_from;
        self.random = Random::part(seed, number);
        self.board = tiles::start(slides.cells(), &mut self.random);
        self.score = 0;
        self.left.clear();
        self.made = self.board;
        self.largest = self.board.largest();
        self.crowded = None;
        self.is_over = false;
    }

    /// Goes back to this board, which a slide has left; where there is none, there is nothing to play.
    fn restart(&mut self, slides: &Slides, left: Option<Board>) {
        self.left.clear();
        self.is_over = left.is_none();
        if let Some(left) = left {
            // What the slide there scored is no part of what follows.
            self.left.push((left, 0));
            self.board = tiles::appear(left, slides.cells(), &mut self.random);
        }
    }

    /// Where the largest tile was made, if it is at least 2 to this power. Where the network knows larger tiles than boards are
    /// played with, that is the board that was played.
    fn made<S: TupleShape>(&self, least: u8) -> Option<Board> {
        let made = if S::KNOWN > FAMILIAR {
            self.made.familiar(FAMILIAR)
        } else {
            self.made
        };
        (self.largest >= least).then_some(made)
    }

    fn result(&self) -> GameResult {
        GameResult::new(self.board, self.score, self.left.len() as u64)
    }

    /// Looks at the four slides, and asks for the weights that they are judged by.
    #[inline(always)]
    fn look<S: TupleShape>(&mut self, learner: &Learner<S>, slides: &Slides) {
        self.familiar = self.board.familiar(S::KNOWN);
        self.played = if self.is_lowered && !is_crowded(self.familiar) {
            self.familiar.familiar(FAMILIAR)
        } else {
            self.familiar
        };
        self.options = slides.all_up_to_symmetry(self.played);
        let before = self.before();
        for (((after, _), active), before) in self.options.iter().zip(&mut self.active).zip(before)
        {
            if *after == before {
                *active = NONE_ACTIVE;
            } else {
                learner.find(*after, active);
            }
        }
    }

    /// The board as each of the options would leave it if nothing moved.
    #[inline(always)]
    fn before(&self) -> [Board; 4] {
        let board = self.played;
        let turned = board.transposed();
        [board, board, turned, turned]
    }

    /// Takes the slide with the most points and prospects, unless there is none and the game is over.
    #[inline(always)]
    fn slide<S: TupleShape>(&mut self, learner: &Learner<S>, slides: &Slides) {
        let values = learner.values(&self.active);
        let mut best = (f32::NEG_INFINITY, None);
        let options = self.options.iter().zip(values).zip(self.before());
        for (slide, ((&(after, points), value), before)) in options.enumerate() {
            let prospects = points as f32 + value;
            if after != before && prospects > best.0 {
                best = (prospects, Some(slide));
            }
        }
        let Some(slide) = best.1 else {
            self.is_over = true;
            return;
        };
        let known = if self.familiar == self.played {
            self.options[slide]
        } else {
            slides.all_up_to_symmetry(self.familiar)[slide]
        };
        self.left.push(known);
        if S::KNOWN > FAMILIAR && self.crowded.is_none() && is_crowded(known.0) {
            self.crowded = Some(known.0);
        }
        let (after, points) = if self.board == self.familiar {
            known
        } else {
            slides.all_up_to_symmetry(self.board)[slide]
        };
        self.score += points;
        // A tile larger than all makes at least twice as many points as the largest has.
        if points >> self.largest != 0 && after.largest() > self.largest {
            (self.made, self.largest) = (after, after.largest());
        }
        self.board = tiles::appear(after, slides.cells(), &mut self.random);
    }
}

/// Whether a board with 16384 has all tiles from 256 to 8192 too, and so but one 256 more to make on the way to 32768. Halved it would
/// look like many boards that have room for more.
fn is_crowded(board: Board) -> bool {
    const LEAST: u8 = 8;
    board.exceeds(FAMILIAR) && (LEAST..KNOWN).all(|power| board.powers().contains(&power))
}

/// Begins these games, at most [`ROUND`].
fn begin<'a>(
    slides: &Slides,
    seed: u64,
    numbers: Range<u64>,
    lowered_from: u64,
    round: &'a mut [Game; ROUND],
) -> &'a mut [Game] {
    let games = &mut round[..numbers.clone().count().min(ROUND)];
    for (game, number) in games.iter_mut().zip(numbers) {
        game.begin(slides, seed, number, lowered_from);
    }
    games
}

/// Plays games that have begun and learns from them, and again from where they go back to. What each came to is that of the
/// first time, its moves those of all times.
fn train_round<S: TupleShape>(
    learner: &Learner<S>,
    slides: &Slides,
    course: &TrainingConfig,
    games: &mut [Game],
) -> Vec<GameResult> {
    let play_and_learn = |games: &mut [Game]| {
        play(learner, slides, games);
        for game in games {
            learn(learner, &game.left, course.lambda);
        }
    };
    play_and_learn(games);
    let mut results: Vec<_> = games.iter().map(Game::result).collect();
    let Restarts { times, least } = course.restarts;
    for time in 0..2 * times {
        for game in games.iter_mut() {
            let left = if time < times {
                game.made::<S>(least)
            } else {
                game.crowded
            };
            game.restart(slides, left);
        }
        if games.iter().all(|game| game.is_over) {
            continue;
        }
        play_and_learn(games);
        for (game, result) in games.iter().zip(&mut results) {
            // The first is the slide that was gone back to.
            result.moves += game.left.len().saturating_sub(1) as u64;
        }
    }
    results
}

/// Plays games that have begun to their end, side by side.
fn play<S: TupleShape>(learner: &Learner<S>, slides: &Slides, games: &mut [Game]) {
    processor::run(
        #[inline(always)]
        || {
            for game in games.iter_mut() {
                game.look(learner, slides);
            }
            while games.iter().any(|game| !game.is_over) {
                for game in games.iter_mut().filter(|game| !game.is_over) {
                    game.slide(learner, slides);
                    if !game.is_over {
                        game.look(learner, slides);
                    }
                }
            }
        },
    );
}

/// Learns from every move of a game, the last one first, so that what the end has taught is known to the moves that led
/// there (Matsuzaki, 2017): the value of the board that a slide leaves is moved towards the points of the next slide
/// and the value of the board that one leaves, by the share `lambda` with what that one was moved towards.
fn learn<S: TupleShape>(learner: &Learner<S>, left: &[Afterstate], lambda: f32) {
    processor::run(
        #[inline(always)]
        || {
            let mut ahead = [NONE_ACTIVE; AHEAD];
            // Nothing was scored after the last one.
            let mut target = 0.0;
            for turn in 0..left.len() + AHEAD {
                let active = &mut ahead[turn % AHEAD];
                if turn >= AHEAD {
                    let (_, points) = left[left.len() + AHEAD - 1 - turn];
                    let value = learner.learn(active, target);
                    target = value + lambda * (target - value) + points as f32;
                }
                if turn < left.len() {
                    let (after, _) = left[left.len() - 1 - turn];
                    learner.find(after, active);
                }
            }
        },
    );
}

/// What a network makes of so many games greedily played, the first of a seed, from which it learns nothing.
pub fn evaluate_network<S: TupleShape>(learner: &Learner<S>, seed: u64, games: u64) -> Results {
    let (slides, mut round) = (Slides::new(4, 4), new_round());
    let mut results = Results::default();
    for first in (0..games).step_by(ROUND) {
        let numbers = first..games.min(first + ROUND as u64);
        let games = begin(&slides, seed, numbers, 0, &mut round);
        play(learner, &slides, games);
        for game in games.iter() {
            results.add(game.result());
        }
    }
    results
}

#[cfg(test)]
mod tests;
