//! The files of networks and of training runs. Files are written atomically.
//!
//! All numbers are little-endian. A file consists of:
//!
//! 1. eight bytes that identify the kind of file ([`FileKind::magic`])
//! 2. as `u32`: the version, the code of the tuples ([`Tuples::code`]), and the length of the command
//! 3. as `u64`: the seed, the number of games, the number of moves, and the length of the body
//! 4. the command
//! 5. the body
//! 6. the CRC-32 of all preceding bytes, as `u32`
//!
//! The body of a network file contains the rounding step of the weights, then the compressed weights. The body of a
//! training file contains the [`TrainingOptions`], then all weights, then the accumulated errors of each weight.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use super::options::TrainingOptions;
use super::tuples::Tuples;
use crate::durable::{self, AtomicFile, CHECKSUM_BYTES, Source};
use crate::error::EngineError;
use crate::escape::path_name;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A network for evaluation.
    Network,
    /// The state of a training run, sufficient to resume it.
    Training,
}

impl FileKind {
    /// Returns the magic bytes of files of this kind.
    pub fn magic(self) -> &'static [u8; 8] {
        match self {
            Self::Network => b"PuliNet\n",
            Self::Training => b"PuliTrn\n",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Training => "training",
        }
    }

    /// Returns the readable versions. Files are written with the last version. The version increases when the
    /// meaning of the body changes:
    ///
    /// - Version 2: the body of a training file starts with the goal. Networks are compressed with zstd.
    /// - Version 3: the body of a training file starts with all [`TrainingOptions`]. In a network, each zero weight
    ///   takes one bit before the compression.
    /// - Version 4: networks can learn 16384 ([`FIRST_EXTENDED_VERSION`]).
    pub(crate) fn versions(self) -> RangeInclusive<u32> {
        match self {
            Self::Network => 2..=4,
            Self::Training => 1..=4,
        }
    }

    /// Returns the possible lengths of a body, in bytes.
    fn lengths(self, version: u32, tuples: Tuples) -> RangeInclusive<u64> {
        let weights = tuples.weights() as u64;
        match (self, version) {
            // The body contains the step in 8 bytes, and at most two bytes and one bit per weight. Incompressible
            // data grow by at most 1/256.
            (Self::Network, _) => 8..=8 + 2 * weights + weights / 8 + weights / 64 + 1024,
            (Self::Training, _) => {
                let length = TrainingOptions::encoded_bytes(version) as u64 + 12 * weights;
                length..=length
            }
        }
    }
}

/// The first version whose networks can learn tiles above 8192, if the tuples support it
/// (`Tuples::max_learned_power`).
pub const FIRST_EXTENDED_VERSION: u32 = 4;

/// The description of a network: its tuples and its training.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The tuples of the network.
    pub tuples: Tuples,
    /// The command lines that trained the network, without paths.
    pub command: String,
    /// The seed of the tiles in the training games.
    pub seed: u64,
    /// The number of training games.
    pub games: u64,
    /// The number of moves in the training games, restarts included.
    pub moves: u64,
}

/// The size of the header, in bytes: items 1 to 3 of the file.
pub const HEADER_BYTES: usize = 8 + 3 * 4 + 4 * 8;

/// Maximum length of the command, in bytes.
pub(crate) const MAX_COMMAND_BYTES: usize = 1 << 16;

/// Maximum number of games, and of moves, in a file. No real training run comes near it, so larger numbers indicate a
/// damaged file.
const MAX_PLAYED: u64 = 1 << 48;

/// The fields of a header.
struct Header {
    version: u32,
    tuples: Tuples,
    /// The length of the command, in bytes.
    command_length: usize,
    /// The length of the body, in bytes.
    body_length: usize,
    seed: u64,
    games: u64,
    moves: u64,
}

impl Header {
    /// Reads the header of a file of `length` bytes. `bytes` is the start of the file, with the whole header if the
    /// file is long enough.
    ///
    /// # Errors
    /// If a field is invalid, or if the fields contradict `length`. The text describes the problem.
    fn read(bytes: &[u8], length: u64, kind: FileKind) -> Result<Self, String> {
        if bytes.get(..8) != Some(kind.magic().as_slice()) {
            return Err(format!("it is not a {} file of Puli", kind.name()));
        }
        let version = u32_at(bytes, 8).ok_or("it ends too early")?;
        if !kind.versions().contains(&version) {
            let (oldest, newest) = kind.versions().into_inner();
            return Err(format!(
                "it has version {version}, expected {oldest} to {newest}"
            ));
        }
        let header = bytes.get(..HEADER_BYTES).ok_or("it ends too early")?;
        let u32_field = |index: usize| u32_at(header, 8 + 4 * index).unwrap_or_default();
        let u64_field = |index: usize| u64_at(header, 20 + 8 * index).unwrap_or_default();
        let code = u32_field(1);
        let tuples = Tuples::with_code(code).ok_or_else(|| {
            format!("the code of its tuples is {code}, which this version does not support")
        })?;
        let (command_length, body_length) = (u32_field(2) as usize, u64_field(3));
        if command_length > MAX_COMMAND_BYTES {
            return Err(format!(
                "its command has {command_length} bytes, expected at most {MAX_COMMAND_BYTES}"
            ));
        }
        if !kind.lengths(version, tuples).contains(&body_length) {
            return Err(format!(
                "its body has {body_length} bytes, which is impossible for a {} of {} weights",
                kind.name(),
                tuples.weights()
            ));
        }
        let expected = (HEADER_BYTES + command_length + CHECKSUM_BYTES) as u64 + body_length;
        if length != expected {
            return Err(format!("it has {length} bytes, expected {expected}"));
        }
        let (games, moves) = (u64_field(1), u64_field(2));
        if games > MAX_PLAYED || moves > MAX_PLAYED {
            return Err(format!(
                "it claims {games} games and {moves} moves, expected at most {MAX_PLAYED}"
            ));
        }
        Ok(Self {
            version,
            tuples,
            command_length,
            body_length: body_length as usize,
            seed: u64_field(0),
            games,
            moves,
        })
    }
}

