//! Networks as files: versioned, with a checksum, and never half written.
//!
//! ```text
//! magic, version, length of the text, the text: the command that made it, without paths     (numbers are little-endian, of four bytes)
//! points, goats, stands of the tigers, units, units of the second layer
//! the numbers, compressed with zstd; the CRC-32 of all these
//! ```

use std::array::from_fn;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::head::{Head, SECOND};
use super::tiger_config::{MAX_TIGER_CONFIGS, Stands};
use super::{CAPTURES, HIDDEN, KINDS, Network, Row, Weights};
use crate::durable::{self, Source};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::board::{Board, MAX_POINTS};

const MAGIC: &[u8; 8] = b"PuliHnt\n";
const VERSION: u32 = 3;
/// The longest text that is written, in characters.
const MAX_TEXT_BYTES: usize = 1 << 14;
/// No network has a longer file.
const MAX_FILE_BYTES: u64 = 1 << 28;
/// How much zstd tries.
const EFFORT: i32 = 19;

/// How many there are of what the numbers belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sizes {
    points: usize,
    goats: usize,
    stands: usize,
}

impl Sizes {
    fn of(board: &Board, stands: &Stands) -> Self {
        Self {
            points: board.points,
            goats: board.goats as usize,
            stands: stands.count(),
        }
    }

    fn written(&self) -> [u32; 5] {
        [self.points, self.goats, self.stands, HIDDEN, SECOND].map(|size| size as u32)
    }

    /// Bytes of what goats add.
    fn short(&self) -> usize {
        self.stands * self.points * HIDDEN
    }

    /// Bytes of all numbers.
    fn bytes(&self) -> usize {
        let rows = self.stands + self.goats + 1 + CAPTURES;
        self.short() + 2 * (rows * HIDDEN + KINDS * Head::NUMBERS)
    }
}

