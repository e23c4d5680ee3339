//! Self-play training of networks on several threads.

use std::ops::Range;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::random::Random;

use super::learner::Learner;
use super::tuples::{NO_INDICES, TupleShape, WeightIndices};
use crate::games::twenty48::board::{BASE_LEARNED_POWER, Board, EXTENDED_LEARNED_POWER, Slides};
use crate::games::twenty48::results::{GameResult, Results};
use crate::games::twenty48::tiles;
use crate::processor;

/// The limits and parameters of a training run. The run ends at the first limit that is reached.
#[derive(Clone, Copy, Debug)]
pub struct TrainingConfig {
    /// The number of the first game. The number and the seed determine the tiles of a game.
    pub first_game: u64,
    /// The maximum number of games.
    pub games: Option<u64>,
    /// The maximum duration.
    pub time: Option<Duration>,
    /// The number of threads.
    pub threads: usize,
    /// The seed of the tiles.
    pub seed: u64,
    /// The λ of TD(λ) (Sutton, 1988), from 0 to 1: the share of the learned return in the target of a move. The
    /// rest is the value of the next afterstate.
    pub lambda: f32,
    /// The restarts of each game.
    pub restarts: Restarts,
    /// The time between reports of [`TrainingEvent::Interval`].
    pub interval: Duration,
    /// The time between pauses for [`TrainingEvent::Idle`], in which a checkpoint can be written.
    pub checkpoint: Duration,
}

/// How often a game restarts from the board where it made its largest tile, with different tiles (restarts:
/// Matsuzaki, 2021; carousel shaping: Jaśkowski, 2018). Few games reach late boards, and restarts provide more of
/// them. If the network learns 16384, a game also restarts as often from its first crowded board: one that contains
/// 16384 and all tiles from 256 to 8192.
#[derive(Clone, Copy, Debug, Default)]
pub struct Restarts {
    /// The maximum number of restarts from each of the two boards.
    pub times: u32,
    /// The minimum power of the largest tile of a game that restarts from where the tile was made.
    pub min_power: u8,
}

