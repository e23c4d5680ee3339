//! Network files: binary, with a version and a checksum, written atomically.
//!
//! ```text
//! magic: 8 bytes
//! version
//! length of the next field, in bytes
//! the command line that fitted the network, as text, without paths
//! numbers of points, goats, tiger configurations, first-layer units and second-layer units
//! weights, compressed with zstd: first the weights of the goats, one byte each, then all other weights, two bytes each
//! CRC-32 of all bytes before it
//! ```
//!
//! Numbers are little-endian. They have 4 bytes, except where the list states another size.

use std::array::from_fn;
use std::io::Write;
use std::path::Path;

use super::head::{Head, SECOND_LAYER_UNITS};
use super::tiger_config::{MAX_TIGER_CONFIGS, TigerConfigs};
use super::{BUCKETS, CAPTURE_BUCKETS, FIRST_LAYER_UNITS, FirstLayerRow, Network, Weights};
use crate::durable::{self, Source, compression};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::board::{Board, MAX_POINTS};
use crate::games::hunt::interner::Interner;

const MAGIC: &[u8; 8] = b"PuliHnt\n";
const VERSION: u32 = 3;
/// Maximum length of the stored command in characters. Longer commands are truncated.
const MAX_COMMAND_CHARS: usize = 1 << 14;
/// Maximum size of a network file in bytes.
const MAX_FILE_BYTES: u64 = 1 << 28;
/// Compression level of zstd: slow with small files, because networks are written rarely and compiled into the
/// program.
const ZSTD_LEVEL: i32 = 19;

/// Numbers of points, goats and tiger configurations of a board, which determine the size of its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sizes {
    points: usize,
    goats: usize,
    tiger_configs: usize,
}

impl Sizes {
    fn of(board: &Board, tiger_configs: &TigerConfigs) -> Self {
        Self {
            points: board.points,
            goats: board.goats as usize,
            tiger_configs: tiger_configs.count(),
        }
    }

    /// Returns the sizes in the order of the file.
    fn header_sizes(&self) -> [u32; 5] {
        [
            self.points,
            self.goats,
            self.tiger_configs,
            FIRST_LAYER_UNITS,
            SECOND_LAYER_UNITS,
        ]
        .map(|size| size as u32)
    }

    /// Returns the size of the goat weights in bytes.
    fn goat_bytes(&self) -> usize {
        self.tiger_configs * self.points * FIRST_LAYER_UNITS
    }

    /// Returns the size of all weights in bytes.
    fn bytes(&self) -> usize {
        let rows = self.tiger_configs + self.goats + 1 + CAPTURE_BUCKETS;
        self.goat_bytes() + 2 * (rows * FIRST_LAYER_UNITS + BUCKETS * Head::WEIGHT_COUNT)
    }
}

impl Weights {
    /// Returns the weights as bytes, in the order of the file.
    fn write(&self) -> Vec<u8> {
        let goat_bytes = self.goats.iter().flatten();
        let mut bytes: Vec<u8> = goat_bytes.map(|&number| number as u8).collect();
        bytes.extend(self.wide_weights().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// Parses the weights from `bytes`, whose length must be [`Sizes::bytes`].
    fn read(bytes: &[u8], sizes: &Sizes) -> Self {
        let (goat_bytes, wide_bytes) = bytes.split_at(sizes.goat_bytes());
        let pairs = wide_bytes.chunks_exact(2);
        let mut numbers = pairs.map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut number = || numbers.next().unwrap_or_default();
        let mut rows = |count: usize| -> Vec<FirstLayerRow> {
            (0..count).map(|_| from_fn(|_| number())).collect()
        };
        let rows = [sizes.tiger_configs, sizes.goats + 1, CAPTURE_BUCKETS].map(&mut rows);
        let [tiger_configs, hands, captures] = rows;
        let goats = goat_bytes.chunks_exact(FIRST_LAYER_UNITS);
        Self {
            goats: goats.map(|row| from_fn(|unit| row[unit] as i8)).collect(),
            tiger_configs,
            hands,
            captures,
            heads: (0..BUCKETS).map(|_| Head::read(&mut number)).collect(),
        }
    }
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
        command: String,
        weights: Weights,
    ) -> Self {
        let name = |point| board.point_name(point).clone();
        Self {
            names: (0..board.points).map(name).collect(),
            board,
            tiger_configs,
            command,
            weights,
        }
    }

    /// Writes the network to a file atomically.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn save(&self, path: &Path) -> Result<(), EngineError> {
        let mut bytes = MAGIC.to_vec();
        let command: String = self.command.chars().take(MAX_COMMAND_CHARS).collect();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((command.len() as u32).to_le_bytes());
        bytes.extend(command.as_bytes());
        let sizes = Sizes::of(self.board, &self.tiger_configs).header_sizes();
        bytes.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
        let packed = compression::compress(&self.weights.write(), ZSTD_LEVEL);
        let with_path =
            |error| EngineError::failed(format!("cannot write {}: {error}", path_name(path)));
        bytes.extend(packed.map_err(with_path)?);
        durable::append_checksum(&mut bytes);
        durable::write(path, |out| out.write_all(&bytes)).map(drop)
    }

