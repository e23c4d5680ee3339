//! An n-tuple network that evaluates 2048 boards (Szubert and Jaśkowski, 2014).
//!
//! A tuple is a list of cells. The powers on its cells form an index into a table of weights. The value of a board is
//! the sum of one weight for each tuple in each of the eight symmetries of the board. The weights are learned by
//! self-play ([`learner`], [`training`]).
//!
//! The built-in network learned tiles up to 8192. Networks with eight tuples of six cells learn tiles up to 16384.
//! Larger tiles are replaced by smaller tiles before evaluation (`Board::downgraded`).
//!
//! `NOTES.md` in this folder describes the training and strength of the networks, and failed experiments.

pub mod file;
pub mod learner;
pub mod options;
mod packing;
pub mod training;
pub mod tuples;

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::board::tile_remap::TileRemap;
use super::board::{BASE_LEARNED_POWER, Board};
use crate::durable::packaged::{PackagedFile, packaged_file};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::try_alloc;
use crate::value::Value;
use file::{FileKind, Opened, Origin};
use learner::Learner;
use options::TrainingOptions;
pub use packing::CompressionEffort;
use tuples::{MAX_TUPLES, TupleShape, with_shape};

/// The range of the step of a network, in points. With the maximum step, the largest possible weight equals the largest
/// possible evaluation.
const STEPS: RangeInclusive<f64> = 1e-9..=Value::MAX_POINTS as f64 / i16::MAX as f64;

/// A network for evaluation. To save memory, each weight is stored as a 16-bit multiple of a step.
#[derive(Clone, Debug)]
pub struct Network {
    /// The tuples of the network and its training.
    pub origin: Origin,
    /// The power of the largest tile that the network learned.
    max_power: u8,
    /// The step, in points.
    step: f64,
    /// The weights as multiples of the step, tuple by tuple.
    weights: Box<[i16]>,
}

impl Network {
    /// Creates a network from weights in points, which are rounded to multiples of a step.
    ///
    /// The step is `min_step` points, doubled until the largest weight fits in 16 bits.
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

    /// Returns the map for evaluating all boards of a search from `root` by `Network::value_remapped`, or `None`
    /// if the search uses [`Network::value`].
    ///
    /// Values of separately downgraded boards would not be comparable, because different tiles are missing on
    /// different boards. So the map is made for the root and used for all boards.
    ///
    /// Returns `None` if the network has not learned 16384, if `root` has no tile of at least 16384, or if no smaller
    /// tile is missing.
    pub fn remap_for(&self, root: Board) -> Option<TileRemap> {
        if self.max_power == BASE_LEARNED_POWER || !root.has_power_above(BASE_LEARNED_POWER) {
            return None;
        }
        Some(TileRemap::downgrading(root, BASE_LEARNED_POWER))
            .filter(|remap| remap.apply(root) != root)
    }

    /// Returns an estimate of the future points from a board after a slide.
    #[inline]
    pub fn value(&self, board: Board) -> f64 {
        let board = board.downgraded(self.max_power);
        let sum = with_shape!(self.origin.tuples, S => self.sum::<S>(board));
        f64::from(sum) * self.step
    }

    /// Returns an estimate of the future points from a board in a search with the map `remap`. It is the sum of the
    /// value of the remapped board and half the value of the board itself.
    ///
    /// The map halves the large tiles, so the value of the remapped board is about half of the future points. Half the
    /// value of the board itself is added: the network has learned the remapped board from more games, but only the
    /// board itself is exact. `NOTES.md` compares variants of this sum.
    pub(crate) fn value_remapped(&self, remap: &TileRemap, board: Board) -> f64 {
        self.value(remap.apply(board)) + self.value(board) / 2.0
    }

    /// Returns the contribution of each tuple to [`Network::value`], in points, summed over all symmetries.
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

    /// Returns the sum of the weights of a board, in steps.
    #[inline(always)]
    fn sum<S: TupleShape>(&self, board: Board) -> i32 {
        let weights = &self.weights[..S::WEIGHTS];
        let mut sum = 0;
        S::for_each_weight(board, |index| sum += i32::from(weights[index]));
        sum
    }

    /// Returns the built-in network. `NOTES.md` describes its training.
    pub fn shipped() -> Result<Arc<Self>, EngineError> {
        static FILE: PackagedFile = packaged_file!("2048.net", puli_engine_2048_network::TWENTY48);
        static SHIPPED: OnceLock<Result<Arc<Network>, String>> = OnceLock::new();
        let parse = |bytes: &[u8]| Network::parse(bytes).map(Arc::new);
        let shipped = FILE.read(|bytes| SHIPPED.get_or_init(|| parse(bytes)).clone());
        shipped
            .unwrap_or_else(|| Err("it is not loaded".into()))
            .map_err(|why| EngineError::new(format!("cannot use the built-in network: {why}")))
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// If the file cannot be read or is no valid network file. The error names the file.
    pub fn load(path: &Path) -> Result<Self, EngineError> {
        let bytes = file::read(path, FileKind::Network)?;
        Self::parse(&bytes)
            .map_err(|why| EngineError::new(format!("cannot use {}: {why}", path_name(path))))
    }

    /// Writes a network file.
    ///
    /// # Errors
    /// If the file cannot be written. The error names the file.
    pub fn save(&self, path: &Path, effort: CompressionEffort) -> Result<(), EngineError> {
        let write_error =
            |error| EngineError::failed(format!("cannot write {}: {error}", path_name(path)));
        let packed = packing::pack(&self.weights, effort).map_err(write_error)?;
        let length = (size_of::<f64>() + packed.len()) as u64;
        file::write(path, FileKind::Network, &self.origin, length, |out| {
            out.write_all(&self.step.to_le_bytes())?;
            out.write_all(&packed)
        })
    }

    /// Parses the content of a network file.
    ///
    /// # Errors
    /// If the content is invalid. The text describes the problem.
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

/// Checks the checksum, the options and all weights of a training file.
///
/// # Errors
/// If the file is invalid. The error describes the problem.
pub(crate) fn check_training(bytes: &[u8]) -> Result<(), EngineError> {
    let opened = file::open(bytes, FileKind::Training).map_err(EngineError::new)?;
    let (_options, body) =
        TrainingOptions::split_from(opened.body, opened.version, TrainingOptions::default())
            .map_err(EngineError::new)?;
    with_shape!(opened.origin.tuples, S => Learner::<S>::from_bytes(body).map(drop))
}