/// The progress of a training run.
#[derive(Debug)]
pub enum TrainingEvent<'a> {
    /// Games are in progress. Contains the statistics of all finished games. Sent several times a second.
    Running(&'a Results),
    /// An interval has passed. Contains the statistics of all games and of those since the last such event.
    Interval(&'a Results, &'a Results),
    /// No game is in progress. The network has learned exactly from the games of these statistics.
    Idle(&'a Results),
}

/// Trains until a limit is reached or `should_stop` returns `true`. Returns the statistics of all games, which are
/// consecutive from `config.first_game`.
///
/// # Errors
/// The error of `report`, which ends the training.
pub fn train<S: TupleShape, E>(
    learner: &Learner<S>,
    config: &TrainingConfig,
    should_stop: &dyn Fn() -> bool,
    report: &mut dyn FnMut(TrainingEvent) -> Result<(), E>,
) -> Result<Results, E> {
    let start = Instant::now();
    let stop = AtomicBool::new(false);
    // Each thread checks the time itself, because the reporting thread can wait long for a core.
    let is_time_up = || config.time.is_some_and(|time| start.elapsed() >= time);
    let next_game = AtomicU64::new(config.first_game);
    let end = config
        .games
        .map_or(u64::MAX, |games| config.first_game.saturating_add(games));
    // Read-locked while games are in progress, write-locked to pause them.
    let pause = RwLock::new(());
    let (finished, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..config.threads {
            let finished = finished.clone();
            let (stop, is_time_up, next_game, pause) = (&stop, &is_time_up, &next_game, &pause);
            scope.spawn(move || {
                let slides = Slides::new(4, 4);
                let mut round = new_round();
                loop {
                    let game_guard = pause.read();
                    if stop.load(Ordering::Relaxed) || is_time_up() {
                        break;
                    }
                    let first = next_game.fetch_add(GAMES_PER_ROUND as u64, Ordering::Relaxed);
                    // Started games are always finished, because a resumed run would learn a second time from an
                    // interrupted one.
                    let numbers = first..end.min(first.saturating_add(GAMES_PER_ROUND as u64));
                    let games = start_games(
                        &slides,
                        config.seed,
                        numbers,
                        DOWNGRADED_FROM_GAME,
                        &mut round,
                    );
                    let played = train_round(learner, &slides, config, games);
                    let mut results = played.into_iter();
                    if results.len() == 0 || !results.all(|game| finished.send(game).is_ok()) {
                        break;
                    }
                    drop(game_guard);
                }
            });
        }
        drop(finished);
        let (mut all, mut recent) = (Results::default(), Results::default());
        let (mut last_report, mut last_checkpoint) = (start, start);
        let outcome = loop {
            match results.recv_timeout(Duration::from_millis(100)) {
                Ok(played) => {
                    all.add(played);
                    recent.add(played);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Ok(all),
            }
            if should_stop() {
                stop.store(true, Ordering::Relaxed);
            }
            let mut reported = report(TrainingEvent::Running(&all));
            if reported.is_ok() && last_report.elapsed() >= config.interval {
                reported = report(TrainingEvent::Interval(&all, &std::mem::take(&mut recent)));
                last_report = Instant::now();
            }
            if reported.is_ok() && last_checkpoint.elapsed() >= config.checkpoint {
                let pause_guard = pause.write();
                for played in results.try_iter() {
                    all.add(played);
                    recent.add(played);
                }
                reported = report(TrainingEvent::Idle(&all));
                drop(pause_guard);
                last_checkpoint = Instant::now();
            }
            if let Err(error) = reported {
                break Err(error);
            }
        };
        stop.store(true, Ordering::Relaxed);
        outcome
    })
}

/// The board after a slide, up to symmetry, and the points of the slide.
type Afterstate = (Board, u32);

/// The number of games that a thread plays side by side with the same weights. While the weights of one game are
/// being fetched, the thread continues with the other. It then learns from them one after the other.
const GAMES_PER_ROUND: usize = 2;

/// The first game in which boards with 16384 are downgraded for choosing slides, unless they [are
/// crowded](is_crowded). Without downgrading, games end sooner after the merge, so that more games start.
const DOWNGRADED_FROM_GAME: u64 = 120_000;

/// The number of moves by which learning prefetches weights ahead.
const PREFETCH_MOVES: usize = 4;

/// A game in which slides are chosen greedily.
///
/// The network learns from the board downgraded to the powers that it learns. It chooses slides on the same board
/// or, from [`DOWNGRADED_FROM_GAME`] on, usually on the board downgraded to [`BASE_LEARNED_POWER`]. The legal
/// slides of all these boards are the same.
#[derive(Debug)]
struct Game {
    random: Random,
    board: Board,
    /// The board that the network learns from.
    learned_board: Board,
    /// The board on which the network chooses the slide.
    played: Board,
    /// Whether the played board is downgraded to [`BASE_LEARNED_POWER`] unless it is crowded.
    plays_downgraded: bool,
    score: u32,
    /// The afterstates of all slides, on the boards that the network learns from.
    afterstates: Vec<Afterstate>,
    /// The board after the slide that made the largest tile, or the start position.
    largest_tile_board: Board,
    /// The power of the largest tile.
    largest: u8,
    /// The first crowded afterstate, if the network learns 16384.
    first_crowded: Option<Board>,
    /// The results of the four slides on the played board.
    slide_results: [Afterstate; 4],
    /// The weight indices of the four results. They are arbitrary for illegal slides.
    indices: [WeightIndices; 4],
    is_over: bool,
}

fn new_round() -> [Game; GAMES_PER_ROUND] {
    std::array::from_fn(|_| Game {
        random: Random::new(0),
        board: Board::default(),
        learned_board: Board::default(),
        played: Board::default(),
        plays_downgraded: false,
        score: 0,
        afterstates: Vec::new(),
        largest_tile_board: Board::default(),
        largest: 0,
        first_crowded: None,
        slide_results: [Afterstate::default(); 4],
        indices: [NO_INDICES; 4],
        is_over: false,
    })
}

impl Game {
    /// Starts game `number`. Its slides are chosen on downgraded boards if `number` is at least `downgraded_from`.
    fn start(&mut self, slides: &Slides, seed: u64, number: u64, downgraded_from: u64) {
        self.plays_downgraded = number >= downgraded_from;
        self.random = Random::part(seed, number);
        self.board = tiles::start(slides.cells(), &mut self.random);
        self.score = 0;
        self.afterstates.clear();
        self.largest_tile_board = self.board;
        self.largest = self.board.largest();
        self.first_crowded = None;
        self.is_over = false;
    }

    /// Restarts from a board after a slide. With `None`, the game is over.
    fn restart(&mut self, slides: &Slides, afterstate: Option<Board>) {
        self.afterstates.clear();
        self.is_over = afterstate.is_none();
        if let Some(afterstate) = afterstate {
            // The points of the slide itself are not part of the restarted game.
            self.afterstates.push((afterstate, 0));
            self.board = tiles::add_random(afterstate, slides.cells(), &mut self.random);
        }
    }

    /// Returns the board after the slide that made the largest tile, if its power is at least `min_power`. If the
    /// network learns 16384, the board is downgraded to [`BASE_LEARNED_POWER`], because slides were chosen on that
    /// board.
    fn largest_tile_board<S: TupleShape>(&self, min_power: u8) -> Option<Board> {
        let largest_tile_board = if S::MAX_LEARNED_POWER > BASE_LEARNED_POWER {
            self.largest_tile_board.downgraded(BASE_LEARNED_POWER)
        } else {
            self.largest_tile_board
        };
        (self.largest >= min_power).then_some(largest_tile_board)
    }

    fn result(&self) -> GameResult {
        GameResult::new(self.board, self.score, self.afterstates.len() as u64)
    }

    /// Computes the four slides and prefetches the weights of their results.
    #[inline(always)]
    fn scan_slides<S: TupleShape>(&mut self, learner: &Learner<S>, slides: &Slides) {
        self.learned_board = self.board.downgraded(S::MAX_LEARNED_POWER);
        self.played = if self.plays_downgraded && !is_crowded(self.learned_board) {
            self.learned_board.downgraded(BASE_LEARNED_POWER)
        } else {
            self.learned_board
        };
        self.slide_results = slides.all_up_to_symmetry(self.played);
        let unmoved = self.unmoved();
        for (((after, _), indices), unmoved) in self
            .slide_results
            .iter()
            .zip(&mut self.indices)
            .zip(unmoved)
        {
            if *after == unmoved {
                *indices = NO_INDICES;
            } else {
                learner.prefetch(*after, indices);
            }
        }
    }

    /// Returns the results that each of the four slides would have if nothing moved.
    #[inline(always)]
    fn unmoved(&self) -> [Board; 4] {
        let board = self.played;
        let turned = board.transposed();
        [board, board, turned, turned]
    }

    /// Plays the slide that maximizes its points plus the expected future points. The game is over if no slide is
    /// legal.
    #[inline(always)]
    fn slide<S: TupleShape>(&mut self, learner: &Learner<S>, slides: &Slides) {
        let values = learner.values(&self.indices);
        let mut best = (f32::NEG_INFINITY, None);
        let slide_results = self.slide_results.iter().zip(values).zip(self.unmoved());
        for (slide, ((&(after, points), value), unmoved)) in slide_results.enumerate() {
            let total = points as f32 + value;
            if after != unmoved && total > best.0 {
                best = (total, Some(slide));
            }
        }
        let Some(slide) = best.1 else {
            self.is_over = true;
            return;
        };
        let learned_afterstate = if self.learned_board == self.played {
            self.slide_results[slide]
        } else {
            slides.all_up_to_symmetry(self.learned_board)[slide]
        };
        self.afterstates.push(learned_afterstate);
        if S::MAX_LEARNED_POWER > BASE_LEARNED_POWER
            && self.first_crowded.is_none()
            && is_crowded(learned_afterstate.0)
        {
            self.first_crowded = Some(learned_afterstate.0);
        }
        let (after, points) = if self.board == self.learned_board {
            learned_afterstate
        } else {
            slides.all_up_to_symmetry(self.board)[slide]
        };
        self.score += points;
        // A slide that makes a new largest tile scores at least twice the previous largest tile.
        if points >> self.largest != 0 && after.largest() > self.largest {
            (self.largest_tile_board, self.largest) = (after, after.largest());
        }
        self.board = tiles::add_random(after, slides.cells(), &mut self.random);
    }
}

/// Returns `true` if a board with 16384 has all tiles from 256 to 8192. One more 256 then starts the chain of
/// merges to 32768. Downgraded, such a board looks like many boards with more room.
fn is_crowded(board: Board) -> bool {
    const MIN_POWER: u8 = 8;
    board.has_power_above(BASE_LEARNED_POWER)
        && (MIN_POWER..EXTENDED_LEARNED_POWER).all(|power| board.powers().contains(&power))
}

/// Starts the games `numbers`, at most [`GAMES_PER_ROUND`].
fn start_games<'a>(
    slides: &Slides,
    seed: u64,
    numbers: Range<u64>,
    downgraded_from: u64,
    round: &'a mut [Game; GAMES_PER_ROUND],
) -> &'a mut [Game] {
    let games = &mut round[..numbers.clone().count().min(GAMES_PER_ROUND)];
    for (game, number) in games.iter_mut().zip(numbers) {
        game.start(slides, seed, number, downgraded_from);
    }
    games
}

