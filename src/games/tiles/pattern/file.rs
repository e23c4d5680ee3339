//! The file format of pattern tables, version 4. Numbers are little-endian.
//!
//! - magic `PULIPATT`
//! - version, 4 bytes
//! - width, height and number of tiles, 1 byte each
//! - the blank's home, 1 byte
//! - the tiles' homes, 8 bytes, padded with zeros
//! - 4 zero bytes
//! - CRC-32 of all bytes above and of the entries, 4 bytes
//! - the entries, two per byte, in the order of [`Pattern::index`]

use std::cmp::Ordering;
use std::fmt;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::{MAX_TILES, Pattern, PatternTable};
use crate::durable::{self, FileFormat, FileKinds, Source};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::try_alloc;

/// The format of pattern tables.
pub(crate) const FORMAT: FileFormat = FileFormat {
    magic: *b"PULIPATT",
    version: 4,
};
/// The supported numbers of rows and of columns.
const SIDES: std::ops::RangeInclusive<usize> = 2..=6;
const HEADER_BYTES: usize = 32;
const CHECKSUM_OFFSET: usize = 28;
/// Number of bytes read between two calls of `should_continue`.
const CHUNK_BYTES: usize = 1 << 20;

/// Returns the path of a pattern's table in `folder`.
pub fn path(folder: &Path, pattern: &Pattern) -> PathBuf {
    let home_cells: Vec<String> = pattern.home_cells.iter().map(u8::to_string).collect();
    folder.join(format!(
        "tiles-{}x{}-{}-of-{}.pattern",
        pattern.width,
        pattern.height,
        pattern.blank,
        home_cells.join("-")
    ))
}

/// Parses the name of a table file. Returns `None` if `name` is not exactly a name that [`path`] creates.
pub fn pattern_of_name(name: &str) -> Option<Pattern> {
    let (board, home_cells) = name
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
        home_cells: home_cells
            .split('-')
            .map(str::parse::<u8>)
            .collect::<Result<_, _>>()
            .ok()?,
    };
    let is_cell = |&cell: &u8| usize::from(cell) < pattern.cell_count();
    let are_tiles = pattern
        .home_cells
        .iter()
        .all(|home| is_cell(home) && *home != pattern.blank);
    let are_sorted = pattern.home_cells.is_sorted_by(|a, b| a < b);
    let is_valid =
        is_cell(&pattern.blank) && are_tiles && are_sorted && pattern.home_cells.len() <= MAX_TILES;
    // Reject other spellings of a number, such as leading zeros.
    (is_valid && path(Path::new(""), &pattern) == Path::new(name)).then_some(pattern)
}

/// Returns the homes of all patterns with a file in `folder` for the size and the blank's home of `board`. Ignores the
/// homes of `board`.
pub fn patterns(folder: &Path, board: &Pattern) -> Vec<Vec<u8>> {
    let is_of_board = |pattern: &Pattern| {
        (pattern.width, pattern.height, pattern.blank) == (board.width, board.height, board.blank)
    };
    // An unreadable folder is treated as empty.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<Vec<u8>> = entries
        .filter_map(|entry| pattern_of_name(entry.file_name().to_str()?))
        .filter(is_of_board)
        .map(|pattern| pattern.home_cells)
        .collect();
    all.sort_unstable();
    all
}

/// Returns `true` if the file exists and its first bytes are not the magic of a pattern table. A shorter file with
/// the start of the magic counts as a table.
pub(crate) fn is_foreign(path: &Path) -> bool {
    let has_magic = |source: Source| {
        let length = source.length().min(FORMAT.magic.len() as u64) as usize;
        let head = source.read(0, length);
        head.is_ok_and(|head| FORMAT.magic.starts_with(&head))
    };
    Source::open(path).is_ok_and(|source| !has_magic(source))
}

/// The names and magics of pattern table files, for removing leftover temporary files.
pub const FILE_KINDS: FileKinds = FileKinds {
    is_name: |name| name.starts_with("tiles-") && name.ends_with(".pattern"),
    magics: &[&FORMAT.magic],
};

