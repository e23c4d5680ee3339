//! Network files: binary, with a version and a checksum, written atomically.
//!
//! ```text
//! magic: 8 bytes
//! version
//! length of the next field, in bytes
//! the command that fitted the network, as text, without paths
//! length of the next field, in bytes
//! name of the game, as text
//! CRC-32 of the game's identity, its board and all rules
//! numbers of points, tiger configurations, rows of goats in hand, capture buckets, first-layer units and second-layer units
//! step of the differences
//! number of rows of differences
//! length of the next field, in bytes
//! weights except the differences, compressed with zstd
//! differences, encoded by rANS (`rans`)
//! CRC-32 of all bytes before it
//! ```
//!
//! Numbers are little-endian. They have 4 bytes, except where the list states another size. The compressed weights are:
//!
//! 1. the rows of pairs of a tiger and a goat, one byte per weight
//! 2. all other 16-bit numbers: first the low byte of each, then the high byte of each. They are the weights in zigzag
//!    encoding, and then the frequency of each byte in the differences.
//!
//! The differences are those between the row of a goat and the sum of its rows of pairs, divided by the step, one byte
//! per weight, with wrapping arithmetic. Most differences are small. Rows of goats on a tiger's point are left out.

use std::array::from_fn;
use std::io::Write;
use std::path::Path;

use super::head::{Head, SECOND_LAYER_UNITS};
use super::rans::{BYTES, Frequencies};
use super::tiger_config::{MAX_TIGER_CONFIGS, TigerConfigs};
use super::weights::{Buckets, STEPS, Weights};
use super::{AnyWeights, Network, with_weights};
use crate::bits::{zigzag, zigzag_decode};
use crate::durable::{self, FileFormat, Source, compression};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::board::{Board, MAX_POINTS};
use crate::games::hunt::identity;
use crate::games::hunt::interner::Interner;

/// The format of the files.
pub(crate) const FORMAT: FileFormat = FileFormat {
    magic: *b"PuliHnt\n",
    version: 5,
};

/// Maximum length of the stored recipe in characters. Longer recipes are truncated.
const MAX_RECIPE_CHARS: usize = 1 << 14;
/// Maximum size of a network file in bytes.
const MAX_FILE_BYTES: u64 = 1 << 28;
/// Compression level of zstd: slow with small files, because networks are written rarely and compiled into the
/// program.
const ZSTD_LEVEL: i32 = 19;

/// The numbers that determine the size of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sizes {
    points: usize,
    tiger_configs: usize,
    buckets: Buckets,
    units: usize,
}

impl Sizes {
    /// Returns the sizes in the order of the file.
    fn in_order(&self) -> [u32; 6] {
        [
            self.points,
            self.tiger_configs,
            self.buckets.hand_rows,
            self.buckets.captures,
            self.units,
            SECOND_LAYER_UNITS,
        ]
        .map(|size| size as u32)
    }

    /// Creates sizes from numbers in the order of the file. Returns `None` if no board has them.
    fn from_order(numbers: [u32; 6]) -> Option<Self> {
        let [points, tiger_configs, hand_rows, captures, units, second] =
            numbers.map(|number| number as usize);
        let buckets = Buckets {
            hand_rows,
            captures,
        };
        let is_possible = (1..=MAX_POINTS).contains(&points)
            && (1..=MAX_TIGER_CONFIGS as usize).contains(&tiger_configs)
            && buckets.are_possible()
            && second == SECOND_LAYER_UNITS;
        is_possible.then_some(Self {
            points,
            tiger_configs,
            buckets,
            units,
        })
    }

    /// Returns the number of weights of pairs.
    fn pair_weights(&self) -> usize {
        self.points * self.points * self.units
    }

    /// Returns the number of 16-bit weights.
    fn wide_weights<const UNITS: usize>(&self) -> usize {
        let rows = self.tiger_configs + self.buckets.hand_rows + self.buckets.captures;
        rows * UNITS + self.buckets.heads() * Head::<UNITS>::WEIGHT_COUNT
    }
}

impl<const UNITS: usize> Weights<UNITS> {
    /// Returns the sum of the rows of pairs that belong to the row `index` of a goat.
    fn pair_sum(&self, points: usize, tiger_configs: &TigerConfigs, index: usize) -> [i8; UNITS] {
        let mut sum = [0_i8; UNITS];
        for row in tiger_configs.pair_rows(points, index) {
            for (sum, &weight) in sum.iter_mut().zip(&self.pairs[row]) {
                *sum = sum.wrapping_add(weight);
            }
        }
        sum
    }

