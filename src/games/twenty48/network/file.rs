//! Networks and half-finished trainings as files: versioned, with a checksum, and never half written.
//!
//! All numbers are little-endian. A file is eight bytes that name its kind; then as `u32` the version, the number of
//! the tuples ([`Tuples::code`]) and the length of the origin; as `u64` the seed, the games, the moves and the length of
//! the body; the origin; the body; and the CRC-32 of everything before.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use super::options::TrainingOptions;
use super::tuples::Tuples;
use crate::durable::{self, AtomicFile, CHECKSUM_BYTES, Source};
use crate::error::EngineError;
use crate::escape::path_name;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A network to play with.
    Network,
    /// All that a training needs to go on.
    Training,
}

impl FileKind {
    /// What the files of this kind begin with.
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

    /// The versions that can be read; the last one is written. Raised whenever what a body means changes: the second
    /// version of trainings begins with the goal, the third with the whole [`Plan`]; the second of networks is compressed with
    /// zstd, and in the third zeros take a bit each. The fourth of both is [`KNOWING`].
    fn versions(self) -> RangeInclusive<u32> {
        match self {
            Self::Network => 2..=4,
            Self::Training => 1..=4,
        }
    }

    /// The lengths that a body can have.
    fn lengths(self, version: u32, tuples: Tuples) -> RangeInclusive<u64> {
        let weights = tuples.weights() as u64;
        match (self, version) {
            // The step, and two bytes and perhaps a bit a weight, which compression makes longer by one in 256 at most.
            (Self::Network, _) => 8..=8 + 2 * weights + weights / 8 + weights / 64 + 1024,
            (Self::Training, _) => {
                let length = TrainingOptions::length(version) as u64 + 12 * weights;
                length..=length
            }
        }
    }
}

/// The version from which on networks and trainings know tiles beyond 8192 where their tuples do ([`Tuples::known`]).
pub const KNOWING: u32 = 4;

/// Where a network comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its tuples.
    pub tuples: Tuples,
    /// The commands that made it, without paths.
    pub command: String,
    /// The seed of the training's tiles.
    pub seed: u64,
    /// Games it has learned from.
    pub games: u64,
    /// Moves it has learned from.
    pub moves: u64,
}

/// The bytes of a file before the origin's text.
pub const HEADER: usize = 8 + 3 * 4 + 4 * 8;

/// The longest text of an origin.
pub const MAX_TEXT_BYTES: usize = 1 << 16;

/// More games, or moves, than this nobody has played.
const MAX_PLAYED: u64 = 1 << 48;

/// What a header says.
struct Head {
    version: u32,
    tuples: Tuples,
    text: usize,
    body: usize,
    seed: u64,
    games: u64,
    moves: u64,
}

impl Head {
    /// Takes what the first bytes of a file of this length say, if it can be true.
    fn read(bytes: &[u8], length: u64, kind: FileKind) -> Result<Self, String> {
        if bytes.get(..8) != Some(kind.magic().as_slice()) {
            return Err(format!("it is not a {} file of Puli", kind.name()));
        }
        let version = u32_at(bytes, 8).ok_or("it ends too early")?;
        if !kind.versions().contains(&version) {
            let (oldest, newest) = kind.versions().into_inner();
            return Err(format!(
                "it has version {version}; this Puli reads versions {oldest} to {newest}"
            ));
        }
        let header = bytes.get(..HEADER).ok_or("it ends too early")?;
        let small = |index: usize| u32_at(header, 8 + 4 * index).unwrap_or_default();
        let large = |index: usize| u64_at(header, 20 + 8 * index).unwrap_or_default();
        let code = small(1);
        let tuples = Tuples::with_code(code).ok_or_else(|| {
            format!("its tuples have number {code}, which this Puli does not know")
        })?;
        let (text, body) = (small(2) as usize, large(3));
        if text > MAX_TEXT_BYTES {
            return Err(format!("the text on its origin would have {text} bytes"));
        }
        if !kind.lengths(version, tuples).contains(&body) {
            return Err(format!(
                "a {} of {} weights cannot have {body} bytes",
                kind.name(),
                tuples.weights()
            ));
        }
        let whole = (HEADER + text + CHECKSUM_BYTES) as u64 + body;
        if length != whole {
            return Err(format!("it has {length} bytes and should have {whole}"));
        }
        let (games, moves) = (large(1), large(2));
        if games > MAX_PLAYED || moves > MAX_PLAYED {
            return Err(format!(
                "it would have learned from {games} games and {moves} moves"
            ));
        }
        Ok(Self {
            version,
            tuples,
            text,
            body: body as usize,
            seed: large(0),
            games,
            moves,
        })
    }
}

/// Writes a file whole or not at all. `body` writes the bytes behind the origin, which are `length`.
pub fn write(
    path: &Path,
    kind: FileKind,
    origin: &Origin,
    length: u64,
    body: impl FnOnce(&mut ChecksumWriter) -> io::Result<()>,
) -> Result<(), EngineError> {
    durable::write(path, |draft| {
        let mut out = ChecksumWriter {
            out: draft,
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
        draft.write_all(&checksum.to_le_bytes())
    })?;
    Ok(())
}

/// Writes, and sums up what was written.
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

/// A file that was read: where it comes from, and its body.
#[derive(Debug)]
pub struct Opened<'a> {
    /// Where it comes from.
    pub origin: Origin,
    /// In which version its body is written.
    pub version: u32,
    /// What it holds.
    pub body: &'a [u8],
}

/// Opens a file's bytes. The error says what is wrong with it.
pub fn open(bytes: &[u8], kind: FileKind) -> Result<Opened<'_>, String> {
    let head = Head::read(bytes, bytes.len() as u64, kind)?;
    let sealed = durable::strip_checksum(bytes).ok_or("its checksum is wrong: it is damaged")?;
    let (command, body) = sealed[HEADER..].split_at(head.text);
    debug_assert_eq!(body.len(), head.body);
    let origin = Origin {
        tuples: head.tuples,
        command: String::from_utf8_lossy(command).into_owned(),
        seed: head.seed,
        games: head.games,
        moves: head.moves,
    };
    Ok(Opened {
        origin,
        version: head.version,
        body,
    })
}

/// Reads a whole file of a kind, once its head and its size fit; the error names it.
pub fn read(path: &Path, kind: FileKind) -> Result<Vec<u8>, EngineError> {
    let (source, _head) = begin(path, kind)?;
    source.read(0, source.length() as usize)
}

/// The tuples of a file of a kind, of which no more is read than its head; the error names it.
pub fn tuples(path: &Path, kind: FileKind) -> Result<Tuples, EngineError> {
    begin(path, kind).map(|(_source, head)| head.tuples)
}

/// Opens a file whose head and size fit.
fn begin(path: &Path, kind: FileKind) -> Result<(Source, Head), EngineError> {
    let refuse = |why: String| EngineError::new(format!("cannot use {}: {why}", path_name(path)));
    let source = Source::open(path).map_err(|error| refuse(error.to_string()))?;
    let head = source.read(0, source.length().min(HEADER as u64) as usize)?;
    let head = Head::read(&head, source.length(), kind).map_err(refuse)?;
    Ok((source, head))
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let bytes = bytes.get(offset..offset + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    let bytes = bytes.get(offset..offset + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}