/// Writes a table atomically and returns its path.
///
/// # Errors
/// [`EngineError`] if the file cannot be written.
pub fn save(folder: &Path, table: &PatternTable) -> Result<PathBuf, EngineError> {
    let path = path(folder, &table.pattern);
    durable::write(&path, |file| {
        file.write_all(&header_with_checksum(
            header(&table.pattern),
            &table.entries,
        ))?;
        file.write_all(&table.entries)
    })?;
    Ok(path)
}

/// Reads the table of `pattern` from `folder`. Returns `None` if the file is missing or `should_continue` returns
/// `false`.
///
/// # Errors
/// [`EngineError`] if the file cannot be read or is not a valid table of this pattern.
pub fn load(
    folder: &Path,
    pattern: &Pattern,
    should_continue: &mut dyn FnMut() -> bool,
) -> Result<Option<PatternTable>, EngineError> {
    let path = path(folder, pattern);
    let reject = |why: &dyn fmt::Display| {
        EngineError::new(format!("{} is not used: {why}", path_name(&path)))
    };
    let source = match Source::open(&path) {
        Ok(source) => source,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(reject(&error)),
    };
    let mut header_bytes = [0; HEADER_BYTES];
    source
        .read_into(0, &mut header_bytes)
        .map_err(|error| reject(&format!("cannot read the header: {error}")))?;
    if header_bytes[..FORMAT.magic.len()] != FORMAT.magic {
        return Err(reject(&"not a pattern table"));
    }
    if header_bytes[8..12] != FORMAT.version.to_le_bytes() {
        return Err(reject(&format!(
            "expected format version {}",
            FORMAT.version
        )));
    }
    if header_bytes[..CHECKSUM_OFFSET] != header(pattern)[..CHECKSUM_OFFSET] {
        return Err(reject(&"table of another board or pattern"));
    }
    // The file's length is checked before the entries are allocated.
    match source
        .length()
        .cmp(&((HEADER_BYTES + pattern.bytes()) as u64))
    {
        Ordering::Less => return Err(reject(&"file too short")),
        Ordering::Greater => return Err(reject(&"file too long")),
        Ordering::Equal => {}
    }
    let entries = try_alloc::zeroed_in_huge_pages(pattern.bytes());
    let mut entries: Vec<u8> = entries.map_err(|out_of_memory| reject(&out_of_memory))?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header_bytes[..CHECKSUM_OFFSET]);
    let mut position = HEADER_BYTES as u64;
    for chunk in entries.chunks_mut(CHUNK_BYTES) {
        if !should_continue() {
            return Ok(None);
        }
        source
            .read_into(position, chunk)
            .map_err(|error| reject(&error))?;
        hasher.update(chunk);
        position += chunk.len() as u64;
    }
    if header_bytes[CHECKSUM_OFFSET..] != hasher.finalize().to_le_bytes() {
        return Err(reject(&"the checksum does not match"));
    }
    Ok(Some(PatternTable {
        pattern: pattern.clone(),
        entries,
    }))
}

/// Returns the header with checksum 0.
fn header(pattern: &Pattern) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(&FORMAT.magic);
    header[8..12].copy_from_slice(&FORMAT.version.to_le_bytes());
    header[12] = pattern.width as u8;
    header[13] = pattern.height as u8;
    header[14] = pattern.home_cells.len() as u8;
    header[15] = pattern.blank;
    let home_cells = &mut header[16..16 + MAX_TILES];
    for (byte, &home) in home_cells.iter_mut().zip(&pattern.home_cells) {
        *byte = home;
    }
    header
}

/// Returns the header with the checksum of header and entries.
fn header_with_checksum(mut header: [u8; HEADER_BYTES], entries: &[u8]) -> [u8; HEADER_BYTES] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..CHECKSUM_OFFSET]);
    hasher.update(entries);
    header[CHECKSUM_OFFSET..].copy_from_slice(&hasher.finalize().to_le_bytes());
    header
}