    /// Returns the differences as bytes, in the order of the file.
    fn differences(&self, points: usize, tiger_configs: &TigerConfigs) -> Vec<u8> {
        let rows = tiger_configs.possible_goat_rows(points);
        let row_of = |index: usize| -> [u8; UNITS] {
            let sum = self.pair_sum(points, tiger_configs, index);
            let row = &self.goats[index];
            from_fn(|unit| (i16::from(row[unit].wrapping_sub(sum[unit])) / self.step) as u8)
        };
        rows.flat_map(row_of).collect()
    }

    /// Returns all other numbers as bytes, in the order of the file.
    fn write(&self, frequencies: &Frequencies) -> Vec<u8> {
        let pairs = self.pairs.iter().flatten();
        let mut bytes: Vec<u8> = pairs.map(|&number| number as u8).collect();
        let encoded = self.wide_weights().map(|&weight| zigzag(weight));
        let numbers: Vec<u16> = encoded
            .chain(frequencies.numbers().iter().copied())
            .collect();
        for shift in [0, 8] {
            bytes.extend(numbers.iter().map(|number| (number >> shift) as u8));
        }
        bytes
    }

    /// Parses the weights from `bytes`, the decompressed bytes of a file, and `encoded`, its `rows` rows of differences.
    /// The rows of goats are these differences. [`Weights::add_pairs`] adds the sums of the pairs' rows.
    ///
    /// Returns `None` if a length is wrong or a weight is out of bounds.
    fn read(bytes: &[u8], encoded: &[u8], rows: usize, sizes: &Sizes, step: i16) -> Option<Self> {
        let (pairs, numbers) = bytes.split_at_checked(sizes.pair_weights())?;
        let wide_weights = sizes.wide_weights::<UNITS>();
        let (low, high) = numbers.split_at_checked(wide_weights + BYTES)?;
        if low.len() != high.len() {
            return None;
        }
        let number = |index: usize| u16::from_le_bytes([low[index], high[index]]);
        let frequencies = Frequencies::from_numbers(&from_fn(|byte| number(wide_weights + byte)))?;
        let differences = frequencies.decode(encoded, rows * UNITS)?;
        let rows = |bytes: &[u8], factor: i8| -> Vec<[i8; UNITS]> {
            let rows = bytes.as_chunks::<UNITS>().0.iter();
            rows.map(|row| row.map(|number| (number as i8).wrapping_mul(factor)))
                .collect()
        };
        let mut weights = (0..wide_weights).map(|index| zigzag_decode(number(index)));
        let mut weight = || weights.next().unwrap_or_default();
        let mut wide_rows = |count: usize| -> Vec<[i16; UNITS]> {
            (0..count).map(|_| from_fn(|_| weight())).collect()
        };
        let weights = Self {
            step,
            pairs: rows(pairs, 1),
            goats: rows(&differences, step as i8),
            tiger_configs: wide_rows(sizes.tiger_configs),
            hands: wide_rows(sizes.buckets.hand_rows),
            captures: wide_rows(sizes.buckets.captures),
            heads: (0..sizes.buckets.heads())
                .map(|_| Head::read(&mut weight))
                .collect(),
        };
        weights.are_in_bounds().then_some(weights)
    }

    /// Replaces the rows of goats, which contain the differences of the file, by the rows of all goats and tiger
    /// configurations. Returns `false` if the file has another number of rows.
    fn add_pairs(&mut self, points: usize, tiger_configs: &TigerConfigs) -> bool {
        let mut goats: Vec<[i8; UNITS]> = (0..tiger_configs.count() * points)
            .map(|index| self.pair_sum(points, tiger_configs, index))
            .collect();
        let mut rows = self.goats.iter();
        for index in tiger_configs.possible_goat_rows(points) {
            let Some(differences) = rows.next() else {
                return false;
            };
            for (weight, &difference) in goats[index].iter_mut().zip(differences) {
                *weight = weight.wrapping_add(difference);
            }
        }
        let is_complete = rows.next().is_none();
        self.goats = goats;
        is_complete
    }
}

/// Returns the checksum of a game's identity.
fn identity_checksum(board: &Board) -> u32 {
    crc32fast::hash(identity::of(board).as_bytes())
}

/// All networks loaded from files. They are never freed, because evaluators have `'static` references to them.
static LOADED: Interner<Network> = Interner::new();

