//! Networks and half-finished trainings as files: versioned, with a checksum, and never half written.
//!
//! All numbers are little-endian. A file is eight bytes that name its kind; then as `u32` the version, the cells of a
//! tuple and the length of the origin; as `u64` the seed, the games, the moves and the length of the body; the
//! origin; the body; and the CRC-32 of everything before.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use super::tuples::Tuples;
use crate::error::Refusal;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A network to play with.
    Network,
    /// All that a training needs to go on.
    Training,
}

impl Kind {
    fn magic(self) -> &'static [u8; 8] {
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
}

/// Raised whenever what a body means changes.
const VERSION: u32 = 1;

/// Where a network comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its tuples.
    pub tuples: Tuples,
    /// The command that made it.
    pub command: String,
    /// The seed of the training's tiles.
    pub seed: u64,
    /// Games it has learned from.
    pub games: u64,
    /// Moves it has learned from.
    pub moves: u64,
}

/// The bytes of a file before the origin's text.
const HEADER: usize = 8 + 3 * 4 + 4 * 8;

/// The bytes of a file behind its body.
const FOOTER: usize = 4;

/// Writes a file whole or not at all: beside its place first, and then moved there.
pub fn write(path: &Path, kind: Kind, origin: &Origin, body: &[&[u8]]) -> Result<(), Refusal> {
    let refuse =
        |error: std::io::Error| Refusal::new(format!("cannot write {}: {error}", path.display()));
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    let file = File::create(partial).map_err(refuse)?;
    let written =
        seal(BufWriter::new(file), kind, origin, body).and_then(|()| fs::rename(partial, path));
    written.map_err(|error| {
        // The old file, if there is one, is as it was.
        let _ = fs::remove_file(partial);
        refuse(error)
    })
}

fn seal(
    mut file: BufWriter<File>,
    kind: Kind,
    origin: &Origin,
    body: &[&[u8]],
) -> std::io::Result<()> {
    let mut checksum = crc32fast::Hasher::new();
    let mut put = |bytes: &[u8]| {
        checksum.update(bytes);
        file.write_all(bytes)
    };
    put(kind.magic())?;
    for number in [VERSION, origin.tuples.cells(), origin.command.len() as u32] {
        put(&number.to_le_bytes())?;
    }
    let length: usize = body.iter().map(|part| part.len()).sum();
    for number in [origin.seed, origin.games, origin.moves, length as u64] {
        put(&number.to_le_bytes())?;
    }
    put(origin.command.as_bytes())?;
    body.iter().try_for_each(|part| put(part))?;
    let checksum = checksum.finalize();
    file.write_all(&checksum.to_le_bytes())?;
    file.into_inner()?.sync_all()
}

/// Opens a file's bytes: where it comes from, and its body. The error says what is wrong with it.
pub fn open(bytes: &[u8], kind: Kind) -> Result<(Origin, &[u8]), String> {
    if bytes.get(..8) != Some(kind.magic().as_slice()) {
        return Err(format!("it is not a {} file of Puli", kind.name()));
    }
    let version = u32_at(bytes, 8).ok_or("it ends too early")?;
    if version != VERSION {
        return Err(format!(
            "it has version {version}; this Puli reads version {VERSION}"
        ));
    }
    let header = bytes.get(..HEADER).ok_or("it ends too early")?;
    let number = |index: usize| u64_at(header, 20 + 8 * index).unwrap_or_default();
    let text = u32_at(header, 16).unwrap_or_default() as usize;
    let body = usize::try_from(number(3)).ok();
    let length = body.and_then(|body| (HEADER + text + FOOTER).checked_add(body));
    if length != Some(bytes.len()) {
        return Err(format!(
            "it has {} bytes and should have {}",
            bytes.len(),
            length.unwrap_or(usize::MAX)
        ));
    }
    let (sealed, checksum) = bytes.split_at(bytes.len() - FOOTER);
    if Some(crc32fast::hash(sealed)) != u32_at(checksum, 0) {
        return Err("its checksum is wrong: it is damaged".into());
    }
    let cells = u32_at(header, 12).unwrap_or_default();
    let (command, body) = sealed[HEADER..].split_at(text);
    let origin = Origin {
        tuples: Tuples::with_cells(cells)
            .ok_or_else(|| format!("it has tuples of {cells} cells, not of 5 or 6"))?,
        command: String::from_utf8_lossy(command).into_owned(),
        seed: number(0),
        games: number(1),
        moves: number(2),
    };
    Ok((origin, body))
}

/// Reads a whole file; the error names it.
pub fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    fs::read(path).map_err(|error| Refusal::new(format!("cannot read {}: {error}", path.display())))
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let bytes = bytes.get(offset..offset + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    let bytes = bytes.get(offset..offset + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}