impl Weights {
    fn write(&self) -> Vec<u8> {
        let short = self.goats.iter().flatten();
        let mut bytes: Vec<u8> = short.map(|&number| number as u8).collect();
        bytes.extend(self.long().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// What was written, of so many bytes.
    fn read(bytes: &[u8], sizes: &Sizes) -> Self {
        let (short, long) = bytes.split_at(sizes.short());
        let pairs = long.chunks_exact(2);
        let mut numbers = pairs.map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut number = || numbers.next().unwrap_or_default();
        let mut rows =
            |count: usize| -> Vec<Row> { (0..count).map(|_| from_fn(|_| number())).collect() };
        let rows = [sizes.stands, sizes.goats + 1, CAPTURES].map(&mut rows);
        let [stands, hands, captures] = rows;
        let goats = short.chunks_exact(HIDDEN);
        Self {
            goats: goats.map(|row| from_fn(|unit| row[unit] as i8)).collect(),
            stands,
            hands,
            captures,
            heads: (0..KINDS).map(|_| Head::read(&mut number)).collect(),
        }
    }
}

/// The networks that were read from files. One that a search judges by is never given up.
static LOADED: Mutex<Vec<&'static Network>> = Mutex::new(Vec::new());

/// Reads the network of a board from a file.
///
/// # Errors
/// Where the file cannot be read, is damaged, or is of another game.
pub fn load(board: &'static Board, path: &Path) -> Result<&'static Network, EngineError> {
    let bytes = read(path)?;
    let refuse =
        |why: EngineError| EngineError::new(format!("cannot use {}: {why}", path_name(path)));
    let network = Network::parse(board, &bytes).map_err(refuse)?;
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_it =
        |known: &&&'static Network| known.board == board && known.weights == network.weights;
    if let Some(known) = loaded.iter().find(is_it) {
        return Ok(known);
    }
    let network = Box::leak(Box::new(network));
    loaded.push(network);
    Ok(network)
}

impl Network {
    /// The network of these numbers.
    pub(super) fn new(
        board: &'static Board,
        stands: Stands,
        command: String,
        weights: Weights,
    ) -> Self {
        let name = |point| board.point_name(point).clone();
        Self {
            names: (0..board.points).map(name).collect(),
            board,
            stands,
            command,
            weights,
        }
    }

    /// Writes the network to a file.
    pub fn save(&self, path: &Path) -> Result<(), EngineError> {
        let mut bytes = MAGIC.to_vec();
        let command: String = self.command.chars().take(MAX_TEXT_BYTES).collect();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((command.len() as u32).to_le_bytes());
        bytes.extend(command.as_bytes());
        let sizes = Sizes::of(self.board, &self.stands).written();
        bytes.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
        let packed = zstd::bulk::compress(&self.weights.write(), EFFORT);
        let refuse =
            |error| EngineError::failed(format!("{} cannot be written: {error}", path_name(path)));
        bytes.extend(packed.map_err(refuse)?);
        durable::append_checksum(&mut bytes);
        durable::write(path, |out| out.write_all(&bytes)).map(drop)
    }

    /// Reads a network of a board from the bytes of its file.
    ///
    /// # Errors
    /// Says what is wrong with them.
    pub fn parse(board: &'static Board, bytes: &[u8]) -> Result<Self, EngineError> {
        let opened = Opened::read(bytes)?;
        let stands = Stands::new(board)?;
        if opened.sizes != Sizes::of(board, &stands) {
            return Err(EngineError::new(format!("it is not of {}", board.name)));
        }
        Ok(Self::new(board, stands, opened.command, opened.weights))
    }
}

/// Whether these bytes begin a network's file.
pub fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Whether a network's file is sound, whatever game it is of.
///
/// # Errors
/// Says what is wrong with it.
pub fn check(path: &Path) -> Result<(), EngineError> {
    Opened::read(&read(path)?).map(drop)
}

/// Returns the CRC-32 of a network's file.
///
/// # Errors
/// If the file cannot be read.
pub fn checksum(path: &Path) -> Result<u32, EngineError> {
    Ok(crc32fast::hash(&read(path)?))
}

/// The bytes of a file, if they can be those of a network.
fn read(path: &Path) -> Result<Vec<u8>, EngineError> {
    Source::named(path)?.bytes(MAX_FILE_BYTES)
}

/// What a file holds.
struct Opened {
    command: String,
    sizes: Sizes,
    weights: Weights,
}

impl Opened {
    fn read(bytes: &[u8]) -> Result<Self, EngineError> {
        if !begins(bytes) {
            return Err(EngineError::new(
                "it is not a file of a hunt game's network",
            ));
        }
        let content = durable::strip_checksum(bytes);
        let content =
            content.ok_or_else(|| EngineError::new("its checksum is wrong: it is damaged"))?;
        let mut rest = Rest(&content[MAGIC.len()..]);
        let version = rest.number()?;
        if version != VERSION {
            return Err(EngineError::new(format!(
                "it has version {version}; this Puli reads version {VERSION}"
            )));
        }
        let length = rest.number()? as usize;
        let command = String::from_utf8_lossy(rest.take(length)?).into_owned();
        let [points, goats, stands] = [rest.number()?, rest.number()?, rest.number()?];
        let units = [rest.number()? as usize, rest.number()? as usize];
        let can_be = points as usize <= MAX_POINTS
            && goats as usize <= MAX_POINTS
            && u64::from(stands) <= MAX_TIGER_CONFIGS;
        if !can_be || units != [HIDDEN, SECOND] {
            return Err(EngineError::new(
                "its numbers are not as many as a board has use for",
            ));
        }
        let sizes = Sizes {
            points: points as usize,
            goats: goats as usize,
            stands: stands as usize,
        };
        let unpacked = zstd::bulk::decompress(rest.0, sizes.bytes()).ok();
        let numbers = unpacked.filter(|bytes| bytes.len() == sizes.bytes());
        let numbers = numbers.ok_or_else(|| EngineError::new("its numbers cannot be read"))?;
        let weights = Weights::read(&numbers, &sizes);
        if !weights.are_bounded() {
            return Err(EngineError::new("its numbers are too large"));
        }
        Ok(Self {
            command,
            sizes,
            weights,
        })
    }
}

/// What has not been read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], EngineError> {
        let taken = self.0.split_at_checked(length);
        let (taken, rest) = taken.ok_or_else(|| EngineError::new("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, EngineError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes(from_fn(|place| bytes[place])))
    }
}
