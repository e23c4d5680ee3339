//! An n-tuple network (Szubert and Jaśkowski, 2014): an evaluation of 2048 that Puli has learned by playing.
//!
//! # How well it plays, and how it was made
//!
//! `expectimax` weighs every tile by its chance, to the end of the game on small boards: 66.964149 points are to be expected on 2×2
//! cells and 480.258272 on 2×3. `minimax` and `alphabeta` expect the worst tile always. `auto` is expectimax with a probability cut-off,
//! deeper while time allows. Boards of 4×4 are judged by an n-tuple network (Szubert and Jaśkowski, 2014) that Puli taught itself by
//! temporal-coherence learning (Beal and Smith, 1999; Jaśkowski, 2018), smaller ones by a hand-written heuristic. The
//! network knows tiles up to 32768; a board with larger ones, up to the 131072 that sixteen cells have room for, is judged as the one
//! on which all tiles above a missing one are halved (Guei, Chen and Wu, 2021).
//!
//! ```text
//! target/release/puli play 2048 --games 200 --depth 2
//! target/release/puli train 2048 --tuples 4x6 --minutes 15 --threads 2 --seed 46 --out large.net
//! target/release/puli play 2048 --games 200 --depth 2 --eval-file large.net
//! ```
//!
//! `--depth` counts the player's own moves: with 2 he sees his move, the tile, and his move again. The tiles are drawn by `play`, from a
//! seed, and no search sees them beforehand. Measured on one thread of an AMD EPYC with other work beside it, seed 1:
//!
//! | player | games | mean score | 2048 | 4096 | 8192 | 16384 | moves/s |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | `--depth 2` | 200 | 136,594 ± 2,702 | 99.5% | 99.5% | 77.5% | 2.0% | 55,642 |
//! | `--depth 3` | 100 | 162,151 ± 3,837 | 100% | 100% | 92.0% | 6.0% | 6,416 |
//! | `--depth 2 --eval-file large.net` | 200 | 168,342 ± 3,698 | 100% | 99.5% | 87.5% | 13.0% | 21,649 |
//! | `--algorithm alphabeta --depth 2` | 200 | 89,250 ± 2,438 | 97.5% | 90.5% | 30.0% | 0% | 38,260 |
//! | `--algorithm alphabeta --depth 2 --tiles worst` | 100 | 2,423 ± 84 | 0% | 0% | 0% | 0% | 48,047 |
//!
//! The network inside the program (`src/games/twenty48/network/shipped.net`, 1.9 MiB: four tuples of five cells, weights rounded
//! to 16 points) learned from 107,765 games, about 350 million moves. These two commands made it; the second one only rounds:
//!
//! ```text
//! puli train 2048 --minutes 13 --threads 2 --seed 2048 --out 4x5.net
//! puli train 2048 --resume --games 0 --step 16 --out 4x5.net
//! ```
//!
//! The seed decides every game's tiles. With one thread the same command makes the same file to the byte; with two the order in
//! which the games teach differs. `large.net` in the table had learned from 77,213 games (about 250 million moves) in 25 minutes
//! on two cores that were shared with other work.

pub mod file;
pub mod learner;
pub mod training;
pub mod tuples;

use std::io::{Read, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};

use super::board::Board;
use crate::error::Refusal;
use crate::value::Value;
use file::{FileKind, Opened, Origin};
use learner::Learner;
use tuples::{FourByFive, FourBySix, Shape, TUPLES, Tuples};

/// Points that a step of the weights can stand for. With the largest one a single weight is worth as much as any
/// evaluation may be.
const STEPS: RangeInclusive<f64> = 1e-9..=Value::MOST_POINTS as f64 / i16::MAX as f64;

/// A network to play with: its weights are whole multiples of a step.
#[derive(Clone, Debug)]
pub struct Network {
    /// Where it comes from.
    pub origin: Origin,
    /// Points per unit of a weight.
    step: f64,
    weights: Box<[i16]>,
}

impl Network {
    /// The network of these weights, in points, rounded to multiples of a power of two that is at least `finest`.
    pub fn new(origin: Origin, finest: f64, weights: impl Iterator<Item = f32> + Clone) -> Self {
        let largest = weights.clone().fold(0.0, |largest: f64, weight| {
            largest.max(f64::from(weight.abs()))
        });
        let mut step = finest;
        while largest / step > f64::from(i16::MAX) && 2.0 * step <= *STEPS.end() {
            step *= 2.0;
        }
        let weights = weights
            .map(|weight| (f64::from(weight) / step).round() as i16)
            .collect();
        Self {
            origin,
            step,
            weights,
        }
    }

    /// The points expected from a board on that a slide has left.
    #[inline]
    pub fn value(&self, board: Board) -> f64 {
        let sum = match self.origin.tuples {
            Tuples::FourByFive => self.sum::<FourByFive>(board),
            Tuples::FourBySix => self.sum::<FourBySix>(board),
        };
        f64::from(sum) * self.step
    }

