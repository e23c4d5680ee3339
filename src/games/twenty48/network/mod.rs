//! An n-tuple network that evaluates 2048 boards (Szubert and Jaśkowski, 2014).
//!
//! The network sums one weight for each tuple of cells in each symmetry of the board. Puli trains networks by
//! self-play with temporal-coherence learning (Beal and Smith, 1999; Jaśkowski, 2018).
//!
//! The built-in network learned tiles up to 8192, and eight tuples of six cells learn 16384. Boards with larger
//! tiles are downgraded: all tiles above a missing tile are halved, repeatedly (Guei, Chen and Wu, 2021;
//! [`Board::downgraded`]). A search from a board with 16384 adds two values: that of the board under the
//! [`TileRemap`] of its root, and half that of the real board.
//!
//! `NOTES.md` in this folder describes how the networks were made, how well they play, and which experiments
//! failed.

pub mod file;
pub mod learner;
pub mod options;
mod packing;
pub mod training;
pub mod tuples;

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::board::tile_remap::TileRemap;
use super::board::{BASE_LEARNED_POWER, Board};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::try_alloc;
use crate::value::Value;
use file::{FileKind, Opened, Origin};
use learner::Learner;
use options::TrainingOptions;
pub use packing::CompressionEffort;
use tuples::{MAX_TUPLES, TupleShape, with_shape};

/// Possible values of a step, in points. With the largest step, a single weight is worth as much as the largest
/// possible evaluation.
const STEPS: RangeInclusive<f64> = 1e-9..=Value::MAX_POINTS as f64 / i16::MAX as f64;

/// A network for evaluation. Its weights are multiples of a step.
#[derive(Clone, Debug)]
pub struct Network {
    /// The origin of the network.
    pub origin: Origin,
    /// The largest power that the network learned.
    max_power: u8,
    /// The value of one unit of a weight, in points.
    step: f64,
    weights: Box<[i16]>,
}

impl Network {
    /// Creates a network from weights in points, rounded to multiples of a step. The step is `min_step` times a
    /// power of two.
    pub fn new(origin: Origin, min_step: f64, weights: impl Iterator<Item = f32> + Clone) -> Self {
        let largest = weights.clone().fold(0.0, |largest: f64, weight| {
            largest.max(f64::from(weight.abs()))
        });
        let mut step = min_step;
        while largest / step > f64::from(i16::MAX) && 2.0 * step <= *STEPS.end() {
            step *= 2.0;
        }
        let weights = weights
            .map(|weight| (f64::from(weight) / step).round() as i16)
            .collect();
        Self {
            max_power: origin.tuples.max_learned_power(),
            origin,
            step,
            weights,
        }
    }

    /// Returns the map by which a search from `root` downgrades all its boards, so that they are comparable with
    /// each other.
    ///
    /// Returns `None` if the network did not learn 16384, if `root` has no such tile, or if no smaller tile is
    /// missing.
    pub fn remap_for(&self, root: Board) -> Option<TileRemap> {
        if self.max_power == BASE_LEARNED_POWER || !root.has_power_above(BASE_LEARNED_POWER) {
            return None;
        }
        Some(TileRemap::downgrading(root, BASE_LEARNED_POWER))
            .filter(|remap| remap.apply(root) != root)
    }

    /// Returns the expected future points of a board after a slide.
    #[inline]
    pub fn value(&self, board: Board) -> f64 {
        let board = board.downgraded(self.max_power);
        let sum = with_shape!(self.origin.tuples, S => self.sum::<S>(board));
        f64::from(sum) * self.step
    }

    /// Returns the value of a board in a search with the map `remap`: its value under the map, plus half its real
    /// value.
    ///
    /// The map halves most tiles, so the first value is about half of the points to come. The network knows the
    /// remapped board better, but only the second value is that of the right board.
    pub(crate) fn value_remapped(&self, remap: &TileRemap, board: Board) -> f64 {
        self.value(remap.apply(board)) + self.value(board) / 2.0
    }

