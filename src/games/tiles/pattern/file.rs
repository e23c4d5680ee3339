//! Pattern tables on disk: one file each, with a version, what the table is of, and a checksum over everything.
//!
//! Layout, numbers in little-endian order: the magic `PULIPATT`; the version, 4 bytes; width, height and number of tiles,
//! a byte each; the blank's home, a byte; the tiles' homes, 8 bytes, the rest of them zero; 4 zeros; the CRC-32 of the header so far and the entries,
//! 4 bytes; then the entries.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::{MOST_TILES, Pattern, PatternTable};
use crate::error::Refusal;
use crate::games::tiles::pattern::pages::Pages;

const MAGIC: &[u8; 8] = b"PULIPATT";
const VERSION: u32 = 2;
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

/// The homes of the patterns of which the folder has files, for the board and the blank's home of `board`.
pub fn patterns(folder: &Path, board: &Pattern) -> Vec<Vec<u8>> {
    let beginning = format!("tiles-{}x{}-{}-of-", board.width, board.height, board.blank);
    let homes = |name: &str| -> Option<Vec<u8>> {
        let homes = name.strip_prefix(&beginning)?.strip_suffix(".pattern")?;
        let homes: Vec<u8> = homes
            .split('-')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .ok()?;
        let are_tiles = homes
            .iter()
            .all(|&home| usize::from(home) < board.cell_count() && home != board.blank);
        let are_sorted = homes.is_sorted_by(|a, b| a < b);
        (are_tiles && are_sorted && homes.len() <= MOST_TILES).then_some(homes)
    };
    // A folder that cannot be read has none.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<Vec<u8>> = entries
        .filter_map(|entry| homes(entry.file_name().to_str()?))
        .collect();
    all.sort_unstable();
    all
}

/// Removes what builds that were killed have left unfinished. A build that still runs keeps its file.
pub fn sweep(folder: &Path) -> io::Result<()> {
    // Where the system does not tell which processes there are, all may be running.
    if !Path::new("/proc/self").exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let process = extension
            .and_then(|extension| extension.strip_prefix("unfinished-")?.parse::<u32>().ok());
        if let Some(process) = process
            && !Path::new("/proc").join(process.to_string()).exists()
        {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Writes a table under a name of its own and then renames it, so that no half file is ever believed.
pub fn save(folder: &Path, table: &PatternTable) -> Result<PathBuf, Refusal> {
    let path = path(folder, &table.pattern);
    let unfinished = path.with_extension(format!("unfinished-{}", std::process::id()));
    let written = write(&unfinished, table).and_then(|()| fs::rename(&unfinished, &path));
    written.map_err(|error| {
        // The reason is worth more than a second one.
        let _ = fs::remove_file(&unfinished);
        Refusal::new(format!("{} cannot be written: {error}", path.display()))
    })?;
    Ok(path)
}

fn write(path: &Path, table: &PatternTable) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(&sealed(&header(&table.pattern), &table.entries))?;
    file.write_all(&table.entries)?;
    file.sync_all()
}

/// Reads the table of a pattern. None where there is no such file, or once `goes_on` says no.
pub fn load(
    folder: &Path,
    pattern: &Pattern,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<PatternTable>, Refusal> {
    let path = path(folder, pattern);
    let refuse = |why: String| {
        Err(Refusal::new(format!(
            "{} is not used: {why}",
            path.display()
        )))
    };
    let mut file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return refuse(error.to_string()),
    };
    let mut found = [0; HEADER];
    if let Err(error) = file.read_exact(&mut found) {
        return refuse(format!("its header cannot be read: {error}"));
    }
    if &found[..MAGIC.len()] != MAGIC {
        return refuse("it is no pattern table".into());
    }
    if found[8..12] != VERSION.to_le_bytes() {
        return refuse(format!("its format is not version {VERSION}"));
    }
    if found[..CHECKSUM_AT] != header(pattern)[..CHECKSUM_AT] {
        return refuse("it is of another board or pattern".into());
    }
    let mut entries = Pages::zeroed(pattern.bytes());
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&found[..CHECKSUM_AT]);
    for chunk in entries.chunks_mut(CHUNK) {
        if !goes_on() {
            return Ok(None);
        }
        if let Err(error) = file.read_exact(chunk) {
            return refuse(format!("it is shorter than it should be: {error}"));
        }
        hasher.update(chunk);
    }
    if found[CHECKSUM_AT..] != hasher.finalize().to_le_bytes() {
        return refuse("it is damaged, its checksum does not match".into());
    }
    match file.read(&mut [0]) {
        Ok(0) => Ok(Some(PatternTable {
            pattern: pattern.clone(),
            entries,
        })),
        _ => refuse("it is longer than it should be".into()),
    }
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
    let homes = &mut header[16..16 + MOST_TILES];
    for (byte, &home) in homes.iter_mut().zip(&pattern.homes) {
        *byte = home;
    }
    header
}

fn sealed(header: &[u8; HEADER], entries: &[u8]) -> [u8; HEADER] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header[..CHECKSUM_AT]);
    hasher.update(entries);
    let mut sealed = *header;
    sealed[CHECKSUM_AT..].copy_from_slice(&hasher.finalize().to_le_bytes());
    sealed
}
