//! Training of networks by self-play on several threads.
//!
//! A thread plays a game with the current weights and always chooses the slide with the best value. After the game, the
//! network learns from all moves, last move first. An afterstate is the board after a slide, before the new tile
//! appears.

use std::ops::Range;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::clock::Instant;
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
    /// The number of the first game. The tiles of a game depend on its number and the seed.
    pub first_game: u64,
    /// The maximum number of games.
    pub games: Option<u64>,
    /// The maximum duration.
    pub time: Option<Duration>,
    /// The number of threads.
    pub threads: usize,
    /// The seed of the tiles.
    pub seed: u64,
    /// The λ of TD(λ) (Sutton, 1988), from 0 to 1. With `next` for the next afterstate, the target of an afterstate is
    /// `points of the next slide + (1 - λ) value(next) + λ target(next)`.
    pub lambda: f32,
    /// The restarts of each game from late boards.
    pub restarts: Restarts,
    /// The time between reports of [`TrainingEvent::Interval`].
    pub interval: Duration,
    /// The time between reports of [`TrainingEvent::Idle`], which allow writing a checkpoint.
    pub checkpoint: Duration,
}

/// Settings for restarts. In a restart, play continues from a late board of a finished game, with other random tiles
/// (Matsuzaki, 2021; similar: carousel shaping, Jaśkowski, 2018).
///
/// Few games reach late boards, so without restarts the network would rarely learn from them. A game restarts from the
/// board after the slide that made its largest tile and, if the network learns 16384, from its first crowded board: a
/// board with 16384 and all tiles from 256 to 8192.
#[derive(Clone, Copy, Debug, Default)]
pub struct Restarts {
    /// The maximum number of restarts from each of the two boards.
    pub times: u32,
    /// The minimum power of a game's largest tile for a restart from the board after the slide that made it.
    pub min_power: u8,
}