    /// Returns the contribution of each tuple to the value, summed over all symmetries.
    pub fn terms(&self, board: Board) -> Vec<(&'static str, f64)> {
        const NAMES: [&str; MAX_TUPLES] = [
            "tuple 1", "tuple 2", "tuple 3", "tuple 4", "tuple 5", "tuple 6", "tuple 7", "tuple 8",
        ];
        let mut sums = [0; MAX_TUPLES];
        let board = board.downgraded(self.max_power);
        let tuples = with_shape!(self.origin.tuples, S => {
            S::for_each_weight(board, |index| {
                sums[index / S::TUPLE_WEIGHTS] += i32::from(self.weights[index]);
            });
            S::TUPLES.len()
        });
        let terms = NAMES.into_iter().zip(sums).take(tuples);
        terms
            .map(|(name, sum)| (name, f64::from(sum) * self.step))
            .collect()
    }

    #[inline(always)]
    fn sum<S: TupleShape>(&self, board: Board) -> i32 {
        let weights = &self.weights[..S::WEIGHTS];
        let mut sum = 0;
        S::for_each_weight(board, |index| sum += i32::from(weights[index]));
        sum
    }

    /// Returns the built-in network. `NOTES.md` describes its training.
    pub fn shipped() -> Result<Arc<Self>, EngineError> {
        static SHIPPED: LazyLock<Result<Arc<Network>, String>> =
            LazyLock::new(|| Network::parse(include_bytes!("shipped.net")).map(Arc::new));
        SHIPPED
            .clone()
            .map_err(|why| EngineError::new(format!("cannot use the built-in network: {why}")))
    }

    /// Reads a network file.
    pub fn load(path: &Path) -> Result<Self, EngineError> {
        let bytes = file::read(path, FileKind::Network)?;
        Self::parse(&bytes)
            .map_err(|why| EngineError::new(format!("cannot use {}: {why}", path_name(path))))
    }

    /// Writes a network file.
    pub fn save(&self, path: &Path, effort: CompressionEffort) -> Result<(), EngineError> {
        let refuse =
            |error| EngineError::failed(format!("cannot write {}: {error}", path_name(path)));
        let packed = packing::pack(&self.weights, effort).map_err(refuse)?;
        let length = (size_of::<f64>() + packed.len()) as u64;
        file::write(path, FileKind::Network, &self.origin, length, |out| {
            out.write_all(&self.step.to_le_bytes())?;
            out.write_all(&packed)
        })
    }

    /// Parses the contents of a network file. The error describes the problem.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let Opened {
            origin,
            version,
            body,
        } = file::open(bytes, FileKind::Network)?;
        let (step, packed) = body
            .split_first_chunk()
            .ok_or("it ends before its weights")?;
        let step = f64::from_le_bytes(*step);
        if !STEPS.contains(&step) {
            return Err(format!(
                "its step is {step}, expected {} to {} points a step",
                STEPS.start(),
                STEPS.end()
            ));
        }
        let unpack = if version > 2 {
            packing::unpack
        } else {
            packing::unpack_version_2
        };
        let weights = try_alloc::zeroed(origin.tuples.weights()).map_err(|why| why.to_string())?;
        let mut weights = weights.into_boxed_slice();
        unpack(packed, &mut weights).ok_or("its weights are damaged")?;
        let max_power = if version >= file::FIRST_EXTENDED_VERSION {
            origin.tuples.max_learned_power()
        } else {
            BASE_LEARNED_POWER
        };
        Ok(Self {
            origin,
            max_power,
            step,
            weights,
        })
    }
}

/// Checks the checksum, the options and all weights of a training file. The error describes the problem.
pub(crate) fn check_training(bytes: &[u8]) -> Result<(), EngineError> {
    let opened = file::open(bytes, FileKind::Training).map_err(EngineError::new)?;
    let (_options, body) =
        TrainingOptions::split_from(opened.body, opened.version, TrainingOptions::default())
            .map_err(EngineError::new)?;
    with_shape!(opened.origin.tuples, S => Learner::<S>::from_bytes(body).map(drop))
}
