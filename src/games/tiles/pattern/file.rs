//! Pattern tables on disk: one file each, with a version, what the table is of, and a checksum over everything.
//!
//! Layout, numbers in little-endian order: the magic `PULIPATT`; the version, 4 bytes; width, height and number of tiles,
//! a byte each; the blank's home, a byte; the tiles' homes, 8 bytes, the rest of them zero; 4 zeros; the CRC-32 of the header so far and the entries,
//! 4 bytes; then the entries, two a byte, in the order of [`Pattern::index`].

use std::cmp::Ordering;
use std::fmt;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::{MAX_TILES, Pattern, PatternTable};
use crate::durable::{self, ArtifactKinds, Source};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::try_alloc;

const MAGIC: &[u8; 8] = b"PULIPATT";
const VERSION: u32 = 4;
/// The sides that a board can have.
const SIDES: std::ops::RangeInclusive<usize> = 2..=6;
const HEADER: usize = 32;
const CHECKSUM_AT: usize = 28;
/// What is read or written between two looks at whether to go on.
const CHUNK: usize = 1 << 20;

/// Where the table of a pattern lies.
pub fn path(folder: &Path, pattern: &Pattern) -> PathBuf {
    let homes: Vec<String> = pattern.homes.iter().map(u8::to_string).collect();
    folder.join(format!(
        "tiles-{}x{}-{}-of-{}.pattern",
        pattern.width,
        pattern.height,
        pattern.blank,
        homes.join("-")
    ))
}

/// The pattern of whose table this is the file's name.
pub fn named(name: &str) -> Option<Pattern> {
    let (board, homes) = name
        .strip_prefix("tiles-")?
        .strip_suffix(".pattern")?
        .split_once("-of-")?;
    let (size, blank) = board.split_once('-')?;
    let (width, height) = size.split_once('x')?;
    let pattern = Pattern {
        width: width.parse().ok().filter(|width| SIDES.contains(width))?,
        height: height
            .parse()
            .ok()
            .filter(|height| SIDES.contains(height))?,
        blank: blank.parse().ok()?,
        homes: homes
            .split('-')
            .map(str::parse::<u8>)
            .collect::<Result<_, _>>()
            .ok()?,
    };
    let is_cell = |&cell: &u8| usize::from(cell) < pattern.cell_count();
    let are_tiles = pattern
        .homes
        .iter()
        .all(|home| is_cell(home) && *home != pattern.blank);
    let are_sorted = pattern.homes.is_sorted_by(|a, b| a < b);
    let is_one =
        is_cell(&pattern.blank) && are_tiles && are_sorted && pattern.homes.len() <= MAX_TILES;
    // Of several ways to write a number one is that of the name.
    (is_one && path(Path::new(""), &pattern) == Path::new(name)).then_some(pattern)
}

/// The homes of the patterns of which the folder has files, for the board and the blank's home of `board`.
pub fn patterns(folder: &Path, board: &Pattern) -> Vec<Vec<u8>> {
    let is_of_board = |pattern: &Pattern| {
        (pattern.width, pattern.height, pattern.blank) == (board.width, board.height, board.blank)
    };
    // A folder that cannot be read has none.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<Vec<u8>> = entries
        .filter_map(|entry| named(entry.file_name().to_str()?))
        .filter(is_of_board)
        .map(|pattern| pattern.homes)
        .collect();
    all.sort_unstable();
    all
}

/// Returns `true` if a file that exists begins like no pattern table of any version.
pub fn is_foreign(path: &Path) -> bool {
    let begins = |source: Source| {
        let length = source.length().min(MAGIC.len() as u64) as usize;
        let head = source.read(0, length);
        head.is_ok_and(|head| MAGIC.starts_with(&head))
    };
    Source::open(path).is_ok_and(|source| !begins(source))
}

/// The files of pattern tables, for who sweeps.
pub fn kin() -> ArtifactKinds {
    ArtifactKinds {
        is_name: |name| name.starts_with("tiles-") && name.ends_with(".pattern"),
        magics: &[MAGIC],
    }
}

/// Writes a table whole or not at all.
pub fn save(folder: &Path, table: &PatternTable) -> Result<PathBuf, EngineError> {
    let path = path(folder, &table.pattern);
    durable::write(&path, |draft| {
        draft.write_all(&summed(header(&table.pattern), &table.entries))?;
        draft.write_all(&table.entries)
    })?;
    Ok(path)
}

/// Reads the table of a pattern. None where there is no such file, or once `goes_on` says no.
pub fn load(
    folder: &Path,
    pattern: &Pattern,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<PatternTable>, EngineError> {
    let path = path(folder, pattern);
    let refuse = |why: &dyn fmt::Display| {
        EngineError::new(format!("{} is not used: {why}", path_name(&path)))
    };
    let source = match Source::open(&path) {
        Ok(source) => source,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refuse(&error)),
    };
    let mut found = [0; HEADER];
    source
        .read_into(0, &mut found)
        .map_err(|error| refuse(&format!("its header cannot be read: {error}")))?;
    if &found[..MAGIC.len()] != MAGIC {
        return Err(refuse(&"it is no pattern table"));
    }
    if found[8..12] != VERSION.to_le_bytes() {
        return Err(refuse(&format!("its format is not version {VERSION}")));
    }
    if found[..CHECKSUM_AT] != header(pattern)[..CHECKSUM_AT] {
        return Err(refuse(&"it is of another board or pattern"));
    }
    // Only a file that has them is given memory for its entries.
    match source.length().cmp(&((HEADER + pattern.bytes()) as u64)) {
        Ordering::Less => return Err(refuse(&"it is shorter than it should be")),
        Ordering::Greater => return Err(refuse(&"it is longer than it should be")),
        Ordering::Equal => {}
    }
    let entries = try_alloc::zeroed_in_huge_pages(pattern.bytes());
    let mut entries: Vec<u8> = entries.map_err(|out_of_memory| refuse(&out_of_memory))?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&found[..CHECKSUM_AT]);
    let mut position = HEADER as u64;
    for chunk in entries.chunks_mut(CHUNK) {
        if !goes_on() {
            return Ok(None);
        }
        source
            .read_into(position, chunk)
            .map_err(|refusal| refuse(&refusal))?;
        hasher.update(chunk);
        position += chunk.len() as u64;
    }
    if found[CHECKSUM_AT..] != hasher.finalize().to_le_bytes() {
        return Err(refuse(&"it is damaged, its checksum does not match"));
    }
    Ok(Some(PatternTable {
        pattern: pattern.clone(),
        entries,
    }))
}

/// The header, its checksum still zero.
fn header(pattern: &Pattern) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12] = pattern.width as u8;
    header[13] = pattern.height as u8;
    header[14] = pattern.homes.len() as u8;
    header[15] = pattern.blank;
    let homes = &mut header[16..16 + MAX_TILES];
    for (byte, &home) in homes.iter_mut().zip(&pattern.homes) {
        *byte = home;
    }
    header
}

/// The header with the checksum.
fn summed(mut header: [u8; HEADER], entries: &[u8]) -> [u8; HEADER] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..CHECKSUM_AT]);
    hasher.update(entries);
    header[CHECKSUM_AT..].copy_from_slice(&hasher.finalize().to_le_bytes());
    header
}