/// Loads the network of `board` from a file. Returns the existing network if an equal network was loaded
/// before.
///
/// # Errors
/// If the file is unreadable, damaged or made for another game.
pub(crate) fn load(board: &'static Board, path: &Path) -> Result<&'static Network, EngineError> {
    let bytes = read(path)?;
    let with_path =
        |why: EngineError| EngineError::new(format!("cannot use {}: {why}", path_name(path)));
    let network = Network::parse(board, &bytes).map_err(with_path)?;
    let is_same = |loaded: &Network, network: &Network| {
        loaded.board == board && loaded.weights == network.weights
    };
    LOADED.intern(network, is_same, Ok)
}

impl Network {
    /// Creates a network from its weights.
    pub(super) fn new(
        board: &'static Board,
        tiger_configs: TigerConfigs,
        recipe: String,
        weights: AnyWeights,
    ) -> Self {
        let name = |point| board.point_name(point).clone();
        Self {
            names: (0..board.points).map(name).collect(),
            board,
            tiger_configs,
            buckets: Buckets::of(board),
            recipe,
            weights,
        }
    }

    /// Returns the sizes of the network with `units` first-layer units.
    fn sizes(board: &Board, tiger_configs: &TigerConfigs, units: usize) -> Sizes {
        Sizes {
            points: board.points,
            tiger_configs: tiger_configs.count(),
            buckets: Buckets::of(board),
            units,
        }
    }

    /// Returns the number of first-layer units.
    pub(crate) fn units(&self) -> usize {
        with_weights!(&self.weights, weights => weights.units())
    }

    /// Writes the network to a file atomically.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn save(&self, path: &Path) -> Result<(), EngineError> {
        let mut bytes = FORMAT.magic.to_vec();
        let recipe: String = self.recipe.chars().take(MAX_RECIPE_CHARS).collect();
        let number = |bytes: &mut Vec<u8>, number: u32| bytes.extend(number.to_le_bytes());
        number(&mut bytes, FORMAT.version);
        for text in [&recipe, &self.board.name] {
            number(&mut bytes, text.len() as u32);
            bytes.extend(text.as_bytes());
        }
        number(&mut bytes, identity_checksum(self.board));
        let sizes = Self::sizes(self.board, &self.tiger_configs, self.units());
        for size in sizes.in_order() {
            number(&mut bytes, size);
        }
        let (step, differences, frequencies, weights) = with_weights!(&self.weights, weights => {
            let differences = weights.differences(self.board.points, &self.tiger_configs);
            let frequencies = Frequencies::of(&differences);
            let others = weights.write(&frequencies);
            (weights.step, differences, frequencies, others)
        });
        let with_path =
            |error| EngineError::failed(format!("cannot write {}: {error}", path_name(path)));
        let packed = compression::compress(&weights, ZSTD_LEVEL).map_err(with_path)?;
        let rows = differences.len() / self.units();
        for field in [step as u32, rows as u32, packed.len() as u32] {
            number(&mut bytes, field);
        }
        bytes.extend(packed);
        bytes.extend(frequencies.encode(&differences));
        durable::append_checksum(&mut bytes);
        durable::write(path, |out| out.write_all(&bytes)).map(drop)
    }

    /// Parses the network of `board` from the bytes of its file.
    ///
    /// # Errors
    /// If the bytes are damaged or belong to another game.
    pub(crate) fn parse(board: &'static Board, bytes: &[u8]) -> Result<Self, EngineError> {
        let mut parsed = ParsedFile::read(bytes)?;
        let (game, expected) = (&parsed.game, &board.name);
        if game != expected {
            return Err(EngineError::new(format!(
                "it is for {game}, expected {expected}"
            )));
        }
        let tiger_configs = TigerConfigs::new(board)?;
        let sizes = Self::sizes(board, &tiger_configs, parsed.sizes.units);
        if parsed.identity != identity_checksum(board) || parsed.sizes != sizes {
            return Err(EngineError::new(format!(
                "it is for {game} with another board or other rules"
            )));
        }
        let is_complete = with_weights!(&mut parsed.weights, weights => {
            weights.add_pairs(board.points, &tiger_configs)
        });
        if !is_complete {
            return Err(invalid_weights());
        }
        Ok(Self::new(
            board,
            tiger_configs,
            parsed.recipe,
            parsed.weights,
        ))
    }
}

/// Returns `true` if `bytes` start with the magic, the first bytes of every network file.
pub(crate) fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&FORMAT.magic)
}