/// A report on the progress of a training run.
#[derive(Debug)]
pub enum TrainingEvent<'a> {
    /// The statistics of all finished games. Sent several times a second.
    Running(&'a Results),
    /// The statistics of all finished games, and of the games finished since the last such report. Sent at the
    /// configured interval.
    Interval(&'a Results, &'a Results),
    /// The statistics of all finished games, while no game is in progress, so that the network has learned from
    /// exactly these games.
    Idle(&'a Results),
}

/// Trains until a limit is reached or `should_stop` returns `true`. Returns the statistics of all games. Their numbers
/// are consecutive and start at `config.first_game`.
///
/// # Errors
/// The first error of `report`, which ends the training.
pub fn train<S: TupleShape, E>(
    learner: &Learner<S>,
    config: &TrainingConfig,
    should_stop: &dyn Fn() -> bool,
    report: &mut dyn FnMut(TrainingEvent) -> Result<(), E>,
) -> Result<Results, E> {
    let start = Instant::now();
    let stop = AtomicBool::new(false);
    // Each training thread checks the time itself, because this thread may wait long for a processor.
    let is_time_up = || config.time.is_some_and(|time| start.elapsed() >= time);
    let next_game = AtomicU64::new(config.first_game);
    let end = config
        .games
        .map_or(u64::MAX, |games| config.first_game.saturating_add(games));
    // A training thread holds a read lock while its games are in progress. The write lock pauses all training
    // threads between games.
    let pause = RwLock::new(());
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..config.threads {
            let sender = sender.clone();
            let (stop, is_time_up, next_game, pause) = (&stop, &is_time_up, &next_game, &pause);
            scope.spawn(move || {
                let slides = Slides::new(4, 4);
                let mut buffers = new_games();
                loop {
                    let game_guard = pause.read();
                    if stop.load(Ordering::Relaxed) || is_time_up() {
                        break;
                    }
                    let first = next_game.fetch_add(GAMES_PER_ROUND as u64, Ordering::Relaxed);
                    // A started game is always finished. Otherwise, a resumed run would learn from it a second
                    // time.
                    let numbers = first..end.min(first.saturating_add(GAMES_PER_ROUND as u64));
                    let games = start_games(
                        &slides,
                        config.seed,
                        numbers,
                        DOWNGRADED_FROM_GAME,
                        &mut buffers,
                    );
                    let results = train_round(learner, &slides, config, games);
                    let mut results = results.into_iter();
                    if results.len() == 0 || !results.all(|game| sender.send(game).is_ok()) {
                        break;
                    }
                    drop(game_guard);
                }
            });
        }
        drop(sender);
        let (mut all, mut recent) = (Results::default(), Results::default());
        let (mut last_report, mut last_checkpoint) = (start, start);
        let outcome = loop {
            match results.recv_timeout(Duration::from_millis(100)) {
                Ok(result) => {
                    all.add(result);
                    recent.add(result);
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
                for result in results.try_iter() {
                    all.add(result);
                    recent.add(result);
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

/// An afterstate, possibly transposed, which does not change its value, and the points of the slide.
type Afterstate = (Board, u32);

/// The number of games that a thread plays alternately, one move at a time. While the weights of one game load, the
/// thread makes a move in the other game. The network learns from both games when both have ended.
const GAMES_PER_ROUND: usize = 2;

/// The number of the first game that downgrades boards with 16384 for choosing slides, unless they are
/// [crowded](is_crowded).
///
/// Without downgrading, games end sooner after 16384 is made, so more games are played in the same time.
const DOWNGRADED_FROM_GAME: u64 = 120_000;

/// Prefetch distance of the weights, in moves, while the network learns.
const PREFETCH_MOVES: usize = 4;

/// A game in which each slide maximizes its points plus the value of the afterstate.
///
/// A board has up to three versions:
///
/// - the real board
/// - the learned board: downgraded to the powers that the network learns
/// - the board for choosing the slide: the learned board or, from game [`DOWNGRADED_FROM_GAME`] on, unless the
///   learned board is crowded, the board downgraded to [`BASE_LEARNED_POWER`]
///
/// The same slides are legal on all versions.
#[derive(Debug)]
struct Game {
    random: Random,
    /// The real board.
    board: Board,
    /// The learned version of the board.
    learned_board: Board,
    /// The version of the board for choosing the slide.
    choice_board: Board,
    /// `true` if the choice board is downgraded to [`BASE_LEARNED_POWER`] unless it is crowded.
    chooses_downgraded: bool,
    score: u32,
    /// The learned versions of the afterstates of all slides so far.
    afterstates: Vec<Afterstate>,
    /// The real board after the slide that made the largest tile, or the start board.
    largest_tile_board: Board,
    /// The power of the largest tile.
    largest: u8,
    /// The learned version of the first crowded afterstate. `None` without such an afterstate or if the network
    /// does not learn 16384.
    first_crowded: Option<Board>,
    /// The results of the four slides on the choice board.
    slide_results: [Afterstate; 4],
    /// The weight indices of the four results. Indices of illegal slides are unused.
    indices: [WeightIndices; 4],
    is_over: bool,
}

/// Returns uninitialized games of a thread, for [`start_games`].
fn new_games() -> [Game; GAMES_PER_ROUND] {
    std::array::from_fn(|_| Game {
        random: Random::new(0),
        board: Board::default(),
        learned_board: Board::default(),
        choice_board: Board::default(),
        chooses_downgraded: false,
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
    /// Starts game `number`. If `number` is at least `downgraded_from`, slides are chosen on downgraded boards.
    fn start(&mut self, slides: &Slides, seed: u64, number: u64, downgraded_from: u64) {
        self.chooses_downgraded = number >= downgraded_from;
        self.random = Random::stream(seed, number);
        self.board = tiles::start(slides.cells(), &mut self.random);
        self.score = 0;
        self.afterstates.clear();
        self.largest_tile_board = self.board;
        self.largest = self.board.largest();
        self.first_crowded = None;
        self.is_over = false;
    }

    /// Restarts the game from an afterstate, or ends the game if `afterstate` is `None`.
    fn restart(&mut self, slides: &Slides, afterstate: Option<Board>) {
        self.afterstates.clear();
        self.is_over = afterstate.is_none();
        if let Some(afterstate) = afterstate {
            // The restarted game does not include the points of the slide that led to the afterstate.
            self.afterstates.push((afterstate, 0));
            self.board = tiles::add_random(afterstate, slides.cells(), &mut self.random);
        }
    }

    /// Returns the board after the slide that made the largest tile, or `None` if the power of the tile is less than
    /// `min_power`.
    ///
    /// If the network learns 16384, the board is downgraded to [`BASE_LEARNED_POWER`], like the boards for choosing
    /// slides.
    fn restart_board<S: TupleShape>(&self, min_power: u8) -> Option<Board> {
        let board = if S::MAX_LEARNED_POWER > BASE_LEARNED_POWER {
            self.largest_tile_board.downgraded(BASE_LEARNED_POWER)
        } else {
            self.largest_tile_board
        };
        (self.largest >= min_power).then_some(board)
    }

    fn result(&self) -> GameResult {
        GameResult::new(self.board, self.score, self.afterstates.len() as u64)
    }

    /// Computes the results of the four slides, and prefetches the weights for legal slides.
    #[inline(always)]
    fn scan_slides<S: TupleShape>(&mut self, learner: &Learner<S>, slides: &Slides) {
        self.learned_board = self.board.downgraded(S::MAX_LEARNED_POWER);
        self.choice_board = if self.chooses_downgraded && !is_crowded(self.learned_board) {
            self.learned_board.downgraded(BASE_LEARNED_POWER)
        } else {
            self.learned_board
        };
        self.slide_results = slides.all_up_to_symmetry(self.choice_board);
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

    /// Returns the results of illegal slides, which move no tile: the board, transposed for the slides up and down.
    #[inline(always)]
    fn unmoved(&self) -> [Board; 4] {
        let board = self.choice_board;
        let transposed = board.transposed();
        [board, board, transposed, transposed]
    }

    /// Makes the slide that maximizes its points plus the value of the afterstate, and adds a random tile. If no slide
    /// is legal, the game is over.
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
        let learned_afterstate = if self.learned_board == self.choice_board {
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
        // A slide that makes a new largest tile scores at least its number, so the first condition quickly excludes
        // most slides.
        if points >> self.largest != 0 && after.largest() > self.largest {
            (self.largest_tile_board, self.largest) = (after, after.largest());
        }
        self.board = tiles::add_random(after, slides.cells(), &mut self.random);
    }
}

/// Returns `true` if a board contains 16384 and all tiles from 256 to 8192.
///
/// On such a board, one more tile of 256 starts a chain of merges up to 32768. The downgraded board would share its
/// weights with boards of earlier stages, which have more empty cells.
fn is_crowded(board: Board) -> bool {
    const MIN_POWER: u8 = 8;
    board.has_power_above(BASE_LEARNED_POWER)
        && (MIN_POWER..EXTENDED_LEARNED_POWER).all(|power| board.powers().contains(&power))
}

/// Starts the games `numbers` and returns them. Starts at most [`GAMES_PER_ROUND`] games.
fn start_games<'a>(
    slides: &Slides,
    seed: u64,
    numbers: Range<u64>,
    downgraded_from: u64,
    buffers: &'a mut [Game; GAMES_PER_ROUND],
) -> &'a mut [Game] {
    let games = &mut buffers[..numbers.clone().count().min(GAMES_PER_ROUND)];
    for (game, number) in games.iter_mut().zip(numbers) {
        game.start(slides, seed, number, downgraded_from);
    }
    games
}

/// Plays started games, learns from them, and repeats this for all restarts.
///
/// Returns the results of the games before the restarts, except that the numbers of moves include the
/// restarts.
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
    for restart in 0..2 * times {
        for game in games.iter_mut() {
            let afterstate = if restart < times {
                game.restart_board::<S>(min_power)
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
            // The first afterstate is the board of the restart, which took no move.
            result.moves += game.afterstates.len().saturating_sub(1) as u64;
        }
    }
    results
}

/// Plays started games to their end, alternating between them after each move.
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

/// Learns from all moves of a game, the last move first, so that the value of the next afterstate is already
/// updated (Matsuzaki, 2017).
///
/// With `next` for the next afterstate, the target of an afterstate is
/// `points of the next slide + value(next) + lambda * (target(next) - value(next))`.
fn learn<S: TupleShape>(learner: &Learner<S>, afterstates: &[Afterstate], lambda: f32) {
    processor::run(
        #[inline(always)]
        || {
            let mut prefetched = [NO_INDICES; PREFETCH_MOVES];
            // The game ends after the last afterstate, so no points follow.
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

/// Plays games 0 to `games` - 1 of a seed without learning and returns their statistics. Each slide maximizes its
/// points plus the value of the afterstate.
pub(crate) fn evaluate_network<S: TupleShape>(
    learner: &Learner<S>,
    seed: u64,
    games: u64,
) -> Results {
    let (slides, mut buffers) = (Slides::new(4, 4), new_games());
    let mut results = Results::default();
    for first in (0..games).step_by(GAMES_PER_ROUND) {
        let numbers = first..games.min(first + GAMES_PER_ROUND as u64);
        let games = start_games(&slides, seed, numbers, 0, &mut buffers);
        play(learner, &slides, games);
        for game in games.iter() {
            results.add(game.result());
        }
    }
    results
}

#[cfg(test)]
mod tests;
