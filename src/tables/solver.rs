//! The whole solution, layer by layer in a folder: what is finished there is kept, what is missing is found from it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::blocks::{Blocks, choose};
use super::file::{self, Label};
use super::layer::{BYTES_INSIDE, Layer, Scope};
use super::rank::Ranking;
use super::reader::LayerFile;
use super::tally::Tally;
use super::turn::TigerMove;
use super::word::DIMENSIONS;
use super::{movement, placement};
use crate::error::Refusal;
use crate::games::hunt::Board;
use crate::games::hunt::board::BAGH_CHAL;
use crate::value::Side;

/// What to solve, and where.
#[derive(Clone, Debug)]
pub struct Task {
    /// The game.
    pub scope: Scope,
    /// Goats in hand of the last layer: 0 for the movement phase alone.
    pub last_hand: u32,
    /// Where the tables are kept.
    pub folder: PathBuf,
    /// MiB of memory that may be used.
    pub memory: u64,
}

/// What a task will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Positions with either side to move, mirror images and the like counted apart.
    pub positions: u64,
    /// The same up to symmetry, about: as many as have values in the tables.
    pub values: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes on disk, about.
    pub disk: u64,
    /// Seconds, about, with this many threads.
    pub seconds: f64,
}

/// Values found per second of processor time in the placement phase: measured on a 2.6 GHz server.
const PLACEMENT_RATE: f64 = 1.2e8;
/// Bytes on disk per thousand values: measured on the whole of Aadu Puli.
const DISK_PER_THOUSAND: u64 = 50;