    /// Parses the network of `board` from the bytes of its file.
    ///
    /// # Errors
    /// If the bytes are damaged or belong to another game.
    pub(crate) fn parse(board: &'static Board, bytes: &[u8]) -> Result<Self, EngineError> {
        let parsed = ParsedFile::read(bytes)?;
        let tiger_configs = TigerConfigs::new(board)?;
        if parsed.sizes != Sizes::of(board, &tiger_configs) {
            return Err(EngineError::new(format!(
                "it is for another game than {}",
                board.name
            )));
        }
        Ok(Self::new(
            board,
            tiger_configs,
            parsed.command,
            parsed.weights,
        ))
    }
}

/// Returns `true` if `bytes` start with the magic, the first bytes of every network file.
pub(crate) fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
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
    command: String,
    sizes: Sizes,
    weights: Weights,
}

impl ParsedFile {
    /// Parses the bytes of a network file and checks everything that does not depend on the board.
    fn read(bytes: &[u8]) -> Result<Self, EngineError> {
        if !has_magic(bytes) {
            return Err(EngineError::new("it is no network file of a hunt game"));
        }
        let content = durable::strip_checksum(bytes);
        let content = content.ok_or_else(|| EngineError::new("it is damaged: wrong checksum"))?;
        let mut reader = ByteReader(&content[MAGIC.len()..]);
        let version = reader.number()?;
        if version != VERSION {
            return Err(EngineError::new(format!(
                "it has version {version}, expected version {VERSION}"
            )));
        }
        let length = reader.number()? as usize;
        let command = String::from_utf8_lossy(reader.take(length)?).into_owned();
        let [points, goats, tiger_configs] = [reader.number()?, reader.number()?, reader.number()?];
        let units = [reader.number()? as usize, reader.number()? as usize];
        let is_possible = points as usize <= MAX_POINTS
            && goats as usize <= MAX_POINTS
            && u64::from(tiger_configs) <= MAX_TIGER_CONFIGS;
        if !is_possible || units != [FIRST_LAYER_UNITS, SECOND_LAYER_UNITS] {
            return Err(EngineError::new("its dimensions fit no board"));
        }
        let sizes = Sizes {
            points: points as usize,
            goats: goats as usize,
            tiger_configs: tiger_configs as usize,
        };
        let unpacked = compression::decompress(reader.0, sizes.bytes()).ok();
        let weight_bytes = unpacked.filter(|bytes| bytes.len() == sizes.bytes());
        let weight_bytes =
            weight_bytes.ok_or_else(|| EngineError::new("its weights cannot be decompressed"))?;
        let weights = Weights::read(&weight_bytes, &sizes);
        if !weights.are_in_bounds() {
            return Err(EngineError::new("its weights are out of bounds"));
        }
        Ok(Self {
            command,
            sizes,
            weights,
        })
    }
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

    /// Parses the next 4 bytes as a number.
    fn number(&mut self) -> Result<u32, EngineError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes(from_fn(|place| bytes[place])))
    }
}