/// Plays started games, learns from them, and repeats this for all restarts. Each result is that of the first play,
/// with the moves of all plays.
fn train_round<S: TupleShape>(
    learner: &Learner<S>,
    slides: &Slides,
    config: &TrainingConfig,
    games: &mut [Game],
) -> Vec<GameResult> {
    let play_and_learn = |games: &mut [Game]| {
        play(learner, slides, games);
        for game in games {
            learn(learner, &game.afterstates, config.lambda);
        }
    };
    play_and_learn(games);
    let mut results: Vec<_> = games.iter().map(Game::result).collect();
    let Restarts { times, min_power } = config.restarts;
    for time in 0..2 * times {
        for game in games.iter_mut() {
            let afterstate = if time < times {
                game.largest_tile_board::<S>(min_power)
            } else {
                game.first_crowded
            };
            game.restart(slides, afterstate);
        }
        if games.iter().all(|game| game.is_over) {
            continue;
        }
        play_and_learn(games);
        for (game, result) in games.iter().zip(&mut results) {
            // The first afterstate is the one that the game restarted from.
            result.moves += game.afterstates.len().saturating_sub(1) as u64;
        }
    }
    results
}

/// Plays started games to their end, side by side.
fn play<S: TupleShape>(learner: &Learner<S>, slides: &Slides, games: &mut [Game]) {
    processor::run(
        #[inline(always)]
        || {
            for game in games.iter_mut() {
                game.scan_slides(learner, slides);
            }
            while games.iter().any(|game| !game.is_over) {
                for game in games.iter_mut().filter(|game| !game.is_over) {
                    game.slide(learner, slides);
                    if !game.is_over {
                        game.scan_slides(learner, slides);
                    }
                }
            }
        },
    );
}