/// Validates a network file of any game.
///
/// # Errors
/// If the file is unreadable or damaged.
pub(crate) fn check(path: &Path) -> Result<(), EngineError> {
    ParsedFile::read(&read(path)?).map(drop)
}

/// Returns the CRC-32 of a whole network file.
///
/// # Errors
/// If the file is unreadable.
pub(crate) fn checksum(path: &Path) -> Result<u32, EngineError> {
    Ok(crc32fast::hash(&read(path)?))
}

/// Reads a file of at most [`MAX_FILE_BYTES`].
fn read(path: &Path) -> Result<Vec<u8>, EngineError> {
    Source::named(path)?.bytes(MAX_FILE_BYTES)
}

/// Contents of a network file.
struct ParsedFile {
    recipe: String,
    game: String,
    /// Checksum of the game's identity.
    identity: u32,
    sizes: Sizes,
    /// The weights. The rows of goats contain the differences only.
    weights: AnyWeights,
}

impl ParsedFile {
    /// Parses the bytes of a network file and checks everything that does not depend on the board.
    fn read(bytes: &[u8]) -> Result<Self, EngineError> {
        if !has_magic(bytes) {
            return Err(EngineError::new("it is no network file of a hunt game"));
        }
        let content = durable::strip_checksum(bytes);
        let content = content.ok_or_else(|| EngineError::new("it is damaged: wrong checksum"))?;
        let mut reader = ByteReader(&content[FORMAT.magic.len()..]);
        let version = reader.number()?;
        if version != FORMAT.version {
            return Err(EngineError::new(format!(
                "it has version {version}, expected version {}: fit it again",
                FORMAT.version
            )));
        }
        let (recipe, game) = (reader.text()?, reader.text()?);
        let identity = reader.number()?;
        let mut numbers = [0; 6];
        for number in &mut numbers {
            *number = reader.number()?;
        }
        let sizes = Sizes::from_order(numbers)
            .ok_or_else(|| EngineError::new("its dimensions fit no board"))?;
        let step = reader.number()?;
        let step = STEPS.into_iter().find(|&possible| possible as u32 == step);
        let step = step.ok_or_else(|| EngineError::new("its step is not 1, 2, 4 or 8"))?;
        let rows = reader.number()? as usize;
        if rows > sizes.tiger_configs * sizes.points {
            return Err(invalid_weights());
        }
        let length = reader.number()? as usize;
        let packed = [reader.take(length)?, reader.0];
        let weights = match sizes.units {
            32 => unpack::<32>(packed, rows, &sizes, step)?.into(),
            64 => unpack::<64>(packed, rows, &sizes, step)?.into(),
            128 => unpack::<128>(packed, rows, &sizes, step)?.into(),
            units => {
                return Err(EngineError::new(format!(
                    "it has {units} units, expected 32, 64 or 128"
                )));
            }
        };
        Ok(Self {
            recipe,
            game,
            identity,
            sizes,
            weights,
        })
    }
}

/// Decompresses and parses weights: `rows` rows of differences, encoded by rANS, and all others, compressed with zstd.
fn unpack<const UNITS: usize>(
    [packed, differences]: [&[u8]; 2],
    rows: usize,
    sizes: &Sizes,
    step: i16,
) -> Result<Weights<UNITS>, EngineError> {
    let length = sizes.pair_weights() + 2 * (sizes.wide_weights::<UNITS>() + BYTES);
    let bytes = compression::decompress(packed, length)
        .map_err(|_| EngineError::new("its weights cannot be decompressed"))?;
    Weights::read(&bytes, differences, rows, sizes, step).ok_or_else(invalid_weights)
}

/// Returns the error of weights that do not fit the sizes.
fn invalid_weights() -> EngineError {
    EngineError::new("its weights are incomplete or out of bounds")
}

/// The unparsed bytes.
struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    /// Returns the next `length` bytes.
    fn take(&mut self, length: usize) -> Result<&'a [u8], EngineError> {
        let taken = self.0.split_at_checked(length);
        let (taken, rest) = taken.ok_or_else(|| EngineError::new("it is truncated"))?;
        self.0 = rest;
        Ok(taken)
    }

    /// Parses the next field as text with its length.
    fn text(&mut self) -> Result<String, EngineError> {
        let length = self.number()? as usize;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    /// Parses the next 4 bytes as a number.
    fn number(&mut self) -> Result<u32, EngineError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes(from_fn(|place| bytes[place])))
    }
}