    /// What each tuple adds to the value, in all its symmetries together.
    pub fn terms(&self, board: Board) -> [(&'static str, f64); TUPLES] {
        let sums = match self.origin.tuples {
            Tuples::FourByFive => self.sums::<FourByFive>(board),
            Tuples::FourBySix => self.sums::<FourBySix>(board),
        };
        let named = ["tuple 1", "tuple 2", "tuple 3", "tuple 4"]
            .into_iter()
            .zip(sums);
        let mut terms = [("", 0.0); TUPLES];
        for (term, (name, sum)) in terms.iter_mut().zip(named) {
            *term = (name, f64::from(sum) * self.step);
        }
        terms
    }

    fn sums<S: Shape>(&self, board: Board) -> [i32; TUPLES] {
        let mut sums = [0; TUPLES];
        S::for_each_weight(board, |index| {
            sums[index / S::SIZE] += i32::from(self.weights[index]);
        });
        sums
    }

    #[inline]
    fn sum<S: Shape>(&self, board: Board) -> i32 {
        let weights = &self.weights[..TUPLES * S::SIZE];
        let mut sum = 0;
        S::for_each_weight(board, |index| sum += i32::from(weights[index]));
        sum
    }

    /// The network inside the program. This module's documentation tells how it was made.
    pub fn shipped() -> Result<Arc<Self>, Refusal> {
        static SHIPPED: LazyLock<Result<Arc<Network>, String>> =
            LazyLock::new(|| Network::parse(include_bytes!("shipped.net")).map(Arc::new));
        SHIPPED.clone().map_err(|why| {
            Refusal::new(format!("cannot use the network inside the program: {why}"))
        })
    }

    /// Reads a network from a file.
    pub fn load(path: &Path) -> Result<Self, Refusal> {
        let bytes = file::read(path, FileKind::Network)?;
        Self::parse(&bytes)
            .map_err(|why| Refusal::new(format!("cannot use {}: {why}", path.display())))
    }

    /// Writes the network to a file.
    pub fn save(&self, path: &Path) -> Result<(), Refusal> {
        let packed = pack(&self.weights);
        let length = (size_of::<f64>() + packed.len()) as u64;
        file::write(path, FileKind::Network, &self.origin, length, |out| {
            out.write_all(&self.step.to_le_bytes())?;
            out.write_all(&packed)
        })
    }

    /// Reads a network from the bytes of its file. The error says what is wrong with them.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let Opened { origin, body, .. } = file::open(bytes, FileKind::Network)?;
        let (step, packed) = body.split_first_chunk().ok_or("it has no weights")?;
        let step = f64::from_le_bytes(*step);
        if !STEPS.contains(&step) {
            return Err(format!("its weights count {step} points a step"));
        }
        let weights =
            unpack(packed, origin.tuples.weights()).ok_or("its weights cannot be read")?;
        Ok(Self {
            origin,
            step,
            weights,
        })
    }
}

/// Whether the bytes of a training's file are sound: the checksum, and every weight. The error says what is wrong.
pub fn check_training(bytes: &[u8]) -> Result<(), Refusal> {
    let opened = file::open(bytes, FileKind::Training).map_err(Refusal::new)?;
    // The first version has no goal.
    let goal = if opened.version > 1 {
        size_of::<u64>()
    } else {
        0
    };
    let body = &opened.body[goal..];
    match opened.origin.tuples {
        Tuples::FourByFive => Learner::<FourByFive>::resumed(body).map(drop),
        Tuples::FourBySix => Learner::<FourBySix>::resumed(body).map(drop),
    }
}

/// The weights' lower bytes and then their upper ones, which are much alike, deflated (RFC 1951).
fn pack(weights: &[i16]) -> Vec<u8> {
    let bytes = |index: usize| {
        weights
            .iter()
            .map(move |weight| weight.to_le_bytes()[index])
    };
    let planes: Vec<u8> = bytes(0).chain(bytes(1)).collect();
    let mut packed = Vec::new();
    DeflateEncoder::new(planes.as_slice(), Compression::best())
        .read_to_end(&mut packed)
        .unwrap_or_else(|_| unreachable!("memory can always be read"));
    packed
}

/// The inverse of [`pack`], if that many weights were packed.
fn unpack(packed: &[u8], count: usize) -> Option<Box<[i16]>> {
    let mut planes = Vec::new();
    // One byte more than there should be, so that a file cannot ask for any amount of memory.
    let read = DeflateDecoder::new(packed)
        .take(2 * count as u64 + 1)
        .read_to_end(&mut planes);
    if read.ok()? != 2 * count {
        return None;
    }
    let (lower, upper) = planes.split_at(count);
    Some(
        lower
            .iter()
            .zip(upper)
            .map(|(&lower, &upper)| i16::from_le_bytes([lower, upper]))
            .collect(),
    )
}