/// What the solver tells on its way.
#[derive(Clone, Debug)]
pub enum News<'a> {
    /// Work on a layer begins: so many parts of it are to be done, if that is known.
    Begins(Label, Option<u64>),
    /// A ply of the movement phase is finished: this side wins in so many plies in so many positions.
    Ply(Side, u32, u64),
    /// A layer was there already.
    Kept(&'a LayerFile),
    /// What was there could not be used, and is made again.
    Unusable(&'a Refusal),
    /// A layer is finished and in its file of so many bytes.
    Finished(Label, &'a [Tally], Duration, u64),
}

/// Solves what is missing.
#[derive(Debug)]
pub struct Solver {
    task: Task,
    ranking: Ranking,
    /// Parts of the present layer that are done.
    pub done: AtomicU64,
}

impl Solver {
    /// Refuses a task that would take more memory than it may.
    pub fn new(task: Task) -> Result<Self, Refusal> {
        let solver = Self {
            ranking: Ranking::new(task.scope.board),
            task,
            done: AtomicU64::new(0),
        };
        let needed = solver.forecast(1).memory.div_ceil(1 << 20);
        if needed > solver.task.memory {
            return Err(Refusal::new(format!(
                "this needs {needed} MiB of memory, and {} are allowed",
                solver.task.memory
            )));
        }
        Ok(solver)
    }

    /// What the whole task takes, whatever is there already.
    pub fn forecast(&self, threads: usize) -> Forecast {
        let scope = &self.task.scope;
        let sets: u64 = self
            .ranking
            .sets
            .iter()
            .map(|set| u64::from(set.images))
            .sum();
        let folded = self.ranking.sets.len() as u64;
        let mut forecast = Forecast {
            positions: 0,
            values: 0,
            memory: 0,
            disk: 0,
            seconds: 0.0,
        };
        for hand in 0..=self.task.last_hand {
            let mut values = 0;
            for tigers_to_move in [false, true] {
                let goats: u64 = scope
                    .arising(hand, tigers_to_move)
                    .map(|on_board| choose(self.ranking.dimensions, on_board))
                    .sum();
                forecast.positions += sets * goats;
                values += folded * goats;
            }
            forecast.values += values;
            let rate = if hand == 0 {
                movement_rate(scope.board)
            } else {
                PLACEMENT_RATE
            };
            forecast.seconds += values as f64 / rate / threads as f64;
            forecast.memory = forecast.memory.max(self.layer_memory(hand));
        }
        forecast.disk = forecast.values * DISK_PER_THOUSAND / 1000;
        forecast
    }

    /// Two layers of bytes, and in the movement phase as many positions again as bits, won and lost and as found.
    fn layer_memory(&self, hand: u32) -> u64 {
        let goats = self.task.scope.on_board(hand);
        let sets = self.ranking.sets.len() as u64;
        let size = |inside| {
            let blocks = Blocks::new(self.ranking.dimensions, inside, goats.clone(), 1);
            sets * blocks.len() as u64 * 64
        };
        let bits = if hand == 0 { 4 * size(DIMENSIONS) } else { 0 };
        2 * size(BYTES_INSIDE) + bits + (64 << 20)
    }

    /// Solves layer after layer. `news` hears of every step.
    pub fn run(&self, news: &(dyn Fn(News) + Sync)) -> Result<(), Refusal> {
        std::fs::create_dir_all(&self.task.folder).map_err(|error| {
            Refusal::new(format!(
                "folder {} cannot be made: {error}",
                self.task.folder.display()
            ))
        })?;
        let (mut hand, mut below) = self.resume(news);
        let mut moves = Vec::new();
        while hand <= self.task.last_hand {
            self.done.store(0, Ordering::Relaxed);
            below = if hand == 0 {
                Some(self.movement(news)?)
            } else {
                if moves.is_empty() {
                    moves = TigerMove::of_every_set(&self.ranking, BYTES_INSIDE);
                }
                let layer = match below {
                    Some(layer) => layer,
                    None => self.load(hand - 1)?,
                };
                self.placement(hand, layer, &moves, news)?
            };
            hand += 1;
        }
        Ok(())
    }

    /// The first layer to solve, and the one below it if that had to be read already.
    fn resume(&self, news: &(dyn Fn(News) + Sync)) -> (u32, Option<Layer>) {
        let mut hand = 0;
        while hand <= self.task.last_hand {
            let mut files = Vec::new();
            for tigers_to_move in [false, true] {
                let label = self.label(hand, tigers_to_move);
                if !label.is_stored() {
                    continue;
                }
                match LayerFile::open(&self.task.folder, label, &self.ranking) {
                    Ok(file) => files.push(file),
                    Err(refusal) => {
                        news(News::Unusable(&refusal));
                        files.push(None);
                    }
                }
            }
            if files.iter().any(Option::is_none) {
                break;
            }
            files
                .iter()
                .flatten()
                .for_each(|file| news(News::Kept(file)));
            hand += 1;
        }
        // What is built upon must be sound: a damaged layer is made again.
        while hand > 0 && hand <= self.task.last_hand {
            match self.load(hand - 1) {
                Ok(layer) => return (hand, Some(layer)),
                Err(refusal) => news(News::Unusable(&refusal)),
            }
            hand -= 1;
        }
        (hand, None)
    }

    fn load(&self, hand: u32) -> Result<Layer, Refusal> {
        let label = self.label(hand, true);
        LayerFile::open(&self.task.folder, label, &self.ranking)?
            .ok_or_else(|| Refusal::new(format!("there is no {}", label.file_name())))?
            .load(&self.ranking)
    }

    fn movement(&self, news: &(dyn Fn(News) + Sync)) -> Result<Layer, Refusal> {
        let start = Instant::now();
        news(News::Begins(self.label(0, false), None));
        let [goats, tigers] =
            movement::solve(&self.ranking, &self.task.scope, &|winner, plies, count| {
                self.done.store(u64::from(plies), Ordering::Relaxed);
                news(News::Ply(winner, plies, count));
            })?;
        self.keep(self.label(0, false), &goats, start, news)?;
        drop(goats);
        self.keep(self.label(0, true), &tigers, start, news)?;
        Ok(tigers)
    }

    fn placement(
        &self,
        hand: u32,
        below: Layer,
        moves: &[Vec<TigerMove>],
        news: &(dyn Fn(News) + Sync),
    ) -> Result<Option<Layer>, Refusal> {
        let start = Instant::now();
        let parts = self.ranking.sets.len() as u64;
        let label = self.label(hand, false);
        news(News::Begins(label, Some(parts)));
        let goats =
            placement::goats_to_move(&self.ranking, &self.task.scope, hand, &below, &self.done)?;
        drop(below);
        self.keep(label, &goats, start, news)?;
        let label = self.label(hand, true);
        if label.is_empty() {
            return Ok(None);
        }
        let start = Instant::now();
        self.done.store(0, Ordering::Relaxed);
        news(News::Begins(label, Some(parts)));
        let tigers = placement::tigers_to_move(&self.ranking, moves, &goats, &self.done)?;
        drop(goats);
        self.keep(label, &tigers, start, news)?;
        Ok(Some(tigers))
    }

    fn keep(
        &self,
        label: Label,
        layer: &Layer,
        start: Instant,
        news: &(dyn Fn(News) + Sync),
    ) -> Result<(), Refusal> {
        let tallies = Tally::of(&self.ranking, layer, label.tigers_to_move);
        let bytes = if label.is_stored() {
            file::write(&self.task.folder, &label, &self.ranking, layer, &tallies)?
        } else {
            0
        };
        news(News::Finished(label, &tallies, start.elapsed(), bytes));
        Ok(())
    }

    fn label(&self, hand: u32, tigers_to_move: bool) -> Label {
        Label {
            scope: self.task.scope,
            hand,
            tigers_to_move,
        }
    }
}

/// The same in the movement phase, where only won positions cost time: three in a hundred in Aadu Puli, three in four
/// in Bagh Chal.
fn movement_rate(board: &Board) -> f64 {
    if board.name == BAGH_CHAL.name {
        2.2e6
    } else {
        2.5e7
    }
}

#[cfg(test)]
mod tests;