/// Writes a file atomically. `body` writes the body, which must have `length` bytes.
///
/// # Errors
/// If the file cannot be written. The error names the file.
pub fn write(
    path: &Path,
    kind: FileKind,
    origin: &Origin,
    length: u64,
    body: impl FnOnce(&mut ChecksumWriter) -> io::Result<()>,
) -> Result<(), EngineError> {
    durable::write(path, |file| {
        let mut out = ChecksumWriter {
            out: file,
            checksum: crc32fast::Hasher::new(),
        };
        out.write_all(kind.magic())?;
        let command = origin.command.as_bytes();
        let version = *kind.versions().end();
        for number in [version, origin.tuples.code(), command.len() as u32] {
            out.write_all(&number.to_le_bytes())?;
        }
        for number in [origin.seed, origin.games, origin.moves, length] {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(command)?;
        body(&mut out)?;
        let checksum = out.checksum.finalize();
        file.write_all(&checksum.to_le_bytes())
    })?;
    Ok(())
}

/// A writer that also computes the CRC-32 of the written bytes.
pub struct ChecksumWriter<'a> {
    out: &'a mut AtomicFile,
    checksum: crc32fast::Hasher,
}

impl Write for ChecksumWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.checksum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A parsed file.
#[derive(Debug)]
pub struct Opened<'a> {
    /// The description of the network.
    pub origin: Origin,
    /// The version of the file.
    pub version: u32,
    /// The unparsed body of the file.
    pub body: &'a [u8],
}

/// Parses the bytes of a file, except the body, and verifies the checksum.
///
/// # Errors
/// If the file is invalid. The text describes the problem.
pub fn open(bytes: &[u8], kind: FileKind) -> Result<Opened<'_>, String> {
    let header = Header::read(bytes, bytes.len() as u64, kind)?;
    let content =
        durable::strip_checksum(bytes).ok_or("its checksum is wrong, so it is damaged")?;
    let (command, body) = content[HEADER_BYTES..].split_at(header.command_length);
    debug_assert_eq!(body.len(), header.body_length);
    let origin = Origin {
        tuples: header.tuples,
        command: String::from_utf8_lossy(command).into_owned(),
        seed: header.seed,
        games: header.games,
        moves: header.moves,
    };
    Ok(Opened {
        origin,
        version: header.version,
        body,
    })
}

/// Returns the bytes of a file of this kind. Checks the header and the size before it allocates memory for the file.
///
/// # Errors
/// If the file cannot be read, or its header is invalid. The error names the file.
pub fn read(path: &Path, kind: FileKind) -> Result<Vec<u8>, EngineError> {
    let (source, _header) = open_header(path, kind)?;
    source.read(0, source.length() as usize)
}

/// Returns the tuples of the network in a file of this kind. Reads only the header.
///
/// # Errors
/// If the file cannot be read, or its header is invalid. The error names the file.
pub fn tuples(path: &Path, kind: FileKind) -> Result<Tuples, EngineError> {
    open_header(path, kind).map(|(_source, header)| header.tuples)
}

/// Opens a file of this kind and checks its header and its size.
fn open_header(path: &Path, kind: FileKind) -> Result<(Source, Header), EngineError> {
    let invalid = |why: String| EngineError::new(format!("cannot use {}: {why}", path_name(path)));
    let source = Source::open(path).map_err(|error| invalid(error.to_string()))?;
    let header = source.read(0, source.length().min(HEADER_BYTES as u64) as usize)?;
    let header = Header::read(&header, source.length(), kind).map_err(invalid)?;
    Ok((source, header))
}

/// Returns the little-endian number at `offset`, or `None` if `bytes` is too short.
fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let bytes = bytes.get(offset..offset + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// Returns the little-endian number at `offset`, or `None` if `bytes` is too short.
fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    let bytes = bytes.get(offset..offset + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}