/// Learns from all moves of a game, last move first, so that earlier moves learn from values that are already
/// updated (Matsuzaki, 2017). The target of an afterstate is the sum of three parts: the points of the next slide,
/// the value of the next afterstate, and `lambda` times the difference between the target and the value of that
/// afterstate.
fn learn<S: TupleShape>(learner: &Learner<S>, afterstates: &[Afterstate], lambda: f32) {
    processor::run(
        #[inline(always)]
        || {
            let mut prefetched = [NO_INDICES; PREFETCH_MOVES];
            // No points follow the last afterstate.
            let mut target = 0.0;
            for step in 0..afterstates.len() + PREFETCH_MOVES {
                let indices = &mut prefetched[step % PREFETCH_MOVES];
                if step >= PREFETCH_MOVES {
                    let (_, points) = afterstates[afterstates.len() + PREFETCH_MOVES - 1 - step];
                    let value = learner.learn(indices, target);
                    target = value + lambda * (target - value) + points as f32;
                }
                if step < afterstates.len() {
                    let (after, _) = afterstates[afterstates.len() - 1 - step];
                    learner.prefetch(after, indices);
                }
            }
        },
    );
}

/// Plays games 0 to `games` - 1 of a seed greedily, without learning, and returns their statistics.
pub(crate) fn evaluate_network<S: TupleShape>(
    learner: &Learner<S>,
    seed: u64,
    games: u64,
) -> Results {
    let (slides, mut round) = (Slides::new(4, 4), new_round());
    let mut results = Results::default();
    for first in (0..games).step_by(GAMES_PER_ROUND) {
        let numbers = first..games.min(first + GAMES_PER_ROUND as u64);
        let games = start_games(&slides, seed, numbers, 0, &mut round);
        play(learner, &slides, games);
        for game in games.iter() {
            results.add(game.result());
        }
    }
    results
}

#[cfg(test)]
mod tests;
